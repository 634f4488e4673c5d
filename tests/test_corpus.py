import hashlib
import http.server
import io
import os
import random
import re
import threading
import zipfile

import pytest

from nmt_attention.corpus import Pair, Split, add_training_pairs, corpus_hash, sentence_key, split_by_pair, split_pairs
from nmt_attention.disk import fetch
from nmt_attention.disk.fetch import download_anki, find_corpus, load_corpus
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.spelling import PUNCTUATION, normalize

ATTRIBUTION = "CC-BY 2.0 (France) Attribution: tatoeba.org #1234 (somebody) & #5678 (someone)"
PAIRS = [
    Pair("I go to school.", "मी शाळेत जातो.", ATTRIBUTION),
    Pair("She reads a book.", "ती पुस्तक वाचते.", ATTRIBUTION),
    Pair("Rahul is a good boy.", "राहुल चांगला मुलगा आहे.", ATTRIBUTION),
    Pair("Dad bought me a camera.", "बाबांनी मला कॅमेरा विकत घेतला.", ATTRIBUTION),
]
LICENCE = b"About these files: CC-BY 2.0 (France).\n"


def as_text(pairs, end="\n"):
    return "".join("\t".join(pair) + end for pair in pairs).encode()


def as_zip(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():  # without the time of day, so that equal members make equal bytes
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def anki_zip(pairs=PAIRS):
    return as_zip({"mar.txt": as_text(pairs), "_about.txt": LICENCE})


def write(path, data):
    path.write_bytes(data)
    return path


def names(directory):
    return sorted(path.name for path in directory.iterdir())


# --- reading


@pytest.mark.parametrize("name", ["pairs.txt", "pairs.tsv", "pairs.zip", "PAIRS.TSV", "Pairs.Txt", "PAIRS.ZIP"])
@pytest.mark.parametrize("columns", [2, 3])
def test_pairs_are_read_in_file_order(tmp_path, name, columns):
    pairs = [Pair(*pair[:columns]) for pair in PAIRS]
    data = as_text([pair[:columns] for pair in PAIRS])
    member = "MAR.TXT" if name.isupper() else "mar.txt"
    data = as_zip({member: data, "_about.txt": LICENCE}) if name.lower().endswith("zip") else data
    path = write(tmp_path / name, data)
    assert read_pairs(path) == read_pairs(str(path)) == load_corpus(path) == pairs


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + as_text(PAIRS), id="byte order mark"),
        pytest.param(as_text(PAIRS, "\r\n"), id="CRLF"),
        pytest.param(as_text(PAIRS, "\n\n\r\n"), id="empty lines"),
        pytest.param(b"\n\n" + as_text(PAIRS), id="empty lines first"),
        pytest.param(as_text(PAIRS).rstrip(b"\n"), id="no last line end"),
    ],
)
def test_marks_and_line_ends_are_not_part_of_a_sentence(tmp_path, data):
    assert read_pairs(write(tmp_path / "pairs.tsv", data)) == PAIRS
    assert read_pairs(write(tmp_path / "pairs.zip", as_zip({"mar.txt": data}))) == PAIRS


def test_reading_changes_no_letter(tmp_path):
    pairs = [Pair("“Don’t!”  he said", "\u0930\u093c\u094dहास असणार्\u200dया १२३ ", "")]
    assert read_pairs(write(tmp_path / "pairs.tsv", as_text([pairs[0][:2]]))) == pairs


GOOD = as_text(PAIRS[:1])


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        pytest.param(GOOD + b"\n" + b"Only English.\n", 3, "found 1", id="one column"),
        pytest.param(GOOD + b"a\tb\tc\td\n", 2, "found 4", id="four columns"),
        pytest.param(GOOD * 2 + b"I go.\t\xff\xfe\n", 3, "UTF-8", id="invalid UTF-8"),
        pytest.param(GOOD + "मी".encode()[:-1] + b"\n", 2, "UTF-8", id="half a letter"),
        pytest.param(b"\tno English\n", 1, "empty", id="empty first sentence"),
        pytest.param(GOOD + b"No Marathi.\t\n", 2, "empty", id="empty second sentence"),
        pytest.param(GOOD + "I go.\t \u200b\u00a0\tc\n".encode(), 2, "empty", id="a sentence of spaces"),
    ],
)
def test_a_bad_line_is_an_error_that_names_file_and_line(tmp_path, data, line, what):
    for path in (
        write(tmp_path / "pairs.tsv", data),
        write(tmp_path / "pairs.zip", as_zip({"mar.txt": data})),
    ):
        with pytest.raises(ValueError, match=rf"{re.escape(str(path))}.*line {line}: .*{what}"):
            read_pairs(path)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        pytest.param("pairs.tsv", b"", "no sentence pairs", id="empty file"),
        pytest.param("pairs.txt", b"\n\r\n", "no sentence pairs", id="empty lines alone"),
        pytest.param("pairs.csv", as_text(PAIRS), r"\.zip, \.txt or \.tsv", id="wrong suffix"),
        pytest.param("pairs", as_text(PAIRS), r"\.zip, \.txt or \.tsv", id="no suffix"),
        pytest.param("pairs.zip", b"", "zip", id="empty zip"),
        pytest.param("pairs.zip", b"<html>Not Acceptable</html>", "zip", id="not a zip"),
        pytest.param("pairs.zip", anki_zip()[:-40], "zip", id="a zip cut short"),
        pytest.param("pairs.zip", as_zip({"_about.txt": LICENCE}), "found 0", id="zip without pairs"),
        pytest.param("pairs.zip", as_zip({}), "found 0", id="zip of nothing"),
        pytest.param("pairs.zip", as_zip({"a.txt": GOOD, "b.tsv": GOOD}), "found 2", id="zip of two files"),
        pytest.param("pairs.zip", as_zip({"mar.txt": b""}), "no sentence pairs", id="zip of an empty file"),
    ],
)
def test_a_bad_file_is_an_error_that_names_it(tmp_path, name, data, what):
    path = write(tmp_path / name, data)
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}.*{what}"):
        read_pairs(path)


def test_a_damaged_zip_is_an_error_that_names_it(tmp_path):
    data = as_zip({"mar.txt": as_text(PAIRS * 20)})
    start = 30 + len("mar.txt")  # where the packed text begins, after the member's header
    for position in range(start, start + 60):
        path = write(tmp_path / "pairs.zip", data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        with pytest.raises(ValueError, match=re.escape(str(path))):
            read_pairs(path)


@pytest.mark.parametrize("name", ["none.zip", "none.tsv", "none"])
def test_a_missing_file_is_named(tmp_path, name):
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / name))):
        read_pairs(tmp_path / name)
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path))):
        read_pairs(tmp_path)


def test_tatoeba_ids_are_the_numbers_of_the_attribution():
    assert PAIRS[0].tatoeba_ids == (1234, 5678)
    assert Pair("a", "b").tatoeba_ids is None
    assert Pair("a #1", "b #2", "tatoeba.org #3").tatoeba_ids is None


def test_written_pairs_are_read_back(tmp_path):
    pairs = [*PAIRS, Pair(' He said, "Don\'t!" ', "ऱ्हास असणार्\u200dया"), Pair("a", "b", "\u2028"), *PAIRS]
    for name in ("pairs.tsv", "pairs.txt"):
        write_pairs(tmp_path / name, pairs)
        assert read_pairs(tmp_path / name) == pairs
    assert names(tmp_path) == ["pairs.tsv", "pairs.txt"]


def test_the_corpus_hash_depends_on_sentences_and_their_order():
    value = corpus_hash(PAIRS)
    assert re.fullmatch("[0-9a-f]{64}", value)
    assert value == corpus_hash(tuple(PAIRS)) == corpus_hash([Pair(*pair[:2]) for pair in PAIRS])
    others = [PAIRS[::-1], PAIRS[:-1], PAIRS + PAIRS[:1], [*PAIRS[:-1], Pair("Dad bought me a camera", PAIRS[-1][1])]]
    assert len({value, *map(corpus_hash, others)}) == 5


# --- finding


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A directory for downloads, no corpus named by the environment, and no network."""
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path / "data")
    monkeypatch.setattr(fetch, "download_anki", lambda language: tmp_path / f"downloaded-{language}.zip")
    (tmp_path / "data").mkdir()
    return tmp_path


def test_the_corpus_is_found_where_the_nearest_word_says(places, monkeypatch):
    assert find_corpus() == places / "downloaded-mar.zip"
    assert find_corpus(language="fra") == places / "downloaded-fra.zip"

    cached = write(places / "data" / "mar-eng.zip", anki_zip())
    assert find_corpus() == cached and load_corpus() == PAIRS
    assert find_corpus(language="fra") == places / "downloaded-fra.zip"

    named = write(places / "named.tsv", GOOD)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(named))
    assert find_corpus() == named and load_corpus() == PAIRS[:1]

    given = write(places / "given.tsv", as_text(PAIRS[:2]))
    assert find_corpus(given) == find_corpus(str(given)) == given and load_corpus(given) == PAIRS[:2]


def test_a_corpus_that_was_named_but_is_missing_is_an_error(places, monkeypatch):
    write(places / "data" / "mar-eng.zip", anki_zip())
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(places / "none.tsv"))
    with pytest.raises(FileNotFoundError, match=r"NMT_ATTENTION_CORPUS.*none\.tsv"):
        find_corpus()
    with pytest.raises(FileNotFoundError, match=r"^corpus: .*other\.tsv"):
        find_corpus(places / "other.tsv")


# --- downloading, from a server on this machine


class Site(http.server.ThreadingHTTPServer):
    """Answers each request with the next of `answers` and notes who asked for what."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.answers, self.requests, self.closing = [], [], threading.Event()
        self.address = f"http://127.0.0.1:{self.server_address[1]}/anki"


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        answer = self.server.answers[len(self.server.requests)]
        self.server.requests.append((self.path, self.headers["User-Agent"]))
        self.close_connection = True
        answer(self)

    def log_message(self, *_):
        pass


def body(data, announced=None):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(announced or len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def status(code):
    return lambda handler: handler.send_error(code)


def silence(handler):
    handler.server.closing.wait(20)


def silence_after_a_part(handler):
    body(anki_zip()[:100], len(anki_zip()))(handler)
    handler.server.closing.wait(20)


def broken_chunk(handler):
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"1000\r\n" + anki_zip()[:100])


def nonsense(handler):
    handler.wfile.write(b"hello\r\n\r\n")


@pytest.fixture
def site(monkeypatch):
    server = Site()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setattr(fetch, "SITE", server.address)
    monkeypatch.setenv("no_proxy", "*")
    yield server
    server.closing.set()
    server.shutdown()
    server.server_close()


def download(directory, language="mar", timeout=10.0, attempts=4):
    return download_anki(language, directory, timeout=timeout, attempts=attempts, pause=0.01)


def test_a_download_keeps_the_zip_and_its_licence(site, tmp_path):
    site.answers = [body(anki_zip())]
    path = download(tmp_path / "new" / "data")
    assert path == tmp_path / "new" / "data" / "mar-eng.zip"
    assert names(path.parent) == ["mar-eng.zip", "mar-eng_about.txt"]
    assert path.read_bytes() == anki_zip() and read_pairs(path) == PAIRS
    assert (path.parent / "mar-eng_about.txt").read_bytes() == LICENCE
    ((address, browser),) = site.requests
    assert address == "/anki/mar-eng.zip" and browser.startswith("Mozilla/5.0 ")


def test_a_download_without_length_or_licence_is_good(site, tmp_path):
    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(as_zip({"fra.txt": GOOD}))

    site.answers = [answer]
    assert read_pairs(download(tmp_path, "fra")) == PAIRS[:1]
    assert names(tmp_path) == ["fra-eng.zip"]


def test_a_download_goes_where_it_is_looked_for(site, tmp_path, monkeypatch):
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path)
    site.answers = [body(anki_zip())]
    assert load_corpus() == load_corpus() == PAIRS
    assert len(site.requests) == 1


@pytest.mark.parametrize("code", [404, 406])
def test_a_definite_answer_is_asked_for_once(site, tmp_path, code):
    site.answers = [status(code)] * 4
    with pytest.raises(OSError, match=rf"{re.escape(site.address)}/mar-eng\.zip: .*{code}.*--corpus"):
        download(tmp_path)
    assert len(site.requests) == 1 and names(tmp_path) == []


def test_a_server_that_recovers_is_asked_again(site, tmp_path):
    site.answers = [status(500), status(503), body(anki_zip())]
    assert read_pairs(download(tmp_path)) == PAIRS
    assert len(site.requests) == 3


def test_a_second_attempt_starts_from_nothing(site, tmp_path):
    site.answers = [body(anki_zip(), announced=10_000), body(as_zip({"mar.txt": GOOD}))]
    assert download(tmp_path).read_bytes() == as_zip({"mar.txt": GOOD})
    assert len(site.requests) == 2


def test_there_are_no_more_attempts_than_asked_for(site, tmp_path):
    site.answers = [status(500)] * 4
    with pytest.raises(OSError, match=r"500.*--corpus"):
        download(tmp_path, attempts=3)
    assert len(site.requests) == 3 and names(tmp_path) == []


FAILURES = [
    pytest.param(status(404), 10.0, OSError, "404", id="404"),
    pytest.param(status(500), 10.0, OSError, "500", id="500"),
    pytest.param(silence, 0.2, OSError, "timed out", id="silence"),
    pytest.param(silence_after_a_part, 0.2, OSError, "timed out", id="silence after a part"),
    pytest.param(body(anki_zip()[:100], len(anki_zip())), 10.0, OSError, "100 of", id="cut short"),
    pytest.param(broken_chunk, 10.0, OSError, "mar-eng.zip", id="a chunk cut short"),
    pytest.param(nonsense, 10.0, OSError, "mar-eng.zip", id="not HTTP"),
    pytest.param(body(b"<html>Hello</html>"), 10.0, ValueError, "not a zip", id="not a zip"),
    pytest.param(body(b""), 10.0, ValueError, "not a zip", id="nothing"),
    pytest.param(body(as_zip({"_about.txt": LICENCE})), 10.0, ValueError, "found 0", id="zip without pairs"),
    pytest.param(body(anki_zip()[:60] + b"\xff" * 9 + anki_zip()[69:]), 10.0, ValueError, "zip", id="damaged zip"),
]


@pytest.mark.parametrize(("answer", "timeout", "error", "what"), FAILURES)
def test_a_failed_download_leaves_nothing_behind(site, tmp_path, answer, timeout, error, what):
    site.answers = [answer] * 2
    with pytest.raises(error, match=f"{re.escape(site.address)}/.*{what}"):
        download(tmp_path, timeout=timeout, attempts=2)
    assert names(tmp_path) == []


@pytest.mark.parametrize(("answer", "timeout", "error", "what"), FAILURES)
def test_a_failed_download_leaves_an_older_one_as_it_was(site, tmp_path, answer, timeout, error, what):
    site.answers = [body(anki_zip()), *[answer] * 2]
    path = download(tmp_path)
    with pytest.raises(error):
        download(tmp_path, timeout=timeout, attempts=2)
    assert path.read_bytes() == anki_zip()
    assert (tmp_path / "mar-eng_about.txt").read_bytes() == LICENCE
    assert names(tmp_path) == ["mar-eng.zip", "mar-eng_about.txt"]


def test_a_server_that_is_not_there_is_an_error(tmp_path, monkeypatch):
    server = Site()
    server.server_close()  # so that nobody listens at its port
    monkeypatch.setattr(fetch, "SITE", server.address)
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(OSError, match=rf"{re.escape(server.address)}.*--corpus"):
        download(tmp_path, attempts=2)
    assert names(tmp_path) == []


def test_a_download_that_is_too_large_is_refused(site, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "MAX_BYTES", 50)
    site.answers = [body(anki_zip())]
    with pytest.raises(OSError, match="more than 50"):
        download(tmp_path, attempts=1)
    assert names(tmp_path) == []


@pytest.mark.parametrize("language", ["", "mr", "MAR", "mar\n", "../mar", "marathi", "म"])
def test_a_bad_language_code_is_an_error_before_anything_is_asked(site, tmp_path, language):
    with pytest.raises(ValueError, match="language"):
        download(tmp_path / "data", language)
    assert site.requests == [] and names(tmp_path) == []


# --- splitting


def marathi(number):
    return str(number).translate({ord("0") + i: ord("०") + i for i in range(10)})


def independent_pairs(count):
    return [Pair(f"This is sentence {i}.", f"हे वाक्य {marathi(i)} आहे.") for i in range(count)]


def pairs_with_many_translations(count):
    """A source has one to four translations, and some translations belong to two sources."""
    rng = random.Random(1)
    sources = [f"This is sentence {i}{mark}" for i in range(count) for mark in ".!"[: rng.choice((1, 1, 2))]]
    return [
        Pair(source, f"हे वाक्य {marathi(number * 10 + i)} आहे.")
        for number, source in enumerate(sources)
        for i in range(rng.choice((1, 1, 1, 2, 4)))
    ] + [Pair(f"Sentence {i} it is.", f"हे वाक्य {marathi(i * 10)} आहे!") for i in range(0, count, 20)]


def sides(split):
    return {pair: name for name, pairs in split._asdict().items() for pair in pairs}


def assert_no_leak(split):
    for column in (0, 1):
        train, dev, test = ({sentence_key(pair[column]) for pair in pairs} for pairs in split)
        assert not train & dev and not train & test and not dev & test


def test_no_sentence_of_a_real_corpus_is_on_two_sides():
    """On the corpus that NMT_ATTENTION_CORPUS names; where there is none, on made-up pairs that share sentences."""
    path = os.environ.get("NMT_ATTENTION_CORPUS")
    pairs = read_pairs(path) if path else pairs_with_many_translations(10_000)
    split = split_pairs(pairs)
    assert_no_leak(split)
    assert sorted(pair for part in split for pair in part) == sorted(pairs)
    shares = [100 * len(part) / len(pairs) for part in split]
    assert 88 < shares[0] < 92 and 4 < shares[1] < 6 and 4 < shares[2] < 6


def test_independent_pairs_are_split_90_5_5():
    split = split_pairs(independent_pairs(5000))
    assert_no_leak(split)
    assert 4400 < len(split.train) < 4600 and 180 < len(split.dev) < 320 and 180 < len(split.test) < 320


def test_extra_training_pairs_have_no_sentence_of_dev_or_test_however_it_is_spelled():
    split = Split([Pair("one", "एक")], [Pair("two", "दोन")], [Pair("three", "तीन")])
    extra = [Pair("One!", "तीन."), Pair("TWO", "२"), Pair("four", "चार"), Pair("one", "एक")]
    longer = add_training_pairs(split, extra)
    assert longer == split._replace(train=[*split.train, extra[2]])


def test_extra_pairs_that_are_in_training_already_are_not_added_again():
    split = Split([Pair("one", "एक", "A")], [Pair("two", "दोन")], [Pair("three", "तीन")])
    extra = [Pair("one", "एक", "B"), Pair("one", "एकच")]
    assert add_training_pairs(split, extra).train == [*split.train, extra[1]]


def test_sentences_that_differ_in_case_and_marks_stay_together():
    pairs = independent_pairs(300)
    other = [Pair(pair.source.upper().replace(".", "?!"), f"{pair.target} (नाही)") for pair in pairs]
    other += [Pair(f"{pair.source} No.", pair.target.replace(".", "।").replace(" ", "  ")) for pair in pairs]
    split = split_pairs(pairs + other)
    assert_no_leak(split)
    found = sides(split)
    assert [found[pair] for pair in other] == [found[pair] for pair in pairs * 2]


def test_a_chain_of_shared_sentences_stays_together():
    chains = [
        [Pair(f"a{i}", f"क{i}"), Pair(f"b{i}", f"क{i}"), Pair(f"b{i}", f"ख{i}"), Pair(f"c{i}", f"ख{i}")]
        for i in range(200)
    ]
    pairs = [pair for chain in chains for pair in chain]
    random.Random(2).shuffle(pairs)
    found = sides(split_pairs(pairs))
    assert all(len({found[pair] for pair in chain}) == 1 for chain in chains)
    assert {found[chain[0]] for chain in chains} == {"train", "dev", "test"}


def test_random_pairs_go_where_the_smallest_source_of_their_group_says():
    """Groups made the plain way: as long as two share a sentence, they are one."""
    draw = random.Random(3)
    for _ in range(300):
        several = draw.randrange(1, 30)
        pairs = [
            Pair(f"{draw.choice('aA')}{draw.randrange(several)}", f"क{draw.randrange(several)}{draw.choice('.!')}")
            for _ in range(draw.randrange(25))
        ]
        groups = []  # of sentences, by side and key
        for pair in pairs:
            keys = {(side, sentence_key(pair[side])) for side in (0, 1)}
            keys = keys.union(*(group for group in groups if group & keys))
            groups = [group for group in groups if not group & keys] + [keys]
        leaders = {key: min(group)[1] for group in groups for key in group}
        expected = {"train": [], "dev": [], "test": []}
        for pair in pairs:
            leader = leaders[0, sentence_key(pair.source)]
            share = int(hashlib.sha256(leader.encode()).hexdigest()[:8], 16) % 100
            expected["train" if share < 90 else "dev" if share < 95 else "test"].append(pair)
        assert split_pairs(pairs)._asdict() == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_pairs_does_not_matter(seed):
    pairs = pairs_with_many_translations(1000)
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    assert sides(split_pairs(shuffled)) == sides(split_pairs(pairs))


def test_repeated_pairs_change_nothing_and_stay_repeated():
    pairs = pairs_with_many_translations(1000)
    once, split = split_pairs(pairs), split_pairs(pairs + pairs[::3] + pairs[::2])
    assert sides(split) == sides(once)
    assert sum(map(len, split)) == len(pairs) + len(pairs[::3]) + len(pairs[::2])


def test_removing_unrelated_pairs_changes_nothing():
    kept, others = pairs_with_many_translations(1000), [Pair(f"other {i}", f"इतर {i}") for i in range(1000)]
    everything = sides(split_pairs(others[:500] + kept + others[500:]))
    assert sides(split_pairs(kept)).items() <= everything.items()


def test_each_part_keeps_the_order_of_the_file():
    pairs = independent_pairs(1000)
    place = {pair: i for i, pair in enumerate(pairs)}
    for part in split_pairs(iter(pairs)):
        places = [place[pair] for pair in part]
        assert places == sorted(places) and part


def test_a_key_has_a_space_for_every_mark():
    marks = str.maketrans(dict.fromkeys(PUNCTUATION + "'-", " "))
    draw = random.Random(4)
    for _ in range(2_000):
        text = "".join(draw.choices(PUNCTUATION + "'’- aAक\u093c\u0301१_^\\", k=draw.randrange(8)))
        spelling = normalize(text, fold_case=True)
        assert sentence_key(text) == (" ".join(spelling.translate(marks).split()) or spelling)


def test_sentences_of_marks_alone_are_not_all_one_sentence():
    assert sentence_key("?") != sentence_key("!")
    assert sentence_key("Don’t  GO!") == sentence_key("don't go") == sentence_key("Don't - go.")
    assert sentence_key("ऱ्हास") == sentence_key("\u0930\u093c\u094dहास।")


def test_a_careless_split_keeps_the_pairs_apart_but_not_their_sentences():
    pairs = pairs_with_many_translations(2000)
    split = split_by_pair(pairs)
    assert sorted(pair for part in split for pair in part) == sorted(pairs)
    assert not set(split.train) & set(split.test)
    assert 0.85 < len(split.train) / len(pairs) < 0.95
    trained_on = {sentence_key(pair.source) for pair in split.train}
    assert any(sentence_key(pair.source) in trained_on for pair in split.test)


def test_nothing_is_split_into_nothing():
    assert split_pairs([]) == ([], [], [])


# --- the embedded corpus


def test_the_phrasebook_can_be_asked_for_by_argument_and_by_environment(monkeypatch):
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    asked = load_corpus("phrasebook")
    assert len(asked) >= 12_000
    assert ("I like tea.", "मला चहा आवडतो.") in [pair[:2] for pair in asked]
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    assert load_corpus() == asked


def test_where_no_corpus_can_be_had_one_line_says_so_and_the_phrasebook_is_used(monkeypatch, tmp_path, capsys):
    def no_network(language):
        raise OSError("https://www.manythings.org/anki/mar-eng.zip: no route to host")

    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path)
    monkeypatch.setattr(fetch, "download_anki", no_network)
    assert len(load_corpus()) >= 12_000
    first, line = capsys.readouterr().err.splitlines()
    assert first.startswith("downloading https://")
    for said in ("NMT_ATTENTION_CORPUS", "mar-eng.zip", "no route to host", "phrasebook", "nmt_attention fetch"):
        assert said in line
    with pytest.raises(OSError, match="no route to host"):  # there is no phrasebook of another language
        load_corpus(language="deu")

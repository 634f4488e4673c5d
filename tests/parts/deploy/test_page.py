"""The page of the model in the package, as a reader has it in Chromium; and what its examples say of that model."""

import itertools
import math
import re
import shutil
import time

import numpy as np
import pytest
from page_models import MODELS, untrained

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.deploy import browser
from nmt_attention.deploy.browser import CERTAINTY, export_page, weights_hash
from nmt_attention.disk.files import read_json
from nmt_attention.runs.bundle import READY, save_bundle
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import END_ID
from tools.browser.check_exported_page import Page
from tools.browser.chromium import chromium
from tools.measure.certainty import certainty

EXAMPLES = re.findall("sentence: '([^']+)'", browser._read("ui.js"))
DAD, SCHOOL, NAME, BANK, LONG = EXAMPLES
ESCAPE = "\ue00c"


@pytest.fixture(scope="module")
def ready():
    return Translator.load()


@pytest.fixture(scope="module")
def looked_at(ready):
    """For each example its Marathi words, each with the English word that it looks at most."""
    found = {}
    translations = ready.translate(EXAMPLES, beam_size=BEAM_SIZE, merge_subwords=True)
    for sentence, best in zip(EXAMPLES, translations, strict=True):
        columns = best.attention.argmax(1)
        found[sentence] = [(w, best.source_tokens[j]) for w, j in zip(best.target_tokens, columns, strict=True)][:-1]
    return found


def test_examples_show_what_the_page_says_of_them(ready, looked_at):
    assert [english for _, english in looked_at[DAD]][-3:] == ["bought", "bought", "."]
    assert [english for _, english in looked_at[SCHOOL]] == ["we", "tomorrow", "school", "going", "are", "."]
    assert "zorba" not in ready.preprocessor.placeholders.known_or_listed
    assert ("Zorba" in NAME) and any(english == "Zorba" for _, english in looked_at[NAME])
    assert {("नदीची", "river"), ("बँक", "bank"), ("लांब", "far")} <= set(looked_at[BANK])
    [best] = ready.translate([LONG], beam_size=BEAM_SIZE, merge_subwords=True)
    most = zip(best.source_tokens, best.attention[:-1].max(0), strict=True)
    assert [word for word, weight in most if weight < 0.05] == ["will", "at", "a"]  # no line


def test_thresholds_are_those_of_the_model_in_the_package(ready):
    measured = read_json(CERTAINTY)
    assert measured["weights_sha256"] == weights_hash(ready), "run python -m tools.measure.certainty"
    shares = [band["matched"] / band["sentences"] for band in measured["bands"]]
    assert len(shares) == 3 and shares == sorted(shares, reverse=True)


def test_thresholds_cut_sentences_into_thirds_by_their_certainty(ready):
    translations = ready.translate(["Where is my book?", "Dad bought me a camera.", "He is a blorfing snark."])
    found = certainty(translations, [["माझं पुस्तक कुठे आहे?"], ["बाबांनी माझ्यासाठी कॅमेरा विकत घेतला."], ["माहीत नाही."]])
    means = sorted((100 * math.exp(each.score / len(each.target_tokens)) for each in translations), reverse=True)
    assert [band["from"] for band in found["bands"]] == [*map(round, means[:2]), 0]
    assert [(band["sentences"], band["matched"]) for band in found["bands"]] == [(1, 1), (1, 1), (1, 0)]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    if not shutil.which("chromedriver"):
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    path = tmp_path_factory.mktemp("page") / "page.html"
    export_page(READY, path)
    with chromium() as found:
        found.prefer("prefers-reduced-motion", "reduce")
        found.size(1280)
        yield Page(found, path)
        assert found.complaints() == []


def wait(is_so):
    """Waits until this is so, for twenty seconds at most; the test says then what is not so."""
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)


@pytest.fixture
def show(page):
    """Shows a sentence on a screen of this size, with no tool open; returns the page."""

    def shown(sentence=DAD, width=1280, height=900):
        page.browser.size(width, height)
        page.script("if (document.documentElement.className === 'present') document.getElementById('present').click()")
        page.script("if (!document.getElementById('panel').hidden) document.getElementById('close').click()")
        page.script("document.getElementById('normal-again').click()")
        page.translate(sentence)
        return page

    return shown


def right(page, selector):
    return page.script(f"return document.querySelector({selector!r}).getBoundingClientRect().right")


@pytest.mark.parametrize(
    ("width", "height", "last"),
    [(1280, 900, "#tools"), (1280, 757, "#tools"), (390, 844, "#picture .both .words.target")],
)
def test_the_first_screen_holds_the_whole_picture(show, width, height, last):
    page = show(width=width, height=height)
    bottom = page.script(f"scrollTo(0, 0); return document.querySelector({last!r}).getBoundingClientRect().bottom")
    assert bottom <= height


PLACES = """
const words = ['#picture .words:not(.target)', '#picture .words.target'];
const places = ['.ask', '#top', '#sides', '#panel', '#tools', '#keys', ...words];
const boxes = places.map((place) => document.querySelector(place)).filter((made) => made.offsetParent)
  .map((made) => [made.id || made.className, made.getBoundingClientRect().toJSON()]);
return [boxes, document.documentElement.scrollHeight, parseFloat(document.documentElement.style.fontSize)]
"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (1024, 768)])
@pytest.mark.parametrize("sentence", [DAD, "We will go to the school with our friends tomorrow.", LONG])
def test_presented_all_fits_one_screen_in_large_type_whatever_tool_is_open(show, sentence, width, height):
    page = show(sentence, width, height)
    page.click("#present")
    for tool in (None, "inside", "whatif", "others", "switches"):
        if tool:
            page.click(f"[data-tool={tool}]")
        if tool == "switches":
            page.click("input[value=uniform]")
            page.settle()
        boxes, high, size = page.script(PLACES)
        assert high <= height and size >= min(height / 42, width / 60), (tool, high, size)
        for name, box in boxes:
            assert -1 <= box["left"] < box["right"] <= width + 1 and box["bottom"] <= height, (tool, name, box)
        apart = [box for name, box in boxes if not name.startswith("words")]
        for a, b in itertools.combinations(apart, 2):
            beside = a["right"] <= b["left"] + 1 or b["right"] <= a["left"] + 1
            assert beside or a["bottom"] <= b["top"] + 1 or b["bottom"] <= a["top"] + 1, (tool, a, b)
        sides = dict(boxes)["sides"]
        assert all(box["bottom"] <= sides["bottom"] for name, box in boxes if name.startswith("words")), tool
    page.click("#present")
    assert page.script("return document.documentElement.style.fontSize") == ""


def test_a_slide_is_turned_by_keys_and_the_address_keeps_it(show):
    page = show()
    page.browser.type("#present", "\ue007")
    assert page.text("#present") == "Leave"
    right, left, shown = "\ue014", "\ue012", "return find('sentence').value"
    for key, sentence in ((right, SCHOOL), ("5", LONG), (right, LONG), (left, BANK), ("1", DAD)):
        page.browser.type("body", key)
        page.settle()
        assert page.script(shown) == sentence
    for key, tool in (("w", "whatif"), ("l", "switches"), ("o", "others"), ("s", "inside")):
        page.browser.type("body", key)
        assert page.script("return document.querySelector('#panel > section:not([hidden])').id") == tool
    page.browser.type("body", right + right + left)
    link = "#s=Dad+bought+me+a+camera.&tool=inside&step=2&present="
    assert page.script("return location.hash") == link
    page.browser("POST", "/refresh", {})
    wait(lambda: page.script("return location.hash") == link and "Piece 1 of" in page.text("#stage"))
    assert page.script("return document.querySelector('#stage .now').textContent") == "fit (scores)"
    page.browser.type("#sentence", "s1\ue007")  # what is typed there is text
    page.browser.type("body", "w")
    assert page.script(shown) == DAD + "s1" and page.script("return !find('whatif').hidden")
    for _ in range(2):
        page.browser.type("body", ESCAPE)
    assert page.text("#present") == "Present" and "present" not in page.script("return location.hash")


def test_a_slide_explains_its_frames_and_its_tour_hides_nothing(show):
    page = show(DAD, 1920, 1080)
    page.browser.type("#present", "\ue007")
    framed = page.script("return document.querySelector('#picture td.sure').offsetParent !== null")
    assert framed and "mean the same" in page.text("#picture .legend")
    page.browser.type("body", "t")
    shown = "return document.querySelector('#card .quiet')?.textContent"
    for number, key in ((1, "\ue014"), (2, "\ue012"), (1, "\ue014"), (2, ESCAPE)):
        wait(lambda place=f"{number} of 7": page.script(shown) == place)
        card, main = page.script(
            "return ['#card', 'main'].map((each) => document.querySelector(each).getBoundingClientRect().toJSON())"
        )
        assert main["bottom"] <= card["top"] + 1 and card["bottom"] <= 1080
        page.browser.type("body", key)
    assert page.script("return find('card').hidden")


def test_beside_a_text_that_is_refused_the_last_picture_stays_out_of_reach(show):
    page = show()
    page.script("find('sentence').value = 'Où est mon livre ?'")
    page.click("#go")
    wait(lambda: "English" in page.text("#message"))
    assert "reads only English: write an English sentence above" in page.text("#message")
    assert page.script(
        "return find('result').inert && !find('result').hidden && +getComputedStyle(find('result')).opacity < 1"
    )
    assert show().script("return !find('result').inert") and page.text("#message") == ""


def test_a_new_sentence_begins_its_steps_and_nothing_of_another_word_is_said_below_it(show):
    page = show()
    page.script("pointAt(4)")
    page.click("[data-tool=inside]")
    page.click("#skip")
    assert page.text("#picture .readout").startswith("It writes: ")
    page.script("find('sentence').value = arguments[0]; find('go').click()", NAME)
    wait(lambda: "not looked" in page.text("#picture .readout"))
    assert page.text("#stage h3").startswith("Piece 1 of") and "not looked" in page.text("#picture .readout")
    assert page.text("#said") and page.text("#text") == "…"  # nothing is written yet
    page.click("#close")
    assert page.text("#picture .readout").startswith("Point at a word")


def test_an_arrow_in_the_sentence_moves_the_cursor_and_no_step(show):
    page = show()
    page.click("[data-tool=inside]")
    before = page.text("#stage h3")
    page.script("find('sentence').focus()")
    page.browser.type("#sentence", "\ue014")  # →
    assert (
        page.script("return JSON.stringify([find('back').disabled])") == "[true]" and page.text("#stage h3") == before
    )


@pytest.mark.parametrize("sentence", [DAD, LONG])
def test_on_a_phone_an_open_tool_hides_no_line(show, sentence):
    page = show(sentence, 390, 844)
    for tool in ("inside", "whatif", "switches", "others"):
        page.click(f"[data-tool={tool}]")
        top, bottom = page.script(
            "const [lines, panel] = ['#picture .lines', '#panel']"
            ".map((place) => document.querySelector(place).getBoundingClientRect());"
            "return [lines.top, panel.top - lines.bottom]"
        )
        assert top >= 0 and bottom >= 0, tool


def test_what_was_changed_in_one_tool_is_said_in_the_next_and_put_back(show):
    page = show()
    page.click("[data-tool=switches]")
    page.click("input[value=uniform]")
    page.settle()
    changed = page.text("#said")
    page.click("[data-tool=others]")
    assert "attention uniform" in page.text("#switched") and not page.script("return find('switched').hidden")
    page.click("#normal-again")
    page.settle()
    assert page.text("#said") != changed and page.script("return find('switched').hidden")


def of_stages(page, look):
    """Returns the different things that are seen in the five stages of the first step."""
    page.click("[data-tool=inside]")
    seen = set()
    for _ in range(5):
        seen.add(look())
        page.click("#step")
    return seen


def test_a_question_opens_on_the_least_sure_word_and_steps_are_said_in_plain_words(show):
    page = show()
    page.click("[data-tool=whatif]")
    assert re.search(r"[\u0900-\u097f]", page.text("#whatif-title span"))
    assert len(of_stages(page, lambda: page.text("#stage [role=status] b"))) == 5


def test_a_typo_is_mended_by_one_click(show):
    page = show("I recieve teh book.")
    assert "Did you mean receive the?" in page.text("#warnings")
    for _ in range(2):
        page.click("#warnings button")
        page.settle()
    assert page.script("return document.getElementById('sentence').value") == "I receive the book."
    assert page.text("#warnings") == ""


def test_the_page_and_the_shell_search_alike(show):
    assert show().script("return +document.getElementById('beam').value") == BEAM_SIZE


def test_the_input_grows_with_a_long_sentence(show):
    height = "return document.getElementById('sentence').offsetHeight"
    assert show(LONG, 390).script(height) > show("Hi.", 390).script(height)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_leaves_the_window(show, width):
    for sentence in (LONG, "I met Priyanka Deshmukh in Nashik.", "no " * 30):
        page = show(sentence, width)
        assert page.script("return document.documentElement.scrollWidth") <= width, sentence
        assert max(right(page, "#picture .both"), right(page, "#picture .heatmap")) <= width, sentence
        tall = page.script("return document.querySelector('#picture .nmt-attention').classList.contains('tall')")
        assert tall or (width > 500 and len(sentence.split()) < 10)


def test_numbers_at_words_are_those_of_the_table_and_in_one_line(show):
    page = show()
    for t in range(6):
        page.script(
            "document.querySelector(`#picture button[data-t='${arguments[0]}']`)"
            ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))",
            t,
        )
        words = page.script(
            "return [...document.querySelectorAll('#picture [data-s][type]')].map((w) => w.dataset.weight)"
        )
        cells = page.script(
            f"return [...document.querySelectorAll('#picture td[data-t=\"{t}\"]')].map((cell) => cell.textContent)"
        )
        assert words == cells
    style = "return ['white-space', 'font-family'].map((name) => getComputedStyle(document.querySelector("
    space, _ = page.script(style + "'#picture [data-s]'), '::after').getPropertyValue(name))")
    _, family = page.script(style + "'.readout')).getPropertyValue(name))")
    assert space == "nowrap" and family.startswith("Mukta")
    assert page.script("return [...document.fonts].every((f) => f.status == 'loaded') && document.fonts.size") == 2
    assert page.script("return document.fonts.load('700 1rem Mukta', 'म').then((faces) => faces.length)") == 1


def test_english_stands_as_it_was_typed(show):
    page = show("I met Tom yesterday")
    words = page.script("return [...document.querySelectorAll('#picture [data-s][type]')].map((w) => w.textContent)")
    assert words == ["I", "met", "Tom", "yesterday", "."]
    assert "Added “.”" in page.text("#warnings")


def test_the_page_says_what_it_does_not_know(show):
    page = show("The quantum chromodynamics seminar is postponed.")
    unknown = page.script("return [...document.querySelectorAll('.unknown')].map((word) => word.textContent)")
    assert unknown == ["quantum", "chromodynamics"] and "quantum, chromodynamics" in page.text("#warnings")
    assert "unseen sentences with less than" in page.text("#certainty")
    low = read_json(CERTAINTY)["bands"][0]["from"]
    assert f"unseen sentences with {low}% or more" in show().text("#certainty") and page.text("#warnings") == ""
    for typed, answer in (("मी शाळेत जातो", "only English"), ("🎉", "no words"), ("", "no sentence")):
        page.script(
            "document.getElementById('sentence').value = arguments[0]; document.getElementById('go').click()", typed
        )
        time.sleep(0.3)
        assert answer in page.text("#message")
    assert "it leaves Bonjour mes amis. as it is" in show("I read books. Bonjour mes amis.").text("#warnings")


def test_a_word_can_be_replaced_by_words_alone(show):
    page = show()
    for t in range(5):
        page.click(f"#picture button[data-t='{t}']")
        offers = page.script("return [...document.querySelectorAll('.offers button')].map((each) => each.textContent)")
        assert offers and all(re.match(r"[^\u0900-\u0903\u093a-\u094d].*[\d.]%$", offer) for offer in offers)
        assert not any(re.search(r"(?<!\d)0%$", offer) for offer in offers)
    for word, sign in (("xqzt", "knows no Marathi word that sounds like this"), ("ghar", "")):
        page.browser.type("#whatif input", word + "\ue007")
        if sign:
            assert sign in page.text("#whatif")
            page.script("document.querySelector('#whatif input').value = ''")
    page.settle()
    assert "घर" in page.text("#said") and re.search(r"words? (change|go)", page.text("#difference"))
    page.click("#normal-again")
    page.settle()


def test_a_switch_counts_and_colours_what_changes(show):
    page = show()
    page.click("[data-tool=switches]")
    page.click("input[value=uniform]")
    page.settle()
    assert re.match(r"(\d of 5 words change:|Of 5 words \w+ goe?s?, and \w+ comes? in:) ", page.text("#difference"))
    assert re.search(r"कॅमेरा \(camera\).* → ", page.text("#difference"))
    assert page.script("return document.querySelectorAll('#picture .words .changed').length") > 1


def test_normal_is_the_untouched_translation_whatever_is_changed_on_top_of_each_other(show):
    page = show()
    normal, english = page.text("#said"), "return find('switched').textContent"
    page.click("[data-tool=switches]")
    page.click("input[value=hand]")
    page.settle()
    page.script(
        "const s = document.querySelector('#sliders input:last-of-type'); s.value = 100;"
        "for (const kind of ['input', 'change']) s.dispatchEvent(new Event(kind, {bubbles: true}))"
    )
    time.sleep(0.3)
    page.settle()
    page.click("#picture button[data-t='2']")
    page.click("#whatif .offers button")
    time.sleep(0.3)
    page.settle()
    assert page.text("#said") != normal and page.text("#normal-text").startswith(normal)
    assert "attention by hand at step 1, it had to begin with" in page.script(english)
    page.click("#normal-again")
    time.sleep(0.3)
    page.settle()
    assert page.text("#said") == normal and page.script("return find('normal').hidden && find('switched').hidden")


def test_every_stage_of_a_step_changes_the_picture(show):
    page = show()
    drawn = """return find('picture').innerHTML.replace(/data-stage="[^"]*"/, '')"""
    assert len(of_stages(page, lambda: page.script(drawn))) == 5


def test_a_text_that_is_too_long_is_refused_before_it_is_searched(show):
    page = show()
    start = time.monotonic()
    page.script("find('sentence').value = 'word '.repeat(2000); find('go').click()")
    time.sleep(0.2)
    assert "10,000 letters" in page.text("#message") and time.monotonic() - start < 5


def test_every_word_of_the_examples_has_a_gloss_or_is_a_name(show):
    without = "return [...document.querySelectorAll('#picture button small.quiet')].map((each) => each.textContent)"
    assert [show(sentence).script(without) for sentence in EXAMPLES] == [[], [], ["a name"], [], []]
    assert "no gloss" in show("He is a thermodynamicist.").script(without)
    assert "a number" in show("Joey has 27 dogs.").script(without)


def test_other_translations_differ_and_the_tree_has_no_empty_place(show):
    page = show("Where is my book?")
    page.click("[data-tool=others]")
    time.sleep(0.5)
    page.settle()
    texts = page.script("return [...document.querySelectorAll('.beam button span')].map((text) => text.textContent)")
    assert 1 < len(texts) == len(set(texts))
    assert all(page.script("return [...document.querySelectorAll('.tree text')].map((text) => text.textContent)"))


def test_only_a_name_that_was_written_has_a_table_of_letters(show):
    page = show("Wadia met Zorba.")
    notes = page.script(
        "return [...document.querySelectorAll('.name')].map((note) => [note.tagName, note.textContent])"
    )
    assert [tag for tag, _ in notes] == ["DIV", "DETAILS"] and "looked up" in notes[0][1]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_tour_can_be_taken_by_keyboard_and_no_card_covers_what_it_speaks_of(show, width):
    page = show(width=width)
    page.click("#tour")
    titles = []
    shown = "return document.querySelector('#card .quiet')?.textContent"  # not the count of changed words
    for number in range(1, 8):
        wait(lambda place=f"{number} of 7": page.script(shown) == place)
        titles.append(page.text("#card h2"))
        assert page.script("return document.activeElement.id") == "card-title"
        assert page.script("return document.querySelectorAll('.ring').length") == 1
        if number == 2:
            assert "looks back at “bought”, word 2 of 5" in page.text("#card")
        if number == 6:
            assert " → " in page.text("#difference")
        a, *parts = page.script(
            "return ['#card', '.ring', '#picture .both', '#panel']"
            ".map((each) => document.querySelector(each).getBoundingClientRect().toJSON())"
        )
        for b in parts if width > 390 else parts[:1]:
            beside = a["left"] >= b["right"] or b["left"] >= a["right"]
            assert beside or a["top"] >= b["bottom"] or b["top"] >= a["bottom"], number
        if number < 7:
            page.browser.type("#card .row :last-child", "\ue007")
    assert len(set(titles)) == 7 and page.script("return document.getElementById('sentence').value") == BANK
    page.browser.type("#card button", ESCAPE)
    assert page.script("return [document.getElementById('card').hidden, document.activeElement.id]") == [True, "tour"]


def test_a_link_holds_sentence_tool_and_step(show):
    page = show()
    page.script("location.hash = '#s=Where+is+my+book%3F&tool=inside&step=8&present='")
    wait(lambda: "Piece 2 of" in page.text("#stage"))
    assert page.script("return document.querySelector('#stage .now').textContent") == "shares (softmax)"
    assert page.script("return document.documentElement.className") == "present"
    page.browser.type("body", "\ue014")  # →
    page.click("#copy")
    assert page.script("return location.hash") == "#s=Where+is+my+book%3F&tool=inside&step=9&present="
    page.click("#present")


def test_a_picture_can_be_saved(show):
    page = show()
    page.script("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.href); }")
    page.click("#svg")
    page.click("#png")
    wait(lambda: page.script("return saved.length") == 2)
    svg, png = page.script("return saved.map((address) => decodeURIComponent(address))")
    assert "घेतला" in svg and svg.count("@font-face") == 2 and svg.count("<line") > 5
    assert png.startswith("data:image/png;base64,iVBOR")


@pytest.fixture(scope="module")
def heads(tmp_path_factory, page):
    """The page of a Transformer that has not been trained."""
    path = tmp_path_factory.mktemp("heads") / "page.html"
    model, *tokenizers = untrained(*MODELS["transformer"])
    model.decoder.output_bias.assign(-9.0 * np.eye(len(tokenizers[1]))[END_ID])  # never ends by itself
    save_bundle(path.parent / "run", model, *tokenizers)
    export_page(path.parent / "run", path)
    with chromium() as found:
        found.prefer("prefers-reduced-motion", "reduce")
        yield Page(found, path)
        assert found.complaints() == []


def test_of_a_transformer_the_page_draws_every_head(heads):
    heads.translate("I read books.")
    assert heads.script(
        "return document.querySelector('#tour').hidden && document.querySelector('[data-tool=inside]').hidden"
    )
    drawn = "return [...document.querySelectorAll('#picture td[data-t]')].map((cell) => +cell.dataset.weight)"
    mean = heads.script(drawn)
    heads.click("[data-tool=heads]")
    found = []
    for i in range(6):
        heads.script(f"document.querySelectorAll('.heads button')[{i}].click()")
        small = heads.script(
            f"return [...document.querySelectorAll('.heads button')[{i}].querySelectorAll('rect')]"
            ".map((cell) => +cell.getAttribute('fill-opacity'))"
        )
        found.append(heads.script(drawn))
        assert small == pytest.approx(found[-1], abs=1e-3) and sum(small) == pytest.approx(len(small) / 4, abs=0.01)
    assert mean == pytest.approx([sum(pair) / 2 for pair in zip(*found[2:4], strict=True)], abs=1e-5)  # layer 2 of 3
    heads.click("#close")
    assert heads.script(drawn) == mean

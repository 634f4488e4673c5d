"""What the course's functions refuse, in one line that names the argument: each message once."""

import pytest

import nmt_attention as nmt
from nmt_attention.corpus import as_pairs
from nmt_attention.parts import register
from nmt_attention.spelling import as_texts
from nmt_attention.vocabulary import SPECIAL_TOKENS, RaggedIds

ONE, TWO = RaggedIds.of([[4]]), RaggedIds.of([[4], [5]])
TRANSFORMER = {"architecture": "transformer"}
PAIR, NO_PAIR = ("Go.", "जा."), r"expected \(source, target\) pairs, got a"
SEVEN = nmt.Seq2Seq(nmt.ModelConfig(7, 7, units=2, embedding_units=2))
SMALL, LARGE = (nmt.WordTokenizer.learn([text], 10) for text in ("a b c", "a b c d e f"))
TRANSLATOR = nmt.Translator(SEVEN, *[nmt.WordTokenizer.learn(["a b c"], 7)] * 2)

VALUES = [
    (lambda: nmt.ModelConfig(units=7), "units: .*even.* 7$"),
    (lambda: nmt.ModelConfig(lexical=True, attention="none"), "lexical: it needs attention"),
    (lambda: nmt.ModelConfig(heads=2), "heads: no effect unless architecture is transformer"),
    (lambda: nmt.ModelConfig(**TRANSFORMER, cell="lstm"), "cell: no effect if .*, got 'lstm'; try its own preset$"),
    (lambda: nmt.ModelConfig(**TRANSFORMER, units=64), "embedding_units: a transformer's equal its units"),
    (lambda: nmt.ModelConfig(**TRANSFORMER, heads=3), "units: expected an even number that 3 heads divide"),
    (lambda: nmt.TrainConfig(strategy="mirrored", precision="mixed_float16"), "precision: mixed_float16 cannot be"),
    (lambda: nmt.SearchConfig(samples=2, beam_size=3), "samples: use either samples or beam_size above 1"),
    (lambda: nmt.SearchConfig(samples=2, length_penalty=0.5), "length_penalty: no effect unless beam_size is above 1"),
    (lambda: nmt.SearchConfig(seed=2), "seed: no effect unless samples is above 0, got samples 0$"),
    (lambda: nmt.SearchConfig(beam_size=5, top_k=3), "top_k: no effect unless samples"),
    (lambda: nmt.SearchConfig(samples=1, minimum_bayes_risk=True), "minimum_bayes_risk: no effect unless beam_size"),
    (lambda: nmt.make_dataset(ONE, TWO, 8), ".*expected the same, non-zero number of rows, got 1 and 2"),
    (lambda: nmt.make_dataset(*[RaggedIds.of([])] * 2, 8), ".*got 0 and 0"),
    (lambda: nmt.make_dataset(RaggedIds.of([[4], []]), TWO, 8), "source: .* in every row, but no. 2 has"),
    (lambda: nmt.make_dataset(ONE, ONE, 0), "batch_size: expected at least 1, got 0"),
    (lambda: nmt.score(["क"], [["क"], ["ख"]]), "expected hypotheses and as many references, got 1 and 2"),
    (lambda: nmt.score([], []), "expected hypotheses .* got 0 and 0"),
    (lambda: nmt.score(["क", "ख"], [["क"], []]), "source 2 has no reference"),
    (lambda: nmt.score([""], [["\u200b"]]), "source 1 has an empty reference"),
    (lambda: nmt.Encoder(20, 6, 7), ".*even, got 7"),
    (lambda: nmt.WordTokenizer(["a"]), ".*start with"),
    (lambda: nmt.WordTokenizer([*SPECIAL_TOKENS, "a", "a"]), "vocabulary"),
    (lambda: nmt.WordTokenizer([*SPECIAL_TOKENS, "\x1b[2J"]), ".*control"),
    (lambda: nmt.SubwordTokenizer.learn(["", " \n"], 100), ".*no text to learn"),
    (lambda: nmt.SubwordTokenizer.learn(["मी शाळेत जातो."], 5), ".*vocabulary_size"),
    (lambda: register("attention", "dot", nmt.Encoder), ".*the package has the attention 'dot'"),
    (lambda: register("attentions", "mine", nmt.Encoder), "kind: expected one of attention, decoder"),
    (lambda: nmt.Translator(SEVEN, SMALL, LARGE), "target_tokenizer: 10 tokens, but the model has 7"),
    (lambda: nmt.Translator(SEVEN, LARGE, SMALL), "source_tokenizer: 10 tokens, but the model has 7"),
    (lambda: TRANSLATOR.translate(["a"], batch_size=0), "batch_size: expected at least 1, got 0"),
    (lambda: TRANSLATOR.attend([("a", " \u200b")]), "pairs: expected words on both sides, got"),
]
TYPES = [
    *((lambda use=use: use(PAIR), f"pairs: {NO_PAIR} str as no. 1") for use in (nmt.split_pairs, nmt.split_by_pair)),
    (lambda: nmt.group_references(PAIR), f"pairs: {NO_PAIR} str as no. 1: 'Go.'"),
    (lambda: as_pairs([PAIR, (*PAIR, float("nan"))]), f"pairs: {NO_PAIR} tuple as no. 2: .*nan"),
    (lambda: as_pairs([{"en": "Go.", "mr": "जा."}]), f"pairs: {NO_PAIR} dict as no. 1"),
    (lambda: as_pairs([3]), f"pairs: {NO_PAIR} int as no. 1: 3"),
    (lambda: nmt.make_dataset(ONE, [[4]], 8), r"target: expected RaggedIds from tokenizer\.encode_all, got list"),
    (lambda: nmt.score(["a b"], ["a b"]), "references of source 1: expected a list of str, got a str"),
    (lambda: nmt.score("a b", [["a b"]]), "hypotheses: expected a list of str, got a str"),
    (lambda: nmt.score(["a"], [["a", None]]), "references of source 1: expected str, but element 2 is NoneType"),
    *((lambda t=t: as_texts(t), f"sentences: .* a list of str, got a {type(t).__name__};") for t in ("", b"", {}, 3)),
    (lambda: as_texts(["Go.", None], "lines"), "lines: expected str, but element 2 is NoneType"),
    (lambda: nmt.WordTokenizer.learn("मी.", 200), "texts: expected a list of str, got a str"),
    (lambda: SMALL.encode_all("मी."), "texts: expected a list of str, got a str"),
    (lambda: register("attention", "mine", "Nearest"), "part: expected a class or a function, got str"),
    (lambda: TRANSLATOR.translate("The boy."), ".*expected a list of str"),
    (lambda: TRANSLATOR.translate(["a"], beams=3), ".*beams"),
    (lambda: TRANSLATOR.attend(PAIR), f".*{NO_PAIR} str"),
]


@pytest.mark.parametrize(
    ("call", "message", "error"), [*((*row, ValueError) for row in VALUES), *((*row, TypeError) for row in TYPES)]
)
def test_what_is_wrong_is_named(call, message, error):
    with pytest.raises(error, match=f"^{message}"):
        call()

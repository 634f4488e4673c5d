"""What figures, widgets, scores and parts refuse, in one line that names the argument: each message once."""

import numpy as np
import pytest
from tiny import parts

import nmt_attention as nmt
from nmt_attention.alignment.scores import align_by_statistics
from nmt_attention.analysis.breakdown import breakdown
from nmt_attention.analysis.significance import compare
from nmt_attention.decoding.ensemble import Ensemble
from nmt_attention.disk.pairs import writable_pairs
from nmt_attention.figures.animation import animate_attentions
from nmt_attention.figures.labels import attention_table
from nmt_attention.figures.trace import DecodingSteps, trace_beam, trace_steps
from nmt_attention.marathi.error_rules import learn_names
from nmt_attention.preprocess.terms import Terms

SHOWN = nmt.Translation("go home", "घरी जा", ["go", "home"], ["घरी", "जा", "<end>"], np.eye(3, 2), 0.0)
EMPTY = SHOWN._replace(source="", source_tokens=[], target_tokens=[], attention=np.zeros((0, 0)))
STRANGE = SHOWN._replace(source_tokens=["\U0010ffff", "home"])  # a letter that no font has
GOLD = nmt.GoldAlignment(None, frozenset({(0, 0)}), frozenset({(0, 0), (1, 6)}))
STEPS = DecodingSteps(["a", "b"], ["क", "<end>"], *[np.zeros((2, 4))] * 4, np.eye(2), np.zeros((2, 4)), True)
ROW, OTHER = {"name": "1–3", "bleu": 41.0}, {"name": "4–6", "bleu": 39.0}
VALUES = [[0.0, 1.0, 1.0], [5.0, 0.0, 1.0]]
LONG, BLANK = [("a", "b"), ("a " * 500_000, "b")], [("a", "b"), ("Go.", " \n")]
DICTIONARY, LETTERS = {"dictionary_start": True}, {"tokenizer": "character", "sampling_alpha": 0.1}
names = nmt.load_transliterator()

VALUE = [
    (lambda: attention_table(EMPTY), "nothing to draw: '' has an empty translation"),
    (lambda: attention_table(SHOWN._replace(source_tokens=["go"])), r"attention: expected shape \(2, 1\), got \(2, 2"),
    (lambda: nmt.plot_attention(STRANGE), r"no font on this machine has .*U\+10FFFF"),
    (lambda: nmt.plot_attention(SHOWN, gold=GOLD), r"gold: link \(1, 6\) is outside 2 and 2 words"),
    (lambda: nmt.plot_attentions({}), "translations: expected at least one"),
    (lambda: animate_attentions({"1": SHOWN, "2": STRANGE}), "translations: '2' has other tokens than the first"),
    (lambda: animate_attentions({"1": SHOWN}, losses=[2.0] * 2), "losses: expected one for each of 1 heatmaps, got 2"),
    (lambda: nmt.plot_history([]), "no epoch has been finished"),
    (lambda: nmt.plot_score_by_length({}), "at least one system with at least one bucket"),
    (lambda: nmt.plot_score_by_length({"a": []}), "at least one system with at least one bucket"),
    (lambda: nmt.plot_score_by_length({"a": [ROW], "b": [OTHER]}), "and the same buckets for all"),
    (lambda: nmt.plot_beam_tree([]), "nodes: expected at least one"),
    (lambda: nmt.plot_unrolled(STEPS._replace(weights=np.eye(3))), r"steps\.weights: expected shape \(2, 2\), .*, got"),
    (lambda: nmt.plot_unrolled(STEPS._replace(source_tokens=[], weights=np.eye(2, 0))), "with tokens on both sides"),
    (lambda: nmt.plot_unrolled(STEPS._replace(source_tokens=STRANGE.source_tokens)), r"U\+10FFFF"),
    (lambda: trace_steps(*parts(), " "), "sentence: expected at least one token, got ' '"),
    (lambda: trace_beam(None, 0, 3, 0, []), "expected a limit and a beam_size of at least 1, got 3 and 0"),
    (lambda: nmt.attention_widget([0.5] * 3, VALUES, "h"), r"values: expected shape \(1, 3\) .*, got \(2, 3"),
    (lambda: nmt.attention_widget([0.3], [[1]], "h"), "query: expected multiples of 0.5 from -10 to 10"),
    (lambda: nmt.beam_widget([]), "nodes: expected at least one"),
    (lambda: nmt.bugs_widget([[1.0]], [[1.0]], "a", "bc"), r"scores: expected shape \(2, 1\) .*, got \(1, 1\)"),
    (lambda: nmt.bugs_widget([[1.0]], [[1.0]], ["<pad>"], "a"), "source: expected at least one token that is not"),
    (lambda: nmt.train_without("head", None, None), "part: expected one of nothing, .*, got .head."),
    (lambda: nmt.push_widget(VALUES, "abc"), r"values: expected 3 vectors, one for each word, got shape \(2, 3\)"),
    (lambda: nmt.error_report(["a"] * 2, ["क"], [["क"]] * 2, {}), "as many sources as hypotheses, got 2 and 1"),
    (lambda: nmt.error_report(["a"], ["क"], [["क"], ["ख"]], {}), "as many references, got 1 and 2"),
    (lambda: nmt.error_report(["a"], ["un"], [["un"]], {}), "for Marathi only"),
    (lambda: breakdown(["क"], [["क"]], [0], (1, 4)), "counts: expected 1 of at least 1, got"),
    (lambda: breakdown(["क"], [["क"]], [1, 2], (1, 4)), "counts: expected 1 of at least 1, got"),
    (lambda: compare(["क"], ["क", "ख"], [["क"]]), "as many references, got 2 and 1"),
    (lambda: nmt.score_alignments([set()], [GOLD] * 2), "got 1 for 2"),
    (
        lambda: align_by_statistics(nmt.Aligner([]), [("a", "b")], "left"),
        "direction: expected one of both, .* got 'left'",
    ),
    (lambda: nmt.Aligner([]).align([("a", "b " * 1001)]), "pair 1: expected at most 1,000 words a side, got 1,001"),
    (lambda: Ensemble([]), "models: expected at least one"),
    (lambda: names.transliterate(["A", ""]), "words: expected single words with letters from a to z, got ''"),
    (lambda: names.transliterate(["New York"]), "words: expected single words .*, got 'New York'"),
    (lambda: names.transliterate(["42"]), "words: expected single words .*, got '42'"),
    (lambda: writable_pairs(BLANK, "corpus"), "corpus: pair 2 has an empty sentence: 'Go.'"),
    (lambda: writable_pairs(LONG, "corpus"), "corpus: pair 2 is longer than 1,000,000 bytes"),
    (lambda: nmt.make_settings("slow", {}), "preset: .*quick.*'slow'"),
    (lambda: nmt.make_settings("quick", {"unitz": 5}), "unitz.*units"),
    (lambda: nmt.make_settings("quick", {"source_vocabulary_size": 100}), "source_vocabulary_size"),
    (lambda: nmt.make_settings("quick", {"attention": "none", "guidance": 0.1}), "guidance: no effect if .*, got 0.1"),
    (lambda: nmt.make_settings("quick", DICTIONARY | {"lexical": False}), "dictionary_start: it needs the lexical"),
    (lambda: nmt.make_settings("quick", DICTIONARY | {"guidance": 0}), "dictionary_start: it needs links, got"),
    (lambda: nmt.make_settings("quick", DICTIONARY | {"start": "pretrained"}), "dictionary_start: no effect if start"),
    (lambda: nmt.make_settings("quick", LETTERS), "sampling_alpha: no effect if tokenizer is char"),
    *((lambda term=term: Terms({"go": "", term: ""}), "terms: .* a letter or a digit") for term in ("", " ", ".", 1)),
]
TYPE = [
    (lambda: nmt.plot_attention([SHOWN]), r"expected a Translation, got list; .* take one: translations\[0\]"),
    (lambda: nmt.plot_attentions([SHOWN]), r"translations: expected a dict, \{title: translation\}, got list"),
    (lambda: learn_names(("a", "क")), "got a str as no. 1"),
    (lambda: breakdown(["क"], ["क"], [1], (1, 4)), "references of source 1: expected a list of str, got a str"),
    (lambda: nmt.Aligner(("sun", "alu")), "expected .* pairs, got a str"),
    (lambda: nmt.Aligner([]).align(("sun", "alu")), "expected .* pairs, got a str"),
    (lambda: names.transliterate("Rahul"), r"write \[text\]"),
    (lambda: names.transliterate(["Rahul", None]), "words: expected str, but element 2 is NoneType"),
]
ABSENT = [(lambda: nmt.load_transliterator("none"), "none: not a trained model")]
KINDS = {ValueError: VALUE, TypeError: TYPE, FileNotFoundError: ABSENT}


@pytest.mark.parametrize(("error", "call", "message"), [(kind, *row) for kind, rows in KINDS.items() for row in rows])
def test_what_is_wrong_is_named(error, call, message):
    with pytest.raises(error, match=message):
        call()

"""The page's JavaScript in V8, without a browser, to hold it against Python."""

import json

import numpy as np
import py_mini_racer

from nmt_attention.deploy.browser import engine, page_model

_RUN = """
function run(sentence, options) {
  return JSON.stringify(translate(model, sentence, options).hypotheses.map((found) => ({
    ...found, attention: found.attention.map((row) => [...row]), words: mergeSubwords(model, found),
  })));
}
"""


class Engine:
    """A model as the page has it.

    Args:
        model: `Seq2Seq`; the page rounds its matrices to 8 bits.
        source_tokenizer, target_tokenizer: those it was trained with.
    """

    def __init__(self, model, source_tokenizer, target_tokenizer):
        self.context = py_mini_racer.MiniRacer()
        saved = json.dumps(page_model(model, source_tokenizer, target_tokenizer))
        self.context.eval(f"{engine()}\n{_RUN}\nconst model = makeModel({saved}); 0")

    def translate(self, sentence, **options):
        """Returns the hypotheses of a sentence as dicts; options are those of `translate` in search.js."""
        return json.loads(self.context.call("run", sentence, options))


def differs(found, translations, tolerance=1e-3):
    """Returns what differs between the page's hypotheses and `Translator.n_best`'s, in words, or "".

    Texts and tokens must be equal, and attention weights and scores close.
    """
    expected = [translation for translation in translations if translation.source_tokens]  # none of an empty sentence
    if len(found) != len(expected):
        return f"{len(found)} hypotheses, not {len(expected)}"
    for ours, theirs in zip(found, expected, strict=True):
        for name, value in (
            ("sourceTokens", theirs.source_tokens),
            ("targetTokens", theirs.target_tokens),
            ("text", theirs.text),
        ):
            if ours[name] != value:
                return f"{name}: {ours[name]}, not {value}"
        off = np.abs(np.array(ours["attention"]) - theirs.attention).max()
        if not off <= tolerance:
            return f"a weight is off by {off:.5f}"
        if not abs(ours["score"] - theirs.score) <= tolerance * max(1, len(theirs.target_tokens)):
            return f"score {ours['score']}, not {theirs.score}"
    return ""

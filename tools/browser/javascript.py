"""The page's JavaScript in V8, without a browser, to hold it against Python."""

import json

import numpy as np
import py_mini_racer

from nmt_attention.deploy.browser import engine, page_model

_RUN = """
const rows = (found) => ({...found, attention: found.attention.map((row) => [...row])});
function run(sentence, options) {
  const {parts, hypotheses} = translateText(model, sentence, options);
  return JSON.stringify(hypotheses.map((found) => ({...rows(found), words: words(parts, found)})));
}
function words(parts, found) {
  const {sources, targets, weights} = joinTables(parts.map((part, i) => {
    const {sourceWords, targetWords, weights} = mergeSubwords(model, part.source, found.found[i]);
    const isInner = hasInnerEnd(parts, found.found[i].ids, i);
    return withoutInnerEnd({sources: sourceWords, targets: targetWords, weights}, isInner);
  }));
  const [sourceTokens, targetTokens] = [sources, targets].map((side) => side.map((word) => word.text));
  return {sourceTokens, targetTokens, attention: weights};
}
function masked(sentence) {
  const {read, words, spelled} = protect(model, sentence);
  return JSON.stringify([read, Object.fromEntries(words), Object.fromEntries(spelled)]);
}
function maskedTarget(sentence, target) {
  return maskTarget(model, protect(model, sentence), target);
}
function unmasked(sentence, text, parts) {
  return JSON.stringify(revealed(model, protect(model, sentence), text, parts));
}
function answer(kind, asked) {
  return JSON.stringify(ANSWERS[kind](asked));
}
function write(word) {
  return JSON.stringify(rows(writeWord(model.names, word)));
}
"""


class Engine:
    """A model as the page has it.

    Args:
        translator: `Translator`; the page rounds its model's matrices to 8 bits.
    """

    def __init__(self, translator):
        self.context = py_mini_racer.MiniRacer()
        self.context.eval(f"{engine()}\n{_RUN}; 0")
        self.answer("load", texts=[json.dumps(page_model(translator))])

    def answer(self, kind, **asked):
        """Returns what the page's worker answers; see `answers.js`."""
        return json.loads(self.context.call("answer", kind, asked))

    def translate(self, sentence, **options):
        """Returns the hypotheses of a sentence as dicts; options are those of `translateText` in preprocessor.js.

        Each dict's `words` has the tokens and attention of its words.
        """
        return json.loads(self.context.call("run", sentence, options))

    def tokenize(self, text, side):
        """Returns the tokens of a text of the "source" or "target" side."""
        return list(self.context.eval(f"tokenize({json.dumps(text)}, model.{side})"))

    def mask(self, sentence):
        """Returns the fields of a sentence's `Masked`."""
        return json.loads(self.context.call("masked", sentence))

    def mask_target(self, sentence, target):
        """Returns a translation with the words of its sentence masked."""
        return self.context.call("maskedTarget", sentence, target)

    def unmask(self, sentence, text, parts):
        """Returns parts of a sentence's translation, such as its tokens, with the symbols of its text written out."""
        return json.loads(self.context.call("unmasked", sentence, text, parts))

    def romanize(self, texts):
        """Returns texts with their Marathi in Latin letters."""
        return list(self.context.eval(f"{json.dumps(texts)}.map((text) => romanize(model, text))"))

    def transliterate(self, word):
        """Returns what the page's second model writes for a word, as a dict."""
        return json.loads(self.context.call("write", word))


def differs(found, translations, tolerance=1e-3):
    """Returns what differs between the page's hypotheses and `Translator.n_best`'s, in words, or "".

    Texts and tokens must be equal, and attention weights and scores close.
    """
    expected = [t for t in translations if t.source_tokens or t.text]  # none of an empty sentence
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
        off = np.abs(np.array(ours["attention"]).reshape(theirs.attention.shape) - theirs.attention).max(initial=0)
        if not off <= tolerance:
            return f"a weight is off by {off:.5f}"
        if not abs(ours["score"] - theirs.score) <= tolerance * max(1, len(theirs.target_tokens)):
            return f"score {ours['score']}, not {theirs.score}"
    return ""

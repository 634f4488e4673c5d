"""The page's JavaScript in V8, without a browser, to hold it against Python."""

import json

import numpy as np
import py_mini_racer

from nmt_attention.deploy.browser import as_letters, engine, page_model, with_arrays

_RUN = """
const rows = (found) => ({...found, attention: found.attention.map((row) => [...row])});
const words = (source, found) => {
  const {sourceWords, targetWords, weights} = mergeSubwords(model, source, found);
  const [sourceTokens, targetTokens] = [sourceWords, targetWords].map((side) => side.map((word) => word.text));
  return {sourceTokens, targetTokens, attention: weights};
};
const CALLS = {
  load: (text, letters) => ANSWERS.load({packed: [{text, bytes: fromLetters(letters)}]}),
  answer: (kind, asked) => ANSWERS[kind](asked),
  romanize: (texts) => texts.map((text) => romanize(model, text)),
  tokenize: (text, side) => tokenize(text, model[side]),
  transliterate: (word) => rows(writeWord(model.names, word)),
  mask(sentence) {
    const {read, words, spelled} = protect(model, sentence);
    return [read, Object.fromEntries(words), Object.fromEntries(spelled)];
  },
  mask_target: (sentence, target) => maskTarget(model, protect(model, sentence), target),
  unmask: (sentence, text, parts) => revealed(model, protect(model, sentence), text, parts),
  texts(sentence, beamSize) {
    const {parts, text} = translateText(model, sentence, beamSize);
    return [text, parts.map(({piece, source, kept, hypotheses}) => ({
      ...piece,
      hypotheses: hypotheses.map((found) => ({...rows(found), words: kept ? rows(found) : words(source, found)})),
    }))];
  },
};
const bytesOf = (letters) => JSON.stringify([...fromLetters(letters)]);
const call = (name, given) => JSON.stringify(CALLS[name](...given));
"""


class Engine:
    """A model as the page has it; its methods are those of `CALLS`, which return what JSON can hold.

    Args:
        translator: `Translator`; the page rounds its model's matrices to 8 bits.
    """

    def __init__(self, translator):
        self.context = py_mini_racer.MiniRacer()
        self.context.eval(f"{engine()}\n{_RUN}; 0")
        text, numbers = with_arrays(page_model(translator))
        self.load(text, as_letters(numbers))

    def __getattr__(self, name):
        return lambda *given: json.loads(self.context.call("call", name, given))

    def answer(self, kind, **asked):
        """Returns what the page's worker answers; see `answers.js`."""
        return self.__getattr__("answer")(kind, asked)

    def translate(self, sentence, beamSize=1):
        """Returns the hypotheses of a text as dicts, the k-th of the k-th of each sentence; each text occurs once.

        Each dict's `words` has the tokens and attention of its words.
        """
        best, parts = self.texts(sentence, beamSize)
        if not parts:
            return [{"text": best, "score": 0.0, **joined([]), "words": joined([])}] if best else []
        most = max(len(part["hypotheses"]) for part in parts)
        each = [[part["hypotheses"][min(k, len(part["hypotheses"]) - 1)] for part in parts] for k in range(most)]
        whole = {}
        for found in each:
            around = zip(parts, found, strict=True)
            text = "".join(part["before"] + one["text"] + part["after"] for part, one in around)
            ids, score = [i for one in found for i in one["ids"]], sum(one["score"] for one in found)
            words = joined([one["words"] for one in found])
            whole.setdefault(text, {"text": text, "ids": ids, "score": score, **joined(found), "words": words})
        assert next(iter(whole)) == best
        return list(whole.values())


def joined(found):
    """Returns hypotheses of sentences as one: weights in blocks of one matrix, and no end but the last."""
    targets, blocks = [], []
    sources = [token for one in found for token in one["sourceTokens"]]
    for i, one in enumerate(found):
        shown = len(one["targetTokens"]) - (i < len(found) - 1 and one["targetTokens"][-1:] == ["<end>"])
        before = sum(len(other["sourceTokens"]) for other in found[:i])
        after = len(sources) - before - len(one["sourceTokens"])
        blocks += [[*[0.0] * before, *row, *[0.0] * after] for row in one["attention"][:shown]]
        targets += one["targetTokens"][:shown]
    return {"sourceTokens": sources, "targetTokens": targets, "attention": blocks}


def differs(found, translations, tolerance=1e-3):
    """Returns what differs between the page's hypotheses and `Translator.n_best`'s, in words, or "".

    Texts and tokens must be equal, and attention weights and scores close.
    """
    expected = [t for t in translations if t.source_tokens or t.text]  # none of an empty sentence
    if len(found) != len(expected):
        return f"{len(found)} hypotheses, not {len(expected)}"
    for ours, theirs in zip(found, expected, strict=True):
        same = {"sourceTokens": theirs.source_tokens, "targetTokens": theirs.target_tokens, "text": theirs.text}
        for name, value in same.items():
            if ours[name] != value:
                return f"{name}: {ours[name]}, not {value}"
        off = np.abs(np.array(ours["attention"]).reshape(theirs.attention.shape) - theirs.attention).max(initial=0)
        if not off <= tolerance:
            return f"a weight is off by {off:.5f}"
        if not abs(ours["score"] - theirs.score) <= tolerance * max(1, len(theirs.target_tokens)):
            return f"score {ours['score']}, not {theirs.score}"
    return ""

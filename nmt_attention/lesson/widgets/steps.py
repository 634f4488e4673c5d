"""A translation step by step: query, scores, softmax, context, word, with the numbers of a trained model."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...spelling import SPACE, has_devanagari
from ...vocabulary import START_ID
from .widget import Widget, are_words, escape, make_widget, reading_help, small_help

if TYPE_CHECKING:
    from ...translate import Translator

_UNITS, _WORDS = 24, 5  # how many numbers of a vector steps.js shows, and how many words


def step_player(translator: "Translator", sentence: str) -> Widget:
    """Shows how a trained model's greedy search writes a translation, in five stages for each token.

    Readers go forwards and backwards, or let it play, and see the heatmap grow row by row. The stages are drawn by the
    script of the exported page. Hidden names stay hidden. Marathi tokens are followed by their Latin letters, and those
    that are whole words by an English gloss, if there is one.

    Args:
        translator: `Translator` of one recurrent model, whose attention has at most one head.
        sentence: str.

    Raises:
        ValueError: the sentence has no token, or the translator is another one.
    """
    numbers = step_numbers(translator, sentence)
    sources, steps = numbers["sources"], numbers["steps"]
    rows = []
    for step in steps:
        (written,) = (word for word in step["words"] if word["written"])
        cells = "".join(f'<td class="weight">{weight:.2f}</td>' for weight in step["weights"])
        rows.append((written["text"], f'{cells}<td class="share">{written["share"]:.0%}</td>', small_help(written)))
    data = escape(json.dumps(numbers, ensure_ascii=False, separators=(",", ":")))
    return make_widget(
        "step-player",
        "Attention weights, step by step",
        [*sources, "probability"],
        rows,
        controls='<p>{buttons}</p><p class="place"></p><div class="nmt-step"></div>',
        buttons=("Play", "Next", "Back", "Next token", "From the start"),
        attributes=f' data-numbers="{data}"',
        shared="steps",
    )


def step_numbers(translator: "Translator", sentence: str) -> dict[str, Any]:
    """Returns what `step_player` shows, as a dict for JSON; its `steps` are those of `drawStep` in steps.js."""
    import tensorflow as tf

    from ...decoding.ensemble import Ensemble
    from ...figures.trace import trace_steps
    from ...preprocess.protect import make_never
    from ...search import forbid

    model = translator.model
    if isinstance(model, Ensemble):
        raise ValueError(f"translator: expected one model, got an ensemble of {len(model.models)}")
    source_tokenizer, target_tokenizer = translator.source_tokenizer, translator.target_tokenizer
    text = translator.preprocessor.protect([sentence])[0].read
    traced = trace_steps(model, source_tokenizer, target_tokenizer, text)
    if traced.scores is not None and traced.scores.ndim != 2:
        raise ValueError(f"translator: expected attention with one head, got {len(traced.scores)} heads")
    ids = [target_tokenizer.vocabulary.index(token) for token in traced.target_tokens]
    source_ids = np.array([source_tokenizer.ids(traced.source_tokens)], np.int32)
    logits, _ = model(source_ids, np.array([[START_ID, *ids[:-1]]], np.int32))
    never = make_never(source_tokenizer, target_tokenizer)(source_ids)
    probabilities = tf.nn.softmax(forbid(logits[0], never)).numpy()  # (T, V)
    vocabulary = target_tokenizer.vocabulary
    all_words = are_words(vocabulary)
    keys = np.asarray(model.decoder.attention.project(traced.values[np.newaxis]))[0]  # (S, A)

    def words(t: int) -> list[dict[str, Any]]:
        best = np.argsort(-probabilities[t], kind="stable")[:_WORDS].tolist()
        listed = best if ids[t] in best else [*best, ids[t]]
        return [
            {"text": vocabulary[i], "share": _round(probabilities[t, i], 4), "written": i == ids[t]}
            | reading_help(vocabulary[i], all_words or (i == ids[t] and _is_word(traced.target_tokens, t)))
            for i in listed
        ]

    return {
        "sources": traced.source_tokens,
        "keys": [_vector(key) for key in keys],
        "units": keys.shape[1],
        "size": len(target_tokenizer),
        "attention": model.config.attention,
        "decoder": model.config.decoder,
        "steps": [
            {
                "before": " ".join(traced.target_tokens[:t]),
                "query": _vector(traced.queries[t]),
                "scores": None if traced.scores is None else [_round(score, 3) for score in traced.scores[t]],
                "weights": [_round(weight, 4) for weight in traced.weights[t]],
                "context": _vector(traced.contexts[t]),
                "words": words(t),
            }
            for t in range(len(ids))
        ],
    }


def _is_word(pieces: Sequence[str], t: int) -> bool:
    """Returns whether a subword piece is a whole word: it begins with a space, and the next piece does not go on."""
    following = pieces[t + 1] if t + 1 < len(pieces) else ""
    goes_on = has_devanagari(following) and not following.startswith(SPACE)
    return pieces[t].startswith(SPACE) and not goes_on


def _vector(numbers: Sequence[float] | np.ndarray) -> list[float]:
    return [_round(x, 2) for x in numbers[:_UNITS]]


def _round(number: float, digits: int) -> float:
    return round(float(number), digits) + 0.0  # no -0.0

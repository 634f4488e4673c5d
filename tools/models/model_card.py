"""The model card of the model that comes with the package, made from `model_card.md` and measured numbers alone.

`tools/model.py` measures them and writes the card; after a change of `model_card.md` this does, without measuring:

python -m tools.models.model_card
"""

import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nmt_attention.disk.files import read_json
from nmt_attention.runs.bundle import PRETRAINED
from tools.demo import Sentence, is_right

CARD, SCORES = "README.md", "scores.json"
TEMPLATE = Path(__file__).with_name("model_card.md")
_EXTRA = {
    "talk.tsv": "of `data/talk.tsv`, everyday sentences written for this project (CC0 1.0)",
    "phrasebook": "of `data/phrasebook.tsv`, composed by rules (CC0 1.0)",
    "run_on.tsv": "of two sentences of `data/talk.tsv` in a row without a mark between them, or one without its commas "
    "(`python -m tools.models.run_on`)",
}
_SYSTEMS = {"eight_bits": "this model, greedy", "beam": "– beam of 5"}


def model_card(measured: Mapping[str, Any]) -> str:
    """Returns the card as Markdown in Hugging Face's form, from what `tools.models.model.measure` returns."""
    trained, everyday = measured["training"], measured["everyday"]
    made = {
        "parameters": trained["parameters"] / 1e6,
        "megabytes": measured["bytes"] / 1e6,
        "architecture": _architecture(measured["config"]),
        "pairs": sum(trained["pairs"].values()),
        "extra": _extra(trained["extra"]),
        "precision": trained["precision"].removeprefix("mixed_"),
        "scores": _scores({_SYSTEMS[name]: measured[name] for name in _SYSTEMS}),
        "by_length": _breakdown("words", measured["lengths"]),
        "by_unseen_words": _breakdown("unseen words", measured["unseen_words"]),
        "by_error": _errors(measured["errors"]),
        "everyday_kinds": len(everyday["kinds"]),
        "everyday_scores": _scores({_SYSTEMS["eight_bits"]: everyday}),
        "by_kind": _breakdown("kind", everyday["kinds"]),
        "worst": _worst(everyday["worst"]),
        "examples": _examples(measured["examples"]),
    }
    return TEMPLATE.read_text(encoding="utf-8").format_map({**measured, **made})


def _architecture(config: Mapping[str, Any]) -> str:
    layers = f"{config['encoder_layers']} in the encoder and {config['decoder_layers']} in the decoder"
    if config["architecture"] == "transformer":
        what = f"A Transformer of {config['heads']} heads, with"
    else:
        direction = "bidirectional" if config["bidirectional"] else "one-directional"
        decoder = f"a `{config['decoder']}` decoder of {config['cell'].upper()} cells"
        what = f"A {direction} encoder and {decoder} with `{config['attention']}` attention, with"
    words = (
        f"{config['source_vocabulary_size']:,} tokens of English and {config['target_vocabulary_size']:,} of Marathi"
    )
    size = f"layers of {config['units']} units, {layers}; embeddings of {config['embedding_units']}"
    return f"{what} {size}; {words}."


def _extra(counts: Mapping[str, int]) -> str:
    """Returns the paragraph on pairs that were trained on besides the corpus, or nothing if there were none."""
    if not counts:
        return ""
    kinds = [f"{count:,} pairs {_EXTRA.get(Path(name).name, f'of `{name}`')}" for name, count in counts.items()]
    if len(kinds) > 1:
        kinds[-1] += ", that are not among the first"
    text = f"Besides these it was trained on {', and on '.join(kinds)}; on none with a sentence of the other splits."
    return "\n".join(["", *textwrap.wrap(text, 120, break_on_hyphens=False), ""])


def _table(head: str, row: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns a table: its head, a line of dashes, and `row` filled in for each of the rows."""
    dashes = " | ".join("---" for _ in head.split(" | "))
    return "\n".join(f"| {line} |" for line in (head, dashes, *map(row.format_map, rows)))


def _scores(systems: Mapping[str, Mapping[str, Any]]) -> str:
    head = "model | BLEU (95%) | chrF (95%) | a reference exactly | perplexity"
    both = " | ".join(f"{{{s}:.1f}} ({{{s}_interval[0]:.1f}} to {{{s}_interval[1]:.1f}})" for s in ("bleu", "chrf"))
    rows = ({**found, "name": name} for name, found in systems.items())
    return _table(head, f"{{name}} | {both} | {{exact:.1f}}% | {{perplexity:.1f}}", rows)


def _breakdown(counted: str, rows: Iterable[Mapping[str, Any]]) -> str:
    row = "{name} | {sentences:,} | {bleu:.1f} ({interval}) | {chrf:.1f} | {exact:.1f}%"
    rows = ({**r, "interval": "{low:.1f} to {high:.1f}".format_map(r) if r["sentences"] > 1 else "–"} for r in rows)
    return _table(f"{counted} | sentences | BLEU (95%) | chrF | a reference exactly", row, rows)


def _errors(rows: Iterable[Mapping[str, Any]]) -> str:
    row = "{name}: {description} | {errors:,} of {judged:,} | {references_errors:,} of {references_judged:,}"
    return _table("mistake | translations | references that the rule blames too", row, rows)


def _worst(rows: Iterable[Mapping[str, Any]]) -> str:
    row = "{english} | {text} | {reference} | {chrf:.1f}"
    return _table("English | the model's Marathi | a reference | chrF", row, rows)


def _examples(examples: Iterable[Mapping[str, Any]]) -> str:
    rows = []
    for example in examples:
        sentence = Sentence(example["english"], example["references"])
        right = is_right(example["text"], sentence)
        verdict = "✓" if right else f"for example: {sentence.references[0]}"
        rows.append({**example, "star": r"\*" * example["seen"], "verdict": verdict})
    return _table("English | the model's Marathi | ✓, or a reference", "{english}{star} | {text} | {verdict}", rows)


def write_card(directory: Path = PRETRAINED) -> None:
    """Writes the card of the model in a directory from its scores there."""
    (directory / CARD).write_text(model_card(read_json(directory / SCORES)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_card()

"""A run as a folder for a model hub: the model, a card, its licence and whose sentences it learned; no corpus."""

import re
import shutil
from pathlib import Path

from ..disk.files import read_json
from ..disk.pairs import read_pairs
from ..runs.bundle import CERTAINTY, NOTICE, load_bundle
from ..runs.run_files import MODEL_FILES
from .export import new_directory

_WRITER = re.compile(r"#\d+ \(([^)]+)\)")  # in a pair of Tatoeba: … #2877272 (CM) & #3138228 (sabretou)
_TEXTS = Path(__file__).parent / "web"


def export_upload(run: Path | str, directory: Path | str) -> None:
    """Writes what a hub needs of a run; a `NOTICE` and a `README.md` that the run has are kept.

    Without them the notice names the contributors of the Tatoeba pairs among the run's training pairs, and the card
    leaves the licence of other pairs to be filled in.

    Raises:
        FileExistsError, FileNotFoundError, ValueError: as `export_saved_model`.
    """
    run = Path(run)
    model, _, _ = load_bundle(run)  # nothing damaged is uploaded
    with new_directory(Path(directory)) as partial:
        partial.mkdir()
        for name in (*MODEL_FILES, CERTAINTY, NOTICE, "README.md"):
            if (run / name).is_dir():
                shutil.copytree(run / name, partial / name)
            elif (run / name).is_file():
                shutil.copyfile(run / name, partial / name)
        pairs = read_pairs(run / "train.tsv") if (run / "train.tsv").is_file() else []
        writers = {name for pair in pairs if "CC-BY" in pair.attribution for name in _WRITER.findall(pair.attribution)}
        if writers and not (partial / NOTICE).exists():
            notice = (_TEXTS / "notice.txt").read_text(encoding="utf-8") + ", ".join(sorted(writers)) + "\n"
            (partial / NOTICE).write_text(notice, encoding="utf-8", newline="\n")
        if not (partial / "README.md").exists():
            credited = (partial / NOTICE).exists()
            about = "`NOTICE` says whose sentences it learned." if credited else "FILL IN: the licence of the pairs."
            scores = read_json(run / "scores.json") if (run / "scores.json").is_file() else {}
            card = (_TEXTS / "card.md").read_text(encoding="utf-8")
            parts = {
                "name": run.resolve().name,
                "licence": "cc-by-2.0" if credited else "other",
                "pairs": f"{len(pairs):,}",
                "parameters": f"{model.count_params():,}",
                "about_licence": about,
                "scores": "\n".join(
                    f"- {split}: {scores[split]['bleu']:.1f} BLEU, {scores[split]['chrf']:.1f} chrF"
                    for split in ("dev", "test")
                    if split in scores
                ),
            }
            (partial / "README.md").write_text(card.format_map(parts), encoding="utf-8", newline="\n")

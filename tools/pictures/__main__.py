"""Draws pictures of the lessons: `python -m tools.pictures` writes them to `notebooks/pictures/`.

They are the moving pictures, lesson 3's vectors, a step of lesson 4's decoder, the layers of lesson 10a, and title
pictures that leave out what their lessons ask for. Cells of the lessons draw the other title pictures.

Their numbers are computed: by hand where a lesson works by hand, by its own cells, or by the model in the package.
The moving ones are .gif files, because every viewer of notebooks shows these, and because the letters are drawn
already: in an .svg file the reader's fonts would have to write the Marathi.
"""

from nmt_attention import Translation, Translator
from tools.demo import DEMO, is_right, read_sentences
from tools.teaching import course

from . import (
    angles,
    attention_step,
    beam,
    decoder_step,
    encoder_decoder,
    layers,
    learning,
    reordering,
    side_by_side,
    titles,
)

STILL = {
    "00": titles.table_of_lesson_0,
    "02": encoder_decoder.title,
    "03": titles.table_of_lesson_3,
    "03-angles": angles.draw,
    "04": titles.halves_of_lesson_4,
    "04-step": decoder_step.of_lesson_4,
    "04b": titles.table_of_lesson_4b,
    "07": titles.first_words_of_lesson_7,
    "08": titles.cells_of_lesson_8,
    "08b": titles.row_of_lesson_8b,
    "10a": layers.draw,
}


def translate(sentence: str, translator: Translator) -> Translation:
    """Returns the translation of a sentence of `data/demo.tsv`, by words.

    Raises:
        ValueError: it is not one of the references.
    """
    (references,) = (each for each in read_sentences(DEMO) if each.english == sentence)
    (translation,) = translator.translate([sentence], merge_subwords=True)
    if not is_right(translation.text, references):
        raise ValueError(
            f"{sentence}: the model wrote {translation.text}, which is no reference; choose another sentence"
        )
    return translation


def main() -> None:
    """Draws all pictures, each named after its lesson."""
    translator = Translator.load()
    moving = {
        "02-encoder-decoder": encoder_decoder.draw().animation(),
        "03-attention-step": attention_step.draw().animation(),
        "04-side-by-side": side_by_side.draw(translate(side_by_side.SENTENCE, translator)).animation(),
        "07-beam": beam.draw().animation(),
        "09-reordering": reordering.draw(translate(reordering.SENTENCE, translator)).animation(),
        "09b-learning": learning.draw(),
    }
    for name, animation in moving.items():
        path = course.NOTEBOOKS / "pictures" / f"{name}.gif"
        animation.save(path)
        print(f"{path.relative_to(course.ROOT)}  {path.stat().st_size:,} bytes")
    draw_still()


def draw_still() -> None:
    """Draws the pictures that do not move and that no cell draws."""
    for name, draw in STILL.items():
        path = course.NOTEBOOKS / "pictures" / f"{name}.png"
        draw().savefig(path, dpi=200)
        print(f"{path.relative_to(course.ROOT)}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

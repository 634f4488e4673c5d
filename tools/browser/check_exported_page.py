"""Holds the page of `export --page` against Python, and uses it in a real browser.

The page's JavaScript translates test sentences of a run, and so does `Translator` with the same 8-bit numbers. Then
Chromium opens the page from a file (apt-get install chromium chromium-driver), and Firefox if it is there (apt-get
install firefox-esr); each translates the test sentences as well. With `--axe`, axe-core looks for
barriers, light and dark; its axe.min.js is in npm's package axe-core.

python -m tools.browser.check_exported_page --run RUN
"""

import argparse
import base64
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.deploy.browser import export_page
from nmt_attention.deploy.export import export_quantized
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.figures.labels import Labels
from nmt_attention.names.lists import held_out, name_sentences, read_names
from nmt_attention.translate import Translator
from tools.browser import firefox
from tools.browser.chromium import check, chromium
from tools.browser.javascript import Engine, differs

SIX_WORDS = "Dad bought me a new camera."
HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
NAMED = "I met Zorba yesterday."
NAMES = 15  # of which `name_sentences` makes four sentences each
WIDTHS = (1280, 390)  # a laptop and a phone, in CSS pixels
END = "\ue010"  # the key, as WebDriver writes it


TRANSLATE = """
window.checkedModel ??= makeModel(JSON.parse(document.querySelector('script.model').textContent));
const {hypotheses} = translateText(window.checkedModel, arguments[0], arguments[1]);
return JSON.stringify(hypotheses.map((found) => ({...found, attention: found.attention.map((row) => [...row])})));
"""


class InPage:
    """The JavaScript of the page that a browser shows, as `Engine` has it without one; `script` runs a script there."""

    def __init__(self, script):
        self.script = script

    def translate(self, sentence, **options):
        return json.loads(self.script(TRANSLATE, sentence, options))


def compare(engine, translator, sentences, beam_sizes=(1, 5)):
    """Returns whether the page's JavaScript gives all sentences the translations that Python gives them."""
    good = True
    for beam_size in beam_sizes:
        expected = translator.n_best(sentences, beam_size=beam_size)
        found = [differs(engine.translate(s, beamSize=beam_size), e) for s, e in zip(sentences, expected, strict=True)]
        for sentence, difference in [(s, f) for s, f in zip(sentences, found, strict=True) if f][:5]:
            print(f"     {sentence}: {difference}")
        equal = found.count("")
        good &= check(f"with a beam of {beam_size}, {equal} of {len(sentences)} sentences are equal", not any(found))
        seconds = []
        timed = min(sentences, key=lambda sentence: abs(len(sentence.split()) - 6))
        for _ in range(15):
            start = time.perf_counter()
            engine.translate(timed, beamSize=beam_size)
            seconds.append(time.perf_counter() - start)
        print(f"     {timed} takes {1000 * statistics.median(seconds):.0f} ms")
    return good


def unseen_names():
    """Returns sentences about people with given names that no training had."""
    names = [name for name in read_names() if held_out(name) and name.kind in ("m", "f")]
    step = len(names) // NAMES
    return [sentence for name in names[: NAMES * step : step] for sentence in name_sentences(name)]


class Page:
    """The exported page in Chromium."""

    def __init__(self, browser, path):
        self.browser = browser
        browser.open(path.resolve().as_uri())
        self.settle()

    def script(self, text, *arguments):
        return self.browser.script(text, *arguments)

    def settle(self):
        """Waits until a translation stands there, all of it."""
        end = time.monotonic() + 60
        ready = (
            "const text = (id) => document.getElementById(id).textContent;"
            "const word = document.querySelector('#picture button[data-t]');"
            "return !text('message') && text('said') && word && !document.querySelector('.coming')"
        )
        while not self.script(ready):
            if time.monotonic() > end:
                sys.exit("no translation within 60 seconds")
            time.sleep(0.1)

    def click(self, selector):
        self.script(f"document.querySelector({selector!r}).click()")

    def press(self, selector, key):
        self.browser.type(selector, key)
        self.settle()

    def translate(self, sentence):
        self.script(
            "document.getElementById('sentence').value = ''; document.getElementById('picture').textContent = ''"
        )
        self.browser.type("#sentence", sentence + "\ue007")
        self.settle()
        return self.text("#said")

    def text(self, selector):
        return self.script(f"return document.querySelector({selector!r}).textContent")

    def words(self):
        """Returns what stands at each Marathi word of the picture, as `Labels` writes it: घेतला ghetlā (took)."""
        return self.script(
            "const lines = (button) => [...button.children].map(({className, textContent}) =>"
            " className === 'gloss' ? `(${textContent})` : textContent);"
            "return [...document.querySelectorAll('#picture button[data-t]')].map((button) => lines(button).join(' '))"
        )

    def barriers(self, axe):
        """Returns what axe-core, given as a script, finds serious or critical on the page as it is now."""
        self.script(f"{axe}; window.axe = axe")
        found = self.script("return axe.run().then((result) => result.violations)")
        return [
            f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in ("serious", "critical")
        ]

    def shoot(self, path):
        """Writes a picture of the whole page."""
        width, height = self.script("return [innerWidth, document.documentElement.scrollHeight]")
        self.browser.size(width, height)
        time.sleep(0.5)
        path.write_bytes(base64.b64decode(self.browser("GET", "/screenshot")))


def use(page, translator, pictures, axe):
    """Returns whether the page does all that it should in the browser; writes pictures of it."""
    good = []
    page.browser.prefer("prefers-reduced-motion", "reduce")
    for sentence in (SIX_WORDS, "Where is my house?"):
        expected, shown = translator.translate([sentence], beam_size=BEAM_SIZE)[0].text, page.translate(sentence)
        good.append(check(f"{sentence} is {shown}, as in Python", shown == expected))
    (found,) = translator.translate([sentence], merge_subwords=True, beam_size=BEAM_SIZE)
    words = found.target_tokens[:-1]  # without the end marker
    expected, shown = Labels(romanize=True, glosses=True).write(words), page.words()
    good.append(check(f"letters and glosses are Python's: {shown}", shown == expected))
    if getattr(translator.preprocessor, "placeholders", None):
        expected, shown = translator.translate([NAMED], beam_size=BEAM_SIZE)[0].text, page.translate(NAMED)
        good.append(check(f"{NAMED} is {shown}, as in Python", shown == expected))
        page.click(".name summary")
        time.sleep(0.5)  # a tick, until the letters are drawn
        good.append(check(f"letters are shown: {page.text('.name summary')}", page.text(".letters")))
        page.translate(SIX_WORDS)
    fonts = page.script("return document.fonts.ready.then(() => [...document.fonts].map((font) => font.status))")
    good.append(check("the page is written in the fonts that it brings", set(fonts) == {"loaded"}))
    lines = page.script("return document.querySelectorAll('.lines line').length")
    good.append(check(f"{lines} lines are drawn", lines))
    page.browser.point_at("#picture button[data-t='0']")
    good.append(check(f"weights are said: {page.text('.readout')}", "looked at" in page.text(".readout")))
    page.click("[data-tool=inside]")
    for _ in range(4):
        page.click("#step")
    stages = page.text("#inside")
    good.append(check("stepping shows a word being chosen", "– written" in stages and "Piece 1 of" in stages))
    before = page.text("#said")
    page.click("#picture button[data-t='0']")
    page.click("#whatif .offers button")
    page.settle()
    good.append(check(f"what if: {page.text('#said')}", page.text("#said") != before))
    good.append(switch(page))
    texts = page.script("return [...document.querySelectorAll('.beam button span')].map((text) => text.textContent)")
    good.append(check(f"a beam of 5 has different texts: {texts}", 1 < len(texts) == len(set(texts))))
    page.translate(HOSTILE)
    shown = page.script("return [document.title, document.images.length]")
    good.append(check("a sentence of HTML is only text", shown == ["Where does a translator look?", 0]))
    for width, scheme in zip(WIDTHS, ("light", "dark"), strict=True):
        page.browser.size(width)
        page.browser.prefer("prefers-color-scheme", scheme)
        page.translate("Dad bought me a camera.")
        wide = page.script("return document.documentElement.scrollWidth")
        good.append(check(f"at {width} pixels nothing is wider than the screen", wide <= width))
        if axe:
            page.click("[data-tool=inside]")
            page.click("#skip")
            found = page.barriers(axe)
            good.append(check(f"axe finds nothing serious at {width} pixels, {scheme} {found or ''}", not found))
            page.click("#close")
        page.shoot(pictures / f"page-{width}.png")
    complaints = page.browser.complaints()
    good.append(check(f"the browser has nothing to complain of {complaints or ''}", not complaints))
    return all(good)


def switch(page):
    """Returns whether the switches change what they should, with the normal translation beside it."""
    good = []

    def changed(what, *signs):
        said = page.text("#difference")
        beside = page.text("#normal-text").startswith(normal)
        good.append(check(f"{what}: {page.text('#said')} {said}", beside and all(sign in said for sign in signs)))

    normal = page.translate(SIX_WORDS)
    page.click("[data-tool=switches]")
    for kind in ("uniform", "shuffled"):
        page.click(f"input[value={kind}]")
        page.settle()
        changed(kind, " → ")
    page.click("input[value=hand]")
    page.settle()
    changed("weights by hand begin with the model's own", "Every word and every weight stays the same.")
    page.press("#sliders label:last-child input", END)
    good.append(check("one key gives all weight to one token", "Every word" not in page.text("#difference")))
    weights = page.script("return [...document.querySelectorAll('#sliders input')].map((slider) => +slider.value)")
    good.append(check(f"its weight is 100%: {weights}", weights == [0] * (len(weights) - 1) + [100]))
    page.click("input[value=own]")
    page.settle()
    page.press("#padding", END)
    changed("masked padding", "Every word and every weight stays the same.", "The mask hides the padding")
    page.click("#mask")
    page.settle()
    changed("padding without the mask", "of the attention goes to it.")
    page.click("#normal-again")
    page.settle()
    hidden = page.script("return document.getElementById('normal').hidden")
    good.append(check("all switches go back to normal", hidden and page.text("#said") == normal))
    page.click("[data-tool=switches]")
    return all(good)


def compare_models(page, first, other):
    """Returns whether a page of two models shows both translations, those of the first and of the other run."""
    good, sentence = [], "Where is my house?"
    expected = [run.translate([sentence], beam_size=BEAM_SIZE)[0].text for run in (first, other)]
    page.translate(sentence)
    page.click("[data-tool=switches]")
    page.click("#models label:last-child input")
    page.settle()
    shown = [page.text("#normal-text"), page.text("#said")]
    same = shown[0].startswith(expected[0]) and shown[1] == expected[1]
    good.append(check(f"another model translates beside the first: {shown}, as in Python", same))
    titles = [page.text("#normal-title"), page.text("#switched-title")]
    good.append(check(f"both have their names: {titles}", len(set(titles)) == 2))
    about = page.text("#about")
    good.append(check(f"the page says what it is: {about}", f"attention {other.model.config.attention}" in about))
    page.click("#normal-again")
    page.settle()
    good.append(check("one click brings the first back", page.text("#said") == expected[0]))
    page.click("[data-tool=switches]")
    return all(good)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True, type=Path, help="directory of a trained run")
    parser.add_argument("--beside", type=Path, help="another run: compare a page of both models with Python, too")
    parser.add_argument("--sentences", type=int, default=1000, help="how many test sentences to compare")
    parser.add_argument("--pictures", type=Path, default=Path("build"), help="directory for pictures of the page")
    parser.add_argument("--axe", type=Path, help="axe.min.js: look for barriers, too")
    options = parser.parse_args()
    axe = options.axe.read_text(encoding="utf-8") if options.axe else ""
    options.pictures.mkdir(parents=True, exist_ok=True)
    sources = dict.fromkeys(
        pair.source for split in ("test", "dev") for pair in read_pairs(options.run / f"{split}.tsv")
    )
    with tempfile.TemporaryDirectory() as place:
        path, small = Path(place) / "page.html", Path(place) / "small"
        export_page(options.run, path)
        print(f"     the page has {path.stat().st_size:,} bytes")
        export_quantized(options.run, small)
        translator = Translator.load(small)
        engine = Engine(translator)
        good = compare(engine, translator, list(sources)[: options.sentences])
        if getattr(translator.preprocessor, "placeholders", None):
            print("Sentences with names that nothing was trained on:")
            good &= compare(engine, translator, unseen_names())
        with chromium() as browser:
            good &= use(page := Page(browser, path), translator, options.pictures, axe)
            print("In Chromium:")
            good &= compare(InPage(page.script), translator, list(sources)[: options.sentences], [1])
            if options.beside:
                export_page(options.run, path, [options.beside])
                export_quantized(options.beside, Path(place) / "beside")
                other = Translator.load(Path(place) / "beside")
                good &= compare_models(Page(browser, path), translator, other)
        if firefox.COMMAND:
            export_page(options.run, path)
            print("In Firefox:")
            with firefox.firefox(f"{place}/firefox") as other_browser:
                other_browser.open(path)
                good &= compare(InPage(other_browser.script), translator, list(sources)[: options.sentences], [1])
        else:
            print("     there is no Firefox to check")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

"""The page of the model in the package, as a reader has it in Chromium (apt-get install chromium chromium-driver)."""

import base64
import json
import re
import shutil
from collections import Counter

import numpy as np
import pytest
from page_models import MODELS, record_training, untrained

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.deploy.browser import EXAMPLE, example_look, export_page
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.runs.bundle import LEARNING, PRETRAINED, save_bundle
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import END_ID
from tools.browser.chromium import chromium

THREE, EIGHT = "I am here.", "We will go to the big school tomorrow."
TWENTY = "If it rains tomorrow, we will stay at home and watch a movie with our friends and family."
ESCAPE, TAB, ENTER, LEFT, UP, RIGHT = "\ue00c", "\ue004", "\ue007", "\ue012", "\ue013", "\ue014"
SAY = "find('say').textContent"
REFUSED = f"return translate(arguments[0]).then(() => {SAY})"
PRESS = "[...document.querySelectorAll('button')].find(({textContent}) => textContent.startsWith(arguments[0])).click()"
TEXTS = "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)"
MARATHI = "return state.look.target.map(({text}) => text)"


@pytest.fixture(scope="module")
def pretrained():
    return Translator.load()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A directory with the model in the package, and with the record of a training."""
    directory = shutil.copytree(PRETRAINED, tmp_path_factory.mktemp("run") / "pretrained", ignore=lambda *_: [LEARNING])
    return directory, record_training(directory / LEARNING).found


@pytest.fixture(scope="module")
def page(tmp_path_factory, recorded):
    path = tmp_path_factory.mktemp("page") / "page.html"
    export_page(recorded[0], path)
    with chromium() as found:
        found.prefer(prefers_reduced_motion="reduce", prefers_color_scheme="light")
        found.open(path.as_uri())
        found.until("state.steps || state.heads")
        yield found
        assert found.complaints() == []


@pytest.fixture
def show(page):
    """Shows a sentence on a screen of this size, all of it written; returns the page."""

    def shown(sentence=EXAMPLE, width=1280, height=900):
        page.size(width, height)
        page.script("scrollTo(0, 0); document.activeElement.blur(); set({tab: 'table', steps: null, touched: true})")
        page.script("return translate(arguments[0]).then(() => 0)", sentence)
        page.until("state.steps || state.heads")
        return page

    return shown


def test_the_first_view_has_few_words_and_few_controls(page):
    page.size(1280)
    page.open(page.script("return location.href.split('#')[0]"))  # as nobody has touched it
    page.until("state.steps || state.heads")
    texts = page.script(TEXTS, "#one :is(h1, header p, #say, #note, .do button, .hint)")
    words = re.findall(r"[^\W\d_]+", " ".join([*texts, page.script("return find('sentence').placeholder")]))
    controls = "return [...one.querySelectorAll('input, textarea, a, button:not(.w)')].filter(a => a.checkVisibility())"
    dark = "return document.querySelector('[data-s=\"5\"]').style.getPropertyValue('--b') < 0.2"  # the full stop
    assert len(words) <= 40 and len(page.script(controls)) <= 4 and page.script(dark)
    invites = "find('light').lastChild.matches('.invites') && find('say').textContent.includes('Drag it from ')"
    page.until(f"{invites} && !find('note').textContent")  # and so after a press, a drag there and back, one in vain
    for drag in (["[data-s='4']"], ["[data-s='4']", "[data-s='3']", "[data-s='4']"], ["[data-s='3']", "[data-s='0']"]):
        page.drag(*drag)
        page.until(invites)
    ledes = page.script(TEXTS, "section .lede")
    assert len(ledes) >= 5 and all(len(re.findall(r"[\w’]+", lede)) <= 25 for lede in ledes), ledes
    assert page.script(TEXTS, "#english .w > span:first-child") == ["Dad", "bought", "me", "a", "camera", "."]
    page.press("l")  # turns the light off, as the page remembers
    page.open(page.script("return location.href"))
    page.until("state.steps && room.colorScheme === 'dark' && !find('sentence').focus()")
    page.press("l")
    page.drag("#lights")
    assert page.script("return [room.colorScheme, find('sentence').value]") == ["light", "l"]


def test_the_example_is_the_engines_own(show, pretrained):
    page, look = show(), example_look(pretrained, EXAMPLE)
    found = page.script("return state.own")
    np.testing.assert_allclose(found["weights"], look["weights"], atol=1e-3)
    for side, keys in (("source", ["text"]), ("target", ["text", "latin", "gloss"])):
        assert [[w[k] for k in keys] for w in found[side]] == [[w[k] for k in keys] for w in look[side]]


def test_a_thousand_sentences_are_translated_as_python_translates_them(page, pretrained):
    sentences = [*dict.fromkeys(pair.source for pair in read_pairs(DATA_DIRECTORY / "phrasebook.tsv"))][:1000]
    ask = "return ask('translate', {sentence: arguments[0], beamSize: 1}).then(({parts, text}) => JSON.stringify({text,"
    ask += " weights: parts.flatMap(({look}) => look.weights)}))"
    for sentence, best in zip(sentences, pretrained.translate(sentences, merge_subwords=True), strict=True):
        found = json.loads(page.script(ask, sentence))
        assert found["text"] == best.text, sentence
        if len(found["weights"]) == len(best.target_tokens) - 1:
            np.testing.assert_allclose(found["weights"], best.attention[:-1], atol=2e-3, err_msg=sentence)
    for sentence, best in zip(sentences[::50], pretrained.translate(sentences[::50], beam_size=BEAM_SIZE), strict=True):
        asked = "return ask('translate', {sentence: arguments[0], beamSize: BEAM_SIZE}).then(({text}) => text)"
        assert page.script(asked, sentence) == best.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1280, 720), (1920, 1080)])
def test_sentences_of_three_to_thirty_words_fit_the_window(show, width, height, scheme):
    for sentence in (THREE, EIGHT, TWENTY, TWENTY.replace(".", " because the old roads to the village are closed.")):
        page = show(sentence, width, height)
        page.script("room.colorScheme = arguments[0]", scheme)
        wide, bottom, stage, words, say = page.script(
            "const box = (each) => each.getBoundingClientRect().toJSON();"
            "return [document.documentElement.scrollWidth, box(find('blind')).bottom, box(find('stage')),"
            " [...document.querySelectorAll('#stage .w > span:first-child')].map(box), box(find('say'))]"
        )
        assert wide <= width and bottom <= height and say["top"] >= stage["bottom"] - 1
        assert all(-1 <= box["left"] < box["right"] <= width + 1 and box["height"] >= 12 for box in words)
        assert all(stage["top"] - 3 <= box["top"] and box["bottom"] <= stage["bottom"] + 3 for box in words), sentence
        assert len({(box["left"] + box["right"], box["top"] + box["bottom"]) for box in words}) == len(words)


@pytest.mark.parametrize(("kind", "start"), [(k, s) for k in ("mouse", "touch") for s in ("t='2'", "s='4'")])
def test_a_light_that_is_dragged_changes_its_word_and_what_follows(show, kind, start):
    page = show(width=390 if kind == "touch" else 1280)
    own = page.script(MARATHI)
    page.drag(f"[data-{start}]", "[data-s='3']", "[data-s='0']", kind=kind)
    page.until("state.look !== state.own && state.written === Infinity")
    found = page.script(MARATHI)
    assert found[:2] == own[:2] and page.script("return state.look.weights[2]") == [1, 0, 0, 0, 0, 0]
    assert re.match(f"You made it look at Dad, (so it|but it still) wrote {found[2]}", page.script(TEXTS, "#say")[0])
    assert page.script(TEXTS, ".fresh > span:first-child") == list((Counter(found) - Counter(own)).elements())
    words, meanings = (page.script(TEXTS, f"#change :is(p > span, b) > {part}") for part in ("span", "i"))
    assert words == ([] if found == own else [*own, *found]) and meanings.count("") == words.count(".")
    assert page.script(TEXTS, ".trail") == [""] * 3  # where its light was, and an arrow from there
    page.script(PRESS, "↶")
    assert page.script(MARATHI) == own and page.script(TEXTS, "#change *, .trail") == []


def test_a_light_that_is_let_go_outside_given_up_or_no_longer_held_stays_where_it_was(show):
    page, stays = show(), "return state.look === state.own && !state.light && !find('stage').matches('.dragging')"
    lost = "find('stage').dispatchEvent(new PointerEvent('pointermove', {isPrimary: true, buttons: 0}))"
    for end in (lambda: page.press(ESCAPE), lambda: page.script(lost)):
        page.drag("[data-t='2']", "[data-s='3']", "[data-s='0']", release=False)
        assert not page.script(stays)
        end()
        assert page.script(stays)
        page.let_go()
    for outside in ("h1", "#again"):
        page.drag("[data-t='2']", "[data-s='3']", outside)
        assert page.script(f"{stays} && !asText(state.say).startsWith('You made it')")
    for act in ("force(2, 0)", "tryWay({}, 0, [], () => [])"):  # what is pressed while it still computes counts
        again = f"const done = {act}; find('again').click(); return done.then(() => state.look === state.own)"
        assert page.script(again)


def test_a_swipe_scrolls_even_over_a_light_unless_the_finger_rests_on_it_first(show, page):
    for start in ("[data-t='3']", "#light path:last-child"):  # a word, and a light
        show(width=390, height=700)
        page.script("window.rests = false; document.onscrollend = () => { rests = scrollY > 20; }")
        page.drag(start, "h1", kind="touch")
        page.until("rests && state.look === state.own && !state.focus && !state.hint && !state.light")
    for t, start, rest in ((3, "[data-t='3']", 400), (2, ".invites", 0), (2, "[data-s='4']", 0), (2, "#wide", 0)):
        wide = "const {x, y} = pointIn(2, 4, 0.9); find('moving').append(drawn('circle', {id: 'wide', cx: x, cy: y}))"
        show(width=390, height=700).script(f"set({{isExample: true, moved: false}}); fit(); {wide}")
        page.drag(start, "[data-t='1']", "[data-t='0']", "[data-s='0']", kind="touch", rest=rest)
        page.until(f"state.look !== state.own && state.look.weights.length > {t}")
        assert page.script(f"return [scrollY, ...state.look.weights[{t}]]") == [0, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("press", ["find('form').requestSubmit()", "find('again').click()"])
def test_a_sentence_that_is_asked_again_is_written_again_and_loses_its_dragged_light(show, press):
    page = show()
    own = page.script(MARATHI)
    page.drag("[data-t='2']", "[data-s='3']", "[data-s='0']")
    page.until("state.look !== state.own")
    page.prefer(prefers_reduced_motion="no-preference")
    page.script(f"guessed.add(''); guessed.clear = () => 0; {press}; delete guessed.clear")  # so it asks nothing
    for condition in ("state.playing", "!state.playing && state.steps && state.look === state.own"):
        page.until(condition)
    page.prefer(prefers_reduced_motion="reduce")
    assert page.script(TEXTS, "#marathi .on > span:first-child") == own


def test_a_light_is_taken_where_its_beam_is_pressed(show):
    page = show()
    taken = "const [t, s, share, beside] = arguments, {x, y} = pointIn(t, s, share), {l, r} = boxes.s[s];"
    taken += " return lightAt({x: x + share * beside * (r - l), y}, 0)"
    for t, s in ((0, 0), (1, 2), (2, 4), (4, 1)):  # on the axis of each beam, and between it and its edge
        for share, beside in ((0.3, 0), (0.7, 0), (0.9, 0.3)):
            assert page.script(taken, t, s, share, beside * (t in (0, 2))) == t
    assert page.script("return lightAt({x: 1, y: 1}, 12)") is None


def test_keys_go_from_word_to_word_and_move_its_light(show, page):
    show().script("document.querySelector('[data-s=\"0\"]').focus()")
    page.press(TAB, RIGHT, RIGHT)
    focused = "return document.activeElement.dataset.t"
    assert page.script(focused) == "2" and " looks at " in page.script("return find('say').textContent")
    before = np.argmax(page.script("return state.look.weights[2]")) - 1
    page.press(UP)
    page.until("state.look !== state.own")
    assert page.script("return state.look.weights[2]") == np.eye(6)[before].tolist() and page.script(focused) == "2"
    page.press(TAB)
    assert page.script("return [state.focus, document.activeElement.textContent]") == [None, "↶ Undo"]  # and no light
    page.press(ESCAPE)
    assert len(page.script(TEXTS, "#stage [tabindex='0']")) == 2  # one of each line
    page = show("Where is my book?")
    page.script("return force(2, 2).then(() => 0)")  # it writes a blank first, and the light stays
    assert "so it wrote माझं" in page.script(TEXTS, "#say")[0] and len(page.script(TEXTS, ".trail")) == 3
    assert page.script("return state.look.weights[2]") == [0, 0, 1, 0, 0]
    langs = "return [state.answer.text, state.heard].map((heard) => (set({heard}), find('heard').firstChild.lang))"
    assert page.script(langs) == ["mr", ""]  # what is read aloud is in its own language


def test_eyes_are_closed_for_as_long_as_the_button_is_held_or_for_some_seconds_after_a_tap(show):
    page = show()
    own, key = page.script(MARATHI), "find('blind').dispatchEvent(new KeyboardEvent(arguments[0], {key: ' '}))"
    for hold, release in (
        (lambda: page.drag("#blind", "#blind", rest=600, release=False), page.let_go),
        (lambda: page.script(f"{key}; return wait(600)", "keydown"), lambda: page.script(key, "keyup")),
        (lambda: page.drag("#blind"), lambda: page.until("!state.isShut")),  # a tap, for so long that one can read
    ):
        hold()
        page.until("state.look.way.uniform && state.look.weights.flat().every((each) => Math.abs(6 * each - 1) < 1e-7)")
        assert page.script(MARATHI) != own and re.search("it writes [^ऀ-ॿ]+ · [^ऀ-ॿ]+$", page.script(f"return {SAY}"))
        release()
        assert page.script(MARATHI) == own


def test_what_is_not_english_is_answered_in_one_line(show):
    page = show()
    assert page.script(REFUSED, "मी शाळेत जातो").startswith("हे नेटवर्क फक्त इंग्रजी वाचते.")
    assert page.script("return document.querySelector('#say [lang=mr]') !== null")
    for text, answer in {"asdf qwer": "none of these words", "🎉": "no words", "word" * 250: "1,000 letters"}.items():
        assert answer in page.script(REFUSED, text) and page.script("return find('again').disabled && !state.own")
        assert " ".join(page.script(TEXTS, "#english .w > span:first-child, #marathi .w")) == text[:200]
    doubted, notes = show("The quantum chromodynamics seminar is postponed"), "return find('note').textContent"
    assert doubted.script(notes) and page.script(REFUSED, "🎉") and doubted.script(notes) == ""
    show("<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script> I read")
    assert page.script("return [document.title, document.images.length]") == ["Where does a translator look?", 0]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_very_long_word_does_not_widen_the_page(show, width):
    page = show("Show me the " + "pneumono" * 20 + " of the school.", width, 844)
    for tab in ["table", "inside", "whatif", "others", "names", "terms", "share"]:
        assert page.script(f"set({{tab: '{tab}'}}); return document.documentElement.scrollWidth") <= width, tab


def test_typing_errors_are_mended_by_one_click_and_what_is_not_known_is_said(show):
    page = show("We wanna learn Marathi becaues our frined lives in Pune.")
    said, note = page.script(TEXTS, "#say, #note")
    assert "saw becaues, frined" in said and all(each in note for each in ("wanna read as want to.", "hesitates"))
    page.script(PRESS, "Fix all")
    page.until("state.steps && state.sentence === 'We wanna learn Marathi because our friend lives in Pune.'")
    say, note = show("The quantum chromodynamics seminar is postponed").script(TEXTS, "#say, #note")
    assert "quantum, chromodynamics" in say and "% sure" in note and "quantum" not in note
    bank = "The bank of the river is far."  # which the page itself shows to be translated wrongly
    doubts = {"Where is the bank where I can open an account?": "to have left out bank", bank: "बँक is wrong"}
    for sentence, doubt in (doubts | {TWENTY: "with became an ending: "}).items():
        assert doubt in show(sentence).script(TEXTS, "#say")[0]
    assert show(bank).script(TEXTS, "#stage .amiss > span:first-child") == ["बँक"]
    for number, line in enumerate(page.script(TEXTS, ".tries span"), 2):
        page.script(f"document.querySelector('.tries li:nth-child({number}) a').click()")
        page.until(f"asText(state.say) === {json.dumps(line + '.')}")  # wherever the mouse rests


def test_a_text_is_walked_sentence_by_sentence(show):
    page = show("I met Tom. Bonjour mes amis. Where is my book?")
    assert page.script("return find('place').textContent") == "sentence 1 of 2"
    assert "leaves Bonjour mes amis. as it is" in page.script("return find('note').textContent")
    page.script("find('after').click()")
    page.until("state.part === 2 && state.steps")
    assert page.script(TEXTS, "#english .w > span:first-child") == ["Where", "is", "my", "book", "?"]
    assert page.script("return [find('after').disabled, find('before').disabled]") == [True, False]


def test_four_sums_of_a_word_that_is_pressed_can_be_checked_with_a_calculator(show):
    assert show("No, thank you.").script("return state.look.target[state.picked].gloss") == "thank"  # and no mark
    page = show("The zookeeper bought a red car.")
    bars = "return [...document.querySelectorAll('#ask i i')].map(({style: s}) => [s.left, s.width].map(parseFloat))"
    for t in range(len(page.script(MARATHI))):
        page.drag(f"[data-t='{t}']")
        page.until(f"find('chips').children[{t}]?.ariaPressed === 'true'")  # the sums are drawn after the stage
        columns = (page.script(TEXTS, f"#{card} .rows > :nth-child(3n)") for card in ("ask", "share", "mix"))
        ask, share, mix = ([text.replace("−", "-") for text in column] for column in columns)
        scores, (left, wide) = np.asarray(ask, float), np.transpose(page.script(bars))
        assert share == [f"{each:.0f}%" for each in 100 * np.exp(scores) / np.exp(scores).sum()]
        assert f"{sum(np.prod([float(each) for each in term.split(' × ')]) for term in mix[:-1]):.2f}" == mix[-1]
        zero = page.script("return parseFloat(find('ask').firstChild.style.getPropertyValue('--zero'))")
        np.testing.assert_allclose(left + wide * np.signbit(scores), zero, atol=1e-3)  # one below 0 goes to the left
        assert page.script(TEXTS, "#this-word b")[0] in page.script(TEXTS, "#write:has(.lit)")[0]
        assert page.script(TEXTS, "#ask small")[0].replace("−", "-").endswith(f" ÷ √464 = {ask[scores.argmax()]}")
    page.script("for (const {context, values} of state.steps) [context, ...values].forEach((row) => row.fill(-1e-4))")
    untrained = page.script(f"drawSums(state); {TEXTS}", "#mix .rows > :nth-child(3n)")  # numbers that round to nothing
    assert {text.split(" × ")[-1] for text in untrained} == {"0.00"}


def test_a_slider_goes_through_a_training(show, recorded):
    page, record = show(), recorded[1]
    page.until("state.learning")
    presses = "const button = find('replay'); return [1, 2].map(() => button.click() ?? button.textContent)"
    assert page.script(presses) == ["Stop", "Watch it learn"]
    page.script("set({at: {sentence: 1, step: 0}})")
    ends = [f"{record['steps'][-1]['bleu']:.0f}", f"{100 * record['steps'][-1]['error_rate']:.0f}"]
    for i, step in enumerate(record["steps"]):
        page.script(f"find('steps').value = {i}; find('steps').dispatchEvent(new Event('input'))")
        text = step["written"][1] if any(map(str.isalpha, step["written"][1])) else "no word yet."
        begin = json.dumps(f"After {step['step']:,} steps it would write {text}")
        page.until(f"find('wrote').textContent.startsWith({begin})")
        cells = [float(text) for text in page.script(TEXTS, "#learned tbody td")]
        shares = np.frombuffer(base64.b64decode(step["weights"]), np.uint8)[-len(cells) :] / 255
        np.testing.assert_allclose(cells, shares, atol=0.0051)
        likeness, missed = page.script(TEXTS, "#curves p")
        assert likeness.startswith(f"Likeness to people’s translations {step['bleu']:.0f} of 100: ")
        assert missed.startswith(f"Mistakes of its light {100 * step['error_rate']:.0f} of 100: on wrong words")
        assert page.script(TEXTS, "#curves .end") == ends
    assert page.script(TEXTS, "#learned thead th") == record["sentences"][1]["source"]
    assert page.script(f"find('another').click(); {TEXTS}", "#learned thead th") == record["sentences"][0]["source"]
    assert len(page.script(TEXTS, "#learned .sure")) == len(record["sentences"][0]["links"])


def test_a_net_learns_in_the_page_to_write_a_word_backwards(show):
    (page := show()).script("Date.now = () => 1")  # the seed: with another one it may find 6 of 7
    page.until("state.reversal?.step === 0 && find('tried').textContent.includes('Untrained')")  # before it is pressed
    assert len(page.script(TEXTS, "#reversed .sure")) == min(page.script("return state.reversal.written.length"), 6)
    page.type("#word", *"Stresse", TAB, ENTER)
    page.until("state.reversal.isDone", 120)
    assert re.match("stresse → esserts. After .* Its light found 7 of 7 framed", page.script(TEXTS, "#tried")[0])
    assert page.script(TEXTS, "#reversed thead th") == list("stresse")
    page.type("#word", *"Attention", ENTER)  # which the net of now answers
    page.until("find('lengths').textContent === 'It saw words of 3 to 7 letters; others often fail: this one has 9.'")
    assert page.script(TEXTS, "#tried")[0].endswith("The same numbers wrote this: it learned nothing new.")


def test_every_tool_shows_what_it_should(show, page):
    busy = show("I met Zorba yesterday.").script(  # a button, until its last press is done
        "const ends = [], button = press(() => new Promise((end) => ends.push(end)), {}, 'Go'), busy = [];"
        "const look = () => wait(0).then(() => busy.push(button.ariaBusy)); button.click(); button.click();"
        "ends[0](); return look().then(() => { ends[1](); return look(); }).then(() => busy)"
    )
    titles = ["Heatmap", "Step by step", "Another word", "Other translations", "Names", "Your terms", "Save and share"]
    assert busy == ["true", None] and page.script(TEXTS, "#tabs button:not([hidden])") == titles
    cells = [float(text) for text in page.script(TEXTS, "#tool tbody td")]
    np.testing.assert_allclose(cells, np.ravel(page.script("return state.look.weights")), atol=0.0051)
    page.script("find('tab-inside').click()")
    seen = [page.script(f"const text = find('tool').textContent; {PRESS}; return text", "Next") for _ in range(6)]
    assert len(set(seen)) == 6 and "piece 2 of" in seen[5]
    for before, hands in (("putBack()", 0), ("force(1, 0)", 1)):  # what it writes by itself, and after a drag
        for tab, press in (("whatif", ".offer"), ("others", "li:last-child button")):
            page.script(f"putBack(); return Promise.resolve({before}).then(() => find('tab-{tab}').click())")
            page.until("state.shown")
            shown = page.script(MARATHI)
            page.script(f"document.querySelector('#tool {press}').click()")
            page.until("state.look !== state.own && !asText(state.say).endsWith('…')")
            page.until("find('beside').textContent.endsWith(asText(state.say) + '↶ Undo')")
            held = page.script("return Object.keys(state.look.way.hands ?? {}).length")
            assert page.script(MARATHI) != shown and held == hands
    page.script("putBack(); find('tab-names').click(); document.querySelector('#tool details').open = true")
    page.until("document.querySelector('#tool details td')")
    assert (words := page.script(TEXTS, "#marathi b, #tool b")).count("Zorba") == 2 and "झोरबा" in words
    for typed, word in (("zorba = झकास", "झकास"), ("", "झोरबा")):
        page.script("find('tab-terms').click()")
        page.type("#tool textarea", *typed or "\ue003", TAB, ENTER)
        page.until(f"state.steps && state.look.text.includes('{word}')")


def test_a_link_holds_what_is_shown_and_a_picture_can_be_saved(show, page):
    show(f"Go home. {EXAMPLE}").script("goTo(1)")
    page.drag("[data-t='2']", "[data-s='3']", "[data-s='0']")
    page.until("state.look !== state.own")
    page.script("find('tab-share').click(); document.querySelector('#tool button').click()")
    link, shown = page.script("return [location.hash, state.look.text]")
    assert re.fullmatch(r"#s=Go\+home\.\+Dad\+bought\+me\+a\+camera\.&part=2&hands=\d+-0", link)
    page.script("putBack(); set({tab: 'table'}); location.hash = arguments[0]", f"{link}&tool=share&step=2")
    page.until("state.own && state.look !== state.own && find('whole')")
    lines = "return [state.look.text, find('marathi').ariaLabel, find('whole').firstChild.textContent, state.step]"
    assert page.script(lines) == [shown, shown, shown, 1]
    page.script("state.terms = 'home = होम'; return tryWay({prefix: [state.own.ids[1]]}, 0, [], Array).then(() => 0)")
    link, shown = page.script("return [putLink(state).split('#')[1], state.look.text]")
    follow = "putBack(); state.terms = ''; return followLink(new URLSearchParams(arguments[0])).then(() => 0)"
    ignored = f"{follow}.then(() => state.look === state.own && {SAY}.endsWith(' is ignored.'))"
    assert all(page.script(ignored, f"s=Hi.&{x}") for x in ("ids=", "ids=x", "ids=7-9999", "hands=0-99", "hands=9-0"))
    said = "return [state.answer.text.split('.')[0], state.look.text, asText(state.say).slice(0, 26), state.terms = '']"
    assert page.script(f"{follow}.then(() => {{ {said} }})", link) == ["होम", shown, "As in the link, it writes ", ""]
    page.script("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push(this.href); }")
    page.script("for (const i of [1, 2]) document.querySelectorAll('#tool .row button')[i].click()")
    page.until("saved.length === 2")
    svg, png = page.script("delete HTMLAnchorElement.prototype.click; return saved.map(decodeURIComponent)")
    assert shown.split()[0] in svg and svg.count("@font-face") == 2 and svg.count("<path") > 5
    assert png.startswith("data:image/png;base64,iVBOR")
    assert page.script("return [...document.fonts].map(({status}) => status)") == ["loaded"] * 2


def test_words_are_written_one_by_one_and_the_page_moves_while_the_engine_computes(show):
    page = show("I met Tom. Go home.")
    page.script("guessed.has = () => true; find('after').click(); set({tab: 'whatif'})")  # a tool that asks, too
    page.until("state.part === 1 && state.shown")
    page.prefer(prefers_reduced_motion="no-preference")
    page.script(  # in each frame the line tells of the word that was written last
        "window.told = []; const watching = () => { const {playing, written, look, about} = state, t = written - 1;"
        " const said = playing && t >= 0 && t < look.weights.length && tell(look, t, about.isMarathi);"
        " if (said) told.push([find('say').textContent, asText(said)]); requestAnimationFrame(watching); }; watching()"
    )
    page.script("window.seen = []; window.ticks = 0; setInterval(() => { ticks++; seen.push(state.written); }, 20)")
    page.script("find('sentence').value = arguments[0]; find('form').requestSubmit()", "Where is my book?")
    page.until("state.playing && state.written")
    page.drag("#stage")  # between the lines: it pauses, until the space key is pressed
    paused = "const {written} = state; return wait(900).then(() => state.written === written && state.playing)"
    assert page.script(paused) == "paused"
    page.press(" ")
    page.until("!state.playing")
    assert {0, 1, 2, 3, 4} <= set(page.script("return seen"))
    assert (told := page.script("return told")) and all(said == expected for said, expected in told)
    other = "receive({...state.own, target: state.own.target.toReversed()}); stop(); return asText(state.say)"
    assert page.script(other) == "A wider search found a likelier translation."
    asking = "const old = ticks; return ask('translate', {sentence: arguments[0], beamSize: 5}).then(() => ticks - old)"
    assert page.script(asking, TWENTY) >= 5
    turn = "Now it jumps back to bought: Marathi puts its verb last."
    again = "return translate(arguments[0]).then(() => { delete guessed.has; guessed.clear(); goTo(0); })"
    for s, said in ((1, "Yes: it looks at bought to write विकत."), (4, "No: it looks at bought."), (0, turn)):
        page.script(again, EXAMPLE)
        page.until(f"{SAY}.startsWith('Where will it look for the verb?') && state.written === 3 && state.playing")
        page.drag(f"[data-s='{s}']") if s else page.press(LEFT, RIGHT, RIGHT)  # a guess, or a look for oneself
        page.until(f"{SAY} === '{said}' && state.written === 4")
    page.press(RIGHT, RIGHT)
    ended = "told.length = 0; const {written, playing} = state; goTo(0); return [written, playing]"
    assert page.script(ended) == [None, False]
    page.until("state.written === Infinity")
    assert all(said == expected for said, expected in page.script("return told"))  # it does not ask again
    page.prefer(prefers_reduced_motion="reduce")


def test_of_a_transformer_every_head_can_be_put_on_the_stage(tmp_path):
    model, *tokenizers = untrained(*MODELS["transformer"])
    model.decoder.output_bias.assign(-9.0 * np.eye(len(tokenizers[1]))[END_ID])  # never ends by itself
    save_bundle(tmp_path / "run", model, *tokenizers)
    export_page(tmp_path / "run", tmp_path / "page.html", [PRETRAINED])
    with chromium() as page:
        page.prefer(prefers_reduced_motion="reduce")
        page.open((tmp_path / "page.html").as_uri())
        page.until("state.heads && find('how-often').textContent === '6'")
        assert page.script("return [find('doubt'), find('tab-inside').hidden]") == [None, True]
        mean, heads = page.script("return [state.own.weights, state.heads]")
        np.testing.assert_allclose(np.mean(heads[1], axis=0), mean, atol=1e-5)
        page.script("document.querySelectorAll('#heads button')[4].click()")
        page.until("state.look.way.head")
        np.testing.assert_allclose(page.script("return state.look.weights"), heads[2][0], atol=1e-5)
        page.script("find('model').value = 1; find('model').dispatchEvent(new Event('change'))")  # the other model
        page.until("!state.about.heads && state.steps")
        assert page.script("return find('about').textContent").startswith("The model: ")
        assert page.complaints() == []

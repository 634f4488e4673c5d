// What is told while the translation is written: one line below the stage, of at most twelve words.

const bold = (text) => element('b', languageOf(text, {lang: 'en'}), text);
const UNSAID = /^(the|an?|do|does|did|will|would|to|of|at|in|on|with)$/;  // words that Marathi says by an ending, or not at all
const ENDINGS = /^(about|after|because|before|behind|beyond|by|for|from|in|like|near|of|on|opposite|outside|than|to|under|until|with(out)?)$/;  // in glosses
const ASKS = /^(का|ना|नाही|नको|what|when|where|which|who|whom|whose|why|how|not|.*n['’]t)$/iu;
const VERBS = /^(am|is|are|was|were|have|has|had|did|went|came|took|gave|bought|ate|drank|said|knew|wrote|met|began|became|brought|taught|understood|forgot|wants|goes|comes)$/;  // no nouns
const FINITE = /(^आह.*|तो[सय]?|ते[सय]?|ता|ती|तं|तात|ला|ली|लं|ले|लो|ल्या|णार|ील|ईन)$/, CASES = /^(to |[A-Z]|me$|you$|him$|her$|us$|them$)/;  // endings of verbs; but ला is one of nouns, too
const NAMED = 3, SHOWN = 9;  // new words that the line names, and words of a translation that is shown whole below it
const UNSEEN = 0.1;  // of all steps together, below which an English word was not looked at

/** Whether Marathi word t is a verb for certain: by its meaning, or as the last word, by its ending. */
function isVerb({target}, t) {
  const {text, gloss = ''} = target[t];
  return VERBS.test(gloss) || /णार$/.test(text) || (FINITE.test(text) && !CASES.test(gloss) && !target.slice(t + 1).some(isWord));
}

/** Whether the light jumps back for word t: one of the last two words, which neither asks nor denies. */
function isTurn({source, target, weights}, t) {
  const words = [...target.keys()].filter((i) => isWord(target[i])), place = words.indexOf(t);
  if (place < 2 || place < words.length - 2) return false;
  const [before, seen] = [words[place - 1], t].map((i) => brightest(weights[i]));
  return seen < before && !ASKS.test(source[seen].text) && !ASKS.test(target[t].text);
}

/** The word before which one guesses where the light will go, and whether it is the verb: else the one of the longest jump. */
function puzzleOf(look) {
  const {target, weights} = look, words = [...target.keys()].filter((i) => isWord(target[i]));
  const verb = words.find((t) => isTurn(look, t) && isVerb(look, t)), [before] = words.filter((t) => t < verb).slice(-1);
  if (verb && !isVerb(look, before) && !/ing$/.test(target[before].gloss)) return {at: verb, isVerb: true};
  const jumps = words.map((t, i) => (i ? Math.abs(brightest(weights[t]) - brightest(weights[words[i - 1]])) : 0));
  return {at: Math.max(...jumps) > 1 ? words[brightest(jumps)] : null, isVerb: false};
}

/** What the line says of Marathi word t, of the light's jump back to a verb, and of a guess where it would go. */
function tell(look, t, isMarathi, guess = null) {
  const {source, target, weights} = look, {text, gloss} = target[t], row = weights[t], seen = brightest(row);
  if (!isWord(target[t])) return null;
  if (guess !== null && !isHandle(row, guess)) return [bold('No'), ': it looks at ', bold(source[seen].text), '.'];
  if (guess !== null) return [bold('Yes'), ': it looks at ', bold(source[guess].text), ' to write ', bold(text), '.'];
  const jumps = isMarathi && isTurn(look, t);
  if (jumps && isVerb(look, t)) return ['Now it ', bold('jumps back'), ' to ', bold(source[seen].text), ': Marathi puts its verb last.'];
  const most = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, row[seen] < 0.5 ? 2 : 1);
  const looks = most.flatMap((s, i) => [i ? ' and ' : '', bold(source[s].text)]);
  return [t > target.findIndex(isWord) ? 'For ' : 'To write ', bold(text), gloss ? `, “${gloss}”` : '', jumps ? ', it jumps back to ' : ', it looks at ', ...looks, '.'];
}

/** What the line says when all is written. */
function tellEnd({source, target, weights}, example, {looks, isMarathi}) {
  if (!looks) return ['This model has no eyes: one vector must hold the whole sentence.'];
  const seenBy = (s) => column(weights, s).reduce((sum, weight) => sum + weight, 0), named = (isDark) => source.flatMap((word, s) => (isWord(word) && seenBy(s) < UNSEEN === isDark ? [word.text.toLowerCase()] : []));
  const skipped = [...new Set(named(true))].filter((text) => !named(false).includes(text));
  const joined = (text) => ENDINGS.test(text) && target.find(({gloss}) => gloss?.startsWith(`${text} `));
  const isSaid = (text) => !isMarathi || !(UNSAID.test(text) || joined(text)), ending = isMarathi && skipped.find(joined);
  const seen = (t) => bold(source[brightest(weights[t])].text);
  if (example) return ['Light is ', bold('attention'), '. Drag it from ', seen(example), ' to ', seen(0), '.'];
  if (skipped.some(isSaid)) return ['It never looked at ', bold(skipped.filter(isSaid).join(', ')), '. Drag a light there!'];
  if (ending) return [bold(ending), ' became an ending: ', bold(joined(ending).text), '.'];
  return skipped.length ? ['Marathi has no separate word for ', bold(skipped.slice(0, NAMED).join(', ')), '.']
    : ['Your turn: ', bold('drag the light'), ' of a word to another English word.'];
}

/** ", so it wrote बाबा (Dad).": the new words of a translation, or those at some places. */
function tellNew(so, {text, target, fresh}, places = [...fresh]) {
  const named = places.slice(0, NAMED).map((t) => [bold(target[t].text), ...(target[t].gloss ? [` (${target[t].gloss})`] : [])]);
  return named.length ? [so, ...named.flatMap((each, i) => [...(i ? [', '] : []), ...each]), '.'] : [`. It wrote ${text === state.own.text ? 'the same' : 'no new word'}.`];
}

/** What came of it that word t was made to look elsewhere: the word `at` that it wrote, and whether it still looked where it had before. */
function tellHand(look, before, t, at) {
  const {target, source, weights, text} = look, was = brightest(before.weights[t]), old = before.target[t].text;
  const looks = [...target.keys()].filter((i) => isWord(target[i]) && brightest(weights[i]) === was);
  if (at < 0) return [', and it stopped.'];
  if (text === before.text) return [', and it still writes ', bold(old), ': nothing changes.'];
  const later = looks.some((i) => i > at) ? [' Then it looked at ', bold(source[was].text), ' again.']
    : looks.length || !isWord(source[was]) ? [] : [' No word looks mainly at ', bold(source[was].text), ' now.'];
  return [...tellNew(target[at].text === old ? ', but it still wrote ' : ', so it wrote ', look, [at]), ...later];
}

/** Shows a translation before and now, with meanings, and the way back; of long ones what differs, and the words beside. */
function drawChange({look, own, written}) {
  const isOther = own?.ids.length > 0 && look !== own && !look.way.uniform;
  const line = (name, {target}, others, most = Infinity, other = differences(target, others.target)) => {
    const near = other.size ? other : differences(others.target, target), isShown = (t) => target.length <= SHOWN || [t - 1, t, t + 1].some((i) => near.has(i));
    const word = (t, {text, gloss, latin}) => element(other.has(t) ? 'b' : 'span', {class: t < most ? '' : 'unwritten'}, element('span', languageOf(text), text), element('i', gloss ? {} : {lang: 'mr-Latn'}, gloss || latin));
    return element('p', {}, element('small', {}, name), ...target.flatMap((each, t) => (
      isShown(t) ? [isWord(each) ? ' ' : '', word(t, each)] : isShown(t - 1) || !t ? [' …'] : [])));
  };
  find('change').replaceChildren(...(isOther && own.text !== look.text ? [line('before', own, look), line('now', look, own, written)] : []),
    ...(isOther ? [press(putBack, {class: 'link'}, '↶ Undo')] : []));
}

/** What the line says of a word that somebody points at. */
function tellFocus({source, target, weights}, {side, i}) {
  if (side === 's') return [bold(source[i].text), ' is looked at by ', inWords(target, column(weights, i), 2), '.'];
  const {text, latin, gloss, sure} = target[i], limit = state.about?.certainty?.bands.at(-2).from;  // as counted for this network
  return [bold(text), latin ? ` ${latin}` : '', gloss ? `, “${gloss}”` : '', ' looks at ', inWords(source, weights[i], 2), sure < limit ? `: a guess, ${sure}% sure.` : '.'];
}

/** Why a text is not translated: the line, and for whom. */
const REFUSALS = {
  marathi: () => [element('span', {lang: 'mr'}, 'हे नेटवर्क फक्त इंग्रजी वाचते. कृपया इंग्रजी वाक्य लिहा.'), ' It reads only English.'],
  foreign: () => ['It knows none of these words: it reads only English.'],
  wordless: () => ['There are no words in this. Write an English sentence.'],
  empty: () => ['Write an English sentence first.'],
  long: ({letters}) => [`${letters.toLocaleString('en')} letters are too many at once: 500 is the most.`],
};

/** What was typed otherwise than it is read, between the words that are alike: [["freind", "friend"]]. */
function readings(typed, source) {
  const plain = (text) => text.toLowerCase().normalize('NFD').replace(/[^\p{L}\p{N}]/gu, '');
  const wordsIn = (text) => (text.match(/[\p{L}\p{M}\p{N}’'-]+/gu) ?? []).map((word) => ({word, text: plain(word)}));
  const between = (words, others, other = differences(words, others)) => words.reduce(
    (found, {word}, i) => (other.has(i) ? [...found.slice(0, -1), [...found.at(-1), word]] : [...found, []]), [[]]).map((each) => each.join(' '));
  const [was, is] = [typed, source.map(({text}) => text).join(' ')].map(wordsIn), made = between(is, was);
  return between(was, is).map((each, i) => [each, made[i]]).filter(([each, read]) => each && read && plain(each) !== plain(read));
}

/** What is to be said of a translation: how sure it is, what the network did not know, what can be mended; and mere facts. */
function remarks({answer, part, look, own, about, sentence, written}) {
  const {unknown = [], added, cut, lost = [], more = [], unsaid = [], typed = '', choice} = answer?.parts[part] ?? {}, kept = (answer?.parts ?? []).filter((each) => each.kept);
  const most = about?.certainty?.most_words ?? Infinity, mended = unknown.filter(({near}) => near);
  const isDone = written >= look.target.length, isOwn = isDone && own === look;  // of words to come nothing is said
  const bands = about?.certainty?.bands ?? [], band = isOwn && bands.find(({from}) => own.sure >= from);
  const isGuess = band && band === bands.at(-1), isBeyond = isGuess && own.source.filter(isWord).length > most;
  const mend = (words) => words.reduce((text, {text: typed, near}) =>
    text.replace(new RegExp(`(?<!\\p{L})${typed}(?!\\p{L})`, 'gu'), near), sentence);
  const fix = (label, words) => press(() => translate(mend(words)), {class: 'link'}, label);
  const option = ({text, gloss, latin, share}, other) => [bold(text), ` (${gloss && gloss !== other.gloss ? gloss : latin}, ${percent(share)})`];
  const doubts = [
    ...(isDone ? look.target.map((word) => wrongOf(look, word)) : []),
    isBeyond ? [`It learned short everyday sentences, 95 of 100 of at most ${most} words: this is beyond it.`] : null,
    unknown.length && (!isBeyond || mended.length) ? ['It never saw ', bold(unknown.map(({text}) => text).join(', ')), `: a guess.`,
      ...(mended.length ? [' Did you mean', ...mended.flatMap((word) => [' ', fix(word.near, [word])]), '?'] : []),
      ...(mended.length > 1 ? [' ', fix('Fix all', mended)] : [])] : null,
    isOwn && lost.length ? ['It left out ', bold(lost.join(', ')), '.'] : null,
    isOwn && unsaid.length ? ['It seems to have left out ', bold(unsaid.join(', ')), '. Drag a light there!'] : null,
    isOwn && more.length ? ['It wrote ', bold(more.join(', ')), ' too often.'] : null,
    cut ? [`It read only the first ${cut} pieces: make two sentences of it.`] : null,
    isGuess && !isBeyond ? [`Only ${own.sure}% sure: do not trust it.`] : null,
    band && band === bands.at(-2) ? (choice ? ['It hesitates between ', ...option(...choice), ' and ', ...option(...choice.toReversed()), '.'] : [`Only ${own.sure}% sure: other words may be right, too.`]) : null,
  ];
  const read = readings(typed, own?.source ?? []).slice(0, NAMED).flatMap(([was, is], i) => [i ? ', ' : '', bold(was), i ? ' as ' : ' read as ', bold(is)]);
  const facts = [
    read.length ? [...read, '.'] : null,
    kept.length ? ['It reads English, and leaves ', bold(kept.map((each) => each.kept).join(' ')), ' as it is.'] : null,
    added && !unknown.length ? [`Added “${added}”: it learned from sentences that end with one.`] : null,
  ];
  return {doubts: doubts.filter((line) => line), facts: facts.filter((line) => line)};
}

/** What stands in small type below the line: what it does not say of the translation. */
function notes(now) {
  const {doubts, facts} = remarks(now), lines = now.own ? [...doubts, ...facts] : [];
  return lines.filter((line) => asText(line) !== asText(now.say)).map((line) => element('span', {}, ...line));
}

// --- the film: word after word, the light moves on and the word appears

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const READ = 75;  // milliseconds in which one reads a word of the line, beside those of the light's way to the next
const THINKING = 60000;  // milliseconds for a guess where the light will go, as a class needs, before it goes on by itself
const guessed = new Set();  // translations of which this was asked; '' for all, once somebody does not want to be asked
let playing = 0;

/** Ends the film where it is, or lets it rest there: 'paused', or as it 'asks' something. */
function stop(rests = false) {
  playing++;
  find('moving').replaceChildren();
  set({playing: rests});
}

/** Lets the film pause, or go on. */
function pause() {
  if (state.playing !== true) return play(state.written);
  stop('paused');
  set({touched: true});
}

/** Goes one Marathi word on or back, and rests there. */
function stepBy(step) {
  const {look, own, written, isShut, about} = state, {target, isComing} = look;
  let t = Math.min(written, target.length) - 1 + step;
  while (target[t] && !isWord(target[t])) t += step;
  if (!own || isComing || isShut || t < 0 || find('stage').matches('.dragging')) return;
  if (t >= target.length) return finish();
  stop('paused');
  set({written: t + 1, focus: {side: 't', i: t}, light: null, hint: null, touched: true, say: tell(look, t, about?.isMarathi ?? true)});
}

/** Writes the translation from word `from` on, of which one guessed the light, and then, if nobody has touched anything, the next sentence. */
async function play(from = 0, guess = null, why = null) {
  const number = ++playing, {source} = state.look, pace = Math.min(1, Math.max(0.5, 9 / source.length));
  const reading = () => wait(pace * (300 + READ * asText(state.say).split(' ').length));
  const count = source.filter(isWord).length, line = lineOf(state.sentence), {clientWidth, clientHeight} = find('stage');
  const begun = state.look.weights[from - 1];
  let last = begun ? {row: begun, at: apexOf(from - 1)}
    : {row: source.map(() => 1 / source.length), at: {x: clientWidth / 2, y: clientHeight / 2}};
  const say = why ?? (begun ? state.say : state.isExample ? ['Watch: ', bold('light'), ' falls on the words that the network looks at.']
    : line ? [line.previousElementSibling.textContent, '.'] : [`It reads ${count} ${count === 1 ? 'word' : 'words'} of English.`]);
  set({written: from, focus: null, light: null, playing: true, say, hint: null});
  if (why || !from) await reading();
  const isThere = async (t) => {
    while (number === playing && t >= state.look.target.length && state.look.isComing) await wait(40);
    return number === playing && t < state.look.target.length;
  };
  for (let t = from; await isThere(t); t++) {
    const {look: {target, weights, isComing, text}, look, about} = state, isMarathi = about?.isMarathi ?? true;
    const puzzle = isMarathi && !isComing && !guessed.has('') && !guessed.has(text) ? puzzleOf(look) : {};
    if (puzzle.at === t) {
      guessed.add(text);
      stop('asks');
      set({say: ['Where will it look ', ...(puzzle.isVerb ? ['for the ', bold('verb')] : [bold('next')]), '? Press a word. ', press(() => { guessed.add(''); pause(); }, {class: 'link'}, 'Go on ▸')]});
      const asking = playing;
      await wait(THINKING);
      return asking === playing && !state.touched && play(t);
    }
    const to = {row: weights[t], at: apexOf(t)};
    const isJump = t > 0 && Math.abs(brightest(weights[t]) - brightest(weights[t - 1])) > 2;
    const begin = performance.now(), milliseconds = pace * (isJump ? 750 : 450);
    for (let share = +!isWord(target[t]); share < 1;) {  // what a mark looks at means nothing
      const now = await new Promise(requestAnimationFrame);
      if (number !== playing) return;
      share = Math.min(1, Math.max(0, (now - begin) / milliseconds));
      between(last, to, share);
    }
    find('moving').replaceChildren();  // in one frame the light is there, the word, and what is told of both
    const told = tell(state.look, t, isMarathi, t === from ? guess : null);
    set({written: t + 1, ...(told && {say: told, focus: {side: 't', i: t}})});
    last = to;
    await (told ? reading() : wait(pace * 300));
  }
  if (number !== playing) return;
  finish();
  const next = shownParts().find((part) => part > state.part), done = playing;
  if (state.touched || next === undefined) return;
  await wait(2500);
  if (done === playing && !state.touched) goTo(next);
}

/** What the page says of a sentence behind its link to it; null if it has none. */
const lineOf = (sentence) => document.querySelector(`[data-sentence="${CSS.escape(sentence)}"] + span`);

/** Shows the whole picture, with what the page says of it, or the first doubt about it; of the example with what to try. */
function finish(look = state.look, example = state.isExample && tellingOf(look)) {
  const line = look === state.own && lineOf(state.sentence)?.cloneNode(true);
  stop();
  set({look, written: Infinity, focus: null, light: null, hint: null});
  set({say: line ? [...line.childNodes, '.'] : remarks(state).doubts[0] ?? tellEnd(look, example, state.about ?? {looks: true, isMarathi: true})});
}

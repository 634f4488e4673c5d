// What is told while the translation is written: one line below the stage, of at most twelve words.

const bold = (text) => element('b', languageOf(text, {lang: 'en'}), text);
const MEANINGS = 9;  // of a translation that the line has room for

/** What the line says of Marathi word t, and of the light's jump back to a verb. */
function tell({source, target, weights}, t, isMarathi) {
  const words = [...target.keys()].filter((i) => isWord(target[i])), place = words.indexOf(t);
  if (place < 0) return null;
  const row = weights[t], seen = brightest(row), before = place ? brightest(weights[words[place - 1]]) : -1;
  const {text, gloss} = target[t], isLate = place > 1 && place >= words.length - 2;
  if (isMarathi && isLate && seen < before && !/^(का|ना|नाही|नको)$/u.test(text)) {
    return ['Now it ', bold('jumps back'), ' to ', bold(source[seen].text), ': Marathi puts its verb last.'];
  }
  const most = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, row[seen] < 0.5 ? 2 : 1);
  const looks = most.flatMap((s, i) => [i ? ' and ' : '', bold(source[s].text)]);
  return [place ? 'For ' : 'To write ', bold(text), gloss ? `, “${gloss}”` : '', ', it looks at ', ...looks, '.'];
}

/** What the line says when all is written. */
function tellEnd({source, target, weights}, example, looks) {
  if (!looks) return ['This model has no eyes: one vector must hold the whole sentence.'];
  const skipped = source.filter((word, s) => isWord(word) && isSkipped(weights, s)).map(({text}) => text);
  const seen = (t) => bold(source[brightest(weights[t])].text);
  if (example) return ['Light is ', bold('attention'), '. Drag it from ', seen(example), ' to ', seen(0), '.'];
  if (!skipped.length) return ['Your turn: ', bold('drag the light'), ' of a word to another English word.'];
  const more = skipped.length > 4 ? ` and ${skipped.length - 4} more` : '';
  return ['It never looked at ', bold(skipped.slice(0, 4).join(', ')), `${more}. Drag a light there!`];
}

/** "Looking at Dad, it says “Dad · for me · Dad's”.": what is written means, word by word; of much the changed words alone. */
function meanings(begin, {target, fresh}, written = Infinity) {
  const words = [...target.keys()].filter((t) => isWord(target[t]));
  const shown = (words.length > MEANINGS ? words.filter((t) => fresh.has(t)) : words).filter((t) => t < written);
  const said = shown.slice(0, MEANINGS).flatMap((t, i) => {
    const {text, latin, gloss} = target[t], meaning = gloss || latin || text;
    return [i ? ' · ' : '', fresh.has(t) ? bold(meaning) : meaning];
  });
  return [...begin, ' “', ...said, written < target.length ? ' …' : '”.'];
}

/** Returns below how many percent a translation or a word of it is a guess, as was counted for this network. */
const guessLimit = () => state.about?.certainty?.bands.at(-2).from ?? 0;

/** What the line says of a word that somebody points at. */
function tellFocus({source, target, weights}, {side, i}) {
  if (side === 's') return [bold(source[i].text), ' is looked at by ', inWords(target, column(weights, i), 2), '.'];
  const {text, latin, gloss, sure} = target[i], guess = sure < guessLimit() ? `: a guess, ${sure}% sure.` : '.';
  return [bold(text), latin ? ` ${latin}` : '', gloss ? `, “${gloss}”` : '', ' looks at ', inWords(source, weights[i], 2), guess];
}

/** Why a text is not translated: the line, and for whom. */
const REFUSALS = {
  marathi: () => [
    element('span', {lang: 'mr'}, 'हे नेटवर्क फक्त इंग्रजी वाचते. कृपया इंग्रजी वाक्य लिहा.'), ' It reads only English.'],
  foreign: () => ['It knows none of these words: it reads only English.'],
  wordless: () => ['There are no words in this. Write an English sentence.'],
  empty: () => ['Write an English sentence first.'],
  long: ({letters}) => [`${letters.toLocaleString('en')} letters are too many at once: 500 is the most.`],
};

/** What stands in small type below the line: how sure the network is, what it does not know, and what can be mended. */
function notes({answer, part, look, own, about, sentence}) {
  if (!own) return [];
  const {unknown = [], added, cut, lost = [], more = []} = answer?.parts[part] ?? {}, kept = (answer?.parts ?? []).filter((each) => each.kept);
  const most = about?.certainty?.most_words ?? Infinity, mended = unknown.filter(({near}) => near);
  const isGuess = own === look && own.sure < guessLimit(), isBeyond = isGuess && own.source.filter(isWord).length > most;
  const mend = (words) => words.reduce((text, {text: typed, near}) =>
    text.replace(new RegExp(`(?<!\\p{L})${typed}(?!\\p{L})`, 'gu'), near), sentence);
  const button = (label, action) => press(action, {class: 'link'}, label);
  const fix = (label, words) => button(label, () => translate(mend(words)));
  return [
    own !== look && !look.way.uniform ? [button('Let it look by itself again', putBack)] : null,
    isBeyond ? [`It learned short everyday sentences, 95 of 100 of at most ${most} words: this is beyond it.`] : null,
    unknown.length && (!isBeyond || mended.length) ? ['It never saw ', bold(unknown.map(({text}) => text).join(', ')), `: a guess.`,
      ...(mended.length ? [' Did you mean', ...mended.flatMap((word) => [' ', fix(word.near, [word])]), '?'] : []),
      ...(mended.length > 1 ? [' ', fix('Fix all', mended)] : [])] : null,
    kept.length ? ['It reads English, and leaves ', bold(kept.map((each) => each.kept).join(' ')), ' as it is.'] : null,
    lost.length ? ['It left out ', bold(lost.join(', ')), '.'] : null,
    more.length ? ['It wrote ', bold(more.join(', ')), ' too often.'] : null,
    cut ? [`It read only the first ${cut} pieces: make two sentences of it.`] : null,
    isGuess && !isBeyond ? [`Only ${own.sure}% sure: do not trust it.`] : null,
    added && !unknown.length ? [`Added “${added}”: it learned from sentences that end with one.`] : null,
  ].filter((line) => line).map((line) => element('span', {}, ...line));
}

// --- the film: word after word, the light moves on and the word appears

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const READ = 110;  // milliseconds in which one reads a word of the line
let playing = 0;

/** Ends the film where it is. */
function stop() {
  playing++;
  find('moving').replaceChildren();
  set({playing: false});
}

/** Moves the light to word t; false if another film has begun. */
function sweep(number, from, to, milliseconds) {
  return new Promise((done) => {
    const begin = performance.now(), tick = (now) => {
      if (number !== playing) return done(false);
      const share = Math.min(1, (now - begin) / milliseconds);
      between(from, to, Math.max(0, share));
      if (share < 1) requestAnimationFrame(tick);
      else done(true);
    };
    requestAnimationFrame(tick);
  });
}

/** Writes the translation from word `from` on, and then, if nobody has touched anything, the next sentence. */
async function play(from = 0) {
  const number = ++playing, {source} = state.look, pace = Math.min(1, Math.max(0.5, 9 / source.length));
  const reading = () => wait(pace * (300 + READ * asText(state.say).split(' ').length));
  const count = source.filter(isWord).length, {clientWidth, clientHeight} = find('stage');
  let last = {row: source.map(() => 1 / source.length), at: {x: clientWidth / 2, y: clientHeight / 2}};
  const say = state.isExample ? ['Watch: ', bold('light'), ' falls on the words that the network looks at.']
    : [`It reads ${count} ${count === 1 ? 'word' : 'words'} of English.`];
  set({written: from, focus: null, light: null, playing: true, say, hint: null});
  if (!from) await reading();
  const isThere = async (t) => {
    while (number === playing && t >= state.look.target.length && state.look.isComing) await wait(40);
    return number === playing && t < state.look.target.length;
  };
  for (let t = from; await isThere(t); t++) {
    const {weights} = state.look, to = {row: weights[t], at: apexOf(t)};
    const isJump = t > 0 && Math.abs(brightest(weights[t]) - brightest(weights[t - 1])) > 2;
    set({light: source.map(() => 0)});
    if (!await sweep(number, last, to, pace * (isJump ? 750 : 450))) return;
    find('moving').replaceChildren();  // in one frame the light is there, the word, and what is told of both
    const told = tell(state.look, t, state.about?.isMarathi ?? true);
    set({say: told ?? state.say, focus: {side: 't', i: t}, written: t + 1, light: null});
    last = to;
    await (told ? reading() : wait(pace * 300));
  }
  if (number !== playing) return;
  finish();
  if (state.isExample) return beckon();
  const next = shownParts().find((part) => part > state.part), done = playing;
  if (state.touched || next === undefined) return;
  await wait(2500);
  if (done === playing && !state.touched) goTo(next);
}

/** Shows what a hand can do: the light of one word goes to the next English word and back. */
async function beckon() {
  const number = playing, {look: {source, weights}, picked: t} = state, at = apexOf(t), s = brightest(weights[t]);
  const away = s + (source[s + 1] && isWord(source[s + 1]) ? 1 : -1), mix = (from, to) => from + 0.6 * (to - from);
  const held = (place, row) => ({row, at, hand: {x: mix(at.x, boxes.s[place].x), y: mix(at.y, boxes.s[place].y)}});
  await wait(900);
  if (number !== playing || state.touched) return;
  set({focus: {side: 't', i: t}, light: source.map(() => 0), playing: true});
  const here = held(s, weights[t]), there = held(away, source.map((_, j) => +(j === away)));
  if (await sweep(number, here, there, 1100) && await sweep(number, there, here, 1100)) finish();
}

/** Shows the whole picture. */
function finish() {
  stop();
  const say = tellEnd(state.look, state.isExample && state.picked, state.about?.looks ?? true);
  set({written: Infinity, focus: null, light: null, say, hint: null});
}

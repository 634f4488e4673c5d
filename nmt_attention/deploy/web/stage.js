// The stage: a sentence, its translation, and the light between them. Text becomes text nodes, never HTML.

const NARROW = 704, UPRIGHT = 54, STAYS = 0.8;  // pixels: a narrower window stands its words upright, if each has so many; and they stay so with less
const BRIGHT = 0.95, FAINT = 0.1, WHOLE = 0.75, BESIDE = 0.4;  // of a light of weight 1 in focus, out of it or of a mark, where none is, and beside a moved one
const LONG = 24;  // letters, Marathi or Latin, of a word that is broken into several lines
const MANY = 12;  // words, of more of which all the lights together would be a tangle
const EVEN = 0.35;  // as which a weight is drawn of a light that falls on all words alike, however many they are
const DIMMED = 0.85;  // the share of a light that is left out where it passes a row of words on its way to another
const GRABBED = 0.2;  // the weight of light that can be taken in the hand, even if its word looks more elsewhere
const find = (id) => document.getElementById(id);
const boxes = {s: [], t: []};  // where the words stand

/** Makes an SVG element. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Makes an element with a style, which the page's policy forbids among its attributes. */
function styled(style, ...made) {
  const one = element(...made);
  for (const [key, value] of Object.entries(style)) one.style.setProperty(key, value);
  return one;
}

/** The attributes of a text's language and direction: as language.py. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
function languageOf(text, otherwise = {}) {
  if (/[\u0900-\u097f]/.test(text)) return {lang: 'mr'};
  const letters = [...text].filter((letter) => /\p{L}/u.test(letter));
  if (2 * letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length > letters.length) return {lang: '', dir: 'rtl'};
  return letters.every((letter) => /\p{Script=Latin}/u.test(letter)) ? otherwise : {lang: ''};
}

const isWord = ({text}) => /[\p{L}\p{N}]/u.test(text);
const isSound = ({gloss, latin}) => !gloss && latin;  // a word of which only the sound is known
const inEnglish = (words) => words.flatMap((word, i) => [
  i ? ' · ' : '', isSound(word) ? element('i', {lang: 'mr-Latn'}, word.latin) : word.gloss || word.text]);
const italicsOf = (words) => (words.some(isSound) ? ' Italics: sound only.' : '');
const brightest = (row) => row.indexOf(Math.max(...row));
const column = (weights, s) => weights.map((row) => row[s]);
const percent = (share) => `${Math.round(100 * share)}%`;
const asText = (parts) => parts.map((part) => part.textContent ?? part).join('');
const isTall = () => find('stage').classList.contains('tall');

/** "camera 90%, a 6%": the words with the greatest weights. */
function inWords(words, weights, most = 3) {
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).filter((i) => weights[i] >= LEAST);
  return order.slice(0, most).map((i) => `${words[i].text} ${percent(weights[i])}`).join(', ') || 'nothing much';
}

/** Returns the places of words that are not in the longest sequence that they share with others. */
function differences(words, others) {
  let shared = Array(others.length + 1).fill([]);  // places of the longest sequence of words i … and others j …
  for (let i = words.length - 1; i >= 0; i--) {
    const next = [...Array(others.length), []];
    for (let j = others.length - 1; j >= 0; j--) {
      const longer = shared[j].length >= next[j + 1].length ? shared[j] : next[j + 1];
      next[j] = words[i].text === others[j].text ? [i, ...shared[j + 1]] : longer;
    }
    shared = next;
  }
  return new Set([...words.keys()].filter((i) => !shared[0].includes(i)));
}

/** A word of the translation, how it sounds, and what it means. */
function spell({text, latin, gloss}) {
  const small = [element('i', {lang: 'mr-Latn'}, latin), ...(gloss ? [' ', element('b', {lang: 'en'}, gloss)] : [])];
  return [element('span', languageOf(text), text), ...(latin ? [element('small', {}, ...small)] : [])];
}

/** How word t of a translation is marked: as wrong or as new. */
const nameOf = (look, t) => (wrongOf(look, look.target[t]) ? 'amiss' : look.fresh?.has(t) ? 'fresh' : '');

function drawWords({look, look: {source, target, weights}}) {
  const word = (side, i, {text, latin = ''}, name, ...parts) => element('button', {
    type: 'button', class: `w ${name} ${Math.max(text.length, latin.length) > LONG ? 'long' : ''}`.trim(), [`data-${side}`]: i, tabindex: i ? -1 : 0,
  }, ...parts, element('span', {class: 'unseen'}, side === 't' ? `, looked at ${inWords(source, weights[i])}`
    : `, looked at by ${inWords(target, column(weights, i))}`));
  find('english').replaceChildren(...source.map((each, s) => (
    word('s', s, each, each.unknown ? 'unknown' : '', element('span', languageOf(each.text, {lang: 'en'}), each.text)))));
  find('marathi').setAttribute('aria-label', look.text || 'translation');
  find('marathi').replaceChildren(...target.map((each, t) => word('t', t, each, nameOf(look, t), ...spell(each))));
  fit();
}

/** What the page says of a word that is wrong for this English sentence, where it shows that as an example; else null. */
function wrongOf({source}, {text}) {
  const {dataset, content} = document.querySelector('#wrong') ?? {}, said = source.filter(isWord).map((word) => word.text.toLowerCase()).join(' ');
  return dataset?.word === text && dataset.source === said ? [...content.cloneNode(true).childNodes] : null;
}

/** Sets the words in the largest type that fits the stage: side by side, a long line in rows, or on a phone upright, line beside line. */
function fit() {
  const stage = find('stage'), lines = [find('english'), find('marathi')], count = Math.max(...lines.map(({children}) => children.length), 3);
  const size = (line) => parseFloat(getComputedStyle(line).fontSize), {clientWidth, clientHeight} = document.documentElement, isNarrow = clientWidth < NARROW;
  const wide = ({children: [first], lastChild, scrollWidth}) => (
    isTall() || !first ? scrollWidth : lastChild.getBoundingClientRect().right - first.getBoundingClientRect().left);
  const least = UPRIGHT * (isTall() ? STAYS : 1);
  stage.className = '';
  for (const line of lines) line.classList.remove('wrapped');
  const room = Math.max(parseFloat(getComputedStyle(stage).minHeight), clientHeight - find('one').offsetHeight + stage.offsetHeight);
  stage.classList.toggle('tall', isNarrow && room >= least * count);
  const most = isTall() ? Math.min(28, 0.5 * room / count) : Math.min(size(stage), room / 6.5);  // or the light is short
  for (const line of lines) line.style.fontSize = `${most}px`;
  for (let i = isTall() ? 2 : 0; i < 3; i++) {  // the small letters below a word have a least size; after each change all words are laid out again
    const sizes = lines.map((line) => Math.floor(2 * Math.min(most, 0.99 * size(line) * line.clientWidth / wide(line))) / 2);
    lines.forEach((line, j) => { line.style.fontSize = `${sizes[j]}px`; });
  }
  const readable = Math.min(Math.max(clientWidth / 30, 28), room / 9);
  const long = isTall() ? [] : lines.filter((line, i) => size(line) < (i && !isNarrow ? 0.6 : 1) * readable);
  for (const line of long) line.classList.add('wrapped');
  for (let high = readable; long.length && high >= 14; high *= 0.94) {
    for (const line of long) line.style.fontSize = `${high}px`;
    if (lines[0].offsetHeight + lines[1].offsetHeight < 0.7 * room) break;
  }
  const {left: x0, top: y0} = stage.getBoundingClientRect();
  const boxOf = (part) => {
    const {left, right, top, bottom} = part.getBoundingClientRect(), [l, r, t, b] = [left - x0, right - x0, top - y0, bottom - y0];
    return {l, r, t, b, x: (l + r) / 2, y: (t + b) / 2};
  };
  boxes.s = [...lines[0].children].map(boxOf);
  boxes.t = [...lines[1].children].map(({firstChild}) => boxOf(firstChild));
  const rows = [...stage.querySelectorAll('.wrapped .w')].map(boxOf), tips = boxes.t.map((_, t) => apexOf(t));
  find('rows').replaceChildren(
    drawn('g', {opacity: DIMMED}, ...rows.map(({l, r, t, b}) => drawn('rect', {x: l - 9, y: t, width: r - l + 18, height: b - t - 3}))),
    ...tips.map(({x, y}) => drawn('circle', {cx: x, cy: y, r: 9, fill: '#fff'})));
  for (const [end, on] of [['x2', isTall()], ['y2', !isTall()]]) find('beam').setAttribute(end, +on);
  drawLight(state);
}

/** Where the light of Marathi word t gathers. */
const apexOf = (t, {l, x, y, t: top} = boxes.t[t]) => (isTall() ? {x: l - 10, y} : {x, y: top - 6});

/** Where it falls on English word s. */
const endOf = (s, {r, b, x, y} = boxes.s[s]) => (isTall() ? {x: r, y} : {x, y: b});

/** A point between the two, at a share of the way. */
function pointIn(t, s, share) {
  const from = apexOf(t), to = endOf(s);
  return {x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)};
}

/** The edge of the light from a point to English word s. */
function coneOf(s, {x, y}) {
  const {l, r, t, b, x: middle, y: height} = boxes.s[s];
  return `M${x} ${y} ${isTall() ? `L${r} ${t} Q${r + 7} ${height} ${r} ${b}` : `L${l} ${b - 3} Q${middle} ${b + 5} ${r} ${b - 3}`} Z`;
}

/** The place from which the light of Marathi word t was moved, dashed, and an arrow from there to where it is. */
function trail(t, was, now) {
  const from = apexOf(t), [a, middle, b] = [pointIn(t, was, 0.6), pointIn(t, was, 0.7), pointIn(t, now, 0.6)];
  const bend = {x: (middle.x + b.x) / 2, y: (middle.y + b.y) / 2}, turn = Math.atan2(b.y - bend.y, b.x - bend.x) * 180 / Math.PI;
  return was === now ? [] : [
    drawn('path', {class: 'trail', d: coneOf(was, from), fill: 'none', 'stroke-dasharray': '2 7'}),
    drawn('path', {class: 'trail', d: `M${a.x} ${a.y} Q${bend.x} ${bend.y} ${b.x} ${b.y}`, fill: 'none'}),
    drawn('path', {class: 'trail', d: 'M-12 -7 L0 0 L-12 7', fill: 'none', transform: `translate(${b.x} ${b.y}) rotate(${turn})`})];
}

/** Cones from a point to the English words of a row of weights, and the lamp at the point of a bright one. */
function cones(row, {x, y}, strength) {
  const seen = [...row.keys()].filter((s) => row[s] >= LEAST && boxes.s[s]), isLamp = strength === BRIGHT && seen.some((s) => row[s] >= GRABBED);
  return [...seen.map((s) => drawn('path', {d: coneOf(s, {x, y}), fill: 'url(#beam)', 'fill-opacity': (Math.min(1, 1.05 * row[s]) * strength).toFixed(3)})),
    ...(isLamp ? [drawn('circle', {class: 'lamp', cx: x, cy: y, r: 6, fill: 'url(#beam)'})] : [])];
}

/** Shows the light of all that is written, and brightly that of the word in focus, of many words that of the chosen one. */
function drawLight({look, own, written, focus: pointed, light, isExample, playing, picked, isShut}) {
  const focus = pointed ?? (isShut || (written > look.target.length && look.target.length > MANY) ? {side: 't', i: picked} : null);
  const {source, target, way: {was}} = look, weights = isShut ? look.weights.map((row) => row.map(() => EVEN)) : look.weights;
  const rest = target.some(({held}) => held !== undefined) ? BESIDE : WHOLE;
  const shown = weights.slice(0, written), asker = focus?.side === 't' ? focus.i : null;
  const seen = focus?.side === 's' ? focus.i : null, row = light ?? weights[asker];
  const still = shown.map((each, t) => {
    if (t === asker) return light ? [] : cones(each, apexOf(t), BRIGHT);
    if (seen === null) return cones(each, apexOf(t), focus ? FAINT : target[t].held !== undefined ? BRIGHT : isWord(target[t]) ? rest : FAINT);
    return cones(each.map((weight, s) => (s === seen ? weight : 0)), apexOf(t), BRIGHT);
  });
  const trails = shown.flatMap((each, t) => {
    const isHeld = light && t === asker, old = isHeld ? each : was?.[target[t].held];
    return old ? trail(t, brightest(old), brightest(isHeld ? light : each)) : [];
  });
  const hand = isExample && look === own && written >= weights.length ? tellingOf(look) : null;
  const invites = (hand === null ? [] : [pointIn(hand, brightest((hand === asker && light) || weights[hand]), 0.07)])
    .map(({x, y}) => drawn('circle', {class: 'lamp invites', cx: x, cy: y, r: 8}));
  find('light').replaceChildren(...still.flat(), ...(light && asker !== null ? cones(light, apexOf(asker), BRIGHT) : []), ...trails, ...invites);
  for (const [t, word] of [...find('marathi').children].entries()) {
    word.classList.toggle('on', t < written);
    word.classList.toggle('asked', playing === 'asks' && t === written);
    word.classList.toggle('aside', playing && asker !== null && t !== asker);
    word.style.setProperty('--b', seen === null ? 1 : 0.3 + 0.7 * (weights[t]?.[seen] ?? 0));
  }
  for (const [s, word] of [...find('english').children].entries()) {
    const share = row ? row[s] : seen !== null ? +(s === seen) : 0.85 * Math.max(0, ...column(shown.filter((_, t) => isWord(target[t])), s));
    word.style.setProperty('--b', (share ?? 0).toFixed(3));  // it is as bright as its weight
    word.dataset.share = !isShut && row?.[s] >= GRABBED ? percent(row[s]) : '';
    word.classList.toggle('lit', handleOf(state, {side: 's', i: s}) !== undefined);
  }
}

/** The light on its way from one row of weights and one point to others, at a share of the way; what is told of stays lit. */
function between(from, to, share) {
  const ease = share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2;
  const mix = (a, b) => a + (b - a) * ease;
  const row = to.row.map((weight, s) => mix(from.row[s] ?? 0, weight));
  find('moving').replaceChildren(...cones(row, {x: mix(from.at.x, to.at.x), y: mix(from.at.y, to.at.y)}, WHOLE));
}

/** Whether a row's light on English word s is one that can be taken in the hand. */
const isHandle = (row, s) => row[s] >= GRABBED || s === brightest(row);

/** Returns the Marathi word whose light is taken at a word: at an English one the word told of, or that looks there most. */
const handleOf = ({look: {weights}, picked}, word) => (word?.side !== 's' ? word?.i
  : [picked, brightest(column(weights, word.i))].find((t) => weights[t] && isHandle(weights[t], word.i)));

/** Returns the Marathi word whose light a point of the stage is in, or almost in; of several the one with the nearest axis; not before a share of the way. */
function lightAt({x, y}, almost, least = 0) {
  const lights = state.look.weights.flatMap((row, t) => row.flatMap((weight, s) => {
    const apex = apexOf(t), end = endOf(s), {l, r, t: top, b} = boxes.s[s];
    const share = isTall() ? (x - apex.x) / (end.x - apex.x) : (y - apex.y) / (end.y - apex.y);  // of the way to the English word
    const axis = pointIn(t, s, share), away = Math.hypot(x - axis.x, y - axis.y), beside = away - share * (isTall() ? b - top : r - l) / 2;
    return share < least || share > 1 || !isHandle(row, s) || beside > almost ? [] : [{t, away, beside}];
  }));
  return lights.sort((a, b) => Math.max(0, a.beside) - Math.max(0, b.beside) || a.away - b.away)[0]?.t ?? null;
}

// Texts as people type them: the JavaScript of decoding/sentences.py, signs.py, typed.py and foreign.py. Each sentence
// is translated by itself, with a mark if it lacks one, and the translations are joined.

/** Makes what the functions below call `sentences` from what browser.py wrote. */
function makeSentences(saved) {
  const pattern = (text, flags = 'u') =>
    new RegExp(text.replace(/\\[dsw]/g, (letters) => saved.classes[letters]), flags);
  const {boundary, notAtEnd, question, hasFinalMark, letter, counter, word, before, last, anyLetter} = saved.patterns;
  const one = (marks) => `[${[...marks].map((mark) => `\\u{${mark.codePointAt(0).toString(16)}}`).join('')}]`;
  const table = (rules) => rules.map(([from, to]) => [pattern(from, 'gu'), to.replace(/\\(\d)/g, '$$$1')]);
  const {markup, among, spacing, spellings} = saved.tables;
  return {
    digits: saved.digits,
    before: pattern(`^(?:${before})`), last: pattern(`(?:${last})$`), anyLetter: pattern(anyLetter),
    markup: table(markup), among: table(among), spacing: table(spacing), spellings: table(spellings),
    foreign: new Set(saved.foreign),
    boundary: pattern(boundary, 'gu'),
    notAtEnd: pattern(notAtEnd),
    question: pattern(`^${one(saved.quoted)}*${question}`, 'iu'),
    hasFinalMark: pattern(hasFinalMark),
    letter: pattern(letter),
    counter: pattern(`^(?:${counter})`),
    word: pattern(word, 'gu'),
    letters: new Set(saved.letters),
    mostly: saved.mostly, enough: saved.enough, beamSize: saved.beamSize,
    number: pattern('^[\\d]+[^]$'),
    digit: pattern('^[\\d]$'),
    ends: pattern('^[\\s]+|[\\s]+$', 'gu'),
    opening: new RegExp(`^${one(saved.opening)}*`, 'u'),
    noEnd: new RegExp(`${one(saved.noEnd)}+$`, 'u'),
    finalMarks: new RegExp(`${one(`${saved.finalMarks} `)}+$`, 'u'),
  };
}

/** Returns the signs before a text, the text without signs among its words, and the signs after it; see signs.py. */
function splitSigns(rules, whole) {
  const text = rewritten(whole, rules.markup), [before] = text.match(rules.before) ?? [''];
  let rest = text.slice(before.length);
  for (let match; rest && (match = rest.match(rules.last));) rest = rest.slice(0, match.index);
  const after = text.slice(before.length + rest.length);
  const body = after.replace(rules.ends, '') ? rest : text.slice(before.length);
  if (!rules.anyLetter.test(body)) return ['', whole, ''];
  return [before, rewritten(body, rules.among), body === rest ? after : ''];
}

/** Returns the sentences of a text, each as [sentence, the white space after it]. */
function splitSentences(rules, text) {
  const sentences = [], capitals = /\p{Uppercase}/u.test(text);
  let start = 0;
  for (const {0: match, 1: marks, 2: space, index} of text.matchAll(rules.boundary)) {
    const end = index + marks.length, sentence = text.slice(start, end);
    const [following] = text.slice(index + match.length).replace(rules.opening, '');
    const number = rules.number.test(sentence.replace(rules.ends, ''))
      || (rules.digit.test(following) && sentence.endsWith('No.'));
    const small = capitals && /\p{Lowercase}/u.test(following);
    if (small || number || rules.notAtEnd.test(sentence) || inQuotation(sentence)) continue;
    sentences.push([sentence, space]);
    start = index + match.length;
  }
  return [...sentences, [text.slice(start), '']];
}

function inQuotation(text) {
  const count = (mark) => text.split(mark).length - 1;
  return count('"') % 2 === 1 || count('“') > count('”') || count('«') > count('»');
}

const lacksMark = (rules, sentence) => rules.letter.test(sentence) && !rules.hasFinalMark.test(sentence);

const addFinalMark = (rules, sentence) =>
  sentence.replace(rules.noEnd, '') + (rules.question.test(sentence) ? '?' : '.');

/** Translates a text, sentence by sentence, as `Translator.n_best` does.
 *
 * options: those of `translate`; `part`: which sentence gets `prefix`; `places`: those of the text's own translation,
 * of whose tokens `given` has the weights and `step` the number.
 *
 * Returns {parts, hypotheses}. A part is what `translate` returns of a sentence, with `bare`, whether it got a mark, its
 * `counter` of a list, and the `space` behind it; signs around the text are parts of these. A hypothesis is {text,
 * sourceTokens, targetTokens, ids, attention, score, found}, where `found` has the hypothesis of each part. A text
 * without letters stays as it is and has no part.
 */
function translateText(model, text, {prefix = [], part = 0, places = [], ...options} = {}) {
  const rules = model.sentences;
  const [before, body, after] = rules ? splitSigns(rules, text) : ['', text, ''];
  text = unescapeEntities(body, model.rules);
  const pieces = !rules ? [[text, '']]
    : rules.letter.test(text) ? splitSentences(rules, rewritten(text, rules.spacing)) : [];
  const parts = pieces.map(([whole, space], i) => {
    const [counter] = (rules && whole.match(rules.counter)) ?? [''], typed = whole.slice(counter.length);
    const bare = rules !== null && lacksMark(rules, whole), own = {...options, prefix: i === part ? prefix : []};
    if (places[i]) Object.assign(own, switchesAt(places[i], options));
    const read = rules ? rewritten(typed, rules.spellings) : typed;
    const found = translateKnown(model, typed, bare ? addFinalMark(rules, read) : read, own);
    return {...found, hypotheses: bare ? unmarked(rules, found.hypotheses) : found.hypotheses, bare, space,
      counter: inDigits(rules, counter)};
  });
  const filled = parts.every(({kept}) => kept) ? [] : parts.filter(({source}) => source);
  if (filled.length) {
    filled[0].counter = before + filled[0].counter;
    filled[filled.length - 1].space += after;
  }
  if (!rules || filled.length) return {parts: filled, hypotheses: filled.length ? joinParts(model, filled) : []};
  const kept = before + (parts.length
    ? parts.map(({counter, hypotheses: [{text}], space}) => counter + text + space).join('')
    : inDigits(rules, text.replace(rules.ends, ''))) + after;
  const nothing = {text: kept, sourceTokens: [], targetTokens: [], attention: [], score: 0, found: []};
  return {parts: [], hypotheses: kept ? [nothing] : []};
}

/** Translates a sentence as `translate` does. One of which nothing is known stays as it was typed: `kept`. If the best
 * hypothesis lacks or repeats hidden words, a beam looks for a better one. */
function translateKnown(model, typed, sentence, options) {
  const {sentences: rules} = model;
  if (rules && isForeign(model, rules, typed, sentence)) {
    const source = {masked: mask(model, ''), sourceTokens: [], padding: 0};
    const whole = {text: typed, sourceTokens: [], targetTokens: [], ids: [], attention: [], score: 0};
    return {source, hypotheses: [whole], history: [], kept: true};
  }
  const found = translate(model, sentence, options);
  if (!rules || !found.source || options.prefix.length) return found;
  const {source: {masked, sourceTokens}, hypotheses} = found, [first, ...others] = hypotheses;
  if (faultsOf(model, masked, first.text) === 0 || sourceTokens.length >= maxSourceLength(model)) return found;
  const isGreedy = (options.beamSize ?? 1) === 1;
  const beam = isGreedy ? translate(model, sentence, {...options, beamSize: rules.beamSize}) : found;
  const candidates = [first, ...beam.hypotheses], faults = candidates.map(({text}) => faultsOf(model, masked, text));
  const best = candidates[faults.indexOf(Math.min(...faults))];
  return {...(best === first ? found : {...found, history: beam.history}),
    hypotheses: [best, ...others.filter(({text}) => text !== best.text)]};
}

/** Returns how many hidden words a translation lacks, in thousands, and how many it repeats. */
function faultsOf({names}, {text: hidden, spelled}, text) {
  let faults = 0;
  for (const [symbol, written] of spelled) {
    const count = (text.match(names.beginningWord(written, beforeEnding(names, symbol, written))) ?? []).length;
    faults += count ? count > hidden.split(symbol).length - 1 : 1000;
  }
  return faults;
}

/** Returns whether nothing of a sentence, as it is typed and as it is read, is known; see `is_foreign`. */
function isForeign(model, rules, typedText, sentence) {
  const present = typedText.match(/\p{L}/gu) ?? [];
  if (present.filter((letter) => !rules.letters.has(letter)).length > rules.mostly * present.length) return true;
  if (!model.names) return false;
  const wordsOf = (text) => [...new Set(text.toLowerCase().match(rules.word) ?? [])];
  const isKnown = (word) => model.names.known.has(word) || model.names.listedSmall.has(word);
  const typed = wordsOf(typedText), isTyped = (word) => typed.includes(word);
  const words = wordsOf(mask(model, sentence).text).filter(isTyped);
  if (typed.some((word) => rules.foreign.has(word) && !isKnown(word))) {
    return words.every((word) => !isKnown(word) || model.names.listed.has(word[0].toUpperCase() + word.slice(1)));
  }
  const telling = words.filter((word) => [...word].length > 1).length > 1
    || (words.length > 0 && typed.length >= rules.enough && !typed.some(isKnown));
  return telling && !words.some(isKnown);
}

const inDigits = (rules, text) => text.replace(/[0-9]/g, (digit) => rules.digits[digit] ?? digit);

/** Returns the switches of a whole text for the sentence at this place. */
const switchesAt = ({found, s, t, end}, {given, step}) => (
  {given: given.slice(s, s + found.sourceTokens.length), step: step >= t && step < end ? step - t : -1});

/** Returns the translations of a text: the k-th joins the k-th of each sentence; each text occurs once. */
function joinParts(model, parts) {
  const joined = new Map();
  for (let k = 0; k < Math.max(...parts.map(({hypotheses}) => hypotheses.length)); k++) {
    const found = parts.map(({hypotheses}) => hypotheses[Math.min(k, hypotheses.length - 1)]);
    const whole = joinFound(model, parts, found);
    if (!joined.has(whole.text)) joined.set(whole.text, whole);
  }
  return [...joined.values()];
}

/** Returns a text's translation from the hypotheses of its sentences: their attention becomes blocks of one matrix. */
function joinFound(model, parts, found) {
  const {sources, targets, weights} = joinTables(found.map(({ids, sourceTokens, targetTokens, attention}, i) =>
    withoutInnerEnd({sources: sourceTokens, targets: targetTokens, weights: attention}, hasInnerEnd(parts, ids, i))));
  return {
    text: found.map((hypothesis, i) => parts[i].counter + hypothesis.text + parts[i].space).join(''),
    sourceTokens: sources, targetTokens: targets, attention: weights, found,
    ids: found.flatMap(({ids}, i) => (hasInnerEnd(parts, ids, i) ? ids.slice(0, -1) : ids)),
    score: found.reduce((sum, {score}) => sum + score, 0),
  };
}

/** Returns hypotheses without the marks at their end, and of those with the same text only the first. */
function unmarked({finalMarks}, hypotheses) {
  const texts = hypotheses.map(({text}) => text.replace(finalMarks, ''));
  return hypotheses.map((each, i) => ({...each, text: texts[i]})).filter((_, i) => texts.indexOf(texts[i]) === i);
}

/** Returns the text of a whole sentence without the mark that was added. */
const partText = (model, {bare}, text) => (bare ? text.replace(model.sentences.finalMarks, '') : text);

/** Returns whether these ids of sentence i have an end that is left out, because others follow. */
const hasInnerEnd = (parts, ids, i) => i < parts.length - 1 && ids[ids.length - 1] === END;

function withoutInnerEnd({sources, targets, weights}, isInner) {
  const shown = isInner ? -1 : undefined;
  return {sources, targets: targets.slice(0, shown), weights: weights.slice(0, shown)};
}

/** Puts tables of weights, {sources, targets, weights} each, along the diagonal of one. */
function joinTables(tables) {
  const sources = tables.flatMap((table) => table.sources), targets = tables.flatMap((table) => table.targets);
  let before = 0;
  const weights = tables.flatMap((table) => {
    const start = before;
    before += table.sources.length;
    return table.weights.map((row) => [...Array(start).fill(0), ...row,
      ...Array(sources.length - start - table.sources.length).fill(0)]);
  });
  return {sources, targets, weights};
}

/** Merges a text's tokens into words, sentence by sentence; see `mergeSubwords`. A word's positions count the tokens of
 * the text. */
function mergeText(model, parts, {found}) {
  const places = placesOf(parts, {found});
  const moved = (words, by) => words.map((word) => ({...word, positions: word.positions.map((place) => place + by)}));
  const {sources, targets, weights} = joinTables(parts.map((part, i) => {
    const {sourceWords, targetWords, weights} = mergeSubwords(model, part.source, found[i]);
    const table = {sources: moved(sourceWords, places[i].s), targets: moved(targetWords, places[i].t), weights};
    return withoutInnerEnd(table, hasInnerEnd(parts, found[i].ids, i));
  }));
  return {sourceWords: sources, targetWords: targets, weights};
}

/** Returns where each sentence of a text stands among all tokens: [{part, found, s, t, end}], its first source and target
 * token and the one behind its last. */
function placesOf(parts, {found}) {
  let s = 0, t = 0;
  return parts.map((part, i) => {
    const {ids, sourceTokens} = found[i], place = {part, found: found[i], s, t};
    place.end = t + ids.length - hasInnerEnd(parts, ids, i);
    [s, t] = [s + sourceTokens.length, place.end];
    return place;
  });
}

/** Returns the text of the first tokens of a text. */
function textOfFirst(model, places, count) {
  return places.map(({part, found: {ids}, t}) => {
    const text = textOf(model, part.source, ids.slice(0, Math.max(0, count - t)));
    const isWhole = count - t >= ids.length - (ids[ids.length - 1] === END);
    return text && part.counter + (isWhole ? partText(model, part, text) + part.space : text);
  }).join('');
}

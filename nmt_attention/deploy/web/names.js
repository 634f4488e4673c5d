// Names, loan words and numbers that a model does not know: the JavaScript of placeholders.py and transliterator.py.
//
// Symbols take their places while the model translates, and then a second model writes them letter by letter.

/** Makes what the functions below call `names` from what browser.py wrote. */
function makeNames(saved, rules) {
  const pattern = (text) => new RegExp(text.replace(/\\[dw]/g, (letters) => saved.classes[letters]), 'gu');
  const {word, nameLike, beforeSentence, following, wordStart, ending, syllables} = saved.patterns;
  const listed = new Map(Object.entries(saved.listed).map(([name, [text, kind]]) => [name, {text, kind}]));
  return {
    ...saved, listed,
    model: makeModel(saved.model, rules),
    known: new Set(saved.known),
    symbols: new Map(Object.entries(saved.symbols)),
    byLetters: new Map([...listed].map(([name, spelled]) => [lettersOf(name), spelled])),
    word: pattern(word),
    nameLike: pattern(`^(?:${nameLike})$`),
    beforeSentence: pattern(beforeSentence),
    following: pattern(`^${following}`),
    syllables: pattern(`^(?:${syllables})$`),
    ending: pattern(`^${ending}`),
    obliques: new Map(Object.entries(saved.obliques)),
    beginningWord: (bare, oblique) => pattern(
      `${wordStart}(?:${escaped(bare)}(?!${ending})|${escaped(oblique)}(?=${ending}))`),
  };
}

const escaped = (text) => [...text].map((letter) => `\\u{${letter.codePointAt(0).toString(16)}}`).join('');

// --- transliterator.py

/** What the second model reads: the letters of a word, with spaces between them. */
const lettersOf = (word) => word.toLowerCase().normalize('NFD').match(/[a-z]/g).join(' ');

/** Returns a word in the other script and its kind, {text, kind}: those of the list, or what the model writes. */
function spell(names, word) {
  return names.byLetters.get(lettersOf(word)) ?? writeWord(names, word);
}

/** Returns {text, kind, sourceTokens, targetTokens, attention, score}; that of a listed word is the list's. */
function transliterate(names, word) {
  const listed = names.byLetters.get(lettersOf(word));
  if (!listed) return writeWord(names, word);
  const {model} = names, source = readSource(model, lettersOf(word));
  const tokens = tokenize([listed.kind, ...listed.text].join(' '), model.target);
  const ids = [...idsOf(tokens, model.target), END];
  const {steps} = forced(model, source, ids), attention = steps.map((step) => step.weights);
  const score = steps.reduce((sum, step, t) => sum + step.logProbs[ids[t]], 0), end = model.target.vocabulary[END];
  return {...listed, sourceTokens: source.sourceTokens, targetTokens: [...tokens, end], attention, score};
}

/** Returns the best hypothesis with the most probable text; the very best, if none is a kind and a well-formed word. */
function writeWord(names, word) {
  const found = translate(names.model, lettersOf(word), {beamSize: names.beamSize}).hypotheses.map(readWord);
  const probabilities = new Map();
  for (const {text, kind, score} of found) {
    if (!names.kinds.includes(kind) || !text.match(names.syllables)) continue;
    probabilities.set(text, (probabilities.get(text) ?? 0) + Math.exp(score));
  }
  const [best] = [...probabilities].sort(([, a], [, b]) => b - a)[0] ?? [];
  return found.find(({text, kind}) => text === best && names.kinds.includes(kind)) ?? found[0];
}

/** From letters to a kind and code points. */
function readWord({text, sourceTokens, targetTokens, attention, score}) {
  const [kind, ...codePoints] = text.trim().split(/\s+/);
  return {text: codePoints.join(''), kind, sourceTokens, targetTokens, attention, score};
}

// --- placeholders.py

/** Returns a sentence with its unknown words masked, {text, words, spelled}: the last two are Maps from each symbol to
 * the words of the source and to what the translation writes. */
function mask({names, rules}, sentence) {
  const words = new Map(), spelled = new Map();
  if (!names) return {text: sentence, words, spelled};
  const plain = sentence.replace(rules.symbol, ' ');
  const free = new Map([...names.symbols].map(([kind, symbols]) => [kind, [...symbols]]));
  let text = '', end = 0;
  for (const [start, stop] of findUnknown(names, plain)) {
    const parts = plain.slice(start, stop).split(' ').map((word) => spellPart(names, word));
    const {kind} = parts.find((part) => part.kind === 'm' || part.kind === 'f') ?? parts[0];
    const symbol = free.get(symbolKind(names, kind)).shift();
    if (!symbol) continue;
    words.set(symbol, plain.slice(start, stop));
    spelled.set(symbol, parts.map((part) => part.text).join(' '));
    text += plain.slice(end, start) + symbol;
    end = stop;
  }
  return {text: text + plain.slice(end), words, spelled};
}

const isNumber = (word) => !/[A-Za-z]/.test(word);

function spellPart(names, word) {
  if (!isNumber(word)) return spell(names, word);
  return {text: word.replace(/[0-9]/g, (digit) => names.digits[digit]), kind: 'number'};
}

function symbolKind(names, kind) {
  if (kind === 'surname') return 'm';
  return names.symbols.has(kind) ? kind : 'place';
}

/** Returns where the words to mask begin and end, adjoining names as one. */
function findUnknown(names, sentence) {
  const spans = [];
  for (const {0: word, index} of sentence.matchAll(names.word)) {
    if (!isUnknown(names, sentence, word, index)) continue;
    const before = spans[spans.length - 1], end = index + word.length;
    const isName = before && /^\P{Ll}*[A-Z]\P{Ll}*$/u.test(sentence[before[0]] + word[0]);
    if (isName && sentence.slice(before[1], index) === ' ') before[1] = end;
    else spans.push([index, end]);
  }
  return spans;
}

/** Returns whether a word is one to mask: a number, a listed word, or one written like a name. */
function isUnknown(names, sentence, word, index) {
  const {known, listed} = names, small = word.toLowerCase();
  if (known.has(small)) return false;
  if (isNumber(word) || listed.has(word) || listed.has(small)) return true;
  if (!word.match(names.nameLike)) return false;
  const [following] = sentence.slice(index + word.length).matchAll(names.following);
  return !sentence.slice(0, index).match(names.beforeSentence)
    || (following !== undefined && !names.afterVerbs.includes(following[1]));
}

/** Returns the ids that the translation of these source ids never has: padding, start, and tokens with a symbol that is
 * not in the source, or with any symbol if the model has no placeholders. */
function neverWritten({names, rules, source, target}, sourceIds) {
  const there = names ? sourceIds.map((id) => source.vocabulary[id]).join('') : '';
  const lacks = (token) => (token.match(rules.symbol) || []).some((symbol) => !there.includes(symbol));
  return [...target.vocabulary.keys()].filter((id) => id === PAD || id === START || lacks(target.vocabulary[id]));
}

/** Returns a translation with the words of a masked sentence masked too, where these begin a word. */
function maskTarget({names, rules}, masked, target) {
  target = normalize(names ? target.replace(rules.symbol, ' ') : target, false, rules);
  for (const [symbol, written] of masked.spelled) {
    target = target.replace(names.beginningWord(written, obliqueOf(names, symbol, written)), symbol);
  }
  return target;
}

/** Returns what a symbol writes in front of a case ending. */
function obliqueOf(names, symbol, written) {
  return names.symbols.get('place').includes(symbol) ? names.obliques.get(written) ?? written : written;
}

/** Returns parts of a translation, such as its tokens, with their symbols written out. These are the symbols of its text,
 * where what follows one decides its form. A symbol that the model does not use stays. */
function unmask({names, rules}, {spelled}, text, parts) {
  const forms = [...text.matchAll(rules.symbol)].map(({0: symbol, index}) => {
    const written = spelled.get(symbol);
    if (written === undefined) return symbol;
    return text.slice(index + symbol.length).match(names.ending) ? obliqueOf(names, symbol, written) : written;
  });
  return parts.map((part) => part.replace(rules.symbol, () => forms.shift()));
}

/** Returns a text with its symbols written out as the given Map says; one that the model does not use stays. */
const writeOut = ({rules}, text, words) => text.replace(rules.symbol, (symbol) => words.get(symbol) ?? symbol);

// Names, loan words, numbers and addresses that a model does not know: the JavaScript of tokens.py, finding.py,
// placeholders.py and transliterator.py.
//
// Symbols take their places while the model translates, and then a second model writes them letter by letter.

/** Makes what the functions below call `names` from what browser.py wrote. */
function makeNames(saved, rules) {
  const pattern = (text) => new RegExp(text.replace(/\\[dw]/g, (letters) => saved.classes[letters]), 'gu');
  const {beforeSentence, following, wordStart, ending, syllables} = saved.patterns;
  const listed = new Map(Object.entries(saved.listed).map(([name, [text, kind]]) => [name, {text, kind}]));
  return {
    ...saved, listed,
    model: makeModel(saved.model, rules),
    known: new Set(saved.known),
    listedSmall: new Set([...listed.keys()].map((name) => name.toLowerCase())),
    symbols: new Map(Object.entries(saved.symbols)),
    byLetters: new Map([...listed].map(([name, spelled]) => [lettersOf(name, saved.plain), spelled])),
    ...Object.fromEntries(['token', 'letters', 'ordinal', 'afterMonth', 'afterPreposition', 'ampersand', 'copiedEnd']
      .map((name) => [name, pattern(saved.patterns[name])])),
    listedBy: pattern(`^(?:${saved.patterns.listedBy})$`),
    ...Object.fromEntries(['beforeMonth', 'thing'].map((name) => [name, pattern(`^(?:${saved.patterns[name]})`)])),
    ...Object.fromEntries(['respelled', 'joined'].map((name) => [name, saved[name].map(([from, to]) =>
      [pattern(from), to.replace(/\\(\d)/g, '$$$1')])])),
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
const lettersOf = (word, plain) => withoutAccents(word, plain).match(/[a-z]/g).join(' ');

const withoutAccents = (word, plain) =>
  [...word.toLowerCase().normalize('NFD')].map((letter) => plain[letter] ?? letter).join('').replace(/[\u0300-\u036f]/g, '');

/** Whether a word that is hidden from the model has letters; a number has none. */
const isSpelled = (names, word) => /[a-z]/.test(withoutAccents(word, names.plain));

/** Returns a word in the other script and its kind, {text, kind}: those of the list, or what the model writes. */
function spell(names, word) {
  return names.byLetters.get(lettersOf(word, names.plain)) ?? writeWord(names, word);
}

/** Returns {text, kind, sourceTokens, targetTokens, attention, score}; that of a listed word is the list's. */
function transliterate(names, word) {
  const typed = lettersOf(word, names.plain), listed = names.byLetters.get(typed);
  if (!listed) return writeWord(names, word);
  const {model} = names, source = readSource(model, typed);
  const tokens = tokenize([listed.kind, ...listed.text].join(' '), model.target);
  const ids = [...idsOf(tokens, model.target), END];
  const {steps} = forced(model, source, ids), attention = steps.map((step) => step.weights);
  const score = steps.reduce((sum, step, t) => sum + step.logProbs[ids[t]], 0), end = model.target.vocabulary[END];
  return {...listed, sourceTokens: source.sourceTokens, targetTokens: [...tokens, end], attention, score};
}

/** Returns the best hypothesis with the most probable text; the very best, if none is a kind and a well-formed word. */
function writeWord(names, word) {
  const found = translate(names.model, lettersOf(word, names.plain), {beamSize: names.beamSize}).hypotheses.map(readWord);
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

// --- tokens.py

const rewritten = (text, rules) => rules.reduce((result, [from, to]) => result.replace(from, to), text);

/** Returns a number in Devanagari: १२/०५/२०२४, ₹४५०, २२वा. */
function spellNumber(names, number, before, after) {
  if (number.match(names.ordinal)) {
    if (before.match(names.afterMonth) || after.match(names.beforeMonth)) number = number.replace(names.ordinal, '');
    else if (before.match(names.afterPreposition)) number = number.replace(names.ordinal, 'व्या');
  }
  return rewritten(number, names.respelled).replace(/[0-9]/g, (digit) => names.digits[digit]);
}

// --- finding.py

/** Returns a sentence with its unknown listed names as in the list: Sachin for sachin, Shahrukh for Shah Rukh. */
function withCapitals({listed, known, wordsToo, token}, sentence) {
  const pieces = [''], isUpper = sentence === sentence.toUpperCase();
  let end = 0, wasNew = false;
  for (const {0: word, 1: copied, 2: number, index} of sentence.matchAll(token)) {
    const small = word.toLowerCase(), name = capitalized(word), between = sentence.slice(end, index);
    const isNew = !copied && !number && !known.has(small), together = capitalized(pieces[pieces.length - 1] + word);
    if (between === ' ' && wasNew && isNew && !listed.has(name) && listed.has(together)) {
      pieces[pieces.length - 1] = together;
    } else {
      const asListed = isNew && listed.has(name) && (word === small || isUpper) && !wordsToo.includes(small);
      pieces.push(between, asListed ? name : word);
    }
    [end, wasNew] = [index + word.length, isNew];
  }
  return pieces.join('') + sentence.slice(end);
}

const capitalized = (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** Returns what to hide in a sentence: for each symbol its parts, {start, end, kind, unknown} each. */
function findSpans(names, sentence) {
  const parts = [...sentence.matchAll(names.token)].map((match) => partOf(names, sentence, match)).filter((part) => part);
  for (const [kind, least] of [['number', names.list], ['name', names.list + 1]]) {
    const alike = parts.filter((part) => part.kind === kind);
    if (alike.length >= least) alike.forEach((part) => { part.unknown = true; });
  }
  return listsOf(names, sentence, adjoined(sentence, parts)).flatMap((items) => {
    const hide = items.length > names.list || items.flat().some((part) => part.unknown);
    if (items.length >= names.list && hide) {
      return [items.slice(0, -1).flat(), items[items.length - 1]];
    }
    return adjoined(sentence, items.flatMap((item) => unknownOf(names, sentence, item)));
  });
}

/** Returns the parts of adjoining names that are unknown, and known ones of a full name: Rahul Gandhi. */
function unknownOf({listed, asking}, sentence, item) {
  const isName = (part) => part?.unknown && listed.has(sentence.slice(part.start, part.end));
  return item.filter((part, i) => {
    const word = sentence.slice(part.start, part.end), kind = word === asking ? '' : listed.get(word)?.kind;
    const given = ['m', 'f'].includes(kind);
    return part.unknown || (isName(item[i + 1]) && given) || (isName(item[i - 1]) && (given || kind === 'surname'));
  });
}

function partOf({known, listed, ...names}, sentence, {0: word, 1: copied, 2: number, index: start}) {
  const kind = copied ? 'copied' : number ? 'number' : 'name', end = start + word.length;
  const isUnknown = () => kind === 'number' || isName({...names, listed}, sentence, word, start);
  const unknown = kind === 'copied' || (!known.has(word.toLowerCase()) && isUnknown());
  const inList = kind === 'number' || (listed.has(word) && /^\p{Lu}/u.test(word));
  return unknown || inList ? {start, end, kind, unknown} : null;
}

/** Returns whether a word is listed, or written like a name and at a place where only a name would be. */
function isName({listed, ...names}, sentence, word, start) {
  if (listed.has(word) || listed.has(word.toLowerCase())) return true;
  if (/[^A-Za-z'’ʼ-]/.test(word)) return true;  // with an accent, and no training sentence has it
  if (!/^(?:.['’])?\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word)) return false;
  const [following] = sentence.slice(start + word.length).matchAll(names.following);
  return !sentence.slice(0, start).match(names.beforeSentence)
    || (following !== undefined && !names.afterVerbs.includes(following[1]));
}

/** Returns parts, those together that have a capital and a space alone between them. */
function adjoined(sentence, parts) {
  const items = [];
  for (const part of parts) {
    const item = items[items.length - 1], before = item?.[item.length - 1];
    const together = item && before.kind !== 'copied' && part.kind !== 'copied'
      && /^\P{Ll}*\p{Lu}\P{Ll}*$/u.test(sentence[before.start] + sentence[part.start])
      && sentence.slice(before.end, part.start) === ' ';
    if (together) item.push(part);
    else items.push([part]);
  }
  return items;
}

/** Returns items, those of a list of names or of numbers together. */
function listsOf(names, sentence, items) {
  const lists = [];
  for (const item of items) {
    const before = lists[lists.length - 1]?.at(-1);
    const same = before && before[0].kind === item[0].kind && item[0].kind !== 'copied';
    if (same && sentence.slice(before.at(-1).end, item[0].start).match(names.listedBy)) lists.at(-1).push(item);
    else lists.push([item]);
  }
  return lists;
}

// --- placeholders.py

/** Returns a sentence with its unknown words masked, {text, words, spelled}: the last two are Maps from each symbol to
 * the words of the source and to what the translation writes. */
function mask({names, rules}, sentence) {
  const words = new Map(), spelled = new Map();
  sentence = unescapeEntities(sentence, rules);
  if (!names) return {text: sentence, words, spelled};
  const known = sentence.replace(rules.symbol, ' ').replace(names.ampersand, ' and ').replace(names.letters, (word) => {
    const bare = withoutAccents(word, names.plain);
    return word === word.toLowerCase() && names.known.has(bare) ? bare : word;  // naïve, but not José
  });
  const plain = withCapitals(names, known);
  let text = '', end = 0;
  for (const span of findSpans(names, plain)) {
    const [start, stop] = [span[0].start, span.at(-1).end], typed = plain.slice(start, stop);
    const written = spellSpan(names, plain, span), symbol = freeSymbol(names, symbolKind(names, written.kind), typed, words);
    if (!symbol) continue;
    words.set(symbol, typed);
    spelled.set(symbol, written.text);
    text += plain.slice(end, start) + symbol;
    end = stop;
  }
  return {text: text + plain.slice(end), words, spelled};
}

/** Returns what is written for adjoining names, or for those of a list, {text, kind}. */
function spellSpan(names, sentence, span) {
  const spelled = span.map((part) => spellPart(names, sentence, part));
  const joints = span.map((part, i) => (i ? sentence.slice(span[i - 1].end, part.start) : ''));
  const kinds = spelled.map(({kind}) => kind), persons = kinds.filter((kind) => kind === 'm' || kind === 'f');
  const inList = joints.some((joint) => joint !== '' && joint !== ' ');
  return {
    text: spelled.map(({text}, i) => rewritten(joints[i], names.joined) + text).join(''),
    kind: inList && persons.includes('m') ? 'm' : [...persons, ...kinds][0],
  };
}

function spellPart(names, sentence, {start, end, kind}) {
  const word = sentence.slice(start, end);
  if (kind === 'copied') return {text: word, kind: 'word'};
  if (kind === 'name') {
    const parts = word.split('-').map((name) => spell(names, name));
    return {text: parts.map(({text}) => text).join('-'), kind: parts[0].kind};
  }
  const text = spellNumber(names, word, sentence.slice(0, start), sentence.slice(end));
  return {text, kind: word.match(names.thing) ? 'word' : 'number'};
}

/** Returns a free symbol of a kind; without any, that of the same words, then another kind's, at last none. */
function freeSymbol({symbols, lenders}, kind, typed, words) {
  const isFree = (symbol) => !words.has(symbol);
  return symbols.get(kind).find(isFree) ?? [...words.keys()].find((symbol) => words.get(symbol) === typed)
    ?? lenders.flatMap((lender) => symbols.get(lender)).find(isFree);
}

function symbolKind(names, kind) {
  if (kind === 'surname') return 'm';
  return names.symbols.has(kind) ? kind : 'place';
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
    target = target.replace(names.beginningWord(written, beforeEnding(names, symbol, written)), symbol);
  }
  return target;
}

/** Returns what a symbol writes in front of a case ending. */
function beforeEnding(names, symbol, written) {
  if (written.match(names.copiedEnd)) return `${written} `;
  if (!names.symbols.get('place').includes(symbol)) return written;
  const last = written.slice(written.lastIndexOf(' ') + 1);  // of a list, the last place
  return written.slice(0, written.length - last.length) + (names.obliques.get(last) ?? last);
}

/** Returns parts of a translation, such as its tokens, with their symbols written out. These are the symbols of its text,
 * where what follows one decides its form. A symbol that the model does not use stays. */
function unmask({names, rules}, {spelled}, text, parts) {
  const forms = [...text.matchAll(rules.symbol)].map(({0: symbol, index}) => {
    const written = spelled.get(symbol);
    if (written === undefined) return symbol;
    return text.slice(index + symbol.length).match(names.ending) ? beforeEnding(names, symbol, written) : written;
  });
  return parts.map((part) => part.replace(rules.symbol, () => forms.shift()));
}

/** Returns a text with its symbols written out as the given Map says; one that the model does not use stays. */
const writeOut = ({rules}, text, words) => text.replace(rules.symbol, (symbol) => words.get(symbol) ?? symbol);

// Names, loan words, numbers and addresses that a model does not know: the JavaScript of preprocess/protect.py. Symbols take
// their places while the model translates.

/** A sentence as it is, as a piece; see `segment`. */
const whole = (typed) => ({typed, read: typed, before: '', after: '', lacksMark: false, ...nothingHidden()});
const nothingHidden = () => ({words: new Map(), spelled: new Map(), names: new Map()});

/** Reads a user's terms, a line each: a term, a tab or an equals sign, its translation, if it has one; see `Terms`. */
function makeTerms({compile}, text) {
  const rows = text.split('\n').map((line) => line.normalize('NFC').split(/\t| = /).map((each) => each.trim().replace(/\s+/g, ' ')))
    .filter(([term]) => /[\p{L}\p{N}]/u.test(term)).sort(([a], [b]) => [...b].length - [...a].length);
  const letter = (each) => (each.toLowerCase() === each.toUpperCase() ? escaped(each) : `[${escaped(each.toLowerCase() + each.toUpperCase())}]`);
  const patternOf = (term) => [...term].map((each) => (each === ' ' ? '[\\s]+' : each === "'" ? "['’]"
    : /\p{Lu}/u.test(term) ? escaped(each) : letter(each))).join('');
  const pattern = `(?<![\\w\\p{M}])(?:${rows.map(([term]) => `(${patternOf(term)})`).join('|')})(?![\\w\\p{M}])`;
  return rows.length ? {written: rows.map(([, target]) => target), pattern: compile(pattern)} : null;
}

/** Returns a text with a letter of Tangut for each of the user's terms, and a Map from it to {typed, written}. */
function markTerms({terms}, text) {
  const found = new Map(), marks = new Map();
  const mark = (typed, ...groups) => {
    const written = terms.written[groups.findIndex((group) => group !== undefined)] || typed, key = `${typed}\n${written}`;
    if (!marks.has(key)) {
      marks.set(key, String.fromCodePoint(0x17000 + marks.size));
      found.set(marks.get(key), {typed, written});
    }
    return marks.get(key);
  };
  return {text: terms ? text.normalize('NFC').replace(terms.pattern, mark) : text, terms: found};
}

const typedAgain = (text, terms) => [...text].map((letter) => terms.get(letter)?.typed ?? letter).join('');

/** Returns of a sentence what is read, with its unknown words hidden. `words` and `spelled` are Maps from each symbol to the
 * words of the source and to what the translation writes, and `names` one from each name that is not hidden to its pattern. */
function protect(model, sentence, {text: marked, terms} = markTerms(model, sentence), every = false) {
  const {preprocessor: rules, names: listedNames} = model;
  const text = rules ? unescapeEntities(rules, marked) : sentence, {listed, unwritten} = listedNames ?? {};
  if (!listedNames) return {read: text, ...nothingHidden()};
  const isSure = (word) => unwritten.size > 0 && listed.has(word) && listed.get(word).kind !== 'word'
    && !rules.words.wordsToo.has(word.toLowerCase());
  const names = {...listedNames, terms, unwritten: {has: (word) => unwritten.has(word) || (every && isSure(word))}};
  const known = text.replace(rules.symbol, ' ').replaceAll(' & ', ' and ').replace(rules.patterns.letters, (word) => {
    const bare = withoutAccents(word, names.plain);
    return word === word.toLowerCase() && names.known.has(bare) ? bare : word;  // naïve, but not José
  });
  const plain = withCapitals(rules, names, known), words = new Map(), spelled = new Map();
  let read = '', end = 0;
  for (const span of findSpans(rules, names, plain, every)) {
    const [start, stop] = [span[0].start, span.at(-1).end], typed = typedAgain(plain.slice(start, stop), terms);
    const written = spellSpan(rules, names, plain, span), symbol = freeSymbol(rules, symbolKind(rules, written.kind), typed, words);
    if (!symbol) continue;
    words.set(symbol, typed);
    spelled.set(symbol, written.text);
    read += plain.slice(end, start) + symbol;
    end = stop;
  }
  read += plain.slice(end);
  const patternOf = ({text, kind}) => rules.beginningWord(text, beforeEnding(rules, rules.symbols.get(symbolKind(rules, kind))[0], text));
  const kept = [...read.matchAll(rules.patterns.token)].filter(([word]) => isSure(word)).map(([word]) => [word, patternOf(listed.get(word))]);
  return {read, words, spelled, names: new Map(kept)};
}

/** Returns a sentence with listed names as in the list: Sachin for sachin and SACHIN, Shahrukh for Shah Rukh; see `with_capitals`. */
function withCapitals({patterns, words: {wordsToo, smallToo}}, {listed, known}, sentence) {
  const pieces = [''], isUpper = sentence === sentence.toUpperCase();
  let end = 0, wasNew = false;
  for (const {0: word, 1: copied, 2: number, index} of sentence.matchAll(patterns.token)) {
    const small = word.toLowerCase(), name = capitalized(word), between = sentence.slice(end, index);
    const isNew = !copied && !number && !known.has(small), together = capitalized(pieces[pieces.length - 1] + word);
    if (between === ' ' && wasNew && isNew && !listed.has(name) && listed.has(together)) {
      pieces[pieces.length - 1] = together;
    } else {
      const isName = listed.has(name) && (isNew || (listed.get(name).kind !== 'word' && !smallToo.has(small)));
      pieces.push(between, isName && (patterns.uncased.test(word) || isUpper) && !wordsToo.has(small) ? name : word);
    }
    [end, wasNew] = [index + word.length, isNew];
  }
  return pieces.join('') + sentence.slice(end);
}

const capitalized = (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** Returns what to hide in a sentence: for each symbol its parts, {start, end, kind, unknown} each. */
function findSpans(rules, names, sentence, every) {
  const matches = [...sentence.matchAll(rules.patterns.token)];
  const parts = matches.map((match) => partOf(rules, names, sentence, match)).filter((part) => part);
  for (const [kind, least] of [['number', every ? 1 : rules.list], ['name', rules.list + 1]]) {
    const alike = parts.filter((part) => part.kind === kind);
    if (alike.length >= least) alike.forEach((part) => { part.unknown = true; });
  }
  return listsOf(rules, sentence, adjoined(sentence, parts)).flatMap((items) => {
    const hide = items.length > rules.list || items.flat().some((part) => part.unknown);
    if (items.length >= rules.list && hide) {
      return [items.slice(0, -1).flat(), items[items.length - 1]];
    }
    return adjoined(sentence, items.flatMap((item) => unknownOf(rules, names, sentence, item)));
  });
}

/** Returns the parts of adjoining names that are unknown, and known ones of a full name: Rahul Gandhi. */
function unknownOf({asking, titled}, {listed}, sentence, item) {
  const isName = (part, word = part && sentence.slice(part.start, part.end)) => part?.unknown && (listed.has(word) || Object.hasOwn(titled, word));
  return item.filter((part, i) => {
    const word = sentence.slice(part.start, part.end), kind = word === asking ? '' : listed.get(word)?.kind;
    const given = ['m', 'f'].includes(kind);
    return part.unknown || (isName(item[i + 1]) && given) || (isName(item[i - 1]) && (given || kind === 'surname'));
  });
}

function partOf(rules, names, sentence, {0: word, 1: copied, 2: number, index: start}) {
  const kind = copied ? 'copied' : number ? 'number' : 'name', end = start + word.length;
  const isUnknown = () => kind === 'number' || isName(rules, names, sentence, word, start);
  const isTitled = (name) => name && (names.listed.has(name) || !names.known.has(name.toLowerCase()));
  const unknown = kind === 'copied' || (!names.known.has(word.toLowerCase()) && isUnknown())
    || (names.unwritten.has(word) && standsAsName(rules, names, sentence, word, start))
    || (Object.hasOwn(rules.acronyms, word) && sentence !== sentence.toUpperCase())
    || (Object.hasOwn(rules.titled, word) && isTitled(sentence.slice(end).match(rules.patterns.titledName)?.[1]));
  const inList = kind === 'number' || (names.listed.has(word) && /^\p{Lu}/u.test(word));
  return unknown || inList ? {start, end, kind, unknown} : null;
}

/** Returns whether a word is listed, or written like a name and at a place where only a name would be. */
function isName({patterns, words, whole}, {listed}, sentence, word, start) {
  if (listed.has(word) || listed.has(word.toLowerCase()) || (Object.hasOwn(whole, word) && whole[word][0] === 'place')) return true;
  if (patterns.acronym.test(word)) return sentence !== sentence.toUpperCase();
  if (/[^A-Za-z'’ʼ-]/.test(word)) return true;  // with an accent, and no training sentence has it
  if (!/^(?:.['’])?\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word)) return false;
  const following = sentence.slice(start + word.length).match(patterns.following);
  return !patterns.beforeSentence.test(sentence.slice(0, start)) || (following !== null && !words.afterVerbs.has(following[1]));
}

/** Returns whether a listed name is no common word, too, or stands where a name would: Ask Mark. Mark is here. */
function standsAsName({patterns, words}, {listed}, sentence, word, start) {
  const after = sentence.slice(start + word.length), following = after.match(patterns.following);
  if (!words.wordsToo.has(word.toLowerCase()) || !patterns.beforeSentence.test(sentence.slice(0, start))) return true;
  const isName = ['m', 'f'].includes(listed.get(word).kind) || !words.withoutArticle.has(word.toLowerCase());
  return (isName && following !== null && words.afterNames.has(following[1])) || patterns.afterName.test(after);
}

/** Returns items in groups: one stands in that of the item before it, if the two belong together. */
function grouped(items, belong) {
  const groups = [];
  for (const [i, item] of items.entries()) {
    if (i && belong(items[i - 1], item)) groups.at(-1).push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Returns parts, those together that have a capital and a space alone between them. */
const adjoined = (sentence, parts) => grouped(parts, (before, part) => before.kind !== 'copied' && part.kind !== 'copied'
  && /^\P{Ll}*\p{Lu}\P{Ll}*$/u.test(sentence[before.start] + sentence[part.start]) && sentence.slice(before.end, part.start) === ' ');

/** Returns items, those of a list of names or of numbers together. */
const listsOf = ({patterns}, sentence, items) => grouped(items, (before, item) => before[0].kind === item[0].kind
  && item[0].kind !== 'copied' && patterns.listedBy.test(sentence.slice(before.at(-1).end, item[0].start)));

/** Returns what is written for adjoining names, or for those of a list, {text, kind}. */
function spellSpan(rules, names, sentence, span) {
  const spelled = span.map((part) => spellPart(rules, names, sentence, part));
  const joints = span.map((part, i) => (i ? sentence.slice(span[i - 1].end, part.start) : ''));
  const kinds = spelled.map(({kind}) => kind), persons = kinds.filter((kind) => kind === 'm' || kind === 'f');
  const inList = joints.some((joint) => joint !== '' && joint !== ' ');
  return {
    text: spelled.map(({text}, i) => rewrite(rules, joints[i], ['joined']) + text).join(''),
    kind: inList && persons.includes('m') ? 'm' : [...persons, ...kinds][0],
  };
}

function spellPart(rules, names, sentence, {start, end, kind}) {
  const word = sentence.slice(start, end);
  if (kind === 'copied') return {text: word, kind: 'word'};
  if (kind === 'name') {
    const term = names.terms.get(word);
    if (term) return {text: term.written, kind: names.listed.get(term.typed)?.kind ?? 'word'};
    if (rules.patterns.mark.test(word)) return {text: word, kind: 'word'};
    const parts = word.split('-').map((name) => (Object.hasOwn(rules.whole, name) ? {text: rules.whole[name][1], kind: rules.whole[name][0]}
      : rules.patterns.acronym.test(name) || Object.hasOwn(rules.acronyms, name) ? {text: spellLetters(rules, name), kind: 'word'} : spell(names, name)));
    return {text: parts.map(({text}) => text).join('-'), kind: parts[0].kind};
  }
  const text = spellNumber(rules, word, sentence.slice(0, start), sentence.slice(end));
  return {text, kind: rules.patterns.thing.test(word) ? 'word' : 'number'};
}

/** Returns an acronym as it is said: डीव्हीडी, नासा. */
const spellLetters = ({acronyms, letterNames}, word) =>
  acronyms[word] ?? [...word.replace(/s$/, '')].map((letter) => letterNames[letter] ?? letter).join('');

/** Returns a number in Devanagari: १२/०५/२०२४, ₹४५०, २२वा. */
function spellNumber(rules, number, before, after) {
  const {ordinal, afterMonth, beforeMonth, afterPreposition} = rules.patterns;
  if (afterMonth.test(before) || beforeMonth.test(after)) number = number.replace(ordinal, '');
  else if (afterPreposition.test(before)) number = number.replace(ordinal, 'व्या');
  return rewrite(rules, number, ['units', 'respelled']).replace(/[0-9]/g, (digit) => rules.devanagari[digit]);
}

/** Returns a free symbol of a kind; without any, that of the same words, then another kind's, at last none. */
function freeSymbol({symbols, lenders}, kind, typed, words) {
  const isFree = (symbol) => !words.has(symbol);
  return symbols.get(kind).find(isFree) ?? [...words.keys()].find((symbol) => words.get(symbol) === typed)
    ?? lenders.flatMap((lender) => symbols.get(lender)).find(isFree);
}

const symbolKind = ({symbols}, kind) => (kind === 'surname' ? 'm' : symbols.has(kind) ? kind : 'place');

/** Returns the ids that the translation of these source ids never has: padding, start, and tokens with a symbol that is
 * not in the source. */
function neverWritten({rules, source, target}, sourceIds) {
  const there = sourceIds.map((id) => source.vocabulary[id]).join('');
  const lacks = (token) => (token.match(rules.symbol) || []).some((symbol) => !there.includes(symbol));
  return [...target.vocabulary.keys()].filter((id) => id === PAD || id === START || lacks(target.vocabulary[id]));
}

/** Returns a translation with the words of a piece hidden too, where these begin a word. */
function maskTarget({preprocessor, rules}, {spelled}, target) {
  target = normalize(spelled.size ? target.replace(rules.symbol, ' ') : target, false, rules);
  for (const [symbol, written] of spelled) {
    target = target.replace(preprocessor.beginningWord(written, beforeEnding(preprocessor, symbol, written)), symbol);
  }
  return target;
}

/** Returns what a symbol writes in front of a case ending. */
function beforeEnding({patterns, symbols, obliques}, symbol, written) {
  if (patterns.copiedEnd.test(written)) return `${written} `;
  if (!symbols.get('place').includes(symbol)) return written;
  const last = written.slice(written.lastIndexOf(' ') + 1);  // of a list, the last place
  return written.slice(0, written.length - last.length) + (obliques[last] ?? last);
}

/** Returns parts of a translation, such as its tokens, with their symbols written out. These are the symbols of its text,
 * where what follows one decides its form. A symbol that the model does not use stays. */
function revealed({preprocessor, rules}, {spelled}, text, parts) {
  const forms = [...text.matchAll(rules.symbol)].map(({0: symbol, index}) => {
    const written = spelled.get(symbol);
    if (written === undefined) return symbol;
    const follows = preprocessor.patterns.ending.test(text.slice(index + symbol.length));
    return follows ? beforeEnding(preprocessor, symbol, written) : written;
  });
  return parts.map((part) => part.replace(rules.symbol, () => forms.shift()));
}

/** Returns a text with its symbols written out as the given Map says; one that the model does not use stays. */
const writeOut = ({rules}, text, words) => text.replace(rules.symbol, (symbol) => words.get(symbol) ?? symbol);

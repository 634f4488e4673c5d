// The three verbs together: the JavaScript of preprocess/preprocessor.py, verify.py and language.py. Each sentence of a text
// is translated by itself, and the translations are joined.

/** Returns the pieces of a text: what the model reads, with symbols for what it cannot know. */
function prepare(model, text) {
  const rules = model.preprocessor;
  if (!rules?.splits) return [{...whole(text), ...protect(model, text)}];
  const {text: marked, terms} = markTerms(model, text);
  return segment(rules, marked).map((piece) => {
    const hidden = {...piece, ...(piece.read ? protect(model, piece.read, {text: piece.read, terms}) : nothingHidden())};
    const typed = typedAgain(piece.typed, terms);
    return {...hidden, typed, read: isForeign(model, typed, hidden.read) ? '' : hidden.read};
  });
}

/** Translates a text, piece by piece, as `Translator.n_best` does.
 *
 * Returns {parts, text}, the best translation of all. A part is what `translate` returns of a piece, with the `piece`,
 * whether it got a mark (`bare`) and whether it stays as it was typed (`kept`). A text of which nothing is translated has
 * no part.
 */
function translateText(model, text, beamSize = 1) {
  const pieces = prepare(model, text), parts = pieces.map((piece) => shown(model, verify(model, piece, beamSize)));
  const filled = parts.filter(({source}) => source), isTranslated = filled.some(({kept}) => !kept);
  const best = filled.map(({piece: {before, after}, hypotheses: [{text}]}) => before + text + after).join('');
  return {parts: isTranslated ? filled : [], text: isTranslated || model.preprocessor?.splits ? best : ''};
}

/** Translates a piece as `translate` does; `piece` is what was read. If the best hypothesis lacks or repeats names, words or
 * numbers, a wider beam looks for a better one, and then another one with all names and numbers hidden. */
function verify(model, piece, beamSize) {
  const found = {...translate(model, piece, beamSize), piece}, rules = model.preprocessor;
  if (!rules?.splits || !found.source) return found;
  const faults = ({source, piece}, {ids}) => faultsOf(rules, piece, seenOf(source), decode(ids, model.target));
  const least = (each, hypotheses) => {
    const counts = hypotheses.map((hypothesis) => faults(each, hypothesis));
    return hypotheses[counts.indexOf(Math.min(...counts))];
  };
  const {hypotheses} = found, [first] = hypotheses, wider = Math.max(rules.wider, beamSize);
  if (faults(found, first) === 0) return found;
  const beam = beamSize === 1 ? translate(model, piece, wider) : found, best = least(found, [first, ...beam.hypotheses]);
  const better = {...found, history: (best === first ? found : beam).history,
    hypotheses: beamSize === 1 ? [best] : [best, ...hypotheses.filter(({text}) => text !== best.text)]};
  const plain = writeOut(model, piece.read, piece.words), hidden = {...piece, ...protect(model, plain, markTerms(model, plain), true)};
  if (faults(found, best) < rules.loss || hidden.read === piece.read) return better;
  const again = {...translate(model, hidden, wider), piece: hidden}, other = least(again, again.hypotheses);
  return faults(again, other) < faults(found, best) ? {...again, hypotheses: [other]} : better;
}

/** Returns what was read of a piece, from its tokens. */
const seenOf = ({sourceTokens: tokens}) =>
  tokens.join(tokens.some((token) => token.includes(SPACE)) ? '' : ' ').replaceAll(SPACE, ' ');

/** Returns what is hidden of a piece, names and numbers that its translation, with its symbols, lacks, and numbers that it adds. */
function lostAndAdded({patterns: {number, digits, numberWord}, devanagari, numerals}, {read, words, names}, seen, text) {
  const countOf = (symbol, of) => of.split(symbol).length - 1, plain = (found) => (found ?? []).map((each) => each.replaceAll(',', ''));
  const numbers = plain(read.match(number)), source = plain(seen.match(number)).filter((each) => numbers.includes(each));
  const target = plain(text.replace(/[०-९]/g, (digit) => devanagari.indexOf(digit)).match(digits));
  const without = (list, others) => others.reduce((rest, each) => rest.filter((_, i) => i !== rest.indexOf(each)), list);
  const hidden = [...words].filter(([symbol]) => seen.includes(symbol) && !text.includes(symbol)).map(([, word]) => word);
  const kept = [...names].filter(([name, at]) => seen.toLowerCase().includes(name.toLowerCase()) && text.search(at) < 0).map(([name]) => name);
  const lost = without(source, target).filter((each) => !(each in numerals) || !text.match(numerals[each]));
  const hasDigits = (word) => word.match(digits), isExact = source.length > 0 || [...words.values()].some(hasDigits);
  const again = [...words].filter(([symbol, word]) => countOf(symbol, text) > countOf(symbol, read) && hasDigits(word));
  const alone = isExact && !numberWord.test(seen.toLowerCase()) ? without(target, source) : [];
  return {lost: [...hidden, ...kept, ...lost], more: [...again.map(([, word]) => word), ...alone]};
}

/** Returns how many words and numbers a translation, with its symbols, lacks or adds, each a loss, and what it repeats. */
function faultsOf(rules, piece, seen, text) {
  const {patterns: {loop, signs}, loss} = rules, {read, words} = piece, count = (symbol, of) => of.split(symbol).length - 1;
  const {lost, more} = lostAndAdded(rules, piece, seen, text), loops = (text.match(loop) && !read.match(loop)) || text.match(signs) ? 100 : 0;
  const repeated = [...words.keys()].filter((symbol) => count(symbol, text) > count(symbol, read)).length;
  return loss * (lost.length + more.length) + loops + repeated;
}

/** Returns a translation with what it says more than twice in a row said once, unless the source repeats itself. Of several
 * vowel signs in a row the last one stays, and of one word that was said twice, one. A day has its ending. */
function unlooped({patterns: {loop, twice, signs, dated}}, written, read) {
  const text = written.replace(signs, '').replace(dated, '$1ला'), once = read.trim().split(/\s+/).length === 1 ? text.replace(twice, '$1$2') : text;
  return read.match(loop) ? once : once.replace(loop, '$1');
}

/** Returns what was found for a piece as a part of a text: without an added mark, and of equal texts only the first. */
function shown(model, found) {
  const {piece} = found, kept = model.preprocessor?.splits && !piece.read, part = {...found, kept, bare: piece.lacksMark};
  const empty = {text: piece.typed, sourceTokens: [], targetTokens: [], ids: [], attention: [], score: 0};
  const {preprocessor: rules} = model, plain = ({text}) => (rules?.splits && !kept ? unlooped(rules, text, piece.read) : text);
  const hypotheses = (kept ? [empty] : found.hypotheses).map((each) => ({...each, text: partText(model, part, plain(each))}));
  const texts = hypotheses.map(({text}) => text);
  return {...part, hypotheses: hypotheses.filter((_, i) => texts.indexOf(texts[i]) === i),
    ...(kept ? {source: {masked: piece, sourceTokens: []}} : {})};
}

/** Returns whether nothing of a sentence, as it is typed and as it is read, is known; see `is_foreign`. */
function isForeign({preprocessor: rules, names}, typedText, read) {
  const present = typedText.match(/\p{L}/gu) ?? [];
  if (present.filter((letter) => !rules.letters.has(letter)).length > rules.mostly * present.length) return true;
  if (!names) return false;
  const wordsOf = (text) => [...new Set(text.toLowerCase().match(rules.patterns.word) ?? [])];
  const isKnown = (word) => names.known.has(word) || names.listedSmall.has(word);
  const typed = wordsOf(typedText), isTyped = (word) => typed.includes(word), words = wordsOf(read).filter(isTyped);
  if (typed.some((word) => rules.words.foreign.has(word) && !isKnown(word))) {
    return words.every((word) => !isKnown(word) || names.listed.has(word[0].toUpperCase() + word.slice(1)));
  }
  const telling = words.filter((word) => [...word].length > 1).length > 1
    || (words.length > 0 && typed.length >= rules.enough && !typed.some(isKnown));
  return telling && !words.some(isKnown);
}

/** Returns the text of a whole sentence without the mark that was added. */
const partText = (model, {bare}, text) => (bare ? text.replace(model.preprocessor.patterns.finalMarks, '') : text);

// The three verbs together: the JavaScript of preprocess/preprocessor.py, verify.py and language.py. Each sentence of a text
// is translated by itself, and the translations are joined.

/** Returns the pieces of a text: what the model reads, with symbols for what it cannot know. */
function prepare(model, text) {
  const rules = model.preprocessor;
  if (!rules?.splits) return [protect(model, text)];
  const {text: marked, terms} = markTerms(model, text);
  return segment(rules, marked).map((piece) => {
    const {read, words, spelled} = piece.read ? protect(model, piece.read, {text: piece.read, terms}) : whole('');
    const typed = typedAgain(piece.typed, terms);
    return {...piece, typed, words, spelled, read: isForeign(model, typed, read) ? '' : read};
  });
}

/** Translates a text, piece by piece, as `Translator.n_best` does.
 *
 * Returns {parts, text}, the best translation of all. A part is what `translate` returns of a piece, with the `piece`,
 * whether it got a mark (`bare`) and whether it stays as it was typed (`kept`). A text of which nothing is translated has
 * no part.
 */
function translateText(model, text, beamSize = 1) {
  const pieces = prepare(model, text), parts = pieces.map((piece) => shown(model, piece, verify(model, piece, beamSize)));
  const filled = parts.filter(({source}) => source), isTranslated = filled.some(({kept}) => !kept);
  const best = filled.map(({piece: {before, after}, hypotheses: [{text}]}) => before + text + after).join('');
  return {parts: isTranslated ? filled : [], text: isTranslated || model.preprocessor?.splits ? best : ''};
}

/** Translates a piece as `translate` does. If the best hypothesis lacks or repeats hidden words, a wider beam looks for a
 * better one. */
function verify(model, piece, beamSize) {
  const found = translate(model, piece, beamSize), rules = model.preprocessor;
  if (!rules?.splits || !found.source) return found;
  const {source: {sourceTokens}, hypotheses} = found, [first] = hypotheses, seen = sourceTokens.join('');
  const faults = ({ids}) => faultsOf(rules, piece, seen, decode(ids, model.target));
  if (faults(first) === 0) return found;
  const isGreedy = beamSize === 1, beam = isGreedy ? translate(model, piece, rules.wider) : found;
  const candidates = [first, ...beam.hypotheses], each = candidates.map(faults);
  const best = candidates[each.indexOf(Math.min(...each))];
  return {...(best === first ? found : {...found, history: beam.history}),
    hypotheses: isGreedy ? [best] : [best, ...hypotheses.filter(({text}) => text !== best.text)]};
}

/** Returns how many hidden words and numbers of what was seen a translation, with its symbols, lacks, in thousands, and how
 * many it has too often. */
function faultsOf({patterns: {number, loop}, devanagari}, {read, words}, seen, text) {
  const count = (symbol, of) => of.split(symbol).length - 1;
  const written = text.replace(/[०-९]/g, (digit) => devanagari.indexOf(digit)).match(number) ?? [];
  const lost = (read.match(number) ?? []).filter((each) => each.length > 1 && seen.includes(each) && !written.includes(each)).length;
  const loops = text.match(loop) && !read.match(loop) ? 100 : 0;
  return [...words.keys()].reduce((sum, symbol) =>
    sum + (text.includes(symbol) ? count(symbol, text) > count(symbol, read) : 1000 * seen.includes(symbol)), 1000 * lost + loops);
}

/** Returns a translation with what it says more than twice in a row said once, unless the source repeats itself. */
function unlooped({patterns: {loop, twice}}, text, read) {
  const once = read.trim().split(/\s+/).length === 1 ? text.replace(twice, '$1$2') : text;
  return read.match(loop) ? once : once.replace(loop, '$1');
}

/** Returns what was found for a piece as a part of a text: without an added mark, and of equal texts only the first. */
function shown(model, piece, found) {
  const kept = model.preprocessor?.splits && !piece.read, part = {...found, piece, kept, bare: piece.lacksMark};
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

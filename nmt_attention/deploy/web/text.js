// Strings to tokens to ids and back: the JavaScript of spelling.py and text.py.
//
// Lists of letters and patterns come with the model, in `rules`, because Python computes them from Unicode's tables.
// A tokeniser here is an object {kind, foldCase, vocabulary, ids, scores, rules}.

const PAD = 0, START = 1, END = 2, UNKNOWN = 3;
const SPACE = '▁';  // how subword and character tokens write a space
const USER_DEFINED_SCORE = -0.1;  // sentencepiece: of a placeholder, whatever its file says, which is 0
const UNKNOWN_PENALTY = 10;  // sentencepiece: an unknown letter's score is this much below that of the worst piece

/** Makes a tokeniser from what browser.py wrote, and from `compileRules`. */
function makeTokenizer(saved, rules) {
  const ids = new Map(saved.vocabulary.map((token, id) => [token, id]));
  for (const id of [PAD, START, END, UNKNOWN]) ids.delete(saved.vocabulary[id]);  // text like `<end>` is plain text
  const tokenizer = {...saved, ids, rules};
  if (saved.kind === 'subword') {
    tokenizer.longest = Math.max(...[...ids.keys()].map((piece) => [...piece].length));
    tokenizer.scores = Float64Array.from(readArray(saved.scores).numbers, (score) => score || USER_DEFINED_SCORE);
    tokenizer.unknownScore = Math.fround(Math.min(...tokenizer.scores.slice(UNKNOWN + 1)) - UNKNOWN_PENALTY);
  }
  return tokenizer;
}

const everywhere = (pattern) => new RegExp(pattern, 'gu');
const mapValues = (table, make) => Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value, name)]));

/** Makes rows of patterns and replacements from Python's. */
const makeRows = (rows, compile = everywhere) => rows.map(([from, to]) => [compile(from), to.replace(/\\(\d)/g, '$$$1')]);

/** Returns a text with each row's pattern replaced, one row after the other. */
const rewriteBy = (rows, text) => rows.reduce((done, [from, to]) => done.replace(from, to), text);

const compileRules = ({patterns, spellings, ...rules}) => (
  {...rules, ...mapValues(patterns, everywhere), spellings: makeRows(spellings)});

/** One spelling per text, no matter who typed it; see `normalize` in spelling.py, whose steps these are. */
function normalize(text, foldCase, rules) {
  if (foldCase) text = [...text].map((letter) => rules.folded[letter] ?? letter.toLowerCase()).join('');
  text = text.replace(rules.invisible, '').replace(rules.blank, ' ').normalize('NFD');
  text = ` ${text.replace(rules.apostrophe, "'").replaceAll(SPACE, '_')} `;
  text = text.replace(rules.moreMarks, '$1');
  text = rewriteBy(rules.spellings, text);
  return text.split(' ').filter((word) => word).join(' ').normalize('NFC');
}

/** Returns the tokens of a raw text. */
function tokenize(text, tokenizer) {
  text = normalize(text, tokenizer.foldCase, tokenizer.rules);
  if (tokenizer.kind === 'word') return text.match(tokenizer.rules.word) || [];
  if (tokenizer.kind === 'character') return text.replaceAll(' ', SPACE).match(tokenizer.rules.letter) || [];
  return text ? bestPieces([...`${SPACE}${text.replaceAll(' ', SPACE)}`], tokenizer) : [];
}

/** Returns the id of each token. */
const idsOf = (tokens, tokenizer) => tokens.map((token) => tokenizer.ids.get(token) ?? UNKNOWN);

/** Of all ways to cut letters into pieces, returns the one with the highest sum of scores (Viterbi).
 *
 * The best way to the first t letters ends with some piece, and before that piece stands the best way to the letters
 * that are left. Among equals the longer last piece wins, and unknown letters in a row are one token: as in
 * sentencepiece (Kudo 2018, arXiv:1804.10959, section 3), which compares sums in float64 and keeps them in float32.
 */
function bestPieces(letters, tokenizer) {
  const best = [0], start = [0], isUnknown = [false];  // of the best way to the first t letters: sum, last piece
  for (let end = 1; end <= letters.length; end++) {
    best[end] = -Infinity;
    for (let first = Math.max(0, end - tokenizer.longest); first < end; first++) {
      const id = tokenizer.ids.get(letters.slice(first, end).join(''));
      const alone = id === undefined && first === end - 1;  // a letter that is no piece
      if (id === undefined && !alone) continue;
      const sum = alone ? Math.fround(best[first] + tokenizer.unknownScore) : best[first] + tokenizer.scores[id];
      if (sum > best[end]) [best[end], start[end], isUnknown[end]] = [Math.fround(sum), first, alone];
    }
  }
  const pieces = [];
  for (let end = letters.length; end > 0;) {
    let first = start[end];
    while (isUnknown[end] && isUnknown[first]) first = start[first];
    pieces.unshift(letters.slice(first, end).join(''));
    end = first;
  }
  return pieces;
}

/** Returns the text of tokens: the inverse of `tokenize` on normalised text. */
function detokenize(tokens, tokenizer) {
  if (tokenizer.kind !== 'word') return tokens.join('').replaceAll(SPACE, ' ').trim();
  const {opening, closing, quote} = tokenizer.rules;
  let text = '', quoteOpen = false, leanRight = true;
  for (const token of tokens) {
    const letters = [...token], sign = letters[0], signs = opening + closing + quote;
    const isSign = letters.length > 0 && letters.every((letter) => signs.includes(letter));
    const opens = isSign && (sign === quote ? !quoteOpen : opening.includes(sign));
    if (isSign && sign === quote) quoteOpen = !quoteOpen;
    text += leanRight || (isSign && !opens) ? token : ` ${token}`;
    leanRight = opens;
  }
  return text;
}

/** Returns the text of ids; padding, start and end are left out. */
function decode(ids, tokenizer) {
  const shown = ids.filter((id) => id !== PAD && id !== START && id !== END);
  return detokenize(shown.map((id) => tokenizer.vocabulary[id]), tokenizer);
}

/** Returns the words or letters that tokens form, each as {text, positions of its tokens}; see `Tokenizer.words`. */
function wordsOf(tokens, tokenizer) {
  const {linked} = tokenizer.rules;
  if (tokenizer.kind === 'word') {
    return tokens.flatMap((token, position) => (token.match(linked) ?? []).map((text) => ({text, positions: [position]})));
  }
  const spans = [];
  let offset = 0;
  for (const token of tokens) {
    const visible = token.length - token.replace(/^▁+/, '').length;
    spans.push([offset + visible, Math.max(offset + token.length, offset + visible + 1)]);
    offset += token.length;
  }
  return [...tokens.join('').replaceAll(SPACE, ' ').matchAll(linked)].map(({0: text, index}) => (
    {text, positions: spans.flatMap(([from, to], i) => (to > index && from < index + text.length ? [i] : []))}));
}

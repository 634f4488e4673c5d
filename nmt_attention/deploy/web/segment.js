// Texts into what is translated by itself: the JavaScript of preprocess/rules.py and segment.py. What differs between cases
// are rows of preprocess/rules.tsv, which come with the model.

const FOUND_OFTEN = ['boundary', 'token', 'letters', 'word', 'entity', 'escapedTwice', 'number', 'digits', 'loop', 'signs', 'dated'];  // more than once in a text

/** Makes what the functions below call `rules` from what browser.py wrote. */
function makePreprocessor(saved) {
  const compile = (text, flags = 'gu') =>
    new RegExp(text.replace(/\\[dsw]/g, (letters) => saved.classes[letters]), flags);
  return {
    ...saved,
    compile,
    patterns: mapValues(saved.patterns, (pattern, name) => compile(pattern, FOUND_OFTEN.includes(name) ? 'gu' : 'u')),
    last: compile(`(?:${saved.patterns.last})$`, 'u'),
    ends: compile('^[\\s]+|[\\s]+$'),
    digit: compile('^[\\d]$', 'u'),
    tables: mapValues(saved.tables, (table) => makeRows(table, compile)),
    words: mapValues(saved.words, (words) => new Set(words)),
    numerals: mapValues(saved.numerals, (pattern) => compile(pattern)),
    letters: new Set(saved.letters),
    symbols: new Map(Object.entries(saved.symbols)),
    beginningWord(bare, oblique) {
      const {wordStart, ending} = saved.patterns, follows = ending.slice(1);  // without ^
      return compile(`${wordStart}(?:${escaped(bare)}(?!${follows})|${escaped(oblique)}(?=${follows}))`);
    },
  };
}

const escaped = (text) => [...text].map((letter) => `\\u{${letter.codePointAt(0).toString(16)}}`).join('');

/** Returns a text with the patterns of tables replaced, in their order. */
const rewrite = ({tables}, text, names) => names.reduce((done, name) => rewriteBy(tables[name], done), text);

/** Returns a text with its HTML entities written out. */
function unescapeEntities(rules, text) {
  const {entity, escapedTwice} = rules.patterns;
  if (!text.match(entity)) return text;
  const write = (whole, decimal, hexadecimal, name) => {
    if (name) return rules.entities[name] ?? whole;
    const code = decimal ? parseInt(decimal, 10) : parseInt(hexadecimal, 16);
    return code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ' ';
  };
  return rewrite(rules, text.replace(escapedTwice, '&').replace(entity, write), ['apart']);
}

/** Returns the pieces of a text, {typed, read, before, after, lacksMark} each; one whose `read` is empty stays as it is. */
function segment(rules, text) {
  const [before, marked, after] = splitSigns(rules, text.replace(rules.invisible, '')), body = unescapeEntities(rules, marked);
  if (!rules.patterns.letter.test(body)) {
    return [{typed: inDigits(rules, body.replace(rules.ends, '')), read: '', before, after, lacksMark: false}];
  }
  const pieces = splitSentences(rules, rewrite(rules, body, ['spacing'])).flatMap(([sentence, space]) => piecesOf(rules, sentence, space));
  pieces[0].before = before + pieces[0].before;
  pieces[pieces.length - 1].after += after;
  return pieces;
}

/** Returns a sentence as one piece, or what is translated by itself within it as several. */
function piecesOf(rules, sentence, space) {
  const within = rules.spellings.includes('english') ? withinOf(rules, sentence) : [['', sentence, '']];
  const pieces = within.map(([before, text, after]) => {
    const piece = pieceOf(rules, text, after);
    return {...piece, before: before + piece.before};
  });
  pieces[pieces.length - 1].after += space;
  return pieces;
}

/** Returns what is translated by itself within a sentence, between the signs that stand around it. */
function withinOf({patterns}, sentence) {
  let match;
  if ((match = sentence.match(patterns.enclosed))) return [match.slice(1, 4)];
  if ((match = sentence.match(patterns.opening))) return [match.slice(1, 4), ...withinOf({patterns}, match[4])];
  if ((match = sentence.match(patterns.brackets))) {
    const outer = withinOf({patterns}, match[1] + match[5]), last = outer.pop();
    return [...outer, [last[0], last[1], `${last[2]} ${match[2]}`], ['', match[3], match[4]]];
  }
  if ((match = sentence.match(patterns.speech))) return [['', match[1], ', "'], ['', match[2], '"']];
  if ((match = sentence.match(patterns.spoken))) return [['"', match[1], match[1].endsWith(',') ? '," ' : '" '], ['', match[2], '']];
  if ((match = sentence.match(patterns.quoted))) return [['"', match[1], '"']];
  return [['', sentence, '']];
}

function pieceOf(rules, sentence, after) {
  const [counter] = sentence.match(rules.patterns.counter) ?? [''], typed = sentence.slice(counter.length);
  const read = rewrite(rules, typed, rules.spellings);
  const {letter, hasFinalMark} = rules.patterns, lacksMark = letter.test(sentence) && !hasFinalMark.test(sentence);
  return {typed, read: lacksMark && !hasFinalMark.test(read) ? addFinalMark(rules, read) : read, before: inDigits(rules, counter), after, lacksMark};
}

/** Returns the signs before a text, the text without signs among its words, and the signs after it. */
function splitSigns(rules, whole) {
  const text = rewrite(rules, whole, ['markup']), [before] = text.match(rules.patterns.before) ?? [''];
  let rest = text.slice(before.length);
  for (let match; rest && (match = rest.match(rules.last));) rest = rest.slice(0, match.index);
  const after = text.slice(before.length + rest.length);
  const body = after.replace(rules.ends, '') ? rest : text.slice(before.length);
  if (!rules.patterns.anyLetter.test(body)) return ['', whole, ''];
  const enclosed = body.match(rules.patterns.enclosed) ?? ['', '', body, ''];
  return [before + enclosed[1], rewrite(rules, enclosed[2], ['among']), enclosed[3] + (body === rest ? after : '')];
}

/** Returns the sentences of a text, each as [sentence, the white space after it]. */
function splitSentences(rules, text) {
  const {boundary, numbered, beforeNumber, notAtEnd} = rules.patterns;
  const sentences = [], capitals = /\p{Uppercase}/u.test(text);
  let start = 0;
  for (const {0: match, 1: marks, 2: space, 3: following, index} of text.matchAll(boundary)) {
    const end = index + marks.length, sentence = text.slice(start, end);
    const tail = sentence.slice(-80);  // tells whether it ends there
    const number = numbered.test(tail) || (rules.digit.test(following) && beforeNumber.test(tail));
    const small = capitals && /\p{Lowercase}/u.test(following);
    if (small || number || notAtEnd.test(tail) || inQuotation(sentence)) continue;
    sentences.push([sentence, space]);
    start = index + match.length;
  }
  return [...sentences, [text.slice(start), '']];
}

function inQuotation(text) {
  const count = (mark) => text.split(mark).length - 1;
  return count('"') % 2 === 1 || count('“') > count('”') || count('«') > count('»');
}

const addFinalMark = ({patterns}, sentence) =>
  sentence.replace(patterns.noEnd, '') + (patterns.question.test(sentence.toLowerCase()) ? '?' : '.');

const inDigits = (rules, text) => text.replace(/[0-9]/g, (digit) => rules.digits[digit] ?? digit);

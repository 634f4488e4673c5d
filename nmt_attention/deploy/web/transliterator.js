// Words letter by letter in another script: the JavaScript of preprocess/transliterator.py.

/** Makes what the functions below call `names` from what browser.py wrote. */
function makeNames(saved, rules) {
  const listed = new Map(Object.entries(saved.listed).map(([name, [text, kind]]) => [name, {text, kind}]));
  return {
    ...saved, listed,
    model: makeModel(saved.model, rules),
    known: new Set(saved.known),
    unwritten: new Set(saved.unwritten),
    listedSmall: new Set([...listed.keys()].map((name) => name.toLowerCase())),
    byLetters: new Map([...listed].map(([name, spelled]) => [lettersOf(name, saved.plain), spelled])),
    syllables: new RegExp(`^(?:${saved.syllables})$`, 'u'),
  };
}

/** What the second model reads: the letters of a word, with spaces between them. */
const lettersOf = (word, plain) => withoutAccents(word, plain).match(/[a-z]/g).join(' ');

const withoutAccents = (word, plain) =>
  [...word.toLowerCase().normalize('NFD')].map((letter) => plain[letter] ?? letter).join('').replace(/[\u0300-\u036f]/g, '');

/** Whether a word that is hidden from the model has letters; a number has none. */
const isSpelled = (names, word) => /[a-z]/.test(withoutAccents(word, names.plain));

/** Returns a word in the other script and its kind, {text, kind}: those of the list, or what the model writes. */
const spell = (names, word) => names.byLetters.get(lettersOf(word, names.plain)) ?? writeWord(names, word);

/** Returns the best hypothesis with the most probable text; the very best, if none is a kind and a well-formed word. */
function writeWord(names, word) {
  const letters = whole(lettersOf(word, names.plain));
  const found = translate(names.model, letters, names.beamSize).hypotheses.map(readWord);
  const probabilities = new Map();
  for (const {text, kind, score} of found) {
    if (!names.kinds.includes(kind) || !names.syllables.test(text)) continue;
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

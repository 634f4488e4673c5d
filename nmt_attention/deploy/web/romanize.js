// Devanagari to Latin letters: the JavaScript of marathi/romanize.py, whose rows of patterns come with the model.

/** Makes what `romanize` calls `latin` from `romanize.scheme()`. */
const makeLatin = ({word, before, unspoken, after, letters}) => ({
  word: new RegExp(word, 'gu'), before: makeRows(before), unspoken: makeRows([unspoken]), after: makeRows(after), letters,
});

/** Returns a text with its Marathi in Latin letters; everything else stays. */
function romanize({latin: {word, before, unspoken, after, letters}, rules}, text) {
  const written = text.replace(word, (found) => {
    let last, now = rewriteBy(before, normalize(found, false, rules).normalize('NFD'));
    do [last, now] = [now, rewriteBy(unspoken, now)]; while (now !== last);
    return rewriteBy(after, now);
  });
  return [...written].map((letter) => letters[letter] ?? letter).join('');
}

// Devanagari to Latin letters: the JavaScript of marathi/romanize.py, whose letters and patterns come with the model.

const VIRAMA = '\u094d', VISARGA = '\u0903', CANDRABINDU = '\u0901', SILENT_DOT = '\ue0ff';

/** Makes what the functions below call `latin` from `romanize.scheme()`. */
function makeLatin({patterns, nasals, ...letters}) {
  const {word, joiner, mark, syllable, postposition, breathed, oblique, stop, doubled, silent, loanEnd} = patterns;
  const all = (pattern) => new RegExp(pattern, 'gu'), whole = (pattern) => new RegExp(`^(?:${pattern})$`, 'u');
  return {
    ...letters,
    word: all(word), joiner: all(joiner), syllable: all(syllable), postposition: all(postposition),
    mark: whole(mark), breathed: whole(breathed), oblique: whole(oblique), stop: whole(stop),
    doubled: whole(doubled), silent: all(silent), loanEnd: whole(loanEnd),
    nasals: Object.entries(nasals).map(([consonants, nasal]) => [new RegExp(`^[${consonants}]`, 'u'), nasal]),
  };
}

/** Returns a text with its Marathi in Latin letters; everything else stays. */
function romanize({latin, rules}, text) {
  const written = text.replace(latin.word, (word) => romanizeWord(latin, normalize(word, false, rules)));
  return [...written].map((letter) => latin.others[letter] ?? letter).join('');
}

function romanizeWord(latin, normalized) {
  const word = normalized.normalize('NFD').replace(latin.joiner, '').replace(latin.silent, SILENT_DOT);
  const begins = [...word.matchAll(latin.postposition)].map(({index}) => index);
  if (latin.doubled.test(word)) begins.push(word.length / 2);
  const cuts = [...new Set([0, ...begins.sort((a, b) => a - b)]), word.length];
  const syllables = cuts.slice(1).flatMap((end, i) => {
    const found = [...word.slice(cuts[i], end).matchAll(latin.syllable)].map((match) => readSyllable(latin, match));
    return withoutUnspoken(latin, found);
  });
  syllables.slice(1).forEach((syllable, i) => {
    if (syllables[i].vowel === 'a' && !syllables[i].marks && !syllable.onset) {
      syllable.vowel = {i: 'ï', u: 'ü'}[syllable.vowel] ?? syllable.vowel;
    }
  });
  return syllables.map((syllable, i) => writeSyllable(latin, syllable, syllables[i + 1]?.onset ?? '')).join('');
}

/** Returns {onset, vowel, marks, bare}: consonants joined by viramas; a vowel in Latin letters, or ''; nasal dots and
 * visarga; whether the vowel is the unwritten a. */
function readSyllable({letters, signs, mark}, [, onset = '', sign, letter, marks, other]) {
  if (other && mark.test(other)) return {onset, vowel: '', marks: other, bare: false};
  if (other) return {onset, vowel: signs[other] ?? other, marks: '', bare: false};
  const vowel = letter ? letters[letter] ?? letter : signs[sign] ?? sign;
  return {
    onset, vowel: vowel === 'a' && marks.includes(CANDRABINDU) ? 'ê' : vowel, marks, bare: !(sign || letter || marks),
  };
}

/** Returns the syllables of a word, without each a that is not spoken; the first one always is. */
function withoutUnspoken(latin, syllables) {
  const spoken = [...syllables], last = spoken.length - 1;
  if (last > 0 && spoken[last].bare && endsAsEnglish(latin, spoken)) spoken[last] = {...spoken[last], vowel: '', bare: false};
  for (let i = spoken.length - 1; i > 0; i--) {
    const [before, here, after] = spoken.slice(i - 1, i + 2);
    if (here.bare && isUnspoken(latin, before, here, after)) spoken[i] = {...here, vowel: '', bare: false};
  }
  return spoken;
}

/** Returns whether the conjunct at the end of a word is one of English, or the word has a vowel that English has. */
function endsAsEnglish({loanEnd}, syllables) {
  const {onset} = syllables[syllables.length - 1];
  return loanEnd.test(onset) || (onset.includes(VIRAMA) && syllables.some(({vowel}) => 'êô'.includes(vowel || ' ')));
}

/** Returns whether a consonant's a is not spoken between these syllables; see `_is_unspoken` for the words. */
function isUnspoken(latin, before, here, after) {
  if (!isSingle(latin, here) || !before.vowel) return false;
  if (!after) return !(here.onset === 'य' && (before.vowel === 'i' || before.vowel === 'ī'));
  if (before.marks.includes(VISARGA) || !after.onset || !after.vowel || !isSingle(latin, after)) return false;
  if (after.bare && (before.marks || after.onset === 'र')) return false;
  if (after.onset === 'ह') return !latin.stop.test(here.onset);
  return here.onset + after.onset !== 'हर';
}

/** Returns whether the vowel follows one consonant, or what is spoken like one. */
const isSingle = ({breathed, oblique}, {onset, vowel}) =>
  !onset.includes(VIRAMA) || breathed.test(onset) || (vowel === 'ā' && oblique.test(onset));

/** Returns a syllable in Latin letters, its nasal being that of the following onset. */
function writeSyllable({consonants, nasals}, {onset, vowel, marks}, following) {
  const letters = onset.split(VIRAMA).filter((letter) => letter);
  const [, nasal] = nasals.find(([before]) => before.test(following)) ?? [null, 'ṁ'];
  return letters.map((letter) => consonants[letter] ?? consonants[letter[0]]).join('') + vowel
    + [...marks].map((mark) => ({[VISARGA]: 'ḥ', [SILENT_DOT]: ''})[mark] ?? nasal).join('');
}

// Devanagari to Latin letters by ISO 15919, letter by letter: a consonant carries an a, which a vowel sign replaces and
// a virama takes away.

const VOWELS = {
  अ: 'a', आ: 'ā', इ: 'i', ई: 'ī', उ: 'u', ऊ: 'ū', ऋ: 'r̥', ऌ: 'l̥', ऍ: 'ê', ऎ: 'e', ए: 'ē', ऐ: 'ai', ऑ: 'ô', ऒ: 'o',
  ओ: 'ō', औ: 'au', ॲ: 'ê',
};
const VOWEL_SIGNS = {
  'ा': 'ā', 'ि': 'i', 'ी': 'ī', 'ु': 'u', 'ू': 'ū', 'ृ': 'r̥', 'ॅ': 'ê', 'ॆ': 'e', 'े': 'ē', 'ै': 'ai', 'ॉ': 'ô', 'ॊ': 'o',
  'ो': 'ō', 'ौ': 'au',
};
const CONSONANTS = {
  क: 'k', ख: 'kh', ग: 'g', घ: 'gh', ङ: 'ṅ', च: 'c', छ: 'ch', ज: 'j', झ: 'jh', ञ: 'ñ', ट: 'ṭ', ठ: 'ṭh', ड: 'ḍ', ढ: 'ḍh',
  ण: 'ṇ', त: 't', थ: 'th', द: 'd', ध: 'dh', न: 'n', प: 'p', फ: 'ph', ब: 'b', भ: 'bh', म: 'm', य: 'y', र: 'r', ऱ: 'ṟ',
  ल: 'l', ळ: 'ḷ', व: 'v', श: 'ś', ष: 'ṣ', स: 's', ह: 'h', 'क़': 'q', 'ख़': 'k͟h', 'ग़': 'ġ', 'ज़': 'z', 'ड़': 'ṛ', 'ढ़': 'ṛh',
  'फ़': 'f',
};
const OTHER_SIGNS = {'ं': 'ṁ', 'ँ': 'm̐', 'ः': 'ḥ', 'ऽ': '’', '।': '.', '॥': '.', '\u200c': '', '\u200d': ''};
const VIRAMA = '्', NUKTA = '\u093c';

/** Returns a text with its Devanagari written in Latin letters; everything else stays. */
function romanize(text) {
  const letters = text.normalize('NFC').match(new RegExp(`[^]${NUKTA}?`, 'gu')) || [];
  let latin = '';
  letters.forEach((letter, i) => {
    const next = (letters[i + 1] || '')[0];
    const consonant = CONSONANTS[letter.normalize('NFC')] ?? CONSONANTS[letter[0]];
    if (consonant) latin += consonant + (next === VIRAMA || VOWEL_SIGNS[next] ? '' : 'a');
    else if (letter >= '०' && letter <= '९') latin += letter.charCodeAt(0) - '०'.charCodeAt(0);
    else if (letter !== VIRAMA) latin += VOWELS[letter] ?? VOWEL_SIGNS[letter] ?? OTHER_SIGNS[letter] ?? letter;
  });
  return latin;
}

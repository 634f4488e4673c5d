// One decoding step, drawn of plain numbers: query, scores, softmax, context, word. The exported page and the lessons'
// step player share this. Text becomes text nodes, never HTML.

const STRIP = 24;  // how many numbers of a vector are shown
const PERCENT = new Intl.NumberFormat('en', {style: 'percent', maximumFractionDigits: 1});
const STAGES = ['query', 'scores', 'softmax', 'context', 'word'];
const FORMULAS = {
  bahdanau: 'v · tanh(W query + U value)', concat: 'v · tanh(W [query ; value])', dot: 'query · value',
  'scaled-dot': 'query · value / √units', general: 'query · W value / √units',
};
const QUERIES = {
  bahdanau: 'the decoder\'s state before it reads the token just written',
  conditional: 'the decoder\'s state after it has read the token just written',
  luong: 'the decoder\'s new state', 'luong-input-feeding': 'the decoder\'s new state',
};

/** Makes an element with attributes and children; a string is a text. */
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const language = (text) => (/[\u0900-\u097f]/.test(text) ? {lang: 'mr'} : {});

/** The first of a vector's numbers as a row of colours: dark above 0, or light on a dark page, orange below. */
const strip = (numbers, name, units) => {
  const shown = [...numbers.slice(0, STRIP)], most = Math.max(...shown.map(Math.abs)) || 1;
  const first = shown.slice(0, 4).map((number) => number.toFixed(2)).join(', ');
  const title = `${name}: ${units} numbers, the first are ${first}`;
  return element('span', {class: `strip ${name.split(' ')[0]}`, role: 'img', 'aria-label': title, title}, ...shown.map((number) => {
    const cell = element('span');
    cell.style.backgroundColor = number > 0 ? 'currentColor' : 'rgb(var(--below-zero))';
    cell.style.opacity = Math.abs(number) / most;
    return cell;
  }));
};

const bar = (share) => {
  const made = element('span', {class: 'bar', 'aria-hidden': 'true'});
  made.style.setProperty('--share', share);
  return made;
};

const nextStage = ({t, stage}) => (stage < STAGES.length - 1 ? {t, stage: stage + 1} : {t: t + 1, stage: 0});
const stageBefore = ({t, stage}) => (stage ? {t, stage: stage - 1} : {t: t - 1, stage: STAGES.length - 1});

/** What happens in each stage of a step, in words. */
const explain = ({attention, decoder, scores, size, replaced = false, note = ''}) => {
  const query = QUERIES[decoder], formula = FORMULAS[attention];
  return [
    `Query: ${query ? `${query}. It` : 'it'} asks what to look at next.`,
    scores ? `Scores: how well the query fits each key${formula ? `, ${formula}` : ''}.`
      : 'This model has no attention.',
    replaced ? 'Weights: set by hand; the scores have no effect.'
      : 'Softmax: turns the scores into weights, which are positive and sum to 1.',
    'Context: the sum of the values (the encoder\'s vectors), each times its weight.',
    `Word: state, token and context give each of the ${size.toLocaleString('en')} tokens a probability.${note}`,
  ];
};

/** Draws a step up to one of the `STAGES`.
 *
 * step: {before, sources, keys, query, scores, weights, context, units, words, size, attention, decoder}: the text
 * written so far; the source's tokens, keys, scores (null without attention) and weights; query and context, of which
 * the first numbers are enough, and how many `units` they have; the best words of the vocabulary, of `size` tokens, as
 * {text, share, written}, and perhaps their Latin letters and an English word, {latin, gloss}; the names of attention
 * and decoder. `replaced` and `note`: see `explain`.
 */
const drawStep = (step, stage) => {
  const {before, sources, keys, query, scores, weights, context, units, words} = step;
  const shown = (number) => stage >= number, withScores = shown(1) && scores;
  const rows = sources.map((token, j) => element('tr', {},
    element('th', {scope: 'row', ...language(token)}, token),
    element('td', {}, strip(keys[j], `key of ${token}`, units)),
    ...(withScores ? [element('td', {}, scores[j].toFixed(2))] : []),
    ...(shown(2) ? [element('td', {}, bar(weights[j]), weights[j].toFixed(3))] : [])));
  const heads = ['source token', 'key', ...(withScores ? ['score'] : []), ...(shown(2) ? ['weight'] : [])];
  const best = words.map(({text, share, written, latin, gloss}) => element('li', written ? {class: 'chosen'} : {},
    bar(share), element('b', language(text), text),
    ...(latin ? [' ', element('small', {lang: 'mr-Latn'}, latin)] : []),
    ...(gloss ? [' ', element('small', {lang: 'en'}, `(${gloss})`)] : []),
    ` ${PERCENT.format(share)}${written ? ' – written' : ''}`));
  return [
    element('p', {}, 'Written so far: ', element('b', language(before), before || 'nothing yet')),
    element('ol', {class: 'stages', 'aria-hidden': 'true'}, ...STAGES.map((name, i) =>
      element('li', i === stage ? {class: 'now'} : i > stage ? {class: 'later'} : {}, name))),
    element('p', {role: 'status'}, explain(step)[stage]),
    element('p', {}, 'query ', strip(query, 'query', units)),
    element('div', {class: 'table', role: 'region', 'aria-label': 'keys, scores and weights', tabindex: 0},
      element('table', {},
        element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {scope: 'col'}, head)))),
        element('tbody', {}, ...rows))),
    ...(shown(3) ? [element('p', {}, 'context ', strip(context, 'context', units))] : []),
    ...(shown(4) ? [element('ol', {class: 'words5'}, ...best)] : []),
  ];
};

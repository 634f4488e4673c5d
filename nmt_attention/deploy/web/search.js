// From a distribution over the next token to a whole sentence: the JavaScript of search.py and translate.py.

/** How many tokens of a sentence are translated: Python reads 250 of any kind, which would block a page for many seconds. */
const maxSourceLength = ({source: {kind}}) => (kind === 'character' ? 250 : 100);

/** By which a hypothesis's log-probability is divided (Wu et al. 2016, eq. 14), because each token makes it smaller. */
const lengthPenalty = (length) => (5 + length) / 6;

/** Returns the places of the k highest numbers, the highest first; of equals the first one. */
function topK(numbers, k) {
  const best = [];  // places, the best first
  for (let i = 0; i < numbers.length; i++) {
    if (best.length === k && !(numbers[i] > numbers[best[k - 1]])) continue;
    let place = best.length;
    while (place > 0 && numbers[i] > numbers[best[place - 1]]) place--;
    best.splice(place, 0, i);
    if (best.length > k) best.pop();
  }
  return best;
}

/** Reads a piece; returns {masked, sourceTokens, isCut, memory, never, state}, or null if nothing of it is left. */
function readSource(model, masked) {
  const tokens = tokenize(masked.read, model.source), sourceTokens = tokens.slice(0, maxSourceLength(model));
  if (!sourceTokens.length) return null;
  const ids = idsOf(sourceTokens, model.source), encoded = encode(model, ids);
  return {
    masked, sourceTokens, isCut: tokens.length > sourceTokens.length, memory: makeMemory(model, encoded),
    never: neverWritten(model, ids), state: initialState(model, encoded.state),
  };
}

/** Makes the model write the given ids; returns the step that wrote each of them, and what may follow. */
function forced(model, source, ids) {
  const steps = [];
  let before = START, {state} = source;
  for (const id of ids) {
    const step = decoderStep(model, before, state, source);
    steps.push(step);
    [before, state] = [id, step.state];
  }
  return {steps, last: before, state};
}

let watch = null;  // is told of a model's greedy search at each step

/** Keeps the `beamSize` best hypotheses at every step until all have ended; a beam of 1 is greedy search.
 * Hypotheses are ranked by log-probability / lengthPenalty, ended and unended ones together. `prefix` are ids that
 * every translation begins with. Returns {found, history}: the hypotheses, {ids, weights, score} each, the best first;
 * and for each step the hypotheses kept, whose parent is a place in the step before.
 */
function beamSearch(model, source, beamSize, prefix = []) {
  const most = 2 * source.sourceTokens.length + 10;  // tokens in a translation, END included
  const {steps, last, state} = forced(model, source, prefix);
  const logProbs = steps.map((step, t) => step.logProbs[prefix[t]]), score = logProbs.reduce((sum, each) => sum + each, 0);
  let kept = [{
    ids: [...prefix], weights: steps.map((step) => step.weights), score, logProbs, state, last,
    alive: last !== END && prefix.length < most,
  }];
  const history = [];
  while (kept.some((hypothesis) => hypothesis.alive)) {
    const next = [];
    kept.forEach((hypothesis, parent) => {
      if (!hypothesis.alive) return next.push({...hypothesis, parent, id: PAD});  // stays as it is
      const step = decoderStep(model, hypothesis.last, hypothesis.state, source);
      for (const id of topK(step.logProbs, beamSize)) {
        const ids = [...hypothesis.ids, id];
        next.push({
          ids, id, parent, last: id, state: step.state, weights: [...hypothesis.weights, step.weights],
          score: hypothesis.score + step.logProbs[id], logProbs: [...hypothesis.logProbs, step.logProbs[id]],
          alive: id !== END && ids.length < most,
        });
      }
    });
    const ranks = next.map(({score, ids}) => score / (beamSize > 1 ? lengthPenalty(ids.length) : 1));
    kept = topK(ranks, beamSize).map((i) => next[i]).filter(({score}) => score > -Infinity);
    history.push(kept);
    if (beamSize === 1) watch?.(model, source, kept[0]);
  }
  return {found: kept, history};
}

/** Translates a piece; returns its hypotheses, the best first, as `Translator.n_best` does. */
function translate(model, piece, beamSize = 1) {
  const source = readSource(model, piece);
  return source ? {source, ...hypothesesOf(model, source, beamSize)} : {source, hypotheses: [], history: []};
}

function hypothesesOf(model, source, beamSize, prefix) {
  const {found, history} = beamSearch(model, source, beamSize, prefix);
  const texts = found.map(({ids}) => decode(ids, model.target));  // a beam may hold a text in several segmentations
  const different = found.filter((_, i) => texts.indexOf(texts[i]) === i);
  return {hypotheses: different.map((each) => hypothesisOf(model, source, each)), history};
}

/** Returns {text, sourceTokens, targetTokens, ids, attention, score, logProbs}, with every symbol written out. */
function hypothesisOf(model, source, {ids, weights, score, logProbs}) {
  return {
    text: textOf(model, source, ids),
    sourceTokens: source.sourceTokens.map((token) => writeOut(model, token, source.masked.words)),
    targetTokens: revealed(model, source.masked, decode(ids, model.target), ids.map((id) => model.target.vocabulary[id])),
    ids, attention: weights, score, logProbs,
  };
}

const textOf = (model, {masked}, ids, text = decode(ids, model.target)) => revealed(model, masked, text, [text])[0];

/** Returns a token alone, whatever follows it. */
const tokenOf = (model, {masked}, id) => writeOut(model, model.target.vocabulary[id], masked.spelled);

/** Merges tokens into words as `in_words` of decoding/words.py: a source word's column is the sum of its tokens' columns, a
 * target word's row the mean of its tokens' rows. Returns {sourceWords, targetWords, weights}, with symbols written out. */
function mergeSubwords(model, source, {ids, attention}) {
  const {sourceTokens, masked} = source, targetTokens = ids.map((id) => model.target.vocabulary[id]);
  const ended = targetTokens[targetTokens.length - 1] === model.target.vocabulary[END];
  const sourceWords = wordsOf(sourceTokens, model.source);
  const targetWords = wordsOf(ended ? targetTokens.slice(0, -1) : targetTokens, model.target);
  if (ended) targetWords.push({text: model.target.vocabulary[END], positions: [targetTokens.length - 1]});
  const owners = sourceTokens.map((_, j) => {
    const found = sourceWords.filter((word) => word.positions.includes(j));
    return found.length ? found : sourceWords.slice(-1);  // of a space at the very end
  });
  const share = (word, j) => (owners[j].includes(word) ? 1 / owners[j].length : 0);
  const weights = targetWords.map(({positions}) => {
    const row = mean(positions.map(() => 1 / positions.length), positions.map((t) => attention[t]));
    return sourceWords.map((word) => row.reduce((sum, weight, j) => sum + weight * share(word, j), 0));
  });
  const texts = revealed(model, masked, decode(ids, model.target), targetWords.map(({text}) => text));
  return {
    sourceWords: sourceWords.map((word) => ({...word, text: writeOut(model, word.text, masked.words)})),
    targetWords: targetWords.map((word, t) => ({...word, text: texts[t]})),
    weights,
  };
}

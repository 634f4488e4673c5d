// A net that learns to write words backwards, in a worker of its own: a recurrent encoder and decoder, and attention.
//
// A vector is {numbers, slopes}, a matrix has rows and columns, too: each operation also notes on the tape how the slopes of
// the loss by its result become slopes by what it was made of. What is computed forwards is in vectors.js.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz', STOP = LETTERS.length;  // the last id stands before and behind a word
const UNITS = 32, BATCH = 32, RATE = 0.004;
const LENGTHS = [3, 4, 5, 6, 7], MOST = 12;  // of words that it learns, and letters that it has places for: the last are never trained
const tape = [];

const withSlopes = (numbers) => ({numbers, slopes: new Float32Array(numbers.length)});

/** Returns numbers that follow from a seed alone, from 0 to 1. */
const chance = (seed) => () => (seed = (1664525 * seed + 1013904223) >>> 0) / 2 ** 32;

/** Returns the net's weights, by their names. */
function makeWeights(random) {
  const one = (rows, columns) => ({rows, columns, ...withSlopes(Float32Array.from({length: rows * columns},
    () => (random() - 0.5) * 2 * Math.sqrt(3 / (columns + rows))))});
  return {
    letters: one(STOP + 1, UNITS), places: one(MOST, UNITS), reads: one(UNITS, UNITS),
    written: one(STOP + 1, UNITS), remembers: one(UNITS, UNITS), saw: one(UNITS, UNITS), asks: one(UNITS, UNITS),
    says: one(UNITS, STOP + 1), tells: one(UNITS, STOP + 1),
  };
}

// --- operations

/** What an operation has made, whose slopes it sends back. */
function made(numbers, sendBack) {
  const result = withSlopes(numbers);
  tape.push(() => sendBack(result));
  return result;
}

/** The row of a table that an id names. */
const pick = (table, id) => made(row(table, id), ({slopes}) => accumulate(row({...table, numbers: table.slopes}, id), slopes, 1));

/** The product of a vector and a matrix. */
const times = (x, matrix) => made(dense(x.numbers, {kernel: matrix}), ({slopes}) => {
  accumulate(x.slopes, products(matrix, slopes), 1);
  for (let i = 0, n = 0; i < x.numbers.length; i++) {
    for (let j = 0; j < slopes.length; j++, n++) matrix.slopes[n] += x.numbers[i] * slopes[j];
  }
});

const add = (...all) => made(all.map(({numbers}) => numbers).reduce(plus), (sum) => all.forEach(({slopes}) => accumulate(slopes, sum.slopes, 1)));

const bend = (a) => made(tanh(a.numbers), ({numbers, slopes}) => accumulate(a.slopes, slopes.map((slope, i) => (1 - numbers[i] ** 2) * slope), 1));

/** Attention: mixes places by how well they fit the query. */
function look(query, places) {
  const vectors = places.map(({numbers}) => numbers), weights = softmax(vectors.map((vector) => dot(query.numbers, vector)));
  const seen = made(mean(weights, vectors), (mix) => {
    const fits = vectors.map((vector) => dot(mix.slopes, vector)), middle = dot(weights, fits);
    places.forEach(({numbers, slopes}, s) => {
      const slope = weights[s] * (fits[s] - middle);
      accumulate(query.slopes, numbers, slope);
      accumulate(slopes, query.numbers, slope);
      accumulate(slopes, mix.slopes, weights[s]);
    });
  });
  return {seen, weights};
}

/** Surprise, in nats, at the id that comes next, as its share in a mean of so many. */
function surprise(scores, id, count) {
  const chances = softmax(scores.numbers);
  tape.push(() => accumulate(scores.slopes, chances.map((chance, j) => chance - (j === id)), 1 / count));
  return -Math.log(chances[id]) / count;
}

// --- the net

/** Reads a word and returns what writes its next letter: from the id before to {scores, weights}. */
function read(net, word) {
  const places = [];
  let state = null, seen = null;
  for (const [s, letter] of word.entries()) {
    state = bend(add(pick(net.letters, letter), pick(net.places, s), ...(state ? [times(state, net.reads)] : [])));
    places.push(state);
  }
  return (before) => {
    state = bend(add(pick(net.written, before), times(state, net.remembers), ...(seen ? [times(seen, net.saw)] : [])));
    const found = look(times(state, net.asks), places);
    ({seen} = found);
    return {scores: add(times(state, net.says), times(seen, net.tells)), weights: found.weights};
  };
}

/** Returns the mean loss of words, in nats, and leaves its slopes by each weight. */
function learn(net, words) {
  let loss = 0;
  for (const {slopes} of Object.values(net)) slopes.fill(0);
  for (const word of words) {
    const next = read(net, word), ids = [...word.toReversed(), STOP];
    for (const [t, id] of ids.entries()) loss += surprise(next(ids[t - 1] ?? STOP).scores, id, words.length * ids.length);
    while (tape.length) tape.pop()();
  }
  return loss;
}

/** Writes a word backwards, as far as the net can; returns {letters, weights}. */
function write(net, word) {
  const next = read(net, word), letters = [], weights = [];
  for (let id; id !== STOP && letters.length <= Math.max(...LENGTHS, word.length);) {
    const {scores: {numbers}, weights: looked} = next(id ?? STOP);
    letters.push(id = numbers.indexOf(Math.max(...numbers)));
    weights.push(looked);
  }
  tape.length = 0;
  return {letters, weights};
}

/** Adam (Kingma & Ba 2015) on all weights, at steps that are counted from 1. */
function makeAdam(net) {
  const all = Object.values(net).map((each) => ({...each, mean: each.slopes.slice(), square: each.slopes.slice()}));
  return (step) => {
    const rate = RATE * Math.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step);
    for (const {numbers, slopes, mean, square} of all) {
      slopes.forEach((slope, i) => {
        mean[i] += 0.1 * (slope - mean[i]);
        square[i] += 0.001 * (slope * slope - square[i]);
        numbers[i] -= rate * mean[i] / (Math.sqrt(square[i]) + 1e-7);
      });
    }
  };
}

// --- the worker: it answers with its net, trained or not, and trains a new one when it is told to

const EACH = 5, SLOW = 200, SHOWN_EVERY = 100;  // steps between two pictures, steps that are shown slowly, and milliseconds between later pictures
let net = makeWeights(chance(4)), word = [], run = 0, latest = {step: 0, losses: []};  // the net of now, what it is asked for, and how it is trained

/** Trains a new net until it reverses a hundred new words and, if it learns words of that length, the one asked for, which it
 * does not learn from; gives {step, losses, isSlow, isDone}, before the first step too. */
function* train(random) {
  net = makeWeights(random);
  const adapt = makeAdam(net), losses = [], someWord = (length) => Array.from({length}, () => Math.floor(random() * STOP));
  const isRight = (each) => write(net, each).letters.join() === [...each.toReversed(), STOP].join();
  yield {step: 0, losses, isSlow: true};
  for (let step = 1, shown = 0, isDone = false; !isDone; step++) {
    losses.push(learn(net, Array.from({length: BATCH}, () => someWord(LENGTHS[Math.floor(random() * LENGTHS.length)]))));
    adapt(step);
    if (step % EACH || (step > SLOW && performance.now() - shown < SHOWN_EVERY)) continue;
    shown = performance.now();
    const tests = Array.from({length: 100}, (_, i) => someWord(LENGTHS[i % LENGTHS.length]));
    isDone = [...tests, word].every((each) => !LENGTHS.includes(each.length) || isRight(each));
    yield {step, losses, isSlow: step < SLOW, isDone};
  }
}

globalThis.onmessage = async ({data: {text, seed, pause}}) => {
  const typed = [...text.toLowerCase().normalize().replace(/\s/g, '')], known = typed.filter((letter) => LETTERS.includes(letter));
  const left = [...typed.filter((letter) => !known.includes(letter)), ...known.slice(MOST)].join(''), textOf = (id) => LETTERS[id] ?? 'the end';
  const show = () => {
    const {letters, weights} = write(net, word);
    postMessage({...latest, isTyped: !seed, left, isOld: !known.length, word: word.map(textOf), written: letters.map(textOf), weights, guess: Math.log(STOP + 1), lengths: LENGTHS, places: MOST});
  };
  if (known.length) word = known.slice(0, MOST).map((letter) => LETTERS.indexOf(letter));
  if (!seed) return show();
  const mine = ++run, begun = performance.now();
  for (latest of train(chance(seed))) {
    show();
    await new Promise((done) => setTimeout(done, latest.isSlow ? begun + pause * (6 + latest.step / EACH) - performance.now() : 0));  // the start is read
    if (mine !== run) return;
  }
};

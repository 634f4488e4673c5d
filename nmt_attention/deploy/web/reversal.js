// A net that learns to write words backwards, in a worker of its own: a recurrent encoder and decoder, and attention.
//
// All words of a batch have one length. A matrix is {rows, columns, numbers, slopes}: each operation also notes on the
// tape how the slopes of the loss by its result become slopes by what it was made of.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz', STOP = LETTERS.length;  // the last id stands before and behind a word
const UNITS = 32, BATCH = 32, LONGEST = 7, RATE = 0.004;
let tape = [];

const matrix = (rows, columns, numbers = new Float32Array(rows * columns)) =>
  ({rows, columns, numbers, slopes: new Float32Array(numbers.length)});

/** Returns numbers that follow from a seed alone, from 0 to 1. */
const chance = (seed) => () => (seed = (1664525 * seed + 1013904223) >>> 0) / 2 ** 32;

/** Returns the net's weights, by their names. */
function makeWeights(random) {
  const one = (rows, columns) => matrix(rows, columns, Float32Array.from({length: rows * columns},
    () => (random() - 0.5) * 2 * Math.sqrt(3 / (columns + rows))));
  return {
    letters: one(STOP + 1, UNITS), places: one(LONGEST, UNITS), reads: one(UNITS, UNITS),
    written: one(STOP + 1, UNITS), remembers: one(UNITS, UNITS), saw: one(UNITS, UNITS), asks: one(UNITS, UNITS),
    says: one(UNITS, STOP + 1), tells: one(UNITS, STOP + 1),
  };
}

// --- operations

/** The rows of a table that ids name. */
function pick(table, ids) {
  const {columns} = table, made = matrix(ids.length, columns);
  ids.forEach((id, i) => made.numbers.set(table.numbers.subarray(id * columns, (id + 1) * columns), i * columns));
  tape.push(() => ids.forEach((id, i) => {
    for (let j = 0; j < columns; j++) table.slopes[id * columns + j] += made.slopes[i * columns + j];
  }));
  return made;
}

/** The matrix product. */
function times(a, b) {
  const {rows, columns: inner} = a, {columns} = b, made = matrix(rows, columns);
  const each = (action) => {
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k < inner; k++) action(i * inner + k, k * columns, i * columns);
    }
  };
  each((at, from, to) => {
    for (let j = 0; j < columns; j++) made.numbers[to + j] += a.numbers[at] * b.numbers[from + j];
  });
  tape.push(() => each((at, from, to) => {
    let sum = 0;
    for (let j = 0; j < columns; j++) {
      const slope = made.slopes[to + j];
      sum += slope * b.numbers[from + j];
      b.slopes[from + j] += slope * a.numbers[at];
    }
    a.slopes[at] += sum;
  }));
  return made;
}

function add(...all) {
  const made = matrix(all[0].rows, all[0].columns);
  for (const {numbers} of all) numbers.forEach((number, i) => { made.numbers[i] += number; });
  tape.push(() => all.forEach(({slopes}) => made.slopes.forEach((slope, i) => { slopes[i] += slope; })));
  return made;
}

function bend(a) {
  const made = matrix(a.rows, a.columns, a.numbers.map(Math.tanh));
  tape.push(() => made.numbers.forEach((number, i) => { a.slopes[i] += (1 - number * number) * made.slopes[i]; }));
  return made;
}

/** Makes rows of numbers shares of 1. */
function shares(rows, columns, scores) {
  const made = new Float32Array(scores.length);
  for (let i = 0; i < rows; i++) {
    const row = scores.subarray(i * columns, (i + 1) * columns), most = Math.max(...row);
    const powers = row.map((score) => Math.exp(score - most)), sum = powers.reduce((total, power) => total + power, 0);
    made.set(powers.map((power) => power / sum), i * columns);
  }
  return made;
}

/** Attention: mixes each word's places, a matrix each, by how well they fit its query. */
function look(query, places) {
  const {rows, columns} = query, count = places.length, scores = new Float32Array(rows * count), made = matrix(rows, columns);
  const each = (action) => places.forEach((place, s) => {
    for (let i = 0; i < rows; i++) action(place, i * count + s, i * columns, i);
  });
  each(({numbers}, at, from) => {
    for (let j = from; j < from + columns; j++) scores[at] += query.numbers[j] * numbers[j];
  });
  const weights = shares(rows, count, scores);
  each(({numbers}, at, from) => {
    for (let j = from; j < from + columns; j++) made.numbers[j] += weights[at] * numbers[j];
  });
  tape.push(() => {
    const fits = new Float32Array(rows * count), means = new Float32Array(rows);
    each(({numbers, slopes}, at, from, i) => {
      for (let j = from; j < from + columns; j++) {
        fits[at] += made.slopes[j] * numbers[j];
        slopes[j] += weights[at] * made.slopes[j];
      }
      means[i] += weights[at] * fits[at];
    });
    each(({numbers, slopes}, at, from, i) => {
      const slope = weights[at] * (fits[at] - means[i]);
      for (let j = from; j < from + columns; j++) {
        query.slopes[j] += slope * numbers[j];
        slopes[j] += slope * query.numbers[j];
      }
    });
  });
  return {seen: made, weights};
}

/** Mean surprise, in nats, at the ids that come next. */
function surprise(scores, ids, count) {
  const {rows, columns, numbers} = scores, chances = shares(rows, columns, numbers);
  tape.push(() => ids.forEach((id, i) => {
    for (let j = 0; j < columns; j++) scores.slopes[i * columns + j] += (chances[i * columns + j] - (j === id)) / count;
  }));
  return -ids.reduce((sum, id, i) => sum + Math.log(chances[i * columns + id]), 0) / count;
}

// --- the net

/** Reads words and returns what writes their next letter: from the ids before to {scores, weights}. */
function read(net, words) {
  const places = [];
  let state = null;
  for (let s = 0; s < words[0].length; s++) {
    const parts = [pick(net.letters, words.map((word) => word[s])), pick(net.places, words.map(() => s))];
    state = bend(add(...parts, ...(state ? [times(state, net.reads)] : [])));
    places.push(state);
  }
  let seen = null;
  return (before) => {
    const parts = [pick(net.written, before), times(state, net.remembers)];
    state = bend(add(...parts, ...(seen ? [times(seen, net.saw)] : [])));
    const {seen: now, weights} = look(times(state, net.asks), places);
    seen = now;
    return {scores: add(times(state, net.says), times(seen, net.tells)), weights};
  };
}

/** Returns the mean loss of words, in nats, and leaves its slopes by each weight. */
function learn(net, words) {
  tape = [];
  for (const {slopes} of Object.values(net)) slopes.fill(0);
  const next = read(net, words), length = words[0].length, count = words.length * (length + 1);
  let before = words.map(() => STOP), loss = 0;
  for (let t = 0; t <= length; t++) {
    const ids = words.map((word) => word[length - 1 - t] ?? STOP);
    loss += surprise(next(before).scores, ids, count);
    before = ids;
  }
  for (const back of tape.reverse()) back();
  return loss;
}

/** Writes a word backwards, as far as the net can; returns {letters, weights}. */
function write(net, word) {
  const next = read(net, [word]), letters = [], weights = [];
  for (let id = STOP; letters.length <= LONGEST;) {
    const {scores: {numbers}, weights: row} = next([id]);
    id = numbers.indexOf(Math.max(...numbers));
    letters.push(id);
    weights.push([...row]);
    if (id === STOP) break;
  }
  tape = [];
  return {letters, weights};
}

/** Adam (Kingma & Ba 2015) on all weights. */
function makeAdam(net) {
  const all = Object.values(net).map((each) => ({...each, mean: each.slopes.slice(), square: each.slopes.slice()}));
  let step = 0;
  return () => {
    step++;
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

// --- the worker: it learns until it is told otherwise, and shows how far it is several times a second

const SHOWN_EVERY = 100;  // milliseconds

/** Trains a new net until it reverses a hundred new words and the one asked for, which it does not learn from; posts
 * {step, seconds, loss, letters, weights}, before the first step too. */
function train(word, post, random) {
  const net = makeWeights(random), adapt = makeAdam(net), begin = performance.now(), letter = () => Math.floor(random() * STOP);
  const someWord = (length) => Array.from({length}, letter);
  post({step: 0, seconds: 0, isDone: false, ...write(net, word)});
  const isRight = (each) => write(net, each).letters.join() === [...each.toReversed(), STOP].join();
  for (let step = 1, shown = 0, isDone = false; !isDone; step++) {
    const length = 3 + Math.floor(random() * (LONGEST - 2)), loss = learn(net, Array.from({length: BATCH}, () => someWord(length)));
    adapt();
    const now = performance.now();
    if (now - shown < SHOWN_EVERY) continue;
    shown = now;
    let right = 0;
    while (right < 100 && isRight(someWord(3 + right % (LONGEST - 2)))) right++;
    isDone = right === 100 && isRight(word);
    post({step, seconds: (now - begin) / 1000, loss, isDone, ...write(net, word)});
  }
}

globalThis.onmessage = ({data: {word, seed}}) => train(word, postMessage, chance(seed));

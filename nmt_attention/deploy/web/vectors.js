// Vectors and matrices: read from what browser.py wrote, multiplied and added.
//
// A vector is a Float64Array, a matrix {rows, columns, numbers} with its rows one after the other.

/** Reads float32, or 8-bit numbers with one scale for each row or each column; see `bundle.quantize`. */
function readArray({shape, floats, bytes, scale, perRow}) {
  const [rows, columns] = shape.length === 2 ? shape : [1, shape[0] ?? 1];
  if (floats) return {rows, columns, numbers: new Float32Array(fromBase64(floats).buffer)};
  const whole = new Int8Array(fromBase64(bytes).buffer), scales = new Float32Array(fromBase64(scale).buffer);
  const numbers = new Float32Array(whole.length);
  for (let i = 0, n = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, n++) numbers[n] = whole[n] * scales[perRow ? i : j];
  }
  return {rows, columns, numbers};
}

const fromBase64 = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Returns x W + b: the sum of the rows of W, each times a number of x. */
function dense(x, {kernel: {rows, columns, numbers}, bias}) {
  const y = new Float64Array(columns);
  if (bias) y.set(bias);
  for (let i = 0, n = 0; i < rows; i++) {
    const xi = x[i];
    for (let j = 0; j < columns; j++, n++) y[j] += xi * numbers[n];
  }
  return y;
}

/** Returns W x + b: the products of x and each row of W. */
function products({rows, columns, numbers}, x, bias) {
  const y = Float64Array.from(bias);
  for (let i = 0, n = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++, n++) sum += x[j] * numbers[n];
    y[i] += sum;
  }
  return y;
}

const row = (matrix, i) => matrix.numbers.subarray(i * matrix.columns, (i + 1) * matrix.columns);
const plus = (x, y) => x.map((number, i) => number + y[i]);
const tanh = (x) => x.map(Math.tanh);
const sigmoid = (number) => 1 / (1 + Math.exp(-number));

function dot(x, y) {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

function concat(...parts) {
  const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
  let start = 0;
  for (const part of parts) {
    all.set(part, start);
    start += part.length;
  }
  return all;
}

function softmax(scores) {
  const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function logSoftmax(logits) {
  let highest = -Infinity, sum = 0;
  for (let i = 0; i < logits.length; i++) highest = Math.max(highest, logits[i]);
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - highest);
  const log = highest + Math.log(sum);
  return logits.map((logit) => logit - log);
}

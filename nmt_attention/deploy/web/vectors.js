// Vectors and matrices: read from what browser.py wrote, multiplied and added.
//
// A vector is a Float64Array, a matrix {rows, columns, numbers} with its rows one after the other.

/** Returns the bytes of text that holds seven bits in each letter; see `as_letters` of browser.py. */
function fromLetters(text) {
  const bytes = new Uint8Array(Math.floor(text.length * 7 / 8));
  for (let i = 0, n = 0, held = 0, bits = 0; i < text.length; i++) {
    held = (held << 7 | text.charCodeAt(i) & 127) & 0x7fff;
    bits += 7;
    if (bits >= 8) bytes[n++] = held >> (bits -= 8);
  }
  return bytes;
}

/** Returns the JSON that is packed in letters, and the bytes of its arrays. */
async function unpack(letters) {
  const stream = new Blob([fromLetters(letters)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer()), end = bytes.indexOf(10);
  return {text: new TextDecoder().decode(bytes.subarray(0, end)), bytes: bytes.subarray(end + 1)};
}

const ARRAYS = {int8: Int8Array, uint8: Uint8Array, float32: Float32Array};

/** Reads JSON with the arrays that it names. */
function parse({text, bytes}) {
  const read = (value) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.array) return new ARRAYS[value.array](bytes.slice(value.begin, value.end).buffer);
    for (const key in value) value[key] = read(value[key]);
    return value;
  };
  return read(JSON.parse(text));
}

/** Returns a matrix or vector of float32, from 8-bit numbers with a scale for each row or column; see `bundle.quantize`. */
function readArray({shape, numbers: read, scale, perRow}) {
  const [rows, columns] = shape.length === 2 ? shape : [1, shape[0] ?? 1];
  if (!scale) return {rows, columns, numbers: read};
  const numbers = new Float32Array(read.length);
  for (let i = 0, n = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, n++) numbers[n] = read[n] * scale[perRow ? i : j];
  }
  return {rows, columns, numbers};
}

/** Returns x W + b: the sum of the rows of W, each times a number of x. */
function dense(x, {kernel: {rows, columns, numbers}, bias = columns}) {
  const y = new Float64Array(bias);
  for (let i = 0, n = 0; i < rows; i++) {
    const xi = x[i];
    for (let j = 0; j < columns; j++, n++) y[j] += xi * numbers[n];
  }
  return y;
}

/** Returns W x + b: the products of x and each row of W. */
function products({rows, columns, numbers}, x, bias = rows) {
  const y = new Float64Array(bias);
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

/** Adds to y a vector times a factor, and returns y. */
function accumulate(y, x, factor) {
  for (let i = 0; i < x.length; i++) y[i] += factor * x[i];
  return y;
}

function dot(x, y) {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

/** The sum of vectors, each times its weight. */
const mean = (weights, vectors) => weights.reduce((sum, weight, j) => accumulate(sum, vectors[j], weight), new Float64Array(vectors[0].length));

const concat = (...parts) => Float64Array.from(parts.flatMap((part) => [...part]));

function logSoftmax(scores) {
  const highest = scores.reduce((one, other) => Math.max(one, other)), log = highest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0));
  return scores.map((score) => score - log);
}

const softmax = (scores) => logSoftmax(scores).map(Math.exp);

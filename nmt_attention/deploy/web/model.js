// Ids to probabilities: the JavaScript of encoder.py, attention.py, recurrent.py and decoder.py, for one sentence.
// transformer.js has the same four functions of a Transformer.
//
// A layer's weights are found by Keras' names: `layer('decoder/token')` gives {kernel, bias}. Nothing here is trained.

const EMBEDDING_FACTOR = 4;  // see TokenEmbedding

/** Returns what the engine computes with; a model without placeholders has no `names`, and the one inside them no `latin`. */
function makeModel(saved, rules = compileRules(saved.rules)) {
  const weights = new Map(Object.entries(saved.weights).map(([name, array]) => [name, readArray(array)]));
  return {
    config: saved.config,
    weights,
    layer: (name) => ({kernel: weights.get(`${name}/kernel`), bias: weights.get(`${name}/bias`)?.numbers}),
    rules,
    source: makeTokenizer(saved.source, rules),
    target: makeTokenizer(saved.target, rules),
    preprocessor: saved.preprocessor ? {...makePreprocessor(saved.preprocessor), symbol: rules.symbol, invisible: rules.invisible} : null,
    names: saved.names ? makeNames(saved.names, rules) : null,
    latin: saved.latin ? makeLatin(saved.latin) : null,
    glosses: new Map(Object.entries(saved.glosses ?? {})),
    certainty: saved.certainty ?? null,
  };
}

const isTransformer = ({config}) => config.architecture === 'transformer';

// --- recurrent cells: the next state, {h} or {h, c}, from the input's part of the gates and the state's

function gruStep(x, u, {h}) {
  const units = h.length;
  return {h: h.map((old, i) => {
    const update = sigmoid(x[i] + u[i]), reset = sigmoid(x[units + i] + u[units + i]);
    const candidate = Math.tanh(x[2 * units + i] + reset * u[2 * units + i]);
    return candidate + update * (old - candidate);
  })};
}

function lstmStep(x, u, {h, c}, forgetBias) {
  const units = h.length, gate = (part, i) => x[part * units + i] + u[part * units + i];
  const kept = c.map((old, i) =>
    sigmoid(gate(1, i) + forgetBias) * old + sigmoid(gate(0, i)) * Math.tanh(gate(2, i)));
  return {h: kept.map((number, i) => sigmoid(gate(3, i)) * Math.tanh(number)), c: kept};
}

/** One step of a decoder's cell. */
function cellStep(model, name, x, state) {
  const u = dense(state.h, model.layer(`${name}/recurrent`));
  return model.config.cell === 'lstm' ? lstmStep(x, u, state, 1) : gruStep(x, u, state);
}

// --- encoder

/** Runs Keras' recurrent cell over vectors, from left to right; returns its outputs. */
function readOneWay(model, name, inputs) {
  const {cell} = model.config, part = (end) => model.weights.get(`encoder/${name}/${cell}_cell/${end}`);
  const kernel = part('kernel'), recurrent = part('recurrent_kernel'), bias = part('bias');
  const inputBias = row(bias, 0), recurrentBias = cell === 'gru' ? row(bias, 1) : undefined;
  let state = {h: new Float64Array(recurrent.rows), c: new Float64Array(recurrent.rows)};  // of c an LSTM alone knows
  return inputs.map((input) => {
    const x = dense(input, {kernel, bias: inputBias});
    const u = dense(state.h, {kernel: recurrent, bias: recurrentBias});
    state = cell === 'lstm' ? lstmStep(x, u, state, 0) : gruStep(x, u, state);
    return state.h;
  });
}

/** Returns one vector per position, the last state of both directions side by side, and the tokens' own vectors. */
function encode(model, sourceIds) {
  if (isTransformer(model)) return TRANSFORMER.encode(model, sourceIds);
  const reversed = (list) => [...list].reverse();
  const {config} = model, table = model.weights.get('encoder/embedding/embeddings');
  const tokens = sourceIds.map((id) => Float64Array.from(row(table, id), (number) => EMBEDDING_FACTOR * number));
  let values = tokens, state;
  for (let i = 0; i < config.encoder_layers; i++) {
    const inputs = values, layer = `${config.cell}_${i}`;
    if (config.bidirectional) {
      const forward = readOneWay(model, `layer_${i}/forward_${layer}`, inputs);
      const backward = reversed(readOneWay(model, `layer_${i}/backward_${layer}`, reversed(inputs)));
      values = forward.map((vector, j) => concat(vector, backward[j]));
      state = concat(forward[forward.length - 1], backward[0]);
    } else {
      values = readOneWay(model, layer, inputs);
      state = values[values.length - 1];
    }
    if (i > 0) values = values.map((vector, j) => plus(vector, inputs[j]));
  }
  return {values, state, tokens};
}

// --- attention

const scaled = (model, query, keys) => keys.map((key) => dot(query, key) / Math.sqrt(query.length));
const SCORES = {  // how well a query fits each key
  bahdanau: additive,
  concat: additive,
  general: scaled,
  dot: (model, query, keys) => keys.map((key) => dot(query, key)),
  'scaled-dot': scaled,
  none: null,
};
const WITH_KEYS = ['bahdanau', 'concat', 'general'];  // computed from the encoder's vectors once per sentence

function additive(model, query, keys) {
  const asked = dense(query, model.layer('decoder/attention/query'));
  const v = model.weights.get('attention/score_vector').numbers;
  return keys.map((key) => dot(v, tanh(plus(asked, key))));
}

/** What attention looks at. A function `reweight(weights, step)` in it would replace the model's own weights. */
function makeMemory(model, encoded) {
  if (isTransformer(model)) return TRANSFORMER.makeMemory(model, encoded);
  const hasKeys = WITH_KEYS.includes(model.config.attention), key = (value) => dense(value, model.layer('key'));
  return {...encoded, keys: hasKeys ? encoded.values.map(key) : encoded.values};
}

/** Returns {query, scores, weights, replaced, context}: where to look for step t's token, and what is seen there. */
function attend(model, query, memory, t) {
  const compare = SCORES[model.config.attention];
  if (!compare) {
    const weights = memory.values.map((_, j) => (j === memory.values.length - 1 ? 1 : 0));
    return {query, scores: null, weights, replaced: false, context: memory.state};
  }
  const scores = compare(model, query, memory.keys), own = softmax(scores);
  const weights = memory.reweight ? memory.reweight(own, t) : own;
  return {query, scores, weights, replaced: weights !== own, context: mean(weights, memory.values)};
}

/** What the tokens under attention, one by one, add to the logits; see lexical.py. */
function lexicalLogits(model, {weights}, memory) {
  const seen = tanh(mean(weights, memory.tokens));
  const hidden = plus(tanh(dense(seen, model.layer('decoder/lexical/hidden'))), seen);
  const table = model.weights.get('decoder/lexical/words/embeddings');
  return products(table, hidden);
}

// --- decoder

/** Returns the state before the first step: {layers}, its number t and, with input feeding, the attentional vector a. */
function initialState(model, summary) {
  if (isTransformer(model)) return TRANSFORMER.initialState(model);
  const {config} = model, names = config.cell === 'lstm' ? ['h', 'c'] : ['h'];
  const bridges = (_, i) => names.map((name, j) => [name, tanh(dense(summary, model.layer(`bridge_${i}_${j}`)))]);
  const layers = Array.from({length: config.decoder_layers}, bridges).map(Object.fromEntries);
  return {layers, t: 0, fed: new Float64Array(config.embedding_units)};
}

/** One step of the stacked cells; each layer above the first adds to its input. */
function stackStep(model, inputs, layers) {
  const states = [cellStep(model, 'decoder/stack/cell_0', inputs, layers[0])];
  let output = states[0].h;
  for (let i = 1; i < layers.length; i++) {
    const x = dense(output, model.layer(`decoder/stack/input_${i}`));
    states.push(cellStep(model, `decoder/stack/cell_${i}`, x, layers[i]));
    output = plus(states[i].h, output);
  }
  return {output, layers: states};
}

const DECODERS = {  // one step: (token's vector, its projection, state, memory) to {attention, seen, layers}
  bahdanau(model, token, inputs, {layers, t}, memory) {  // looks first, with the state before the token is read
    const attention = attend(model, layers[layers.length - 1].h, memory, t);
    const x = plus(inputs, dense(attention.context, model.layer('decoder/context')));
    const {output, layers: next} = stackStep(model, x, layers);
    return {attention, seen: concat(output, token, attention.context), layers: next};
  },
  conditional(model, token, inputs, {layers, t}, memory) {  // reads the token, looks, and reads what it saw
    const read = cellStep(model, 'decoder/reading', inputs, layers[0]);
    const attention = attend(model, read.h, memory, t);
    const x = dense(attention.context, model.layer('decoder/context'));
    const {output, layers: next} = stackStep(model, x, [read, ...layers.slice(1)]);
    return {attention, seen: concat(output, token, attention.context), layers: next};
  },
  luong(model, token, inputs, {layers, t}, memory) {  // reads the token, then looks
    const {output, layers: next} = stackStep(model, inputs, layers);
    const attention = attend(model, output, memory, t);
    return {attention, seen: concat(attention.context, output), layers: next};
  },
  'luong-input-feeding'(model, token, inputs, {layers, t, fed}, memory) {  // also reads its last attentional vector
    return DECODERS.luong(model, token, plus(inputs, dense(fed, model.layer('decoder/fed'))), {layers, t}, memory);
  },
};

/** One step: from the token before and the state to what `attend` returns, with {logProbs, state}. `source` has what is
 * looked at, `memory`, and `never`, the ids that are not written. */
function decoderStep(model, tokenId, state, source) {
  if (isTransformer(model)) return TRANSFORMER.decoderStep(model, tokenId, state, source);
  const {memory, never} = source;
  const table = model.weights.get('decoder/embedding/embeddings');
  const bias = model.weights.get('decoder/output_bias').numbers;
  const token = Float64Array.from(row(table, tokenId), (number) => EMBEDDING_FACTOR * number);
  const inputs = dense(token, model.layer('decoder/token'));
  const {attention, seen, layers} = DECODERS[model.config.decoder](model, token, inputs, state, memory);
  const features = tanh(dense(seen, model.layer('decoder/readout')));
  let logits = products(table, features, bias);  // the table of the tokens' vectors is also the output layer
  if (model.config.lexical) logits = plus(logits, lexicalLogits(model, attention, memory));
  for (const id of never) logits[id] = -Infinity;
  return {...attention, logProbs: logSoftmax(logits), state: {layers, t: state.t + 1, fed: features}};
}

// The Transformer: the JavaScript of transformer.py, for one sentence. It looks with several heads in every layer.

const NORM_EPSILON = 1e-3;  // Keras' own

/** Returns the vector with mean 0 and variance 1, times gamma, plus beta. */
function layerNorm(model, name, x) {
  const [gamma, beta] = ['gamma', 'beta'].map((end) => model.weights.get(`${name}/${end}`).numbers);
  const middle = x.reduce((sum, number) => sum + number, 0) / x.length;
  const variance = x.reduce((sum, number) => sum + (number - middle) ** 2, 0) / x.length;
  return x.map((number, i) => gamma[i] * (number - middle) / Math.sqrt(variance + NORM_EPSILON) + beta[i]);
}

/** A token's vector times √H, plus that of its position: sines and cosines, side by side. */
function positioned(table, id, position) {
  const units = table.columns, half = units / 2;
  return Float64Array.from(row(table, id), (number, i) => {
    const angle = position * 10000 ** (-2 * (i % half) / units);
    return Math.sqrt(units) * number + (i < half ? Math.sin(angle) : Math.cos(angle));
  });
}

/** What a position shows to the heads that look at it. */
const project = (model, name, value) => (
  {key: dense(value, model.layer(`${name}/key`)), content: dense(value, model.layer(`${name}/value`))});

/** Returns {seen, heads}: what a position sees of others with all heads, and the weights of each. */
function lookAround(model, name, query, others, reweight = (weights) => weights) {
  const {heads} = model.config, asked = dense(query, model.layer(`${name}/query`)), width = asked.length / heads;
  const found = Array.from({length: heads}, (_, n) => {
    const own = (vector) => vector.subarray(n * width, (n + 1) * width);
    const scores = others.map(({key}) => dot(own(asked), own(key)) / Math.sqrt(width));
    const weights = reweight(softmax(scores));
    return {weights, seen: mean(weights, others.map(({content}) => own(content)))};
  });
  const seen = dense(concat(...found.map((head) => head.seen)), model.layer(`${name}/output`));
  return {seen, heads: found.map(({weights}) => weights)};
}

function feedForward(model, name, x) {
  const hidden = dense(layerNorm(model, `${name}/norm`, x), model.layer(`${name}/hidden`));
  return plus(x, dense(hidden.map((number) => Math.max(0, number)), model.layer(`${name}/output`)));
}

const TRANSFORMER = {
  encode(model, sourceIds) {
    const table = model.weights.get('encoder/embedding/embeddings');
    let values = sourceIds.map((id, j) => positioned(table, id, j));
    for (let i = 0; i < model.config.encoder_layers; i++) {
      const layer = `encoder/layer_${i}`, attention = `${layer}/self_attention`;
      const normal = values.map((value) => layerNorm(model, `${layer}/norm`, value));
      const others = normal.map((value) => project(model, attention, value));
      values = values.map((value, j) => feedForward(model, `${layer}/feed_forward`,
        plus(value, lookAround(model, attention, normal[j], others).seen)));
    }
    return {values: values.map((value) => layerNorm(model, 'encoder/norm', value))};
  },

  /** The keys are those of every layer's cross-attention. */
  makeMemory(model, {values}) {
    const keys = Array.from({length: model.config.decoder_layers}, (_, i) =>
      values.map((value) => project(model, `decoder/layer_${i}/cross_attention`, value)));
    return {values, keys};
  },

  /** The state: what the tokens so far show to the heads of each layer. */
  initialState: ({config}) => ({layers: Array(config.decoder_layers).fill([]), t: 0}),

  /** As `decoderStep`, with `heads`, cross-attention by layer and head; `weights` is the mean of the layer before the last. */
  decoderStep(model, tokenId, {layers, t}, {memory: {keys, reweight}, never}) {
    const table = model.weights.get('decoder/embedding/embeddings'), next = [], heads = [];
    let value = positioned(table, tokenId, t);
    layers.forEach((before, i) => {
      const layer = `decoder/layer_${i}`, attention = `${layer}/self_attention`;
      const normal = layerNorm(model, `${layer}/self_norm`, value), soFar = [...before, project(model, attention, normal)];
      value = plus(value, lookAround(model, attention, normal, soFar).seen);
      const cross = lookAround(model, `${layer}/cross_attention`, layerNorm(model, `${layer}/cross_norm`, value),
        keys[i], reweight ? (own) => reweight(own, t) : undefined);
      value = feedForward(model, `${layer}/feed_forward`, plus(value, cross.seen));
      next.push(soFar);
      heads.push(cross.heads);
    });
    const chosen = heads[Math.max(0, heads.length - 2)], weights = mean(chosen.map(() => 1 / chosen.length), chosen);
    const logits = products(table, layerNorm(model, 'decoder/norm', value), model.weights.get('decoder/output_bias').numbers);
    for (const id of never) logits[id] = -Infinity;
    return {heads, weights: [...weights], scores: null, logProbs: logSoftmax(logits), state: {layers: next, t: t + 1}};
  },
};

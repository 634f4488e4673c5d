// What the decoder gets instead of its own attention weights, and padding after the sentence. Python has no such
// switches: with those of NORMAL the page computes what Python computes.

/** `attention`: 'own', 'uniform', 'shuffled' or 'hand', with which step `step` gets the weights `given`, one for each
 * token of the sentence. `padding`: how many padding tokens follow the sentence. `paddingMask`: whether encoder and
 * attention leave these out. */
const NORMAL = {attention: 'own', given: [], step: 0, padding: 0, paddingMask: true};

/** What the switches do to the model's weights: a function of (weights, step), or null for nothing. Where the mask is
 * false, the weight stays 0. */
function makeReweight({attention, given, step}, mask) {
  const seen = mask.filter((isSeen) => isSeen).length;
  if (attention === 'uniform') return () => mask.map((isSeen) => (isSeen ? 1 / seen : 0));
  if (attention === 'shuffled' && seen > 1) {
    const order = shuffledPositions(seen);
    return (weights) => weights.map((own, j) => (j < seen ? weights[order[j]] : own));
  }
  if (attention !== 'hand') return null;
  const byHand = mask.map((_, j) => given[j] ?? 0);
  return (weights, now) => (now === step ? byHand : weights);
}

/** Every position gets another one's weight, the same at every step and for every sentence of this length. */
function shuffledPositions(length) {
  const order = [...Array(length).keys()];
  let random = length;
  for (let i = length - 1; i > 0; i--) {  // Sattolo's shuffle: no position stays
    random = (random * 1103515245 + 12345) % 2147483648;
    const j = random % i;
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Returns weights whose j-th is `weight`, from 0 to 1; the others share the rest as before, or equally if they were 0,
 * so that all sum to 1. */
function setWeight(weights, j, weight) {
  if (weights.length === 1) return [1];
  const rest = weights.reduce((sum, other, i) => (i === j ? sum : sum + other), 0);
  return weights.map((other, i) => {
    if (i === j) return weight;
    return (1 - weight) * (rest > 0 ? other / rest : 1 / (weights.length - 1));
  });
}

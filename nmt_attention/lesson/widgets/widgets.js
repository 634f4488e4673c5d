// What the widgets share: this stands before each one's own script, in its block.

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const softmax = (scores) => {
  const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest)), total = sum(powers);
  return powers.map((power) => power / total);
};
/** The context (H,) of weights (S,) and values (S, H). */
const mean = (weights, values) => values[0].map((_, i) => sum(weights.map((weight, j) => weight * values[j][i])));
const written = (x, digits) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace('-', '−');

/** Starts each widget of a name that is not ready yet, with a function that finds its elements. */
const begin = (name, start) => {
  for (const piece of document.querySelectorAll(`.nmt-${name}:not([data-ready])`)) {
    piece.dataset.ready = '';
    piece.addEventListener('keydown', (event) => event.stopPropagation());  // notebooks have their own use for keys
    piece.querySelector('.controls').hidden = false;
    start((selector) => [...piece.querySelectorAll(selector)], piece);
  }
};

/** Puts a slider into a cell, behind an element for its number; returns both. */
const slide = (cell, label, limit, changed) => {
  const text = document.createElement('span'), slider = document.createElement('input');
  Object.assign(slider, {type: 'range', min: -limit, max: limit, step: 0.5, value: cell.dataset.value});
  slider.setAttribute('aria-label', label);
  slider.addEventListener('input', changed);
  cell.replaceChildren(text, slider);
  return {text, slider};
};

/** Makes buttons move on to a place, [button, function that shows it] each; the focus stays in the piece. */
const steer = (moves, otherwise) => {
  for (const [button, move] of moves) {
    button.addEventListener('click', () => {
      move();
      if (button.disabled) otherwise.find((each) => !each.disabled).focus();
    });
  }
};

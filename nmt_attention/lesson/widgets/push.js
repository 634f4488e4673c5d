// Weights (S,), context (H,) and what a step of training adds to each score (S,), for scores, values and g (H,).
const push = (scores, values, g) => {
  const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const weights = powers.map((power) => power / sum(powers));
  const context = g.map((_, i) => sum(weights.map((weight, j) => weight * values[j][i])));
  const pushes = values.map((value, j) => -weights[j] * sum(value.map((x, i) => g[i] * (x - context[i]))));
  return {weights, context, pushes};
};
for (const piece of document.querySelectorAll('.nmt-push:not([data-ready])')) {
  piece.dataset.ready = '';
  const find = (selector) => [...piece.querySelectorAll(selector)], [step, again] = find('button');
  const numbers = (row) => [...row.querySelectorAll('.number')].map((cell) => +cell.dataset.value);
  const values = find('tbody tr').map(numbers), given = numbers(piece.querySelector('tfoot')), scores = values.map(() => 0);
  const sliders = find('tfoot .number').map((cell, i) => {
    const slider = document.createElement('input');
    Object.assign(slider, {type: 'range', min: -2, max: 2, step: 0.5, value: given[i]});
    slider.setAttribute('aria-label', `g, unit ${i + 1}`);
    slider.addEventListener('input', () => show());
    cell.replaceChildren(document.createElement('span'), slider);
    return slider;
  });
  const write = (kind, found) => find(kind).forEach((cell, j) => { cell.textContent = found[j].toFixed(3); });
  const show = () => {
    const g = sliders.map((slider) => +slider.value), {weights, context, pushes} = push(scores, values, g);
    Object.entries({'.score': scores, '.weight': weights, '.push': pushes, '.context': context, 'tfoot span': g})
      .forEach(([kind, found]) => write(kind, found));
    return pushes;
  };
  const change = (next) => {
    next.forEach((score, j) => { scores[j] = score; });
    show();
  };
  step.addEventListener('click', () => change(show().map((x, j) => scores[j] + x)));
  again.addEventListener('click', () => change(scores.map(() => 0)));
  piece.addEventListener('keydown', (event) => event.stopPropagation());  // notebooks have their own use for arrows
  piece.querySelector('.controls').hidden = false;
  show();
}

// Weights (S,), context (H,) and what a step of training adds to each score (S,), for scores, values and g (H,).
const push = (scores, values, g) => {
  const weights = softmax(scores), context = mean(weights, values);
  const pushes = values.map((value, j) => -weights[j] * sum(value.map((x, i) => g[i] * (x - context[i]))));
  return {weights, context, pushes};
};

begin('push', (find) => {
  const values = find('tbody tr').map((row) => [...row.querySelectorAll('.number')].map((cell) => +cell.dataset.value));
  let scores = values.map(() => 0), pushes = [];
  const sliders = find('tfoot .number').map((cell, i) => slide(cell, `g, unit ${i + 1}`, 2, () => show(scores)));
  const show = (next) => {
    scores = next;
    const g = sliders.map(({slider}) => +slider.value), found = push(scores, values, g), {weights, context} = found;
    ({pushes} = found);
    const shown = {'.score': scores, '.weight': weights, '.push': pushes, '.context': context, 'tfoot span': g};
    for (const [cells, numbers] of Object.entries(shown)) {
      find(cells).forEach((cell, j) => { cell.textContent = written(numbers[j], 3); });
    }
  };
  const [step, again] = find('button');
  step.addEventListener('click', () => show(pushes.map((x, j) => scores[j] + x)));
  again.addEventListener('click', () => show(values.map(() => 0)));
  show(scores);
});

// The arithmetic of one step: scores (S,), weights (S,) and context (H,) of a query (H,) and values (S, H).
const attend = (query, values) => {
  const scores = values.map((value) => sum(value.map((x, i) => x * query[i]))), weights = softmax(scores);
  return {scores, weights, context: mean(weights, values)};
};
const number = (x, digits) => String(+x.toFixed(digits) + 0).replace('-', '−');
const share = (x) => (x > 0 && x < 0.0005 ? x.toExponential(1).replace('-', '−') : x.toFixed(3));
const LIMIT = 10;

begin('attention-by-hand', (find) => {
  const rows = find('tbody tr'), names = rows.map((row) => row.querySelector('th').textContent), [readout] = find('.readout');
  const numbers = rows.map((row) => [...row.querySelectorAll('.number')]);
  const sliders = numbers.map((row, r) => row.map((cell, i) => slide(cell, `${names[r]}, unit ${i + 1}`, LIMIT, () => show(r))));
  const draw = (cell, x) => {  // a bar from zero in the middle to x
    const [from, to] = [0, x / LIMIT].sort((a, b) => a - b).map((place) => `${50 + 50 * place}%`);
    cell.style.setProperty('--from', from);
    cell.style.setProperty('--to', to);
  };
  const show = (changed) => {
    const vectors = sliders.map((row) => row.map(({slider}) => +slider.value)), [query, ...values] = vectors;
    const {scores, weights, context} = attend(query, values);
    sliders.forEach((row, r) => row.forEach(({text}, i) => {
      text.textContent = number(vectors[r][i], 1);
      draw(numbers[r][i], vectors[r][i]);
    }));
    find('.score').forEach((cell, j) => { cell.textContent = number(scores[j], 2); });
    find('.weight').forEach((cell, j) => {
      cell.textContent = share(weights[j]);
      cell.style.setProperty('--w', weights[j]);
    });
    find('.context').forEach((cell, i) => {
      cell.textContent = number(context[i], 3);
      draw(cell, context[i]);
    });
    const j = changed ? changed - 1 : weights.indexOf(Math.max(...weights));  // a change of the query is one of all
    const factor = (x) => (x < 0 ? `(${number(x, 1)})` : number(x, 1));
    const products = values[j].map((x, i) => `${factor(query[i])}·${factor(x)}`).join(' + ');
    const shares = weights.map((weight, k) => `${weight.toFixed(2)} ${names[k + 1]}`).join(' + ');
    readout.textContent = `${names[0]} · ${names[j + 1]} = ${products} = ${number(scores[j], 2)}; context = ${shares}`;
  };
  find('button')[0].addEventListener('click', () => {
    sliders.forEach((row, r) => row.forEach(({slider}, i) => { slider.value = numbers[r][i].dataset.value; }));
    show(0);
  });
  show(0);
});

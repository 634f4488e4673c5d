// The arithmetic of one step: scores (S,), weights (S,) and context (H,) of a query (H,) and values (S, H).
const attend = (query, values) => {
  const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
  const scores = values.map((value) => sum(value.map((x, i) => x * query[i])));
  const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest));
  const total = sum(powers), weights = powers.map((power) => power / total);
  const context = query.map((_, i) => sum(weights.map((weight, j) => weight * values[j][i])));
  return {scores, weights, context};
};
const number = (x, digits) => String(+x.toFixed(digits) + 0).replace('-', '−');
const share = (x) => (x > 0 && x < 0.0005 ? x.toExponential(1).replace('-', '−') : x.toFixed(3));
const LIMIT = 10, STEP = 0.5;

for (const piece of document.querySelectorAll('.nmt-attention-by-hand:not([data-ready])')) {
  piece.dataset.ready = '';
  const find = (selector) => [...piece.querySelectorAll(selector)];
  const rows = find('tbody tr'), names = rows.map((row) => row.querySelector('th').textContent);
  const vectors = rows.map((row) => [...row.querySelectorAll('.number')].map((cell) => +cell.dataset.value));
  const given = vectors.map((vector) => [...vector]);
  const readout = piece.querySelector('.readout');
  const bar = (element, x) => {  // from zero in the middle to x
    const [from, to] = [0, x / LIMIT].sort((a, b) => a - b).map((place) => `${50 + 50 * place}%`);
    element.style.setProperty('--from', from);
    element.style.setProperty('--to', to);
  };
  const sliders = rows.map((row, r) => [...row.querySelectorAll('.number')].map((cell, i) => {
    const slider = document.createElement('input'), text = document.createElement('span');
    Object.assign(slider, {type: 'range', min: -LIMIT, max: LIMIT, step: STEP});
    slider.setAttribute('aria-label', `${names[r]}, unit ${i + 1}`);
    slider.addEventListener('input', () => {
      vectors[r][i] = +slider.value;
      show(r);
    });
    cell.replaceChildren(text, slider);
    return slider;
  }));
  const show = (changed) => {
    const [query, ...values] = vectors, {scores, weights, context} = attend(query, values);
    sliders.forEach((line, r) => line.forEach((slider, i) => {
      slider.value = vectors[r][i];
      slider.previousSibling.textContent = number(vectors[r][i], 1);
      bar(slider, vectors[r][i]);
    }));
    find('.score').forEach((cell, j) => { cell.textContent = number(scores[j], 2); });
    find('.weight').forEach((cell, j) => {
      cell.textContent = share(weights[j]);
      cell.style.setProperty('--w', weights[j]);
    });
    find('.context').forEach((cell, i) => {
      cell.textContent = number(context[i], 3);
      bar(cell, context[i]);
    });
    const j = changed ? changed - 1 : weights.indexOf(Math.max(...weights));  // a change of the query is one of all
    const factor = (x) => (x < 0 ? `(${number(x, 1)})` : number(x, 1));
    const products = values[j].map((x, i) => `${factor(query[i])}·${factor(x)}`).join(' + ');
    const shares = weights.map((weight, k) => `${weight.toFixed(2)} ${names[k + 1]}`).join(' + ');
    readout.textContent = `${names[0]} · ${names[j + 1]} = ${products} = ${number(scores[j], 2)}; context = ${shares}`;
  };
  piece.querySelector('button').addEventListener('click', () => {
    given.forEach((vector, r) => { vectors[r] = [...vector]; });
    show(0);
  });
  piece.addEventListener('keydown', (event) => event.stopPropagation());  // notebooks have their own use for arrows
  piece.querySelector('.controls').hidden = false;
  show(0);
}

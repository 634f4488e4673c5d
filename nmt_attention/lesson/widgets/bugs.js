const transposed = (rows) => rows[0].map((_, j) => rows.map((row) => row[j]));

// The program: of scores (T, S), values (S, H) and which positions are real, weights (T, S) and contexts (T, H).
const attend = (scores, values, real, {unmasked, wrongAxis}) => {
  const masked = scores.map((row) => row.map((score, j) => (real[j] || unmasked ? score : -1e9)));
  const weights = wrongAxis ? transposed(transposed(masked).map(softmax)) : masked.map(softmax);
  return {weights, contexts: weights.map((row) => mean(row, values))};
};
// The label of each step's row. A step reads the token that the step before has written.
const labels = (words, {late}) => (late ? ['<start>', ...words.slice(0, -1)] : words);

const number = (x) => written(x, 2);
const range = (numbers) => {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map(number);
  return low === high ? low : `${low} to ${high}`;
};

// What the bugs that are switched on have done, in words.
const describe = (words, real, switches, found, right) => {
  const {unmasked, wrongAxis, late, tidied} = switches, {weights, contexts} = found, said = [];
  const changes = (ours, theirs) => ours.flatMap((row, t) => row.map((x, i) => Math.abs(x - theirs[t][i])));
  const most = (ours, theirs) => number(Math.max(...changes(ours, theirs)));
  const onPadding = range(weights.map((row) => sum(row.filter((_, j) => !real[j]))));
  if (unmasked) said.push(`Padding gets ${onPadding} of the weight in a row, and the words lose it.`);
  if (wrongAxis) {
    said.push(`Columns sum to 1, and rows to ${range(weights.map(sum))}: a step's weights depend on the steps after it.`);
    if (!unmasked && real.includes(false)) {
      said.push(`A column of padding has the same low score in every row, so the mask fails, too: padding gets ${onPadding}.`);
    }
  }
  if (unmasked || wrongAxis) {
    said.push(`Weights change by up to ${most(weights, right.weights)}, contexts by up to ${most(contexts, right.contexts)}.`);
  }
  if (late) {
    const example = words.length > 1 ? `, so ${words[0]} stands beside the weights of ${words[1]}` : '';
    said.push(`The labels change no number, but each is one row too low${example}.`);
    if (tidied) said.push('Without its first row the picture looks right, and every label is still wrong.');
  }
  return said.join(' ') || 'The right program: each row sums to 1, and padding has no weight. Predict what a bug will '
    + 'change, then switch it on.';
};

begin('bugs', (find) => {
  const rows = find('tbody tr'), heads = find('tbody th'), words = heads.map((head) => head.textContent), [readout] = find('.readout');
  const cells = (row, kind) => [...row.querySelectorAll(`.${kind}`)];
  const real = find('[data-real]').map((head) => head.dataset.real === '1'), boxes = find('input');
  const scores = rows.map((row) => cells(row, 'weight').map((cell) => +cell.dataset.score));
  const values = find('[data-value]').map((cell) => cell.dataset.value.split(', ').map(Number));
  const right = attend(scores, values, real, {});
  const put = (cell, x, before) => {
    (cell.querySelector('span') ?? cell).textContent = number(x);
    cell.classList.toggle('changed', number(x) !== number(before));
  };
  const show = () => {
    boxes[3].disabled = !boxes[2].checked;  // what is not labelled wrongly has no row of the start marker
    if (boxes[3].disabled) boxes[3].checked = false;
    const [unmasked, wrongAxis, late, tidied] = boxes.map((box) => box.checked);
    const switches = {unmasked, wrongAxis, late, tidied};
    const found = attend(scores, values, real, switches), names = labels(words, switches);
    rows.forEach((row, t) => {
      row.hidden = tidied && t === 0;
      heads[t].textContent = names[t];
      heads[t].lang = /[\u0900-\u097f]/.test(names[t]) ? 'mr' : '';
      heads[t].classList.toggle('changed', names[t] !== words[t]);
      cells(row, 'weight').forEach((cell, j) => {
        put(cell, found.weights[t][j], right.weights[t][j]);
        cell.style.setProperty('--weight', found.weights[t][j]);
      });
      cells(row, 'context').forEach((cell, i) => put(cell, found.contexts[t][i], right.contexts[t][i]));
      put(cells(row, 'sum')[0], sum(found.weights[t]), 1);
    });
    readout.textContent = describe(words, real, switches, found, right);
  };
  for (const box of boxes) box.addEventListener('change', show);
  show();
});

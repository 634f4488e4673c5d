// Which rows are framed at their greatest weight: of each row true, false, or null where no cell is chosen.
const judge = (weights, chosen) => weights.map((row, t) =>
  (chosen[t] === null ? null : row[chosen[t]] === Math.max(...row)));

begin('predict', (find, piece) => {
  const [table] = find('table'), [readout] = find('.readout'), [reveal, again] = find('button');
  const names = find('thead th').map((head) => head.textContent), words = find('tbody th').map((head) => head.textContent);
  const cells = find('tbody tr').map((row) => [...row.querySelectorAll('.weight')]), all = cells.length;
  const weights = cells.map((row) => row.map((cell) => +cell.dataset.weight));
  const form = document.createElement('form');  // in which radio buttons of the same name are those of a row
  table.replaceWith(form);
  form.append(table);
  const radios = cells.map((row, t) => row.map((cell, j) => {
    const radio = document.createElement('input'), text = document.createElement('span');
    Object.assign(radio, {type: 'radio', name: `row-${t}`});
    radio.setAttribute('aria-label', `${words[t]}, row ${t + 1}: ${names[j]}, column ${j + 1}`);
    radio.addEventListener('change', () => show(false));
    text.textContent = weights[t][j].toFixed(2);
    cell.style.setProperty('--weight', weights[t][j]);
    cell.replaceChildren(radio, text);
    return radio;
  }));

  const say = (shown, chosen, right) => {
    const framed = chosen.filter((j) => j !== null).length;
    if (!shown) {
      const how = 'In each row, frame the cell that you expect to be the darkest: click it, or go to the row with Tab '
        + 'and use the arrow keys.';
      return framed ? `${framed} of ${all} rows framed.` : how;
    }
    const elsewhere = right.flatMap((is, t) => {
      if (is !== false) return [];
      const most = Math.max(...weights[t]), j = weights[t].indexOf(most);
      return `${words[t]} in row ${t + 1} has most, ${most.toFixed(2)}, on ${names[j]} in column ${j + 1}`;
    });
    const count = `Right in ${right.filter((is) => is).length} of ${all} rows`;
    const left = framed < all ? `, ${all - framed} without a frame` : '';
    return `${count}${left}${elsewhere.length ? `; ${elsewhere.join('; ')}` : ''}.`;
  };
  const show = (shown) => {
    const chosen = radios.map((row) => {
      const j = row.findIndex((radio) => radio.checked);
      return j < 0 ? null : j;
    });
    const right = judge(weights, chosen);
    find('.sign').forEach((sign, t) => { sign.textContent = shown && right[t] !== null ? (right[t] ? '✓' : '✕') : ''; });
    for (const radio of radios.flat()) radio.disabled = shown;
    piece.classList.toggle('shown', shown);
    reveal.disabled = shown;
    again.disabled = chosen.every((j) => j === null) && !shown;
    readout.textContent = say(shown, chosen, right);
  };
  const showWeights = (event) => {
    event.preventDefault();
    show(true);
    again.focus();
  };
  form.addEventListener('submit', showWeights);  // Enter in a row
  reveal.addEventListener('click', showWeights);
  again.addEventListener('click', () => {
    form.reset();
    show(false);
    radios[0][0].focus();
  });
  show(false);
});

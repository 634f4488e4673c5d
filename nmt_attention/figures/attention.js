for (const piece of document.querySelectorAll('.nmt-attention:not([data-ready])')) {
  piece.dataset.ready = '';
  const find = (selector) => [...piece.querySelectorAll(selector)];
  const buttons = find('button'), readout = piece.querySelector('.readout');
  const weights = find('tbody tr').map((row) => [...row.querySelectorAll('td')].map((cell) => +cell.dataset.weight));
  const hint = 'Point at a word, tap it or go to it with Tab: the words on the other side light up by their weight.';
  for (const button of buttons) {  // what was a tooltip is shown below the sentences from now on
    button.dataset.text = button.title;
    button.removeAttribute('title');
  }
  const light = (place) => {
    const {t, s} = place ? place.dataset : {};
    for (const word of find('button, th[data-t], th[data-s]')) {
      const isTarget = word.dataset.t !== undefined, own = isTarget ? t : s, other = isTarget ? s : t;
      const on = own !== undefined && own === (isTarget ? word.dataset.t : word.dataset.s);
      const lit = !on && own === undefined && other !== undefined;
      const weight = lit ? (isTarget ? weights[word.dataset.t][other] : weights[other][word.dataset.s]) : 0;
      word.classList.toggle('on', on);
      word.style.setProperty('--w', weight);
      if (word.tagName === 'BUTTON') word.dataset.weight = lit ? weight.toFixed(2) : '';
    }
    for (const cell of find('td')) cell.classList.toggle('on', cell === place);
    const same = buttons.find((b) => place && b.dataset.t === t && b.dataset.s === s);
    readout.textContent = same ? same.dataset.text : place ? place.title : hint;
  };
  const placeOf = (event) => event.target.closest('[data-t], [data-s]');
  const focused = () => (buttons.includes(document.activeElement) ? document.activeElement : null);
  piece.addEventListener('pointerover', (event) => light(placeOf(event) || focused()));
  piece.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && light(focused()));
  piece.addEventListener('focusin', (event) => light(placeOf(event)));
  piece.addEventListener('focusout', () => light(null));
  piece.addEventListener('keydown', (event) => {
    const i = buttons.indexOf(event.target), {t, s} = event.target.dataset;
    const line = buttons.filter((b) => (b.dataset.t === undefined) === (t === undefined));
    const across = buttons.filter((b) => !line.includes(b)), at = line.indexOf(event.target);
    const best = () => {  // the other line's word with the most weight
      const row = t === undefined ? weights.map((row) => row[s]) : weights[t];
      return across[row.indexOf(Math.max(...row))];
    };
    const next = i < 0 ? null : {
      ArrowLeft: () => line[at - 1], ArrowRight: () => line[at + 1], ArrowUp: best, ArrowDown: best,
    }[event.key]?.();
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
  light(null);
}

begin('beam', (find, piece) => {
  const [start, ...nodes] = find('.node'), [table] = find('.table'), [readout] = find('.readout');
  const steps = find('tbody td').slice(1).map((cell) => [...cell.querySelectorAll('.node')]);
  const [next, back, first, last] = find('button');
  const stepOf = new Map(steps.flatMap((column, t) => column.map((node) => [node, t])));
  const byNumber = new Map([start, ...nodes].map((node) => [node.dataset.node, node]));
  table.insertAdjacentHTML('afterbegin', '<svg aria-hidden="true"></svg>');
  const image = table.firstChild, end = 2 * steps.length;
  let frame = 0;  // 2 t + 1: step t's candidates appear; 2 t + 2: the best of them are kept

  const draw = () => {  // a line from each node to those that follow it
    const {left, top} = table.getBoundingClientRect();
    const place = (node) => {
      const box = node.getBoundingClientRect(), x = table.scrollLeft - left;
      return {from: box.left + x, to: box.right + x, y: (box.top + box.bottom) / 2 - top + table.scrollTop};
    };
    image.innerHTML = nodes.filter((node) => !node.classList.contains('later')).map((node) => {
      const one = place(byNumber.get(node.dataset.parent)), two = place(node), half = (one.to + two.from) / 2;
      const look = node.className.replace('node', 'line');
      return `<path class="${look}" d="M${one.to} ${one.y}C${half} ${one.y} ${half} ${two.y} ${two.from} ${two.y}"></path>`;
    }).join('');
    const {offsetWidth, offsetHeight} = piece.querySelector('table');
    image.setAttribute('width', offsetWidth);
    image.setAttribute('height', offsetHeight);
  };
  const say = () => {
    if (!frame) return 'Press Next: from the start marker, which tokens will the search consider?';
    const t = Math.ceil(frame / 2), column = steps[t - 1];
    const kept = column.filter((node) => !node.classList.contains('dropped')).length;
    const candidates = `${column.length} ${column.length === 1 ? 'candidate' : 'candidates'}`;
    if (frame % 2) return `Step ${t}: ${candidates}. Predict which are kept, then press Next.`;
    const won = frame === end ? ' The hypothesis marked ★ has won.' : '';
    return `Step ${t}: of ${candidates}, ${kept} kept. Hypotheses that have ended compete, too.${won}`;
  };
  const show = (to) => {
    frame = Math.max(0, Math.min(end, to));
    for (const node of nodes) {
      const t = stepOf.get(node), won = node.classList.contains('best');  // known at the end alone
      node.classList.toggle('later', frame < 2 * t + 1);
      node.classList.toggle('undecided', frame < 2 * t + 2);
      node.classList.toggle('open', won && frame < end);
      if (won) node.querySelector('.fate').textContent = frame < end ? '✓ kept' : '★ best';
    }
    back.disabled = first.disabled = frame === 0;
    next.disabled = last.disabled = frame === end;
    readout.textContent = say();
    draw();
    const [newest] = steps[Math.ceil(frame / 2) - 1] ?? [start];
    table.scrollLeft += newest.getBoundingClientRect().right - table.getBoundingClientRect().right + 8;
  };
  steer([[next, () => show(frame + 1)], [back, () => show(frame - 1)], [first, () => show(0)], [last, () => show(end)]], [next, back]);
  new ResizeObserver(draw).observe(piece.querySelector('table'));
  show(0);
});

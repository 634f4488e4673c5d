for (const piece of document.querySelectorAll('.nmt-beam:not([data-ready])')) {
  piece.dataset.ready = '';
  const [start, ...nodes] = piece.querySelectorAll('.node'), table = piece.querySelector('.table');
  const steps = [...piece.querySelectorAll('tbody td')].slice(1).map((cell) => [...cell.querySelectorAll('.node')]);
  const [next, back, first, last] = piece.querySelectorAll('button'), readout = piece.querySelector('.readout');
  const stepOf = new Map(steps.flatMap((column, t) => column.map((node) => [node, t])));
  const byNumber = new Map([start, ...nodes].map((node) => [node.dataset.node, node]));
  table.insertAdjacentHTML('afterbegin', '<svg aria-hidden="true"></svg>');
  const image = table.firstChild;
  const end = 2 * steps.length;
  let frame = 0;  // 2 t + 1: step t's candidates appear; 2 t + 2: the best of them are kept

  const draw = () => {  // a line from each node to those that follow it
    const {left, top} = table.getBoundingClientRect();
    const place = (node) => {
      const box = node.getBoundingClientRect(), y = (box.top + box.bottom) / 2 - top + table.scrollTop;
      return [box.left - left + table.scrollLeft, box.right - left + table.scrollLeft, y];
    };
    image.innerHTML = nodes.filter((node) => !node.classList.contains('later')).map((node) => {
      const [, x0, y0] = place(byNumber.get(node.dataset.parent)), [x1, , y1] = place(node), half = (x0 + x1) / 2;
      const look = node.className.replace('node', 'line');
      return `<path class="${look}" d="M${x0} ${y0}C${half} ${y0} ${half} ${y1} ${x1} ${y1}"></path>`;
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
      const t = stepOf.get(node);
      node.classList.toggle('later', frame < 2 * t + 1);
      node.classList.toggle('undecided', frame < 2 * t + 2);
      const won = node.classList.contains('best');  // known at the end alone
      if (won) node.querySelector('.fate').textContent = frame < end ? '✓ kept' : '★ best';
      node.classList.toggle('open', won && frame < end);
    }
    for (const button of [back, first]) button.disabled = frame === 0;
    for (const button of [next, last]) button.disabled = frame === end;
    readout.textContent = say();
    draw();
    const newest = steps[Math.ceil(frame / 2) - 1];
    const right = (newest ? newest[0] : start).getBoundingClientRect().right - table.getBoundingClientRect().right;
    table.scrollLeft += right + 8;
  };
  const go = (button, to) => button.addEventListener('click', () => {
    show(to());
    if (button.disabled) (button === next || button === last ? back : next).focus();  // the focus stays in the piece
  });
  go(next, () => frame + 1);
  go(back, () => frame - 1);
  go(first, () => 0);
  go(last, () => end);
  piece.addEventListener('keydown', (event) => event.stopPropagation());  // notebooks have their own use for keys
  piece.querySelector('.controls').hidden = false;
  new ResizeObserver(draw).observe(piece.querySelector('table'));
  show(0);
}

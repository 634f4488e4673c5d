const MILLISECONDS = 2000;  // that a stage is shown while it plays

for (const piece of document.querySelectorAll('.nmt-step-player:not([data-ready])')) {
  piece.dataset.ready = '';
  const table = piece.querySelector('table'), {steps, ...common} = JSON.parse(table.dataset.numbers);
  const rows = [...table.querySelectorAll('tbody tr')], inside = piece.querySelector('.nmt-step');
  const [play, next, back, skip, first] = piece.querySelectorAll('button');
  const end = {t: steps.length - 1, stage: STAGES.length - 1};
  let at = {t: 0, stage: 0}, timer = 0;

  const atEnd = () => at.t === end.t && at.stage === end.stage;
  const show = (to) => {
    at = to;
    rows.forEach((row, t) => {
      row.classList.toggle('weighed', t < at.t || (t === at.t && at.stage >= STAGES.indexOf('softmax')));
      row.classList.toggle('written', t < at.t || (t === at.t && at.stage === end.stage));
    });
    piece.querySelector('.place').textContent = `Token ${at.t + 1} of ${steps.length}`;
    inside.replaceChildren(...drawStep({...common, ...steps[at.t]}, at.stage));
    back.disabled = first.disabled = !at.t && !at.stage;
    next.disabled = skip.disabled = atEnd();
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = 'Play';
  };
  const goOn = () => {
    if (!piece.isConnected) return stop();  // the cell has been run again
    show(nextStage(at));
    if (atEnd()) stop();
  };
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (atEnd()) show({t: 0, stage: 0});
    play.textContent = 'Pause';
    timer = setInterval(goOn, MILLISECONDS);
  });
  const go = (button, to) => button.addEventListener('click', () => {
    stop();
    show(to());
    if (button.disabled) (button === next || button === skip ? back : next).focus();  // the focus stays in the piece
  });
  go(next, () => nextStage(at));
  go(back, () => stageBefore(at));
  go(skip, () => ({...(at.stage === end.stage ? nextStage(at) : at), stage: end.stage}));
  go(first, () => ({t: 0, stage: 0}));
  rows.forEach((row, t) => steps[t].weights.forEach((weight, j) =>
    row.querySelectorAll('.weight')[j].style.setProperty('--weight', weight)));
  play.hidden = matchMedia('(prefers-reduced-motion: reduce)').matches;
  piece.addEventListener('keydown', (event) => event.stopPropagation());  // notebooks have their own use for keys
  piece.querySelector('.controls').hidden = false;
  show(at);
}

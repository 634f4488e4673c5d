const MILLISECONDS = 2000;  // that a stage is shown while it plays

begin('step-player', (find, piece) => {
  const [table] = find('table'), {steps, ...common} = JSON.parse(table.dataset.numbers);
  const rows = find('tbody tr'), [inside] = find('.nmt-step'), [play, next, back, skip, first] = find('button');
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
  const go = (to) => () => {
    stop();
    show(to());
  };
  steer([[next, go(() => nextStage(at))], [back, go(() => stageBefore(at))], [first, go(() => ({t: 0, stage: 0}))],
    [skip, go(() => ({...(at.stage === end.stage ? nextStage(at) : at), stage: end.stage}))]], [next, back]);
  rows.forEach((row, t) => steps[t].weights.forEach((weight, j) =>
    row.querySelectorAll('.weight')[j].style.setProperty('--weight', weight)));
  play.hidden = matchMedia('(prefers-reduced-motion: reduce)').matches;
  show(at);
});

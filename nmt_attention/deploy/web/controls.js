// How one sets the switches, and the normal translation beside the one that they make.

/** Makes every switch translate again. */
function startSwitches(page) {
  const again = () => begin(page, page.prefix);
  find('attention').hidden = page.model.config.attention === 'none';
  for (const id of ['attention', 'pads', 'sliders']) find(id).addEventListener('change', again);
  for (const [id, event] of [['hand-step', 'change'], ['hand-own', 'click']]) {
    find(id).addEventListener(event, () => { offerWeights(page); again(); });
  }
  find('sliders').addEventListener('input', ({target}) => {
    page.given = setWeight(page.given, +target.dataset.j, target.value / 100);
    showWeights(page.given);
  });
  find('padding').addEventListener('input', () => { find('padding-count').value = find('padding').value; });
  find('normal-again').addEventListener('click', () => {
    find('attention').querySelector('[value=own]').checked = find('mask').checked = true;
    find('padding').value = find('padding-count').value = 0;
    again();
  });
}

/** Offers the steps of the normal translation, unless they are offered already. */
function offerSteps(page) {
  const {sourceTokens, targetTokens} = page.normal.hypotheses[0];
  const offered = JSON.stringify([sourceTokens, targetTokens]);
  if (offered === page.offered) return;
  page.offered = offered;
  find('hand-step').replaceChildren(...targetTokens.map((token, t) =>
    element('option', {value: t}, `${t + 1}. ${visible(token)}`)));
  find('sliders').replaceChildren(...sourceTokens.map((token, j) => element('label', {},
    element('span', {lang: 'en'}, visible(token)),
    element('input', {type: 'range', min: 0, max: 100, 'data-j': j}), element('span', {'aria-hidden': 'true'}))));
  offerWeights(page);
}

/** Begins with the weights that the model gives at the step chosen. */
function offerWeights(page) {
  page.given = page.normal.hypotheses[0].attention[+find('hand-step').value];
  showWeights(page.given);
}

function showWeights(given) {
  for (const slider of find('sliders').querySelectorAll('input')) {
    const weight = given[+slider.dataset.j], share = PERCENT.format(weight);
    slider.value = 100 * weight;
    slider.setAttribute('aria-valuetext', share);
    slider.nextElementSibling.textContent = share;
  }
}

/** Translates as the switches say; returns {source, hypotheses, history}. */
function translateSwitched(page, sentence, options) {
  offerSteps(page);
  const attention = document.querySelector('input[name=attention]:checked').value, padding = +find('padding').value;
  find('hand').hidden = attention !== 'hand';
  page.switched = attention !== 'own' || padding > 0;
  return page.switched ? translate(page.model, sentence, {
    ...options, attention, given: page.given, step: +find('hand-step').value, padding, paddingMask: find('mask').checked,
  }) : page.normal;
}

/** Draws the normal translation beside that of the switches, and says how they differ; returns what draws its lines. */
function drawNormal(page) {
  const {model, normal, switched, chosen, source, found} = page;
  for (const id of ['normal', 'switched', 'difference']) find(id).hidden = !switched;
  find('sides').classList.toggle('two', switched);
  find('normal-picture').replaceChildren();
  find('difference').textContent = '';
  if (!switched) return () => {};
  const same = normal.hypotheses[chosen] ?? normal.hypotheses[0];  // the one of the same rank
  const merged = withoutEnd(mergeSubwords(model, normal.source, same), same), picture = drawPicture(model, merged);
  const redraw = () => drawLines(picture, merged.weights);
  find('switched-text').replaceChildren(...spoken(model, found.text || '(nothing)'));
  find('normal-text').replaceChildren(...spoken(model, same.text || '(nothing)'));
  picture.querySelector('.table').setAttribute('aria-label', 'normal attention weights');
  find('normal-picture').replaceChildren(picture);
  find('difference').textContent = `${effectOf(found, same)} ${paddingEffect(model, source, found)}`;
  for (const event of ['pointerover', 'pointerleave', 'focusin', 'focusout']) picture.addEventListener(event, redraw);
  return redraw;
}

function effectOf(found, normal) {
  if (found.ids.join() !== normal.ids.join()) return 'The translation changes.';
  const changes = found.attention.flatMap((row, t) => row.map((weight, j) =>
    Math.abs(weight - (normal.attention[t][j] ?? 0))));
  const most = Math.max(...changes);
  return most ? `The words stay the same; weights change by up to ${most.toPrecision(2)}.` : 'Nothing changes at all.';
}

function paddingEffect(model, {sourceTokens, padding, memory}, {attention}) {
  if (!padding) return '';
  if (!memory.mask[sourceTokens.length]) return 'The mask hides the padding from the encoder and from attention.';
  const reads = 'Without the mask, the encoder reads the padding as if it were words';
  if (model.config.attention === 'none') return `${reads}.`;
  const weights = attention.flatMap((row) => row.slice(sourceTokens.length));
  const share = weights.reduce((sum, weight) => sum + weight, 0) / attention.length;
  return `${reads}, and ${PERCENT.format(share)} of the attention goes to it.`;
}

// How one sets the switches, and the normal translation beside the one that they make.

/** Reads the models that the page holds; the first is the one that translates unless another one is chosen, and the
 * others are made when they are needed. Each is {name, model()}. */
function readModels() {
  return [...document.querySelectorAll('script.model')].map((script) => {
    let made = null;
    return {name: script.dataset.name, model: () => (made ??= makeModel(JSON.parse(script.textContent)))};
  });
}

/** Lets one choose between the page's models, if there are several. */
function offerModels(page) {
  find('models').hidden = page.models.length < 2;
  find('models').append(...page.models.map(({name}, i) => element('label', {},
    element('input', {type: 'radio', name: 'model', value: i, ...(i ? {} : {checked: ''})}), ` ${name}`)));
  find('models').addEventListener('change', ({target}) => {
    changeModel(page, +target.value);
    begin(page);  // without a prefix: another model has other tokens
  });
}

/** Takes the model of this place, and says what it is. */
function changeModel(page, place) {
  page.model = page.models[place].model();
  page.name = page.models[place].name;
  find('attention').hidden = page.model.config.attention === 'none';
  for (const [tool, isOffered] of [['inside', !isTransformer(page.model)], ['heads', isTransformer(page.model)]]) {
    find('tools').querySelector(`[data-tool=${tool}]`).hidden = !isOffered;
  }
  find('about').textContent = describe(page.model);
}

function describe({weights, names, config: {architecture, attention, decoder, decoder_layers: layers, heads, cell, units}}) {
  const millions = (arrays) =>
    `${([...arrays.values()].reduce((sum, {numbers}) => sum + numbers.length, 0) / 1e6).toFixed(1)} million numbers`;
  return `The model: ${millions(weights)} of 8 bits; `
    + (architecture === 'transformer' ? `Transformer of ${units} units, ${layers} layers with ${heads} heads in its decoder.`
      : `${cell.toUpperCase()} of ${units} units, decoder ${decoder}, attention ${attention}.`)
    + (names ? ` A model of ${millions(names.model.weights)} writes names that this one does not know.` : '');
}

/** Makes every switch translate again. */
function startSwitches(page) {
  const again = () => begin(page, page.prefix, page.part);
  offerModels(page);
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
    if (page.model !== page.first) {
      find('models').querySelector('input').checked = true;
      changeModel(page, 0);
    }
    begin(page);
  });
}

/** Offers the steps of the model's own translation. Weights set by hand are kept for the same sentence, and for no other. */
function offerSteps(page) {
  const {sourceTokens, targetTokens} = page.own.hypotheses[0], step = +find('hand-step').value;
  const offered = JSON.stringify([page.name, sourceTokens]), isKept = offered === page.offered && step < targetTokens.length;
  const hand = find('attention').querySelector('[value=hand]');
  if (!isKept && hand.checked) find('attention').querySelector('[value=own]').checked = true;
  page.offered = offered;
  find('hand-step').replaceChildren(...targetTokens.map((token, t) =>
    element('option', {value: t, ...languageOf(token)}, `${t + 1}. ${visible(token)}`)));
  find('sliders').replaceChildren(...sourceTokens.map((token, j) => element('label', {},
    element('span', languageOf(token, {lang: 'en'}), visible(token)),
    element('input', {type: 'range', min: 0, max: 100, 'data-j': j}), element('span', {'aria-hidden': 'true'}))));
  if (isKept) find('hand-step').value = step;
  if (isKept && hand.checked) showWeights(page.given);
  else offerWeights(page);
}

/** Begins with the weights that the model gives at the step chosen. */
function offerWeights(page) {
  page.given = page.own.hypotheses[0].attention[+find('hand-step').value];
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

/** Translates as the switches say; returns {parts, hypotheses}. */
function translateSwitched(page, sentence, options) {
  offerSteps(page);
  const chosen = document.querySelector('input[name=attention]:checked').value, padding = +find('padding').value;
  const attention = page.model.config.attention === 'none' ? 'own' : chosen;
  find('hand').hidden = attention !== 'hand';
  const changed = attention !== 'own' || padding > 0;
  page.switched = changed || page.prefix.length > 0 || page.model !== page.first;
  return changed ? translateText(page.model, sentence, {
    ...options, attention, given: page.given, step: +find('hand-step').value, padding, paddingMask: find('mask').checked,
    places: placesOf(page.own.parts, page.own.hypotheses[0]),
  }) : page.own;
}

/** Returns the words of the translation with which that of the page is compared, or null if there is none. */
function normalOf({normal, first, chosen, switched, sentence}) {
  if (!switched) return null;
  const same = normal.hypotheses[chosen] ?? normal.hypotheses[0];  // the one of the same rank
  const merged = withoutEnd(mergeText(first, normal.parts, same), same);
  return {...merged, sourceWords: asTyped(merged.sourceWords, sentence), text: same.text, ids: same.ids};
}

/** Draws the normal translation below that of the switches, and says how they differ; returns what draws its lines. */
function drawNormal(page) {
  const {model, first, switched, places, gold, before} = page;
  for (const id of ['normal', 'switched-title', 'switched']) find(id).hidden = !switched;
  find('switched').firstChild.replaceChildren(...signOf(page));
  find('difference').hidden = !before;
  find('normal-picture').replaceChildren();
  find('difference').replaceChildren(...(before ? [...effectOf(page), ` ${paddingEffect(model, places)}`] : []));
  if (!switched) return () => {};
  const picture = drawPicture(first, before, gold);
  const redraw = () => drawLines(picture, before.weights);
  find('normal-text').replaceChildren(...spoken(first, before.text || '(nothing)'));
  setLanguage(find('normal-text'), before.text);
  find('switched-title').textContent = model === first ? 'With your change' : page.name;
  find('normal-title').textContent = model === first ? 'Normal' : page.models[0].name;
  picture.querySelector('.table').setAttribute('aria-label', 'normal attention weights');
  find('normal-picture').replaceChildren(picture);
  for (const event of ['pointerover', 'pointerleave', 'focusin', 'focusout']) picture.addEventListener(event, redraw);
  return redraw;
}

/** Says all that is changed, for as long as it is. */
function signOf({model, first, name, prefix, part, parts}) {
  const attention = document.querySelector('input[name=attention]:checked').value, padding = +find('padding').value;
  const kind = attention === 'hand' ? `by hand at step ${+find('hand-step').value + 1}` : attention;
  const given = prefix.length ? textOf(model, parts[part].source, prefix) || 'the end' : '';
  const switches = [
    model !== first && `model ${name}`, attention !== 'own' && `attention ${kind}`, padding && `padding ${padding}`,
    given && ['it had to begin with ', element('b', languageOf(given), given)],
  ];
  return ['You changed: ', ...switches.filter((each) => each).flatMap((each, i) => [i ? ', ' : '', each].flat()), '.'];
}

function effectOf({model, first, found, merged, before}) {
  if (found.text !== before.text) return changesInWords(first, merged, before);
  if (model !== first) return ['The two models write the same.'];
  const most = Math.max(...merged.weights.flatMap((row, t) => row.map((weight, j) =>
    Math.abs(weight - (before.weights[t]?.[j] ?? 0)))));
  return [most ? `The words stay the same; weights in the table change by up to ${most.toPrecision(2)}.` : 'Every word and every weight stays the same.'];
}

function paddingEffect(model, places) {
  const {sourceTokens, padding, memory} = places[0].part.source;
  if (!padding) return '';
  if (!memory.mask[sourceTokens.length]) return 'The mask hides the padding from the encoder and from attention.';
  const reads = 'Without the mask, the encoder reads the padding as if it were words';
  if (model.config.attention === 'none') return `${reads}.`;
  const rows = places.flatMap(({part, found}) =>
    found.attention.map((row) => row.slice(part.source.sourceTokens.length)));
  const share = rows.flat().reduce((sum, weight) => sum + weight, 0) / rows.length;
  return `${reads}, and ${PERCENT.format(share)} of the attention goes to it.`;
}

// What happens when one types, steps and clicks.

const EXAMPLES = ['Dad bought me a camera.', 'She is reading a book.', 'I will go to school tomorrow.'];
const NAMES_EXAMPLE = 'I met Zorba yesterday.';  // for models that have placeholders
const WORD_MILLISECONDS = 350;
const find = (id) => document.getElementById(id);

/** Reads the first model and waits for a sentence. Everything the page knows is in `page`. */
function start() {
  const gold = JSON.parse(find('gold').textContent);
  const page = {models: readModels(), gold, prefix: [], chosen: 0, step: null, timer: 0, redraw() {}};
  changeModel(page, 0);
  page.first = page.model;
  for (let size = 1; size <= 5; size++) {
    find('beam').append(element('option', {value: size}, size > 1 ? `${size}` : '1 (greedy)'));
  }
  find('examples').append(...[...EXAMPLES, ...(page.first.names ? [NAMES_EXAMPLE] : [])].map((text) => {
    const button = element('button', {type: 'button', class: 'example'}, text);
    button.addEventListener('click', () => { find('sentence').value = text; begin(page); });
    return button;
  }));
  find('form').addEventListener('submit', (event) => { event.preventDefault(); begin(page); });
  find('beam').addEventListener('change', () => begin(page));
  startSwitches(page);
  find('own').addEventListener('click', () => begin(page));
  find('play').addEventListener('click', () => { leaveSteps(page); play(page); });
  find('step').addEventListener('click', () => goTo(page, following(page)));
  find('skip').addEventListener('click', () => goTo(page, {...following(page), stage: STAGES.length - 1}));
  find('back').addEventListener('click', () => goTo(page, stageBefore(page.step)));
  find('all').addEventListener('click', () => { leaveSteps(page); reveal(page, Infinity); });
  new ResizeObserver(() => page.redraw()).observe(find('sides'));
  document.fonts.ready.then(() => page.redraw());
  begin(page);
}

/** Translates what is typed; this part of it, a sentence, begins with the prefix's ids. */
function begin(page, prefix = [], part = 0) {
  Object.assign(page, {prefix, part});
  find('message').textContent = 'Translating …';
  clearTimeout(page.timer);
  page.timer = setTimeout(() => {  // so that the message is seen first
    const options = {beamSize: +find('beam').value, prefix, part}, sentence = find('sentence').value;
    if (find('whatif').contains(document.activeElement)) find('found').focus();
    page.own = translateText(page.model, sentence, options);  // without switches
    page.normal = page.own;
    if (page.model !== page.first) page.normal = translateText(page.first, sentence, {beamSize: options.beamSize});
    const {parts} = page.own;
    Object.assign(page, parts.length ? translateSwitched(page, sentence, options) : page.own);
    find('result').hidden = !parts.length;
    find('message').textContent = messageOf(page.own);
    if (parts.length) choose(page, 0);
  }, 20);
}

/** Says what is not translated. */
function messageOf({parts, hypotheses: [kept]}) {
  if (!parts.length) return kept ? `${kept.text} (no words to translate)` : 'Type a sentence first.';
  const cut = parts.find(({source}) => source.isCut);
  return cut ? `Of a sentence this page translates only the first ${cut.source.sourceTokens.length} tokens.` : '';
}

/** Shows the hypothesis of this place in the beam. */
function choose(page, place) {
  const {model, hypotheses, prefix, part, parts} = page;
  page.chosen = place;
  page.found = hypotheses[place];
  page.places = placesOf(parts, page.found);
  page.steps = page.places.flatMap(({part: {source}, found: {ids}, t, end}) =>
    forced(model, source, ids.slice(0, end - t)).steps);
  page.merged = withoutEnd(mergeText(model, parts, page.found), page.found);
  find('said').textContent = page.found.text || 'The model wrote nothing.';  // for screen readers, at once
  setLanguage(find('said'), page.found.text);
  find('note').hidden = find('own').hidden = !prefix.length;
  const given = textOf(model, parts[part].source, prefix) || 'the end';
  find('note').textContent = `What if: the first words were given (${given}), and the model went on from there.`;
  drawResult(page);
  leaveSteps(page);
  play(page);
}

/** The end has no line and no row. */
function withoutEnd({sourceWords, targetWords, weights}, {ids}) {
  const shown = ids[ids.length - 1] === END ? -1 : undefined;
  return {sourceWords, targetWords: targetWords.slice(0, shown), weights: weights.slice(0, shown)};
}

function drawResult(page) {
  const {merged} = page, picture = drawPicture(page.model, merged, page.gold);
  find('picture').replaceChildren(picture);
  const redrawNormal = drawNormal(page);
  page.redraw = () => { drawLines(picture, merged.weights); redrawNormal(); };
  lightUpWords();  // attention.js: pointing at a word lights up the others
  for (const event of ['pointerover', 'pointerleave', 'focusin', 'focusout']) {
    picture.addEventListener(event, page.redraw);
  }
  for (const button of picture.querySelectorAll('button[data-t]')) {
    button.addEventListener('click', () => askWhatIf(page, +button.dataset.t));
  }
  find('whatif').hidden = true;
  const {hypotheses, places, model} = page;
  find('names').replaceChildren(...places.flatMap(({part}) => drawNames(model, part.source)));
  const list = hypotheses.map((hypothesis, place) => {
    const button = element('button', {type: 'button', 'aria-pressed': place === page.chosen},
      element('span', languageOf(hypothesis.text), hypothesis.text || '(nothing)'), ` ${hypothesis.score.toFixed(2)}`);
    button.addEventListener('click', () => choose(page, place));
    return element('li', {}, button);
  });
  find('others').hidden = hypotheses.length < 2;
  find('others').replaceChildren(...(hypotheses.length < 2 ? [] : [
    element('h2', {id: 'others-title'}, `The ${hypotheses.length} best of its beam`),
    element('p', {}, 'The number is the logarithm of the probability; the order also allows for length.'),
    element('ol', {class: 'beam'}, ...list),
    element('p', {}, 'Each column is a step, and holds the hypotheses that were kept:'),
    ...places.map(({part, found}) => drawTree(model, part.source, part.history, found)),
  ]));
}

/** Shows the first words of the translation. */
function reveal(page, count) {
  for (const place of find('picture').querySelectorAll('button[data-t], tbody tr')) {
    place.classList.toggle('coming', +(place.dataset.t ?? place.rowIndex - 1) >= count);
  }
  const positions = page.merged.targetWords.slice(0, count).flatMap((word) => word.positions);
  const written = textOfFirst(page.model, page.places, Math.max(-1, ...positions) + 1);
  find('text').replaceChildren(...spoken(page.model, written || '…'));
  setLanguage(find('text'), written);
  page.redraw();
}

/** Writes the translation word by word, or all at once for those who compare it or want less motion. */
function play(page) {
  clearTimeout(page.timer);
  const words = page.merged.targetWords.length;
  const write = (count) => {
    reveal(page, count);
    if (count < words) page.timer = setTimeout(() => write(count + 1), WORD_MILLISECONDS);
  };
  write(page.switched || matchMedia('(prefers-reduced-motion: reduce)').matches ? words : 0);
}

// --- step by step: token t, and inside it one of the STAGES

const following = ({step}) => (step ? nextStage(step) : {t: 0, stage: 0});

function goTo(page, {t, stage}) {
  const {model, steps} = page, last = STAGES.length - 1;
  if (t >= steps.length) {
    leaveSteps(page);
    return reveal(page, Infinity);
  }
  clearTimeout(page.timer);
  page.step = {t, stage};
  const {part, found, t: first} = placeAt(page, t);
  find('inside').replaceChildren(element('h3', {}, `Token ${t + 1} of ${steps.length}`),
    ...drawStep(stepOf(model, part.source, found, steps[t], t - first), stage));
  find('inside').hidden = find('stepping').hidden = false;
  find('back').disabled = !t && !stage;
  const written = stage === last ? t + 1 : t;  // tokens
  reveal(page, page.merged.targetWords.filter(({positions}) => positions[positions.length - 1] < written).length);
}

/** Returns the place of the sentence that has target token t. */
const placeAt = ({places}, t) => places.find(({end}) => t < end);

function leaveSteps(page) {
  page.step = null;
  find('inside').hidden = find('stepping').hidden = true;
}

// --- what if it had written another word?

/** Offers the words that the model thought of at the place of target word t, and a field for any other. */
function askWhatIf(page, t) {
  const {model, merged} = page, [first] = merged.targetWords[t].positions, place = placeAt(page, first);
  const {part: {source}, found} = place, here = first - place.t, kept = found.ids.slice(0, here);
  const goOn = (ids) => begin(page, [...kept, ...ids], page.places.indexOf(place));
  const old = merged.targetWords[t].text, {logProbs} = page.steps[first];
  const texts = new Set([old]), offers = [];  // other tokens can write the same word in other pieces
  for (const id of topK(logProbs, 20)) {
    const word = id !== found.ids[here] && offers.length < 5 && wholeWord(model, source, kept, id);
    const text = id === END ? '(end)' : word && textOf(model, source, word);
    if (!word || texts.has(text)) continue;
    texts.add(text);
    const button = element('button', {type: 'button'}, ...spoken(model, text),
      element('span', {class: 'share'}, PERCENT.format(Math.exp(logProbs[id]))));
    button.addEventListener('click', () => goOn(word));
    offers.push(button);
  }
  const input = element('input', {
    'aria-label': 'another word of the translation', ...languageOf(old), dir: 'auto', maxlength: 40, size: 12,
  });
  const form = element('form', {class: 'row'}, 'or type one: ', input, element('button', {}, 'Write this'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const {masked, never} = source, typed = maskTarget(model, masked, input.value);
    const ids = idsOf(tokenize(typed, model.target), model.target).filter((id) => !never.includes(id));
    if (ids.length) goOn(ids);
  });
  find('whatif').replaceChildren(
    element('h2', {id: 'whatif-title', tabindex: -1},
      'What if, instead of ', element('span', languageOf(old), old), ', it had written …'),
    element('div', {class: 'row offers'}, ...offers),
    element('p', {}, 'The share is that of the word\'s first token.'), form);
  find('whatif').hidden = false;
  find('whatif-title').focus();
}

/** Returns the ids of the whole word that the model goes on to write after the ids kept, if it begins with this id. */
function wholeWord(model, source, kept, id) {
  const word = [id];
  const tokens = (ids) => ids.map((each) => model.target.vocabulary[each]);
  let {state} = forced(model, source, kept);
  let step = decoderStep(model, kept[kept.length - 1] ?? START, state, source);
  while (word[word.length - 1] !== END && word.length < 12) {
    step = decoderStep(model, word[word.length - 1], step.state, source);
    const [next] = topK(step.logProbs, 1);
    if (next === END || wordsOf(tokens([...word, next]), model.target).length > 1) break;
    word.push(next);
  }
  return word;
}

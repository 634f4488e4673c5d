// What happens when one types, steps and clicks.

const EXAMPLES = [  // each shows something; a test holds the model in the package to what is said of it
  {shows: 'The verb goes last', sentence: 'Dad bought me a camera.',
    look: 'The last two words both look back at “bought”: Marathi keeps its verb for the end.'},
  {shows: 'The order turns round', sentence: 'We are going to school tomorrow.',
    look: 'After “we”, Marathi goes through the sentence from its end: tomorrow, school, going, are.'},
  {shows: 'A name it never saw', sentence: 'I met Zorba yesterday.',
    look: 'A second network wrote this name letter by letter: open the line below to see where it looked.'},
  {shows: 'Clean lines, wrong translation', sentence: 'The bank of the river is far.',
    look: 'Confident, clean lines, and wrong: it writes of a bank that keeps money.'},
  {shows: 'A long sentence',
    sentence: 'If it rains tomorrow, we will stay at home and watch a movie with our friends.',
    look: 'No line leads to “will”, “at” and “a”: Marathi says these with endings, or not at all.'},
];
const WORD_MILLISECONDS = 350;
const MOST_LETTERS = 500;  // of a text; a longer one would hold the page up
const BEAM_SIZE = 5;  // as `translate` on the command line
const PLAIN = [  // what happens in each of the STAGES
  'The network asks a question: what must I see to write the next piece?',
  'It compares the question with each English piece. A high score is a good fit.',
  'It turns the scores into shares of 100%. These are the lines of the picture.',
  'It mixes the English pieces by their shares: a large share counts much.',
  'From the mix it gives each piece that it knows a chance to come next.',
];
const IN_PLAIN_WORDS = {  // what the stages and the columns of a step's table are called before the field's term
  query: 'question', scores: 'fit', softmax: 'shares', context: 'mix', word: 'word',
  'source token': 'English piece', key: 'what it is', score: 'fit', weight: 'share',
};
const TOOLS = ['inside', 'heads', 'whatif', 'switches', 'others'];
const CHANCE = new Intl.NumberFormat('en', {style: 'percent', maximumSignificantDigits: 2});
const find = (id) => document.getElementById(id);

/** Reads the first model and waits for a sentence. Everything the page knows is in `page`. */
function start() {
  const gold = JSON.parse(find('gold').textContent);
  const page = {models: readModels(), gold, prefix: [], chosen: 0, step: null, inside: null, tool: null, timer: 0, redraw() {}};
  changeModel(page, 0);
  page.first = page.model;
  for (let size = 1; size <= 5; size++) {
    find('beam').append(element('option', {value: size}, size > 1 ? `${size}` : '1 (greedy search)'));
  }
  find('beam').value = BEAM_SIZE;
  find('examples').append(...EXAMPLES.map(({shows, sentence}) => {
    const button = element('button', {type: 'button', class: 'example', title: sentence}, shows);
    button.addEventListener('click', () => translateNow(page, sentence));
    return button;
  }));
  find('form').addEventListener('submit', (event) => { event.preventDefault(); begin(page); });
  find('sentence').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    if (isPresented()) event.target.blur();  // the slide's keys again
    begin(page);
  });
  find('beam').addEventListener('change', () => begin(page));
  startSwitches(page);
  find('play').addEventListener('click', () => { openTool(page, null); play(page); });
  find('step').addEventListener('click', () => goTo(page, nextStage(page.step)));
  find('skip').addEventListener('click', () => goTo(page, nextToken(page.step)));
  find('back').addEventListener('click', () => goTo(page, stageBefore(page.step)));
  for (const button of find('tools').children) {
    const {tool} = button.dataset;
    button.addEventListener('click', () => openTool(page, page.tool === tool ? null : tool));
  }
  find('names').addEventListener('toggle', () => setTimeout(() => fit(page)), true);
  find('close').addEventListener('click', () => {
    const {tool} = page;
    openTool(page, null);
    find('tools').querySelector(`[data-tool=${tool}]`).focus();
  });
  document.addEventListener('keydown', (event) => stepByKey(page, event));
  new ResizeObserver(() => page.redraw()).observe(find('sides'));
  document.fonts.onloadingdone = () => fit(page);
  startSharing(page);
  startTour(page);
}

/** Translates a sentence, as if it had been typed. */
function translateNow(page, sentence) {
  find('sentence').value = sentence;
  return begin(page);
}

/** Translates what is typed; this part of it, a sentence, begins with the prefix's ids. Returns a promise of it. */
function begin(page, prefix = [], part = 0) {
  Object.assign(page, {prefix, part});
  find('message').textContent = 'Translating …';
  clearTimeout(page.timer);
  return new Promise((done) => {
    page.timer = setTimeout(() => {  // so that the message is seen first
      translatePage(page);
      done();
    }, 20);
  });
}

function translatePage(page) {
  const {model, first, prefix, part} = page, sentence = find('sentence').value, beamSize = +find('beam').value;
  const options = {beamSize, prefix, part};
  if (sentence.length > MOST_LETTERS) {
    return refuse(page, `This text has ${sentence.length.toLocaleString('en')} letters and signs. The page translates up to `
      + `${MOST_LETTERS} at a time: shorten it, or translate one sentence after the other.`);
  }
  if (find('whatif').contains(document.activeElement)) find('found').focus();
  const own = translateText(model, sentence, options), {parts} = own;  // without switches
  if (!parts.length) return refuse(page, messageOf(own));
  find('message').textContent = messageOf(own);
  if (sentence !== page.sentence) page.step = null;
  for (const button of document.querySelectorAll('.example')) button.setAttribute('aria-pressed', button.title === sentence);
  find('result').hidden = find('result').inert = false;
  Object.assign(page, {own, sentence}, translateSwitched(Object.assign(page, {own}), sentence, options));
  page.normal = model !== first || prefix.length ? translateText(first, sentence, {beamSize}) : own;
  choose(page, 0);
}

/** Says why a text is not translated, and what to do; what was translated last stays, dimmed. */
function refuse(page, why) {
  if (page.merged && !page.inside) reveal(page, Infinity);
  find('result').inert = true;
  find('message').textContent = page.merged ? `${why} Below, dimmed, is the last translation.` : why;
  find('sentence').focus();
}

/** Says what is not translated, and what to do. */
function messageOf({parts, hypotheses: [kept]}) {
  const todo = 'write an English sentence above, or choose one of the examples.';
  if (!parts.length && !kept) return `There is no sentence: ${todo}`;
  if (!parts.length) return `${/\p{L}/u.test(kept.text) ? 'This network reads only English' : 'There are no words'}: ${todo}`;
  const cut = parts.find(({source}) => source.isCut);
  return cut ? `This sentence is long: the page translates only its first ${cut.source.sourceTokens.length} pieces. Make two sentences of it.` : '';
}

/** Shows the hypothesis of this place in the beam; of a Transformer, with the weights of a head. */
function choose(page, place, head = null) {
  const {model, hypotheses, parts, sentence} = page;
  Object.assign(page, {chosen: place, inside: null, head});
  page.found = hypotheses[place];
  page.places = placesOf(parts, page.found).map((each) => ({...each, steps: forced(model, each.part.source, each.found.ids).steps}));
  page.steps = page.places.flatMap(({steps, t, end}) => steps.slice(0, end - t));
  page.merged = mergeShown(page, head);
  page.merged.sourceWords = asTyped(page.merged.sourceWords, sentence)
    .map((word) => ({...word, unknown: isUnknown(model, parts, word.text)}));
  page.before = normalOf(page);
  const changed = page.before ? differences(page.merged.targetWords, page.before.targetWords).changed : new Set();
  page.merged.targetWords.forEach((word, t) => {
    word.changed = changed.has(t) && isWord(word);
    word.isName = parts.some(({source}) => [...source.masked.spelled.values()].some((name) => word.text.startsWith(name)));
  });
  find('said').textContent = page.found.text || 'The model wrote nothing.';  // for screen readers, at once
  setLanguage(find('said'), page.found.text);
  sayWhatItKnows(page);
  drawResult(page);
  reveal(page, Infinity);
  openTool(page, page.tool);
  if (page.tool !== 'inside' && page.tool !== 'heads') play(page);
}

/** Says how sure the model is, and what of the sentence it does not know. */
function sayWhatItKnows(page) {
  const {model, parts, found, merged, switched, sentence} = page;
  find('certainty').textContent = switched ? '' : certaintyInWords(model, found);
  const unknown = [...new Set(merged.sourceWords.filter((word) => word.unknown).map(({text}) => text))];
  const kept = parts.filter((part) => part.kept), bare = parts.filter((part) => part.bare && !part.kept);
  const marks = [...new Set(bare.map(({source: {sourceTokens}}) => sourceTokens[sourceTokens.length - 1].replace(SPACE, '')))];
  const warnings = [
    unknown.length && ['It never saw ', element('b', {lang: 'en'}, unknown.join(', ')), ': what it writes for '
      + `${unknown.length > 1 ? 'these' : 'this'} is a guess.`, ...suggestions(page, unknown)],
    kept.length && ['This network reads English: it leaves ', ...kept.map(({hypotheses: [{text}]}) =>
      element('b', languageOf(text), text)), ' as it is.'],
    marks.length && [`Added “${marks.join('” and “')}”: it learned from sentences that end with one.`],
  ];
  find('warnings').replaceChildren(...warnings.filter((line) => line).map((line) => element('li', {class: 'quiet'}, ...line)));
  const look = EXAMPLES.find((example) => example.sentence === sentence)?.look;
  find('look').hidden = !look || switched || !model.certainty;  // it is said of the model in the package
  find('look').textContent = look ?? '';
}

/** Offers for each unknown word the known one that looks most like it. */
function suggestions(page, unknown) {
  const buttons = unknown.flatMap((typed) => {
    const word = nearestWord(page.model, typed);  // of letters alone, as `typed` is then
    if (!word) return [];
    const typing = new RegExp(`(?<!\\p{L})${typed}(?!\\p{L})`, 'gu');
    const button = element('button', {type: 'button', lang: 'en'}, word);
    button.addEventListener('click', () => translateNow(page, page.sentence.replace(typing, word)));
    return [' ', button];
  });
  return buttons.length ? [' Did you mean', ...buttons, '?'] : [];
}

/** Says how probable the model finds its translation, and how often such translations are right; see tools.measure.certainty. */
function certaintyInWords({certainty}, {score, ids}) {
  if (!certainty) return '';
  const percent = Math.round(100 * Math.exp(score / ids.length)), {bands} = certainty;
  const place = bands.findIndex(({from}) => percent >= from), {from, sentences, matched} = bands[place];
  const range = [`${from}% or more`, `${from} to ${bands[0].from - 1}%`, `less than ${bands[1].from}%`][place];
  return `How sure it is: ${percent}% for a piece, on average. Of ${sentences} unseen sentences with ${range}, it wrote `
    + `${Math.round(100 * matched / sentences)}% exactly as a person had; other words can be right, too.`;
}

function drawResult(page) {
  const {merged} = page, picture = drawPicture(page.model, merged, page.gold);
  find('picture').replaceChildren(picture);
  const redrawNormal = drawNormal(page);
  page.redraw = () => { drawLines(picture, merged.weights, page.inside); redrawNormal(); };
  lightUpWords();  // attention.js: pointing at a word lights up the others
  for (const event of ['pointerover', 'pointerleave', 'focusin', 'focusout']) {
    picture.addEventListener(event, page.redraw);
  }
  for (const button of picture.querySelectorAll('button[data-t]')) {
    button.addEventListener('click', () => {
      page.asked = +button.dataset.t;
      openTool(page, 'whatif');
      find('whatif-title').focus({preventScroll: true});
    });
  }
  page.asked = null;
  const {hypotheses, places, model} = page;
  find('names').replaceChildren(...places.flatMap(({part}) => drawNames(model, part.source)));
  const list = hypotheses.map((hypothesis, place) => {
    const button = element('button', {type: 'button', 'aria-pressed': place === page.chosen},
      ...spoken(model, hypothesis.text || '(nothing)'), ` ${CHANCE.format(Math.exp(hypothesis.score))}`);
    button.addEventListener('click', () => choose(page, place));
    return element('li', {}, button);
  });
  find('hypotheses').replaceChildren(
    element('p', {}, hypotheses.length < 2 ? 'With one beginning in mind it finds one translation.'
      : 'The chance that the network gives each whole sentence; the order also allows for length.'),
    element('ol', {class: 'beam'}, ...list),
    ...(hypotheses.length < 2 ? [] : [
      element('p', {}, 'Each column is one piece written. It holds the beginnings kept then ', element('small', {}, '(hypotheses)'), ':'),
      ...places.filter(({part}) => !part.kept).map(({part, found}) => drawTree(model, part.source, part.history, found))]));
}

/** A text whose words are coloured where these change. */
function coloured({model, merged}, text) {
  const changed = new Set(merged.targetWords.filter((word) => word.changed).map((word) => word.text));
  const [whole, ...rest] = spoken(model, text);
  if (changed.size) {
    whole.replaceChildren(...text.split(/(\s+)/).map((piece) =>
      (changed.has(piece.replace(/[^\p{L}\p{M}\p{N}]+$/u, '')) ? element('span', {class: 'changed'}, piece) : piece)));
  }
  return [whole, ...rest];
}

/** Shows the first words of the translation. */
function reveal(page, count) {
  for (const place of find('picture').querySelectorAll('button[data-t], tbody tr')) {
    place.classList.toggle('coming', +(place.dataset.t ?? place.rowIndex - 1) >= count);
  }
  const positions = page.merged.targetWords.slice(0, count).flatMap((word) => word.positions);
  const written = textOfFirst(page.model, page.places, Math.max(-1, ...positions) + 1);
  find('text').replaceChildren(...coloured(page, written || '…'));
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

// --- tools, of which one is open or none

function openTool(page, asked) {
  const name = asked && find('tools').querySelector(`[data-tool=${asked}]`).hidden ? null : asked;
  if (page.tool === 'heads' && name !== 'heads' && page.head) {
    page.tool = name;
    return choose(page, page.chosen);
  }
  if (page.tool === 'inside' && name !== 'inside') {
    page.step = page.inside = null;
    pointAtNothing();
    reveal(page, Infinity);
  }
  page.tool = name;
  for (const button of find('tools').children) button.setAttribute('aria-expanded', button.dataset.tool === name);
  for (const tool of TOOLS) find(tool).hidden = tool !== name;
  find('panel').hidden = !name;
  find('result').classList.toggle('open', name !== null);
  for (const word of find('picture').querySelectorAll('.asked')) word.classList.remove('asked');
  if (name === 'heads') drawHeads(page);
  if (name === 'inside') goTo(page, page.step ?? {t: 0, stage: 0});
  if (name === 'whatif') askWhatIf(page, page.asked ?? leastSure(page));
  fit(page);
  remember(page);
  if (name && innerWidth < NARROW) find(page.before ? 'difference' : 'sides').scrollIntoView();  // the tool is below it
}

// --- step by step: token t, and inside it one of the STAGES

/** The end of this token, or of the next one. */
function nextToken({t, stage}) {
  const last = STAGES.length - 1;
  return {t: stage === last ? t + 1 : t, stage: last};
}

function goTo(page, {t, stage}) {
  const {model, steps} = page, last = STAGES.length - 1;
  if (t >= steps.length) return openTool(page, null);
  clearTimeout(page.timer);
  page.step = {t, stage};
  pointAtNothing();  // what is said below the words is the step's
  const {part, found, t: first} = placeAt(page, t);
  const step = stepOf(model, part.source, found, steps[t], t - first), isPlain = step.scores && !(step.replaced && stage === 2);
  const drawnStep = drawStep({...step, attention: ''}, stage);  // without the formula of its scores
  find('stage').replaceChildren(element('h3', {}, `Piece ${t + 1} of ${steps.length}`), ...drawnStep);
  for (const {firstChild: name} of find('stage').querySelectorAll('.stages li, thead th, p:has(> .strip)')) {
    const term = name.textContent.trim(), plain = IN_PLAIN_WORDS[term];
    name.replaceWith(plain, ...(plain === term ? [] : [element('small', {}, ` (${term})`)]));
  }
  const status = find('stage').querySelector('[role=status]');
  if (isPlain) status.replaceChildren(element('b', {}, PLAIN[stage]), ` (${status.textContent})`);
  find('back').disabled = !t && !stage;
  const written = stage === last ? t + 1 : t;  // tokens
  remember(page);
  page.inside = insideOf(page, t, stage, written);
  reveal(page, page.merged.targetWords.filter(({positions}) => positions[positions.length - 1] < written).length);
}

function pointAtNothing() {
  find('picture').firstChild?.dispatchEvent(new PointerEvent('pointerleave', {pointerType: 'mouse'}));
}

/** What the picture shows of a stage, as `markWords` takes it: of each word what its pieces have. */
function insideOf({model, merged, steps, places}, t, stage, written) {
  const {part, found, s, t: first} = placeAt({places}, t), {scores, weights} = steps[t];
  const of = ({positions}, numbers) => positions.map((place) => numbers[place - s] ?? 0);
  const word = merged.targetWords.findIndex(({positions}) => positions.includes(t));
  const pieces = (merged.targetWords[word]?.positions ?? []).filter((place) => place < written);
  const textAt = (place) => tokenOf(model, part.source, found.ids[place - first]).replace(SPACE, '');
  const ofWords = merged.sourceWords.map((each) => of(each, weights).reduce((sum, weight) => sum + weight, 0));
  const ofScores = scores && merged.sourceWords.map((each) => Math.max(...of(each, scores)));
  return {
    t: word, stage, scores: ofScores, weights: ofWords, written: pieces.map(textAt).join(''),
    said: [
      'It has not looked at any word yet.',
      ofScores ? `The best fit: ${merged.sourceWords[topK(ofScores, 1)[0]].text}` : '',
      `It looks at: ${inWords(merged.sourceWords, ofWords)}`,
      `It mixes: ${inWords(merged.sourceWords, ofWords)}`,
      found.ids[t - first] === END ? 'It ends.' : `It writes: ${textAt(t).replace(/^(?=\p{M})/u, DOTTED_CIRCLE)}`,
    ][stage],
  };
}

/** Keys step, and on a slide press buttons, where nothing else needs them; Escape closes what is open, then the slide. */
function stepByKey(page, event) {
  const {key, shiftKey, target} = event;
  if (key === 'Escape' && !find('card').hidden) return endTour(page);
  if (key === 'Escape' && page.tool) return find('close').click();
  if (key === 'Escape' && isPresented()) return find('present').click();
  const busy = `textarea, select, input${key.startsWith('Arrow') ? '' : ':not([type=radio])'}`;
  if (target.closest(busy) || event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = isPresented() && !shiftKey && pressedOn(page, key);
  if (pressed) event.preventDefault();
  if (pressed) return pressed.click();
  if (page.tool !== 'inside' || target.closest('.picture, .table')) return;
  const id = key === 'ArrowLeft' ? 'back' : key !== 'ArrowRight' ? null : shiftKey ? 'skip' : 'step';
  if (!id || find(id).disabled) return;
  event.preventDefault();
  find(id).click();
}

/** Returns the place of the sentence that has target token t. */
const placeAt = ({places}, t) => places.find(({end}) => t < end);

// --- what if it had written another word?

/** Returns the place of the word, not a mark, whose first token had the lowest probability. */
function leastSure(page) {
  const shares = page.merged.targetWords.map((word) => {
    const [first] = word.positions, {found, t} = placeAt(page, first);
    return isWord(word) ? page.steps[first].logProbs[found.ids[first - t]] : 0;
  });
  return shares.indexOf(Math.min(...shares));
}

/** Returns a Marathi word that is written so in Latin letters, with or without their marks, or means so; or undefined. */
function fromLatin(model, typed) {
  const plain = (text) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const words = [...model.glosses.keys(), ...model.target.vocabulary.map((token) => token.replace(SPACE, ''))];
  model.byLatin ??= new Map(words.filter((word) => languageOf(word).lang === 'mr' && /^\p{L}/u.test(word))
    .reverse().map((word) => [plain(romanize(model, word)), word]));
  const meaning = (gloss) => [...model.glosses].find(([, known]) => known === gloss)?.[0];
  return model.byLatin.get(plain(typed.trim())) ?? meaning(typed.trim().toLowerCase());
}

/** Offers the words that the model thought of at the place of target word t, and a field for any other. */
function askWhatIf(page, t) {
  const {model, merged} = page, [first] = merged.targetWords[t].positions, place = placeAt(page, first);
  const {part: {source}, found} = place, here = first - place.t, kept = found.ids.slice(0, here);
  const goOn = (ids) => begin(page, [...kept, ...ids], page.places.indexOf(place));
  const old = merged.targetWords[t].text, {logProbs} = page.steps[first];
  const texts = new Set([old]), offers = [];  // other tokens can write the same word in other pieces
  for (const id of topK(logProbs, 40)) {
    const begins = model.target.kind !== 'subword' || /^[^\p{L}\p{M}]/u.test(model.target.vocabulary[id]);
    const word = begins && id !== found.ids[here] && offers.length < 5 && wholeWord(model, source, kept, id);
    const text = id === END ? '(end)' : word && textOf(model, source, word);
    const share = Math.exp(logProbs[id]);
    if (!word || texts.has(text) || !isOffered(model, text, share)) continue;
    texts.add(text);
    const button = element('button', {type: 'button'}, ...spoken(model, text),
      element('span', {class: 'share'}, share < 0.001 ? '<0.1%' : PERCENT.format(share)));
    button.addEventListener('click', () => goOn(word));
    offers.push(button);
  }
  const input = element('input', {
    'aria-label': 'another word of the translation', ...languageOf(old), dir: 'auto', maxlength: 40, size: 12,
  });
  const form = element('form', {class: 'row'}, 'or type one: ', input, element('button', {}, 'Write this'),
    element('span', {role: 'status'}));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const isLatin = languageOf(old).lang === 'mr' && /\p{Script=Latin}/u.test(input.value);
    const word = isLatin ? fromLatin(model, input.value) : input.value;
    form.lastChild.textContent = word === undefined ? 'It knows no Marathi word that sounds like this or means this.' : '';
    const {masked, never} = source, typed = maskTarget(model, masked, word ?? '');
    const ids = idsOf(tokenize(typed, model.target), model.target).filter((id) => !never.includes(id));
    if (ids.length) goOn(ids);
  });
  find('whatif').replaceChildren(
    element('h2', {id: 'whatif-title', tabindex: -1},
      'What if, instead of ', element('span', languageOf(old), old), ', it had written …'),
    element('div', {class: 'row offers'}, ...offers),
    element('p', {class: 'quiet'}, 'The share is that of the word\'s first piece. Choose any Marathi word to ask about it.'), form);
  find('picture').querySelector(`button[data-t="${t}"]`).classList.add('asked');
}

/** Returns whether a text is a mark, a known word, or one that the model might well write, not a part of a word. */
function isOffered({glosses, rules}, text, share) {
  if (/^\p{M}/u.test(text)) return false;
  return !glosses.size || share >= 0.01 || !/\p{L}/u.test(text) || text === '(end)' || glosses.has(normalize(text, false, rules));
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

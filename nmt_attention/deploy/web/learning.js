// Attention is born: what a training wrote down of its steps, at the step of a slider.

const of100 = (share) => (100 * share).toFixed(0);
const PACE = 700;  // milliseconds of a step, when they go by by themselves

/** The weights (T, S) of each sentence after some steps, from 0 to 1; they stand one after the other in one array. */
function weightsOf({sentences}, {weights}) {
  let at = 0;
  return sentences.map(({source, target}) => target.map(() => (
    Array.from(weights.subarray(at, at += source.length), (weight) => weight / 255))));
}

/** Takes what the page has of a training, if it has anything. */
async function startLearning() {
  const record = find('record');
  if (!record) return;
  const learning = await ask('read', {letters: [record.textContent]}), {steps} = learning;
  for (const step of steps) step.weights = weightsOf(learning, step);
  find('steps').max = steps.length - 1;
  find('steps').addEventListener('input', ({target: {value}}) => set({watching: 0, at: {...state.at, step: +value}}));
  find('replay').addEventListener('click', () => (state.watching ? set({watching: 0}) : watchLearning()));
  find('another').addEventListener('click', () => {
    set({at: {...state.at, sentence: (state.at.sentence + 1) % learning.sentences.length}});
  });
  const last = steps[steps.length - 1], bare = (text) => text.replaceAll(' ', '');
  const isRight = ({source, target}, i) => source.length > 4 && bare(last.written[i]) === target.join('');
  set({learning, at: {sentence: Math.max(0, learning.sentences.findIndex(isRight)), step: steps.length - 1}});
  new IntersectionObserver(([{isIntersecting}], observer) => {
    if (!isIntersecting || isStill()) return;
    observer.disconnect();
    watchLearning();
  }, {threshold: 0.6}).observe(find('learning'));
}

async function watchLearning() {
  const watching = performance.now();
  set({watching});
  for (const step of state.learning.steps.keys()) {
    set({at: {...state.at, step}});
    await wait(PACE);
    if (watching !== state.watching) return;
  }
  set({watching: 0});
}

/** A chart of curves, {name, heights} from 0 to 1 at equal distances, with the number at the end of each, and of the axes
 * {at, text}; a line stands where the reader is. */
function chart(curves, rows, columns, here) {
  const thin = {'vector-effect': 'non-scaling-stroke'}, line = (name, x1, y1, x2, y2) => drawn('line', {class: name, x1, y1, x2, y2, ...thin});
  const text = (name, side, share, said) => styled({[side]: `${100 * share}%`}, 'span', {class: name}, said);
  const points = (heights) => heights.map((height, i) => `${100 * i / Math.max(1, heights.length - 1)},${100 - 100 * height}`);
  return [
    drawn('svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'none'},
      ...rows.map(({at}) => line('', 0, 100 - 100 * at, 100, 100 - 100 * at)), line('here', 100 * here, 0, 100 * here, 100),
      ...curves.map(({name, heights}) => drawn('polyline', {class: name, points: points(heights).join(' '), ...thin}))),
    ...rows.map(({at, text: said}) => text('height', 'bottom', at, said)),
    ...columns.map(({at, text: said}) => text('along', 'left', at, said)),
    ...curves.map(({name, heights, end}) => text(`end ${name}`, 'bottom', heights.at(-1), end))];
}

async function drawLearning({learning, at}) {
  if (!learning) return;
  const {source, target, links, by} = learning.sentences[at.sentence];
  const {step, bleu, error_rate: rate, written, weights} = learning.steps[at.step];
  const table = find('learned').firstElementChild, last = learning.steps.length - 1, text = written[at.sentence];
  const framed = new Map(links.map((link) => [link.join('-'), 'sure']));
  if (table?.dataset.sentence === String(at.sentence)) fillTable(table, weights[at.sentence]);
  else {
    const meant = (t) => links.filter(([s, to]) => to === t && isWord({text: source[s]})).map(([s]) => source[s]).join(' ');
    const rows = target.map((word, t) => ({text: word, gloss: meant(t)})), made = weightTable(source.map((word) => ({text: word})), rows, weights[at.sentence], framed);
    made.dataset.sentence = at.sentence;
    find('learned').replaceChildren(made);
    fitTables();
  }
  const heights = learning.steps.map((each) => each.bleu / 100), rates = learning.steps.map((each) => each.error_rate);
  find('curves').replaceChildren(...chart(
    [{name: 'rises', heights, end: of100(heights[last])}, {name: 'falls', heights: rates, end: of100(rates[last])}],
    [0, 0.5, 1].map((height) => ({at: height, text: of100(height)})), learning.steps.flatMap((each, i) => (
      (i % 2 && i < last) || i === last - 1 ? [] : [{at: i / last, text: each.step.toLocaleString('en')}])), at.step / last));
  find('steps').value = at.step;
  find('steps').setAttribute('aria-valuetext', `${step} steps`);
  find('scores').replaceChildren(
    element('span', {class: 'rises'}, `Like people’s translations: ${of100(bleu / 100)} of 100 `, element('small', {}, 'BLEU')),
    element('span', {class: 'falls'}, `Looks at wrong words, or misses right ones: ${of100(rate)} of 100 `, element('small', {}, 'alignment error rate')));
  find('by').textContent = `This pair: ${by}, CC BY 2.0 FR.`;
  const words = await ask('words', {text}), meaning = words.map((each) => each.gloss || each.latin || each.text).join(' · ');
  const wrote = /\p{L}/u.test(text) ? ['it would write ', bold(text), ` (${meaning}).`] : ['it would write no word yet.'];
  if (state.at === at) find('wrote').replaceChildren('After ', bold(step.toLocaleString('en')), ' steps ', ...wrote);
}

// --- a net that learns in this tab

const GUESS = Math.log(27);  // nats of one that knows nothing

/** Lets a new net learn to write a word backwards; it learns from others. Before, it shows what the net does untrained. */
function startReversal() {
  let end = () => {};
  const teach = (isPreview) => new Promise((done) => {
    end();
    const word = [...find('word').value.toLowerCase()], losses = [GUESS];
    const teacher = makeWorker(find('net').textContent);
    end = () => {
      teacher.terminate();
      done();
    };
    teacher.onmessage = ({data}) => {
      if (data.step) losses.push(data.loss);
      set({reversal: {...data, word, losses}});
      if (!data.isDone && !isPreview) return;
      end();
      if (data.isDone) set({heard: find('tried').textContent});
    };
    teacher.postMessage({word: word.map((letter) => letter.charCodeAt(0) - 97), seed: isPreview ? 1 : Date.now()});
  });
  onSubmit(find('backwards'), () => teach(false));
  find('word').addEventListener('change', () => find('word').validity.valid && teach(true));
  teach(true);
}

function drawReversal({reversal: {word, letters, weights, losses, step, seconds, isDone}}) {
  const text = (letter) => ({text: letter}), written = letters.map((id) => (id < 26 ? String.fromCharCode(97 + id) : 'word over'));
  const right = new Map(word.map((_, t) => [`${word.length - 1 - t}-${t}`, 'sure']));
  find('reversed').replaceChildren(weightTable(word.map(text), written.map(text), weights, right));
  fitTables();
  const heights = losses.map((loss) => Math.min(1, loss / GUESS)), [end] = losses.slice(-1);
  find('loss').replaceChildren(...chart([{name: '', heights, end: step ? end.toFixed(1) : ''}],
    [{at: 0, text: '0'}, {at: 1, text: GUESS.toFixed(1)}], [{at: 0, text: '0'}, {at: 1, text: `${step || ''} steps`}], 1));
  find('tried').replaceChildren(bold(word.join('')), ' → ', bold(written.filter((each) => each.length === 1).join('') || '(nothing)'),
    isDone ? `. It reverses 100 of 100 new words, after ${step} steps and ${seconds.toFixed(1)} seconds.` : step ? ` after ${step} steps.`
      : '. Untrained, it looks at all letters almost alike. In under half a minute its light will find the framed ones.');
}

// Attention is born: what a training wrote down of its steps, at the step of a slider.

const of100 = (share) => (100 * share).toFixed(0);
const PACE = 700, NARROWER = 0.01;  // milliseconds of a step that goes by by itself, beside those of reading; and what is seen as narrower

/** Takes what the page has of a training, if it has anything: of sentences that it translates rightly in the end, the one whose
 * light narrows most. */
async function startLearning() {
  const record = find('record');
  if (!record) return;
  const learning = await ask('read', {letters: [record.textContent]}), {steps, sentences} = learning, last = steps.length - 1;
  for (const step of steps) {
    let at = 0;  // in an array of the weights (T, S) of all sentences
    const row = (length) => Array.from(step.weights.subarray(at, at += length), (weight) => weight / 255);
    step.weights = sentences.map(({source, target}) => target.map(() => row(source.length)));
  }
  find('steps').max = last;
  find('steps').addEventListener('input', ({target: {value}}) => set({watching: 0, at: {...state.at, step: +value}}));
  find('replay').addEventListener('click', () => (state.watching ? set({watching: 0}) : watchLearning()));
  find('another').addEventListener('click', () => set({at: {...state.at, sentence: (state.at.sentence + 1) % sentences.length}}));
  const gains = sentences.map(({source, target}, i) => (source.length > 4 && steps[last].written[i].replaceAll(' ', '') === target.join('')
    ? brightness(steps[last].weights[i]) - brightness(steps[0].weights[i]) : -1));
  set({learning, at: {sentence: brightest(gains), step: isStill() ? last : 0}});
  new IntersectionObserver(([{isIntersecting}], observer) => {
    if (!isIntersecting || isStill()) return;
    observer.disconnect();
    watchLearning();
  }, {threshold: 1}).observe(find('became'));
}

async function watchLearning() {
  const watching = performance.now();
  set({watching});
  for (const step of state.learning.steps.keys()) {
    set({at: {...state.at, step}});
    await wait(PACE + READ * find('became').textContent.split(' ').length);
    if (watching !== state.watching) return;
  }
  set({watching: 0});
}

/** The mean of the greatest weights: 1 if each light is on one word alone. */
const brightness = (weights) => weights.reduce((sum, row) => sum + Math.max(...row), 0) / weights.length;

/** What has become of the light of a sentence since the step before, in at most twelve words. */
function tellLearned({sentences, steps}, {sentence, step}) {
  const {source, target, links} = sentences[sentence], weights = (k) => steps[k].weights[sentence], seen = (k, t) => brightest(weights(k)[t]);
  const isLinked = (t, s) => isWord({text: target[t]}) && links.some(([from, to]) => to === t && (s === undefined || from === s));
  const words = [...target.keys()].filter((t) => isLinked(t)), right = (k) => words.filter((t) => isLinked(t, seen(k, t)));
  const count = `right for ${right(step).length} of ${words.length} words.`;
  if (!step) return ['It knows nothing: where its light falls is chance.'];
  if (step === steps.length - 1) return [right(step).length === words.length ? 'It has learned where to look: ' : 'Here its training ends: ', count];
  const [found, lost] = [[step, step - 1], [step - 1, step]].map(([k, other]) => [...new Set(
    right(k).filter((t) => !right(other).includes(t)).map((t) => source[seen(k, t)]))].slice(0, 2));
  const names = found.length ? found : lost, isNarrower = brightness(weights(step)) > brightness(weights(step - 1)) + NARROWER;
  return [...(!names.length ? [isNarrower ? 'Its light gets narrower' : 'Its light hardly moves']
    : [found.length ? 'It finds ' : 'It now misses ', ...names.flatMap((word, i) => [i ? ' and ' : '', bold(word)])]), ': ', count];
}

/** A chart of curves, {name, heights} from 0 to 1 at equal distances, with the number at the end of each, and of the axes
 * {at, text}; a line stands where the reader is. */
function chart(curves, rows, columns, here) {
  const line = (name, ...points) => drawn('polyline', {class: name, 'vector-effect': 'non-scaling-stroke',
    points: points.map(([x, y]) => `${100 * x},${100 - 100 * y}`).join(' ')});
  const text = (name, side, share, said) => styled({[side]: `${100 * share}%`}, 'span', {class: name}, said);
  return [
    drawn('svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'none'},
      ...rows.map(({at}) => line('height', [0, at], [1, at])), line('here', [here, 0], [here, 1]),
      ...curves.map(({name, heights}) => line(name, ...heights.map((height, i) => [i / Math.max(1, heights.length - 1), height])))),
    ...rows.map(({at, text: said}) => text('height', 'bottom', at, said)),
    ...columns.map(({at, text: said}) => text('along', 'left', at, said)),
    ...curves.map(({name, heights, end}) => text(`end ${name}`, 'bottom', heights.at(-1), end))];
}

async function drawLearning({learning, at}) {
  if (!learning) return;
  const {source, target, links, by} = learning.sentences[at.sentence], became = tellLearned(learning, at);
  const {step, bleu, error_rate: rate, written, weights} = learning.steps[at.step], last = learning.steps.length - 1, text = written[at.sentence];
  const meant = (t) => links.filter(([s, to]) => to === t && isWord({text: source[s]})).map(([s]) => source[s]).join(' ');
  drawWeights('learned', source.map((word) => ({text: word})), target.map((word, t) => ({text: word, gloss: meant(t)})),
    weights[at.sentence], new Map(links.map((link) => [link.join('-'), 'sure'])));
  find('became').replaceChildren(...became);
  const heights = learning.steps.map((each) => each.bleu / 100), rates = learning.steps.map((each) => each.error_rate);
  find('curves').replaceChildren(...chart(
    [{name: 'rises', heights, end: of100(heights[last])}, {name: 'falls', heights: rates, end: of100(rates[last])}],
    [0, 0.5, 1].map((height) => ({at: height, text: of100(height)})), learning.steps.flatMap((each, i) => (
      (i % 2 && i < last) || i === last - 1 ? [] : [{at: i / last, text: each.step.toLocaleString('en')}])), at.step / last));
  find('steps').value = at.step;
  find('step').value = `${step.toLocaleString('en')} steps`;
  find('steps').setAttribute('aria-valuetext', `${step} steps. ${asText(became)}`);
  find('scores').replaceChildren(
    element('span', {class: 'rises'}, `Like people’s translations: ${of100(bleu / 100)} of 100 `, element('small', {}, 'BLEU')),
    element('span', {class: 'falls'}, `Looks at wrong words, or misses right ones: ${of100(rate)} of 100 `, element('small', {}, 'alignment error rate')));
  find('by').textContent = `This pair: ${by}, CC BY 2.0 FR.`;
  const words = await ask('words', {text, english: source}), meaning = words.map((each) => each.gloss || each.latin || each.text).join(' · ');
  const wrote = /\p{L}/u.test(text) ? ['it would write ', bold(text), ` (${meaning}).`] : ['it would write no word yet.'];
  if (state.at === at) find('wrote').replaceChildren('After ', bold(step.toLocaleString('en')), ' steps ', ...wrote);
}

// --- a net that learns in this tab

const GUESS = Math.log(27);  // nats of one that knows nothing
const SLOWLY = 170;  // milliseconds between two pictures of the first steps

/** Lets a new net learn to write a word backwards; it learns from others. Before, it shows what the net does untrained. */
function startReversal() {
  let end = () => {};
  const teach = (isPreview) => new Promise((done) => {
    end();
    const word = [...find('word').value.toLowerCase()], teacher = makeWorker(find('net').textContent);
    end = () => {
      teacher.terminate();
      done();
    };
    teacher.onmessage = ({data}) => {
      set({reversal: {...data, word, isPreview}});
      if (data.isDone || isPreview) end();
      if (data.isDone) set({heard: find('tried').textContent});
    };
    teacher.postMessage({word: word.map((letter) => letter.charCodeAt(0) - 97), seed: isPreview ? 1 : Date.now(), pause: isStill() ? 0 : SLOWLY});
  });
  onSubmit(find('backwards'), () => teach(false));
  find('word').addEventListener('change', () => find('word').validity.valid && teach(true));
  teach(true);
}

function drawReversal({reversal: {word, letters, weights, losses, step, isSlow, isDone, isPreview}}) {
  const text = (letter) => ({text: letter}), written = letters.map((id) => (id < 26 ? String.fromCharCode(97 + id) : 'the end'));
  const right = new Map(word.map((_, t) => [`${word.length - 1 - t}-${t}`, 'sure']));
  drawWeights('reversed', word.map(text), written.map(text), weights, right);
  const heights = [GUESS, ...losses].map((loss) => Math.min(1, loss / GUESS)), [end] = losses.slice(-1);
  find('loss').replaceChildren(...chart([{name: '', heights, end: step ? end.toFixed(1) : ''}],
    [{at: 0, text: '0'}, {at: 1, text: GUESS.toFixed(1)}], [{at: 0, text: '0'}, {at: 1, text: `${step || ''} steps`}], 1));
  const found = word.filter((_, t) => weights[t] && brightest(weights[t]) === word.length - 1 - t).length;
  find('tried').replaceChildren(bold(word.join('')), ' → ', bold(written.filter((each) => each.length === 1).join('') || '(nothing)'),
    isDone ? `. After ${step} steps it reverses 100 of 100 new words. Its light found ${found} of ${word.length} framed letters. Press again for another start.`
      : step ? ` after ${step} steps, ${isSlow ? 'shown slowly' : 'at full speed'}.`
        : isPreview ? '. Untrained, its light lies on all letters almost alike.' : '. New random numbers: another start.');
}

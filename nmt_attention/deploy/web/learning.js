// Attention is born: what a training wrote down of its steps, at the step of a slider.

const PACE = 700;  // milliseconds of a step, when they go by by themselves
let going = 0;  // the number of the walk through the steps

/** The weights (T, S) of each sentence after some steps, from 0 to 1; they stand one after the other in one array. */
function weightsOf({sentences}, {weights}) {
  let at = 0;
  return sentences.map(({source, target}) => target.map(() => {
    const row = [...weights.subarray(at, at += source.length)];
    return row.map((weight) => weight / 255);
  }));
}

/** Takes what the page has of a training, if it has anything. */
async function startLearning() {
  const record = find('record');
  if (!record) return;
  const learning = await ask('read', {letters: [record.textContent]}), {steps} = learning;
  for (const step of steps) step.weights = weightsOf(learning, step);
  find('steps').max = steps.length - 1;
  find('steps').addEventListener('input', ({target: {value}}) => {
    going++;
    set({at: {...state.at, step: +value}});
  });
  find('replay').addEventListener('click', watchLearning);
  find('another').addEventListener('click', () => {
    set({at: {...state.at, sentence: (state.at.sentence + 1) % learning.sentences.length}});
  });
  const most = Math.max(1, ...steps.map(({bleu}) => bleu));
  find('curves').append(curve('rises', steps.map(({bleu}) => bleu / most)), curve('falls', steps.map((step) => step.error_rate)));
  const last = steps[steps.length - 1], bare = (text) => text.replaceAll(' ', '');
  const isRight = ({source, target}, i) => source.length > 4 && bare(last.written[i]) === target.map(({text}) => text).join('');
  set({learning, at: {sentence: Math.max(0, learning.sentences.findIndex(isRight)), step: steps.length - 1}});
  new IntersectionObserver(([{isIntersecting}], observer) => {
    if (!isIntersecting || isStill()) return;
    observer.disconnect();
    watchLearning();
  }, {threshold: 0.6}).observe(find('learning'));
}

async function watchLearning() {
  const number = ++going;
  for (const step of state.learning.steps.keys()) {
    if (number !== going) return;
    set({at: {...state.at, step}});
    await wait(PACE);
  }
}

/** A curve of numbers from 0 to 1 at equal distances. */
function curve(name, heights) {
  const points = heights.map((height, i) => `${100 * i / Math.max(1, heights.length - 1)},${38 - 36 * height}`);
  return drawn('polyline', {class: name, 'vector-effect': 'non-scaling-stroke', points: points.join(' ')});
}

async function drawLearning({learning, at}) {
  if (!learning) return;
  const {source, target, links, by} = learning.sentences[at.sentence];
  const {step, bleu, error_rate: rate, written, weights} = learning.steps[at.step];
  const table = find('learned').firstElementChild, place = 100 * at.step / (learning.steps.length - 1), text = written[at.sentence];
  const framed = new Map(links.map((link) => [link.join('-'), 'sure']));
  if (table?.dataset.sentence === String(at.sentence)) fillTable(table, weights[at.sentence]);
  else {
    const made = weightTable(source.map((text) => ({text})), target, weights[at.sentence], framed);
    made.dataset.sentence = at.sentence;
    find('learned').replaceChildren(made);
  }
  find('now').setAttribute('x1', place);
  find('now').setAttribute('x2', place);
  find('steps').value = at.step;
  find('steps').setAttribute('aria-valuetext', `${step} steps`);
  find('scores').replaceChildren('After ', bold(step.toLocaleString('en')), ' steps: ', element('span', {class: 'rises'}, `BLEU ${bleu.toFixed(0)}`), ', ',
    element('span', {class: 'falls'}, `${percent(rate)} wrong links`));
  find('by').textContent = `This pair: ${by}, CC BY 2.0 FR.`;
  const words = text ? await ask('words', {text}) : [], meaning = words.map((each) => each.gloss || each.latin || each.text).join(' · ');
  if (state.at === at) find('wrote').replaceChildren('It would have written: ', bold(text || '(nothing)'), ` ${meaning}`);
}

// --- a net that learns in this tab

const GUESS = Math.log(27);  // nats of one that knows nothing

/** Lets a new net learn to write a word backwards; it learns from others. */
function startReversal() {
  let teacher = null;
  find('backwards').addEventListener('submit', (event) => {
    event.preventDefault();
    teacher?.terminate();
    const word = [...find('word').value.toLowerCase()], losses = [GUESS];
    teacher = makeWorker(find('net').textContent);
    teacher.onmessage = ({data}) => {
      losses.push(data.loss);
      set({reversal: {...data, word, losses}});
      if (!data.isDone) return;
      teacher.terminate();
      set({heard: find('tried').textContent});
    };
    teacher.postMessage({word: word.map((letter) => letter.charCodeAt(0) - 97)});
  });
}

function drawReversal({reversal: {word, letters, weights, losses, step, seconds, isDone}}) {
  const text = (letter) => ({text: letter}), written = letters.map((id) => (id < 26 ? String.fromCharCode(97 + id) : '(end)'));
  find('reversed').replaceChildren(weightTable(word.map(text), written.map(text), weights));
  find('loss').replaceChildren(curve('', losses.map((loss) => Math.min(1, loss / GUESS))));
  find('tried').replaceChildren(bold(word.join('')), ' → ', bold(written.filter((each) => each.length === 1).join('')),
    isDone ? `. It reverses 100 of 100 new words, after ${step} steps and ${seconds.toFixed(1)} seconds.` : ` after ${step} steps.`);
}

// Attention is born: what a training wrote down of its steps, at the step of a slider.

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

/** What a number is now, of so many, and below it the curve of its values, with labels [place, text] below some of them. */
function curve({name, said, means, values, most, digits = 0, at, labels}) {
  const text = (value) => `${+value.toFixed(digits)}`, high = (value) => Math.min(1, value / most), last = Math.max(1, values.length - 1), rows = [0, 0.5, 1];
  const line = (kind, ...points) => drawn('polyline', {class: kind, 'vector-effect': 'non-scaling-stroke',
    points: points.map(([x, y]) => `${100 * x / last},${100 - 100 * y}`).join(' ')});
  const label = (kind, side, share, ...parts) => styled({[side]: `${100 * share}%`}, 'span', {class: kind}, ...parts);
  return [
    element('p', {class: name}, `${said} ${text(values[at])} of ${text(most)}: `, element('small', {}, means)),
    element('div', {class: `chart ${name}`, 'aria-hidden': 'true'},
      drawn('svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'none'},
        ...rows.map((y) => line('height', [0, y], [last, y])), line('here', [at, 0], [at, 1]), line('', ...values.map((value, i) => [i, high(value)]))),
      ...rows.map((y) => label('height', 'bottom', y, text(y * most))), ...labels.map(([i, under]) => label('along', 'left', i / last, under)),
      label('end', 'bottom', high(values.at(-1)), text(values.at(-1))))];
}

async function drawLearning({learning, at}) {
  if (!learning) return;
  const {source, target, links, by} = learning.sentences[at.sentence], became = tellLearned(learning, at);
  const {steps} = learning, {step, written, weights} = steps[at.step], last = steps.length - 1, text = written[at.sentence];
  const meant = (t) => links.filter(([s, to]) => to === t && isWord({text: source[s]})).map(([s]) => source[s]).join(' ');
  drawWeights('learned', source.map((word) => ({text: word})), target.map((word, t) => ({text: word, gloss: meant(t)})),
    weights[at.sentence], new Map(links.map((link) => [link.join('-'), 'sure'])));
  find('became').replaceChildren(...became);
  const labels = steps.flatMap((each, i) => ((i % 2 && i < last) || i === last - 1 ? [] : [[i, each.step.toLocaleString('en')]])), shared = {most: 100, at: at.step, labels};
  find('curves').replaceChildren(
    ...curve({name: 'rises', said: 'Likeness to people’s translations', means: 'shared words and phrases (BLEU), 100 is best', values: steps.map((each) => each.bleu), ...shared}),
    ...curve({name: 'falls', said: 'Mistakes of its light', means: 'on wrong words, or not on right ones (alignment error rate), 0 is best', values: steps.map((each) => 100 * each.error_rate), ...shared}));
  find('steps').value = at.step;
  find('step').value = `${step.toLocaleString('en')} steps`;
  find('steps').setAttribute('aria-valuetext', `${step} steps. ${asText(became)}`);
  find('by').textContent = `This pair: ${by}, CC BY 2.0 FR.`;
  const words = await ask('words', {text, english: source});
  const wrote = /\p{L}/u.test(text) ? [bold(text), ' (', ...inEnglish(words), ').', italicsOf(words)] : ['no word yet.'];
  if (state.at === at) find('wrote').replaceChildren('After ', bold(step.toLocaleString('en')), ' steps it would write ', ...wrote);
}

// --- a net that learns in this tab

const SLOWLY = 170;  // milliseconds between two pictures of the first steps

/** Lets a net write each word that is typed backwards, as well as it can by now, and lets a new one learn it, from other words. */
function startReversal() {
  const teacher = makeWorker(find('net').textContent), tell = (training) => teacher.postMessage({text: find('word').value, ...training});
  let end = () => {};
  teacher.onmessage = ({data}) => {
    set({reversal: data});
    if (!data.isDone || data.isTyped) return;
    end();
    announce();
  };
  const announce = () => set({heard: find('tried').textContent});
  find('teach').addEventListener('click', () => {
    end();
    during(find('teach'), new Promise((done) => { end = done; }));
    tell({seed: Date.now(), pause: isStill() ? 0 : SLOWLY});
  });
  find('word').addEventListener('input', () => tell());
  find('word').addEventListener('change', announce);
  tell();
}

function drawReversal({reversal: {word, left, written, weights, losses, step, isSlow, isDone, isTyped, isOld, guess, lengths, places}}) {
  const texts = (letters) => letters.map((text) => ({text})), {length} = word, right = word.map((_, t) => [t, length - 1 - t]);
  drawWeights('reversed', texts(word), texts(written), weights, new Map(right.map(([t, s]) => [`${s}-${t}`, 'sure'])));
  find('loss').replaceChildren(...curve({name: 'falls', said: 'Surprise', means: 'at the next letter (loss), 0 is best', digits: 1,
    values: [guess, ...losses], most: guess, at: losses.length, labels: [[losses.length || 1, `${step || ''} steps`]]}));
  const isLearned = lengths.includes(length), range = `${lengths[0]} to ${lengths.at(-1)} letters`;
  const light = ` Its light found ${right.filter(([t, s]) => weights[t] && brightest(weights[t]) === s).length} of ${length} framed letters.`;
  find('tried').replaceChildren(bold(word.join('')), ' → ', bold(written.filter((each) => each.length === 1).join('') || '(nothing)'),
    !step ? isTyped ? '. Untrained, its light lies on all letters almost alike.' : '. New random numbers: another start.'
      : !isDone ? ` after ${step} steps, ${isSlow ? 'shown slowly' : 'at full speed'}.`
        : isTyped ? `.${light} The same numbers wrote this: it learned nothing new.`
          : `. After ${step} steps it reverses 100 of 100 new words of ${range}.${light}${isLearned ? ' Now type others, longer ones too.' : ''}`);
  find('teach').textContent = step ? 'Learn anew' : 'Let it learn';
  find('lengths').textContent = `${left ? `It reads a to z, ${places} letters at most: not ${left}. ` : ''}${isOld ? `Below is still ${word.join('')}. ` : ''}It ${isDone ? 'saw' : 'learns'} words of ${range}${isLearned ? '' : `; others often fail: this one has ${length}`}.`;
}

// What the page knows, and what happens when one types, drags, holds and presses. Drawing follows from the state alone.

const NOTHING = {way: {}, ids: [], text: '', source: [], target: [], weights: [], fresh: new Set()};
const state = {
  sentence: '', answer: null, part: 0,  // what was asked, what the network said, and which of its sentences is on the stage
  own: null, look: NOTHING,  // what it writes by itself, and what the stage shows
  written: 0, focus: null, light: null, playing: false,  // words written, {side, i} in focus, a row of weights that is held
  say: [], hint: null, heard: '', isExample: false, touched: false, moved: false, isShut: false,
  picked: 0, steps: null, heads: null,  // the word whose sums are shown, and the steps that wrote the look
  tab: 'table', step: 0, shown: null,  // the tool that is open, the stage in it, and what it computed
  asking: 0, blind: null,  // the number of the text that is asked for, and what it writes with its eyes closed
  learning: null, at: null,  // what was recorded of a training, and {sentence, step} that are shown of it
  watching: 0,  // when its steps began to go by by themselves
  reversal: null,  // the word that the net of this tab writes backwards, and how far it is
  about: null, gold: {}, terms: '',  // what the model is, the links of sentences by their words, and the user's own words
};
const whole = (draw) => (now) => now.look.isComing || draw(now);  // once the sentence is written
const later = (draw, due = 0) => () => {  // what stands below the stage, after the stage has been drawn
  clearTimeout(due);
  due = setTimeout(() => draw(state));
};
const DRAWINGS = [
  [['look'], drawWords],
  [['look'], whole(getSteps)],
  [['look', 'written', 'focus', 'light', 'playing', 'picked', 'isShut'], drawLight],
  [['say', 'hint'], ({say, hint}) => find('say').replaceChildren(...(hint ?? say))],
  [['look', 'own', 'written'], drawChange],
  [['about'], ({about}) => find('about').replaceChildren(about.about)],
  [['answer', 'part'], drawWalk],
  [['isShut'], ({isShut}) => find('blind').setAttribute('aria-pressed', isShut)],
  [['own', 'say'], ({own}) => ['again', 'blind'].forEach((id) => { find(id).disabled = !own; })],
  [['heard'], ({heard}) => find('heard').replaceChildren(element('span', /\p{Script=Latin}/u.test(heard) ? {} : languageOf(heard), heard))],
  [['answer', 'part', 'look', 'own', 'about', 'say', 'written'], (now) => find('note').replaceChildren(...notes(now))],
  [['look', 'picked', 'steps', 'heads', 'about'], later(whole(drawSums))],
  [['learning', 'at'], drawLearning],
  [['watching'], ({watching}) => find('replay').replaceChildren(watching ? 'Stop' : 'Watch it learn')],
  [['reversal'], drawReversal],
  [['look', 'tab', 'picked', 'about'], whole(loadTool)],
  [['look', 'shown', 'steps', 'answer', 'about', 'part', 'picked'], later(whole(drawTool))],
  [['tab', 'step'], whole(drawTool)],
  [['look', 'own', 'say', 'picked'], later(whole(drawBeside))],
];

/** Changes the state and draws what shows a part of it that has changed. */
function set(changes) {
  const changed = Object.keys(changes).filter((key) => state[key] !== changes[key]);
  Object.assign(state, changes);
  for (const [keys, draw] of DRAWINGS) if (keys.some((key) => changed.includes(key))) draw(state);
}

// --- the worker

const answers = new Map();  // of questions that it has not yet answered
let worker = null, asked = 0, ready = null;

/** Asks the worker, once it has read the models; `hear` gets what it tells before it answers. */
async function ask(kind, question = {}, hear = null) {
  if (kind !== 'load') await ready;
  return new Promise((done, fail) => {
    answers.set(++asked, {done, fail, hear});
    worker.postMessage({number: asked, kind, ...question});
  });
}

const makeWorker = (code) => new Worker(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));

/** Starts the engine on the models, which the page has read to its end by now. */
async function startEngine() {
  const scripts = [...document.querySelectorAll('script.model')], code = find('engine').textContent;
  worker = makeWorker(code);
  worker.onmessage = ({data: {number, look, answer, error}}) => {
    const {done, fail, hear} = answers.get(number);
    if (look) return hear?.(look);
    answers.delete(number);
    if (error) fail(new Error(error));
    else done(answer);
  };
  ready = ask('load', {letters: scripts.map((script) => script.textContent)});
  offerModels(scripts.map((script) => script.dataset.name));
  for (const script of scripts) script.remove();
  set({about: await ready});
}

const room = document.documentElement.style;
const memory = (() => { try { return localStorage; } catch { return {}; } })();  // which a frame of another page may lack
room.colorScheme = memory.room ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
const turnLights = () => { room.colorScheme = memory.room = room.colorScheme === 'light' ? 'dark' : 'light'; };

// --- sentences

const shownParts = () => (state.answer?.parts ?? []).flatMap(({look}, i) => (look ? [i] : []));

/** Puts the words of a text on the stage, until its translation comes, if one does. */
function expect(sentence) {
  const words = (sentence.slice(0, 200).match(/[\p{L}\p{M}\p{N}'’-]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []).slice(0, 30);
  stop();
  find('sentence').value = sentence;
  if (sentence === state.sentence) return;
  const look = {...NOTHING, source: words.map((text) => ({text}))};
  set({look, own: null, written: 0, focus: null, light: null, answer: null, hint: null, say: ['It reads …']});
}

/** Translates a text: word by word as greedy search does, and then as the beam does, if that writes something else. */
async function translate(sentence) {
  expect(sentence);
  const asking = ++asked, isLast = () => state.asking === asking;
  set({asking, sentence, isExample: false, own: null, isShut: false});  // a finger may have left the button unseen
  const hear = (look) => isLast() && !isStill() && receive({...NOTHING, ...look, isComing: true});
  const sizes = isStill() ? [BEAM_SIZE] : [1, BEAM_SIZE];  // where nothing moves, words do not change either
  for (const beamSize of sizes) {
    const answer = await ask('translate', {sentence, beamSize, terms: state.terms}, hear);
    if (!isLast()) return;
    if (answer.refused) {
      const say = REFUSALS[answer.refused](answer);
      set({say, heard: asText(say)});
      return find('sentence').focus();
    }
    const part = beamSize === sizes[0] ? answer.parts.findIndex(({look}) => look) : state.part;
    set({answer, part, heard: answer.text});
    receive(answer.parts[part].look);
  }
}

/** Translates a text where one sees it. */
function onStage(sentence) {
  find('one').scrollIntoView();
  document.activeElement.blur();  // the keys are the stage's
  return translate(sentence);
}

/** Takes what the network writes by itself: more of it, the same with its ids, or something else from a word on. */
function receive(look) {
  const {own, written, playing} = state, isMore = own?.target.every(({text}, t) => text === look.target[t]?.text);
  if (!own) show(look);
  else if (state.look !== own) set({own: look});  // somebody has dragged a light already
  else if (isMore && (own.isComing || playing || own.target.length === look.target.length)) {
    set({own: look, look, picked: own.isComing ? tellingOf(look) : state.picked});
  } else show(look, Math.min(written, ...differences(look.target, own.target)), ['A wider search found a ', bold('likelier'), ' translation.']);
}

/** The word that tells most: it looks where no neighbour does, and at a long English word, which is hardly one of grammar. */
function tellingOf({source, target, weights}) {
  const seen = weights.map(brightest), isAlone = (t) => seen[t] !== seen[t - 1] && seen[t] !== seen[t + 1];
  const telling = (row, t) => isWord(target[t]) * (1 + isAlone(t) * row[seen[t]] * source[seen[t]].text.length);
  return Math.max(0, brightest(weights.map(telling)));
}

/** Puts what the network writes by itself on the stage, from word `from` on, and says why. */
function show(look, from = 0, why = null) {
  set({own: look, look, picked: tellingOf(look), touched: false, blind: null});
  if (isStill()) finish();
  else play(from, null, why);
}

/** Shows another sentence of the text. */
function goTo(part) {
  set({part});
  show(state.answer.parts[part].look);
}

/** Computes what one is likely to ask for next: the sums of a word, and what it writes with its eyes closed. */
async function getSteps({look: {ids, way}, look, part, about}) {
  set({steps: null, heads: null});
  if (!ids.length) return;  // the engine has not read the sentence
  const kind = about.heads ? 'heads' : 'steps', found = await ask(kind, {part, way, ids});
  if (look !== state.look) return;
  set({[kind]: found});
  state.blind ??= state.own && await lookIn({uniform: true});
}

// --- the light in one's hand

/** Returns the sentence written in another way, and which words were not there before; null if another one was asked for. */
async function lookIn(way, before = state.own, beamSize = BEAM_SIZE) {
  const {part, asking} = state, look = await ask('look', {part, way, beamSize});
  if (!look || asking !== state.asking || part !== state.part) return null;
  const changed = [...differences(look.target, before.target)];
  return {...look, fresh: new Set(changed.filter((t) => isWord(look.target[t])))};
}

/** The way of what is shown before a step, from which on it may be another one: with the lights that were moved there. */
function wayBefore(step, {hands = {}, was = {}, ...way}) {
  const earlier = (all) => Object.fromEntries(Object.entries(all).filter(([at]) => at < step));
  return {...way, hands: earlier(hands), was: earlier(was)};
}

/** Puts what is written in another way on the stage, from word `from` on, and says why: a cause, and its effect. */
async function tryWay(way, from, cause, effect, beamSize) {
  stop();
  set({say: [...cause, ' …'], hint: null, focus: null, light: null});
  const {look} = state, number = playing, found = await lookIn(way, look, beamSize);
  if (found && number === playing) await rewrite(found, from, cause, effect(found, look));
}

/** Lets the model write word t while it looks at English word s, and whatever follows. */
async function force(t, s) {
  const {look} = state, {target, source, weights, ids, way} = look;
  if (!target[t]) return;  // the beam's answer, which is shorter, came while the light was held
  const [step] = target[t].positions;
  stop();
  const cause = ['You made it look at ', bold(source[s].text)], focus = {side: 't', i: t}, number = playing;
  set({say: [...cause, ' …'], hint: null, touched: true, moved: true, focus, light: source.map((_, j) => +(j === s))});
  const {hands, was} = wayBefore(step, way), old = way.was?.[target[t].held] ?? weights[t];
  let found = look, at = -1;
  for (let held = step; at < 0 && held < found.ids.length; held++) {  // a blank is no word: the light is held for what follows, too
    [hands[held], was[held]] = [s, old];
    found = await lookIn({prefix: ids.slice(0, step), hands, was}, look);
    if (!found || number !== playing) return;  // something else was pressed
    at = found.target.findIndex((word) => word.held >= step);
  }
  await rewrite(found, at < 0 ? t : Math.min(t, at), cause, tellHand(found, look, t, at));
}

const ALMOST = {mouse: 30, touch: 12, pen: 12}, FINGER = 24;  // pixels beside a light, and from the ring, at which they are still taken
const WIDE = 0.7;  // the share of the way to the English word from which on a finger takes a light at once, as the word itself
const PRESS = 180, TAP = 500;  // milliseconds after which a finger that rests holds a light, whichever way it moves then; and of a tap at most
const WRITING = 260, READING = 2500;  // milliseconds of a word, and those in which the pointer alone changes nothing of what is told
let quiet = 0;

/** Puts another translation on the stage, which is written from word `from` on, and says why. */
async function rewrite(look, from, cause, effect) {
  stop();
  const number = playing, {length} = look.target, at = Math.max(0, Math.min(from, length - 1));
  quiet = performance.now() + READING + WRITING * (length - at);
  set({picked: at});
  for (let t = at; t < length && !isStill(); t++) {
    set({look, written: t + 1, focus: {side: 't', i: t}, light: null, hint: null, say: [...cause, ' …']});
    await wait(WRITING);
    if (number !== playing) return;
  }
  const say = [...cause, ...effect];
  set({look, written: Infinity, focus: null, light: null, picked: at, say, hint: null, heard: asText(say)});
}

const putBack = () => finish(state.own, state.isExample && !state.moved && tellingOf(state.own));

async function shut(isShut) {
  if (isShut === state.isShut || !state.own?.ids.length) return;
  set({isShut});
  if (!isShut) return putBack();
  stop();
  set({written: Infinity, focus: null, light: null, touched: true, hint: null, say: ['With equal light …']});
  state.blind ??= await lookIn({uniform: true});
  if (!state.isShut || !state.blind) return;
  const {text, target} = state.blind, said = target.filter(isWord);
  const words = text === state.own.text ? [{text: 'the same'}] : said.length ? said : [{text: 'nothing'}];
  const named = words.filter((_, i) => asText(inEnglish(words.slice(0, i + 1))).split(/ (?:· )?/).length <= 7);  // of the line's twelve words
  const say = ['With equal light it writes ', element('b', {lang: 'en'}, ...inEnglish(named)), named.length < words.length ? ' …' : '.', italicsOf(named)];
  set({look: state.blind, picked: Math.min(state.picked, target.length - 1), say, heard: asText(say)});
}

/** Returns the English word nearest to the pointer, along the line of words and, if it has several rows, across; -1 outside the stage. */
function wordAt({clientX, clientY}) {
  const {left, top, width, height} = find('stage').getBoundingClientRect(), [x, y] = [clientX - left, clientY - top];
  const away = boxes.s.map((box) => (isTall() ? Math.abs(box.y - y) : Math.hypot(Math.max(box.l - x, 0, x - box.r), box.y - y)));
  return Math.min(x, y, width - x, height - y) < 0 ? -1 : away.indexOf(Math.min(...away));
}

/** Lets one drag lights; returns a function that lets go of the one that is held, and says whether there was one. */
function startHand() {
  const stage = find('stage');
  let held = null;
  const wordOf = ({target}) => {
    const {t, s} = target.closest?.('.w')?.dataset ?? {};
    return t !== undefined ? {side: 't', i: +t} : s !== undefined ? {side: 's', i: +s} : null;
  };
  const pointed = (event) => {
    const at = stage.getBoundingClientRect(), [x, y] = [event.clientX - at.left, event.clientY - at.top];
    const ring = event.pointerType === 'mouse' ? null : stage.querySelector('.invites');
    if (ring && Math.hypot(ring.cx.baseVal.value - x, ring.cy.baseVal.value - y) < FINGER) return {side: 't', i: tellingOf(state.look), isSure: true};
    const word = wordOf(event), almost = ALMOST[event.pointerType] ?? 0, t = word ? null : lightAt({x, y}, almost);
    return t === null || t >= state.written ? word : {side: 't', i: t, isSure: lightAt({x, y}, almost, WIDE) === t};
  };
  const canMove = () => state.own && state.look.ids.length && state.look.target.length && !state.isShut;  // it is the engine's own
  const finishWriting = () => {
    if (state.playing) return finish();
    if (state.written < state.look.target.length) stop();
    set({written: Infinity, light: null});
  };
  const point = (focus, {isExample, moved, look, own} = state) => {
    if (state.focus?.side === focus?.side && state.focus?.i === focus?.i) return;
    stage.style.cursor = handleOf(state, focus) === undefined ? '' : 'grab';
    set({focus, hint: focus && !(isExample && !moved && look === own) ? tellFocus(look, focus) : null});
  };
  stage.addEventListener('pointerdown', (event) => {
    const word = pointed(event);
    if (!state.own || event.button || !event.isPrimary) return;
    stage.setPointerCapture(event.pointerId);
    held = state.playing === 'asks' && word?.side === 's' ? {guess: word.i} : state.playing && !word ? {} : null;
    if (held || !canMove()) return;
    finishWriting();
    set({touched: true});
    const hand = handleOf(state, word), isTaken = event.pointerType === 'mouse' || word?.side === 's' || word?.isSure;
    const mine = held = {word, hand, x: event.clientX, y: event.clientY, s: null, isTaken: isTaken && hand !== undefined};
    setTimeout(() => { mine.isTaken = mine === held && hand !== undefined; }, PRESS);
  });
  stage.addEventListener('touchmove', (event) => held?.isTaken && event.preventDefault(), {passive: false});
  const letGo = () => {
    const isHeld = held !== null;
    if (isHeld && 'word' in held) set({focus: null, hint: null, light: null});
    stage.classList.remove('dragging');
    held = null;
    return isHeld;
  };
  stage.addEventListener('pointermove', (event) => {
    if (!event.isPrimary) return;
    if (!(event.buttons & 1)) letGo();  // its release was not heard of
    const [x, y] = held ? [event.clientX - held.x, event.clientY - held.y] : [0, 0];
    if (held?.hand !== undefined && Math.hypot(x, y) > 8 && (held.isTaken ||= Math.abs(x) > Math.abs(y))) {  // else it scrolls
      const s = wordAt(event);
      if (s === held.s) return;
      held.s = s;
      stage.classList.add('dragging');
      const {source} = state.look, [light, hint] = s < 0 ? [null, ['Let go here, and nothing changes.']]
        : [source.map((_, j) => +(j === s)), ['Let it look at ', bold(source[s].text), '?']];
      set({focus: {side: 't', i: held.hand}, light, hint});
    } else if (!held && event.pointerType === 'mouse' && canMove() && !state.playing && !state.light && performance.now() > quiet) {
      point(pointed(event));
    }
  });
  stage.addEventListener('pointerup', (event) => {
    if (!event.isPrimary || !held) return;
    const {word, hand, guess} = held, s = held.s === null ? null : wordAt(event), isBack = word?.side === 's' && word.i === s;
    letGo();
    if (word === undefined) {
      document.activeElement.blur();  // the keys are the film's
      return guess === undefined ? pause() : play(state.written, guess);
    }
    if (s < 0) return;
    if (hand !== undefined && s !== null && !isBack) return force(hand, s);
    if (canMove()) point(word ?? null);
    if (word?.side === 't') set({picked: word.i, hint: tellFocus(state.look, word)});
  });
  stage.addEventListener('lostpointercapture', letGo);  // as when the page is scrolled, or another window comes
  stage.addEventListener('pointerleave', ({pointerType}) => {
    if (pointerType === 'mouse' && !held && canMove() && !state.playing && !stage.contains(document.activeElement)) point(null);
  });
  stage.addEventListener('focusin', (event) => {
    if (!event.target.matches(':focus-visible') || !canMove()) return;
    finishWriting();
    const word = wordOf(event);
    for (const other of event.target.parentNode.children) other.tabIndex = other === event.target ? 0 : -1;
    point(word);
    if (word.side === 't') set({picked: word.i});
  });
  stage.addEventListener('focusout', ({relatedTarget: next}) => next && !stage.contains(next) && point(null));
  stage.addEventListener('keydown', (event) => {
    const word = wordOf(event), {key} = event;
    if (!word || !canMove() || !/^Arrow/.test(key)) return;
    event.preventDefault();
    const step = /Right|Down/.test(key) ? 1 : -1, line = event.target.parentNode.children;
    if (/Left|Right/.test(key)) return line[word.i + step]?.focus();
    if (word.side === 's') return;
    const {source, weights} = state.look, s = Math.max(0, Math.min(source.length - 1, brightest(weights[word.i]) + step));
    force(word.i, s).then(() => find('marathi').children[Math.min(word.i, state.look.target.length - 1)]?.focus());
  });
  return letGo;
}

/** Closes its eyes for as long as the button is held, and after a tap for so long that one can read what it writes. */
function startEyes() {
  const blind = find('blind'), isKey = ({key}) => key === ' ' || key === 'Enter';
  let begun = 0, due = 0;
  const close = () => {
    clearTimeout(due);
    begun = performance.now();
    shut(true);
  };
  const open = () => {
    clearTimeout(due);
    if (performance.now() - begun > TAP) shut(false);
    else due = setTimeout(shut, READING, false);
  };
  blind.addEventListener('pointerdown', (event) => {
    blind.setPointerCapture(event.pointerId);
    close();
  });
  blind.addEventListener('contextmenu', (event) => event.preventDefault());  // of a long press
  blind.addEventListener('keydown', (event) => isKey(event) && !event.repeat && close());
  for (const name of ['lostpointercapture', 'keyup', 'blur']) blind.addEventListener(name, open);
}

/** Offers the sentences of a text that has several. */
function drawWalk() {
  const parts = shownParts(), place = parts.indexOf(state.part);
  find('walk').hidden = parts.length < 2;
  find('place').textContent = `sentence ${place + 1} of ${parts.length}`;
  for (const [id, part] of [['before', parts[place - 1]], ['after', parts[place + 1]]]) Object.assign(find(id), {disabled: part === undefined, onclick: () => goTo(part)});
}

async function start() {
  const example = JSON.parse(find('example').textContent), asked = new URLSearchParams(location.hash.slice(1));
  state.gold = JSON.parse(find('gold').textContent);
  const letGo = startHand();
  startEyes();
  startTools();
  startReversal();
  onSubmit(find('form'), () => onStage(find('sentence').value.trim().replace(/\s+/g, ' ')));
  find('lights').addEventListener('click', turnLights);
  find('again').addEventListener('click', () => { guessed.clear(); show(state.own); });
  find('more').addEventListener('click', () => find('sums').scrollIntoView());
  addEventListener('keydown', (event) => {
    const {key, target} = event, step = {ArrowLeft: -1, ArrowRight: 1}[key], isFree = target.matches('body, #again, #lights');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^l$/i.test(key) && !target.matches('input, textarea')) turnLights();
    if (key === 'Enter' && target === find('sentence') && !event.isComposing) {
      event.preventDefault();
      find('form').requestSubmit();
    }
    if (isFree && (step || (key === ' ' && state.playing))) {
      event.preventDefault();
      step ? stepBy(step) : pause();
    }
    if (key !== 'Escape' || !state.own || letGo()) return;
    if (state.playing) finish();
    else if (state.look !== state.own) putBack();
  });
  new ResizeObserver(fit).observe(find('stage'));
  document.fonts.onloadingdone = fit;
  addEventListener('unhandledrejection', ({reason}) => set({say: [`That went wrong: ${reason.message}`], hint: null}));
  addEventListener('hashchange', () => followLink(new URLSearchParams(location.hash.slice(1))));
  if (asked.has('s')) expect(asked.get('s'));
  else {
    Object.assign(state, {sentence: example.sentence, isExample: true});
    show(example.look);
  }
  await read;
  await startEngine();
  startLearning();
  if (['s', 'tool', 'hands'].some((name) => asked.has(name))) followLink(asked);
  else if (state.isExample) {  // the engine's own numbers, for those that stood there
    const answer = await ask('translate', {sentence: example.sentence, beamSize: BEAM_SIZE});
    if (!state.isExample || answer.refused) return;
    set({answer});
    receive(answer.parts[0].look);
  }
}

const read = new Promise((done) => { addEventListener('DOMContentLoaded', done); });
requestAnimationFrame(() => setTimeout(start));  // after the first paint

// Explore: one panel of tools for those who want them. Nothing above it moves.

const CHANCE = new Intl.NumberFormat('en', {style: 'percent', maximumSignificantDigits: 2});
const WAITING = 'It computes …';

/** A button that does something; its parts may be texts and elements. */
function press(action, attributes, ...parts) {
  const made = element('button', {type: 'button', ...attributes}, ...parts);
  made.addEventListener('click', () => during(made, action()));
  return made;
}

/** Lets a button show that it computes, until what it was pressed for last is done. */
async function during(button, done) {
  const mine = button.doing = Promise.resolve(done);
  button.setAttribute('aria-busy', 'true');
  await mine.finally(() => button.doing === mine && button.removeAttribute('aria-busy'));
}

function onSubmit(form, action) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    during(form.querySelector('button'), action());
  });
}

const region = (label, ...parts) => element('div', {class: 'table', role: 'region', 'aria-label': label, tabindex: 0}, ...parts);

/** Which words mean the same: a map from "source-target" to 'sure' or 'possible', empty if the page does not know. */
const goldOf = (gold, {source, target}) => new Map(Object.entries(
  gold[[source, target].map((words) => words.map(({text}) => text.toLowerCase()).join(' ')).join('\t')] ?? {}));

/** "In 5 of 6 rows the most weight is on a frame.", or nothing where no word is framed. */
function goldInWords(framed, weights) {
  if (!framed.size) return '';
  const rows = [...weights.keys()].filter((t) => [...framed.keys()].some((link) => link.endsWith(`-${t}`)));
  const right = rows.filter((t) => framed.has(`${brightest(weights[t])}-${t}`));
  return ` Framed: these two words mean the same (dotted: perhaps). In ${right.length} of ${rows.length} rows the most weight is on a frame.`;
}

/** All weights as a table, in so much of the window's width: a row for each word written, a column for each word read. */
function weightTable(columns, rows, weights, framed = new Map(), room = 0.5) {
  const head = (scope, {text, gloss}) => element('th', {scope, ...languageOf(text)}, element('span', {}, text),
    ...(gloss ? [' ', element('small', {lang: 'en'}, gloss)] : []));
  const isLong = 12 * total(columns.map(({text}) => text.length + 4)) > room * document.documentElement.clientWidth;
  const cell = (t) => (_, s) => element('td', {class: framed.get(`${s}-${t}`) ?? ''});
  const made = styled({'--columns': columns.length}, 'table', {class: isLong ? 'weights upright' : 'weights'},
    element('thead', {}, element('tr', {}, element('td', {}, 'looks at →', element('br'), 'to write ↓'), ...columns.map((word) => head('col', word)))),
    element('tbody', {}, ...rows.map((word, t) => element('tr', {}, head('row', word), ...weights[t].map(cell(t))))));
  fillTable(made, weights);
  return made;
}

function fillTable(table, weights) {
  const all = weights.flat();
  for (const [i, cell] of [...table.querySelectorAll('tbody td')].entries()) {
    cell.textContent = all[i].toFixed(2);
    cell.classList.toggle('small', all[i] < LEAST);
    cell.style.setProperty('--w', all[i].toFixed(3));
  }
}

/** The beginnings that a beam kept, from left to right; the path of the best one is bold. */
function treeOf(steps) {
  const high = 40, pen = Object.assign(element('canvas').getContext('2d'), {font: '700 16px Mukta, system-ui, sans-serif'});
  const wide = steps.map((kept) => kept.map(({text}) => pen.measureText(pieceText(text)).width));
  const begins = [8, ...wide].map((_, t) => 8 + total(wide.slice(0, t).map((each) => Math.max(...each) + high)));
  const parts = steps.flatMap((kept, t) => kept.flatMap(({text, parent, isBest}, k) => {
    if (!text) return [];  // has ended before
    const [x, y] = [begins[t], k * high + 24], name = {class: isBest ? 'best' : ''};
    const line = t ? [drawn('line', {x1: begins[t - 1] + wide[t - 1][parent] + 4, y1: parent * high + 19, x2: x - 4, y2: y - 5, ...name})] : [];
    return [...line, drawn('text', {x, y, ...name, ...languageOf(text)}, pieceText(text))];
  }));
  const width = begins.at(-1), height = Math.max(...steps.map((kept) => kept.length)) * high + 8;
  return region('tree of beginnings', drawn('svg', {class: 'tree', width, height, role: 'img', 'aria-label': `the beginnings kept at each of ${steps.length} steps`}, ...parts));
}

const TOOLS = {
  table: {title: 'Heatmap', draw({look}) {
    const framed = goldOf(state.gold, look);
    return [region('attention weights', weightTable(look.source, look.target, look.weights, framed)),
      element('p', {class: 'quiet'}, 'A row is where the model looked to write its word; it sums to 1.',
        goldInWords(framed, look.weights))];
  }},

  inside: {title: 'Step by step', isOf: ({heads, looks}) => !heads && looks, draw({steps, step, look: {source, target}}) {
    if (!steps) return [WAITING];
    const last = steps.length * STAGES.length - 1, now = Math.min(step, last), at = Math.floor(now / STAGES.length), stage = now % STAGES.length;
    const move = (label, to, isPossible) => press(() => set({step: to}), isPossible ? {} : {disabled: ''}, label);
    const before = target.flatMap((word) => (word.positions.at(-1) < at ? [word] : word.positions.filter((each) => each < at).map((each) => steps[each].piece)));
    const sums = sumsOf(steps[at], source), card = ({children}, i) => (
      element('div', {class: 'card'}, ...[...children].slice(0, -1).map((part) => part.cloneNode(true)), element('div', {}, ...sums[i])));
    return [
      element('div', {class: 'row'}, move('◂ Back', now - 1, now), move('Next ▸', now + 1, now < last), element('span', {class: 'quiet'}, `piece ${at + 1} of ${steps.length}`)),
      element('div', {class: 'row'}, 'Written so far: ', ...(before.length ? before.map((word) => element('span', {class: 'offer'}, ...spell({...word, text: pieceText(word.text)}))) : ['nothing yet'])),
      element('p', {role: 'status'}, explain({...steps[at], attention: ''})[stage]),
      element('div', {class: 'rows'}, 'query', cells(steps[at].query, 1), `${steps[at].units} numbers`),
      element('div', {class: 'four'}, ...[...document.querySelectorAll('#sums .card')].slice(0, stage).map(card))];
  }},

  whatif: {title: 'Another word', async load({look, part, picked}) {
    const {ids, way, target} = look, [next] = target[picked]?.positions ?? [];
    if (next === undefined) return [];
    return ask('offers', {part, way, kept: ids.slice(0, next), next: ids[next], old: target[picked].text});
  }, draw({look, part, picked, shown}) {
    const word = look.target[picked], [next] = word?.positions ?? [];
    if (!word || !shown) return [WAITING];
    const goOn = (ids, ...said) => tryWay({...wayBefore(next + 1, look.way), prefix: [...look.ids.slice(0, next), ...ids]}, picked, ...said);
    const tellRest = (found, rest = [...found.fresh].filter((t) => t !== picked)) => (rest.length ? tellNew(', so it went on with ', found, rest)
      : [found.target.length === picked + 1 ? ', and it ended there.' : ', and no other word is new.']);
    const input = element('input', {'aria-label': 'another Marathi word', maxlength: 40, dir: 'auto'});
    const told = element('span', {role: 'status'});
    const form = element('form', {class: 'row'}, 'or ', input, element('button', {}, 'Write this'), told);
    onSubmit(form, async () => {
      const ids = await ask('typed', {part, text: input.value, isMarathi: state.about.isMarathi});
      if (ids) return goOn(ids, ['You asked for ', bold(input.value.trim())], (found) => tellNew(', so it wrote ', found));
      told.textContent = 'It knows no Marathi word that sounds like this or means this.';
    });
    const offers = shown.map(({ids, share, ...each}) => press(() => goOn(ids, ['You made it write ', bold(each.text)], tellRest), {class: 'offer'}, ...spell(each),
      element('small', {}, share < 0.001 ? '<0.1%' : CHANCE.format(share))));
    return [
      element('p', {}, 'Press a Marathi word, here or on the stage. What if, instead of ', bold(word.text), ', it had written …'),
      element('div', {class: 'row'}, ...offers), form];
  }},

  others: {title: 'Other translations', load: ({part, look: {way, ids}}) => ask('tree', {part, way, ids, beamSize: BEAM_SIZE}), draw({look, shown}) {
    if (!shown) return [WAITING];
    const offer = ({ids, chance, text, latin}) => element('li', {},
      press(() => tryWay({...look.way, prefix: ids}, 0, ['Its search also found this'], (found) => tellNew(': ', found), 1), {class: 'link', ...languageOf(text)}, text), element('small', {}, ` ${latin} ${CHANCE.format(chance)}`));
    return [
      element('p', {}, `At each piece it keeps the ${BEAM_SIZE} likeliest beginnings. Behind each translation stands its chance among all sentences.`),
      element('ol', {}, ...shown.others.map(offer)), treeOf(shown.steps)];
  }},

  names: {title: 'Names', isOf: (_, {answer, part}) => answer?.parts[part]?.names.length, draw({answer, part}) {
    const kinds = {m: 'a man’s name', f: 'a woman’s name', surname: 'a surname', place: 'a place', word: 'a loan word'};
    return answer.parts[part].names.map(({word, text, kind, listed, sourceTokens, targetTokens, attention}) => {
      const said = [bold(word), ' → ', bold(text)], letter = (token) => ({text: pieceText(token)});
      if (listed) return element('p', {}, ...said, `: ${kinds[kind] ?? 'a word'}, looked up.`);
      const [, ...written] = targetTokens.map(letter), [, ...rows] = attention.map((row) => [...row]);  // first is the kind
      return element('details', {}, element('summary', {}, ...said, ': a second network wrote it letter by letter. See how.'),
        region('attention weights of the letters', weightTable(sourceTokens.map(letter), written, rows)));
    });
  }},

  terms: {title: 'Your terms', isOf: ({hides}) => hides, draw() {
    const input = element('textarea', {'aria-label': 'your terms', rows: 4, dir: 'auto', spellcheck: 'false', placeholder: 'GPU = जीपीयू'}, state.terms);
    const form = element('form', {}, element('p', {}, 'A word or phrase on each line, “ = ” and how it is translated. Without that, it stays as it is.'),
      input, element('div', {class: 'row'}, element('button', {}, 'Use these')));
    onSubmit(form, () => {
      state.terms = input.value;
      return onStage(state.sentence);
    });
    return [form];
  }},

  share: {title: 'Save and share', draw({look: {text}}) {
    const told = element('span', {role: 'status'}), where = /^file:|\/\/(localhost|127\.)/.test(location.href) ? ', on this machine only' : '';
    const copy = async (what, done, otherwise) => {
      told.textContent = await navigator.clipboard?.writeText(what).then(() => done, () => otherwise) ?? otherwise;
    };
    return [element('div', {class: 'row'}, press(() => copy(putLink(state), `Copied. The link opens this sentence with what you changed${state.terms && ' and your terms'}${where}.`, 'The link is in the address bar.'), {}, 'Copy link'),
      press(() => save('attention.svg', svgAddress(pictureOf())), {}, 'Save picture (SVG)'),
      press(async () => save('attention.png', await asPng(pictureOf())), {}, 'Save picture (PNG)'), told),
    element('p', {id: 'whole'}, element('span', languageOf(text), text), ' ', press(() => copy(text, 'Copied.', 'Select it to copy it.'), {class: 'link'}, 'Copy'))];
  }},
};

/** The tool that is open, if it has something to show for this model and sentence; else the heatmap. */
function openTool(now, tab = now.tab) {
  const {isOf} = TOOLS[tab];
  return !isOf || (now.about && isOf(now.about, now)) ? tab : 'table';
}

function drawTool(now) {
  const open = openTool(now);
  for (const button of find('tabs').children) {
    const {tool} = button.dataset;
    button.hidden = openTool(now, tool) !== tool;
    button.setAttribute('aria-selected', tool === open);
    button.tabIndex = tool === open ? 0 : -1;
  }
  find('tool').setAttribute('aria-labelledby', `tab-${open}`);
  const buttons = () => [...find('tool').querySelectorAll('button')], at = buttons().indexOf(document.activeElement);
  find('tool').replaceChildren(...TOOLS[open].draw(now));
  buttons()[at]?.focus({preventScroll: true});  // a press of the keyboard may be followed by another
}

/** Computes what the open tool shows. */
async function loadTool({look, tab, picked, own, about}) {
  const {load} = TOOLS[openTool(state)];
  set({shown: null});
  if (!load || !own?.ids.length || !about) return;  // the engine has not read the sentence, or still writes it
  const shown = await load(state);
  if (look === state.look && tab === state.tab && picked === state.picked) set({shown});
}

function startTools() {
  find('tabs').append(...Object.entries(TOOLS).map(([tool, {title}]) =>
    press(() => set({tab: tool}), {role: 'tab', id: `tab-${tool}`, 'data-tool': tool, 'aria-controls': 'tool'}, title)));
  find('tabs').addEventListener('keydown', ({key}) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[key], tabs = [...find('tabs').children].filter((tab) => !tab.hidden);
    const next = step && tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  });
  document.querySelectorAll('a[data-sentence]').forEach((link) => link.addEventListener('click', (event) => {
    event.preventDefault();
    onStage(link.dataset.sentence);
  }));
}

/** Lets one choose between the page's models, if there are several. */
function offerModels(names) {
  find('model').append(...names.map((name, place) => element('option', {value: place}, name)));
  find('model').addEventListener('change', async ({target: {value}}) => {
    set({say: ['It reads the other model …'], hint: null});
    set({about: await ask('use', {place: +value}), own: null, answer: null, look: {...NOTHING, source: state.look.source}});
    await translate(state.sentence);
  });
}

// --- what one takes along

/** Puts the address of what is shown into the address bar, and returns it: #s=Hi. Where is my book?&part=2&hands=2-0&ids=7-9&terms=… */
function putLink({sentence, part, own, look: {way}, terms}) {
  const said = new URLSearchParams({s: sentence, ...(part && {part: part + 1}), ...(terms && {terms})}), hands = Object.entries(way.hands ?? {});
  if (way.prefix?.some((id, i) => id !== own.ids[i])) said.set('ids', way.prefix.join('-'));  // it was made to begin so
  if (hands.length) said.set('hands', hands.map((hand) => hand.join('-')).join('_'));
  history.replaceState(null, '', `#${said}`);
  return location.href;
}

/** Shows what an address asks for. */
async function followLink(asked) {
  state.terms = asked.get('terms') ?? state.terms;
  await onStage(asked.get('s') ?? state.sentence);
  if (!state.own) return;
  if (state.answer.parts[asked.get('part') - 1]?.look) goTo(asked.get('part') - 1);
  const tab = asked.get('tool'), step = Math.max(1, +asked.get('step') || 1) - 1;
  if (tab in TOOLS) {
    finish();
    set({tab, step});
    find('explore').scrollIntoView();
  }
  const hands = [...(asked.get('hands') ?? '').matchAll(/(\d+)-(\d+)/g)].map(([, ...hand]) => hand.map(Number)), {own, asking} = state;
  if (!hands.length && !asked.has('ids')) return;
  const was = hands.map(([step]) => [step, own.weights[own.target.findIndex(({positions}) => positions.includes(step))]]);
  const prefix = asked.get('ids')?.split('-').map((id) => (id ? +id : NaN)) ?? own.ids.slice(0, Math.min(...hands.map(([step]) => step)));
  const found = await lookIn({prefix, hands: Object.fromEntries(hands), was: Object.fromEntries(was)});
  if (found && hands.every(([step]) => step <= found.target.at(-1)?.positions.at(-1))) await rewrite(found, 0, ['As in the link'], tellNew(', it writes ', found));
  else if (asking === state.asking) set({say: ['The link asks for words that are not here: that part is ignored.'], hint: null});
}

const save = (name, address) => element('a', {href: address, download: name}).click();
const svgAddress = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** Returns the stage as it stands on the screen, as the text of an SVG with the Marathi letters in it. */
function pictureOf() {
  const stage = find('stage'), box = stage.getBoundingClientRect(), ground = getComputedStyle(document.body).backgroundColor;
  const font = document.querySelector('style').textContent.match(/@font-face[^}]*\}/g)?.join('\n') ?? '', pad = 24;
  const texts = [...stage.querySelectorAll('.w > span:not(.unseen), .w i, .w small b')].map((part) => {
    const {left, top, width, height} = part.getBoundingClientRect(), style = getComputedStyle(part);
    return drawn('text', {
      x: left - box.left + width / 2, y: top - box.top + height / 2, 'text-anchor': 'middle', 'dominant-baseline': 'central',
      fill: style.color, 'font-size': style.fontSize, 'font-style': style.fontStyle, 'font-weight': style.fontWeight,
      'font-family': 'Mukta, system-ui, sans-serif',
    }, part.textContent);
  });
  const kept = stage.querySelector('defs').cloneNode(true);
  for (const [i, stop] of [...kept.firstChild.children].entries()) stop.setAttribute('stop-color', getComputedStyle(find('beam').children[i]).stopColor);
  const [width, height] = [box.width + 2 * pad, box.height + 2 * pad];
  return new XMLSerializer().serializeToString(drawn('svg', {width, height, viewBox: `${-pad} ${-pad} ${width} ${height}`},
    drawn('style', {}, `${font} .trail { stroke: ${getComputedStyle(document.body).color}; stroke-width: 2px; }`), kept, drawn('rect', {x: -pad, y: -pad, width, height, fill: ground}),
    find('light').cloneNode(true), ...texts));
}

/** Returns the address of a picture's PNG, twice as large. */
async function asPng(svg) {
  const image = new Image();
  image.src = svgAddress(svg);
  await image.decode();
  const canvas = element('canvas', {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

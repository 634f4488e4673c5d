// Explore: one panel of tools for those who want them. Nothing above it moves.

const CHANCE = new Intl.NumberFormat('en', {style: 'percent', maximumSignificantDigits: 2});
const WAITING = 'It computes …';

/** A button that does something; its parts may be texts and elements. */
function press(action, attributes, ...parts) {
  const made = element('button', {type: 'button', ...attributes}, ...parts);
  made.addEventListener('click', () => during(made, action()));
  return made;
}

const doing = new WeakMap();  // what each button was pressed for last

/** Lets a button show that it computes, until what it was pressed for last is done. */
async function during(button, done) {
  const mine = Promise.resolve(done);
  doing.set(button, mine);
  button.setAttribute('aria-busy', 'true');
  await mine.finally(() => doing.get(button) === mine && button.removeAttribute('aria-busy'));
}

function onSubmit(form, action) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    during(form.querySelector('button'), action());
  });
}

const region = (label, ...parts) => element('div', {class: 'table', role: 'region', 'aria-label': label, tabindex: 0}, ...parts);

/** All weights as a table: a row for each word written, a column for each word read. */
function weightTable(columns, rows, weights, framed = new Map()) {
  const head = (scope, {text, gloss}) => element('th', {scope, ...languageOf(text)}, text,
    ...(gloss ? [' ', element('small', {lang: 'en'}, gloss)] : []));
  const cell = (t) => (_, s) => element('td', {class: framed.get(`${s}-${t}`) ?? ''});
  const made = element('table', {class: 'weights'},
    element('thead', {}, element('tr', {}, element('td'), ...columns.map((word) => head('col', word)))),
    element('tbody', {}, ...rows.map((word, t) => element('tr', {}, head('row', word), ...weights[t].map(cell(t))))));
  made.style.setProperty('--columns', columns.length);
  fillTable(made, weights);
  return made;
}

/** Stands the names of columns upright in tables that are wider than their place. */
function fitTables() {
  const tables = [...document.querySelectorAll('.weights')];
  for (const table of tables) table.classList.remove('upright');
  const areWide = tables.map((table) => table.offsetWidth > table.parentNode.clientWidth);
  tables.forEach((table, i) => table.classList.toggle('upright', areWide[i]));
}

function fillTable(table, weights) {
  const all = weights.flat();
  for (const [i, cell] of [...table.querySelectorAll('tbody td')].entries()) {
    cell.textContent = all[i].toFixed(2);
    cell.classList.toggle('small', all[i] < LEAST);
    cell.style.setProperty('--w', all[i].toFixed(3));
  }
}

const TOOLS = {
  table: {title: 'Heatmap', draw: ({look}) => [
    region('attention weights', weightTable(look.source, look.target, look.weights)),
    element('p', {class: 'quiet'}, 'A row is where the model looked to write its word; it sums to 1.')]},

  whatif: {title: 'Another word', async load({look, part, picked}) {
    const {ids, way, target} = look, [next] = target[picked]?.positions ?? [];
    if (next === undefined) return [];
    return ask('offers', {part, way, kept: ids.slice(0, next), next: ids[next], old: target[picked].text});
  }, draw({look, picked, shown}) {
    const word = look.target[picked], [next] = word?.positions ?? [];
    if (!word || !shown) return [WAITING];
    const goOn = (ids, text) => tryWay({...look.way, prefix: [...look.ids.slice(0, next), ...ids]}, picked, ['You made it write ', bold(text)],
      (found) => tellNew(', so it went on with ', found, [...found.fresh].filter((t) => t !== picked)));
    const offers = shown.map(({ids, share, ...each}) => press(() => goOn(ids, each.text), {class: 'offer'}, ...spell(each),
      element('small', {}, share < 0.001 ? '<0.1%' : CHANCE.format(share))));
    return [
      element('p', {}, 'Press a Marathi word on the stage. What if, instead of ', bold(word.text), ', it had written …'),
      element('div', {class: 'row'}, ...offers)];
  }},

  others: {title: 'Other translations', draw({answer, part}) {
    const {others = []} = answer?.parts[part] ?? {};
    const offer = ({ids, chance, text, latin}) => element('li', {},
      press(() => tryWay({prefix: ids}, 0, ['Its search also found this'], (found) => tellNew(': ', found), 1), {class: 'link', ...languageOf(text)}, text), element('small', {}, ` ${latin} ${CHANCE.format(chance)}`));
    return [
      element('p', {}, `It searches with ${BEAM_SIZE} beginnings in mind. Behind each translation stands its chance, of all sentences.`),
      element('ol', {}, ...others.map(offer))];
  }},
};

function drawTool(now) {
  for (const button of find('tabs').children) {
    const isOpen = button.dataset.tool === now.tab;
    button.setAttribute('aria-selected', isOpen);
    button.tabIndex = isOpen ? 0 : -1;
  }
  find('tool').setAttribute('aria-labelledby', `tab-${now.tab}`);
  find('tool').replaceChildren(...TOOLS[now.tab].draw(now));
  fitTables();
}

/** Computes what the open tool shows. */
async function loadTool({look, tab, picked, own, about}) {
  const {load} = TOOLS[tab];
  set({shown: null});
  if (!load || !own?.ids.length || !about) return;  // the engine has not read the sentence, or still writes it
  const shown = await load(state);
  if (look === state.look && tab === state.tab && picked === state.picked) set({shown});
}

function startTools() {
  find('tabs').append(...Object.entries(TOOLS).map(([tool, {title}]) =>
    press(() => set({tab: tool}), {role: 'tab', id: `tab-${tool}`, 'data-tool': tool, 'aria-controls': 'tool'}, title)));
  find('tabs').addEventListener('keydown', ({key}) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[key], tabs = [...find('tabs').children];
    const next = step && tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next?.click();
    next?.focus();
  });
  for (const link of document.querySelectorAll('a[data-sentence]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      onStage(link.dataset.sentence);
    });
  }
}

/** Lets one choose between the page's models, if there are several. */
function offerModels(names) {
  find('models').hidden = names.length < 2;
  find('model').append(...names.map((name, place) => element('option', {value: place}, name)));
  find('model').addEventListener('change', async ({target: {value}}) => {
    const {sentence} = state;
    set({say: ['It reads the other model …'], hint: null});
    set({about: await ask('use', {place: +value}), own: null, answer: null, look: NOTHING, sentence: ''});
    await translate(sentence);
  });
}

// --- what one takes along

/** Returns the address of what is shown: #s=Where is my book?&hands=2-0. */
function linkOf({sentence, look}) {
  const said = new URLSearchParams({s: sentence}), hands = Object.entries(look.way.hands ?? {});
  if (hands.length) said.set('hands', hands.map((hand) => hand.join('-')).join('_'));
  return `#${said}`;
}

/** Shows what an address asks for. */
async function followLink(asked) {
  await translate(asked.get('s') ?? state.sentence);
  if (!state.own) return;
  const hands = [...(asked.get('hands') ?? '').matchAll(/(\d+)-(\d+)/g)].map(([, step, s]) => [+step, +s]);
  for (const [step, s] of hands) {
    const t = state.look.target.findIndex(({positions}) => positions[0] === step);
    if (t >= 0 && state.look.source[s]) await force(t, s);
  }
}

async function copyLink() {
  history.replaceState(null, '', linkOf(state));
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  find('copied').textContent = copied ? 'Copied.' : 'It is in the address bar.';
}

function turnLights() {
  const {style} = document.documentElement, isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  style.colorScheme = (style.colorScheme || (isDark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
}

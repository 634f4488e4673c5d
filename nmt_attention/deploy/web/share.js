// What a class or a reader takes along: a link to what is shown, a picture of it, and larger type.

const LEAST_ROWS = 36;  // of type in a window, of which a class can read each
const BOXES = 'main, #keys, #result, #sides, #panel, #tools, #sides .scroll, #sides .table, #sides .nmt-attention';

/** Makes the buttons below the result work, and shows what the address asks for. */
function startSharing(page) {
  const tell = (text) => { find('told').textContent = text; };
  find('copy').addEventListener('click', async () => {
    history.replaceState(null, '', linkOf(page));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    tell(copied ? 'Link copied.' : 'The link is in the address bar.');
  });
  find('svg').addEventListener('click', () => {
    save('attention.svg', `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureOf(find('picture')))}`);
  });
  find('png').addEventListener('click', async () => {
    save('attention.png', await asPng(pictureOf(find('picture'))));
  });
  find('present').addEventListener('click', () => {
    present(page, !isPresented());
    history.replaceState(null, '', linkOf(page));
  });
  addEventListener('resize', () => fit(page));
  addEventListener('hashchange', () => showLink(page));
  showLink(page);
}

const isPresented = () => document.documentElement.classList.contains('present');

function present(page, isLarge) {
  document.documentElement.classList.toggle('present', isLarge);
  find('present').textContent = isLarge ? 'Leave' : 'Present';
  fit(page);
}

/** Draws the lines; presented, in the largest type in which all fits the window: with the heatmap as long as LEAST_ROWS
 * of type fill the window, else without it. */
function fit(page) {
  const {style} = document.documentElement, {classList} = find('result');
  const isFitting = (rows, isBare) => {
    classList.toggle('bare', isBare);
    style.cssText = `font-size: ${innerHeight / rows}px; overflow: hidden`;  // a scrollbar would take room
    page.redraw();
    const turned = rows <= LEAST_ROWS && document.querySelector('#sides .tall:not(.many)');
    return !turned && ![...document.querySelectorAll(BOXES)].some(overflows);
  };
  style.fontSize = '';
  if (!isPresented()) return page.redraw();
  for (let rows = 24, isBare = false; rows < 60 && !isFitting(rows, isBare); rows++) {
    if (rows === LEAST_ROWS && !isBare) [rows, isBare] = [23, true];
  }
  style.overflow = '';
}

const overflows = ({scrollHeight, clientHeight, scrollWidth, clientWidth}) =>
  scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1;

/** Keeps what is presented in the address, for those who reload it. */
function remember(page) {
  if (isPresented()) history.replaceState(null, '', linkOf(page));
}

/** Returns what a key presses on the slide: an example, a tool, the tour, or what comes next or came before. */
function pressedOn(page, key) {
  const examples = [...document.querySelectorAll('.example')], [card, inside] = [!find('card').hidden, page.tool === 'inside'];
  const at = examples.findIndex((button) => button.title === page.sentence);
  const isNext = ['ArrowRight', 'PageDown'].includes(key), isBack = ['ArrowLeft', 'PageUp'].includes(key);
  if (isNext) return card ? find('card').querySelector('.next') : inside ? find('step') : examples[at + 1];
  if (isBack) return card ? find('card').querySelector('.back') : inside ? find('back') : examples[at - 1];
  return examples[key - 1] ?? document.querySelector(`[data-key="${CSS.escape(key.toUpperCase())}"]:not([hidden])`);
}

/** Returns the address of what is shown: #s=Where is my book?&tool=inside&step=3. */
function linkOf({sentence, tool, step}) {
  const attention = document.querySelector('input[name=attention]:checked').value;
  const said = new URLSearchParams({s: sentence});
  if (tool) said.set('tool', tool);
  if (step) said.set('step', 1 + step.t * STAGES.length + step.stage);
  if (['uniform', 'shuffled'].includes(attention)) said.set('look', attention);
  if (isPresented()) said.set('present', '');
  return `#${said}`;
}

/** Shows what the address asks for. */
async function showLink(page) {
  const asked = new URLSearchParams(location.hash.slice(1)), tool = asked.get('tool');
  const look = ['uniform', 'shuffled'].find((name) => name === asked.get('look')) ?? 'own';
  find('attention').querySelector(`[value=${look}]`).checked = true;
  present(page, asked.has('present'));
  await translateNow(page, asked.get('s') ?? find('sentence').value);
  if (!page.found) return;
  const stages = Math.max(1, Math.min(+asked.get('step') || 1, page.steps.length * STAGES.length)) - 1;
  page.step = {t: Math.floor(stages / STAGES.length), stage: stages % STAGES.length};
  openTool(page, TOOLS.includes(tool) ? tool : null);
}

function save(name, address) {
  element('a', {href: address, download: name}).click();
}

/** Returns words and lines as they stand on the screen, as the text of an SVG with the Marathi letters in it. */
function pictureOf(picture) {
  const box = picture.querySelector('.scroll').getBoundingClientRect(), {backgroundColor} = getComputedStyle(document.body);
  const font = document.querySelector('style').textContent.match(/@font-face[^}]*\}/g)?.join('\n') ?? '';
  const at = (made) => {
    const {left, top, width, height} = made.getBoundingClientRect();
    return {x: left - box.left, y: top - box.top, width, height};
  };
  const words = [...picture.querySelectorAll('.words button')].flatMap((button) => {
    const {color} = getComputedStyle(button), parts = button.children.length ? [...button.children] : [button];
    return [
      drawn('rect', {...at(button), rx: 8, fill: 'none', stroke: color, 'stroke-opacity': 0.35}),
      ...parts.map((part) => {
        const {x, y, width, height} = at(part), style = getComputedStyle(part);
        return drawn('text', {
          x: x + width / 2, y: y + height / 2, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill: style.color,
          'font-size': style.fontSize, 'font-style': style.fontStyle, 'font-family': 'Mukta, system-ui, sans-serif',
        }, part.textContent);
      }),
    ];
  });
  const svg = picture.querySelector('.lines'), place = at(svg), {stroke} = getComputedStyle(svg.firstChild ?? svg);
  const lines = [...svg.children].map((line) => {
    const copy = line.cloneNode();
    copy.setAttribute('stroke', stroke);
    return copy;
  });
  return new XMLSerializer().serializeToString(drawn('svg', {
    width: box.width, height: box.height, viewBox: `0 0 ${box.width} ${box.height}`,
  }, drawn('style', {}, font), drawn('rect', {width: '100%', height: '100%', fill: backgroundColor}), ...words,
  drawn('g', {transform: `translate(${place.x} ${place.y})`, 'stroke-linecap': 'round'}, ...lines)));
}

/** Returns the address of a picture's PNG, twice as large. */
async function asPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element('canvas', {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

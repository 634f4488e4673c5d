// What a class or a reader takes along: a link to what is shown, a picture of it, and larger type.

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
    present(page, !document.documentElement.classList.contains('present'));
    if (location.hash) history.replaceState(null, '', linkOf(page));
  });
  addEventListener('resize', () => fit(page));
  addEventListener('hashchange', () => showLink(page));
  showLink(page);
}

function present(page, isLarge) {
  document.documentElement.classList.toggle('present', isLarge);
  find('present').setAttribute('aria-pressed', isLarge);
  fit(page);
}

/** Draws the lines; presented, in the largest type in which all down to the tools fits, or the lines and an open tool. */
function fit(page) {
  const {style, classList} = document.documentElement;
  const shown = document.querySelector(page.tool ? '#picture .both' : '#tools'), panel = find('panel');
  style.fontSize = '';
  page.redraw();
  for (let size = 40; size > (page.tool ? 16 : 12) && classList.contains('present'); size--) {
    style.fontSize = `${size}px`;
    page.redraw();
    const fits = shown.getBoundingClientRect().bottom + scrollY <= innerHeight;
    if (fits && panel.scrollHeight <= panel.clientHeight + 1) break;  // without a bar to scroll
  }
}

/** Returns the address of what is shown: #s=Where is my book?&tool=inside&step=3. */
function linkOf({sentence, tool, step}) {
  const attention = document.querySelector('input[name=attention]:checked').value;
  const said = new URLSearchParams({s: sentence});
  if (tool) said.set('tool', tool);
  if (step) said.set('step', 1 + step.t * STAGES.length + step.stage);
  if (['uniform', 'shuffled'].includes(attention)) said.set('look', attention);
  if (document.documentElement.classList.contains('present')) said.set('present', '');
  return `#${said}`;
}

/** Shows what the address asks for. */
async function showLink(page) {
  const asked = new URLSearchParams(location.hash.slice(1)), tool = asked.get('tool');
  const look = ['uniform', 'shuffled'].find((name) => name === asked.get('look')) ?? 'own';
  find('attention').querySelector(`[value=${look}]`).checked = true;
  present(page, asked.has('present'));
  await translateNow(page, asked.get('s') ?? find('sentence').value);
  if (!page.found || !TOOLS.includes(tool)) return;
  const stages = Math.max(1, Math.min(+asked.get('step') || 1, page.steps.length * STAGES.length)) - 1;
  page.step = {t: Math.floor(stages / STAGES.length), stage: stages % STAGES.length};
  openTool(page, tool);
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

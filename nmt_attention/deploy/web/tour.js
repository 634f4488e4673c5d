// A guided tour of cards, one idea each, for those who ask for it. Each rings a part of the page, and operates it.

/** The cards: {title, prepare, ring, text}. `prepare` makes the page show what the card speaks of; `text` says it. */
const CARDS = [
  {
    title: 'The line', ring: '#picture .both',
    prepare: (page) => translateNow(page, EXAMPLES[0].sentence),
    text: () => 'For each Marathi word, lines lead to the English words that the network looked at. A thick line is much '
      + 'attention. Point at a word to see its numbers.',
  },
  {
    title: 'The jump', ring: '#picture button.on',
    prepare: (page) => pointAt(lastWord(page)),
    text: ({merged, model}, t = lastWord({merged})) => {
      const {text} = merged.targetWords[t], [s] = topK(merged.weights[t], 1);
      return `${text} (${romanize(model, text)}) is the last word, but it looks back at “${merged.sourceWords[s].text}”, word `
        + `${s + 1} of ${merged.sourceWords.filter(isWord).length}. Marathi keeps its verb for the end.`;
    },
  },
  {
    title: 'A score for each word', ring: '#picture .both',
    prepare: (page) => { openTool(page, 'inside'); goTo(page, {t: 0, stage: 1}); },
    text: () => 'Before it writes its first word, the network scores each English word. The fuller the box, the better the fit.',
  },
  {
    title: 'Shares of 100%', ring: '#picture .both',
    prepare: (page) => goTo(page, {t: 0, stage: 2}),
    text: () => 'It turns the scores into shares that sum to 100%. These are the lines: attention.',
  },
  {
    title: 'A word comes out', ring: '#picture .both',
    prepare: (page) => goTo(page, {t: 0, stage: STAGES.length - 1}),
    text: () => 'It mixes the English words by their shares, and writes a word that fits the mix.',
  },
  {
    title: 'Take it away', ring: '#top',
    prepare: (page) => { openTool(page, 'switches'); return look(page, 'uniform'); },
    text: () => 'Now it looks everywhere at once, and loses its way. The line in orange counts and names what changes.',
  },
  {
    title: 'Do not trust the picture', ring: '#picture .both',
    prepare: (page) => { openTool(page, null); return translateNow(page, EXAMPLES[3].sentence); },
    text: () => 'It looks at “bank” and writes बँक (bêṅk), a bank that keeps money. Where a network looks is not what it '
      + 'understands.',
  },
];

/** Returns the place of the last word that is no mark. */
const lastWord = ({merged: {targetWords}}) => targetWords.findLastIndex(isWord);

/** Lights up a Marathi word, as if somebody pointed at it. */
function pointAt(t) {
  find('picture').querySelector(`button[data-t="${t}"]`).dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
}

/** Makes attention the model's own or uniform. */
function look(page, attention) {
  find('attention').querySelector(`[value=${attention}]`).checked = true;
  return begin(page);
}

function startTour(page) {
  find('tour').hidden = isTransformer(page.first);  // the cards speak of the one place where a recurrent decoder looks
  find('tour').addEventListener('click', () => showCard(page, 0));
}

/** Shows a card, once the page shows what it speaks of. */
async function showCard(page, number) {
  const {title, prepare, ring, text} = CARDS[number], isLast = number === CARDS.length - 1;
  find('attention').querySelector('[value=own]').checked = true;
  pointAtNothing();
  await prepare(page);
  if (page.tool !== 'inside') {
    clearTimeout(page.timer);
    reveal(page, Infinity);
  }
  const end = () => endTour(page), button = (label, name, action) => {
    const made = element('button', {type: 'button', class: name}, label);
    made.addEventListener('click', action);
    return made;
  };
  const heading = element('h2', {id: 'card-title', tabindex: -1}, title);
  find('card').replaceChildren(heading, element('p', {}, text(page)), element('div', {class: 'row'},
    element('span', {class: 'quiet'}, `${number + 1} of ${CARDS.length}`),
    ...(isLast ? [] : [button('Skip', 'skip', end)]),
    ...(number ? [button('Back', 'back', () => showCard(page, number - 1))] : []),
    button(isLast ? 'Done' : 'Next', 'next', isLast ? end : () => showCard(page, number + 1))));
  find('card').hidden = false;
  fit(page);
  removeRing();
  const part = document.querySelector(ring);
  part?.classList.add('ring');
  if (part) standAside(find('card'), part);
  heading.focus({preventScroll: true});
}

/** Puts the card where it covers neither the part nor, if there is room, the lines and an open tool, else below the part:
 * the page has room for that. */
function standAside(card, part) {
  part.scrollIntoView({block: 'nearest'});
  const parts = [part, find('picture').querySelector('.both'), find('panel')];
  const isClear = (other, a = card.getBoundingClientRect(), b = other.getBoundingClientRect()) =>
    a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
  for (; parts.length; parts.pop()) {
    for (const place of ['', 'left', 'top', 'top left']) {
      card.className = place;
      if (parts.every((other) => isClear(other))) return;
    }
  }
  card.className = '';
  scrollBy(0, part.getBoundingClientRect().bottom - card.getBoundingClientRect().top + 12);
}

const removeRing = () => document.querySelector('.ring')?.classList.remove('ring');

function endTour(page) {
  removeRing();
  find('card').hidden = true;
  fit(page);
  find('tour').focus();
  if (!find('attention').querySelector('[value=own]').checked) look(page, 'own');
}

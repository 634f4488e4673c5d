// What stands below the stage: the four sums of one word, or the heads of a Transformer.

const FEW = 14;  // numbers of a vector that are drawn

/** Rows of a name, a bar that begins at 0, and a number; bars of numbers below 0 go to the left. */
function bars(rows, brightest) {
  const numbers = rows.map(([, number]) => number), low = Math.min(0, ...numbers), whole = Math.max(1, ...numbers) - low;
  const bar = (number, name) => element('i', {class: 'bar'}, styled(
    {left: `${100 * (Math.min(0, number) - low) / whole}%`, width: `${100 * Math.abs(number) / whole}%`}, 'i', {class: name}));
  return styled({'--zero': `${-100 * low / whole}%`}, 'div', {class: 'rows'}, ...rows.flatMap(([name, number, text], i) => [
    name, bar(number, i === brightest ? 'lit' : number < 0 ? 'less' : ''), element('span', {}, text)]));
}

/** The first numbers of a vector as cells, as strong as they are large. */
function cells(numbers, share) {
  const shown = numbers.slice(0, FEW), most = Math.max(...shown.map(Math.abs)) || 1;
  const cell = (number) => styled({opacity: 0.12 + 0.88 * Math.abs(number) / most}, 'i', {class: number > 0 ? 'more' : 'less'});
  return styled({opacity: 0.2 + 0.8 * share}, 'i', {class: 'cells'}, ...shown.map(cell));
}

function drawSums({look, picked, steps, heads, about}) {
  find('sums').className = about?.heads ? 'of-heads' : '';
  if (heads) return drawHeads(look, heads);
  const word = look.target[picked], step = word && steps?.[word.positions[0]];
  find('sums').classList.toggle('waiting', !step);
  if (!step) return;
  const {source} = look, own = languageOf(word.text), name = ({text}) => element('span', {}, text.slice(0, LONG));
  const hasFocus = find('chips').contains(document.activeElement);
  find('chips').replaceChildren(...look.target.map(({text}, t) => press(
    () => set({picked: t}), {'aria-pressed': t === picked, ...languageOf(text)}, text)));
  if (hasFocus) find('chips').children[picked].focus();
  find('this-word').replaceChildren(element('b', own, word.text),
    word.latin ? ` (${[word.latin, word.gloss].filter((each) => each).join(', ')})` : '',
    word.positions.length > 1 ? ', of which these are the first piece’s' : '');
  const of = ({positions}, numbers) => positions.map((place) => numbers[place]);
  const shares = source.map((each) => of(each, step.weights).reduce((sum, share) => sum + share, 0)), best = brightest(shares);
  const scores = step.scores && source.map((each) => Math.max(...of(each, step.scores)));
  find('ask').replaceChildren(scores ? bars(source.map((each, s) => [name(each), scores[s], scores[s].toFixed(1).replace('-', '−')]), best)
    : 'This model does not look: it has no attention.');
  find('share').replaceChildren(bars(source.map((each, s) => [name(each), shares[s], percent(shares[s])]), best));
  find('mix').replaceChildren(element('div', {class: 'rows'}, ...source.flatMap((each, s) => [
    name(each), cells(step.values[each.positions[0]], shares[s]), element('span', {}, `× ${shares[s].toFixed(2)}`)])));
  const words = step.words.filter(({text}) => text !== '␣').slice(0, 4), chosen = words.findIndex(({written}) => written);
  find('write').replaceChildren(bars(words.map(({text, gloss, latin, share}) => [
    element('span', {}, element('span', languageOf(text), text), element('small', {}, gloss || latin)), share,
    share < 0.0095 ? `${(100 * share).toFixed(1)}%` : percent(share)]), chosen));
  find('numbers').textContent = step.units;
  find('pieces').textContent = step.size.toLocaleString('en');
}

/** A small stage: the words read on the left, those written on the right, and between them light, which `fillLights` sets. */
function smallStage(source, target) {
  const line = (words) => element('div', {}, ...words.map(({text, gloss, name = ''}) => element('span', {class: name, ...languageOf(text, {lang: 'en'})},
    text, ...(gloss ? [' ', element('small', {lang: 'en'}, gloss)] : []))));
  const high = (i, count) => (100 * i / count).toFixed(2), {length: s} = source, {length: t} = target;
  const cone = (_, i) => drawn('path', {d: `M100 ${high(Math.floor(i / s) + 0.5, t)} L0 ${high(i % s + 0.1, s)} V${high(i % s + 0.9, s)} Z`});
  return element('div', {class: 'lights', 'aria-hidden': 'true'}, line(source),
    drawn('svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'none'}, ...Array.from({length: s * t}, cone)), line(target));
}

function fillLights(made, weights) {
  const [words, light] = made.children, all = weights.flat();
  [...light.children].forEach((cone, i) => cone.setAttribute('fill-opacity', (all[i] ?? 0).toFixed(3)));
  [...words.children].forEach((word, s) => word.style.setProperty('--b', Math.max(0, ...column(weights, s)).toFixed(3)));
}

/** Draws weights as light and, in the place of this name, as a table; if the words are those that stand there, only the weights change. */
function drawWeights(id, source, target, weights, framed, words = JSON.stringify([source, target])) {
  const place = find(id), light = place.previousElementSibling;
  if (place.dataset.words !== words) {
    place.dataset.words = words;
    light.replaceChildren(smallStage(source, target));
    place.replaceChildren(weightTable(source, target, weights, framed));
    fitTables();
  }
  fillLights(light.firstChild, weights);
  fillTable(place.firstChild, weights);
}

/** Shows what the stage shows beside the tool that changes it, and the way back. */
function drawBeside({look, own, say}) {
  const {source, target, weights} = look, made = smallStage(source, target.map((word, t) => ({...word, name: nameOf(look, t)})));
  fillLights(made, weights);
  find('beside').replaceChildren(element('b', {}, 'On the stage'), made, ...(look === own ? [] : [
    element('p', {}, ...say.map((part) => part.cloneNode?.(true) ?? part)), press(putBack, {class: 'link'}, '↶ Undo')]));
}

/** Offers each head of a Transformer's decoder; the one that is chosen has its light on the stage. */
function drawHeads(look, heads) {
  const {head = null} = look.way, layers = heads.length;
  const choose = async (name, each) => {
    const found = await lookIn({...look.way, prefix: look.ids, head: each}, 0, look, 1);
    if (found) set({look: found, written: Infinity, focus: null, say: ['Here ', bold(name), ' looks.']});
  };
  const offer = (name, each, ...parts) => press(() => choose(name, each),
    {'aria-pressed': each ? head?.layer === each.layer && head?.n === each.n : !head}, ...parts);
  const small = (layer) => (weights, n) => {
    const made = smallStage(look.source, look.target);
    fillLights(made, weights);
    return offer(`layer ${layer + 1}, head ${n + 1}`, {layer, n}, made.children[1], element('small', {}, `head ${n + 1}`));
  };
  const mean = `the mean of layer ${Math.max(0, layers - 2) + 1}`;
  find('how-often').textContent = layers * heads[0].length;
  find('heads').replaceChildren(...heads.map((row, layer) => element('div', {role: 'group', 'aria-label': `layer ${layer + 1}`},
    element('b', {}, `Layer ${layer + 1}`), ...row.map(small(layer)))), offer(mean, null, mean));
}

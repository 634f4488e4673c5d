// What stands below the stage: the four sums of one word, or the heads of a Transformer.

const FEW = 10;  // numbers of a vector that are drawn

/** Rows of a name, a bar that begins at 0, and a number; bars of numbers below 0 go to the left. */
function bars(rows, brightest) {
  const numbers = rows.map(([, number]) => number), low = Math.min(0, ...numbers), whole = Math.max(1, ...numbers) - low;
  const bar = (number, name) => element('i', {class: 'bar'}, styled(
    {left: `${100 * (Math.min(0, number) - low) / whole}%`, width: `${100 * Math.abs(number) / whole}%`}, 'i', {class: name}));
  return styled({'--zero': `${-100 * low / whole}%`}, 'div', {class: 'rows'}, ...rows.flatMap(([name, number, text], i) => [
    name, bar(number, i === brightest ? 'lit' : number < 0 ? 'less' : ''), element('span', {}, text)]));
}

/** The first numbers of a vector as cells, as strong as they are large and its share is; one is framed. */
function cells(numbers, share, framed) {
  const shown = numbers.slice(0, FEW), most = Math.max(...shown.map(Math.abs)) || 1;
  return element('i', {class: 'cells'}, ...shown.map((number, i) => styled({'--w': (0.2 + 0.8 * share) * (0.12 + 0.88 * Math.abs(number) / most)},
    'i', {class: `${number > 0 ? 'more' : 'less'} ${i === framed ? 'sure' : ''}`})));
}

/** How many decimals, at least so many, numbers need for a sum of theirs to be right as printed. */
const decimals = (fewest, isRight) => [0, 1, 2, 3].map((more) => fewest + more).find(isRight) ?? fewest + 4;
const total = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
const printed = (number, places) => (+number.toFixed(places)).toFixed(places).replace('-', '−');  // never −0.00
const ofFour = (number) => +number.toPrecision(4);  // digits

/** A piece as one reads it: before a sign of the letter before stands a hyphen, and a blank that carries the sign. */
const pieceText = (text) => (text === '<end>' ? 'the end' : text.replace(/^(?=\p{M})/u, '-\u00a0'));

/** What each of the four cards shows of a step, so that one can check it with a calculator. */
function sumsOf(step, source) {
  const read = source.flatMap(({text, positions}) => positions.map((j) => [positions.length > 1 ? step.sources[j].replace(/^␣(?=.)/u, '') : text, j]));
  const of = (numbers) => read.map(([, j]) => numbers[j]), name = (i) => element('span', {}, read[i][0].slice(0, LONG));
  const shares = of(step.weights), scores = step.scores && of(step.scores), best = brightest(shares), isOwn = scores && !step.replaced;
  const powers = (places) => scores.map((score) => ofFour(Math.exp(score.toFixed(places)))), all = (places) => ofFour(total(powers(places)));
  const places = !isOwn ? 1 : decimals(1, (n) => powers(n).every((power, i) => percent(power / all(n)) === percent(shares[i])));
  const [power, whole] = isOwn ? [powers(places)[best], all(places)].map((number) => number.toLocaleString('en', {maximumSignificantDigits: 4})) : [];
  const {units, query, keys: {[scores && read[best][1]]: key}} = step, formula = FORMULAS[step.attention];
  const fit = !/^query/.test(formula) ? [`In this model: score = ${formula}.`] : [
    `Query: ${units} numbers for what I need next. Key: ${units} for `, bold(read[best][0]), '. Each product is query\u00a0×\u00a0key:', element('br'),
    `(${[0, 1, 2].map((i) => `${printed(query[i], 2)} × ${printed(key[i], 2)}`).join(' + ')} + ${units - 3} more)${/√/.test(formula) ? ` ÷ √${units}` : ''} = ${printed(scores[best], places)}`];
  const ask = scores ? [bars(scores.map((score, i) => [name(i), +score.toFixed(places), printed(score, places)]), best), element('small', {}, ...fit)]
    : ['This model does not look: it has no attention.'];
  const share = [bars(shares.map((each, i) => [name(i), each, percent(each)]), best), element('small', {}, ...(!isOwn ? [scores ? 'Set by hand.' : 'It has one vector, read to the end.']
    : [`${read[best][0]}: e^${printed(scores[best], places)} = ${power}. All words together: ${whole}.`, element('br'), `${power} ÷ ${whole} = ${percent(shares[best])}`]))];
  const values = of(step.values), most = brightest(step.context.slice(0, FEW).map(Math.abs)), mixed = step.context[most];
  const digits = decimals(2, (n) => +total(values.map((each, i) => each[most].toFixed(n) * shares[i].toFixed(n))).toFixed(2) === +mixed.toFixed(2));
  const mix = [element('div', {class: 'rows'}, ...values.flatMap((each, i) => [
    name(i), cells(each, shares[i], most), element('span', {}, `${shares[i].toFixed(digits)} × ${printed(each[most], digits)}`)]),
  element('b', {}, 'sum'), cells(step.context, 1, most), element('b', {}, printed(mixed, 2))),
  element('small', {}, `Of its ${step.units} numbers you see ${FEW}; the framed ones are added up.`)];
  const words = step.words.filter((each, i) => each === step.piece || (i < 4 && each.text !== '␣')), others = 1 - total(words.map((each) => each.share));
  const write = [bars([...words.map(({text, gloss, latin, share: chance}) => [
    element('span', {}, element('span', languageOf(text), pieceText(text)), element('small', {}, gloss ? `“${gloss}”` : latin)), chance, CHANCE.format(chance)]),
  [element('span', {}, 'all others'), others, CHANCE.format(others)]], words.indexOf(step.piece)),
  element('small', {}, `It makes all its words of ${step.size.toLocaleString('en')} pieces.`)];
  return [ask, share, mix, write];
}

/** The sums of one piece of the word that is picked. */
function drawSums({look, picked, steps, heads, about}) {
  const word = look.target[picked], at = steps && word?.positions.find((each, i, all) => isWord(steps[each].piece) || i === all.length - 1), step = steps?.[at];
  find('sums').className = about?.heads ? 'of-heads' : step ? '' : 'waiting';
  if (!step) return heads && drawHeads(look, heads);
  const {text: piece} = step.piece, own = languageOf(word.text), hasFocus = find('chips').contains(document.activeElement);
  find('chips').replaceChildren(...look.target.map(({text}, t) => press(
    () => set({picked: t}), {'aria-pressed': t === picked, ...languageOf(text)}, text)));
  if (hasFocus) find('chips').children[picked].focus();
  find('this-word').replaceChildren(...(piece === word.text ? [] : [element('b', own, pieceText(piece)), ', a piece of ']), element('b', own, word.text),
    word.latin ? ` (${[word.latin, word.gloss].filter((each) => each).join(', ')})` : '');
  sumsOf(step, look.source).forEach((parts, i) => find(['ask', 'share', 'mix', 'write'][i]).replaceChildren(...parts));
}

/** A small stage: the words read on the left, those written on the right, and between them light. */
function smallStage(source, target, weights) {
  const line = (words) => element('div', {}, ...words.map(({text, gloss, name = ''}) => element('span', {class: name, ...languageOf(text, {lang: 'en'})},
    text, ...(gloss ? [' ', element('small', {lang: 'en'}, gloss)] : []))));
  const high = (i, count) => (100 * i / count).toFixed(2), {length: s} = source, {length: t} = target;
  const cone = (_, i) => drawn('path', {d: `M100 ${high(Math.floor(i / s) + 0.5, t)} L0 ${high(i % s + 0.1, s)} V${high(i % s + 0.9, s)} Z`});
  const made = element('div', {class: 'lights', 'aria-hidden': 'true'}, line(source),
    drawn('svg', {viewBox: '0 0 100 100', preserveAspectRatio: 'none'}, ...Array.from({length: s * t}, cone)), line(target));
  fillLights(made, weights);
  return made;
}

function fillLights(made, weights) {
  const [words, light] = made.children, all = weights.flat();
  [...light.children].forEach((cone, i) => cone.setAttribute('fill-opacity', ((all[i] ?? 0) ** 1.5).toFixed(3)));  // less than the weight: where many cross, they add up
  [...words.children].forEach((word, s) => word.style.setProperty('--b', Math.max(0, ...column(weights, s)).toFixed(3)));
}

/** Draws weights as light and, in the place of this name, as a table; if the words are those that stand there, only the weights change. */
function drawWeights(id, source, target, weights, framed, words = JSON.stringify([source, target])) {
  const place = find(id), light = place.previousElementSibling;
  if (place.dataset.words !== words) {
    place.dataset.words = words;
    light.replaceChildren(smallStage(source, target, weights));
    place.replaceChildren(weightTable(source, target, weights, framed, 0.25));
  }
  fillLights(light.firstChild, weights);
  fillTable(place.firstChild, weights);
}

/** Shows what the stage shows beside the tool that changes it, and the way back; a word that is pressed is picked. */
function drawBeside({look, own, say, picked}) {
  const made = smallStage(look.source, look.target.map((word, t) => ({...word, name: nameOf(look, t) + (t === picked ? ' picked' : '')})), look.weights);
  [...made.lastChild.children].forEach((word, t) => word.addEventListener('click', () => set({picked: t})));
  find('beside').replaceChildren(element('b', {}, 'On the stage'), made, ...(look === own ? [] : [
    element('p', {}, ...say.map((part) => part.cloneNode?.(true) ?? part)), press(putBack, {class: 'link'}, '↶ Undo')]));
}

/** Offers each head of a Transformer's decoder; the one that is chosen has its light on the stage. */
function drawHeads(look, heads) {
  const {head = null} = look.way, layers = heads.length;
  const choose = async (name, each) => {
    const found = await lookIn({...look.way, prefix: look.ids, head: each}, look, 1);
    if (found) set({look: found, written: Infinity, focus: null, say: ['Here ', bold(name), ' looks.']});
  };
  const offer = (name, each, ...parts) => press(() => choose(name, each),
    {'aria-pressed': each ? head?.layer === each.layer && head?.n === each.n : !head}, ...parts);
  const mean = `the mean of layer ${Math.max(0, layers - 2) + 1}`;
  find('how-often').textContent = layers * heads[0].length;
  find('heads').replaceChildren(...heads.map((row, layer) => element('div', {role: 'group', 'aria-label': `layer ${layer + 1}`},
    element('b', {}, `Layer ${layer + 1}`), ...row.map((weights, n) => offer(`layer ${layer + 1}, head ${n + 1}`, {layer, n},
      smallStage(look.source, look.target, weights).children[1], element('small', {}, `head ${n + 1}`))))), offer(mean, null, mean));
}

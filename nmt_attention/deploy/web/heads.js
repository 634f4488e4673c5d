// The heads of a Transformer: in each layer of its decoder several look at the sentence at once, each in its own way.

/** Merges the tokens of what is shown into words, with the weights of one head, {layer, n}, or with the model's own. */
function mergeShown(page, head) {
  const {model, parts, places, found} = page;
  const seen = head ? {found: places.map((place) => (
    {...place.found, attention: place.steps.map(({heads}) => heads[head.layer][head.n])}))} : found;
  return withoutEnd(mergeText(model, parts, seen), found);
}

/** Offers each head as a small heatmap. One that is chosen has its lines drawn, until the tool is closed. */
function drawHeads(page) {
  const {model: {config}, gold, head} = page, layers = [...Array(config.decoder_layers).keys()];
  const offer = (each, ...parts) => {
    const button = element('button', {type: 'button', 'aria-pressed': each?.layer === head?.layer && each?.n === head?.n}, ...parts);
    button.addEventListener('click', () => {
      choose(page, page.chosen, each);
      find('heads').querySelector('[aria-pressed=true]').focus({preventScroll: true});
    });
    return button;
  };
  let isFramed = false;
  const small = (each) => {
    const merged = mergeShown(page, each), {rows, right} = framedRows(goldOf(gold, merged), merged);
    isFramed = rows.length > 0;
    return offer(each, thumbnail(merged), element('small', {}, `head ${each.n + 1}`),
      ...(isFramed ? [element('small', {class: 'quiet'}, `${right.length} of ${rows.length}`)] : []));
  };
  const heads = layers.map((layer) => element('div', {class: 'heads', role: 'group', 'aria-label': `layer ${layer + 1}`},
    element('b', {}, `Layer ${layer + 1}`), ...Array.from({length: config.heads}, (_, n) => small({layer, n}))));
  find('heads').replaceChildren(
    element('h2', {}, 'Where does each head look?'),
    element('p', {}, `For every piece that it writes, this Transformer looks ${layers.length * config.heads} times: in each layer, `
      + `with ${config.heads} heads at once. Columns are English words, rows Marathi words. Choose a head to see its lines.`,
      isFramed ? ' The numbers count the rows in which the most weight is on a framed word.' : ''),
    ...heads, offer(null, `Mean of layer ${Math.max(0, config.decoder_layers - 2) + 1}`));
  if (head) find('picture').querySelector('.caption').prepend(element('b', {}, `Layer ${head.layer + 1}, head ${head.n + 1}. `));
}

function thumbnail({sourceWords, targetWords, weights}) {
  return drawn('svg', {
    viewBox: `0 0 ${sourceWords.length} ${targetWords.length}`, preserveAspectRatio: 'none', 'aria-hidden': 'true',
  }, ...weights.flatMap((row, t) => row.map((weight, s) => (
    drawn('rect', {x: s, y: t, width: 1, height: 1, 'fill-opacity': weight.toFixed(3)})))));
}

// What is drawn, but for one step, which steps.js draws. Text from a user or a model becomes text nodes, never HTML.

const MANY = 9;  // words, more than which English stands on the left and Marathi on the right
const NARROW = 544;  // pixels, less than which a window is a phone's

/** Makes an SVG element. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The attributes of a text's language and direction, and what keeps it to itself among others: as language.py. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
function languageOf(text, otherwise = {}) {
  if (/[\u0900-\u097f]/.test(text)) return {lang: 'mr'};
  const letters = [...text].filter((letter) => /\p{L}/u.test(letter));
  if (2 * letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length > letters.length) return {lang: '', dir: 'rtl'};
  return letters.every((letter) => /\p{Script=Latin}/u.test(letter)) ? otherwise : {lang: ''};
}
const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** Gives an element the attributes of the text that it shows. */
function setLanguage(made, text) {
  const {lang = null, dir = null} = languageOf(text);
  for (const [name, value] of Object.entries({lang, dir})) {
    if (value === null) made.removeAttribute(name);
    else made.setAttribute(name, value);
  }
}

const visible = (token) => token.replaceAll(SPACE, '␣');

/** A text, and below it how one says it, if it is in Devanagari, and what it means, if it is a word with a gloss. */
function spoken(model, text) {
  const latin = romanize(model, text), gloss = model.glosses.get(normalize(text, false, model.rules));
  const parts = [element('span', languageOf(text), text)];
  if (latin !== text) parts.push(element('small', {lang: 'mr-Latn', class: 'latin'}, latin));
  if (gloss) parts.push(element('small', {lang: 'en', class: 'gloss'}, gloss));
  return parts;
}

/** Says of a Marathi word that it has no gloss. */
const noGloss = ({glosses, rules}, {text, isName}) => (
  glosses.size && languageOf(text).lang === 'mr' && !glosses.has(normalize(text, false, rules))
    ? [element('small', {lang: 'en', class: 'quiet'}, isName ? (/^\p{Nd}/u.test(text) ? 'a number' : 'a name') : 'no gloss')] : []);

/** Gives words the case in which they were typed. */
function asTyped(words, typed) {
  const small = typed.toLowerCase();
  if (small.length !== typed.length) return words;
  let from = 0;
  return words.map((word) => {
    const at = small.indexOf(word.text.toLowerCase(), from);
    if (at < 0 || at > from + 12) return word;  // it was typed in another spelling
    from = at + word.text.length;
    return {...word, text: typed.slice(at, from)};
  });
}

/** Returns whether training had no word of this text; a second model writes names and numbers, which are none. */
function isUnknown({names, preprocessor}, parts, text) {
  if (!names || !preprocessor || parts.some(({source}) => [...source.masked.words.values()].some((word) => text.includes(word)))) {
    return false;
  }
  return (text.toLowerCase().match(preprocessor.patterns.word) ?? []).some((word) => !names.known.has(word) && !names.listedSmall.has(word));
}

/** Returns the known word that is one letter, or two that changed places, away from a typed one, if there is one. */
function nearestWord({names, source}, typed) {
  const word = typed.toLowerCase(), sorted = (text) => [...text].sort().join('');
  if (!/^\p{L}{3,}$/u.test(word)) return undefined;
  const isNear = (other) => {
    let same = 0;
    while (same < word.length && word[same] === other[same]) same++;
    const a = word.slice(same), b = other.slice(same);
    const swapped = a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0];
    return swapped || a === b.slice(1) || a.slice(1) === b || a.slice(1) === b.slice(1);
  };
  const rank = (other) =>  // swapped letters first, then a letter too few; of these the frequent, as in preprocess/doubts.py
    (sorted(other) === sorted(word) ? 0 : other.length > word.length ? 1e6 : 2e6) + (source.ids.get(SPACE + other) ?? 1e5);
  return [...names.known].filter(isNear).sort((one, other) => rank(one) - rank(other))[0];
}

/** The end has no line and no row. */
function withoutEnd({sourceWords, targetWords, weights}, {ids}) {
  const shown = ids[ids.length - 1] === END ? -1 : undefined;
  return {sourceWords, targetWords: targetWords.slice(0, shown), weights: weights.slice(0, shown)};
}

const isWord = ({text}) => /[\p{L}\p{N}]/u.test(text);

/** Compares a translation's words with those of another: {changed, gone}, the places of words that are not in the longest
 * sequence of both, in the one and in the other. */
function differences(words, others) {
  const longest = words.map(() => Array(others.length + 1).fill(0)).concat([Array(others.length + 1).fill(0)]);
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      longest[i][j] = words[i].text === others[j].text ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const changed = new Set(words.keys()), gone = new Set(others.keys());
  for (let i = 0, j = 0; i < words.length && j < others.length;) {
    if (words[i].text === others[j].text) {
      changed.delete(i++);
      gone.delete(j++);
    } else if (longest[i + 1][j] >= longest[i][j + 1]) i++;
    else j++;
  }
  return {changed, gone};
}

/** "1 of 5 words changes: कॅमेरा (camera) → फोटो (photo)." Of words without a gloss, the English one that was looked at most. */
function changesInWords(model, merged, before) {
  const {changed, gone} = differences(merged.targetWords, before.targetWords), runs = [{old: [], new: []}];
  const said = ({sourceWords, targetWords, weights}, t) => {
    const {text} = targetWords[t], gloss = model.glosses.get(normalize(text, false, model.rules));
    return [' ', element('b', languageOf(text), text), ` (${gloss ?? sourceWords[topK(weights[t], 1)[0]].text})`];
  };
  for (let i = 0, j = 0; i < merged.targetWords.length || j < before.targetWords.length;) {
    const [run] = runs.slice(-1);
    if (gone.has(j)) run.old.push(j++);
    else if (changed.has(i)) run.new.push(i++);
    else {
      runs.push({old: [], new: []});
      [i, j] = [i + 1, j + 1];
    }
  }
  const words = runs.map((run) => (
    {old: run.old.filter((t) => isWord(before.targetWords[t])), new: run.new.filter((t) => isWord(merged.targetWords[t]))}));
  const count = (kind) => words.reduce((sum, run) => sum + run[kind].length, 0), lost = count('old'), come = count('new');
  const all = before.targetWords.filter(isWord).length;
  if (!lost && !come) return ['Only marks change.'];
  const how = lost === come ? `${lost} of ${all} words ${lost > 1 ? 'change' : 'changes'}:`
    : `${lost || 'None'} of ${all} words ${lost > 1 ? 'are' : 'is'} gone, ${come || 'none'} ${come > 1 ? 'are' : 'is'} new:`;
  const shown = words.filter((run) => run.old.length || run.new.length).flatMap((run, i) => [
    i ? ';' : '', ...(run.old.length ? run.old.flatMap((t) => said(before, t)) : [' nothing']), ' →',
    ...(run.new.length ? run.new.flatMap((t) => said(merged, t)) : [' nothing'])]);
  return [how, ...shown, '.'];
}

/** "car 0.51 · a 0.20": the words with the greatest weights. */
function inWords(words, weights) {
  const shown = topK(weights, 8).filter((i) => weights[i] >= 0.005);
  return shown.map((i) => `${isolated(words[i].text)} ${weights[i].toFixed(2)}`).join(' · ') || 'nothing';
}

/** Which words mean the same: a map from "source-target" to 'sure' or 'possible', empty if the page does not know. */
function goldOf(gold, {sourceWords, targetWords}) {
  const isThis = (said, words) => said.length === words.length
    && said.every((word, i) => word === words[i].text.toLowerCase());
  const found = gold.find(({source, target}) => isThis(source, sourceWords) && isThis(target, targetWords));
  return new Map(Object.entries(found?.links ?? {}));
}

/** Returns the rows that have a framed word, and of these the ones with the most weight on one. */
function framedRows(framed, {targetWords, weights}) {
  const rows = targetWords.map((_, t) => t).filter((t) => [...framed.keys()].some((link) => link.endsWith(`-${t}`)));
  return {rows, right: rows.filter((t) => framed.has(`${topK(weights[t], 1)[0]}-${t}`))};
}

/** "In 5 of 6 rows the most weight is on a framed word.", or nothing where no word is framed. */
function goldInWords(framed, merged) {
  if (!framed.size) return '';
  const {rows, right} = framedRows(framed, merged);
  return `A frame: the two words mean the same (dotted: perhaps). In ${right.length} of ${rows.length} rows the most weight is on a frame.`;
}

/** Both sentences, word by word, with lines between them, and the table of all weights. As `attention_html`. */
function drawPicture(model, merged, gold) {
  const {sourceWords, targetWords, weights} = merged, framed = goldOf(gold, merged);
  const column = (j) => weights.map((row) => row[j]), whole = (words) => words.map(({text}) => text).join(' ');
  const of = {s: languageOf(whole(sourceWords), {lang: 'en'}), t: languageOf(whole(targetWords))};
  const own = (side) => (of[side].dir ? {dir: 'auto'} : {});
  const kind = (word) => ['unknown', 'changed'].filter((name) => word[name]).join(' ');
  const sources = sourceWords.map((word, j) => element('button', {
    type: 'button', class: kind(word), ...own('s'), 'data-s': j, title: `${isolated(word.text)} was looked at by: ${inWords(targetWords, column(j))}`,
  }, word.text));
  const targets = targetWords.map((word, t) => element('button', {
    type: 'button', class: kind(word), ...own('t'), 'data-t': t, title: `${isolated(word.text)} looked at: ${inWords(sourceWords, weights[t])}`,
  }, ...spoken(model, word.text), ...noGloss(model, word)));
  const lines = drawn('svg', {class: 'lines', 'aria-hidden': 'true'});
  const heads = sourceWords.map((word, j) => element('th', {scope: 'col', 'data-s': j, ...of.s}, word.text));
  const rows = targetWords.map((word, t) => element('tr', {},
    element('th', {scope: 'row', class: kind(word), 'data-t': t, ...languageOf(word.text)}, word.text),
    ...weights[t].map((weight, s) => {
      const cell = element('td', {
        'data-t': t, 'data-s': s, 'data-weight': weight.toFixed(6),
        title: `${isolated(word.text)} looked at ${isolated(sourceWords[s].text)}: ${weight.toFixed(2)}`,
        class: [weight < LEAST ? 'small' : '', framed.get(`${s}-${t}`) ?? ''].join(' ').trim(),
      }, weight.toFixed(2));
      cell.style.backgroundColor = `rgb(var(--attention) / ${(0.6 * weight).toFixed(3)})`;
      return cell;
    })));
  const many = Math.max(sourceWords.length, targetWords.length) > MANY;
  return element('div', {class: `nmt-attention${many ? ' many' : ''}`},
    element('div', {class: 'both'},
      element('div', {class: 'scroll', role: 'group', 'aria-label': 'both sentences, word by word'},
        element('p', {class: 'words', ...of.s}, ...sources), lines,
        element('p', {class: 'words target', ...of.t}, ...targets)),
      element('p', {class: 'readout', role: 'status'})),
    element('div', {class: 'heatmap'},
      element('div', {class: 'table', role: 'region', 'aria-label': 'attention weights', tabindex: 0},
        element('table', {}, element('thead', {}, element('tr', {}, element('td'), ...heads)),
          element('tbody', {}, ...rows))),
      element('p', {class: 'caption'},
        element('span', {class: 'rule'}, 'A row is where the model looked to write its word; it sums to 1. Below a Marathi word: how it sounds, and what it most often means. '),
        element('span', {class: 'legend'}, goldInWords(framed, merged)))));
}

/** Puts the sentences above each other or, if they are long or do not fit, beside each other. */
function layOut(picture) {
  const scroll = picture.querySelector('.scroll');
  picture.classList.remove('tall');
  const tooWide = [...scroll.querySelectorAll('.words')].some((line) => line.scrollWidth > scroll.clientWidth);
  picture.classList.toggle('tall', tooWide || picture.classList.contains('many') || innerWidth < NARROW);
  const table = picture.querySelector('.table');
  picture.classList.remove('dense');
  picture.classList.toggle('dense', picture.classList.contains('many') || table.scrollWidth > table.clientWidth);
}

/** Shows on the words what a stage of a step computes: `inside` is {t, stage, scores, weights, written, said}, of target
 * word t and all source words, of its pieces what is written, and all in a sentence. Null shows nothing of it. */
function markWords(picture, inside) {
  const {stage} = inside ?? {}, scores = (inside?.scores ?? []).filter(Number.isFinite);
  if (!inside && !picture.dataset.stage) return;
  picture.dataset.stage = inside ? STAGES[stage] : '';
  if (inside && !picture.querySelector('.on')) picture.querySelector('.readout').textContent = inside.said;
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  for (const button of picture.querySelectorAll('button[data-s]')) {
    const score = inside?.scores?.[button.dataset.s], weight = (stage > 1 && inside.weights[button.dataset.s]) || 0;
    const isScored = stage === 1 && Number.isFinite(score);
    button.style.setProperty('--score', isScored ? (score - least) / (most - least || 1) : 0);
    button.style.setProperty('--w', weight);
    button.dataset.weight = isScored ? score.toFixed(1) : weight >= LEAST ? weight.toFixed(2) : '';
  }
  for (const button of picture.querySelectorAll('button[data-t]')) {
    const isNow = inside !== null && +button.dataset.t === inside.t;
    button.classList.toggle('now', isNow);
    button.dataset.written = isNow ? inside.written || '?' : '';
  }
}

/** Draws the lines between the words where these stand now: the darker, the greater the weight. Inside a step only its
 * own are dark, from the stage on that computes them; the stage of the context gathers them in a dot. */
function drawLines(picture, weights, inside = null) {
  layOut(picture);
  markWords(picture, inside);
  const svg = picture.querySelector('.lines'), box = svg.getBoundingClientRect();
  const tall = picture.classList.contains('tall');
  const middle = (button) => {
    const {left, top, width, height} = button.getBoundingClientRect();
    return tall ? top + height / 2 - box.top : left + width / 2 - box.left;
  };
  const places = (side) => [...picture.querySelectorAll(`button[data-${side}]`)].map(middle);
  const sources = places('s'), targets = places('t'), on = (side) => picture.querySelector(`button.on[data-${side}]`);
  const onTarget = on('t')?.dataset.t, onSource = on('s')?.dataset.s;
  const lines = weights.flatMap((row, t) => (inside?.t === t ? inside.weights : row).map((weight, s) => {
    const isNow = inside?.t === t;
    const aside = inside ? !isNow : (onTarget !== undefined && +onTarget !== t) || (onSource !== undefined && +onSource !== s);
    const coming = !isNow && picture.querySelector(`button[data-t="${t}"]`).classList.contains('coming');
    if (weight < LEAST || (coming && (inside || find('panel').hidden)) || (isNow && inside.stage < 2)) return null;
    return drawn('line', {
      ...(tall ? {x1: 0, y1: sources[s], x2: box.width, y2: targets[t]}
        : {x1: sources[s], y1: 0, x2: targets[t], y2: box.height}), 'stroke-width': 0.6 + 4 * weight,
      'stroke-opacity': (aside || coming ? 0.15 : 1) * Math.min(1, 0.7 + weight),
    });
  }));
  const dot = inside?.stage >= 3 && targets[inside.t]
    ? [drawn('circle', {cx: tall ? box.width : targets[inside.t], cy: tall ? targets[inside.t] : box.height, r: 8})] : [];
  svg.replaceChildren(...lines.filter((line) => line), ...dot);
}

/** Step t as `drawStep` of steps.js takes it. */
function stepOf(model, source, {sourceTokens, ids}, {scores, weights, query, context, logProbs, replaced}, t) {
  const best = topK(logProbs, 5), rank = best.includes(ids[t]) ? best : [...best, ids[t]];
  const words = rank.map((id) => (
    {text: visible(tokenOf(model, source, id)), share: Math.exp(logProbs[id]), written: id === ids[t]}));
  const isSymbol = model.target.vocabulary[ids[t]].match(model.rules.symbol);
  return {
    before: textOf(model, source, ids.slice(0, t)), sources: sourceTokens.map(visible), keys: source.memory.keys,
    query, scores, weights, context, units: query.length, words, size: logProbs.length,
    attention: model.config.attention, decoder: model.config.decoder, replaced,
    note: isSymbol ? ' This one is a placeholder; a second model has written the word that stands for it.' : '',
  };
}

/** The hypotheses of a beam as a tree, from left to right; the path of the best one is bold. */
function drawTree(model, source, history, best) {
  const wide = 96, high = 34;
  const onPath = (node) => node.ids.every((id, i) => best.ids[i] === id);
  const place = (t, k) => [t * wide + 8, k * high + 22], parts = [];
  history.forEach((kept, t) => kept.forEach((node, k) => {
    if (node.id === PAD) return;  // has ended before
    const [x, y] = place(t, k), bold = onPath(node) ? {class: 'best'} : {};
    if (t) {
      const [fromX, fromY] = place(t - 1, node.parent);
      parts.push(drawn('line', {x1: fromX + wide - 30, y1: fromY - 5, x2: x - 4, y2: y - 5, ...bold}));
    }
    const token = tokenOf(model, source, node.id);
    parts.push(drawn('text', {x, y, ...bold, ...languageOf(token)}, visible(token).replace(/^␣(?=.)/u, '')));
  }));
  const rows = Math.max(...history.map((kept) => kept.length));
  return element('div', {class: 'table', role: 'region', 'aria-label': 'tree of hypotheses', tabindex: 0},
    drawn('svg', {
      class: 'tree', width: history.length * wide, height: rows * high + 8, role: 'img',
      'aria-label': `the hypotheses kept at each of ${history.length} steps`,
    }, ...parts));
}

const NAME_KINDS = {
  m: 'a man\'s name', f: 'a woman\'s name', surname: 'a surname', place: 'a place', word: 'a loan word',
};
const DOTTED_CIRCLE = '\u25cc';  // carries a sign that stands alone

/** What a second model has written instead of the model, word by word; opened, how it wrote each letter, and the kind of
 * word, which it writes first. */
function drawNames({names}, {masked}) {
  const words = [...masked.words.values()].flatMap((text) => text.split(' ')).filter((word) => isSpelled(names, word));
  return [...new Set(words)].map((word) => {
    const {text, kind} = spell(names, word), listed = names.byLetters.has(lettersOf(word, names.plain));
    const said = [element('span', languageOf(word, {lang: 'en'}), word), ' → ', element('span', languageOf(text), text),
      element('small', {}, listed ? ` ${NAME_KINDS[kind] ?? 'a word'}, looked up` : ' written letter by letter')];
    if (listed) return element('div', {class: 'name'}, element('p', {}, ...said));
    const note = element('details', {class: 'name'}, element('summary', {}, ...said));
    note.addEventListener('toggle', () => note.append(drawLetters(transliterate(names, word))), {once: true});
    return note;
  });
}

/** The attention of the model that writes names: a row for each letter it wrote, a column for each it read. */
function drawLetters({sourceTokens, targetTokens, attention}) {
  const letter = (token) => (/^\p{M}/u.test(token) ? DOTTED_CIRCLE + token : token);
  const rows = targetTokens.flatMap((token, t) => (NAME_KINDS[token] ? [] : element('tr', {},  // the first is the kind of word
    element('th', {scope: 'row', ...languageOf(token)}, letter(token)),
    ...sourceTokens.map((_, j) => {
      const weight = attention[t][j], cell = element('td', {}, weight.toFixed(2));
      cell.style.backgroundColor = `rgb(var(--attention) / ${(0.6 * weight).toFixed(3)})`;
      return cell;
    }))));
  const heads = sourceTokens.map((token) => element('th', {scope: 'col', ...languageOf(token, {lang: 'en'})}, token));
  return element('div', {class: 'table', role: 'region', 'aria-label': 'attention weights of the letters', tabindex: 0},
    element('table', {class: 'letters'},
      element('thead', {}, element('tr', {}, element('td'), ...heads)), element('tbody', {}, ...rows)));
}

// The worker: the engine, and what the page asks of it. It draws nothing, so that the page moves while it computes.
//
// A look is one translation of a sentence: {ids, way, text, sure, source, target, weights} with the words of
// both sides, {text, positions, …}, those of the target also `sure` in percent and the step that is `held`. Its way is
// how it was made look: {prefix, hands, uniform, head}; prefix are ids that it begins with, hands the words that steps
// must look at, {step: place}, and head is {layer, n} of a Transformer.

const MOST_LETTERS = 500;  // of a text; a longer one would keep its reader waiting
const DOUBT = 0.08;  // the probability of the beginning of a word that a translation might as well have had
const models = [];  // of the page, made when they are first asked for
let model, parts;  // in use, and the sentences of the text that was translated last

const ANSWERS = {
  /** Takes the models, as `unpack` returns them, and says what the first is. */
  load({packed}) {
    models.push(...packed);
    return ANSWERS.use({place: 0});
  },

  use({place}) {
    model = models[place].text ? makeModel(parse(models[place])) : models[place];
    models[place] = model;
    return describe(model);
  },

  read: ({packed: [one]}) => parse(one),

  words: ({text, ...seen}) => (text.match(/[\p{L}\p{M}\p{N}-]+/gu) ?? []).map((word) => spoken(word, seen.english, seen.weights)),

  /** Returns {text, parts}, a look for each sentence and what to say of it, or why it is {refused}; `terms` are the user's own, see `makeTerms`. */
  translate({sentence, beamSize, terms = ''}) {
    if (model.names) model.terms = makeTerms(model.preprocessor, terms);
    if (sentence.length > MOST_LETTERS) return {refused: 'long', letters: sentence.length};
    const found = translateText(model, sentence, beamSize);
    if (!found.parts.length) return {refused: refusalOf(sentence, found.text)};
    const sources = found.parts.map(({source}) => readWords(source));
    const left = found.parts.filter(({kept}) => kept).map(({hypotheses: [{text}]}) => text).join('');
    let words = asTyped(sources.flat(), sentence, left);
    parts = found.parts.map((part, i) => {
      const own = words.slice(0, sources[i].length);
      words = words.slice(own.length);
      return {...part, typed: markUnknown(part.source, own)};
    });
    return {text: found.text, parts: parts.map(sayPart)};
  },

  /** Lets a sentence be written in another way; returns its look, null if this model or sentence has no such words. */
  look({part, way, beamSize}) {
    const source = looking(part, way), {prefix = [], hands = {}} = way, isBad = (id) => !(id in model.target.vocabulary) || source.never.includes(id);
    if (prefix.some(isBad) || prefix.slice(0, -1).includes(END) || Object.values(hands).some((s) => !parts[part].typed[s])) return null;
    const {found: [best]} = beamSearch(model, source, beamSize, prefix);
    return lookOf(parts[part], hypothesisOf(model, parts[part].source, best), way);
  },

  /** Returns each step that wrote these ids, as `drawStep` of steps.js takes it; of a Transformer null. */
  steps({part, way, ids}) {
    const source = looking(part, way), {steps} = forced(model, source, ids);
    return isTransformer(model) ? null : steps.map((step, t) => stepOf(model, source, ids, step, t));
  },

  /** Returns the weights of each head, by layer, for the words of these ids. */
  heads({part, way, ids}) {
    const {steps} = forced(model, looking(part, way), ids), {decoder_layers: layers, heads} = model.config;
    return Array.from({length: layers}, (_, layer) => Array.from({length: heads}, (_, n) =>
      mergeWords(parts[part], ids, steps.map((step) => step.heads[layer][n])).weights));
  },

  /** Returns the words that the model thought of after the ids `kept`, but for `next` that it wrote. */
  offers({part, way, kept, next, old, most = 5}) {
    const source = looking(part, way), {state} = forced(model, source, kept), texts = new Set([old]), offers = [];
    const {logProbs} = decoderStep(model, kept[kept.length - 1] ?? START, state, source);
    for (const id of topK(logProbs, 40)) {  // other tokens can write the same word in other pieces
      const begins = model.target.kind !== 'subword' || /^[^\p{L}\p{M}]/u.test(model.target.vocabulary[id]);
      const word = begins && id !== next && offers.length < most && wholeWord(source, kept, id);
      const share = Math.exp(logProbs[id]), text = id === END ? '(end)' : word && textOf(model, source, word);
      if (!word || texts.has(text) || !isOffered(text, share)) continue;
      texts.add(text);
      offers.push({ids: word, share, ...spoken(text, parts[part].typed.map((each) => each.text))});
    }
    return offers;
  },

  /** Returns the ids of a word that somebody typed, in Latin letters or as it is written; null if there is none. */
  typed({part, text, isMarathi}) {
    const {masked, never} = parts[part].source, isLatin = isMarathi && /\p{Script=Latin}/u.test(text);
    const word = isLatin ? fromLatin(text) : text, tokens = tokenize(maskTarget(model, masked, word ?? ''), model.target);
    const ids = idsOf(tokens, model.target).filter((id) => !never.includes(id));
    return ids.length ? ids : null;
  },

  /** Returns what a search finds, from the first light on that was moved, and the beginnings that it kept: {text, parent, isBest}. */
  tree({part, way: {hands = {}}, ids, beamSize}) {
    const first = Math.min(...Object.keys(hands)), {source} = parts[part];
    const {hypotheses, history} = first < ids.length ? hypothesesOf(model, looking(part, {hands}), beamSize, ids.slice(0, first)) : parts[part];
    const steps = history.map((kept) => kept.map(({id, parent, ids: begun}) => ({
      text: id === PAD ? '' : visible(tokenOf(model, source, id)), parent,
      isBest: begun.every((each, i) => each === hypotheses[0].ids[i]),
    })));
    return {steps, others: hypotheses.map(({text, ids: each, score}) => ({ids: each, chance: Math.exp(score), ...spoken(text)}))};
  },
};

function describe({weights, names, config, certainty, glosses}) {
  const {architecture, attention, decoder, decoder_layers: layers, heads, cell, units} = config;
  const millions = (arrays) => `${([...arrays.values()].reduce((sum, {numbers}) => sum + numbers.length, 0) / 1e6).toFixed(1)} million numbers`;
  const about = `The model: ${millions(weights)} of 8 bits; `
    + (architecture === 'transformer' ? `Transformer of ${units} units, ${layers} layers with ${heads} heads in its decoder.`
      : `${cell.toUpperCase()} of ${units} units, decoder ${decoder}, attention ${attention}.`)
    + (names ? ` A model of ${millions(names.model.weights)} writes names that this one does not know.` : '');
  return {about, certainty, isMarathi: glosses.size > 0, looks: attention !== 'none', hides: Boolean(names), heads: architecture === 'transformer' ? heads : 0};
}

/** Returns a watcher of `beamSearch` that tells what is written of the first sentence, but for its last word, as a look. */
function tellFirst(sentence, tell) {
  let first = null;
  return (of, source, best) => {
    first ??= of === model ? source : null;
    if (source !== first) return;
    const part = {source, typed: markUnknown(source, asTyped(readWords(source), sentence, ''))};
    const {source: read, target, weights} = wordsSeen(part, hypothesisOf(model, source, best));
    tell({source: read, target: target.slice(0, -1), weights: weights.slice(0, -1)});
  };
}

const readWords = ({sourceTokens, masked}) => wordsOf(sourceTokens, model.source)
  .map((word) => ({...word, text: writeOut(model, word.text, masked.words)}));

const markUnknown = (source, words) => words.map((word) => ({...word, unknown: isUnknown(source, word.text)}));

/** Says why a text is not translated. */
const refusalOf = (text, kept) => (
  /\p{Script=Devanagari}/u.test(text) ? 'marathi' : !kept ? 'empty' : /\p{L}/u.test(kept) ? 'foreign' : 'wordless');

/** Returns a sentence's source, with a memory that is looked at in another way. */
function looking(part, {hands = {}, uniform = false}) {
  const {source, typed} = parts[part], {memory} = source;
  const onWord = ({positions}) => memory.values.map((_, j) => (positions.includes(j) ? 1 / positions.length : 0));
  const alike = memory.values.map(() => 1 / memory.values.length);
  const reweight = (own, t) => (uniform ? alike : t in hands ? onWord(typed[hands[t]]) : own);
  return uniform || Object.keys(hands).length ? {...source, memory: {...memory, reweight}} : source;
}

/** What a page is told of a sentence. */
function sayPart(part, place) {
  const {source, hypotheses, kept, bare, typed} = part, {masked, sourceTokens, isCut} = source, look = kept ? null : lookOf(part, hypotheses[0], {});
  const unknown = [...new Set(typed.filter((word) => word.unknown).map(({text}) => text))];
  const written = kept ? '' : decode(hypotheses[0].ids, model.target), piece = written && model.preprocessor ? part.piece : null;
  const hidden = [...masked.words.values()].filter((text) => !/\p{Nd}/u.test(text) && !markTerms(model, text).terms.size);
  const names = new Set(hidden.flatMap((text) => text.split(' ')).filter((word) => isSpelled(model.names, word)));
  return {
    look, kept: kept ? hypotheses[0].text : null, choice: look?.sure < model.certainty?.bands.at(-3).from ? waveredBetween(place, look, part) : null,
    added: bare && !kept ? sourceTokens[sourceTokens.length - 1].replace(SPACE, '') : '',
    cut: isCut ? sourceTokens.length : 0, typed: part.piece.typed,
    ...(piece ? {...lostAndAdded(model.preprocessor, piece, seenOf(source), written), unsaid: model.certainty ? unsaid(part) : []} : {}),
    unknown: unknown.map((text) => ({text, near: nearestWord(text)})),
    names: [...names].map((word) => (
      {word, ...spell(model.names, word), listed: model.names.byLetters.has(lettersOf(word, model.names.plain))})),
  };
}

/** Returns the word of a sentence that begins with the least sure piece, and what it would rather have been, with their shares; null if nothing. */
function waveredBetween(part, {target, ids}, {hypotheses: [{logProbs}]}) {
  const [word] = target.filter(({text}) => /\p{L}/u.test(text)).sort((a, b) => logProbs[a.positions[0]] - logProbs[b.positions[0]]), [first] = word?.positions ?? [];
  const [other] = word ? ANSWERS.offers({part, way: {}, kept: ids.slice(0, first), next: ids[first], old: word.text, most: 1}) : [];
  return other?.share >= DOUBT && /^[^(]*\p{L}/u.test(other.text) ? [{...word, share: Math.exp(logProbs[first])}, other] : null;
}

/** Merges tokens into words, without the end, which has no light. */
function mergeWords(part, ids, attention) {
  const {targetWords, weights} = mergeSubwords(model, part.source, {ids, attention});
  const shown = ids[ids.length - 1] === END ? -1 : undefined;
  return {targetWords: targetWords.slice(0, shown), weights: weights.slice(0, shown)};
}

/** The words of both sides, and where those of the target looked. */
function wordsSeen(part, {ids, attention, logProbs}) {
  const {targetWords, weights} = mergeWords(part, ids, attention), {masked} = part.source;
  const longest = [...masked.spelled].sort(([, one], [, other]) => other.length - one.length);
  const typedOf = (text) => masked.words.get(longest.find(([, written]) => written && text.startsWith(written))?.[0]);
  return {weights, source: part.typed, target: targetWords.map((word, t) => ({
    ...word, sure: meanPercent(word.positions.map((at) => logProbs[at])), ...spoken(word.text, part.typed.map(({text}) => text), weights[t], typedOf(word.text))}))};
}

function lookOf(part, found, way) {
  const {head, hands = {}} = way, {ids, text, attention, logProbs} = found, {preprocessor: rules} = model;
  const steps = head ? forced(model, looking(parts.indexOf(part), way), ids).steps : [];
  const seen = head ? steps.map(({heads}) => heads[head.layer][head.n]) : attention.map((row) => [...row]);
  const words = wordsSeen(part, {...found, attention: seen}), said = partText(model, part, rules ? unlooped(rules, text, part.piece.read) : text);
  words.target.forEach((word, t) => {  // a word is shown where a piece of it was made to look
    word.held = word.positions.find((step) => step in hands);
    if (word.held !== undefined) words.weights[t] = part.typed.map((_, s) => +(s === hands[word.held]));
  });
  return {...words, ids, way, text: said, sure: meanPercent(logProbs)};
}

/** Returns the probability of a piece on average, in whole percent. */
const meanPercent = (logProbs) => Math.round(100 * Math.exp(logProbs.reduce((sum, each) => sum + each, 0) / logProbs.length));

const visible = (token) => token.replaceAll(SPACE, '␣').replace(/^␣(?=.)/u, '');

/** Step t of a forced translation as `drawStep` takes it; of vectors the first numbers. */
function stepOf(model, {sourceTokens, memory, masked}, ids, {scores, weights, query, context, logProbs, replaced}, t) {
  const best = topK(logProbs, 5), rank = best.includes(ids[t]) ? best : [...best, ids[t]];
  const few = (vector) => [...vector.slice(0, 24)], {attention, decoder} = model.config;
  const words = rank.map((id) => (
    {...spoken(visible(tokenOf(model, {masked}, id)), sourceTokens.map((token) => token.replace(SPACE, '')), weights), share: Math.exp(logProbs[id]), written: id === ids[t]}));
  return {
    attention, decoder, replaced, words, piece: words.find(({written}) => written), size: logProbs.length, units: query.length,
    sources: sourceTokens.map((token) => writeOut(model, token, masked.words).replaceAll(SPACE, '␣')),
    keys: memory.keys.map(few), values: memory.values.map(few), query: few(query), context: few(context),
    scores: scores && [...scores], weights: [...weights],
    note: model.rules.symbol.test(model.target.vocabulary[ids[t]])
      ? ' This one is a placeholder; a second model has written the word that stands for it.' : '',
  };
}

const sensesOf = (text) => (model.glosses.get(normalize(text, false, model.rules)) ?? '').split('|');
const stem = (word) => word.toLowerCase().replace(/(?<=[a-z]{3})('s|ing|ed|es|s|e)$/, '');
const stemsOf = (senses) => senses.flatMap((sense) => sense.split(' ')).map(stem);

/** Returns the words of content that nothing written means, and at which no step looked much: `unsaid` of preprocess/doubts.py. */
function unsaid({source: {sourceTokens}, hypotheses: [{ids, attention}]}) {
  const {words: {grammar}, unseen} = model.preprocessor, written = ids.map((id) => model.target.vocabulary[id]);
  const said = wordsOf(written, model.target).flatMap(({text}) => text.split('-')).flatMap((part) => stemsOf(sensesOf(part)));
  model.meanings ??= new Set([...model.glosses.values()].flatMap((senses) => stemsOf(senses.split('|'))));
  const look = ({positions}) => Math.max(...attention.map((row) => positions.reduce((sum, at) => sum + row[at], 0)));
  const isLost = (word) => model.meanings.has(stem(word)) && !said.includes(stem(word)) && !grammar.has(word.toLowerCase());
  return wordsOf(sourceTokens, model.source).filter((word) => isLost(word.text) && look(word) < unseen).map(({text}) => text);
}

/** A text, how one says it, if it is in Devanagari, and what it means: what was typed, if it stands for that, or as gloss.py. */
function spoken(text, english = [], weights = [], typed) {
  const latin = romanize(model, text), senses = sensesOf(text), order = [...english.keys()].sort((a, b) => weights[b] - weights[a]);
  const stems = senses.map((sense) => stem(sense.split(' ').at(-1))), place = order.map((s) => stems.indexOf(stem(english[s]))).find((at) => at >= 0);
  return {text, latin: latin === text ? '' : latin, gloss: typed ?? senses[place ?? 0]};
}

/** Gives words the case in which they were typed, between texts that are left as they are. */
function asTyped(words, typed, left) {
  const small = typed.toLowerCase();
  if (small.length !== typed.length) return words;
  let from = 0;
  return words.map((word) => {
    const at = small.indexOf(word.text.toLowerCase(), from);
    if (at < 0 || at > from + left.length + 12) return word;  // it was typed in another spelling
    from = at + word.text.length;
    return {...word, text: typed.slice(at, from)};
  });
}

/** Returns whether training had no word of this text; a second model writes names and numbers, which are none. */
function isUnknown({masked}, text) {
  const {names, preprocessor} = model;
  if (!names || !preprocessor || [...masked.words.values()].some((word) => text.includes(word))) return false;
  const isKnown = (word) => names.known.has(word) || names.listedSmall.has(word);
  return !(text.toLowerCase().match(preprocessor.patterns.word) ?? []).every(isKnown);
}

/** Returns the known word that is one letter, or two that changed places, away from a typed one; null if there is none. */
function nearestWord(typed) {
  const {names, source} = model, word = typed.toLowerCase(), sorted = (text) => [...text].sort().join('');
  if (!/^\p{L}{3,}$/u.test(word)) return null;
  const isNear = (other) => {
    let same = 0;
    while (same < word.length && word[same] === other[same]) same++;
    const a = word.slice(same), b = other.slice(same);
    const swapped = a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0];
    return swapped || a === b.slice(1) || a.slice(1) === b || a.slice(1) === b.slice(1);
  };
  const rank = (other) =>  // swapped letters first, then a letter too few; of these the frequent, as in preprocess/doubts.py
    (sorted(other) === sorted(word) ? 0 : other.length > word.length ? 1e6 : 2e6) + (source.ids.get(SPACE + other) ?? 1e5);
  return [...names.known].filter(isNear).sort((one, other) => rank(one) - rank(other))[0] ?? null;
}

/** Returns a Marathi word that is written so in Latin letters, with or without their marks, or means so; or undefined. */
function fromLatin(typed) {
  const plain = (text) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''), asked = typed.trim();
  const words = [...model.glosses.keys(), ...model.target.vocabulary.map((token) => token.replace(SPACE, ''))];
  const marathi = words.filter((word) => /^[\u0904-\u0939]/u.test(word)).reverse();
  model.byLatin ??= new Map(marathi.map((word) => [plain(romanize(model, word)), word]));
  return model.byLatin.get(plain(asked)) ?? [...model.glosses].find(([, gloss]) => gloss.split('|').includes(asked.toLowerCase()))?.[0];
}

/** Returns whether a text is a mark, a known word, or one that the model might well write, not a part of a word. */
function isOffered(text, share) {
  const {glosses, rules} = model;
  if (/^\p{M}/u.test(text)) return false;
  return !glosses.size || share >= 0.01 || !/\p{L}/u.test(text) || glosses.has(normalize(text, false, rules));
}

/** Returns the ids of the whole word that the model goes on to write after the ids kept, if it begins with this id. */
function wholeWord(source, kept, id) {
  const word = [id], tokens = (ids) => ids.map((each) => model.target.vocabulary[each]);
  let step = decoderStep(model, kept[kept.length - 1] ?? START, forced(model, source, kept).state, source);
  while (word[word.length - 1] !== END && word.length < 12) {
    step = decoderStep(model, word[word.length - 1], step.state, source);
    const [next] = topK(step.logProbs, 1);
    if (next === END || wordsOf(tokens([...word, next]), model.target).length > 1) break;
    word.push(next);
  }
  return word;
}

globalThis.onmessage = async ({data: {number, kind, letters, ...asked}}) => {
  try {
    if (letters) asked.packed = await Promise.all(letters.map(unpack));
    watch = kind === 'translate' ? tellFirst(asked.sentence, (look) => postMessage({number, look})) : null;  // greedy words at once
    postMessage({number, answer: ANSWERS[kind](asked)});
  } catch (error) {
    postMessage({number, error: String(error)});
  }
};

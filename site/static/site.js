// Readers who ask for less motion see a moving picture's first frame, which is the complete picture.
if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
  addEventListener('DOMContentLoaded', () => {
    for (const image of document.querySelectorAll('img[src$=".gif"]')) {
      image.loading = 'eager';
      image.decode().then(() => {
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        canvas.getContext('2d').drawImage(image, 0, 0);
        image.src = canvas.toDataURL();
      });
    }
  });
}

// The theme's search button shows "Search Ctrl+K" but is called "Search": somebody who says the written words to a voice control would not reach it.
addEventListener('DOMContentLoaded', () => {
  document.querySelectorAll('.search-button-field').forEach((button) => button.removeAttribute('aria-label'));
});

// What is found is shown among the words of the text around it, not among the list of contents that is there for print.
addEventListener('DOMContentLoaded', () => {
  if (typeof Search === 'undefined') return;
  const read = Search.htmlToText, contents = /<h2> Contents <\/h2>|<nav aria-label="Page">[^]*?<\/nav>/g;
  Search.htmlToText = (html, anchor) => read(html.replace(contents, ''), anchor);
});

// Paper is white: in the dark, too, a page prints in the colours of the light.
addEventListener('beforeprint', () => {
  const page = document.documentElement.dataset, {theme} = page;
  page.theme = 'light';
  addEventListener('afterprint', () => { page.theme = theme; }, {once: true});
});

// A picture of attention opens with the look back of its last word, which a full stop follows, until a reader points at
// another. The theme scrolls the menu to where it was on the last page, from which the next lesson can be out of sight.
addEventListener('load', () => {
  const words = document.querySelector('.bd-article .nmt-attention')?.querySelectorAll('button[data-t]') ?? [];
  [...words].at(-2)?.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
  document.querySelector('.bd-sidenav .current a.current')?.scrollIntoView({block: 'nearest'});
});

// The quiz. Its answers unfold, with "Right." or "Wrong."; here they get colours, and numbers are typed. In the menu a
// lesson that has been opened gets a tick, and two once all its questions have been answered right, in this browser alone.
addEventListener('DOMContentLoaded', () => {
  const key = (what, path) => `${what} ${path.split('/').pop()}`;
  const tick = () => document.querySelectorAll('.bd-sidenav a').forEach((link) => {
    for (const what of ['seen', 'done']) {
      link.classList.toggle(what, link.hash === '' && localStorage.getItem(key(what, link.pathname)) !== null);
    }
  });
  const solved = (question) => {
    question.dataset.solved = '';
    if (document.querySelector('.nmt-quiz > li:not([data-solved])')) return;
    localStorage.setItem(key('done', location.pathname), '');
    tick();
  };
  for (const question of document.querySelectorAll('.nmt-quiz > li')) {
    const answers = [...question.querySelectorAll('details')];
    const called = (text) => answers.find((answer) => answer.firstChild.textContent === text);
    const right = called('Answer');
    if (!right) {
      for (const answer of answers) {
        const isRight = answer.querySelector('b')?.textContent === 'Right.';
        answer.addEventListener('toggle', () => {
          answer.classList.toggle(isRight ? 'right' : 'wrong', answer.open);
          if (isRight && answer.open) solved(question);
        });
      }
      continue;
    }
    const form = document.createElement('form'), field = document.createElement('input');
    const button = Object.assign(document.createElement('button'), {textContent: 'Check'});
    Object.assign(field, {inputMode: 'decimal', autocomplete: 'off'});
    field.setAttribute('aria-label', 'Your answer, a number');
    form.append(field, button);
    answers[0].before(form);
    for (const answer of answers) answer.hidden = answer !== called('Hint');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const typed = parseFloat(field.value.replace(',', '.').replace('−', '-'));
      if (Number.isNaN(typed)) return;
      const wanted = right.querySelector('b').textContent, digits = (wanted.split('.')[1] ?? '').length;
      const isRight = Math.abs(typed - wanted) <= 0.5 * 10 ** -digits;
      const why = isRight ? right : called(`Why not ${+typed}?`);
      field.className = isRight ? 'right' : 'wrong';
      button.textContent = isRight ? 'Right' : 'Try again';
      for (const answer of answers) answer.open = answer === why;
      for (const answer of answers) answer.hidden = answer !== why && answer !== called('Hint');
      if (isRight) solved(question);
    });
  }
  if (/\/notebooks\/(\d|assignment|whole)/.test(location.pathname)) localStorage.setItem(key('seen', location.pathname), '');
  tick();
});

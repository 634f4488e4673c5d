for (const player of document.querySelectorAll('.nmt-player:not([data-ready])')) {
  player.dataset.ready = '';
  const images = [...player.querySelectorAll('img')], controls = player.querySelector('p');
  player.querySelector('details')?.replaceWith(...images.slice(1));
  const button = player.querySelector('button'), slider = player.querySelector('input');
  let timer = null;
  const show = (step) => {
    images.forEach((image, i) => { image.hidden = i !== step; image.style.display = i === step ? '' : 'none'; });
    slider.value = step + 1;
    slider.setAttribute('aria-valuetext', images[step].alt);
  };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = 'Play'; };
  button.addEventListener('click', () => {
    if (timer) return stop();
    if (+slider.value === images.length) show(0);
    button.textContent = 'Pause';
    timer = setInterval(() => {
      if (!player.isConnected || +slider.value === images.length) return stop();
      show(+slider.value);
    }, +player.dataset.milliseconds);
  });
  slider.addEventListener('input', () => { stop(); show(slider.value - 1); });
  controls.hidden = false;
  controls.style.display = '';
  show(0);
}

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

// Turns the slides by arrow keys; keys that are pressed within an embed are its own.
const slides = [...document.querySelectorAll('section')];

addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined || event.target.closest('tessera-playground') !== null) return;
  const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > 1);
  slides[Math.max(0, Math.min(slides.length - 1, at + step))].scrollIntoView();
});

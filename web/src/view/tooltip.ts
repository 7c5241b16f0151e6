// One tooltip for the whole page: shows the data-tip of what is under the pointer or has the focus; of cut-off text
// (data-clip) it shows the whole. Its text is never HTML.

const kDelayMs = 350;
const kGap = 12;

export function installTooltip(host: ShadowRoot): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('aria-hidden', 'true'); // what it says is also in names and descriptions
  tip.hidden = true;
  host.append(tip);
  let timer = 0;
  let shownFor: Element | null = null;

  const place = (x: number, y: number): void => {
    const width = tip.offsetWidth;
    const height = tip.offsetHeight;
    const left = Math.max(6, Math.min(x + kGap, window.innerWidth - width - 6));
    const below = y + kGap + 4;
    const top = below + height > window.innerHeight - 6 ? Math.max(6, y - height - kGap) : below;
    tip.style.setProperty('transform', `translate(${Math.round(left)}px, ${Math.round(top)}px)`);
  };
  const hide = (): void => {
    window.clearTimeout(timer);
    tip.hidden = true;
    shownFor = null;
  };
  const show = (element: Element, text: string, x: number, y: number, delay: number): void => {
    if (shownFor === element && !tip.hidden) {
      if (tip.textContent !== text) tip.textContent = text;
      place(x, y);
      return;
    }
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      tip.textContent = text;
      tip.hidden = false;
      shownFor = element;
      place(x, y);
    }, delay);
  };

  window.addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerType === 'touch') return;
      const found = findTip(event.composedPath());
      if (found === null) hide();
      else
        show(
          found.element,
          found.text,
          event.clientX,
          event.clientY,
          found.element.classList.contains('body') ? 0 : kDelayMs,
        );
    },
    { passive: true },
  );
  window.addEventListener('focusin', (event) => {
    const found = findTip(event.composedPath());
    const target = event.composedPath()[0];
    if (found === null || !(target instanceof Element) || !target.matches(':focus-visible')) return hide();
    const box = found.element.getBoundingClientRect();
    show(found.element, found.text, box.left, box.bottom - kGap, kDelayMs);
  });
  window.addEventListener('focusout', hide);
  window.addEventListener('pointerdown', hide, true);
  window.addEventListener('scroll', hide, true);
  window.addEventListener('keydown', (event) => event.key === 'Escape' && hide(), true);
}

function findTip(path: readonly EventTarget[]): { element: Element; text: string } | null {
  for (const element of path) {
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) continue;
    const text = element.dataset['tip'];
    if (text !== undefined && text !== '') return { element, text };
    if (element instanceof HTMLElement && 'clip' in element.dataset && element.scrollWidth > element.clientWidth) {
      return { element, text: element.textContent?.trim() ?? '' };
    }
  }
  return null;
}

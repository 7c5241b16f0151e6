// One tooltip for the whole page: shows the data-tip of what is under the pointer or has the focus; of cut-off text
// (data-clip) it shows the whole. Its text is never HTML.

import { css } from 'lit';

const kDelayMs = 350;
const kGap = 12;
const kTouchMs = 4000;

class Tooltip {
  private readonly tip_ = document.createElement('div');
  private timer_ = 0;
  private ending_ = 0;
  private shownFor_: Element | null = null;

  constructor(host: ShadowRoot) {
    this.tip_.className = 'tip';
    this.tip_.setAttribute('aria-hidden', 'true'); // what it says is also in names and descriptions
    this.tip_.hidden = true;
    host.append(this.tip_);
  }

  private place(x: number, y: number): void {
    const { offsetWidth: width, offsetHeight: height } = this.tip_;
    const left = Math.max(6, Math.min(x + kGap, window.innerWidth - width - 6));
    const below = y + kGap + 4;
    const top = below + height > window.innerHeight - 6 ? Math.max(6, y - height - kGap) : below;
    this.tip_.style.setProperty('transform', `translate(${Math.round(left)}px, ${Math.round(top)}px)`);
  }

  hide(): void {
    window.clearTimeout(this.timer_);
    window.clearTimeout(this.ending_);
    this.tip_.hidden = true;
    this.shownFor_ = null;
  }

  showFor(tip: Tip, x: number, y: number, ms: number): void {
    this.show(tip, x, y, 0);
    window.clearTimeout(this.ending_);
    this.ending_ = window.setTimeout(() => this.hide(), ms);
  }

  show({ element, text }: Tip, x: number, y: number, delay: number): void {
    if (this.shownFor_ === element && !this.tip_.hidden) {
      if (this.tip_.textContent !== text) this.tip_.textContent = text;
      this.place(x, y);
      return;
    }
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(() => {
      this.tip_.textContent = text;
      this.tip_.hidden = false;
      this.shownFor_ = element;
      this.place(x, y);
    }, delay);
  }
}

interface Tip {
  readonly element: Element;
  readonly text: string;
}

export const tipStyles = css`
  .tip {
    position: fixed;
    left: 0;
    top: 0;
    z-index: 50;
    max-width: min(380px, 92vw);
    padding: 6px 10px;
    border-radius: 7px;
    background: var(--ink);
    color: var(--panel);
    font-size: 12px;
    line-height: 1.45;
    white-space: pre-line;
    pointer-events: none;
    box-shadow: var(--shadow);
  }
`;

// Listens on the whole page, or within an element alone.
export function installTooltip(host: ShadowRoot, on: EventTarget = window): void {
  const tooltip = new Tooltip(host);
  const hide = (): void => tooltip.hide();
  const listen = <E extends Event>(name: string, act: (event: E) => void, capture = false): void =>
    on.addEventListener(name, act as (event: Event) => void, { passive: true, capture });
  listen('pointermove', (event: PointerEvent) => {
    if (event.pointerType === 'touch') return;
    const found = findTip(event.composedPath());
    if (found === null) return hide();
    // Over the map the pointer asks; elsewhere it passes by.
    const delay = found.element.classList.contains('body') ? 0 : kDelayMs;
    tooltip.show(found, event.clientX, event.clientY, delay);
  });
  listen('pointerleave', hide);
  listen('focusin', (event: FocusEvent) => {
    const found = findTip(event.composedPath());
    const target = event.composedPath()[0];
    if (found === null || !(target instanceof Element) || !target.matches(':focus-visible')) return hide();
    const box = found.element.getBoundingClientRect();
    tooltip.show(found, box.left, box.bottom - kGap, kDelayMs);
  });
  // A finger cannot hover: what is touched explains itself for a while.
  listen('click', (event: PointerEvent) => {
    if (event.pointerType !== 'touch') return;
    const found = findTip(event.composedPath());
    if (found !== null) tooltip.showFor(found, event.clientX, event.clientY, kTouchMs);
  });
  listen('focusout', hide);
  listen('pointerdown', hide, true);
  listen('scroll', hide, true);
  listen('keydown', (event: KeyboardEvent) => event.key === 'Escape' && hide(), true);
}

function findTip(path: readonly EventTarget[]): Tip | null {
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

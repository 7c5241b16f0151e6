// Where the keys go on when a pane is opened or closed with them: the button that was pressed goes, so its counterpart
// takes the focus.

import type { ViewSettings } from '../model/state';
import type { TesseraElement } from '../view/element';

// Each pane beside the button that opens it, and whether it is open.
const kPanes: readonly { pane: string; opener: string; open: (view: ViewSettings) => boolean | null }[] = [
  { pane: 'tessera-source', opener: 'tessera-rail[pane=source]', open: ({ sourceOpen }) => sourceOpen },
  { pane: 'tessera-why', opener: 'tessera-rail[pane=why]', open: ({ whyOpen }) => whyOpen },
  { pane: 'tessera-stepper', opener: '.steps', open: ({ step }) => step !== null },
];

// To be called before the page is rendered again.
export function keepPaneFocus(page: TesseraElement, before: ViewSettings, after: ViewSettings): void {
  const held = (page.renderRoot as ShadowRoot).activeElement;
  if (held === null || before === after) return;
  for (const { pane, opener, open } of kPanes) {
    if (open(before) === open(after)) continue;
    const [from, to] = open(after) ? [opener, pane] : [pane, opener];
    if (held.matches(from)) void focusIn(page, to);
  }
}

async function focusIn(page: TesseraElement, selector: string): Promise<void> {
  await page.updateComplete;
  const there = page.renderRoot.querySelector<HTMLElement>(selector);
  if (there === null) return;
  if (!there.localName.includes('-')) return there.focus();
  await customElements.whenDefined(there.localName); // a pane's code may be on its way
  await (there as TesseraElement).updateComplete;
  there.shadowRoot?.querySelector<HTMLElement>('button:not([disabled])')?.focus();
}

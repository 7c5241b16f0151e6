// On narrow screens one part of the page is shown at a time: the buttons that choose it.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { Tab } from '../model/state';
import { sharedStyles, TesseraElement } from '../view/element';

const kTabs: readonly (readonly [Tab, string])[] = [
  ['schedule', 'Schedule'],
  ['map', 'L1 map'],
  ['why', 'Why'],
  ['source', 'Source'],
];

export class TesseraNarrowTabs extends TesseraElement {
  static override properties = { current: { attribute: false }, errors: { type: Number } };
  declare current: Tab;
  declare errors: number; // in the text

  protected override render(): TemplateResult {
    return html`<nav class="tabs" aria-label="Views">${kTabs.map(([id, title]) => this.renderTab(id, title))}</nav>`;
  }

  private renderTab(id: Tab, title: string): TemplateResult {
    const current = id === this.current;
    const errors = id === 'source' && this.errors > 0;
    return html`<button
      aria-current=${current ? 'true' : 'false'}
      class=${current ? 'on' : ''}
      @click=${() => this.send({ type: 'view', view: { tab: id } })}
    >
      ${title}${errors ? html` <b class="errors">${this.errors}</b>` : nothing}
    </button>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        flex: none;
      }
      .tabs {
        display: flex;
        flex: none;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
      }
      .tabs button {
        flex: 1;
        border: 0;
        background: none;
        min-height: 40px;
        color: var(--dim);
        border-bottom: 2px solid transparent;
        cursor: pointer;
      }
      .tabs .on {
        color: var(--accent);
        border-bottom-color: var(--accent);
        font-weight: 600;
      }
      .tabs .errors {
        color: var(--bad);
      }
    `,
  ];
}

customElements.define('tessera-narrow-tabs', TesseraNarrowTabs);

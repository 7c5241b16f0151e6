// The buttons of the views in the middle of the page.

import { css, html, type PropertyValues, type TemplateResult } from 'lit';

import { sharedStyles, TesseraElement } from '../view/element';
import { kViews, type View } from './views';

export class TesseraViewButtons extends TesseraElement {
  static override properties = { current: { attribute: false } };
  declare current: string; // id of a view

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('current')) return;
    this.renderRoot.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  protected override render(): TemplateResult {
    return html`<nav class="views" aria-label="Main view">${kViews.map((view) => this.renderButton(view))}</nav>`;
  }

  private renderButton({ id, title, help }: View): TemplateResult {
    return html`<button
      data-tip=${help}
      aria-current=${id === this.current ? 'true' : 'false'}
      @click=${() => this.send({ type: 'view', view: { main: id } })}
    >
      ${title}
    </button>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        flex: none;
        min-width: 0;
      }
      .views {
        display: flex;
        flex: none;
        gap: 2px;
        padding: 3px 8px 0;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
        overflow-x: auto;
        scrollbar-width: none;
      }
      .views button {
        border: 0;
        background: none;
        padding: 4px 10px 5px;
        color: var(--dim);
        border-bottom: 2px solid transparent;
        cursor: pointer;
        white-space: nowrap;
      }
      .views button:hover {
        color: var(--ink);
      }
      .views button[aria-current='true'] {
        color: var(--accent);
        border-bottom-color: var(--accent);
        font-weight: 600;
      }
    `,
  ];
}

customElements.define('tessera-view-buttons', TesseraViewButtons);

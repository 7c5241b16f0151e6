// The buttons of the views in the middle of the page: one stop of the Tab key, the arrow keys go on to the others.

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
    return html`<nav class="views" aria-label="Main view" @keydown=${this.onKey}>
      ${kViews.map((view) => this.renderButton(view))}
    </nav>`;
  }

  private onKey = (event: KeyboardEvent): void => {
    const buttons = [...this.renderRoot.querySelectorAll('button')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const last = buttons.length - 1;
    const places: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(last, to))]!.focus();
  };

  private renderButton({ id, title, help }: View): TemplateResult {
    return html`<button
      data-tip=${help}
      tabindex=${id === this.current ? 0 : -1}
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

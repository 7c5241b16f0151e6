// The strip that stands for a closed source pane.

import { css, html, nothing, type TemplateResult } from 'lit';

import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

export class TesseraSourceRail extends TesseraElement {
  static override properties = { errors: { type: Boolean } };
  declare errors: boolean;

  protected override render(): TemplateResult {
    return html`<nav class="rail" aria-label="Source">
      <button
        class="btn icon quiet"
        aria-label="Show the source pane"
        data-tip="Show the source"
        @click=${() => this.send({ type: 'view', view: { sourceOpen: true } })}
      >
        ${icons.expand}
      </button>
      <span class="railtext">Source</span
      >${this.errors ? html`<i class="raildot" data-tip="The text has errors"></i>` : nothing}
    </nav>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
      }
      .rail {
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 10px;
        padding: 5px 0;
        background: var(--panel);
        border-right: 1px solid var(--line);
      }
      .railtext {
        writing-mode: vertical-rl;
        color: var(--dim);
        font-size: 12px;
        transform: rotate(180deg);
      }
      .raildot {
        width: 8px;
        height: 8px;
        border-radius: 50%;
        background: var(--bad);
      }
    `,
  ];
}

customElements.define('tessera-source-rail', TesseraSourceRail);

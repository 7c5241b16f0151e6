// The strip that stands for a closed pane: source or why.

import { css, html, nothing, type TemplateResult } from 'lit';

import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

const kPanes = {
  source: { title: 'Source', what: 'the source', open: { sourceOpen: true } },
  why: { title: 'Why', what: 'why a result lives where it does', open: { whyOpen: true } },
} as const;

export class TesseraRail extends TesseraElement {
  static override properties = { errors: { type: Boolean }, pane: { type: String, reflect: true } };
  declare errors: boolean;
  declare pane: keyof typeof kPanes;

  protected override render(): TemplateResult {
    const { title, what, open } = kPanes[this.pane];
    return html`<nav class="rail" aria-label=${title}>
      <button
        class="btn icon quiet"
        aria-label="Show the ${this.pane} pane"
        data-tip="Show ${what}"
        @click=${() => this.send({ type: 'view', view: open })}
      >
        ${this.pane === 'why' ? icons.collapse : icons.expand}
      </button>
      <span class="railtext">${title}</span
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
      :host([pane='why']) .rail {
        border-right: 0;
        border-left: 1px solid var(--line);
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

customElements.define('tessera-rail', TesseraRail);

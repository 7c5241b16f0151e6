// The strip that stands for a closed pane: source or why.

import { css, html, nothing, type TemplateResult } from 'lit';

import type { Diagnostic } from '../model/report';
import { countFaults, faultsKind, faultsText } from '../model/text_faults';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';

const kPanes = {
  source: { title: 'Source', what: 'the source', open: { sourceOpen: true } },
  why: { title: 'Why', what: 'why a result lives where it does', open: { whyOpen: true } },
} as const;

export class TesseraRail extends TesseraElement {
  static override properties = { diagnostics: { attribute: false }, pane: { type: String, reflect: true } };
  declare diagnostics: readonly Diagnostic[]; // of the text, where its pane is the closed one
  declare pane: keyof typeof kPanes;

  constructor() {
    super();
    this.diagnostics = [];
  }

  protected override render(): TemplateResult {
    const { title, what, open } = kPanes[this.pane];
    const faults = countFaults(this.diagnostics);
    const said = faultsText(faults);
    return html`<nav class="rail" aria-label=${title}>
      <button
        class="btn icon quiet"
        aria-label="Show the ${this.pane} pane"
        data-tip="Show ${what}"
        @click=${() => this.send({ type: 'view', view: open })}
      >
        ${this.pane === 'why' ? icons.collapse : icons.expand}
      </button>
      <span class="railtext">${title}</span>
      ${
        said === ''
          ? nothing
          : html`<i class="raildot ${faultsKind(faults)}" aria-hidden="true"></i
              ><span class="railtext" data-tip="The source pane lists them">${said}</span>`
      }
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
      .raildot.warning {
        border-radius: 2px;
        background: var(--warn);
      }
    `,
  ];
}

customElements.define('tessera-rail', TesseraRail);

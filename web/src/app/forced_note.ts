// Says which forced layout the present policy cannot honour, or which order of ops data flow forbids, and takes it off
// again.

import { css, html, nothing, type TemplateResult } from 'lit';

import { forcedOps, kForcedOption } from '../model/forced';
import { kOrderOption } from '../model/op_order';
import type { AppState } from '../model/state';
import { isAboutForced } from '../model/trials';
import { sharedStyles, TesseraElement } from '../view/element';

export class TesseraForcedNote extends TesseraElement {
  static override properties = { state: { attribute: false } };
  declare state: AppState;

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    const problem = state.diagnostics.find((found) => found.severity === 'error' && isAboutForced(found));
    if (problem === undefined) return nothing;
    if (problem.message.includes(`\`${kOrderOption}\``))
      return html`<p role="alert">
        <b>The order of ops cannot be had.</b> ${problem.message}.
        <button class="link" @click=${() => this.send({ type: 'option', id: kOrderOption, value: '' })}>
          Run them as the graph has them
        </button>
      </p>`;
    const count = forcedOps(state.options[kForcedOption]).length;
    return html`<p role="alert">
      <b>A forced layout cannot be honoured.</b> ${problem.message}.
      ${
        state.forcedBefore.length === 0
          ? nothing
          : html`<button class="link" @click=${() => this.send({ type: 'undo-force' })}>Undo it</button>`
      }
      <button class="link" @click=${() => this.send({ type: 'option', id: kForcedOption, value: '' })}>
        ${count > 1 ? 'Release all' : 'Release it'}
      </button>
    </p>`;
  }

  static override styles = [
    sharedStyles,
    css`
      p {
        margin: 0;
        padding: 7px 12px;
        background: var(--bad-soft);
        line-height: 1.45;
        overflow-wrap: anywhere;
      }
      b {
        color: var(--bad);
      }
      button {
        margin-left: 6px;
      }
    `,
  ];
}

customElements.define('tessera-forced-note', TesseraForcedNote);

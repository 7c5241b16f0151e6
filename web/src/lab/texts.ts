// The layout as attribute texts. Each can be edited: a text that reads sets the controls, one that does not keeps them
// and says which rule it breaks.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { sharedStyles, TesseraElement } from '../view/element';
import type { LabAnswer } from '../model/generated/layout';
import type { TextKind } from './store';
import { panelStyles } from './panel_styles';

const kTexts: readonly { kind: TextKind; title: string; note: string }[] = [
  { kind: 'metal', title: 'tt.metal_layout', note: 'compiler: map, padding value, grid, memref' },
  { kind: 'ttnn', title: 'ttnn.ttnn_layout', note: 'since 2026-04, with core ranges' },
  {
    kind: 'ttnnLegacy',
    title: 'ttnn.ttnn_layout, before',
    note: 'until 2026-04, with the grid’s map onto the cores',
  },
];

export interface TextEdit {
  readonly kind: TextKind;
  readonly text: string;
}
export interface TextProblem {
  readonly kind: TextKind;
  readonly rule: string;
  readonly text: string;
}

export class LabTexts extends TesseraElement {
  static override properties = {
    answer: { attribute: false },
    problem: { attribute: false },
    editing_: { state: true },
  };
  declare answer: LabAnswer | null;
  declare problem: TextProblem | null;
  declare editing_: TextKind | null; // what is being edited is not overwritten by what the engine prints
  private typed_ = '';
  private timer_ = 0;

  constructor() {
    super();
    this.answer = null;
    this.problem = null;
    this.editing_ = null;
  }

  private edit(kind: TextKind, text: string): void {
    this.editing_ = kind;
    this.typed_ = text;
    window.clearTimeout(this.timer_);
    this.timer_ = window.setTimeout(
      () =>
        this.dispatchEvent(
          new CustomEvent<TextEdit>('lab-text', { detail: { kind, text }, bubbles: true, composed: true }),
        ),
      250,
    );
  }

  // A text that does not read stays when the focus leaves: it may hold a long paste.
  private leave(kind: TextKind): void {
    if (this.editing_ === kind && this.problem === null) this.editing_ = null;
  }

  private giveUp(): void {
    this.editing_ = null;
    this.dispatchEvent(
      new CustomEvent<TextEdit>('lab-text', { detail: { kind: 'metal', text: '' }, bubbles: true, composed: true }),
    );
  }

  protected override updated(_changed: PropertyValues): void {
    for (const area of this.renderRoot.querySelectorAll('textarea')) {
      area.style.setProperty('height', 'auto');
      area.style.setProperty('height', `${Math.min(220, area.scrollHeight + 2)}px`);
    }
  }

  protected override render(): TemplateResult {
    const { answer } = this;
    const bothReal = answer?.texts?.metal.text !== undefined && answer.texts.ttnn.text !== undefined;
    return html`<h2>Attribute text</h2>
      <p class="dim">Edit or paste, also a whole tensor&lt;...&gt;: the controls follow.</p>
      ${kTexts.map(({ kind, title, note }) => {
        const text = answer?.texts?.[kind];
        const problem = this.problem?.kind === kind ? this.problem : null;
        const value = this.editing_ === kind ? this.typed_ : (text?.text ?? '');
        return html`<label
            ><span class="title"><b class="mono">#${title}</b> <i>${note}</i></span>
            <textarea
              name=${kind}
              rows="2"
              spellcheck="false"
              autocomplete="off"
              aria-invalid=${problem !== null}
              placeholder=${text?.text === undefined ? 'no such text for this layout' : ''}
              .value=${value}
              @input=${(event: Event) => this.edit(kind, (event.target as HTMLTextAreaElement).value)}
              @blur=${() => this.leave(kind)}
            ></textarea>
          </label>
          ${
            problem !== null
              ? html`<p class="bad" role="alert">
                  <b>${problem.rule}</b>: ${problem.text}
                  <button class="link" @click=${this.giveUp}>Undo the edit</button>
                </p>`
              : text?.rule !== undefined
                ? html`<p class="dim"><b>${text.rule}</b>: ${text.why}</p>`
                : nothing
          }`;
      })}
      ${
        bothReal && answer?.sameCuts === false
          ? html`<p class="warn">
              The two cut the tensor at different rows or columns: the compiler divides by the grid and then rounds up
              to tiles, TTNN the other way round.
            </p>`
          : nothing
      }`;
  }

  static override styles = [
    sharedStyles,
    panelStyles,
    css`
      label {
        display: block;
        margin-top: 8px;
      }
      .title {
        display: block;
        font-size: 12px;
        margin-bottom: 3px;
      }
      .title b {
        font-weight: 600;
      }
      .title i {
        font-style: normal;
        color: var(--dim);
      }
      textarea {
        display: block;
        width: 100%;
        min-height: 40px;
        border: 1px solid var(--line);
        border-radius: 7px;
        background: var(--bg);
        padding: 5px 8px;
        font: 12px/1.5 var(--mono);
        resize: vertical;
        overflow-wrap: anywhere;
      }
      textarea[aria-invalid='true'] {
        border-color: var(--bad);
      }
      .bad {
        color: var(--bad);
      }
      p {
        line-height: 1.45;
        margin-top: 3px;
        overflow-wrap: anywhere;
      }
      .warn {
        margin-top: 8px;
        padding: 6px 9px;
        border-radius: 7px;
        background: var(--warn-soft);
      }
    `,
  ];
}

customElements.define('lab-texts', LabTexts);

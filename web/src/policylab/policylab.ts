// Policy lab: an editor for a policy in JavaScript, what it said and did, and how it fares against the engine's own.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatDuration, formatTime } from '../model/format';
import { geometricMean, ratioOf, type PolicyLab, type PolicyRow, type PolicyTable } from '../model/policy_lab';
import type { Diagnostic } from '../model/report';
import type { Editor } from '../source/editor';
import { sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { policyLabStyles } from './policylab_styles';
import { kStart } from './starting_policy';

const kTypingPauseMs = 250;
const kMostProblems = 20; // of a plan, shown

export class TesseraPolicyLab extends TesseraElement {
  static override properties = {
    lab: { attribute: false },
    problems: { attribute: false },
    time: { type: Number },
  };
  static override styles = [sharedStyles, tableStyles, policyLabStyles];

  declare lab: PolicyLab;
  declare problems: readonly Diagnostic[]; // of the plan in use
  declare time: number; // of the present run, nanoseconds; -1: it is not of this policy
  private editor_: Editor | null = null;
  private typing_ = 0;
  private shown_ = ''; // the code in the editor

  protected override firstUpdated(): void {
    void this.loadEditor();
  }

  private async loadEditor(): Promise<void> {
    const { createEditor } = await import('../source/editor');
    const parent = this.renderRoot.querySelector<HTMLElement>('.editor');
    if (parent === null || this.editor_ !== null) return;
    this.shown_ = this.code;
    this.editor_ = createEditor(
      {
        parent,
        root: this.renderRoot as ShadowRoot,
        language: 'javascript',
        changed: (text) => {
          window.clearTimeout(this.typing_);
          this.typing_ = window.setTimeout(() => this.take(text()), kTypingPauseMs);
        },
      },
      [this.shown_],
      0,
    );
  }

  private get code(): string {
    return this.lab.code ?? kStart;
  }

  private take(code: string): void {
    window.clearTimeout(this.typing_);
    this.shown_ = code;
    if (code !== this.code) this.send({ type: 'policy', policy: { code: code === kStart ? null : code } });
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('lab') || this.editor_ === null) return;
    if (this.code !== this.shown_) {
      this.shown_ = this.code;
      this.editor_.replaceText(this.code);
    }
    const error = this.lab.answer?.error ?? null;
    this.editor_.showDiagnostics(
      error === null || error.line < 1
        ? []
        : [
            {
              severity: 'error',
              kind: 'policy',
              message: error.message,
              line: error.line,
              column: Math.max(1, error.column),
              endLine: error.line,
              endColumn: 1,
              notes: [],
            },
          ],
    );
  }

  private run(where: 'here' | 'everywhere'): void {
    if (this.editor_ !== null) this.take(this.editor_.text());
    this.ask({ type: 'run-policy', where });
  }

  protected override render(): TemplateResult {
    const { busy, table } = this.lab;
    return html`<div class="bar">
        <button
          class="btn primary"
          ?disabled=${busy}
          data-tip="Runs decide(problem) in a sandbox and draws its plan like any other (Ctrl+Enter)"
          @click=${() => this.run('here')}
        >
          Run
        </button>
        <button class="btn" ?disabled=${busy} @click=${() => this.run('everywhere')}>Run on all samples</button>
        ${busy ? html`<button class="btn" @click=${() => this.ask({ type: 'stop-policy' })}>Stop</button>` : nothing}
        <button
          class="btn quiet"
          ?disabled=${this.lab.code === null}
          @click=${() => this.send({ type: 'policy', policy: { code: null } })}
        >
          Start over
        </button>
        ${this.renderStatus()}
      </div>
      <div class="editor" @keydown=${this.onKey}></div>
      <div class="below" aria-live="polite">
        ${this.renderError()}${this.renderProblems()}${this.renderLog()}
        ${table === null ? nothing : this.renderTable(table)}
      </div>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.lab.busy) this.run('here');
  };

  private renderStatus(): TemplateResult {
    const { busy, answer, table } = this.lab;
    const text = busy
      ? table?.busy === true
        ? `graph ${table.rows.length + 1} of ${table.total}…`
        : 'deciding…'
      : answer === null
        ? 'The policy sees the problem and nothing else: no page, no network, no storage.'
        : answer.error !== null
          ? 'no plan'
          : `decided in ${formatDuration(answer.ms)}` +
            (this.time < 0 ? '' : `; the plan takes ${formatTime(this.time)}`);
    return html`<span class="status dim" role="status">${text}</span>`;
  }

  private renderError(): TemplateResult | typeof nothing {
    const error = this.lab.answer?.error ?? null;
    if (error === null) return nothing;
    return html`<p class="error" role="alert">
      ${error.message}
      ${
        error.line < 1
          ? nothing
          : html`<button class="link" @click=${() => this.editor_?.goTo(error.line, error.column)}>
              Line ${error.line}
            </button>`
      }
    </p>`;
  }

  private renderProblems(): TemplateResult | typeof nothing {
    if (this.problems.length === 0) return nothing;
    return html`<section>
      <h3>What is illegal in the plan</h3>
      <ul class="problems">
        ${this.problems.slice(0, kMostProblems).map(({ message }) => html`<li>${message}</li>`)}
      </ul>
    </section>`;
  }

  private renderLog(): TemplateResult | typeof nothing {
    const log = this.lab.answer?.log ?? [];
    if (log.length === 0) return nothing;
    return html`<section>
      <h3>Console</h3>
      <pre class="log" tabindex="0" aria-label="Console">${log.join('\n')}</pre>
    </section>`;
  }

  private renderTable(table: PolicyTable): TemplateResult {
    const means = table.columns.map((_, column) => geometricMean(table, column));
    const known = means.some((mean) => mean !== null);
    return html`<section class="table">
      <table>
        <caption>
          Device time over the optimum that Exact proves, or over its bound; below 1 is a plan outside of what Exact
          searches
        </caption>
        <thead>
          <tr>
            <th scope="col">Graph</th>
            ${table.columns.map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.rows.map((row) => this.renderRow(row, table))}
        </tbody>
        ${
          known
            ? html`<tfoot>
                <tr>
                  <th scope="row" data-tip="Over the graphs on which every policy has a plan">Geometric mean</th>
                  ${means.map((mean) => html`<td>${mean === null ? '–' : mean.toFixed(3)}</td>`)}
                </tr>
              </tfoot>`
            : nothing
        }
      </table>
    </section>`;
  }

  private renderRow(row: PolicyRow, table: PolicyTable): TemplateResult {
    return html`<tr>
      <th scope="row">${row.title}${row.proven ? nothing : html` <span class="dim">(bound)</span>`}</th>
      ${table.columns.map((_, column) => {
        const ratio = ratioOf(row, column);
        const problem = row.cells[column]?.problem ?? 'not run';
        return ratio === null
          ? html`<td class="bad" data-tip=${problem}>${problem === '' ? '–' : 'none'}</td>`
          : html`<td>${ratio.toFixed(3)}</td>`;
      })}
    </tr>`;
  }
}

customElements.define('tessera-policylab', TesseraPolicyLab);

// As compiled: the plan that a TTNN graph carries, how far it is from the proven optimum of the same graph, which ops
// lose most, and what to tell the compiler about each.

import { html, nothing, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, formatTime, plural, shortOp } from '../model/format';
import { kOutside } from '../model/outside';
import type { CompiledAnswer, Report } from '../model/report';
import { shownName } from '../view/names';
import { sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { compiledStyles } from './compiled_styles';
import { lostOps, lowerBoundOf, type LostOp } from '../model/compiled';

const kPage = 100; // rows shown before "show more"

export class TesseraCompiled extends TesseraElement {
  static override properties = {
    answer: { attribute: false },
    busy: { type: Boolean },
    carries: { type: Boolean },
    shown_: { state: true },
    copied_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, compiledStyles];

  declare answer: CompiledAnswer | null;
  declare busy: boolean;
  declare carries: boolean; // the graph has layouts
  declare shown_: number;
  declare copied_: string;

  constructor() {
    super();
    this.answer = null;
    this.busy = false;
    this.carries = false;
    this.shown_ = kPage;
    this.copied_ = '';
  }

  protected override render(): TemplateResult {
    if (!this.carries)
      return html`<p class="note dim">
        This graph carries no layouts. Drop the compiler’s output, a TTNN dump, to see its plan beside the optimum.
      </p>`;
    const [written, policy, optimum] = this.answer?.reports ?? [];
    if (written?.run == null || optimum?.run == null)
      return html`<p class="note dim" aria-busy=${this.busy}>
        ${this.busy || this.answer === null ? 'Re-optimizing…' : this.failure()}
      </p>`;
    const lost = lostOps(written.run, optimum.run, this.answer!.overrides);
    return html`${this.renderRuns(written, policy, optimum)}${this.renderLost(lost)}${this.renderAll()}`;
  }

  private failure(): string {
    const errors = this.answer!.reports.flatMap(({ run, diagnostics }) =>
      run === null ? diagnostics.filter(({ severity }) => severity === 'error') : [],
    );
    return `It could not be re-optimized: ${errors[0]?.message ?? 'the run did not end'}.`;
  }

  private renderRuns(written: Report, policy: Report | undefined, optimum: Report): TemplateResult {
    const bound = lowerBoundOf(optimum);
    const proven = optimum.run?.exact?.proven === true;
    const line = (title: string, report: Report | undefined): TemplateResult | typeof nothing =>
      report?.run == null
        ? nothing
        : html`<tr>
            <th scope="row">${title}</th>
            <td>${formatTime(report.run.totals.time)}</td>
            <td>${bound > 0 ? `${(report.run.totals.time / bound).toFixed(2)} ×` : '–'}</td>
            <td>${formatBytes(report.run.totals.peakL1)}</td>
            <td>${formatInteger(report.run.totals.l1Results)}</td>
            <td>${formatInteger(report.run.totals.refused ?? 0)}</td>
          </tr>`;
    return html`<table class="runs">
        <caption>
          The compiler’s plan and the same graph re-optimized
        </caption>
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Device time</th>
            <th scope="col" data-tip="Time over the least that any plan of the re-optimized graph can take">
              ${proven ? 'Of the optimum' : 'Of the bound'}
            </th>
            <th scope="col">Peak L1</th>
            <th scope="col">Results in L1</th>
            <th scope="col" data-tip="Ops that the op model refuses as they stand; their time says nothing">Refused</th>
          </tr>
        </thead>
        <tbody>
          ${line('As written', written)}${line(`Re-optimized, ${policy?.policy?.title ?? ''}`, policy)}
          ${line(`Re-optimized, ${optimum.policy?.title ?? ''}`, optimum)}
        </tbody>
      </table>
      ${
        bound > 0
          ? html`<p class="note">
              ${proven ? 'The proven optimum' : 'The proven lower bound'} of the re-optimized graph is
              ${formatTime(bound)}.${
                written.run!.totals.time < bound ? html` <b>The compiler’s plan takes less:</b> ${kOutside}` : nothing
              }
            </p>`
          : nothing
      }`;
  }

  private renderLost(lost: readonly LostOp[]): TemplateResult {
    if (lost.length === 0) return html`<p class="note">No op takes longer than in the optimum.</p>`;
    return html`<table class="lost">
        <caption>
          ${plural(lost.length, 'op')} that lose time, with the moves before them
        </caption>
        <thead>
          <tr>
            <th scope="col">Op</th>
            <th scope="col">Loses</th>
            <th scope="col">As written</th>
            <th scope="col">Optimum</th>
            <th scope="col">For the compiler</th>
          </tr>
        </thead>
        <tbody>
          ${lost.slice(0, this.shown_).map((op) => this.renderOp(op))}
        </tbody>
      </table>
      ${
        lost.length > this.shown_
          ? html`<button class="btn more" @click=${() => (this.shown_ += kPage)}>Show more</button>`
          : nothing
      }`;
  }

  private renderOp(op: LostOp): TemplateResult {
    const text = op.overrides.join(' ');
    return html`<tr>
      <th scope="row">
        <button
          class="link"
          @click=${() => this.send({ type: 'find', key: { name: op.name, label: op.label, row: -1 } })}
        >
          ${shownName(op.label || op.name)}
        </button>
        <span class="dim">${shortOp(op.op)}</span>
      </th>
      <td>${formatTime(op.written - op.optimum)}</td>
      <td>${formatTime(op.written)} <span class="dim">${op.writtenLayout}</span></td>
      <td>${formatTime(op.optimum)} <span class="dim">${op.optimumLayout}</span></td>
      <td>
        ${
          text === ''
            ? html`<span class="dim" data-tip="The optimum leaves it in DRAM, or no name tells it from other ops"
                >–</span
              >`
            : html`<button
                class="btn copy"
                data-tip=${text}
                aria-label="${this.copied_ === op.name ? 'Copied' : 'Copy override'}: ${shownName(op.label)}"
                @click=${() => void this.copy(op.name, text)}
              >
                ${this.copied_ === op.name ? 'Copied' : 'Copy override'}
              </button>`
        }
      </td>
    </tr>`;
  }

  private renderAll(): TemplateResult | typeof nothing {
    const { overrides } = this.answer!;
    if (overrides === '') return nothing;
    return html`<section class="all">
      <h2>Options that make the compiler follow the optimum</h2>
      <textarea readonly rows="4" aria-label="Override options" .value=${overrides.trim()}></textarea>
      <button class="btn" @click=${() => void this.copy('*', overrides.trim())}>
        ${this.copied_ === '*' ? 'Copied' : 'Copy all'}
      </button>
    </section>`;
  }

  private async copy(what: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied_ = what;
      setTimeout(() => (this.copied_ = ''), 1600);
    } catch {
      this.send({ type: 'notice', severity: 'warning', text: 'The browser did not allow copying.', detail: text });
    }
  }
}

customElements.define('tessera-compiled', TesseraCompiled);

// Hand edits: every layout, conversion and move of the present plan, changed from the table of what is legal. The
// result is a plan like any other.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatBytes, formatTime, plural, shortOp } from '../model/format';
import type { PlanLayout, PlanSpill } from '../model/generated/plan';
import type { Problem } from '../model/generated/problem';
import {
  candidatesOf,
  kHandAuthor,
  layoutKey,
  layoutWords,
  opOf,
  placeAt,
  presentCandidate,
  readAt,
  stepOf,
  withCandidate,
  withCopy,
  withMove,
  withoutMove,
  type HandEdit,
} from '../model/hand_edit';
import { asPlan, type PlanHistory } from '../model/plan';
import type { Diagnostic, Run } from '../model/report';
import { shownName } from '../view/names';
import { kCachedLoad } from '../view/schedule_geometry';
import { sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { handEditStyles } from './handedit_styles';

const kPage = 200; // ops and candidates shown before "show more"

export class TesseraHandEdit extends TesseraElement {
  static override properties = {
    edit: { attribute: false },
    run: { attribute: false },
    problems: { attribute: false },
    history: { attribute: false },
    selected: { type: Number },
    busy: { type: Boolean },
    written: { type: Boolean },
    shown_: { state: true },
    step_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, handEditStyles];

  declare edit: HandEdit | null;
  declare run: Run;
  declare problems: readonly Diagnostic[]; // of the plan
  declare history: PlanHistory;
  declare selected: number; // row of the run
  declare busy: boolean;
  declare written: boolean; // the graph is taken as it stands
  declare shown_: number;
  declare step_: number; // the op that is looked at
  private before_: { time: number; peak: number } | null = null; // of the run that was changed

  constructor() {
    super();
    this.edit = null;
    this.problems = [];
    this.selected = -1;
    this.busy = false;
    this.written = false;
    this.shown_ = kPage;
    this.step_ = -1;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.edit === null) return;
    const { problem } = this.edit;
    const row = this.run.rows[this.selected];
    if (changed.has('selected') && row !== undefined) this.step_ = opOf(problem, row.name);
    if (this.step_ < 0 || this.step_ >= problem.ops.length)
      this.step_ = problem.ops.findIndex((_, step) => candidatesOf(problem, step).length > 1);
    if (this.step_ >= this.shown_) this.shown_ = this.step_ + kPage;
  }

  // A long list opens where the op is.
  protected override updated(changed: PropertyValues): void {
    if (changed.has('step_') || changed.has('edit'))
      this.renderRoot.querySelector('.pick[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }

  private change(plan: HandEdit['plan']): void {
    const { time, peakL1 } = this.run.totals;
    this.before_ = { time, peak: peakL1 };
    const taken = asPlan({ ...plan, policy: kHandAuthor });
    if (taken !== null) this.send({ type: 'plan', plan: taken, step: true });
  }

  protected override render(): TemplateResult {
    if (this.written)
      return html`<p class="note dim">
        The graph is taken as the compiler wrote it. Re-optimize it first: then there is something to decide.
      </p>`;
    if (this.edit === null) return html`<p class="note dim" aria-busy=${this.busy}>Looking at what is legal…</p>`;
    const { problem } = this.edit;
    return html`${this.renderBar()}
      <div class="both">
        <ul class="ops" aria-label="Ops">
          ${problem.ops.slice(0, this.shown_).map((_, step) => this.renderOp(problem, step))}
          ${
            problem.ops.length > this.shown_
              ? html`<li><button class="btn" @click=${() => (this.shown_ += kPage)}>Show more</button></li>`
              : nothing
          }
        </ul>
        <div class="op">${this.step_ < 0 ? nothing : this.renderStep(this.edit, this.step_)}</div>
      </div>`;
  }

  private renderBar(): TemplateResult {
    const { time, peakL1 } = this.run.totals;
    const delta = (now: number, then: number, format: (value: number) => string): string =>
      now === then ? 'unchanged' : `${now > then ? '+' : '−'}${format(Math.abs(now - then))}`;
    return html`<div class="bar" role="status">
      <button
        class="btn"
        ?disabled=${this.history.before.length === 0}
        @click=${() => this.send({ type: 'plan-undo' })}
      >
        Undo
      </button>
      <button class="btn" ?disabled=${this.history.after.length === 0} @click=${() => this.send({ type: 'plan-redo' })}>
        Redo
      </button>
      <span
        >${formatTime(time)}${this.before_ === null ? nothing : html` (${delta(time, this.before_.time, formatTime)})`},
        peak
        ${formatBytes(peakL1)}${
          this.before_ === null ? nothing : html` (${delta(peakL1, this.before_.peak, formatBytes)})`
        }</span
      >
      ${
        this.problems.length === 0
          ? html`<span class="good">legal</span>`
          : html`<span class="bad" data-tip=${this.problems.map(({ message }) => message).join('\n')}
              >${plural(this.problems.length, 'rule')} broken: ${this.problems[0]!.message}</span
            >`
      }
    </div>`;
  }

  private renderOp(problem: Problem, step: number): TemplateResult | typeof nothing {
    const place = this.placeWords(step);
    return html`<li>
      <button class="pick" aria-current=${step === this.step_} @click=${() => (this.step_ = step)}>
        <span>${nameOf(problem, step)}</span><span class="dim">${place}</span>
      </button>
    </li>`;
  }

  private placeWords(step: number): string {
    const op = this.edit!.problem.ops[step];
    if (op?.op === kCachedLoad) return 'cached'; // the run says where: the problem has it where it waits to be prepared
    const result = op?.results[0];
    const place = result === undefined ? null : placeAt(this.edit!, result, step);
    return place === null ? '' : layoutWords(place);
  }

  private renderStep(edit: HandEdit, step: number): TemplateResult {
    const op = edit.problem.ops[step]!;
    return html`<h2>${nameOf(edit.problem, step)} <span class="dim">${op.op}</span></h2>
      ${op.operands.map((value, operand) => this.renderOperand(edit, step, operand, value))}
      ${this.renderMoves(edit, step)}${this.renderCandidates(edit, step)}`;
  }

  // The copy that the op reads, and moves of the value before the op.
  private renderOperand(edit: HandEdit, step: number, operand: number, value: number): TemplateResult | typeof nothing {
    const { problem } = edit;
    const info = problem.values[value];
    const type = problem.types[info?.type ?? -1];
    const place = placeAt(edit, value, step);
    if (info === undefined || type === undefined || place === null) return nothing;
    const read = readAt(edit, step, operand)!;
    const own = layoutKey(read) === layoutKey(place) ? '' : layoutKey(read);
    const layouts = type.layouts.map((at) => problem.layouts[at]!);
    const select = (label: string, none: string, current: string, choose: (layout: PlanLayout | null) => void) =>
      html`<select
        aria-label="${label} ${info.name}"
        @change=${(event: Event) => {
          const key = (event.target as HTMLSelectElement).value;
          choose(layouts.find((one) => layoutKey(one) === key) ?? null);
        }}
      >
        <option value="" .selected=${current === ''}>${none}</option>
        ${layouts.map(
          (one) =>
            html`<option value=${layoutKey(one)} .selected=${layoutKey(one) === current}>${layoutWords(one)}</option>`,
        )}
      </select>`;
    return html`<div class="operand">
      <span class="mono">${info.name}</span>
      <span class="dim">lies in ${layoutWords(place)}</span>
      <label
        >read
        ${select('Copy of', 'as it lies', own, (layout) => this.change(withCopy(edit, step, operand, layout)))}</label
      >
      <label
        >move before
        ${select('Move', 'no move', '', (layout) => {
          if (layout !== null) this.change(withMove(edit, value, step, layout));
        })}</label
      >
    </div>`;
  }

  private renderMoves(edit: HandEdit, step: number): TemplateResult | typeof nothing {
    const { problem, plan } = edit;
    const moves = (plan.spills ?? []).filter((spill) => stepOf(problem, spill.before) === step);
    if (moves.length === 0) return nothing;
    const words = ({ value, to }: PlanSpill): string =>
      `${value} moves to ${layoutWords(plan.layouts?.[to] ?? { buffer: 'dram' })}`;
    return html`<ul class="moves">
      ${moves.map(
        (move) =>
          html`<li>
            ${words(move)} before it
            <button class="link" @click=${() => this.change(withoutMove(edit, move))}>Remove</button>
          </li>`,
      )}
    </ul>`;
  }

  private renderCandidates(edit: HandEdit, step: number): TemplateResult {
    const { problem } = edit;
    const candidates = candidatesOf(problem, step);
    if (candidates.length === 0) return html`<p class="dim">It runs in DRAM whatever a plan says.</p>`;
    const present = presentCandidate(edit, step);
    const words = (layout: number): string => (layout < 0 ? '–' : layoutWords(problem.layouts[layout]!));
    return html`<table>
      <caption>
        Legal candidates
      </caption>
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Operands</th>
          <th scope="col">Time</th>
          <th scope="col" data-tip="L1 besides the operands">L1 of a core</th>
          <th scope="col">Choice</th>
        </tr>
      </thead>
      <tbody>
        ${candidates.slice(0, kPage).map(
          (candidate, at) =>
            html`<tr aria-current=${at === present}>
              <td>${words(candidate.result)}</td>
              <td>${candidate.operands.map(words).join(', ')}</td>
              <td>${formatTime(candidate.time)}</td>
              <td>${formatBytes(candidate.peak)}</td>
              <td>
                ${
                  at === present
                    ? html`<b>now</b>`
                    : html`<button class="btn take" @click=${() => this.change(withCandidate(edit, step, candidate))}>
                        Take
                      </button>`
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

function nameOf({ ops, values }: Problem, step: number): string {
  const op = ops[step]!;
  return shownName(op.label || (values[op.results[0] ?? -1]?.name ?? '') || shortOp(op.op));
}

customElements.define('tessera-handedit', TesseraHandEdit);

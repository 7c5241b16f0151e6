// The chain generation, one step at a time: the schedule with the chains as they are at this step, and what the step
// does.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { ChainEventKind } from '../model/generated/chain_trace';
import { formatInteger } from '../model/format';
import type { Catalog, Report } from '../model/report';
import { hasTrait, policiesWith } from '../model/traits';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { policyButtons } from '../view/policy_buttons';
import { chainLetter } from '../view/chain_marks';
import { StepList, type ScheduledOp, type Step } from './steps_model';

const kRow = 26; // CSS pixels per op
const kMargin = 6; // ops drawn beyond the visible ones
const kPlayMs = 900;
const kHues = ['--height', '--block', '--width', '--reshard', '--good', '--bad'];

export class TesseraSteps extends TesseraElement {
  static override properties = {
    report: { attribute: false },
    busy: { type: Boolean },
    policy: { attribute: false },
    catalog: { attribute: false },
    at_: { state: true },
    playing_: { state: true },
    top_: { state: true },
    height_: { state: true },
  };
  declare report: Report | null; // of a run with a trace
  declare busy: boolean;
  declare policy: string;
  declare catalog: Catalog | null;
  declare at_: number;
  declare playing_: boolean;
  declare top_: number; // what the list is scrolled to
  declare height_: number;

  private list_: StepList | null = null;
  private timer_ = 0;
  private readonly calm_ = matchMedia('(prefers-reduced-motion: reduce)');

  constructor() {
    super();
    this.report = null;
    this.busy = false;
    this.policy = '';
    this.catalog = null;
    this.at_ = 0;
    this.playing_ = false;
    this.top_ = 0;
    this.height_ = 600;
    this.addEventListener('keydown', (event) => this.onKey(event));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.pause();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('report')) return;
    const run = this.report?.run ?? null;
    this.list_ =
      run?.chainTrace === undefined || run.chainTrace.events.length === 0 ? null : new StepList(run, run.chainTrace);
    this.at_ = 0;
    this.top_ = 0;
    this.pause();
  }

  protected override updated(changed: PropertyValues): void {
    const box = this.renderRoot.querySelector<HTMLElement>('.ops');
    if (box === null) return;
    if (box.clientHeight > 0) this.height_ = box.clientHeight;
    if (changed.has('at_') || changed.has('report')) this.showOp(box);
  }

  // Scrolls only when the op is out of sight, so that the picture stays where it is.
  private showOp(box: HTMLElement): void {
    const row = this.list_?.step(this.at_).rows[0];
    const place = row === undefined ? -1 : (this.list_?.placeOf(row) ?? -1);
    if (place < 0) return;
    if (place * kRow < box.scrollTop || (place + 1) * kRow > box.scrollTop + box.clientHeight)
      box.scrollTop = Math.max(0, place * kRow - box.clientHeight / 3);
  }

  private go(to: number): void {
    if (this.list_ !== null) this.at_ = Math.max(0, Math.min(Math.trunc(to), this.list_.count - 1));
  }

  private move(to: number): void {
    this.pause();
    this.go(to);
  }

  private pause(): void {
    window.clearInterval(this.timer_);
    this.playing_ = false;
  }

  private togglePlay(): void {
    if (this.playing_) return this.pause();
    if (this.at_ + 1 >= (this.list_?.count ?? 0)) this.go(0);
    this.playing_ = true;
    this.timer_ = window.setInterval(() => {
      this.go(this.at_ + 1);
      if (this.at_ + 1 >= (this.list_?.count ?? 0)) this.pause();
    }, kPlayMs);
  }

  private onKey(event: KeyboardEvent): void {
    if (this.list_ === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    const sliding = target instanceof HTMLInputElement; // a slider moves by itself
    const to =
      event.key === 'ArrowRight'
        ? this.at_ + 1
        : event.key === 'ArrowLeft'
          ? this.at_ - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? this.list_.count - 1
              : null;
    if (to === null || sliding) return;
    event.preventDefault();
    this.move(to);
  }

  protected override render(): TemplateResult {
    if (!hasTrait(this.catalog, this.policy, 'chain-trace')) return this.renderOther();
    if (this.list_ === null) {
      const text = this.busy
        ? 'Running with a trace…'
        : this.report === null
          ? 'There are no steps yet.'
          : this.report.run === null
            ? 'The text could not be read: there are no steps.'
            : 'No op takes part in a chain: there are no steps.';
      return html`<section class="none" aria-busy=${this.busy}><p>${text}</p></section>`;
    }
    const step = this.list_.step(this.at_);
    return html`${this.renderBar(this.list_)}
      <div class="panes">${this.renderOps(this.list_, step)}${this.renderStep(this.list_, step)}</div>`;
  }

  private renderOther(): TemplateResult {
    const traced = policiesWith(this.catalog, 'chain-trace');
    const title = this.catalog?.policies.find(({ id }) => id === this.policy)?.title;
    return html`<section class="none">
      <h2>No steps to show</h2>
      <p>
        ${title === undefined ? 'This policy' : `The policy ${title}`} builds no chains, so there is nothing to step
        through. The two sharding policies have a trace.
      </p>
      <p class="buttons">${policyButtons(traced, (action) => this.send(action))}</p>
    </section>`;
  }

  private renderBar(list: StepList): TemplateResult {
    const last = list.count - 1;
    const jump = (kind: ChainEventKind, title: string): TemplateResult => {
      const to = list.next(kind, this.at_);
      return html`<button class="btn" ?disabled=${to < 0} @click=${() => this.move(to)}>${title}</button>`;
    };
    return html`<div class="bar" role="group" aria-label="Walk the steps">
      <button class="btn" ?disabled=${this.at_ === 0} @click=${() => this.move(this.at_ - 1)}>Previous</button>
      <button class="btn primary" ?disabled=${this.at_ >= last} @click=${() => this.move(this.at_ + 1)}>Next</button>
      ${
        this.calm_.matches
          ? nothing
          : html`<button class="btn" @click=${() => this.togglePlay()}>${this.playing_ ? 'Pause' : 'Play'}</button>`
      }
      <input
        type="range"
        min="1"
        max=${last + 1}
        step="1"
        aria-label="Step"
        .value=${String(this.at_ + 1)}
        @input=${(event: Event) => this.move(Number((event.target as HTMLInputElement).value) - 1)}
      />
      <span class="count">${formatInteger(this.at_ + 1)} of ${formatInteger(list.count)}</span>
      ${jump('ChainBroke', 'Next break')}${jump('MergeTried', 'Next merge')}${jump('Rejected', 'Next rejection')}
    </div>`;
  }

  private renderOps(list: StepList, step: Step): TemplateResult {
    const from = Math.max(0, Math.floor(this.top_ / kRow) - kMargin);
    const to = Math.min(list.ops.length, Math.ceil((this.top_ + this.height_) / kRow) + kMargin);
    return html`<div
      class="ops"
      role="group"
      aria-label="Schedule"
      @scroll=${(event: Event) => (this.top_ = (event.target as HTMLElement).scrollTop)}
    >
      <ol ${cssProps({ height: `${list.ops.length * kRow}px`, 'padding-top': `${from * kRow}px` })}>
        ${list.ops.slice(from, to).map((op) => this.renderOp(list, op, step))}
      </ol>
    </div>`;
  }

  private renderOp(list: StepList, op: ScheduledOp, step: Step): TemplateResult {
    const chain = list.chainAt(op, step.index);
    const mark =
      step.rows[0] === op.row
        ? 'about'
        : step.rows.includes(op.row)
          ? 'with'
          : step.chains.includes(chain)
            ? 'same'
            : '';
    const state = chain < 0 ? '' : list.stateAt(chain, step.index);
    return html`<li>
      <button
        class=${mark}
        aria-current=${mark === 'about' ? 'step' : 'false'}
        @click=${() => this.move(list.nextAbout(op.row, step.index))}
      >
        <span
          class="letter ${state}"
          ${cssProps({ '--hue': chain < 0 ? 'var(--line)' : `var(${kHues[chain % kHues.length]})` })}
          >${chain < 0 ? '' : chainLetter(chain)}</span
        >
        <span class="step dim">${op.row}</span><span class="name">${op.name}</span><span class="dim op">${op.op}</span
        ><span class="dim state">${state}</span>
      </button>
    </li>`;
  }

  private renderStep(list: StepList, step: Step): TemplateResult {
    return html`<section class="step ${step.tone}" aria-label="This step">
      <p class="phase">
        ${step.phase}${step.chains.map(
          (chain) =>
            html`<span
              class="letter ${list.stateAt(chain, step.index)}"
              ${cssProps({ '--hue': `var(${kHues[chain % kHues.length]})` })}
              >${chainLetter(chain)}</span
            >`,
        )}
      </p>
      <div aria-live=${this.playing_ ? 'off' : 'polite'}>
        <h2>${step.title}</h2>
        <p class="text">${step.text}</p>
      </div>
      ${
        step.figures.length === 0
          ? nothing
          : html`<table>
              <caption class="vh">
                Figures of this step
              </caption>
              <tbody>
                ${step.figures.map(
                  (figure) =>
                    html`<tr>
                      <th scope="row">${figure.name}</th>
                      <td>
                        ${
                          figure.before === ''
                            ? nothing
                            : html`<span class="dim"
                                >${figure.before}<span aria-hidden="true"> → </span
                                ><span class="vh"> before, after: </span></span
                              >`
                        }<b>${figure.after}</b>
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
      }
    </section>`;
  }

  static override styles = [
    sharedStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        min-width: 0;
        background: var(--panel);
      }
      .bar {
        display: flex;
        flex: none;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px;
        padding: 8px 12px;
        border-bottom: 1px solid var(--line);
      }
      .bar input {
        flex: 1;
        min-width: 120px;
        accent-color: var(--accent);
      }
      .count {
        min-width: 92px;
        font-variant-numeric: tabular-nums;
        color: var(--dim);
      }
      .panes {
        flex: 1;
        min-height: 0;
        display: grid;
        grid-template-columns: minmax(0, 11fr) minmax(260px, 9fr);
        grid-template-rows: minmax(0, 1fr);
      }
      .ops {
        overflow: auto;
        border-right: 1px solid var(--line);
      }
      ol {
        overflow: hidden;
      }
      li {
        height: 26px;
      }
      li button {
        display: flex;
        align-items: center;
        gap: 8px;
        width: 100%;
        height: 26px;
        border: 0;
        border-left: 3px solid transparent;
        padding: 0 10px 0 7px;
        background: none;
        text-align: left;
        cursor: pointer;
      }
      li button:hover {
        background: var(--hover);
      }
      li .same {
        background: var(--soft);
      }
      li .with {
        border-left-color: var(--dim);
        background: var(--soft);
      }
      li .about {
        border-left-color: var(--accent);
        background: var(--select);
        font-weight: 600;
      }
      li button:focus-visible {
        outline-offset: -2px;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        min-width: 40px;
      }
      .op {
        font-weight: 400;
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
        flex: 1;
        min-width: 0;
      }
      .state {
        font-weight: 400;
        font-size: 11.5px;
      }
      .letter {
        flex: none;
        display: inline-grid;
        place-items: center;
        min-width: 22px;
        height: 18px;
        padding: 0 3px;
        border: 1.5px solid var(--hue);
        border-radius: 4px;
        background: var(--panel);
        color: var(--ink);
        font: 600 11px var(--mono);
      }
      .letter.solved,
      .letter.merged {
        box-shadow: inset 0 -4px 0 var(--hue);
      }
      .letter.failed {
        border-style: dashed;
        text-decoration: line-through;
      }
      .step {
        overflow: auto;
        padding: 16px 18px;
        border-top: 3px solid var(--line);
      }
      .step.good {
        border-top-color: var(--good);
      }
      .step.bad {
        border-top-color: var(--bad);
      }
      .phase {
        display: flex;
        align-items: center;
        gap: 6px;
        min-height: 20px;
        color: var(--dim);
        font-size: 12px;
      }
      .step h2 {
        margin: 8px 0 6px;
        font-size: 17px;
        overflow-wrap: anywhere;
      }
      .text {
        line-height: 1.5;
        max-width: 62ch;
        overflow-wrap: anywhere;
      }
      table {
        margin-top: 14px;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
        width: 100%;
        max-width: 480px;
      }
      th,
      td {
        padding: 5px 12px 5px 0;
        text-align: left;
        font-weight: 400;
        border-bottom: 1px solid var(--line);
        overflow-wrap: anywhere;
      }
      th {
        color: var(--dim);
        overflow-wrap: break-word;
        min-width: 84px;
      }
      td {
        text-align: right;
        padding-right: 0;
      }
      .none {
        padding: clamp(24px, 9vh, 90px) 24px;
        text-align: center;
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 10px;
      }
      .none p {
        max-width: 520px;
        color: var(--dim);
        line-height: 1.5;
      }
      .none h2 {
        font-size: 17px;
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        justify-content: center;
      }
      @media (max-width: 820px) {
        .panes {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: minmax(0, 1fr) minmax(0, 1fr);
        }
        .step {
          grid-row: 1;
          padding: 10px 14px;
        }
        .ops {
          border-right: 0;
          border-top: 1px solid var(--line);
        }
        .bar input {
          order: -1;
          flex-basis: 100%;
        }
        .state {
          display: none;
        }
      }
    `,
  ];
}

customElements.define('tessera-steps', TesseraSteps);

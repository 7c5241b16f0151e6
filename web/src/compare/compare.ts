// n runs of one graph side by side: totals as a table, and the ops whose results live elsewhere.

import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { formatBytes, formatInteger, formatTime, plural, shortOp } from '../model/format';
import type { Catalog, Report, Run } from '../model/report';
import type { Options } from '../model/option_values';
import { hasTrait } from '../model/traits';
import { badge, badgeStyles } from '../view/badge';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import {
  acrossRuns,
  bestOf,
  byTime,
  distanceOf,
  kMetrics,
  runTitle,
  type Metric,
  type Distance,
  type OpAcrossRuns,
} from './compare_model';
import { Gains, type Gain } from './gains';

const kPage = 200; // ops shown before "show more"
const kMostRuns = 12;
const kDistanceHelp =
  'How much longer than the proven bound, where a run of this device and options has one (policy Exact), else than ' +
  'the fastest of them';

function distanceText(distance: Distance | null): string {
  if (distance === null) return '–';
  const { from, percent } = distance;
  return percent < 0.05 ? (from === 'optimum' ? 'optimal' : 'fastest') : `+${percent.toFixed(1)} %`;
}

export class TesseraCompare extends TesseraElement {
  static override properties = {
    catalog: { attribute: false },
    runs: { attribute: false },
    base: { attribute: false },
    reports: { attribute: false },
    busy: { type: Boolean },
    selected: { attribute: false },
    all_: { state: true },
    bySpread_: { state: true },
    shown_: { state: true },
  };
  declare catalog: Catalog | null;
  declare runs: readonly Options[];
  declare base: Options; // the page's own options: what a run does not set
  declare reports: readonly Report[] | null;
  declare busy: boolean;
  declare selected: string; // name of the selected row's result
  declare all_: boolean;
  declare bySpread_: boolean;
  declare shown_: number;

  constructor() {
    super();
    this.catalog = null;
    this.runs = [];
    this.base = {};
    this.reports = null;
    this.busy = false;
    this.selected = '';
    this.all_ = false;
    this.bySpread_ = true;
    this.shown_ = kPage;
  }

  private get results(): (Run | null)[] {
    return this.runs.map((_, at) => this.reports?.[at]?.run ?? null);
  }

  protected override render(): TemplateResult {
    const results = this.results;
    return html`<div class="scroll">
      <section aria-label="Runs" aria-busy=${this.busy}>
        <div class="tablebox" tabindex="0" role="group" aria-label="Totals of the runs">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">Run</th>
                ${kMetrics.map(
                  ({ id, help, title }) =>
                    html`<th scope="col" class="num" data-tip=${help}>${title}</th>
                      ${
                        id === 'time'
                          ? html`<th scope="col" class="num" data-tip=${kDistanceHelp}>Distance</th>`
                          : nothing
                      }`,
                )}
                <th><span class="vh">Remove</span></th>
              </tr>
            </thead>
            <tbody>
              ${repeat(
                byTime(results),
                (at) => at,
                (at) => this.renderRun(this.runs[at]!, at, results),
              )}
            </tbody>
          </table>
        </div>
        <p class="actions">
          <button class="btn" ?disabled=${this.runs.length >= kMostRuns} @click=${() => this.add()}>
            ${icons.plus}Add a run
          </button>
          <button class="btn quiet" @click=${() => this.send({ type: 'compare', runs: null })}>Every policy</button>
          <span class="dim">Runs share the options of the toolbar except for what is set here.</span>
        </p>
      </section>
      ${this.renderOps(results)}
    </div>`;
  }

  private renderRun(run: Options, at: number, results: readonly (Run | null)[]): TemplateResult {
    const result = results[at] ?? null;
    const report = this.reports?.[at] ?? null;
    const problem = report !== null && report.run === null ? (report.diagnostics[0]?.message ?? 'no result') : '';
    return html`<tr class=${result === null ? 'waiting' : ''}>
      <th scope="row">
        <span class="letter" aria-hidden="true">${letter(at)}</span
        >${this.renderChoice(run, at, 'policy')}${this.renderChoice(run, at, 'device')}
        ${problem === '' ? nothing : html`<p class="problem">${problem}</p>`}
      </th>
      ${kMetrics.map(
        (metric) =>
          html`${this.renderMetric(metric, result, at, results)}${
            metric.id === 'time' ? this.renderDistance(result, at, results) : nothing
          }`,
      )}
      <td>
        <button
          class="btn icon quiet"
          aria-label="Remove run ${letter(at)}"
          ?disabled=${this.runs.length <= 1}
          @click=${() => this.send({ type: 'compare', runs: this.runs.filter((_, other) => other !== at) })}
        >
          ${icons.close}
        </button>
      </td>
    </tr>`;
  }

  private renderDistance(run: Run | null, at: number, results: readonly (Run | null)[]): TemplateResult {
    const text = run === null ? '–' : distanceText(distanceOf(run, this.peers(at, results)));
    return html`<td class="num distance">${text}</td>`;
  }

  // Of the same device and options: only their bounds and times say something about the run.
  private peers(at: number, results: readonly (Run | null)[]): (Run | null)[] {
    const but = ({ policy: _, ...others }: Options): string => JSON.stringify(others);
    const own = but(this.runs[at]!);
    return results.filter((_, other) => but(this.runs[other]!) === own);
  }

  private renderMetric(metric: Metric, run: Run | null, at: number, results: readonly (Run | null)[]): TemplateResult {
    if (run === null) return html`<td class="num dim">${this.busy ? '…' : '–'}</td>`;
    const value = metric.of(run);
    const best = bestOf(metric, results).includes(at);
    const largest = Math.max(...results.map((other) => (other === null ? 0 : metric.of(other))));
    const bar =
      metric.id === 'time' && largest > 0
        ? html`<i class="bar" aria-hidden="true"><i ${cssProps({ width: `${(100 * value) / largest}%` })}></i></i>`
        : nothing;
    return html`<td
      class="num ${best ? 'best' : ''} ${
        (metric.id === 'failures' || metric.id === 'refused') && value > 0 ? 'bad' : ''
      }"
    >
      ${
        best ? html`<span data-tip="Best of the runs">★<span class="vh"> best:</span></span> ` : nothing
      }${show(metric, value)}${bar}
    </td>`;
  }

  private renderChoice(run: Options, at: number, id: 'policy' | 'device'): TemplateResult {
    const choices = id === 'policy' ? (this.catalog?.policies ?? []) : (this.catalog?.devices ?? []);
    const value = String(
      run[id] ?? this.base[id] ?? this.catalog?.options.find((option) => option.id === id)?.default ?? '',
    );
    return html`<select
      aria-label="${id === 'policy' ? 'Policy' : 'Device'} of run ${letter(at)}"
      @change=${(event: Event) => this.set(at, id, (event.target as HTMLSelectElement).value)}
    >
      ${choices.map(
        (choice) => html`<option value=${choice.id} .selected=${choice.id === value}>${choice.title}</option>`,
      )}
    </select>`;
  }

  private renderOps(results: readonly (Run | null)[]): TemplateResult {
    if (results.filter((run) => run !== null).length < 2)
      return html`<p class="note dim">${this.busy ? 'Running…' : 'Two runs are needed for a comparison.'}</p>`;
    const ops = acrossRuns(results);
    const gains = this.gains(results);
    const gain = new Map(gains === null ? [] : ops.map((op) => [op, gains.of(op)]));
    const differing = ops.filter((op) => op.differs).length;
    const list = ops.filter((op) => this.all_ || op.differs || (gain.get(op)?.time ?? 0) !== 0);
    const weight = (op: OpAcrossRuns): number => gain.get(op)?.time ?? op.spread;
    if (this.bySpread_) list.sort((a, b) => weight(b) - weight(a));
    // stable: those that live elsewhere first
    if (gains !== null) list.sort((a, b) => Number(b.differs) - Number(a.differs));
    const gained = gains === null ? null : results[0]!.totals.time - results[1]!.totals.time;
    return html`<section aria-label="Ops">
      ${this.renderOpsHead(differing, ops.length, gained)}
      <div class="tablebox" tabindex="0" role="group" aria-label="Ops in each run">
        <table class="ops">
          <thead>
            ${this.renderColumns(gains !== null)}
          </thead>
          <tbody>
            ${list.slice(0, this.shown_).map((op) => this.renderOp(op, gain.get(op) ?? null))}
          </tbody>
        </table>
      </div>
      ${
        list.length > this.shown_
          ? html`<p class="actions">
              <button class="btn" @click=${() => (this.shown_ += kPage)}>
                Show ${formatInteger(Math.min(kPage, list.length - this.shown_))} more of ${formatInteger(list.length)}
              </button>
            </p>`
          : nothing
      }
      ${list.length === 0 ? html`<p class="note dim">Every result lives in the same place in all runs.</p>` : nothing}
    </section>`;
  }

  // `gained`: what the optimum gains in all; null for any other comparison.
  private renderOpsHead(differing: number, all: number, gained: number | null): TemplateResult {
    const box = (checked: boolean, text: string, set: (on: boolean) => void): TemplateResult =>
      html`<label
        ><input
          type="checkbox"
          .checked=${checked}
          @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
        />
        ${text}</label
      >`;
    return html`<header class="opshead">
      <h2>${formatInteger(differing)} of ${plural(all, 'op')} ${differing === 1 ? 'lives' : 'live'} elsewhere</h2>
      ${box(this.all_, 'all ops', (on) => (this.all_ = on))}
      ${box(
        this.bySpread_,
        gained === null ? 'largest difference in time first' : 'largest gain first',
        (on) => (this.bySpread_ = on),
      )}
      ${gained === null ? nothing : html`<span class="dim">The optimum gains ${formatTime(gained)} in all.</span>`}
    </header>`;
  }

  private renderColumns(gains: boolean): TemplateResult {
    const help =
      'Time that the optimum needs less for the op, with the reshards, spills and reloads made for it. All gains ' +
      'together are the difference of the two runs';
    return html`<tr>
      <th scope="col">Op</th>
      ${gains ? html`<th scope="col" class="num" data-tip=${help}>Gain</th>` : nothing}${this.runs.map(
        (run, at) =>
          html`<th scope="col">
            <span class="letter" aria-hidden="true">${letter(at)}</span
            >${runTitle(this.reports?.[at] ?? null, run, this.runs)}
          </th>`,
      )}
      ${gains ? html`<th scope="col">Why the run has it otherwise</th>` : nothing}
    </tr>`;
  }

  // Of a run beside the optimum's; null for any other comparison.
  private gains(results: readonly (Run | null)[]): Gains | null {
    const [own, best] = results;
    if (results.length !== 2 || own == null || best == null || !this.isOptimum(1)) return null;
    return new Gains(own, best, this.reports?.[0]?.policy?.title ?? 'The policy');
  }

  private isOptimum(run: number): boolean {
    return hasTrait(this.catalog, this.reports?.[run]?.policy?.id ?? null, 'lower-bound');
  }

  private renderOp(op: OpAcrossRuns, gain: Gain | null): TemplateResult {
    const fastest = Math.min(...op.cells.map((cell) => cell?.time ?? Infinity));
    return html`<tr class=${op.name === this.selected ? 'selected' : ''}>
      <th scope="row">
        <button class="link" @click=${() => this.choose(op)}>${op.label === '' ? op.name : op.label}</button>
        <span class="dim">${shortOp(op.op)}</span>
      </th>
      ${
        gain === null
          ? nothing
          : html`<td class="num ${gain.time > 0 ? 'gain' : 'dim'}">
              ${gain.time === 0 ? '0' : `${gain.time > 0 ? '' : '−'}${formatTime(Math.abs(gain.time))}`}
            </td>`
      }
      ${op.cells.map((cell) =>
        cell === null
          ? html`<td class="dim">–</td>`
          : html`<td>
              ${badge(cell.layout)}
              <span class="t ${op.spread > 0 && cell.time === fastest ? 'best' : ''}">${formatTime(cell.time)}</span>
            </td>`,
      )}
      ${gain === null ? nothing : html`<td class="why dim">${gain.why}</td>`}
    </tr>`;
  }

  private choose(op: OpAcrossRuns): void {
    this.send({ type: 'find', key: { name: op.name, label: op.label, row: 0 } });
  }

  private set(at: number, id: string, value: string): void {
    this.send({ type: 'compare', runs: this.runs.map((run, other) => (other === at ? { ...run, [id]: value } : run)) });
  }

  private add(): void {
    this.send({ type: 'compare', runs: [...this.runs, { ...(this.runs[this.runs.length - 1] ?? {}) }] });
  }

  static override styles = [
    sharedStyles,
    badgeStyles,
    css`
      :host {
        display: block;
        min-height: 0;
        min-width: 0;
        background: var(--panel);
      }
      .scroll {
        height: 100%;
        overflow: auto;
        padding: 10px 14px 24px;
      }
      .tablebox {
        overflow-x: auto;
      }
      tr > :first-child {
        position: sticky;
        left: 0;
        z-index: 1;
        background: var(--panel);
      }
      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        text-align: left;
        padding: 4px 8px 4px 0;
        white-space: nowrap;
        border-bottom: 1px solid var(--line);
        font-weight: 400;
      }
      thead th {
        color: var(--dim);
        font-size: 11.5px;
        vertical-align: bottom;
      }
      .num {
        text-align: right;
      }
      .runs td.num {
        min-width: 58px;
      }
      .runs thead th {
        white-space: normal;
        line-height: 1.2;
      }
      .letter {
        display: inline-grid;
        place-items: center;
        width: 18px;
        height: 18px;
        margin-right: 6px;
        border-radius: 4px;
        background: var(--soft);
        font: 600 11px var(--mono);
        color: var(--dim);
      }
      .runs select {
        max-width: 146px;
        margin-right: 4px;
        text-overflow: ellipsis;
      }
      .best {
        color: var(--good);
        font-weight: 600;
      }
      .bad {
        color: var(--bad);
        font-weight: 600;
      }
      .bar {
        display: block;
        height: 3px;
        border-radius: 2px;
        background: var(--soft);
        margin-top: 2px;
      }
      .bar i {
        display: block;
        height: 100%;
        border-radius: 2px;
        background: var(--t-compute);
      }
      .problem {
        color: var(--bad);
        white-space: normal;
        max-width: 340px;
        font-size: 12px;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 10px;
        padding: 8px 0;
      }
      .opshead {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 4px 16px;
        margin: 14px 0 4px;
      }
      h2 {
        font-size: 14px;
      }
      .opshead label {
        color: var(--dim);
        display: inline-flex;
        gap: 5px;
        align-items: center;
      }
      .ops thead th {
        position: sticky;
        top: 0;
        background: var(--panel);
      }
      .ops th[scope='row'] {
        max-width: 300px;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .ops tr.selected {
        background: var(--select);
      }
      .t {
        font-size: 12px;
        color: var(--dim);
      }
      .t.best {
        color: var(--good);
      }
      .gain {
        color: var(--good);
        font-weight: 600;
      }
      .ops .why {
        white-space: normal;
        min-width: 260px;
        max-width: 560px;
        font-size: 12px;
        line-height: 1.4;
      }
      .note {
        padding: 14px 0;
      }
      @media (max-width: 820px) {
        .runs select {
          display: block;
          max-width: 112px;
          margin: 2px 0;
        }
        .runs th[scope='row'] {
          padding-right: 6px;
        }
        .ops th[scope='row'] {
          max-width: 150px;
        }
      }
    `,
  ];
}

function letter(at: number): string {
  return String.fromCharCode(65 + at);
}

function show(metric: Metric, value: number): string {
  if (metric.unit === 'time') return formatTime(value);
  if (metric.unit === 'count') return formatInteger(value);
  return value < 0 ? `−${formatBytes(-value)}` : formatBytes(value);
}

customElements.define('tessera-compare', TesseraCompare);

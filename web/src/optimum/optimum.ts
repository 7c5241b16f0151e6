// How far the run is from the proven optimum: its distance, what each op's layout costs the whole net, and what the
// optimum does instead.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { CertificateCheck, ExactResult, RegretResult } from '../model/exact';
import { forcedOps, kForcedOption } from '../model/forced';
import { alignedTime, formatInteger, formatTime, plural, shortOp } from '../model/format';
import type { Catalog, Report, Run } from '../model/report';
import type { OptionValue } from '../model/option_values';
import { provingPolicy } from '../model/traits';
import { badgeStyles, wordsBadge } from '../view/badge';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { rowTitle } from '../view/names';
import { boundsChart, boundsPicture } from './bounds_chart';
import { forceSelect, type ForceHooks } from '../view/force_select';
import { dishonoured, type OpTrials } from '../model/trials';
import { distanceOf, forcedCost, regretRows, type RegretOrder, type RegretRow } from '../model/regret_rows';
import { optimumStyles } from './optimum_styles';

const kPage = 300; // rows shown before "show more"

const kForceHelp =
  "Fix the layout of the op's result. Offered is what works under the present policy, with what the run loses by it";
const kColumns = html`<tr>
  <th scope="col">Op</th>
  <th
    scope="col"
    data-tip="What the whole net loses at least because the op runs as it does here, instead of as the optimum has it"
  >
    Regret
  </th>
  <th scope="col">This run</th>
  <th scope="col">Optimum</th>
  <th scope="col" data-tip=${kForceHelp}>Force</th>
</tr>`;

export class TesseraOptimum extends TesseraElement {
  static override properties = {
    result: { attribute: false },
    free: { attribute: false },
    run: { attribute: false },
    forced: { attribute: false },
    report: { attribute: false },
    trials: { attribute: false },
    certificate: { attribute: false },
    catalog: { attribute: false },
    busy: { type: Boolean },
    outdated: { type: Boolean },
    undoable: { type: Boolean },
    problem: { type: String },
    order_: { state: true },
    all_: { state: true },
    shown_: { state: true },
  };
  static override styles = [sharedStyles, badgeStyles, optimumStyles];

  declare result: RegretResult | null;
  declare free: RegretResult | null; // without the forced layouts
  declare run: Run | null;
  declare forced: OptionValue | null; // the option's value
  declare report: Report | null; // the present run
  declare trials: ReadonlyMap<string, OpTrials>;
  declare certificate: CertificateCheck | null;
  declare catalog: Catalog | null;
  declare busy: boolean;
  declare outdated: boolean; // `result` is of an earlier run
  declare undoable: boolean;
  declare problem: string; // why there is no result
  declare order_: RegretOrder;
  declare all_: boolean;
  declare shown_: number;
  private titles_ = new Map<string, string>(); // of ops, as the schedule calls them

  constructor() {
    super();
    this.result = null;
    this.free = null;
    this.run = null;
    this.forced = null;
    this.report = null;
    this.trials = new Map();
    this.certificate = null;
    this.catalog = null;
    this.busy = false;
    this.outdated = false;
    this.undoable = false;
    this.problem = '';
    this.order_ = 'regret';
    this.all_ = false;
    this.shown_ = kPage;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('run')) return;
    this.titles_ = new Map(
      this.run?.rows.flatMap((row) =>
        row.kind === 'op' && row.name !== '' ? [[row.name, rowTitle(this.run!, row)] as const] : [],
      ),
    );
  }

  protected override render(): TemplateResult {
    const { result } = this;
    if (result === null) return this.renderNoResult();
    if (result.regrets === null)
      return html`<p class="note dim">
        There is no optimum of a run with errors: ${result.lint?.diagnostics[0]?.message ?? 'see the source'}
      </p>`;
    return html`<section class="head ${this.outdated ? 'outdated' : ''}" aria-busy=${this.busy}>
        ${this.renderDistance(result)}${this.renderActions()}${this.renderForced(result)}
      </section>
      ${this.renderTable(result)} ${this.renderProof(result)}`;
  }

  private renderNoResult(): TemplateResult {
    if (this.problem === '') return html`<p class="note dim" aria-busy=${this.busy}>Looking for the optimum…</p>`;
    return html`<p class="note dim">
      The optimum was not found: ${this.problem}.
      <button class="link" @click=${() => this.ask({ type: 'prove-longer' })}>Look again, for longer</button>
    </p>`;
  }

  private renderDistance(result: RegretResult): TemplateResult {
    const { exact, time = -1 } = result;
    const distance = distanceOf(result);
    const fact = (title: string, value: string, tip: string): TemplateResult =>
      html`<div class="fact" data-tip=${tip}>
        <dt>${title}</dt>
        <dd>${value}</dd>
      </div>`;
    const bound = exact?.lowerBound ?? result.lowerBound ?? 0;
    return html`<div class="facts">
      <dl>
        ${fact(
          'This run',
          time < 0 ? '–' : formatTime(time),
          `Device time under ${result.policy ?? 'this policy'}, as simulated`,
        )}
        ${
          exact?.proven === true
            ? fact(
                'Optimum',
                formatTime(bound),
                'The proven optimum of layouts and L1 together: a plan that fits takes this, no plan takes less',
              )
            : html`${
                exact === undefined || exact.time < 0
                  ? nothing
                  : fact('Best plan known', formatTime(exact.time), 'The fastest plan that fits, by whatever policy')
              }${fact('Proven bound', formatTime(bound), 'No plan takes less, L1 counted')}`
        }
        ${fact('Distance', distance.value, distance.help)}
        ${
          result.optimum == null
            ? nothing
            : fact(
                'Layouts alone',
                formatTime(result.optimum),
                'The optimum of a simpler model: each op must fit L1 by itself, but tensors that live at ' +
                  'once do not compete for it. Regrets below are measured in this model',
              )
        }
      </dl>
      <p class="status dim" role="status">
        ${
          this.busy
            ? 'Looking for the optimum of the present run…'
            : this.outdated && this.problem !== ''
              ? `The optimum of the present run was not found: ${this.problem}. What you see is of an earlier run.`
              : ''
        }
      </p>
    </div>`;
  }

  private runOptimum(): void {
    const proving = provingPolicy(this.catalog);
    if (proving !== null) this.send({ type: 'option', id: 'policy', value: proving.id });
  }

  private renderProof({ exact }: RegretResult): TemplateResult | typeof nothing {
    if (exact === undefined) return nothing;
    return html`<details class="proof">
      <summary>${exact.proven ? 'How it was proven' : 'How the bound was found'}</summary>
      ${
        exact.time < 0
          ? nothing
          : html`<p>
              ${boundsPicture(exact.bounds) === null ? proofText(exact) : nothing}
              <span class="dim"
                >The bound counts L1 at every step. It holds for the layouts that were tried,
                ${formatInteger(exact.size.candidates)} candidates over ${plural(exact.size.variables, 'choice')}, in
                this order of ops (elimination of width ${exact.size.width}, ${plural(exact.size.cells, 'cell')}).</span
              >
            </p>`
      }
      ${boundsChart(exact)}
    </details>`;
  }

  private renderActions(): TemplateResult {
    const own = this.run?.exact != null && !this.outdated;
    if (own)
      return html`<p class="actions">
        <button
          class="btn"
          ?disabled=${this.certificate?.kind === 'checking'}
          data-tip="Recomputes cost and bound from the solver's log with another program"
          @click=${() => this.ask({ type: 'check-certificate' })}
        >
          Check the certificate
        </button>
        <span role="status">${certificateText(this.certificate)}</span>
      </p>`;
    return html`<p class="actions">
      <button
        class="btn primary"
        data-tip="This run and the optimum's plan side by side, op by op"
        @click=${() => this.send({ type: 'compare-optimum' })}
      >
        What the optimum does instead
      </button>
      <button class="link" @click=${() => this.runOptimum()}>Run the optimum itself</button>
    </p>`;
  }

  private get hooks(): ForceHooks {
    return {
      report: this.report,
      trials: this.trials,
      send: (action) => this.send(action),
      tryLayouts: (name) => this.ask({ type: 'try-layouts', name }),
    };
  }

  // The forced layouts, what they cost, and buttons that take them off.
  private renderForced(result: RegretResult): TemplateResult | typeof nothing {
    const forced = forcedOps(this.forced);
    if (forced.length === 0 && !this.undoable) return nothing;
    return html`<section class="forced" aria-label="Forced layouts">
      <h3>${forced.length === 0 ? 'No layout is forced' : `${plural(forced.length, 'forced layout')}`}</h3>
      <ul>
        ${forced.map(
          ({ name, layout }) =>
            html`<li>
              <span class="mono">${this.titles_.get(name) ?? name}</span>
              ${layout}${this.renderDishonoured(name, layout)}
              <button
                class="btn icon quiet"
                aria-label="Release ${name}"
                data-tip="Release ${name}"
                @click=${() => this.send({ type: 'force', name, layout: '' })}
              >
                ${icons.close}
              </button>
            </li>`,
        )}
      </ul>
      <p role="status">
        ${forced.length === 0 || this.outdated ? nothing : forcedCost(result, this.free, forced.length)}
      </p>
      <p class="actions">
        <button class="btn" ?disabled=${!this.undoable} @click=${() => this.send({ type: 'undo-force' })}>Undo</button>
        ${
          forced.length < 2
            ? nothing
            : html`<button
                class="btn quiet"
                @click=${() => this.send({ type: 'option', id: kForcedOption, value: '' })}
              >
                Release all
              </button>`
        }
      </p>
    </section>`;
  }

  private renderDishonoured(name: string, layout: string): TemplateResult | typeof nothing {
    const now = dishonoured(this.report, name, layout);
    return now === '' ? nothing : html` <b class="dishonoured">not honoured: ${now}</b>`;
  }

  private renderTable(result: RegretResult): TemplateResult {
    const rows = regretRows(result, this.order_, !this.all_);
    const most = Math.max(1, ...rows.map(({ cost }) => cost));
    const pinned = new Set(forcedOps(this.forced).map(({ name }) => name));
    return html`${this.renderBar(rows.length)}
    ${
      rows.length === 0
        ? nothing
        : html`<div
            class="box ${this.outdated ? 'outdated' : ''}"
            tabindex="0"
            role="group"
            aria-label="Regret of every op"
          >
            <table>
              <thead>
                ${kColumns}
              </thead>
              <tbody>
                ${rows.slice(0, this.shown_).map((row) => this.renderRow(row, most, pinned.has(row.name)))}
              </tbody>
            </table>
          </div>`
    }
    ${
      rows.length <= this.shown_
        ? nothing
        : html`<p class="actions">
            <button class="btn" @click=${() => (this.shown_ += kPage)}>
              Show more of ${formatInteger(rows.length)}
            </button>
          </p>`
    }`;
  }

  private renderBar(rows: number): TemplateResult {
    const order = (id: RegretOrder, title: string): TemplateResult =>
      html`<option value=${id} .selected=${this.order_ === id}>${title}</option>`;
    return html`<p class="bar">
      <slot name="tools"></slot
      ><label
        >Order
        <select
          aria-label="Order of the ops"
          @change=${(event: Event) => (this.order_ = (event.target as HTMLSelectElement).value as RegretOrder)}
        >
          ${order('regret', 'costliest first')}${order('schedule', 'schedule')}
        </select></label
      >
      <label
        ><input
          type="checkbox"
          .checked=${this.all_}
          @change=${(event: Event) => (this.all_ = (event.target as HTMLInputElement).checked)}
        />
        Ops where both agree, too</label
      >
      <span class="dim">${plural(rows, 'op')}${this.all_ ? '' : ' where the optimum does something else'}</span>
    </p>`;
  }

  private renderRow(row: RegretRow, most: number, pinned: boolean): TemplateResult {
    const cost = row.cost < 0 ? 'unknown' : row.cost === 0 ? '0' : `+${alignedTime(row.cost, most)}`;
    const same = row.present === row.best;
    return html`<tr>
      <th scope="row">
        <button class="link mono" data-clip @click=${() => this.find(row.name)}>
          ${this.titles_.get(row.name) ?? row.name}
        </button>
        <span class="dim">${shortOp(row.op)}</span>
      </th>
      <td class="heat" ${cssProps({ '--part': `${Math.max(0, (row.cost / most) * 100)}%` })}>${cost}</td>
      <td>
        ${
          row.present === '' ? html`<span class="dim">a layout the solver does not try</span>` : wordsBadge(row.present)
        }
      </td>
      <td class=${same ? 'dim' : ''}>${same && row.cost > 0 ? 'reads other layouts' : wordsBadge(row.best)}</td>
      <td>${forceSelect(row, this.titles_.get(row.name) ?? row.name, pinned, this.hooks)}</td>
    </tr>`;
  }

  private find(name: string): void {
    const row = this.run?.rows[this.run.rows.findIndex((one) => one.name === name)];
    if (row !== undefined) this.send({ type: 'find', key: { name, label: row.label, row: 0 } });
  }
}

function proofText(exact: ExactResult): TemplateResult {
  if (exact.proven)
    return html`<b class="good">Proven</b> by ${exact.method}${exact.bounds.length > 0 ? ' and prices for L1' : ''}: no
      plan made of these layouts takes less than ${formatTime(exact.lowerBound)}.`;
  return html`The best plan
    known${exact.source === 'layouts' || exact.source === 'prices' ? '' : `, that of ${exact.source},`} is
    <b>at most ${(exact.gapPpm / 10_000).toFixed(2)} % above the optimum</b>.`;
}

function certificateText(check: CertificateCheck | null): string {
  if (check === null) return '';
  if (check.kind === 'checking') return 'Checking…';
  if (check.kind === 'none') return check.reason;
  return check.valid
    ? `Valid: no plan of these layouts takes less than ${formatTime(check.lowerBound)}; this one takes ` +
        `${formatTime(check.cost)}.`
    : `Not valid: ${check.reason}`;
}

customElements.define('tessera-optimum', TesseraOptimum);

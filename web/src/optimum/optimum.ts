// How far the run is from the proven optimum: its distance, what each op's layout costs the whole net, and what the optimum does instead.

import { css, html, nothing, svg, type TemplateResult } from 'lit';

import type { CertificateCheck, ExactResult, RegretResult } from '../model/exact';
import { formatInteger, formatTime, plural } from '../model/format';
import type { OptionValue } from '../model/state';
import type { Run } from '../model/report';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { distanceText, overriddenNames, overrideOf, regretRows, withOverride, type RegretOrder, type RegretRow } from './optimum_model';

const kPage = 300; // rows shown before "show more"
const kOverrides = 'override-output-layout';

export class TesseraOptimum extends TesseraElement {
  static override properties = {
    result: { attribute: false }, run: { attribute: false }, exact: { attribute: false }, overrides: { attribute: false }, certificate: { attribute: false },
    busy: { type: Boolean }, order_: { state: true }, all_: { state: true }, shown_: { state: true },
  };
  declare result: RegretResult | null;
  declare run: Run | null;
  declare exact: ExactResult | null; // when the run's policy is Exact
  declare overrides: OptionValue | undefined;
  declare certificate: CertificateCheck | null;
  declare busy: boolean;
  declare order_: RegretOrder;
  declare all_: boolean;
  declare shown_: number;

  constructor() {
    super();
    this.result = null;
    this.run = null;
    this.exact = null;
    this.certificate = null;
    this.busy = false;
    this.order_ = 'regret';
    this.all_ = false;
    this.shown_ = kPage;
  }

  protected override render(): TemplateResult {
    const { result } = this;
    if (result === null) return html`<p class="note dim" aria-busy=${this.busy}>${this.busy ? 'Proving the optimum…' : 'No optimum yet.'}</p>`;
    if (result.regrets === null) return html`<p class="note dim">There is no optimum of a run with errors: ${result.lint?.diagnostics[0]?.message ?? 'see the source'}</p>`;
    return html`<section class="head" aria-busy=${this.busy}>${this.renderDistance(result)}${this.renderProof()}</section>${this.renderTable(result)}`;
  }

  private renderDistance(result: RegretResult): TemplateResult {
    const time = result.time ?? -1;
    const bound = result.lowerBound ?? -1;
    const optimum = result.optimum ?? null;
    const fact = (title: string, value: string, tip: string): TemplateResult => html`<div class="fact" data-tip=${tip}><dt>${title}</dt><dd>${value}</dd></div>`;
    return html`<dl>
      ${fact('This run', formatTime(time), `Device time under ${result.policy ?? 'this policy'}, as simulated`)}
      ${fact(optimum === null ? 'Best of layouts, at least' : 'Best of layouts', formatTime(optimum ?? bound), 'The least time over all layouts and configs that were tried for the ops, where every op fits L1 by itself but tensors do not compete for it')}
      ${fact('Proven bound', formatTime(bound), 'No plan made of these layouts, in this order of ops, takes less')}
      ${fact('Distance', distanceText(time, bound), 'How far this run is above the proven bound')}</dl>`;
  }

  private renderProof(): TemplateResult | typeof nothing {
    const { exact } = this;
    if (exact === null) return html`<p class="dim">Each op below shows what its layout costs the whole net against the best of layouts. <button class="link" @click=${() => this.send({ type: 'option', id: 'policy', value: 'Exact' })}>Run the optimum itself</button></p>`;
    const { size } = exact;
    return html`<p>${exact.proven ? html`<b class="good">Proven optimal</b> by ${exact.method}` : html`<b>Within ${(exact.gapPpm / 10_000).toFixed(2)} % of the optimum</b>, by ${exact.method}; the plan comes from ${exact.source}`}
        <span class="dim">over ${plural(size.variables, 'choice')} with ${plural(size.ways, 'way')} to run, width ${size.width}, ${plural(size.cells, 'cell')}.</span></p>
      ${renderBounds(exact)}
      <p class="check"><button class="btn" ?disabled=${this.certificate?.kind === 'checking'} data-tip="Recomputes cost and bound from the solver's log with another program" @click=${() => this.ask({ type: 'check-certificate' })}>Check the certificate</button>
        <span role="status">${certificateText(this.certificate)}</span></p>`;
  }

  private renderTable(result: RegretResult): TemplateResult {
    const rows = regretRows(result, this.order_, !this.all_);
    const most = Math.max(1, ...rows.map(({ regret }) => regret));
    const pinned = overriddenNames(this.overrides);
    return html`<p class="bar"><label>Order <select aria-label="Order of the ops" @change=${(event: Event) => (this.order_ = (event.target as HTMLSelectElement).value as RegretOrder)}>
          <option value="regret" .selected=${this.order_ === 'regret'}>costliest first</option><option value="schedule" .selected=${this.order_ === 'schedule'}>schedule</option></select></label>
        <label><input type="checkbox" .checked=${this.all_} @change=${(event: Event) => (this.all_ = (event.target as HTMLInputElement).checked)} /> Ops where both agree, too</label>
        <span class="dim">${plural(rows.length, 'op')}${this.all_ ? '' : ' where the optimum does something else'}</span>
        ${pinned.size === 0 ? nothing : html`<button class="link" @click=${() => this.send({ type: 'option', id: kOverrides, value: '' })}>Release ${plural(pinned.size, 'forced op')}</button>`}</p>
      <div class="box" tabindex="0" role="group" aria-label="Regret of every op"><table><thead><tr><th scope="col">Op</th><th scope="col">Regret</th><th scope="col">This run</th><th scope="col">Optimum</th><th scope="col">Force</th></tr></thead>
        <tbody>${rows.slice(0, this.shown_).map((row) => this.renderRow(row, most, pinned.has(row.name)))}</tbody></table></div>
      ${rows.length <= this.shown_ ? nothing : html`<p><button class="btn" @click=${() => (this.shown_ += kPage)}>Show more of ${formatInteger(rows.length)}</button></p>`}`;
  }

  private renderRow(row: RegretRow, most: number, pinned: boolean): TemplateResult {
    const regret = row.regret < 0 ? 'unknown' : row.regret === 0 ? '0' : `+${formatTime(row.regret)}`;
    return html`<tr><th scope="row"><button class="link" @click=${() => this.find(row.name)}><span class="mono">${row.name}</span></button> <span class="dim">${row.op}</span></th>
      <td class="heat" ${cssProps({ '--part': `${Math.max(0, (row.regret / most) * 100)}%` })}>${regret}</td><td>${row.present === '' ? html`<span class="dim">a layout the solver does not try</span>` : row.present}</td>
      <td class=${row.present === row.best ? 'dim' : ''}>${row.best}</td>
      <td>${this.renderForce(row, pinned)}</td></tr>`;
  }

  private renderForce(row: RegretRow, pinned: boolean): TemplateResult {
    const choices = row.choices.filter(({ layout }) => overrideOf(layout) !== '');
    return html`<select aria-label="Force the layout of ${row.name}" class=${pinned ? 'pinned' : ''} @change=${(event: Event) => this.send({ type: 'option', id: kOverrides, value: withOverride(this.overrides, row.name, (event.target as HTMLSelectElement).value) })}>
      <option value="" .selected=${!pinned}>${pinned ? 'release' : '–'}</option>
      ${choices.map(({ layout, regret }) => html`<option value=${layout} .selected=${pinned && layout === row.present} ?disabled=${regret < 0}>${layout} (${regret < 0 ? 'impossible' : `+${formatTime(regret)}`})</option>`)}</select>`;
  }

  private find(name: string): void {
    const row = this.run?.rows.findIndex((one) => one.name === name) ?? -1;
    if (row >= 0) this.send({ type: 'select', row });
  }

  static override styles = [sharedStyles, css`
    :host { display: block; overflow: auto; min-height: 0; min-width: 0; padding: 10px 14px 24px; background: var(--panel); }
    .head > * + * { margin-top: 8px; } dl { display: flex; flex-wrap: wrap; gap: 6px 26px; margin: 0; }
    dt { font-size: 11px; text-transform: uppercase; letter-spacing: .04em; color: var(--dim); } dd { margin: 0; font-size: 17px; font-weight: 650; font-variant-numeric: tabular-nums; }
    .good { color: var(--good); } .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; margin-top: 14px; } .check { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
    .box { overflow-x: auto; border: 1px solid var(--line); border-radius: 7px; margin-top: 6px; }
    table { border-collapse: collapse; width: 100%; } th, td { text-align: left; font-weight: 400; padding: 3px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
    thead th { color: var(--dim); font-size: 11.5px; } td { font-variant-numeric: tabular-nums; }
    .heat { background: linear-gradient(to right, var(--bad-soft) var(--part), transparent var(--part)); min-width: 90px; }
    td select { max-width: 180px; } select.pinned { border-color: var(--accent); color: var(--accent); }
    svg { display: block; width: 100%; max-width: 520px; height: 110px; } .upper { stroke: var(--bad); } .lower { stroke: var(--good); } polyline { fill: none; stroke-width: 1.6; } text { fill: var(--dim); font-size: 11px; }
    .note { padding: 14px; }
  `];
}

// Upper and lower bound by round while L1 was priced; nothing where one round was enough.
function renderBounds(exact: ExactResult): TemplateResult | typeof nothing {
  const { bounds } = exact;
  if (bounds.length < 2) return nothing;
  const least = Math.min(...bounds.map(([, , lower]) => lower));
  const most = Math.max(...bounds.map(([, upper]) => upper));
  const x = (at: number): number => 4 + (at / (bounds.length - 1)) * 512;
  const y = (time: number): number => 100 - ((time - least) / Math.max(1, most - least)) * 90;
  const line = (time: (of: readonly [number, number, number]) => number): string => bounds.map((of, at) => `${x(at).toFixed(1)},${y(time(of)).toFixed(1)}`).join(' ');
  const [, upper, lower] = bounds.at(-1)!;
  return html`<figure><svg viewBox="0 0 520 110" role="img" aria-label="Best plan ${formatTime(upper)} and bound ${formatTime(lower)} after ${bounds.length} rounds">
      ${svg`<polyline class="upper" points=${line(([, up]) => up)} /><polyline class="lower" points=${line(([, , low]) => low)} />`}</svg>
    <figcaption class="dim">Best plan so far (above) and proven bound (below) over ${plural(bounds.length, 'round')} of pricing L1: ${formatTime(upper)} and ${formatTime(lower)}.</figcaption></figure>`;
}

function certificateText(check: CertificateCheck | null): string {
  if (check === null) return '';
  if (check.kind === 'checking') return 'Checking…';
  if (check.kind === 'none') return check.reason;
  return check.valid ? `Valid: no plan of these layouts takes less than ${formatTime(check.lowerBound)}; this one takes ${formatTime(check.cost)}.` : `Not valid: ${check.reason}`;
}

customElements.define('tessera-optimum', TesseraOptimum);

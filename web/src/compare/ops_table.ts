// The ops of the compared runs whose results live elsewhere, and beside the optimum what each would gain.

import { html, nothing, type TemplateResult } from 'lit';

import { formatInteger, formatTime, plural, shortOp } from '../model/format';
import type { Options } from '../model/option_values';
import type { Catalog, Report, Run } from '../model/report';
import { hasTrait } from '../model/traits';
import { badge } from '../view/badge';
import { shownName } from '../view/names';
import { acrossRuns, runTitle, type OpAcrossRuns } from './compare_model';
import { Gains, type Gain } from './gains';
import { letter } from './letters';

export interface OpsTable {
  readonly catalog: Catalog | null;
  readonly runs: readonly Options[];
  readonly reports: readonly Report[] | null;
  readonly results: readonly (Run | null)[];
  readonly busy: boolean;
  readonly selected: string; // name of an op's result
  readonly all: boolean; // also ops that live in the same place
  readonly bySpread: boolean;
  readonly shown: number; // rows at most
  readonly made: number; // of these, the rows that are made by now
  readonly page: number; // rows that are added
  readonly setAll: (on: boolean) => void;
  readonly setBySpread: (on: boolean) => void;
  readonly showMore: () => void;
  readonly choose: (op: OpAcrossRuns) => void;
}

export function opsTable(table: OpsTable): TemplateResult {
  const { results } = table;
  if (results.filter((run) => run !== null).length < 2)
    return html`<p class="note dim">${table.busy ? 'Running…' : 'Two runs are needed for a comparison.'}</p>`;
  const ops = acrossRuns(results);
  const gains = gainsOf(table);
  const gain = new Map(gains === null ? [] : ops.map((op) => [op, gains.of(op)]));
  const differing = ops.filter((op) => op.differs).length;
  const list = ops.filter((op) => table.all || op.differs || (gain.get(op)?.time ?? 0) !== 0);
  const weight = (op: OpAcrossRuns): number => gain.get(op)?.time ?? op.spread;
  if (table.bySpread) list.sort((a, b) => weight(b) - weight(a));
  // stable: those that live elsewhere first
  if (gains !== null) list.sort((a, b) => Number(b.differs) - Number(a.differs));
  const gained = gains === null ? null : results[0]!.totals.time - results[1]!.totals.time;
  const left = list.length - table.shown;
  return html`<section aria-label="Ops">
    ${head(table, differing, ops.length, gained)}
    <div class="tablebox" tabindex="0" role="group" aria-label="Ops in each run">
      <table class="ops">
        <thead>
          ${columns(table, gains !== null)}
        </thead>
        <tbody>
          ${list.slice(0, table.made).map((op) => opRow(table, op, gain.get(op) ?? null))}
        </tbody>
      </table>
    </div>
    ${
      left > 0
        ? html`<p class="actions">
            <button class="btn" @click=${table.showMore}>
              Show ${formatInteger(Math.min(table.page, left))} more of ${formatInteger(list.length)}
            </button>
          </p>`
        : nothing
    }
    ${list.length === 0 ? html`<p class="note dim">Every result lives in the same place in all runs.</p>` : nothing}
  </section>`;
}

// `gained`: what the optimum gains in all; null for any other comparison.
function head(table: OpsTable, differing: number, all: number, gained: number | null): TemplateResult {
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
    ${box(table.all, 'all ops', table.setAll)}
    ${box(
      table.bySpread,
      gained === null ? 'largest difference in time first' : 'largest gain first',
      table.setBySpread,
    )}
    ${gained === null ? nothing : html`<span class="dim">The optimum gains ${formatTime(gained)} in all.</span>`}
  </header>`;
}

function columns({ runs, reports }: OpsTable, gains: boolean): TemplateResult {
  const help =
    'Time that the optimum needs less for the op, with the reshards, spills and reloads made for it. All gains ' +
    'together are the difference of the two runs';
  return html`<tr>
    <th scope="col">Op</th>
    ${gains ? html`<th scope="col" class="num" data-tip=${help}>Gain</th>` : nothing}${runs.map(
      (run, at) =>
        html`<th scope="col">
          <span class="letter" aria-hidden="true">${letter(at)}</span>${runTitle(reports?.[at] ?? null, run, runs)}
        </th>`,
    )}
    ${gains ? html`<th scope="col">Why the run has it otherwise</th>` : nothing}
  </tr>`;
}

// Of a run beside the optimum's; null for any other comparison.
function gainsOf({ catalog, reports, results }: OpsTable): Gains | null {
  const [own, best] = results;
  const isOptimum = hasTrait(catalog, reports?.[1]?.policy?.id ?? null, 'lower-bound');
  if (results.length !== 2 || own == null || best == null || !isOptimum) return null;
  return new Gains(own, best, reports?.[0]?.policy?.title ?? 'The policy');
}

function opRow({ selected, choose }: OpsTable, op: OpAcrossRuns, gain: Gain | null): TemplateResult {
  const fastest = Math.min(...op.cells.map((cell) => cell?.time ?? Infinity));
  return html`<tr class=${op.name === selected ? 'selected' : ''}>
    <th scope="row">
      <button class="link" @click=${() => choose(op)}>${shownName(op.label === '' ? op.name : op.label)}</button>
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

// The totals of the compared runs, the fastest first, each with what it sets.

import { kOutside } from '../model/outside';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { kOwnPlan, kPinned } from '../model/compared_runs';
import { formatBytes, formatInteger, formatTime } from '../model/format';
import type { Options, OptionValue } from '../model/option_values';
import { kReoptimize } from '../model/plan';
import type { Catalog, OptionInfo, Report, Run } from '../model/report';
import { readsOption } from '../model/traits';
import { cssProps } from '../view/element';
import { icons } from '../view/icons';
import { optionControl } from '../view/option_control';
import { bestOf, byTime, distanceOf, kMetrics, type Distance, type Metric } from './compare_model';
import { letter } from './letters';

export interface RunsTable {
  readonly catalog: Catalog | null;
  readonly runs: readonly Options[];
  readonly base: Options;
  readonly reports: readonly Report[] | null;
  readonly results: readonly (Run | null)[];
  readonly busy: boolean;
  readonly fixed: boolean; // the runs stay as they are
  readonly planTitle: string; // of the plan in use; ''
  readonly open: number; // run whose options are shown
  readonly setOpen: (at: number) => void;
  readonly compare: (runs: readonly Options[]) => void;
}

const kDistanceHelp =
  'How much longer than the proven bound, where a run of this device and options has one (policy Exact), else than ' +
  'the fastest of them';
const kOwnColumn: ReadonlySet<string> = new Set(['policy', 'device', 'function', kPinned, kOwnPlan]);

export function runsTable(table: RunsTable): TemplateResult {
  return html`<div class="tablebox" tabindex="0" role="group" aria-label="Totals of the runs">
    <table class="runs">
      <thead>
        <tr>
          <th scope="col">Run</th>
          ${kMetrics.map(
            ({ id, help, title }) =>
              html`<th scope="col" class="num" data-tip=${help}>${title}</th>
                ${id === 'time' ? html`<th scope="col" class="num" data-tip=${kDistanceHelp}>Distance</th>` : nothing}`,
          )}
          <th><span class="vh">Options, remove</span></th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          byTime(table.results),
          (at) => at,
          (at) => runRow(table, at),
        )}
      </tbody>
    </table>
  </div>`;
}

function runRow(table: RunsTable, at: number): TemplateResult {
  const { runs, results, reports, open } = table;
  const run = runs[at]!;
  const result = results[at] ?? null;
  const report = reports?.[at] ?? null;
  const problem = report !== null && report.run === null ? (report.diagnostics[0]?.message ?? 'no result') : '';
  return html`<tr class=${result === null ? 'waiting' : ''} data-run=${at}>
      <th scope="row">
        <span class="letter" aria-hidden="true">${letter(at)}</span>${
          run[kOwnPlan] === true
            ? html`<b class="plan">Plan ${table.planTitle}</b>`
            : choice(table, at, 'policy', table.catalog?.policies ?? [])
        }${choice(table, at, 'device', table.catalog?.devices ?? [])}
        ${problem === '' ? nothing : html`<p class="problem">${problem}</p>`}
      </th>
      ${kMetrics.map(
        (metric) => html`${metricCell(table, metric, at)}${metric.id === 'time' ? distanceCell(table, at) : nothing}`,
      )}
      <td>${table.fixed ? nothing : html`${optionsButton(table, at)}${removeButton(table, at)}`}</td>
    </tr>
    ${open === at ? optionsRow(table, at) : nothing}`;
}

function optionsButton({ catalog, runs, open, setOpen }: RunsTable, at: number): TemplateResult {
  const count = catalog === null ? 0 : ownOptions(catalog, runs[at]!).length;
  return html`<button
    class="btn icon quiet"
    aria-label="Options of run ${letter(at)}${count > 0 ? `, ${count} set` : ''}"
    aria-expanded=${open === at ? 'true' : 'false'}
    data-tip="Options that this run sets for itself"
    @click=${() => setOpen(open === at ? -1 : at)}
  >
    ${icons.sliders}${count > 0 ? html`<span class="several">${count}</span>` : nothing}
  </button>`;
}

function removeButton({ runs, compare, setOpen }: RunsTable, at: number): TemplateResult {
  return html`<button
    class="btn icon quiet"
    aria-label="Remove run ${letter(at)}"
    ?disabled=${runs.length <= 1}
    @click=${() => {
      setOpen(-1);
      compare(runs.filter((_, other) => other !== at));
    }}
  >
    ${icons.close}
  </button>`;
}

function ownOptions(catalog: Catalog, run: Options): OptionInfo[] {
  return catalog.options.filter(({ id }) => run[id] !== undefined && !kOwnColumn.has(id));
}

// What the run sets for itself, and whatever else it may set.
function optionsRow(table: RunsTable, at: number): TemplateResult | typeof nothing {
  const { catalog, runs, base } = table;
  if (catalog === null) return nothing;
  const run = runs[at]!;
  const own = ownOptions(catalog, run);
  const policy = String(run['policy'] ?? base['policy'] ?? defaultOf(catalog, 'policy'));
  const others = catalog.options.filter(
    (info) => !kOwnColumn.has(info.id) && run[info.id] === undefined && readsOption(info, policy),
  );
  const name = letter(at);
  return html`<tr class="set">
    <td colspan=${kMetrics.length + 3}>
      <ul aria-label="Options of run ${name}">
        ${own.map((info) => ownOption(table, at, info))}
        <li>
          <select
            aria-label="Set another option of run ${name}"
            .value=${''}
            @change=${(event: Event) => {
              const field = event.target as HTMLSelectElement;
              const info = others.find(({ id }) => id === field.value);
              field.value = '';
              if (info !== undefined) setOption(table, at, info.id, base[info.id] ?? info.default);
            }}
          >
            <option value="">Set an option…</option>
            ${others.map(({ id, title }) => html`<option value=${id}>${title}</option>`)}
          </select>
        </li>
        <li>
          <label
            ><input
              type="checkbox"
              .checked=${run[kPinned] === true}
              @change=${(event: Event) => {
                const { checked } = event.target as HTMLInputElement;
                setOption(table, at, kPinned, checked ? true : null);
              }}
            />
            pinned: the toolbar’s options do not apply</label
          >
        </li>
      </ul>
    </td>
  </tr>`;
}

function ownOption(table: RunsTable, at: number, info: OptionInfo): TemplateResult {
  const name = letter(at);
  return html`<li>
    <span data-tip=${info.help}>${info.title}</span>${optionControl(info, table.runs[at]![info.id]!, {
      id: `run-${at}-${info.id}`,
      help: '',
      label: `${info.title} of run ${name}`,
      set: (value) => setOption(table, at, info.id, value),
    })}<button
      class="btn icon quiet"
      aria-label="Leave ${info.title} of run ${name} to the toolbar"
      @click=${() => setOption(table, at, info.id, null)}
    >
      ${icons.close}
    </button>
  </li>`;
}

// `value`: null leaves it to the page.
function setOption({ runs, compare }: RunsTable, at: number, id: string, value: OptionValue | null): void {
  const { [id]: _, ...others } = runs[at]!;
  const changed = value === null ? others : { ...others, [id]: value };
  compare(runs.map((run, other) => (other === at ? changed : run)));
}

function defaultOf(catalog: Catalog | null, id: string): OptionValue {
  return catalog?.options.find((option) => option.id === id)?.default ?? '';
}

function choice(
  table: RunsTable,
  at: number,
  id: 'policy' | 'device',
  choices: readonly { readonly id: string; readonly title: string }[],
): TemplateResult {
  const value = String(table.runs[at]![id] ?? table.base[id] ?? defaultOf(table.catalog, id));
  if (table.fixed) {
    const { policy, device } = table.reports?.[at] ?? { policy: null, device: null };
    return html`<span>${id === 'policy' ? (policy?.title ?? value) : ` · ${device?.title ?? value}`}</span>`;
  }
  return html`<select
    aria-label="${id === 'policy' ? 'Policy' : 'Device'} of run ${letter(at)}"
    @change=${(event: Event) => setOption(table, at, id, (event.target as HTMLSelectElement).value)}
  >
    ${choices.map((one) => html`<option value=${one.id} .selected=${one.id === value}>${one.title}</option>`)}
  </select>`;
}

function distanceCell(table: RunsTable, at: number): TemplateResult {
  const run = table.results[at] ?? null;
  const text = run === null ? '–' : distanceText(distanceOf(run, peers(table, at)));
  return html`<td
    class="num distance"
    data-tip=${text.endsWith('outside') ? `It takes less than the bound: ${kOutside}` : nothing}
  >
    ${text}
  </td>`;
}

function distanceText(distance: Distance | null): string {
  if (distance === null) return '–';
  const { from, percent } = distance;
  if (percent < -0.05) return `−${(-percent).toFixed(1)} %, outside`;
  return percent < 0.05 ? (from === 'optimum' ? 'optimal' : 'fastest') : `+${percent.toFixed(1)} %`;
}

// Of the same device and options: only their bounds and times say something about the run.
function peers({ runs, results, base }: RunsTable, at: number): (Run | null)[] {
  const own = peerKey(base, runs[at]!);
  return results.filter((_, other) => peerKey(base, runs[other]!) === own);
}

const kSamePeers: ReadonlySet<string> = new Set(['policy', kPinned, kOwnPlan, kReoptimize]);

function peerKey(base: Options, run: Options): string {
  const all = Object.entries(run[kPinned] === true ? run : { ...base, ...run });
  return JSON.stringify(all.filter(([id]) => !kSamePeers.has(id)).sort());
}

function metricCell({ results, busy }: RunsTable, metric: Metric, at: number): TemplateResult {
  const run = results[at] ?? null;
  if (run === null) return html`<td class="num dim">${busy ? '…' : '–'}</td>`;
  const value = metric.of(run);
  const best = bestOf(metric, results).includes(at);
  const largest = Math.max(...results.map((other) => (other === null ? 0 : metric.of(other))));
  const bar =
    metric.id === 'time' && largest > 0
      ? html`<i class="bar" aria-hidden="true"><i ${cssProps({ width: `${(100 * value) / largest}%` })}></i></i>`
      : nothing;
  const bad = (metric.id === 'failures' || metric.id === 'refused') && value > 0;
  return html`<td class="num ${best ? 'best' : ''} ${bad ? 'bad' : ''}">
    ${
      best ? html`<span data-tip="Best of the runs">★<span class="vh"> best:</span></span> ` : nothing
    }${show(metric, value)}${bar}
  </td>`;
}

function show(metric: Metric, value: number): string {
  if (metric.unit === 'time') return formatTime(value);
  if (metric.unit === 'count') return formatInteger(value);
  return value < 0 ? `−${formatBytes(-value)}` : formatBytes(value);
}

// A study as tables and charts: in the page's view and in the single file that opens from disk.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatInteger, plural } from '../model/format';
import type { Study } from '../model/generated/study';
import { cssProps, sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { causesChart, colorOf, growthChart, headroomChart, policyMark, qualityChart, ratioChart } from './study_charts';
import type { Drawing } from './study_charts';
import './study_chart';
import {
  at,
  causesOf,
  costText,
  firstSetting,
  kCauses,
  percentText,
  policiesOf,
  ratioText,
  sliceOf,
  summarize,
  type Setting,
  type Slice,
  type SliceRun,
  type StudyData,
} from './study_model';
import './study_runs';
import { reportStyles, seriesStyles } from './study_styles';

type Cell = string | TemplateResult;

const kFailureHeads = ['Graph', 'Device', 'Policy', 'What became of it', 'Why'];
const kHelp = {
  ratio:
    'How many times the bound that Exact proves the run of a policy takes: 1 is the optimum. The best of each graph ' +
    'is in bold.',
  causes:
    'Each value that could be in L1 and is not, by the first cause that holds; a return is no loss: no policy may ' +
    'keep a result there.',
  headroom: 'The part of the L1 budget that neither tensors nor circular buffers take at any step.',
  quality:
    'Time to decide, mean over the graphs, against the time of what was decided. Policies of a graph share the ' +
    'answers of the op model, so that the first one pays for the others; “tessera study --alone” measures ' +
    'each by itself.',
  growth: 'Time to decide by the number of ops of the graph, both on logarithmic axes.',
};

interface Charts {
  readonly ratio: Drawing;
  readonly causes: Drawing;
  readonly headroom: Drawing;
  readonly quality: Drawing;
  readonly growth: Drawing;
}

export class TesseraStudyReport extends TesseraElement {
  static override properties = {
    data: { attribute: false },
    openable: { type: Boolean },
    setting_: { state: true },
    query_: { state: true },
    losers_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, seriesStyles, reportStyles];

  declare data: StudyData;
  declare openable: boolean; // a run that is clicked can be shown
  declare setting_: Setting | null;
  declare query_: string;
  declare losers_: string; // the policy whose causes are shown; '': the first one
  private slice_: Slice | null = null;
  private charts_: Charts | null = null;

  constructor() {
    super();
    this.openable = false;
    this.setting_ = null;
    this.query_ = '';
    this.losers_ = '';
  }

  private get setting(): Setting {
    const { devices, axes } = this.data.study.arguments;
    const chosen = this.setting_;
    const known =
      chosen !== null &&
      devices.includes(chosen.device) &&
      chosen.values.length === axes.length &&
      axes.every(({ values }, axis) => values.includes(chosen.values[axis]!));
    return known ? chosen : firstSetting(this.data.study);
  }

  private get loser(): string {
    const policies = policiesOf(this.data.study);
    if (policies.includes(this.losers_)) return this.losers_;
    return policies.find((policy) => policy === 'DFSharding') ?? policies[0] ?? '';
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!['data', 'setting_', 'query_', 'losers_'].some((name) => changed.has(name))) return;
    const slice = sliceOf(this.data, this.setting, this.query_);
    this.slice_ = slice;
    this.charts_ = {
      ratio: ratioChart(slice),
      causes: causesChart(slice, this.loser),
      headroom: headroomChart(slice),
      quality: qualityChart(slice),
      growth: growthChart(slice),
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const slice = this.slice_;
    if (slice === null || this.charts_ === null) return nothing;
    return html`<div class="all">
      ${this.renderFilters()} ${this.renderFailures()}
      ${
        slice.graphs.length === 0
          ? html`<p class="dim">No graph has “${this.query_}” in its name.</p>`
          : this.renderSections(slice, this.charts_)
      }
      <section>
        <h2>Runs</h2>
        <p class="dim">
          Every run with its figures. A heading sorts by its
          column${this.openable ? '; the name of a graph opens the run in the other views' : ''}.
        </p>
        <tessera-study-runs
          .study=${this.data.study}
          .runs=${slice.runs}
          ?openable=${this.openable}
        ></tessera-study-runs>
      </section>
    </div>`;
  }

  private renderFilters(): TemplateResult {
    const { study } = this.data;
    const { devices, axes } = study.arguments;
    const { setting } = this;
    const choice = (
      title: string,
      values: readonly string[],
      now: string | undefined,
      take: (value: string) => void,
    ): TemplateResult | typeof nothing =>
      values.length < 2
        ? nothing
        : html`<label
            >${title}
            <select @change=${(event: Event) => take((event.target as HTMLSelectElement).value)}>
              ${values.map((value) => html`<option value=${value} ?selected=${value === now}>${value}</option>`)}
            </select></label
          >`;
    return html`<p class="sum">${summaryOf(study)}</p>
      <div class="filters">
        ${choice('Device', devices, setting.device, (device) => (this.setting_ = { ...setting, device }))}
        ${axes.map(({ option, values }, axis) =>
          choice(
            option,
            values,
            setting.values[axis],
            (value) => (this.setting_ = { ...setting, values: setting.values.with(axis, value) }),
          ),
        )}
        <label
          >Graphs
          <input
            type="search"
            placeholder="part of a name"
            .value=${this.query_}
            @input=${(event: Event) => (this.query_ = (event.target as HTMLInputElement).value)}
        /></label>
      </div>`;
  }

  // Of the whole study: a failure must not hide behind a filter.
  private renderFailures(): TemplateResult | typeof nothing {
    const failed = this.data.study.runs.filter(({ row }) => row === null);
    if (failed.length === 0) return nothing;
    const shown = failed.slice(0, 100);
    const more = failed.length - shown.length;
    return html`<section>
      <h2>Runs without a result</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Runs without a result">
        <table>
          <thead>
            <tr>
              ${kFailureHeads.map((head) => html`<th scope="col">${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (run) =>
                html`<tr>
                  <th scope="row">${run.graph}</th>
                  <td>${[run.device, ...run.values].join(', ')}</td>
                  <td>${run.policy}</td>
                  <td class="bad">${run.status}</td>
                  <td class="reason">${run.reason}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${more > 0 ? html`<p class="dim">and ${formatInteger(more)} more</p>` : nothing}
    </section>`;
  }

  private renderSections(slice: Slice, charts: Charts): TemplateResult {
    return html`${this.renderPolicies(slice)}
    ${this.section(
      'Time over the proven bound',
      kHelp.ratio,
      this.legend(slice.policies),
      charts.ratio,
      this.byGraph(slice, 'Time over the proven bound', ({ run }) => ratioText(run.ratio), bestRatio),
    )}
    ${this.section(
      'Why values are not in L1',
      kHelp.causes,
      this.causesLegend(slice),
      charts.causes,
      this.causesTable(slice),
    )}
    ${this.section(
      'Headroom of L1',
      kHelp.headroom,
      this.legend(slice.policies),
      charts.headroom,
      this.byGraph(slice, 'Headroom of L1', ({ run }) => percentText((run.row?.headroom ?? 0) * 1000)),
    )}
    ${this.section(
      'What a policy costs and what it gives',
      kHelp.quality,
      this.legend(slice.policies),
      charts.quality,
      this.qualityTable(slice),
    )}
    ${this.section(
      'How the cost grows',
      kHelp.growth,
      this.legend(slice.policies),
      charts.growth,
      this.byGraph(slice, 'Time to decide', ({ cost }) => costText(cost), undefined, true),
    )}`;
  }

  private section(
    title: string,
    help: string,
    legend: TemplateResult,
    draw: Drawing,
    table: TemplateResult,
  ): TemplateResult {
    return html`<section>
      <h2>${title}</h2>
      <p class="dim">${help}</p>
      <div class="pair">
        <figure>
          ${legend}
          <tessera-study-chart .draw=${draw} .label=${`${title}: a chart of the table beside it`}></tessera-study-chart>
        </figure>
        ${table}
      </div>
    </section>`;
  }

  private legend(policies: readonly string[]): TemplateResult {
    return html`<ul class="legend" aria-label="Policies">
      ${policies.map((policy) => html`<li>${hiddenMark(policies, policy)} ${policy}</li>`)}
    </ul>`;
  }

  private causesLegend(slice: Slice): TemplateResult {
    const take = (event: Event): void => {
      this.losers_ = (event.target as HTMLSelectElement).value;
    };
    return html`<label class="inline"
        >Policy
        <select @change=${take}>
          ${slice.policies.map((policy) => html`<option ?selected=${policy === this.loser}>${policy}</option>`)}
        </select></label
      >
      <ul class="legend" aria-label="Causes">
        ${kCauses.map(([, word], index) => html`<li><i ${cssProps({ background: colorOf(index) })}></i> ${word}</li>`)}
      </ul>`;
  }

  private table(title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table>
        <thead>
          <tr>
            ${heads.map((head, column) => html`<th scope="col" class=${column === 0 ? '' : 'number'}>${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([name, ...cells]) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${cells.map((cell) => (typeof cell === 'string' ? html`<td class="number">${cell}</td>` : cell))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  // A line per graph, a column per policy.
  private byGraph(
    slice: Slice,
    title: string,
    cell: (run: SliceRun) => string,
    best?: (slice: Slice, graph: string) => number,
    withOps = false,
  ): TemplateResult {
    const rows = slice.graphs.map((graph): readonly Cell[] => {
      const least = best?.(slice, graph);
      const cells = slice.policies.map((policy): Cell => {
        const found = at(slice, graph, policy);
        if (found === undefined) return html`<td class="number dim">…</td>`;
        if (found.run.row === null)
          return html`<td class="number bad" title=${found.run.reason}>${found.run.status}</td>`;
        const isBest = least !== undefined && found.run.ratio !== null && found.run.ratio <= least;
        return isBest ? html`<td class="number best">${cell(found)}</td>` : cell(found);
      });
      const ops = slice.policies
        .map((policy) => at(slice, graph, policy)?.run.row?.ops)
        .find((count) => count !== undefined);
      return [graph, ...(withOps ? [ops === undefined ? '–' : formatInteger(ops)] : []), ...cells];
    });
    return this.table(title, ['Graph', ...(withOps ? ['Ops'] : []), ...slice.policies], rows);
  }

  private causesTable(slice: Slice): TemplateResult {
    const policy = this.loser;
    const rows = slice.graphs.map((graph): readonly Cell[] => {
      const row = at(slice, graph, policy)?.run.row ?? null;
      if (row === null) return [graph, ...kCauses.map(() => '–'), '–', '–'];
      return [graph, ...causesOf(row).map(formatInteger), formatInteger(row.leftL1), formatInteger(row.roomLeft)];
    });
    const heads = ['Graph', ...kCauses.map(([, word]) => word), 'were in L1', 'L1 had room'];
    return this.table(`Why values are not in L1 under ${policy}`, heads, rows);
  }

  private renderPolicies(slice: Slice): TemplateResult {
    const heads = ['Policy', 'Runs', 'Failed', 'Mean ratio', 'Worst', 'At the bound', 'Left L1', 'Reloads', 'Reshards'];
    const rows = slice.policies.map((policy): readonly Cell[] => {
      const sum = summarize(policy, slice.runs);
      return [
        policy,
        formatInteger(sum.runs),
        formatInteger(sum.failed),
        ratioText(sum.meanRatio),
        ratioText(sum.worstRatio),
        formatInteger(sum.atBound),
        ...sum.moves.map(formatInteger),
        percentText(sum.meanHeadroom),
        percentText(sum.leastHeadroom),
      ];
    });
    return html`<section>
      <h2>Policies</h2>
      <p class="dim">
        Over the graphs below: the time of a run over the proven bound of its graph (mean is geometric), what was moved
        (out of L1 for want of room or demoted, back, within it), and how much of L1 was never taken.
      </p>
      ${this.table('Policies', [...heads, 'Headroom', 'Least'], rows)}
    </section>`;
  }

  private qualityTable(slice: Slice): TemplateResult {
    const rows = slice.policies.map((policy): readonly Cell[] => {
      const { cost, meanRatio, worstRatio } = summarize(policy, slice.runs);
      return [policy, costText(cost), ratioText(meanRatio), ratioText(worstRatio)];
    });
    return this.table('Cost and quality', ['Policy', 'Time to decide', 'Mean ratio', 'Worst ratio'], rows);
  }
}

function hiddenMark(policies: readonly string[], policy: string): Element {
  const mark = policyMark(policies, policy);
  mark.setAttribute('aria-hidden', 'true');
  return mark;
}

const bestRatio = (slice: Slice, graph: string): number =>
  Math.min(...slice.policies.map((policy) => at(slice, graph, policy)?.run.ratio ?? Infinity));

function summaryOf(study: Study): string {
  const { devices, axes, timeLimit } = study.arguments;
  const failed = study.runs.filter(({ row }) => row === null).length;
  const parts = [
    plural(study.graphs.length, 'graph'),
    plural(policiesOf(study).length, 'policy', 'policies'),
    devices.join(' and '),
    ...axes.map(({ option, values }) => `${option} ${values.join(', ')}`),
    `${plural(study.runs.length, 'run')}${failed === 0 ? '' : `, ${formatInteger(failed)} without a result`}`,
    `at most ${formatInteger(timeLimit / 1000)} s each`,
  ];
  return parts.join(' · ');
}

customElements.define('tessera-study-report', TesseraStudyReport);

// The why panel: what the selected op does, where its result lives and why, and the other candidates.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import type { RegretResult } from '../model/exact';
import type { Advice, Applied } from '../model/changes';
import { decisionsOf } from '../model/decisions';
import { formatBytes, formatShape, plural, shortOp } from '../model/format';
import { kindOf } from '../model/layout_kind';
import type { Candidate, Decision, DeviceInfo, Layout, Report, Row, Run } from '../model/report';
import type { OpTrials } from '../model/trials';
import type { OptionValue } from '../model/option_values';
import { heatCells, type HeatCell } from '../model/regret_heat';
import { badge, badgeStyles } from '../view/badge';
import { chainMarks, chainText } from '../view/chain_marks';
import { sharedStyles, TesseraElement } from '../view/element';
import { icons } from '../view/icons';
import { boxesAtStep, buildMap, type MapPicture } from '../view/map_geometry';
import { timeStyles } from '../view/time_patterns';
import { isInserted, kindWord, rowTitle, valueTitle, wholeName } from '../view/names';
import { besideOptimumView } from './beside_optimum';
import { coreGridView } from './core_grid';
import { l1BarView } from './l1_bar';
import { overview } from './overview';
import { placementView } from './placement';
import { queryView } from './query';
import { appliedNote, gainsView, remediesView, type RemedyHooks } from './remedies';
import { storyOf, type Piece } from './story';
import { whyStyles } from './why_styles';

const kMostListed = 12;
const kVerdictTitles = {
  clash: 'Buffers clash',
  out_of_memory: 'Out of memory',
  use_after_free: 'Use after free',
} as const;

export class TesseraWhy extends TesseraElement {
  static override properties = {
    run: { attribute: false },
    device: { attribute: false },
    selected: { type: Number },
    regret: { attribute: false },
    free: { attribute: false },
    forced: { attribute: false },
    report: { attribute: false },
    trials: { attribute: false },
    advice: { attribute: false },
    applied: { attribute: false },
    fixed: { type: Boolean },
    planned: { type: Boolean },
  };
  static override styles = [sharedStyles, badgeStyles, timeStyles, whyStyles];

  declare run: Run | null;
  declare device: DeviceInfo | null;
  declare selected: number;
  declare regret: RegretResult | null; // of this run; null: not known yet
  declare free: RegretResult | null; // without the forced layouts
  declare forced: OptionValue | null;
  declare report: Report | null; // the present run
  declare trials: ReadonlyMap<string, OpTrials>;
  declare advice: Advice | null;
  declare applied: Applied | null;
  declare fixed: boolean; // a plan from outside decides
  declare planned: boolean; // the map shows planned addresses
  private cells_: ReadonlyMap<number, HeatCell> = new Map();
  private map_: MapPicture | null = null;

  constructor() {
    super();
    this.run = null;
    this.device = null;
    this.selected = -1;
    this.regret = null;
    this.free = null;
    this.forced = null;
    this.report = null;
    this.trials = new Map();
    this.advice = null;
    this.applied = null;
    this.fixed = false;
    this.planned = false;
  }

  focusPanel(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('run') || changed.has('regret'))
      this.cells_ = this.run === null || this.regret === null ? new Map() : heatCells(this.run, this.regret);
    if (!changed.has('run') && !changed.has('device')) return;
    this.map_ = this.run === null || this.device === null ? null : buildMap(this.run, this.device);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('selected')) this.scrollTop = 0;
  }

  private readonly goTo = (row: number): void => this.send({ type: 'select', row });

  protected override render(): TemplateResult | typeof nothing {
    const run = this.run;
    if (run === null) return nothing;
    const row = run.rows[this.selected];
    return row === undefined
      ? html`${this.foldButton()}${overview(
          run,
          this.goTo,
          placementView(run, this.planned, (planned) =>
            this.send({ type: 'view', view: { planned, main: 'schedule', tab: 'map' } }),
          ),
          html`${appliedNote(this.remedies)}${gainsView(this.remedies)}`,
        )}`
      : this.renderRow(run, row);
  }

  private get remedies(): RemedyHooks {
    return {
      report: this.report,
      advice: this.advice,
      applied: this.applied,
      planned: this.fixed,
      send: (action) => this.send(action),
      tryChanges: (name) => this.ask({ type: 'try-changes', name }),
    };
  }

  private foldButton(): TemplateResult {
    return html`<button
      class="btn icon quiet fold"
      aria-label="Hide the why pane"
      data-tip="Gives its room to the schedule and the L1 map"
      @click=${() => this.send({ type: 'view', view: { whyOpen: false } })}
    >
      ${icons.expand}
    </button>`;
  }

  private renderRow(run: Run, row: Row): TemplateResult {
    const result = run.values[row.results[0] ?? -1];
    const decisions = decisionsOf(run, this.selected);
    return html`${this.foldButton()}
      <h2 tabindex="-1">${wholeName(run, row)}</h2>
      ${this.renderSubtitle(run, row)}
      ${
        row.verdict === null
          ? nothing
          : html`<div class="verdict" role="note"><b>${kVerdictTitles[row.verdict.kind]}</b>${row.verdict.text}</div>`
      }
      ${
        result === undefined
          ? nothing
          : html`<p class="result">
              ${badge(result.layout)} <span class="mono">${formatShape(result.shape)} ${result.dtype}</span>
            </p>`
      }
      <div class="story">
        ${storyOf(run, this.selected, decisions).map(
          (sentence) => html`<p>${sentence.map((piece) => this.renderPiece(piece))}</p>`,
        )}
      </div>
      ${appliedNote(this.remedies)} ${row.kind === 'op' ? remediesView(row.name, this.remedies) : nothing}
      ${decisions.map((decision, at) => this.renderDecision(run, decision, at))}
      ${besideOptimumView(
        { regret: this.regret, free: this.free, forced: this.forced, cells: this.cells_ },
        this.selected,
        rowTitle(run, row),
        {
          report: this.report,
          trials: this.trials,
          send: (action) => this.send(action),
          tryLayouts: (name) => this.ask({ type: 'try-layouts', name }),
        },
      )}
      ${this.renderChain(run, row)} ${queryView(run, row, this.goTo)}
      ${row.results.length > 0 ? this.renderConsumers(run, row) : nothing}
      <section>
        <h3>L1 per core at this step</h3>
        ${l1BarView(run, row, this.map_ === null ? [] : boxesAtStep(this.map_, this.selected), this.goTo)}
      </section>
      ${this.renderCores(result?.layout ?? null)}`;
  }

  private renderSubtitle(run: Run, row: Row): TemplateResult {
    const chain = row.chain >= 0 && run.chainSummary === undefined ? ` · chain ${row.chain}` : '';
    const { place } = row;
    return html`<p class="sub">
      ${isInserted(row) ? kindWord(row) : row.op}${
        row.label !== '' && row.name !== '' ? html` · <span class="mono">${row.name}</span>` : nothing
      }
      · step
      ${this.selected}${chain}${
        place === null
          ? nothing
          : html` ·
              <button
                class="link"
                @click=${() => this.ask({ type: 'go-to-line', line: place.line, column: place.column })}
              >
                line ${place.line}
              </button>`
      }
    </p>`;
  }

  private renderCores(layout: Layout | null): TemplateResult | typeof nothing {
    if (layout === null || this.device === null) return nothing;
    if (kindOf(layout) === 'dram' || kindOf(layout) === 'system') return nothing;
    return html`<section>
      <h3>Result on the cores</h3>
      ${coreGridView(layout, this.device)}
    </section>`;
  }

  private renderPiece(piece: Piece): TemplateResult | string {
    if (typeof piece === 'string') return piece;
    return html`<button class="link mono" @click=${() => this.goTo(piece.row)}>${piece.text}</button>`;
  }

  private renderDecision(run: Run, decision: Decision, at: number): TemplateResult {
    return html`${
      at === 0
        ? nothing
        : html`<p class="why"><b class="mono">${valueTitle(run, decision.value)}</b>: ${decision.summary}</p>`
    }
    ${
      decision.candidates.length === 0
        ? nothing
        : html`<section>
            <h3>${plural(decision.candidates.length, 'candidate')}</h3>
            <table>
              <thead>
                <tr>
                  <th scope="col">Layout</th>
                  <th scope="col">Verdict</th>
                </tr>
              </thead>
              <tbody>
                ${groupCandidates(decision.candidates).map(candidateRow)}
              </tbody>
            </table>
          </section>`
    }`;
  }

  // Of the chain generation: the chain that the op belongs to and what keeps its result in L1.
  private renderChain(run: Run, row: Row): TemplateResult | typeof nothing {
    const marks = chainMarks(run);
    const chain = marks?.chains[marks.chainOf.get(this.selected) ?? -1];
    const kept = marks?.kept.get(row.results[0] ?? -1);
    if (chain === undefined && kept === undefined) return nothing;
    return html`<section>
      <h3>L1 chain</h3>
      ${chain === undefined ? nothing : html`<p>${chainText(chain)}</p>`}
      ${
        kept === undefined
          ? nothing
          : html`<p class="dim">
              ${formatBytes(kept.bytes)} of each core’s L1 are kept for the result in steps ${kept.from} to ${kept.to}
              (${kept.text}).
            </p>`
      }
    </section>`;
  }

  private renderConsumers(run: Run, row: Row): TemplateResult {
    const uses = [...new Set(row.results.flatMap((value) => run.values[value]?.uses ?? []))];
    if (uses.length === 0)
      return html`<section>
        <h3>Consumers</h3>
        <p class="dim">None: the result is not used.</p>
      </section>`;
    return html`<section>
      <h3>${uses.length === 1 ? 'Consumer' : `${uses.length} consumers`}</h3>
      <ul class="values">
        ${uses.slice(0, kMostListed).map((use) => {
          const consumer = run.rows[use];
          if (consumer === undefined) return nothing;
          return html`<li>
            <button class="link mono" data-clip @click=${() => this.goTo(use)}>${rowTitle(run, consumer)}</button
            ><span class="dim" data-clip>${shortOp(consumer.op)}</span><span class="num">step ${use}</span>
          </li>`;
        })}
      </ul>
      ${more(uses.length)}
    </section>`;
  }
}

function more(count: number): TemplateResult | typeof nothing {
  return count > kMostListed ? html`<p class="dim">and ${count - kMostListed} more</p>` : nothing;
}

// The chosen first, then what was worse, then what was refused; candidates with the same verdict stand together.
export function groupCandidates(candidates: readonly Candidate[]): Candidate[][] {
  const rank = { chosen: 0, worse: 1, rejected: 2 };
  const groups = new Map<string, Candidate[]>();
  for (const candidate of [...candidates].sort((a, b) => rank[a.status] - rank[b.status])) {
    const about = candidate.needed > 0 && candidate.reason !== '' ? candidate.available : candidate.text;
    const key = JSON.stringify([candidate.status, candidate.reason, about]);
    groups.set(key, [...(groups.get(key) ?? []), candidate]);
  }
  return [...groups.values()];
}

// For candidates that differ in what they need alone.
function neededText(group: readonly Candidate[]): string {
  const needs = group.map(({ needed }) => needed);
  return (
    `need ${formatBytes(Math.min(...needs))} to ${formatBytes(Math.max(...needs))} per core, ` +
    `${formatBytes(group[0]!.available)} are available`
  );
}

function candidateRow(group: readonly Candidate[]): TemplateResult {
  const first = group[0]!;
  const text = group.every((candidate) => candidate.text === first.text) ? first.text : neededText(group);
  const verdict = html`<b class="status">${first.status}</b>${text !== '' ? html` <span>${text}</span>` : nothing}`;
  if (group.length > 1) {
    return html`<tr class=${first.status}>
      <td colspan="2">${verdict}<span class="several">${group.map((candidate) => badge(candidate.layout))}</span></td>
    </tr>`;
  }
  return html`<tr class=${first.status}>
    <td>
      ${badge(first.layout)}<span class="each"
        >${first.layout.bytesPerCore > 0 ? `${formatBytes(first.layout.bytesPerCore)} / core` : ''}</span
      >
    </td>
    <td>${verdict}</td>
  </tr>`;
}

customElements.define('tessera-why', TesseraWhy);

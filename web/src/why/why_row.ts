// What the why panel says about the selected op. It comes in a chunk of its own: the first picture does without.

import { html, nothing, type TemplateResult } from 'lit';

import { decisionsOf } from '../model/decisions';
import type { RegretResult } from '../model/exact';
import { formatBytes, formatShape, plural, shortOp, withTimes } from '../model/format';
import { kindOf } from '../model/layout_kind';
import type { OptionValue } from '../model/option_values';
import type { HeatCell } from '../model/regret_heat';
import type { Candidate, Decision, DeviceInfo, Layout, Report, Row, Run } from '../model/report';
import type { Action } from '../model/state';
import type { OpTrials } from '../model/trials';
import { policyDoc, refusalDoc } from '../model/doc_links';
import { badge } from '../view/badge';
import { freeL1 } from '../view/map_tip';
import { asideLink, docLink } from '../view/doc_link';
import { chainMarks, chainText } from '../view/chain_marks';
import { boxesAtStep, type MapPicture } from '../view/map_geometry';
import { isInserted, kindWord, rowTitle, shownName, valueTitle, wholeName } from '../view/names';
import { besideOptimumView } from './beside_optimum';
import { bytesPerCore, coreBytesView, coreGridView } from './core_grid';
import { l1BarView } from './l1_bar';
import { queryView } from './query';
import { appliedNote, remediesView, type RemedyHooks } from './remedies';
import { storyOf } from '../view/story';
import type { Piece } from '../view/story_pieces';

const kMostListed = 12;
const kVerdictTitles = {
  clash: 'Buffers clash',
  out_of_memory: 'Out of memory',
  use_after_free: 'Use after free',
} as const;

export interface RowScene {
  readonly run: Run;
  readonly selected: number; // row
  readonly device: DeviceInfo | null;
  readonly map: MapPicture | null;
  readonly regret: RegretResult | null;
  readonly free: RegretResult | null; // without the forced layouts
  readonly forced: OptionValue | null;
  readonly report: Report | null;
  readonly trials: ReadonlyMap<string, OpTrials>;
  readonly cells: ReadonlyMap<number, HeatCell>;
  readonly remedies: RemedyHooks;
  readonly goTo: (row: number) => void;
  readonly goToLine: ((line: number, column: number) => void) | null; // null: there is no source to show
  readonly tryLayouts: (name: string) => void;
  readonly send: (action: Action) => void;
}

export function whyRow(scene: RowScene, row: Row): TemplateResult {
  const { run, selected, goTo } = scene;
  const result = run.values[row.results[0] ?? -1];
  const decisions = decisionsOf(run, selected);
  return html`<h2 tabindex="-1">${wholeName(run, row)}</h2>
    ${renderSubtitle(scene, row)}
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
      ${storyOf(run, selected, decisions).map(
        (sentence) => html`<p>${sentence.map((piece) => renderPiece(scene, piece))}</p>`,
      )}
    </div>
    ${appliedNote(scene.remedies)} ${row.kind === 'op' ? remediesView(row.name, scene.remedies) : nothing}
    ${decisions.map((decision, at) => renderDecision(run, decision, at))}
    ${besideOptimumView(
      { regret: scene.regret, free: scene.free, forced: scene.forced, cells: scene.cells },
      selected,
      rowTitle(run, row),
      {
        report: scene.report,
        trials: scene.trials,
        send: scene.send,
        tryLayouts: scene.tryLayouts,
      },
    )}
    ${renderChain(scene, row)} ${queryView(run, row, goTo)}
    ${row.results.length > 0 ? renderConsumers(scene, row) : nothing} ${renderL1(scene, row)}
    ${renderCores(scene, result?.layout ?? null)}`;
}

function renderSubtitle(scene: RowScene, row: Row): TemplateResult {
  const { run } = scene;
  const chain = row.chain >= 0 && run.chainSummary === undefined ? ` · chain ${row.chain}` : '';
  const { place } = row;
  return html`<p class="sub">
    ${isInserted(row) ? kindWord(row) : row.op}${
      row.label !== '' && row.name !== '' ? html` · <span class="mono">${shownName(row.name)}</span>` : nothing
    }
    · step ${scene.selected}${chain}${place === null ? nothing : html` · ${lineLink(scene.goToLine, place)}`}
  </p>`;
}

function lineLink(goToLine: RowScene['goToLine'], { line, column }: NonNullable<Row['place']>): TemplateResult {
  return goToLine === null
    ? html`line ${line}`
    : html`<button class="link" @click=${() => goToLine(line, column)}>line ${line}</button>`;
}

function renderL1(scene: RowScene, row: Row): TemplateResult {
  const { run } = scene;
  const boxes = scene.map === null ? [] : boxesAtStep(scene.map, scene.selected);
  return html`<section>
    <h3>L1 per core at this step</h3>
    ${l1BarView(run, row, boxes, scene.map === null ? null : freeL1(run, scene.map, scene.selected), scene.goTo)}
    ${
      scene.device === null || row.l1.peak === 0
        ? nothing
        : coreBytesView(
            bytesPerCore(run, row, boxes, scene.device),
            run.l1Budget,
            scene.device,
            `L1 of each core at step ${scene.selected}`,
          )
    }
  </section>`;
}

function renderCores(scene: RowScene, layout: Layout | null): TemplateResult | typeof nothing {
  if (layout === null || scene.device === null) return nothing;
  if (kindOf(layout) === 'dram' || kindOf(layout) === 'system') return nothing;
  return html`<section>
    <h3>Result on the cores</h3>
    ${coreGridView(layout, scene.device)}
  </section>`;
}

function renderPiece(scene: RowScene, piece: Piece): TemplateResult | string {
  if (typeof piece === 'string') return piece;
  if ('doc' in piece) return docLink(piece.doc, piece.text);
  return html`<button class="link mono" @click=${() => scene.goTo(piece.row)}>${piece.text}</button>`;
}

function renderDecision(run: Run, decision: Decision, at: number): TemplateResult {
  return html`${
    at === 0
      ? nothing
      : html`<p class="why"><b class="mono">${valueTitle(run, decision.value)}</b>: ${withTimes(decision.summary)}</p>`
  }
  ${
    decision.candidates.length === 0
      ? nothing
      : html`<section>
          <h3>${candidatesTitle(decision)} ${asideLink(policyDoc(run), 'how one is chosen')}</h3>
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

// A decision lists so many at most (core/plan/decision_log.h).
const kMostCandidates = 16;

function candidatesTitle({ candidates }: Decision): string {
  return candidates.length < kMostCandidates
    ? plural(candidates.length, 'candidate')
    : `The first ${kMostCandidates} candidates`;
}

// Of the chain generation: the chain that the op belongs to and what keeps its result in L1.
function renderChain(scene: RowScene, row: Row): TemplateResult | typeof nothing {
  const { run } = scene;
  const marks = chainMarks(run);
  const chain = marks?.chains[marks.chainOf.get(scene.selected) ?? -1];
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

function renderConsumers(scene: RowScene, row: Row): TemplateResult {
  const { run } = scene;
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
          <button class="link mono" data-clip @click=${() => scene.goTo(use)}>${rowTitle(run, consumer)}</button
          ><span class="dim" data-clip>${shortOp(consumer.op)}</span><span class="num">step ${use}</span>
        </li>`;
      })}
    </ul>
    ${more(uses.length)}
  </section>`;
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
  const rule =
    first.status === 'rejected' && first.reason !== '' ? asideLink(refusalDoc(first.reason), 'Rule') : nothing;
  const verdict = html`<b class="status">${first.status}</b
    >${text !== '' ? html` <span>${withTimes(text)}</span>` : nothing} ${rule}`;
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

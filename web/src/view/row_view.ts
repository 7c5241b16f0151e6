// One row of the schedule as a template. Pure: everything comes in by argument.

import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';

import { formatBytes, formatInteger, formatShape, formatTime, plural } from '../model/format';
import { kindOf, kindText } from '../model/layout_kind';
import { moveKind } from '../model/moves';
import type { Row, Run, ValueInfo } from '../model/report';
import type { HeatCell } from '../model/regret_heat';
import { badge } from './badge';
import { chainMarks } from './chain_marks';
import { cssProps } from './element';
import { icons } from './icons';
import { kindWord, nameEnd, rowTitle, usualType } from './names';
import type { RelatedRows } from './related_rows';
import type { RowOrder } from './row_order';
import { kRowHeight, type Column, type Fold } from './schedule_geometry';
import { kTimeParts, timeSegments } from './time_geometry';
import { timeFill } from './time_patterns';

export interface RowContext extends RelatedRows {
  readonly run: Run;
  readonly columns: readonly Column[];
  readonly selected: number;
  readonly matches: ReadonlySet<number> | null; // null: no search
  readonly timeScale: number;
  readonly bars: boolean;
  readonly nameRoom: number; // characters of a name
  readonly heat: ReadonlyMap<number, HeatCell>; // by row; empty while the optimum is not known
  readonly fold: Fold;
  readonly hidden: number; // rows that the fold hides
  readonly order: RowOrder;
  readonly setFold: (open: boolean) => void;
}

export function rowId(row: number): string {
  return `row-${row}`;
}

export function rowView(context: RowContext, index: number): TemplateResult {
  const row = context.run.rows[index]!;
  const folded = context.hidden > 0 && index === context.hidden;
  const classes = {
    row: true,
    selected: index === context.selected,
    operand: context.operandRows.has(index),
    consumer: context.consumerRows.has(index),
    unmatched: context.matches !== null && !context.matches.has(index),
    matched: context.matches?.has(index) ?? false,
    folded,
    failed: row.verdict !== null,
    [`is-${moveKind(row) ?? row.kind}`]: true,
  };
  return html`<div
    id=${rowId(index)}
    class=${classMap(classes)}
    role="row"
    aria-rowindex=${index + 2}
    aria-selected=${index === context.selected ? 'true' : 'false'}
    ${cssProps({ top: `${context.order.lineOf(index) * kRowHeight}px` })}
  >
    ${context.columns.map((column) => (folded ? foldedCell(context, column, row) : cell(context, row, index, column)))}
  </div>`;
}

const kJoined: ReadonlySet<Column> = new Set(['op', 'shape', 'place']);

// All rows of the fold as one; its words take the room of name, shape and place.
function foldedCell(context: RowContext, column: Column, row: Row): TemplateResult | typeof nothing {
  const { columns, fold, run } = context;
  const joined = columns.filter((one) => kJoined.has(one)).length;
  switch (column) {
    case 'step':
      return html`<span role="gridcell" class="step" data-tip="Steps 0 to ${fold.rows - 1}">0…</span>`;
    case 'op':
      return html`<span
        role="gridcell"
        class="op"
        aria-colspan=${joined}
        ${cssProps({ 'grid-column': `span ${joined}` })}
        >${foldButton(context)}<span data-clip>${plural(fold.values, 'cached weight')}</span>${
          joined > 1 ? html`<i>${foldPlaces(run, fold.rows)}</i>` : nothing
        }</span
      >`;
    case 'shape':
    case 'place':
      return nothing;
    case 'cores':
    case 'dram':
    case 'regret':
      return html`<span role="gridcell" class=${column}></span>`;
    default:
      return cell(context, row, context.hidden, column);
  }
}

// Where the folded rows' values live: "DRAM", "DRAM, host".
function foldPlaces(run: Run, rows: number): string {
  const values = run.rows.slice(0, rows).flatMap(({ results }) => results);
  return [...new Set(values.map((value) => kindText(kindOf(run.values[value]?.layout))))].sort().join(', ');
}

// Opens the fold, or closes it.
function foldButton({ fold, hidden, setFold }: RowContext): TemplateResult {
  const closed = hidden > 0;
  const toggle = (event: Event): void => {
    event.stopPropagation();
    setFold(closed);
  };
  return html`<button
    class="fold"
    tabindex="-1"
    aria-expanded=${closed ? 'false' : 'true'}
    aria-label="${plural(fold.values, 'cached weight')}, computed once when the model is loaded"
    data-tip=${
      closed
        ? `Computed once, when the model was loaded: ${plural(fold.rows, 'step')} that cost no time. A click shows each`
        : 'Makes the cached weights one row again'
    }
    @click=${toggle}
  >
    ${closed ? icons.unfold : icons.down}
  </button>`;
}

// Without what all tensors begin with and the element type of most of them; the whole is in the explanation.
function shapeText(run: Run, { shape, dtype }: ValueInfo): TemplateResult {
  const short = formatShape(shape.replace(/^(1x)+(?=\d+x\d)/, ''));
  const type = dtype === usualType(run) ? nothing : html` <i>${dtype}</i>`;
  return html`<span data-tip="${formatShape(shape)} ${dtype}">${short}${type}</span>`;
}

function cell(context: RowContext, row: Row, index: number, column: Column): TemplateResult {
  const result = context.run.values[row.results[0] ?? row.operands[0] ?? -1];
  switch (column) {
    case 'step':
      return html`<span role="gridcell" class="step">${index}</span>`;
    case 'lanes':
      return html`<span role="gridcell" class="lane"
        ><span class="vh">${laneText(context.run, row, index)}</span></span
      >`;
    case 'op':
      return nameCell(context, row, index);
    case 'shape':
      return html`<span role="gridcell" class="shape" data-clip
        >${result === undefined ? nothing : shapeText(context.run, result)}</span
      >`;
    case 'place':
      return html`<span role="gridcell" class="place"
        >${row.results.length > 0 && result !== undefined ? badge(result.layout) : nothing}</span
      >`;
    case 'cores':
      return html`<span role="gridcell" class="cores">${row.cores > 0 ? formatInteger(row.cores) : nothing}</span>`;
    case 'time':
      return html`<span role="gridcell" class="time">${timeBar(row, context.timeScale, context.bars)}</span>`;
    case 'dram':
      return html`<span role="gridcell" class="dram"
        >${row.dramBytes > 0 ? formatBytes(row.dramBytes) : nothing}</span
      >`;
    case 'regret':
      return heatCell(context.heat.get(index));
    case 'map':
      return html`<span role="gridcell" class="mapcell"
        ><span class="vh"
          >${row.l1.peak > 0 ? `L1 peak ${formatInteger(row.l1.peak)} bytes` : 'nothing in L1'}</span
        ></span
      >`;
  }
}

function nameCell(context: RowContext, row: Row, index: number): TemplateResult {
  const title = rowTitle(context.run, row);
  const shown = nameEnd(title, context.nameRoom);
  const word = kindWord(row);
  return html`<span role="gridcell" class="op" data-clip data-tip=${shown === title ? nothing : `${title} ${word}`}
    >${index === 0 && context.fold.rows > 0 ? foldButton(context) : nothing}${shown}
    <i>${word}</i>${verdictTag(row)}</span
  >`;
}

// Colour and figure say the same.
function heatCell(heat: HeatCell | undefined): TemplateResult {
  if (heat === undefined) return html`<span role="gridcell" class="regret"></span>`;
  return html`<span role="gridcell" class="regret heat-${Math.max(0, heat.level)}" data-tip=${heat.tip}
    >${heat.text}</span
  >`;
}

function laneText(run: Run, row: Row, index: number): string {
  const marks = chainMarks(run);
  if (marks === null) return row.chain < 0 ? 'no chain' : `chain ${row.chain}`;
  const chain = marks.chains[marks.chainOf.get(index) ?? -1];
  return chain === undefined ? 'no chain' : `chain ${chain.letter}, ${chain.state}`;
}

function verdictTag(row: Row): TemplateResult | typeof nothing {
  if (row.verdict === null) return nothing;
  return html`<b class="verdict">${row.verdict.kind === 'clash' ? 'clash' : 'out of memory'}</b>`;
}

const kBarHeight = 14; // the bar has 8 of them, each of the two strips 2

function timeBar(row: Row, scale: number, bars: boolean): TemplateResult {
  if (row.time.total <= 0) return html`<span class="figure dim">–</span>`;
  const cut = row.time.total > scale;
  const figure = html`<span class="figure" data-tip=${timeTip(row)}>${formatTime(row.time.total)}</span>`;
  if (!bars) return figure;
  return html`<svg class="bar" viewBox="0 0 100 ${kBarHeight}" preserveAspectRatio="none" aria-hidden="true">
      ${timeSegments(row.time, scale).map(
        (part) => svg`<rect class="t-${part.part}" fill=${timeFill(part.part)} x=${part.x * 100}
            width=${Math.max(0.8, Math.min(100 - part.x * 100, part.width * 100))}
      y=${part.strip < 0 ? 0 : 9 + part.strip * 3} height=${part.strip < 0 ? 8 : 2}/>`,
      )}${cut ? svg`<path class="cut" d="M94 -1l-3 10M97 -1l-3 10"/>` : nothing}</svg
    >${figure}`;
}

export function timeTip(row: Row): string {
  const parts = kTimeParts
    .filter(({ part }) => row.time[part] > 0)
    .map(({ part, title }) => `${title} ${formatTime(row.time[part])}`);
  const bound =
    row.bound === 'none'
      ? ''
      : ` Bound by ${
          row.bound === 'fixed'
            ? 'fixed cost'
            : row.bound === 'noc'
              ? 'the NoC'
              : row.bound === 'dram'
                ? 'DRAM'
                : 'compute'
        }.`;
  return `${formatTime(row.time.total)}: ${parts.join(', ')}.${bound}`;
}

export const rowStyles = css`
  .row {
    position: absolute;
    left: 0;
    right: 0;
    height: var(--row);
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    border-bottom: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
    cursor: default;
    font-variant-numeric: tabular-nums;
    contain: layout style; /* no paint: each row would be a layer to compose */
  }
  .row:hover {
    background: var(--hover);
  }
  .row.selected {
    background: var(--select);
    box-shadow: inset 3px 0 var(--accent);
  }
  /* What the selected op reads points down to it, what reads its result points up. */
  .row.operand::before,
  .row.consumer::before {
    content: '';
    position: absolute;
    left: 0;
    top: calc(50% - 5px);
    border: 5px solid transparent;
  }
  .row.operand::before {
    border-top-color: var(--accent);
  }
  .row.consumer::before {
    border-bottom-color: var(--good);
  }
  .row.unmatched > span,
  .row.unmatched .badge,
  .row.unmatched i {
    color: var(--dim) !important;
  }
  .row.unmatched .badge,
  .row.unmatched > .op {
    border-color: transparent;
    font-weight: 400;
  }
  .row.unmatched .bar {
    opacity: 0.4;
  }
  .row.matched .op {
    text-decoration: underline;
    text-decoration-color: var(--accent);
    text-underline-offset: 3px;
  }
  .row > span {
    padding: 0 8px;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .row > .step {
    color: var(--dim);
    text-align: right;
    font: 11px var(--mono);
    padding: 0 6px 0 4px;
  }
  .row > .op {
    font: 12px var(--mono);
    padding-left: 4px;
  }
  .row i {
    font-style: normal;
    color: var(--dim);
  }
  .row.folded > .op {
    color: var(--dim);
    font: 12px var(--sans);
    display: flex;
    align-items: center;
    gap: 4px;
    padding-right: 12px;
  }
  .row.folded > .op > i {
    margin-left: auto;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .fold {
    border: 0;
    background: none;
    padding: 0 3px 0 0;
    color: inherit;
    cursor: pointer;
    vertical-align: -3px;
  }
  .row > .shape {
    font: 11px var(--mono);
    color: var(--ink);
    padding: 0 4px;
  }
  .row > .place {
    padding: 0 0 0 4px; /* a badge of a grid of two digits by one fits */
  }
  .row > .cores,
  .row > .dram {
    text-align: right;
    padding: 0 8px 0 0;
    color: var(--dim);
    font: 11.5px var(--mono);
  }
  .row > .time {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 0 8px 0 4px;
    justify-content: flex-end;
  }
  .row > .regret {
    height: 100%;
    line-height: var(--row);
    text-align: right;
    padding: 0 6px 0 2px;
    font-size: 11.5px;
    color: var(--ink);
  }
  .row > .heat-0 {
    color: var(--dim);
  }
  .row.is-spill > .op,
  .row.is-spill > .op i {
    color: var(--bad);
  }
  .row.is-reshard > .op,
  .row.is-reshard > .op i,
  .row.is-reload > .op,
  .row.is-reload > .op i {
    color: var(--reshard);
  }
  .row.failed {
    background: var(--bad-soft);
  }
  .verdict {
    font: 600 11px var(--sans);
    color: var(--bad);
    margin-left: 6px;
  }
  .bar {
    flex: 1 1 auto;
    min-width: 0;
    height: 14px;
    overflow: hidden;
  }
  .figure {
    flex: none;
    width: 46px;
    text-align: right;
    color: var(--dim);
    font-size: 11.5px;
  }
  .cut {
    stroke: var(--panel);
    stroke-width: 1.5;
    vector-effect: non-scaling-stroke;
  }
`;

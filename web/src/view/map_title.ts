// The head of the L1 map: its axis, what is cut out of it, addresses planned ahead, and the budget.

import { html, nothing, type TemplateResult } from 'lit';

import { formatBytes, plural } from '../model/format';
import type { Run } from '../model/report';
import type { ViewSettings } from '../model/state';
import { chainMarks } from './chain_marks';
import type { MapPicture } from './map_geometry';
import { placementText } from './placement_text';

export interface MapTitle {
  readonly run: Run;
  readonly map: MapPicture;
  readonly planned: boolean; // the map shows addresses planned ahead
  readonly width: number; // CSS pixels of the column
  readonly first: boolean | null; // the map takes the room of the table's columns; null: no choice
  readonly set: (view: Partial<ViewSettings>) => void;
}

function mapHelp({ base, end }: MapPicture, keptMarks: boolean): string {
  return (
    `Across: addresses in one core's L1, from the first usable byte (${formatBytes(base)}) to its end ` +
    `(${formatBytes(end)}). Tensors are placed from the right, circular buffers from the left. Down: the steps in ` +
    `which a buffer is alive.` +
    (keptMarks ? ' A thick left edge: kept there by a merge of chains or by a reservation.' : '')
  );
}

const kDramHelp =
  'Across: addresses in one DRAM bank, as far as the run uses them. Down: the steps in which a buffer is alive. ' +
  'A tensor takes as much of every bank.';

// L1, or DRAM on demand.
function memoryButton({ map, set }: MapTitle): TemplateResult {
  const dram = map.memory === 'dram';
  return html`<button
    class="cutbtn"
    aria-label="${dram ? 'L1' : 'DRAM'} map"
    data-tip=${dram ? 'Shows L1 again' : 'Shows what lies in DRAM, in place of L1'}
    @click=${() => set({ memory: dram ? 'l1' : 'dram' })}
  >
    ${dram ? 'L1' : 'DRAM'}
  </button>`;
}

export function mapTitle(title: MapTitle): TemplateResult {
  const { run, map, width } = title;
  const range = `${formatBytes(map.base)} – ${formatBytes(map.end)}`;
  if (map.memory === 'dram')
    return html`<span class="axis" data-tip=${kDramHelp}>DRAM per bank</span>${memoryButton(title)}
      ${width > 330 ? html`<i class="range">${range}</i>` : nothing}<span class="budget"></span>${firstButton(title)}`;
  return html`<span class="axis" data-tip=${mapHelp(map, (chainMarks(run)?.kept.size ?? 0) > 0)}>L1 per core</span>
    ${cutButton(title)} ${placement(title) ?? (width > 420 ? html`<i class="range">${range}</i>` : nothing)}
    ${width < 280 ? nothing : budgetKey(run.l1Budget, width < 490 && map.unused !== null)}${
      width < 230 ? nothing : memoryButton(title)
    }${firstButton(title)}`;
}

function firstButton({ first, set }: MapTitle): TemplateResult | typeof nothing {
  if (first === null) return nothing;
  return html`<button
    class="cutbtn"
    aria-pressed=${first ? 'true' : 'false'}
    aria-label="Map first"
    data-tip=${first ? 'Shows all columns again' : 'Map first: gives the room of the other columns to the map'}
    @click=${() => set({ tab: first ? 'schedule' : 'map' })}
  >
    ${first ? '»' : '«'}
  </button>`;
}

function cutButton({ map, set }: MapTitle): TemplateResult | typeof nothing {
  if (map.unused === null) return nothing;
  const [from, to] = [formatBytes(map.unused.from), formatBytes(map.unused.to)];
  const users =
    map.unused.steps === 0
      ? 'no step uses'
      : `only ${plural(map.unused.steps, 'step')} use${map.unused.steps === 1 ? 's' : ''}`;
  const help =
    map.cut === null
      ? `${from} to ${to}, which ${users}, can be drawn narrow, so that the rest is larger`
      : `Drawn narrow, between the zigzag lines: ${from} to ${to}, which ${users}. Show all of L1 in one scale`;
  return html`<button class="cutbtn" data-tip=${help} @click=${() => set({ whole: map.cut !== null })}>
    ${map.cut === null ? 'used part' : 'whole L1'}
  </button>`;
}

// `brief`: the figure is in the explanation alone.
function budgetKey(l1Budget: number, brief: boolean): TemplateResult {
  const budget = formatBytes(l1Budget);
  return html`<span
    class="budget"
    data-tip="Dashed red line: tensors that reach left of it exceed the budget of ${budget} per core."
    ><svg width="14" height="8" aria-hidden="true">
      <path d="M0 4h14" stroke="currentColor" stroke-width="1.5" stroke-dasharray="4 2.500" /></svg
    >${brief ? 'budget' : `budget ${budget}`}</span
  >`;
}

// Peak of the tensors by the runtime's first fit, planned ahead, and the least possible; a click changes which one is
// drawn.
function placement({ run, planned, width, set }: MapTitle): TemplateResult | null {
  const { placement: figures } = run;
  if (figures === undefined || figures.firstFit <= figures.bound || width < 330) return null;
  if (figures.planned >= figures.firstFit)
    return html`<span class="range" data-tip=${placementText(figures)}>≥ ${formatBytes(figures.bound)}</span>`;
  const bound = figures.proven ? '' : ` ≥ ${formatBytes(figures.bound)}`;
  const text =
    width < 520
      ? `−${formatBytes(figures.firstFit - figures.planned)}`
      : `${formatBytes(figures.firstFit)} → ${formatBytes(figures.planned)}${bound}`;
  const drawn = planned ? 'Drawn: the planned addresses.' : 'Drawn: the runtime’s. A click draws the planned ones.';
  return html`<button
    class="cutbtn ${planned ? 'on' : ''}"
    aria-pressed=${planned ? 'true' : 'false'}
    data-tip="${placementText(figures)} ${drawn}"
    @click=${() => set({ planned: !planned })}
  >
    planned ${text}
  </button>`;
}

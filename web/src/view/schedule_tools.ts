// The line above the schedule: search, the slot of the slider, the regret column, and jumps from move to move.

import { html, nothing, type TemplateResult } from 'lit';

import { formatInteger, plural } from '../model/format';
import { kHeatLevels } from '../model/regret_heat';
import { icons } from './icons';
import type { Column, ColumnPlan } from './schedule_geometry';

const kKeyWidth = 860; // CSS pixels from which the key to the regrets has room
const kSliderWidth = 700; // and the slider beside the search; more with that key
const kSliderKeyWidth = 1000;
export const kRegretHelp =
  'Regret: what the whole net loses at least because an op runs as it does here, instead of as in the ' +
  'proven optimum of layouts';

const kColumnTitles = {
  step: '#',
  lanes: 'Chain',
  op: 'Op',
  shape: 'Shape',
  place: 'Result in',
  cores: 'Cores',
  time: 'Time',
  dram: 'DRAM',
  regret: 'Regret',
  map: 'L1 per core',
};

const kLanesTitle = 48; // CSS pixels that its title needs

export function columnTitle(column: Column, { lanesWidth }: ColumnPlan): TemplateResult {
  const title = kColumnTitles[column];
  return column === 'lanes' && lanesWidth < kLanesTitle ? html`<span class="vh">${title}</span>` : html`${title}`;
}

export const kColumnHelp: { readonly [C in Column]: string } = {
  step: 'Step: the number of the row in the schedule. Every view counts so',
  lanes:
    'L1 chains: ops linked by results that stay in L1. A triangle leaves L1, or comes back; a diamond is a reshard',
  op: 'Name of the op in the model, else of its result; then what it does',
  shape: 'Shape of the result without leading ones, and its element type where it is not the usual one',
  place: 'Where the result lives: the memory and how it is spread over it',
  cores: 'Cores that compute',
  time: 'Estimated time. Bar: the fixed cost, then the longest of compute, DRAM and NoC; strips: what runs beside it',
  dram: 'Bytes that the step moves to and from DRAM, over the whole chip',
  regret: kRegretHelp,
  map: '', // its head explains its parts
};

export interface ScheduleTools {
  readonly query: string;
  readonly matches: readonly number[]; // rows
  readonly notable: readonly number[]; // rows of moves and failures
  readonly selected: number;
  readonly width: number; // CSS pixels of the schedule
  readonly heat: boolean; // the column of regrets is shown
  readonly heatState: 'known' | 'looking' | 'unknown';
  readonly mapOnly: boolean;
  readonly alone: boolean; // no engine stands by: there are no regrets
  readonly search: (query: string) => void;
  readonly searchKey: (event: KeyboardEvent) => void;
  readonly jump: (rows: readonly number[], direction: 1 | -1) => void;
  readonly filterMenu: TemplateResult;
  readonly showHeat: (on: boolean) => void;
}

export function scheduleTools(tools: ScheduleTools): TemplateResult {
  return html`<div class="tools">
    ${searchField(tools)} ${tools.query.trim() === '' ? nothing : matchButtons(tools)} ${tools.filterMenu}
    <span class="space"></span>
    ${tools.width < (tools.heat ? kSliderKeyWidth : kSliderWidth) ? nothing : html`<slot name="tools"></slot>`}
    ${heatKey(tools)} ${tools.mapOnly || tools.alone ? nothing : heatButton(tools)} ${jumpButtons(tools)}
  </div>`;
}

function searchField({ query, search, searchKey }: ScheduleTools): TemplateResult {
  return html`<label class="search"
    ><span class="vh">Search ops</span>${icons.search}
    <input
      type="search"
      data-tip="By name, op, shape, place or what happened: spilled, resharded, in DRAM"
      placeholder="Search ops, shapes, places  ( / )"
      .value=${query}
      spellcheck="false"
      autocomplete="off"
      @input=${(event: Event) => search((event.target as HTMLInputElement).value)}
      @keydown=${searchKey}
    />
  </label>`;
}

function stepButton(tools: ScheduleTools, rows: readonly number[], direction: 1 | -1, help: StepHelp): TemplateResult {
  return html`<button
    class="btn icon quiet"
    aria-label="${direction < 0 ? 'Previous' : 'Next'} ${help.what}"
    aria-keyshortcuts=${help.key ?? nothing}
    data-tip=${help.tip ?? nothing}
    ?disabled=${rows.length === 0}
    @click=${() => tools.jump(rows, direction)}
  >
    ${direction < 0 ? icons.up : icons.down}
  </button>`;
}

interface StepHelp {
  readonly what: string;
  readonly key?: string;
  readonly tip?: string;
}

function matchButtons(tools: ScheduleTools): TemplateResult {
  const { matches, selected } = tools;
  const at = matches.indexOf(selected);
  const count = matches.length === 0 ? 'none' : `${at < 0 ? '–' : at + 1} of ${formatInteger(matches.length)}`;
  return html`<span class="count">${count}</span> ${stepButton(tools, matches, -1, { what: 'match' })}
    ${stepButton(tools, matches, 1, { what: 'match' })}`;
}

function jumpButtons(tools: ScheduleTools): TemplateResult {
  const { notable } = tools;
  const which = 'spill, reload, reshard, return or failure';
  return html`<span class="jumps" role="group" aria-label="Moves and failures">
    <span class="jumplabel">${notable.length === 0 ? 'no moves' : plural(notable.length, 'move')}</span>
    ${stepButton(tools, notable, -1, { what: 'move', key: 'p', tip: `Previous ${which} (p)` })}
    ${stepButton(tools, notable, 1, { what: 'move', key: 'n', tip: `Next ${which} (n)` })}
  </span>`;
}

function heatButton({ heat, showHeat }: ScheduleTools): TemplateResult {
  return html`<button
    class="btn quiet ${heat ? 'on' : ''}"
    aria-pressed=${heat ? 'true' : 'false'}
    data-tip=${kRegretHelp}
    @click=${() => showHeat(!heat)}
  >
    Regret
  </button>`;
}

function heatKey({ heat, heatState, width }: ScheduleTools): TemplateResult | typeof nothing {
  if (!heat || width < kKeyWidth) return nothing;
  if (heatState !== 'known')
    return html`<span class="heatkey">${heatState === 'looking' ? 'looking for the optimum…' : ''}</span>`;
  return html`<span
    class="heatkey"
    data-tip="Each step begins at this part of the optimum's time: colours mean the same under every policy"
    >${kHeatLevels.map(({ title }, level) => html`<i class="heat-${level}">${title}</i>`)}
    <span>of the optimum</span></span
  >`;
}

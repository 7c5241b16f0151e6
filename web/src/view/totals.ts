// The strip of totals. Each figure is a button: it explains itself and goes to the place it speaks of.

import { css, html, nothing, type TemplateResult } from 'lit';

import { formatBytes, formatInteger, formatPercent, formatTime } from '../model/format';
import { kMoves, moveCount, moveInfoOf, moveKind, type MoveInfo } from '../model/moves';
import type { RegretResult } from '../model/exact';
import type { Row, Run } from '../model/report';
import { distanceOf } from '../model/regret_rows';
import { badgeStyles, kindBadge } from './badge';
import { sharedStyles, TesseraElement } from './element';
import './legend';
import { kLegendKinds } from './legend';
import { kCachedLoad } from './schedule_geometry';
import { stepThrough } from './schedule_search';

interface Figure {
  readonly id: string;
  readonly title: string;
  readonly value: string;
  readonly note?: string;
  readonly bad?: boolean;
  readonly help: string;
  readonly rows: readonly number[]; // a click goes to the next of them; none: it opens the Optimum view
}

const refusedText = (refused: number): string =>
  refused === 0 ? '' : `without ${formatInteger(refused)} refused ${refused === 1 ? 'op' : 'ops'}`;

// The row where a figure is largest.
function largest(run: Run, figure: (row: Row) => number): number[] {
  return [run.rows.reduce((best, row, at) => (figure(row) > figure(run.rows[best]!) ? at : best), 0)];
}

function rowsWhere(run: Run, test: (row: Row) => boolean): number[] {
  return run.rows.flatMap((row, at) => (test(row) ? [at] : []));
}

export function figuresOf(run: Run): Figure[] {
  const { totals } = run;
  return [
    {
      id: 'time',
      title: 'Device time',
      value: formatTime(totals.time),
      note: refusedText(totals.refused ?? 0),
      help: 'Estimated time of one pass on the device: the sum over all steps. Goes to the slowest op.',
      rows: largest(run, (row) => row.time.total),
    },
    {
      id: 'dram',
      title: 'DRAM traffic',
      value: formatBytes(totals.dramBytes),
      help: 'Bytes read from and written to DRAM by the whole device. Goes to the op that moves most.',
      rows: largest(run, (row) => row.dramBytes),
    },
    ...kMoves.filter(({ kind }) => kind !== 'demotion').map((info) => moveFigure(run, info)),
    ...memoryFigures(run),
  ];
}

// Demotions stand beside the spills: both leave L1.
function moveFigure(run: Run, { kind, title, help }: MoveInfo): Figure {
  const demoted = kind === 'spill' ? moveCount(run, 'demotion') : 0;
  return {
    id: kind,
    title,
    value: formatInteger(moveCount(run, kind)),
    note: demoted === 0 ? '' : `+${formatInteger(demoted)} demoted`,
    help: `${help}${demoted === 0 ? '' : ` Demoted: ${moveInfoOf('demotion').help}`} Goes to the next one.`,
    rows: rowsWhere(run, (row) => moveKind(row) === kind || (kind === 'spill' && moveKind(row) === 'demotion')),
  };
}

// Results that could lie in L1: not what was computed when the model was loaded, nor handles of the device.
function computedTensors(run: Run, { kind, op, results }: Row): number {
  if (kind !== 'op' || op === kCachedLoad) return 0;
  return results.filter((value) => run.values[value]?.layout != null).length;
}

function memoryFigures(run: Run): Figure[] {
  const { totals } = run;
  const results = run.rows.reduce((sum, row) => sum + computedTensors(run, row), 0);
  const inL1 = (value: number): boolean => run.values[value]?.layout?.buffer === 'l1';
  return [
    {
      id: 'peak',
      title: 'Peak L1 per core',
      value: formatBytes(totals.peakL1),
      note: `${formatPercent(totals.peakL1, run.l1Budget)} of ${formatBytes(run.l1Budget)}`,
      help:
        `Most bytes of one core's L1 in use at once, tensors and circular buffers together, against the ` +
        `budget. Reached at step ${totals.peakStep}; goes there.`,
      rows: [totals.peakStep],
      bad: totals.peakL1 > run.l1Budget,
    },
    {
      id: 'l1',
      title: 'Results in L1',
      value: formatInteger(totals.l1Results),
      note: `of ${formatInteger(results)}`,
      help: 'Tensors that the ops compute: how many stay in L1 instead of going through DRAM.',
      rows: rowsWhere(run, (row) => row.kind === 'op' && row.results.some(inL1)),
    },
    {
      id: 'failures',
      title: 'Failures',
      value: formatInteger(totals.failures),
      note: totals.failures > 0 ? 'does not fit' : '',
      help: 'Steps whose buffers do not fit into memory or collide with others. Goes to the next one.',
      rows: rowsWhere(run, (row) => row.verdict !== null),
      bad: totals.failures > 0,
    },
  ];
}

// Its place is kept while the optimum is looked for: nothing moves when it arrives.
export function optimumFigure(regret: RegretResult | null, problem: string, unproven = 0): Figure {
  const waiting =
    unproven > 0
      ? `The optimum of ${formatInteger(unproven)} rows takes long: it is looked for when you ask.`
      : problem === ''
        ? 'Looking for the optimum in the background…'
        : `The optimum was not found: ${problem}.`;
  const none = problem !== '' || unproven > 0;
  const distance =
    regret === null
      ? { value: none ? '–' : '…', note: unproven > 0 ? 'look anyway' : none ? 'not found' : '', help: waiting }
      : distanceOf(regret);
  return {
    id: 'optimum',
    title: 'From optimum',
    ...distance,
    rows: [],
    help: `${distance.help} Opens the Optimum view.`,
  };
}

export class TesseraTotals extends TesseraElement {
  static override properties = {
    run: { attribute: false },
    selected: { type: Number },
    regret: { attribute: false },
    proofProblem: { type: String },
    unproven: { type: Number },
    alone: { type: Boolean },
  };
  declare run: Run | null;
  declare selected: number;
  declare regret: RegretResult | null; // of this run; null: not known yet
  declare proofProblem: string; // why it will not be known
  declare unproven: number; // rows of a run whose optimum nobody looks for by itself; 0
  declare alone: boolean; // no engine stands by: the optimum is not looked for

  constructor() {
    super();
    this.run = null;
    this.selected = -1;
    this.regret = null;
    this.proofProblem = '';
    this.unproven = 0;
    this.alone = false;
  }

  protected override render(): TemplateResult {
    const figures = this.run === null ? [] : figuresOf(this.run);
    if (this.run !== null && !this.alone)
      figures.splice(1, 0, optimumFigure(this.regret, this.proofProblem, this.unproven));
    return html`<div class="figures" role="group" aria-label="Totals" tabindex=${this.run === null ? 0 : nothing}>
        ${
          this.run === null
            ? kPlaceholders.map((title) => html`<span class="figure"><small>${title}</small><b>–</b></span>`)
            : nothing
        }${figures.map(
          (figure) =>
            html`<button
                class="figure ${figure.bad === true ? 'bad' : ''}"
                data-figure=${figure.id}
                data-tip=${figure.help}
                aria-describedby="help-${figure.id}"
                @click=${() => this.go(figure)}
              >
                <small>${figure.title}</small
                ><b>${figure.value}</b>${(figure.note ?? '') === '' ? nothing : html`<em>${figure.note}</em>`}</button
              ><span class="vh" id="help-${figure.id}">${figure.help}</span>`,
        )}
      </div>
      <div class="legend">
        ${kLegendKinds.filter(({ kind }) => kind !== 'system').map(({ kind }) => kindBadge(kind))}
        <tessera-legend></tessera-legend>
      </div>`;
  }

  private go(figure: Figure): void {
    if (figure.rows.length === 0 && figure.id === 'optimum')
      return this.send({ type: 'view', view: { main: 'optimum', tab: 'schedule' } });
    const row = stepThrough(figure.rows, this.selected, 1);
    if (row >= 0) this.send({ type: 'select', row });
  }

  static override styles = [
    sharedStyles,
    badgeStyles,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 16px;
        min-height: 58px;
        padding: 4px 8px;
        background: var(--panel);
        border-bottom: 1px solid var(--line);
      }
      .figures {
        display: flex;
        gap: 2px;
        flex: 1 1 auto;
        min-width: 0;
        overflow-x: auto;
        scrollbar-width: none;
      }
      .figure {
        flex: none;
        border: 0;
        background: none;
        text-align: left;
        padding: 5px 10px;
        border-radius: 8px;
        cursor: pointer;
        white-space: nowrap;
      }
      button.figure:hover {
        background: var(--hover);
      }
      small {
        display: block;
        color: var(--dim);
        font-size: 11px;
        text-transform: uppercase;
        letter-spacing: 0.04em;
      }
      b {
        font-size: 17px;
        font-weight: 620;
        font-variant-numeric: tabular-nums;
      }
      em {
        font-style: normal;
        font-size: 12px;
        margin-left: 6px;
        color: var(--dim);
      }
      .figure[data-figure='optimum'] {
        width: 148px;
      }
      .bad b,
      .bad em {
        color: var(--bad);
      }
      .legend {
        margin-left: auto;
        display: flex;
        gap: 5px;
        align-items: center;
        flex: none;
      }
      @media (max-width: 1500px) {
        .figure {
          padding: 5px 7px;
        }
      }
      @media (max-width: 1560px) {
        .legend .badge {
          display: none;
        }
      }
      @media (max-width: 820px) {
        :host {
          padding: 2px 4px;
        }
        .figures {
          flex: 1 1 auto;
          min-width: 0;
          overflow-x: auto;
          scrollbar-width: none;
        }
        .figure {
          padding: 4px 8px;
        }
        b {
          font-size: 15px;
        }
      }
    `,
  ];
}

const kPlaceholders = [
  'Device time',
  'From optimum',
  'DRAM traffic',
  ...kMoves.filter(({ kind }) => kind !== 'demotion').map(({ title }) => title),
  'Peak L1 per core',
  'Results in L1',
  'Failures',
];

customElements.define('tessera-totals', TesseraTotals);

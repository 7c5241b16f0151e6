// The runs of a study, one line each: sorted by any column; a run that is chosen is told to who shows it.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';

import { formatInteger } from '../model/format';
import type { Study, StudyColumn, StudyRun } from '../model/generated/study';
import { sharedStyles, TesseraElement } from '../view/element';
import { tableStyles } from '../view/table_styles';
import { columnTitle, figureText, ratioText, type Figure, type SliceRun } from './study_model';
import { reportStyles } from './study_styles';

const kPage = 50; // rows shown before "show more"
const kMain: readonly string[] = [
  'ops',
  'time',
  'spills',
  'reloads',
  'reshards',
  'returns',
  'inL1',
  'inDram',
  'headroom',
];

interface Column {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly number: boolean;
  readonly key: (run: StudyRun) => string | number | null;
  readonly text: (run: StudyRun) => string;
}

const ofColumn = (column: StudyColumn): Column => ({
  id: column.id,
  title: columnTitle(column.id),
  help: `${column.help} [${column.unit}]`,
  number: true,
  key: ({ row }) => row?.[column.id as Figure] ?? null,
  text: ({ row }) => (row === null ? '–' : figureText(column, row)),
});

function columnsOf(study: Study, all: boolean): readonly Column[] {
  const word = (id: string, title: string, help: string, text: (run: StudyRun) => string): Column => ({
    id,
    title,
    help,
    number: false,
    key: text,
    text,
  });
  const figures = study.columns.filter(({ id }) => all || kMain.includes(id)).map(ofColumn);
  const ratio: Column = {
    id: 'ratio',
    title: 'Ratio',
    help: 'Time over the proven bound',
    number: true,
    key: (run) => run.ratio,
    text: (run) => ratioText(run.ratio),
  };
  return [
    word('graph', 'Graph', 'Shortest name that no other graph of the study has', ({ graph }) => graph),
    word('policy', 'Policy', '', ({ policy }) => policy),
    ratio,
    ...figures,
  ];
}

// Empty cells last, whichever way it is sorted.
function sorted(runs: readonly SliceRun[], column: Column | undefined, down: boolean): readonly SliceRun[] {
  if (column === undefined) return runs;
  const order = down ? -1 : 1;
  return runs.toSorted((a, b) => {
    const [x, y] = [column.key(a.run), column.key(b.run)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return order * (typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y));
  });
}

export class TesseraStudyRuns extends TesseraElement {
  static override properties = {
    study: { attribute: false },
    runs: { attribute: false },
    openable: { type: Boolean },
    by_: { state: true },
    down_: { state: true },
    all_: { state: true },
    shown_: { state: true },
    policy_: { state: true },
  };
  static override styles = [sharedStyles, tableStyles, reportStyles];

  declare study: Study;
  declare runs: readonly SliceRun[];
  declare openable: boolean;
  declare by_: string; // id of a column; '': as the study has them
  declare down_: boolean;
  declare all_: boolean;
  declare shown_: number;
  declare policy_: string; // '': all

  constructor() {
    super();
    this.openable = false;
    this.by_ = '';
    this.down_ = false;
    this.all_ = false;
    this.shown_ = kPage;
    this.policy_ = '';
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('by_') || changed.has('policy_')) this.shown_ = kPage;
  }

  private sortBy(id: string): void {
    this.down_ = this.by_ === id && !this.down_;
    this.by_ = id;
  }

  protected override render(): TemplateResult {
    const columns = columnsOf(this.study, this.all_);
    const policies = [...new Set(this.runs.map(({ run }) => run.policy))];
    const kept = this.runs.filter(({ run }) => this.policy_ === '' || run.policy === this.policy_);
    const rows = sorted(
      kept,
      columns.find(({ id }) => id === this.by_),
      this.down_,
    );
    return html`<div class="filters">
        <label
          >Policy
          <select @change=${(event: Event) => (this.policy_ = (event.target as HTMLSelectElement).value)}>
            <option value="">all</option>
            ${policies.map((one) => html`<option value=${one} ?selected=${one === this.policy_}>${one}</option>`)}
          </select></label
        >
        <label class="inline"
          ><input
            type="checkbox"
            .checked=${this.all_}
            @change=${(event: Event) => (this.all_ = (event.target as HTMLInputElement).checked)}
          />
          all ${formatInteger(this.study.columns.length)} figures</label
        >
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Runs">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => this.renderHead(column))}
            </tr>
          </thead>
          <tbody>
            ${rows.slice(0, this.shown_).map(({ run }) => this.renderRow(run, columns))}
          </tbody>
        </table>
      </div>
      ${
        rows.length > this.shown_
          ? html`<button class="btn more" @click=${() => (this.shown_ += 4 * kPage)}>
              Show more of ${formatInteger(rows.length)}
            </button>`
          : nothing
      }`;
  }

  private renderHead({ id, title, help, number }: Column): TemplateResult {
    const order = id !== this.by_ ? 'none' : this.down_ ? 'descending' : 'ascending';
    return html`<th scope="col" class=${number ? 'number' : ''} aria-sort=${order}>
      <button class="sort" title=${help} @click=${() => this.sortBy(id)}>${title}</button>
    </th>`;
  }

  private renderRow(run: StudyRun, columns: readonly Column[]): TemplateResult {
    const open = (): boolean =>
      this.dispatchEvent(new CustomEvent<StudyRun>('study-open', { detail: run, bubbles: true, composed: true }));
    return html`<tr>
      ${columns.map(({ id, number, text }) =>
        id !== 'graph'
          ? html`<td class=${number ? 'number' : ''}>${text(run)}</td>`
          : html`<th scope="row">
              ${
                this.openable && run.row !== null
                  ? html`<button class="link" title="Open this run in the other views" @click=${open}>
                      ${run.graph}
                    </button>`
                  : run.graph
              }
            </th>`,
      )}
    </tr>`;
  }
}

customElements.define('tessera-study-runs', TesseraStudyRuns);

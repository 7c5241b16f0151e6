// The rows of a run that the schedule shows: what its search finds, what its filters let pass, and on which line each
// stands.

import { plural } from '../model/format';
import type { Run } from '../model/report';
import { rowsThatPass } from './row_filter';
import { rowsFrom, someRows, type RowOrder } from './row_order';
import { findMatches, isNotable, searchTexts } from './schedule_search';

export class RowFinder {
  matches: readonly number[] = []; // rows that the search finds
  shown: readonly number[] | null = null; // rows that the filters let pass; null: there is none
  order: RowOrder = rowsFrom(0, 0);
  private run_: Run | null = null;
  private texts_: string[] | null = null; // made when somebody searches
  private query_ = '';
  private notable_: number[] | null = null; // of the present run and order

  search(run: Run | null, query: string): void {
    if (run !== this.run_) this.texts_ = null;
    this.notable_ = null;
    this.run_ = run;
    this.query_ = query.trim();
    if (run === null || !this.searched) this.matches = [];
    else this.matches = findMatches((this.texts_ ??= searchTexts(run)), query);
  }

  // `hidden`: rows that the fold hides where no filter does.
  arrange(filters: readonly string[], hidden: number): void {
    const { run_: run } = this;
    const count = run?.rows.length ?? 0;
    this.notable_ = null;
    this.shown =
      run === null || filters.length === 0 ? null : rowsThatPass(run, filters, this.searched ? this.matches : null);
    this.order = this.shown === null ? rowsFrom(hidden, count) : someRows(this.shown, count);
  }

  get searched(): boolean {
    return this.query_ !== '';
  }

  // To mark in the whole: what the search finds, else what the filters let pass; null: nothing in particular.
  get marked(): readonly number[] | null {
    return this.searched ? this.matches : this.shown;
  }

  // Moves and failures among the rows that are shown.
  notable(): readonly number[] {
    if (this.notable_ !== null) return this.notable_;
    const rows: number[] = [];
    const { shown, order } = this;
    this.run_?.rows.forEach((row, at) => isNotable(row) && (shown === null || order.shows(at)) && rows.push(at));
    return (this.notable_ = rows);
  }

  announcement(): string {
    const { matches, shown, run_: run } = this;
    const filtered = shown === null ? '' : `${shown.length} of ${plural(run?.rows.length ?? 0, 'step')} shown`;
    const found = !this.searched ? '' : matches.length === 0 ? 'No op matches' : `${matches.length} ops match`;
    return [filtered, found].filter((text) => text !== '').join('. ');
  }
}

// Keeps an op where it is on the screen when another run of the same graph replaces the schedule. Pure.

import { findInRows, type RowKey, type RowName } from '../model/rows';
import { kRowHeight } from './schedule_geometry';

export interface Anchor {
  readonly key: RowKey;
  readonly offset: number; // CSS pixels from the top of the visible part
}

export interface Visible {
  readonly selected: number; // row, -1: none
  readonly top: number; // CSS pixels scrolled
  readonly height: number;
  readonly hidden: number; // rows above the first that can be scrolled to
}

// The selected row when it can be seen, else the topmost one.
export function anchorOf(rows: readonly RowName[], { selected, top, height, hidden }: Visible): Anchor | null {
  const at = (row: number): number => (row - hidden) * kRowHeight - top;
  const seen = selected >= hidden && at(selected) >= 0 && at(selected) <= height - kRowHeight;
  const row = seen ? selected : hidden + Math.ceil(top / kRowHeight);
  const found = rows[row];
  return found === undefined ? null : { key: { name: found.name, label: found.label, row }, offset: at(row) };
}

// Where to scroll; null when the op is gone.
export function anchoredTop(anchor: Anchor, rows: readonly RowName[], hidden: number): number | null {
  const row = findInRows(rows, anchor.key);
  return row < hidden ? null : Math.max(0, (row - hidden) * kRowHeight - anchor.offset);
}

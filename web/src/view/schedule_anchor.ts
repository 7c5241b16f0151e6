// Keeps an op where it is on the screen when another run of the same graph replaces the schedule. Pure.

import { findInRows, type RowKey, type RowName } from '../model/rows';
import type { RowOrder } from './row_order';
import { kRowHeight } from './schedule_geometry';

export interface Anchor {
  readonly key: RowKey;
  readonly offset: number; // CSS pixels from the top of the visible part
}

export interface Visible {
  readonly selected: number; // row, -1: none
  readonly top: number; // CSS pixels scrolled
  readonly height: number;
  readonly order: RowOrder;
}

// The selected row when it can be seen, else the topmost one.
export function anchorOf(rows: readonly RowName[], { selected, top, height, order }: Visible): Anchor | null {
  const at = (row: number): number => order.lineOf(row) * kRowHeight - top;
  const seen = order.shows(selected) && at(selected) >= 0 && at(selected) <= height - kRowHeight;
  const row = seen ? selected : order.rowAt(Math.ceil(top / kRowHeight));
  const found = rows[row];
  return found === undefined ? null : { key: { name: found.name, label: found.label, row }, offset: at(row) };
}

// Where to scroll; null when the op is gone.
export function anchoredTop(anchor: Anchor, rows: readonly RowName[], order: RowOrder): number | null {
  const row = findInRows(rows, anchor.key);
  return order.shows(row) ? Math.max(0, order.lineOf(row) * kRowHeight - anchor.offset) : null;
}

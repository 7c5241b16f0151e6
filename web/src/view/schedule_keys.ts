// The keys of the schedule and of its search field.

import type { RowOrder } from './row_order';

export interface Keys {
  readonly selected: number; // row, -1: none
  readonly order: RowOrder;
  readonly folded: boolean; // the first line stands for the rows of the fold
  readonly page: number; // lines that are seen at once
  readonly select: (row: number) => void;
  readonly jump: (direction: 1 | -1) => void; // to a move or a failure
  readonly openWhy: () => void;
  readonly leave: () => void;
}

// Upwards it goes into a closed fold, and so opens it.
function moveBy({ selected, order, folded, select }: Keys, lines: number): void {
  const top = folded ? 1 : 0;
  const to = (line: number): void => select(order.rowAt(Math.min(order.lines - 1, line)));
  if (order.lines <= top) return;
  if (selected < 0) return to(top + Math.max(0, lines) - (lines > 0 ? 1 : 0));
  const line = order.lineOf(selected);
  if (!order.shows(selected)) return to(lines > 0 ? line : Math.max(top, line - 1));
  const next = line + lines;
  if (next < 0) return folded ? select(selected - 1) : to(0);
  to(lines < -1 ? Math.max(top, next) : next);
}

// True when the key is one of the schedule's.
export function pressed(key: string, keys: Keys): boolean {
  const { order, page, select } = keys;
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveBy(keys, 1),
    ArrowUp: () => moveBy(keys, -1),
    PageDown: () => moveBy(keys, page),
    PageUp: () => moveBy(keys, -page),
    Home: () => select(order.rowAt(keys.folded ? 1 : 0)),
    End: () => select(order.rowAt(order.lines - 1)),
    n: () => keys.jump(1),
    p: () => keys.jump(-1),
    Enter: keys.openWhy,
    Escape: keys.leave,
  };
  moves[key]?.();
  return moves[key] !== undefined;
}

export interface SearchKeys {
  readonly jump: (direction: 1 | -1) => void; // to a match
  readonly leave: () => void;
  readonly toGrid: () => void;
}

export function pressedInSearch(event: KeyboardEvent, { jump, leave, toGrid }: SearchKeys): void {
  const moves: Record<string, () => void> = {
    Enter: () => jump(event.shiftKey ? -1 : 1),
    Escape: () => {
      leave();
      toGrid();
    },
    ArrowDown: toGrid,
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

// What a report that is only looked at remembers: the op that is selected, the search, and how it is shown.

import { findInRows } from '../model/rows';
import type { Run } from '../model/report';
import { initialState, type Action, type ViewSettings } from '../model/state';

export interface Looking {
  readonly selected: number; // row; -1: none
  readonly query: string;
  readonly view: ViewSettings;
}

export const kFirstLook: Looking = { selected: -1, query: '', view: initialState.view };

// The same object when the action says nothing about looking: all others need an engine or a page.
export function look(before: Looking, action: Action, run: Run | null): Looking {
  switch (action.type) {
    case 'select':
      return select(before, action.row, run);
    case 'find':
      return select(before, findInRows(run?.rows ?? [], action.key), run);
    case 'query':
      return { ...before, query: action.query };
    case 'view':
      return { ...before, view: { ...before.view, ...action.view } };
    default:
      return before;
  }
}

function select(before: Looking, row: number, run: Run | null): Looking {
  const selected = row >= 0 && row < (run?.rows.length ?? 0) ? row : -1;
  return selected === before.selected ? before : { ...before, selected };
}

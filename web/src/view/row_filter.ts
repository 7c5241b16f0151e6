// Filters of the schedule: what happened to a tensor, where a result lives, what bounds the time, the family of the op,
// and what the search finds. A row passes when it passes one filter of every group that has any. Pure.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import { kMoves, moveKind } from '../model/moves';
import type { Row, Run } from '../model/report';

export type FilterGroup = 'happened' | 'place' | 'bound' | 'family' | 'search';

export interface Filter {
  readonly id: string; // in links
  readonly group: FilterGroup;
  readonly title: string;
  readonly passes: (run: Run, row: Row) => boolean;
}

export interface FilterChoice extends Filter {
  readonly rows: number; // that pass it
}

export const kGroupTitles: Readonly<Record<FilterGroup, string>> = {
  happened: 'What happened',
  place: 'Result in',
  bound: 'Time bound by',
  family: 'Family',
  search: 'Search',
};

export const kSearchFilter = 'search';
const kFamily = 'family:';

const placeOf = (run: Run, row: Row): LayoutKind => kindOf(run.values[row.results[0] ?? -1]?.layout);
const kNotL1: readonly LayoutKind[] = ['dram', 'system', 'none'];
const kBounds = [
  ['compute', 'compute'],
  ['dram', 'DRAM'],
  ['noc', 'the NoC'],
  ['fixed', 'fixed cost'],
] as const;

const kFilters: readonly Filter[] = [
  ...kMoves.map(({ kind, title }): Filter => ({
    id: kind,
    group: 'happened',
    title,
    passes: (_, row) => moveKind(row) === kind,
  })),
  { id: 'failure', group: 'happened', title: 'Does not fit', passes: (_, { verdict }) => verdict !== null },
  { id: 'dram', group: 'place', title: 'DRAM', passes: (run, row) => placeOf(run, row) === 'dram' },
  { id: 'l1', group: 'place', title: 'L1', passes: (run, row) => !kNotL1.includes(placeOf(run, row)) },
  ...kBounds.map(([bound, title]): Filter => ({
    id: `bound:${bound}`,
    group: 'bound',
    title,
    passes: (_, row) => row.bound === bound,
  })),
];

function filterOf(id: string): Filter | undefined {
  if (!id.startsWith(kFamily)) return kFilters.find((filter) => filter.id === id);
  const family = id.slice(kFamily.length);
  return { id, group: 'family', title: family.replace(/_/g, ' '), passes: (_, row) => row.family === family };
}

// What there is to choose among: filters that some row of the run passes.
export function filterChoices(run: Run): FilterChoice[] {
  const families = [...new Set(run.rows.map(({ family }) => family))].filter((family) => family !== '').sort();
  return [...kFilters, ...families.map((family) => filterOf(`${kFamily}${family}`)!)]
    .map((filter) => ({ ...filter, rows: run.rows.reduce((sum, row) => sum + Number(filter.passes(run, row)), 0) }))
    .filter(({ rows }) => rows > 0);
}

// The rows that pass, ascending; null when no filter is set. Ids that nobody knows (of a link) are left out, and so is
// the search while there is none.
export function rowsThatPass(run: Run, ids: readonly string[], matches: readonly number[] | null): number[] | null {
  const groups = new Map<FilterGroup, Filter[]>();
  for (const filter of ids.map(filterOf))
    if (filter !== undefined) groups.set(filter.group, [...(groups.get(filter.group) ?? []), filter]);
  const found = ids.includes(kSearchFilter) && matches !== null ? new Set(matches) : null;
  if (groups.size === 0 && found === null) return null;
  const tests = [...groups.values()];
  const shown: number[] = [];
  run.rows.forEach((row, at) => {
    if (found !== null && !found.has(at)) return;
    if (tests.every((group) => group.some((filter) => filter.passes(run, row)))) shown.push(at);
  });
  return shown;
}

export function activeFilters(ids: readonly string[]): Filter[] {
  return ids.flatMap((id) => filterOf(id) ?? []);
}

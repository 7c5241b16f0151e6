// What the chain generation made of its chains, for the lanes and the L1 map: which rows belong to which chain, how it
// ended, and which values wait in L1 because of a merge or a reservation. Pure.

import type { ChainState, SpillLocation } from '../model/generated/chain_trace';
import type { Run } from '../model/report';

export interface ChainLane {
  readonly letter: string;
  readonly rows: readonly number[]; // ascending
  readonly lane: number; // chains of one lane never overlap
  readonly state: ChainState;
  readonly spill: SpillLocation;
  readonly mergedInto: number; // chain; -1: none
  readonly failure: string;
}

// Why a value stays in L1.
export interface KeptMark {
  readonly kind: 'merged' | 'reserved';
  readonly text: string; // "merged into B"
  readonly from: number; // rows in which it is reserved
  readonly to: number;
  readonly bytes: number; // per core
}

export interface ChainMarks {
  readonly chains: readonly ChainLane[];
  readonly chainOf: ReadonlyMap<number, number>; // by row
  readonly lanes: number;
  readonly kept: ReadonlyMap<number, KeptMark>; // by value
}

// A, B, ..., Z, AA, AB, ...
export function chainLetter(chain: number): string {
  if (chain < 0) return '–';
  let letters = '';
  for (let rest = chain + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

const known = new WeakMap<Run, ChainMarks>();

// Null when the run is of another generation.
export function chainMarks(run: Run): ChainMarks | null {
  if (run.chainSummary === undefined) return null;
  const before = known.get(run);
  if (before !== undefined) return before;
  const made = make(run, run.chainSummary);
  known.set(run, made);
  return made;
}

function make(run: Run, summary: NonNullable<Run['chainSummary']>): ChainMarks {
  const rowsOf = summary.chains.map((chain) =>
    chain.ops.filter((row) => row >= 0 && row < run.rows.length).sort((a, b) => a - b),
  );
  const laneOf = packLanes(rowsOf);
  const chainOf = new Map<number, number>();
  rowsOf.forEach((rows, chain) => rows.forEach((row) => chainOf.set(row, chain)));
  const chains = summary.chains.map((chain, at): ChainLane => ({
    letter: chainLetter(at),
    rows: rowsOf[at]!,
    lane: laneOf[at]!,
    state: chain.state,
    spill: chain.spill,
    mergedInto: chain.mergedInto,
    failure: chain.failure,
  }));
  const kept = new Map<number, KeptMark>();
  for (const { source, from, to, bytes } of summary.reservations) {
    const value = run.rows[source?.row ?? -1]?.results[0];
    if (value === undefined) continue;
    const into = chains[chainOf.get(source!.row) ?? -1]?.mergedInto ?? -1;
    kept.set(value, {
      kind: into >= 0 ? 'merged' : 'reserved',
      text: into >= 0 ? `merged into ${chainLetter(into)}` : 'reserved',
      from,
      to,
      bytes,
    });
  }
  return { chains, chainOf, lanes: Math.max(0, ...laneOf) + 1, kept };
}

// Of a buffer: of its value or of one that shares it.
export function keptMark(
  run: Run,
  buffer: { readonly value: number; readonly sharedBy: readonly number[] },
): KeptMark | null {
  const kept = chainMarks(run)?.kept;
  if (kept === undefined || kept.size === 0) return null;
  for (const value of [buffer.value, ...buffer.sharedBy]) {
    const mark = kept.get(value);
    if (mark !== undefined) return mark;
  }
  return null;
}

// The first lane that is free from a chain's first row on.
function packLanes(rowsOf: readonly (readonly number[])[]): number[] {
  const ends: number[] = [];
  const laneOf = rowsOf.map(() => 0);
  const order = rowsOf
    .map((_, chain) => chain)
    .filter((chain) => rowsOf[chain]!.length > 0)
    .sort((a, b) => rowsOf[a]![0]! - rowsOf[b]![0]! || a - b);
  for (const chain of order) {
    const rows = rowsOf[chain]!;
    let lane = ends.findIndex((end) => end < rows[0]!);
    if (lane < 0) lane = ends.push(-1) - 1;
    ends[lane] = rows.at(-1)!;
    laneOf[chain] = lane;
  }
  return laneOf;
}

const kStates: Readonly<Record<ChainState, string>> = {
  InBuild: 'being built',
  Built: 'built, not solved',
  Resolved: 'solved',
  Completed: 'completed',
  Failed: 'failed: all of it in DRAM',
};

export function chainText(chain: ChainLane): string {
  const where =
    chain.state === 'Failed'
      ? ''
      : chain.spill === 'None'
        ? ', its result stays where it is'
        : chain.spill === 'DRAM'
          ? ', its result is spilled to DRAM'
          : ', its result is spilled to interleaved L1';
  const merged = chain.mergedInto >= 0 ? `, merged into chain ${chainLetter(chain.mergedInto)}` : '';
  return `Chain ${chain.letter} of ${chain.rows.length} ${
    chain.rows.length === 1 ? 'op' : 'ops'
  }: ${kStates[chain.state]}${where}${merged}${chain.failure === '' ? '' : ` (${chain.failure})`}.`;
}

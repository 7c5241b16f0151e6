// Where the lane graphic puts its nodes and curves. Pure: rows and chains in, numbers out; drawing is in lanes_draw.ts.

import type { Run } from '../model/report';
import { chainMarks, type ChainMarks } from './chain_marks';
import { SpanIndex } from './span_index';

export interface LaneEdge {
  readonly from: number; // row
  readonly to: number; // row, always below `from`
  readonly fromLane: number;
  readonly toLane: number;
  // chain: the next op of the same chain; flow: the neighbour row or lane; fork: passes by other ops
  readonly kind: 'chain' | 'flow' | 'fork';
}

export interface LanePicture {
  readonly laneOf: Int32Array; // per row; lane 0 holds what is in no chain
  readonly lanes: number;
  readonly edges: readonly LaneEdge[];
  readonly index: SpanIndex;
  readonly chainStart: Uint8Array; // per row: 1 where a chain begins
  readonly marks: ChainMarks | null; // the chains as the policy had them, where it had any; lanes are theirs then
}

export function buildLanes(run: Run): LanePicture {
  const laneOf = new Int32Array(run.rows.length);
  const chainStart = new Uint8Array(run.rows.length);
  let lanes = 1;
  const marks = chainMarks(run);
  run.rows.forEach((row, step) => {
    const traced = marks?.chains[marks.chainOf.get(step) ?? -1];
    if (traced !== undefined) {
      laneOf[step] = traced.lane + 1;
      lanes = Math.max(lanes, traced.lane + 2);
      if (traced.rows[0] === step) chainStart[step] = 1;
    }
    const chain = marks === null ? run.chains[row.chain] : undefined;
    if (chain === undefined) return;
    laneOf[step] = chain.lane + 1;
    lanes = Math.max(lanes, chain.lane + 2);
    if (chain.rows[0] === step) chainStart[step] = 1;
  });
  const edges = buildEdges(run, laneOf);
  const index = new SpanIndex(run.rows.length, edges.length, (edge) => [edges[edge]!.from, edges[edge]!.to]);
  return { laneOf, lanes, edges, index, chainStart, marks };
}

function buildEdges(run: Run, laneOf: Int32Array): LaneEdge[] {
  const above = previousInLane(laneOf);
  const edges: LaneEdge[] = [];
  const weights = weightRows(run);
  run.rows.forEach((row, to) => {
    const seen = new Set<number>(); // an op may use one value twice
    for (const operand of row.operands) {
      const from = run.values[operand]?.producer ?? -1;
      if (from < 0 || from >= to || seen.has(from) || weights[from] === 1) continue;
      seen.add(from);
      const adjacent = from === to - 1 || above[to] === from;
      const sameChain = row.chain >= 0 && run.rows[from]!.chain === row.chain;
      const kind = !adjacent ? 'fork' : sameChain ? 'chain' : 'flow';
      edges.push({ from, to, fromLane: laneOf[from]!, toLane: laneOf[to]!, kind });
    }
  });
  return edges;
}

// Rows that only hand on parameters, at no cost (cached const-evals). Their edges would cross the whole picture and say
// no more than the edges of arguments, which are not drawn either.
function weightRows(run: Run): Uint8Array {
  return Uint8Array.from(run.rows, (row) =>
    row.time.total === 0 && row.operands.every((operand) => (run.values[operand]?.producer ?? -1) < 0) ? 1 : 0,
  );
}

// For every row the nearest row above it in the same lane, -1 when there is none.
function previousInLane(laneOf: Int32Array): Int32Array {
  const last = new Map<number, number>();
  return laneOf.map((lane, row) => {
    const previous = last.get(lane) ?? -1;
    last.set(lane, row);
    return previous;
  });
}

const kPad = 12;
const kGap = 14;
const kBulgeRoom = 22;

// Lanes beyond what the width holds share the space that is left.
export function laneX(lane: number, lanes: number, width: number): number {
  const room = Math.max(0, width - kPad - kBulgeRoom);
  const gap = lanes <= 1 ? 0 : Math.min(kGap, room / (lanes - 1));
  return kPad + lane * gap;
}

export function lanesWidth(lanes: number): number {
  return Math.min(130, kPad + Math.max(0, lanes - 1) * kGap + kBulgeRoom);
}

// How far right of its ends a fork's curve reaches: the longer it is, the farther, so that nested forks stay apart.
export function forkReach(span: number): number {
  return Math.min(kBulgeRoom - 4, 5 + 2.6 * Math.log2(Math.max(2, span)));
}

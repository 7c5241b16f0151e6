// The graph of a run with each L1 chain as one node: what stays together in L1, and what goes between. Ops of no chain
// that follow each other one by one are a node, too; moves of the plan are marks of edges. Pure.

import { kindOf, type LayoutKind } from '../model/layout_kind';
import { moveInfoOf, moveKind, type MoveKind } from '../model/moves';
import { formatTime, plural } from '../model/format';
import type { Row, Run } from '../model/report';
import { chainLetter, chainMarks } from '../view/chain_marks';
import { isInserted, kindWord, rowTitle, shownName } from '../view/names';

export interface GraphNode {
  readonly kind: 'chain' | 'line' | 'op' | 'input' | 'return';
  readonly rows: readonly number[]; // ascending; none: an input
  readonly title: string;
  readonly detail: string; // the second line
  readonly place: LayoutKind; // of its results, of most of them where they differ
  readonly mixed: boolean; // they differ
  readonly time: number; // ns
  readonly spills?: number; // between its ops
}

export interface GraphEdge {
  readonly from: number; // node
  readonly to: number;
  readonly moves: readonly MoveKind[]; // on the way, in order
  readonly place: LayoutKind; // that the lower end reads from
}

export interface ChainGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly nodeOf: Int32Array; // by row; -1: a move, or a load of cached weights. A move is shown with what it moves
}

const isWeight = (run: Run, row: Row): boolean =>
  row.kind === 'op' &&
  row.time.total === 0 &&
  row.operands.every((operand) => (run.values[operand]?.producer ?? -1) < 0);

// A value as it was before the plan moved it, and how it was moved, the first move first.
function origin(run: Run, value: number): { readonly value: number; readonly moves: readonly MoveKind[] } {
  const moves: MoveKind[] = [];
  for (let hops = 0; hops <= run.rows.length; hops++) {
    const row = run.rows[run.values[value]?.producer ?? -1];
    const kind = row === undefined ? null : moveKind(row);
    const before = row?.operands[0];
    if (kind === null || before === undefined) break;
    moves.unshift(kind);
    value = before;
  }
  return { value, moves };
}

interface Read {
  readonly row: number;
  readonly operand: number; // the value as the row reads it
  readonly moves: readonly MoveKind[]; // that led to it
}
type Reads = ReadonlyMap<number, readonly Read[]>; // by value of the program

function readers(run: Run): Reads {
  const found = new Map<number, Read[]>();
  run.rows.forEach((row, at) => {
    if (isInserted(row)) return;
    for (const operand of new Set(row.operands)) {
      const { value, moves } = origin(run, operand);
      const reads = found.get(value) ?? [];
      found.set(value, reads);
      reads.push({ row: at, operand, moves });
    }
  });
  return found;
}

// The chain of a row and what it is called; null: it is in none.
function chainOf(run: Run, at: number): { readonly chain: number; readonly name: string } | null {
  const marks = chainMarks(run);
  const chain = marks === null ? run.rows[at]!.chain : (marks.chainOf.get(at) ?? -1);
  return chain < 0 ? null : { chain, name: marks === null ? `Chain ${chain}` : `Chain ${chainLetter(chain)}` };
}

// `every`: each op is a node of its own.
export function buildGraph(run: Run, every = false): ChainGraph {
  const reads = readers(run);
  const groupOf = every ? run.rows.map((_, at) => `op ${at}`) : groupRows(run, reads);
  const nodes: GraphNode[] = [];
  const nodeOf = new Int32Array(run.rows.length).fill(-1);
  const made = new Map<string, number[]>(); // group -> its rows
  run.rows.forEach((row, at) => {
    if (isInserted(row) || isWeight(run, row)) return;
    const rows = made.get(groupOf[at]!) ?? [];
    made.set(groupOf[at]!, rows);
    rows.push(at);
  });
  const inputs = inputNodes(run, reads);
  for (const { node } of inputs) nodes.push(node);
  for (const rows of [...made.values()].sort((a, b) => a[0]! - b[0]!)) {
    for (const row of rows) nodeOf[row] = nodes.length;
    nodes.push(nodeFor(run, rows));
  }
  const { edges, inside } = joinNodes(run, reads, nodeOf, inputs);
  for (const [node, moves] of inside) nodes[node] = withMoves(nodes[node]!, moves);
  run.rows.forEach((row, at) => {
    if (!isInserted(row)) return;
    const { value } = origin(run, row.operands[0] ?? -1);
    nodeOf[at] = nodeOf[run.values[value]?.producer ?? -1] ?? -1;
  });
  return { nodes, edges, nodeOf };
}

// The group of every row: its chain, else the line of ops that hand on to one another alone.
function groupRows(run: Run, reads: Reads): string[] {
  const groups: string[] = [];
  run.rows.forEach((row, at) => {
    const chain = chainOf(run, at);
    groups[at] = chain === null ? `line ${at}` : chain.name;
    if (chain !== null || row.kind === 'terminator' || isInserted(row) || isWeight(run, row)) return;
    const origins = row.operands.map((operand) => origin(run, operand));
    const producers = new Set(
      origins
        .map(({ value }) => run.values[value]?.producer ?? -1)
        .filter((from) => from >= 0 && !isWeight(run, run.rows[from]!)),
    );
    if (origins.some(({ moves }) => moves.length > 0)) return;
    const [from] = [...producers];
    if (from === undefined || producers.size > 1 || chainOf(run, from) !== null) return;
    const readBy = new Set(
      run.rows[from]!.results.flatMap((value) => (reads.get(value) ?? []).map((read) => read.row)),
    );
    if (readBy.size === 1) groups[at] = groups[from]!;
  });
  return groups;
}

function inputNodes(run: Run, reads: Reads): { readonly value: number; readonly node: GraphNode }[] {
  return run.values.flatMap((value, at) => {
    if (value.producer >= 0 || (value.role !== 'input' && value.role !== 'kv_cache') || !reads.has(at)) return [];
    const title = shownName(value.label || value.name);
    const place = kindOf(value.layout);
    return [
      {
        value: at,
        node: { kind: 'input', rows: [], title, detail: 'input', place, mixed: false, time: 0 } as GraphNode,
      },
    ];
  });
}

// Where the results of most of its ops live; of as many, where the last one's does.
function placeOf(run: Run, rows: readonly number[]): { readonly place: LayoutKind; readonly mixed: boolean } {
  const counts = new Map<LayoutKind, number>();
  for (const row of rows) {
    const kind = kindOf(run.values[run.rows[row]!.results[0] ?? -1]?.layout);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const place = [...counts].findLast(([, count]) => count === most)?.[0] ?? 'none';
  return { place, mixed: counts.size > 1 };
}

function nodeFor(run: Run, rows: readonly number[]): GraphNode {
  const [first, last] = [run.rows[rows[0]!]!, run.rows[rows.at(-1)!]!];
  const time = rows.reduce((sum, row) => sum + run.rows[row]!.time.total, 0);
  const { place, mixed } = placeOf(run, rows);
  if (first.kind === 'terminator')
    return { kind: 'return', rows, title: 'return', detail: `step ${rows[0]}`, place, mixed, time };
  const ends = rows.length === 1 ? rowTitle(run, first) : `${rowTitle(run, first)} … ${rowTitle(run, last)}`;
  const cost = formatTime(time);
  const chain = chainOf(run, rows[0]!);
  const detail = `${plural(rows.length, 'op')}, ${cost}`;
  if (chain !== null) return { kind: 'chain', rows, title: `${chain.name}: ${ends}`, detail, place, mixed, time };
  if (rows.length > 1) return { kind: 'line', rows, title: ends, detail, place, mixed, time };
  return { kind: 'op', rows, title: ends, detail: `${kindWord(first)}, ${cost}`, place, mixed, time };
}

// What the plan moved between ops of one node: "7 spilled".
function withMoves(node: GraphNode, moves: readonly MoveKind[]): GraphNode {
  const counts = new Map<MoveKind, number>();
  for (const kind of moves) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const told = [...counts].map(([kind, count]) => `${count} ${moveInfoOf(kind).word}`).join(', ');
  return { ...node, spills: counts.get('spill') ?? 0, detail: `${node.detail}, ${told}` };
}

function joinNodes(
  run: Run,
  reads: Reads,
  nodeOf: Int32Array,
  inputs: readonly { readonly value: number }[],
): { readonly edges: GraphEdge[]; readonly inside: ReadonlyMap<number, readonly MoveKind[]> } {
  const inside = new Map<number, MoveKind[]>();
  const counted = new Set<number>(); // moved values
  const inputOf = new Map(inputs.map(({ value }, node) => [value, node]));
  const edges = new Map<string, GraphEdge>();
  for (const [value, all] of reads)
    for (const { row, operand, moves } of all) {
      const producer = run.values[value]?.producer ?? -1;
      const from = producer >= 0 ? nodeOf[producer]! : (inputOf.get(value) ?? -1);
      const to = nodeOf[row]!;
      if (from < 0 || to < 0) continue;
      if (from === to) {
        if (moves.length > 0 && !counted.has(operand)) inside.set(to, [...(inside.get(to) ?? []), ...moves]);
        counted.add(operand);
        continue;
      }
      const key = `${from} ${to}`;
      const known = edges.get(key);
      if (known !== undefined && known.moves.length >= moves.length) continue;
      edges.set(key, { from, to, moves, place: kindOf(run.values[operand]?.layout) });
    }
  return { edges: [...edges.values()], inside };
}

// "Chain A conv1 … relu5, 12 ops in L1, 34 µs. Reads input; then B (spilled, reloaded)."
export function nodeText(graph: ChainGraph, node: number): string {
  const { title, detail } = graph.nodes[node]!;
  const name = (at: number): string => graph.nodes[at]!.title;
  const told = (edges: readonly GraphEdge[], other: 'from' | 'to'): string =>
    edges
      .slice(0, kMostTold)
      .map((edge) => name(edge[other]) + (edge.moves.length === 0 ? '' : ` (${movesText(edge.moves)})`))
      .join(', ') + (edges.length > kMostTold ? ` and ${edges.length - kMostTold} more` : '');
  const before = graph.edges.filter(({ to }) => to === node);
  const after = graph.edges.filter(({ from }) => from === node);
  return [
    `${title}, ${detail}`,
    ...(before.length === 0 ? [] : [`Reads ${told(before, 'from')}`]),
    ...(after.length === 0 ? [] : [`Read by ${told(after, 'to')}`]),
  ].join('. ');
}

const kMostTold = 4;

export function movesText(moves: readonly MoveKind[]): string {
  return moves.map((kind) => moveInfoOf(kind).word).join(', ');
}

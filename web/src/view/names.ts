// What ops and values are called on the page: the name of their place in the model when there is one, else the SSA
// name.

import { shortOp } from '../model/format';
import { moveInfo } from '../model/moves';
import type { Row, Run, ValueInfo } from '../model/report';

const prefixes = new WeakMap<Run, string>();
const kMostHops = 16; // a tensor that is spilled, reloaded, resharded, ... is followed back so far

// What the labels of all ops begin with, up to a dot ("encoder.0."): it says nothing about any of them.
export function commonPrefix(run: Run): string {
  const known = prefixes.get(run);
  if (known !== undefined) return known;
  const labels = run.rows.flatMap((row) => (row.kind === 'op' && row.label !== '' ? [row.label] : []));
  let prefix = labels.length < 3 ? '' : labels[0]!;
  for (const label of labels) {
    let at = 0;
    while (at < prefix.length && prefix[at] === label[at]) at++;
    prefix = prefix.slice(0, at);
  }
  prefix = prefix.slice(0, prefix.lastIndexOf('.') + 1);
  prefixes.set(run, prefix);
  return prefix;
}

const types = new WeakMap<Run, string>();

// The element type that most results have.
export function usualType(run: Run): string {
  let usual = types.get(run);
  if (usual !== undefined) return usual;
  const counts = new Map<string, number>();
  for (const { kind, results } of run.rows)
    if (kind === 'op' && results.length > 0) {
      const { dtype } = run.values[results[0]!]!;
      counts.set(dtype, (counts.get(dtype) ?? 0) + 1);
    }
  usual = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
  types.set(run, usual);
  return usual;
}

function shorten(run: Run, label: string): string {
  const prefix = commonPrefix(run);
  return label.length > prefix.length && label.startsWith(prefix) ? label.slice(prefix.length) : label;
}

const kMostShown = 160; // characters of a name in a list
const kMostWhole = 2000; // and where it is shown by itself
const kDirected = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const kControls = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// A name of a file as it is drawn: capped, without controls of direction, and isolated where it is written from the
// right, so that it turns nothing around it.
export function shownName(name: string, most = kMostShown): string {
  const capped = name.length <= most ? name : `${name.slice(0, most - 1)}…`;
  return kDirected.test(capped) ? `\u2068${capped.replace(kControls, '·')}\u2069` : capped;
}

export function wholeName(run: Run, row: Row): string {
  return row.label === '' ? rowTitle(run, row) : shownName(row.label, kMostWhole);
}

export function rowTitle(run: Run, row: Row): string {
  if (row.kind === 'terminator') return shownName(row.label || 'return');
  // What the plan inserted is told by the tensor that it moves.
  if (isInserted(row) && row.operands.length > 0) return valueTitle(run, row.operands[0]!);
  return shownName(shorten(run, row.label) || row.name || shortOp(row.op));
}

// The end of a dotted name, which tells it from its neighbours, where the whole has no room: "…key.heads".
export function nameEnd(title: string, room: number): string {
  if (title.length <= room || !title.includes('.') || kDirected.test(title)) return title;
  const dot = title.indexOf('.', title.length - room);
  return `…${title.slice(dot >= 0 && dot + 1 < title.length ? dot + 1 : title.length - room + 1)}`;
}

// A moved tensor keeps the name it had before the plan moved it.
export function valueTitle(run: Run, index: number): string {
  let value: ValueInfo | undefined = run.values[index];
  for (let hop = 0; hop < kMostHops && value !== undefined; hop++) {
    const producer: Row | undefined = run.rows[value.producer];
    const moved: ValueInfo | undefined =
      producer !== undefined && isInserted(producer) ? run.values[producer.operands[0] ?? -1] : undefined;
    if (moved === undefined) break;
    value = moved;
  }
  return value === undefined ? `value ${index}` : shownName(shorten(run, value.label) || value.name);
}

export function isInserted(row: Row): boolean {
  return moveInfo(row) !== undefined;
}

// What a row does, in a word.
export function kindWord(row: Row): string {
  return moveInfo(row)?.word ?? shortOp(row.op);
}

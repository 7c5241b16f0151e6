// The decisions of a run by row. Those of a long run stay text until a row of theirs is looked at.

import type { Decision, Run } from './report';

// Elements that are read when they are asked for.
export interface Deferred {
  readonly deferred: readonly string[]; // each an array of the next elements
}

export function isDeferred(value: unknown): value is Deferred {
  return typeof value === 'object' && value !== null && 'deferred' in value;
}

const kKept = 8; // pieces of text that stay read

export interface DecisionReader {
  readonly texts: readonly string[]; // in the order of rows, each an array
  readonly read: (json: string) => Decision[];
}

const readers = new WeakMap<Run, Pieces>();
const maps = new WeakMap<Run, ReadonlyMap<number, Decision[]>>();

class Pieces {
  private readonly first_: readonly number[]; // row of each piece's first decision
  private readonly kept_ = new Map<number, Decision[]>();

  constructor(private readonly reader: DecisionReader) {
    this.first_ = reader.texts.map((text) => Number(/"row":(\d+)/.exec(text.slice(0, 400))?.[1] ?? -1));
  }

  private piece(at: number): Decision[] {
    let known = this.kept_.get(at);
    if (known === undefined) {
      known = this.reader.read(this.reader.texts[at]!);
      if (this.kept_.size >= kKept) this.kept_.delete(this.kept_.keys().next().value!);
      this.kept_.set(at, known);
    }
    return known;
  }

  of(row: number): Decision[] {
    const after = this.first_.findIndex((first) => first > row);
    const end = after < 0 ? this.first_.length : after;
    let begin = end - 1;
    while (begin > 0 && this.first_[begin] === row) begin--; // the piece before may end with some of the row
    const found: Decision[] = [];
    for (let at = Math.max(0, begin); at < end; at++)
      for (const decision of this.piece(at)) if (decision.row === row) found.push(decision);
    return found;
  }
}

// Makes `decisions` of the run what is read from the texts when somebody asks for all.
export function deferDecisions(run: Run, reader: DecisionReader): void {
  readers.set(run, new Pieces(reader));
  let all: Decision[] | null = null;
  Object.defineProperty(run, 'decisions', {
    enumerable: true,
    configurable: true,
    get: () => (all ??= reader.texts.flatMap(reader.read)),
  });
}

export function decisionsOf(run: Run, row: number): readonly Decision[] {
  const pieces = readers.get(run);
  if (pieces !== undefined) return pieces.of(row);
  let map = maps.get(run);
  if (map === undefined) {
    const made = new Map<number, Decision[]>();
    for (const decision of run.decisions) made.set(decision.row, [...(made.get(decision.row) ?? []), decision]);
    maps.set(run, (map = made));
  }
  return map.get(row) ?? [];
}

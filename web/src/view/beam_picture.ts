// A beam search as a picture: ops down, entries of their beams across, pointers between them, bytes of L1 and what was
// spilled. Pure; made from a trace and, where there is one, from the run that it belongs to.

import type { BeamEntry, BeamLink, BeamOp, BeamScore, BeamSpill, BeamTrace } from '../model/generated/beam_trace';
import { shortOp } from '../model/format';
import type { Layout, Run } from '../model/report';
import { rowTitle } from './names';
import { kCachedLoad } from './schedule_geometry';
import { SpanIndex } from './span_index';
import { readTraceLayout, type TraceLayout } from './trace_layout';

export interface BeamEdge {
  readonly from: number; // op
  readonly fromSlot: number;
  readonly to: number; // op, below `from`
  readonly toSlot: number;
  readonly operand: number;
  readonly reshard: boolean;
  readonly chosen: boolean; // both ends were taken
}

export interface SpillEvent {
  readonly at: number; // op; -1: none
  readonly position: number;
  readonly op: string;
  readonly kind: 'evict' | 'demote' | 'fail' | 'other';
  readonly action: string; // in words
  readonly victim: string;
  readonly victimAt: number; // op that made it; -1: not known
  readonly from: TraceLayout | null; // null: the trace does not say
  readonly to: TraceLayout | null;
  readonly bytes: number; // per core, that left L1; 0: not known
  readonly before: number;
  readonly after: number;
  readonly needed: number;
  readonly cause: string;
}

export interface LiveBytes {
  readonly tensors: number; // per core
  readonly circular: number;
}

export type CandidateFate = 'chosen' | 'kept' | 'worse' | 'refused';

export interface CandidateRow {
  readonly rank: number; // entry of the beam; -1: none
  readonly fate: CandidateFate;
  readonly hint: TraceLayout | null; // null: the trace does not say
  readonly output: TraceLayout | null; // null: refused
  readonly inputs: readonly { readonly operand: number; readonly layout: TraceLayout; readonly reshard: boolean }[];
  readonly score: BeamScore | null;
  readonly entry: BeamEntry | null;
  readonly count: number; // evaluations alike
  readonly why: string;
}

export class BeamPicture {
  readonly ops: readonly BeamOp[];
  readonly slots: number; // most entries of a beam
  readonly edges: readonly BeamEdge[];
  readonly index: SpanIndex; // of edges, by op
  readonly events: readonly SpillEvent[];
  readonly live: readonly LiveBytes[]; // by op
  readonly measured: boolean; // `live` is of the simulated run; else it follows from the choices
  readonly budget: number;
  readonly layouts: readonly TraceLayout[];
  readonly tries: number;
  readonly forkAt: ReadonlyMap<
    number,
    { readonly slot: number; readonly consumers: readonly number[]; readonly votes: readonly number[] }
  >;
  readonly eventsAt: ReadonlyMap<number, readonly SpillEvent[]>;
  private readonly placeOfRow_ = new Map<number, number>();
  private readonly placeOfName_ = new Map<string, number>(); // values of the run, locations
  private readonly titles_: readonly string[];

  constructor(
    readonly trace: BeamTrace,
    private readonly run_: Run | null,
    private readonly score_ = '',
  ) {
    this.ops = trace.ops;
    this.layouts = trace.layouts.map(readTraceLayout);
    this.slots = trace.ops.reduce((most, op) => Math.max(most, op.beam.length), 1);
    this.tries = trace.ops.reduce((sum, op) => sum + op.tries, 0);
    this.titles_ = trace.ops.map((op) => this.makeTitle(op));
    trace.ops.forEach((op, at) => this.name(op, at));
    this.edges = this.makeEdges();
    this.index = new SpanIndex(trace.ops.length, this.edges.length, (edge) => [
      this.edges[edge]!.from,
      this.edges[edge]!.to,
    ]);
    this.forkAt = this.makeForks();
    this.events = (trace.spills?.events ?? []).map((event) => this.readEvent(event));
    const byOp = new Map<number, SpillEvent[]>();
    for (const event of this.events) byOp.set(event.at, [...(byOp.get(event.at) ?? []), event]);
    this.eventsAt = byOp;
    this.measured = run_ !== null;
    this.live =
      run_ === null
        ? this.liveByChoices()
        : trace.ops.map((op) => ({
            tensors: run_.rows[op.row]?.l1.tensors ?? 0,
            circular: run_.rows[op.row]?.l1.circularBuffers ?? 0,
          }));
    this.budget = Math.max(
      1,
      trace.spills?.budget ?? 0,
      trace.spills === null
        ? (run_?.l1Budget ?? this.live.reduce((most, { tensors }) => Math.max(most, tensors), 0))
        : 0,
    );
  }

  title(at: number): string {
    return this.titles_[at] ?? '?';
  }

  // The op's step in the schedule of the run; of a file, which has none, its index in the trace.
  step(at: number): number {
    const op = this.ops[at];
    return op === undefined ? -1 : this.run_ !== null && op.row >= 0 ? op.row : op.index;
  }

  // Of a row of the run, or of the nearest op above an inserted row; -1 when there is none.
  placeOfRow(row: number): number {
    for (let at = row; at >= 0; at--) {
      const place = this.placeOfRow_.get(at);
      if (place !== undefined) return place;
    }
    return -1;
  }

  layout(index: number): TraceLayout {
    return this.layouts[index] ?? readTraceLayout(undefined);
  }

  // The entries that this entry comes from, over all operands: "op:slot".
  history(at: number, slot: number): ReadonlySet<string> {
    const seen = new Set<string>();
    const waiting: [number, number][] = [[at, slot]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [op, entry] = next;
      const key = `${op}:${entry}`;
      if (seen.has(key) || this.ops[op]?.beam[entry] === undefined) continue;
      seen.add(key);
      for (const [, from, fromSlot] of this.ops[op]!.beam[entry]!.links ?? []) waiting.push([from, fromSlot]);
    }
    return seen;
  }

  // Entries of the beam by rank, then what worked and was not kept, then what was refused.
  candidates(at: number): CandidateRow[] {
    const op = this.ops[at];
    if (op === undefined) return [];
    const left = op.candidates.map(({ count }) => count);
    const rows = op.beam.map((entry, rank): CandidateRow => {
      const group = op.candidates.findIndex(
        (candidate, place) =>
          left[place]! > 0 && candidate.output === entry.output && sameScore(candidate.score, entry.score),
      );
      if (group >= 0) left[group] = 0;
      const found = op.candidates[group];
      const fate = rank === op.chosen ? 'chosen' : 'kept';
      return {
        rank,
        fate,
        hint: found === undefined ? null : this.layout(found.hint),
        output: this.layout(entry.output),
        inputs: found === undefined ? this.linkedInputs(entry) : this.inputsOf(op, found.inputs),
        score: entry.score,
        entry,
        count: found?.count ?? 1,
        why: this.whyKept(at, entry, fate),
      };
    });
    const others = op.candidates.flatMap((candidate, place): CandidateRow[] => {
      if (left[place] === 0) return [];
      const refused = candidate.reason >= 0;
      return [
        {
          rank: -1,
          fate: refused ? 'refused' : 'worse',
          hint: this.layout(candidate.hint),
          output: refused ? null : this.layout(candidate.output),
          inputs: this.inputsOf(op, candidate.inputs),
          score: candidate.score ?? null,
          entry: null,
          count: candidate.count,
          why: refused
            ? (this.trace.reasons[candidate.reason] ?? '')
            : this.whyLost(op, candidate.output, candidate.score),
        },
      ];
    });
    return [
      ...rows,
      ...others.filter(({ fate }) => fate === 'worse'),
      ...others.filter(({ fate }) => fate === 'refused'),
    ];
  }

  // Where the run has a cached weight: the policy does not decide it, and sees it where it waits to be prepared. Null
  // for other ops and without a run.
  placeOfCached(at: number): Layout | null {
    const op = this.ops[at]!;
    if (op.op !== kCachedLoad) return null;
    return this.run_?.values[this.run_.rows[op.row]?.results[0] ?? -1]?.layout ?? null;
  }

  private name(op: BeamOp, at: number): void {
    if (op.row >= 0) this.placeOfRow_.set(op.row, at);
    for (const name of [this.run_?.rows[op.row]?.name ?? '', op.location])
      if (name !== '' && !this.placeOfName_.has(name)) this.placeOfName_.set(name, at);
  }

  private makeTitle(op: BeamOp): string {
    const row = this.run_?.rows[op.row];
    return row !== undefined
      ? rowTitle(this.run_!, row)
      : op.location !== ''
        ? op.location
        : `${shortOp(op.op)} ${op.index}`;
  }

  private makeEdges(): BeamEdge[] {
    return this.ops.flatMap((op, to) =>
      op.beam.flatMap((entry, toSlot) =>
        (entry.links ?? []).flatMap(([operand, from, fromSlot, reshard]): BeamEdge[] => {
          const producer = this.ops[from];
          if (producer === undefined || from >= to) return [];
          return [
            {
              from,
              fromSlot,
              to,
              toSlot,
              operand,
              reshard: reshard >= 0,
              chosen: op.chosen === toSlot && producer.chosen === fromSlot,
            },
          ];
        }),
      ),
    );
  }

  // A reader votes for the entry that its own chosen entry comes from.
  private makeForks(): BeamPicture['forkAt'] {
    const forks = new Map<number, { slot: number; consumers: readonly number[]; votes: number[] }>();
    for (const { at, slot, consumers } of this.trace.forks) {
      const votes = (this.ops[at]?.beam ?? []).map(() => 0);
      for (const consumer of consumers) {
        const wanted = bestWish(this.ops[consumer], at);
        if (wanted !== null && votes[wanted] !== undefined) votes[wanted]++;
      }
      forks.set(at, { slot, consumers, votes });
    }
    return forks;
  }

  private inputsOf(op: BeamOp, inputs: readonly number[]): CandidateRow['inputs'] {
    const sets = op.inputs.filter(({ from }) => from !== 'reshard');
    const operands = [...new Set(op.inputs.map(({ operand }) => operand))];
    const byPlace = operands.length === inputs.length;
    return inputs.flatMap((index, place) => {
      const layout = this.layout(index);
      if (layout.full === 'null') return [];
      const operand = byPlace ? operands[place]! : place;
      const own = sets.find((set) => set.operand === operand);
      return [{ operand, layout, reshard: own !== undefined && !own.layouts.includes(index) }];
    });
  }

  private linkedInputs(entry: BeamEntry): CandidateRow['inputs'] {
    return (entry.links ?? []).map(([operand, from, slot, reshard]: BeamLink) => ({
      operand,
      layout: this.layout(reshard >= 0 ? reshard : (this.ops[from]?.beam[slot]?.output ?? -1)),
      reshard: reshard >= 0,
    }));
  }

  private whyKept(at: number, entry: BeamEntry, fate: CandidateFate): string {
    const op = this.ops[at]!;
    const fork = this.forkAt.has(at);
    if (op.fallback) return 'no candidate was legal: the fallback, DRAM';
    if (fate === 'chosen') {
      const spilled = op.final >= 0 && op.final !== entry.output && this.layout(entry.output).full !== 'null';
      return spilled
        ? `taken, and put into ${this.layout(op.final).text} when L1 was full`
        : fork
          ? 'taken for all readers of the fork'
          : 'on the chosen path';
    }
    const taken = op.beam[op.chosen];
    const equal = taken !== undefined && sameScore(taken.score, entry.score) ? 'as good by itself, but ' : '';
    return (
      equal + (fork ? 'another entry suits the readers of the fork better' : 'no reader on the path comes from it')
    );
  }

  private whyLost(op: BeamOp, output: number, score: BeamScore | undefined): string {
    if (op.beam.some((entry) => entry.output === output)) return 'another candidate with the same result is better';
    if (op.beam.length < this.trace.beamWidth)
      return 'the same layout is in the beam already, or is no better anywhere';
    if (this.score_ === 'first') return 'comes later in the order of preference';
    if (score !== undefined && sameScore(op.beam.at(-1)?.score, score))
      return 'has the figures of the last that was kept: of equals the first that was found stands first';
    if (this.score_ === 'time') return `its path takes longer than that of the last of ${op.beam.length} kept`;
    if (this.score_ === 'cores')
      return `its path has fewer cores, or more reshards, than the last of ${op.beam.length} kept`;
    return firstDifference(score, op.beam.at(-1)?.score) ?? 'as good as the last that was kept, but found later';
  }

  private readEvent(event: BeamSpill): SpillEvent {
    const { kind, action, to } = kActions[event.action] ?? {
      kind: 'other',
      action: event.action.replace(/_/g, ' '),
      to: null,
    };
    const victimAt = this.findVictim(event, kind === 'evict');
    const made = this.ops[victimAt];
    const from = made === undefined ? null : this.layout(made.beam[made.chosen]?.output ?? -1);
    return {
      at: event.at,
      position: event.position,
      op: event.op,
      kind,
      action,
      victim: victimAt >= 0 ? this.title(victimAt) : event.victim,
      victimAt,
      from,
      to: to === null ? null : readTraceLayout(to),
      bytes: kind === 'evict' ? Math.max(0, event.before - event.after) : (made?.beam[made.chosen]?.score[5] ?? 0),
      before: event.before,
      after: event.after,
      needed: event.needed,
      cause: event.details,
    };
  }

  // A run names the value, a file perhaps the op's place; what is demoted is the op's own result.
  private findVictim(event: BeamSpill, evicted: boolean): number {
    if (event.victim === '') return evicted ? -1 : event.at;
    return this.placeOfName_.get(event.victim) ?? -1;
  }

  // Bytes of the results in L1 from the op to its last reader or its eviction; files have no addresses.
  private liveByChoices(): LiveBytes[] {
    const last = this.ops.map((_, at) => at);
    for (const [from, to] of this.trace.edges) last[from] = Math.max(last[from] ?? to, to);
    let live: { at: number; bytes: number }[] = [];
    return this.ops.map((op, at) => {
      for (const event of this.eventsAt.get(at) ?? [])
        if (event.kind === 'evict') live = withoutVictim(live, event, last);
      const entry = op.beam.find(({ output }) => output === op.final) ?? op.beam[op.chosen];
      if (entry !== undefined && this.layout(op.final).full.toLowerCase().startsWith('l1'))
        live.push({ at, bytes: entry.score[5] });
      const tensors = live.reduce((sum, { bytes }) => sum + bytes, 0);
      live = live.filter((tensor) => last[tensor.at]! > at);
      return { tensors, circular: 0 };
    });
  }
}

// A victim that the trace names by a value is told by its size; of several the one that would stay longest, as the
// victim rules have it.
function withoutVictim<T extends { at: number; bytes: number }>(
  live: readonly T[],
  event: SpillEvent,
  last: readonly number[],
): T[] {
  let victim = live.findIndex(({ at }) => at === event.victimAt);
  live.forEach(({ at, bytes }, place) => {
    if (event.victimAt < 0 && bytes === event.bytes && (victim < 0 || last[at]! > last[live[victim]!.at]!))
      victim = place;
  });
  return live.filter((_, place) => place !== victim);
}

const kActions: Readonly<
  Record<string, { readonly kind: SpillEvent['kind']; readonly action: string; readonly to: string | null }>
> = {
  evict: { kind: 'evict', action: 'evicted', to: 'dram/interleaved' },
  eviction: { kind: 'evict', action: 'evicted', to: 'dram/interleaved' },
  evict_all: { kind: 'evict', action: 'evicted with all others', to: 'dram/interleaved' },
  self_spill: { kind: 'demote', action: 'spilled itself', to: 'dram/interleaved' },
  demote_to_l1_interleaved: { kind: 'demote', action: 'demoted', to: 'l1/interleaved' },
  demotion: { kind: 'demote', action: 'demoted', to: 'l1/interleaved' },
  fragmentation_demote: { kind: 'demote', action: 'demoted: L1 is fragmented', to: 'l1/interleaved' },
  demote_to_dram: { kind: 'demote', action: 'demoted', to: 'dram/interleaved' },
  all_dram: { kind: 'demote', action: 'operands and result to DRAM', to: 'dram/interleaved' },
  fail: { kind: 'fail', action: 'does not fit', to: null },
  oom: { kind: 'fail', action: 'out of memory', to: null },
};

// The entry of `producer` that the reader's best entry comes from: what it would have wanted without the others.
function bestWish(reader: BeamOp | undefined, producer: number): number | null {
  for (const [, from, slot] of reader?.beam[0]?.links ?? []) if (from === producer) return slot;
  return null;
}

function sameScore(a: BeamScore | undefined, b: BeamScore): boolean {
  return a !== undefined && a.every((field, at) => field === b[at]);
}

// The compiler compares field after field (tt-mlir Analysis/MemoryLayoutPropagation.cpp): the first that differs
// decides.
export function firstDifference(score: BeamScore | undefined, kept: BeamScore | undefined): string | null {
  if (score === undefined || kept === undefined) return null;
  if (score[0] !== kept[0]) return 'not in L1, the last that was kept is';
  if (score[1] !== kept[1]) return 'not sharded, the last that was kept is';
  if (score[2] !== kept[2])
    return `reads more from DRAM (${score[2].toLocaleString('en-US')} B against ${kept[2].toLocaleString('en-US')} B)`;
  if (score[3] !== kept[3]) return 'needs a reshard, the last that was kept does not';
  if (score[4] !== kept[4]) return `fewer cores (${score[4]} against ${kept[4]})`;
  return score[5] === kept[5]
    ? null
    : `takes more L1 (${score[5].toLocaleString('en-US')} B against ${kept[5].toLocaleString('en-US')} B)`;
}

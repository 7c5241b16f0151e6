// The chain generation's trace as steps that can be walked: a title, a sentence, the ops concerned and figures for each
// event, made when they are looked at. What holds at a step (which chain an op belongs to) is a comparison of two
// indices.

import type { ChainEvent, ChainEventKind, ChainTrace, OpRef } from '../model/generated/chain_trace';
import { shortOp } from '../model/format';
import type { Run } from '../model/report';
import { chainLetter } from '../view/chain_marks';
import { phaseOf, tellStep, type Figure, type Phase, type StepFacts, type Tone } from './step_texts';

export interface Step {
  readonly index: number;
  readonly kind: ChainEventKind;
  readonly phase: Phase;
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly number[]; // ops concerned; the first is the one it is about
  readonly chains: readonly number[];
  readonly figures: readonly Figure[];
}

export interface ScheduledOp {
  readonly row: number;
  readonly name: string;
  readonly op: string;
  readonly chain: number; // the chain it joins; -1: none
  readonly joins: number; // step at which it does
}

export type ChainStateAt = 'building' | 'built' | 'solved' | 'merged' | 'failed';

interface ChainTimes {
  broke: number;
  resolved: number;
  merged: number;
  failed: number;
}

export class StepList {
  readonly ops: readonly ScheduledOp[];
  readonly count: number;
  private readonly place_ = new Map<number, number>(); // row -> index in ops
  private readonly chains_: ChainTimes[];

  constructor(
    private readonly run_: Run,
    private readonly trace_: ChainTrace,
  ) {
    this.count = trace_.events.length;
    this.chains_ = trace_.chains.map(() => ({
      broke: Infinity,
      resolved: Infinity,
      merged: Infinity,
      failed: Infinity,
    }));
    const joins = new Map<number, { step: number; chain: number }>();
    trace_.events.forEach((event, step) => this.note(event, step, joins));
    this.ops = trace_.schedule.map((row, at) => {
      this.place_.set(row, at);
      const joined = joins.get(row);
      return {
        row,
        name: this.nameOfRow(row),
        op: shortOp(run_.rows[row]?.op ?? ''),
        chain: joined?.chain ?? -1,
        joins: joined?.step ?? Infinity,
      };
    });
  }

  private note(event: ChainEvent, step: number, joins: Map<number, { step: number; chain: number }>): void {
    const times = this.chains_[event.chain ?? -1];
    if (times === undefined) return;
    const row = event.op?.row ?? -1;
    if ((event.kind === 'ChainStarted' || event.kind === 'ChainGrew') && row >= 0)
      joins.set(row, { step, chain: event.chain! });
    if (event.kind === 'ChainBroke') times.broke = Math.min(times.broke, step);
    if (event.kind === 'ChainResolved') times.resolved = Math.min(times.resolved, step);
    if (event.kind === 'MergeApplied') times.merged = Math.min(times.merged, step);
    if (event.kind === 'ChainFailed') times.failed = Math.min(times.failed, step);
  }

  chainAt(op: ScheduledOp, step: number): number {
    return op.joins <= step ? op.chain : -1;
  }

  stateAt(chain: number, step: number): ChainStateAt {
    const times = this.chains_[chain];
    if (times === undefined) return 'building';
    if (times.failed <= step) return 'failed';
    if (times.merged <= step) return 'merged';
    if (times.resolved <= step) return 'solved';
    return times.broke <= step ? 'built' : 'building';
  }

  placeOf(row: number): number {
    return this.place_.get(row) ?? -1;
  }

  // The next step after `from` of that kind; -1 when there is none.
  next(kind: ChainEventKind, from: number): number {
    for (let at = from + 1; at < this.count; at++) if (this.trace_.events[at]!.kind === kind) return at;
    return -1;
  }

  // The next step about that op, from the first again after the last; -1 when there is none.
  nextAbout(row: number, from: number): number {
    for (let far = 1; far <= this.count; far++) {
      const at = (from + far) % this.count;
      const event = this.trace_.events[at]!;
      if (event.op?.row === row || event.producer?.row === row) return at;
    }
    return -1;
  }

  step(index: number): Step {
    const at = Math.max(0, Math.min(index, this.count - 1));
    const event = this.trace_.events[at]!;
    const told = tellStep(this.facts(event, at));
    return {
      index: at,
      kind: event.kind,
      phase: phaseOf(event.kind),
      tone: told.tone ?? 'plain',
      title: told.title,
      text: told.text,
      figures: told.figures ?? [],
      rows: [event.op, event.producer].flatMap((ref) => (ref != null && ref.row >= 0 ? [ref.row] : [])),
      chains: [event.chain, event.other].filter((chain): chain is number => chain !== undefined && chain >= 0),
    };
  }

  private nameOfRow(row: number): string {
    const found = this.run_.rows[row];
    return found === undefined ? '?' : found.label !== '' ? found.label : found.name !== '' ? found.name : found.op;
  }

  private nameOf(ref: OpRef | null | undefined): string {
    if (ref == null) return 'an argument';
    return ref.row >= 0 ? this.nameOfRow(ref.row) : ref.name;
  }

  // What a rejection answers to; '' when the trace does not say.
  private attemptBefore(at: number): string {
    for (let back = at - 1; back >= 0 && back >= at - 4; back--) {
      const event = this.trace_.events[back]!;
      if (event.kind === 'MergeTried')
        return `Merge of ${chainLetter(event.chain ?? -1)} into ${chainLetter(event.other ?? -1)}`;
      if (event.kind === 'ConcatTried') return `Concat ${this.nameOf(event.op)}`;
      if (event.kind === 'ReservationTried') return `Keeping ${this.nameOf(event.op)} in L1`;
      if (event.kind !== 'Rejected') return '';
    }
    return '';
  }

  private facts(event: ChainEvent, at: number): StepFacts {
    return {
      event,
      run: this.run_,
      trace: this.trace_,
      op: this.nameOf(event.op),
      producer: this.nameOf(event.producer),
      chain: chainLetter(event.chain ?? -1),
      other: chainLetter(event.other ?? -1),
      order: this.trace_.solvingOrder.map(chainLetter).join(', '),
      answersTo: event.kind === 'Rejected' ? this.attemptBefore(at) : '',
      before: event.before ?? 0,
      after: event.after ?? 0,
      paths: event.paths ?? 0,
      rule: event.rule ?? '',
      why: event.why ?? event.note ?? '',
    };
  }
}

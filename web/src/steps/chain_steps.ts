// The steps of the chain generation, from its trace; the texts are made when a step is looked at.

import type { ChainEvent, ChainTrace, OpRef } from '../model/generated/chain_trace';
import type { Run } from '../model/report';
import { chainLetter } from '../view/chain_marks';
import { rowTitle } from '../view/names';
import { phaseOf, tellStep, type StepFacts } from './step_texts';
import type { StepMark, StepSource, StepText } from './walk';

const kNoEffect: ReadonlySet<string> = new Set([
  'Scheduled',
  'ConcatTried',
  'ReservationTried',
  'MergeTried',
  'Rejected',
]);
const kTurns: ReadonlySet<string> = new Set(['ChainFailed', 'TakenBack', 'MergeApplied']);

// What an event changes: one that tries, or rules nothing out, changes nothing.
function hasEffect({ kind, before = 0, after = 0, paths = 0, ...event }: ChainEvent): boolean {
  if (kind === 'Paths') return paths === 0;
  if (kind === 'FirstOp') return before !== after;
  if (kind === 'Propagated') return before !== (event.producerAfter ?? 0) || after !== (event.consumerAfter ?? 0);
  return !kNoEffect.has(kind);
}

function isSpill({ kind, note }: ChainEvent): boolean {
  return kind === 'TakenBack' || (kind === 'SpillDecided' && note !== 'None' && note !== 'L1Interleaved');
}

export class ChainSteps implements StepSource {
  readonly count: number;
  private readonly marks_: readonly StepMark[];

  constructor(
    private readonly run_: Run,
    private readonly trace_: ChainTrace,
  ) {
    this.count = trace_.events.length;
    this.marks_ = trace_.events.map((event) => ({
      rows: [event.op, event.producer].flatMap((ref) => (ref != null && ref.row >= 0 ? [ref.row] : [])),
      effect: hasEffect(event),
      spill: isSpill(event),
      turn: kTurns.has(event.kind),
    }));
  }

  mark(at: number): StepMark {
    return this.marks_[at]!;
  }

  tell(at: number): StepText {
    const event = this.trace_.events[at]!;
    const told = tellStep(this.facts(event, at));
    return { tone: 'plain', figures: [], choices: [], ...told, phase: phaseOf(event.kind) };
  }

  private nameOf(ref: OpRef | null | undefined): string {
    if (ref == null) return 'an argument';
    const row = this.run_.rows[ref.row];
    return row === undefined ? ref.name : rowTitle(this.run_, row);
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

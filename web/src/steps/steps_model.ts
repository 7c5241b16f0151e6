// The chain generation's trace as steps that can be walked: a title, a sentence, the ops concerned and figures for each
// event, made when they are looked at. What holds at a step (which chain an op belongs to) is a comparison of two
// indices.

import type { ChainEvent, ChainEventKind, ChainTrace, OpRef } from '../model/generated/chain_trace';
import { formatBytes, formatInteger, plural, shortOp } from '../model/format';
import type { Run } from '../model/report';
import { chainLetter } from '../view/chain_marks';

export type Phase = 'Build chains' | 'Order chains' | 'Solve chains' | 'Keep results in L1' | 'Place results';
export type Tone = 'plain' | 'good' | 'bad';

export interface Figure {
  readonly name: string;
  readonly before: string; // '' when there is no before
  readonly after: string;
}

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
    const told = this.tell(event, at);
    return {
      index: at,
      kind: event.kind,
      phase: kPhases[event.kind],
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

  // What a rejection or a reservation answers to.
  private attemptBefore(at: number): ChainEvent | null {
    for (let back = at - 1; back >= 0 && back >= at - 4; back--) {
      const event = this.trace_.events[back]!;
      if (event.kind === 'MergeTried' || event.kind === 'ReservationTried' || event.kind === 'ConcatTried')
        return event;
      if (event.kind !== 'Rejected') return null;
    }
    return null;
  }

  private tell(event: ChainEvent, at: number): Told {
    switch (kPhases[event.kind]) {
      case 'Build chains':
        return this.tellBuilding(event);
      case 'Order chains':
        return this.tellOrder(event);
      case 'Solve chains':
        return this.tellSolving(event);
      case 'Keep results in L1':
        return this.tellKeeping(event, at);
      case 'Place results':
        return this.tellPlacing(event);
    }
  }

  private tellBuilding(event: ChainEvent): Told {
    const op = this.nameOf(event.op);
    const chain = chainLetter(event.chain ?? -1);
    const rule = event.rule ?? '';
    switch (event.kind) {
      case 'Scheduled': {
        const place = this.placeOf(event.op?.row ?? -1);
        return {
          title: `${op} is scheduled`,
          text: `The depth-first schedule takes ${op} next: everything it reads has been computed.`,
          figures:
            place < 0
              ? []
              : [value('Place in the schedule', `${formatInteger(place + 1)} of ${formatInteger(this.ops.length)}`)],
        };
      }
      case 'ChainStarted':
        return {
          title: `Chain ${chain} starts`,
          text: `${op} can be sharded and no chain is open, so it starts chain ${chain}.`,
        };
      case 'ChainGrew':
        return {
          title: `Chain ${chain} grows`,
          text:
            `${op} reads the last result of chain ${chain} as its operand 0 and is that result’s only ` +
            'reader: it joins.',
        };
      case 'ChainBroke':
        return {
          title: `Chain ${chain} ends`,
          text: `Chain ${chain} ends at ${op}: ${rule}.`,
          figures: [value('Rule', rule), ...this.length(event.chain)],
        };
      case 'PreferenceSet':
        return {
          title: `A sharding is asked of chain ${chain}`,
          text: `The result of ${op} goes into a concat, which needs its inputs sharded alike: ${event.note ?? ''}.`,
          figures: [value('Sharding', event.note ?? '')],
        };
      default:
        if (rule === kNextIsFused)
          return {
            title: `${op} stays out`,
            text:
              `${op} is a fused kernel: it joins no chain. The chain before it ends, and the next op starts ` +
              'another.',
          };
        return { title: `${op} stays out`, text: `${op} joins no chain: ${rule}.`, figures: [value('Rule', rule)] };
    }
  }

  private tellOrder(event: ChainEvent): Told {
    const [before, after] = [chainLetter(event.chain ?? -1), chainLetter(event.other ?? -1)];
    if (event.kind === 'DispatchRelated') {
      const op = this.nameOf(event.op);
      return {
        title: `${op} stands between ${before} and ${after}`,
        text:
          `The fused kernel ${op} reads what chain ${before} writes, and chain ${after} reads what it ` +
          `writes. Chain ${after} will choose the layout that ${op} should write.`,
        figures: [value('Producer chain', before), value('Consumer chain', after)],
      };
    }
    const order = this.trace_.solvingOrder.map(chainLetter).join(', ');
    return {
      title: 'Chains are put in order',
      text: 'A chain that feeds a fused kernel is solved before the one that the kernel feeds.',
      figures: [value('Solving order', order)],
    };
  }

  private length(chain: number | undefined): Figure[] {
    const ops = this.trace_.chains[chain ?? -1]?.ops.length;
    return ops === undefined ? [] : [value('Ops in the chain', formatInteger(ops))];
  }

  private tellSolving(event: ChainEvent): Told {
    const op = this.nameOf(event.op);
    const producer = this.nameOf(event.producer);
    const chain = chainLetter(event.chain ?? -1);
    const before = event.before ?? 0;
    const after = event.after ?? 0;
    const paths = event.paths ?? 0;
    switch (event.kind) {
      case 'FirstOp':
        return {
          title: `First op of chain ${chain}`,
          text:
            `${op} must take what comes into the chain (${producer}) as it is: ${formatInteger(after)} of ` +
            `${plural(before, 'legal config')} can.`,
          tone: after === 0 ? 'bad' : 'plain',
          figures: [change(`Configs of ${op}`, before, after)],
        };
      case 'FirstOpInput':
        return {
          title: `Input layout for chain ${chain}`,
          text:
            after === 0
              ? `None of ${plural(before, 'layout')} of ${producer} suits ${op}.`
              : `Of ${plural(before, 'layout')} of ${producer}, ${event.layout ?? 'one'} is the one that ${op} takes.`,
          tone: after === 0 ? 'bad' : 'plain',
          figures: [
            value('Layouts tried', formatInteger(before)),
            value('Layout taken', event.layout ?? 'none'),
            value('Pairs that work', formatInteger(paths)),
          ],
        };
      case 'Paths':
        return {
          title: `Edge ${producer} → ${op}`,
          text:
            `Every valid config of ${producer} is tried with every legal one of ${op}: ` +
            `${plural(paths, 'pair')} ${paths === 1 ? 'goes' : 'go'} together without a reshard.`,
          tone: paths === 0 ? 'bad' : 'plain',
          figures: [
            value('Pairs that go together', formatInteger(paths)),
            value(`Configs of ${producer}`, formatInteger(before)),
            value(`Configs of ${op}`, formatInteger(after)),
          ],
        };
      case 'ReshardInserted':
        return {
          title: `Reshard on ${producer} → ${op}`,
          text:
            `No pair goes together, so a reshard is put before ${op}: ${formatInteger(after)} of its ` +
            `${plural(before, 'config')} ${after === 1 ? 'takes' : 'take'} some resharded input.`,
          figures: [change(`Configs of ${op}`, before, after), value('Reshards to choose from', formatInteger(paths))],
        };
      case 'EdgeFailed':
        return {
          title: `Edge ${producer} → ${op} fails`,
          text: `No config of ${op} takes what ${producer} can offer, resharded or not${
            event.why === undefined ? '' : `: ${event.why}`
          }.`,
          tone: 'bad',
          figures: event.why === undefined ? [] : [value('Reason', event.why)],
        };
      case 'Propagated': {
        const lost = before - (event.producerAfter ?? 0) + after - (event.consumerAfter ?? 0);
        return {
          title: `Propagation over ${producer} → ${op}`,
          text:
            `Configs that lost their last partner on this edge are out: ${plural(lost, 'bit')} cleared, ` +
            `${plural(paths, 'pair')} left.`,
          figures: [
            change(`Bitset of ${producer}`, before, event.producerAfter ?? 0),
            change(`Bitset of ${op}`, after, event.consumerAfter ?? 0),
            value('Pairs left', formatInteger(paths)),
          ],
        };
      }
      case 'ChainResolved':
        return {
          title: `Chain ${chain} is solved`,
          text: `Every edge of chain ${chain} has pairs left: a path through its ${plural(
            this.trace_.chains[event.chain ?? -1]?.ops.length ?? 0,
            'op',
          )} exists.`,
          tone: 'good',
          figures: this.length(event.chain),
        };
      case 'ChainFailed':
        return {
          title: `Chain ${chain} fails`,
          text: `The whole of chain ${chain} goes back to DRAM${event.note === undefined ? '' : `, ${event.note}`}.`,
          tone: 'bad',
          figures: this.length(event.chain),
        };
      case 'ConcatTried':
        return {
          title: `Concat ${op} is tried`,
          text: `${op} is asked whether it takes its inputs from L1${
            event.layout === undefined ? '' : ` and writes ${event.layout}`
          }.`,
          figures: event.layout === undefined ? [] : [value('Result', event.layout)],
        };
      default:
        return {
          title: `${op} gets its config`,
          text:
            `On the path with most cores in sum, ${op} writes ${event.layout ?? 'its result'}: ` +
            `${plural(after, 'core')}.`,
          tone: 'good',
          figures: [
            value('Chosen', event.layout ?? ''),
            value('Cores', formatInteger(after)),
            value('Accumulated cores of the path', formatInteger(before)),
          ],
        };
    }
  }

  private tellKeeping(event: ChainEvent, at: number): Told {
    const op = this.nameOf(event.op);
    const chain = chainLetter(event.chain ?? -1);
    const other = chainLetter(event.other ?? -1);
    const bytes = event.before === undefined ? [] : [value('L1 per core', formatBytes(event.before))];
    const why = event.why ?? event.note ?? '';
    switch (event.kind) {
      case 'ReservationTried':
        return {
          title: `Keep ${op} in L1?`,
          text: `The result of ${op} is tried in L1${
            event.layout === undefined ? '' : ` (${event.layout})`
          } up to its last reader; every op in between must still work.`,
          figures: event.layout === undefined ? [] : [value('Layout', event.layout)],
        };
      case 'Reserved': {
        const kept = this.trace_.reservations.find((reservation) => reservation.source?.row === event.op?.row);
        return {
          title: `${op} stays in L1`,
          text:
            `${formatBytes(event.before ?? 0)} of every core’s L1 are reserved for the result of ${op} up to ` +
            'its last reader.',
          tone: 'good',
          figures: [
            ...bytes,
            ...(kept === undefined
              ? []
              : [value('Reserved for steps', `${formatInteger(kept.from)} to ${formatInteger(kept.to)}`)]),
          ],
        };
      }
      case 'MergeTried':
        return {
          title: `Merge ${chain} into ${other}?`,
          text:
            `${op} of chain ${other} reads the result of chain ${chain} as operand ${event.operand ?? 0}. ` +
            'Can that result wait in L1 until then?',
          figures: bytes,
        };
      case 'MergeApplied':
        return {
          title: `${chain} is merged into ${other}`,
          text: `Every op up to ${op} still works: the result of chain ${chain} stays in L1 and is not spilled.`,
          tone: 'good',
          figures: bytes,
        };
      case 'TakenBack':
        return {
          title: `${op} is taken back`,
          text:
            `No addresses were left in L1, so what was kept there for ${op} goes to ` +
            `DRAM${why === '' ? '' : `: ${why}`}.`,
          tone: 'bad',
          figures: why === '' ? [] : [value('Reason', why)],
        };
      default: {
        const attempt = this.attemptBefore(at);
        const what =
          attempt === null
            ? 'Rejected'
            : attempt.kind === 'MergeTried'
              ? `Merge of ${chainLetter(attempt.chain ?? -1)} into ${chainLetter(attempt.other ?? -1)} rejected`
              : attempt.kind === 'ConcatTried'
                ? `Concat ${this.nameOf(attempt.op)} rejected`
                : `Keeping ${this.nameOf(attempt.op)} in L1 rejected`;
        return {
          title: what,
          text: `${op} does not work then${why === '' ? '' : `: ${why}`}.`,
          tone: 'bad',
          figures: [value('Failing op', op), ...(why === '' ? [] : [value('Reason', why)])],
        };
      }
    }
  }

  private tellPlacing(event: ChainEvent): Told {
    const op = this.nameOf(event.op);
    const chain = chainLetter(event.chain ?? -1);
    if (event.kind === 'DispatchConfigured') {
      const dispatch = this.trace_.dispatches.find((candidate) => candidate.op?.row === event.op?.row);
      return {
        title: `Fused kernel ${op} is configured`,
        text: `${op} reads ${dispatch?.input ?? 'its input'} and writes ${
          event.layout ?? dispatch?.output ?? 'its result'
        }, with ${formatBytes(event.before ?? 0)} of each core’s L1 to itself.`,
        tone: 'good',
        figures: [
          value('Input', dispatch?.input ?? 'DRAM'),
          value('Result', event.layout ?? dispatch?.output ?? 'DRAM'),
          value('L1 left to the kernel', formatBytes(event.before ?? 0)),
          value('Kept by its input and result', formatBytes(Math.max(0, this.run_.l1Budget - (event.before ?? 0)))),
        ],
      };
    }
    const where = event.note ?? '';
    const text =
      where === 'None'
        ? `The result of chain ${chain} stays where it is: its readers take it from L1, no spill.`
        : where === 'L1Interleaved'
          ? `The result of chain ${chain} is spilled to interleaved L1, where any reader takes it.`
          : `The result of chain ${chain} is spilled to DRAM after ${op}.`;
    return {
      title: where === 'None' ? `No spill after chain ${chain}` : `Chain ${chain} spills`,
      text,
      tone: where === 'None' ? 'good' : 'plain',
      figures: [value('Spill', where === 'L1Interleaved' ? 'L1 interleaved' : where === 'None' ? 'none' : where)],
    };
  }
}

// The rule's words are those of the op before the kernel.
const kNextIsFused = 'the next op is a fused kernel';

interface Told {
  readonly title: string;
  readonly text: string;
  readonly tone?: Tone;
  readonly figures?: readonly Figure[];
}

function value(name: string, after: string): Figure {
  return { name, before: '', after };
}
function change(name: string, before: number, after: number): Figure {
  return { name, before: formatInteger(before), after: formatInteger(after) };
}

const kPhases: Readonly<Record<ChainEventKind, Phase>> = {
  Scheduled: 'Build chains',
  ChainStarted: 'Build chains',
  ChainGrew: 'Build chains',
  ChainBroke: 'Build chains',
  OpLeftOut: 'Build chains',
  PreferenceSet: 'Build chains',
  DispatchRelated: 'Order chains',
  SolvingOrder: 'Order chains',
  FirstOp: 'Solve chains',
  FirstOpInput: 'Solve chains',
  Paths: 'Solve chains',
  ReshardInserted: 'Solve chains',
  EdgeFailed: 'Solve chains',
  Propagated: 'Solve chains',
  ChainResolved: 'Solve chains',
  ChainFailed: 'Solve chains',
  ConfigPicked: 'Solve chains',
  ConcatTried: 'Solve chains',
  ReservationTried: 'Keep results in L1',
  Reserved: 'Keep results in L1',
  MergeTried: 'Keep results in L1',
  MergeApplied: 'Keep results in L1',
  Rejected: 'Keep results in L1',
  TakenBack: 'Keep results in L1',
  SpillDecided: 'Place results',
  DispatchConfigured: 'Place results',
};

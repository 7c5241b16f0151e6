// What the page says about an event of the chain generation: one row per kind, with its phase, a title, a sentence and
// figures.

import { formatBytes, formatInteger, plural } from '../model/format';
import type { ChainEvent, ChainEventKind, ChainTrace } from '../model/generated/chain_trace';
import type { Run } from '../model/report';
import type { Figure, Tone } from './walk';

export type Phase = 'Build chains' | 'Order chains' | 'Solve chains' | 'Keep results in L1' | 'Place results';

export interface Told {
  readonly title: string;
  readonly text: string;
  readonly tone?: Tone;
  readonly figures?: readonly Figure[];
}

// An event with its ops and chains by name; counts that it does not give are 0.
export interface StepFacts {
  readonly event: ChainEvent;
  readonly run: Run;
  readonly trace: ChainTrace;
  readonly op: string;
  readonly producer: string;
  readonly chain: string;
  readonly other: string;
  readonly order: string; // the chains as they are solved
  readonly answersTo: string; // what a rejection answers to, ''
  readonly before: number;
  readonly after: number;
  readonly paths: number;
  readonly rule: string;
  readonly why: string; // the reason given, ''
}

// The rule's words are those of the op before the kernel.
const kNextIsFused = 'the next op is a fused kernel';

function value(name: string, after: string): Figure {
  return { name, before: '', after };
}

function change(name: string, before: number, after: number): Figure {
  return { name, before: formatInteger(before), after: formatInteger(after) };
}

// A figure for a text that may be missing.
function optional(name: string, after: string | undefined): Figure[] {
  return after === undefined || after === '' ? [] : [value(name, after)];
}

function opsOfChain({ event, trace }: StepFacts): number {
  return trace.chains[event.chain ?? -1]?.ops.length ?? 0;
}

function length(facts: StepFacts): Figure[] {
  const ops = opsOfChain(facts);
  return ops === 0 ? [] : [value('Ops in the chain', formatInteger(ops))];
}

// ': reason', where there is one.
function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${reason}`;
}

function bytesKept({ event }: StepFacts): Figure[] {
  return event.before === undefined ? [] : [value('L1 per core', formatBytes(event.before))];
}

const kBuilding = {
  Scheduled: ({ op, event }: StepFacts): Told => ({
    title: `${op} is scheduled`,
    text: `The depth-first schedule takes ${op} next: everything it reads has been computed.`,
    figures: event.op == null || event.op.row < 0 ? [] : [value('Step', formatInteger(event.op.row))],
  }),
  ChainStarted: ({ op, chain }: StepFacts): Told => ({
    title: `Chain ${chain} starts`,
    text: `${op} can be sharded and no chain is open, so it starts chain ${chain}.`,
  }),
  ChainGrew: ({ op, chain }: StepFacts): Told => ({
    title: `Chain ${chain} grows`,
    text: `${op} reads the last result of chain ${chain} as its operand 0 and is that result’s only reader: it joins.`,
  }),
  ChainBroke: (facts: StepFacts): Told => ({
    title: `Chain ${facts.chain} ends`,
    text: `Chain ${facts.chain} ends at ${facts.op}: ${facts.rule}.`,
    figures: [value('Rule', facts.rule), ...length(facts)],
  }),
  PreferenceSet: ({ op, chain, event: { note } }: StepFacts): Told => ({
    title: `A sharding is asked of chain ${chain}`,
    text: `The result of ${op} goes into a concat, which needs its inputs sharded alike: ${note ?? ''}.`,
    figures: [value('Sharding', note ?? '')],
  }),
  OpLeftOut: ({ op, rule }: StepFacts): Told => ({
    title: `${op} stays out`,
    ...(rule === kNextIsFused
      ? {
          text: `${op} is a fused kernel: it joins no chain. The chain before it ends, and the next op starts another.`,
        }
      : { text: `${op} joins no chain: ${rule}.`, figures: [value('Rule', rule)] }),
  }),
};

const kOrdering = {
  DispatchRelated: ({ op, chain, other }: StepFacts): Told => ({
    title: `${op} stands between ${chain} and ${other}`,
    text:
      `The fused kernel ${op} reads what chain ${chain} writes, and chain ${other} reads what it writes. Chain ` +
      `${other} will choose the layout that ${op} should write.`,
    figures: [value('Producer chain', chain), value('Consumer chain', other)],
  }),
  SolvingOrder: ({ order }: StepFacts): Told => ({
    title: 'Chains are put in order',
    text: 'A chain that feeds a fused kernel is solved before the one that the kernel feeds.',
    figures: [value('Solving order', order)],
  }),
};

const kSolving = {
  FirstOp: ({ op, producer, chain, before, after }: StepFacts): Told => ({
    title: `First op of chain ${chain}`,
    text:
      `${op} must take what comes into the chain (${producer}) as it is: ${formatInteger(after)} of ` +
      `${plural(before, 'legal configuration')} can.`,
    tone: after === 0 ? 'bad' : 'plain',
    figures: [change(`Configurations of ${op}`, before, after)],
  }),
  FirstOpInput: ({ op, producer, chain, before, after, paths, event: { layout } }: StepFacts): Told => ({
    title: `Input layout for chain ${chain}`,
    text:
      after === 0
        ? `None of ${plural(before, 'layout')} of ${producer} suits ${op}.`
        : `Of ${plural(before, 'layout')} of ${producer}, ${layout ?? 'one'} is the one that ${op} takes.`,
    tone: after === 0 ? 'bad' : 'plain',
    figures: [
      value('Layouts tried', formatInteger(before)),
      value('Layout taken', layout ?? 'none'),
      value('Pairs that work', formatInteger(paths)),
    ],
  }),
  Paths: ({ op, producer, before, after, paths }: StepFacts): Told => ({
    title: `Edge ${producer} → ${op}`,
    text:
      `Every valid configuration of ${producer} is tried with every legal one of ${op}: ` +
      `${plural(paths, 'pair')} ${paths === 1 ? 'goes' : 'go'} together without a reshard.`,
    tone: paths === 0 ? 'bad' : 'plain',
    figures: [
      value('Pairs that go together', formatInteger(paths)),
      value(`Configurations of ${producer}`, formatInteger(before)),
      value(`Configurations of ${op}`, formatInteger(after)),
    ],
  }),
  ReshardInserted: ({ op, producer, before, after, paths }: StepFacts): Told => ({
    title: `Reshard on ${producer} → ${op}`,
    text:
      `No pair goes together, so a reshard is put before ${op}: ${formatInteger(after)} of its ` +
      `${plural(before, 'configuration')} ${after === 1 ? 'takes' : 'take'} some resharded input.`,
    figures: [change(`Configurations of ${op}`, before, after), value('Reshards to choose from', formatInteger(paths))],
  }),
  EdgeFailed: ({ op, producer, event: { why } }: StepFacts): Told => ({
    title: `Edge ${producer} → ${op} fails`,
    text: `No configuration of ${op} takes what ${producer} can offer, resharded or not${because(why)}.`,
    tone: 'bad',
    figures: optional('Reason', why),
  }),
  Propagated: ({ op, producer, before, after, paths, event }: StepFacts): Told => {
    const { producerAfter = 0, consumerAfter = 0 } = event;
    const lost = before - producerAfter + after - consumerAfter;
    return {
      title: `Propagation over ${producer} → ${op}`,
      text:
        `Configurations that lost their last partner on this edge are ruled out: ${formatInteger(lost)} of them; ` +
        `${plural(paths, 'pair')} left.`,
      figures: [
        change(`Configurations of ${producer}`, before, producerAfter),
        change(`Configurations of ${op}`, after, consumerAfter),
        value('Pairs left', formatInteger(paths)),
      ],
    };
  },
  ChainResolved: (facts: StepFacts): Told => ({
    title: `Chain ${facts.chain} is solved`,
    text:
      `Every edge of chain ${facts.chain} has pairs left: a path through its ` +
      `${plural(opsOfChain(facts), 'op')} exists.`,
    tone: 'good',
    figures: length(facts),
  }),
  ChainFailed: (facts: StepFacts): Told => ({
    title: `Chain ${facts.chain} fails`,
    text: `The whole of chain ${facts.chain} goes back to DRAM${
      facts.event.note === undefined ? '' : `, ${facts.event.note}`
    }.`,
    tone: 'bad',
    figures: length(facts),
  }),
  ConcatTried: ({ op, event: { layout } }: StepFacts): Told => ({
    title: `Concat ${op} is tried`,
    text: `${op} is asked whether it takes its inputs from L1${layout === undefined ? '' : ` and writes ${layout}`}.`,
    figures: optional('Result', layout),
  }),
  ConfigPicked: ({ op, before, after, event: { layout } }: StepFacts): Told => ({
    title: `${op} gets its configuration`,
    text: `On the path with most cores in sum, ${op} writes ${layout ?? 'its result'}: ${plural(after, 'core')}.`,
    tone: 'good',
    figures: [
      value('Chosen', layout ?? ''),
      value('Cores', formatInteger(after)),
      value('Accumulated cores of the path', formatInteger(before)),
    ],
  }),
};

const kKeeping = {
  ReservationTried: ({ op, event: { layout } }: StepFacts): Told => ({
    title: `Keep ${op} in L1?`,
    text:
      `The result of ${op} is tried in L1${layout === undefined ? '' : ` (${layout})`} up to its last reader; every ` +
      'op in between must still work.',
    figures: optional('Layout', layout),
  }),
  Reserved: (facts: StepFacts): Told => {
    const { op, event, trace, before } = facts;
    const kept = trace.reservations.find((reservation) => reservation.source?.row === event.op?.row);
    // A trace counts the ops as they were scheduled; the page counts the rows, moves among them.
    const step = (at: number): string => formatInteger(trace.schedule[at] ?? at);
    const steps = kept === undefined ? '' : `${step(kept.from)} to ${step(kept.to)}`;
    return {
      title: `${op} stays in L1`,
      text: `${formatBytes(before)} of every core’s L1 are reserved for the result of ${op} up to its last reader.`,
      tone: 'good',
      figures: [...bytesKept(facts), ...optional('Reserved for steps', steps)],
    };
  },
  MergeTried: (facts: StepFacts): Told => ({
    title: `Merge ${facts.chain} into ${facts.other}?`,
    text:
      `${facts.op} of chain ${facts.other} reads the result of chain ${facts.chain} as operand ` +
      `${facts.event.operand ?? 0}. Can that result wait in L1 until then?`,
    figures: bytesKept(facts),
  }),
  MergeApplied: (facts: StepFacts): Told => ({
    title: `${facts.chain} is merged into ${facts.other}`,
    text: `Every op up to ${facts.op} still works: the result of chain ${facts.chain} stays in L1 and is not spilled.`,
    tone: 'good',
    figures: bytesKept(facts),
  }),
  TakenBack: ({ op, why }: StepFacts): Told => ({
    title: `${op} is taken back`,
    text: `No addresses were left in L1, so what was kept there for ${op} goes to DRAM${because(why)}.`,
    tone: 'bad',
    figures: optional('Reason', why),
  }),
  Rejected: ({ op, answersTo, why }: StepFacts): Told => ({
    title: answersTo === '' ? 'Rejected' : `${answersTo} rejected`,
    text: `${op} does not work then${because(why)}.`,
    tone: 'bad',
    figures: [value('Failing op', op), ...optional('Reason', why)],
  }),
};

const kPlacing = {
  DispatchConfigured: ({ op, before, event, trace, run }: StepFacts): Told => {
    const dispatch = trace.dispatches.find((candidate) => candidate.op?.row === event.op?.row);
    const written = event.layout ?? dispatch?.output;
    return {
      title: `Fused kernel ${op} is configured`,
      text:
        `${op} reads ${dispatch?.input ?? 'its input'} and writes ${written ?? 'its result'}, with ` +
        `${formatBytes(before)} of each core’s L1 to itself.`,
      tone: 'good',
      figures: [
        value('Input', dispatch?.input ?? 'DRAM'),
        value('Result', written ?? 'DRAM'),
        value('L1 left to the kernel', formatBytes(before)),
        value('Kept by its input and result', formatBytes(Math.max(0, run.l1Budget - before))),
      ],
    };
  },
  SpillDecided: ({ op, chain, event }: StepFacts): Told => {
    const result = `The result of chain ${chain}`;
    const outcomes: { readonly [where: string]: Told } = {
      None: {
        title: `No spill after chain ${chain}`,
        text: `${result} stays where it is: its readers take it from L1, no spill.`,
        tone: 'good',
        figures: [value('Spill', 'none')],
      },
      L1Interleaved: {
        title: `Chain ${chain} ends interleaved`,
        text: `${result} becomes interleaved in L1, where any reader takes it.`,
        figures: [value('Goes to', 'L1 interleaved')],
      },
    };
    return (
      outcomes[event.note ?? ''] ?? {
        title: `Chain ${chain} spills`,
        text: `${result} is spilled to DRAM after ${op}.`,
        figures: [value('Spill', event.note ?? 'DRAM')],
      }
    );
  },
};

type Texts = { readonly [K in ChainEventKind]: (facts: StepFacts) => Told };

const kTexts: Texts = { ...kBuilding, ...kOrdering, ...kSolving, ...kKeeping, ...kPlacing };

const kPhases: readonly (readonly [Phase, Partial<Texts>])[] = [
  ['Build chains', kBuilding],
  ['Order chains', kOrdering],
  ['Solve chains', kSolving],
  ['Keep results in L1', kKeeping],
  ['Place results', kPlacing],
];

export function phaseOf(kind: ChainEventKind): Phase {
  return kPhases.find(([, texts]) => kind in texts)![0];
}

export function tellStep(facts: StepFacts): Told {
  return kTexts[facts.event.kind](facts);
}

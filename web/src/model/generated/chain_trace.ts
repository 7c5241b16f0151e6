// Trace of the chain generation: made from docs/schema/chain_trace.schema.json by `npm run generate`.

/** An op of the run. */
export interface OpRef {
  /** Its row; -1: it has none. [index in rows] */
  readonly row: number;
  /** Its first result, "%3", else its name. */
  readonly name: string;
}

/** State of a chain. */
export type ChainState = 'InBuild' | 'Built' | 'Resolved' | 'Completed' | 'Failed';

/** Where the result of a chain's last op goes; None: it stays. */
export type SpillLocation = 'None' | 'L1Interleaved' | 'DRAM';

/** A chain as it ended up. */
export interface TracedChain {
  /** Its ops in order. [index in rows] */
  readonly ops: readonly number[];
  /** How it ended. */
  readonly state: ChainState;
  /** Where its result goes. */
  readonly spill: SpillLocation;
  /** It is a concat alone. */
  readonly concat: boolean;
  /** Chain that reads the result from L1; -1: none. [index in chains] */
  readonly mergedInto: number;
  /** Why it failed; "" when it did not. */
  readonly failure: string;
}

/** L1 kept for a result up to its last reader. */
export interface Reservation {
  /** Op whose result is kept; null: an argument. */
  readonly source: OpRef | null;
  /** First step. In a summary a row; in a trace a position in the schedule before moves are inserted. [step] */
  readonly from: number;
  /** Last step, likewise. [step] */
  readonly to: number;
  /** Kept. [bytes per core] */
  readonly bytes: number;
}

/** How the chains of a run ended and what they keep in L1. */
export interface ChainSummary {
  /** All chains. */
  readonly chains: readonly TracedChain[];
  /** What is kept in L1, steps as rows. */
  readonly reservations: readonly Reservation[];
}

/** What the chain generation does (core/plan/chain_events.def). */
export type ChainEventKind =
  | 'Scheduled'
  | 'ChainStarted'
  | 'ChainGrew'
  | 'ChainBroke'
  | 'OpLeftOut'
  | 'PreferenceSet'
  | 'DispatchRelated'
  | 'SolvingOrder'
  | 'FirstOp'
  | 'FirstOpInput'
  | 'Paths'
  | 'ReshardInserted'
  | 'EdgeFailed'
  | 'Propagated'
  | 'ChainResolved'
  | 'ChainFailed'
  | 'ConfigPicked'
  | 'SpillDecided'
  | 'ConcatTried'
  | 'ReservationTried'
  | 'Reserved'
  | 'MergeTried'
  | 'MergeApplied'
  | 'Rejected'
  | 'TakenBack'
  | 'DispatchConfigured';

/** One thing that happened. Numbers that say nothing are left out: 0, and for chain, other and operand -1. */
export interface ChainEvent {
  /** What happened. */
  readonly kind: ChainEventKind;
  /** Op it is about. */
  readonly op: OpRef | null;
  /** Chain it is about. [index in chains] */
  readonly chain?: number;
  /** MergeTried, MergeApplied: the chain that reads. [index in chains] */
  readonly other?: number;
  /** Operand of the edge. [index in operands] */
  readonly operand?: number;
  /** Producer of the edge. */
  readonly producer?: OpRef;
  /**
   * FirstOp, FirstOpInput, ReshardInserted: configs tried. Paths, Propagated: configs valid at the producer before.
   * ConfigPicked: accumulated cores. Reservations and merges: bytes per core. [count or bytes per core]
   */
  readonly before?: number;
  /**
   * FirstOp, FirstOpInput, ReshardInserted: configs left. Paths, Propagated: configs valid at the consumer before.
   * ConfigPicked: cores. [count]
   */
  readonly after?: number;
  /** Propagated: configs left at the producer. [count] */
  readonly producerAfter?: number;
  /** Propagated: configs left at the consumer. [count] */
  readonly consumerAfter?: number;
  /** Pairs of configs on the edge. [count] */
  readonly paths?: number;
  /** Why the chain ends here, or why the op stays out. */
  readonly rule?: string;
  /** The layout it is about, "L1 block 8x8". */
  readonly layout?: string;
  /** The op model's refusal. */
  readonly why?: string;
  /** What else there is to say. */
  readonly note?: string;
}

/** What the chain generation went through, in order. */
export interface ChainTrace {
  /** Ops in the order in which they were scheduled. [index in rows] */
  readonly schedule: readonly number[];
  /** All chains. */
  readonly chains: readonly TracedChain[];
  /** Chains in the order in which they were solved. [index in chains] */
  readonly solvingOrder: readonly number[];
  /** What is kept in L1, steps as positions in the schedule. */
  readonly reservations: readonly Reservation[];
  /** Fused kernels. */
  readonly dispatches: readonly {
    /** The op. */
    readonly op: OpRef | null;
    /** Layout it reads. */
    readonly input: string | null;
    /** Layout it writes. */
    readonly output: string | null;
    /** L1 it may use. [bytes per core] */
    readonly l1Budget: number;
  }[];
  /** What happened, in order. */
  readonly events: readonly ChainEvent[];
}

// What the chain generation (DFSharding, DFSharding2) went through, in order: a run with the option `trace` has it as `chainTrace`.
// A stepper walks `events`; everything else is how it ended up.

export type ChainState = 'InBuild' | 'Built' | 'Resolved' | 'Completed' | 'Failed';
export type SpillLocation = 'None' | 'L1Interleaved' | 'DRAM';

export interface OpRef {
  readonly row: number; // of the run's rows; -1 when the op has none
  readonly name: string;
}

export interface TracedChain {
  readonly ops: readonly number[]; // rows
  readonly state: ChainState;
  readonly spill: SpillLocation;
  readonly concat: boolean; // a concat alone
  readonly mergedInto: number; // chain that reads the result from L1; -1: none
  readonly failure: string;
}

// Numbers that are missing are 0 (`chain`, `other` and `operand`: none).
export type ChainEventKind =
  | 'Scheduled' | 'ChainStarted' | 'ChainGrew' | 'ChainBroke' | 'OpLeftOut' | 'PreferenceSet' | 'DispatchRelated' | 'SolvingOrder' | 'FirstOp' | 'FirstOpInput' | 'Paths'
  | 'ReshardInserted' | 'EdgeFailed' | 'Propagated' | 'ChainResolved' | 'ChainFailed' | 'ConfigPicked' | 'SpillDecided' | 'ConcatTried'
  | 'ReservationTried' | 'Reserved' | 'MergeTried' | 'MergeApplied' | 'Rejected' | 'TakenBack' | 'DispatchConfigured';

export interface ChainEvent {
  readonly kind: ChainEventKind;
  readonly op: OpRef | null;
  readonly chain?: number;
  readonly other?: number; // MergeTried, MergeApplied: the chain that reads
  readonly operand?: number;
  readonly producer?: OpRef;
  // FirstOp, FirstOpInput, ReshardInserted: tried and left. Paths: configs valid at the producer and at the consumer. Propagated: the
  // same before, and producerAfter, consumerAfter after. ConfigPicked: accumulated cores and cores. Reservations and merges: bytes per core.
  readonly before?: number;
  readonly after?: number;
  readonly producerAfter?: number;
  readonly consumerAfter?: number;
  readonly paths?: number; // pairs of configs on the edge
  readonly rule?: string; // why the chain ends, why the op stays out
  readonly layout?: string;
  readonly why?: string; // the op model's refusal
  readonly note?: string;
}

// Of every run of the chain generation: how its chains ended and what they keep in L1, in rows.
export interface ChainSummary {
  readonly chains: readonly TracedChain[];
  readonly reservations: readonly { readonly source: OpRef | null; readonly from: number; readonly to: number; readonly bytes: number }[];
}

export interface ChainTrace {
  readonly schedule: readonly number[]; // rows, in the order in which ops were scheduled
  readonly chains: readonly TracedChain[];
  readonly solvingOrder: readonly number[]; // chains
  readonly reservations: readonly { readonly source: OpRef | null; readonly from: number; readonly to: number; readonly bytes: number }[];
  readonly dispatches: readonly { readonly op: OpRef | null; readonly input: string | null; readonly output: string | null; readonly l1Budget: number }[];
  readonly events: readonly ChainEvent[];
}

// Trace of a beam search: made from docs/schema/beam_trace.schema.json by `npm run generate`.

/**
 * The compiler's score of a candidate: is in L1, is sharded, bytes of DRAM read, needs a reshard, cores, bytes of L1 of
 * the result.
 */
export type BeamScore = readonly [
  isL1: number,
  isSharded: number,
  inputDramBytes: number,
  requiresReshard: number,
  coreCount: number,
  outputL1Usage: number,
];

/**
 * How an entry reads an operand: the operand, the op that makes it, the entry of that op's beam, and the layout it is
 * converted to, -1 for none.
 */
export type BeamLink = readonly [operand: number, producer: number, entry: number, reshard: number];

/** An edge between two ops: producer, consumer, operand, and the layout it is converted to, -1 for none. */
export type BeamEdge = readonly [producer: number, consumer: number, operand: number, reshard: number];

/** A kept candidate. */
export interface BeamEntry {
  /** Layout of the result. [index in layouts] */
  readonly output: number;
  /** Its score. */
  readonly score: BeamScore;
  /** Cores of the narrowest op of the path so far. [count] */
  readonly minCores?: number;
  /** Reshards more than on the best entry's path; shared by the readers of a fork, so with fractions. [count] */
  readonly pathReshards?: number;
  /** Time more than on the best entry's path. [ns] */
  readonly pathTime?: number;
  /** The entries that it comes from. */
  readonly links?: readonly BeamLink[];
}

/** Evaluations that differ in their inputs alone. */
export interface BeamCandidate {
  /** The layout that was asked for. [index in layouts] */
  readonly hint: number;
  /** The layout that came out; -1 when it was refused. [index in layouts] */
  readonly output: number;
  /** Of a refusal; else -1. [index in reasons] */
  readonly reason: number;
  /** Evaluations. [count] */
  readonly count: number;
  /** Of a candidate that was not refused. */
  readonly score?: BeamScore;
  /** The first evaluation's inputs. [index in layouts] */
  readonly inputs: readonly number[];
}

/** An op with its beam. */
export interface BeamOp {
  /** Its place in the schedule. [step] */
  readonly index: number;
  /** Its row; -1: there is none. [index in rows] */
  readonly row: number;
  /** "ttnn.matmul". */
  readonly op: string;
  /** Its location in the model. */
  readonly location: string;
  /** Combinations of operand layouts. [count] */
  readonly combinations: number;
  /** Evaluations. [count] */
  readonly tries: number;
  /** Nothing worked: DRAM. */
  readonly fallback: boolean;
  /** It writes over its operand. */
  readonly inPlace: boolean;
  /** Layouts tried for the operands. */
  readonly inputs: readonly {
    /** Which. [index in operands] */
    readonly operand: number;
    /** Where they come from. */
    readonly from: 'beam' | 'reshard' | 'fixed';
    /** The layouts. [index in layouts] */
    readonly layouts: readonly number[];
  }[];
  /** What was evaluated. */
  readonly candidates: readonly BeamCandidate[];
  /** Candidates beyond those listed. [count] */
  readonly candidatesLeftOut: number;
  /** What was kept, best first. */
  readonly beam: readonly BeamEntry[];
  /** The entry that was taken; -1: none. [index in beam] */
  readonly chosen: number;
  /** Layout of the result after spilling; -1: unknown. [index in layouts] */
  readonly final: number;
}

/** A step of spill management. */
export interface BeamSpill {
  /** Op; -1: there is none at that place. [index in ops] */
  readonly at: number;
  /** Place in the schedule. [step] */
  readonly position: number;
  /** Its row; -1: none. [index in rows] */
  readonly row: number;
  /** Its name. */
  readonly op: string;
  /** What was done, in the compiler's words: "evict", "demote_to_dram", ... */
  readonly action: string;
  /** Taken by tensors before. [bytes per core] */
  readonly before: number;
  /** Taken by tensors after. [bytes per core] */
  readonly after: number;
  /** What the op needs. [bytes per core] */
  readonly needed: number;
  /** The tensor that was moved. */
  readonly victim: string;
  /** What else there is to say. */
  readonly details: string;
}

/** What a beam search went through. Layouts and reasons are listed once. */
export interface BeamTrace {
  /** Its name. */
  readonly function: string;
  /** Entries kept per op. [count] */
  readonly beamWidth: number;
  /** Ops in the order of the forward pass. */
  readonly ops: readonly BeamOp[];
  /** Edges between ops. */
  readonly edges: readonly BeamEdge[];
  /** Forks as they were resolved. */
  readonly forks: readonly {
    /** Op. [index in ops] */
    readonly at: number;
    /** Entry that was chosen for all. [index in beam] */
    readonly slot: number;
    /** Its readers. [index in ops] */
    readonly consumers: readonly number[];
  }[];
  /** Spill management; null: the trace has none. */
  readonly spills: {
    /** L1 that tensors may take. [bytes per core] */
    readonly budget: number;
    /** Length of the schedule. [count] */
    readonly steps: number;
    /** Spills. [count] */
    readonly total: number;
    /** Taken by tensors at the end. [bytes per core] */
    readonly finalOccupied: number;
    /** Tensors in L1 at the end. [count] */
    readonly finalLive: number;
    /** What was done, in order. */
    readonly events: readonly BeamSpill[];
  } | null;
  /** Layouts as text. */
  readonly layouts: readonly string[];
  /** Reasons of refusals. */
  readonly reasons: readonly string[];
}

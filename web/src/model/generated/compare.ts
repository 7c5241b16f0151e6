// Comparison: made from docs/schema/compare.schema.json by `npm run generate`.

import type { Report } from './report';

/** Values that are not in L1 where they could be, by cause; a value counts once. */
export interface Losses {
  /** Every reader, or the op that makes it, refuses it in L1. [count] */
  readonly constraint: number;
  /** L1 was full. [count] */
  readonly memory: number;
  /** It has several readers, and the policy keeps a tensor for one only. [count] */
  readonly fork: number;
  /** Its reader would take it from L1, but as another operand than the first. [count] */
  readonly operand0: number;
  /** Its reader would take it as the first operand; the chain ended or failed. [count] */
  readonly chainFailure: number;
  /** The policy prefers it in DRAM. [count] */
  readonly choice: number;
}

/** One of the runs. */
export interface ComparedRun {
  /** The policy, with the options that differ. */
  readonly label: string;
  /** false: nothing below counts. */
  readonly ran: boolean;
  /** Of the run. [ns] */
  readonly time: number;
  /** Moved to and from DRAM. [bytes of the whole device] */
  readonly dramBytes: number;
  /** Why values are not in L1. */
  readonly losses: Losses;
  /** Moves of the plan from L1 to DRAM, returns apart. [count] */
  readonly spills: number;
  /** Moves of the plan from DRAM into L1. [count] */
  readonly reloads: number;
  /** Moves of the plan within one memory. [count] */
  readonly reshards: number;
  /** Moves of the plan from L1 to DRAM because the function returns the tensor. [count] */
  readonly returns: number;
  /** Most in use at once. [bytes per core] */
  readonly peakL1: number;
  /** Usable L1 times the usage cap. [bytes per core] */
  readonly budget: number;
  /** Part of the budget that was never taken. [0 to 1] */
  readonly headroom: number;
  /** Results in L1. [count] */
  readonly inL1: number;
  /** Results in L1 that are sharded. [count] */
  readonly sharded: number;
  /** Results in DRAM. [count] */
  readonly inDram: number;
  /** Cores that compute, mean over ops that compute. [count] */
  readonly cores: number;
  /** Steps with a verdict. [count] */
  readonly failures: number;
  /** Ops that the op model refuses; the time says nothing about them. [count] */
  readonly refused: number;
  /** What the checkers found. [count] */
  readonly defects: number;
}

/** An op whose result lies elsewhere in some run. */
export interface ComparedOp {
  /** Its first result, "%3". */
  readonly name: string;
  /** "ttnn.add". */
  readonly op: string;
  /** By run; "" where the run has no such op. */
  readonly layouts: readonly string[];
  /** By run. [ns] */
  readonly times: readonly number[];
}

/** What the runs have in common and where they differ. */
export interface Comparison {
  /** In the order asked for. */
  readonly runs: readonly ComparedRun[];
  /** In schedule order of the first run that ran. */
  readonly differences: readonly ComparedOp[];
}

/** The answer. */
export interface CompareAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Their reports. */
  readonly runs: readonly Report[];
  /** Side by side. */
  readonly comparison: Comparison;
}

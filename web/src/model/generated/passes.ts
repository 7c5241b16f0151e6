// Passes: made from docs/schema/passes.schema.json by `npm run generate`.

import type { Lint } from './common';

/** What a pass says about an op. */
export interface PassNote {
  /** "%12", or the op's name when it has no result. */
  readonly op: string;
  /** "ttir.conv2d". */
  readonly name: string;
  /** Its location. */
  readonly loc: string;
  /** The sentence. */
  readonly text: string;
}

/** A pass. */
export interface PassInfo {
  /** The compiler's: "ttnn-layout". */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What it does. */
  readonly description: string;
  /** When it runs. */
  readonly stage: 'stablehlo' | 'prepare' | 'lower' | 'analyse' | 'optimize' | 'finalize' | 'release';
  /** Ops that it changed. [count] */
  readonly changed: number;
  /** Ops that it added. [count] */
  readonly added: number;
  /** Ops that it removed. [count] */
  readonly removed: number;
  /** What it says. */
  readonly notes: readonly PassNote[];
  /** Ops that it could not handle. */
  readonly problems: readonly PassNote[];
  /** The graph after the pass, with the option `ir`. */
  readonly ir?: string;
}

/** What became of an op of the source. */
export interface Provenance {
  /** "%12", or its name. */
  readonly op: string;
  /** "ttir.conv2d". */
  readonly name: string;
  /** Ops that stand for it; may be empty. */
  readonly became: readonly {
    /** "%12", or its name. */
    readonly op: string;
    /** "ttnn.conv2d". */
    readonly name: string;
  }[];
}

/** The answer of `passes`. */
export interface PassesAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** In the order in which they run. */
  readonly passes: readonly PassInfo[];
  /** The graph as it was read, with the option `ir`. */
  readonly ir?: string;
  /** Ops of the source. */
  readonly provenance: readonly Provenance[];
  /** When the run did not get through. */
  readonly lint?: Lint;
}

/** What executing the graph before and after a pass showed. */
export interface PassCheck {
  /** Its name. */
  readonly pass: string;
  /** What came of it. */
  readonly verdict: 'same' | 'different' | 'not_compared';
  /** The largest error, what differs, or why it could not be compared. */
  readonly text: string;
}

/** The answer of `checkPasses`. */
export interface PassChecks {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Why the graph was executed in full size; "" when it was made small. */
  readonly problem: string;
  /** By pass. */
  readonly checks: readonly PassCheck[];
}

/** The answer of `executePlan`: the plan carried out on simulated memory. */
export interface PlanExecution {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Whose plan it is; "" without a run. */
  readonly policy: string;
  /** Whether every value in memory is what the graph computes. */
  readonly verdict: 'equal' | 'different' | 'failed' | 'not_executed' | 'too_large';
  /** What was executed; or the first difference, or what kept it. */
  readonly text: string;
  /** How the graph was made small. */
  readonly note: string;
}

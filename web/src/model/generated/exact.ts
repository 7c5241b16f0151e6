// Proof of the optimum: made from docs/schema/exact.schema.json by `npm run generate`.

/** What was proven about a plan. */
export interface ExactResult {
  /** Of the plan; -1: it has no time. [ns] */
  readonly time: number;
  /** No plan made of these layouts, in this order of ops, takes less. [ns] */
  readonly lowerBound: number;
  /** (time - lowerBound) / lowerBound, rounded up; -1: none. [ppm] */
  readonly gapPpm: number;
  /** Time and bound are equal. */
  readonly proven: boolean;
  /** Optimum when ops need to fit L1 one by one only; -1: not proven. [ns] */
  readonly layoutOptimum: number;
  /** Where the plan comes from: "layouts", "prices", or the policy whose plan it is. */
  readonly source: string;
  /** What solved layout selection: "elimination", "bounds", "branch and bound", ... */
  readonly method: string;
  /** Size of the problem. */
  readonly size: {
    /** Variables. [count] */
    readonly variables: number;
    /** Tables over them. [count] */
    readonly tables: number;
    /** Pairs of a configuration and the layouts read, over all ops. [count] */
    readonly candidates: number;
    /** Width of the elimination order. [variables] */
    readonly width: number;
    /** Entries of the tables of the elimination. [count] */
    readonly cells: number;
  };
  /** The other policies' plans. */
  readonly baselines: readonly {
    /** Its id. */
    readonly policy: string;
    /** Of its plan. [ns] */
    readonly time: number;
    /** Everything in it has an address in L1. */
    readonly fits: boolean;
  }[];
  /** Bounds while L1 was priced: before the first round, when one got better, at the end. */
  readonly bounds: readonly (readonly [round: number, upper: number, lower: number])[];
}

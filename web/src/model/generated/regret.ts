// Regrets: made from docs/schema/regret.schema.json by `npm run generate`.

import type { Lint } from './common';
import type { ExactResult } from './exact';

/** An op. */
export interface OpRegrets {
  /** Its first result, "%12". */
  readonly name: string;
  /** "ttnn.conv2d". */
  readonly op: string;
  /** The optimum's layout. [index in choices] */
  readonly best: number;
  /** This run's layout; -1: none of them. [index in choices] */
  readonly present: number;
  /** Of this run's layout; -1: impossible or unknown. [ns] */
  readonly regret: number;
  /** Of running just as here, with the layouts that are read as well; -1: impossible or unknown. [ns] */
  readonly candidateRegret: number;
  /** Layouts of its result. */
  readonly choices: readonly (readonly [layout: number, regret: number])[];
}

/** Regrets of all ops. */
export interface Regrets {
  /** In schedule order. */
  readonly ops: readonly OpRegrets[];
  /** Layouts as text. */
  readonly layouts: readonly string[];
}

/** The answer. */
export interface RegretAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Of the run. */
  readonly policy?: string;
  /** Of the run. [ns] */
  readonly time?: number;
  /** Of layout selection; null: not proven. */
  readonly optimum?: number | null;
  /** Of layout selection. [ns] */
  readonly lowerBound?: number;
  /** The best plan that fits and its bound, L1 counted. */
  readonly exact?: ExactResult;
  /** Op by op; null: there is no run. */
  readonly regrets: Regrets | null;
  /** When the run did not get through. */
  readonly lint?: Lint;
}

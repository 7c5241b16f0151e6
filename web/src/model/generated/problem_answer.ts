// Problem answer: made from docs/schema/problem_answer.schema.json by `npm run generate`.

import type { Diagnostic } from './common';
import type { Problem } from './problem';

/** The answer. */
export interface ProblemAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** What is wrong with the input or the options. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics beyond the limit. [count] */
  readonly droppedDiagnostics: number;
  /** The problem; null: the input could not be read. */
  readonly problem: Problem | null;
}

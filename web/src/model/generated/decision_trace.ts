// Decision trace: made from docs/schema/decision_trace.schema.json by `npm run generate`.

import type { BeamTrace } from './beam_trace';
import type { Diagnostic } from './common';

/** The answer. */
export interface DecisionTraceAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** What is wrong with the file. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics beyond the limit. [count] */
  readonly droppedDiagnostics: number;
  /** The trace; null: the text is none. */
  readonly trace: BeamTrace | null;
}

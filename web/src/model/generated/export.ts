// Exported file: made from docs/schema/export.schema.json by `npm run generate`.

import type { Diagnostic } from './common';

/** The answer; file and content are null when there is none. */
export interface ExportAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** What is wrong with the input or the options. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics beyond the limit. [count] */
  readonly droppedDiagnostics: number;
  /** Its name. */
  readonly file: string | null;
  /** Its text. */
  readonly content: string | null;
}

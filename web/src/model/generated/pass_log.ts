// Log of passes: made from docs/schema/pass_log.schema.json by `npm run generate`.

/** A run of a pass on an op. */
export interface LoggedPass {
  /** Its name, "TTNNLayout". */
  readonly pass: string;
  /** Its name on the command line, "ttnn-layout"; "" when the log does not say. */
  readonly argument: string;
  /** Op it ran on, "func.func"; "" when the log does not say. */
  readonly operation: string;
  /** Name of that op, "main". */
  readonly symbol: string;
  /** Where it begins in the log. [1-based line] */
  readonly line: number;
  /** State before it; -1: not in the log. [index in dumps] */
  readonly before: number;
  /** State after it; -1: not in the log. [index in dumps] */
  readonly after: number;
  /** It failed. */
  readonly failed: boolean;
  /** The state after it is another one than before. */
  readonly changed: boolean;
}

/** A dump of IR. */
export interface LoggedDump {
  /** The pass, or the stage of the front end. */
  readonly pass: string;
  /** When it was made. */
  readonly moment: 'before' | 'after' | 'failed' | 'stage';
  /** Where it begins in the log. [1-based line] */
  readonly line: number;
  /** Where its text begins. [bytes] */
  readonly begin: number;
  /** Where its text ends. [bytes] */
  readonly end: number;
  /** It is not cut off. */
  readonly complete: boolean;
}

/** One dump alone: the answer of `logDump`. */
export interface DumpText {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Its text, without the lines of loggers. */
  readonly text: string;
}

/** The answer. */
export interface PassLogAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** In the order of the log. */
  readonly passes: readonly LoggedPass[];
  /** In the order of the log. */
  readonly dumps: readonly LoggedDump[];
  /**
   * What the log amounts to: the last dump of the best kind, TTNN before others, modules before functions; -1: none.
   * [index in dumps]
   */
  readonly state: number;
}

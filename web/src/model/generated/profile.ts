// Profile: made from docs/schema/profile.schema.json by `npm run generate`.

/** A program that ran on the device. */
export interface Program {
  /** As the profile has it, "MatmulDeviceOperation". */
  readonly name: string;
  /** The op it belongs to, "ttnn.matmul"; "": not known. */
  readonly op: string;
  /** It prepares a tensor for the program after it. */
  readonly part: boolean;
  /** Of its first result, without leading ones, "64x128". */
  readonly shape: string;
  /** Of its first result, "l1 height_sharded". */
  readonly memory: string;
  /** Of its kernels. [ns] */
  readonly time: number;
  /** Cores it ran on. [count] */
  readonly cores: number;
  /** In the file. [1-based line] */
  readonly line: number;
  /** What took its time, as far as its row tells: arithmetic, or waiting for data. */
  readonly evidence: '' | 'compute' | 'data';
}

/** A row of the run and the programs that carried it out. */
export interface ProfileMatch {
  /** The row. [index in rows] */
  readonly row: number;
  /** In order; the last is the op's own. [index in programs] */
  readonly programs: readonly number[];
  /** Of these programs. [ns] */
  readonly measured: number;
  /** Of the row. [ns] */
  readonly predicted: number;
  /** The results have the same shape. */
  readonly sameShape: boolean;
  /** The results lie in the same memory, spread alike. */
  readonly sameMemory: boolean;
  /**
   * Why the predicted bound is wrong. data: it was to compute, but waited for data. compute: the other way round.
   * shorter: the part that was to bind it is longer than all of it was.
   */
  readonly misjudged: '' | 'data' | 'compute' | 'shorter';
}

/** A family of ops: its matches of the same shape. */
export interface FamilyFactor {
  /** As in the catalog, "Matmul". */
  readonly family: string;
  /** Matches. [count] */
  readonly ops: number;
  /** Of them. [ns] */
  readonly measured: number;
  /** Of them. [ns] */
  readonly predicted: number;
  /** Median of measured over predicted, of predictions without any factor. [ratio] */
  readonly factor: number;
}

/** Matches of the same shape by measured over predicted time. */
export interface ErrorClass {
  /** The least. [ratio] */
  readonly from: number;
  /** Less than this; null: any. */
  readonly to: number | null;
  /** How many. [count] */
  readonly ops: number;
}

/** The profile beside a run. */
export interface ProfileComparison {
  /** Why nothing was matched; "": it was. */
  readonly problem: string;
  /** How often the profile has the same programs in a row. [count] */
  readonly repeats: number;
  /** Programs before the last of these times. [count] */
  readonly skippedPrograms: number;
  /** In order of rows. */
  readonly matches: readonly ProfileMatch[];
  /** Programs that belong to no row. [index in programs] */
  readonly unmatchedPrograms: readonly number[];
  /** Rows that take time and have no program. [index in rows] */
  readonly unmatchedRows: readonly number[];
  /** By family. */
  readonly families: readonly FamilyFactor[];
  /** Distribution of the error. */
  readonly errors: readonly ErrorClass[];
  /** Of the measured time. [ratio] */
  readonly medianError: number;
  /** Nine of ten are better. [ratio] */
  readonly p90Error: number;
  /** Of all matches. [ns] */
  readonly measured: number;
  /** Of all matches. [ns] */
  readonly predicted: number;
  /** The factors as the option `calibration` takes them. */
  readonly calibration: string;
  /** Of the run. [ns] */
  readonly time: number;
  /** Of the run with these factors. [ns] */
  readonly calibratedTime: number;
}

/** The answer. */
export interface ProfileAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 1;
  /** Why the file is no profile; "": it is one. */
  readonly problem: string;
  /** Rows of the host, of markers and of other devices. [count] */
  readonly otherRows: number;
  /** Of all programs. [ns] */
  readonly time: number;
  /** In order. */
  readonly programs: readonly Program[];
  /** Beside a run; null: there is none. */
  readonly comparison: ProfileComparison | null;
}

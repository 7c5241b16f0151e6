// Common parts: made from docs/schema/common.schema.json by `npm run generate`.

/** How bad it is; the input of an error has no run. */
export type Severity = 'note' | 'warning' | 'error';

/** What is wrong with the input, at a place in it. */
export interface Diagnostic {
  /** How bad it is. */
  readonly severity: Severity;
  /** Name of the kind, "UnexpectedToken"; the catalog lists them. */
  readonly kind: string;
  /** The sentence to show. */
  readonly message: string;
  /** Where it begins. [1-based line] */
  readonly line: number;
  /** Where it begins. [1-based column in UTF-16 units] */
  readonly column: number;
  /** Where it ends. [1-based line] */
  readonly endLine: number;
  /** Where it ends, exclusive. [1-based column in UTF-16 units] */
  readonly endColumn: number;
  /** Further sentences. */
  readonly notes: readonly string[];
}

/** Diagnostics of a text alone. */
export interface Lint {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** In the order in which they were found. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics beyond the limit, which are not listed. [count] */
  readonly droppedDiagnostics: number;
}

/** The memory a tensor lies in. */
export type BufferKind = 'dram' | 'l1' | 'system_memory' | 'l1_small' | 'trace';

/** How a tensor is spread over cores or banks. */
export type MemoryKind = 'none' | 'interleaved' | 'single_bank' | 'height_sharded' | 'width_sharded' | 'block_sharded';

/** A figure of the device and where it comes from. */
export interface SourcedNumber {
  /** What the figure is. */
  readonly what: string;
  /** The figure with its unit. */
  readonly value: string;
  /** Where it is published. */
  readonly source: string;
  /** When it was looked up, "2026-08-01". */
  readonly date: string;
}

/** A chip to plan for. */
export interface DeviceInfo {
  /** "n150", the value of the option `device`. */
  readonly id: string;
  /** Its name for people. */
  readonly title: string;
  /** Its architecture. */
  readonly arch: 'wormhole_b0' | 'blackhole';
  /** Cores that programs may use. */
  readonly grid: readonly [rows: number, columns: number];
  /** All of a core's L1. [bytes per core] */
  readonly l1Size: number;
  /** First address that programs may use. [byte address] */
  readonly l1Base: number;
  /** From l1Base to the end of L1. [bytes per core] */
  readonly usableL1: number;
  /** DRAM banks. [count] */
  readonly dramBanks: number;
  /** Size of one bank. [bytes per bank] */
  readonly dramBankSize: number;
  /** Clock of the cores. [MHz] */
  readonly clockMhz: number;
  /** Where the figures come from. */
  readonly sources: readonly SourcedNumber[];
}

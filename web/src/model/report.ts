// The JSON that the engine answers with, as core/report/report_json.cpp writes it. Bytes are bytes per core unless a
// name says otherwise, times are nanoseconds of device time, grids are [rows, columns], places are 1-based.
// On the way a run lists each layout once (`layouts`) and values, rows and candidates hold its index, -1 for none; wire.ts puts the
// layouts back in, and what follows is the form with them.

import type { BeamTrace } from './beam_trace';
import type { ChainSummary, ChainTrace } from './chain_trace';
import type { ExactResult } from './exact';

export const REPORT_SCHEMA = 1;

export type Severity = 'error' | 'warning' | 'note';

export interface Diagnostic {
  readonly severity: Severity;
  readonly kind: string; // "UnexpectedToken"; the list is in catalog().diagnostics
  readonly message: string;
  readonly line: number;
  readonly column: number; // in UTF-16 units, as editors count
  readonly endLine: number;
  readonly endColumn: number;
  readonly notes: readonly string[];
}

export type BufferKind = 'dram' | 'l1' | 'system_memory' | 'l1_small' | 'trace';
export type MemoryKind =
  | 'none' | 'interleaved' | 'single_bank' | 'height_sharded' | 'width_sharded' | 'block_sharded';

export interface Layout {
  readonly buffer: BufferKind;
  readonly memory: MemoryKind;
  readonly page: 'tile' | 'row_major';
  readonly dtype: string;
  readonly grid: readonly [number, number];
  readonly shard: readonly [number, number]; // tiles when page is 'tile', else scalars
  readonly text: string; // "L1 block 8x8"
  readonly bytesPerCore: number; // of L1; 0 when not in L1
  readonly totalBytes: number;
}

export interface ValueInfo {
  readonly name: string; // "%12", "%arg0"
  readonly label: string; // argument or location name, may be ''
  readonly role: 'input' | 'parameter' | 'constant' | 'kv_cache' | 'none' | 'result';
  readonly shape: string; // "1x56x56x64"
  readonly dtype: string;
  readonly layout: Layout | null; // null when it is no tensor
  readonly producer: number; // row, -1 for an argument
  readonly uses: readonly number[]; // rows
}

export type RowKind = 'op' | 'reshard' | 'spill' | 'reload' | 'return';
export type Bound = 'compute' | 'dram' | 'noc' | 'fixed' | 'none';

// They stand one after the other from the first usable address upwards.
export interface CircularBuffer {
  readonly name: string; // "in0", "out"
  readonly address: number;
  readonly bytes: number;
}

// One that lies in a tensor's shard and takes no L1 of its own.
export interface BackedBuffer {
  readonly name: string;
  readonly bytes: number; // per core
  readonly operand: number; // index of the operand whose shard it is; -1: the result
}

// A tensor that an op makes before its results and frees when it has run.
export interface Intermediate {
  readonly name: string; // "halo"
  readonly space: 'l1' | 'l1_small' | 'dram';
  readonly bytes: number;
}

// What an allocator would report; of each core's L1 or each DRAM bank.
export interface MemoryHoles {
  readonly free: number;
  readonly largestHole: number; // 1 - largestHole / free is the fragmentation
}

// One op of the schedule; its index in `rows` is its step.
export interface Row {
  readonly kind: RowKind; // everything but 'op' and 'return' was inserted by the plan
  readonly op: string; // "ttir.conv2d"
  readonly name: string; // of the first result, "%12"; '' when there is none
  readonly label: string; // location name, ''
  readonly family: string;
  readonly chain: number; // index in `chains`, -1 = in none
  readonly operands: readonly number[]; // values
  readonly results: readonly number[]; // values
  readonly cores: number;
  readonly time: { readonly total: number; readonly fixed: number; readonly compute: number; readonly dram: number; readonly noc: number };
  readonly bound: Bound;
  readonly dramBytes: number; // whole device
  readonly nocBytes: number; // whole device
  // What the op model answered: circular buffers that no tensor backs, tensors that the op allocates, both, and its results alone.
  readonly constraints: { readonly circularBuffers: number; readonly tensors: number; readonly peak: number; readonly output: number };
  readonly rule?: { readonly name: string; readonly source: string }; // which rule of the op model decided; older reports have none
  readonly refusal?: string; // why the op model refuses the op as it stands, ''; its time says nothing then
  // While the op runs. Circular buffers are not the allocator's: they take no part of `free`.
  readonly l1: { readonly tensors: number; readonly circularBuffers: number; readonly peak: number } & MemoryHoles;
  readonly dram: { readonly used: number } & MemoryHoles;
  readonly circularBuffers: readonly CircularBuffer[];
  readonly backedBuffers?: readonly BackedBuffer[]; // older reports have none
  readonly produced: Layout | null; // where the result really is, when the op does not obey the layout it was asked for
  readonly freedOperand: number; // value that the op frees before its result is allocated (deallocate_activation); -1: none
  readonly intermediates: readonly Intermediate[];
  readonly place: { readonly line: number; readonly column: number } | null; // null for inserted ops
  readonly verdict: { readonly kind: 'out_of_memory' | 'clash' | 'use_after_free'; readonly text: string } | null; // as the runtime words it
}

// A lifetime of a tensor at an address: steps from..to inclusive. A buffer lives until the last value that shares it dies.
export interface BufferBox {
  readonly value: number; // -1 for an intermediate
  readonly name: string; // of an intermediate, else ''
  readonly space: 'l1' | 'l1_small' | 'dram';
  readonly address: number; // in the core's L1 or in each DRAM bank
  readonly bytes: number; // per core or per bank
  readonly from: number;
  readonly to: number;
  readonly aliasOf: number; // index of the buffer that this value shares (a view, an op in place); -1: has its own
}

export interface Chain {
  readonly lane: number; // column to draw it in; chains of one lane never overlap in time
  readonly rows: readonly number[];
}

export type CandidateStatus = 'chosen' | 'rejected' | 'worse';

export interface Candidate {
  readonly layout: Layout;
  readonly status: CandidateStatus;
  readonly reason: string; // enum name, '' for the chosen one
  readonly text: string; // one sentence with the figures
  readonly needed: number; // bytes, 0 when it is not about bytes
  readonly available: number;
}

export interface Decision {
  readonly row: number;
  readonly value: number;
  readonly summary: string; // why the result lives where it lives, one or two sentences
  readonly candidates: readonly Candidate[];
}

export interface SimEvent {
  readonly step: number;
  readonly kind: 'alloc' | 'alias' | 'free' | 'spill' | 'reshard' | 'out_of_memory' | 'clash';
  readonly value: number; // -1 for an intermediate
  readonly space: 'l1' | 'l1_small' | 'dram';
  readonly address: number;
  readonly bytes: number;
}

export interface Totals {
  readonly time: number;
  readonly ops: number;
  readonly dramBytes: number; // moved to and from DRAM, whole device
  readonly spills: number;
  readonly reshards: number;
  readonly l1Results: number; // op results that live in L1
  readonly peakL1: number; // tensors and circular buffers together
  readonly peakStep: number;
  readonly peakDramPerBank: number;
  readonly chains: number;
  readonly failures: number; // steps with a verdict
  readonly refused?: number; // steps with a refusal; older reports have none
}

// What spilling costs for the layouts that the policy chose, in ns: by the strategy that decided, by each other one, and at least.
export interface Spilling {
  readonly strategy: 'farthest-last-use' | 'farthest-next-use' | 'cost-aware' | 'certified';
  readonly cost: number; // of its decision
  readonly carriedOut: number; // what became of it: holes, circular buffers and ops that need more than there is drive out more
  readonly lowerBound: number; // no decision costs less
  readonly proven: boolean; // certified is lowerBound
  readonly farthestLastUse: number;
  readonly farthestNextUse: number;
  readonly costAware: number;
  readonly certified: number;
  readonly values: number; // that are to lie in L1
  readonly contested: number; // stays between two readers that had to be decided
}

// L1 addresses planned ahead of time beside those of the runtime's first fit; bytes per core from the top of L1 down to the lowest
// address that a tensor ever has. Circular buffers, which grow from the other end, are left out.
export interface Placement {
  readonly firstFit: number;
  readonly planned: number; // never more than firstFit
  readonly bound: number; // the most bytes alive at a time: no addresses take less
  readonly fragmentation: number; // firstFit - planned
  readonly proven: boolean; // planned is bound
  readonly method: 'runtime' | 'portfolio' | 'local search' | 'search'; // what found the planned addresses; runtime: nothing better was found
  readonly addresses: readonly number[]; // by `buffers`; -1 for one that is not in L1
}

export interface DeviceInfo {
  readonly id: string;
  readonly title: string;
  readonly arch: string;
  readonly grid: readonly [number, number];
  readonly l1Size: number;
  readonly l1Base: number;
  readonly usableL1: number;
  readonly dramBanks: number;
  readonly dramBankSize: number;
  readonly clockMhz: number;
  readonly sources: readonly { readonly what: string; readonly value: string; readonly source: string; readonly date: string }[];
}

export interface Run {
  readonly function: string;
  readonly rows: readonly Row[];
  readonly values: readonly ValueInfo[];
  readonly buffers: readonly BufferBox[];
  readonly chains: readonly Chain[];
  readonly decisions: readonly Decision[];
  readonly warnings: readonly string[]; // of the policy, about the plan as a whole
  readonly chainSummary?: ChainSummary; // of the chain generation
  readonly chainTrace?: ChainTrace; // with the option `trace`, of the chain generation
  readonly propagationTrace?: BeamTrace; // likewise, of the pass generation
  readonly exact?: ExactResult; // of policy Exact
  readonly spilling?: Spilling; // with a `spill-strategy` other than the policy's own
  readonly events: readonly SimEvent[];
  readonly totals: Totals;
  readonly placement?: Placement; // older reports have none
  readonly l1Budget: number; // usable L1 times the usage cap
  readonly plan: string; // one line per op
  // What the two checkers and the graph verifier found; empty when all is well.
  readonly defects: readonly { readonly checker: 'graph' | 'plan' | 'run' | 'placement'; readonly rule: string; readonly text: string }[];
}

export interface Report {
  readonly schema: typeof REPORT_SCHEMA;
  readonly tessera: string; // version
  readonly ok: boolean; // the input could be read and the run has no defects
  readonly input: {
    readonly format: 'mlir' | 'json';
    readonly name: string;
    readonly bytes: number;
    readonly lines: number;
    readonly functions: number;
    readonly ops: number;
    readonly opaqueOps: number;
  };
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
  readonly options: Readonly<Record<string, string | number | boolean>>; // effective values, by option id
  readonly device: DeviceInfo | null;
  readonly policy: { readonly id: string; readonly title: string } | null;
  readonly run: Run | null; // null when the input could not be read
}

export interface LintResult {
  readonly schema: typeof REPORT_SCHEMA;
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
}

// A file made from a run; both null when there is none.
export interface ExportedFile {
  readonly schema: typeof REPORT_SCHEMA;
  readonly diagnostics: readonly Diagnostic[];
  readonly droppedDiagnostics: number;
  readonly file: string | null;
  readonly content: string | null;
}

export interface CompareResult {
  readonly schema: typeof REPORT_SCHEMA;
  readonly runs: readonly Report[];
  readonly comparison: Comparison;
}

// Why tensors are not in L1 where they could be; a value counts once.
export type LossCause = 'constraint' | 'memory' | 'fork' | 'operand0' | 'chainFailure' | 'choice';

export interface ComparedRun {
  readonly label: string;
  readonly ran: boolean; // false: nothing below counts
  readonly time: number; // ns
  readonly dramBytes: number;
  readonly losses: Readonly<Record<LossCause, number>>;
  readonly returned: number; // values that leave L1 because the function returns them
  readonly reshards: number;
  readonly peakL1: number;
  readonly budget: number;
  readonly headroom: number; // part of the budget that was never taken
  readonly inL1: number;
  readonly sharded: number;
  readonly inDram: number;
  readonly cores: number; // that compute, mean
  readonly failures: number;
  readonly refused: number; // ops that the op model refuses
  readonly defects: number;
}

// An op whose result lies elsewhere in some run.
export interface ComparedOp {
  readonly name: string;
  readonly op: string;
  readonly layouts: readonly string[]; // by run
  readonly times: readonly number[];
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly differences: readonly ComparedOp[];
}

export interface OptionInfo {
  readonly id: string; // the compiler's name: "max-legal-layouts"
  readonly title: string;
  readonly help: string;
  readonly type: 'choice' | 'integer' | 'number' | 'boolean' | 'text';
  readonly default: string | number | boolean;
  readonly min: number; // integer and number
  readonly max: number;
  readonly step: number;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
}

export interface Catalog {
  readonly schema: typeof REPORT_SCHEMA;
  readonly tessera: string;
  readonly devices: readonly DeviceInfo[];
  readonly policies: readonly { readonly id: string; readonly title: string; readonly description: string }[];
  readonly options: readonly OptionInfo[]; // "device" and "policy" among them
  readonly families: readonly { readonly id: string; readonly title: string }[];
  readonly ops: readonly { readonly name: string; readonly family: string; readonly operands: string }[];
  readonly diagnostics: readonly { readonly kind: string; readonly severity: Severity; readonly format: string }[];
}

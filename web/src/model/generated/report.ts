// Report: made from docs/schema/report.schema.json by `npm run generate`.

import type { BeamTrace } from './beam_trace';
import type { ChainSummary, ChainTrace } from './chain_trace';
import type { BufferKind, DeviceInfo, Diagnostic, MemoryKind } from './common';
import type { ExactResult } from './exact';
import type { MemorySpace, Row } from './row';

/** A layout of a tensor. */
export interface Layout {
  /** The memory it lies in. */
  readonly buffer: BufferKind;
  /** How it is spread. */
  readonly memory: MemoryKind;
  /** What a page holds. */
  readonly page: 'tile' | 'row_major';
  /** Element type, "bf16". */
  readonly dtype: string;
  /** Cores it is spread over. */
  readonly grid: readonly [rows: number, columns: number];
  /** Part of one core. */
  readonly shard: readonly [rows: number, columns: number];
  /** For people: "L1 block 8x8". */
  readonly text: string;
  /** L1 it takes; 0 when not in L1. [bytes per core] */
  readonly bytesPerCore: number;
  /** All of it. [bytes] */
  readonly totalBytes: number;
}

/** A tensor of the function, or something else that ops pass on. */
export interface Value {
  /** SSA name, "%12". */
  readonly name: string;
  /** Name of the argument or of the location; may be "". */
  readonly label: string;
  /** What it is to the function. */
  readonly role: 'input' | 'parameter' | 'constant' | 'kv_cache' | 'none' | 'result';
  /** "1x56x56x64"; of what is no tensor, its type. */
  readonly shape: string;
  /** Element type; "" of what is no tensor. */
  readonly dtype: string;
  /** Where it lives; -1: it is no tensor. [index in layouts] */
  readonly layout: number;
  /** Row that makes it; -1: an argument. [index in rows] */
  readonly producer: number;
  /** Rows that read it, ascending. [index in rows] */
  readonly uses: readonly number[];
}

/** A lifetime of a tensor at an address. A buffer lives until the last value that shares it dies. */
export interface BufferBox {
  /** Its value; -1: an intermediate. [index in values] */
  readonly value: number;
  /** Of an intermediate; else "". */
  readonly name: string;
  /** Where it lies. */
  readonly space: MemorySpace;
  /** In the core's L1 or in each DRAM bank. [byte address] */
  readonly address: number;
  /** Its size. [bytes per core or per DRAM bank] */
  readonly bytes: number;
  /** First step. [index in rows] */
  readonly from: number;
  /** Last step, inclusive. [index in rows] */
  readonly to: number;
  /** Buffer that this value shares (a view, an op in place); -1: it has its own. [index in buffers] */
  readonly aliasOf: number;
}

/** Ops that hand their results on in L1. */
export interface Chain {
  /** Column to draw it in; chains of one lane never overlap in time. [column] */
  readonly lane: number;
  /** Its rows in order. [index in rows] */
  readonly rows: readonly number[];
}

/** A layout that was looked at for a result. What says nothing is left out. */
export interface Candidate {
  /** The layout. [index in layouts] */
  readonly layout: number;
  /** What became of it. */
  readonly status: 'chosen' | 'rejected' | 'worse';
  /** Name of the constraint that failed; of a refused one. */
  readonly reason?: string;
  /** One sentence with the figures. */
  readonly text?: string;
  /** What it needs, when it is about memory. [bytes per core] */
  readonly needed?: number;
  /** What there is. [bytes per core] */
  readonly available?: number;
}

/** Why a result lives where it lives. */
export interface Decision {
  /** The op. [index in rows] */
  readonly row: number;
  /** Its result. [index in values] */
  readonly value: number;
  /** One or two sentences. */
  readonly summary: string;
  /** What was looked at. */
  readonly candidates: readonly Candidate[];
}

/** Something that happened to memory. Those in DRAM are left out unless it was full. */
export interface SimEvent {
  /** When. [index in rows] */
  readonly step: number;
  /** What happened. */
  readonly kind: 'alloc' | 'alias' | 'free' | 'out_of_memory' | 'clash';
  /** To which value; -1: an intermediate. [index in values] */
  readonly value: number;
  /** Where. */
  readonly space: MemorySpace;
  /** Where. [byte address] */
  readonly address: number;
  /** How much. [bytes per core or per DRAM bank] */
  readonly bytes: number;
}

/** The run as a whole. */
export interface Totals {
  /** Sum over all steps. [ns] */
  readonly time: number;
  /** Ops of the program with results. [count] */
  readonly ops: number;
  /** Moved to and from DRAM. [bytes of the whole device] */
  readonly dramBytes: number;
  /** Moves of the plan from L1 to DRAM, returns apart. [count] */
  readonly spills: number;
  /** Moves of the plan from DRAM into L1. [count] */
  readonly reloads: number;
  /** Moves of the plan within one memory. [count] */
  readonly reshards: number;
  /** Moves of the plan from L1 to DRAM because the function returns the tensor. [count] */
  readonly returns: number;
  /** Op results that live in L1. [count] */
  readonly l1Results: number;
  /** Most in use at once, tensors and circular buffers together. [bytes per core] */
  readonly peakL1: number;
  /** When; -1: never. [index in rows] */
  readonly peakStep: number;
  /** Most in use at once. [bytes per DRAM bank] */
  readonly peakDramPerBank: number;
  /** L1 chains. [count] */
  readonly chains: number;
  /** Steps with a verdict. [count] */
  readonly failures: number;
  /** Steps with a refusal. [count] */
  readonly refused: number;
}

/**
 * What spilling costs for the layouts that the policy chose: by the strategy that decided, by each other one, and at
 * least.
 */
export interface Spilling {
  /** The one that decided. */
  readonly strategy: 'farthest-last-use' | 'farthest-next-use' | 'cost-aware' | 'certified';
  /** Of its decision. [ns] */
  readonly cost: number;
  /** What became of it: holes, circular buffers and ops that need more than there is drive out more. [ns] */
  readonly carriedOut: number;
  /** No decision costs less. [ns] */
  readonly lowerBound: number;
  /** `certified` is the lower bound. */
  readonly proven: boolean;
  /** By this rule. [ns] */
  readonly farthestLastUse: number;
  /** By this rule. [ns] */
  readonly farthestNextUse: number;
  /** By this rule. [ns] */
  readonly costAware: number;
  /** By the solver. [ns] */
  readonly certified: number;
  /** Values that are to lie in L1. [count] */
  readonly values: number;
  /** Stays between two readers that had to be decided. [count] */
  readonly contested: number;
}

/**
 * L1 addresses planned ahead of time beside those of the runtime's first fit, from the top of L1 down to the lowest
 * address that a tensor ever has. Circular buffers, which grow from the other end, are left out.
 */
export interface Placement {
  /** By the runtime. [bytes per core] */
  readonly firstFit: number;
  /** Planned; never more. [bytes per core] */
  readonly planned: number;
  /** The most alive at a time: no addresses take less. [bytes per core] */
  readonly bound: number;
  /** firstFit - planned. [bytes per core] */
  readonly fragmentation: number;
  /** planned is bound. */
  readonly proven: boolean;
  /** What found the planned addresses; runtime: nothing better was found. */
  readonly method: 'runtime' | 'portfolio' | 'local search' | 'search';
  /** By `buffers`; -1 for one that is not in L1. [byte address in L1] */
  readonly addresses: readonly number[];
}

/** What a checker or the graph verifier found. */
export interface Defect {
  /** Who found it. */
  readonly checker: 'graph' | 'plan' | 'run' | 'placement';
  /** The rule that is broken. */
  readonly rule: string;
  /** Where. */
  readonly text: string;
}

/** One run of one policy on one device. */
export interface Run {
  /** The forward function. */
  readonly function: string;
  /** The schedule. */
  readonly rows: readonly Row[];
  /** Arguments, then results in schedule order. */
  readonly values: readonly Value[];
  /** Lifetimes in memory. */
  readonly buffers: readonly BufferBox[];
  /** L1 chains. */
  readonly chains: readonly Chain[];
  /** Why results live where they live. */
  readonly decisions: readonly Decision[];
  /** Of the policy, about the plan as a whole. */
  readonly warnings: readonly string[];
  /** Of the chain generation. */
  readonly chainSummary?: ChainSummary;
  /** With the option `trace`, of the chain generation. */
  readonly chainTrace?: ChainTrace;
  /** With the option `trace`, of the pass generation. */
  readonly propagationTrace?: BeamTrace;
  /** Of policy Exact. */
  readonly exact?: ExactResult;
  /** With a `spill-strategy` other than the policy's own. */
  readonly spilling?: Spilling;
  /** What happened to memory, in order. */
  readonly events: readonly SimEvent[];
  /** The run as a whole. */
  readonly totals: Totals;
  /** L1 addresses planned ahead of time. */
  readonly placement: Placement;
  /** Usable L1 times the usage cap. [bytes per core] */
  readonly l1Budget: number;
  /** The plan as text, one line per op and move, and a summary. */
  readonly plan: string;
  /** What is wrong with the plan or the run; empty when all is well. */
  readonly defects: readonly Defect[];
  /** Layouts that values, rows and candidates refer to. */
  readonly layouts: readonly Layout[];
}

/** The report of one run. */
export interface Report {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 2;
  /** Version of the program. */
  readonly tessera: string;
  /** The input could be read and the run has no defects. */
  readonly ok: boolean;
  /** What was read. */
  readonly input: {
    /** Its format. */
    readonly format: 'mlir' | 'json';
    /** Name of the module; may be "". */
    readonly name: string;
    /** Its length. [bytes] */
    readonly bytes: number;
    /** Its lines. [count] */
    readonly lines: number;
    /** Functions. [count] */
    readonly functions: number;
    /** Ops of all functions. [count] */
    readonly ops: number;
    /** Ops that nobody knows; they live in DRAM. [count] */
    readonly opaqueOps: number;
    /** Its tensors carry layouts: it is taken as written where no policy is asked for. */
    readonly layouts: boolean;
    /** Its forward functions in the order of the file; `run.function` says which one was run. */
    readonly forward: readonly {
      /** Its name. */
      readonly name: string;
      /** Its ops, the return among them. [count] */
      readonly ops: number;
    }[];
  };
  /** What is wrong with the input or the options. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics beyond the limit. [count] */
  readonly droppedDiagnostics: number;
  /** Effective values by option id; the catalog lists the options. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** The chip; null: unknown. */
  readonly device: DeviceInfo | null;
  /** Who decided; null: there is no run. */
  readonly policy: {
    /** "Beam". */
    readonly id: string;
    /** Its name for people. */
    readonly title: string;
  } | null;
  /** The run; null: the input could not be read. */
  readonly run: Run | null;
}

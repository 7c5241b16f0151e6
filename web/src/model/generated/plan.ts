// Plan: made from docs/schema/plan.schema.json by `npm run generate`.

import type { MemoryKind } from './common';

/** An op: the name of its first result, "%12", or its number. */
export type OpName = string | number;

/** What a layout is made from, for whatever tensor refers to it. */
export interface PlanLayout {
  /** The memory. */
  readonly buffer: 'dram' | 'l1' | 'system_memory';
  /** How it is spread; interleaved when it is not said, none on the host. */
  readonly memory?: MemoryKind;
  /** Tiles, or rows; tiles when it is not said. */
  readonly page?: 'tile' | 'row_major';
  /** Element type, "bf16"; the tensor's own when it is not said. */
  readonly dtype?: string;
  /** Grid of shards; all cores for L1 interleaved, 1x1 for DRAM when it is not said. */
  readonly grid?: readonly [rows: number, columns: number];
  /** Of one core; as the grid gives it when it is not said. */
  readonly shard?: readonly [rows: number, columns: number];
}

/** Settings of a convolution, by the compiler's names; the library chooses what is not said. */
export interface Conv2dSettings {
  /** Rows of an activation block; 0: the library's choice. [rows] */
  readonly act_block_h_override?: number;
  /** The activation is freed when it has been read. */
  readonly deallocate_activation?: boolean;
  /** The library may reshard the activation. */
  readonly reshard_if_not_optimal?: boolean;
}

/** Program of a matmul, by the compiler's names. */
export interface MatmulSettings {
  /** Which program runs. */
  readonly program: 'multi_cast_2d' | 'multi_cast_1d_in0' | 'multi_cast_1d_in1' | 'reuse' | 'dram_sharded';
  /** Rows of the result per core. [tiles] */
  readonly per_core_m?: number;
  /** Columns of the result per core. [tiles] */
  readonly per_core_n?: number;
  /** Columns of a block of the first operand. [tiles] */
  readonly in0_block_w?: number;
  /** Rows of a subblock. [tiles] */
  readonly out_subblock_h?: number;
  /** Columns of a subblock. [tiles] */
  readonly out_subblock_w?: number;
  /** Rows of a block of the result. [tiles] */
  readonly out_block_h?: number;
  /** Columns of a block of the result. [tiles] */
  readonly out_block_w?: number;
}

/** How an op runs, where it is not the library's choice. */
export interface PlanConfig {
  /** The op. */
  readonly op: OpName;
  /** Layout that it is configured for, when not its result's. [index in layouts] */
  readonly output?: number;
  /** Of a convolution. */
  readonly conv2d?: Conv2dSettings;
  /** Of a matmul. */
  readonly matmul?: MatmulSettings;
}

/** An op reads an operand through a copy in another layout. */
export interface PlanReshard {
  /** The op that reads. */
  readonly op: OpName;
  /** Which operand. [index in operands] */
  readonly operand: number;
  /** Layout of the copy. [index in layouts] */
  readonly to: number;
}

/** A tensor moves right before an op runs; every use from there on reads it where it is then. */
export interface PlanSpill {
  /** The tensor, "%12". */
  readonly value: string;
  /** The op. */
  readonly before: OpName;
  /** Where it moves: out of L1, or back. [index in layouts] */
  readonly to: number;
  /** Why; memory when it is not said, return before the return. */
  readonly cause?: 'return' | 'memory' | 'constraint' | 'chain end' | 'shared';
}

/** The plan. */
export interface Plan {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 1;
  /** Who made it. */
  readonly policy?: string;
  /** Fingerprint of the graph that it is for, from the problem; another one is an error. */
  readonly graph?: string;
  /** Options under which it was made, where not the defaults. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
  /**
   * All ops in the order in which they run, the return last; the program's order when it is not said. [index in the
   * problem's ops]
   */
  readonly order?: readonly number[];
  /** Layouts of tensors as their producers write them, by name. */
  readonly values?: Readonly<Record<string, number>>;
  /** How ops run. */
  readonly configs?: readonly PlanConfig[];
  /** Conversions for one use. */
  readonly reshards?: readonly PlanReshard[];
  /** Moves for all later uses: spills and reloads. */
  readonly spills?: readonly PlanSpill[];
  /** Layouts to which the rest refers. */
  readonly layouts?: readonly PlanLayout[];
}

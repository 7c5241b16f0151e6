// Problem: made from docs/schema/problem.schema.json by `npm run generate`.

import type { Conv2dSettings, MatmulSettings, PlanLayout } from './plan';

/** An op of the function, at its step. */
export interface ProblemOp {
  /** "ttnn.conv2d". */
  readonly op: string;
  /** Location in the source, "" when it has none. */
  readonly label: string;
  /** What it reads. [index in values] */
  readonly operands: readonly number[];
  /** What it makes. [index in values] */
  readonly results: readonly number[];
  /** Its candidates; -1: the return. [index in classes] */
  readonly class: number;
}

/** A way to run an op that the op model accepts with nothing else in L1. */
export interface OpCandidate {
  /** Layouts in which it reads its operands; -1: no tensor. [index in layouts] */
  readonly operands: readonly number[];
  /** Layout of its first result; -1: no tensor. [index in layouts] */
  readonly result: number;
  /** How it runs; -1: as the library chooses. [index in settings] */
  readonly settings: number;
  /** What it takes. [ns] */
  readonly time: number;
  /** Circular buffers, from the bottom of L1. [bytes per core] */
  readonly buffers: number;
  /** L1 that it takes besides its operands: circular buffers, intermediates, the result. [bytes per core] */
  readonly peak: number;
  /** The result lies in the first operand's buffer and takes no L1 of its own. */
  readonly shares: boolean;
}

/** An argument or a result. */
export interface ProblemValue {
  /** "%12", as plans name it. */
  readonly name: string;
  /** Shape, element type and layouts; -1: no tensor. [index in types] */
  readonly type: number;
  /** Step that makes it; -1: an argument. [index in ops] */
  readonly from: number;
  /** Step that reads it last, its own when nobody does. [index in ops] */
  readonly to: number;
  /** Layout that is given and may not be changed; -1: it is open. [index in layouts] */
  readonly pinned: number;
}

/** Tensors of one shape and element type: the layouts in which they occur, and what it takes to convert them. */
export interface ProblemType {
  /** Dims. [elements] */
  readonly shape: readonly number[];
  /** Element type, "bf16". */
  readonly dtype: string;
  /** Interleaved in DRAM, in tiles. [index in layouts] */
  readonly dram: number;
  /** Interleaved over all cores, in tiles. [index in layouts] */
  readonly l1Interleaved: number;
  /** Layouts in which such a tensor occurs. [index in layouts] */
  readonly layouts: readonly number[];
  /** What each of them takes of L1; 0 elsewhere. [bytes per core] */
  readonly bytes: readonly number[];
  /** From each of them to each of them; -1: impossible. [ns] */
  readonly conversions: readonly (readonly number[])[];
}

/** Settings of an op. */
export interface Settings {
  /** Of a convolution. */
  readonly conv2d?: Conv2dSettings;
  /** Of a matmul. */
  readonly matmul?: MatmulSettings;
}

/** The problem. */
export interface Problem {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 1;
  /** Version of the program. */
  readonly tessera: string;
  /** Fingerprint of the graph, for the plan. */
  readonly graph: string;
  /** Its name. */
  readonly function: string;
  /** Options that make this problem, where not the defaults; a plan repeats them. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** Cores of the device. */
  readonly grid: readonly [rows: number, columns: number];
  /** L1 that a plan may fill. [bytes per core] */
  readonly budget: number;
  /** In program order; the return is the last. */
  readonly ops: readonly ProblemOp[];
  /** Candidates of the ops of each class; none: it runs in DRAM whatever the plan says. */
  readonly classes: readonly (readonly OpCandidate[])[];
  /** Arguments, then results in program order. */
  readonly values: readonly ProblemValue[];
  /** Types of tensors. */
  readonly types: readonly ProblemType[];
  /** Settings to which candidates refer. */
  readonly settings: readonly Settings[];
  /** Layouts to which the rest refers; a plan may take them over. */
  readonly layouts: readonly PlanLayout[];
}

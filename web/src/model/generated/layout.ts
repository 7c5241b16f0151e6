// Layout lab: made from docs/schema/layout.schema.json by `npm run generate`.

import type { BufferKind, MemoryKind } from './common';

/** The fields of a request as they are after its text was read. */
export interface LabFields {
  /** Which kind of layout. */
  readonly view: 'metal' | 'ttnn';
  /** Id of the chip. */
  readonly device: string;
  /** Of the tensor. [elements] */
  readonly shape: readonly number[];
  /** Element type. */
  readonly dtype: string;
  /** Of the layout. [count] */
  readonly grid: readonly number[];
  /** Intervals of dims, [begin, end). */
  readonly collapse: readonly (readonly [begin: number, end: number])[];
  /** Empty: dense. [elements] */
  readonly strides: readonly number[];
  /** Affine map in place of collapse and strides; "" for none. */
  readonly map: string;
  /** Pages are tiles. */
  readonly tiled: boolean;
  /** Size of a tile. */
  readonly tile: readonly [rows: number, columns: number];
  /** What padding holds. */
  readonly oob: string;
  /** "l1", "dram", "system", "mmio", "l1_small" or "trace". */
  readonly buffer: string;
  /** Of a ttnn layout. */
  readonly memory: MemoryKind;
  /** Outermost dims of a metal grid that choose the device. [count] */
  readonly deviceDims: number;
}

/** What cannot be taken. */
export interface LabProblem {
  /** Of the request; "" for all of it. */
  readonly field: string;
  /** The rule that is broken. */
  readonly rule: string;
  /** The sentence to show. */
  readonly text: string;
}

/** A layout as text, or why there is none. */
export interface AttributeText {
  /** The attribute. */
  readonly text?: string;
  /** The rule that forbids it. */
  readonly rule?: string;
  /** The sentence to show. */
  readonly why?: string;
}

/** A layout that the optimizer would consider. */
export interface LegalLayout {
  /** "L1 block 8x8". */
  readonly title: string;
  /** The memory. */
  readonly buffer: BufferKind;
  /** How it is spread. */
  readonly memory: MemoryKind;
  /** Cores. */
  readonly grid: readonly [rows: number, columns: number];
  /** Part of one core. */
  readonly shard: readonly [rows: number, columns: number];
  /** L1 it takes; 0 when not in L1. [bytes per core] */
  readonly bytesPerCore: number;
}

/** A page of a picture, the one that holds the cursor. */
export interface LabWindow {
  /** Of the whole picture. */
  readonly extent: readonly [rows: number, columns: number];
  /** Where the page begins. */
  readonly origin: readonly [row: number, column: number];
  /** Of the page. */
  readonly size: readonly [rows: number, columns: number];
  /** Indices of the outer dims. [index] */
  readonly outer: readonly number[];
  /**
   * Cells in reading order as runs of four: count, first element (-1 stride gap, -2 beyond the tensor, -3 tile
   * rounding), position, first bit (-1 for padding). [four numbers a run]
   */
  readonly cells: readonly number[];
}

/** Where an element is. */
export interface LabPlace {
  /** Its index in the tensor. [index] */
  readonly index: readonly number[];
  /** Its row-major number. [elements] */
  readonly element: number;
  /** Its index in the collapsed tensor. [index] */
  readonly physical: readonly number[];
  /** Its place in the grid. [index] */
  readonly gridIndex: readonly number[];
  /** Row-major number of that place. [index] */
  readonly position: number;
  /** Its device. [index] */
  readonly device: number;
  /** Its core or bank. */
  readonly core: readonly [x: number, y: number];
  /** Its index in the stored shard. [index] */
  readonly local: readonly number[];
  /** In the shard. [bytes] */
  readonly offset: number;
  /** In that byte. [bits] */
  readonly bit: number;
}

/** The element at a byte, that it is padding, or why there is none. */
export interface LabFound {
  /** Its index in the tensor. [index] */
  readonly index?: readonly number[];
  /** No element lies there. */
  readonly padding?: boolean;
  /** The rule that is broken. */
  readonly rule?: string;
  /** The sentence to show. */
  readonly why?: string;
}

/** The layout as pictures and figures. */
export interface LabDrawn {
  /** From the tensor to the collapsed tensor. */
  readonly map: string;
  /** From the grid to the cores, of a metal layout. */
  readonly gridMap?: string;
  /** Shape of a shard. [tiles, or elements without tiles] */
  readonly units: readonly number[];
  /** Of the layout. [count] */
  readonly grid: readonly number[];
  /** Shape of a shard before it is rounded up to tiles, of a metal layout. [elements] */
  readonly scalarShard?: readonly number[];
  /** Shape of the collapsed tensor. [elements] */
  readonly physical: readonly number[];
  /** Shape of what one position stores. [elements] */
  readonly stored: readonly number[];
  /** Places of the grid. [count] */
  readonly positions: number;
  /** Of a tile, or of an element without tiles. [bytes] */
  readonly unitBytes: number;
  /** Of an element. [bits] */
  readonly valueBits: number;
  /** Memory. */
  readonly bytes: {
    /** Of a position: a core, a DRAM bank or the host's copy. [bytes per core] */
    readonly perCore: number;
    /** Of all positions. [bytes] */
    readonly total: number;
    /** That hold values of the tensor. [bytes] */
    readonly data: number;
    /** total - data. [bytes] */
    readonly wasted: number;
    /** Of the chip. [bytes per core] */
    readonly usableL1: number;
  };
  /** Places for elements, padding by its reason. */
  readonly places: {
    /** Of the tensor. [elements] */
    readonly elements: number;
    /** All places. [elements] */
    readonly stored: number;
    /** Gaps that the strides leave. [elements] */
    readonly strideGap: number;
    /** Where the grid does not divide the tensor evenly. [elements] */
    readonly beyondTensor: number;
    /** From rounding up to tiles. [elements] */
    readonly tileRounding: number;
  };
  /** Where the cursor's element is. */
  readonly cursor: LabPlace;
  /** The pictures. */
  readonly windows: {
    /** The tensor. */
    readonly logical: LabWindow;
    /** The collapsed tensor. */
    readonly physical: LabWindow;
    /** What one position stores. */
    readonly stored: LabWindow;
    /** That position. [index] */
    readonly position: number;
  };
  /** What was asked with `find`. */
  readonly found?: LabFound;
  /**
   * With `detail`, four numbers a position: device, x, y, elements (-1 when not counted); empty for more than 4096
   * positions. [four numbers a position]
   */
  readonly cores?: readonly number[];
}

/** The answer. */
export interface LabAnswer {
  /** Version of this description: raised when a field goes, or means something else. [version] */
  readonly schema: 1;
  /** Empty when all is well. */
  readonly problems: readonly LabProblem[];
  /** Absent when the request was refused. */
  readonly request?: LabFields;
  /** The layout as attributes. */
  readonly texts?: {
    /** As tt.metal_layout. */
    readonly metal: AttributeText;
    /** As ttnn.ttnn_layout. */
    readonly ttnn: AttributeText;
    /** As ttnn.ttnn_layout in its older spelling. */
    readonly ttnnLegacy: AttributeText;
  };
  /** Both kinds of layout cut the tensor at the same places. */
  readonly sameCuts?: boolean;
  /** With `detail`: layouts that the optimizer would consider. */
  readonly legal?: readonly LegalLayout[];
  /** Absent while there are problems. */
  readonly drawn?: LabDrawn;
}

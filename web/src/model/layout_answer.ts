// What the layout lab asks the engine and what it gets: docs/layout-lab.md.

export interface LabFields {
  readonly view: 'metal' | 'ttnn';
  readonly device: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly grid: readonly number[];
  readonly collapse: readonly (readonly [number, number])[];
  readonly strides: readonly number[]; // empty: dense
  readonly map: string; // takes the place of collapse and strides
  readonly tiled: boolean;
  readonly tile: readonly [number, number];
  readonly oob: string;
  readonly buffer: string;
  readonly memory: string;
  readonly deviceDims: number;
}

export interface LabWindow {
  readonly extent: readonly [number, number];
  readonly origin: readonly [number, number];
  readonly size: readonly [number, number];
  readonly outer: readonly number[];
  readonly cells: readonly number[]; // runs of count, element, position, bits
}

export interface Problem {
  readonly field: string;
  readonly rule: string;
  readonly text: string;
}

export interface Place {
  readonly index: readonly number[];
  readonly element: number;
  readonly physical: readonly number[];
  readonly gridIndex: readonly number[];
  readonly position: number;
  readonly device: number;
  readonly core: readonly [number, number]; // x, y
  readonly local: readonly number[];
  readonly offset: number;
  readonly bit: number;
}

export interface Found {
  readonly index?: readonly number[];
  readonly padding?: boolean;
  readonly rule?: string;
  readonly why?: string;
}

export interface Drawn {
  readonly map: string;
  readonly gridMap?: string;
  readonly units: readonly number[];
  readonly grid: readonly number[];
  readonly scalarShard?: readonly number[];
  readonly physical: readonly number[];
  readonly stored: readonly number[];
  readonly positions: number;
  readonly unitBytes: number;
  readonly valueBits: number;
  readonly bytes: {
    readonly perCore: number;
    readonly total: number;
    readonly data: number;
    readonly wasted: number;
    readonly usableL1: number;
  };
  readonly places: {
    readonly elements: number;
    readonly stored: number;
    readonly strideGap: number;
    readonly beyondTensor: number;
    readonly tileRounding: number;
  };
  readonly cursor: Place;
  readonly windows: {
    readonly logical: LabWindow;
    readonly physical: LabWindow;
    readonly stored: LabWindow;
    readonly position: number;
  };
  readonly found?: Found;
  readonly cores?: readonly number[]; // device, x, y, elements; four for every position
}

export interface LegalLayout {
  readonly title: string;
  readonly buffer: string;
  readonly memory: string;
  readonly grid: readonly [number, number];
  readonly shard: readonly [number, number];
  readonly bytesPerCore: number;
}

export interface AttributeText {
  readonly text?: string;
  readonly rule?: string;
  readonly why?: string;
}
export type TextKind = 'metal' | 'ttnn' | 'ttnnLegacy';

export interface LabAnswer {
  readonly schema: number;
  readonly problems: readonly Problem[];
  readonly request?: LabFields;
  readonly texts?: Readonly<Record<TextKind, AttributeText>>;
  readonly sameCuts?: boolean;
  readonly legal?: readonly LegalLayout[];
  readonly drawn?: Drawn;
}

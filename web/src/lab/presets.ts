// The examples of tt-mlir docs/src/specs/tensor-layout.md, and one of legal layouts (docs/rules/d2m-chains.md#solving).

import { kDefaultFields } from './model';
import { type LabFields } from '../model/generated/layout';

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly lesson: string; // what to look at
  readonly fields: LabFields;
  readonly cursor: readonly number[];
}

const kBase = kDefaultFields;

export const kPresets: readonly Preset[] = [
  {
    id: 'walkthrough',
    title: 'Walkthrough: 2×3×64×128 on one core',
    cursor: [1, 1, 6, 100],
    fields: { ...kBase, grid: [1, 1] },
    lesson: 'Element [1, 1, 6, 100] is row 1·192 + 1·64 + 6 = 262, column 100 of the collapsed tensor.',
  },
  {
    id: 'multicore',
    title: 'Multi-core: 2×3×64×128 on 2×4',
    cursor: [1, 1, 6, 100],
    fields: kBase,
    lesson: 'The grid divides the collapsed 384×128: every core stores 192×32.',
  },
  {
    id: 'padding',
    title: 'Padding: 53×63 on 3×2',
    cursor: [52, 62],
    fields: { ...kBase, shape: [53, 63], grid: [3, 2] },
    lesson:
      'The grid does not divide 53×63 evenly: the last row of cores has one row of padding, the last ' +
      'column of cores one column.',
  },
  {
    id: 'padding-tiled',
    title: 'Padding: 53×63 on 3×2 in tiles',
    cursor: [17, 31],
    fields: { ...kBase, shape: [53, 63], grid: [3, 2], dtype: 'bfp_bf8', tiled: true },
    lesson:
      'Grid first, then tile: each 18×32 shard is rounded up to one 32×32 tile, so 14 rows of every core ' +
      'are padding (15 on the last).',
  },
  {
    id: 'tilized',
    title: 'Tilized: 3×64×128 on 3×2',
    cursor: [1, 20, 70],
    fields: { ...kBase, shape: [3, 64, 128], grid: [3, 2], dtype: 'bfp_bf8', tiled: true },
    lesson:
      'The shard 64×64 becomes 2×2 tiles. In a tile four 16×16 faces follow one another; look at the byte offsets.',
  },
  {
    id: 'batch',
    title: 'Padded batch: stride 32 for 2×8×32',
    cursor: [1, 0, 0],
    fields: { ...kBase, shape: [2, 8, 32], grid: [1, 2], strides: [32, 1, 1], tiled: true },
    lesson: 'Stride 32 instead of 8 leaves a gap of 24 rows, so that every batch starts on a tile of its own.',
  },
  {
    id: 'rank7',
    title: 'Rank 7 on 3×2×2×2',
    cursor: [2, 1, 0, 1, 3, 4, 20],
    fields: {
      ...kBase,
      shape: [5, 3, 2, 2, 7, 32, 32],
      grid: [3, 2, 2, 2],
      map: '(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6)',
    },
    lesson:
      'A grid of rank 4 divides four physical dims. d4 and d5 stand in two results each, so most of the ' +
      'space is gaps: look at the wasted bytes.',
  },
  {
    id: 'devices',
    title: 'Multi-device: 2×3×64×128 on 2×2×4',
    cursor: [1, 1, 6, 100],
    fields: { ...kBase, grid: [2, 2, 4], collapse: [[1, -1]], dtype: 'bfp_bf8', tiled: true, deviceDims: 1 },
    lesson:
      'The batch is not collapsed: the outermost grid dim gives each of two devices one batch, on 2×4 cores each.',
  },
  {
    id: 'width',
    title: 'Width sharding: 1×64 on 8×8',
    cursor: [5, 1000],
    fields: { ...kBase, shape: [32, 2048], dtype: 'bf16', tiled: true, grid: [1, 64] },
    lesson: 'The virtual grid 1×64 is longer than the device is wide: it is laid row by row onto the 8×8 cores.',
  },
  {
    id: 'legal',
    title: 'Legal layouts: 64×256 bf16 on 8×8',
    cursor: [40, 100],
    fields: { ...kBase, view: 'ttnn', shape: [64, 256], dtype: 'bf16', tiled: true, grid: [2, 8] },
    lesson:
      'The optimizer may choose among two interleaved and 17 sharded layouts: 10 block, 2 height, 5 width. ' +
      'Take one from the list.',
  },
];

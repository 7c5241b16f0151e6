import { expect, test } from 'vitest';

import { refusals, workingLayouts, type Trial } from '../../src/model/trials';

const done = new Map<string, Trial>([
  ['L1 height 8x1', { kind: 'works', time: 30 }],
  ['L1 block 8x8', { kind: 'refused', reason: 'it does not fit into memory' }],
  ['DRAM', { kind: 'works', time: 20 }],
  ['L1 width 1x8', { kind: 'ignored' }],
]);

test('only layouts that were carried out are offered, the fastest first', () => {
  expect(workingLayouts(done)).toEqual([
    { layout: 'DRAM', time: 20 },
    { layout: 'L1 height 8x1', time: 30 },
  ]);
});

test('the others say why not', () => {
  expect(refusals(done)).toEqual([
    'L1 block 8x8: it does not fit into memory',
    'L1 width 1x8: the policy puts the result elsewhere',
  ]);
});

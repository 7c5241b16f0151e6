import { describe, expect, test } from 'vitest';

import type { Placement, Run } from '../../src/model/report';
import { decodeFragment, encodeState } from '../../src/model/url';
import { buildMap } from '../../src/view/map_geometry';
import { bufferTip } from '../../src/view/map_tip';
import { placementText } from '../../src/view/placement_text';
import { report } from './fixtures';

const placement = (firstFit: number, planned: number, bound: number, addresses: readonly number[] = []): Placement => ({
  firstFit,
  planned,
  bound,
  fragmentation: firstFit - planned,
  proven: planned === bound,
  method: 'search',
  addresses,
});

describe('planned addresses', () => {
  test('are said to gain what they gain, and no more than is proven', () => {
    expect(placementText(placement(4096, 4096, 4096))).toContain('no fragmentation');
    const gained = placementText(placement(4096, 3072, 3072));
    expect(gained).toContain('1 KB less (25 %)');
    expect(gained).toContain('No plan can need less');
    expect(placementText(placement(4096, 3072, 2048))).toContain('At least 2 KB are alive at once');
    expect(placementText(placement(4096, 4096, 2048))).toContain('No better addresses were found');
  });

  test('take the place of the runtime’s in the map when asked for, where there are some', () => {
    const { run, device } = report({ blocks: 4 });
    const own = buildMap(run!, device!);
    expect(own.boxes.length).toBeGreaterThan(3);
    const at = run!.buffers.findIndex(
      (buffer) => buffer.space === 'l1' && buffer.bytes > 0 && buffer.aliasOf < 0 && buffer.value >= 0,
    );
    const addresses = run!.buffers.map((_, index) => (index === at ? run!.buffers[at]!.address - 64 : -1));
    const planned: Run = { ...run!, placement: placement(4096, 3072, 3072, addresses) };
    expect(buildMap(planned, device!, true, false).boxes.map(({ address }) => address)).toEqual(
      own.boxes.map(({ address }) => address),
    );
    const moved = buildMap(planned, device!, true, true).boxes.filter(({ runtimeAddress }) => runtimeAddress !== null);
    expect(moved).toHaveLength(1);
    expect(moved[0]).toMatchObject({
      address: run!.buffers[at]!.address - 64,
      runtimeAddress: run!.buffers[at]!.address,
    });
    expect(bufferTip(planned, moved[0]!)).toContain('planned ahead');
  });

  test('are in the link', async () => {
    const decoded = await decodeFragment(
      await encodeState({
        source: { kind: 'none' },
        options: {},
        selected: null,
        compareRuns: null,
        plan: null,
        policyCode: null,
        view: { planned: true },
      }),
    );
    expect(decoded.kind === 'state' && decoded.state.view).toEqual({ planned: true });
  });
});

import { describe, expect, test } from 'vitest';

import { joinTree } from '../../src/app/log_reader';
import { followedOps, locationOps } from '../../src/passes/locations';

describe('locations of a printed graph', () => {
  const text = `module {
  %0 = "ttir.relu"(%a) : (t) -> t loc(#loc1)
  %1:2 = ttir.split %0 : t loc("here")
  %2 = "ttir.add"(%0, %1) : (t, t) -> t loc(#loc3)
  %3 = "ttir.mul"(%0, %1) : (t, t) -> t
}
#loc = loc(unknown)
#loc1 = loc("conv1"("file.py":1:2))
#loc2 = loc("bn"(#loc1))
#loc3 = loc(fused[#loc2, "relu"])
`;
  test('follow aliases, and leave files out', () => {
    const ops = locationOps(text);
    expect(ops.get('conv1')).toEqual(['ttir.relu', 'ttir.add']);
    expect(ops.get('here')).toEqual(['ttir.split']);
    expect(ops.get('relu')).toEqual(['ttir.add']);
    expect(ops.has('file.py')).toBe(false);
    expect(locationOps('').size).toBe(0);
  });
  test('are told where they change', () => {
    const steps = [['a'], ['a'], ['a', 'b'], []].map((ops, pass) => ({ pass, ops }));
    expect(followedOps(steps).map(({ pass }) => pass)).toEqual([0, 2, 3]);
  });
});

describe('a folder of --mlir-print-ir-tree-dir', () => {
  test('is one log, in the order in which the passes ran', async () => {
    const at = (path: string) => ({ path, file: new File([path.split('/').at(-1)!], 'x') });
    const log = await joinTree([
      at('/d/builtin_module_m/10_z.mlir'),
      at('/d/builtin_module_m/2_b.mlir'),
      at('/d/builtin_module_m/func_func_main/2_0_canonicalize.mlir'),
      at('/d/readme.txt'),
    ]);
    const text = await log!.text();
    const passes = [...text.matchAll(/After (\S+) /g)].map((match) => match[1]);
    expect(passes).toEqual(['canonicalize', 'b', 'z']);
    expect(text).toContain("('func.func' operation: @main)");
    expect(await joinTree([at('/d/readme.txt')])).toBeNull();
  });
});

// Dumps of JAX and torch-xla as they come: from the drop to the drawn frame, and the line of Python that costs most.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { check } from './harness.mjs';
import { drawnAfterDrop, drop, settled, until, waitForRows } from './page.mjs';

// `python`: the dump has locations of files, as as_text(debug_info=True) prints them.
const kDumps = [
  { file: 'jax_mlp_sgd_train_step.mlir', python: true },
  { file: 'jax_moe_simple.mlir', python: true },
  { file: 'jax_transformer_searchless_chess_9m.mlir' },
  { file: 'jax_resnet50_flax_hf.mlir' },
];
const kFileLine = /\w\.py:\d+\)?$/;

// The compiler has no pattern for it.
const kMap = `func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.negate %a : tensor<f32>
    %2 = stablehlo.abs %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
`;

export function stablehloTests(harness, { shared, fakeEngine }) {
  if (!fakeEngine) {
    harness.test('what is said of a text shows while its pane is closed', {}, async (page) => {
      await waitForRows(page);
      await drop(page, 'map.mlir', kMap);
      await settled(page);
      await page.locator('tessera-rail[pane=source]').getByText('1 warning').waitFor();
      await page.getByRole('button', { name: 'Show the source pane' }).click();
      await page.locator('tessera-source').getByText('left `stablehlo.map` as it was').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: /^Source.*1 warning/ }).waitFor();
    });
  }
  for (const { file, python } of kDumps) {
    const path = join(shared, 'stablehlo', file);
    if (fakeEngine || !existsSync(path)) {
      harness.skip(`${file} is dropped and drawn`, 'no graph, or no engine');
      continue;
    }
    harness.test(`${file} is dropped and drawn`, {}, async (page) => {
      await waitForRows(page);
      const times = await dropAndDraw(page, file, readFileSync(path));
      console.log(
        `        from drop to drawn frame ${Math.round(times.drawn)} ms ` +
          `(engine ${Math.round(times.engine)} ms, report after ${Math.round(times.report)} ms)`,
      );
      const { rows, defects, costliest } = await page.evaluate(readRun);
      check(rows > 10 && defects === 0, 'the schedule, without defects');
      if (python !== true) return;
      check(kFileLine.test(costliest), `the op that costs most names its line: ${costliest}`);
      const line = /\w+\.py:\d+/.exec(costliest)[0];
      await page.locator('tessera-why section', { hasText: 'Where the time goes' }).getByText(line).first().waitFor();
    });
  }
}

// Runs in the page, where the report is.
function readRun() {
  const { rows, defects } = document.querySelector('tessera-app').state.report.run;
  const costliest = rows.reduce((best, row) => (row.time.total > best.time.total ? row : best)).label;
  return { rows: rows.length, defects: defects.length, costliest };
}

// Milliseconds between the marks that the page leaves.
async function dropAndDraw(page, file, content) {
  await until(page, () => page.evaluate(() => document.querySelector('tessera-app').client.spareReady), 'a spare');
  await page.evaluate(() => performance.clearMarks());
  await drop(page, file, content);
  const times = await drawnAfterDrop(page);
  await settled(page);
  return times;
}

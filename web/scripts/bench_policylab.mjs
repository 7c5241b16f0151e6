// Prints how long a policy in the sandbox takes from key press to picture, on a graph of 1,000 ops in headless
// Chromium: deciding alone, and all of it. Nothing is asserted: figures depend on the machine. Needs the built page.
// node scripts/bench_policylab.mjs [GRAPH]

import { readFileSync } from 'node:fs';

import { launch } from '../test/browser/chromium.mjs';
import { another, drop, state, until, waitForRows } from '../test/browser/page.mjs';
import { startServer } from '../test/browser/server.mjs';

const kRuns = 7;

// Blocks of a matmul, an activation, a residual addition and a softmax.
function thousandOps() {
  const type = 'tensor<512x512xbf16>';
  const lines = [`func.func @main(%x: ${type}, %w: ${type}) -> ${type} {`];
  let last = '%x';
  for (let block = 0; block < 250; block++) {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => `%${letter}${block}`);
    lines.push(
      `  ${a} = "ttir.matmul"(${last}, %w) : (${type}, ${type}) -> ${type}`,
      `  ${b} = "ttir.gelu"(${a}) : (${type}) -> ${type}`,
      `  ${c} = "ttir.add"(${b}, ${last}) : (${type}, ${type}) -> ${type}`,
      `  ${d} = "ttir.softmax"(${c}) <{dimension = 1 : si32}> : (${type}) -> ${type}`,
    );
    last = d;
  }
  return [...lines, `  return ${last} : ${type}`, '}', ''].join('\n');
}

const graph = process.argv[2] === undefined ? thousandOps() : readFileSync(process.argv[2]);
const browser = await launch();
const server = await startServer({ fakeEngine: false });
const page = await browser.newPage();
await page.goto(server.url);
await waitForRows(page);
await another(page, () => drop(page, 'graph.mlir', graph));
await page.getByRole('button', { name: 'Policy lab' }).click();
const editor = page.locator('tessera-policylab .cm-content');
await editor.waitFor();
await page.waitForTimeout(3000); // the problem is asked for when the view opens
for (let run = 0; run < kRuns; run++) {
  await page.evaluate(() => performance.clearMarks());
  await editor.press('Control+Enter');
  await until(page, () => page.evaluate(() => performance.getEntriesByName('tessera-drawn').length > 0), 'a picture');
  const [asked, drawn] = await page.evaluate(() =>
    ['tessera-policy-asked', 'tessera-drawn'].map((name) => performance.getEntriesByName(name).at(-1).startTime),
  );
  const ops = (await state(page, 'report.run.rows')).length;
  const decided = await state(page, 'policyLab.answer.ms');
  console.log(`${ops} steps: decided in ${decided.toFixed(0)} ms, drawn after ${(drawn - asked).toFixed(0)} ms`);
}
await browser.close();
await server.close();

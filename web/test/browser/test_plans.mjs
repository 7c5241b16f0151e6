// Plans from outside: the compiler's own, one of a file, in links.
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  choosePolicy,
  drop,
  open,
  openSample,
  settled,
  known,
  state,
  until,
  waitForRows,
} from './page.mjs';

const kD = 'tensor<1024x1024xbf16, #d>';
const kS = 'tensor<1024x1024xbf16, #s>';
// The compiler's output in small: a detour through DRAM that the optimum does not make.
export const kCompiled = `#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%a: ${kD}) -> ${kD} {
  %0 = "ttnn.relu"(%a) : (${kD}) -> ${kD} loc(#loc1)
  %1 = "ttnn.to_memory_config"(%0) : (${kD}) -> ${kS}
  %2 = "ttnn.gelu"(%1) : (${kS}) -> ${kS} loc(#loc2)
  %3 = "ttnn.to_memory_config"(%2) : (${kS}) -> ${kD}
  %4 = "ttnn.sigmoid"(%3) : (${kD}) -> ${kD} loc(#loc3)
  return %4 : ${kD}
}
#loc1 = loc("first")
#loc2 = loc("second")
#loc3 = loc("third")
`;

export const openCompiled = (page) => another(page, () => drop(page, 'final.mlir', kCompiled));

export function planTests(harness) {
  harness.test('a dropped TTNN dump is taken as compiled, and re-optimized on demand', {}, async (page) => {
    await openCompiled(page);
    equal(await state(page, 'report.policy.id'), 'AsWritten', 'the policy that ran');
    const shown = await page.locator('tessera-policy-menu button').first().innerText();
    check(shown.includes('As written'), `the toolbar says ${shown}`);
    const written = await state(page, 'report.run.totals.time');
    await another(page, () => page.getByRole('button', { name: 'Re-optimize' }).click());
    equal(await state(page, 'report.policy.id'), 'Greedy', 'the policy after it');
    check((await state(page, 'report.run.totals.time')) < written, 're-optimizing gains time');
    await another(page, () => page.getByRole('button', { name: 'As written' }).click());
    equal(await state(page, 'report.run.totals.time'), written, 'as before');
    equal(JSON.stringify(await state(page, 'options')), '{}', 'options');
  });

  harness.test('an explicit policy on a TTNN dump is kept, in the link too', {}, async (page) => {
    await openCompiled(page);
    await another(page, () => choosePolicy(page, 'Greedy'));
    equal(await state(page, 'report.policy.id'), 'Greedy', 'ran');
    await addressWritten(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await waitForRows(other);
    await settled(other);
    equal(await state(other, 'report.policy.id'), 'Greedy', 'ran from the link');
  });

  harness.test('the view As compiled says what loses most, and copies its override', {}, async (page) => {
    await openCompiled(page);
    await page.getByRole('button', { name: 'How far from the optimum?' }).click();
    const row = page.locator('tessera-compiled table.lost tbody tr').first();
    await row.waitFor();
    equal(await page.locator('tessera-compiled table.runs tbody tr').count(), 3, 'runs');
    const copy = page.locator('tessera-compiled button.copy').first();
    await copy.click();
    await until(page, async () => (await copy.innerText()) === 'Copied', 'copied');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    check(/override-output-layout=(first|second|third)=\d+x\d+:l1:/.test(text), text);
  });

  harness.test('a plan travels: exported, dropped, in a link', {}, async (page) => {
    const made = await page.evaluate(async () => {
      const { client, state: now } = document.querySelector('tessera-app');
      return (await client.exportFile(now.source.text, { policy: 'DRAM' }, 'plan')).value.content;
    });
    await drop(page, 'plan.json', made.replace('"DRAM"', '"by hand"'));
    await until(page, async () => (await state(page, 'report.policy.title')) === 'by hand', 'the plan is carried out');
    equal(await state(page, 'report.run.totals.l1Results'), 0, 'all in DRAM');
    await page.locator('tessera-plan-bar', { hasText: 'by hand' }).waitFor();
    await addressWritten(page);
    const other = await page.context().newPage();
    await open(other, page.url());
    await until(other, async () => (await state(other, 'report.policy.title')) === 'by hand', 'the plan of the link');
    await page.getByRole('button', { name: 'Back to the policy' }).click();
    await until(page, async () => (await state(page, 'report.policy.id')) === 'Greedy', 'the policy again');
  });

  harness.test('what is illegal in a plan is said, and the rest runs', {}, async (page) => {
    const plan = { schema: 1, policy: 'odd', values: { '%nowhere': 0 }, layouts: [{ buffer: 'l1' }] };
    await drop(page, 'plan.json', JSON.stringify(plan));
    await until(page, async () => (await state(page, 'report.policy.title')) === 'odd', 'the plan');
    await page.locator('tessera-plan-bar', { hasText: '1 illegal' }).waitFor();
    await waitForRows(page);
  });

  harness.test('a layout is changed by hand, undone and redone, and travels in the link', {}, async (page) => {
    await openSample(page, 'mlp');
    const first = await state(page, 'report.run.totals.time');
    await page.getByRole('button', { name: 'By hand', exact: true }).click();
    const lab = page.locator('tessera-handedit');
    await lab.locator('.pick', { hasText: 'relu1' }).last().click();
    await lab
      .locator('tbody tr', { hasText: /^\s*DRAM/ })
      .first()
      .locator('button.take')
      .click();
    await until(page, async () => (await state(page, 'report.policy.title')) === 'by hand', 'the plan by hand');
    await settled(page);
    const changed = await state(page, 'report.run.totals.time');
    check(changed !== first, 'the change has an effect');
    await lab.locator('.good', { hasText: 'legal' }).waitFor();
    await addressWritten(page);
    const other = await page.context().newPage();
    await open(other, page.url());
    await until(other, async () => (await state(other, 'report.policy.title')) === 'by hand', 'the plan of the link');
    equal(await state(other, 'report.run.totals.time'), changed, 'time from the link');
    await lab.getByRole('button', { name: 'Undo' }).click();
    await until(page, async () => (await state(page, 'report.run.totals.time')) === first, 'undone');
    await lab.getByRole('button', { name: 'Redo' }).click();
    await until(page, async () => (await state(page, 'report.run.totals.time')) === changed, 'redone');
    const file = await page.evaluate(async () => {
      const { client, state: now } = document.querySelector('tessera-app');
      return (await client.exportFile(now.source.text, { plan: now.plan.plan }, 'plan')).value.content;
    });
    equal(JSON.parse(file).policy, 'by hand', 'exported');
  });

  harness.test('copies and moves are changed by hand; what breaks a rule is said', {}, async (page) => {
    await openSample(page, 'mlp');
    await page.getByRole('button', { name: 'By hand', exact: true }).click();
    const lab = page.locator('tessera-handedit');
    await lab.locator('.pick', { hasText: 'relu2' }).last().click();
    const moves = async () => (await state(page, 'report.run.rows')).filter(({ kind }) => kind !== 'op').length;
    const before = await moves();
    const copy = lab.locator('select[aria-label^="Copy of"]').first();
    await copy.selectOption({ label: 'L1 interleaved' });
    await until(page, async () => (await moves()) === before + 1, 'a copy more');
    await settled(page);
    await lab.locator('select[aria-label^="Move"]').first().selectOption({ label: 'DRAM' });
    await lab.locator('.moves li').first().waitFor();
    await settled(page);
    await lab.locator('.moves button').first().click();
    await until(page, async () => (await lab.locator('.moves li').count()) === 0, 'no move any more');
    await settled(page);
    check(await known(page, 'report.run'), 'a run');
  });
}

// The policy lab: a policy is written, run and drawn; whatever it does, it is stopped with a message and the page
// works.
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  drop,
  longGraph,
  open,
  openSample,
  settled,
  known,
  state,
  until,
  waitForRows,
} from './page.mjs';

const openLab = async (page) => {
  await page.getByRole('button', { name: 'Policy lab' }).click();
  await page.locator('tessera-policylab .cm-content').waitFor();
};

const write = async (page, code) => {
  await page.locator('tessera-policylab .cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(code);
};

const run = async (page) => {
  await page.locator('tessera-policylab .cm-content').press('Control+Enter');
  await until(page, async () => (await state(page, 'policyLab.busy')) === false, 'an answer of the policy');
};

// A plan that leaves everything in DRAM, with more in it.
const plain = (more) =>
  'function decide(problem) {\n' +
  "  const plan = { schema: 1, policy: 'mine', graph: problem.graph, layouts: problem.layouts, values: {} };\n" +
  `  ${more}\n  return plan;\n}\n`;

export function policyLabTests(harness, { url }) {
  harness.test('policy lab: the policy it begins with runs and is drawn like any other', {}, async (page) => {
    await openLab(page);
    await run(page);
    await until(page, async () => (await state(page, 'report.policy.title')) === 'mine', 'the plan is carried out');
    check((await state(page, 'report.run.totals.l1Results')) > 10, 'results in L1');
    check((await page.locator('tessera-policylab .log').innerText()).includes('ops'), 'console.log is shown');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await waitForRows(page);
    equal(await state(page, 'report.ok'), true, 'legal');
  });

  const bad = [
    ['loops for ever', 'function decide(problem) {\n  let n = 0;\n  for (;;)\n    n++;\n}\n', /more than 5 s/, 0],
    [
      'allocates without end',
      'function decide(problem) {\n  const all = [];\n  for (;;) all.push(new Uint8Array(1 << 20));\n}\n',
      /MB of memory|more than 5 s/, // a busy machine takes its time
      3,
    ],
    ['throws', "function decide(problem) {\n  throw new Error('not today');\n}\n", /not today/, 2],
    ['returns NaN', 'function decide(problem) {\n  return NaN;\n}\n', /returned NaN, not a plan/, 0],
    ['plans with NaN', plain("plan.spills = [{ value: '%0', before: NaN, to: 0 }];"), /NaN as before/, 0],
    ['tries fetch', "function decide(problem) {\n  return fetch('https://a.example/');\n}\n", /fetch/, 2],
    ['reaches for the page', 'function decide(problem) {\n  return document.body;\n}\n', /document/, 2],
    ['cannot be parsed', 'function decide(problem) {\n  const = 1;\n}\n', /SyntaxError/, 2],
    ['has no decide', 'const x = 1;\n', /no function decide/, 0],
    ['recurses without end', 'function decide(problem) {\n  return decide(problem);\n}\n', /stack|recursion/i, 0],
  ];
  for (const [name, code, message, line] of bad) {
    harness.test(`policy lab: a policy that ${name} is stopped with a message`, {}, async (page) => {
      await openLab(page);
      const before = await state(page, 'report.run.totals.time');
      await write(page, code);
      await run(page);
      const error = await state(page, 'policyLab.answer.error');
      check(message.test(error.message), `said: ${error.message}`);
      const inTime = !/more than 5 s/.test(error.message); // a policy that is stopped from outside has no line
      if (line > 0 && inTime) equal(error.line, line, 'its line');
      await page.locator('tessera-policylab .error').waitFor();
      equal(await state(page, 'report.run.totals.time'), before, 'the run before it stays');
      await write(page, plain(''));
      await run(page);
      await until(page, async () => (await state(page, 'report.policy.title')) === 'mine', 'the page is usable');
    });
  }

  harness.test("policy lab: another graph's plan is refused with words", {}, async (page) => {
    await openLab(page);
    await write(page, plain("plan.graph = '0123456789abcdef'; plan.values['%not_here'] = 0;"));
    await run(page);
    await page.locator('tessera-policylab .problems li').first().waitFor();
    await until(page, () => known(page, 'report.run'), 'the rest is carried out');
  });

  harness.test('policy lab: a table over all samples with geometric means', { fresh: true, slow: 1 }, async (page) => {
    await open(page, url);
    await waitForRows(page);
    await settled(page);
    await another(page, () => drop(page, 'own.mlir', longGraph(12)));
    await openSample(page, 'mlp');
    await openLab(page);
    await page.getByRole('button', { name: 'Run on all samples' }).click();
    await until(page, async () => (await state(page, 'policyLab.table.busy')) === false, 'the table', 240_000);
    const table = await state(page, 'policyLab.table');
    equal(table.rows.length, (await state(page, 'samples')).length + 1, 'rows: samples and what was dropped');
    equal(table.rows[0].title, 'own.mlir', 'the dropped graph');
    const exact = table.columns.indexOf('Exact');
    for (const row of table.rows) {
      check(row.cells[0].time > 0, `${row.title}: ${row.cells[0].problem}`);
      if (row.proven) equal(row.cells[exact].time, row.bound, `Exact on ${row.title}`);
    }
    await page.locator('tessera-policylab tfoot').waitFor();
  });

  harness.test('policy lab: code and plan travel in the link', {}, async (page) => {
    await openSample(page, 'mlp');
    await openLab(page);
    await write(page, plain('console.log(42);'));
    await run(page);
    await until(page, async () => (await state(page, 'report.policy.title')) === 'mine', 'the plan');
    await settled(page);
    await addressWritten(page);
    const other = await page.context().newPage();
    await open(other, page.url());
    await until(other, async () => (await state(other, 'report.policy.title')) === 'mine', 'the plan of the link');
    equal(await state(other, 'report.run.totals.time'), await state(page, 'report.run.totals.time'), 'time');
    check((await state(other, 'policyLab.code')).includes('console.log(42)'), 'the code');
    await other.locator('tessera-policylab .cm-content', { hasText: 'console.log(42)' }).waitFor();
  });
}

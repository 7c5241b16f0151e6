// Profiles of the device: dropped beside a graph and alone; factors are switched on, seen, and travel in the link.
import { check, equal } from './harness.mjs';
import { addressWritten, another, drop, open, openSample, settled, state, until } from './page.mjs';

const kHead =
  'OP CODE,DEVICE ID,ATTRIBUTES,CORE COUNT,DEVICE KERNEL DURATION [ns],OUTPUT_0_Y,OUTPUT_0_X,OUTPUT_0_MEMORY';
const kNames = { 'ttnn.matmul': 'Matmul', 'ttnn.linear': 'Matmul', 'ttnn.softmax': 'SoftmaxDeviceOperation' };

// A profile of the run that the page shows, of its matmuls and element-wise ops, each `factor` times as long as
// predicted.
export async function profileOf(page, factor) {
  const { rows, values } = await state(page, 'report.run');
  const lines = rows.flatMap((row) => {
    const value = values[row.results[0]];
    const unary = row.family === 'EltwiseUnary';
    const name = unary ? 'UnaryDeviceOperation' : kNames[row.op];
    if (name === undefined || row.time.total === 0) return [];
    const [cols, ...dims] = value.shape.split('x').reverse();
    const attributes = unary ? `UnaryOpType::${row.op.slice(5).toUpperCase()}` : '';
    const { buffer, memory } = value.layout;
    const place = `DEV_0_${buffer}_${memory}`.toUpperCase();
    const height = dims.reduce((product, dim) => product * Number(dim), 1);
    if (dims.some((dim) => Number(dim) !== height && Number(dim) !== 1)) return [];
    return [`${name},0,${attributes},64,${Math.round(row.time.total * factor)},${height},${cols},${place}`];
  });
  return [kHead, ...lines, 'TopKDeviceOperation,0,,1,77,3,3,DEV_0_DRAM_INTERLEAVED', 'start,,,,,,,', ''].join('\n');
}

const answered = (page) =>
  until(page, async () => (await state(page, 'answers.profile.busy')) === false, 'an answer about the profile');

export function measuredTests(harness) {
  harness.test('a profile and a log are opened without a drop, where their views are empty', {}, async (page) => {
    await openSample(page, 'mlp');
    const csv = await profileOf(page, 3);
    const choose = async (main, button, name, text) => {
      await page.locator('nav.views').getByRole('button', { name: main }).click();
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: button }).click(),
      ]);
      await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    };
    await choose('Measured', 'Open a profile', 'ops_perf_results_x.csv', csv);
    await page.locator('tessera-measured table.matches').waitFor();
    const log = '// -----// IR Dump After TTNNLayout (ttnn-layout) //----- //\nmodule {\n}\n';
    await choose('Log', 'Open a log', 'passes.log', log);
    await page.locator('tessera-pass-log button.pass').waitFor();
  });

  harness.test('a profile beside a graph: matched rows, errors, factors that are never silent', {}, async (page) => {
    await openSample(page, 'mlp');
    const csv = await profileOf(page, 3);
    await drop(page, 'ops_perf_results_x.csv', csv);
    const view = page.locator('tessera-measured');
    await view.locator('table.matches').waitFor();
    await answered(page);
    const { comparison } = await state(page, 'answers.profile.value');
    equal(comparison.matches.length, csv.split('\n').length - 4, 'rows with a program');
    for (const { measured, predicted, row } of comparison.matches) {
      equal(predicted, await state(page, `report.run.rows.${row}.time.total`), 'predicted as the schedule has it');
      check(Math.abs(measured / predicted - 3) < 0.02, `row ${row}: ${measured} of ${predicted}`);
    }
    equal(comparison.unmatchedPrograms.length, 1, 'programs in no row');
    await view.locator('details.unmatched-programs', { hasText: '1 program' }).waitFor();
    equal(await view.locator('.errors rect').count(), comparison.errors.length, 'bars');
    equal(await view.locator('.errors tbody tr').count(), comparison.errors.length, 'and a table of them');
    equal(await page.locator('p.calibration').count(), 0, 'nothing is calibrated unasked');
    const before = await state(page, 'report.run.totals.time');
    await another(page, () => view.getByRole('button', { name: 'Calibrate with this profile' }).click());
    check((await state(page, 'report.run.totals.time')) > before, 'times are longer');
    const said = page.locator('p.calibration');
    check((await said.innerText()).includes('Matmul × 3'), await said.innerText());
    await answered(page);
    await until(
      page,
      async () => (await state(page, 'answers.profile.value.comparison.medianError')) < 0.05,
      'no error any more',
    );
    for (const name of ['Schedule', 'Compare', 'By hand']) {
      await page.getByRole('button', { name, exact: true }).click();
      check(await said.isVisible(), `said in ${name}`);
    }
    await addressWritten(page);
    const other = await page.context().newPage();
    await open(other, page.url());
    await settled(other);
    equal(await state(other, 'report.run.totals.time'), await state(page, 'report.run.totals.time'), 'in the link');
    await other.locator('p.calibration').waitFor();
    await another(page, () => said.getByRole('button').click());
    equal(await state(page, 'report.run.totals.time'), before, 'the model’s own times again');
    await page.evaluate(() => document.querySelector('tessera-app').dispatch({ type: 'profile', profile: null }));
  });

  harness.test('a profile alone is a schedule; what is none is said', {}, async (page) => {
    await page.evaluate(() =>
      document.querySelector('tessera-app').dispatch({ type: 'load', text: '', origin: { kind: 'empty' } }),
    );
    const row = (name, ns) => `${name},0,,64,${ns},64,96,DEV_0_L1_HEIGHT_SHARDED`;
    await drop(page, 'alone.csv', [kHead, row('Matmul', 3000), row('Odd', 1000), ''].join('\n'));
    const view = page.locator('tessera-measured');
    await view.locator('table.programs tbody tr').first().waitFor();
    equal(await view.locator('table.programs tbody tr').count(), 2, 'programs');
    const first = await view.locator('table.programs tbody tr').first().innerText();
    check(/matmul.*64×96.*l1 height sharded.*64.*75\.0 %/s.test(first), first);
    check((await view.locator('table.sums tbody tr').first().innerText()).includes('75 %'), 'sums by program');
    await drop(page, 'bad.csv', 'OP CODE,\n"unfinished');
    await until(page, async () => (await state(page, 'answers.profile.value.programs.length')) === 0, 'nothing in it');
    await view.getByRole('button', { name: 'Close' }).click();
    equal(await state(page, 'openedProfile'), null, 'closed');
  });
}

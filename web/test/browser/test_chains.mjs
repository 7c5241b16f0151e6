import { check, equal } from './harness.mjs';
import { another, colors, dispatch, openSample, openSteps, state } from './page.mjs';
import { seriousFindings } from './axe.mjs';

async function openChains(page, sample) {
  await openSample(page, sample);
  await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'DFSharding2' }));
}

export function chainTests(harness, { fakeEngine }) {
  if (fakeEngine) return; // it knows no chains
  harness.test(
    'chains are lanes with their state, and what they keep is told on the map',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openChains(page, 'd2m-dispatch');
      const { chains, reservations } = await state(page, 'report.run.chainSummary');
      equal(
        chains.map(({ state: ended }) => ended),
        ['Completed', 'Completed'],
        'two chains',
      );
      const told = await page.locator('tessera-schedule .lane .vh').allInnerTexts();
      check(
        told[chains[0].ops[0]] === 'chain A, Completed' && told[chains[1].ops[1]] === 'chain B, Completed',
        `rows name their chain: ${told.join(' | ')}`,
      );
      equal(
        reservations.map(({ source, bytes }) => [source.row, bytes]),
        [
          [chains[0].ops[0], 2048],
          [reservations[1].source.row, 8192],
        ],
        'the walkthrough’s two reservations',
      );
      await page.locator(`#row-${chains[0].ops[0]} .op`).click();
      await page.locator('tessera-why').getByText('2 KB of each core’s L1 are kept').waitFor();
      await page.locator('tessera-why').getByText('Chain A of 1 op: completed, its result stays where it is').waitFor();
      check((await colors(page, 'canvas.lanes')) >= 3, 'bands are drawn');
      equal(await seriousFindings(page), [], 'chains');
    },
  );

  // docs/rules/d2m-chains.md: which things happen, in this order, as titles of the stepper.
  harness.test(
    'the stepper tells the walkthrough’s story',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openChains(page, 'd2m-dispatch');
      await openSteps(page);
      const told = [];
      const next = page.getByRole('button', { name: 'Next step' });
      for (;;) {
        told.push(await page.locator('tessera-stepper .told').innerText());
        if (await next.isDisabled()) break;
        await next.click();
      }
      const story = [
        'Chain A starts',
        'fused kernel',
        'exp_neg_abs stays out',
        'Chain B starts',
        'Chain B grows',
        'exp_neg_abs stands between A and B',
        'Solving order',
        'Chain A is solved',
        'L1 block 2x8',
        'stays in L1',
        'Of 17 layouts of exp_neg_abs',
        'Chain B is solved',
        'No spill after chain A',
        'Chain B spills',
        'Fused kernel exp_neg_abs is configured',
      ];
      let at = 0;
      for (const text of story) {
        while (at < told.length && !told[at].includes(text)) at++;
        check(
          at < told.length,
          `“${text}” is told, in this order; the steps were: ${told.map((step) => step.split('\n')[0]).join(' / ')}`,
        );
      }
      check(
        told.at(-1).includes('L1 block 2x8') && told.at(-1).includes('L1 block 2x2'),
        'what the kernel reads and writes',
      );
    },
  );

  harness.test('a run is saved as trace events', { start: 'any' }, async (page) => {
    await openChains(page, 'residual-block');
    await dispatch(page, { type: 'select', row: -1 });
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-export=trace-events]').click(),
    ]);
    equal(file.suggestedFilename(), 'trace_events.json', 'name');
    const events = JSON.parse(await (await import('node:fs/promises')).readFile(await file.path(), 'utf8')).traceEvents;
    check(events.length > (await state(page, 'report.run.rows')).length, 'an event per step at least');
  });
}

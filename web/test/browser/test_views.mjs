import { check, equal } from './harness.mjs';
import { addressWritten, openSample, state, until } from './page.mjs';
import { seriousFindings, seriousInBothThemes } from './axe.mjs';

const view = (page, name) => page.locator('nav.views').getByRole('button', { name }).click();

export function viewTests(harness, { fakeEngine }) {
  harness.test(
    'policies are compared',
    { slow: true, start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'transformer-layer');
      await view(page, 'Compare');
      await until(page, async () => (await state(page, 'answers.comparison.value')) !== null, 'the comparison');
      const policies = (await state(page, 'catalog.policies')).length;
      equal(await page.locator('tessera-compare .runs tbody tr').count(), policies, 'one run per policy');
      const times = (await state(page, 'answers.comparison.value')).map((report) => report.run.totals.time);
      check(new Set(times).size > 1, 'all policies take the same time');
      check(
        (await page.locator('tessera-compare .runs tbody tr').first().locator('td.num').first().innerText()).includes(
          '★',
        ),
        'the fastest run is marked and stands first',
      );
      const shown = await page.locator('tessera-compare .runs tbody tr').evaluateAll((rows) =>
        rows.map((row) => ({
          policy: row.querySelector('select').value,
          distance: row.querySelector('td.distance').innerText.trim(),
        })),
      );
      const timeOf = new Map(
        (await state(page, 'answers.comparison.value')).map(({ policy, run }) => [policy.id, run.totals.time]),
      );
      const inOrder = shown.map(({ policy }) => timeOf.get(policy));
      equal(
        inOrder,
        inOrder.toSorted((a, b) => a - b),
        'sorted by time',
      );
      check(
        shown.every(({ distance }) => /^(optimal|\+[\d.]+ %)$/.test(distance)),
        `distances from the bound that Exact proved: ${JSON.stringify(shown)}`,
      );
      equal(await seriousInBothThemes(page), [], 'compare');

      await page.getByRole('button', { name: 'Add a run' }).click();
      await page.getByLabel(`Device of run ${String.fromCharCode(65 + policies)}`).selectOption('p150');
      await until(
        page,
        async () => ((await state(page, 'answers.comparison.value')) ?? []).at(-1)?.device?.id === 'p150',
        'the run on another device',
      );
      await until(page, () => page.evaluate(() => location.hash.length > 60), 'the runs in the address');

      const op = page.locator('tessera-compare .ops tbody .link').first();
      const label = await op.innerText();
      await op.click();
      await page.waitForSelector('tessera-schedule .row');
      const selected = await state(page, 'selected');
      const row = (await state(page, 'report.run.rows'))[selected];
      check(row.label === label || row.name === label, 'a click on an op shows it in the schedule');
    },
  );

  harness.test('the compared runs are in the link', {}, async (page) => {
    await view(page, 'Compare');
    await page.evaluate(() =>
      document
        .querySelector('tessera-app')
        .dispatch({ type: 'compare', runs: [{ policy: 'DRAM' }, { policy: 'DRAM', device: 'p150' }] }),
    );
    await until(page, async () => (await state(page, 'answers.comparison.value'))?.length === 2, 'two runs');
    await addressWritten(page);
    await page.reload();
    await until(page, async () => (await state(page, 'answers.comparison.value'))?.length === 2, 'the same two runs');
    equal(await state(page, 'view.main'), 'compare', 'the view');
  });

  if (fakeEngine) return; // it knows no trace
  harness.test('the chain generation is stepped through', { context: { reducedMotion: 'reduce' } }, async (page) => {
    await page.evaluate(() =>
      document.querySelector('tessera-app').dispatch({ type: 'option', id: 'policy', value: 'DRAM' }),
    );
    await view(page, 'Steps');
    await page.getByRole('button', { name: 'Use DFSharding2' }).click();
    await until(
      page,
      async () => ((await state(page, 'answers.steps.value.run.chainTrace.events'))?.length ?? 0) > 3,
      'the trace',
    );
    const events = await state(page, 'answers.steps.value.run.chainTrace.events');
    check((await state(page, 'report.run.chainTrace')) == null, 'the main report carries no trace');
    const count = page.locator('tessera-steps .count');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.keyboard.press('ArrowRight');
    check((await count.innerText()).startsWith('3 of '), 'the button and the key move on');
    await page.keyboard.press('ArrowLeft');
    check((await count.innerText()).startsWith('2 of '), 'the key moves back');
    await page.getByRole('button', { name: 'Next break' }).click();
    const broke = events.findIndex((event, at) => at > 1 && event.kind === 'ChainBroke');
    check((await count.innerText()).startsWith(`${broke + 1} of `), 'the jump finds the break');
    check(
      (await page.locator('tessera-steps .text').innerText()).includes(events[broke].rule),
      'the rule that ended the chain',
    );
    check((await page.locator('tessera-steps li').count()) < 100, 'only the visible ops are drawn');
    equal(await page.getByRole('button', { name: 'Play' }).count(), 0, 'nothing plays where motion is reduced');
    equal(await seriousFindings(page), [], 'steps');
  });

  harness.test('the graph is followed through the passes, and the passes are checked', {}, async (page) => {
    await view(page, 'Passes');
    await until(page, async () => ((await state(page, 'answers.passes.value.passes'))?.length ?? 0) > 3, 'the passes');
    const passes = await state(page, 'answers.passes.value.passes');
    const first = passes.find(({ changed, added, removed }) => changed + added + removed > 0);
    equal(
      await page.locator('tessera-passes button.pass[aria-current=true] b').innerText(),
      first.title,
      'the view opens at the first change',
    );
    await page.locator('tessera-passes button.follow').click();
    const rows = page.locator('tessera-passes .follow tbody tr');
    await page.getByLabel('Find an op of the source').fill('batch_norm');
    check((await rows.count()) > 0, 'the batch norms of the source are found');
    check((await rows.first().innerText()).includes('ttnn.'), 'and what they became');
    const at = passes.findIndex(({ changed, added, removed }) => changed + added + removed > 0);
    await page.locator('tessera-passes button.pass', { hasText: passes[at].title }).first().click();
    check(
      (await page.locator('tessera-passes .diff .gone, tessera-passes .diff .new').count()) > 0,
      'a pass with effect shows changed lines',
    );
    equal(
      await page.locator('tessera-passes button.pass.idle').count(),
      passes.filter(({ changed, added, removed }) => changed + added + removed === 0).length,
      'passes without effect are dimmed',
    );
    await page.getByRole('button', { name: 'Check the passes' }).click();
    await until(page, async () => (await state(page, 'answers.passChecks.value')) !== null, 'the checks');
    const checks = await state(page, 'answers.passChecks.value');
    check(checks.length > 3 && checks.every(({ verdict }) => verdict !== 'different'), 'no pass changes the results');
    equal(await page.locator('tessera-passes nav .mark').count(), checks.length, 'each checked pass says so');
    equal(await seriousFindings(page), [], 'passes');
  });
}

import { check, equal } from './harness.mjs';
import { choosePolicy, open, settled, state, until, waitForEditor, waitForRows } from './page.mjs';

export function recoveryTests(harness, { url, fakeEngine }) {
  harness.test('a crash of the engine is told, and the next change runs again', { fresh: true }, async (page) => {
    await open(page, url, { search: '?test=1' });
    await waitForRows(page);
    await waitForEditor(page);
    for (let crash = 0; crash < 2; crash++) {
      await settled(page);
      await page.evaluate(() => document.querySelector('tessera-app').client.crashNext('run'));
      await choosePolicy(page, 'DRAM');
      await page.locator('.notice.error', { hasText: 'unexpectedly' }).waitFor();
      check((await page.locator('tessera-schedule .row').count()) > 10, 'the earlier schedule is still there');
      const text = await state(page, 'source.text');
      await page.getByRole('button', { name: 'Dismiss' }).click();
      const time = await state(page, 'report.run.totals.time');
      await choosePolicy(page, 'Greedy');
      await until(
        page,
        async () =>
          (await state(page, 'running')) === false &&
          (await state(page, 'options.policy')) === undefined &&
          (await state(page, 'report.options.policy')) === 'Greedy',
        'the next run',
      );
      equal(await state(page, 'source.text'), text, 'text');
      check(time > 0, 'a time');
    }
  });

  harness.test('without ?test=1 the crash message does nothing', {}, async (page) => {
    await page.evaluate(() => document.querySelector('tessera-app').client.crashNext('run'));
    await choosePolicy(page, 'DRAM');
    await until(page, async () => (await state(page, 'report.options.policy')) === 'DRAM', 'the run');
    equal((await state(page, 'notices')).length, 0, 'notices');
  });

  harness.test(
    'an engine that cannot be loaded is told, and nothing typed is lost',
    { fresh: true, expect: [/404/, /Failed to load/] },
    async (page) => {
      await page.route('**/engine/tessera.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
      await page.goto(url);
      await page.locator('.notice.error', { hasText: 'could not be started' }).waitFor();
      if (!fakeEngine)
        check((await page.locator('tessera-schedule .row').count()) > 10, 'the picture made ahead of time');
      await page.route('**/*.report.json', (route) => route.fulfill({ status: 204 }));
      await page.reload();
      await page.getByText('The engine could not be started', { exact: true }).waitFor();
      check(((await state(page, 'source.text')) ?? '').length > 1000, 'the text');
    },
  );

  harness.test(
    'a run that hangs is told, and can be waited for, started again or stopped',
    { fresh: true },
    async (page) => {
      await page.clock.install();
      await open(page, url, { search: '?test=1' });
      await waitForRows(page);
      await settled(page);
      const note = page.getByRole('region', { name: 'A long run' });
      const hang = async (policy) => {
        await page.evaluate(() => document.querySelector('tessera-app').client.crashNext('run', 'hang'));
        await choosePolicy(page, policy);
        await until(page, () => page.evaluate(watched), 'the run');
        await page.clock.fastForward(60_000);
        await note.getByText('The run is still going on').waitFor();
      };
      await hang('DRAM');
      await note.getByRole('button', { name: 'Wait' }).click();
      await note.waitFor({ state: 'detached' });
      await page.clock.fastForward(60_000);
      await note.getByRole('button', { name: 'Start it again' }).click();
      await until(page, async () => (await state(page, 'report.options.policy')) === 'DRAM', 'the run, repeated');
      await note.waitFor({ state: 'detached' });
      await settled(page);
      await hang('Greedy');
      await note.getByRole('button', { name: 'Stop' }).click();
      await note.waitFor({ state: 'detached' });
      equal(await state(page, 'running'), false, 'running');
      equal(await state(page, 'report.options.policy'), 'DRAM', 'the run that is shown');
    },
  );
}

// Runs in the page.
function watched() {
  const { client } = document.querySelector('tessera-app');
  return client.current_?.job.call === 'run' && client.watchdog_.watching;
}

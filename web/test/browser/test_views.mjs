import { check, equal } from './harness.mjs';
import { addressWritten, dispatch, openSample, known, state, until } from './page.mjs';
import { seriousFindings, seriousInBothThemes } from './axe.mjs';

const view = (page, name) => page.locator('nav.views').getByRole('button', { name }).click();

export function viewTests(harness, { fakeEngine }) {
  harness.test('a long table of compared ops comes in pieces', { start: 'any' }, async (page) => {
    const rows = page.locator('tessera-compare .ops tbody tr');
    await openSample(page, 'resnet50');
    await view(page, 'Compare');
    await page.locator('tessera-compare .runs tbody tr').first().waitFor();
    // The numbers of rows that were there, one after the other.
    await page.locator('tessera-compare').evaluate(({ renderRoot }) => {
      const seen = (window.seenRows = []);
      const look = () => seen.push(renderRoot.querySelectorAll('.ops tbody tr').length);
      new MutationObserver(look).observe(renderRoot, { childList: true, subtree: true });
    });
    await until(page, async () => (await rows.count()) === 60, '60 rows');
    const first = await page.evaluate(() => window.seenRows.find((count) => count > 0));
    equal(first, 20, 'rows in the first frame');
    const more = page.getByRole('button', { name: /^Show \d+ more of/ });
    const all = Number((await more.innerText()).match(/of (\d+)/)[1]);
    await more.click();
    await until(page, async () => (await rows.count()) === Math.min(120, all), 'the next 60 rows');
  });

  harness.test(
    'policies are compared',
    { slow: true, start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'transformer-layer');
      await view(page, 'Compare');
      await until(page, () => known(page, 'answers.comparison.value'), 'the comparison');
      const policies = (await state(page, 'catalog.policies')).filter(
        ({ traits }) => !traits.includes('as-it-stands'), // the graph carries no layouts
      ).length;
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

  harness.test(
    'two maps over each other have one scale and one selection',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'transformer-layer');
      await dispatch(page, { type: 'compare', runs: [{ policy: 'Greedy' }, { policy: 'DRAM' }, { policy: 'Beam' }] });
      await view(page, 'Compare');
      await until(page, async () => (await state(page, 'answers.comparison.value.length')) === 3, 'three runs');
      const maps = page.locator('tessera-compare-maps');
      await maps.locator('[data-panel="1"] .row').first().waitFor();
      const scales = () =>
        maps.evaluate((element) =>
          element.panels_.map(({ picture, at }) => ({ at, base: picture.base, end: picture.end, cut: picture.cut })),
        );
      await page.getByLabel('Run of the upper map').selectOption({ label: 'A Greedy' });
      await page.getByLabel('Run of the lower map').selectOption({ label: 'B DRAM only' });
      const [upper, lower] = await scales();
      equal([upper.at, lower.at], [0, 1], 'the runs that were chosen');
      equal({ ...upper, at: 0 }, { ...lower, at: 0 }, 'one scale');
      const drawn = await maps.locator('canvas').evaluateAll((all) =>
        all.map((canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }),
      );
      check(drawn.length === 2 && drawn.every((colors) => colors > 3), `both maps are drawn: ${drawn}`);
      const op = maps.locator('[data-panel="0"] .row.other').first(); // ops that live elsewhere are marked
      await op.locator('.name').click();
      equal(await state(page, 'view.main'), 'compare', 'the view stays');
      const names = await maps.locator('.row.selected .name').allInnerTexts();
      equal(names.length, 2, 'the op is selected in both');
      check(names[0] === names[1], `and it is the same one: ${names.join(', ')}`);
      await maps.locator('[data-panel="1"]').focus();
      await page.keyboard.press('ArrowDown');
      const next = await maps.locator('.row.selected .name').allInnerTexts();
      check(next.length === 2 && next[0] === next[1] && next[0] !== names[0], 'by keyboard, too');
      equal(await seriousInBothThemes(page), [], 'the maps');
    },
  );

  harness.test(
    'a compared run sets any option for itself; a pinned set stays as it is',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'mlp');
      await dispatch(page, { type: 'compare', runs: [{ policy: 'Greedy' }, { policy: 'Beam' }] });
      await view(page, 'Compare');
      const options = async (id) =>
        ((await state(page, 'answers.comparison.value')) ?? []).map((report) => report.options[id]);
      await until(page, async () => (await options('beam-width')).length === 2, 'two runs');
      await page.getByRole('button', { name: 'Options of run B' }).click();
      await page.getByLabel('Set another option of run B').selectOption('beam-width');
      await page.locator('#run-1-beam-width').fill('3');
      await page.keyboard.press('Enter');
      await until(page, async () => (await options('beam-width'))[1] === 3, 'the option of the one run');
      check((await options('beam-width'))[0] !== 3, 'the other has its own');
      await page.getByRole('button', { name: 'Pin the set' }).click();
      await dispatch(page, { type: 'option', id: 'max-legal-layouts', value: 5 });
      await page.getByRole('button', { name: 'Add the present run' }).click();
      await until(page, async () => (await options('max-legal-layouts')).length === 3, 'three runs');
      const legal = await options('max-legal-layouts');
      check(legal[0] !== 5 && legal[1] !== 5 && legal[2] === 5, `pinned runs keep theirs: ${legal}`);
      await page.getByRole('button', { name: 'Leave Beam width of run B to the toolbar' }).click();
      await until(page, async () => (await options('beam-width'))[1] !== 3, 'the option is given back');
      equal(await seriousInBothThemes(page), [], 'the options of a run');
    },
  );

  harness.test('the compared runs are in the link', {}, async (page) => {
    await view(page, 'Compare');
    await page.evaluate(() =>
      document
        .querySelector('tessera-app')
        .dispatch({ type: 'compare', runs: [{ policy: 'DRAM' }, { policy: 'DRAM', device: 'p150' }] }),
    );
    await until(page, async () => (await state(page, 'answers.comparison.value.length')) === 2, 'two runs');
    await addressWritten(page);
    await page.reload();
    await until(page, async () => (await state(page, 'answers.comparison.value.length')) === 2, 'the same two runs');
    equal(await state(page, 'view.main'), 'compare', 'the view');
  });

  if (fakeEngine) return; // it knows no trace
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
    check((await rows.first().innerText()).includes('ttnn.'), 'and what they became');
    const at = passes.findIndex(({ changed, added, removed }) => changed + added + removed > 0);
    await page.locator('tessera-passes button.pass', { hasText: passes[at].title }).first().click();
    await page.locator('tessera-passes .diff .gone, tessera-passes .diff .new').first().waitFor(); // changed lines
    equal(
      await page.locator('tessera-passes button.pass.idle').count(),
      passes.filter(({ changed, added, removed }) => changed + added + removed === 0).length,
      'passes without effect are dimmed',
    );
    await page.getByRole('button', { name: 'Check the passes' }).click();
    await until(page, () => known(page, 'answers.passChecks.value'), 'the checks');
    const checks = await state(page, 'answers.passChecks.value');
    check(checks.length > 3 && checks.every(({ verdict }) => verdict !== 'different'), 'no pass changes the results');
    equal(await page.locator('tessera-passes nav .mark').count(), checks.length, 'each checked pass says so');
    await page.getByRole('button', { name: 'Execute this plan' }).click();
    await until(page, () => known(page, 'answers.execution.value'), 'the execution');
    const execution = await state(page, 'answers.execution.value');
    equal(execution.verdict, 'equal', `the plan computes what the graph does: ${execution.text}`);
    check(
      (await page.locator('tessera-passes nav .check').last().innerText()).includes('operands read'),
      'what was executed is told at the button',
    );
    const seen = await page.locator('tessera-passes .execute [role=status]').evaluate((answer) => {
      const own = answer.getBoundingClientRect();
      const list = answer.closest('nav').getBoundingClientRect();
      return own.height > 0 && own.top >= list.top && own.bottom <= list.bottom + 1;
    });
    check(seen, 'the list is scrolled to the answer');
    equal(await seriousFindings(page), [], 'passes');
  });

  harness.test('the passes that are checked are those of the run', {}, async (page) => {
    await view(page, 'Passes');
    const listed = async () => (await state(page, 'answers.passes.value.passes'))?.map(({ name }) => name) ?? [];
    await until(page, async () => (await listed()).length > 3, 'the passes');
    const specified = await listed();
    await dispatch(page, { type: 'option', id: 'preset', value: 'upstream' });
    await until(page, async () => (await listed()).includes('ttnn-canonicalize'), 'the passes of the compiler');
    check(!specified.includes('ttnn-canonicalize'), 'the specification has others');
    await page.getByRole('button', { name: 'Check the passes' }).click();
    await until(page, () => known(page, 'answers.passChecks.value'), 'the checks');
    const checked = (await state(page, 'answers.passChecks.value')).map(({ pass }) => pass);
    equal(checked, await listed(), 'each pass of the list is compared');
  });
}

import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  choosePolicy,
  dispatch,
  openSample,
  settled,
  state,
  until,
  waitForRows,
} from './page.mjs';
import { seriousFindings, seriousInBothThemes } from './axe.mjs';

const view = (page, name) => page.locator('nav.views').getByRole('button', { name }).click();
// The optimum of the run that the page shows.
const proven = (page) =>
  until(
    page,
    () =>
      page.evaluate(() => {
        const { running, report, answers, regretOf } = document.querySelector('tessera-app').state;
        return !running && report !== null && answers.regret.value !== null && regretOf === report;
      }),
    'the optimum of the present run',
    60_000,
  );

// Has the layouts of an op tried, and takes one of those that work.
const force = async (page, where, name, choice) => {
  const named = (what) => `${where} ${what}[aria-label$="(${name})"], ${where} ${what}[aria-label$=" ${name}"]`;
  await page.locator(named('button')).first().click();
  const select = page.locator(named('select')).first();
  await select.waitFor({ timeout: 60_000 });
  await select.selectOption(choice);
};

export function optimumTests(harness, { fakeEngine }) {
  if (fakeEngine) return; // it proves nothing

  harness.test(
    'every run is held against the optimum in the background, and nothing moves when it arrives',
    {},
    async (page) => {
      const figure = page.locator('tessera-totals [data-figure=optimum]');
      await figure.waitFor();
      await proven(page);
      const regret = await state(page, 'answers.regret.value');
      check(
        regret.time >= regret.exact.lowerBound && regret.exact.lowerBound >= regret.lowerBound,
        'no run is better than the bound',
      );
      check(/\d %/.test(await figure.innerText()), 'the distance stands in the totals');
      const moved = await page.evaluate(async () => {
        const totals = document.querySelector('tessera-app').renderRoot.querySelector('tessera-totals');
        const left = () => totals.renderRoot.querySelector('[data-figure=dram]').getBoundingClientRect().left;
        const before = left();
        const known = totals.regret;
        totals.regret = null;
        await totals.updateComplete;
        const without = left();
        totals.regret = known;
        return Math.abs(without - before);
      });
      equal(moved, 0, 'pixels by which the strip moves');
      await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'DRAM' }));
      await proven(page);
      equal(await state(page, 'answers.regret.value.policy'), 'DRAM', 'the policy of the distance');
      check((await state(page, 'answers.regret.value.time')) > regret.time, 'its time');
      await figure.click();
      equal(await state(page, 'view.main'), 'optimum', 'the figure opens the view');
    },
  );

  harness.test(
    'the regret of every op is a column of the schedule',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'residual-block');
      const cells = page.locator('tessera-schedule .row .regret');
      equal(await cells.count(), 0, 'columns before it is asked for');
      const toggle = page.locator('tessera-schedule').getByRole('button', { name: 'Regret' });
      await toggle.click();
      await proven(page);
      await until(page, async () => (await cells.count()) > 0, 'the cells');
      const dear = (await state(page, 'answers.regret.value.regrets.ops')).reduce((best, op) =>
        Math.max(op.regret, op.candidateRegret) > Math.max(best.regret, best.candidateRegret) ? op : best,
      );
      const at = (await state(page, 'report.run.rows')).findIndex(
        ({ name, kind }) => kind === 'op' && name === dear.name,
      );
      const cell = page.locator(`tessera-schedule #row-${at} .regret`);
      check(
        /\d (ns|µs|ms)/.test(await cell.innerText()) && /heat-[1-4]/.test(await cell.getAttribute('class')),
        'figure and colour of the costliest op',
      );
      check((await cell.getAttribute('data-tip')).includes('loses at least'), 'what it means');
      equal(await seriousInBothThemes(page), [], 'heat');
      await cell.click(); // a row is selected by any of its cells, and its details say the same
      equal(await state(page, 'selected'), at, 'the row');
      check((await page.locator('tessera-why .optimum').innerText()).includes('loses at least'), 'the details');
      equal(await seriousInBothThemes(page), [], 'heat with details');
      await another(page, () => force(page, 'tessera-why .optimum', dear.name, { index: 1 }));
      await proven(page);
      check((await page.locator('tessera-why .optimum').innerText()).includes('forced'), 'forced from the details');
      await addressWritten(page);
      await page.reload();
      await waitForRows(page);
      equal(await toggle.getAttribute('aria-pressed'), 'true', 'the column after a reload');
      await toggle.click();
      equal(await cells.count(), 0, 'cells when it is off again');
    },
  );

  harness.test('the optimum itself is run and its proof checked', {}, async (page) => {
    await view(page, 'Optimum');
    await proven(page);
    const time = await state(page, 'answers.regret.value.time');
    await page.getByRole('button', { name: 'Run the optimum itself' }).click();
    await until(page, async () => (await state(page, 'answers.regret.value.policy')) === 'Exact', 'the run of Exact');
    await proven(page);
    check((await state(page, 'answers.regret.value.time')) <= time, 'Exact is no slower');
    await page.getByRole('button', { name: 'Check the certificate' }).click();
    await until(page, async () => (await state(page, 'certificate.kind')) === 'checked', 'the check');
    equal(await state(page, 'certificate.valid'), true, await state(page, 'certificate.reason'));
    const shown = (await state(page, 'report.run.exact')).lowerBound;
    const bound = await state(page, 'certificate.lowerBound');
    check(bound <= shown && bound > shown * 0.99, 'the certificate proves the bound that the page shows, or nearly');
    equal(await seriousFindings(page), [], 'optimum');
  });

  harness.test(
    'layouts are forced, several at once, with their cost, undone, and kept in the link',
    { start: 'any' },
    async (page) => {
      await openSample(page, 'residual-block');
      await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'Exact' }));
      await view(page, 'Optimum');
      await proven(page);
      await page.getByLabel('Ops where both agree, too').check();
      const times = [await state(page, 'answers.regret.value.exact.time')];
      const dear = (await state(page, 'answers.regret.value.regrets.ops'))
        .filter(({ choices, present }) => present >= 0 && choices.some(([layout, price]) => layout === 0 && price > 0))
        .slice(0, 2);
      for (const { name } of dear) {
        await another(page, () => force(page, 'tessera-optimum tbody', name, { value: 'DRAM' }));
        await proven(page);
        times.push(await state(page, 'answers.regret.value.exact.time'));
      }
      check(times[0] < times[1] && times[1] < times[2], `each forced layout costs the optimum: ${times}`);
      const cost = page.locator('tessera-optimum .forced p[role=status]');
      await until(page, async () => /\+.*%/.test(await cost.innerText()), 'the cost in words');
      equal(await state(page, 'freeRegret.exact.time'), times[0], 'the optimum without them');
      equal(await seriousFindings(page), [], 'forced layouts');
      await addressWritten(page);
      await page.reload();
      await settled(page);
      await proven(page);
      equal(await page.locator('tessera-optimum .forced li').count(), 2, 'forced ops after a reload');
      equal(await state(page, 'answers.regret.value.exact.time'), times[2], 'the same optimum');
      await page.locator('tessera-optimum .forced li button').first().click();
      await until(page, async () => (await page.locator('tessera-optimum .forced li').count()) === 1, 'one released');
      await page.getByRole('button', { name: 'Undo' }).click();
      await until(
        page,
        async () => (await page.locator('tessera-optimum .forced li').count()) === 2,
        'the undone release',
      );
      await page.getByRole('button', { name: 'Release all' }).click();
      equal(await state(page, 'options.override-output-layout'), undefined, 'no op is forced');
      // Runs of what was clicked before may still be shown on the way.
      await until(
        page,
        async () => (await state(page, 'report.options.override-output-layout')) === '',
        'the run without forced ops',
      );
      await proven(page);
      equal(await state(page, 'answers.regret.value.exact.time'), times[0], 'the first optimum again');
    },
  );

  harness.test('one click shows what the optimum does instead, op by op', {}, async (page) => {
    await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'DFSharding' }));
    await openSample(page, 'residual-block');
    await view(page, 'Optimum');
    await proven(page);
    await page.getByRole('button', { name: 'What the optimum does instead' }).click();
    equal(await state(page, 'view.main'), 'compare', 'the view');
    await until(page, async () => (await state(page, 'answers.comparison.value.length')) === 2, 'both runs');
    const [own, best] = (await state(page, 'answers.comparison.value')).map(({ policy, run }) => ({
      id: policy.id,
      time: run.totals.time,
    }));
    equal([own.id, best.id], ['DFSharding', 'Exact'], 'the runs');
    check(own.time > best.time, 'the optimum is faster');
    await page.getByLabel('all ops').check();
    const gains = await page.locator('tessera-compare .ops tbody tr').evaluateAll((rows) =>
      rows.map((row) => ({
        gain: row.querySelectorAll('td.num')[0].innerText,
        why: row.querySelector('.why').innerText,
      })),
    );
    check(gains.length > 4 && gains.some(({ why }) => /DFSharding|DRAM|chain/.test(why)), 'reasons');
    check(
      gains.filter(({ gain }) => gain !== '0').every(({ why }) => why !== ''),
      'no gain without a reason',
    );
    equal(await seriousFindings(page), [], 'comparison with the optimum');
    await addressWritten(page);
    await page.reload();
    await until(
      page,
      async () => (await state(page, 'answers.comparison.value.length')) === 2,
      'the same comparison from the link',
    );
  });

  harness.test('addresses planned ahead stand beside the map and are drawn in it', { start: 'any' }, async (page) => {
    await openSample(page, 'fused-qkv');
    const { firstFit, planned, bound, addresses } = await state(page, 'report.run.placement');
    check(bound <= planned && planned < firstFit, 'planning gains something here');
    const panel = page.locator('tessera-why .placement');
    check((await panel.innerText()).includes('fragmentation'), 'the figures in words');
    equal(await panel.locator('li').count(), 3, 'peaks: now, planned, least');
    const drawn = () =>
      page.evaluate(() =>
        document
          .querySelector('tessera-app')
          .renderRoot.querySelector('tessera-schedule')
          .map_.boxes.map(({ address }) => address),
      );
    const before = await drawn();
    await page.locator('tessera-schedule .h-map button', { hasText: 'planned' }).click();
    const after = await drawn();
    check(
      after.some((address, at) => address !== before[at]) &&
        after.every((address, at) => address === before[at] || addresses.includes(address)),
      'the map shows the planned addresses',
    );
    check(Math.min(...after) > Math.min(...before), 'the tensors reach less far');
    equal(await seriousFindings(page), [], 'planned addresses');
    await addressWritten(page);
    await page.reload();
    await waitForRows(page);
    equal(await drawn(), after, 'the same map from the link');
    await panel.getByRole('button').click();
    equal(await drawn(), before, 'the runtime’s addresses again');
  });

  harness.test('bounds of layouts and L1 together are drawn over the rounds', { start: 'any' }, async (page) => {
    await openSample(page, 'transformer-layer');
    // so tight that L1 is priced
    await another(page, () => dispatch(page, { type: 'option', id: 'tensor-l1-usage-cap', value: 0.2 }));
    await view(page, 'Optimum');
    await proven(page);
    check((await state(page, 'answers.regret.value.exact.bounds')).length > 2, 'no rounds');
    await page.locator('tessera-optimum .proof summary').click();
    const points = (name) =>
      page.locator(`tessera-optimum polyline.${name}`).evaluate((line) => [...line.points].map(({ y }) => y));
    const [upper, lower] = [await points('upper'), await points('lower')];
    check(
      upper.every((y, at) => y <= lower[at]),
      'the best plan is never below the bound',
    );
    check(upper.at(-1) >= upper[0] && lower.at(-1) <= lower[0], 'the two come closer');
    check(
      (await page.locator('tessera-optimum .plot').getAttribute('aria-label')).includes('Bounds of'),
      'the chart in words',
    );
    equal(await seriousFindings(page), [], 'chart');
  });

  harness.test(
    'while the slider for L1 moves every picture is newer than the one before, and the last one is whole',
    { start: 'any' },
    async (page) => {
      await openSample(page, 'transformer-layer');
      await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'Exact' }));
      const slider = page.getByRole('slider', { name: /L1 usage cap/ });
      await slider.waitFor();
      await until(
        page,
        () => page.evaluate(() => document.querySelector('tessera-app').client.spareReady),
        'a spare that has rehearsed',
        60_000,
      );
      const shown = await page.evaluate(async () => {
        const app = document.querySelector('tessera-app');
        const input = app.renderRoot.querySelector('tessera-schedule tessera-knobs').renderRoot.querySelector('input');
        const seen = [];
        const { dispatch: original } = app;
        app.dispatch = (action) => {
          if (action.type === 'run-done')
            seen.push([
              action.report.options['tensor-l1-usage-cap'],
              action.report.options['exact-rounds'],
              action.draft === true,
            ]);
          original.call(app, action);
        };
        for (let percent = 99; percent >= 20; percent--) {
          input.value = String(percent / 100);
          input.dispatchEvent(new Event('input'));
          await new Promise((resolve) => setTimeout(resolve, 16));
        }
        return seen;
      });
      await until(
        page,
        async () =>
          (await state(page, 'running')) === false && (await state(page, 'report.options.tensor-l1-usage-cap')) === 0.2,
        'the whole run of the last value',
      );
      check(shown.length > 1, 'pictures on the way');
      check(
        shown.every(([cap], at) => at === 0 || cap <= shown[at - 1][0]),
        `an older value was shown after a newer one: ${JSON.stringify(shown)}`,
      );
      check(
        shown.every(([, rounds]) => rounds === 60),
        'reports say the options that were asked for',
      );
      check((await state(page, 'report.run.exact.bounds')).length > 2, 'L1 is so tight that the last run has rounds');
    },
  );

  harness.test(
    'only layouts that work are offered, and what they cost is what the run shows',
    { start: 'any' },
    async (page) => {
      await openSample(page, 'residual-block');
      await another(page, () => choosePolicy(page, 'DFSharding2'));
      await view(page, 'Optimum');
      await proven(page);
      await page.getByLabel('Ops where both agree, too').check();
      const { ops } = await state(page, 'answers.regret.value.regrets');
      const op = ops.find(({ op: kind, choices }) => kind === 'ttnn.conv2d' && choices.length > 5);
      const own = `[aria-label$="(${op.name})"], [aria-label$=" ${op.name}"]`;
      const cell = page.locator('tessera-optimum tbody tr', { has: page.locator(own) });
      await cell.locator('td button').click();
      await cell.locator('select').waitFor({ timeout: 60_000 });
      const offered = await cell
        .locator('option')
        .evaluateAll((all) => all.slice(1).map(({ value, text }) => [value, text]));
      check(
        offered.length > 0 && offered.length < op.choices.length,
        `${offered.length} of ${op.choices.length} offered`,
      );
      const tried = await page.evaluate((name) => {
        const { done } = document.querySelector('tessera-app').state.trials.get(name);
        return [...done].map(([layout, { kind }]) => [layout, kind]);
      }, op.name);
      equal(
        offered.map(([layout]) => layout).sort(),
        tried.flatMap(([layout, kind]) => (kind === 'works' ? [layout] : [])).sort(),
        'what is offered has worked',
      );
      const refused = tried.find(([, kind]) => kind === 'refused')?.[0];
      equal(
        (await cell.innerText()).includes('not possible'),
        offered.length < tried.length,
        'what does not work is counted',
      );
      const before = await state(page, 'report.run.totals.time');
      const [layout, text] = offered.at(-1);
      await another(page, () => cell.locator('select').selectOption(layout));
      const cost = (await state(page, 'report.run.totals.time')) - before;
      check(cost === 0 ? text.includes('same time') : text.includes(cost > 0 ? '+' : '−'), `${text}: ${cost} ns`);
      equal(await page.locator('tessera-forced-note p').count(), 0, 'no complaint');

      // One that the policy cannot honour, as a link may bring it: told beside a way back, not as an error of the text.
      const impossible = refused === undefined ? '9x9:l1:height_sharded' : null;
      await dispatch(page, { type: 'force', name: op.name, layout: impossible ?? '1x1:l1:width_sharded' });
      const note = page.locator('tessera-forced-note p');
      await note.waitFor();
      equal(await page.locator('tessera-source .diagnostics li.error').count(), 0, 'errors of the text');
      check(
        !(await page.locator('tessera-app').evaluate((app) => app.renderRoot.textContent)).includes('in the text'),
        'words',
      );
      await note.getByRole('button', { name: 'Undo it' }).click();
      await until(
        page,
        async () => (await state(page, 'stale')) === false && !(await state(page, 'running')),
        'the run before',
      );
      equal((await state(page, 'report.run.totals.time')) - before, cost, 'its time');
    },
  );
}

// What is seen at once: room for the map, policies and legend that explain themselves, phones.
import { seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import { dispatch, drop, firstRow, settled, state, until, waitForRows } from './page.mjs';

export function looksTests(harness, { corpus }) {
  for (const width of [1390, 1920])
    harness.test(
      `at ${width} pixels the L1 map has most of the room and nothing is clipped`,
      { context: { viewport: { width, height: 900 } } },
      async (page) => {
        if (corpus !== null) {
          await drop(page, 'resnet50_xla.mlir', corpus);
          await until(page, async () => (await state(page, 'source.origin.name')) === 'resnet50_xla.mlir', 'the file');
          await settled(page);
        }
        await page.waitForSelector('tessera-why');
        const { map, clipped } = await page.evaluate(() => {
          const schedule = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
          const root = schedule.renderRoot;
          const heads = [...root.querySelectorAll('.header > span, .h-map > *')];
          const badges = [...root.querySelectorAll('.row .place')].slice(0, 30);
          return {
            map: root.querySelector('canvas.map').getBoundingClientRect().width,
            clipped: [...heads, ...badges]
              .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
              .map((one) => `${one.className}: ${one.textContent.trim()}`),
          };
        });
        check(map >= 0.45 * width, `the map has ${map} of ${width} pixels`);
        equal(clipped, [], 'clipped texts');
        check(!(await page.locator('tessera-source').isVisible()), 'the source stays folded');
        await page.getByRole('button', { name: 'Map first' }).click();
        const first = () => page.locator('tessera-schedule canvas.map').boundingBox();
        await until(page, async () => (await first()).width > map + 80, 'a wider map');
        await page.getByRole('button', { name: 'Map first' }).click();
        await page.getByRole('button', { name: 'Hide the why pane' }).click();
        await until(page, async () => (await first()).width > 0.5 * width, 'the room of the why pane');
        await page.getByRole('button', { name: 'Show the why pane' }).click();
        await page.locator('tessera-why h2').waitFor();
        await dispatch(page, { type: 'select', row: await state(page, 'report.run.totals.peakStep') });
        await page.locator('tessera-why .parts').waitFor();
        const over = await page.locator('tessera-why').evaluate((why) => [why.scrollWidth - why.clientWidth]);
        equal(over, [0], 'pixels that Why is too wide');
      },
    );

  harness.test('policies stand with a line about each, the deprecated ones apart, by keyboard', {}, async (page) => {
    await page.locator('tessera-policy-menu button').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('tessera-policy-menu [role=option]').first().waitFor();
    const groups = await page.locator('tessera-policy-menu [role=group]').evaluateAll((all) =>
      all.map((group) => ({
        title: group.getAttribute('aria-label'),
        ids: [...group.querySelectorAll('[role=option]')].map((one) => one.dataset.policy),
        bare: [...group.querySelectorAll('small')].filter((one) => one.textContent.trim() === '').length,
      })),
    );
    const policies = await state(page, 'catalog.policies');
    equal(groups.flatMap(({ ids }) => ids).sort(), policies.map(({ id }) => id).sort(), 'every policy once');
    equal(
      groups.reduce((sum, { bare }) => sum + bare, 0),
      0,
      'policies without a line',
    );
    const old = groups.find(({ title }) => title.startsWith('Deprecated'));
    equal(
      old.ids.toSorted(),
      policies
        .filter(({ traits }) => traits.includes('compiler-policy'))
        .map(({ id }) => id)
        .toSorted(),
      'the deprecated ones',
    );
    equal(await seriousInBothThemes(page), [], 'policies');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(page, async () => (await state(page, 'options.policy')) === groups[0].ids[1], 'the second policy');
    await settled(page);
    equal(await page.locator('tessera-policy-menu .sheet').isVisible(), false, 'the list closes');
  });

  harness.test('the legend is made of the badges and opens from the totals', {}, async (page) => {
    await page.getByRole('button', { name: 'Legend' }).click();
    const codes = await page.locator('tessera-legend .badge').allInnerTexts();
    equal(
      codes.map((code) => code.trim()),
      ['BS 8×8', 'HS 8×8', 'WS 8×8', 'IL', 'DRAM', 'host'],
      'badges',
    );
    const colors = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).color);
    const shown = await page.locator('tessera-schedule .row .badge').first().getAttribute('class');
    const kind = shown.split(' ').at(-1);
    equal(
      await colors(`tessera-legend .badge.${kind}`),
      await colors(`tessera-schedule .badge.${kind}`),
      'the colour of the legend and of the row',
    );
    equal(await seriousInBothThemes(page), [], 'legend');
    await page.keyboard.press('Escape');
  });

  harness.test('every column head, total and control explains itself', {}, async (page) => {
    const bare = await page.evaluate(() => {
      const app = document.querySelector('tessera-app').renderRoot;
      const within = (name) => app.querySelector(name).renderRoot;
      const heads = [...within('tessera-schedule').querySelectorAll('[role=columnheader]')].filter(
        (one) => !one.dataset.tip && one.querySelector('[data-tip]') === null,
      );
      const figures = [...within('tessera-totals').querySelectorAll('button.figure')].filter((one) => !one.dataset.tip);
      const toolbar = within('tessera-toolbar');
      const controls = [
        ...toolbar.querySelectorAll('select, button, a'),
        toolbar.querySelector('tessera-options').renderRoot.querySelector('button'),
        toolbar.querySelector('tessera-policy-menu').renderRoot.querySelector('button'),
        ...within('tessera-view-buttons').querySelectorAll('button'),
      ].filter((one) => !one.dataset.tip);
      return [...heads, ...figures, ...controls].map((one) => one.textContent.trim().slice(0, 40) || one.className);
    });
    equal(bare, [], 'without an explanation');
  });

  harness.test('a search dims rows without making them hard to read', {}, async (page) => {
    await dispatch(page, { type: 'query', query: 'zzz' });
    await page.locator('tessera-schedule .row.unmatched').first().waitFor();
    equal(await seriousInBothThemes(page), [], 'dimmed rows');
    await dispatch(page, { type: 'query', query: '' });
  });

  const kPhone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  harness.test(
    'a phone has one row of tabs, and nothing to hit is under 44 pixels',
    { context: kPhone },
    async (page) => {
      await waitForRows(page);
      equal(await page.locator('tessera-view-buttons').count(), 0, 'second row of tabs');
      for (const tab of ['Schedule', 'L1 map', 'Why', 'Optimum', 'Compare', 'Source']) {
        await page.locator('.tabs').getByRole('button', { name: tab }).tap();
        await page.waitForTimeout(60);
        equal(await page.locator('.tabs [aria-current=true]').innerText(), tab, 'the tab');
        equal(await tooSmall(page), [], `small targets, ${tab}`);
      }
      await page.locator('.tabs').getByRole('button', { name: 'Schedule' }).tap();
      await page.getByRole('button', { name: 'Legend' }).tap();
      equal(await page.locator('tessera-legend .badge').count(), 6, 'the legend on a phone');
      const { x, width } = await page.locator('tessera-legend .sheet').boundingBox();
      check(x >= 0 && x + width <= 390, 'the legend is within the screen');
      await page.locator('tessera-legend .sheet').tap();
      await page.getByRole('button', { name: 'Legend' }).tap();
      await page.locator(`#row-${await firstRow(page)} .place [data-tip]`).tap();
      await page.locator('.tip').waitFor({ state: 'visible' });
      check((await page.locator('.tip').innerText()).length > 10, 'what is touched explains itself');
    },
  );
}

// Visible things to hit that are lower or narrower than a finger.
const tooSmall = (page) =>
  page.evaluate(() => {
    const found = [];
    const visit = (root) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.shadowRoot !== null) visit(one.shadowRoot);
        if (!one.matches('button, select, a[href], input, summary, [role=option], .row')) continue;
        if (one.matches('input[type=checkbox], input[type=range]') && one.closest('label') !== null) continue;
        if (!one.checkVisibility() || one.disabled) continue;
        const { width, height } = one.getBoundingClientRect();
        if (width < 2 || height < 2) continue; // for screen readers alone
        if (width < 43.5 || height < 43.5)
          found.push(
            `${one.localName}.${one.className} ${Math.round(width)}×${Math.round(height)} ` +
              one.textContent.trim().slice(0, 20),
          );
      }
    };
    visit(document);
    return [...new Set(found)].slice(0, 12);
  });

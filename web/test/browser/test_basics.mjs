import { check, equal } from './harness.mjs';
import {
  another,
  choosePolicy,
  colors,
  firstRow,
  open,
  rowNear,
  state,
  until,
  waitForEditor,
  waitForRows,
} from './page.mjs';

export function basicTests(harness, { url, nestedUrl }) {
  harness.test('the page runs the first sample and draws it', { fresh: true }, async (page) => {
    await open(page, url);
    await waitForRows(page);
    equal(await state(page, 'source.origin.id'), 'resnet50', 'first sample');
    const rows = (await state(page, 'report.run.rows')).length;
    check(rows > 100, `only ${rows} rows`);
    const shown = rows - (await firstRow(page)) + 1; // the loads before it are folded into one
    equal(await page.locator('.scroller').getAttribute('aria-rowcount'), String(shown + 1), 'aria-rowcount');
    check(
      (await page.locator('tessera-schedule .row').count()) < 120,
      'only the rows around the visible part are in the DOM',
    );
    check((await colors(page, 'canvas.lanes')) >= 3, 'the lanes are blank');
    check((await colors(page, 'canvas.map')) >= 8, 'the map is blank');
    check((await page.locator('tessera-totals button.figure').count()) === 10, 'ten totals');
  });

  harness.test('an op is selected by mouse', {}, async (page) => {
    const at = await rowNear(page, 5);
    await page.locator(`tessera-schedule #row-${at} .op`).click();
    equal(await state(page, 'selected'), at, 'selected');
    const title = (await state(page, 'report.run.rows'))[at].label;
    equal(await page.locator('tessera-why h2').innerText(), title, 'why panel');
    await page.locator('tessera-why tbody tr').first().waitFor(); // its candidates
    equal(await page.locator(`#row-${at}`).getAttribute('aria-selected'), 'true', 'aria-selected');
  });

  harness.test('an op is selected by keyboard', {}, async (page) => {
    await page.locator('.scroller').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const first = await firstRow(page);
    equal(await state(page, 'selected'), first + 1, 'down twice');
    await page.keyboard.press('End');
    const last = (await state(page, 'report.run.rows')).length - 1;
    equal(await state(page, 'selected'), last, 'end');
    equal(await page.locator('.scroller').getAttribute('aria-activedescendant'), `row-${last}`, 'active row');
    check(await page.locator(`#row-${last}`).isVisible(), 'the last row is in view');
    await page.keyboard.press('PageUp');
    const paged = await state(page, 'selected');
    check(paged < last - 5, 'page up');
    await page.keyboard.press('Home');
    equal(await state(page, 'selected'), first, 'home');
    await page.keyboard.press('n');
    const notable = await page.evaluate(() => {
      const { report, selected } = document.querySelector('tessera-app').state;
      return {
        kind: report.run.rows[selected].kind,
        any: report.run.rows.some((row) => row.kind === 'spill' || row.kind === 'reshard'),
      };
    });
    if (notable.any)
      check(['spill', 'reshard', 'reload', 'return'].includes(notable.kind), `n goes to a ${notable.kind}`);
    await page.keyboard.press('Enter');
    await until(
      page,
      () =>
        page.evaluate(() => {
          const root = document.querySelector('tessera-app').renderRoot;
          return root.activeElement?.localName === 'tessera-why';
        }),
      'the focus in the why panel',
    );
  });

  harness.test('search finds, goes through matches, and ends', {}, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('conv2 conv2d');
    await until(page, async () => /of \d+/.test(await page.locator('.count').innerText()), 'a count of matches');
    await page.keyboard.press('Enter');
    const first = await state(page, 'selected');
    await page.keyboard.press('Enter');
    const second = await state(page, 'selected');
    check(second > first && first >= 0, `goes on: ${first}, ${second}`);
    await page.keyboard.press('Shift+Enter');
    equal(await state(page, 'selected'), first, 'and back');
    await page.keyboard.press('Escape');
    equal(await state(page, 'query'), '', 'escape ends the search');
  });

  harness.test(
    'hovering a buffer of the map tells its name, address and bytes; a click selects its op',
    {},
    async (page) => {
      const target = await page.evaluate(() => {
        const schedule = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
        const box = schedule.map_.boxes.find(
          (candidate) => candidate.bytes > 12000 && schedule.run.values[candidate.value].producer >= 0,
        );
        const body = schedule.renderRoot.querySelector('.body').getBoundingClientRect();
        const canvas = schedule.renderRoot.querySelector('canvas.map').getBoundingClientRect();
        const { base, end, cut } = schedule.map_;
        const middle = box.address + box.bytes / 2;
        const scale =
          cut === null ? canvas.width / (end - base) : (canvas.width - 16) / (cut.from - base + end - cut.to);
        return {
          x: canvas.right - (end - middle) * scale,
          y: body.top + (box.from - schedule.folded) * 26 + 13,
          producer: schedule.run.values[box.value].producer,
          name: schedule.run.values[box.value].label,
        };
      });
      await page.mouse.move(target.x - 3, target.y);
      await page.mouse.move(target.x, target.y);
      await until(
        page,
        async () => (await page.locator('.tip').isVisible()) && (await page.locator('.tip').innerText()).includes('0x'),
        'the tooltip',
      );
      const tip = await page.locator('.tip').innerText();
      check(tip.includes(target.name.slice(-8)) && /KB per core/.test(tip) && /step/.test(tip), tip);
      await page.mouse.click(target.x, target.y);
      equal(await state(page, 'selected'), target.producer, 'selected');
    },
  );

  harness.test('another policy runs by itself and keeps the selected op', {}, async (page) => {
    await page.locator(`#row-${await rowNear(page, 8)} .op`).click();
    const before = await page.locator('tessera-why h2').innerText();
    const time = await state(page, 'report.run.totals.time');
    await choosePolicy(page, 'DRAM');
    await until(page, async () => (await state(page, 'report.run.totals.time')) !== time, 'another time');
    equal(await page.locator('tessera-why h2').innerText(), before, 'selection');
    await until(
      page,
      async () => /ran in/.test(await page.locator('tessera-toolbar .status').innerText()),
      'a duration',
    );
  });

  harness.test('an option of the catalog changes the run', {}, async (page) => {
    await page.getByRole('button', { name: 'Options' }).click();
    const budget = await state(page, 'report.run.l1Budget');
    await page.getByRole('spinbutton', { name: 'L1 usage cap' }).fill('0.5');
    await page.keyboard.press('Enter');
    await until(page, async () => (await state(page, 'report.run.l1Budget')) < budget * 0.6, 'half the budget');
    await page.keyboard.press('Escape');
    check(!(await page.getByRole('group', { name: 'Options' }).isVisible()), 'escape closes the options');
  });

  harness.test('a link restores sample, options, selection and view', {}, async (page, context) => {
    await another(page, () => choosePolicy(page, 'DRAM'));
    const chosen = await rowNear(page, 9);
    await page.locator(`#row-${chosen} .op`).click();
    await page.getByRole('button', { name: 'Show the source pane' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await until(page, async () => (await page.getByText('Copied').count()) > 0, 'copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    check(link.includes('#v1:') && link.length < 400, link);
    const other = await context.newPage();
    await other.goto(link);
    await waitForRows(other);
    await until(other, async () => (await state(other, 'selected')) === chosen, 'the selection');
    equal(await state(other, 'options'), { policy: 'DRAM' }, 'options');
    equal(await state(other, 'view.sourceOpen'), true, 'source pane');
  });

  harness.test('a link restores a text of one’s own', {}, async (page, context) => {
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('// mine: ünïcode 🙂\n');
    await until(page, async () => (await state(page, 'source.origin.kind')) === 'typed', 'the edit');
    await until(page, async () => (await page.evaluate(() => location.hash.length)) > 500, 'the address');
    const other = await context.newPage();
    await other.goto(page.url());
    await until(
      other,
      async () => ((await state(other, 'source.text')) ?? '').startsWith('// mine: ünïcode 🙂\n'),
      'the text',
    );
  });

  harness.test('a broken or newer link says so, stays, and the page works', {}, async (page) => {
    for (const [hash, words] of [
      ['#v1:AAAA', 'damaged'],
      ['#v7:abc', 'newer version'],
      ['#nonsense', 'not one of'],
    ]) {
      await open(page, url, { hash });
      await page.reload();
      await page.locator('.notice.error', { hasText: words }).waitFor();
      await waitForRows(page);
    }
  });

  harness.test('the page works from any folder of a host', { fresh: true }, async (page) => {
    await open(page, nestedUrl);
    await waitForRows(page);
    await waitForEditor(page);
    await page.locator('select.samples').selectOption('mlp');
    await until(
      page,
      async () => (await state(page, 'source.origin.id')) === 'mlp' && (await state(page, 'running')) === false,
      'the sample',
    );
  });

  harness.test('the theme is switched and remembered', {}, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('button', { name: /^Theme/ }).click();
    await until(page, async () => (await background()) !== light, 'dark');
    await page.reload();
    await waitForRows(page);
    check((await background()) !== light, 'forgotten');
  });

  harness.test('the split is moved by keyboard and stays in its limits', {}, async (page) => {
    const width = () =>
      page.evaluate(
        () =>
          document
            .querySelector('tessera-app')
            .renderRoot.querySelector('tessera-schedule')
            .renderRoot.querySelector('canvas.map').clientWidth,
      );
    const before = await width();
    await page.locator('.splitter').focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft');
    await until(page, async () => (await width()) > before + 40, 'a wider map');
    for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowRight');
    check((await width()) >= 100, 'the map does not vanish');
  });
}

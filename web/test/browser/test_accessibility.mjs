import { findingsInBothThemes, seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import {
  dispatch,
  drop,
  firstRow,
  open,
  openSample,
  rowNear,
  settled,
  known,
  state,
  until,
  waitForEditor,
  waitForRows,
} from './page.mjs';
import { kLog } from './test_logs.mjs';
import { profileOf } from './test_measured.mjs';
import { openCompiled } from './test_plans.mjs';

// What views show once they were asked for something.
async function resultsAreClean(page) {
  const show = (name) => page.locator('nav.views button, nav.tabs button').filter({ hasText: name }).first().click();
  await openSample(page, 'mlp');
  await show('Passes');
  for (const [button, answer] of [
    ['Check the passes', 'passChecks'],
    ['Execute this plan', 'execution'],
  ]) {
    await page.getByRole('button', { name: button }).click();
    await until(page, () => known(page, `answers.${answer}.value`), answer);
  }
  equal(await findingsInBothThemes(page), [], 'what the passes were checked with');
  await show('Study');
  await page.locator('tessera-study-runs tbody th').first().waitFor();
  await page.locator('tessera-study summary').first().click();
  equal(await findingsInBothThemes(page), [], 'studies with runs and their options');
  await drop(page, 'ops_perf_results_x.csv', await profileOf(page, 2));
  await page.locator('tessera-measured table.matches').waitFor();
  equal(await findingsInBothThemes(page), [], 'a profile');
  await show('Schedule');
  await dispatch(page, { type: 'view', view: { step: -1, regret: true, dram: true } });
  await page.locator('tessera-stepper').waitFor();
  await settled(page);
  equal(await findingsInBothThemes(page), [], 'the stepper and all columns');
}

// What stands over the views, in place of them, or in them for other files.
async function othersAreClean(page) {
  const show = (name) => page.locator('nav.views button, nav.tabs button').filter({ hasText: name }).first().click();
  await page.getByRole('button', { name: 'Tours' }).click();
  await page.locator('tessera-tours-menu [data-tour]').first().click();
  await settled(page);
  await dispatch(page, { type: 'view', view: { memory: 'dram' } });
  equal(await findingsInBothThemes(page), [], 'a tour, over the map of DRAM');
  await dispatch(page, { type: 'tour', place: null });
  await drop(page, 'cut.mlir', 'func.func @x(%a: tensor<4x8xbf16>) {\n  %0 = "ttir.relu"(%a) : (ten');
  await page.locator('tessera-blank').getByText('could not be read').waitFor();
  await dispatch(page, { type: 'notice', severity: 'error', text: 'What went wrong is told here.' });
  equal(await findingsInBothThemes(page), [], 'a file that cannot be read, and a notice');
  await openCompiled(page);
  await show('As compiled');
  await page.locator('tessera-compiled table').first().waitFor();
  equal(await findingsInBothThemes(page), [], 'a plan as compiled');
  await show('Compare');
  await until(page, () => known(page, 'answers.comparison.value'), 'the runs');
  await page
    .getByRole('button', { name: /^Options of run/ })
    .first()
    .click();
  equal(await findingsInBothThemes(page), [], 'options of a compared run');
  await drop(page, 'passes.log', kLog);
  await page.locator('tessera-pass-log button.pass').first().waitFor();
  equal(await findingsInBothThemes(page), [], 'a log');
}

export function accessibilityTests(harness, { url }) {
  harness.test('axe finds nothing serious without a graph', { context: { reducedMotion: 'reduce' } }, async (page) => {
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.insertText('syntax error\n');
    await page.locator('tessera-source .diagnostics li.error').first().waitFor();
    equal(await seriousInBothThemes(page), [], 'a text with errors');
    await page.evaluate(() =>
      document.querySelector('tessera-app').dispatch({ type: 'load', text: 'nonsense', origin: { kind: 'typed' } }),
    );
    await until(page, async () => (await state(page, 'running')) === false, 'an answer');
    await page.evaluate(() =>
      document.querySelector('tessera-app').dispatch({ type: 'load', text: '', origin: { kind: 'empty' } }),
    );
    await page.getByText('No graph yet').waitFor();
    equal(await seriousInBothThemes(page), [], 'empty view');
  });

  for (const width of [390, 1390, 1920])
    harness.test(
      `axe finds nothing at all in any view, in both themes, ${width} pixels`,
      { slow: true, context: { viewport: { width, height: 860 }, reducedMotion: 'reduce' } },
      async (page) => {
        const tabs = page.locator('nav.views button, nav.tabs button');
        await dispatch(page, { type: 'select', row: await rowNear(page, 3) });
        for (let at = 0; at < (await tabs.count()); at++) {
          await tabs.nth(at).click();
          await until(page, async () => (await page.locator('[aria-busy=true]').count()) === 0, 'the view');
          await page.waitForTimeout(250);
          equal(await findingsInBothThemes(page), [], await tabs.nth(at).innerText());
        }
        await tabs.first().click();
        await dispatch(page, { type: 'query', query: 'relu' });
        for (const panel of ['Filter', 'Legend', 'Options', 'Export']) {
          await page
            .getByRole('button', { name: panel, exact: panel !== 'Options' })
            .first()
            .click();
          equal(await findingsInBothThemes(page), [], `${panel}, with a search`);
          await page.keyboard.press('Escape');
        }
        if (width > 820) {
          await page.locator('tessera-policy-menu button').first().click();
          await page.getByRole('button', { name: 'Show the source pane' }).click();
          await waitForEditor(page);
          equal(await findingsInBothThemes(page), [], 'policies and the source, with a search');
          await page.keyboard.press('Escape');
        }
        if (width > 1390) return; // what follows lies in panes that more width does not change
        await dispatch(page, { type: 'query', query: '' });
        await resultsAreClean(page);
        await othersAreClean(page);
      },
    );

  harness.test(
    '360 pixels: no sideways scrolling, everything reachable, axe clean',
    { context: { viewport: { width: 360, height: 780 }, hasTouch: true, reducedMotion: 'reduce' } },
    async (page) => {
      const wide = () =>
        page.evaluate(
          () =>
            document.documentElement.scrollWidth > window.innerWidth ||
            document.querySelector('tessera-app').scrollWidth > window.innerWidth,
        );
      for (const [tab, selector] of [
        ['Schedule', 'tessera-schedule .row'],
        ['L1 map', 'tessera-schedule canvas.map'],
        ['Why', 'tessera-why h2'],
        ['Source', 'tessera-source .text'],
      ]) {
        await page.locator('.tabs').getByRole('button', { name: tab }).click();
        await page.locator(selector).first().waitFor({ state: 'visible' });
        check(!(await wide()), `${tab} scrolls sideways`);
        equal(await seriousInBothThemes(page), [], tab);
      }
      await page.locator('.tabs').getByRole('button', { name: 'Schedule' }).click();
      await page.locator(`#row-${await rowNear(page, 4)} .op`).tap();
      await page.locator('.tabs').getByRole('button', { name: 'Why' }).click();
      await page.locator('tessera-why tbody tr').first().waitFor();
    },
  );

  harness.test('the views are one stop of Tab, and arrow keys go on', {}, async (page) => {
    const nav = page.locator('nav.views');
    await nav.getByRole('button', { name: 'Schedule' }).focus();
    equal(await nav.locator('button[tabindex="0"]').count(), 1, 'stops');
    const focused = () => nav.locator('button:focus').innerText();
    await page.keyboard.press('ArrowRight');
    const second = await focused();
    check(second !== 'Schedule', 'the next view has the focus');
    await page.keyboard.press('End');
    check((await focused()) !== second, 'the last view has the focus');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    equal(await nav.locator('[aria-current=true]').innerText(), second, 'Enter shows the view');
    equal(await nav.locator('button[tabindex="0"]').innerText(), second, 'and Tab comes back to it');
  });

  harness.test('the page is used by keyboard alone', { fresh: true }, async (page) => {
    await open(page, url);
    await waitForRows(page);
    const seen = new Set();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      seen.add(
        await page.evaluate(() => {
          let element = document.activeElement;
          while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          return element?.className?.toString().split(' ')[0] || element?.localName;
        }),
      );
      if (seen.has('scroller')) break;
    }
    check(seen.has('scroller'), `the schedule is reached by Tab: ${[...seen].join(', ')}`);
    await page.keyboard.press('ArrowDown');
    equal(await state(page, 'selected'), await firstRow(page), 'first row');
  });
}

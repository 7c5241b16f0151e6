// The whole run at once: minimap, filters, DRAM on demand, the graph of the chains, bytes per core.
import { findings } from './axe.mjs';
import { check, equal } from './harness.mjs';
import { addressWritten, colors, colorsOf, dispatch, drop, longGraph, open, settled, state, until } from './page.mjs';
import { waitForRows } from './page.mjs';

const schedule = (page, read, more) =>
  page.evaluate(
    ([text, given]) => {
      const element = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
      const root = element.renderRoot;
      const scroller = root.querySelector('.scroller');
      const first = () => element.order.rowAt(Math.floor(scroller.scrollTop / 26));
      const known = {
        first,
        lines: () => element.order.lines,
        minimapNodes: () => root.querySelector('tessera-minimap').renderRoot.querySelectorAll('*').length,
        range: () => root.querySelector('tessera-minimap').range_,
        badges: () => [...new Set([...root.querySelectorAll('.row .badge')].map((one) => one.className))],
        heads: () => [...root.querySelectorAll('[role=columnheader]')].map((one) => one.className),
      };
      return known[text](given);
    },
    [read, more],
  );

async function openLong(page, ops) {
  await drop(page, 'long.mlir', longGraph(ops));
  await until(page, async () => (await state(page, 'source.origin.name')) === 'long.mlir', 'the file');
  await settled(page);
}

export function overviewTests(harness, { url, fakeEngine }) {
  const strip = (page) => page.getByRole('slider', { name: 'Whole run' });

  harness.test('the minimap shows the whole run and leads to every part of it', {}, async (page) => {
    await openLong(page, 1000);
    await strip(page).waitFor();
    const rows = (await state(page, 'report.run.rows')).length;
    check((await colors(page, 'tessera-minimap canvas')) >= 3, 'time and L1 are drawn');
    check((await schedule(page, 'minimapNodes')) < 20, 'few nodes, whatever the number of steps');
    const { x, y, width } = await strip(page).boundingBox();
    const reached = (test, what) => until(page, async () => test(await schedule(page, 'first')), what);
    await page.mouse.click(x + 0.75 * width, y + 30);
    await reached((first) => first > 0.6 * rows && first < 0.8 * rows, 'the place of the click');
    await page.mouse.down();
    await page.mouse.move(x + 0.25 * width, y + 30, { steps: 5 });
    await page.mouse.up();
    await reached((first) => first > 0.12 * rows && first < 0.3 * rows, 'the place of the drag');
    await strip(page).focus();
    await page.keyboard.press('End');
    await reached((first) => first > 0.9 * rows, 'the end');
    const text = await strip(page).getAttribute('aria-valuetext');
    check(/steps \d+ to \d+ of [\d,]+ steps.*of the time.*L1 up to/.test(text), text);
    await page.keyboard.press('Home');
    await reached((first) => first === 0, 'the beginning');
    await page.keyboard.press('PageDown');
    await reached((first) => first > 10, 'a page on');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    const range = await until(page, () => schedule(page, 'range'), 'a part of the run');
    check(range.end - range.from <= rows / 4 + 1, `${range.end - range.from} steps after two presses`);
    await page.getByRole('button', { name: 'More steps, smaller' }).click();
    await strip(page).focus();
    await page.keyboard.press('0');
    await until(page, async () => (await schedule(page, 'range')) === null, 'all of the run');
    equal(await findings(page), [], 'axe');
  });

  harness.test('filters show some steps alone, on the same map, and stand in the link', {}, async (page) => {
    const rows = (await state(page, 'report.run.rows')).length;
    const filter = page.locator('tessera-filter-menu');
    await filter.getByRole('button', { name: 'Filter' }).click();
    equal(await findings(page), [], 'axe, the open menu');
    await filter.getByLabel(/^L1/).check();
    await until(page, async () => (await schedule(page, 'lines')) < rows, 'fewer lines');
    const shown = await schedule(page, 'lines');
    check(!(await schedule(page, 'badges')).some((kind) => kind.includes('k-dram')), 'nothing in DRAM is left');
    await filter.getByText(`${shown} of`).waitFor();
    check((await colors(page, 'canvas.map')) >= 4, 'the map of these steps');
    await page.keyboard.press('Escape');
    await addressWritten(page);
    const link = page.url();
    await page.getByRole('button', { name: 'Show all steps' }).click();
    await until(page, async () => (await schedule(page, 'lines')) >= shown + 1, 'all lines');
    await dispatch(page, { type: 'query', query: 'relu' });
    await filter.getByRole('button', { name: 'Filter' }).click();
    await filter.getByLabel('what the search finds').check();
    await page.keyboard.press('Escape');
    const found = await page.evaluate(
      () => document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule').rows_.matches.length,
    );
    equal(await schedule(page, 'lines'), found, 'lines of the search');
    const hidden = await page.evaluate(() => {
      const { rows_: finder } = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
      return [...Array(finder.order.rowAt(finder.order.lines - 1)).keys()].find((row) => !finder.order.shows(row));
    });
    await dispatch(page, { type: 'select', row: hidden });
    await until(page, async () => (await state(page, 'view.filters')).length === 0, 'the filter goes');
    await addressWritten(page); // else it is the link still, and a reload brings back what was seen last
    await page.goto(link);
    await page.evaluate(() => location.reload());
    await waitForRows(page);
    await until(page, async () => (await schedule(page, 'lines')) === shown, 'the filter of the link');
    await dispatch(page, { type: 'view', view: { filters: ['family:none'] } });
    await page.getByText('No step passes the filter').waitFor();
    await page.locator('.none').getByRole('button', { name: 'Show all steps' }).click();
    await until(page, async () => (await schedule(page, 'lines')) > shown, 'all again');
  });

  harness.test('DRAM has a column and a map on demand', {}, async (page) => {
    await page.waitForSelector('tessera-minimap canvas');
    check(!(await schedule(page, 'heads')).includes('h-dram'), 'no column at first');
    const filter = page.locator('tessera-filter-menu');
    await filter.getByRole('button', { name: 'Filter' }).click();
    await filter.getByLabel('DRAM traffic').check();
    await page.keyboard.press('Escape');
    await until(page, async () => (await schedule(page, 'heads')).includes('h-dram'), 'the column');
    const told = await page.locator('tessera-schedule .row > .dram').allInnerTexts();
    check(
      told.some((text) => /^[\d,.]+ [KM]?B$/.test(text.trim())),
      told.slice(0, 8).join(),
    );
    await page.getByRole('button', { name: 'DRAM map' }).click();
    await page.locator('tessera-schedule .h-map', { hasText: 'DRAM per bank' }).waitFor();
    if (!fakeEngine) check((await colors(page, 'canvas.map')) >= 3, 'what lies in DRAM');
    equal(await findings(page), [], 'axe');
    await addressWritten(page);
    await page.evaluate(() => location.reload());
    await page.locator('tessera-schedule .h-map', { hasText: 'DRAM per bank' }).waitFor();
    await page.getByRole('button', { name: 'L1 map' }).click();
    await page.locator('tessera-schedule .h-map', { hasText: 'L1 per core' }).waitFor();
  });

  const kReadback = { expect: [/willReadFrequently/] };
  harness.test('what scrolls into view is drawn as if all were drawn anew', kReadback, async (page) => {
    await page.waitForSelector('tessera-minimap canvas');
    await dispatch(page, { type: 'select', row: await state(page, 'report.run.totals.peakStep') });
    const differing = await page.evaluate(async () => {
      const element = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
      const { renderRoot: root } = element;
      await element.updateComplete;
      const pixels = (name) => {
        const canvas = root.querySelector(`canvas.${name}`);
        const options = { willReadFrequently: true };
        return canvas.getContext('2d', options).getImageData(0, 0, canvas.width, canvas.height).data;
      };
      const both = () => [pixels('map'), pixels('lanes')];
      const drawn = [];
      for (const by of [300, 260, 900, -520, -210, 330, 120]) {
        root.querySelector('.scroller').scrollTop += by;
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
        drawn.push(element.window_.first);
      }
      const before = both();
      element.palette_ = null; // of other colours nothing is kept
      element.requestUpdate();
      await element.updateComplete;
      const anew = both();
      // Edges of lines that end where parts meet are smoothed otherwise: a few pixels.
      const shares = before.map((one, at) => one.filter((value, i) => Math.abs(value - anew[at][i]) > 24).length);
      return { moved: new Set(drawn).size > 3, much: shares.some((count, at) => count > before[at].length / 5000) };
    });
    equal(differing, { moved: true, much: false }, 'map and lanes after some scrolling');
  });

  harness.test('Why tells the bytes of each core at the step', {}, async (page) => {
    await dispatch(page, { type: 'select', row: await state(page, 'report.run.totals.peakStep') });
    const cores = page.locator('tessera-why svg.bytes');
    await cores.waitFor();
    const [rows, columns] = await state(page, 'report.device.grid');
    equal(await cores.locator('g').count(), rows * columns, 'cores');
    const label = await cores.getAttribute('aria-label');
    check(/L1 of each core at step \d+: [\d,.]+ K?B.*budget/.test(label), label);
    const most = Math.max(...(await cores.locator('text').allTextContents()).map(Number));
    const row = await page.evaluate(() => {
      const { report, selected } = document.querySelector('tessera-app').state;
      return report.run.rows[selected].l1;
    });
    equal(most, Math.round((row.tensors + row.circularBuffers) / 1024), 'the fullest core, in KB');
  });

  harness.test(
    'the graph of the chains comes when it is opened, by mouse, keys and as a table',
    { fresh: true },
    async (page, context) => {
      const asked = [];
      context.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)));
      await open(page, url);
      await waitForRows(page);
      await settled(page);
      await page.waitForSelector('tessera-minimap canvas');
      const loaded = () => asked.filter((name) => /^(graph|layout_worker)-/.test(name)).length;
      equal(loaded(), 0, 'nothing of it is loaded before');
      await page.getByRole('button', { name: 'Graph', exact: true }).click();
      const view = page.getByRole('application', { name: 'Graph of the L1 chains' });
      await until(page, async () => (await view.getAttribute('aria-busy')) === 'false', 'the layout');
      equal(loaded(), 2, 'its chunk and its worker');
      await until(page, async () => (await colorsOf(page.locator('tessera-graph canvas'))) >= 6, 'a drawn graph');
      await view.focus();
      await page.keyboard.press('ArrowDown');
      const said = () => page.locator('tessera-graph [role=status]').innerText();
      const first = await said();
      await page.keyboard.press('ArrowDown');
      await until(page, async () => (await said()) !== first, 'the next node');
      await page.keyboard.press('Enter');
      const selected = await until(page, async () => (await state(page, 'selected')) >= 0, 'a selection');
      check(selected, 'an op is selected');
      await page.getByText('As a table').click();
      const nodes = await page.evaluate(
        () => document.querySelector('tessera-app').renderRoot.querySelector('tessera-graph').laid_.graph.nodes.length,
      );
      const rows = page.locator('tessera-graph tbody tr');
      await until(page, async () => (await rows.count()) > 0, 'the table');
      equal(await rows.count(), Math.min(200, nodes), 'rows of the table');
      await page.locator('tessera-graph tbody button').last().click();
      await page.getByRole('button', { name: 'In the schedule' }).click();
      await page.locator('tessera-schedule .row.selected').waitFor();
    },
  );
}

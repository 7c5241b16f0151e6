// How much the page asks of the machine: what can be counted is held to a budget, times are printed beside their goals.
import { existsSync, readFileSync } from 'node:fs';
import { check, equal } from './harness.mjs';
import {
  dispatch,
  drawnAfterDrop,
  drop,
  longGraph,
  open,
  settled,
  known,
  state,
  until,
  waitForEditor,
  waitForRows,
} from './page.mjs';

const { asserted, goals } = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'));

export function budgetTests(harness, { url, fakeEngine }) {
  harness.test(
    'code comes once for all workers, and the editor with its pane alone',
    { fresh: true },
    async (page, context) => {
      const asked = [];
      context.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)));
      const sizes = new Map();
      page.on('response', async (response) => {
        const name = new URL(response.url()).pathname.split('/').at(-1);
        if (name.startsWith('index-')) sizes.set(name, (await response.body()).length);
      });
      await open(page, url);
      await waitForRows(page);
      await settled(page);
      await until(page, () => spareReady(page), 'the second worker');
      const count = (test) => asked.filter(test).length;
      if (!fakeEngine)
        equal(
          count((name) => name === 'tessera.wasm'),
          asserted.engineFetches,
          'fetches of the engine',
        );
      equal(
        count((name) => name.startsWith('editor-')),
        asserted.editorFetches,
        'fetches of the editor',
      );
      const first = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      check(first > 0 && first <= asserted.firstChunkBytes, `the first chunk has ${first} bytes`);
      equal(await page.locator('tessera-source textarea').count(), 0, 'nothing is fed to a closed pane');
      await waitForEditor(page);
      equal(
        count((name) => name.startsWith('editor-')),
        1,
        'the editor comes when its pane is opened',
      );
      await page.getByRole('button', { name: 'Hide the source pane' }).click();
      const shown = () =>
        page.evaluate(() =>
          document.querySelector('tessera-app').renderRoot.querySelector('tessera-source').editor_.text(),
        );
      const before = await shown();
      await drop(page, 'long.mlir', longGraph(100));
      await until(page, async () => (await state(page, 'source.origin.name')) === 'long.mlir', 'the file');
      await settled(page);
      equal(await shown(), before, 'the hidden editor is not fed');
      await page.getByRole('button', { name: 'Show the source pane' }).click();
      await until(page, async () => (await shown()) === longGraph(100), 'the text when it is opened');
    },
  );

  // TESSERA_LARGE=1 npm run test:browser -- '20000 ops'
  for (const ops of process.env.TESSERA_LARGE ? [20_000] : [1000, 10_000])
    harness.test(
      `${ops} ops: from drop to picture, scrolling, memory`,
      { fresh: true, slow: ops > 1000, context: { viewport: { width: 1390, height: 900 } } },
      async (page, context) => {
        page.setDefaultTimeout(90_000);
        await open(page, url);
        await waitForRows(page);
        await settled(page);
        await until(page, () => spareReady(page), 'a page at rest: both workers are warm');
        await watchTasks(page);
        const processor = await processorTimes(page);
        await drop(page, 'long.mlir', longGraph(ops));
        const { at: dropped, drawn } = await drawnAfterDrop(page, 90_000);
        const tasks = await page.evaluate(
          (from) => window.tasks.filter(({ at }) => at >= from).map(({ ms }) => ms),
          dropped,
        );
        const spent = await processor();
        const scroll = await scrollTimes(page);
        const session = await context.newCDPSession(page);
        await session.send('HeapProfiler.collectGarbage');
        const { usedSize } = await session.send('Runtime.getHeapUsage');
        const counts = await page.evaluate(() => {
          const root = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule').renderRoot;
          return { rows: root.querySelectorAll('.row').length, nodes: root.querySelectorAll('*').length };
        });
        const goal = goals[ops];
        console.log(
          `        ${ops} ops: drawn after ${Math.round(drawn)} ms (goal ${goal.drawnMs}), longest task ` +
            `${Math.round(Math.max(0, ...tasks))} ms (${goal.longestTaskMs}), ` +
            `scroll p95 ${scroll.toFixed(1)} ms (${goal.scrollP95Ms}), ` +
            `heap of the page ${Math.round(usedSize / 1e6)} MB (${goal.heapMb}), ` +
            `${await speed(page)} of a plain loop`,
        );
        const memory = await rendererMemory(page);
        console.log(
          `        ${ops} ops: processor time of the page's thread ${spent} ms` +
            (memory === null ? '' : `, memory of the largest renderer ${memory} MB (${goal.rendererMb})`),
        );
        await openGraph(page);
        check(counts.rows <= asserted.rowsInDom, `${counts.rows} rows in the DOM`);
        check(counts.nodes <= asserted.domNodes, `${counts.nodes} nodes`);
        check(usedSize / 1e6 <= goal.heapMb, `${Math.round(usedSize / 1e6)} MB`);
      },
    );

  harness.test('a dragged slider asks for little at a time', {}, async (page) => {
    await watchTasks(page);
    for (let value = 1; value >= 0.5; value -= 0.02) {
      await dispatch(page, { type: 'option', id: 'tensor-l1-usage-cap', value: Number(value.toFixed(2)) });
      await page.waitForTimeout(16);
    }
    await settled(page);
    const tasks = await page.evaluate(() => window.tasks.map(({ ms }) => ms));
    console.log(
      `        longest task of a drag ${Math.round(Math.max(0, ...tasks))} ms (goal ${goals.sliderLongestTaskMs}), ` +
        `${await speed(page)} of a plain loop`,
    );
    check(await known(page, 'report.run'), 'a picture at the end');
  });
}

const spareReady = (page) => page.evaluate(() => document.querySelector('tessera-app').client.spareReady);

// The function that comes back tells how long the page's own thread has computed since, whatever else the machine does.
async function processorTimes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  const read = async () =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const before = await read();
  return async () => Math.round(1000 * ((await read()) - before));
}

// What a renderer has for itself, of the page and its workers; null where the system does not tell. Of tests side by
// side the largest is measured.
async function rendererMemory(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => `/proc/${id}/smaps_rollup`)
    .filter((file) => existsSync(file))
    .map((file) => Number(/Pss_Anon:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0));
  return sizes.length === 0 ? null : Math.round(Math.max(...sizes) / 1024);
}

// The graph of as many ops: laid out beside the page.
async function openGraph(page) {
  await page.evaluate(() => (window.tasks = []));
  await dispatch(page, { type: 'view', view: { main: 'graph' } });
  await page.locator('tessera-graph .view[aria-busy=false]').waitFor();
  await page.locator('tessera-graph label input').check(); // every op as a node
  await page.locator('tessera-graph .view[aria-busy=false]').waitFor();
  const tasks = await page.evaluate(() => window.tasks.map(({ ms }) => ms));
  console.log(`        longest task of the graph ${Math.round(Math.max(0, ...tasks))} ms`);
  check((await page.locator('tessera-graph *').count()) < 80, 'few nodes in the DOM');
}

const watchTasks = (page) =>
  page.evaluate(() => {
    performance.clearMarks();
    window.tasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.tasks.push({ at: startTime, ms: duration });
    }).observe({ type: 'longtask' });
  });

// What a frame takes to prepare while the schedule scrolls: 95 of 100.
const scrollTimes = (page) =>
  page.evaluate(async () => {
    const { renderRoot } = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
    const scroller = renderRoot.querySelector('.scroller');
    const times = [];
    for (let step = 0; step < 100; step++) {
      const begun = performance.now();
      scroller.scrollTop += 97;
      scroller.dispatchEvent(new Event('scroll'));
      await new Promise((resolve) => queueMicrotask(resolve));
      void scroller.offsetHeight;
      times.push(performance.now() - begun);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.toSorted((a, b) => a - b)[95];
  });

// Says how busy the machine is: the same loop takes about 10 ms where nothing else runs.
const speed = (page) =>
  page.evaluate(() => {
    const begun = performance.now();
    let sum = 0;
    for (let at = 0; at < 5_000_000; at++) sum = (sum * 31 + at) | 0;
    return `${(performance.now() - begun + (sum & 0)).toFixed(0)} ms`;
  });

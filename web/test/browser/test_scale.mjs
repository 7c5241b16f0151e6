import { check, equal } from './harness.mjs';
import { drawnAfterDrop, drop, longGraph, open, state, until, waitForEditor, waitForRows, colors } from './page.mjs';

export function scaleTests(harness, { url, corpus }) {
  if (corpus === null) harness.skip('a real ResNet-50 is dropped and drawn', '../shared/corpus is not there');
  else {
    harness.test('a real ResNet-50 is dropped and drawn', {}, async (page) => {
      await waitForEditor(page);
      await until(page, () => page.evaluate(() => document.querySelector('tessera-app').client.spareReady), 'a spare');
      await page.evaluate(() => performance.clearMarks());
      await drop(page, 'resnet50_xla.mlir', corpus);
      const times = await drawnAfterDrop(page);
      check(
        (await state(page, 'source.origin.name')) === 'resnet50_xla.mlir' &&
          (await state(page, 'report.run.rows')).length > 50,
        'the schedule',
      );
      check((await colors(page, 'canvas.map')) >= 8, 'the map');
      console.log(
        `        from drop to drawn frame ${Math.round(times.drawn)} ms ` +
          `(engine ${Math.round(times.engine)} ms, report after ${Math.round(times.report)} ms)`,
      );
    });
  }

  harness.test('10,000 ops scroll', { fresh: true, slow: true }, async (page) => {
    page.setDefaultTimeout(60_000);
    await open(page, url);
    await waitForRows(page);
    await drop(page, 'long.mlir', longGraph(10_000));
    await until(
      page,
      async () => (await state(page, 'source.origin.name')) === 'long.mlir' && (await state(page, 'running')) === false,
      'the run',
      90_000,
    );
    const rows = await page.evaluate(() => document.querySelector('tessera-app').state.report.run.rows.length);
    check(rows > 5000 || rows > 800, `${rows} rows`);
    const frames = await page.evaluate(async () => {
      const schedule = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
      const scroller = schedule.renderRoot.querySelector('.scroller');
      let [made, renders] = [0, 0];
      const count = (node) => (node instanceof Element ? 1 + node.querySelectorAll('*').length : 0);
      const counter = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) made += count(node);
      });
      counter.observe(scroller, { childList: true, subtree: true });
      schedule.render = () => (renders++, Object.getPrototypeOf(schedule).render.call(schedule));
      const times = [];
      let before = performance.now();
      for (let step = 0; step < 90; step++) {
        scroller.scrollTop += 371;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        times.push(now - before);
        before = now;
      }
      await new Promise((resolve) => setTimeout(resolve, 400)); // rows at rest are put into order
      counter.disconnect();
      delete schedule.render;
      const ranks = [...scroller.querySelectorAll('.row')].map(({ ariaRowIndex }) => Number(ariaRowIndex));
      times.sort((a, b) => a - b);
      return {
        ...{ made, renders, sorted: ranks.every((rank, at) => at === 0 || rank > ranks[at - 1]) },
        middle: times[45],
        p90: times[81],
        inDom: scroller.querySelectorAll('.row').length,
        first: scroller.querySelector('.row').id,
      };
    });
    console.log(
      `        ${rows} rows, engine ${Math.round(await state(page, 'durationMs'))} ms, frame while scrolling ` +
        `${frames.middle.toFixed(1)} ms (p90 ${frames.p90.toFixed(1)} ms), ${frames.inDom} rows in the DOM, ` +
        `${frames.made} elements made`,
    );
    // Rows leave their elements to others: 90 steps of 14 rows with some 25 elements each would make 30,000.
    check(frames.made < 4000, `${frames.made} elements were made`);
    equal(frames.renders, 0, 'renderings of the whole schedule');
    check(frames.sorted, 'the rows stand in the DOM as they are seen');
    check(frames.inDom < 130, 'rows in the DOM');
    check(frames.first !== 'row-0', 'the window moved');
    await page.locator('.scroller').focus();
    await page.keyboard.press('End');
    await until(page, async () => page.locator(`#row-${rows - 1}`).isVisible(), 'the last row');
  });
}

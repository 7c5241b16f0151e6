// The first picture comes before the engine: from a report that was made when the page was built.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { firstPicture } from '../../scripts/first_picture.mjs';
import { loadEngine, samples, textOf } from '../../scripts/made_reports.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { settled, until, waitForRows } from './page.mjs';
import { kDist, startServer } from './server.mjs';

const { asserted, goals } = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'));
const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const kNative = ['dev', 'asan', 'release'].map((kind) => join(kRoot, 'build', kind, 'bin', 'tessera')).find(existsSync);
const kSlow = { offline: false, latency: 20, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

export function firstPictureTests(harness, { url, fakeEngine }) {
  harness.test('reports made ahead of time are what the engine answers', { fresh: true }, async () => {
    if (fakeEngine) throw new Skipped('they are the real engine’s');
    const engine = await loadEngine();
    check(samples.length > 10, 'samples');
    for (const sample of samples) {
      const made = readFileSync(join(kDist, 'samples', `${sample.id}.report.json`), 'utf8');
      equal(made === engine.run(textOf(sample), '{}'), true, `${sample.id}, by the engine`);
      if (kNative === undefined) continue;
      const options = { encoding: 'utf8', maxBuffer: 1 << 28, input: textOf(sample), stdio: 'pipe' };
      equal(`${made}\n` === execFileSync(kNative, ['run', '-', '--json'], options), true, `${sample.id}, natively`);
    }
  });

  harness.test(
    'the picture that comes with the page is of the engine’s run',
    { fresh: true },
    async (page, context) => {
      if (fakeEngine) throw new Skipped('it is the real engine’s');
      const html = readFileSync(join(kDist, 'index.html'), 'utf8');
      check(html.includes(await firstPicture()), 'made anew it is the same');
      const off = await context.browser().newContext({ javaScriptEnabled: false, viewport: page.viewportSize() });
      const plain = await off.newPage();
      await plain.goto(url);
      const top = (await plain.locator('.first svg').boundingBox()).y;
      await off.close();
      const drawn = new Map(); // line -> its texts: step, name, place, time
      const table = /<svg.*?<pattern|<svg.*<\/svg>/s.exec(html)[0];
      for (const [, y, text] of table.matchAll(/<text x="[\d.]+" y="(\d+)"[^>]*>([^<]*)</g))
        drawn.set(top + Number(y), [...(drawn.get(top + Number(y)) ?? []), text]);
      await page.goto(url);
      await waitForRows(page);
      await settled(page);
      equal(await page.locator('.first, .first-head').count(), 0, 'pictures that are left');
      const rows = await page.evaluate(() => {
        const { renderRoot } = document.querySelector('tessera-app').renderRoot.querySelector('tessera-schedule');
        return [...renderRoot.querySelectorAll('.row')].slice(0, 20).map((row) => {
          const { top: at, height } = row.getBoundingClientRect();
          return [
            at + height / 2,
            ...['.step', '.op', '.time'].map((part) => row.querySelector(part).innerText.trim()),
          ];
        });
      });
      for (const [middle, step, name, time] of rows) {
        const texts = [...drawn].find(([y]) => Math.abs(y - middle) <= 2)?.[1];
        check(texts !== undefined, `step ${step} stands elsewhere: ${middle}, ${[...drawn.keys()].slice(0, 4)}`);
        equal([texts[0], texts[3] === '' ? '–' : texts[3]], [step, time], name);
        check(name.replace(/\s+/g, ' ').startsWith(texts[1].replace('…', '')), `${texts[1]} is ${name}`);
      }
      await page.goto('about:blank');
      await page.goto(`${url}#nothing`);
      equal(await page.locator('.first:visible').count(), 0, 'a link has none');
    },
  );

  harness.test(
    'the first schedule is drawn of little, before the engine is asked for',
    { fresh: true, context: { viewport: { width: 1390, height: 800 } } },
    async (page, context) => {
      if (fakeEngine) throw new Skipped('it has no reports made ahead of time');
      const server = await startServer({ compress: true });
      try {
        await measureFirst(page, context, server.url);
      } finally {
        await server.close();
      }
    },
  );
}

async function measureFirst(page, context, url) {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', kSlow);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const answers = [];
  page.on('response', (response) => answers.push(response));
  await page.addInitScript(watch);
  await page.goto(url);
  const drawn = () => page.evaluate(() => performance.getEntriesByName('tessera-drawn')[0]?.startTime ?? 0);
  const at = await until(page, drawn, 'the page’s own picture');
  const first = await page.evaluate(() => window.firstDrawn);
  const loaded = await page.evaluate(loadedBefore, at);
  const early = answers.filter((answer) => loaded.includes(answer.url()) || answer.url() === url);
  check(loaded.length > 5, 'files of the first picture');
  check(!loaded.some((address) => address.includes('/engine/')), 'the engine came first');
  const sizes = await Promise.all(early.map(async (answer) => gzipSync(await answer.body(), { level: 9 }).length));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const ready = await until(page, () => page.evaluate(isReady), 'the engine');
  const longest = await page.evaluate(
    (from) => Math.max(0, ...window.tasks.filter((one) => one[0] > from).map((one) => one[1])),
    at,
  );
  console.log(
    `        first picture: ${Math.round(first)} ms (goal ${goals.firstPictureMs}), ` +
      `the page's own ${Math.round(at)} ms, ` +
      `${(bytes / 1000).toFixed(1)} KB after gzip (${asserted.firstPictureBytes / 1000}); ` +
      `engine after ${Math.round(ready)} ms, longest task on the way ${longest} ms ` +
      `(goal ${goals.engineStartLongestTaskMs})`,
  );
  check(first > 0 && first < at, 'a picture before the page’s own');
  check(bytes <= asserted.firstPictureBytes, `${bytes} bytes before the first picture`);
}

// Runs in the page.
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, Math.round(duration)]);
  }).observe({ type: 'longtask', buffered: true });
  // When a frame was painted with the rows of the picture that came with the page.
  window.firstDrawn = 0;
  const look = () => {
    const rows = document.querySelectorAll('.first text');
    if (rows.length < 20 || rows[rows.length - 1].getBoundingClientRect().height === 0)
      return requestAnimationFrame(look);
    requestAnimationFrame(() => (window.firstDrawn = performance.now()));
  };
  requestAnimationFrame(look);
}
const isReady = () => document.querySelector('tessera-app').state.engine === 'ready' && performance.now();
const loadedBefore = (end) =>
  performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime < end)
    .map(({ name }) => name);

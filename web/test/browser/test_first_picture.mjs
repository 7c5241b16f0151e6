// The first picture comes before the engine: from a report that was made when the page was built.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadEngine, samples, textOf } from '../../scripts/made_reports.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { until } from './page.mjs';
import { kDist } from './server.mjs';

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
    'the first schedule is drawn of little, before the engine is asked for',
    { fresh: true, context: { viewport: { width: 1390, height: 800 } } },
    async (page, context) => {
      if (fakeEngine) throw new Skipped('it has no reports made ahead of time');
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', kSlow);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const answers = [];
      page.on('response', (response) => answers.push(response));
      await page.addInitScript(watch);
      await page.goto(url);
      const drawn = () => page.evaluate(() => performance.getEntriesByName('tessera-drawn')[0]?.startTime ?? 0);
      const at = await until(page, drawn, 'the first picture');
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
        `        first picture: ${(bytes / 1000).toFixed(1)} KB after gzip (${asserted.firstPictureBytes / 1000}), ` +
          `${Math.round(at)} ms (goal ${goals.firstPictureMs}); engine after ${Math.round(ready)} ms, ` +
          `longest task on the way ${longest} ms (goal ${goals.engineStartLongestTaskMs})`,
      );
      check(bytes <= asserted.firstPictureBytes, `${bytes} bytes before the first picture`);
    },
  );
}

// Runs in the page.
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, Math.round(duration)]);
  }).observe({ type: 'longtask', buffered: true });
}
const isReady = () => document.querySelector('tessera-app').state.engine === 'ready' && performance.now();
const loadedBefore = (end) =>
  performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime < end)
    .map(({ name }) => name);

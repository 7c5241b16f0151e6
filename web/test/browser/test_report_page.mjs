// A report as one file that opens from disk.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { findings } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { another, choosePolicy } from './page.mjs';
import { kDist } from './server.mjs';

const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const kNative = join(kRoot, 'build/dev/bin/tessera');
const kSample = join(kRoot, 'web/public/samples/transformer-layer.mlir');
const kMostBytes = 400_000; // of the page without its data

async function withFile(body) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-report-'));
  try {
    return await body(join(folder, 'report.html'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Opens the file; fails when it asks for anything.
async function openFile(page, path) {
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  await page.locator('tessera-schedule .row, tessera-compare table').first().waitFor();
  return () =>
    equal(
      asked.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:')),
      [page.url()],
      'requests',
    );
}

function natively(words) {
  if (!existsSync(kNative)) throw new Skipped('the native program is not built');
  execFileSync(kNative, words, { env: { ...process.env, TESSERA_REPORT_TEMPLATE: join(kDist, 'report.html') } });
}

export function reportPageTests(harness, { fakeEngine }) {
  harness.test('a report is one small file with all its views', { fresh: true }, (page) =>
    withFile(async (path) => {
      natively(['run', kSample, '--html', path]);
      const template = statSync(join(kDist, 'report.html')).size;
      console.log(`report.html without data: ${template} bytes`);
      check(template <= kMostBytes, `${template} bytes without data`);
      const asksNothing = await openFile(page, path);
      for (const title of ['L1 map', 'Steps', 'Graph', 'Schedule']) {
        await page.getByRole('button', { name: title, exact: true }).click();
        await page.locator('tessera-report .view > *').first().waitFor();
      }
      await page.locator('tessera-schedule .row').nth(3).click();
      await page.locator('tessera-why').waitFor();
      equal(await findings(page), [], 'axe');
      await page.setViewportSize({ width: 320, height: 640 });
      await page.getByRole('button', { name: 'Why', exact: true }).waitFor();
      equal(
        await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        true,
        'no sideways scrolling',
      );
      asksNothing();
    }),
  );

  harness.test('a comparison is one file, too', { fresh: true }, (page) =>
    withFile(async (path) => {
      natively(['compare', kSample, '--policies', 'DRAM,Greedy,Beam', '--html', path]);
      const asksNothing = await openFile(page, path);
      const chooser = page.getByLabel('Run', { exact: true });
      equal(await chooser.locator('option').count(), 3, 'runs');
      await chooser.selectOption('2');
      await page.getByRole('button', { name: 'Schedule', exact: true }).click();
      await page.locator('tessera-schedule .row').first().waitFor();
      equal(await findings(page), [], 'axe');
      asksNothing();
    }),
  );

  harness.test('the page makes the same file of its run', {}, (page, context) =>
    withFile(async (path) => {
      if (fakeEngine) throw new Skipped('the engine is not built');
      await another(page, () => choosePolicy(page, 'Beam'));
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('[data-export="html"]').click(),
      ]);
      await download.saveAs(path);
      const made = readFileSync(path, 'utf8');
      const { runs } = JSON.parse(/id="report-data">(.*?)<\/script>/s.exec(made)[1]);
      equal([runs.length, runs[0].options.policy], [1, 'Beam'], 'what is in the file');
      writeFileSync(path, made);
      const opened = await context.newPage();
      await openFile(opened, path);
      check((await opened.locator('tessera-schedule .row').count()) > 10, 'rows');
    }),
  );
}

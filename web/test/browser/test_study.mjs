// Studies: the file that `tessera study` writes, opened from disk, and the page's view Study.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { seriousInBothThemes } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { kDist } from './server.mjs';

const run = promisify(execFile);
const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const kProgram = join(kRoot, 'build/dev/bin/tessera');
const kGraphs = ['residual-block.mlir', 'fork-join.mlir', 'mlp.mlir'].map((name) =>
  join(kRoot, 'web/public/samples', name),
);

// A study of three samples by the program, in a folder that goes away.
async function withStudy(body) {
  if (!existsSync(kProgram)) throw new Skipped('the native program is not built');
  const folder = mkdtempSync(join(tmpdir(), 'tessera-study-'));
  try {
    const template = join(kDist, 'study-report.html');
    const env = { ...process.env, TESSERA_STUDY_TEMPLATE: template };
    await run(kProgram, ['study', ...kGraphs, '--devices', 'n150,p150', '-o', folder], { env });
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const charts = (page) => page.locator('tessera-study-chart svg[role=img]');

// Cells of the first table under a heading, line by line.
const tableOf = (page, heading) =>
  page.evaluate((title) => {
    const all = document.querySelector('tessera-study-report').renderRoot;
    const section = [...all.querySelectorAll('section')].find((one) => one.querySelector('h2').textContent === title);
    const lines = [...section.querySelector('table').rows];
    return lines.map((line) => [...line.cells].map((cell) => cell.textContent.trim()));
  }, heading);

export function studyTests(harness) {
  harness.test('study.html opens from disk: nothing asked for, five charts, no finding', { fresh: true }, (page) =>
    withStudy(async (folder) => {
      const requests = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`file://${join(folder, 'study.html')}`);
      await charts(page).nth(4).waitFor();
      equal(requests.length, 1, 'the file alone');
      check(await page.locator('tessera-study-chart').evaluateAll((all) => all.length === 5), 'five charts');
      equal(await page.locator('#study-tables').count(), 0, 'the plain tables gave way');
      equal(await seriousInBothThemes(page), [], 'axe');
      await page.setViewportSize({ width: 390, height: 800 });
      check(await page.evaluate(() => document.documentElement.scrollWidth <= 390), 'nothing beside a narrow page');
    }),
  );

  harness.test('study.html says what the program’s own table says', { fresh: true }, (page) =>
    withStudy(async (folder) => {
      await page.goto(`file://${join(folder, 'study.html')}`);
      await charts(page).nth(4).waitFor();
      const byGraph = await tableOf(page, 'Time over the proven bound');
      // In the file, for readers without scripts: "<th>graph, device</th><td>time (ratio)</td>...".
      const source = readFileSync(join(folder, 'study.html'), 'utf8').split('<caption>Simulated time')[1];
      for (const [graph, ...ratios] of byGraph.slice(1)) {
        const line = source.split('\n').find((one) => one.includes(`${graph}, n150</th>`));
        const told = [...line.matchAll(/\(([\d.]+)\)/g)].map((match) => match[1]);
        equal(ratios, told, graph);
      }
      equal(byGraph.length, 1 + kGraphs.length, 'a line per graph');
      const { runs } = JSON.parse(readFileSync(join(folder, 'study.json'), 'utf8'));
      for (const [policy, count, failed, mean] of (await tableOf(page, 'Policies')).slice(1)) {
        const own = runs.filter((one) => one.policy === policy && one.device === 'n150');
        const product = own.reduce((all, { ratio }) => all * ratio, 1) ** (1 / own.length);
        equal([count, failed, mean], [`${own.length}`, '0', product.toFixed(3)], policy);
      }
      await page.getByLabel('Device').selectOption('p150');
      const other = await tableOf(page, 'Time over the proven bound');
      check(JSON.stringify(other) !== JSON.stringify(byGraph), 'the other device has other figures');
      await page.getByLabel('Graphs').fill('fork');
      equal((await tableOf(page, 'Time over the proven bound')).length, 2, 'one graph is left');
      const sort = page.getByRole('button', { name: 'Time', exact: true });
      await sort.focus();
      await page.keyboard.press('Enter');
      const times = async () => (await page.locator('tessera-study-runs tbody td:nth-child(5)').allInnerTexts()).length;
      equal(await page.locator('tessera-study-runs th[aria-sort=ascending]').count(), 1, 'sorted by keyboard');
      equal(await times(), 8, 'a line per policy');
    }),
  );
}

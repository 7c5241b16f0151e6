// Studies: the file that `tessera study` writes, opened from disk, and the page's view Study.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { seriousInBothThemes } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { state, until, waitForRows } from './page.mjs';
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

const openView = async (page) => {
  await page.getByRole('button', { name: 'Study', exact: true }).click();
  await page.locator('tessera-study-report').waitFor();
};

// Drops files on the page, all at once.
async function dropAll(page, files) {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer();
    for (const [name, text] of all) data.items.add(new File([text], name));
    return data;
  }, files);
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('tessera-app', event, { dataTransfer: transfer });
}

const statusText = (page) => page.locator('tessera-study .status').innerText();

// However long it takes, as long as it goes on.
async function finished(page) {
  for (let before = '', now = await statusText(page); !/ done$/.test(now); before = now) {
    now = await until(page, async () => [await statusText(page)].find((text) => text !== before), 'the study to go on');
  }
}

async function saved(page, title) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('tessera-study').getByRole('button', { name: title }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

// Tasks of the page that nothing could interrupt for so long, from now on.
const watchLongTasks = (page) =>
  page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
    }).observe({ type: 'longtask' });
  });

// The view keeps its files and settings for as long as the tab is open.
const kOwn = { own: true };

export function studyTests(harness) {
  harness.test('study view: the samples are there at once, and a run opens in the other views', kOwn, async (page) => {
    await openView(page);
    await charts(page).nth(4).waitFor();
    const names = await page.locator('tessera-study-runs tbody th button').allInnerTexts();
    check(names.length === 50, 'the first runs of the samples');
    equal(await seriousInBothThemes(page), [], 'axe');
    await page.getByLabel('Graphs').fill('mlp');
    const line = page.locator('tessera-study-runs tbody tr').filter({ hasText: 'DFSharding2' });
    await line.getByRole('button', { name: 'mlp' }).click();
    await waitForRows(page);
    await until(page, async () => (await state(page, 'report.policy.id')) === 'DFSharding2', 'the run of the policy');
    const { study } = await (await page.request.get(new URL('samples/study.json', page.url()).href)).json();
    const { row } = study.runs.find(({ graph, policy }) => graph === 'mlp' && policy === 'DFSharding2');
    equal(await state(page, 'report.run.totals.time'), row.time, 'the time that the study says');
  });

  harness.test('study view: dropped files run beside the page, with the figures of the program', kOwn, (page) =>
    withStudy(async (folder) => {
      const files = kGraphs.map((path) => [path.split('/').at(-1), readFileSync(path, 'utf8')]);
      await watchLongTasks(page);
      await dropAll(page, [...files, ['broken.mlir', 'nonsense'], ['notes.json', '{"schema": 7}']]);
      await page.locator('tessera-study').waitFor();
      await finished(page);
      const made = JSON.parse(await saved(page, 'JSON'));
      const program = JSON.parse(readFileSync(join(folder, 'study.json'), 'utf8'));
      for (const one of program.runs.filter(({ device }) => device === 'n150')) {
        const { key: _, ...own } = made.runs.find((two) => two.graph === one.graph && two.policy === one.policy);
        const { key: __, ...other } = one;
        equal(own, other, `${one.graph} ${one.policy}`);
      }
      const broken = made.runs.filter(({ graph }) => graph === 'broken');
      check(broken.length === 8 && broken.every(({ status }) => status === 'refused'), 'a broken graph is a row');
      check((await page.locator('tessera-study .body').innerText()).includes('1 file left out'), 'no graph, and said');
      check((await saved(page, 'Runs, CSV')).startsWith('graph,device,policy,status'), 'a table');
      check((await saved(page, 'One HTML file')).includes('id="study-data">{"schema":1'), 'a page with the data');
      const longest = await page.evaluate(() => Math.max(0, ...window.longTasks));
      console.log(`        longest task of a study ${longest} ms (goal 200)`);
    }),
  );

  harness.test('study view: what was stopped goes on, and the lab’s policy takes part', kOwn, async (page) => {
    const texts = kGraphs.map((path) => readFileSync(path, 'utf8'));
    const files = Array.from({ length: 12 }, (_, n) => [`g${n}.mlir`, `// ${n}\n${texts[n % texts.length]}`]);
    await openView(page);
    await page.locator('tessera-study .settings summary').click();
    await page.getByLabel('the one in the policy lab').check();
    await dropAll(page, files);
    const done = async () => Number(/^(?:stopped after )?(\d+) of \d+ run/.exec(await statusText(page))?.[1] ?? 0);
    await until(page, async () => (await done()) >= 5, 'some runs');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const before = await done();
    check(before >= 5 && before < 108, `stopped in the middle, after ${before}`);
    await page.getByRole('button', { name: 'Go on' }).click();
    await until(
      page,
      async () => (await done()) >= before || / done$/.test(await statusText(page)),
      'not from the start',
    );
    await finished(page);
    const { runs, arguments: asked } = JSON.parse(await saved(page, 'JSON'));
    equal(runs.length, 12 * 9, 'every run, once');
    equal(asked.outside[0].name, 'Policy lab', 'its name');
    const own = runs.filter(({ policy }) => policy === 'Policy lab');
    equal(own.length, 12, 'a run of it on every graph');
    equal(
      own.flatMap(({ row, reason }) => (row === null || row.time <= 0 ? [reason] : [])),
      [],
      'its plans are carried out',
    );
  });

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

// The page without a network, newer builds, the archive, and the page opened as a file.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { writeServiceWorker } from '../../scripts/offline.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { choosePolicy, settled, state, until, waitForRows } from './page.mjs';
import { kDist, startServer } from './server.mjs';

const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const kContext = { serviceWorkers: 'allow' };

async function withFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-offline-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Another build: its page and its engine can be told from those of the build at hand.
function makeBuild(folder, name) {
  cpSync(kDist, folder, { recursive: true });
  const page = join(folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('<title>', `<meta name="build" content="${name}"><title>`));
  appendFileSync(join(folder, 'engine', 'tessera.js'), `\n// build ${name}\n`);
  writeServiceWorker(folder);
}

// Which build the page and the engine that it would load are of.
const builds = (page) =>
  page.evaluate(async () => {
    const engine = await (await fetch('engine/tessera.js')).text();
    const inPage = document.querySelector('meta[name="build"]')?.content;
    return [inPage, /\/\/ build (\w+)/.exec(engine)?.[1]];
  });

const workerAt = (page, stage) =>
  until(
    page,
    () => page.evaluate(async (name) => (await navigator.serviceWorker.getRegistration())?.[name]?.state ?? '', stage),
    `a worker that is ${stage}`,
  );

export function offlineTests(harness, { fakeEngine }) {
  harness.test(
    'after one visit the page works without a network',
    { fresh: true, slow: true, context: kContext, expect: [/ERR_CONNECTION_REFUSED/] },
    async (page) => {
      if (fakeEngine) throw new Skipped('the engine is not built');
      const server = await startServer({ prefix: '/some/where/' });
      try {
        await page.goto(server.url);
        await waitForRows(page);
        await workerAt(page, 'active');
      } finally {
        await server.close();
      }
      await page.goto(server.url);
      await waitForRows(page);
      await settled(page);
      await choosePolicy(page, 'Beam');
      await until(page, async () => (await state(page, 'report.options.policy')) === 'Beam', 'a run of the engine');
      await page.goto(`${server.url}lab.html`);
      await page.locator('tessera-lab').waitFor();
      const answers = await page.evaluate(async () => {
        const statusOf = (path) => fetch(path).then(({ status }) => status);
        return [await statusOf('docs/glossary.html'), await statusOf('nothing').catch(() => 'no network')];
      });
      equal(answers, [200, 'no network'], 'what is kept, and what is not');
    },
  );

  harness.test(
    'a newer build comes whole, and not beside an older one',
    { fresh: true, slow: true, context: kContext },
    (page, context) =>
      withFolder(async (folder) => {
        makeBuild(join(folder, 'old'), 'old');
        makeBuild(join(folder, 'new'), 'new');
        let current = 'old';
        const server = await startServer({ root: () => join(folder, current) });
        try {
          await page.goto(server.url);
          await page.evaluate(() => navigator.serviceWorker.register('./service_worker.js'));
          await workerAt(page, 'active');
          await page.reload();
          equal(await builds(page), ['old', 'old'], 'the kept build');
          current = 'new';
          const second = await context.newPage();
          await second.goto(server.url);
          await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
          await workerAt(page, 'waiting');
          equal(await builds(page), ['old', 'old'], 'beside the newer build');
          await page.reload();
          await waitForRows(page);
          equal(await builds(page), ['old', 'old'], 'while another window has it');
          equal(await builds(second), ['old', 'old'], 'the other window');
          await second.close();
          await page.waitForTimeout(300); // the browser forgets the other window
          await page.reload();
          await page.locator('meta[name="build"][content="new"]').waitFor({ state: 'attached' });
          await waitForRows(page);
          equal(await builds(page), ['new', 'new'], 'after a reload of the only window');
          const kept = await page.evaluate(async () => {
            const names = await caches.keys();
            const keys = await (await caches.open(names[0])).keys();
            return [names.length, keys.filter(({ url }) => url.includes('/engine/tessera.js')).length];
          });
          equal(kept, [1, 1], 'caches, and engines in them');
        } finally {
          await server.close();
        }
      }),
  );

  harness.test('opened as a file the page says what to do', { fresh: true, expect: [/./] }, async (page) => {
    await page.goto(pathToFileURL(join(kDist, 'index.html')).href);
    const said = await page.locator('main').innerText();
    check(said.includes('http.server') && said.includes('http://127.0.0.1:8000/'), said);
  });

  harness.test('the archive runs from the simplest local server', { fresh: true }, (page) =>
    withFolder(async (folder) => {
      const archive = join(folder, 'site.zip');
      execFileSync(join(kRoot, 'scripts/site_zip'), ['-o', archive]);
      execFileSync('python3', ['-m', 'zipfile', '-e', archive, folder]);
      const words = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', join(folder, 'tessera')];
      const server = spawn('python3', words, { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        const port = await new Promise((resolve, reject) => {
          server.once('exit', reject);
          server.stdout.on('data', (text) => resolve(/port (\d+)/.exec(text)?.[1]));
        });
        await page.goto(`http://127.0.0.1:${port}/`);
        await waitForRows(page);
        const { name, display, icons } = await page.evaluate(async () => {
          const link = document.querySelector('link[rel="manifest"]').href;
          return (await fetch(link)).json();
        });
        equal([name, display, icons.length > 0], ['Tessera', 'standalone', true], 'what an installation reads');
      } finally {
        server.kill();
      }
    }),
  );
}

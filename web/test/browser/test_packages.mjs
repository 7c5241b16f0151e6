// The package tessera-playground as its users have it: installed from its tarball, in a project of Vite and beside a
// plain page.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pack } from '../../../packages/pack.mjs';
import { Skipped } from './harness.mjs';
import { until } from './page.mjs';
import { kDist, startServer } from './server.mjs';

const kHosts = ['react', 'vue', 'svelte'];
const kWeb = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const kElement = '<tessera-playground src="mlp.mlir" policy="DRAM" height="auto"></tessera-playground>';
const pageWith = (script) =>
  `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">${kElement}${script}</html>`;

// An empty project with the package and a graph.
function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-consumer-'));
  const { 'tessera-playground': tarball } = pack({ engine: join(kDist, 'engine'), names: ['tessera-playground'] });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, tarball], { cwd: folder, stdio: 'ignore' });
  mkdirSync(join(folder, 'public'));
  cpSync(join(kDist, 'samples', 'mlp.mlir'), join(folder, 'public', 'mlp.mlir'));
  return folder;
}

// A project with the frameworks of packages/hosts and the package.
function installedBeside(frameworks) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-hosts-'));
  const { 'tessera-playground': tarball } = pack({ engine: join(kDist, 'engine'), names: ['tessera-playground'] });
  cpSync(frameworks, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'tessera-playground'), { recursive: true });
  for (const name of readdirSync(join(frameworks, 'node_modules')))
    symlinkSync(join(frameworks, 'node_modules', name), join(modules, name));
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'tessera-playground')]);
  mkdirSync(join(folder, 'public'));
  cpSync(join(kDist, 'samples', 'mlp.mlir'), join(folder, 'public', 'mlp.mlir'));
  return folder;
}

function build(folder) {
  execFileSync(join(kWeb, 'node_modules/.bin/vite'), ['build', '--base', './', '--logLevel', 'error'], { cwd: folder });
}

async function showsRun(page, root) {
  const server = await startServer({ root, prefix: '/below/' });
  try {
    await page.goto(server.url);
    const report = page.locator('tessera-playground tessera-report');
    await report.locator('tessera-schedule .row').first().waitFor();
    await report.locator('.title', { hasText: 'DRAM only' }).waitFor();
    await page.waitForLoadState('networkidle'); // parts of the view that come later
  } finally {
    await server.close();
  }
}

export function packageTests(harness, { fakeEngine }) {
  harness.test(
    'the package runs in a project of Vite and in a plain page',
    { fresh: true, slow: true },
    async (page) => {
      if (fakeEngine) throw new Skipped('the engine is not built');
      const folder = installed();
      try {
        writeFileSync(join(folder, 'index.html'), pageWith('<script type="module" src="./main.js"></script>'));
        writeFileSync(join(folder, 'main.js'), "import 'tessera-playground';\n");
        build(folder);
        await showsRun(page, join(folder, 'dist'));
        const plain = join(folder, 'plain');
        cpSync(join(folder, 'node_modules/tessera-playground'), join(plain, 'tessera-playground'), { recursive: true });
        cpSync(join(folder, 'public', 'mlp.mlir'), join(plain, 'mlp.mlir'));
        const script = '<script type="module" src="./tessera-playground/embed/tessera-playground.js"></script>';
        writeFileSync(join(plain, 'index.html'), pageWith(script));
        await showsRun(page, plain);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
  harness.test(
    'React, Vue and Svelte set its properties and hear its events',
    { fresh: true, slow: true },
    async (page) => {
      if (fakeEngine) throw new Skipped('the engine is not built');
      const frameworks = join(kWeb, '..', 'packages', 'hosts');
      if (!existsSync(join(frameworks, 'node_modules'))) throw new Skipped('npm ci --prefix packages/hosts');
      const folder = installedBeside(frameworks);
      build(folder);
      const server = await startServer({ root: join(folder, 'dist') });
      try {
        for (const host of kHosts) {
          await page.goto(`${server.url}${host}.html`);
          const told = (what) => until(page, async () => (await page.locator('output').innerText()) === what, what);
          await told('DRAM 0.5');
          await page.getByRole('button', { name: 'Greedy' }).click();
          await told('Greedy 0.5');
          await page.locator('tessera-playground tessera-report tessera-schedule .row').first().waitFor();
          await page.waitForLoadState('networkidle');
        }
      } finally {
        await server.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

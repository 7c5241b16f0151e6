// The package tessera-playground as its users have it: installed from its tarball, in a project of Vite and beside a
// plain page.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pack } from '../../../packages/pack.mjs';
import { Skipped } from './harness.mjs';
import { kDist, startServer } from './server.mjs';

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
        execFileSync(join(kWeb, 'node_modules/.bin/vite'), ['build', '--base', './', '--logLevel', 'error'], {
          cwd: folder,
        });
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
}

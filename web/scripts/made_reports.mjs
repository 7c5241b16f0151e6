// What the engine answers on each sample without options, written beside the samples when the page is built: it is
// drawn before the engine has loaded. A build without the engine has none.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const kPublic = join(dirname(fileURLToPath(import.meta.url)), '..', 'public');
export const kEngine = join(kPublic, 'engine');

export const samples = JSON.parse(readFileSync(join(kPublic, 'samples', 'index.json'), 'utf8'));
export const textOf = ({ file }) => readFileSync(join(kPublic, 'samples', file), 'utf8');

export async function loadEngine() {
  const { default: create } = await import(pathToFileURL(join(kEngine, 'tessera.js')).href);
  return create({ wasmBinary: readFileSync(join(kEngine, 'tessera.wasm')), print: () => {}, printErr: console.error });
}

// Policies and devices by id and title, for controls that are there before the engine; none in a build without it.
export async function choices() {
  if (!existsSync(join(kEngine, 'tessera.wasm'))) return { policies: [], devices: [] };
  const { policies, devices } = JSON.parse((await loadEngine()).catalog());
  const named = (list) => list.map(({ id, title }) => ({ id, title }));
  return { policies: named(policies), devices: named(devices) };
}

// For vite.config.ts.
export function madeReports() {
  return {
    name: 'made-reports',
    apply: 'build',
    async generateBundle() {
      if (!existsSync(join(kEngine, 'tessera.wasm'))) return;
      const engine = await loadEngine();
      for (const sample of samples) {
        const source = engine.run(textOf(sample), '{}');
        this.emitFile({ type: 'asset', fileName: `samples/${sample.id}.report.json`, source });
      }
    },
  };
}

// Writes dist/service_worker.js, the last step of the build: its list of files is made from what is there.
//
//   node scripts/offline.mjs
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const kSource = join(dirname(fileURLToPath(import.meta.url)), 'service_worker.js');
const kElsewhere = /^(embed|guide)\//; // what other pages take, and the documentation
const kList = 'const kFiles = {};';
export const kWorker = 'service_worker.js';

function filesIn(folder, below = '') {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((name) => {
      const path = posix.join(below, name);
      return statSync(join(folder, path)).isDirectory() ? filesIn(folder, path) : [path];
    });
}

// `keeps`: whether a file is wanted without a network.
export function writeServiceWorker(dist, keeps = () => true) {
  const files = filesIn(dist).filter((path) => path !== kWorker && !path.endsWith('.map') && keeps(path));
  const hashOf = (path) =>
    createHash('sha256')
      .update(readFileSync(join(dist, path)))
      .digest('base64');
  const lines = files.map((path) => `  ${JSON.stringify(path)}: 'sha256-${hashOf(path)}',`);
  const source = readFileSync(kSource, 'utf8');
  if (!source.includes(kList)) throw new Error(`${kSource} has no line "${kList}"`);
  const text = source.replace(kList, () => `const kFiles = {\n${lines.join('\n')}\n};`);
  writeFileSync(join(dist, kWorker), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeServiceWorker(join(dirname(kSource), '..', 'dist'), (path) => !kElsewhere.test(path));

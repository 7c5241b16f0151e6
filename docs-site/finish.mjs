// After the build: addresses of the guide become relative, so that it works in any folder, and every link is followed.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = resolve(dirname(fileURLToPath(import.meta.url)), '../web/dist');
const guide = join(dist, 'guide');
const files = readdirSync(guide).filter((name) => name.endsWith('.html'));
const anchors = new Map();
const problems = [];

function anchorsOf(file) {
  if (!anchors.has(file)) {
    const ids = [...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    anchors.set(file, new Set(ids));
  }
  return anchors.get(file);
}

for (const name of files) {
  const file = join(guide, name);
  const text = readFileSync(file, 'utf8').replace(/\b(href|src)="\/(?!\/)/g, '$1="./');
  writeFileSync(file, text);
}
for (const name of files) {
  const file = join(guide, name);
  for (const [, address] of readFileSync(file, 'utf8').matchAll(/\s(?:href|src|report)="([^"]+)"/g)) {
    if (/^[a-z]+:/.test(address)) continue;
    const [path, anchor] = address.split('#');
    let target = path === '' ? file : join(guide, decodeURIComponent(path));
    if (existsSync(target) && statSync(target).isDirectory()) target = join(target, 'index.html');
    if (!existsSync(target)) problems.push(`${name}: ${address} leads nowhere`);
    else if (anchor && target.endsWith('.html') && !anchorsOf(target).has(decodeURIComponent(anchor)))
      problems.push(`${name}: ${address} has no such place`);
  }
}
for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`${files.length} pages, ${problems.length} problems`);
process.exit(files.length > 0 && problems.length === 0 ? 0 : 1);

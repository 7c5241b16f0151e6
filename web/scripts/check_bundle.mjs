// Checks the built page: what index.html loads at first stays small, the Content-Security-Policy is there and strict,
// and nothing refers to another host or makes code from text. Run after the build.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const kFirstLoadLimit = 120 * 1024; // bytes after gzip: page, style and scripts before the editor and the engine
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const problems = [];

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
for (const address of loaded)
  if (!address.startsWith('./')) problems.push(`index.html refers to ${address}: only ./ works from any folder`);
if (/\sstyle="/.test(page)) problems.push('index.html has a style attribute');
if (/<script(?![^>]*\ssrc=)/.test(page)) problems.push('index.html has an inline script');

const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1] ?? '';
for (const part of [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]) {
  if (!policy.includes(part)) problems.push(`the Content-Security-Policy lacks ${part}`);
}
for (const word of ["'unsafe-inline'", "'unsafe-eval'", 'http:', '*'])
  if (policy.includes(word)) problems.push(`the Content-Security-Policy has ${word}`);

// The engine is fetched ahead beside them; scripts/size_report holds it to a budget of its own.
const drawn = loaded.filter((address) => !address.endsWith('.wasm'));
const first = new Set([join(dist, 'index.html'), ...drawn.map((address) => join(dist, address))]);
// Chunks that these import statically are loaded at first, too; a set grows while it is gone through.
for (const file of first) {
  if (!file.endsWith('.js')) continue;
  for (const match of readFileSync(file, 'utf8').matchAll(/(?:^|[;}\s])import[^'"()]*?["']\.\/([\w.-]+\.js)["']/g))
    first.add(join(dirname(file), match[1]));
}
const bytes = [...first].reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
if (bytes > kFirstLoadLimit)
  problems.push(`the first load is ${bytes} bytes after gzip, ${kFirstLoadLimit} are allowed`);

function filesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
for (const file of filesIn(dist).filter((name) => name.endsWith('.js'))) {
  const text = readFileSync(file, 'utf8');
  if (/\bnew Function\s*\(|[^.\w]eval\s*\(/.test(text))
    problems.push(`${file.slice(dist.length + 1)} makes code from text`);
}

for (const problem of problems) console.log(`problem: ${problem}`);
console.log(`first load ${(bytes / 1024).toFixed(1)} KB after gzip, ${first.size} files`);
process.exit(problems.length === 0 ? 0 : 1);

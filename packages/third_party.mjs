// THIRD_PARTY.md of a package: the parts of others that its files contain, with their licences.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const kLicences = join(dirname(fileURLToPath(import.meta.url)), 'licences');
const kLlvm = { licence: 'Apache-2.0 WITH LLVM-exception', file: 'llvm.txt', source: 'https://llvm.org' };

// What the linker takes from Emscripten into a module, and by which words in the module's two files it shows.
const kToolchain = [
  {
    name: 'Emscripten (start-up code, Embind, emmalloc)',
    licence: 'MIT',
    file: 'emscripten.txt',
    source: 'https://github.com/emscripten-core/emscripten',
    shows: ({ glue }) => glue.includes('_embind_register_'),
  },
  {
    name: 'musl',
    licence: 'MIT',
    file: 'musl.txt',
    source: 'https://musl.libc.org',
    shows: ({ code }) => code.includes('-+   0X0x'), // of vfprintf
  },
  { name: 'libc++', ...kLlvm, shows: ({ code }) => code.includes('basic_string') || code.includes('St3__2') },
  { name: 'libc++abi', ...kLlvm, shows: ({ code }) => code.includes('__cxxabiv1') },
  { name: 'compiler-rt', ...kLlvm, shows: () => true }, // 128-bit and soft-float arithmetic; leaves no name
];

export function partsOfModule(folder, module) {
  const files = {
    glue: readFileSync(join(folder, `${module}.js`), 'latin1'),
    code: readFileSync(join(folder, `${module}.wasm`), 'latin1'),
  };
  return kToolchain
    .filter(({ shows }) => shows(files))
    .map(({ name, licence, file, source }) => ({
      name,
      licence,
      source,
      text: readFileSync(join(kLicences, file), 'utf8').trim(),
    }));
}

// Of npm packages, given the folder of each.
export function partsOfPackages(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
    if (license === undefined) throw new Error(`${name} names no licence`);
    return { name: `${name} ${version}`, licence: license, source: `npm package ${name}`, text: text.trim() };
  });
}

export function thirdParty(packageName, parts) {
  const byText = new Map(); // licence text -> parts under it
  for (const part of parts) byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  const table = parts.map(({ name, licence, source }) => `| ${name} | ${licence} | ${source} |`);
  const texts = [...byText].map(
    ([text, of]) => `## ${of.map(({ name }) => name).join(', ')}\n\n\`\`\`text\n${text || of[0].licence}\n\`\`\`\n`,
  );
  return [
    `# Parts of others in ${packageName}\n`,
    `| part | licence | from |\n|---|---|---|\n${table.join('\n')}\n`,
    ...texts,
  ].join('\n');
}

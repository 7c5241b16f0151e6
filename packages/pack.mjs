// Makes the npm packages as tarballs: node packages/pack.mjs [--engine web/public/engine] [name...]
//
// Each is put together in build/packages/stage/NAME from its folder here, the built parts and the types, and packed by
// `npm pack` into build/packages. Prints the tarballs.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { partsOfModule, partsOfPackages, thirdParty } from './third_party.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '..');
const kEmbed = join(root, 'web/dist/embed');
export const kOut = join(root, 'build/packages');

const projectVersion = () =>
  /project\(tessera VERSION ([\d.]+)/.exec(readFileSync(join(root, 'CMakeLists.txt'), 'utf8'))[1];

// The page's types of answers, as declarations beside which nothing else is needed.
function addTypes(stage) {
  const folder = join(root, 'web/src/model/generated');
  mkdirSync(join(stage, 'types'));
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const declared = text.replace(/(from '\.\/[\w]+)'/g, "$1.js'");
    writeFileSync(join(stage, 'types', file.replace(/\.ts$/, '.d.ts')), declared);
  }
}

function addEngine(stage, engine) {
  mkdirSync(join(stage, 'engine'));
  for (const file of ['tessera.js', 'tessera.wasm']) cpSync(join(engine, file), join(stage, 'engine', file));
  addTypes(stage);
  return partsOfModule(engine, 'tessera');
}

// The built element with its parts; the single script is for one-file reports alone.
function addPlayground(stage, engine) {
  cpSync(kEmbed, join(stage, 'embed'), {
    recursive: true,
    filter: (path) => !/\.single\.js$|packages\.json$/.test(path),
  });
  mkdirSync(join(stage, 'engine'));
  for (const file of ['tessera.js', 'tessera.wasm']) cpSync(join(engine, file), join(stage, 'engine', file));
  cpSync(join(root, 'web/src/embed/api.ts'), join(stage, 'api.d.ts'));
  const bundled = JSON.parse(readFileSync(join(kEmbed, 'packages.json'), 'utf8'));
  const folders = bundled.map((name) => join(root, 'web/node_modules', name));
  return [...partsOfModule(engine, 'tessera'), ...partsOfPackages(folders)];
}

const kPackages = {
  'tessera-engine': { folder: 'engine', add: addEngine },
  'tessera-playground': { folder: 'playground', add: addPlayground },
};

// Puts a package together; its folder.
function stagePackage(name, engine) {
  const { folder, add } = kPackages[name];
  const stage = join(kOut, 'stage', name);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  cpSync(join(here, folder), stage, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
  const parts = add(stage, engine);
  writeFileSync(join(stage, 'THIRD_PARTY.md'), thirdParty(name, parts));
  const description = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8'));
  description.version = projectVersion();
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  return stage;
}

// The tarballs by package.
export function pack({ engine, names = Object.keys(kPackages) }) {
  const stages = names.map((name) => stagePackage(name, engine));
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', kOut, ...stages], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const packed = Object.values(JSON.parse(said)); // a list; newer versions of npm name the packages
  return Object.fromEntries(packed.map(({ name, filename }) => [name, join(kOut, filename)]));
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { engine: { type: 'string', default: join(root, 'web/public/engine') } },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(kPackages);
  for (const tarball of Object.values(pack({ engine: resolve(values.engine), names }))) console.log(tarball);
}

// The Custom Elements Manifest of <tessera-playground>, made from its source: node packages/manifest.mjs [--check]
//
// Written to packages/playground/custom-elements.json; with --check it must be there as it would be written.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const kSource = resolve(here, '../web/src/embed/playground.ts');
const kAnalyzer = join(here, 'tools/node_modules/@custom-elements-manifest/analyzer');
const kModule = 'index.js'; // of the package, from where the element comes
export const kManifest = join(here, 'playground/custom-elements.json');

// What is private, or state of the element's own, ends with "_" or says so.
const isPublic = ({ name, privacy = 'public', static: fixed }) => privacy === 'public' && !fixed && !name.endsWith('_');
const isTold = ({ description }) => description !== undefined; // a life cycle method of Lit is not

// What the package shows of a class.
function cleaned({ members, attributes, events, ...about }) {
  return {
    ...about,
    attributes: attributes.filter(isPublic),
    events: events.filter(isTold),
    members: members.filter((member) => isPublic(member) && isTold(member)),
  };
}

export async function elementManifest() {
  const load = (path) => import(pathToFileURL(join(kAnalyzer, path)).href);
  const [{ create, ts }, { litPlugin }] = await Promise.all([
    load('src/create.js').then((own) => load('index.js').then((all) => ({ ...all, ...own }))),
    load('src/features/framework-plugins/lit/lit.js'),
  ]);
  const source = ts.createSourceFile(kModule, readFileSync(kSource, 'utf8'), ts.ScriptTarget.ES2022, true);
  const { schemaVersion, modules } = create({ modules: [source], plugins: litPlugin(), context: { dev: false } });
  const [{ declarations }] = modules;
  const element = cleaned(declarations.find(({ name }) => name === 'TesseraPlayground'));
  const declaration = { name: element.name, module: kModule };
  const exports = [
    { kind: 'js', name: element.name, declaration },
    { kind: 'custom-element-definition', name: element.tagName, declaration },
  ];
  const module = { kind: 'javascript-module', path: kModule, declarations: [element], exports };
  return `${JSON.stringify({ schemaVersion, readme: 'README.md', modules: [module] }, null, 2)}\n`;
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const text = await elementManifest();
  if (!process.argv.includes('--check')) writeFileSync(kManifest, text);
  else if (readFileSync(kManifest, 'utf8') !== text) {
    console.error('packages/playground/custom-elements.json is not of the source: node packages/manifest.mjs');
    process.exit(1);
  }
}

// What follows from the schemas in docs/schema: the page's types (src/model/generated) and docs/report.md.
//
//   node scripts/generate.mjs [--check]     --check only says which files differ (exit 1)
//
// json-schema-to-typescript is not used: it knows neither tuples by `prefixItems` nor readonly types.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'docs/schema');
const types = join(root, 'web/src/model/generated');
const kEnding = '.schema.json';

export function readSchemas() {
  const files = readdirSync(source).filter((file) => file.endsWith(kEnding));
  return new Map(
    files.sort().map((file) => [basename(file, kEnding), JSON.parse(readFileSync(join(source, file), 'utf8'))]),
  );
}

// ["report", "Run"] of "report.schema.json#/$defs/Run"; the file is '' when it is the same.
function splitReference(reference) {
  const [file, name] = reference.split('#/$defs/');
  return [basename(file, kEnding), name];
}

function literal(value) {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

// The TypeScript type of a schema; `used` collects the names that other files define.
function typeOf(schema, used) {
  if (schema.$ref !== undefined) {
    const [file, name] = splitReference(schema.$ref);
    if (file !== '') used.set(name, file);
    return name;
  }
  const inner = (one) => typeOf(one, used);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(inner).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      if (schema.prefixItems === undefined) return `readonly (${inner(schema.items)})[]`;
      return `readonly [${schema.prefixItems.map((item) => `${item.title}: ${inner(item)}`).join(', ')}]`;
    case 'object':
      if (schema.properties === undefined) return `Readonly<Record<string, ${inner(schema.additionalProperties)}>>`;
      return `{ ${members(schema, used)} }`;
    default:
      return schema.type;
  }
}

// A comment that will be indented by so many columns; of several lines where one would be wider than 120.
function commentOf(text, indent) {
  const width = 120 - indent;
  if (text.length + '/**  */'.length <= width) return `/** ${text} */`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line.length + 1 + word.length + ' *'.length > width) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return `/**\n${lines.map((line) => ` *${line}`).join('\n')}\n */`;
}

function members(schema, used) {
  return Object.entries(schema.properties)
    .map(([name, field]) => {
      const optional = schema.required.includes(name) ? '' : '?';
      const comment = commentOf(field.description + unitNote(field), 2);
      return `${comment}\nreadonly ${name}${optional}: ${typeOf(field, used)};`;
    })
    .join('\n');
}

function unitOf(schema) {
  return schema.unit ?? (schema.items ? unitOf(schema.items) : undefined);
}
function unitNote(field) {
  const unit = unitOf(field);
  return unit === undefined ? '' : ` [${unit}]`;
}

function typeFile(name, schema) {
  const used = new Map();
  const parts = Object.entries(schema.$defs).map(([type, definition]) => {
    const comment = commentOf(definition.description, 0);
    if (definition.properties !== undefined)
      return `${comment}\nexport interface ${type} {\n${members(definition, used)}\n}`;
    return `${comment}\nexport type ${type} = ${typeOf(definition, used)};`;
  });
  const files = [...new Set(used.values())].sort();
  const imports = files.map((file) => {
    const names = [...used].flatMap(([type, from]) => (from === file ? [type] : [])).sort();
    return `import type { ${names.join(', ')} } from './${file}';`;
  });
  const head = `// ${schema.title}: made from docs/schema/${name}${kEnding} by \`npm run generate\`.`;
  return [head, imports.join('\n'), ...parts].filter(Boolean).join('\n\n') + '\n';
}

// --- documentation

function anchor(file, name) {
  return `[${name}](#${`${file}${name}`.toLowerCase()})`;
}

function typeWords(schema, file) {
  if (schema.$ref !== undefined) {
    const [home, name] = splitReference(schema.$ref);
    return anchor(home === '' ? file : home, name);
  }
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeWords(one, file)).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(', ');
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(({ title }) => title).join(', ')}]`;
  if (schema.type === 'array') return `list of ${typeWords(schema.items, file)}`;
  return schema.type === 'object' && schema.properties === undefined ? 'object by id' : schema.type;
}

// One line for a field, then those of the objects that stand in it: "time.total".
function fieldRows(schema, file, prefix) {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const path = prefix + name + (schema.required.includes(name) ? '' : '?');
    const plain = field.anyOf?.find((one) => one.properties !== undefined) ?? field;
    const within = plain.properties !== undefined ? plain : plain.items;
    const row = `| \`${path}\` | ${typeWords(field, file)} | ${unitOf(field) ?? ''} | ${field.description} |`;
    if (within?.properties === undefined) return [row];
    return [row, ...fieldRows(within, file, `${prefix}${name}${plain.items === undefined ? '.' : '[].'}`)];
  });
}

function documentation(schemas) {
  const lines = [
    '# The JSON that Tessera answers with',
    '',
    'Made from `docs/schema` by `npm run generate` in `web/`: the schemas are JSON Schema (2020-12). A `?` marks a ' +
      'field',
    'that may be absent; `[]` stands for the elements of a list. Every answer is checked against them in the tests.',
  ];
  for (const [file, schema] of schemas) {
    lines.push('', `## ${schema.title}`, '', `${schema.description} Schema: [${file}](schema/${file}${kEnding}).`);
    for (const [name, definition] of Object.entries(schema.$defs)) {
      lines.push('', `<a id="${`${file}${name}`.toLowerCase()}"></a>`, `### ${name}`, '', definition.description);
      if (definition.properties === undefined) {
        lines.push('', typeWords(definition, file));
        continue;
      }
      lines.push('', '| field | type | unit | meaning |', '|---|---|---|---|', ...fieldRows(definition, file, ''));
    }
  }
  return lines.join('\n') + '\n';
}

// Path from the repository's root -> text, of everything that is made.
export async function generated() {
  const schemas = readSchemas();
  const files = new Map([['docs/report.md', documentation(schemas)]]);
  const config = await prettier.resolveConfig(join(types, 'report.ts'));
  for (const [name, schema] of schemas) {
    const text = await prettier.format(typeFile(name, schema), { ...config, parser: 'typescript' });
    files.set(`web/src/model/generated/${name}.ts`, text);
  }
  return files;
}

export async function differing() {
  const files = [...(await generated())];
  return files.flatMap(([path, text]) => {
    const present = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
    return present === text ? [] : [path];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const paths = await differing();
    for (const path of paths) console.log(`${path} is not what npm run generate makes`);
    process.exitCode = paths.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of await generated()) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }
}

// The documents that the page links to, as pages beside it: docs/*.md and docs/rules/*.md become docs/*.html in the
// built site, without scripts and under a strict Content-Security-Policy.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slugOf } from '../src/model/doc_links.ts';

const kDocs = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs');
export const kShipped = [
  'rules/op-model.md',
  'rules/pass-generation.md',
  'rules/d2m-chains.md',
  'rules/lowering.md',
  'chains.md',
  'optimality.md',
  'glossary.md',
  'fidelity.md',
  'compiler-compatibility.md',
  'stablehlo.md',
  'execution.md',
  'embedding.md',
];
const kSecurity = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
const kRepository = 'https://github.com/tenstorrent/';

const escaped = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// A link into the shipped documents, or to a public repository; null for anything else, which has no page here.
function addressOf(target, file) {
  if (target.startsWith('#')) return target;
  if (target.startsWith(kRepository)) return target;
  const [path, anchor] = target.split('#');
  const whole = posix.normalize(posix.join(posix.dirname(file), path));
  if (!kShipped.includes(whole)) return null;
  const relative = posix.relative(posix.dirname(file), whole).replace(/\.md$/, '.html');
  return anchor === undefined ? relative : `${relative}#${anchor}`;
}

function inline(text, file) {
  const codes = [];
  const kept = text.replace(/`([^`]+)`/g, (_, code) => `\u0000${codes.push(code) - 1}\u0000`);
  const linked = escaped(kept)
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, title, target) => {
      const address = addressOf(target, file);
      return address === null ? title : `<a href="${address}">${title}</a>`;
    })
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<i>$2</i>');
  return linked.replace(/\u0000(\d+)\u0000/g, (_, at) => `<code>${escaped(codes[Number(at)])}</code>`);
}

const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

function table(lines, file) {
  const row = (line, tag) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${inline(cell, file)}</${tag}>`)
      .join('')}</tr>`;
  const [head, , ...rest] = lines;
  const body = rest.map((line) => row(line, 'td')).join('');
  return `<div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

const kItem = /^(?:[-*]|\d+\.) /;

function list(lines, file) {
  const items = [];
  for (const line of lines) {
    if (kItem.test(line)) items.push(line.replace(kItem, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const tag = /^\d/.test(lines[0]) ? 'ol' : 'ul';
  return `<${tag}>${items.map((item) => `<li>${inline(item, file)}</li>`).join('')}</${tag}>`;
}

// A block: lines between empty ones.
function block(lines, file) {
  const heading = /^(#{1,6}) (.*)$/.exec(lines[0]);
  if (heading !== null) {
    const level = heading[1].length;
    const rest = lines.length > 1 ? block(lines.slice(1), file) : '';
    return `<h${level} id="${slugOf(heading[2])}">${inline(heading[2], file)}</h${level}>${rest}`;
  }
  if (lines[0].startsWith('|')) return table(lines, file);
  if (kItem.test(lines[0])) return list(lines, file);
  if (lines.every((line) => line.startsWith('    ')))
    return `<pre>${escaped(lines.map((line) => line.slice(4)).join('\n'))}</pre>`;
  const item = lines.findIndex((line) => kItem.test(line));
  if (item > 0) return block(lines.slice(0, item), file) + block(lines.slice(item), file);
  return `<p>${inline(lines.join(' '), file)}</p>`;
}

function blocks(text) {
  const found = [];
  let fence = null;
  let lines = [];
  const end = () => {
    if (lines.length > 0) found.push(lines);
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      if (fence === null) end();
      else found.push(fence);
      fence = fence === null ? [] : null;
    } else if (fence !== null) fence.push(`    ${line}`);
    else if (line.trim() === '') end();
    else lines.push(line);
  }
  end();
  return found;
}

export function toHtml(markdown, file) {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? file;
  const up = '../'.repeat(file.split('/').length);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="Content-Security-Policy" content="${kSecurity}" />
    <title>${escaped(title)} · Tessera</title>
    <link rel="icon" href="${up}icon.svg" />
    <link rel="stylesheet" href="${up}docs.css" />
  </head>
  <body>
    <nav aria-label="Site"><a href="${up}">Tessera</a></nav>
    <main>
${blocks(markdown)
  .map((lines) => block(lines, file))
  .join('\n')}
    </main>
  </body>
</html>
`;
}

export const pageOf = (file) => toHtml(readFileSync(join(kDocs, file), 'utf8'), file);

// For vite.config.ts.
export function docPages() {
  return {
    name: 'doc-pages',
    generateBundle() {
      for (const file of kShipped)
        this.emitFile({ type: 'asset', fileName: `docs/${file.replace(/\.md$/, '.html')}`, source: pageOf(file) });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = /^\/docs\/([\w/-]+)\.html/.exec(request.url ?? '')?.[1];
        if (file === undefined || !kShipped.includes(`${file}.md`)) return next();
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(pageOf(`${file}.md`));
      });
    },
  };
}

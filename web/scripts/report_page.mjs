// Writes dist/report.html, a step of the build: the page that `tessera run --html` and the page's export fill in with
// reports. It holds all it needs and asks for nothing.
//
//   node scripts/report_page.mjs
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const inPage = (script) => `${script.replaceAll('</script', '<\\/script').trim()}\n`;

const kStyles = `
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
tessera-report { flex: 1; min-height: 0; }
h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.runs { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--edge); border-radius: 6px; }
.runs { padding: 3px 6px; }
noscript pre { overflow: auto; padding: 16px; }
`;

export function reportPage(library, main, theme) {
  const scripts = [inPage(library), inPage(main)];
  const security =
    `default-src 'none'; script-src ${scripts.map(hashOf).join(' ')}; style-src 'unsafe-inline'; ` +
    "img-src data: blob:; base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${security}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{{REPORT_TITLE}}</title>
<style>${theme}${kStyles}</style>
</head>
<body>
<main>
<h1>{{REPORT_NAME}}</h1>
<noscript><pre tabindex="0">{{REPORT_TEXT}}</pre></noscript>
</main>
<script type="application/json" id="report-data">{{REPORT_DATA}}</script>
<script>${scripts[0]}</script>
<script>${scripts[1]}</script>
</body>
</html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (path) => readFileSync(join(web, path), 'utf8');
  const page = reportPage(
    read('dist/embed/tessera-report.single.js'),
    read('scripts/report_main.js'),
    read('src/theme.css'),
  );
  writeFileSync(join(web, 'dist/report.html'), page);
}

// study-report.html: the page that `tessera study` and the page's own studies fill in, with its script and its colours
// in the one file. samples/study.json: the study of the samples, made with the page so that it is there at once.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { samples, textOf } from './made_reports.mjs';

const kSource = join(dirname(fileURLToPath(import.meta.url)), '..', 'src');

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// One script without imports, as a text that may stand in a page.
async function scriptText() {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      rollupOptions: { input: join(kSource, 'study', 'report_main.ts'), output: { format: 'iife' } },
    },
  });
  const { code } = (Array.isArray(built) ? built[0] : built).output.find(({ type }) => type === 'chunk');
  return `${code.replaceAll('</script', '<\\/script').trim()}\n`;
}

const kOwnStyles = `
body { background: var(--bg); color: var(--ink); font: 13px/1.4 var(--sans); }
body { margin: 0 auto; padding: 20px clamp(12px, 3vw, 32px) 40px; max-width: 1500px; }
h1 { font-size: 20px; margin: 0 0 4px; }
.lead { max-width: 90ch; color: var(--dim); margin: 0 0 12px; }
.wide { overflow-x: auto; margin: 20px 0; }
.wide table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide caption { text-align: left; font-weight: 600; padding: 4px 0; }
.wide :is(th, td) { padding: 2px 10px; border-bottom: 1px solid var(--line); text-align: right; }
.wide th { text-align: left; font-weight: 500; }
`;

const kEngine = join(kSource, '..', 'public', 'engine');

// All samples under all policies; null where the engine is not built.
async function studyOfSamples() {
  const code = join(kEngine, 'tessera_full.wasm');
  if (!existsSync(code)) return null;
  const { default: create } = await import(pathToFileURL(join(kEngine, 'tessera_full.js')).href);
  const engine = await create({ wasmBinary: readFileSync(code), print: () => {}, printErr: console.error });
  const texts = new Map(samples.map((sample) => [`samples/${sample.file}`, textOf(sample)]));
  const graphs = [...texts].map(([path, text]) => ({ path, ...JSON.parse(engine.studyGraph(path, text)) }));
  const { mistake, runs } = JSON.parse(engine.studyBegin(JSON.stringify({ graphs, build: 'page' })));
  if (mistake !== '') throw new Error(mistake);
  for (const run of runs)
    engine.studyKeep(run.key, engine.studyRun(run.graph, texts.get(run.path), JSON.stringify(run)));
  const { study, costs } = JSON.parse(engine.study());
  return JSON.stringify({ study, costs, runs });
}

export function studyPage() {
  return {
    name: 'study-page',
    apply: 'build',
    async generateBundle() {
      const script = await scriptText();
      const styles = readFileSync(join(kSource, 'theme.css'), 'utf8') + kOwnStyles;
      const security = `default-src 'none'; script-src ${hashOf(script)}; style-src 'unsafe-inline'; img-src data:`;
      const source = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${security}">
<link rel="icon" href="data:,">
<title>Study of memory layouts</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>Study of memory layouts</h1>
<p class="lead">What policies make of graphs: each run is simulated, and its time is set beside the lower bound that
no plan of its graph beats. L1 is a core’s memory; a spill moves a tensor out of it, a reload back, a reshard within
it.</p>
<div id="study-tables">
{{STUDY_TABLES}}</div>
</main>
<script type="application/json" id="study-data">{{STUDY_DATA}}</script>
<script type="application/json" id="study-costs">{{STUDY_COSTS}}</script>
<script>${script}</script>
</body>
</html>
`;
      this.emitFile({ type: 'asset', fileName: 'study-report.html', source });
      const made = await studyOfSamples();
      if (made !== null) this.emitFile({ type: 'asset', fileName: 'samples/study.json', source: made });
    },
  };
}

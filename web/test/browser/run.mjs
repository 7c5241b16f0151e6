// Tests of the built page in Chromium: npm run build, then npm run test:browser. `--fake` takes the invented engine,
// a word runs only the tests whose name holds it, `--delayed` lets the page be late (delayed_page.mjs).
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetTests } from './test_budget.mjs';
import { chainTests } from './test_chains.mjs';
import { launch } from './chromium.mjs';
import { goldenTests } from './test_golden.mjs';
import { exampleTests, guideTests } from './test_guide.mjs';
import { Harness } from './harness.mjs';
import { keptTests } from './test_kept.mjs';
import { labTests } from './lab.mjs';
import { anyGraph, home } from './page.mjs';
import { kDist, startServer } from './server.mjs';
import { accessibilityTests } from './test_accessibility.mjs';
import { beamTests } from './test_beam.mjs';
import { basicTests } from './test_basics.mjs';
import { embedTests } from './test_embed.mjs';
import { firstPictureTests } from './test_first_picture.mjs';
import { inputTests } from './test_inputs.mjs';
import { looksTests } from './test_looks.mjs';
import { optimumTests } from './test_optimum.mjs';
import { logTests } from './test_logs.mjs';
import { measuredTests } from './test_measured.mjs';
import { offlineTests } from './test_offline.mjs';
import { overviewTests } from './test_overview.mjs';
import { planTests } from './test_plans.mjs';
import { packageTests } from './test_packages.mjs';
import { policyLabTests } from './test_policylab.mjs';
import { recoveryTests } from './test_recovery.mjs';
import { reportPageTests } from './test_report_page.mjs';
import { scaleTests } from './test_scale.mjs';
import { shareTests } from './test_share.mjs';
import { stablehloTests } from './test_stablehlo.mjs';
import { stepTests } from './test_steps.mjs';
import { storyTests } from './test_story.mjs';
import { studyTests } from './test_study.mjs';
import { tourTests } from './test_tours.mjs';
import { truthTests } from './test_truth.mjs';
import { viewTests } from './test_views.mjs';

const kRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const shared = process.env.TESSERA_SHARED ?? join(kRoot, '..', 'shared');

if (!existsSync(join(kDist, 'index.html'))) {
  console.log('web/dist is missing: npm run build first');
  process.exit(2);
}
const fakeEngine = process.argv.includes('--fake') || !existsSync(join(kDist, 'engine', 'tessera.wasm'));
if (fakeEngine) console.log('note: the engine is not built; the invented one of test/fixtures stands in');
const only = process.argv.slice(2).find((word) => !word.startsWith('--'));

const browser = await launch();
const server = await startServer({ fakeEngine });
const nested = await startServer({ fakeEngine, prefix: '/some/deep/path/' });
const lanes = Number(process.env.TESSERA_BROWSER_LANES ?? Math.max(2, Math.min(4, availableParallelism())));
const starts = {
  page: (page) => home(page, server.url),
  any: (page) => anyGraph(page, server.url),
  lab: () => {},
};
const harness = new Harness(browser, starts, { lanes, delayed: process.argv.includes('--delayed') });
const corpusFile = join(shared, 'corpus', 'resnet50_xla.mlir');
const setting = {
  url: server.url,
  nestedUrl: nested.url,
  fakeEngine,
  shared,
  corpus: existsSync(corpusFile) ? readFileSync(corpusFile) : null,
};
const groups = [
  truthTests,
  scaleTests,
  stablehloTests,
  storyTests,
  shareTests,
  budgetTests,
  firstPictureTests,
  embedTests,
  looksTests,
  goldenTests,
  viewTests,
  overviewTests,
  accessibilityTests,
  inputTests,
  optimumTests,
  beamTests,
  basicTests,
  planTests,
  logTests,
  policyLabTests,
  offlineTests,
  guideTests,
  exampleTests,
  packageTests,
  reportPageTests,
  measuredTests,
  recoveryTests,
  keptTests,
  chainTests,
  stepTests,
  studyTests,
  tourTests,
  labTests,
];
for (const declare of groups) declare(harness, setting);
if (only !== undefined) harness.keep((name) => only.split('|').some((word) => name.includes(word)));
const good = await harness.run();
await browser.close();
await server.close();
await nested.close();
process.exit(good ? 0 : 1);

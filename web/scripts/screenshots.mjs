// Takes pictures of the built page: node scripts/screenshots.mjs <folder> [--fake]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../test/browser/chromium.mjs';
import { startServer } from '../test/browser/server.mjs';

const folder = process.argv[2] ?? 'shots';
mkdirSync(folder, { recursive: true });
const server = await startServer({ fakeEngine: process.argv.includes('--fake') });
const browser = await launch();

async function shoot(
  name,
  { width, height, dark = false, select = null, act = null, deviceScaleFactor = 1, sample = null },
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor,
  });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log(`${name}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`${name}: ${error}`));
  await page.goto(server.url);
  await page.waitForSelector('tessera-schedule .row', { timeout: 20000 });
  if (sample !== null) {
    await page.locator('select.samples').selectOption(sample);
    await page.waitForFunction((id) => {
      const { source, running } = document.querySelector('tessera-app').state;
      return source.origin.id === id && !running;
    }, sample);
  }
  if (select !== null) {
    await page.keyboard.press('/');
    await page.keyboard.type(select);
    await page.keyboard.press('Enter');
    await page.evaluate(() => document.querySelector('tessera-app').dispatch({ type: 'query', query: '' }));
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement?.blur()); // no focus ring in the picture
  }
  if (act !== null) await act(page);
  await page.waitForFunction(() => !document.querySelector('tessera-app').state.answers.regret.busy, undefined, {
    timeout: 60000,
  });
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

async function openCompare(page) {
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForFunction(() => document.querySelector('tessera-app').state.answers.comparison.value !== null);
}

async function openSteps(page, jumps = []) {
  await page.evaluate(() =>
    document.querySelector('tessera-app').dispatch({ type: 'option', id: 'policy', value: 'DFSharding2' }),
  );
  await page.getByRole('button', { name: 'Step by step' }).click();
  await page.waitForSelector('tessera-stepper .told');
  for (const name of jumps) await page.getByRole('button', { name, exact: true }).click();
}

async function openPasses(page, pass = null) {
  await page.getByRole('button', { name: 'Passes' }).click();
  await page.waitForSelector('tessera-passes button.pass');
  if (pass === null) return;
  await page.locator('tessera-passes button.pass', { hasText: pass }).first().click();
  await page.getByRole('button', { name: 'Check the passes' }).click();
  await page.waitForFunction(() => document.querySelector('tessera-app').state.answers.passChecks.value !== null);
}

async function openBeam(page) {
  await page.evaluate(() =>
    document.querySelector('tessera-app').dispatch({ type: 'option', id: 'policy', value: 'Beam' }),
  );
  await page.getByRole('button', { name: 'Beam', exact: true }).click();
  await page.waitForSelector('tessera-beam li');
}

// The run's own decision trace, as a file that was dropped.
async function openTrace(page) {
  await page.evaluate(async () => {
    const app = document.querySelector('tessera-app');
    const { value } = await app.client.exportFile(app.state.source.text, app.state.options, 'decision-trace');
    await app.openTrace(value.content, 'forward_decision_trace.json');
  });
  await page.locator('tessera-beam .file').waitFor();
}

async function openChains(page) {
  await page.evaluate(() =>
    document.querySelector('tessera-app').dispatch({ type: 'option', id: 'policy', value: 'DFSharding2' }),
  );
  await page.waitForFunction(() => document.querySelector('tessera-app').state.report?.policy?.id === 'DFSharding2');
}

async function openOptimum(page, policy) {
  await page.evaluate(
    (value) => document.querySelector('tessera-app').dispatch({ type: 'option', id: 'policy', value }),
    policy,
  );
  await page.locator('nav.views').getByRole('button', { name: 'Optimum' }).click();
  await page.waitForFunction(
    (value) => document.querySelector('tessera-app').state.answers.regret.value?.policy === value,
    policy,
  );
}

const dispatch = (page, action) => page.evaluate((it) => document.querySelector('tessera-app').dispatch(it), action);
const proven = (page) =>
  page.waitForFunction(() => {
    const { regretOf, report, running } = document.querySelector('tessera-app').state;
    return !running && regretOf === report;
  });

// The regret of every op beside the schedule.
async function openRegret(page) {
  await dispatch(page, { type: 'view', view: { regret: true } });
  await proven(page);
}

// Bounds that come together, and two forced layouts.
async function openForced(page) {
  await openOptimum(page, 'Greedy');
  await dispatch(page, { type: 'option', id: 'tensor-l1-usage-cap', value: 0.2 });
  await page.waitForFunction(
    () => document.querySelector('tessera-app').state.report.options['tensor-l1-usage-cap'] === 0.2,
  );
  await proven(page);
  const names = await page.evaluate(() =>
    document
      .querySelector('tessera-app')
      .state.regret.regrets.ops.filter(({ choices }) => choices.some(([layout, price]) => layout === 0 && price > 0))
      .slice(0, 2)
      .map(({ name }) => name),
  );
  for (const name of names) await dispatch(page, { type: 'force', name, layout: 'dram:interleaved' });
  await page.waitForFunction(() => document.querySelector('tessera-app').state.freeRegret !== null);
}

async function openEditor(page) {
  const closed = page.getByRole('button', { name: 'Show the source pane' });
  if (await closed.isVisible()) await closed.click();
  await page.locator('.cm-content').click();
}

async function openInstead(page) {
  await openChains(page);
  await dispatch(page, { type: 'compare-optimum' });
  await page.waitForFunction(() => document.querySelector('tessera-app').state.answers.comparison.value?.length === 2);
}

const only = process.argv[3]?.startsWith('--') ? null : process.argv[3];
const shots = {
  'screenshot-light': { width: 1600, height: 1000, sample: 'transformer-layer', select: 'mlp.gelu' },
  'screenshot-dark': { width: 1600, height: 1000, dark: true, sample: 'transformer-layer', select: 'mlp.gelu' },
  light: { width: 1600, height: 1000, select: 'layer2.0.conv3' },
  dark: { width: 1600, height: 1000, dark: true, select: 'layer2.0.conv3' },
  overview: { width: 1600, height: 1000 },
  wide: { width: 2200, height: 1200, select: 'layer1.1.conv2' },
  laptop: { width: 1280, height: 720, select: 'layer1.1.conv2' },
  phone: { width: 360, height: 780 },
  phone_map: { width: 360, height: 780, act: (page) => page.getByRole('button', { name: 'L1 map' }).click() },
  phone_why: {
    width: 360,
    height: 780,
    act: async (page) => {
      await page.locator('.row').nth(6).click();
      await page.getByRole('button', { name: 'Why' }).click();
    },
  },
  phone_source: {
    width: 360,
    height: 780,
    dark: true,
    act: (page) => page.getByRole('button', { name: 'Source', exact: true }).click(),
  },
  error: {
    width: 1600,
    height: 1000,
    act: async (page) => {
      await openEditor(page);
      await page.keyboard.type('syntax error here\n');
    },
  },
  empty: {
    width: 1600,
    height: 1000,
    act: async (page) => {
      await openEditor(page);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
    },
  },
  compare: { width: 1600, height: 1000, act: openCompare },
  compare_dark: { width: 1280, height: 800, dark: true, act: openCompare },
  compare_phone: { width: 360, height: 780, act: openCompare },
  steps: {
    width: 1600,
    height: 1000,
    sample: 'resnet50',
    act: (page) => openSteps(page, ['Next change of mind', 'Next step']),
  },
  steps_dark: {
    width: 1280,
    height: 800,
    dark: true,
    sample: 'd2m-dispatch',
    act: (page) => openSteps(page, ['Next spill']),
  },
  steps_phone: { width: 360, height: 780, sample: 'resnet50', act: (page) => openSteps(page, ['Next step']) },
  passes: { width: 1600, height: 1000, sample: 'resnet50', act: openPasses },
  passes_dark: {
    width: 1280,
    height: 800,
    dark: true,
    sample: 'resnet50',
    act: (page) => openPasses(page, 'Decompose layouts'),
  },
  passes_phone: { width: 360, height: 780, sample: 'resnet50', act: openPasses },
  beam: { width: 1600, height: 1000, sample: 'resnet50', select: 'layer2.0.relu3', act: openBeam },
  beam_fork: { width: 1600, height: 1000, sample: 'fork-join', act: openBeam },
  beam_dark: {
    width: 1280,
    height: 800,
    dark: true,
    sample: 'l1-pressure',
    act: async (page) => {
      await openBeam(page);
      await page.getByRole('button', { name: /^Spill events/ }).click();
    },
  },
  map_spills: {
    width: 1600,
    height: 1000,
    sample: 'l1-pressure',
    act: async (page) => {
      await page.locator('.row').nth(12).locator('.op').click();
    },
  },
  beam_file: {
    width: 1280,
    height: 800,
    sample: 'l1-pressure',
    act: async (page) => {
      await openBeam(page);
      await openTrace(page);
      await page.locator('tessera-beam li').nth(5).locator('.op').click();
    },
  },
  beam_phone: { width: 360, height: 780, sample: 'residual-block', act: openBeam },
  steps_order: {
    width: 1600,
    height: 1000,
    sample: 'd2m-dispatch',
    act: async (page) => {
      await openSteps(page);
      for (let step = 0; step < 10; step++) await page.getByRole('button', { name: 'Next', exact: true }).click();
    },
  },
  chains: {
    width: 1600,
    height: 1000,
    sample: 'residual-block',
    act: async (page) => {
      await openChains(page);
      await page.locator('.row').nth(6).locator('.op').click();
    },
  },
  chains_dark: { width: 1280, height: 800, dark: true, sample: 'd2m-dispatch', act: openChains },
  chains_phone: {
    width: 360,
    height: 780,
    sample: 'd2m-dispatch',
    act: async (page) => {
      await openChains(page);
      await page.getByRole('button', { name: 'L1 map' }).click();
    },
  },
  optimum: { width: 1600, height: 1000, sample: 'resnet50', act: (page) => openOptimum(page, 'Greedy') },
  optimum_dark: {
    width: 1280,
    height: 800,
    dark: true,
    sample: 'llama-decode-layer',
    act: (page) => openOptimum(page, 'Exact'),
  },
  optimum_phone: { width: 360, height: 780, sample: 'resnet50', act: (page) => openOptimum(page, 'Greedy') },
  optimum_forced: { width: 1600, height: 1000, sample: 'transformer-layer', act: openForced },
  optimum_forced_dark: { width: 1280, height: 800, dark: true, sample: 'transformer-layer', act: openForced },
  regret: { width: 1600, height: 1000, sample: 'resnet50', act: openRegret },
  regret_dark: { width: 1280, height: 800, dark: true, sample: 'llama-decode-layer', act: openRegret },
  regret_phone: { width: 390, height: 780, sample: 'resnet50', act: openRegret },
  instead: { width: 1600, height: 1000, sample: 'resnet50', act: openInstead },
  instead_phone: { width: 390, height: 780, dark: true, sample: 'residual-block', act: openInstead },
  options: {
    width: 1600,
    height: 1000,
    act: async (page) => {
      await page.getByRole('button', { name: 'Options' }).click();
    },
  },
};
for (const [name, shot] of Object.entries(shots))
  if (only === null || only === undefined || only.split(',').includes(name)) await shoot(name, shot);
await browser.close();
await server.close();

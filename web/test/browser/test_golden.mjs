// Golden pictures of the page, compared pixel by pixel with some tolerance: npm run update:golden makes them again.
// They are of one machine's Chromium and fonts (golden/machine.json); elsewhere they are skipped.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GoldenEngine } from './golden_engine.mjs';
import { check, Skipped } from './harness.mjs';
import { dispatch, settled, known, state, until, waitForRows } from './page.mjs';
import { indexedPng } from './indexed_png.mjs';

const kHere = dirname(fileURLToPath(import.meta.url));
const kGolden = join(kHere, 'golden');
const kActual = join(kHere, '..', '..', '..', 'build', 'golden'); // what was drawn instead
const kMostChanged = 0.0004; // share of the pixels
const kShrink = 2; // pixels of the screen to one of a picture, each way: small files
const kLevels = 8; // of each colour

const kThemes = ['light', 'dark'];
const kSizes = { 390: 844, 1390: 900, 1920: 1000 };

export function goldenTests(harness, { url }) {
  const update = process.env.TESSERA_UPDATE_GOLDEN === '1';
  const engine = new GoldenEngine(update);

  // Opens the recorded graph once; `shoot` brings the page to a view and takes its pictures.
  const golden = (name, shoot) =>
    harness.test(
      `golden picture: ${name}`,
      { fresh: true, context: { reducedMotion: 'reduce' } },
      async (page, context) => {
        const tools = await pictureTools();
        await checkMachine(page, update);
        await engine.serve(context);
        await page.goto(`${url}${engine.link()}`);
        await waitForRows(page);
        await settled(page);
        await page.waitForSelector('tessera-minimap canvas');
        await shoot(page, (what, width, theme) => picture(page, tools, { what, width, theme, update }));
        if (update) engine.save();
      },
    );

  golden('main view', async (page, take) => {
    for (const theme of kThemes) for (const width of Object.keys(kSizes)) await take('main', Number(width), theme);
  });
  golden('Why', async (page, take) => {
    const left = await page.evaluate(() =>
      document.querySelector('tessera-app').state.report.run.rows.findIndex(({ kind }) => kind === 'spill'),
    );
    check(left >= 0, 'something leaves L1');
    await dispatch(page, { type: 'select', row: left });
    await page.locator('tessera-why .story').waitFor();
    for (const theme of kThemes) await take('why', 1390, theme);
    await dispatch(page, { type: 'view', view: { tab: 'why' } });
    await take('why', 390, 'light');
  });
  golden('Compare', async (page, take) => {
    const runs = [{ policy: 'DRAM' }, { policy: 'Greedy' }, { policy: 'Beam' }];
    await dispatch(page, { type: 'compare', runs });
    await dispatch(page, { type: 'view', view: { main: 'compare' } });
    await until(page, async () => (await state(page, 'answers.comparison.value.length')) === 3, 'the runs');
    for (const theme of kThemes) await take('compare', 1390, theme);
  });
  golden('Stepper', async (page, take) => {
    await dispatch(page, { type: 'view', view: { step: 0 } });
    await page.locator('tessera-stepper').waitFor();
    await until(page, async () => (await page.locator('[aria-busy=true]').count()) === 0, 'the steps');
    for (const theme of kThemes) await take('stepper', 1390, theme);
  });
  golden('Optimum', async (page, take) => {
    await dispatch(page, { type: 'view', view: { main: 'optimum' } });
    await page.locator('tessera-optimum h2, tessera-optimum table').first().waitFor();
    for (const theme of kThemes) await take('optimum', 1390, theme);
  });
  golden('Graph', async (page, take) => {
    await dispatch(page, { type: 'view', view: { main: 'graph' } });
    await page.locator('tessera-graph .view[aria-busy=false]').waitFor();
    for (const theme of kThemes) await take('graph', 1390, theme);
  });
}

async function pictureTools() {
  try {
    const [{ PNG }, { default: pixelmatch }] = await Promise.all([import('pngjs'), import('pixelmatch')]);
    return { PNG, pixelmatch };
  } catch {
    throw new Skipped('pngjs or pixelmatch is missing: npm ci in web/');
  }
}

// Another browser or another font draws other pixels; security releases of one version do not.
async function checkMachine(page, update) {
  const machine = await machineOf(page);
  const file = join(kGolden, 'machine.json');
  if (update) return writeFileSync(file, `${JSON.stringify(machine, null, 2)}\n`);
  const recorded = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  if (recorded.trim() !== JSON.stringify(machine, null, 2))
    throw new Skipped(`pictures are of ${recorded.replace(/\s+/g, ' ')}, this is ${JSON.stringify(machine)}`);
}

async function machineOf(page) {
  const widths = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    return [
      '13px system-ui',
      '600 13px system-ui',
      '12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
    ].map((font) => {
      context.font = font;
      return Math.round(100 * context.measureText('The quick brown fox, 0123456789 µs × KB … → ≥').width) / 100;
    });
  });
  return { chromium: page.context().browser().version().split('.')[0], textWidths: widths.join(' ') };
}

async function picture(page, tools, { what, width, theme, update }) {
  await page.setViewportSize({ width, height: kSizes[width] });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.mouse.move(0, 0);
  const quiet = async () =>
    !(await state(page, 'running')) && !(await state(page, 'answers.regret.busy')) && (await known(page, 'regretOf'));
  await until(page, quiet, 'a quiet page');
  await page.evaluate(() => {
    const app = document.querySelector('tessera-app');
    app.state = { ...app.state, durationMs: 12 }; // the one figure that is measured
    for (let at = document.activeElement; at != null; at = at.shadowRoot?.activeElement) at.blur();
  });
  await page.waitForTimeout(400);
  const name = `${what}-${width}-${theme}`;
  const drawn = shrunk(tools.PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' })));
  const file = join(kGolden, `${name}.png`);
  if (update)
    return writeFileSync(
      file,
      tools.PNG.sync.write(drawn, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 }),
    );
  check(existsSync(file), `${name}: there is no such picture yet: npm run update:golden`);
  compare(tools, name, tools.PNG.sync.read(readFileSync(file)), drawn);
}

// Smaller, and of few colours.
function shrunk(screen) {
  const [width, height] = [Math.floor(screen.width / kShrink), Math.floor(screen.height / kShrink)];
  const data = Buffer.alloc(4 * width * height, 255);
  const step = 255 / (kLevels - 1);
  for (let at = 0; at < width * height; at++)
    for (let color = 0; color < 3; color++) {
      let sum = 0;
      for (let y = 0; y < kShrink; y++)
        for (let x = 0; x < kShrink; x++) {
          const [left, top] = [(at % width) * kShrink + x, Math.floor(at / width) * kShrink + y];
          sum += screen.data[4 * (top * screen.width + left) + color];
        }
      data[4 * at + color] = Math.round(Math.round(sum / kShrink ** 2 / step) * step);
    }
  return { width, height, data };
}

function compare({ PNG, pixelmatch }, name, golden, drawn) {
  const { width, height } = golden;
  check(
    width === drawn.width && height === drawn.height,
    `${name}: ${drawn.width}×${drawn.height}, not ${width}×${height}`,
  );
  const difference = new PNG({ width, height });
  const changed = pixelmatch(golden.data, drawn.data, difference.data, width, height, { threshold: 0.12 });
  if (changed <= kMostChanged * width * height) return;
  mkdirSync(kActual, { recursive: true });
  writeFileSync(join(kActual, `${name}.drawn.png`), indexedPng(drawn));
  writeFileSync(join(kActual, `${name}.difference.png`), PNG.sync.write(difference));
  throw new Error(
    `${name}: ${changed} pixels changed; build/golden has what was drawn, npm run update:golden takes it over`,
  );
}

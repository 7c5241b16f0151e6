// Uses the built page by lot: clicks on what is there, keys, values, dropped files, the way back; in three widths. The
// console must be clean after each of 60 steps; at the end the page comes to rest and does not scroll sideways.
//   npm run test:wander -- [MINUTES] [--seed N] [--delayed] [--lab]
// A walk that finds something is printed with its last steps and its seed, which makes the same choices again (among
// the controls that are there at that time); the picture of the page is left in the folder of temporary files.
// `--delayed`: the page is late (delayed_page.mjs); `--lab`: the layout lab.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { launch } from './chromium.mjs';
import { delayedPage } from './delayed_page.mjs';
import { check } from './harness.mjs';
import { drop, until } from './page.mjs';
import { kDist, startServer } from './server.mjs';

const kSteps = 60;
const kViewports = [
  { width: 1600, height: 1000 },
  { width: 1390, height: 900 },
  { width: 390, height: 800 },
];
const kPauses = [0, 5, 30, 150, 400]; // ms after a step
const kKeys =
  'ArrowDown ArrowUp ArrowLeft ArrowRight Enter Escape Tab Space Home End PageDown Delete ? / j k Control+z';
const kWords = ['0', '1e9', '-5', 'abc', '64', '1.5', '99999999999999999999', 'relu', ''];
const kLargestFile = 400_000; // bytes of a dropped graph
// View -> its answer, where that is named otherwise.
const kSubjects = { compare: 'comparison', handedit: 'handEdit', measured: 'profile' };

// Numbers that a seed decides (a linear congruential generator of 32 bits).
class Lot {
  constructor(seed) {
    this.state = seed >>> 0;
  }
  fraction() {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  }
  below(count) {
    return Math.floor(this.fraction() * count);
  }
  of(list) {
    return list[this.below(list.length)];
  }
}

// Graphs of the samples and, where they are at hand, of models; and what is none.
function filesToDrop() {
  const shared = process.env.TESSERA_SHARED ?? join(kDist, '..', '..', '..', 'shared');
  const files = [
    ['cut.mlir', 'func.func @main( {{{'],
    ['empty.mlir', ''],
    ['cut.json', '{"a":'],
  ];
  for (const folder of [join(kDist, 'samples'), join(shared, 'corpus')]) {
    let names = [];
    try {
      names = readdirSync(folder).filter((name) => /\.(mlir|json)$/.test(name));
    } catch {
      continue; // it is not there
    }
    for (const name of names.toSorted())
      if (statSync(join(folder, name)).size < kLargestFile) files.push([name, readFileSync(join(folder, name))]);
  }
  return files;
}

// Runs in the page: chooses one of all controls that can be seen by `at`, sets it by `value` where it has one,
// and says what it is and where it can be clicked. Null without controls.
function chooseControl({ at, value }) {
  const kControls = 'button,a[href],summary,select,input,[role=tab],[role=option],.row,canvas,[tabindex="0"]';
  const seen = [];
  const look = (root) => {
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (!one.matches(kControls) || one.disabled) continue;
      const box = one.getBoundingClientRect();
      const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      if (box.width > 0 && box.height > 0 && inside) seen.push([one, box]);
    }
  };
  look(document);
  if (seen.length === 0) return null;
  const [control, box] = seen[Math.floor(at * seen.length)];
  const words = (control.getAttribute('aria-label') ?? control.textContent).trim().replace(/\s+/g, ' ').slice(0, 40);
  const what = `${control.localName} "${words}"`;
  const told = () => {
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    return { what: `${what} = ${control.value}` };
  };
  if (control.localName === 'a' && !control.getAttribute('href').startsWith('#'))
    return { what: `${what}, left alone` };
  if (control.localName === 'select') {
    control.selectedIndex = Math.floor(value * control.options.length);
    return told();
  }
  if (control.localName === 'input' && control.type === 'range') {
    const [low, high] = [Number(control.min), Number(control.max || 100)];
    control.value = String(low + (high - low) * value);
    return told();
  }
  if (control.localName === 'input' && control.type === 'file') return { what: `${what}, left alone` };
  if (control.localName === 'input' && ['text', 'search', 'number'].includes(control.type)) {
    control.focus();
    return { what, typed: true };
  }
  const x = Math.max(0, box.left) + (Math.min(innerWidth, box.right) - Math.max(0, box.left)) * value;
  const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
  return { what, click: [Math.min(x, innerWidth - 1), y] };
}

async function useControl(page, lot) {
  const control = await page.evaluate(chooseControl, { at: lot.fraction(), value: lot.fraction() });
  if (control === null) return 'nothing to use';
  if (control.typed === true) {
    const word = lot.of(kWords);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(word);
    await page.keyboard.press('Enter');
    return `${control.what} typed "${word}"`;
  }
  if (control.click !== undefined) await page.mouse.click(...control.click, { clickCount: lot.below(8) === 0 ? 2 : 1 });
  return control.what;
}

// One step; what it was.
async function step(page, lot, place) {
  const kind = lot.below(12);
  if (kind === 0 && !place.lab) {
    const [name, content] = lot.of(place.files);
    await drop(page, name, content);
    return `dropped ${name}`;
  }
  if (kind === 1) {
    const key = lot.of(kKeys.split(' '));
    await page.keyboard.press(key);
    return `key ${key}`;
  }
  if (kind === 2 && lot.below(4) === 0) {
    await page.goBack();
    if (!page.url().startsWith(place.server)) await page.goto(place.address);
    return 'back';
  }
  return useControl(page, lot);
}

// What must be true at the end, whatever was done.
async function comesToRest(page) {
  await until(
    page,
    () => page.evaluate(() => !document.querySelector('tessera-app').state.running),
    'the end of the run',
  );
  const waiting = () =>
    page.evaluate((subjects) => {
      const { view, answers } = document.querySelector('tessera-app').state;
      return answers[subjects[view.main] ?? view.main]?.busy === true;
    }, kSubjects);
  await until(page, async () => !(await waiting()), 'the answer of the view');
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(beyond <= 1, `the page is ${beyond} pixels wider than its window`);
}

// What was found, "" when nothing, and the last steps.
async function walk(browser, lot, place) {
  const context = await browser.newContext({ viewport: lot.of(kViewports), serviceWorkers: 'block' });
  if (place.delayed) await delayedPage(context);
  const page = await context.newPage();
  const found = [];
  const steps = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/Service Worker|ERR_ABORTED/.test(message.text()))
      found.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => found.push(`exception: ${error.stack}`));
  page.on('dialog', (dialog) => dialog.accept());
  context.on('page', (other) => other !== page && other.close().catch(() => {})); // of links to other pages
  try {
    await page.goto(place.address);
    await page.waitForSelector(place.lab ? 'tessera-lab' : 'tessera-schedule .row');
    while (steps.length < kSteps && found.length === 0) {
      steps.push(await step(page, lot, place));
      await page.waitForTimeout(lot.of(kPauses));
    }
    if (found.length === 0 && !place.lab) await comesToRest(page);
  } catch (error) {
    found.push(String(error.stack).split('\n').slice(0, 3).join(' '));
  }
  const picture = join(tmpdir(), `tessera-wander-${place.seed}.png`);
  if (found.length > 0) await page.screenshot({ path: picture }).catch(() => {});
  await context.close();
  return { found: found.slice(0, 3).join('\n    '), steps, picture };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, delayed: { type: 'boolean' }, lab: { type: 'boolean' } },
});
const end = Date.now() + Number(positionals[0] ?? 5) * 60_000;
const browser = await launch();
const server = await startServer({});
const files = filesToDrop();
let [walks, steps, findings] = [0, 0, 0];
for (let seed = Number(values.seed); Date.now() < end; seed++) {
  const address = `${server.url}${values.lab ? 'lab.html' : ''}`;
  const place = {
    seed,
    address,
    server: server.url,
    files,
    lab: values.lab === true,
    delayed: values.delayed === true,
  };
  const done = await walk(browser, new Lot(seed), place);
  walks++;
  steps += done.steps.length;
  if (done.found === '') continue;
  findings++;
  console.log(`seed ${seed}: ${done.found}\n  ${done.steps.slice(-12).join('\n  ')}\n  ${done.picture}`);
}
console.log(`${walks} walks, ${steps} steps, ${findings} with a finding`);
await browser.close();
await server.close();
process.exit(findings === 0 ? 0 : 1);

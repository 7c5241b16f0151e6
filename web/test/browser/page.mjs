// What the browser tests do with the page again and again.
import { readFile } from 'node:fs/promises';

import { kPatienceMs } from './harness.mjs';

// The state in which the page opens, reached in a page that is open already: the first sample, no option changed,
// nothing selected. Only a page that was left is loaded.
export async function home(page, url) {
  if (page.url().split('#')[0] !== url || !(await page.evaluate(goHome, true))) await page.goto(url);
  await page.mouse.move(0, 0);
  await waitForRows(page);
  await settled(page);
}

// The same with whatever graph is there, for tests that open another one first.
export async function anyGraph(page, url) {
  if (page.url().split('#')[0] !== url || !(await page.evaluate(goHome, false))) await home(page, url);
}

// Runs in the page; false when the page must be loaded anew.
async function goHome(withSample) {
  const app = document.querySelector('tessera-app');
  const sample = app?.state?.samples[0];
  if (sample === undefined || app.state.engine !== 'ready') return false;
  const text = await (await fetch(`samples/${sample.file}`)).text();
  const whole = ({ source, options, plan, running, stale }) =>
    source.text === text &&
    Object.keys(options).length === 0 &&
    plan === null &&
    !running &&
    !stale &&
    app.state.report !== null;
  app.renderRoot.querySelector('tessera-source')?.flush();
  for (const replaced of [app, app.client])
    // by tests that listen
    for (const name of ['dispatch', 'run', 'lint']) if (Object.hasOwn(replaced, name)) delete replaced[name];
  for (let at = document.activeElement; at != null; at = at.shadowRoot?.activeElement) at.blur();
  if (app.state.openedTrace !== null) app.dispatch({ type: 'trace-opened', opened: null });
  if (app.state.openedLog !== null) app.dispatch({ type: 'log', log: null });
  if (app.state.openedProfile !== null) app.dispatch({ type: 'profile', profile: null });
  for (const { id } of app.state.notices) app.dispatch({ type: 'dismiss', id });
  app.dispatch({ type: 'tour', place: null });
  app.dispatch({ type: 'theme', theme: 'system' });
  app.dispatch({ type: 'compare', runs: null });
  app.dispatch({ type: 'query', query: '' });
  const view = { sourceOpen: false, whyOpen: null, split: null, whole: false, planned: false, regret: false };
  const more = { memory: 'l1', dram: false, filters: [], step: null };
  app.dispatch({ type: 'view', view: { ...view, ...more, tab: 'schedule', main: 'schedule' } });
  app.dispatch({ type: 'select', row: -1 });
  app.renderRoot.querySelector('tessera-schedule')?.scrollToOpening();
  if (whole(app.state)) return true;
  const before = app.state.report;
  app.dispatch({ type: 'options', options: {} });
  if (app.state.plan !== null) app.dispatch({ type: 'plan', plan: null });
  app.dispatch({ type: 'policy', policy: { code: null, busy: false, answer: null, table: null } });
  if (!withSample) return true;
  app.dispatch({ type: 'load', text, origin: { kind: 'sample', id: sample.id } });
  const end = performance.now() + 15_000;
  while ((app.state.report === before || app.state.running) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 15));
  return app.state.report !== before;
}

export const open = async (page, url, { hash = '', search = '' } = {}) => {
  await page.goto(`${url}${search}${hash}`);
};

export const waitForRows = (page) => page.waitForSelector('tessera-schedule .row');

// Opens the source where it is closed: the editor is fetched with it. A page that remembers an open pane opens it
// itself, and then there is nothing to click any more.
export const waitForEditor = async (page) => {
  const closed = page.getByRole('button', { name: 'Show the source pane' });
  const shown = async () => {
    if (await page.locator('.cm-content').first().isVisible()) return true;
    if (await closed.isVisible()) await closed.click({ timeout: 1000 }).catch(() => {});
    return false;
  };
  await page.waitForSelector('tessera-toolbar');
  await until(page, shown, 'the editor');
};

// A part of the state, through the element's own property; as text, since Playwright looks at every value of a tree on
// both sides.
export const state = async (page, path) => {
  const text = await page.evaluate(
    (keys) =>
      JSON.stringify(keys.split('.').reduce((value, key) => value?.[key], document.querySelector('tessera-app').state)),
    path,
  );
  return text === undefined ? undefined : JSON.parse(text);
};

// Whether there is such a part: a report can have megabytes, which take longer to hand over than a test's own work.
export const known = (page, path) =>
  page.evaluate(
    (keys) =>
      keys.split('.').reduce((value, key) => value?.[key] ?? null, document.querySelector('tessera-app').state) !==
      null,
    path,
  );

// Polls without evaluating text in the page (its policy forbids that).
export async function until(page, test, what, timeoutMs = kPatienceMs) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await page.waitForTimeout(40);
  }
}

export const settled = (page, what = 'a finished run') =>
  until(
    page,
    () =>
      page.evaluate(() => {
        const { running, engine, report } = document.querySelector('tessera-app').state;
        return !running && engine === 'ready' && report !== null;
      }),
    what,
  );

// Waits until the address bar holds what the page shows: it is written a moment after the last change.
export const addressWritten = (page) =>
  until(page, () => page.evaluate(() => !document.querySelector('tessera-app').address_.pending), 'the address');

// Waits for the frame that shows what was dropped; milliseconds from the drop to its report and to that frame, and
// those in the engine. A frame of the run before may come when its marks are gone already: it is not the one.
export async function drawnAfterDrop(page, timeoutMs = kPatienceMs) {
  const times = () =>
    page.evaluate(() => {
      const last = (name) => performance.getEntriesByName(name).at(-1)?.startTime ?? 0;
      const [dropped, report, drawn] = ['tessera-drop', 'tessera-report', 'tessera-drawn'].map(last);
      if (dropped === 0 || report < dropped || drawn < report) return null;
      const engine = document.querySelector('tessera-app').state.durationMs;
      return { at: dropped, report: report - dropped, drawn: drawn - dropped, engine };
    });
  return until(page, times, 'a drawn frame', timeoutMs);
}

// Drops a file on the middle of the page, as a user's drag would.
export async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))], fileName));
      return data;
    },
    [name, Buffer.from(content).toString('base64')],
  );
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('tessera-app', event, { dataTransfer: transfer });
}

export async function type(page, text) {
  await waitForEditor(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText(text);
}

export const editorText = (page) =>
  page.evaluate(
    () => document.querySelector('tessera-app').renderRoot.querySelector('tessera-source').editor_?.text() ?? null,
  );

// How many different colours a canvas of the schedule shows.
export const colors = (page, selector) => colorsOf(page.locator(`tessera-schedule ${selector}`));

export const colorsOf = (canvas) =>
  canvas.evaluate((one) => {
    // Read from a copy: the browser warns of a canvas that is drawn and read in turn.
    const copy = new OffscreenCanvas(one.width, one.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(one, 0, 0);
    const { data } = copy.getImageData(0, 0, one.width, one.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return seen.size;
  });

// The index of a row near the first op that costs time, where the page opens a graph; rows before it load what is
// computed once.
export const rowNear = async (page, offset) => {
  const first = await page.evaluate(() =>
    document
      .querySelector('tessera-app')
      .state.report.run.rows.findIndex((row) => row.kind === 'op' && row.time.total > 0),
  );
  return Math.max(first, 0) + offset;
};

// The first row that is one of its own: loads of cached weights before it are folded.
export const firstRow = (page) =>
  page.evaluate(() =>
    document.querySelector('tessera-app').state.report.run.rows.findIndex(({ op }) => op !== 'ttcore.load_cached'),
  );

export const dispatch = (page, action) =>
  page.evaluate((it) => document.querySelector('tessera-app').dispatch(it), action);

export const choosePolicy = async (page, id) => {
  await page.locator('tessera-policy-menu button').click();
  await page.locator(`tessera-policy-menu [data-policy="${id}"]`).click();
};

// Does what leads to another run, and waits for its report: the one of the present text and options.
export const another = async (page, act) => {
  await page.evaluate(() => (window.before = document.querySelector('tessera-app').state.report));
  await act();
  await until(page, () => page.evaluate(isPresent), 'another run');
};

// Runs in the page.
function isPresent() {
  const { report, running, source, options, catalog } = document.querySelector('tessera-app').state;
  if (report === null || report === window.before || running) return false;
  const written = report.input.layouts && options.reoptimize !== true; // then the policy is not the catalog's
  const asked = catalog.options.filter(({ id }) => id in options || (id === 'policy' && !written) || id === 'device');
  return (
    report.input.bytes === new TextEncoder().encode(source.text).length &&
    asked.every((option) => report.options[option.id] === (options[option.id] ?? option.default))
  );
}

export const openSample = async (page, id) => {
  const loads = await state(page, 'source.loads');
  await another(page, async () => {
    await page.getByLabel('Sample', { exact: true }).selectOption(id);
    await until(page, async () => (await state(page, 'source.loads')) > loads, `the sample ${id}`);
  });
};

// Opens the stepper under the schedule and waits for what it walks.
export const openSteps = async (page) => {
  await page.getByRole('button', { name: 'Step by step' }).click();
  await page.locator('tessera-stepper .told, tessera-stepper .short').first().waitFor();
};

// Runs in the page, on an element.
export const focused = (element) => element.matches(':focus');

const kMostStops = 120;

// Presses a key until the focus is there, as a user would who sees no pointer: every stop shows that it has the focus.
export async function tabTo(page, target, key = 'Tab') {
  await target.first().waitFor();
  for (let stops = 0; stops <= kMostStops; stops++) {
    if (await target.first().evaluate(focused)) return;
    await page.keyboard.press(key);
    const unseen = await page.evaluate(unseenFocus);
    if (unseen !== '') throw new Error(`the focus is not seen: ${unseen}`);
  }
  throw new Error(`${kMostStops} times ${key} do not lead to ${target}`);
}

// Runs in the page: what has the focus without a ring around it, or out of sight; ''.
function unseenFocus() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === null || at === document.body) return ''; // between the last stop and the first
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { left, top, right, bottom, width, height } = at.getBoundingClientRect();
  const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && width > 0 && height > 0;
  const told = `${at.localName}.${at.className} ${at.textContent.trim().slice(0, 30)}`;
  if (!inside) return `${told}: out of sight`;
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 ? '' : `${told}: no ring`;
}

// A chain of `count` ops with a fork every now and then.
export function longGraph(count) {
  const t = 'tensor<64x128xbf16>';
  const lines = [`func.func @long(%arg0: ${t}) -> ${t} {`];
  for (let at = 0; at < count; at++) {
    const from = at === 0 ? '%arg0' : `%${at - 1}`;
    const other = at > 20 && at % 9 === 0 ? `%${at - 17}` : null;
    lines.push(
      other === null
        ? `  %${at} = "ttir.relu"(${from}) : (${t}) -> ${t} loc("op.${at}")`
        : `  %${at} = "ttir.add"(${from}, ${other}) : (${t}, ${t}) -> ${t} loc("op.${at}")`,
    );
  }
  lines.push(`  return %${count - 1} : ${t}`, '}', '');
  return lines.join('\n');
}

// A file that the Export menu makes.
export const exported = async (page, what) => {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-export=${what}]`).click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
};

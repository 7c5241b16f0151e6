// A test runner for the page: tests are declared first and then run side by side, each lane in a browser context of its
// own whose page is opened once and brought back to its first state between tests. One line per test, a closing count.
// Every page is watched for console errors, exceptions and violations of the Content-Security-Policy; a test fails when
// its page had one that it did not expect.
import { delayedPage } from './delayed_page.mjs';

// For what a test waits for; only one that fails waits so long, and a busy machine is slow.
export const kPatienceMs = 30_000;
const kMostAgain = 5; // more than that is no accident
const kViewport = { width: 1600, height: 1000 };
// What an open page can be given; all else is a context's.
const kEmulated = ['viewport', 'colorScheme', 'reducedMotion'];

// Thrown by a test that cannot be run here, with the reason.
export class Skipped extends Error {}

export class Harness {
  passed = 0;
  failed = 0;
  skipped = 0;
  tests_ = [];
  failedTests_ = [];

  // `starts`: by name of a start, what brings a page to it, new or used; `delayed`: pages are late (delayed_page.mjs).
  constructor(browser, starts, { lanes = 1, delayed = false } = {}) {
    this.browser = browser;
    this.delayed = delayed;
    this.starts = starts;
    this.lanes = lanes;
  }

  // settings: `start`: a name of a start, 'page' unless given; `fresh`: a page of its own, which the test opens itself;
  // `own`: a page of its own that is brought to the start, for what no start takes back; `context`: options of the
  // browser context; `expect`: complaints that are none; `slow`: begun before the others.
  test(name, settings, body) {
    this.tests_.push({ name, settings, body });
  }

  skip(name, reason) {
    this.skipped++;
    console.log(`skipped ${name}: ${reason}`);
  }

  // Leaves out the tests whose name does not pass.
  keep(passes) {
    this.tests_ = this.tests_.filter(({ name }) => passes(name));
  }

  // Runs what was declared; true when all is well.
  async run() {
    const begun = performance.now();
    const waiting = this.tests_.toSorted((a, b) => Number(b.settings.slow ?? 0) - Number(a.settings.slow ?? 0));
    await Promise.all(Array.from({ length: this.lanes }, () => this.runLane(waiting)));
    // Two tests side by side on a busy machine disturb each other: what failed is tried once more, with nothing beside.
    const again = this.failedTests_.splice(0);
    if (again.length > 0 && again.length <= kMostAgain) {
      console.log(`again, one by one: ${again.map(({ name }) => name).join('; ')}`);
      this.failed -= again.length;
      await this.runLane(again);
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${this.passed + this.failed} tests in ${seconds} s, ${this.lanes} side by side`);
    console.log(`${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`);
    return this.failed === 0;
  }

  async runLane(waiting) {
    const kept = new Map(); // document -> page
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { start = 'page', fresh, own: alone, context = {} } = next.settings;
      const kind = start === 'lab' ? 'lab' : 'page';
      const own =
        fresh === true || alone === true || Object.keys(context).some((option) => !kEmulated.includes(option));
      const desk = own ? await this.openDesk(context) : (kept.get(kind) ?? (await this.openDesk({})));
      const well = await this.runTest(next, desk, fresh === true ? null : start);
      if (own || !well) {
        kept.delete(kind);
        await desk.context.close();
      } else kept.set(kind, desk);
    }
    for (const { context } of kept.values()) await context.close();
  }

  async runTest(test, desk, start) {
    const { name, settings, body } = test;
    const { page, context } = desk;
    const began = performance.now();
    desk.complaints.length = 0;
    try {
      await page.setViewportSize(settings.context?.viewport ?? kViewport);
      const { colorScheme = 'light', reducedMotion = 'no-preference' } = settings.context ?? {};
      await page.emulateMedia({ colorScheme, reducedMotion });
      if (start !== null) await this.starts[start](page);
      const ready = performance.now();
      await body(page, context);
      const known = settings.expect ?? [];
      const unexpected = desk.complaints.filter((text) => !known.some((pattern) => pattern.test(text)));
      if (unexpected.length > 0) throw new Error(`the console is not clean:\n    ${unexpected.join('\n    ')}`);
      for (const other of context.pages()) if (other !== page) await other.close();
      this.passed++;
      const set = start === null ? '' : `, ${Math.round(ready - began)} ms before`;
      console.log(`ok      ${name} (${Math.round(performance.now() - ready)} ms${set})`);
      return true;
    } catch (error) {
      if (error instanceof Skipped) {
        this.skip(name, error.message);
        return true;
      }
      this.failed++;
      this.failedTests_.push(test);
      const told = String(error.stack ?? error).split('\n');
      console.log(`FAILED  ${name}\n    ${told.slice(0, 12).join('\n    ')}`);
      for (const complaint of desk.complaints.slice(0, 5)) console.log(`    console: ${complaint}`);
      return false;
    }
  }

  async openDesk(options) {
    const context = await this.browser.newContext({
      viewport: kViewport,
      permissions: ['clipboard-read', 'clipboard-write'],
      serviceWorkers: 'block', // else a page would be served by the build of a test before
      ...options,
    });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      );
    });
    if (this.delayed) await delayedPage(context);
    const page = await context.newPage();
    page.setDefaultTimeout(kPatienceMs);
    const complaints = [];
    page.on('console', (message) => {
      if (/Service Worker registration blocked/.test(message.text())) return;
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
    return { context, page, complaints };
  }
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, message) {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${message}: expected ${e}, got ${a}`);
}

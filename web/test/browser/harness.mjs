// A test runner of one page: one line per test, a closing count. Every page is watched for console errors, exceptions
// and violations of the Content-Security-Policy; a test fails when its page had one that it did not expect.

export class Harness {
  passed = 0;
  failed = 0;
  skipped = 0;

  constructor(browser) {
    this.browser = browser;
  }

  async test(name, settings, body) {
    const begun = performance.now();
    const context = await this.browser.newContext({ viewport: { width: 1600, height: 1000 }, ...settings.context });
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      );
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const complaints = [];
    page.on(
      'console',
      (message) =>
        ['error', 'warning'].includes(message.type()) && complaints.push(`${message.type()}: ${message.text()}`),
    );
    page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
    try {
      await body(page, context);
      const unexpected = complaints.filter((text) => !(settings.expect ?? []).some((pattern) => pattern.test(text)));
      if (unexpected.length > 0) throw new Error(`the console is not clean:\n    ${unexpected.join('\n    ')}`);
      this.passed++;
      console.log(`ok      ${name} (${Math.round(performance.now() - begun)} ms)`);
    } catch (error) {
      this.failed++;
      console.log(
        `FAILED  ${name}\n    ${String(error.stack ?? error)
          .split('\n')
          .slice(0, 12)
          .join('\n    ')}`,
      );
      for (const complaint of complaints.slice(0, 5)) console.log(`    console: ${complaint}`);
    } finally {
      await context.close();
    }
  }

  skip(name, reason) {
    this.skipped++;
    console.log(`skipped ${name}: ${reason}`);
  }

  finish() {
    console.log(`${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`);
    return this.failed === 0;
  }
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(actual, expected, message) {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${message}: expected ${e}, got ${a}`);
}

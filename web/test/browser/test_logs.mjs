// Logs of the compiler's passes: opened, looked at, followed, and far larger than what may be in memory.
import { check, equal } from './harness.mjs';
import { drop, settled, state, until } from './page.mjs';
import { kCompiled } from './test_plans.mjs';

const kTtir = `module {
  func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
    %0 = "ttir.relu"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(#loc1)
    return %0 : tensor<64x64xbf16>
  }
}
#loc1 = loc("conv1")
`;
// A dump of 200 KB.
const kLarge = kTtir.replace(/(?= {4}return)/, '    // nothing but length\n'.repeat(8000));
const marker = (pass) => `// -----// IR Dump After ${pass} (${pass}) //----- //\n`;
const kLines = kCompiled.trimEnd().split('\n');
const kind = (line) => (line.startsWith('#loc') ? 'loc' : line.startsWith('#') ? 'alias' : 'op');
const linesOf = (which) =>
  kLines
    .filter((line) => kind(line) === which)
    .map((line) => (which === 'op' ? `  ${line}` : line))
    .join('\n');
const kFinal = `${linesOf('alias')}\nmodule {\n${linesOf('op')}\n}\n${linesOf('loc')}\n`;
export const kLog =
  marker('first') +
  kTtir +
  '2026-02-21 22:37:07.913 (2.0s) | a line of a logger\n' +
  marker('idle') +
  kTtir +
  marker('lower') +
  kTtir.replace('ttir.relu', 'ttnn.relu') +
  marker('layout') +
  kFinal;

const list = (page) => page.locator('tessera-pass-log button.pass');

export function logTests(harness) {
  harness.test(
    'a log of passes opens as a list; differences, ops by location, the last state runs',
    {},
    async (page) => {
      await drop(page, 'passes.log', kLog);
      await list(page).nth(3).waitFor();
      equal(await list(page).count(), 4, 'passes');
      check((await list(page).nth(1).getAttribute('class')).includes('idle'), 'no effect is dimmed');
      await list(page).nth(2).click();
      await page.locator('tessera-pass-log td.new', { hasText: 'ttnn.relu' }).waitFor();
      check(!(await page.locator('tessera-pass-log').innerText()).includes('a line of a logger'), 'no logger lines');
      await page.locator('tessera-pass-log input[name=location]').fill('conv1');
      await page.locator('tessera-pass-log form button').click();
      const rows = page.locator('tessera-pass-log table.followed tbody tr');
      await rows.nth(1).waitFor();
      check((await rows.nth(0).innerText()).includes('ttir.relu'), 'at first');
      check((await rows.nth(1).innerText()).includes('ttnn.relu'), 'after lowering');
      await settled(page);
      await until(
        page,
        async () => (await state(page, 'report.policy.id')) === 'AsWritten',
        'the last state as written',
      );
    },
  );

  harness.test('a file dropped over a log is shown, or why it cannot be read', {}, async (page) => {
    await drop(page, 'passes.log', kLog);
    await list(page).nth(3).waitFor();
    await drop(page, 'cut.mlir', kTtir.slice(0, 90));
    await page.locator('tessera-blank h2', { hasText: 'cut.mlir' }).waitFor();
    await drop(page, 'passes.log', kLog);
    await list(page).nth(3).waitFor();
    await drop(page, 'whole.mlir', kTtir);
    await page.locator('tessera-schedule .row').first().waitFor();
  });

  harness.test('a log that is cut off opens', {}, async (page) => {
    await drop(page, 'cut.log', kLog.slice(0, kLog.lastIndexOf('sigmoid')));
    await list(page).nth(3).waitFor();
    await page.getByText('is cut off').waitFor();
    await until(page, async () => (await state(page, 'source.text')).includes('ttnn.relu'), 'the last whole state');
  });

  harness.test('a log of 180 MB opens while the page answers', { slow: 1 }, async (page) => {
    const most = await page.evaluate(
      async ([dump, end]) => {
        const file = new File(
          [...Array.from({ length: Math.ceil((180 << 20) / dump.length) }, () => dump), end],
          'big.log',
        );
        if (file.size < 180 << 20) throw new Error(`only ${file.size} bytes`);
        const data = new DataTransfer();
        data.items.add(file);
        const app = document.querySelector('tessera-app');
        const event = { dataTransfer: data, bubbles: true, composed: true, cancelable: true };
        app.dispatchEvent(new DragEvent('drop', event));
        let longest = 0;
        let last = performance.now();
        while (app.state.openedLog?.answer == null) {
          await new Promise((resolve) => setTimeout(resolve, 16));
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }
        return { longest, passes: app.state.openedLog.answer.passes.length };
      },
      [`${marker('first')}${kLarge}`, kLog],
    );
    check(most.passes > 500, `${most.passes} passes`);
    console.log(`        longest pause ${Math.round(most.longest)} ms, ${most.passes} passes`);
    await until(page, async () => (await list(page).count()) > 100, 'the list');
    await until(page, async () => (await state(page, 'report.policy.id')) === 'AsWritten', 'the last state as written');
  });
}

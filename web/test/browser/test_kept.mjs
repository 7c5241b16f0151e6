// What was typed outlives the page: a reload, a crash of the tab, storage that is full or forbidden, a second tab.
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  dispatch,
  editorText,
  longGraph,
  open,
  settled,
  state,
  type,
  until,
  waitForEditor,
  waitForRows,
} from './page.mjs';

const kBlanks = 4.1 * 1024 * 1024; // more characters than an address takes

const loadLarge = (page, name) =>
  page.evaluate(
    ([graph, blanks, file]) =>
      document.querySelector('tessera-app').dispatch({
        type: 'load',
        text: `// ${file} ${'x'.repeat(blanks)}\n${graph}`,
        origin: { kind: 'file', name: file },
      }),
    [longGraph(20), kBlanks, name],
  );

const begins = async (page) => ((await state(page, 'source.text')) ?? '').slice(0, 14);
const opened = async (page, url) => {
  await open(page, url);
  await waitForRows(page);
  await settled(page);
};

export function keptTests(harness, { url }) {
  harness.test('what was typed a moment ago is there after a reload', { fresh: true }, async (page) => {
    await opened(page, url);
    for (const line of ['// typed at once\n', '// and again\n']) {
      await type(page, line);
      await page.reload();
      await waitForEditor(page);
      await until(page, async () => ((await editorText(page)) ?? '').startsWith(line), line);
    }
    await addressWritten(page);
    await open(page, url); // a page that is not loaded again is a new one
    await waitForRows(page);
    check(!(await begins(page)).startsWith('// and again'), 'a new page has the sample');
  });

  harness.test(
    'where nothing may be stored the page works, and asks before it drops what was typed',
    { fresh: true },
    async (page) => {
      await page.addInitScript(() => {
        const forbidden = {
          get() {
            throw new DOMException('forbidden', 'SecurityError');
          },
        };
        for (const name of ['sessionStorage', 'localStorage', 'indexedDB'])
          Object.defineProperty(window, name, forbidden);
      });
      await opened(page, url);
      await type(page, '// typed at once\n');
      const asked = new Promise((resolve) =>
        page.on('dialog', (dialog) => {
          resolve(dialog.type());
          void dialog.dismiss();
        }),
      );
      await page.evaluate(() => setTimeout(() => location.reload(), 0));
      equal(await asked, 'beforeunload', 'the question');
      await addressWritten(page);
      check((await begins(page)).startsWith('// typed at on'), 'the text stays');
      await page.reload(); // the address has it now: no question
      await waitForRows(page);
      check((await begins(page)).startsWith('// typed at on'), 'the text is there again');
      await loadLarge(page, 'large.mlir');
      await page.locator('.notice', { hasText: 'keeps nothing for this page (SecurityError)' }).waitFor();
      await settled(page);
    },
  );

  harness.test('full storage is told, and nothing else changes', { fresh: true }, async (page) => {
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await opened(page, url);
    await dispatch(page, { type: 'theme', theme: 'dark' });
    await loadLarge(page, 'large.mlir');
    await page.locator('.notice', { hasText: 'keeps nothing for this page (QuotaExceededError)' }).waitFor();
    await settled(page);
    equal(await state(page, 'source.origin.name'), 'large.mlir', 'the graph');
  });

  harness.test(
    'two tabs keep a graph each, though neither fits an address; a crashed one comes back',
    { fresh: true },
    async (page, context) => {
      await opened(page, url);
      await loadLarge(page, 'one.mlir');
      await settled(page);
      await addressWritten(page);
      const other = await context.newPage();
      await open(other, page.url()); // begins with the first one's graph
      await until(other, async () => (await begins(other)).startsWith('// one.mlir'), 'the graph of the first');
      await settled(other);
      await loadLarge(other, 'two.mlir');
      await settled(other);
      await addressWritten(other);
      await page.reload();
      await until(page, async () => (await begins(page)).startsWith('// one.mlir'), 'the first, loaded again');
      equal(await state(page, 'source.origin.name'), 'one.mlir', 'its name');
      const address = other.url();
      const crashed = new Promise((resolve) => other.on('crash', resolve));
      const session = await context.newCDPSession(other);
      session.send('Page.crash').catch(() => {});
      await crashed;
      const again = await context.newPage();
      await open(again, address);
      await until(again, async () => (await begins(again)).startsWith('// two.mlir'), 'the crashed one');
      await settled(again);
      check((await begins(page)).startsWith('// one.mlir'), 'the first has not changed');
    },
  );

  harness.test('an engine without memory says which graph and which limit', { fresh: true }, async (page) => {
    await open(page, url, { search: '?test=1' });
    await waitForRows(page);
    await settled(page);
    await dispatch(page, { type: 'load', text: longGraph(30), origin: { kind: 'file', name: 'my graph.mlir' } });
    await settled(page);
    await page.evaluate(() => document.querySelector('tessera-app').client.crashNext('run', 'memory'));
    await dispatch(page, { type: 'option', id: 'policy', value: 'DRAM' });
    const told = page.locator('.notice.error', { hasText: 'ran out of memory on “my graph.mlir”' });
    await told.waitFor();
    check((await told.innerText()).includes('it may use 2'), await told.innerText());
    await dispatch(page, { type: 'option', id: 'policy', value: 'Beam' });
    await until(page, async () => (await state(page, 'report.options.policy')) === 'Beam', 'the next run');
  });
}

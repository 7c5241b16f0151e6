// What leaves the page and comes back: files, links, titles, back and forward; and the answers it gives in sentences.
import { seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  dispatch,
  drop,
  exported,
  firstRow,
  longGraph,
  open,
  openSample,
  settled,
  known,
  state,
  until,
  waitForRows,
} from './page.mjs';

const openFile = async (page, name, text) => {
  const loads = await state(page, 'source.loads');
  await drop(page, name, text);
  await until(page, async () => (await state(page, 'source.loads')) > loads, name);
  await settled(page);
};

const selectedName = (page) =>
  page.evaluate(() => {
    const { report, selected } = document.querySelector('tessera-app').state;
    return report.run.rows[selected]?.name ?? null;
  });

export function shareTests(harness, { url }) {
  harness.test('a run is saved as pictures, a table and a report', {}, async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    equal(await seriousInBothThemes(page), [], 'the menu');
    await page.keyboard.press('Escape');
    const rows = await state(page, 'report.run.rows.length');
    const csv = await exported(page, 'csv');
    equal(csv.bytes.toString().trim().split('\r\n').length, rows + 1, 'a line per step and one of titles');
    const svg = (await exported(page, 'svg')).bytes.toString();
    check(svg.startsWith('<svg xmlns=') && svg.trim().endsWith('</svg>'), 'an SVG');
    const parsed = await page.evaluate((text) => {
      const root = new DOMParser().parseFromString(text, 'image/svg+xml');
      return { wrong: root.querySelector('parsererror') !== null, texts: root.querySelectorAll('text').length };
    }, svg);
    check(!parsed.wrong && parsed.texts > rows, 'it is well-formed and has a name per row');
    const png = (await exported(page, 'png')).bytes;
    equal([...png.subarray(1, 4)].map((code) => String.fromCharCode(code)).join(''), 'PNG', 'a PNG');
    check(png.length > 10_000, 'with something on it');
    const report = JSON.parse((await exported(page, 'report')).bytes.toString());
    equal(report.run.rows.length, rows, 'the report');
  });

  harness.test('a graph too large for a link is one file, which brings everything back', {}, async (page) => {
    const kBlanks = 4.1 * 1024 * 1024;
    await page.evaluate(
      ([graph, blanks]) =>
        document.querySelector('tessera-app').dispatch({
          type: 'load',
          text: `// ${'x'.repeat(blanks)}\n${graph}`,
          origin: { kind: 'file', name: 'large.mlir' },
        }),
      [longGraph(60), kBlanks],
    );
    await settled(page);
    await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'DRAM' }));
    await dispatch(page, { type: 'select', row: 20 });
    const name = await selectedName(page);
    const file = await exported(page, 'session');
    equal(file.name, 'large.tessera', 'its name');
    check(file.bytes.length < 1024 * 1024, 'it is packed');
    await dispatch(page, { type: 'options', options: {} });
    await openSample(page, 'mlp');
    await openFile(page, file.name, file.bytes);
    check((await state(page, 'source.text.length')) > kBlanks, 'the graph');
    equal(await state(page, 'options.policy'), 'DRAM', 'the policy');
    equal(await selectedName(page), name, 'the op');
  });

  harness.test(
    'a link holds step, file name and compared runs; the title names graph and run',
    {},
    async (page, context) => {
      await openFile(page, 'my graph.mlir', longGraph(40));
      await dispatch(page, { type: 'compare', runs: [{ policy: 'DRAM' }, { policy: 'Beam' }] });
      await dispatch(page, { type: 'select', row: 17 });
      await addressWritten(page);
      check((await page.title()).startsWith('my graph.mlir · Greedy · '), await page.title());
      const other = await context.newPage();
      // The engine comes after the address was written.
      await other.route('**/tessera*.wasm', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await route.continue();
      });
      await other.goto(page.url());
      await waitForRows(other);
      await settled(other);
      equal(await state(other, 'source.origin.name'), 'my graph.mlir', 'the name of the file');
      equal(await state(other, 'selected'), 17, 'the step');
      equal(await state(other, 'compareRuns'), [{ policy: 'DRAM' }, { policy: 'Beam' }], 'the compared runs');
      check((await other.title()).startsWith('my graph.mlir · Greedy · '), await other.title());
    },
  );

  harness.test('back and forward go through what was looked at', { fresh: true }, async (page) => {
    await open(page, url);
    await waitForRows(page);
    await settled(page);
    await addressWritten(page);
    const first = await firstRow(page);
    const loads = await state(page, 'source.loads');
    for (const row of [first, first + 3]) {
      await dispatch(page, { type: 'select', row });
      await addressWritten(page);
    }
    await page.locator('nav.views').getByRole('button', { name: 'Optimum' }).click();
    await addressWritten(page);
    await page.goBack();
    await until(page, async () => (await state(page, 'view.main')) === 'schedule', 'the schedule');
    equal(await state(page, 'selected'), first + 3, 'the op in it');
    await page.goBack();
    await until(page, async () => (await state(page, 'selected')) === first, 'the op before');
    await page.goForward();
    await until(page, async () => (await state(page, 'selected')) === first + 3, 'forward again');
    equal(await state(page, 'source.loads'), loads, 'the graph is not loaded again');
  });

  harness.test('Why says in sentences with figures what left L1 and for whom', {}, async (page) => {
    await openSample(page, 'transformer-layer');
    await another(page, () => dispatch(page, { type: 'option', id: 'tensor-l1-usage-cap', value: 0.3 }));
    const found = await page.evaluate(() => {
      const { run } = document.querySelector('tessera-app').state.report;
      const at = run.rows.findIndex(({ kind, cause }) => kind === 'spill' && cause === 'memory');
      if (at < 0) return null;
      const moved = run.values[run.rows[at].operands[0]];
      let next = at;
      while (run.rows[next].kind !== 'op') next++;
      return { at, next, maker: moved.producer, bytes: moved.layout.bytesPerCore, need: run.rows[next].constraints };
    });
    check(found !== null, 'something left L1');
    const story = async (row) => {
      await dispatch(page, { type: 'select', row });
      await until(page, async () => (await state(page, 'selected')) === row, 'the row');
      await page.waitForTimeout(50);
      return (await page.locator('tessera-why .story').innerText()).replace(/,/g, '');
    };
    const kilobytes = (bytes) => `${bytes < 10240 ? Number((bytes / 1024).toFixed(1)) : Math.round(bytes / 1024)} KB`;
    const left = await story(found.at);
    check(left.includes(`${kilobytes(found.bytes)} per core read next`), `the size of what left: ${left}`);
    // What nobody reads again is freed, not moved.
    check(/read next \d+ steps? later/.test(left), `when it is read: ${left}`);
    const maker = await story(found.maker);
    check(maker.includes(`step ${found.at}`) && /left L1/.test(maker), `the op that made it: ${maker}`);
    const taker = await story(found.next);
    check(/To make room/.test(taker), `the op that needed room: ${taker}`);
    await page.locator('tessera-why .story .link').first().click();
    check((await state(page, 'selected')) !== found.next, 'names lead to their rows');
    equal(await seriousInBothThemes(page), [], 'sentences');
  });

  harness.test('what would keep it in L1 is tried, applied and undone', {}, async (page) => {
    await openSample(page, 'transformer-layer');
    await another(page, () => dispatch(page, { type: 'option', id: 'tensor-l1-usage-cap', value: 0.3 }));
    const lost = await page.evaluate(() => {
      const { run } = document.querySelector('tessera-app').state.report;
      const at = run.rows.findIndex(({ kind, cause }) => kind === 'spill' && cause === 'memory');
      return run.values[run.rows[at].operands[0]].producer;
    });
    await dispatch(page, { type: 'select', row: lost });
    const name = await selectedName(page);
    const ask = page.getByRole('button', { name: 'Try single changes' });
    await until(page, async () => (await ask.isVisible()) || (await known(page, 'advice')), 'an offer');
    // A quick run is looked into unasked: then the button goes.
    await ask.click({ timeout: 3000 }).catch(() => {});
    await until(page, () => known(page, 'advice'), 'trials');
    const offer = page.locator('tessera-why .changes li', { hasText: 'L1 usage cap' }).first();
    await until(page, async () => (await state(page, 'advice.busy')) === false, 'the changes that were tried');
    await offer.waitFor();
    equal(await seriousInBothThemes(page), [], 'offers');
    const promised = await offer.innerText();
    const before = await state(page, 'report.run.totals.time');
    await another(page, () => offer.getByRole('button', { name: /^Apply/ }).click());
    const now = await page.evaluate((wanted) => {
      const { run } = document.querySelector('tessera-app').state.report;
      const row = run.rows.find((one) => one.kind === 'op' && one.name === wanted);
      const value = row.results[0];
      return {
        inL1: run.values[value].layout.buffer === 'l1',
        left: run.rows.some(({ kind, operands }) => kind === 'spill' && operands[0] === value),
        time: run.totals.time,
      };
    }, name);
    check(now.inL1 && !now.left, 'the result stays in L1, as was said');
    check(promised.includes(now.time < before ? 'less' : now.time > before ? 'more' : 'same time'), promised);
    await another(page, () => page.getByRole('button', { name: 'Undo' }).click());
    equal(await state(page, 'options'), { 'tensor-l1-usage-cap': 0.3 }, 'the options before');
    equal(await state(page, 'report.run.totals.time'), before, 'the run before');
  });

  harness.test(
    'what would keep a result in L1 tries its type alone, applies it and takes it back',
    { start: 'any', slow: true },
    async (page) => {
      await openSample(page, 'l1-pressure');
      await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'Beam' }));
      const [lost, spills] = await page.evaluate(() => {
        const { run } = document.querySelector('tessera-app').state.report;
        const at = run.rows.findIndex(({ kind, cause }) => kind === 'spill' && cause === 'memory');
        return [run.values[run.rows[at].operands[0]].producer, run.totals.spills];
      });
      await dispatch(page, { type: 'select', row: lost });
      const ask = page.getByRole('button', { name: 'Try single changes' });
      await until(page, async () => (await ask.isVisible()) || (await known(page, 'advice')), 'an offer');
      await ask.click({ timeout: 3000 }).catch(() => {}); // a quick run is looked into unasked
      const offer = page.locator('tessera-why .changes li', { hasText: 'Result in 8-bit block floats' }).first();
      await offer.waitFor();
      await until(page, async () => (await state(page, 'advice.busy')) === false, 'the changes that were tried');
      await another(page, () => offer.getByRole('button', { name: /^Apply/ }).click());
      check((await state(page, 'report.run.totals.spills')) < spills, 'less leaves L1, as was said');
      check(String((await state(page, 'options'))['override-output-layout']).endsWith('=bfp_bf8'), 'its type alone');
      await another(page, () => page.getByRole('button', { name: 'Undo' }).click());
      equal(await state(page, 'report.run.totals.spills'), spills, 'the run before');
    },
  );

  harness.test(
    'an op that runs earlier makes room for another: tried, applied, in the link, undone',
    {},
    async (page) => {
      await another(page, () => drop(page, 'branches.mlir', kTwoBranches));
      const places = () =>
        page.evaluate(() => {
          const { rows, values } = document.querySelector('tessera-app').state.report.run;
          return rows
            .filter(({ kind }) => kind === 'op')
            .map(({ name, results }) => `${name} ${values[results[0]]?.layout?.buffer}`)
            .join(', ');
        });
      const before = await places();
      check(before.includes('%b dram'), `there is no room for %b: ${before}`);
      await dispatch(page, {
        type: 'select',
        row: await page.evaluate(() =>
          document.querySelector('tessera-app').state.report.run.rows.findIndex(({ name }) => name === '%b'),
        ),
      });
      const ask = page.getByRole('button', { name: 'Try single changes' });
      await until(page, async () => (await ask.isVisible()) || (await known(page, 'advice')), 'an offer');
      await ask.click({ timeout: 3000 }).catch(() => {}); // a quick run is looked into unasked
      const offer = page.locator('tessera-why .changes li', { hasText: / right before / }).first();
      await until(page, async () => (await state(page, 'advice.busy')) === false, 'the changes that were tried');
      await offer.waitFor();
      check(/less/.test(await offer.innerText()), await offer.innerText());
      await another(page, () => offer.getByRole('button', { name: /^Apply/ }).click());
      check((await places()).includes('%b l1'), `it lies in L1, as was said: ${await places()}`);
      check((await state(page, 'options'))['op-order'].includes('='), 'by the option that a link keeps');
      await another(page, () => page.getByRole('button', { name: 'Undo' }).click());
      equal(await places(), before, 'the run before');
    },
  );
}

// Two results that do not fit L1 together, each read once.
const kWide = 'tensor<8192x2816xbf16>';
const kThin = 'tensor<8192x1xbf16>';
const kSum = '<{dim_arg = [1 : i32], keep_dim = true}>';
const kTwoBranches = `func.func @main(%x: ${kWide}) -> ${kThin} {
  %a = "ttir.relu"(%x) : (${kWide}) -> ${kWide}
  %b = "ttir.exp"(%x) : (${kWide}) -> ${kWide}
  %c = "ttir.sum"(%a) ${kSum} : (${kWide}) -> ${kThin}
  %d = "ttir.sum"(%b) ${kSum} : (${kWide}) -> ${kThin}
  %e = "ttir.add"(%c, %d) : (${kThin}, ${kThin}) -> ${kThin}
  return %e : ${kThin}
}
`;

// The page says of a run what is so: moves by what they are, one count and one step number in every view.
import { findings, seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import { another, choosePolicy, dispatch, drop, openSample, openSteps, state, until } from './page.mjs';

const view = (page, name) => page.locator('nav.views').getByRole('button', { name }).click();
const figure = (page, id) => page.locator(`tessera-totals [data-figure=${id}]`).innerText();
const matches = async (page, query) => {
  await dispatch(page, { type: 'query', query });
  await page.locator('tessera-schedule .count').waitFor();
  const found = /(\d+)$/.exec((await page.locator('tessera-schedule .count').innerText()).replaceAll(',', ''));
  await dispatch(page, { type: 'query', query: '' });
  return found === null ? 0 : Number(found[1]);
};
const rowsOf = (page) =>
  page.evaluate(() => {
    const { rows, values, layouts: _ } = document.querySelector('tessera-app').state.report.run;
    return rows.map(({ kind, cause, op, name, label, results, time }) => ({
      kind,
      cause: cause ?? '',
      op,
      name,
      label,
      buffer: values[results[0] ?? -1]?.layout?.buffer ?? '',
      results: results.length,
      time: time.total,
    }));
  });

export function truthTests(harness, { fakeEngine }) {
  if (fakeEngine) return; // it invents its moves

  harness.test(
    'moves are called by what they are, and only what lacks room is spilled',
    { start: 'any' },
    async (page) => {
      await openSample(page, 'l1-pressure');
      const count = (rows, test) => rows.filter(test).length;
      for (const policy of ['DFSharding2', 'Greedy', 'Exact']) {
        await another(page, () => choosePolicy(page, policy));
        const rows = await rowsOf(page);
        const spilled = count(rows, ({ kind, cause }) => kind === 'spill' && cause === 'memory');
        const demoted = count(rows, ({ kind, cause }) => kind === 'spill' && cause !== 'memory');
        check(spilled + demoted > 0, `${policy} moves nothing out of L1`);
        const text = (await figure(page, 'spill')).replace(/\s+/g, ' ');
        check(new RegExp(`SPILLED ${spilled}\\b`, 'i').test(text), `${policy}: ${spilled} spilled, not “${text}”`);
        equal(/\+(\d+) demoted/.exec(text)?.[1] ?? '0', String(demoted), `${policy}: demoted`);
        equal(await matches(page, 'spilled'), spilled, `${policy}: “spilled” finds`);
        equal(await matches(page, 'demoted'), demoted, `${policy}: “demoted” finds`);
        for (const [kind, word] of [
          ['reload', 'reloaded'],
          ['reshard', 'resharded'],
          ['return', 'returned'],
        ])
          equal(
            await matches(page, word),
            count(rows, (row) => row.kind === kind),
            `${policy}: “${word}” finds`,
          );
        equal(
          await matches(page, 'in DRAM'),
          count(rows, ({ buffer }) => buffer === 'dram'),
          `${policy}: “in DRAM” finds`,
        );
        equal(
          await matches(page, 'in L1'),
          count(rows, ({ buffer }) => buffer === 'l1'),
          `${policy}: “in L1” finds`,
        );
        const out = rows.findIndex(({ kind }) => kind === 'spill');
        await dispatch(page, { type: 'select', row: out });
        const word = rows[out].cause === 'memory' ? 'spilled' : 'demoted';
        await page.locator('tessera-why .sub', { hasText: word }).waitFor();
        const why = (await page.locator('tessera-why .story').allInnerTexts()).join(' ');
        check(!/L1 is full/.test(why), `${policy}: nothing is called full that the policy counted: ${why}`);
        equal(/ of [\d,]+ KB were taken/.test(why), word === 'spilled', `${policy}: its own figures: ${why}`);
      }
    },
  );

  harness.test('what was computed once is one row, and the schedule opens at the first op', {}, async (page) => {
    const rows = await rowsOf(page);
    const folded = rows.findIndex(({ op }) => op !== 'ttcore.load_cached');
    check(folded > 1, 'the sample loads cached weights');
    const values = rows.slice(0, folded).reduce((sum, { results }) => sum + results, 0);
    const lines = page.locator('tessera-schedule .row');
    const first = lines.first();
    check((await first.innerText()).includes(`${values} cached weights`), await first.innerText());
    check(await page.locator(`#row-${folded}`).isVisible(), 'the op after them');
    equal(await page.locator('.scroller').evaluate(({ scrollTop }) => scrollTop), 0, 'nothing is scrolled');
    const at = (row) => page.locator(`#row-${row}`).evaluate((element) => element.getBoundingClientRect().top);
    const before = await at(folded);
    await first.getByRole('button', { name: /cached weights/ }).click();
    await page.locator('#row-0').waitFor();
    equal((await at(folded)) - before, (folded - 1) * 26, 'pixels that the op moves down');
    equal(await page.locator(`#row-${folded} .step`).innerText(), String(folded), 'its step stays');
    await page.getByRole('button', { name: /cached weights/ }).click();
    await until(page, async () => (await at(folded)) === before, 'the fold closed again');
    // What is inside is found, and shown when it is.
    await dispatch(page, { type: 'select', row: 0 });
    await until(page, () => page.locator('#row-0').isVisible(), 'the selected row in the fold');
  });

  harness.test('another policy keeps the op where it is, not the pixel', { start: 'any' }, async (page) => {
    await openSample(page, 'llama-decode-layer');
    const rows = await rowsOf(page);
    const at = rows.findLastIndex(({ kind, time }) => kind === 'op' && time > 0) - 6;
    const { name } = rows[at];
    await dispatch(page, { type: 'select', row: at });
    const top = async () => {
      const row = (await rowsOf(page)).findIndex((other) => other.name === name);
      return page.locator(`#row-${row}`).evaluate((element) => Math.round(element.getBoundingClientRect().top));
    };
    await page.locator(`#row-${at}`).waitFor();
    const before = await top();
    await another(page, () => choosePolicy(page, 'DFSharding2'));
    const moved = (await rowsOf(page)).findIndex((other) => other.name === name) - at;
    check(moved !== 0, 'the op has the same step under both policies');
    equal(await top(), before, 'pixels from the top');
  });

  harness.test('one count of ops and one step number in every view', { start: 'any' }, async (page) => {
    await openSample(page, 'l1-pressure');
    await dispatch(page, { type: 'select', row: -1 });
    const ops = await state(page, 'report.run.totals.ops');
    const said = async (selector) => Number(/([\d,]+) ops?\b/.exec(await page.locator(selector).innerText())?.[1]);
    equal(await said('tessera-why .sub'), ops, 'ops of the run');
    await view(page, 'Compare');
    await page.locator('tessera-compare .opshead h2').waitFor({ timeout: 60_000 });
    equal(await said('tessera-compare .opshead h2'), ops, 'ops that are compared');
    await view(page, 'Beam');
    await page.locator('tessera-beam .facts').waitFor();
    check((await page.locator('tessera-beam .facts').innerText()).includes(`of ${ops} ops`), 'ops that are decided');
    const rows = await rowsOf(page);
    for (const line of (await page.locator('tessera-beam li').all()).slice(0, 5)) {
      const step = Number(await line.locator('.step').innerText());
      const title = await line.locator('.op').innerText();
      check(title.includes(rows[step].label.split('.').at(-1)) || title.includes(rows[step].name), `${step}: ${title}`);
    }
    await view(page, 'Schedule');
    await openSteps(page);
    const next = page.locator('tessera-stepper').getByRole('button', { name: 'Next step' });
    for (let at = 0; at < 3; at++) {
      await next.click();
      const { label, name } = rows[await state(page, 'selected')];
      const told = await page.locator('tessera-stepper .told').innerText();
      check(told.includes(label.split('.').at(-1)) || told.includes(name), `the op of the selected row: ${told}`);
    }
  });

  harness.test(
    'a file that cannot be read stands alone, with its name, its first error and what it seems',
    {},
    async (page) => {
      const name = 'cut <b>off</b>.mlir';
      await drop(page, name, 'func.func @x(%a: tensor<4x8xbf16>) -> tensor<4x8xbf16> {\n  %0 = "ttir.relu"(%a) : (ten');
      const blank = page.locator('tessera-blank');
      await blank.getByText('could not be read').waitFor();
      check((await blank.locator('h2').innerText()).includes(name), 'its name, as text');
      equal(await blank.locator('b').count(), 0, 'markup of the name');
      check((await blank.locator('.seems').innerText()).includes('ends in its middle'), 'what it seems to be');
      const [line, caret] = (await blank.locator('.excerpt').innerText()).split('\n');
      check(
        line.includes('tensor<4x8xbf16> {') && caret.trim() === '^' && caret.length <= line.length + 1,
        `${line} / ${caret}`,
      );
      equal(
        [...new Set(await page.locator('tessera-totals .figure b').allInnerTexts())],
        ['–'],
        'totals of the graph before',
      );
      equal(await page.locator('tessera-schedule').count(), 0, 'nor its schedule');
      equal(await page.locator('tessera-why h2').count(), 0, 'nor its details');
      equal(await seriousInBothThemes(page), [], 'axe');
      await openSample(page, 'mlp');
      await page.waitForSelector('tessera-schedule .row');
    },
  );

  harness.test('each rule in Why leads to its section in the documents', { start: 'any' }, async (page, context) => {
    await openSample(page, 'l1-pressure');
    await another(page, () => dispatch(page, { type: 'option', id: 'policy', value: 'Beam' }));
    const rows = (await state(page, 'report.run.rows')).flatMap(({ kind, op }, at) =>
      kind === 'op' && op !== 'ttcore.load_cached' ? [at] : [],
    );
    const addresses = new Set();
    for (const row of rows.slice(0, 12)) {
      await dispatch(page, { type: 'select', row });
      await page.locator('tessera-why .query').waitFor();
      await page.locator('tessera-why').evaluate((panel) => panel.updateComplete);
      for (const address of await page.locator('tessera-why a.doc').evaluateAll((all) => all.map(({ href }) => href)))
        addresses.add(address);
    }
    check(addresses.size > 3, `rules: ${[...addresses].join(' ')}`);
    const missing = await page.evaluate(
      async (all) => {
        const found = [];
        for (const address of all) {
          const answer = await fetch(address);
          const text = await answer.text();
          const { hash } = new URL(address);
          if (!answer.ok || (hash !== '' && !text.includes(` id="${hash.slice(1)}"`))) found.push(address);
        }
        return found;
      },
      [...addresses],
    );
    equal(missing, [], 'addresses without a section');
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.locator('tessera-why .query a.doc').first().click(),
    ]);
    await opened.locator(':target').waitFor();
    equal(await findings(opened), [], 'the document');
  });

  harness.test('names of a file are capped and turn nothing around, in every view', { slow: true }, async (page) => {
    const t = 'tensor<64x128xbf16>';
    const names = [`left\u202eright.${'x'.repeat(6000)}`, `\u2067שלום.${'y'.repeat(3000)}`, 'plain'];
    const lines = names.map((name, at) => {
      const from = at === 0 ? '%arg0' : `%${at - 1}`;
      return `  %${at} = "ttir.relu"(${from}) : (${t}) -> ${t} loc("${name}")`;
    });
    const text = `func.func @f(%arg0: ${t}) -> ${t} {\n${lines.join('\n')}\n  return %2 : ${t}\n}\n`;
    await another(page, () => drop(page, `re\u202eversed.${'z'.repeat(200)}.mlir`, text));
    equal(
      await state(page, 'report.run.rows').then((rows) => rows.some(({ label }) => label === names[0])),
      true,
      'it',
    );
    await dispatch(page, { type: 'view', view: { whyOpen: true, step: -1 } });
    const views = page.locator('nav.views button');
    for (let at = 0; at < (await views.count()); at++) {
      const name = await views.nth(at).innerText();
      await views.nth(at).click();
      const rows = (await state(page, 'report.run.rows')).length;
      for (const row of [-1, Math.max(0, rows - 4)]) {
        await dispatch(page, { type: 'select', row });
        await until(page, async () => (await page.locator('[aria-busy=true]').count()) === 0, name);
        const seen = await page.evaluate(textsOnPage);
        equal(
          seen
            .filter((shown) => /[\u200e\u200f\u202a-\u202e\u2066\u2067]/.test(shown))
            .map((shown) => shown.slice(0, 80)),
          [],
          `controls of direction in ${name}`,
        );
        const longest = Math.max(...seen.map(({ length }) => length));
        check(longest < 2600, `the longest text in ${name} has ${longest} characters`);
      }
    }
    check(!/[\u202e]/.test(await page.title()), 'nor in the title');
  });
}

// Runs in the page: its texts, and what is said on hover, outside of the source itself.
function textsOnPage() {
  const found = [];
  const visit = (node) => {
    if (node.localName === 'tessera-source' || node.localName === 'style') return;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    for (const name of ['data-tip', 'aria-label', 'title', 'aria-valuetext'])
      if (node.getAttribute?.(name)) found.push(node.getAttribute(name));
    for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) visit(child);
  };
  visit(document.body);
  return found;
}

// What the page is for, from end to end, by mouse and again by keyboard alone: a dropped graph, a value that left L1,
// why, a change that helps, a comparison, a link, and the same in a fresh browser.
import { check, equal } from './harness.mjs';
import { addressWritten, another, drop, open, settled, known, state, until, waitForRows } from './page.mjs';

// So little L1 that something has to leave.
const kTight = { 'tensor-l1-usage-cap': 0.4 };

async function begin(page, url, corpus) {
  await open(page, url);
  await waitForRows(page);
  await settled(page);
  await another(page, async () => {
    await page.evaluate(
      (options) => document.querySelector('tessera-app').dispatch({ type: 'options', options }),
      kTight,
    );
    await drop(page, 'resnet50_xla.mlir', corpus);
    await until(page, async () => (await state(page, 'source.origin.name')) === 'resnet50_xla.mlir', 'the file');
  });
}

const facts = (page) =>
  page.evaluate(() => {
    const { report, selected, view, options, source } = document.querySelector('tessera-app').state;
    const { totals, rows } = report.run;
    return {
      time: totals.time,
      spills: totals.spills,
      name: rows[selected]?.name ?? '',
      main: view.main,
      options,
      file: source.origin.name,
    };
  });

// The link in another browser.
async function sameElsewhere(page, context) {
  await addressWritten(page);
  const wanted = await facts(page);
  const other = await context.browser().newContext({ viewport: { width: 1600, height: 1000 } });
  const there = await other.newPage();
  await there.goto(await page.evaluate(() => location.href));
  await settled(there);
  await until(there, async () => (await state(there, 'view.main')) === wanted.main, 'the view');
  await until(there, async () => (await facts(there)).name === wanted.name, 'the op');
  equal(await facts(there), wanted, 'the same is seen elsewhere');
  await other.close();
}

export function storyTests(harness, { url, corpus }) {
  if (corpus === null) return harness.skip('the story by mouse and by keyboard', '../shared/corpus is not there');
  harness.test('the story, by mouse', { fresh: true, slow: true }, async (page, context) => {
    await begin(page, url, corpus);
    await page.locator('tessera-totals [data-figure=spill]').click();
    const story = page.locator('tessera-why .story');
    await until(page, async () => (await story.innerText()).includes('leaves L1 for DRAM'), 'what left L1');
    await page.locator('tessera-why .story .link').first().click();
    await until(page, async () => (await story.innerText()).includes('To make room'), 'the op that needed room');
    await page.locator('tessera-why .story .link').first().click();
    const producer = page.locator('tessera-why .values .link').first();
    await producer.click();
    await tryChanges(page, (button) => button.click());
    const time = (await facts(page)).time;
    await another(page, () =>
      page
        .getByRole('button', { name: /^Apply / })
        .first()
        .click(),
    );
    check((await facts(page)).time !== time, 'the change changes the run');
    await page.getByText('Applied:').waitFor();
    await page.locator('nav.views').getByRole('button', { name: 'Compare' }).click();
    await until(page, async () => (await state(page, 'answers.comparison.busy')) === false, 'the comparison');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    equal(await page.evaluate(() => navigator.clipboard.readText()), page.url(), 'the link');
    await sameElsewhere(page, context);
  });

  harness.test('the story, by keyboard alone', { fresh: true, slow: true }, async (page, context) => {
    await begin(page, url, corpus);
    const press = async (locator) => {
      await locator.focus();
      await page.keyboard.press('Enter');
    };
    await page.keyboard.press('/');
    await page.keyboard.type('spilled');
    await page.keyboard.press('Enter');
    const story = page.locator('tessera-why .story');
    await until(page, async () => (await story.innerText()).includes('leaves L1 for DRAM'), 'what left L1');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await until(
      page,
      () =>
        page.evaluate(() => {
          let at = document.activeElement;
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
          return at?.localName === 'h2';
        }),
      'the focus in the why panel',
    );
    await press(page.locator('tessera-why .values .link').first());
    await tryChanges(page, press);
    const time = (await facts(page)).time;
    await another(page, () => press(page.getByRole('button', { name: /^Apply / }).first()));
    check((await facts(page)).time !== time, 'the change changes the run');
    await press(page.locator('nav.views').getByRole('button', { name: 'Compare' }));
    await until(page, async () => (await state(page, 'answers.comparison.busy')) === false, 'the comparison');
    await press(page.getByRole('button', { name: 'Copy link' }));
    await page.getByText('Copied').waitFor();
    await sameElsewhere(page, context);
  });
}

// The change offers come by themselves for a quick run, else when they are asked for.
async function tryChanges(page, press) {
  const ask = page.getByRole('button', { name: 'Try single changes' });
  await until(page, async () => (await ask.isVisible()) || (await known(page, 'advice')), 'an offer');
  if (!(await known(page, 'advice'))) await press(ask).catch(() => {});
  await until(page, async () => (await state(page, 'advice.busy')) === false, 'trials', 120_000);
  await page.locator('tessera-why .changes li').first().waitFor();
}

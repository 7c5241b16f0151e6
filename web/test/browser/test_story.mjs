// What the page is for, from end to end, by mouse and again by keyboard alone: a dropped graph, a value that left L1,
// why, a change that helps, a comparison, a link, and the same in a fresh browser.
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  choosePolicy,
  dispatch,
  drop,
  focused,
  known,
  open,
  settled,
  state,
  tabTo,
} from './page.mjs';
import { openSample, until, waitForRows } from './page.mjs';

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
    const figures = document.querySelector('tessera-app').renderRoot.querySelector('tessera-totals').renderRoot;
    return {
      title: document.title,
      figures: ['time', 'spill', 'peak'].map((id) => figures.querySelector(`[data-figure=${id}]`).textContent.trim()),
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

// What is said at the spills of the run, at most `most`, and at the ops that made what left; never full, always with
// the figures by which the policy decided.
async function expectFigures(page, where, most) {
  const asked = await page.evaluate((limit) => {
    const { rows, values } = document.querySelector('tessera-app').state.report.run;
    const spills = rows.flatMap(({ kind, cause }, at) => (kind === 'spill' && cause === 'memory' ? [at] : []));
    return {
      spills: spills.length,
      untold: spills.filter((at) => rows[at].room === undefined).length,
      rows: spills.slice(0, limit).flatMap((at) => [
        { at, room: rows[at].room },
        { at: values[rows[at].operands[0]].producer, room: rows[at].room },
      ]),
    };
  }, most);
  equal(asked.untold, 0, `${where}: spills without a word of the policy`);
  const figure = (bytes) => `${bytes < 10240 ? Number((bytes / 1024).toFixed(1)) : Math.round(bytes / 1024)} KB`;
  for (const { at, room } of asked.rows) {
    await dispatch(page, { type: 'select', row: at });
    await until(page, async () => (await state(page, 'selected')) === at, 'the row');
    await page.waitForTimeout(50);
    const said = (await page.locator('tessera-why .story').innerText()).replace(/,/g, '');
    check(!said.includes('L1 is full'), `${where}, row ${at}: ${said}`);
    if (room.rule === 'step') {
      check(said.includes(`${figure(room.occupied)} of `), `${where}, row ${at}, what was taken: ${said}`);
      check(/needed [\d.]+ [KM]?B per core/.test(said), `${where}, row ${at}, what was needed: ${said}`);
    } else check(/searched over all steps|prices of L1/.test(said), `${where}, row ${at}: ${said}`);
  }
  return asked.spills;
}

export function storyTests(harness, { url, corpus, fakeEngine }) {
  if (!fakeEngine)
    harness.test('Why gives the figures of the policy, on real graphs', { slow: true }, async (page) => {
      let spills = 0;
      await openSample(page, 'llama-decode-layer');
      for (const cap of [0.1, 0.05]) {
        await another(page, () => dispatch(page, { type: 'options', options: { 'tensor-l1-usage-cap': cap } }));
        spills += await expectFigures(page, `llama, ${cap}`, 3);
      }
      if (corpus !== null) {
        await another(page, async () => {
          await dispatch(page, { type: 'options', options: { 'tensor-l1-usage-cap': 0.15 } });
          await drop(page, 'resnet50_xla.mlir', corpus);
          await until(page, async () => (await state(page, 'source.origin.name')) === 'resnet50_xla.mlir', 'the file');
        });
        for (const policy of ['Greedy', 'Exact', 'DFSharding2']) {
          if (policy !== 'Greedy') await another(page, () => choosePolicy(page, policy));
          spills += await expectFigures(page, `resnet50, ${policy}`, 3);
        }
      }
      check(spills > 0, 'something left L1 for want of room');
    });
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

  // Only keys that go to what has the focus: no shortcut of the page, no pointer, no focus by script.
  harness.test('the story, by keyboard alone', { fresh: true, slow: true }, async (page, context) => {
    await open(page, url);
    await waitForRows(page);
    await settled(page);
    await openByKeys(page, corpus);
    await capByKeys(page, String(kTight['tensor-l1-usage-cap']));
    await pressOn(page, page.locator('tessera-totals [data-figure=spill]'));
    const story = page.locator('tessera-why .story');
    await until(page, async () => (await story.innerText()).includes('leaves L1 for DRAM'), 'what left L1');
    await tabTo(page, page.locator('tessera-schedule .scroller'));
    await page.keyboard.press('Enter');
    const title = page.locator('tessera-why h2');
    const told = () => until(page, () => title.evaluate(focused), 'the focus on what Why tells of');
    await told();
    await pressOn(page, page.locator('tessera-why .story .link'));
    await until(page, async () => (await story.innerText()).includes('To make room'), 'the op that needed room');
    await told();
    await pressOn(page, page.locator('tessera-why .story .link'));
    await told();
    await pressOn(page, page.locator('tessera-why .values .link'));
    await told();
    await tryChanges(page, (button) => pressOn(page, button));
    const time = (await facts(page)).time;
    await another(page, () => pressOn(page, page.getByRole('button', { name: /^Apply / })));
    check((await facts(page)).time !== time, 'the change changes the run');
    const undo = page.getByRole('button', { name: 'Undo' });
    await until(page, () => undo.evaluate(focused), 'the focus on Undo, where Apply was');
    await tabTo(page, page.locator('nav.views button[tabindex="0"]'), 'Shift+Tab');
    const compare = page.locator('nav.views').getByRole('button', { name: 'Compare' });
    await tabTo(page, compare, 'ArrowRight');
    await page.keyboard.press('Enter');
    await until(page, async () => (await state(page, 'answers.comparison.busy')) === false, 'the comparison');
    await tabTo(page, page.getByRole('button', { name: 'Copy link' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    equal(await page.evaluate(() => navigator.clipboard.readText()), page.url(), 'the link');
    await sameElsewhere(page, context);
  });
}

const pressOn = async (page, target) => {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

// A file through the pane of the source, which is closed at first.
async function openByKeys(page, corpus) {
  const chooser = page.waitForEvent('filechooser');
  await pressOn(page, page.getByRole('button', { name: 'Show the source pane' }));
  const button = page.getByRole('button', { name: 'Open a file' });
  await until(page, () => button.evaluate(focused), 'the focus in the opened pane');
  await another(page, async () => {
    await page.keyboard.press('Enter');
    const file = { name: 'resnet50_xla.mlir', mimeType: 'text/plain', buffer: corpus };
    await (await chooser).setFiles(file);
    await until(page, async () => (await state(page, 'source.origin.name')) === file.name, 'the file');
  });
  await pressOn(page, page.getByRole('button', { name: 'Hide the source pane' }));
  const rail = page.getByRole('button', { name: 'Show the source pane' });
  await until(page, () => rail.evaluate(focused), 'the focus where the pane was');
}

async function capByKeys(page, value) {
  const options = page.getByRole('button', { name: 'Options' });
  await tabTo(page, options, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, page.locator('#o-tensor-l1-usage-cap'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(value);
  await another(page, () => page.keyboard.press('Enter'));
  await page.keyboard.press('Escape');
  await until(page, () => options.evaluate(focused), 'the focus on the button of the closed options');
}

// The change offers come by themselves for a quick run, else when they are asked for.
async function tryChanges(page, press) {
  const ask = page.getByRole('button', { name: 'Try single changes' });
  await page.waitForTimeout(900); // after which a quick run is looked into unasked
  if (!(await known(page, 'advice'))) await press(ask);
  await until(page, async () => (await state(page, 'advice.busy')) === false, 'trials', 120_000);
  await page.locator('tessera-why .changes li').first().waitFor();
}

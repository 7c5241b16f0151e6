// The stepper under the schedule: what every policy did, step by step, on the same rows and the same L1 map.
import { deflateRawSync } from 'node:zlib';
import { findings, seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import {
  addressWritten,
  another,
  dispatch,
  open,
  openSample,
  openSteps,
  settled,
  state,
  until,
  waitForRows,
} from './page.mjs';

const told = (page) => page.locator('tessera-stepper .told').innerText();
const button = (page, name) => page.locator('tessera-stepper').getByRole('button', { name });
const usePolicy = (page, id) => another(page, () => dispatch(page, { type: 'option', id: 'policy', value: id }));
const place = async (page) =>
  Number(/step ([\d,]+)/.exec(await page.locator('.count').innerText())[1].replace(',', ''));
// Of the selected row: what moves its result.
const movesOfSelected = (page) =>
  page.evaluate(() => {
    const { report, selected } = document.querySelector('tessera-app').state;
    const { rows } = report.run;
    const results = rows[selected]?.results ?? [];
    return rows.flatMap(({ kind, operands }) => (results.includes(operands[0]) ? [kind] : []));
  });

const kExpected = {
  Greedy: ['Forward: candidates', 'Spill management'],
  Beam: ['Forward: candidates', 'Spill management'],
  DFSharding2: ['Build chains', 'Solve chains', 'Place results'],
  Exact: ['Choose layouts', 'Plans of other policies', 'Result', 'Place results'],
  GreedyL1Interleaved: ['Place results'],
  DRAM: ['Place results'],
};

export function stepTests(harness, { url, fakeEngine }) {
  if (fakeEngine) return; // it knows no traces

  harness.test(
    'every policy is stepped through under the schedule, which stays as it is',
    { slow: true, start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'l1-pressure');
      await openSteps(page);
      for (const [policy, phases] of Object.entries(kExpected)) {
        if ((await state(page, 'report.policy.id')) !== policy) await usePolicy(page, policy);
        await page.locator('tessera-stepper .told').waitFor();
        await settled(page);
        const rows = await page.locator('tessera-schedule .scroller').getAttribute('aria-rowcount');
        const header = await page.locator('tessera-schedule .scroller').boundingBox();
        for (let at = 0; at < 3 && !(await button(page, 'Next step').isDisabled()); at++)
          await button(page, 'Next step').click();
        const seen = await page.locator('tessera-stepper').evaluate(({ walk_: walk }) =>
          walk.shown.map((_, at) => {
            const { phase, title, text } = walk.tell(at);
            return title === '' || text === '' ? 'empty' : phase;
          }),
        );
        check(!seen.includes('empty'), `every step of ${policy} says something`);
        for (const phase of phases)
          check(
            seen.some((text) => text.startsWith(phase)),
            `${policy} has “${phase}”`,
          );
        equal(
          await page.locator('tessera-schedule .scroller').getAttribute('aria-rowcount'),
          rows,
          `the same rows, ${policy}`,
        );
        equal(await page.locator('tessera-schedule .scroller').boundingBox(), header, `the same place, ${policy}`);
      }
      equal(await page.getByRole('button', { name: 'Play' }).count(), 0, 'nothing plays where motion is reduced');
    },
  );

  harness.test(
    'steps select their op; jumps lead to the next spill, this op and a change of mind',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openSample(page, 'l1-pressure');
      await usePolicy(page, 'Beam');
      await openSteps(page);
      const first = await place(page);
      await button(page, 'Next spill').click();
      check((await told(page)).startsWith('Spill management'), `a spill: ${await told(page)}`);
      check((await movesOfSelected(page)).includes('spill'), 'the op whose result leaves is selected');
      const spill = await place(page);
      check(spill > first, 'it comes after the candidates');
      const selected = await state(page, 'selected');
      await button(page, 'This op').click();
      check((await place(page)) !== spill, 'another step about the same op');
      equal(await state(page, 'selected'), selected, 'the selection stays');
      await page.locator('tessera-stepper .told').focus();
      await page.keyboard.press('Home');
      equal(await place(page), 1, 'Home');
      await page.keyboard.press('s');
      equal(await place(page), spill, 'the key for a spill');
      await page.keyboard.press('ArrowLeft');
      equal(await place(page), spill - 1, 'an arrow');
      await page.locator('tessera-schedule .scroller').focus();
      await page.keyboard.press(']');
      equal(await place(page), spill, 'the key that works from the schedule');
      await button(page, 'Next change of mind').or(page.locator('tessera-stepper .told')).first().waitFor();
      const all = page.locator('tessera-stepper label input');
      const hidden = Number((await page.locator('tessera-stepper label').innerText()).split(' ')[0]);
      const shown = Number(/of ([\d,]+)/.exec(await page.locator('.count').innerText())[1]);
      await all.check();
      equal(Number(/of ([\d,]+)/.exec(await page.locator('.count').innerText())[1]), shown + hidden, 'all steps');
      equal(await seriousInBothThemes(page), [], 'the stepper');
      await addressWritten(page);
      const step = await state(page, 'view.step');
      await page.reload();
      await waitForRows(page);
      await page.locator('tessera-stepper .told').waitFor();
      equal(await state(page, 'view.step'), step, 'the link holds the step');
    },
  );

  harness.test('the stepper comes when it is opened, and plays', { fresh: true }, async (page, context) => {
    const asked = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)));
    await open(page, url);
    await waitForRows(page);
    await settled(page);
    equal(asked.filter((name) => name.startsWith('stepper-')).length, 0, 'not before');
    await openSteps(page);
    equal(asked.filter((name) => /^stepper-.*js$/.test(name)).length, 1, 'once');
    const before = await place(page);
    await page.getByRole('button', { name: 'Play' }).click();
    await until(page, async () => (await place(page)) > before + 1, 'steps by themselves');
    await page.getByRole('button', { name: 'Pause' }).click();
    await button(page, 'Fold the steps away').click();
    equal(await page.locator('tessera-stepper').count(), 0, 'folded');
  });

  harness.test('a link to the former view of steps opens the stepper', { fresh: true }, async (page) => {
    const wire = { s: 'd2m-dispatch', o: { policy: 'DFSharding2' }, v: { m: 'steps' } };
    await open(page, url, { hash: `#v1:${deflateRawSync(JSON.stringify(wire)).toString('base64url')}` });
    await page.locator('tessera-stepper .told').waitFor();
    check((await told(page)).startsWith('Build chains'), 'the steps of the chains');
    equal(await state(page, 'view.main'), 'schedule', 'the schedule');
    check(!(await page.locator('nav.views').innerText()).includes('Steps'), 'no view of its own');
  });

  for (const width of [390, 1390])
    harness.test(
      `axe finds nothing in the stepper, ${width} pixels`,
      { start: 'any', context: { viewport: { width, height: 844 }, reducedMotion: 'reduce' } },
      async (page) => {
        await openSample(page, 'd2m-dispatch');
        await usePolicy(page, 'DFSharding2');
        await openSteps(page);
        equal(await findings(page), [], 'the stepper');
        check(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          'nothing scrolls sideways',
        );
        const room = async () => (await page.locator('tessera-schedule').boundingBox()).height;
        check((await room()) > (width < 820 ? 400 : 200), `the schedule keeps its room: ${await room()}`);
        if (width > 820) return;
        const line = await room();
        await button(page, /candidate|chain/i).click();
        await page.locator('tessera-stepper .told').waitFor();
        check((await room()) < line, 'the line opens to the whole stepper');
        check((await room()) > 300, `five rows of the schedule stay: ${await room()}`);
        equal(await findings(page), [], 'the whole stepper');
        await button(page, 'One line').click();
        equal(await room(), line, 'and is a line again');
      },
    );
}

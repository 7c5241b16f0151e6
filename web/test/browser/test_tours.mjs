import { findings } from './axe.mjs';
import { check, equal } from './harness.mjs';
import { dispatch, known, state, until } from './page.mjs';

const bar = (page) => page.getByRole('region', { name: 'Guided tour' });

// The page shows what the stop names: its sample, its policy, its op, its view.
const arrived = (page, what) => until(page, () => page.evaluate(isThere), what);

export function tourTests(harness, { fakeEngine }) {
  if (fakeEngine) return; // its ops have other names

  harness.test('every stop of every tour shows what it names', { slow: true }, async (page) => {
    const menu = page.locator('tessera-tours-menu');
    await menu.getByRole('button', { name: 'Tours' }).click();
    const ids = await menu.locator('[data-tour]').evaluateAll((all) => all.map(({ dataset }) => dataset.tour));
    equal(ids.length, 5, 'tours');
    await page.keyboard.press('Escape');
    for (const id of ids) {
      await menu.getByRole('button', { name: 'Tours' }).click();
      await menu.locator(`[data-tour=${id}]`).click();
      for (let stop = 1; await known(page, 'tour'); stop++) {
        await arrived(page, `stop ${stop} of ${id}`);
        await bar(page).getByText(`${stop} of `).waitFor();
        await bar(page).locator('[data-go=next]').click();
      }
      equal(await bar(page).count(), 0, 'bars after the tour');
    }
    equal(await state(page, 'notices'), [], 'notices');
  });

  for (const width of [390, 1390])
    harness.test(
      `a tour by keyboard from the empty page, ${width} pixels`,
      { context: { viewport: { width, height: 844 }, reducedMotion: 'reduce' } },
      async (page) => {
        await dispatch(page, { type: 'load', text: '', origin: { kind: 'empty' } });
        const offer = page.locator('tessera-blank [data-tour=fork]');
        await offer.focus();
        await page.keyboard.press('Enter');
        await arrived(page, 'the first stop');
        await page.keyboard.press('ArrowRight');
        await arrived(page, 'the second stop');
        equal(await state(page, 'tour.stop'), 1, 'stop');
        equal(await findings(page), [], 'axe');
        await page.keyboard.press('ArrowLeft');
        equal(await state(page, 'tour.stop'), 0, 'stop');
        if (width < 800) {
          const box = await bar(page).locator('[data-go=next]').boundingBox();
          check(box.height >= 44, 'a button to hit');
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          check(over <= 0, 'no sideways scrolling');
        }
        await page.keyboard.press('Escape');
        await bar(page).waitFor({ state: 'detached' });
      },
    );
}

// Runs in the page.
function isThere() {
  const app = document.querySelector('tessera-app');
  const { tour, source, running, stale, report, selected, view, options, diagnostics } = app.state;
  const stop = app.tourStop;
  if (tour === null || stop === undefined || running || stale || report?.run == null) return false;
  const ran = report.options.policy === (stop.options?.policy ?? 'Greedy') && diagnostics.length === 0;
  const chosen = (options.policy ?? 'Greedy') === (stop.options?.policy ?? 'Greedy');
  const shown =
    (report.run.rows[selected]?.name ?? '') === stop.select && view.main === (stop.view?.main ?? 'schedule');
  const bytes = new TextEncoder().encode(source.text).length;
  return ran && chosen && shown && source.origin.id === stop.sample && report.input.bytes === bytes;
}

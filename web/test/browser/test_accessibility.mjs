import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check, equal } from './harness.mjs';
import { open, rowNear, state, until, waitForEditor, waitForRows } from './page.mjs';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function seriousFindings(page) {
  await page.evaluate(axeSource); // through the debugger: the page's own policy would refuse it
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 4)
          .map((node) => `${node.target.flat().join(' ')} ${node.any[0]?.message ?? ''}`)
          .join(' | ')}`,
    );
}

export async function accessibilityTests(harness, { url }) {
  for (const colorScheme of ['light', 'dark']) {
    await harness.test(
      `axe finds nothing serious, ${colorScheme}`,
      { context: { colorScheme, reducedMotion: 'reduce' } },
      async (page) => {
        await open(page, url);
        await waitForRows(page);
        await waitForEditor(page);
        await page.locator(`#row-${await rowNear(page, 6)} .op`).click();
        equal(await seriousFindings(page), [], 'main view');
        await page.getByRole('button', { name: 'Options' }).click();
        equal(await seriousFindings(page), [], 'options');
        await page.keyboard.press('Escape');
        await page.locator('.cm-content').click();
        await page.keyboard.press('Control+Home');
        await page.keyboard.insertText('syntax error\n');
        await page.locator('tessera-source .diagnostics li.error').first().waitFor();
        equal(await seriousFindings(page), [], 'a text with errors');
        await page.evaluate(() =>
          document.querySelector('tessera-app').dispatch({ type: 'load', text: 'nonsense', origin: { kind: 'typed' } }),
        );
        await until(page, async () => (await state(page, 'running')) === false, 'an answer');
        await page.evaluate(() =>
          document.querySelector('tessera-app').dispatch({ type: 'load', text: '', origin: { kind: 'empty' } }),
        );
        await page.getByText('No graph yet').waitFor();
        equal(await seriousFindings(page), [], 'empty view');
      },
    );

    await harness.test(
      `360 pixels: no sideways scrolling, everything reachable, axe clean, ${colorScheme}`,
      { context: { colorScheme, viewport: { width: 360, height: 780 }, hasTouch: true, reducedMotion: 'reduce' } },
      async (page) => {
        await open(page, url);
        await waitForRows(page);
        const wide = () =>
          page.evaluate(
            () =>
              document.documentElement.scrollWidth > window.innerWidth ||
              document.querySelector('tessera-app').scrollWidth > window.innerWidth,
          );
        for (const [tab, selector] of [
          ['Schedule', 'tessera-schedule .row'],
          ['L1 map', 'tessera-schedule canvas.map'],
          ['Why', 'tessera-why h2'],
          ['Source', 'tessera-source .text'],
        ]) {
          await page.locator('.tabs').getByRole('button', { name: tab }).click();
          await page.locator(selector).first().waitFor({ state: 'visible' });
          check(!(await wide()), `${tab} scrolls sideways`);
          equal(await seriousFindings(page), [], tab);
        }
        await page.locator('.tabs').getByRole('button', { name: 'Schedule' }).click();
        await page.locator(`#row-${await rowNear(page, 4)} .op`).tap();
        await page.locator('.tabs').getByRole('button', { name: 'Why' }).click();
        check((await page.locator('tessera-why tbody tr').count()) > 0, 'the why panel of the tapped op');
      },
    );
  }

  await harness.test('the page is used by keyboard alone', {}, async (page) => {
    await open(page, url);
    await waitForRows(page);
    const seen = new Set();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      seen.add(
        await page.evaluate(() => {
          let element = document.activeElement;
          while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
          return element?.className?.toString().split(' ')[0] || element?.localName;
        }),
      );
      if (seen.has('scroller')) break;
    }
    check(seen.has('scroller'), `the schedule is reached by Tab: ${[...seen].join(', ')}`);
    await page.keyboard.press('ArrowDown');
    equal(await state(page, 'selected'), 0, 'first row');
  });
}

// The layout lab in Chromium.
import { findingsInBothThemes, seriousInBothThemes } from './axe.mjs';
import { check, equal } from './harness.mjs';
import { until } from './page.mjs';

const labState = (page, path) =>
  page.evaluate(
    (keys) => keys.split('.').reduce((value, key) => value?.[key], document.querySelector('tessera-lab').state),
    path,
  );
const idle = (page) =>
  until(
    page,
    async () => (await labState(page, 'busy')) === false && (await labState(page, 'drawn')) !== null,
    'an answer',
  );
const openLab = async (page, url, hash = '') => {
  await page.goto(`${url}lab.html${hash}`);
  await page.waitForSelector('lab-picture canvas');
  await idle(page);
};
const preset = async (page, id) => {
  await page.locator('select[name=preset]').selectOption(id);
  await idle(page);
};
const picture = (page, index) => page.locator('lab-picture').nth(index); // logical, collapsed, stored
const kinds = { logical: 0, physical: 1, stored: 2 };
// The middle of a cell of a picture, relative to its canvas.
const cellPoint = (page, kind, row, col) =>
  page.evaluate(
    ([index, r, c]) => {
      const { frame } = document.querySelector('tessera-lab').renderRoot.querySelectorAll('lab-picture')[index];
      return { x: frame.left + (c + 0.5) * frame.cell, y: frame.top + (r + 0.5) * frame.cell };
    },
    [kinds[kind], row, col],
  );
const hoverCells = (page) =>
  page.evaluate(() =>
    [...document.querySelector('tessera-lab').renderRoot.querySelectorAll('lab-picture')].map(
      ({ hoverCell }) => hoverCell,
    ),
  );
// A number that changes when a picture's pixels do.
const pixels = (page, kind) =>
  page.evaluate((index) => {
    const canvas = document
      .querySelector('tessera-lab')
      .renderRoot.querySelectorAll('lab-picture')
      [index].renderRoot.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let at = 0; at < data.length; at++) sum = (sum * 31 + data[at]) | 0;
    return sum;
  }, kinds[kind]);

// The tests themselves read pictures back.
const kLab = { start: 'lab' };
const kReadback = { ...kLab, expect: [/willReadFrequently/] };

export function labTests(harness, { url, nestedUrl, fakeEngine }) {
  if (fakeEngine) return harness.skip('layout lab', 'needs the engine');

  harness.test('lab: opens from the main page and draws the example', { fresh: true }, async (page) => {
    await page.goto(url);
    await page.getByRole('link', { name: 'Layout lab' }).click();
    await page.waitForSelector('lab-picture canvas');
    await idle(page);
    equal(await labState(page, 'drawn.bytes.perCore'), 192 * 32 * 4, 'bytes per core');
    equal(
      await page.locator('lab-steps li b').allInnerTexts(),
      ['2×3×64×128', '384×128', '192×32', '24 KB'],
      'derivation',
    );
    equal(await page.locator('lab-element dd').first().innerText(), '(262, 100)', 'collapsed index of the seed');
    equal(await page.locator('lab-cores g.core').count(), 8, 'cores');
  });

  harness.test('lab: every example is drawn without a complaint', kLab, async (page) => {
    await openLab(page, url);
    const ids = await page
      .locator('select[name=preset] option')
      .evaluateAll((options) => options.map(({ value }) => value).filter(Boolean));
    check(ids.length >= 10, 'examples');
    for (const id of ids) {
      await preset(page, id);
      equal(await labState(page, 'problems'), [], id);
      equal(await page.locator('select[name=preset]').inputValue(), id, 'the example is named');
    }
    await preset(page, 'legal');
    equal(await page.locator('lab-legal li').count(), 19, 'two interleaved and 17 sharded layouts');
    await page.locator('lab-legal button', { hasText: 'width' }).first().click();
    await idle(page);
    equal(await labState(page, 'fields.memory'), 'width_sharded', 'taken layout');
    equal(await labState(page, 'fields.grid'), [1, 8], 'its grid');
    equal(await page.locator('lab-legal button[aria-pressed=true]').count(), 1, 'marked');
  });

  harness.test('lab: hovering links element, core and byte in all pictures', kReadback, async (page) => {
    await openLab(page, url);
    await preset(page, 'padding-tiled');
    const before = await pixels(page, 'stored');
    // Row 3, column 20 of the tensor: core (0, 0), tile face 1, after 64 bytes of exponents.
    await picture(page, 0)
      .locator('canvas')
      .hover({ position: await cellPoint(page, 'logical', 3, 20) });
    equal(await hoverCells(page), [3 * 63 + 20, 3 * 63 + 20, 3 * 32 + 20], 'the same element is marked three times');
    equal(
      (await page.locator('.line').innerText()).trim(),
      `Element [3, 20] is on core (0, 0), tile 0, byte ${64 + 256 + 3 * 16 + 4}.`,
      'words',
    );
    check(before !== (await pixels(page, 'stored')), 'the stored picture shows the ring');
    equal(await page.locator('lab-cores g.hover').count(), 1, 'core marked');
    // And back: from the stored shard to the element.
    await picture(page, 2)
      .locator('canvas')
      .hover({ position: await cellPoint(page, 'stored', 5, 7) });
    equal((await hoverCells(page))[0], 5 * 63 + 7, 'logical element');
    await picture(page, 2)
      .locator('canvas')
      .hover({ position: await cellPoint(page, 'stored', 20, 7) });
    check((await page.locator('.line').innerText()).includes('tile rounding'), 'padding says why');
    // A byte, typed.
    await page.locator('lab-element input[name=offset]').fill('0x174');
    await page.keyboard.press('Enter');
    await until(page, async () => (await labState(page, 'cursor')).join() === '3,20', 'the element at a byte');
  });

  harness.test(
    'lab: an edited attribute changes controls and drawing, mistakes name the rule',
    kReadback,
    async (page) => {
      await openLab(page, url);
      const before = await pixels(page, 'physical');
      const metal = page.locator('lab-texts textarea[name=metal]');
      await metal.fill(
        '#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), zero, <4x2>, ' +
          'memref<96x64xf32, #tt.memory_space<l1>>>',
      );
      await until(page, async () => (await labState(page, 'fields.grid')).join() === '4,2', 'the grid of the text');
      await idle(page);
      equal(await page.locator('lab-controls input[name=grid]').inputValue(), '4 × 2', 'control');
      equal(await labState(page, 'fields.oob'), 'zero', 'padding value');
      check(before !== (await pixels(page, 'physical')), 'drawing');
      await metal.fill(
        '#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), zero, <4x2>, ' +
          'memref<95x64xf32, #tt.memory_space<l1>>>',
      );
      await page.locator('lab-texts .bad', { hasText: 'ShardMismatch' }).waitFor();
      equal(await labState(page, 'fields.grid'), [4, 2], 'kept');
      check((await metal.inputValue()).includes('95x64'), 'nothing typed is lost');
      await page.getByRole('button', { name: 'Undo the edit' }).click();
      await until(page, async () => (await metal.inputValue()).includes('96x64'), 'the text of the layout again');
      const legacy = page.locator('lab-texts textarea[name=ttnnLegacy]');
      await legacy.fill(
        '#ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), <1x4, (d0, d1) -> (0, d0, d1)>, ' +
          'memref<12x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>>',
      );
      await until(page, async () => (await labState(page, 'fields.view')) === 'ttnn', 'the TTNN view');
      equal(await labState(page, 'fields.memory'), 'width_sharded', 'memory layout');
      equal(await labState(page, 'fields.tiled'), true, 'tiles');
    },
  );

  harness.test('lab: a refused layout keeps the picture and names the rule', kLab, async (page) => {
    await openLab(page, url);
    const grid = page.locator('lab-controls input[name=grid]');
    for (const [text, rule] of [
      ['9 x 9', 'GridBeyondDevice'],
      ['0 x 1', 'EmptyGrid'],
      ['2', 'RankMismatch'],
      ['999999999 x 999999999', 'GridBeyondDevice'],
    ]) {
      await grid.fill(text);
      await grid.press('Enter');
      await page.locator('.pictures .notice', { hasText: rule }).waitFor();
      check(await picture(page, 0).locator('canvas').isVisible(), 'picture');
    }
    await grid.fill('two');
    await grid.press('Enter');
    await page.getByText('Whole numbers, such as').waitFor();
    await grid.fill('2 x 2');
    await grid.press('Enter');
    await until(page, async () => (await labState(page, 'problems')).length === 0, 'a good layout again');
    const shape = page.locator('lab-controls input[name=shape]');
    await shape.fill('50000, 50000');
    await shape.press('Enter');
    await until(page, async () => (await labState(page, 'drawn.physical'))?.join() === '50000,50000', 'a huge tensor');
    await page.locator('lab-element input[name=cursor]').fill('49999, 49999');
    await page.keyboard.press('Enter');
    await until(
      page,
      async () => (await labState(page, 'drawn.cursor.index')).join() === '49999,49999',
      'its last element',
    );
  });

  harness.test('lab: a deep link restores tensor, layout and element', kLab, async (page, context) => {
    await openLab(page, url);
    await preset(page, 'devices');
    await page.locator('lab-element input[name=cursor]').fill('1, 2, 3, 4');
    await page.keyboard.press('Enter');
    await until(page, async () => (await labState(page, 'cursor')).join() === '1,2,3,4', 'the cursor');
    await page.locator('lab-cores select').selectOption('0');
    await until(
      page,
      async () => (await labState(page, 'drawn.windows.position')) === 0,
      'the first core of the other device',
    );
    const fields = await labState(page, 'fields');
    await until(page, async () => new URL(page.url()).hash.startsWith('#lab1:'), 'a fragment');
    await until(
      page,
      () => page.evaluate(() => location.hash === `#${document.querySelector('tessera-lab').store_.fragment()}`),
      'the link',
    );
    const { hash } = new URL(page.url());
    const other = await context.newPage();
    await openLab(other, nestedUrl, hash);
    equal(await labState(other, 'fields'), fields, 'fields');
    equal(await labState(other, 'drawn.cursor.index'), [1, 2, 3, 4], 'element');
    await other.goto('about:blank');
    await openLab(other, url, '#lab1:damaged!');
    check((await other.locator('.notice.bad').innerText()).includes('damaged'), 'a damaged link is told');
    await other.close();
  });

  harness.test('lab: by keyboard, with words for screen readers', kLab, async (page) => {
    await openLab(page, url);
    await preset(page, 'padding');
    await page.locator('lab-element input[name=cursor]').fill('17, 31');
    await page.keyboard.press('Enter');
    await until(page, async () => (await labState(page, 'drawn.cursor.index')).join() === '17,31', 'the cursor');
    await picture(page, 0).locator('canvas').focus();
    await page.keyboard.press('ArrowRight');
    await until(page, async () => (await labState(page, 'drawn.cursor.index')).join() === '17,32', 'one to the right');
    check(
      (await page.locator('p[role=status]').first().innerText()).includes('[17, 32] is on core (1, 0)'),
      'live region',
    );
    await page.keyboard.press('ArrowDown');
    await until(page, async () => (await labState(page, 'drawn.cursor.core')).join() === '1,1', 'the core below');
    await page.keyboard.press('End');
    await until(page, async () => (await labState(page, 'drawn.cursor.index')).join() === '18,62', 'end of the row');
    await picture(page, 0).locator('summary').click();
    await picture(page, 0).locator('td', { hasText: '[18, 62] core (1, 1) byte' }).waitFor();
    await page.locator('lab-cores g.core').nth(0).click();
    await until(page, async () => (await labState(page, 'drawn.windows.position')) === 0, 'another core is shown');
    await page.keyboard.press('ArrowDown');
    await until(page, async () => (await labState(page, 'drawn.windows.position')) === 2, 'the core below is shown');
  });

  for (const width of [390, 1390, 1920])
    harness.test(
      `lab: axe finds nothing at all, ${width} pixels`,
      { ...kLab, context: { viewport: { width, height: 860 }, reducedMotion: 'reduce' } },
      async (page) => {
        await openLab(page, url);
        for (const id of width === 1390 ? ['padding-tiled', 'rank7', 'legal'] : ['legal']) {
          await preset(page, id);
          equal(await findingsInBothThemes(page), [], id);
        }
        await picture(page, 1).locator('summary').click();
        await page.locator('lab-texts textarea[name=ttnn]').fill('nonsense');
        await page.locator('lab-texts .bad').waitFor();
        equal(await findingsInBothThemes(page), [], 'with a table and a mistake');
      },
    );

  harness.test(
    'lab: 360 pixels, no sideways scrolling',
    { ...kLab, context: { viewport: { width: 360, height: 780 }, hasTouch: true } },
    async (page) => {
      await openLab(page, url);
      for (const id of ['multicore', 'rank7', 'width', 'legal']) {
        await preset(page, id);
        check(
          !(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)),
          `${id} scrolls sideways`,
        );
      }
      equal(await seriousInBothThemes(page), [], 'axe');
      await picture(page, 0)
        .locator('canvas')
        .tap({ position: await cellPoint(page, 'logical', 4, 5) });
      await until(
        page,
        async () => (await labState(page, 'drawn.cursor.index')).join() === '36,101',
        'a tapped element',
      );
    },
  );
}

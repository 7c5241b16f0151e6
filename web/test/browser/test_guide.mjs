// The guide beside the page: its embeds draw, in a folder below, in both themes and narrow.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { findings } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { kDist } from './server.mjs';

const kGuide = join(kDist, 'guide');

export function guideTests(harness, { nestedUrl, fakeEngine }) {
  harness.test('every page of the guide has an embed that draws', { fresh: true, slow: true }, async (page) => {
    if (!existsSync(kGuide)) throw new Skipped('the guide is not built');
    if (fakeEngine) throw new Skipped('there are no reports without the engine');
    const pages = readdirSync(kGuide).filter((name) => name.endsWith('.html') && name !== '404.html');
    check(pages.length >= 10, `${pages.length} pages`);
    await page.setViewportSize({ width: 320, height: 800 });
    for (const name of pages) {
      const engines = [];
      const listen = (request) => request.url().endsWith('.wasm') && engines.push(request.url());
      page.on('request', listen);
      await page.goto(`${nestedUrl}guide/${name}`);
      const embed = page.locator('tessera-playground').first();
      await embed.scrollIntoViewIfNeeded();
      await embed.locator('tessera-report .view > *').first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wide <= 0, `${name} is ${wide} px too wide at 320`);
      if (!name.startsWith('proven') && !name.startsWith('greedy')) equal(engines, [], `engines of ${name}`);
      page.off('request', listen);
    }
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      equal(await findings(page), [], `axe, ${colorScheme}`);
    }
    await page.locator('nav a').nth(1).click();
    await page.waitForURL(/guide\/\w[\w-]*\.html$/);
  });
}

// The guide beside the page and the example hosts: their embeds draw, in a folder below, in both themes and narrow.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findingsInBothThemes } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { kDist, startServer } from './server.mjs';

const kGuide = join(kDist, 'guide');
const kExamples = join(kDist, '..', '..', 'examples', 'embed');

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
    equal(await findingsInBothThemes(page), [], 'axe');
    await page.locator('nav a').nth(1).click();
    await page.waitForURL(/guide\/\w[\w-]*\.html$/);
  });
}

// The folder of the example hosts with the built page beside them, served while `body` runs.
async function withHosts(body) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-hosts-'));
  cpSync(kExamples, folder, { recursive: true });
  symlinkSync(kDist, join(folder, 'tessera'));
  cpSync(join(kDist, 'icon.svg'), join(folder, 'favicon.ico')); // browsers ask for it where a page names none
  const server = await startServer({ root: folder });
  try {
    await body(server.url, folder);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function expectEmbeds(page, address, embeds) {
  await page.goto(address);
  const all = page.locator('tessera-playground');
  equal(await all.count(), embeds, `embeds of ${address}`);
  for (let at = 0; at < embeds; at++) {
    await all.nth(at).scrollIntoViewIfNeeded();
    await all.nth(at).locator('tessera-schedule').first().waitFor();
  }
  await page.waitForLoadState('networkidle'); // parts of the view that come later
}

// What mdBook makes of a chapter, as far as an embed sees it: blocks that begin with a tag stay as they are up to the
// next empty line, the others become paragraphs; theme/head.hbs comes into the head.
function layOutBook(book) {
  const [chapter, head] = ['src/model.md', 'theme/head.hbs'].map((name) => readFileSync(join(book, name), 'utf8'));
  const blocks = chapter.trim().split(/\n{2,}/);
  const body = blocks.map((block) =>
    block.startsWith('<') ? block : block.startsWith('# ') ? `<h1>${block.slice(2)}</h1>` : `<p>${block}</p>`,
  );
  mkdirSync(join(book, 'book'));
  writeFileSync(
    join(book, 'book', 'model.html'),
    `<!DOCTYPE HTML><html lang="en" class="light sidebar-visible" dir="ltr"><head><meta charset="UTF-8">` +
      `<title>Book</title>${head.replaceAll('{{ path_to_root }}', '')}</head><body>` +
      `<div id="body-container"><nav id="sidebar"></nav>` +
      `<div id="page-wrapper" class="page-wrapper"><div class="page"><div id="content" class="content">` +
      `<main>\n${body.join('\n')}\n</main></div></div></div></div></body></html>\n`,
  );
}

export function exampleTests(harness, { fakeEngine }) {
  harness.test('the example hosts draw their runs', { fresh: true }, async (page) => {
    if (fakeEngine) throw new Skipped('there are no reports without the engine');
    await withHosts(async (url) => {
      await expectEmbeds(page, `${url}plain/`, 2);
      await expectEmbeds(page, `${url}slides/`, 2);
      await page.goto(`${url}slides/`);
      await page.keyboard.press('ArrowRight');
      equal(await page.evaluate(() => Math.round(scrollY / innerHeight)), 1, 'slide after an arrow key');
    });
  });

  harness.test('a chapter laid out as mdBook does it draws its run', { fresh: true }, async (page) => {
    if (fakeEngine) throw new Skipped('there are no reports without the engine');
    await withHosts(async (url, folder) => {
      layOutBook(join(folder, 'mdbook'));
      await expectEmbeds(page, `${url}mdbook/book/model.html`, 1);
    });
  });

  harness.test('a page that Sphinx makes draws its run', { fresh: true }, async (page) => {
    if (fakeEngine) throw new Skipped('there are no reports without the engine');
    await withHosts(async (url, folder) => {
      const [source, html] = ['source', 'html'].map((name) => join(folder, 'sphinx', name));
      const made = spawnSync('sphinx-build', ['-q', '-b', 'html', source, html], { encoding: 'utf8' });
      if (made.error?.code === 'ENOENT') throw new Skipped('there is no Sphinx');
      equal(made.status, 0, made.stderr);
      await expectEmbeds(page, `${url}sphinx/html/`, 1);
    });
  });
}

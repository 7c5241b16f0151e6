// The element and the frame in other people's pages: under a strict policy, beside each other, with hostile neighbours.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { findings } from './axe.mjs';
import { check, equal, Skipped } from './harness.mjs';
import { until } from './page.mjs';

const { asserted } = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8'));
const kStrict = "default-src 'self'";
const kRunning = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

// A host of its own in front of the built page: /t/... is the page's, everything else one of `pages`.
async function startHost(url, pages, policy) {
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url, 'http://host');
    if (pathname.startsWith('/t/')) {
      const got = await fetch(new URL(pathname.slice(3), url));
      response.writeHead(got.status, { 'Content-Type': got.headers.get('Content-Type') ?? 'text/plain' });
      return response.end(Buffer.from(await got.arrayBuffer()));
    }
    const body = pages[pathname];
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    const found = body !== undefined;
    response.writeHead(found ? 200 : 404, {
      'Content-Type': type,
      'Content-Security-Policy': policy(pathname, search),
    });
    response.end(found ? body : '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

const kScript = '<script type="module" src="/t/embed/tessera-playground.js"></script>';
const document_ = (body, scripts = kScript) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="/t/icon.svg">` +
  `<meta name="viewport" content="width=device-width"><title>Host</title>${scripts}</head>` +
  `<body><main><h1>Host</h1><a href="#before">before</a>${body}<a href="#after">after</a></main></body></html>`;

const made = (id, more = '') =>
  `<tessera-playground report="/t/samples/${id}.report.json" src="/t/samples/${id}.mlir" ${more}>` +
  `<table><caption>${id}</caption><tr><td>fallback</td></tr></table></tessera-playground>`;

const kPages = {
  '/one': document_(made('resnet50')),
  '/three': document_(
    made('mlp', 'height="auto"') +
      '<div id="shadow"></div>' +
      made('residual-block', 'view="map" theme="dark" height="340"'),
    `${kScript}<script type="module" src="/host.js"></script>`,
  ),
  '/host.js': `
    const root = document.getElementById('shadow').attachShadow({ mode: 'open' });
    root.innerHTML = ${JSON.stringify(made('fork-join', 'select="2"'))};
    window.told = [];
    for (const name of ['tessera-ready', 'tessera-run', 'tessera-select', 'tessera-error'])
      document.addEventListener(name, (event) => window.told.push([name, event.detail]));`,
  '/far': document_(`<div style="height: 4000px"></div>${made('mlp')}`),
  '/framer': document_('<iframe id="frame" title="Run"></iframe>', '<script src="/framer.js"></script>'),
  '/framer.js': `
    window.told = [];
    addEventListener('message', ({ data, origin }) => window.told.push({ ...data, origin }));
    window.send = (message) => document.getElementById('frame').contentWindow.postMessage(message, '*');
    const frame = new URLSearchParams(location.search).get('frame');
    addEventListener('DOMContentLoaded', () => (document.getElementById('frame').src = frame));`,
};

const ready = (page, count) =>
  until(page, () => page.evaluate((least) => deepCount() >= least, count), `${count} drawn elements`);

// Runs in the page before its own scripts.
function helpers() {
  window.deep = (root = document) =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot === null ? [] : deep(one.shadowRoot))]);
  window.players = () => deep().filter(({ localName }) => localName === 'tessera-playground');
  window.deepCount = () => deep().filter(({ localName }) => localName === 'tessera-minimap').length;
}

export function embedTests(harness, { url, fakeEngine }) {
  const open = async (page, path, policy = kStrict, query = '') => {
    if (fakeEngine) throw new Skipped('it has no reports made ahead of time');
    const host = await startHost(url, kPages, (pathname) =>
      pathname === '/far' ? "style-src 'self' 'unsafe-inline'" : policy,
    );
    await page.addInitScript(helpers);
    await page.goto(`${host.url}${path}${query}`);
    return host;
  };

  harness.test('an embed costs its host little, and nothing before it is near', { fresh: true }, async (page) => {
    const answers = [];
    page.on('response', (response) => answers.push(response));
    const host = await open(page, '/one');
    await ready(page, 1);
    await page.waitForLoadState('networkidle');
    const ours = answers.filter((answer) => new URL(answer.url()).pathname.startsWith('/t/'));
    check(!ours.some((answer) => answer.url().includes('/engine/')), 'the engine was loaded');
    check(!ours.some((answer) => answer.url().endsWith('.mlir')), 'the graph was loaded');
    const sizes = await Promise.all(ours.map(async (answer) => gzipSync(await answer.body(), { level: 9 }).length));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`        an embed: ${(bytes / 1000).toFixed(1)} KB after gzip (${asserted.embedBytes / 1000})`);
    check(bytes > 40_000 && bytes <= asserted.embedBytes, `${bytes} bytes`);
    answers.length = 0;
    await page.goto(`${host.url}/far`);
    await page.waitForLoadState('networkidle');
    equal(answers.filter((answer) => answer.url().includes('/samples/')).length, 0, 'reports of a far element');
    await page.locator('tessera-playground').scrollIntoViewIfNeeded();
    await ready(page, 1);
    host.close();
  });

  harness.test('three elements under a strict policy leave their host alone', { fresh: true }, async (page) => {
    const host = await open(page, '/three');
    await ready(page, 3);
    const before = await page.evaluate(() => [location.href, history.length, localStorage.length, document.cookie]);
    const state = () => page.evaluate(() => players().map(({ state: one }) => one.select));
    equal((await state())[1], '2', 'the attribute select');
    await page.locator('h1').click();
    for (const key of ['/', 'n', 'ArrowDown', '[']) await page.keyboard.press(key);
    equal(await state(), ['', '2', ''], 'keys of the host');
    equal(await page.evaluate(() => document.activeElement.localName), 'body', 'the focus');
    await page.locator('tessera-playground').first().locator('.row .op').nth(1).click();
    await page.keyboard.press('ArrowDown');
    const told = await page.evaluate(() =>
      window.told.filter(([name]) => name === 'tessera-select').map(([, one]) => one),
    );
    check(told.length >= 2 && told.every(({ row }) => Number.isInteger(row)), 'tessera-select');
    check((await state())[0] !== '', 'the state says what is selected');
    equal(
      await page.evaluate(() => [location.href, history.length, localStorage.length, document.cookie]),
      before,
      'host',
    );
    equal((await findings(page)).join('\n'), '', 'axe');
    const seen = new Set();
    await page.locator('a[href="#before"]').focus();
    for (let press = 0; press < 150 && !seen.has('#after'); press++) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate(() => document.activeElement.getAttribute('href') ?? ''));
    }
    check(seen.has('#after'), 'the keyboard gets out again');
    host.close();
  });

  harness.test(
    'back and forward are the host’s, whatever happens in element and frame',
    { fresh: true },
    async (page) => {
      const other = await startHost(url, kPages, () => 'frame-ancestors *');
      const host = await open(page, '/three', kRunning);
      await ready(page, 3);
      await page.locator('a[href="#after"]').click();
      const length = await page.evaluate(() => history.length);
      const first = page.locator('tessera-playground').first();
      for (const view of ['Steps', 'Graph', 'Schedule'])
        await first.getByRole('button', { name: view, exact: true }).click();
      await first.locator('.row .op').nth(2).click();
      await first.getByLabel('Policy').selectOption('DRAM');
      await until(page, () => page.evaluate(() => players()[0].result.options.policy === 'DRAM'), 'a run');
      const state = () => page.evaluate(() => [players()[0].policy, players()[0].select]);
      const before = await state();
      equal(await page.evaluate(() => history.length), length, 'entries of the history');
      await page.goBack();
      equal([new URL(page.url()).hash, ...(await state())], ['', ...before], 'one step back');
      await page.goForward();
      equal([new URL(page.url()).hash, ...(await state())], ['#after', ...before], 'and forward');
      const policy = "default-src 'self'; frame-src *; style-src 'self' 'unsafe-inline'";
      const framer = await startHost(url, kPages, () => policy);
      const frame = `${other.url}/t/embed/frame.html?report=/t/samples/mlp.report.json&allow=${framer.url}`;
      await page.goto(`${framer.url}/framer?frame=${encodeURIComponent(frame)}`);
      await until(page, () => page.evaluate(() => window.told.some(({ type }) => type === 'ready')), 'the frame');
      const entries = await page.evaluate(() => history.length);
      for (const view of ['map', 'why', 'steps'])
        await page.evaluate(
          (one) => window.send({ tessera: 1, type: 'set-state', id: one, state: { view: one } }),
          view,
        );
      await until(
        page,
        () => page.evaluate(() => window.told.filter(({ type }) => type === 'state').length === 3),
        'states',
      );
      equal(await page.evaluate(() => history.length), entries, 'entries beside the frame');
      await page.goBack();
      equal(new URL(page.url()).pathname, '/three', 'back leaves the page, not a view of the frame');
      for (const one of [host, other, framer]) one.close();
    },
  );

  harness.test('elements share one engine, which loads when something is changed', { fresh: true }, async (page) => {
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const host = await open(page, '/three', kRunning);
    await ready(page, 3);
    equal(asked.filter((path) => path.includes('/engine/')).length, 0, 'engine before a change');
    await page.evaluate(() => players().forEach((one) => (one.policy = 'DRAM')));
    const policies = () => page.evaluate(() => players().map(({ result }) => result.options.policy));
    await until(page, async () => (await policies()).every((id) => id === 'DRAM'), 'three runs');
    equal(asked.filter((path) => path.endsWith('tessera.wasm')).length, 1, 'fetches of the engine');
    equal(page.workers().length, 1, 'workers');
    const first = page.locator('tessera-playground').first();
    await first.getByLabel('Policy').selectOption('Greedy');
    await until(page, async () => (await policies())[0] === 'Greedy', 'the policy chosen within');
    const answer = await page.evaluate(async () => {
      const [one] = players();
      const csv = await one.exportAs('csv');
      const mlir = await one.exportAs('mlir');
      one.state = { ...one.state, view: 'compare', compare: ['DRAM'] };
      return { csv: csv.content.split('\n').length, mlir: mlir.content, state: one.state };
    });
    check(answer.csv > 3 && answer.mlir.includes('ttnn.'), 'exports');
    equal(answer.state.compare, ['DRAM'], 'state');
    await first.locator('tessera-compare table.runs tbody tr').nth(1).waitFor();
    host.close();
  });

  harness.test('a frame answers who is on its list, and nobody else', { fresh: true }, async (page) => {
    const other = await startHost(url, kPages, () => 'frame-ancestors *');
    const params = 'report=/t/samples/mlp.report.json&view=schedule&select=1';
    const host = await open(
      page,
      '/framer',
      "default-src 'self'; frame-src *; style-src 'self' 'unsafe-inline'",
      `?frame=${encodeURIComponent(`${other.url}/t/embed/frame.html?${params}&allow=`)}`,
    );
    const told = () => page.evaluate(() => window.told);
    const frame = () => page.frames().find((one) => new URL(one.url()).pathname.endsWith('/frame.html'));
    await until(page, async () => (await frame()?.locator('tessera-minimap').count()) === 1, 'the frame');
    const hostile = [
      { tessera: 1, type: 'ping', id: 'a' },
      { tessera: 1, type: 'set-state', id: 'b', state: { view: 'map' } },
    ];
    for (const message of hostile) await page.evaluate((one) => window.send(one), message);
    await page.waitForTimeout(300);
    equal(await told(), [], 'a hostile origin hears nothing');
    const state = () => frame().evaluate(() => document.querySelector('tessera-playground').state);
    equal((await state()).view, 'schedule', 'and changes nothing');
    const allowed = `${other.url}/t/embed/frame.html?${params}&allow=${encodeURIComponent(host.url)}`;
    await page.goto(`${host.url}/framer?frame=${encodeURIComponent(allowed)}`);
    const heard = (type) => until(page, async () => (await told()).find((one) => one.type === type), type);
    const high = async () => (await told()).find((one) => one.type === 'height-changed' && one.height > 200);
    const { tessera, origin } = await until(page, high, 'the height of what is drawn');
    equal([tessera, origin], [1, other.url], 'version and origin');
    await heard('ready');
    await page.evaluate(() => window.send({ tessera: 1, type: 'ping', id: 'x' }));
    equal((await heard('pong')).id, 'x', 'pong');
    for (const junk of [null, 1, 'x', { tessera: 2, type: 'ping' }, { tessera: 1, type: 'eval' }])
      await page.evaluate((one) => window.send(one), junk);
    const wanted = { view: 'map', select: 5, step: 'x', policy: {}, theme: 'dark', hide: 'all' };
    await page.evaluate((one) => window.send({ tessera: 1, type: 'set-state', id: 's', state: one }), wanted);
    const now = await heard('state');
    equal([now.state.view, now.state.select, now.state.policy], ['map', '1', ''], 'what is no state stays out');
    equal((await told()).filter(({ type }) => type === 'pong').length, 1, 'junk is not answered');
    host.close();
    other.close();
  });

  harness.test(
    'a frame of 320 pixels, and a page without scripts',
    { fresh: true, context: { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } },
    async (page, context) => {
      if (fakeEngine) throw new Skipped('it has no reports made ahead of time');
      await page.goto(new URL('embed/frame.html?report=../samples/residual-block.report.json', url).href);
      await page.locator('tessera-minimap').waitFor();
      equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, 'width');
      for (const view of ['L1 map', 'Why', 'Steps', 'Graph', 'Schedule'])
        await page.getByRole('button', { name: view, exact: true }).click();
      equal((await findings(page)).join('\n'), '', 'axe');
      const off = await context.browser().newContext({ javaScriptEnabled: false });
      const host = await startHost(url, kPages, () => kStrict);
      const plain = await off.newPage();
      await plain.goto(`${host.url}/three`);
      check(await plain.getByRole('table', { name: 'mlp' }).isVisible(), 'the fallback table');
      await off.close();
      host.close();
    },
  );
}

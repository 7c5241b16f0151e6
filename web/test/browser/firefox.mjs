// A smoke test of the built page in stock Firefox, driven over WebDriver BiDi: npm run test:firefox. It draws, selects,
// copies a link that another page opens, and survives the death of its engine.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { check, equal, kPatienceMs } from './harness.mjs';
import { kDist, startServer } from './server.mjs';

function firefoxPath() {
  const places = [
    process.env.TESSERA_FIREFOX,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/usr/lib/firefox-esr/firefox-esr',
  ];
  return places.find((place) => place && existsSync(place)) ?? null;
}

const fakeEngine = !existsSync(join(kDist, 'engine', 'tessera.wasm'));
const executablePath = firefoxPath();
if (executablePath === null) {
  console.log('skipped: no Firefox found (TESSERA_FIREFOX names one)');
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(0);
}
const server = await startServer({ fakeEngine });
const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath,
  headless: true,
  args: ['--width=1390', '--height=900'],
  protocolTimeout: 120_000,
});
console.log(await browser.version());

async function newPage() {
  const page = await browser.newPage();
  page.setDefaultTimeout(kPatienceMs);
  await page.setViewport({ width: 1390, height: 900 });
  return page;
}

const kSchedule = 'tessera-app >>> tessera-schedule >>>';
const kWhy = 'tessera-app >>> tessera-why >>>';
const kMenu = 'tessera-app >>> tessera-toolbar >>> tessera-policy-menu >>>';

let [passed, failed] = [0, 0];
async function test(name, body) {
  const began = performance.now();
  const complaints = [];
  const page = await newPage();
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  try {
    await body(page);
    equal(complaints, [], 'the console');
    passed++;
    console.log(`ok      ${name} (${Math.round(performance.now() - began)} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n    ${String(error.stack ?? error)}`);
    for (const complaint of complaints) console.log(`    console: ${complaint}`);
  }
  await page.close();
}

const state = (page, path) =>
  page.evaluate(
    (keys) => keys.split('.').reduce((value, key) => value?.[key], document.querySelector('tessera-app').state),
    path,
  );

async function until(probe, what) {
  for (const end = Date.now() + 2 * kPatienceMs; Date.now() < end;) {
    const value = await probe();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for: ${what}`);
}

async function opened(page, address) {
  await page.goto(address);
  await page.waitForSelector(`${kSchedule} .row`);
  await settled(page);
}
const settled = (page) =>
  until(
    async () =>
      (await state(page, 'engine')) === 'ready' && // the policies are there
      (await state(page, 'running')) === false &&
      (await state(page, 'report.run.rows.length')) > 0,
    'a finished run',
  );

const colors = (page, selector) =>
  page.$eval(selector, (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0) seen.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
    return seen.size;
  });

const choosePolicy = async (page, id) => {
  await (await page.waitForSelector(`${kMenu} button`)).click();
  await (await page.waitForSelector(`${kMenu} [data-policy="${id}"]`)).click();
};

await test('draws schedule, L1 map, minimap and graph', async (page) => {
  await opened(page, server.url);
  check((await colors(page, `${kSchedule} canvas.map`)) >= 8, 'the map');
  check((await colors(page, `${kSchedule} canvas.lanes`)) >= 3, 'the lanes');
  await page.waitForSelector(`${kSchedule} tessera-minimap >>> canvas`);
  await until(async () => (await colors(page, `${kSchedule} tessera-minimap >>> canvas`)) >= 3, 'the minimap');
  await page.evaluate(() => document.querySelector('tessera-app').dispatch({ type: 'view', view: { main: 'graph' } }));
  await page.waitForSelector('tessera-app >>> tessera-graph >>> canvas');
  await until(async () => (await colors(page, 'tessera-app >>> tessera-graph >>> canvas')) >= 6, 'the graph');
});

await test('selects an op, tells why, and copies a link that opens the same', async (page) => {
  await opened(page, server.url);
  const rows = await page.$$(`${kSchedule} .row`);
  await rows[6].click();
  const selected = await until(
    async () => (await state(page, 'selected')) > 0 && state(page, 'selected'),
    'a selection',
  );
  await page.waitForSelector(`${kWhy} .story`);
  const title = await page.$eval(`${kWhy} h2`, (one) => one.textContent);
  await choosePolicy(page, 'DRAM');
  await until(async () => (await state(page, 'report.options.policy')) === 'DRAM', 'the other policy');
  await (await page.waitForSelector('tessera-app >>> tessera-toolbar >>> .btn.primary')).click();
  await until(() => page.evaluate(() => document.querySelector('tessera-app').copied_), 'a copied link');
  const link = await page.evaluate(() => location.href);
  check(link.includes('#v1:'), link);
  const other = await newPage();
  await opened(other, link);
  await until(async () => (await state(other, 'report.options.policy')) === 'DRAM', 'the policy of the link');
  await until(async () => (await state(other, 'selected')) >= 0, 'the selection of the link');
  await other.waitForSelector(`${kWhy} .story`);
  equal(await other.$eval(`${kWhy} h2`, (one) => one.textContent), title, 'the selected op');
  check(selected > 0, 'a row');
  await other.close();
});

await test('survives the death of its worker', async (page) => {
  await opened(page, `${server.url}?test=1`);
  await page.evaluate(() => document.querySelector('tessera-app').client.crashNext('run'));
  await choosePolicy(page, 'DRAM');
  const notice = await page.waitForSelector('tessera-app >>> tessera-notices >>> .notice.error');
  check((await notice.evaluate((one) => one.textContent)).includes('unexpectedly'), 'it is told');
  check((await page.$$(`${kSchedule} .row`)).length > 10, 'the earlier schedule is still there');
  await choosePolicy(page, 'Beam');
  await until(async () => (await state(page, 'report.options.policy')) === 'Beam', 'the next run');
});

await browser.close();
await server.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 ? 0 : 1);

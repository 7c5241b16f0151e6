// What the browser tests do with the page again and again.

export const open = async (page, url, { hash = '', search = '' } = {}) => {
  await page.goto(`${url}${search}${hash}`);
};

export const waitForRows = (page) => page.waitForSelector('tessera-schedule .row');

export const waitForEditor = (page) => page.waitForSelector('.cm-content');

// A part of the state, through the element's own property.
export const state = (page, path) =>
  page.evaluate(
    (keys) => keys.split('.').reduce((value, key) => value?.[key], document.querySelector('tessera-app').state),
    path,
  );

// Polls without evaluating text in the page (its policy forbids that).
export async function until(page, test, what, timeoutMs = 15_000) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`);
    await page.waitForTimeout(40);
  }
}

export const settled = (page, what = 'a finished run') =>
  until(
    page,
    async () =>
      (await state(page, 'running')) === false &&
      (await state(page, 'engine')) === 'ready' &&
      (await state(page, 'report')) !== null,
    what,
  );

// Drops a file on the middle of the page, as a user's drag would.
export async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(
    ([fileName, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], fileName));
      return data;
    },
    [name, [...Buffer.from(content)]],
  );
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('tessera-app', event, { dataTransfer: transfer });
}

export async function type(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText(text);
}

export const editorText = (page) =>
  page.evaluate(
    () => document.querySelector('tessera-app').renderRoot.querySelector('tessera-source').editor_?.text() ?? null,
  );

// How many different colours a canvas shows.
export const colors = (page, selector) =>
  page.evaluate((name) => {
    const canvas = document
      .querySelector('tessera-app')
      .renderRoot.querySelector('tessera-schedule')
      .renderRoot.querySelector(name);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 0) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return seen.size;
  }, selector);

// The index of a row near the first op that costs time, where the page opens a graph; rows before it load what is
// computed once.
export const rowNear = async (page, offset) => {
  const first = await page.evaluate(() =>
    document
      .querySelector('tessera-app')
      .state.report.run.rows.findIndex((row) => row.kind === 'op' && row.time.total > 0),
  );
  return Math.max(first, 0) + offset;
};

export const choosePolicy = (page, id) =>
  page.locator('tessera-toolbar select[aria-label=Policy]').first().selectOption(id);

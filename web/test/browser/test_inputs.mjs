import { check, equal } from './harness.mjs';
import { drop, editorText, open, settled, state, type, until, waitForEditor, waitForRows } from './page.mjs';

const kSmall = `func.func @mine(%arg0: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %0 : tensor<64x128xbf16>
}
`;

// As jax.jit(f).lower(x).as_text(debug_info=True) prints it.
const kFromJax = `#loc1 = loc("x")
module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x128xf32> loc("x"), %arg1: tensor<128x256xf32> loc("w"))
      -> (tensor<64x256xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
      : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32> loc(#loc4)
    %1 = call @relu(%0) : (tensor<64x256xf32>) -> tensor<64x256xf32> loc(#loc4)
    return %1 : tensor<64x256xf32> loc(#loc)
  } loc(#loc)
  func.func private @relu(%arg0: tensor<64x256xf32> loc("x")) -> tensor<64x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32> loc(#loc)
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x256xf32> loc(#loc4)
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x256xf32> loc(#loc4)
    return %1 : tensor<64x256xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("train.py":12:9 to :30)
#loc3 = loc("forward"(#loc2))
#loc4 = loc("jit(step)/jit(main)/dot_general"(#loc3))
`;

export function inputTests(harness, { url }) {
  harness.test('a file from JAX is drawn', {}, async (page) => {
    await waitForEditor(page);
    await drop(page, 'jax.mlir', kFromJax);
    await until(page, async () => (await state(page, 'source.origin.name')) === 'jax.mlir', 'the file');
    await settled(page);
    equal((await state(page, 'diagnostics')).length, 0, 'diagnostics');
    check((await page.locator('tessera-schedule .row').count()) >= 2, 'the schedule');
    check(JSON.stringify(await state(page, 'report.run')).includes('train.py:12'), 'the line of source');
  });

  harness.test('an empty page says how to get a file', {}, async (page) => {
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.locator('details.getting summary').click();
    await page.locator('details.getting code', { hasText: 'as_text(debug_info=True)' }).waitFor();
  });

  harness.test(
    'a syntax error shows at its line, the last schedule stays dimmed, and mending it mends all',
    {},
    async (page) => {
      await waitForEditor(page);
      await type(page, '\n\n  syntax error here\n');
      await until(page, () => state(page, 'stale'), 'stale');
      const diagnostic = (await state(page, 'diagnostics'))[0];
      equal(diagnostic.line, 3, 'line');
      await page.locator('tessera-source .diagnostics li.error').first().waitFor();
      await page.locator('.cm-lint-marker-error').first().waitFor();
      check((await page.locator('tessera-schedule.stale .row').count()) > 10, 'the earlier schedule');
      await page.locator('.stalenote button').click();
      await page.locator('.cm-editor.cm-focused').waitFor();
      // The editor joins what is typed within half a second: how many steps to undo depends on the machine.
      await until(
        page,
        async () => {
          if (!(await state(page, 'stale'))) return true;
          await page.keyboard.press('Control+z');
          return false;
        },
        'mended',
      );
      equal(await page.locator('tessera-source .diagnostics li.error').count(), 0, 'errors left');
    },
  );

  harness.test('a dropped file is run', {}, async (page) => {
    await waitForEditor(page);
    await drop(page, 'mine.mlir', kSmall);
    await until(
      page,
      async () =>
        (await state(page, 'report.run.function')) === 'mine' ||
        (await state(page, 'source.origin.name')) === 'mine.mlir',
      'the file',
    );
    await settled(page);
    equal(await editorText(page), kSmall, 'editor');
    equal(await state(page, 'source.text'), kSmall, 'text');
  });

  harness.test('what was typed is still there after a sample replaced it', {}, async (page) => {
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    // Removed by the editor first: what Chromium itself writes over coloured text takes the colours along as inline
    // styles, which the page's policy refuses.
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('// my precious text');
    await page.locator('select.samples').selectOption('mlp');
    await until(page, async () => (await editorText(page)).includes('ttir.'), 'the sample');
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await until(page, async () => (await editorText(page)) === '// my precious text', 'the text after undo');
    await until(page, async () => (await state(page, 'source.text')) === '// my precious text', 'and in the state');
  });

  harness.test('a text typed before the editor arrives is kept and undoable', { fresh: true }, async (page) => {
    let release;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    await page.route('**/editor-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await open(page, url);
    await waitForRows(page);
    await page.getByRole('button', { name: 'Show the source pane' }).click();
    const area = page.locator('tessera-source textarea');
    await area.fill('// typed early');
    await until(page, async () => (await state(page, 'source.text')) === '// typed early', 'the text in the state');
    await page.locator('select.samples').selectOption('mlp');
    await until(page, async () => (await area.inputValue()).includes('ttir.'), 'the sample in the text field');
    release();
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await until(page, async () => (await editorText(page)) === '// typed early', 'the early text');
  });

  const deep = `func.func @deep() { ${'('.repeat(10_000)} `;
  const nested = `module {\n${'module {\n'.repeat(10_000)}`;
  const junk = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255));
  const hostile = [
    ['binary junk', junk],
    ['10,000 open parentheses', deep],
    ['10,000 nested modules', nested],
    ['a file cut off in its middle', kSmall.slice(0, 120)],
    ['one line of 300,000 columns', `func.func @x() { // ${'%a'.repeat(150_000)}\n return }\n`],
    [
      'a name with markup',
      'func.func @"<img src=x onerror=alert(1)>"(%arg0: tensor<64x128xbf16> {ttir.name = "<b>bold</b>"}) -> ' +
        'tensor<64x128xbf16> {\n  return %arg0 : tensor<64x128xbf16>\n}\n',
    ],
    ['nothing but NUL bytes', Buffer.alloc(5000)],
  ];
  for (const [name, content] of hostile) {
    harness.test(`hostile input: ${name}`, {}, async (page) => {
      await waitForEditor(page);
      await type(page, '// typed before\n');
      await drop(page, 'hostile.mlir', content);
      await until(page, async () => (await state(page, 'source.origin.name')) === 'hostile.mlir', 'the file');
      await until(page, async () => (await state(page, 'running')) === false, 'an answer');
      equal(
        await page.locator('tessera-app').evaluate((app) => app.renderRoot.querySelectorAll('img, b > script').length),
        0,
        'markup of the file',
      );
      await waitForEditor(page);
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+z');
      await until(
        page,
        async () => (await editorText(page)).startsWith('// typed before\n'),
        'the typed text after undo',
      );
      await until(
        page,
        async () => (await state(page, 'running')) === false && (await state(page, 'stale')) === false,
        'the page works on',
      );
      equal(
        (await state(page, 'notices')).filter((notice) => notice.text.includes('unexpectedly')).length,
        0,
        'crashes',
      );
    });
  }

  harness.test('a file of more than 64 MB is refused with words', {}, async (page) => {
    await waitForEditor(page);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(64 * 1024 * 1024 + 1)], 'huge.mlir'));
      document
        .querySelector('tessera-app')
        .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, composed: true, cancelable: true }));
    });
    await page.locator('.notice.error', { hasText: 'huge.mlir' }).waitFor();
    equal(await state(page, 'source.origin.id'), 'resnet50', 'the text is kept');
  });

  harness.test(
    '?url= loads a graph of the same host; a bad address is said',
    { fresh: true, expect: [/404/] },
    async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await open(page, url, { search: '?url=samples/mlp.mlir' });
      const agree = () => page.getByRole('button', { name: 'Load it' }).click();
      await page.getByText('The link asks for a graph from').waitFor();
      check(
        !asked.some((address) => new URL(address).pathname.endsWith('mlp.mlir')),
        'nothing is fetched before the user agrees',
      );
      await agree();
      await waitForRows(page);
      equal(await state(page, 'source.origin.kind'), 'url', 'origin');
      await open(page, url, { search: '?url=http://example.test/x.mlir' });
      await agree();
      await page.locator('.notice.error', { hasText: 'https' }).waitFor();
      await open(page, url, { search: '?url=nowhere.mlir' });
      await agree();
      await page.locator('.notice.error', { hasText: '404' }).waitFor();
    },
  );

  harness.test('an empty text shows what to do', {}, async (page) => {
    await waitForEditor(page);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByText('No graph yet').waitFor();
    await page.locator('.blank .samples button').nth(1).click();
    await waitForRows(page);
  });
}

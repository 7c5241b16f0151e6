import { check, equal } from './harness.mjs';
import { dispatch, drop, openSample, settled, state, until } from './page.mjs';
import { seriousFindings, seriousInBothThemes } from './axe.mjs';

const traced = (page, test, what) =>
  until(
    page,
    async () => (await state(page, 'running')) === false && test(await state(page, 'report.run.propagationTrace')),
    what,
  );

async function openBeam(page, sample) {
  await openSample(page, sample);
  await dispatch(page, { type: 'option', id: 'policy', value: 'Beam' });
  await page.locator('nav.views, nav.tabs').getByRole('button', { name: 'Beam' }).click();
  await traced(page, (trace) => trace != null, 'the trace');
  await settled(page);
}

// What the engine would write to decision_trace.json.
const traceFile = (page) =>
  page.evaluate(async () => {
    const app = document.querySelector('tessera-app');
    return (await app.client.exportFile(app.state.source.text, app.state.options, 'decision-trace')).value.content;
  });

export function beamTests(harness, { fakeEngine, corpus }) {
  if (fakeEngine) return; // it knows no trace
  harness.test('the beam is walked through', { start: 'any', context: { reducedMotion: 'reduce' } }, async (page) => {
    await openBeam(page, 'residual-block');
    const trace = await state(page, 'report.run.propagationTrace');
    await page.locator('tessera-beam li').first().waitFor();
    equal(await page.locator('tessera-beam li').count(), trace.ops.length, 'a row per op');
    const at = trace.ops.findIndex(
      (op) => op.beam.length > 3 && (op.beam[0].links ?? []).some(([, from]) => trace.ops[from].beam.length > 1),
    );
    const row = page.locator('tessera-beam li').nth(at);
    await row.locator('.op').click();
    equal(
      await page.locator('tessera-beam tr.chosen, tessera-beam tr.kept').count(),
      trace.ops[at].beam.length,
      'every entry of the beam is in the table',
    );
    check((await page.locator('tessera-beam tr.refused, tessera-beam tr.worse').count()) > 0, 'and what lost');
    check(
      (
        await page
          .locator('tessera-beam tr.refused td:last-child, tessera-beam tr.worse td:last-child')
          .last()
          .innerText()
      ).length > 10,
      'with its reason',
    );
    equal(await state(page, 'selected'), trace.ops[at].row, 'the row of the schedule is selected');

    const [, from, slot] = trace.ops[at].beam[0].links.find(([, producer]) => trace.ops[producer].beam.length > 1);
    await page.locator('tessera-beam tbody tr').first().locator(`.from[data-tip*="rank ${slot}"]`).first().click();
    equal(
      await page.locator('tessera-beam li button[aria-current=true] .step').innerText(),
      String(trace.ops[from].row),
      'a pointer leads to the op it comes from',
    );
    await page.locator('tessera-beam li button[aria-current=true]').focus();
    await page.keyboard.press('ArrowDown');
    equal(
      await page.locator('tessera-beam li button[aria-current=true] .step').innerText(),
      String(trace.ops[from + 1].row),
      'the key moves on',
    );
    equal(await seriousInBothThemes(page), [], 'beam');
  });

  harness.test(
    '360 pixels: the beam needs no sideways scrolling',
    { start: 'any', context: { viewport: { width: 360, height: 780 }, hasTouch: true, reducedMotion: 'reduce' } },
    async (page) => {
      await openBeam(page, 'residual-block');
      await page.locator('tessera-beam li').nth(5).locator('.op').tap();
      check((await page.locator('tessera-beam tbody tr').count()) > 1, 'candidates of the tapped op');
      check(
        !(await page.evaluate(
          () =>
            document.documentElement.scrollWidth > window.innerWidth ||
            document.querySelector('tessera-app').scrollWidth > window.innerWidth,
        )),
        'no sideways scrolling',
      );
      equal(await seriousFindings(page), [], 'beam');
    },
  );

  harness.test(
    'what had to leave L1 leads to its op',
    { start: 'any', context: { reducedMotion: 'reduce' } },
    async (page) => {
      await openBeam(page, 'l1-pressure');
      const { events } = await state(page, 'report.run.propagationTrace.spills');
      check(events.length > 0, 'the sample spills');
      await page.getByRole('button', { name: /^Spill events/ }).click();
      const rows = page.locator('tessera-beam table.spills tbody tr');
      equal(await rows.count(), events.length, 'a line per event');
      await rows.first().locator('.link').first().click();
      equal(await state(page, 'selected'), events[0].row, 'the op at which it happened');
      check(
        /\d KB/.test(await rows.first().innerText()) && (await rows.first().locator('.badge').count()) === 2,
        'size, from and to',
      );
      equal(await seriousFindings(page), [], 'spill events');
    },
  );

  harness.test('a moved slider runs once and shows what it changed', { start: 'any' }, async (page) => {
    await openBeam(page, 'residual-block');
    await page.evaluate(() => {
      const { client } = document.querySelector('tessera-app');
      const { run, lint } = client;
      window.asked = [];
      client.run = (text, options) => {
        window.asked.push(options);
        return run.call(client, text, options);
      };
      client.lint = (text) => {
        window.asked.push('lint');
        return lint.call(client, text);
      };
    });
    const slider = page.locator('tessera-knobs input').first();
    await slider.focus();
    await page.keyboard.press('Home');
    await traced(page, (trace) => trace.beamWidth === 1, 'a beam of one');
    const asked = await page.evaluate(() => window.asked);
    equal(asked.length, 1, `questions to the engine for one move (${JSON.stringify(asked)})`);
    equal([asked[0]['beam-width'], asked[0].trace], [1, true], 'what was asked');
    check(
      (await state(page, 'report.run.propagationTrace.ops')).every((op) => op.beam.length <= 1),
      'one entry per op',
    );
    await page.locator('nav.views, nav.tabs').getByRole('button', { name: 'Schedule' }).click();
    await dispatch(page, { type: 'option', id: 'beam-width', value: 4 });
    await until(page, async () => (await state(page, 'report.options.beam-width')) === 4, 'the run');
    equal((await state(page, 'report.run.propagationTrace')) == null, true, 'elsewhere a run carries no trace');
  });

  harness.test('a decision trace is opened without its graph, and left again', { start: 'any' }, async (page) => {
    await openBeam(page, 'fork-join');
    const text = await state(page, 'source.text');
    const own = await state(page, 'report.run.propagationTrace');
    const file = await traceFile(page);
    await page.locator('nav.views, nav.tabs').getByRole('button', { name: 'Schedule' }).click();
    await drop(page, 'main_decision_trace.json', file);
    await page.locator('tessera-beam .file', { hasText: 'main_decision_trace.json' }).waitFor();
    equal(await page.locator('tessera-beam li').count(), own.ops.length, 'its ops');
    const shown = await state(page, 'openedTrace.answer.trace');
    equal(
      shown.ops.map(({ chosen }) => chosen),
      own.ops.map(({ chosen }) => chosen),
      'the taken entries are found again',
    );
    equal(shown.forks, own.forks, 'forks');
    await page.locator('tessera-beam li').nth(2).locator('.op').click();
    check((await page.locator('tessera-beam tr.chosen').count()) === 1, 'its candidates');
    equal(await seriousFindings(page), [], 'a trace of a file');
    equal(await state(page, 'source.text'), text, 'the graph is still there');
    check(
      (await page.locator('tessera-totals .figures').innerText()).includes('–'),
      'no totals of the graph beside the trace',
    );
    equal(await page.locator('tessera-why h2').count(), 0, 'nor its details');
    check((await page.locator('select.samples option:checked').innerText()).includes('trace.json'), 'its name');
    await page.getByRole('button', { name: 'Back to the run' }).click();
    await page.locator('tessera-beam tessera-knobs label').first().waitFor();
    await page.locator('nav.views, nav.tabs').getByRole('button', { name: 'Schedule' }).click();
    await dispatch(page, { type: 'edit', text: file });
    await page.locator('tessera-beam .file', { hasText: 'pasted text' }).waitFor();
  });

  const deep = `{"forwardPass":${'['.repeat(60_000)}`;
  const hostile = [
    ['of another version', '{"version":2,"forwardPass":[]}', 'version'],
    ['cut off', '{"version":3,"forwardPass":[{"opIndex":', ''],
    ['of texts for numbers', '{"version":3,"forwardPass":[{"opIndex":"x"}]}', 'opIndex'],
    ['nested 60,000 deep', deep, ''],
  ];
  harness.test('traces that cannot be read say why', { start: 'any' }, async (page) => {
    await openBeam(page, 'fork-join');
    for (const [name, content, word] of hostile) {
      await drop(page, `${name}.json`, content);
      await page.locator('tessera-beam h2', { hasText: name }).waitFor();
      const told = await page.locator('tessera-beam section.none li').first().innerText();
      check(/^\d+:\d+/.test(told) && told.includes(word), `${name}: ${told}`);
    }
    await page.getByRole('button', { name: 'Back to the run' }).click();
    await page.locator('tessera-beam li').first().waitFor();
    await drop(
      page,
      'odd.json',
      JSON.stringify({
        version: 3,
        functionName: '<b>x</b>',
        forwardPass: [
          { opIndex: -7, opName: '<img src=x onerror=alert(1)>', beam: [{ rank: 9, outputLayout: '<i>' }] },
          { opIndex: -7 },
        ],
        edges: [{ producerOpIndex: 5, consumerOpIndex: -7 }],
        finalChoices: [{ opIndex: 99 }],
      }),
    );
    await until(page, async () => (await page.locator('tessera-beam li').count()) === 2, 'two ops, as text');
  });

  if (corpus === null)
    return harness.skip(
      'a run that a new slider value outdates is left, and the page stays whole',
      '../shared/corpus is not there',
    );
  harness.test('a run that a new slider value outdates is left, and the page stays whole', {}, async (page) => {
    await drop(page, 'resnet50_xla.mlir', corpus);
    await until(page, async () => (await state(page, 'source.origin.name')) === 'resnet50_xla.mlir', 'the file');
    await dispatch(page, { type: 'option', id: 'policy', value: 'Beam' });
    await dispatch(page, { type: 'view', view: { main: 'beam' } });
    await traced(page, (trace) => trace != null && trace.ops.length > 100, 'the trace');
    const seen = await page.evaluate(async () => {
      const app = document.querySelector('tessera-app');
      const outcomes = [];
      const { run } = app.client;
      app.client.run = async (...args) => {
        const outcome = await run.apply(app.client, args);
        outcomes.push(outcome.kind);
        return outcome;
      };
      const slider = app.renderRoot
        .querySelector('tessera-beam')
        .renderRoot.querySelector('tessera-knobs')
        .renderRoot.querySelector('input');
      for (let width = 40; width >= 3; width--) {
        slider.value = String(width);
        slider.dispatchEvent(new Event('input'));
        await new Promise((resolve) => setTimeout(resolve, 4));
      }
      return outcomes;
    });
    await traced(page, (trace) => trace.beamWidth === 3, 'the last value');
    equal(
      [
        await state(page, 'report.options.beam-width'),
        await state(page, 'report.run.propagationTrace.beamWidth'),
        await state(page, 'running'),
      ],
      [3, 3, false],
      'run, trace and state belong together',
    );
    check(seen.filter((kind) => kind === 'done').length < 20, 'most outdated runs never finish');
    check((await page.locator('tessera-beam li').count()) > 10, 'the picture');

    // A run that takes long, a spare worker at hand: the next value does not wait for the run to end.
    await until(page, () => page.evaluate(() => document.querySelector('tessera-app').client.spareReady), 'a spare');
    const cut = await page.evaluate(async () => {
      const { client } = document.querySelector('tessera-app');
      const { text } = document.querySelector('tessera-app').state.source;
      const worker = client.workers_.active_;
      const first = client.run(text, { policy: 'Exact' }); // about a second
      await new Promise((resolve) => setTimeout(resolve, 20));
      const second = client.run(text, { policy: 'DRAM' });
      return { first: (await first).kind, replaced: client.workers_.active_ !== worker, second: (await second).kind };
    });
    equal(cut, { first: 'superseded', replaced: true, second: 'done' }, 'the long run is cut off, the next answers');
  });
}

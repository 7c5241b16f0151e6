import { afterEach, describe, expect, test, vi } from 'vitest';

import { EngineClient } from '../../src/engine/client';
import type { FromWorker, ToWorker } from '../../src/engine/protocol';
import type { Overdue } from '../../src/model/overdue';
import type { WorkerLike } from '../../src/engine/worker_pair';

// A worker that the test answers for.
class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly received: ToWorker[] = [];
  terminated = false;
  postMessage(message: ToWorker): void {
    this.received.push(message);
  }
  terminate(): void {
    this.terminated = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data } as MessageEvent<FromWorker>);
  }
  get calls(): { id: number; call: string; args: readonly (string | Uint8Array)[] }[] {
    return this.received.filter((message) => message.type === 'call');
  }
  answer(value: unknown): void {
    this.say({ type: 'answer', id: this.calls.at(-1)!.id, json: JSON.stringify(value), ms: 1 });
  }
}

const kNoRun = { diagnostics: [], run: null };

function setUp(patienceMs = 1e9, graceMs = 1e9, silenceMs = 1e8): { client: EngineClient; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const client = new EngineClient({
    engineUrl: 'x',
    test: false,
    patienceMs,
    graceMs,
    silenceMs,
    makeWorker: () => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    },
  });
  return { client, workers };
}

// A run was answered at once, so runs are expected to be quick; the second worker is a spare that is ready.
async function setUpQuick(): Promise<{ client: EngineClient; workers: FakeWorker[] }> {
  const { client, workers } = setUp(1e9, 2);
  const catalog = client.catalog();
  workers[0]!.answer({ policies: [], options: [{ id: 'policy', workload: true }] });
  await catalog;
  const run = client.run('a', {});
  workers[0]!.answer(kNoRun);
  await run;
  client.warmSpare();
  workers[1]!.say({ type: 'ready' });
  return { client, workers };
}

describe('EngineClient', () => {
  test('answers in order, one call at a time', async () => {
    const { client, workers } = setUp();
    const catalog = client.catalog();
    const run = client.run('t', { policy: 'DRAM' });
    expect(workers[0]!.calls).toHaveLength(1);
    workers[0]!.answer({ a: 1, policies: [], options: [] });
    expect(await catalog).toMatchObject({ kind: 'done', value: { a: 1, options: [] } });
    expect(workers[0]!.calls[1]!.args).toEqual(['t', '{"policy":"DRAM"}']);
    workers[0]!.answer({ b: 2, ...kNoRun });
    expect(await run).toMatchObject({ kind: 'done', value: { b: 2 } });
  });

  test('of waiting runs only the newest is asked', async () => {
    const { client, workers } = setUp();
    const runs = ['1', '2', '3'].map((text) => client.run(text, {}));
    workers[0]!.answer(kNoRun);
    workers[0]!.answer(kNoRun);
    expect((await Promise.all(runs)).map(({ kind }) => kind)).toEqual(['done', 'superseded', 'done']);
    expect(workers[0]!.calls.map(({ args }) => args[0])).toEqual(['1', '3']);
  });

  test('every file that was asked for comes, whatever is asked for after it', async () => {
    const { client, workers } = setUp(0, 0);
    const files = ['plan', 'overrides', 'plan'].map((what) => client.exportFile('t', {}, what));
    for (const file of files) {
      workers[0]!.answer({ diagnostics: [], file: 'f', content: 'c' });
      expect((await file).kind).toBe('done');
    }
    expect(workers[0]!.calls.map(({ args }) => args[2])).toEqual(['plan', 'overrides', 'plan']);
  });

  test('a run that outlived its patience is cut off by a newer one', async () => {
    const { client, workers } = setUp(-1);
    const first = client.run('1', {});
    const second = client.run('2', {});
    expect(await first).toEqual({ kind: 'superseded' });
    expect(workers[0]!.terminated).toBe(true);
    workers[1]!.answer(kNoRun);
    expect(await second).toMatchObject({ kind: 'done', value: kNoRun });
  });

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  test('an outdated run gives way to a spare that is ready, and to no other', async () => {
    const { client, workers } = setUp(1e9, 2);
    const first = client.run('1', {});
    const second = client.run('2', {});
    await pause(10);
    expect(workers).toHaveLength(2); // the spare is being made; until then the run goes on
    expect(workers[0]!.terminated).toBe(false);
    workers[1]!.say({ type: 'ready' });
    expect(await first).toEqual({ kind: 'superseded' });
    expect(workers[0]!.terminated).toBe(true);
    expect(workers[1]!.calls.map(({ args }) => args[0])).toEqual(['2']);
    workers[1]!.answer(kNoRun);
    expect(await second).toMatchObject({ kind: 'done' });
  });

  test('a run that nothing outdates is never cut off', async () => {
    const { client, workers } = setUp(1e9, 1);
    client.warmSpare();
    workers[1]!.say({ type: 'ready' });
    const run = client.run('1', {});
    const lint = client.lint('1');
    await pause(8);
    expect(workers[0]!.terminated).toBe(false);
    workers[0]!.answer(kNoRun);
    workers[0]!.answer({ diagnostics: [] });
    expect([(await run).kind, (await lint).kind]).toEqual(['done', 'done']);
  });

  test('an outdated run that ends within its grace is shown, however long it ran before', async () => {
    const { client, workers } = setUp(1e9, 30);
    client.warmSpare();
    workers[1]!.say({ type: 'ready' });
    const first = client.run('1', {});
    await pause(40); // longer than the grace, which begins when the run is outdated
    const second = client.run('2', {});
    await pause(2);
    workers[0]!.answer(kNoRun);
    workers[0]!.answer(kNoRun);
    expect([(await first).kind, (await second).kind]).toEqual(['done', 'done']);
    expect(workers[0]!.terminated).toBe(false);
  });

  test('a spare rehearses before it counts as ready, once per text and policy', async () => {
    const { client, workers } = setUp(1e9, 2);
    client.warmSpare({ text: 'a', options: { policy: 'Exact', cap: 1 } });
    const spare = workers[1]!;
    spare.say({ type: 'ready' });
    expect(spare.calls.map(({ call, args }) => [call, args])).toEqual([['run', ['a', '{"policy":"Exact","cap":1}']]]);
    const first = client.run('a', {});
    const second = client.run('b', {});
    await pause(10);
    expect(workers[0]!.terminated).toBe(false); // the spare is busy
    workers[0]!.answer(kNoRun);
    workers[0]!.answer(kNoRun);
    expect([(await first).kind, (await second).kind]).toEqual(['done', 'done']);
    spare.answer(kNoRun);
    client.warmSpare({ text: 'a', options: { policy: 'Exact', cap: 0.5 } });
    expect(spare.calls).toHaveLength(1);
    client.warmSpare({ text: 'b', options: { policy: 'Exact' } });
    expect(spare.calls).toHaveLength(2);
    spare.answer(kNoRun);
    const third = client.run('3', {});
    const fourth = client.run('4', {});
    await pause(10);
    expect(workers[0]!.terminated).toBe(true);
    spare.answer(kNoRun);
    expect([(await third).kind, (await fourth).kind]).toEqual(['superseded', 'done']);
  });

  test('of quick runs the outdated one ends beside the next, and its worker is the spare after it', async () => {
    const { client, workers } = await setUpQuick();
    const asked = (): unknown[] => workers.map(({ calls }) => JSON.parse(String(calls.at(-1)!.args[1])).cap);
    const first = client.run('a', { cap: 1 });
    const second = client.run('a', { cap: 2 });
    await pause(10);
    expect(workers[0]!.terminated).toBe(false);
    expect(asked()).toEqual([1, 2]);
    const third = client.run('a', { cap: 3 });
    await pause(10);
    expect(asked()).toEqual([1, 2]); // no worker is free
    workers[0]!.answer(kNoRun);
    expect(await first).toMatchObject({ kind: 'done' });
    await pause(10);
    expect(asked()).toEqual([3, 2]);
    workers[1]!.answer(kNoRun);
    workers[0]!.answer(kNoRun);
    expect([(await second).kind, (await third).kind]).toEqual(['done', 'done']);
    expect(workers).toHaveLength(2);
    expect(workers.map(({ terminated }) => terminated)).toEqual([false, false]);
  });

  test('a run that was expected to be quick and is not ends all the same', async () => {
    const { client, workers } = await setUpQuick();
    const first = client.run('a', { cap: 1 });
    const second = client.run('a', { cap: 2 });
    await pause(320);
    expect(workers[0]!.terminated).toBe(true);
    workers[1]!.answer(kNoRun);
    expect([(await first).kind, (await second).kind]).toEqual(['superseded', 'done']);
  });

  test('a quick run that another policy outdates gives way', async () => {
    const { client, workers } = await setUpQuick();
    const first = client.run('a', {});
    const second = client.run('a', { policy: 'DRAM' });
    await pause(10);
    expect(workers[0]!.terminated).toBe(true);
    workers[1]!.answer(kNoRun);
    expect([(await first).kind, (await second).kind]).toEqual(['superseded', 'done']);
  });

  test('stopping ends what trails behind, too', async () => {
    const { client, workers } = await setUpQuick();
    const runs = [client.run('a', { cap: 1 }), client.run('a', { cap: 2 })];
    await pause(10);
    client.stop();
    expect((await Promise.all(runs)).map(({ kind }) => kind)).toEqual(['stopped', 'stopped']);
    expect(workers.slice(0, 2).map(({ terminated }) => terminated)).toEqual([true, true]);
  });

  test('a death fails the call, and the spare goes on with the rest', async () => {
    const { client, workers } = setUp();
    client.warmSpare();
    client.warmSpare();
    expect(workers).toHaveLength(2);
    const run = client.run('1', {});
    const catalog = client.catalog();
    workers[0]!.say({ type: 'dead', id: 1, reason: 'RuntimeError: unreachable', log: ['check failed'] });
    expect(await run).toEqual({ kind: 'failed', reason: 'RuntimeError: unreachable', log: ['check failed'] });
    expect(workers[0]!.terminated).toBe(true);
    workers[1]!.answer({ options: [] });
    expect(await catalog).toMatchObject({ kind: 'done', value: { options: [] } });
    expect(workers).toHaveLength(2);
  });

  test('an engine that never starts fails every call and does not loop', async () => {
    const { client, workers } = setUp();
    const calls = [client.catalog(), client.run('1', {}), client.lint('1')];
    for (let at = 0; at < 3; at++) workers.at(-1)!.say({ type: 'dead', id: -1, reason: 'no engine', log: [] });
    expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed']);
    expect(workers.length).toBeLessThanOrEqual(4);
  });

  test('stop settles everything at once and a late answer is ignored', async () => {
    const { client, workers } = setUp();
    const run = client.run('1', {});
    const late = workers[0]!;
    client.stop();
    late.answer('late');
    expect(await run).toEqual({ kind: 'stopped' });
    const next = client.run('2', {});
    workers[1]!.answer(kNoRun);
    expect(await next).toMatchObject({ kind: 'done', value: kNoRun });
  });

  test('an ended client has no workers, and what it was asked is stopped', async () => {
    const { client, workers } = setUp();
    client.warmSpare();
    const run = client.run('1', {});
    const lint = client.lint('1');
    client.end();
    expect([(await run).kind, (await lint).kind]).toEqual(['stopped', 'stopped']);
    expect(workers.map((worker) => worker.terminated)).toEqual([true, true]);
  });

  test('a run waits for nothing that a view asked before', async () => {
    const { client, workers } = setUp(0, 0);
    const compare = client.compare('1', []);
    const passes = client.passes('1', {});
    const run = client.run('2', {});
    expect(await passes).toEqual({ kind: 'superseded' });
    expect(await compare).toEqual({ kind: 'superseded' });
    workers.find((worker) => !worker.terminated && worker.calls.length > 0)!.answer(kNoRun);
    expect(await run).toMatchObject({ kind: 'done' });
  });

  test('an answer that is no JSON is a failure, not an exception', async () => {
    const { client, workers } = setUp();
    const run = client.run('1', {});
    workers[0]!.say({ type: 'answer', id: workers[0]!.calls[0]!.id, json: '{', ms: 1 });
    expect((await run).kind).toBe('failed');
  });
});

describe('a worker that goes silent', () => {
  test('is replaced, and its call repeated; one that began is waited for', async () => {
    const { client, workers } = setUp(1e9, 1e9, 200);
    const run = client.run('a', {});
    while (!workers[0]!.terminated) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(workers[0]!.terminated).toBe(true);
    const again = workers.find(({ terminated, calls }) => !terminated && calls.length === 1)!;
    again.say({ type: 'began', id: again.calls[0]!.id });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(again.terminated).toBe(false);
    again.answer(kNoRun);
    expect((await run).kind).toBe('done');
  });
  test('twice is told as a failure', async () => {
    const { client } = setUp(1e9, 1e9, 5);
    expect(await client.run('a', {})).toMatchObject({ kind: 'failed', reason: 'the engine worker does not answer' });
  });
});

describe('a call that goes on for too long', () => {
  function hung(text: string): { client: EngineClient; workers: FakeWorker[]; told: (Overdue | null)[] } {
    vi.useFakeTimers();
    const workers: FakeWorker[] = [];
    const told: (Overdue | null)[] = [];
    const makeWorker = (): FakeWorker => workers[workers.push(new FakeWorker()) - 1]!;
    const client = new EngineClient({ engineUrl: 'x', test: false, makeWorker, overdue: (one) => told.push(one) });
    void client.run(text, { policy: 'Greedy' });
    workers[0]!.say({ type: 'began', id: workers[0]!.calls[0]!.id });
    return { client, workers, told };
  }
  afterEach(() => void vi.useRealTimers());

  test('is told; who waits is told again after as long a time; an answer ends it', () => {
    const { client, workers, told } = hung('%0 = a');
    vi.advanceTimersByTime(9_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    client.wait();
    vi.advanceTimersByTime(10_000);
    workers[0]!.answer(kNoRun);
    expect(told).toEqual([{ call: 'run', ms: 10_000 }, null, { call: 'run', ms: 20_000 }, null]);
    vi.advanceTimersByTime(100_000);
    expect(told).toHaveLength(4);
  });

  test('has more time the more ops there are, and less once the policy is known to be quick', () => {
    const text = '%0 = a\n'.repeat(1000);
    const { client, workers, told } = hung(text);
    vi.advanceTimersByTime(15_000);
    expect(told).toEqual([]);
    workers[0]!.answer(kNoRun); // in 1 ms
    void client.run(text, { policy: 'Greedy' });
    workers[0]!.say({ type: 'began', id: workers[0]!.calls[1]!.id });
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([{ call: 'run', ms: 10_000 }]);
  });

  test('is asked of another worker on demand', () => {
    const { client, workers, told } = hung('a');
    vi.advanceTimersByTime(10_000);
    client.repeat();
    expect(told.at(-1)).toBeNull();
    expect(workers[0]!.terminated).toBe(true);
    expect(workers[1]!.calls.map(({ call, args }) => [call, args[0]])).toEqual([['run', 'a']]);
  });
});

import { describe, expect, test } from 'vitest';

import { geometricMean, kUsualLimits, ratioOf, type PolicyTable, type SandboxAnswer } from '../../src/model/policy_lab';
import { asPlan, askedRun, planOptions, readPlanText } from '../../src/model/plan';
import { Sandbox, type SandboxWorker } from '../../src/policylab/sandbox';
import { jsToken, type JsState } from '../../src/source/js_tokens';

const cell = (time: number): { time: number; problem: string } => ({ time, problem: time > 0 ? '' : 'none' });

describe('table of policies', () => {
  const table: PolicyTable = {
    columns: ['Yours', 'Exact'],
    rows: [
      { title: 'a', bound: 100, proven: true, cells: [cell(200), cell(100)] },
      { title: 'b', bound: 100, proven: true, cells: [cell(800), cell(100)] },
      { title: 'c', bound: 100, proven: false, cells: [cell(0), cell(900)] },
    ],
    total: 3,
    busy: false,
  };
  test('means are over the graphs on which all have a ratio', () => {
    expect(ratioOf(table.rows[1]!, 0)).toBe(8);
    expect(ratioOf(table.rows[2]!, 0)).toBeNull();
    expect(geometricMean(table, 0)).toBeCloseTo(4);
    expect(geometricMean(table, 1)).toBeCloseTo(1);
    expect(geometricMean({ ...table, rows: [] }, 0)).toBeNull();
  });
});

describe('plans', () => {
  test('are told from problems and graphs', () => {
    expect(readPlanText('{"schema":1,"policy":"x","values":{}}')?.title).toBe('x');
    for (const text of [
      '{',
      'module {}',
      '{"schema":1,"ops":[],"values":{}}',
      '{"schema":2,"values":{}}',
      '{"schema":1}',
    ])
      expect(readPlanText(text)).toBeNull();
  });
  test('bring their options along, and only values', () => {
    const plan = asPlan({ schema: 1, values: {}, options: { device: 'p150', bad: { a: 1 } } })!;
    expect(planOptions(plan)).toEqual({ device: 'p150' });
    const state = { options: { device: 'p150' }, plan };
    expect(askedRun(state)).toBe(askedRun({ ...state }));
    expect(askedRun(state)).toEqual({ device: 'p150', plan: plan.plan });
  });
});

class FakeWorker implements SandboxWorker {
  onmessage: ((event: MessageEvent<SandboxAnswer>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  ended = false;
  received: unknown[] = [];
  postMessage(message: unknown): void {
    this.received.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
}

describe('sandbox', () => {
  const start = (): { sandbox: Sandbox; workers: FakeWorker[] } => {
    const workers: FakeWorker[] = [];
    const make = (): FakeWorker => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    };
    return { sandbox: new Sandbox(make, { ...kUsualLimits, milliseconds: -1480 }), workers };
  };
  const answer = (error: SandboxAnswer['error']): MessageEvent<SandboxAnswer> =>
    ({
      data: { id: 1, plan: error === null ? '{}' : null, error, log: [], ms: 1 },
    }) as unknown as MessageEvent<SandboxAnswer>;

  test('ends a worker that does not answer', async () => {
    const { sandbox, workers } = start();
    expect((await sandbox.run('', '{}')).error?.message).toMatch(/stopped/);
    expect(workers[0]!.ended).toBe(true);
  });
  test('keeps a worker whose policy did well, and no other', async () => {
    const { sandbox, workers } = start();
    const good = sandbox.run('', '{}');
    workers[0]!.onmessage?.(answer(null));
    expect((await good).plan).toBe('{}');
    const bad = sandbox.run('', '{}');
    workers[0]!.onmessage?.(answer({ message: 'x', line: 0, column: 0 }));
    expect((await bad).plan).toBeNull();
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    void sandbox.run('', '{}');
    expect(workers.length).toBe(2);
  });
  test('sends a problem once, ahead of the run that decides it, and to every new worker', async () => {
    const { sandbox, workers } = start();
    const problems = (worker: FakeWorker): unknown[] =>
      worker.received.flatMap((message) => (message as { problem?: unknown }).problem ?? []);
    sandbox.prepare('{"a":1}');
    const bad = sandbox.run('', '{"a":1}');
    expect(problems(workers[0]!)).toEqual(['{"a":1}']);
    workers[0]!.onmessage?.(answer({ message: 'x', line: 0, column: 0 }));
    await bad;
    expect(problems(workers[1]!)).toEqual(['{"a":1}']);
    void sandbox.run('', '{"a":2}');
    expect(problems(workers[1]!)).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe('tokens of JavaScript', () => {
  const kinds = (lines: readonly string[]): string[] => {
    const state: JsState = { inside: '' };
    return lines.flatMap((string) => {
      let at = 0;
      const found: string[] = [];
      const stream = {
        string,
        sol: () => at === 0,
        next: () => string[at++],
        eatSpace: () => {
          const from = at;
          while (string[at] === ' ') at++;
          return at > from;
        },
        skipToEnd: () => void (at = string.length),
        match: (pattern: RegExp) => {
          const match = pattern.exec(string.slice(at));
          if (match !== null) at += match[0].length;
          return match;
        },
      };
      while (at < string.length) {
        const before = at;
        const kind = jsToken(stream, state);
        expect(at, string).toBeGreaterThan(before);
        if (kind !== null) found.push(kind);
      }
      return found;
    });
  };
  test('comments and templates go over lines', () => {
    expect(kinds(['const x = f(1); /* a', 'b */ y'])).toEqual(
      'keyword value punctuation op punctuation number punctuation comment comment value'.split(' '),
    );
    expect(kinds(['`a', 'b` "c'])).toEqual(['string', 'string', 'string']);
    expect(kinds(['a / b'])).toEqual(['value', 'value']);
  });
});

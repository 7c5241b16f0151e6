// Long answers in pieces: whatever is cut, what is put together is what was sent.
import { describe, expect, test } from 'vitest';

import { Joiner, splitAnswer, type Part } from '../../src/engine/split';
import { decisionsOf } from '../../src/model/decisions';
import { readReport } from '../../src/model/wire';
import { toWire } from '../fixtures/fabricate.mjs';
import { report } from './fixtures';

function through(json: string, partLength: number): { value: unknown; parts: Part[]; frame: string } {
  const parts: Part[] = [];
  const frame = splitAnswer(json, (part) => parts.push(part), partLength);
  const joiner = new Joiner();
  for (const part of parts) joiner.add(part);
  return { value: joiner.join(frame), parts, frame };
}

describe('splitAnswer', () => {
  let seed = 7;
  const random = (limit: number): number => (seed = (seed * 48271) % 2147483647) % limit;
  const kTexts = ['', 'a "quoted" [word]', 'back\\slash\\', '{"x":[1,2]}', 'é\u2028\n', '\\"'];
  const make = (depth: number): unknown => {
    switch (depth <= 0 ? random(3) : random(5)) {
      case 0:
        return random(1000) - 500;
      case 1:
        return kTexts[random(kTexts.length)];
      case 2:
        return [null, true, []][random(3)];
      case 3:
        return Array.from({ length: random(12) }, () => make(depth - 1));
      default:
        return Object.fromEntries(Array.from({ length: random(6) }, (_, at) => [`k${at}"]`, make(depth - 1)]));
    }
  };

  test('any value comes back as it was, whatever the length of a part', () => {
    for (let round = 0; round < 400; round++) {
      const value = { a: make(5), rows: Array.from({ length: random(30) }, () => make(3)), z: make(4) };
      const json = JSON.stringify(value);
      for (const length of [1, 7, 40, 300]) expect(through(json, length).value).toEqual(value);
    }
  });
  test('long arrays of several runs leave the text, short answers stay whole', () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({ at, text: 'x'.repeat(20) }));
    const value = { runs: [{ run: { rows } }, { run: { rows } }] };
    const { parts, frame, value: back } = through(JSON.stringify(value), 1000);
    expect(back).toEqual(value);
    expect(frame.length).toBeLessThan(200);
    expect(Math.max(...parts.map(({ json }) => json.length))).toBeLessThan(1100);
    expect(new Set(parts.map(({ path }) => path.join('.')))).toEqual(new Set(['runs.0.run.rows', 'runs.1.run.rows']));
    expect(through('{"a":[1,2,3]}', 1000).parts).toEqual([]);
  });
});

test('decisions that came as text are read for the row that is asked for', () => {
  const made = report({ blocks: 30 });
  const json = JSON.stringify(toWire(made));
  const { value, parts } = through(json, 4000);
  expect(parts.filter(({ path }) => path.at(-1) === 'decisions').length).toBeGreaterThan(3);
  const run = readReport(value as Parameters<typeof readReport>[0]).run!;
  const plain = readReport(JSON.parse(json) as Parameters<typeof readReport>[0]).run!;
  for (let row = 0; row < run.rows.length; row++) expect(decisionsOf(run, row)).toEqual(decisionsOf(plain, row));
  expect(run.decisions).toEqual(plain.decisions);
});

import { describe, expect, it } from 'vitest';

import type { Room, Row, Run } from '../../src/model/report';
import { isInserted } from '../../src/view/names';
import { plainStory, storyOf } from '../../src/view/story';
import { report } from './fixtures';

const KB = 1024;
const made = report({ blocks: 3 }).run!;

// The result of the third op leaves L1 right before the sixth, which found no room.
function spilled(room: Partial<Room> | null, changed: Partial<Row> = {}): { run: Run; at: number; taker: number } {
  const ops = made.rows.flatMap((row, at) => (row.kind === 'op' ? [at] : []));
  const maker = ops[2]!;
  let at = made.rows.findIndex((row, index) => index > maker + 1 && isInserted(row));
  if (at < 0) at = ops[4]!;
  const taker = made.rows.findIndex(({ kind }, index) => index > at && kind === 'op');
  const value = made.rows[maker]!.results[0]!;
  const full: Room = {
    ...{ rule: 'step', row: taker, reason: 'NoHole', text: 'finds no hole in L1 that is large enough' },
    ...{ own: 400 * KB, occupied: 1020 * KB, needed: 384 * KB, available: 200 * KB },
    ...room,
  };
  const moved: Row = {
    ...made.rows[at]!,
    ...{ kind: 'spill', cause: 'memory', operands: [value] },
    ...(room === null ? {} : { room: full }),
    ...changed,
  };
  const rows = made.rows.map((row, index) => (index === at ? moved : row));
  return { run: { ...made, l1Budget: 1336 * KB, rows }, at, taker };
}

const docs = (run: Run, at: number): string[] =>
  storyOf(run, at, []).flatMap((sentence) =>
    sentence.flatMap((piece) => (typeof piece !== 'string' && 'doc' in piece ? [piece.doc] : [])),
  );

describe('why a tensor left L1', () => {
  it('is told with the figures by which the policy found no hole', () => {
    const { run, at } = spilled({});
    expect(plainStory(run, at, [])).toContain(
      ' needed 384 KB per core in one piece; 1,020 KB of 1,336 KB were taken, and the largest hole had 200 KB.',
    );
    expect(docs(run, at)).toContain('docs/rules/op-model.html#nohole');
    expect(docs(run, at)).toContain('docs/rules/pass-generation.html#spill-management');
  });

  it('is told with what the op needed where the sum is over the budget', () => {
    const { run, at } = spilled({ reason: 'OutOfL1', needed: 1400 * KB, available: 1336 * KB });
    expect(plainStory(run, at, [])).toContain(
      ' needed 380 KB per core in all; 1,020 KB of 1,336 KB were taken, 64 KB too many.',
    );
  });

  it('is told with what was free below the tensors where circular buffers would reach one', () => {
    const { run, at } = spilled({ reason: 'CircularBufferClash', needed: 144 * KB, available: 93 * KB });
    expect(plainStory(run, at, [])).toContain(
      ' needed 144 KB per core in one piece for circular buffers, below all tensors, where 93 KB were free; ',
    );
  });

  it('names no figure where a search or prices decided, and nothing as full', () => {
    for (const rule of ['search', 'prices'] as const) {
      const { run, at } = spilled({ rule, own: 0, occupied: 0, needed: 0, available: 0 });
      const text = plainStory(run, at, []);
      expect(text).toMatch(rule === 'search' ? /searched over all steps/ : /prices of L1 that Exact found/);
      expect(text).not.toMatch(/L1 is full|too many|needed/);
    }
  });

  it('is told alike at the op that made it and at the op that took its room', () => {
    const { run, at, taker } = spilled({});
    const maker = run.values[run.rows[at]!.operands[0]!]!.producer;
    expect(plainStory(run, maker, [])).toMatch(
      /Its result left L1 at step \d+: .* needed 384 KB per core in one piece/,
    );
    expect(plainStory(run, taker, [])).toMatch(/It needed 384 KB per core in one piece; .* To make room, .* left L1\./);
  });

  it('says of a plan from outside what fits by the sum, and full only where it does not', () => {
    const { run, at } = spilled(null);
    expect(plainStory(run, at, [])).toMatch(/without saying for what\. .*; both fit: /);
    expect(plainStory({ ...run, l1Budget: 1 }, at, [])).toContain('L1 is full');
  });
});

describe('names', () => {
  it('are told apart by their steps where several ops are called alike', () => {
    const { run, at, taker } = spilled({});
    const maker = run.values[run.rows[at]!.operands[0]!]!.producer;
    const label = run.rows[maker]!.label;
    expect(plainStory(run, at, [])).not.toContain('step');
    const rows = run.rows.map((row, index) => (index === taker ? { ...row, label } : row));
    const said = plainStory({ ...run, rows }, at, []);
    expect(said).toMatch(new RegExp(`\\(\\w+, step ${taker}\\) needed 384 KB`));
    expect(said).toContain(`(made at step ${maker}, `);
  });
});

describe('other decisions by room', () => {
  it('are told of a result that lies elsewhere than it was wanted', () => {
    const { run, taker } = spilled({});
    const room: Room = { ...run.rows.find((row) => row.room !== undefined)!.room!, row: taker };
    const rows = run.rows.map((row, index) => (index === taker ? { ...row, room } : row));
    expect(plainStory({ ...run, rows }, taker, [])).toContain('planned for its result. It needed 384 KB per core');
  });

  it('are told of a move back', () => {
    const { run, at } = spilled({}, { kind: 'reload', cause: 'shared' });
    expect(plainStory(run, at, [])).toMatch(/It had left L1, and there is room again\. .* needed 384 KB/);
  });
});

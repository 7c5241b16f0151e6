// Other places of an op in the schedule: those that data flow permits, each once.
import { expect, test } from 'vitest';

import { kOrderOption, orderChanges } from '../../src/model/op_order';
import type { Run } from '../../src/model/report';
import { initialState } from '../../src/model/state';
import { reduce } from '../../src/model/reduce';

// "c=a,b": an op c that reads a and b; "a>a2" a spill of a, whose copy is a2. Names without a row are arguments.
function runOf(text: string): Run {
  const names = [...new Set(text.match(/\w+/g))];
  const rows = text.split(' ').map((part) => {
    const [left, right] = part.split(/[=>]/) as [string, string];
    const spill = part.includes('>');
    const operands = (spill ? left : right) === '' ? [] : (spill ? left : right).split(',');
    return {
      kind: spill ? 'spill' : 'op',
      cause: spill ? 'memory' : undefined,
      name: spill ? '' : left,
      label: '',
      op: 'ttnn.relu',
      operands: operands.map((name) => names.indexOf(name)),
      results: [names.indexOf(spill ? right : left)],
    };
  });
  const values = names.map((name, at) => ({
    name,
    producer: rows.findIndex(({ results }) => results[0] === at),
  }));
  return { rows, values } as unknown as Run;
}

const asked = (text: string, op: string, order = ''): string[] =>
  orderChanges(runOf(text), op, order === '' ? {} : { [kOrderOption]: order }, ({ name }) => name).map(({ value }) =>
    String(value),
  );

test('a reader runs as early as it can, the op as late and as early as it can', () => {
  // Its reader d before c, b first of all; b right before d is what c does when it runs before b.
  expect(asked('a=x b=x c=x e=c d=b,a', 'b')).toEqual(['d=c', 'b=d', 'b=a', 'c=b']);
  expect(asked('a=x b=x c=x d=b,a e=c', 'b')).toEqual(['d=c', 'b=d', 'b=a']);
  expect(asked('a=x b=x c=a d=b', 'a')).toEqual(['c=b', 'a=c']);
});

test('nothing is offered that data flow forbids', () => {
  expect(asked('a=x b=a c=b', 'b')).toEqual([]);
  expect(asked('a=x b=a c=b', 'gone')).toEqual([]);
});

test('what took the place of a spilled result runs behind its last reader', () => {
  // b ran when a had to leave; c reads the copy of a in DRAM.
  const offered = asked('a=x a>a2 b=x q=x c=a2 d=b,c', 'a');
  expect(offered).toContain('b=d');
  expect(offered).toContain('c=b');
});

test('a move joins those that are there, and is forgotten with the text', () => {
  expect(asked('a=x b=x c=a d=b', 'a', 'd=q')[0]).toBe('d=q,c=b');
  const before = { ...initialState, options: { [kOrderOption]: '%1=%2', device: 'p150' } };
  const after = reduce(before, { type: 'load', text: 'other', origin: { kind: 'typed' } });
  expect(after.options).toEqual({ device: 'p150' });
});

// What a report that is only looked at does with the actions of its views.
import { expect, test } from 'vitest';

import { kFirstLook, look } from '../../src/report/report_state';
import type { Run } from '../../src/model/report';

const run = { rows: [row('a'), row('b'), row('c')] } as unknown as Run;

function row(name: string): { name: string; label: string } {
  return { name, label: `loc ${name}` };
}

test('a row is selected by number and by name, and one that is not there is none', () => {
  expect(look(kFirstLook, { type: 'select', row: 2 }, run).selected).toBe(2);
  expect(look(kFirstLook, { type: 'select', row: 3 }, run).selected).toBe(-1);
  expect(look(kFirstLook, { type: 'find', key: { name: 'b', label: '', row: 0 } }, run).selected).toBe(1);
  expect(look(kFirstLook, { type: 'select', row: 0 }, null).selected).toBe(-1);
});

test('the search and the settings of the views are kept beside the selection', () => {
  const searched = look({ ...kFirstLook, selected: 1 }, { type: 'query', query: 'conv' }, run);
  expect(searched).toMatchObject({ selected: 1, query: 'conv' });
  expect(look(searched, { type: 'view', view: { whole: true } }, run)).toMatchObject({
    query: 'conv',
    view: { whole: true, memory: 'l1' },
  });
});

test('what needs an engine changes nothing', () => {
  expect(look(kFirstLook, { type: 'option', id: 'policy', value: 'DRAM' }, run)).toBe(kFirstLook);
  expect(look(kFirstLook, { type: 'force', name: 'a', layout: '' }, run)).toBe(kFirstLook);
});

import { describe, expect, it } from 'vitest';

import { excerpt, seemsToBe, sourceName } from '../../src/model/unreadable';

describe('a text that could not be read', () => {
  it('is called by its name, cut where it is long', () => {
    expect(sourceName({ kind: 'file', name: 'a.mlir' })).toBe('“a.mlir”');
    expect(sourceName({ kind: 'file', name: 'x'.repeat(5000) }).length).toBeLessThan(130);
    expect(sourceName({ kind: 'typed' })).toBe('The text');
  });

  it('is shown around the error', () => {
    expect(excerpt('one\ntwo three\n', 2, 5)).toEqual({ text: 'two three', column: 4 });
    const long = excerpt(`${'a'.repeat(1000)}!${'b'.repeat(1000)}`, 1, 1001);
    expect(long.text[long.column]).toBe('!');
    expect(long.text.length).toBeLessThanOrEqual(100);
    expect(excerpt('\u0000\u0007x', 1, 3)).toEqual({ text: '··x', column: 2 });
    expect(excerpt('', 9, 9)).toEqual({ text: '', column: 0 });
  });

  it.each([
    ['', 'empty'],
    ['<!DOCTYPE html><html>', 'web page'],
    ['PK\u0003\u0004rest', 'zip'],
    ['module {\n %0 = stablehlo.add %a, %b', 'in its middle'],
    ['func.func @main(%x: tensor<?x4xf32>) {\n %0 = stablehlo.abs %x', 'fixed shapes'],
    ['module {\n %0 = vhlo.add_v1 %a, %b', 'as_text'],
    ['func.func @f() {\n %0 = "ttir.relu"(%a', 'in its middle'],
    ['func.func @f() {\n %0 = "ttir.relu"() }', 'with a mistake'],
    ['{"nodes": []}', 'JSON'],
    ['import torch\n\ndef f():', 'Python'],
    ['\u0000\u0001\u0002\u0003', 'binary'],
    ['hello there', 'neither'],
  ])('%j seems to be what it is', (text, word) => {
    expect(seemsToBe(text)).toContain(word);
  });
});

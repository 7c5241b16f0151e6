import { describe, expect, test } from 'vitest';

import { mlirToken, type Stream, type TokenKind } from '../../src/source/mlir_tokens';

class TextStream implements Stream {
  position = 0;
  constructor(readonly string: string) {}
  match(pattern: RegExp): RegExpMatchArray | null {
    const match = pattern.exec(this.string.slice(this.position));
    if (match === null || match.index > 0) return null;
    this.position += match[0].length;
    return match;
  }
  next(): string | undefined {
    return this.string[this.position++];
  }
  eatSpace(): boolean {
    const start = this.position;
    while (/\s/.test(this.string[this.position] ?? '')) this.position++;
    return this.position > start;
  }
  skipToEnd(): void {
    this.position = this.string.length;
  }
  sol(): boolean {
    return this.position === 0;
  }
}

function tokens(line: string): [string, TokenKind | null][] {
  const stream = new TextStream(line);
  const found: [string, TokenKind | null][] = [];
  while (stream.position < line.length) {
    const start = stream.position;
    const kind = mlirToken(stream);
    if (stream.position <= start) throw new Error(`stuck at ${start}: ${line}`);
    if (line.slice(start, stream.position).trim() !== '') found.push([line.slice(start, stream.position), kind]);
  }
  return found;
}

describe('the MLIR tokenizer', () => {
  test('reads a generic op', () => {
    const found = new Map(
      tokens(
        '%3 = "ttir.conv2d"(%arg0, %1#0) <{stride = array<i32: 2, 2>}> : (tensor<1x56x56x64xbf16>) -> !ttcore.x ' +
          'loc("a.b") // end',
      ),
    );
    expect(found.get('%3')).toBe('value');
    expect(found.get('"ttir.conv2d"')).toBe('op');
    expect(found.get('%1#0')).toBe('value');
    expect(found.get('tensor')).toBe('type');
    expect(found.get('bf16')).toBe('type');
    expect(found.get('56')).toBe('number');
    expect(found.get('!ttcore.x')).toBe('type');
    expect(found.get('"a.b"')).toBe('string');
    expect(found.get('// end')).toBe('comment');
    expect(found.get('i32')).toBe('type');
    expect(found.get('->')).toBe('punctuation');
  });
  test('reads pretty ops, symbols, aliases and blocks', () => {
    const found = new Map(
      tokens(
        'func.func @forward(%a: tensor<?x4xf32>) attributes {x = #ttnn.layout<1>, y = #l1_} { ^bb0: return @"odd name"',
      ),
    );
    expect(found.get('func.func')).toBe('op');
    expect(found.get('@forward')).toBe('symbol');
    expect(found.get('#ttnn.layout')).toBe('attribute');
    expect(found.get('^bb0')).toBe('block');
    expect(found.get('return')).toBe('keyword');
    expect(found.get('attributes')).toBe('keyword');
    expect(found.get('?')).toBe('number');
    expect(found.get('@"odd name"')).toBe('symbol');
  });
  test('always advances, on anything', () => {
    for (const line of [
      '"never closed \\',
      '\u0000\u0001\u{10ffff}',
      '%%%@@^^##!!',
      '-',
      '0x',
      'x'.repeat(300),
      '𝕏"',
      '/ /',
      '<<<<>>>>',
      '"\\"',
    ]) {
      expect(
        tokens(line)
          .map(([text]) => text)
          .join('').length,
      ).toBeGreaterThan(0);
    }
  });
  test('leaves very long lines plain', () => {
    expect(tokens('%a '.repeat(10_000))).toHaveLength(1);
  });
});

// A tokenizer for MLIR's textual form, one line at a time, for highlighting only. It never fails and always advances.

export type TokenKind =
  | 'comment'
  | 'string'
  | 'value'
  | 'block'
  | 'symbol'
  | 'attribute'
  | 'type'
  | 'op'
  | 'keyword'
  | 'number'
  | 'punctuation';

// What CodeMirror's StringStream offers and the tests imitate.
export interface Stream {
  match(pattern: RegExp): boolean | RegExpMatchArray | null;
  next(): string | void;
  eatSpace(): boolean;
  skipToEnd(): void;
  sol(): boolean;
  readonly string: string;
}

const kLongLine = 20_000; // characters; longer lines stay plain, or scrolling past them would stall

const kKeywords = new Set([
  'module',
  'func',
  'return',
  'attributes',
  'private',
  'public',
  'nested',
  'loc',
  'unknown',
  'dense',
  'dense_resource',
  'true',
  'false',
  'unit',
  'array',
  'to',
  'step',
  'call',
  'callsite',
  'at',
  'fused',
  'affine_map',
  'strided',
  'offset',
]);

const kRules: readonly (readonly [RegExp, TokenKind])[] = [
  [/^\/\/.*/, 'comment'],
  [/^%[A-Za-z0-9_$.-]+(:\d+)?(#\d+)?/, 'value'],
  [/^@(?:"(?:[^"\\]|\\.)*"|[A-Za-z_][\w$.-]*)/, 'symbol'],
  [/^\^[\w$.-]+/, 'block'],
  [/^#[A-Za-z_][\w$.-]*/, 'attribute'],
  [/^![A-Za-z_][\w$.-]*/, 'type'],
  [/^(?:tensor|memref|vector|tuple|complex|none|index)\b/, 'type'],
  [/^(?:[su]?i\d+|bf16|f16|f32|f64|tf32|f8E\w+)\b/, 'type'],
  [/^0x[0-9A-Fa-f]+/, 'number'],
  [/^(?:\d+|\?)(?=x)/, 'number'], // dimensions: 1x56x56x64xbf16
  [/^x(?=[\d?])/, 'punctuation'],
  [/^x(?=(?:!|[su]?i\d|bf16|f16|f32|f64|f8|index))/, 'punctuation'],
  [/^-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?/, 'number'],
  [/^->|^::|^[(){}\[\]<>,=:+*\/|?-]/, 'punctuation'],
];

export function mlirToken(stream: Stream): TokenKind | null {
  if (stream.string.length > kLongLine) {
    stream.skipToEnd();
    return null;
  }
  if (stream.eatSpace()) return null;
  const quoted = stream.match(/^"(?:[^"\\]|\\.)*("|$)/);
  if (quoted) return isOpName(quoted as RegExpMatchArray) ? 'op' : 'string';
  for (const [pattern, kind] of kRules) if (stream.match(pattern)) return kind;
  const word = stream.match(/^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*/);
  if (word) {
    const text = (word as RegExpMatchArray)[0];
    if (kKeywords.has(text)) return 'keyword';
    return text.includes('.') ? 'op' : null;
  }
  stream.next();
  return null;
}

// Generic form: "ttir.conv2d"(...); other strings hold names with spaces, slashes or no dot.
function isOpName(match: RegExpMatchArray): boolean {
  return (
    /^"[a-z_]\w*\.[\w.$]+"$/.test(match[0]) &&
    match.input !== undefined &&
    match.input.startsWith('(', (match.index ?? 0) + match[0].length)
  );
}

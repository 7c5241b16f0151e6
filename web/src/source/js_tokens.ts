// A tokenizer for JavaScript, one line at a time, for highlighting only. It never fails and always advances.

import type { Stream, TokenKind } from './mlir_tokens';

// What a line begins in.
export interface JsState {
  inside: '' | 'comment' | 'template';
}

const kKeywords = new Set(
  (
    'async await break case catch class const continue default delete do else export extends false finally for ' +
    'function if import in instanceof let new null of return static super switch this throw true try typeof ' +
    'undefined var void while yield'
  ).split(' '),
);

const kRules: readonly (readonly [RegExp, TokenKind])[] = [
  [/^\/\/.*/, 'comment'],
  [/^"(?:[^"\\]|\\.)*"?/, 'string'],
  [/^'(?:[^'\\]|\\.)*'?/, 'string'],
  [/^(?:0[xob][\da-f_]+|\d[\d_]*\.?\d*(?:e[+-]?\d+)?)n?/i, 'number'],
  [/^[A-Za-z_$][\w$]*(?=\s*\()/, 'op'],
  [/^[A-Za-z_$][\w$]*/, 'value'],
  [/^[^\w\s$"'`/]+/, 'punctuation'],
];

function endOf(stream: Stream, state: JsState): TokenKind {
  const [end, kind] =
    state.inside === 'comment' ? ([/^.*?\*\//, 'comment'] as const) : ([/^(?:[^`\\]|\\.)*`/, 'string'] as const);
  if (stream.match(end)) state.inside = '';
  else stream.skipToEnd();
  return kind;
}

export function jsToken(stream: Stream, state: JsState): TokenKind | null {
  if (state.inside !== '') return endOf(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/\*/)) {
    state.inside = 'comment';
    return endOf(stream, state);
  }
  if (stream.match(/^`/)) {
    state.inside = 'template';
    return endOf(stream, state);
  }
  for (const [pattern, kind] of kRules) {
    const found = stream.match(pattern);
    if (!found) continue;
    const word = Array.isArray(found) ? found[0] : '';
    return kKeywords.has(word) ? 'keyword' : kind;
  }
  stream.next();
  return null;
}

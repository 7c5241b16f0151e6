// What can be said about a text that could not be read: its name, the place of its first error, and what it seems to
// be. Pure.

import type { Origin } from './state';

const kMostName = 120; // characters of a name that are shown
const kMostShown = 100; // characters of a line
const kBefore = 40; // of these before the error
const kLooked = 20_000; // characters at the start that tell what a text is

export function sourceName(origin: Origin): string {
  const name = origin.kind === 'file' || origin.kind === 'link' ? origin.name : origin.kind === 'url' ? origin.url : '';
  if (name === '') return 'The text';
  return `“${name.length > kMostName ? `${name.slice(0, kMostName)}…` : name}”`;
}

export interface Excerpt {
  readonly text: string;
  readonly column: number; // of the error in it, from 0
}

// The line around a place; both count from 1. What cannot be drawn is a dot.
export function excerpt(text: string, line: number, column: number): Excerpt {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  const from = start + Math.max(0, column - 1 - kBefore);
  const end = text.indexOf('\n', from);
  const shown = text.slice(from, Math.min(end < 0 ? text.length : end, from + kMostShown));
  return {
    text: shown.replace(/[^\P{C}]/gu, '·'),
    column: Math.max(0, Math.min(start + column - 1 - from, shown.length)),
  };
}

const kKinds: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, 'It is empty.'],
  [/^PK\u0003\u0004/, 'It seems to be a zip archive: unpack it first.'],
  [/^\u001f/, 'It seems to be compressed: unpack it first.'],
  [/^.{4}TTNN/s, 'It seems to be a compiled binary (.ttnn): open the MLIR text that it was made from.'],
  [/^\s*<(!doctype|html)/i, 'It seems to be a web page: perhaps the page about a file in place of the file.'],
  [/\btensor<[^>]*\?/, 'It has sizes that are known at run time only: export the model for arrays of fixed shapes.'],
  [/\bvhlo\.\w/, 'It seems to be VHLO, the stored form of StableHLO: write the model’s text (as_text()) instead.'],
  [
    /\btorch\.(aten|operator|prim)\b|\blinalg\.\w/,
    'It seems to be MLIR of another dialect: Tessera reads StableHLO, TTIR and TTNN.',
  ],
  [/\b(stablehlo|mhlo|chlo)\.\w|"?ttir\.\w|"?ttnn\.\w|\bfunc\.func\b|^\s*module\b/m, 'It seems to be MLIR'],
  [/^\s*[[{]/, 'It seems to be JSON, but no graph and no decision trace that Tessera knows.'],
  [/^\s*(import|from) \w|^\s*def \w+\(/m, 'It seems to be Python: open the MLIR text that the compiler makes of it.'],
];

export function seemsToBe(text: string): string {
  const start = text.slice(0, kLooked);
  const [, words = ''] = kKinds.find(([pattern]) => pattern.test(start)) ?? [];
  if (words === 'It seems to be MLIR')
    return cutOff(text) ? `${words} that ends in its middle.` : `${words} with a mistake.`;
  if (words !== '') return words;
  return isBinary(start)
    ? 'It seems to be a binary file: Tessera reads MLIR text and JSON.'
    : 'It is neither MLIR nor JSON, which is what Tessera reads.';
}

function isBinary(text: string): boolean {
  let odd = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) odd++;
  }
  return odd * 20 > text.length;
}

// More braces are opened than closed.
function cutOff(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125) depth--;
  }
  return depth > 0 || !text.includes('}');
}

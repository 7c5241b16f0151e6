// A text as lines for reading and comparing: the head of a function with many arguments has one for each.

export interface Line {
  readonly text: string;
  readonly number: number; // in the text, from 1; 0: it goes on from the line above
}

const kLong = 160; // characters
const kHead = /^\s*func\.func\b/;

// The ends of the arguments in "func.func @f(%a: tensor<...>, %b: ...) -> ... {": behind the bracket that opens them
// and behind every comma between them.
function endsOfArguments(line: string): number[] {
  const ends: number[] = [];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
      continue;
    }
    if (char === '"') quoted = true;
    else if ('([{<'.includes(char)) {
      if (++depth === 1) ends.push(at + 1);
    } else if (')]}'.includes(char) || (char === '>' && line[at - 1] !== '-')) {
      if (--depth === 0) return ends;
    } else if (char === ',' && depth === 1) ends.push(at + 1);
  }
  return []; // not closed: the line is shown as it is
}

function piecesOf(line: string): string[] {
  const ends = line.length > kLong && kHead.test(line) ? endsOfArguments(line) : [];
  if (ends.length < 3) return [line];
  const indent = ' '.repeat(line.search(/\S/) + 4);
  const pieces = ends.map((end, at) => line.slice(at === 0 ? 0 : ends[at - 1], end));
  pieces.push(line.slice(ends.at(-1)));
  return pieces.map((piece, at) => (at === 0 ? piece : indent + piece.trimStart()));
}

export function unfoldedLines(text: string): Line[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line, at) =>
    piecesOf(line).map((piece, part) => ({ text: piece, number: part === 0 ? at + 1 : 0 })),
  );
}

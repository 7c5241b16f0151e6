// Which rows the schedule shows and on which line: all but the loads that its fold hides, or those that a filter lets
// pass. Pure.

export interface RowOrder {
  readonly lines: number;
  readonly rowAt: (line: number) => number;
  // Of a row that is not shown: the line of the next one that is.
  readonly lineOf: (row: number) => number;
  readonly shows: (row: number) => boolean;
}

// All rows but the first `hidden`.
export function rowsFrom(hidden: number, rows: number): RowOrder {
  return {
    lines: Math.max(0, rows - hidden),
    rowAt: (line) => line + hidden,
    lineOf: (row) => row - hidden,
    shows: (row) => row >= hidden && row < rows,
  };
}

// `shown`: rows, ascending, of `rows`.
export function someRows(shown: readonly number[], rows: number): RowOrder {
  const above = new Int32Array(rows + 1); // shown rows above each row
  const passes = new Uint8Array(rows);
  for (const row of shown) passes[row] = 1;
  for (let row = 0; row < rows; row++) above[row + 1] = above[row]! + passes[row]!;
  return {
    lines: shown.length,
    rowAt: (line) => shown[Math.min(shown.length - 1, Math.max(0, line))] ?? 0,
    lineOf: (row) => above[Math.min(rows, Math.max(0, row))]!,
    shows: (row) => passes[row] === 1,
  };
}

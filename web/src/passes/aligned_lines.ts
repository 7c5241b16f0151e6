// Lines that two texts have in common and that stand once in each, as many of them as come in the same order
// (patience diff): what lies between two of them is compared for itself, so that texts of thousands of lines with
// thousands of changes are compared in time that grows with their length.

import type { Line } from './unfolded_lines';

// Where a line stands; -1: more than once.
function placesOf(lines: readonly Line[]): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach(({ text }, at) => places.set(text, places.has(text) ? -1 : at));
  return places;
}

// The indices of a longest increasing subsequence of numbers that all differ.
function longestIncreasing(numbers: readonly number[]): number[] {
  const ends: number[] = []; // of subsequences of 1, 2, 3 ... numbers, the index of the least last number
  const before = numbers.map(() => -1);
  numbers.forEach((number, at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = ends[low - 1]!;
    ends[low] = at;
  });
  const chosen: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) chosen.push(at);
  return chosen.reverse();
}

// Pairs of places in `left` and `right`, ascending in both.
export function alignedLines(left: readonly Line[], right: readonly Line[]): [number, number][] {
  const others = placesOf(right);
  const pairs = [...placesOf(left)].flatMap(([text, at]): [number, number][] => {
    const to = others.get(text) ?? -1;
    return at >= 0 && to >= 0 ? [[at, to]] : [];
  });
  return longestIncreasing(pairs.map(([, to]) => to)).map((at) => pairs[at]!);
}

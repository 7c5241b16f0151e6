// Marks on the line of steps, as one path.

import type { StepTest, Walk } from './walk';

const kWide = 1000; // units across
const kMost = 400; // marks that can be told apart

// A tick from `top` to `bottom` for every step that passes; ticks that would fall together are one.
export function tickPath(walk: Walk, test: StepTest, top: number, bottom: number): string {
  const last = walk.shown.length - 1;
  const places = new Set<number>();
  for (let place = 0; place <= last; place++)
    if (test(walk.mark(place))) places.add(last === 0 ? 0 : Math.round((place / last) * kMost));
  return [...places].map((at) => `M${(at / kMost) * kWide} ${top}V${bottom}`).join('');
}

// How the best plan and the proven bound came together while L1 was priced: one step line each over the rounds.

import { html, nothing, svg, type TemplateResult } from 'lit';

import type { ExactResult } from '../model/exact';
import { formatInteger, formatTime, plural } from '../model/format';

export interface BoundsPicture {
  readonly upper: string; // points of a polyline in a square of 100 by 100
  readonly lower: string;
  readonly gap: string; // of the area between them
  readonly top: number; // times at the edges
  readonly bottom: number;
  readonly rounds: number; // at the right edge
}

// Null where one round was enough. Values hold until a later round improves one of them; a round without a plan has
// upper -1.
export function boundsPicture(bounds: ExactResult['bounds']): BoundsPicture | null {
  const known = bounds.filter(([, upper]) => upper > 0);
  const last = bounds.at(-1);
  if (last === undefined || known.length < 2) return null;
  const top = Math.max(...known.map(([, upper]) => upper));
  const bottom = Math.min(...known.map(([, , lower]) => lower));
  const first = known[0]![0];
  const x = (round: number): number => ((round - first) / Math.max(1, last[0] - first)) * 100;
  const y = (time: number): number => (1 - (time - bottom) / Math.max(1, top - bottom)) * 100;
  const steps = (of: (bound: readonly [number, number, number]) => number): string[] =>
    known.flatMap((bound, at) => {
      const before = at === 0 ? [] : [point(x(bound[0]), y(of(known[at - 1]!)))];
      return [...before, point(x(bound[0]), y(of(bound)))];
    });
  const upper = steps(([, up]) => up);
  const lower = steps(([, , low]) => low);
  return {
    upper: upper.join(' '),
    lower: lower.join(' '),
    gap: [...upper, ...[...lower].reverse()].join(' '),
    top,
    bottom,
    rounds: last[0],
  };
}

function point(x: number, y: number): string {
  return `${x.toFixed(2)},${y.toFixed(2)}`;
}

// Fine enough that the two edges differ.
function edgeTime(time: number, { top, bottom }: BoundsPicture): string {
  if (formatTime(top) !== formatTime(bottom) && (top - bottom) * 50 > top) return formatTime(time);
  return top - bottom >= 2000 ? `${formatInteger(Math.round(time / 1000))} µs` : `${formatInteger(time)} ns`;
}

export function gapText(exact: ExactResult): string {
  if (exact.time < 0) return `No plan that fits was found; none can take less than ${formatTime(exact.lowerBound)}.`;
  if (exact.proven) return `They met at ${formatTime(exact.time)}: the plan is proven optimal, L1 counted.`;
  return (
    `The best plan takes ${formatTime(exact.time)}, no plan less than ${formatTime(exact.lowerBound)}: it is ` +
    `at most ${(exact.gapPpm / 10_000).toFixed(2)} % above the optimum.`
  );
}

export function boundsChart(exact: ExactResult): TemplateResult | typeof nothing {
  const picture = boundsPicture(exact.bounds);
  if (picture === null) return nothing;
  const first = exact.bounds.find(([, upper]) => upper > 0)!;
  const text = `Bounds of ${formatTime(first[2])} and ${formatTime(first[1])} ${
    first[0] === 0 ? 'at first' : `after ${plural(first[0], 'round')}`
  }. ${gapText(exact)}`;
  return html`<figure class="bounds">
    <figcaption>Layouts and L1 together: bounds over ${plural(picture.rounds, 'round')} of pricing L1</figcaption>
    <div class="plot" role="img" aria-label=${text}>
      <span class="top">${edgeTime(picture.top, picture)}</span
      ><span class="bottom">${edgeTime(picture.bottom, picture)}</span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        ${svg`<polygon class="gap" points=${picture.gap} />
          <polyline class="upper" points=${picture.upper} />
          <polyline class="lower" points=${picture.lower} />`}
      </svg>
      <span class="from">${first[0] === 0 ? 'start' : `round ${first[0]}`}</span
      ><span class="to">${picture.rounds}</span>
    </div>
    <p class="keys">
      <span><i class="upper"></i>best plan that fits (upper bound)</span
      ><span><i class="lower"></i>no plan takes less (lower bound)</span>
    </p>
    <p>${gapText(exact)}</p>
  </figure>`;
}

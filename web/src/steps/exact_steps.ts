// The steps of the proven optimum: layouts without L1, the plans of the other policies, L1 as a price round by round,
// and what was proven.

import { formatInteger, formatTime, plural } from '../model/format';
import type { ExactResult } from '../model/exact';
import type { Catalog } from '../model/report';
import type { Figure, StepMark, StepSource, StepText } from './walk';

interface Event extends StepText {
  readonly effect: boolean;
  readonly turn: boolean;
}

const figure = (name: string, after: string, before = ''): Figure => ({ name, before, after });
const percent = (ppm: number): string => (ppm < 0 ? 'unknown' : `${(ppm / 10_000).toFixed(2)} %`);

export class ExactSteps implements StepSource {
  private readonly events_: readonly Event[];

  constructor(exact: ExactResult, catalog: Catalog | null) {
    this.events_ = [
      layoutStep(exact),
      ...baselineSteps(exact, catalog),
      ...exact.bounds.map((_, at) => roundStep(exact, at)),
      resultStep(exact),
    ];
  }

  get count(): number {
    return this.events_.length;
  }

  mark(at: number): StepMark {
    const { effect, turn } = this.events_[at]!;
    return { rows: [], effect, spill: false, turn };
  }

  tell(at: number): StepText {
    return this.events_[at]!;
  }
}

function layoutStep({ size, method, layoutOptimum }: ExactResult): Event {
  return {
    phase: 'Choose layouts',
    title: 'Layouts as if L1 held everything',
    text:
      `Each op is a variable over its layouts, each edge a table of times. Solved by ${method}: ` +
      (layoutOptimum < 0
        ? 'the optimum without L1 is not proven.'
        : `${formatTime(layoutOptimum)} if ops need to fit L1 one by one only. No plan takes less.`),
    tone: 'plain',
    figures: [
      figure('Variables', formatInteger(size.variables)),
      figure('Tables', formatInteger(size.tables)),
      figure('Candidates', formatInteger(size.candidates)),
      figure('Width', formatInteger(size.width)),
    ],
    choices: [],
    effect: true,
    turn: false,
  };
}

// A plan counts when everything in it has an address and none before it was faster.
function baselineSteps({ baselines }: ExactResult, catalog: Catalog | null): Event[] {
  let best = Infinity;
  return baselines.map(({ policy, time, fits }): Event => {
    const better = fits && time < best;
    const before = best;
    if (better) best = time;
    const title = catalog?.policies.find(({ id }) => id === policy)?.title ?? policy;
    return {
      phase: 'Plans of other policies',
      title: `${title}: ${formatTime(time)}${fits ? '' : ', does not fit'}`,
      text: !fits
        ? 'Something in this plan finds no address in L1, so it bounds nothing.'
        : better
          ? 'The fastest plan that fits so far: the optimum takes no longer.'
          : 'It fits, and is no faster than the best before it.',
      tone: better ? 'good' : 'plain',
      figures: better ? [figure('Best plan', formatTime(time), before === Infinity ? '' : formatTime(before))] : [],
      choices: [],
      effect: better,
      turn: better && before !== Infinity,
    };
  });
}

function roundStep({ bounds }: ExactResult, at: number): Event {
  const [round, upper, lower] = bounds[at]!;
  const [, upperBefore, lowerBefore] = at === 0 ? [0, upper, lower] : bounds[at - 1]!;
  const better = upper < upperBefore;
  const raised = lower > lowerBefore;
  const said = [
    ...(better ? ['A faster plan that fits was found.'] : []),
    ...(raised ? ['The bound rose: plans that crowd L1 pay for it.'] : []),
  ];
  const changed = (now: number, before: number): string => (now === before ? '' : formatTime(before));
  return {
    phase: 'Price L1',
    title: `Price round ${formatInteger(round)}`,
    text:
      at === 0
        ? 'Each byte of L1 in use at a crowded step gets a price, and layouts are chosen again with it.'
        : said.length > 0
          ? said.join(' ')
          : 'Neither the best plan nor the bound changed.',
    tone: better ? 'good' : 'plain',
    figures: [
      figure('Best plan', formatTime(upper), changed(upper, upperBefore)),
      figure('Bound', formatTime(lower), changed(lower, lowerBefore)),
      figure('Apart', lower > 0 ? percent(Math.ceil(((upper - lower) / lower) * 1e6)) : 'unknown'),
    ],
    choices: [],
    effect: at === 0 || better || raised,
    turn: better,
  };
}

const kSources: Readonly<Record<string, string>> = {
  layouts: 'the layouts alone',
  prices: 'the layouts chosen with priced L1',
};

function resultStep({ time, lowerBound, gapPpm, proven, source, bounds }: ExactResult): Event {
  return {
    phase: 'Result',
    title: proven ? 'Proven: no plan is faster' : `At most ${percent(gapPpm)} from the optimum`,
    text:
      `The plan comes from ${kSources[source] ?? `the policy ${source}`}` +
      `${bounds.length > 0 ? `, after ${plural(bounds.at(-1)![0], 'round')} of prices` : ''}.`,
    tone: proven ? 'good' : 'plain',
    figures: [
      figure('Time', formatTime(time)),
      figure('Bound', formatTime(lowerBound)),
      figure('Gap', percent(gapPpm)),
    ],
    choices: [],
    effect: true,
    turn: false,
  };
}

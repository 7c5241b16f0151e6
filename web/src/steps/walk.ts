// What a policy did as steps that can be walked, whatever the policy: which are worth a stop, and what each one says.

import type { Layout } from '../model/report';
import type { TraceLayout } from '../view/trace_layout';

export type Tone = 'plain' | 'good' | 'bad';

export interface Figure {
  readonly name: string;
  readonly before: string; // '' when there is no before
  readonly after: string;
}

// A layout that was looked at, and what became of it.
export interface Choice {
  readonly layout: Layout | TraceLayout | null;
  readonly fate: 'chosen' | 'kept' | 'worse' | 'refused';
  readonly why: string;
}

// What is known of a step without its texts.
export interface StepMark {
  readonly rows: readonly number[]; // ops concerned; the first is the one it is about
  readonly effect: boolean; // something is otherwise after it
  readonly spill: boolean; // a tensor leaves L1 for DRAM
  readonly turn: boolean; // the policy goes back on what it had decided
}

export interface StepText {
  readonly phase: string;
  readonly title: string;
  readonly text: string;
  readonly tone: Tone;
  readonly figures: readonly Figure[];
  readonly choices: readonly Choice[];
}

export interface StepSource {
  readonly count: number;
  mark(at: number): StepMark;
  tell(at: number): StepText;
}

export type StepTest = (mark: StepMark) => boolean;

// The steps that are stopped at. A place is an index among them; a step one among all of the source.
export class Walk {
  readonly shown: readonly number[]; // steps, ascending
  readonly hidden: number; // how many have no effect

  constructor(
    private readonly source_: StepSource,
    all: boolean,
  ) {
    const steps = Array.from({ length: source_.count }, (_, at) => at);
    const effective = steps.filter((at) => source_.mark(at).effect);
    this.hidden = steps.length - effective.length;
    this.shown = all || effective.length === 0 ? steps : effective;
  }

  mark(place: number): StepMark {
    return this.source_.mark(this.shown[place]!);
  }

  tell(place: number): StepText {
    return this.source_.tell(this.shown[place]!);
  }

  // The last place at or before the step.
  placeOf(step: number): number {
    let place = 0;
    while (place + 1 < this.shown.length && this.shown[place + 1]! <= step) place++;
    return place;
  }

  // The next place after `from` that passes; from the first again after the last when it `wraps`. -1: none does.
  next(from: number, test: StepTest, wraps = false): number {
    const most = wraps ? this.shown.length : this.shown.length - 1 - from;
    for (let far = 1; far <= most; far++) {
      const place = (from + far) % this.shown.length;
      if (test(this.mark(place))) return place;
    }
    return -1;
  }
}

// Steps of several sources, one after the other.
export function oneAfterAnother(sources: readonly StepSource[]): StepSource {
  const firsts: number[] = [];
  let count = 0;
  for (const source of sources) {
    firsts.push(count);
    count += source.count;
  }
  const at = <T>(step: number, get: (source: StepSource, own: number) => T): T => {
    let place = firsts.length - 1;
    while (place > 0 && firsts[place]! > step) place--;
    return get(sources[place]!, step - firsts[place]!);
  };
  return {
    count,
    mark: (step) => at(step, (source, own) => source.mark(own)),
    tell: (step) => at(step, (source, own) => source.tell(own)),
  };
}

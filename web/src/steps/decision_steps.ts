// A plan down the schedule: what was decided about each op, from the decisions that every run has, and each move of a
// tensor. Of policies that keep no trace.

import { decisionsOf } from '../model/decisions';
import { formatBytes, formatInteger, formatTime, withTimes } from '../model/format';
import { kindOf } from '../model/layout_kind';
import { moveInfo, moveKind } from '../model/moves';
import type { Candidate, Row, Run } from '../model/report';
import { rowTitle } from '../view/names';
import { plainStory } from '../view/story';
import type { Choice, Figure, StepMark, StepSource, StepText } from './walk';

const kFates = { chosen: 'chosen', worse: 'worse', rejected: 'refused' } as const;
const kRank = { chosen: 0, worse: 1, rejected: 2 } as const;

export function choicesOf(candidates: readonly Candidate[]): Choice[] {
  return [...candidates]
    .sort((a, b) => kRank[a.status] - kRank[b.status])
    .map(({ layout, status, text }) => ({ layout, fate: kFates[status], why: withTimes(text) }));
}

// Nothing is decided about cached weights and the return.
function isStep(row: Row): boolean {
  return moveKind(row) !== null || (row.kind === 'op' && row.op !== 'ttcore.load_cached');
}

export class DecisionSteps implements StepSource {
  private readonly rows_: readonly number[];

  constructor(
    private readonly run_: Run,
    test: (row: Row) => boolean = isStep,
  ) {
    this.rows_ = run_.rows.flatMap((row, at) => (test(row) ? [at] : []));
  }

  get count(): number {
    return this.rows_.length;
  }

  mark(at: number): StepMark {
    const index = this.rows_[at]!;
    const kind = moveKind(this.run_.rows[index]!);
    const left = kind === 'spill' || kind === 'demotion';
    return { rows: [index], effect: kind !== null || this.inL1(index), spill: kind === 'spill', turn: left };
  }

  // A result in DRAM is where the program without a policy has it.
  private inL1(index: number): boolean {
    const value = this.run_.values[this.run_.rows[index]!.results[0] ?? -1];
    return !['dram', 'system', 'none'].includes(kindOf(value?.layout));
  }

  tell(at: number): StepText {
    const index = this.rows_[at]!;
    const row = this.run_.rows[index]!;
    const decisions = decisionsOf(this.run_, index);
    const move = moveInfo(row);
    const layout = this.run_.values[row.results[0] ?? -1]?.layout ?? null;
    const name = rowTitle(this.run_, row);
    return {
      phase: move === undefined ? 'Place results' : 'Move tensors',
      title: move === undefined ? `${name}: ${layout?.text ?? 'no result'}` : `${name} ${move.word}`,
      text: plainStory(this.run_, index, decisions),
      tone: move?.kind === 'spill' ? 'bad' : 'plain',
      figures: figuresOf(row, layout?.bytesPerCore ?? 0),
      choices: decisions.flatMap(({ candidates }) => choicesOf(candidates)),
    };
  }
}

function figuresOf(row: Row, bytes: number): Figure[] {
  const figure = (name: string, after: string): Figure => ({ name, before: '', after });
  return [
    ...(row.time.total > 0 ? [figure('Time', formatTime(row.time.total))] : []),
    ...(bytes > 0 ? [figure('L1 of the result', `${formatBytes(bytes)} per core`)] : []),
    ...(row.cores > 0 ? [figure('Cores', formatInteger(row.cores))] : []),
    ...(row.l1.peak > 0 ? [figure('L1 in use', formatBytes(row.l1.peak))] : []),
  ];
}

// The moves that want of room forces, of a policy whose own trace ends before them.
export function forcedMoves(run: Run): StepSource {
  return new DecisionSteps(run, (row) => moveKind(row) === 'spill');
}

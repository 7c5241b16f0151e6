// The steps of the pass generation, from its trace: forward, the candidates of every op; back, what forks and readers
// made of them; then what left L1.

import { formatBytes, formatInteger, plural } from '../model/format';
import type { BeamOp, BeamTrace } from '../model/generated/beam_trace';
import type { Run } from '../model/report';
import { BeamPicture, type CandidateRow, type SpillEvent } from '../view/beam_picture';
import type { Choice, Figure, StepMark, StepSource, StepText } from './walk';

type Event =
  | { readonly kind: 'candidates'; readonly at: number }
  | { readonly kind: 'fork'; readonly at: number }
  | { readonly kind: 'back'; readonly at: number } // an entry that is not the best is on the chosen path
  | { readonly kind: 'spill'; readonly event: SpillEvent };

const kFates = { chosen: 'chosen', kept: 'kept', worse: 'worse', refused: 'refused' } as const;

export class BeamSteps implements StepSource {
  private readonly picture_: BeamPicture;
  private readonly events_: readonly Event[];

  // `score`: what makes one path better than another.
  constructor(run: Run, trace: BeamTrace, score: string) {
    const picture = new BeamPicture(trace, run, score);
    this.picture_ = picture;
    const back = picture.ops
      .flatMap((op, at): Event[] =>
        picture.forkAt.has(at) ? [{ kind: 'fork', at }] : op.chosen > 0 ? [{ kind: 'back', at }] : [],
      )
      .reverse();
    this.events_ = [
      ...picture.ops.map((_, at): Event => ({ kind: 'candidates', at })),
      ...back,
      ...picture.events.map((event): Event => ({ kind: 'spill', event })),
    ];
  }

  get count(): number {
    return this.events_.length;
  }

  mark(at: number): StepMark {
    const step = this.events_[at]!;
    if (step.kind === 'spill') return this.spillMark(step.event);
    const op = this.picture_.ops[step.at]!;
    const rows = op.row >= 0 ? [op.row] : [];
    if (step.kind === 'candidates') return { rows, effect: hadChoice(op), spill: false, turn: false };
    const turn = op.chosen > 0;
    return { rows, effect: turn || step.kind === 'back', spill: false, turn };
  }

  private spillMark({ at, victimAt, kind, to }: SpillEvent): StepMark {
    const rows = [victimAt, at].map((op) => this.picture_.ops[op]?.row ?? -1).filter((row) => row >= 0);
    const moved = kind === 'evict' || kind === 'demote';
    return { rows: [...new Set(rows)], effect: kind !== 'other', spill: moved && to?.kind === 'dram', turn: moved };
  }

  tell(at: number): StepText {
    const step = this.events_[at]!;
    switch (step.kind) {
      case 'candidates':
        return this.tellCandidates(step.at);
      case 'fork':
        return this.tellFork(step.at);
      case 'back':
        return this.tellBack(step.at);
      case 'spill':
        return this.tellSpill(step.event);
    }
  }

  private tellCandidates(at: number): StepText {
    const op = this.picture_.ops[at]!;
    const candidates = this.picture_.candidates(at);
    const refused = candidates.filter(({ fate }) => fate === 'refused').reduce((sum, { count }) => sum + count, 0);
    const best = op.beam[0];
    const found = op.fallback
      ? 'None is legal, so the result goes to DRAM.'
      : best === undefined
        ? 'Nothing is kept.'
        : `Best by itself: ${this.picture_.layout(best.output).full}, ${plural(best.score[4], 'core')}.`;
    return {
      phase: 'Forward: candidates',
      title: `${this.picture_.title(at)}: ${plural(op.beam.length, 'candidate')} kept`,
      text:
        `${plural(op.tries, 'evaluation')} over ${plural(op.combinations, 'combination')} of operand layouts, ` +
        `${formatInteger(refused)} refused. ${found}`,
      tone: op.fallback ? 'bad' : 'plain',
      figures: [],
      choices: candidates.map(choiceOf),
    };
  }

  private tellFork(at: number): StepText {
    const fork = this.picture_.forkAt.get(at)!;
    const op = this.picture_.ops[at]!;
    const votes = fork.votes.flatMap((count, slot) =>
      count > 0 ? [`${plural(count, 'reader')} ${count === 1 ? 'wants' : 'want'} rank ${slot}`] : [],
    );
    const readers = fork.consumers.map((reader) => this.picture_.title(reader)).join(', ');
    return {
      phase: 'Back: forks',
      title: `${this.picture_.title(at)}: rank ${fork.slot} for ${plural(fork.consumers.length, 'reader')}`,
      text:
        `${readers} read it${votes.length > 0 ? `; ${votes.join(', ')}` : ''}. All of them get ` +
        `${this.entryText(at, op.chosen)}.`,
      tone: 'plain',
      figures: [],
      choices: this.kept(at),
    };
  }

  private tellBack(at: number): StepText {
    const op = this.picture_.ops[at]!;
    return {
      phase: 'Back: the chosen path',
      title: `${this.picture_.title(at)}: rank ${op.chosen}, not the best by itself`,
      text:
        `The path chosen for what reads it comes from ${this.entryText(at, op.chosen)}; ` +
        `${this.entryText(at, 0)} was better by itself.`,
      tone: 'plain',
      figures: [],
      choices: this.kept(at),
    };
  }

  private tellSpill(event: SpillEvent): StepText {
    const { victim, action, op, at, cause, from, to, needed, before, after, bytes } = event;
    const where = from !== null && to !== null ? ` It goes from ${from.full} to ${to.full}.` : '';
    const ran = at >= 0 ? this.picture_.title(at) : op;
    const figures: Figure[] = [
      { name: 'L1 of tensors', before: formatBytes(before), after: formatBytes(after) },
      ...(needed > 0 ? [{ name: `Wanted by ${ran}`, before: '', after: formatBytes(needed) }] : []),
      ...(bytes > 0 ? [{ name: 'Size', before: '', after: `${formatBytes(bytes)} per core` }] : []),
      { name: 'Budget', before: '', after: formatBytes(this.picture_.budget) },
    ];
    return {
      phase: 'Spill management',
      title: `${victim || ran} ${action}`,
      text: `When ${ran} runs${cause === '' ? '' : `: ${cause}`}.${where}`,
      tone: event.kind === 'other' ? 'plain' : 'bad',
      figures,
      choices: [],
    };
  }

  private kept(at: number): Choice[] {
    return this.picture_
      .candidates(at)
      .filter(({ rank }) => rank >= 0)
      .map(choiceOf);
  }

  private entryText(at: number, slot: number): string {
    const entry = this.picture_.ops[at]?.beam[slot];
    return entry === undefined ? 'DRAM' : `rank ${slot} (${this.picture_.layout(entry.output).full})`;
  }
}

// Cached weights lie in DRAM whatever is tried.
function hadChoice({ op, beam, candidates }: BeamOp): boolean {
  return op !== 'ttcore.load_cached' && (beam.length > 1 || candidates.length > 1);
}

function choiceOf({ rank, output, hint, fate, why, count }: CandidateRow): Choice {
  const alike = count > 1 ? ` (${formatInteger(count)} alike)` : '';
  return { layout: output ?? hint, fate: kFates[fate], why: `${rank >= 0 ? `rank ${rank}: ` : ''}${why}${alike}` };
}

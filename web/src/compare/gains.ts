// One run beside the optimum's, op by op: what the optimum gains at each op, and why the run has it otherwise. Pure.

import { decisionsOf } from '../model/decisions';
import { formatTime } from '../model/format';
import type { Layout, Row, Run } from '../model/report';
import { valueTitle } from '../view/names';
import type { OpAcrossRuns } from './compare_model';

export interface Gain {
  readonly time: number; // nanoseconds that the second run needs less for the op, with the moves of tensors made for it
  readonly why: string;
}

// Row of an op -> time of the reshards, spills and reloads made for it: a move belongs to the next op that reads what
// it makes, else to the op that made what it moves. Moves that belong to no op stand at -1.
export function movesOf(run: Run): ReadonlyMap<number, number> {
  const moves = new Map<number, number>();
  run.rows.forEach((row, at) => {
    if (row.kind === 'op' || row.time.total === 0) return;
    const owner = ownerOf(run, row, at);
    moves.set(owner, (moves.get(owner) ?? 0) + row.time.total);
  });
  return moves;
}

function ownerOf(run: Run, row: Row, at: number): number {
  let reader = at;
  for (let hop = 0; hop < run.rows.length; hop++) {
    // a spilled tensor is read by its reload, which an op reads
    const uses = (run.rows[reader]?.results ?? [])
      .flatMap((value) => run.values[value]?.uses ?? [])
      .filter((use) => use > reader);
    if (uses.length === 0) break;
    reader = Math.min(...uses);
    if (run.rows[reader]?.kind === 'op') return reader;
  }
  let maker = run.values[row.operands[0] ?? -1]?.producer ?? -1;
  for (let hop = 0; hop < run.rows.length && maker >= 0 && run.rows[maker]?.kind !== 'op'; hop++)
    maker = run.values[run.rows[maker]!.operands[0] ?? -1]?.producer ?? -1;
  return maker;
}

export class Gains {
  private readonly moves_: readonly [ReadonlyMap<number, number>, ReadonlyMap<number, number>];

  constructor(
    private readonly run_: Run,
    private readonly optimum_: Run,
    private readonly policy_: string,
  ) {
    this.moves_ = [movesOf(run_), movesOf(optimum_)];
  }

  of(op: OpAcrossRuns): Gain {
    const [own, best] = op.cells;
    const time =
      (own == null ? 0 : own.time + (this.moves_[0].get(own.row) ?? 0)) -
      (best == null ? 0 : best.time + (this.moves_[1].get(best.row) ?? 0));
    return { time, why: this.why(op) };
  }

  private why(op: OpAcrossRuns): string {
    const [own, best] = op.cells;
    if (best == null) return 'The optimum has no need of it.';
    if (own == null) return 'A step that the optimum’s layouts need.';
    if (own.layout?.text === best.layout?.text) return this.otherReads(own.row, best.row);
    return refusal(this.run_, own.row, best.layout, this.policy_);
  }

  // Same place: then the difference is in what the op reads and what had to be moved for it.
  private otherReads(own: number, best: number): string {
    const [rowA, rowB] = [this.run_.rows[own]!, this.optimum_.rows[best]!];
    const texts: string[] = [];
    rowA.operands.forEach((value, at) => {
      const [a, b] = [
        this.run_.values[value]?.layout?.text,
        this.optimum_.values[rowB.operands[at] ?? -1]?.layout?.text,
      ];
      if (a !== undefined && b !== undefined && a !== b)
        texts.push(`${valueTitle(this.run_, value)} from ${b} instead of ${a}`);
    });
    const moves = [this.moves_[0].get(own) ?? 0, this.moves_[1].get(best) ?? 0] as const;
    const moved =
      moves[0] === moves[1]
        ? ''
        : ` Moves for it take ${formatTime(moves[0])} here, ${moves[1] === 0 ? 'none' : formatTime(moves[1])} there.`;
    if (texts.length > 0)
      return `Reads ${texts.slice(0, 2).join(', ')}${texts.length > 2 ? ` and ${texts.length - 2} more` : ''}.${moved}`;
    return moved.trim();
  }
}

// What the policy said about the layout that the optimum takes.
function refusal(run: Run, row: number, wanted: Layout | null, policy: string): string {
  const decision = decisionsOf(run, row)[0];
  if (decision === undefined || wanted === null) return '';
  const candidate = decision.candidates.find(({ layout }) => layout.text === wanted.text);
  if (candidate === undefined)
    return decision.candidates.length < 2
      ? decision.summary
      : `${policy} did not try ${wanted.text}: ${decision.summary}`;
  const said = candidate.text === '' ? candidate.reason : candidate.text;
  if (candidate.status === 'rejected') return `${policy} refused ${wanted.text}: ${said}`;
  if (candidate.status === 'worse') return `${policy} ranked ${wanted.text} lower: ${said}`;
  return `${policy} chose it, too, but it had to leave L1 later.`;
}

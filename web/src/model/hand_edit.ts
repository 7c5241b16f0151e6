// Changes of a plan by hand: the layout of a result, the copy that an op reads, moves out of L1 and back. Pure: a
// plan in, a plan out. What is offered is what the problem says is legal; whether it fits the engine says.

import type { Plan, PlanConfig, PlanLayout, PlanSpill } from './generated/plan';
import type { OpCandidate, Problem } from './generated/problem';
import type { Options, RunAsked } from './option_values';
import { askedRun, type PlanInUse } from './plan';

export const kHandAuthor = 'by hand';

export interface HandEdit {
  readonly problem: Problem;
  readonly plan: Plan; // of the present run
}

// What the engine said about a run.
export interface HandEditAnswer extends HandEdit {
  readonly of: RunAsked;
}

// What can be edited now: the plan in use, else the policy's once it is known; null until then.
export function presentEdit(
  state: { readonly options: Options; readonly plan: PlanInUse | null },
  value: HandEditAnswer | null,
): HandEdit | null {
  if (value === null) return null;
  if (state.plan !== null) return { problem: value.problem, plan: state.plan.plan };
  return value.of === askedRun(state) ? value : null;
}

// Equal layouts have equal texts.
export function layoutKey(layout: PlanLayout): string {
  const { buffer, memory = 'interleaved', page = 'tile', dtype = '', grid, shard } = layout;
  const cells = buffer === 'dram' ? '' : (grid ?? []).join('x');
  return [buffer, memory, page, dtype, cells, (shard ?? []).join('x')].join(' ');
}

// "L1 block 8x8", as the engine words it.
export function layoutWords(layout: PlanLayout): string {
  const memory = layout.memory ?? 'interleaved';
  const rows = layout.page === 'row_major' ? ', rows' : '';
  if (layout.buffer !== 'l1') return `${layout.buffer === 'dram' ? 'DRAM' : 'host'}${rows}`;
  const kind = memory.replace('_sharded', '');
  const grid = memory === 'interleaved' ? '' : ` ${(layout.grid ?? []).join('x')}`;
  return `L1 ${kind}${grid}${rows}`;
}

// The plan with a place for the layout, and that place.
function withLayout(plan: Plan, layout: PlanLayout): { readonly plan: Plan; readonly at: number } {
  const layouts = plan.layouts ?? [];
  const at = layouts.findIndex((one) => layoutKey(one) === layoutKey(layout));
  if (at >= 0) return { plan, at };
  return { plan: { ...plan, layouts: [...layouts, layout] }, at: layouts.length };
}

// The step of an op as a plan names it; -1: there is none.
export function stepOf(problem: Problem, name: string | number): number {
  if (typeof name === 'number') return name >= 0 && name < problem.ops.length ? name : -1;
  return problem.values.find((value) => value.name === name)?.from ?? -1;
}

// The op that makes the value of this name; -1: none does.
export function opOf(problem: Problem, name: string): number {
  return name === '' ? -1 : stepOf(problem, name);
}

// Where a value lies when the op of a step begins, moves right before it included.
export function placeAt(edit: HandEdit, value: number, step: number): PlanLayout | null {
  const { problem, plan } = edit;
  const info = problem.values[value];
  const type = problem.types[info?.type ?? -1];
  if (info === undefined || type === undefined) return null;
  const own = plan.layouts?.[plan.values?.[info.name] ?? -1];
  const place = own ?? problem.layouts[info.pinned >= 0 ? info.pinned : type.dram] ?? null;
  const moves = (plan.spills ?? [])
    .filter((spill) => spill.value === info.name && stepOf(problem, spill.before) <= step)
    .sort((a, b) => stepOf(problem, a.before) - stepOf(problem, b.before));
  return plan.layouts?.[moves.at(-1)?.to ?? -1] ?? place;
}

// What an op reads of an operand: a copy, or the value where it lies.
export function readAt(edit: HandEdit, step: number, operand: number): PlanLayout | null {
  const { problem, plan } = edit;
  const copy = plan.reshards?.find((one) => stepOf(problem, one.op) === step && one.operand === operand);
  const value = problem.ops[step]?.operands[operand];
  return plan.layouts?.[copy?.to ?? -1] ?? (value === undefined ? null : placeAt(edit, value, step));
}

export function candidatesOf(problem: Problem, step: number): readonly OpCandidate[] {
  return problem.classes[problem.ops[step]?.class ?? -1] ?? [];
}

// The candidate as which the op runs at present; -1: none of them.
export function presentCandidate(edit: HandEdit, step: number): number {
  const { problem } = edit;
  const key = (layout: number): string => layoutKey(problem.layouts[layout]!);
  const result = problem.ops[step]?.results[0];
  const place = result === undefined ? null : placeAt(edit, result, step);
  const reads = (problem.ops[step]?.operands ?? []).map((_, at) => readAt(edit, step, at));
  return candidatesOf(problem, step).findIndex(
    (candidate) =>
      candidate.result >= 0 &&
      place !== null &&
      key(candidate.result) === layoutKey(place) &&
      candidate.operands.every((layout, at) => layout < 0 || (reads[at] && key(layout) === layoutKey(reads[at]))),
  );
}

function byHand(plan: Plan): Plan {
  return { ...plan, policy: kHandAuthor };
}

// The copy that an op reads of an operand; null: none.
export function withCopy(edit: HandEdit, step: number, operand: number, layout: PlanLayout | null): Plan {
  const { problem } = edit;
  const others = (edit.plan.reshards ?? []).filter(
    (one) => stepOf(problem, one.op) !== step || one.operand !== operand,
  );
  if (layout === null) return byHand({ ...edit.plan, reshards: others });
  const { plan, at } = withLayout(edit.plan, layout);
  const reshards = [...others, { op: step, operand, to: at }];
  reshards.sort((a, b) => stepOf(problem, a.op) - stepOf(problem, b.op) || a.operand - b.operand);
  return byHand({ ...plan, reshards });
}

// The layout of an op's first result. Moves of it that would move nothing any more are left out.
export function withResult(edit: HandEdit, step: number, layout: PlanLayout): Plan {
  const { problem } = edit;
  const value = problem.values[problem.ops[step]?.results[0] ?? -1];
  if (value === undefined) return edit.plan;
  const { plan, at } = withLayout(edit.plan, layout);
  const first = (plan.spills ?? []).filter((spill) => spill.value === value.name)[0];
  const idle = first !== undefined && layoutKey(plan.layouts![first.to]!) === layoutKey(layout);
  const spills = idle ? plan.spills!.filter((spill) => spill !== first) : plan.spills;
  return byHand({ ...plan, values: { ...plan.values, [value.name]: at }, ...(spills ? { spills } : {}) });
}

// The op runs as the candidate says: its result there, copies of the operands that lie elsewhere, its settings.
export function withCandidate(edit: HandEdit, step: number, candidate: OpCandidate): Plan {
  const { problem } = edit;
  const op = problem.ops[step];
  if (op === undefined) return edit.plan;
  let plan = candidate.result < 0 ? edit.plan : withResult(edit, step, problem.layouts[candidate.result]!);
  candidate.operands.forEach((wanted, operand) => {
    const now = { problem, plan };
    const place = placeAt(now, op.operands[operand]!, step);
    const layout = wanted < 0 ? null : problem.layouts[wanted]!;
    const there = layout === null || (place !== null && layoutKey(place) === layoutKey(layout));
    plan = withCopy(now, step, operand, there ? null : layout);
  });
  const configs: PlanConfig[] = (plan.configs ?? []).filter((one) => stepOf(problem, one.op) !== step);
  const settings = problem.settings[candidate.settings];
  if (settings !== undefined) configs.push({ op: step, ...settings });
  return byHand({ ...plan, configs });
}

// A value moves right before an op runs.
export function withMove(edit: HandEdit, value: number, step: number, layout: PlanLayout): Plan {
  const { problem } = edit;
  const { name } = problem.values[value]!;
  const { plan, at } = withLayout(edit.plan, layout);
  const kept = (plan.spills ?? []).filter((spill) => spill.value !== name || stepOf(problem, spill.before) !== step);
  const cause: PlanSpill['cause'] = step === problem.ops.length - 1 ? 'return' : 'memory';
  const spills = [...kept, { value: name, before: step, to: at, cause }];
  spills.sort((a, b) => stepOf(problem, a.before) - stepOf(problem, b.before));
  return byHand({ ...plan, spills });
}

export function withoutMove(edit: HandEdit, spill: PlanSpill): Plan {
  return byHand({ ...edit.plan, spills: (edit.plan.spills ?? []).filter((one) => one !== spill) });
}

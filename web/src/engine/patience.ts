// How long a call may take before the page asks whether to go on. A worker that computes cannot answer in between, so
// one that hangs is told from one that has much to do by the time alone.

import type { Overdue } from '../model/overdue';
import { hasTrait } from '../model/traits';
import type { Catalog } from '../model/report';
import type { Call } from './protocol';

const kLeastMs = 10_000; // no call is overdue before
const kGenerous = 4; // times what is expected
const kMsPerOp = 5; // of a policy that has not run yet, on a slow machine
const kMsPerOpOfProof = 30;
const kProofs: ReadonlySet<Call> = new Set<Call>(['regret', 'checkPasses', 'executePlan']);

export class Patience {
  catalog: Catalog | null = null;
  private readonly measured_ = new Map<string, number>(); // kind of work -> the most ms per op so far
  private counted_ = { text: '', ops: 0 };

  // In ms. `args`: of the call, the text first and then its options.
  limit(call: Call, args: readonly (string | Uint8Array)[]): number {
    const perOp = this.works(call, args).map(
      (work) => this.measured_.get(work.kind) ?? (work.proof ? kMsPerOpOfProof : kMsPerOp),
    );
    const expected = perOp.reduce((sum, ms) => sum + ms, 0) * this.opsOf(args);
    return Math.max(kLeastMs, kGenerous * expected);
  }

  // A call has taken so long.
  note(call: Call, args: readonly (string | Uint8Array)[], ms: number): void {
    const works = this.works(call, args);
    if (works.length !== 1) return; // of several runs the time of each is not known
    const { kind } = works[0]!;
    this.measured_.set(kind, Math.max(this.measured_.get(kind) ?? 0, ms / Math.max(1, this.opsOf(args))));
  }

  private works(call: Call, args: readonly (string | Uint8Array)[]): { kind: string; proof: boolean }[] {
    const options = typeof args[1] === 'string' && call !== 'profile';
    const asked = options ? (JSON.parse(String(args[1])) as Record<string, unknown>) : {};
    const runs = call === 'compare' && Array.isArray(asked['runs']) ? (asked['runs'] as Record<string, unknown>[]) : [];
    return (runs.length > 0 ? runs : [asked]).map(({ policy }) => {
      const id = typeof policy === 'string' ? policy : '';
      return { kind: `${call} ${id}`, proof: kProofs.has(call) || hasTrait(this.catalog, id, 'lower-bound') };
    });
  }

  // About as many as the text has: each stands behind a " = ".
  private opsOf([text]: readonly (string | Uint8Array)[]): number {
    if (typeof text !== 'string') return 1;
    if (text !== this.counted_.text) {
      let ops = 1;
      for (let at = text.indexOf(' = '); at >= 0; at = text.indexOf(' = ', at + 3)) ops++;
      this.counted_ = { text, ops };
    }
    return this.counted_.ops;
  }
}

// Tells when the call that is under way is overdue, and when that is over.
export class Watchdog {
  private timer_: ReturnType<typeof setTimeout> | undefined;
  private watched_: Overdue | null = null; // and when it is to be told next
  private told_ = false;

  constructor(private readonly tell: (overdue: Overdue | null) => void) {}

  get watching(): boolean {
    return this.watched_ !== null;
  }

  begin(call: Call, limitMs: number): void {
    this.reset();
    this.watch({ call, ms: limitMs }, limitMs);
  }

  // As long again.
  wait(): void {
    if (this.watched_ === null || !this.told_) return;
    const { call, ms } = this.watched_;
    this.withdraw();
    this.watch({ call, ms: 2 * ms }, ms);
  }

  reset(): void {
    clearTimeout(this.timer_);
    this.watched_ = null;
    this.withdraw();
  }

  private watch(overdue: Overdue, inMs: number): void {
    this.watched_ = overdue;
    this.timer_ = setTimeout(() => {
      this.told_ = true;
      this.tell(overdue);
    }, inMs);
  }

  private withdraw(): void {
    if (!this.told_) return;
    this.told_ = false;
    this.tell(null);
  }
}

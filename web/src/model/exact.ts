// What policy Exact proved (core/report/exact_json.h), and what the optimum would have done op by op (core/driver/regret.h).
// Times and regrets are nanoseconds.

import type { LintResult } from './report';

export interface ExactResult {
  readonly time: number; // of the plan; -1: it has no time
  readonly lowerBound: number; // no plan made of these layouts, in this order of ops, takes less
  readonly gapPpm: number; // of the bound, in millionths, rounded up; -1: none
  readonly proven: boolean; // time and bound are equal
  readonly layoutOptimum: number; // when ops need to fit L1 one by one only; -1: not proven
  readonly source: string; // 'layouts', 'prices', or the policy whose plan it is
  readonly method: string; // of layout selection: 'elimination', 'bounds', 'branch and bound', ...
  readonly size: {
    readonly variables: number;
    readonly tables: number;
    readonly ways: number; // (config, layouts read) over all ops
    readonly width: number;
    readonly cells: number;
  };
  readonly rivals: readonly { readonly policy: string; readonly time: number; readonly fits: boolean }[];
  readonly bounds: readonly (readonly [round: number, upper: number, lower: number])[]; // while L1 was priced: after so many rounds
}

export interface OpRegrets {
  readonly name: string; // first result, '%12'
  readonly op: string;
  readonly best: number; // index in `choices` of the optimum's layout
  readonly present: number; // of this run's; -1: it is none of them
  readonly regret: number; // of this run's layout; -1: impossible or unknown
  readonly wayRegret: number; // of running just as here, with the layouts that are read as well; -1: impossible or unknown
  readonly choices: readonly (readonly [layout: number, regret: number])[]; // layout: index in `layouts`; regret -1: impossible
}

export interface RegretResult {
  readonly schema: number;
  readonly policy?: string;
  readonly time?: number; // of the run
  readonly optimum?: number | null; // of layout selection; null: not proven
  readonly lowerBound?: number;
  readonly exact?: ExactResult; // the best plan that fits and the bound, L1 counted
  readonly regrets: { readonly layouts: readonly string[]; readonly ops: readonly OpRegrets[] } | null;
  readonly lint?: LintResult; // when the run did not get through
}

// What came of checking the certificate of a run; times are nanoseconds.
export type CertificateCheck =
  | { readonly kind: 'checking' }
  | { readonly kind: 'none'; readonly reason: string } // there is no certificate
  | { readonly kind: 'checked'; readonly valid: boolean; readonly reason: string; readonly cost: number; readonly lowerBound: number };

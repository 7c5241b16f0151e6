// What the engine takes and answers; the fields are described in types/, which follow docs/schema of the project.

import type { Catalog, Version } from './types/catalog.js';
import type { Lint } from './types/common.js';
import type { CompareAnswer } from './types/compare.js';
import type { ExportAnswer } from './types/export.js';
import type { PassesAnswer } from './types/passes.js';
import type { Plan } from './types/plan.js';
import type { ProblemAnswer } from './types/problem_answer.js';
import type { RegretAnswer } from './types/regret.js';
import type { Report } from './types/report.js';

export type {
  Catalog,
  CompareAnswer,
  ExportAnswer,
  Lint,
  PassesAnswer,
  Plan,
  ProblemAnswer,
  RegretAnswer,
  Report,
  Version,
};

/** A graph: TTIR, TTNN or StableHLO as MLIR text, a log of passes, or graph JSON. Bytes are taken as UTF-8. */
export type Source = string | Uint8Array;

/** Option id to value; the catalog lists the options. What is not given has its default. */
export interface RunOptions {
  /** A policy of the catalog, "Greedy". */
  readonly policy?: string;
  /** A device of the catalog, "n150". */
  readonly device?: string;
  /** Carried out in place of a policy's plan. */
  readonly plan?: Plan;
  readonly [option: string]: string | number | boolean | null | Plan | undefined;
}

/** A file that can be made from a run. */
export type ExportKind =
  'trace-events' | 'decision-trace' | 'certificate' | 'plan' | 'overrides' | 'model-explorer' | 'mlir';

/** A call whose answer can be had as the text that the engine wrote. */
export type Call = 'version' | 'catalog' | 'lint' | 'run' | 'compare' | 'passes' | 'regret' | 'problem' | 'export';

/** The calls; `Answer` wraps what each gives. None of them throws for what is wrong with the graph or the options. */
export interface Calls<Answer extends 'now' | 'later'> {
  version(): Given<Answer, Version>;
  /** Devices, policies, options, ops. */
  catalog(): Given<Answer, Catalog>;
  /** Diagnostics of a graph, nothing else. */
  lint(text: Source): Given<Answer, Lint>;
  /** One policy on one graph: everything that the page shows of a run. */
  run(text: Source, options?: RunOptions): Given<Answer, Report>;
  /** Several runs of one graph. */
  compare(text: Source, runs: readonly RunOptions[]): Given<Answer, CompareAnswer>;
  /** What each pass did and where each op went; `ir: true` adds the text after each. */
  passes(text: Source, options?: RunOptions): Given<Answer, PassesAnswer>;
  /** The optimum beside a run, and what each choice costs. */
  regret(text: Source, options?: RunOptions): Given<Answer, RegretAnswer>;
  /** What there is to decide: candidates, costs, live ranges. */
  problem(text: Source, options?: RunOptions): Given<Answer, ProblemAnswer>;
  /** A file made from a run. */
  export(text: Source, what: ExportKind, options?: RunOptions): Given<Answer, ExportAnswer>;
  /**
   * The text of an answer, byte for byte what the program `tessera` prints. After the graph stands the options object
   * as JSON text; of `compare` it is `{"runs":[...]}`, and after it, for `export`, the kind.
   */
  json(call: Call, ...texts: readonly Source[]): Given<Answer, string>;
}

export type Given<Answer extends 'now' | 'later', Value> = Answer extends 'now' ? Value : Promise<Value>;

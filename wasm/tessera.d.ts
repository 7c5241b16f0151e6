// Types of engine/tessera.js, the module that the wasm build makes. Written by hand, beside bindings.cpp.

/**
 * One instance of the engine. Each function takes texts and returns one JSON text; none of them throws on bad input.
 */
export interface TesseraEngine {
  /** Program version and schema numbers. */
  version(): string;
  /** Ops, policies with their parameters, devices and options: what the page builds its controls from. */
  catalog(): string;
  /** Diagnostics of a source text, nothing else. */
  lint(text: string): string;
  /**
   * The report of one run; `optionsJson` is an object of option id to value, `{}` for the defaults. With the key `plan`
   * that plan is carried out, in every call about a run.
   */
  run(text: string, optionsJson: string): string;
  /** The reports of several runs over the same text; `runsJson` is `{"runs":[{options}, ...]}`. */
  compare(text: string, runsJson: string): string;
  /**
   * What each pass of a run did and where each op went; options as for `run`, and `"ir": true` for the text after each
   * pass.
   */
  passes(text: string, optionsJson: string): string;
  /**
   * Optimum and bound beside a run (`exact`, with L1 counted), what forcing each layout of each op would cost the whole
   * net, and what the run of these options has there; options as for `run`.
   */
  regret(text: string, optionsJson: string): string;
  /**
   * The compiler's decision_trace.json (version 3) as the page draws it, or diagnostics that say what is wrong with it.
   */
  decisionTrace(text: string): string;
  /**
   * A file made from a run: `what` is "trace-events", "decision-trace", "certificate", "plan", "overrides",
   * "model-explorer" or "mlir"; options as for `run`.
   */
  export(text: string, optionsJson: string, what: string): string;
  /** What there is to decide: candidates, costs, live ranges; options as for `run`. */
  problem(text: string, optionsJson: string): string;
  /** The next piece of a log of passes, in UTF-8. */
  logFeed(bytes: string | Uint8Array): string;
  /** What the log held. */
  logEnd(): string;
  /** One dump of a log, given its part of the log, without the lines of loggers. */
  logDump(bytes: string | Uint8Array): string;
}

/** One instance of engine/tessera_lab.js, the layout lab's module. */
export interface TesseraLab {
  /** The devices of the engine's catalog. */
  catalog(): string;
  /** Where everything of one tensor lies in one layout. Request and answer: docs/layout-lab.md. */
  layout(requestJson: string): string;
}

/** One instance of engine/tessera_profile.js, which the page loads with the first profile of a device. */
export interface TesseraProfile {
  /** A profile (ops_perf_results_*.csv), beside the steps of a run where there is one; request: core/driver/api.h. */
  profile(csv: string, requestJson: string): string;
}

/**
 * One instance of engine/tessera_full.js, which the page loads when a study is run (core/study/desk.h), or when a graph
 * or a plan is executed.
 */
export interface TesseraFull {
  /** Of a file, whether it holds a graph, and what tells it from others. */
  studyGraph(path: string, text: string): string;
  /** A study of graphs under policies, devices and settings: its runs. */
  studyBegin(requestJson: string): string;
  /** A run that is finished: what studyRun said. */
  studyKeep(key: string, text: string): string;
  /** A run that did not end. */
  studyFail(key: string, status: string, reason: string): string;
  /** study.json of what is finished, and how many runs are missing. */
  study(): string;
  /** A file of the study; `page` is what study.html is made from. */
  studyFile(name: string, page: string): string;
  /** One run; answers with the text that studyKeep takes. */
  studyRun(name: string, text: string, requestJson: string): string;
  /** As TesseraEngine.problem. */
  problem(text: string, optionsJson: string): string;
  /**
   * Whether each pass keeps what the graph computes: executed before and after, made small first. Options as
   * TesseraEngine.run.
   */
  checkPasses(text: string, optionsJson: string): string;
  /** Carries the plan of a graph, made small, out on simulated memory; options as TesseraEngine.run. */
  executePlan(text: string, optionsJson: string): string;
}

/** What an instance can be given; all of it optional. */
export interface TesseraEngineOptions {
  /** The bytes of tessera.wasm, where the engine should not load them itself (Node). */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Address of a file that belongs to the engine ("tessera.wasm"). */
  locateFile?(name: string, directory: string): string;
  /** Makes the instance from a module compiled elsewhere; must call `done` and return an empty object. */
  instantiateWasm?(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module?: WebAssembly.Module) => void,
  ): object;
  print?(line: string): void;
  /** Receives the reason when the engine stops for a bug of ours ("check failed: ..."). */
  printErr?(line: string): void;
  /** Called once when the instance aborts; it must not be used afterwards. */
  onAbort?(reason: unknown): void;
}

export default function createTessera(options?: TesseraEngineOptions): Promise<TesseraEngine>;

#pragma once
// What the page's worker and the command line call: strings in, one JSON string out, never failing. The JSON is
// described by docs/schema (docs/report.md). A malformed option is a diagnostic in the answer. Calls about a graph take
// the session that keeps what the next one need not do again; no answer depends on it.

#include <string>

namespace tessera {

class Session;

std::string apiVersion();  // {"tessera":"0.1.0","schema":2}
std::string apiCatalog();  // devices, policies, options, ops, diagnostics: the page builds its controls from this
std::string apiLint(Session& session, const std::string& text);  // diagnostics only; fast enough for every keystroke
// `optionsJson`: an object of option id -> value, e.g. {"device":"n150","policy":"Greedy"}; "" or "{}" takes the
// defaults. A graph that carries layouts is taken as written where no policy is named. In this and all calls about a
// run the object may have a "plan" (docs/schema/plan.schema.json), which is carried out in place of a policy's.
std::string apiRun(Session& session, const std::string& text, const std::string& optionsJson);
// `runsJson`: {"runs":[{options}, ...]}; the text is parsed once.
std::string apiCompare(Session& session, const std::string& text, const std::string& runsJson);
// What each pass of a run did, and where each op of the source went; options as for apiRun, and "ir": true adds the
// text after each pass. When the run did not get through both lists are empty and "lint" says why, as apiLint does. See
// pass_trace.h.
std::string apiPasses(Session& session, const std::string& text, const std::string& optionsJson);
// The compiler's decision_trace.json (version 3), without a graph:
// {"schema":2,"diagnostics":[...],"droppedDiagnostics":n,"trace":...}, the trace as a run with the option `trace` has
// it (core/report/beam_trace_json.h), null when the text is not one.
std::string apiDecisionTrace(const std::string& text);
// A file made from a run; options as for apiRun. `what`: "trace-events" (for Perfetto), "decision-trace" (the
// compiler's, of the policies Greedy and Beam), "certificate" (of the policy Exact), "plan", "overrides" (in the
// compiler's own notation), "model-explorer" or "mlir" (with the plan in it).
// {"schema":2,"diagnostics":[...],"droppedDiagnostics":n,"file":name,"content":text}; both null when there is none.
std::string apiExport(Session& session, const std::string& text, const std::string& optionsJson,
                      const std::string& what);
// What there is to decide about a graph; options as for apiRun.
// {"schema":2,"diagnostics":[...],"droppedDiagnostics":n,"problem":...}, docs/schema/problem.schema.json; null when
// there is none.
std::string apiProblem(Session& session, const std::string& text, const std::string& optionsJson);
// A log of passes of any length, piece by piece; `apiLogEnd` answers as docs/schema/pass_log.schema.json says.
std::string apiLogFeed(Session& session, const std::string& bytes);
std::string apiLogEnd(Session& session);
// The part of a log that is one dump, without the lines of loggers: {"schema":2,"text":...}.
std::string apiLogDump(const std::string& bytes);
// Executes the graph, made small, before and after each pass on random inputs; options as for apiRun, of which only the
// device counts.
// {"schema":2,"problem":"",
//  "checks":[{"pass":"canonicalize","verdict":"same"|"different"|"not_compared","text":"..."}]};
// no checks when the text cannot be read.
std::string apiCheckPasses(Session& session, const std::string& text, const std::string& optionsJson);
// Executes the plan of the graph, made small, on simulated memory (docs/execution.md); options as for apiRun.
// {"schema":2,"policy":"Greedy","verdict":"equal"|"different"|"failed"|"not_executed"|"too_large","text":"...",
//  "note":"how the graph was made small"}; without a run the verdict is "not_executed".
std::string apiExecutePlan(Session& session, const std::string& text, const std::string& optionsJson);
// What the optimum would have done: per op the cost of forcing each layout, beside what the run of these options has
// there; see regret.h. When the run did not get through "regrets" is null and "lint" says why, as apiLint does.
std::string apiRegret(Session& session, const std::string& text, const std::string& optionsJson);
// A profile of the device (ops_perf_results_*.csv), beside the steps of a run where there is one. `requestJson`: "" for
// the profile alone, or {"calibration": the option of the run, "steps": [{"row", "op": "ttnn.add", "shape": "64x64",
// "memory": "l1 block_sharded", "bound": "dram", "time": nanoseconds, "boundPart": of them by what bounds the step}]}.
// The answer is docs/schema/profile.schema.json.
std::string apiProfile(const std::string& csv, const std::string& requestJson);
// The layout lab: one tensor and its layout; request and answer are described in docs/layout-lab.md.
std::string apiLayout(const std::string& requestJson);
std::string apiLabCatalog();  // the devices of the catalog, all that the lab needs of it

}  // namespace tessera

#include "core/report/run_summary_json.h"

#include "core/plan/moves.h"

namespace tessera {

void writeTotals(JsonWriter& w, const RunOutcome& run, size_t chains) {
  const Graph& graph = run.program->applied.graph;
  int64_t ops = 0, l1Results = 0;
  for (const SimStep& step : run.program->sim.steps) {
    const Op& op = graph.ops[step.op];
    if (run.program->applied.inserted[step.op] || op.results.empty()) continue;
    ++ops;
    const ValueType& type = graph.values[op.results[0]].type;
    l1Results += type.isTensor() && type.tensor->layout && type.tensor->layout->isL1();
  }
  w.key("totals");
  w.beginObject();
  w.field("time", run.program->sim.time.count);
  w.field("ops", ops);
  w.field("dramBytes", run.program->sim.dramBytes);
  const PlanMoves moves = planMoves(run.problem->graph, run.plan);
  for (MoveKind kind : kAllMoveKinds) w.field(moveCountName(kind), moves.count(kind));
  w.field("l1Results", l1Results);
  w.field("peakL1", run.program->sim.peakL1.count);
  w.field("peakStep", run.program->sim.peakStep);
  w.field("peakDramPerBank", run.program->sim.peakDramPerBank);
  w.field("chains", chains);
  w.field("failures", run.program->sim.failures);
  w.field("refused", run.program->sim.refused);
  w.endObject();
}

void writeSpilling(JsonWriter& w, const RunOutcome& run) {
  if (!run.log.spilling) return;
  const SpillTrace& trace = *run.log.spilling;
  w.key("spilling");
  w.beginObject();
  w.field("strategy", trace.strategy);
  w.field("cost", trace.cost);
  w.field("carriedOut", trace.carriedOut);
  w.field("lowerBound", trace.lowerBound);
  w.field("proven", trace.proven);
  w.field("farthestLastUse", trace.farthestLastUse);
  w.field("farthestNextUse", trace.farthestNextUse);
  w.field("costAware", trace.costAware);
  w.field("certified", trace.certified);
  w.field("values", trace.values);
  w.field("contested", trace.contested);
  w.endObject();
}

void writePlacement(JsonWriter& w, const PlannedPlacement& placement) {
  w.key("placement");
  w.beginObject();
  w.field("firstFit", placement.firstFit);
  w.field("planned", placement.planned);
  w.field("bound", placement.bound);
  w.field("fragmentation", placement.fragmentation());
  w.field("proven", placement.proven());
  w.field("method", placement.method);
  w.key("addresses");
  w.beginArray();
  for (int64_t address : placement.addresses) w.integer(address);
  w.endArray();
  w.endObject();
}

void writeWarnings(JsonWriter& w, const RunOutcome& run) {
  w.key("warnings");
  w.beginArray();
  for (const std::string& text : run.log.warnings) w.value(std::string_view(text));
  w.endArray();
}

void writeDefects(JsonWriter& w, const RunOutcome& run) {
  w.key("defects");
  w.beginArray();
  for (const ReportDefect& d : run.defects) {
    w.beginObject();
    w.field("checker", d.checker);
    w.field("rule", std::string_view(d.rule));
    w.field("text", std::string_view(d.text));
    w.endObject();
  }
  w.endArray();
}

}  // namespace tessera

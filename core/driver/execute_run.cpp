#include "core/driver/execute_run.h"

#include "core/execute/shrink_graph.h"
#include "core/import/export_mlir.h"

namespace tessera {

namespace {

constexpr const char* kSmallSource = "small.mlir";
constexpr size_t kLongestMadeConstant = 1 << 20;  // bytes of text: the constants made for an execution are kept

// Of the sizes to try, the first that the ops allow: several tiles, else as small as may be.
Graph smaller(const Graph& graph, int64_t side, std::string& note) {
  ShrunkGraph small = shrinkGraph(graph, side);
  if (!small.shrunk && side > 0) {
    side = 0;
    small = shrinkGraph(graph, side);
  }
  if (!small.shrunk) note = "executed whole, because it cannot be made smaller: " + small.problem;
  else note = side > 0 ? "made smaller, of about " + std::to_string(side) + " rows and columns" : "made smaller";
  return std::move(small.graph);
}

ExecutedRun runAndExecute(Session& session, const std::string& text, const ExecuteRequest& request, std::string note) {
  ExecutedRun out;
  out.note = std::move(note);
  session.load(kSmallSource, text, {kLongestMadeConstant});
  Options options = request.options;
  chooseDefaultPolicy(options, *session.choose(options.function));
  out.run = runPolicy(session, options, {});
  if (!out.run->report.run) return out;
  out.execution = executeRun(*out.run, request.seed);
  out.executed = true;
  return out;
}

bool sameArguments(const Graph& a, const Graph& b) {
  const std::vector<ValueId>&left = a.funcs[a.forward].args, &right = b.funcs[b.forward].args;
  bool same = left.size() == right.size();
  for (size_t i = 0; same && i < left.size(); ++i) {
    const ValueType &x = a.values[left[i]].type, &y = b.values[right[i]].type;
    same = x.isTensor() == y.isTensor() && (!x.isTensor() || x.tensor->shape == y.tensor->shape);
  }
  return same;
}

}  // namespace

PlanExecution executeRun(const FinishedRun& finished, uint64_t seed) {
  TESSERA_CHECK(finished.report.run.has_value(), "an execution of a run that did not get through");
  const RunOutcome& run = *finished.report.run;
  const Graph graph = withNeededConstants(run.program->applied.graph, seed);
  const Graph source = withNeededConstants(run.problem->graph, seed);
  PlanExecutionOptions options;
  options.source = &source;
  // The graph that was read says best what its arguments are for: places in a table are plain arithmetic once lowered.
  const Graph& read = *finished.loaded->graph;
  const std::vector<HostTensor> inputs = randomInputs(sameArguments(read, source) ? read : source, seed);
  PlanExecution done = executePlan(graph, run.program->sim, finished.device, inputs, options);
  // Passes that make an op which contradicts the graph are wrong, unless it did so as it was read.
  if (done.malformed && sameArguments(read, source) &&
      execute(withNeededConstants(read, seed), inputs).status == ExecutionStatus::Done) {
    done.status = PlanStatus::Different;
    done.text = "the graph that was read computes a result, and what became of it none: " + done.text;
  }
  return done;
}

ExecutedRun executeSmall(const Graph& graph, Session& small, const ExecuteRequest& request) {
  std::string note;
  const Graph chosen = request.whole ? graph : smaller(graph, request.side, note);
  // Constants are made while ops still say what their values are for.
  const auto text = [&](const Graph& source) { return exportMlir(withNeededConstants(source, request.seed)); };
  ExecutedRun out = runAndExecute(small, text(chosen), request, note);
  const bool tooLarge = out.executed && out.execution.status == PlanStatus::OverBudget;
  if (!tooLarge || request.whole || request.side == 0) return out;
  const Graph smallest = smaller(graph, 0, note);  // sets the note
  return runAndExecute(small, text(smallest), request, note);
}

}  // namespace tessera

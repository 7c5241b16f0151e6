#include "core/study/measure.h"

#include "core/driver/pipeline.h"
#include "core/study/run_lines.h"

namespace tessera {

namespace {

// The first mistake with its place.
std::string firstError(const Diagnostics& diagnostics, const SourceBuffer& source) {
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.severity != Severity::Error) continue;
    if (one.span.end == 0) return one.message;
    const LineColumn at = source.lineColumn(one.span.begin);
    return "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " + one.message;
  }
  return "it was not run";
}

void addFigures(const RunOutcome& run, bool withOps, KeptRun& kept) {
  const std::vector<Loss> losses = findLosses(run);
  kept.row = rowOf(run, losses);
  kept.losses = lossLines(run, losses);
  if (withOps) kept.ops = opLines(run);
  if (run.log.exact) kept.bound = KeptBound{run.log.exact->time, run.log.exact->lowerBound, run.log.exact->proven};
}

}  // namespace

KeptRun measureRun(Session& session, const MeasureRequest& request) {
  KeptRun kept;
  const int64_t start = request.clock();
  const std::unique_ptr<FinishedRun> finished = prepareRun(session, request.options, Diagnostics());
  if (finished->problem) {
    const int64_t before = request.clock();
    if (request.plan.present()) {
      runPlan(*finished, request.plan);
    } else {
      RunOutcome outcome = decideRun(session, *finished);
      kept.policyTime = request.clock() - before;
      finishRun(session, *finished, std::move(outcome));
    }
  }
  if (finished->report.run) addFigures(*finished->report.run, request.withOps, kept);
  else kept.status = RunStatus::Refused;
  if (!kept.row) kept.reason = firstError(finished->diagnostics, finished->loaded->source);
  kept.runTime = request.clock() - start;
  return kept;
}

}  // namespace tessera

#include "core/report/plan_text.h"

#include "core/plan/moves.h"
#include "core/plan/print_plan.h"

namespace tessera {

namespace {

constexpr TimeFactors kAsPredicted = {};

}  // namespace

std::string planText(const RunOutcome& run) {
  const SimResult& sim = run.program->sim;
  std::string text = printPlan(*run.problem, run.plan);
  const char* calibrated = run.problem->device.timeFactors == kAsPredicted ? "" : " (calibrated)";
  text += "--  time " + std::to_string(sim.time.count) + " ns" + calibrated + "  dram " +
          std::to_string(sim.dramBytes) + " B  peak L1 " + std::to_string(sim.peakL1.count) + "/" +
          std::to_string(run.problem->budget.bytes().count) +
          (sim.peakStep < 0 ? "" : " at step " + std::to_string(sim.peakStep)) + "  " +
          moveCountsText(planMoves(run.problem->graph, run.plan)) + "  failures " + std::to_string(sim.failures) +
          (sim.refused > 0 ? "  refused " + std::to_string(sim.refused) : "") + "\n";
  return text;
}

std::string spillingText(const RunOutcome& run) {
  if (!run.log.spilling) return "";
  const SpillTrace& trace = *run.log.spilling;
  const auto time = [](int64_t count) { return std::to_string(count) + " ns"; };
  return "--  spilling  " + std::string(trace.strategy) + " " + time(trace.cost) + "  carried out " +
         time(trace.carriedOut) + "  bound " + time(trace.lowerBound) + (trace.proven ? " (proven)" : "") +
         "  farthest last use " + time(trace.farthestLastUse) + "  farthest next use " + time(trace.farthestNextUse) +
         "  cost-aware " + time(trace.costAware) + "  certified " + time(trace.certified) + "\n";
}

std::string placementText(const RunOutcome& run) {
  const PlannedPlacement& placement = run.program->placement;
  const auto bytes = [](int64_t count) { return std::to_string(count) + " B"; };
  return "--  L1 addresses  first fit " + bytes(placement.firstFit) + "  planned " + bytes(placement.planned) + " (" +
         std::string(placement.method) + ")  bound " + bytes(placement.bound) + "  fragmentation " +
         bytes(placement.fragmentation()) + "\n";
}

}  // namespace tessera

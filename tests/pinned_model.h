#pragma once
// Runs of real graphs, which lie outside the repository, as lines of a pinned file (pinned.h). A graph is known by its
// name and the fingerprint of its text, so that another version of it is not compared.

#include <string>

#include "core/driver/pipeline.h"
#include "core/import/export_mlir.h"
#include "core/plan/moves.h"
#include "tests/pinned.h"

namespace tessera::test {

// `how`: the policy, and options other than the defaults.
inline void expectPinnedModel(PinnedFile& pins, const std::string& name, const std::string& how,
                              const FinishedRun& finished) {
  const RunOutcome& run = *finished.report.run;
  const std::string key = name + " " + digits(std::string(finished.loaded->source.text())) + " " + how;
  pins.expectIfKnown(key, std::to_string(run.program->sim.time.count) + " ns, " +
                              moveCountsText(planMoves(run.problem->graph, run.plan)) + ", lowered " +
                              digits(exportMlir(run.problem->graph)) + " plan " + digits(planOut(finished)) +
                              " report " + digits(reportJson(finished.report)));
}

}  // namespace tessera::test

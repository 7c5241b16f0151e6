#pragma once
// All passes of one run, in order, with what each did and, when asked for, the graph after it. For the page's view of
// the passes and for `tessera opt`; a plain run keeps none of this.

#include <string>
#include <vector>

#include "core/driver/pipeline.h"

namespace tessera {

struct PassTrace {
  std::vector<PassLog> logs;  // the optimizer among them
  std::vector<Graph> graphs;  // after each pass, when asked for; one per log
  Graph final;                // after the last pass
};

// Of a run that got through (finished.report.run).
PassTrace tracePasses(const FinishedRun& finished, PassDetail detail);

// {"passes":[{"name","title","description","stage","changed","added","removed","notes":[...],"problems":[...],"ir"?}],
//  "ir"?: the graph as it was read, "provenance":[{"op","name","became":[{"op","name"}]}]}: what
//  web/src/model/passes.ts describes.
std::string passTraceJson(const FinishedRun& finished, bool withIr);

}  // namespace tessera

#pragma once
// A run as a report folder of ttnn-visualizer: config.json and db.sqlite, in which what will be in L1 can be looked at
// before anything ran. Format: ttnn-visualizer backend/ttnn_visualizer/{models,queries}.py @ d15518fc.

#include <string>

#include "core/report/report.h"

namespace tessera {

// Makes the folder, or fills one without a db.sqlite. "" when all is well, else what went wrong.
std::string writeVisualizerReport(const std::string& folder, const Report& report);

}  // namespace tessera

#pragma once
// Processes that do the runs of a study side by side. A worker does one group; when it has to be stopped or dies, the
// run at hand gets a row that says so, and another worker goes on with the rest.

#include <functional>
#include <string>
#include <vector>

#include "core/batch/kept_runs.h"
#include "core/study/study.h"

namespace tessera {

struct WorkerSettings {
  int32_t processes = 1;
  bool withOps = false;
  // After every run; `group` is done when none of its runs is left.
  std::function<void(const StudyRun& run, const KeptRun* failed, bool groupDone)> finished;
  std::function<void()> tick;  // several times a second
};

// `missing`: runs to do, in any order. "" when all of them are kept, else why the study ended early: what is finished
// is kept all the same.
std::string runStudy(const Study& study, const std::vector<size_t>& missing, const KeptRuns& kept,
                     const WorkerSettings& settings);

inline constexpr const char* kInterrupted = "interrupted";

}  // namespace tessera

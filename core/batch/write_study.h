#pragma once
// The files of a study in its folder.

#include <string>

#include "core/batch/kept_runs.h"
#include "core/study/study_rows.h"

namespace tessera {

struct WrittenStudy {
  std::string problem;  // "" when all is well
  StudyResults results;
};

// Writes runs.csv, spills.csv, timings.csv, ops.csv where asked for, study.json and study.html into the folder.
WrittenStudy writeStudy(const Study& study, const KeptRuns& kept, const std::string& folder, bool withOps);

}  // namespace tessera

#pragma once
// The results of a study: a row per run, and the files that are made of them.

#include <optional>
#include <string>
#include <vector>

#include "core/study/kept_runs.h"
#include "core/study/study.h"

namespace tessera {

struct StudyRow {
  const StudyRun* run = nullptr;
  KeptRun kept;                    // without the lines of losses and ops
  std::optional<KeptBound> bound;  // of the policy that proves one, for the same group
  // time / lowerBound in millionths, rounded up; nothing where there is no bound on this run.
  std::optional<int64_t> ratio() const;
};

struct StudyResults {
  std::string problem;          // "" when all is well
  std::vector<StudyRow> rows;   // of the shard, in the order of the study
  std::vector<size_t> missing;  // runs that are not kept
};

// Writes runs.csv, spills.csv, timings.csv, ops.csv where asked for, study.json and study.html into the folder.
StudyResults writeStudy(const Study& study, const KeptRuns& kept, const std::string& folder, bool withOps);

// Reads the rows without writing anything; without the lines of losses and ops.
std::string studyJson(const Study& study, const std::vector<StudyRow>& rows);

// The study that a study.json speaks of. Mistakes are in Study::mistake; `text` may be anything.
Study readStudy(const std::string& name, std::string text);

// One line per policy: how it did over all runs of the shard.
std::string summaryText(const Study& study, const std::vector<StudyRow>& rows);

// What the summary counts.
struct PolicySummary {
  std::string policy;
  int64_t runs = 0, failed = 0;
  int64_t bounded = 0;   // runs with a ratio
  double meanRatio = 0;  // geometric
  double worstRatio = 0;
  int64_t atBound = 0;  // ratio 1
  int64_t losses[kLossCauses] = {};
  int64_t leastHeadroom = 0, meanHeadroom = 0;  // thousandths of the budget
};
std::vector<PolicySummary> summarize(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace tessera

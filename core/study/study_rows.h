#pragma once
// The results of a study: a row per run, and the texts that are made of them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/study/kept_run.h"
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
  std::vector<StudyRow> rows;   // of the shard, in the order of the study
  std::vector<size_t> missing;  // runs that are not kept
};

using FindKept = std::function<std::optional<KeptRun>(const std::string& key)>;
// Takes a run with its lines of losses and ops, of which there are too many to be kept in memory.
using TakeLines = std::function<void(const StudyRun& run, const KeptRun& kept)>;
StudyResults collectStudy(const Study& study, const FindKept& find, const TakeLines& lines);

// Files of a study as texts; spills.csv and ops.csv have a header and the lines of every run behind what names the run.
std::string runsCsv(const Study& study, const std::vector<StudyRow>& rows);
std::string timingsCsv(const Study& study, const std::vector<StudyRow>& rows);
std::string lossHeader(const Study& study);
std::string opHeader(const Study& study);
std::string withRun(const Study& study, const StudyRun& run, std::string_view lines);
std::string studyJson(const Study& study, const std::vector<StudyRow>& rows);

// The study that a study.json speaks of. Mistakes are in Study::mistake; `text` may be anything.
Study readStudy(const std::string& name, std::string text);
// The arguments alone, of such a file; what is absent keeps its default.
StudyArguments readStudyArguments(JsonValue object, std::string& mistake);

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

#pragma once
// Finished runs of a study, one file each: DIR/kept/KEY.json. What has a key that nobody asks for is left alone.

#include <optional>
#include <string>
#include <vector>

#include "core/report/run_row.h"

namespace tessera {

enum class RunStatus { Ran, Refused, TimeLimit, MemoryLimit, Crashed };
std::string_view runStatusName(RunStatus status);  // "ran", "refused", "time limit", ...

// What the policy with a bound proved.
struct KeptBound {
  int64_t time = 0;  // of its plan, by its own count
  int64_t lowerBound = 0;
  bool proven = false;
};

struct KeptRun {
  RunStatus status = RunStatus::Ran;
  std::string reason;         // of a run that did not run
  std::optional<RunRow> row;  // of one that ran
  std::optional<KeptBound> bound;
  std::string losses;              // lines of spills.csv, without the columns of the run
  std::optional<std::string> ops;  // likewise of ops.csv; none: not asked for
  // Of the process, not the same twice: processor time in microseconds, most memory in kilobytes.
  int64_t runTime = 0;
  int64_t policyTime = 0;
  int64_t memory = 0;

  // Limits and crashes may be gone tomorrow.
  bool final() const { return status == RunStatus::Ran || status == RunStatus::Refused; }
};

// Folders in which runs are kept.
class KeptRuns {
 public:
  explicit KeptRuns(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  // "" or why it cannot be written. Into the first folder.
  std::string keep(const std::string& key, const KeptRun& run) const;
  // Of the first folder that has it. Nothing when there is none, or none that can be read.
  std::optional<KeptRun> find(const std::string& key) const;
  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> folders_;
};

inline std::string keptFolder(const std::string& studyFolder) { return studyFolder + "/kept"; }

}  // namespace tessera

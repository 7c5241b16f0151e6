#pragma once
// A finished run as a study keeps it: its row, its losses, what it took. As text it is a file of its own.

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

std::string keptText(const std::string& key, const KeptRun& run);
// Nothing when the text is no kept run of this key. `name`: where the text is from.
std::optional<KeptRun> readKeptText(const std::string& name, std::string text, const std::string& key);
std::optional<RunStatus> findRunStatus(std::string_view name);

}  // namespace tessera

#pragma once
// A device profile (ops_perf_results_*.csv of tt-metal, one row per program) beside a simulated run: which row is which
// step, measured beside predicted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/table/op_table.h"
#include "core/report/report.h"

namespace tessera {

// A program that ran on the device.
struct ProfiledProgram {
  std::string name;              // "MatmulDeviceOperation"
  OpKind kind = OpKind::Opaque;  // op of the table that it belongs to
  bool part = false;             // it prepares a tensor for the program after it
  std::vector<int64_t> shape;    // of its first result, without leading 1s
  std::string memory;            // of its first result, "l1 height_sharded"
  int64_t nanoseconds = 0;       // of its kernels
  int64_t cores = 0;
  int64_t line = 0;  // in the file, 1-based
};

struct Profile {
  std::string problem;  // "" when it could be read
  std::vector<ProfiledProgram> programs;
  int64_t otherRows = 0;  // of the host, of markers, of other devices
};

Profile readProfile(std::string_view text);

struct ProfileMatch {
  int32_t step = -1;              // index in the run's steps
  std::vector<int32_t> programs;  // indices, in order; the last is the op's own
  bool sameShape = false;
  bool sameMemory = false;
  int64_t measured = 0;
  int64_t predicted = 0;
};

// A family of ops: what a person may multiply its predictions with. Of matches with the same shape alone.
struct FamilyFactor {
  std::string_view family;
  int64_t ops = 0;
  int64_t measured = 0, predicted = 0;
  int64_t permille = 1000;  // median of measured / predicted
};

struct ProfileComparison {
  std::string problem;
  std::vector<ProfileMatch> matches;       // in order of steps
  std::vector<int32_t> unmatchedPrograms;  // indices
  std::vector<int32_t> unmatchedSteps;     // that take time
  std::vector<FamilyFactor> families;      // by name
  int64_t medianErrorPermille = 0, p90ErrorPermille = 0;
  int64_t calibrated = 0;  // time of the whole run with the factors applied
};

// Rows are matched to steps in order, by op first, then by shape and memory of the result.
ProfileComparison matchProfile(const Profile& profile, const RunOutcome& run);

std::string profileText(const Profile& profile);  // alone, as a schedule
std::string comparisonText(const Profile&, const ProfileComparison&, const RunOutcome&);
std::string comparisonJson(const Profile&, const ProfileComparison&, const RunOutcome&);

}  // namespace tessera

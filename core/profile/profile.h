#pragma once
// A device profile (ops_perf_results_*.csv of tt-metal, one row per program) beside a simulated run: which row is which
// step, measured beside predicted.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ops/table/op_table.h"

namespace tessera {

// "Matmul=1.250,Conv=0.900", without factors of 1: as the option `calibration` takes them.
std::string calibrationText(const TimeFactors& factors);

// What a program waited for, as far as its row tells.
enum class Evidence : uint8_t { None, Compute, Data };

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
  Evidence evidence = Evidence::None;
};

struct Profile {
  std::string problem;  // "" when it could be read
  std::vector<ProfiledProgram> programs;
  int64_t otherRows = 0;  // of the host, of markers, of other devices
  int64_t time() const;   // nanoseconds of all programs
};

Profile readProfile(std::string_view text);

// What a step of a run is to the matching; times in nanoseconds.
struct ProfiledStep {
  int32_t row = 0;   // in the run
  std::string name;  // for people
  OpKind kind = OpKind::Opaque;
  std::vector<int64_t> shape;  // of the first result, without leading 1s
  std::string memory;          // of the first result, "l1 height_sharded"
  std::string bound;           // "compute", "dram", "noc", "fixed" or "none"
  int64_t total = 0;
  int64_t boundPart = 0;  // of the total: what bounds it
};

std::vector<int64_t> withoutLeadingOnes(std::vector<int64_t> dims);

// Why the bound of a step is misjudged.
enum class Misjudged : uint8_t {
  No,
  WaitsForData,  // said to compute, but the program waited for data
  Computes,      // said to wait for data, but the program computed
  Shorter,       // the part that is said to bound it is longer than the whole was
};
std::string_view misjudgedName(Misjudged);  // "", "data", "compute", "shorter"

struct ProfileMatch {
  size_t step = 0;                // index in the steps
  std::vector<int32_t> programs;  // indices, in order; the last is the op's own
  bool sameShape = false;
  bool sameMemory = false;
  int64_t measured = 0;
  Misjudged misjudged = Misjudged::No;
};

// A family of ops: what a person may multiply its predictions with. Of matches with the same shape alone.
struct FamilyFactor {
  Family family = Family::Opaque;
  int64_t ops = 0;
  int64_t measured = 0, predicted = 0;
  int64_t permille = 1000;  // median of measured over what the model predicts without any factor
};

// Ops whose measured time is in [from, to) of the predicted one, in thousandths.
struct ErrorClass {
  int64_t from = 0, to = 0;
  int64_t ops = 0;
};

struct ProfileComparison {
  std::string problem;
  int64_t repeats = 1;          // the profile has the same programs so often in a row; the last of them are matched
  int64_t skippedPrograms = 0;  // before those
  std::vector<ProfileMatch> matches;       // in order of steps
  std::vector<int32_t> unmatchedPrograms;  // indices
  std::vector<size_t> unmatchedSteps;      // indices
  std::vector<FamilyFactor> families;      // by name
  std::vector<ErrorClass> errors;
  int64_t medianErrorPermille = 0, p90ErrorPermille = 0;  // of the measured time
  int64_t predicted = 0, measured = 0;                    // of all matches
  TimeFactors calibration{};                              // the factors, and those in use of families without one
  int64_t time = 0, calibratedTime = 0;                   // of all steps, as predicted and with these factors
};

// Rows are matched to steps in order, by op first, then by shape and memory of the result. `inUse`: the factors that
// the steps' times already have.
ProfileComparison matchProfile(const Profile& profile, std::span<const ProfiledStep> steps, const TimeFactors& inUse);

std::string profileText(const Profile& profile);  // alone, as a schedule
std::string comparisonText(const Profile&, const ProfileComparison&, std::span<const ProfiledStep>);
// docs/schema/profile.schema.json; `comparison` may be null.
std::string profileJson(const Profile&, const ProfileComparison* comparison, std::span<const ProfiledStep>);

}  // namespace tessera

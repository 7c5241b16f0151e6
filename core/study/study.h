#pragma once
// A study as data: which runs there are, and by what each is known. The same arguments, graphs and program give the
// same study on every machine.

#include <string>
#include <string_view>
#include <vector>

#include "core/driver/options.h"
#include "core/study/graphs.h"

namespace tessera {

inline constexpr int kStudySchema = 1;

// One option and the values it goes through.
struct StudyAxis {
  std::string option;
  std::vector<std::string> values;
  friend bool operator==(const StudyAxis&, const StudyAxis&) = default;
};

// A policy that is none of the program's: each of its runs brings its plan.
struct OutsidePolicy {
  std::string name;
  std::string hash;  // of its code
  friend bool operator==(const OutsidePolicy&, const OutsidePolicy&) = default;
};

// What tells studies of the same graphs apart.
struct StudyArguments {
  std::vector<std::string> policies;   // ids; without any, all that decide
  std::vector<OutsidePolicy> outside;  // they come behind the others
  std::vector<std::string> devices;    // ids; without any, the default
  std::vector<StudyAxis> axes;         // --set
  std::vector<StudyAxis> options;      // of all runs, one value each
  bool optimum = true;                 // Exact runs in every group, for its bound, though it be none of the policies
  bool alone = false;                  // every run in a process of its own: what policies cost can be compared
  int64_t milliseconds = 120'000;      // of processor time, a run may take
  int64_t memoryBytes = int64_t{4} << 30;
  friend bool operator==(const StudyArguments&, const StudyArguments&) = default;
};

// Of several machines, this one does the part `part` of `of`, counted from 1.
struct StudyShard {
  int32_t part = 1;
  int32_t of = 1;
};

struct StudyProgram {
  std::string version;
  std::string build;  // hash of the program file
};

struct StudyRun {
  size_t group = 0;
  std::string policy;
  std::string key;     // by content: graph, options, device, policy, program
  bool listed = true;  // false: only its bound is wanted
};

// Runs of one graph on one device under the same options: policies aside, they share all work.
struct StudyGroup {
  size_t graph = 0;
  std::string device;
  std::vector<std::string> values;  // by axis
  Options options;
  std::vector<size_t> runs;  // in the order of the policies
  int64_t work = 0;          // estimated
  int32_t part = 1;          // shard that does it
};

struct Study {
  std::string mistake;  // "" when all is well
  StudyArguments arguments;
  std::vector<StudyGraph> graphs;
  StudyProgram program;
  StudyShard shard;
  std::vector<StudyGroup> groups;
  std::vector<StudyRun> runs;  // by graph, device, values, policy

  bool mine(const StudyRun& run) const { return groups[run.group].part == shard.part; }
  // Those that have a row each, in order.
  std::vector<std::string> policies() const;
  // "resnet50 n150 tensor-l1-usage-cap=0.8 Greedy"
  std::string label(const StudyRun& run) const;
};

Study makeStudy(StudyArguments arguments, std::vector<StudyGraph> graphs, StudyProgram program, StudyShard shard);

}  // namespace tessera

#pragma once
// The graphs of a study: files, folders and patterns.

#include <span>
#include <string>
#include <vector>

#include "core/study/graphs.h"

namespace tessera {

struct FoundGraphs {
  std::string mistake;               // "" when all is well
  std::vector<StudyGraph> graphs;    // by name
  std::vector<std::string> skipped;  // files of folders that hold no graph
};

// Files as they are named; of folders and what lies in them *.mlir, and *.json that hold a graph; of patterns (* ? [])
// what they match. A graph that is named twice counts once.
FoundGraphs findGraphs(std::span<const std::string> paths);

}  // namespace tessera

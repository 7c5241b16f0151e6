#pragma once
// The graphs of a study: files, folders and patterns.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera {

struct StudyGraph {
  std::string name;   // the shortest end of its path that no other graph of the study has, without ending if it can be
  std::string path;   // "" when the study was read from its results
  std::string hash;   // of its text
  int64_t bytes = 0;  // of its text
  int64_t ops = 0;    // about as many: lines that look like one
};

struct FoundGraphs {
  std::string mistake;               // "" when all is well
  std::vector<StudyGraph> graphs;    // by name
  std::vector<std::string> skipped;  // files of folders that hold no graph
};

// Files as they are named; of folders and what lies in them *.mlir, and *.json that hold a graph; of patterns (* ? [])
// what they match. A graph that is named twice counts once.
FoundGraphs findGraphs(std::span<const std::string> paths);

// Of a text: what tells it from another one.
std::string contentHash(std::string_view text);

}  // namespace tessera

#pragma once
// The graphs of a study as data: what tells them apart, and about how much work they are.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct StudyGraph {
  std::string name;   // the shortest end of its path that no other graph of the study has, without ending if it can be
  std::string path;   // "" when the study was read from its results
  std::string hash;   // of its text
  int64_t bytes = 0;  // of its text
  int64_t ops = 0;    // about as many: lines that look like one
};

// Fills in all but the name, which depends on the others.
StudyGraph describeGraph(std::string path, std::string_view text);
// Gives all of them names and sorts them by name.
void nameGraphs(std::vector<StudyGraph>& graphs);
// Among JSON files there are others than graphs: a graph names its functions, and `version` or `format` near its
// beginning.
bool looksLikeGraphJson(std::string_view beginning);
inline constexpr size_t kGraphBeginning = 4096;  // bytes that it looks at

// Of a text: what tells it from another one.
std::string contentHash(std::string_view text);

}  // namespace tessera

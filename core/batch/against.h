#pragma once
// A study beside an older one: what became better or worse, by policy and graph.

#include <string>

namespace tessera {

struct StudyDifference {
  std::string problem;  // "" when both could be read
  std::string text;
  size_t better = 0, worse = 0;
};

// Both are texts of study.json; runs belong together when graph, device, option values and policy have the same names.
// `thresholdPpm`: of the time, in millionths; smaller changes do not count. A run that fails now and did not is worse.
StudyDifference compareStudies(const std::string& oldName, std::string oldText, const std::string& newName,
                               std::string newText, int64_t thresholdPpm);

}  // namespace tessera

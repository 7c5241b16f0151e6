#pragma once
// Names of a function's values as MLIR gives them out when it prints: %arg0, %0, %1, and words for the results of ops
// that name theirs (%values, %indices).

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

class ValueNames {
 public:
  // `renumber` false: the graph's own names.
  ValueNames(const Graph& graph, const Function& func, bool renumber);

  std::string use(ValueId id) const;           // "%0", "%0#1"
  std::string definition(const Op& op) const;  // "%0 = ", "%0:2 = ", "%values, %indices = ", ""

 private:
  void nameArguments(const Function& func);
  void nameResults(const Op& op, size_t& next);
  std::string unique(std::string_view wish);
  std::string base(ValueId first) const;  // of an argument or an op's first result

  const Graph& graph_;
  bool renumber_;
  std::unordered_map<int32_t, std::string> names_;  // by value, when renumbered
  std::unordered_set<std::string> taken_;
  size_t conflicts_ = 0;
};

}  // namespace tessera

#include "core/analysis/override_origins.h"

#include <algorithm>

#include "core/ops/table/op_table.h"

namespace tessera {
namespace {

bool computes(const Graph& graph, const Op& op) {
  const OpInfo& info = opInfo(op.kind);
  bool moves = info.has(kToLayout) || info.has(kNoCompute) || info.has(kCreation) || info.has(kTerminator);
  return op.func.valid() && !graph.funcs[op.func].isPrivate && !op.results.empty() && !moves;
}

bool isView(const Op& op) { return opInfo(op.kind).has(kView); }

// The name of the op that stands for the op `name` of the source; empty when there is none.
std::string nameNow(std::string_view name, const Graph& source, const Graph& lowered) {
  for (OpId op : lowered.ops.ids()) {
    if (lowered.ops[op].func.valid() && overrideNames(name, lowered, op)) return "";
  }
  OpId found;
  for (OpId id : lowered.ops.ids()) {
    const Op& op = lowered.ops[id];
    if (!computes(lowered, op)) continue;
    bool meant = std::any_of(op.origins.begin(), op.origins.end(), [&](OpId origin) {
      return source.ops.contains(origin) && overrideNames(name, source, origin);
    });
    // The reshapes around a flattened window stand for the convolution too.
    bool better = !found.valid() || isView(lowered.ops[found]) || !isView(op);
    if (meant && better) found = id;
  }
  return found.valid() ? "%" + lowered.values[lowered.ops[found].results.front()].name : "";
}

template <class Settings>
void follow(std::vector<NamedOverride<Settings>>& overrides, const Graph& source, const Graph& lowered) {
  for (NamedOverride<Settings>& named : overrides) {
    std::string now = nameNow(named.op, source, lowered);
    if (!now.empty()) named.op = now;
  }
}

}  // namespace

void followOrigins(LayoutOverrides& overrides, const Graph& source, const Graph& lowered) {
  follow(overrides, source, lowered);
}
void followOrigins(Conv2dOverrides& overrides, const Graph& source, const Graph& lowered) {
  follow(overrides, source, lowered);
}
void followOrigins(OpMoves& moves, const Graph& source, const Graph& lowered) {
  follow(moves, source, lowered);
  for (NamedOverride<std::string>& move : moves) {
    const std::string now = nameNow(move.settings, source, lowered);
    if (!now.empty()) move.settings = now;
  }
}

}  // namespace tessera

#include "core/analysis/op_order.h"

#include <algorithm>

#include "core/analysis/override_text.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {
namespace {

bool sharesValue(std::span<const ValueId> some, std::span<const ValueId> others) {
  return std::any_of(some.begin(), some.end(),
                     [&](ValueId one) { return std::find(others.begin(), others.end(), one) != others.end(); });
}

// Ops that write into what they read, or that free it, stay in their order with all others that touch it.
bool changesOperands(const Op& op) { return opInfo(op.kind).has(kInPlace) || op.results.empty(); }

// The two ops may not pass each other.
bool inThisOrder(const Op& a, const Op& b) {
  if (opInfo(a.kind).has(kTerminator) || opInfo(b.kind).has(kTerminator)) return true;
  if (sharesValue(a.results, b.operands) || sharesValue(b.results, a.operands)) return true;
  return (changesOperands(a) || changesOperands(b)) && sharesValue(a.operands, b.operands);
}

// The op of the forward function that has this name; -1: none, or more than one.
int64_t stepNamed(std::string_view name, const Graph& graph, const std::vector<OpId>& order) {
  int64_t found = -1;
  for (size_t at = 0; at < order.size(); ++at) {
    if (!overrideNames(name, graph, order[at])) continue;
    if (found >= 0) return -1;
    found = static_cast<int64_t>(at);
  }
  return found;
}

std::string nameOf(const Graph& graph, OpId op) {
  const Op& o = graph.ops[op];
  return o.results.empty() ? o.name : "%" + graph.values[o.results.front()].name;
}

void carryOut(const NamedOverride<std::string>& move, const Graph& graph, std::vector<OpId>& order,
              Diagnostics& diags) {
  constexpr std::string_view kWhat = "the op that it runs before";
  const std::string seen = "`" + move.settings + "`";
  const int64_t from = stepNamed(move.op, graph, order), to = stepNamed(move.settings, graph, order);
  if (from < 0) {
    diags.report(DiagKind::UnknownOverrideOp, {}, {move.op});
    return;
  }
  if (to < 0 || to == from) {
    badOverride(move.op, kWhat, seen, "another op of the function, whose name no third has", diags);
    return;
  }
  const bool earlier = to < from;
  for (int64_t at = from; at != to;) {
    at += earlier ? -1 : 1;
    if (!earlier && at == to) break;
    const OpId passed = order[static_cast<size_t>(at)];
    if (!inThisOrder(graph.ops[order[static_cast<size_t>(from)]], graph.ops[passed])) continue;
    badOverride(move.op, kWhat, seen,
                "one that data flow permits: `" + nameOf(graph, passed) + "` has to run " +
                    (earlier ? "before" : "after") + " it",
                diags);
    return;
  }
  const auto begin = order.begin();
  if (earlier) std::rotate(begin + to, begin + from, begin + from + 1);
  else std::rotate(begin + from, begin + from + 1, begin + to);
}

}  // namespace

OpMoves parseOpOrder(std::string_view text, Diagnostics& diags) {
  auto read = [](std::string_view name, std::string_view op, std::string& into, Diagnostics& found) {
    into = trimmed(name);
    return !into.empty() || badOverride(op, "the op that it runs before", "``", "the name of an op", found);
  };
  return parseEntries<std::string>(text, read, diags);
}

Graph withOpOrder(const Graph& from, const OpMoves& moves, Diagnostics& diags) {
  Graph graph = from;
  std::vector<OpId> order = graph.funcs[graph.forward].ops;
  for (const NamedOverride<std::string>& move : moves) carryOut(move, graph, order, diags);
  GraphBuilder(graph).reorder(graph.forward, std::move(order));
  return graph;
}

}  // namespace tessera

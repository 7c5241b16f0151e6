#include "core/import/value_names.h"

#include <array>

namespace tessera {

namespace {

// Ops with several results whose definitions name them; those without a line here share one number.
struct ResultNames {
  std::string_view op;  // without the dialect
  std::array<std::string_view, 3> names;
};
constexpr ResultNames kResultNames[] = {
    {"sort", {"values", "indices", ""}},
    {"topk", {"values", "indices", ""}},
    {"max_pool2d_with_indices", {"result", "result_indices", ""}},
    {"split_query_key_value_and_split_heads", {"query", "key", "value"}},
    {"nlp_create_qkv_heads_decode", {"query", "key", "value"}},
    {"batch_norm_training", {"result", "batch_mean", "batch_variance"}},
    {"topk_router_gpt", {"expert_indices", "expert_weights", ""}},
    {"moe_expert_token_remap", {"mapping", "reduced", ""}},
    {"all_to_all_dispatch", {"dispatched", "metadata", ""}},
    {"sdpa_fw", {"output", "intermediates", ""}},
    {"sdpa_bw", {"grad_query", "grad_key", "grad_value"}},
};

std::string_view resultWord(const Op& op, size_t index) {
  size_t dot = op.name.find('.');
  if (dot == std::string::npos || index >= 3) return {};
  std::string_view mnemonic = std::string_view(op.name).substr(dot + 1);
  for (const ResultNames& line : kResultNames) {
    bool full = !line.names[op.results.size() <= 3 ? op.results.size() - 1 : 0].empty();
    bool exact = op.results.size() == 3 || (op.results.size() == 2 && line.names[2].empty());
    if (line.op == mnemonic && full && exact) return line.names[index];
  }
  return {};
}

}  // namespace

ValueNames::ValueNames(const Graph& graph, const Function& func, bool renumber) : graph_(graph), renumber_(renumber) {
  if (!renumber) return;
  nameArguments(func);
  size_t next = 0;
  for (OpId op : func.ops) nameResults(graph.ops[op], next);
}

void ValueNames::nameArguments(const Function& func) {
  for (size_t i = 0; i < func.args.size(); ++i) {
    std::string name = "arg" + std::to_string(i);
    taken_.insert(name);
    names_.emplace(func.args[i].index, std::move(name));
  }
}

std::string ValueNames::unique(std::string_view wish) {
  std::string name(wish);
  while (!taken_.insert(name).second) name = std::string(wish) + "_" + std::to_string(conflicts_++);
  return name;
}

void ValueNames::nameResults(const Op& op, size_t& next) {
  if (op.results.empty()) return;
  bool words = op.results.size() > 1 && !resultWord(op, 0).empty();
  for (size_t i = 0; words && i < op.results.size(); ++i)
    names_.emplace(op.results[i].index, unique(resultWord(op, i)));
  if (!words) names_.emplace(op.results.front().index, std::to_string(next++));
}

std::string ValueNames::base(ValueId first) const {
  auto own = names_.find(first.index);
  return "%" + (own != names_.end() ? own->second : graph_.values[first].name);
}

std::string ValueNames::use(ValueId id) const {
  const Value& value = graph_.values[id];
  if (!value.producer.valid()) return base(id);
  const std::vector<ValueId>& results = graph_.ops[value.producer].results;
  bool words = names_.find(results.back().index) != names_.end();
  if (results.size() == 1 || words) return base(id);
  return base(results.front()) + "#" + std::to_string(value.index);
}

std::string ValueNames::definition(const Op& op) const {
  if (op.results.empty()) return "";
  std::string out = base(op.results.front());
  if (op.results.size() == 1) return out + " = ";
  bool words = names_.find(op.results.back().index) != names_.end();
  if (!words) return out + ":" + std::to_string(op.results.size()) + " = ";
  for (size_t i = 1; i < op.results.size(); ++i) out += ", " + use(op.results[i]);
  return out + " = ";
}

}  // namespace tessera

#include "core/lowering/cache_positions.h"

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool movesOnly(OpKind kind) {
  return kind == OpKind::TtirMeshShard || kind == OpKind::TtirBroadcast || kind == OpKind::TtirRepeat ||
         kind == OpKind::TtirReshape || kind == OpKind::TtirTypecast;
}

class CachePositions {
 public:
  explicit CachePositions(const Graph& graph)
      : graph_(graph), uses_(collectUses(graph)), positions_(graph.values.size(), false) {}

  PassResult run() {
    PassResult result{graph_};
    GraphBuilder builder(result.graph);
    for (FuncId func : graph_.funcs.ids()) {
      const std::vector<OpId>& ops = graph_.funcs[func].ops;
      if (ops.empty()) continue;
      for (OpId op : ops) findPositions(graph_.ops[op]);
      IdVec<ValueId, ValueId> now(graph_.values.size());
      for (const Group& group : groupsOf(graph_.ops[ops.back()])) {
        for (ValueId arg : group.args) {
          if (arg != group.args.back()) now[arg] = group.args.back();
        }
      }
      builder.replaceUses(func, now);
    }
    return result;
  }

 private:
  // Arguments that go up by the same number and are of one type.
  struct Group {
    int64_t step;
    ValueType type;
    std::vector<ValueId> args;
  };

  bool isArgument(ValueId value) const { return !graph_.values[value].producer.valid(); }
  const Op* made(ValueId value) const {
    const OpId producer = graph_.values[value].producer;
    return producer.valid() ? &graph_.ops[producer] : nullptr;
  }

  // Arguments that say where a cache is written, seen through views and sums.
  void findPositions(const Op& op) {
    const bool update = op.kind == OpKind::TtirUpdateCache || op.kind == OpKind::TtirPagedUpdateCache;
    if (!update || op.operands.size() < 3) return;
    std::vector<ValueId> open = {op.operands[2]};
    IdVec<ValueId, bool> seen(graph_.values.size(), false);
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (seen[value]) continue;
      seen[value] = true;
      if (isArgument(value)) {
        positions_[value] = true;
        continue;
      }
      const Op& producer = *made(value);
      if (movesOnly(producer.kind)) open.push_back(producer.operands[0]);
      if (producer.kind == OpKind::TtirAdd && producer.operands.size() > 1)
        open.insert(open.end(), {producer.operands[0], producer.operands[1]});
    }
  }

  // The argument behind a returned `argument + number`, each of which may be spread over chips.
  std::optional<std::pair<ValueId, int64_t>> counted(ValueId returned) const {
    if (uses_[returned].size() != 1) return {};
    if (const Op* shard = made(returned); shard != nullptr && shard->kind == OpKind::TtirMeshShard)
      returned = shard->operands[0];
    const Op* add = made(returned);
    if (add == nullptr || add->kind != OpKind::TtirAdd || add->operands.size() < 2 || uses_[returned].size() != 1)
      return {};
    for (size_t side = 0; side < 2; ++side) {
      ValueId arg = add->operands[side];
      if (const Op* shard = made(arg); shard != nullptr && shard->kind == OpKind::TtirMeshShard)
        arg = shard->operands[0];
      const Op* step = made(add->operands[1 - side]);
      const AttrValue* number =
          step != nullptr && step->kind == OpKind::TtirFull ? findAttr(*step, "fill_value") : nullptr;
      const bool fits = isArgument(arg) && positions_[arg] && number != nullptr &&
                        number->kind == AttrValueKind::Integer &&
                        graph_.values[arg].type == graph_.values[returned].type;
      if (fits) return std::pair(arg, number->integer);
    }
    return {};
  }

  std::vector<Group> groupsOf(const Op& last) const {
    std::vector<Group> groups;
    for (ValueId returned : last.operands) {
      const auto found = counted(returned);
      if (!found) continue;
      const ValueType& type = graph_.values[found->first].type;
      Group* group = nullptr;
      for (Group& known : groups) {
        if (known.step == found->second && known.type == type) group = &known;
      }
      if (group == nullptr) group = &groups.emplace_back(Group{found->second, type, {}});
      group->args.push_back(found->first);
    }
    return groups;
  }

  const Graph& graph_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<ValueId, bool> positions_;  // arguments that say where a cache is written
};

}  // namespace

PassResult consolidateCachePositions(const Graph& graph, const PassContext&) { return CachePositions(graph).run(); }

}  // namespace tessera

#include "core/lowering/const_eval_hoist.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "core/ir/builder.h"
#include "core/ir/functions.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool isConstantArgument(const Value& value) {
  return !value.producer.valid() && (value.role == ArgRole::Parameter || value.role == ArgRole::Constant);
}

// A device can be got anywhere.
bool isDevice(const Graph& graph, ValueId value) {
  OpId producer = graph.values[value].producer;
  return producer.valid() && graph.ops[producer].kind == OpKind::TtnnGetDevice;
}

// True for ops whose result is the same in every run, given that their operands' are.
bool mayBeHoisted(const Graph& graph, const Op& op) {
  const OpInfo& info = opInfo(op.kind);
  bool spreads = op.kind == OpKind::TtnnDistributeTensor || op.kind == OpKind::TtnnAggregateTensor ||
                 op.kind == OpKind::TtnnMeshShard;
  bool excluded = info.has(kTerminator) || info.has(kInPlace) || (info.has(kCollective) && !spreads) ||
                  op.kind == OpKind::Opaque || info.family == Family::Call || info.family == Family::Device ||
                  info.family == Family::D2m;
  if (excluded || op.results.empty()) return false;
  for (ValueId result : op.results) {
    if (!graph.values[result].type.isTensor()) return false;
  }
  return true;
}

// Marks every op of a function that depends on parameters and constants only.
IdVec<OpId, bool> findConstantOps(const Graph& graph, FuncId func) {
  IdVec<OpId, bool> constant(graph.ops.size(), false);
  for (OpId id : graph.funcs[func].ops) {
    const Op& op = graph.ops[id];
    bool fixed = mayBeHoisted(graph, op);
    for (ValueId operand : op.operands) {
      if (isDevice(graph, operand)) continue;
      const Value& value = graph.values[operand];
      fixed = fixed && (value.producer.valid() ? constant[value.producer] : isConstantArgument(value));
    }
    constant[id] = fixed;
  }
  return constant;
}

struct ConstEvalGroup {
  std::vector<OpId> ops;         // in program order
  std::vector<ValueId> inputs;   // arguments read, in their order
  std::vector<ValueId> outputs;  // results that other ops read, in program order
};

class Grouper {
 public:
  Grouper(const Graph& graph, FuncId func)
      : graph_(graph), func_(func), constant_(findConstantOps(graph, func)), root_(graph.ops.size()) {
    for (OpId op : graph.ops.ids()) root_[op] = op;
  }

  std::vector<ConstEvalGroup> run() {
    const auto& ops = graph_.funcs[func_].ops;
    for (OpId op : ops) {
      if (!constant_[op]) continue;
      for (ValueId operand : graph_.ops[op].operands) {
        if (graph_.values[operand].producer.valid() && !isDevice(graph_, operand))
          join(graph_.values[operand].producer, op);
      }
    }
    std::map<OpId, size_t> groupOf;
    std::vector<ConstEvalGroup> groups;
    for (OpId op : ops) {
      if (!constant_[op]) continue;
      auto [entry, isNew] = groupOf.insert({find(op), groups.size()});
      if (isNew) groups.emplace_back();
      addOp(groups[entry->second], op);
    }
    findOutputs(groups, groupOf);
    std::erase_if(groups, [](const ConstEvalGroup& group) { return group.outputs.empty(); });
    for (ConstEvalGroup& group : groups)
      std::sort(group.inputs.begin(), group.inputs.end(),
                [this](ValueId a, ValueId b) { return graph_.values[a].index < graph_.values[b].index; });
    return groups;
  }

 private:
  OpId find(OpId op) {
    while (root_[op] != op) {
      root_[op] = root_[root_[op]];
      op = root_[op];
    }
    return op;
  }
  // The earlier op stands for the group, so that groups come in program order.
  void join(OpId a, OpId b) {
    OpId first = find(a), second = find(b);
    if (second < first) std::swap(first, second);
    root_[second] = first;
  }
  void addOp(ConstEvalGroup& group, OpId op) {
    group.ops.push_back(op);
    for (ValueId operand : graph_.ops[op].operands) {
      bool isArgument = !graph_.values[operand].producer.valid();
      if (isArgument && std::find(group.inputs.begin(), group.inputs.end(), operand) == group.inputs.end())
        group.inputs.push_back(operand);
    }
  }
  void findOutputs(std::vector<ConstEvalGroup>& groups, const std::map<OpId, size_t>& groupOf) {
    auto uses = collectUses(graph_);
    for (OpId op : graph_.funcs[func_].ops) {
      if (!constant_[op]) continue;
      for (ValueId result : graph_.ops[op].results) {
        bool readOutside =
            std::any_of(uses[result].begin(), uses[result].end(), [&](const Use& use) { return !constant_[use.op]; });
        if (readOutside) groups[groupOf.at(find(op))].outputs.push_back(result);
      }
    }
  }

  const Graph& graph_;
  FuncId func_;
  IdVec<OpId, bool> constant_;
  IdVec<OpId, OpId> root_;
};

// Everything is changed in one go at the end, so that the work is linear in the graph and not in graph times groups.
class Hoister {
 public:
  Hoister(const Graph& graph, FuncId caller)
      : out_(graph),
        builder_(out_),
        caller_(caller),
        before_(graph.funcs[caller].ops),
        isHoisted_(graph.ops.size(), false),
        now_(graph.values.size()),
        names_(functionNames(graph)) {}

  Graph run(const std::vector<ConstEvalGroup>& groups) {
    for (size_t i = 0; i < groups.size(); ++i) hoist(groups[i], freeName(i));
    std::vector<OpId> order = loads_;
    for (OpId op : before_) {
      if (!isHoisted_[op]) order.push_back(op);
    }
    builder_.replaceUses(caller_, now_);
    builder_.removeOps(caller_, isHoisted_);
    builder_.reorder(caller_, std::move(order));
    return compactGraph(out_);
  }

 private:
  std::string freeName(size_t number) {
    std::string base = out_.funcs[caller_].name + "_const_eval_" + std::to_string(number);
    std::string name = base;
    for (int i = 1; !names_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    return name;
  }

  void hoist(const ConstEvalGroup& group, const std::string& name) {
    makeFunction(group, name);
    OpSpec load;
    load.kind = OpKind::TtcoreLoadCached;
    load.name = "ttcore.load_cached";
    load.operands = group.inputs;
    load.attrs = {{"callee", symbolAttr(name)}};
    load.resultName = name;
    load.loc = out_.ops[group.ops.back()].loc;
    load.span = out_.ops[group.ops.back()].span;
    for (ValueId output : group.outputs) load.resultTypes.push_back(out_.values[output].type);
    loads_.push_back(builder_.append(caller_, std::move(load)));
    for (size_t i = 0; i < group.outputs.size(); ++i) now_[group.outputs[i]] = out_.ops[loads_.back()].results[i];
    for (OpId op : group.ops) isHoisted_[op] = true;
  }

  void makeFunction(const ConstEvalGroup& group, const std::string& name) {
    FuncId func = builder_.addFunction(name, true);
    std::map<ValueId, ValueId> copyOf;
    for (ValueId input : group.inputs) {
      const Value value = out_.values[input];
      copyOf[input] = builder_.addArgument(func, value.name, value.type, value.role, value.label);
    }
    for (OpId id : group.ops) {
      const Op op = out_.ops[id];
      for (ValueId operand : op.operands) {
        if (isDevice(out_, operand) && copyOf.count(operand) == 0)
          copyOf[operand] = getDevice(func, out_.values[operand].producer);
      }
      OpSpec spec{op.kind, op.name, {}, {}, op.attrs, out_.values[op.results[0]].name, op.loc, op.span, op.origins};
      for (ValueId operand : op.operands) spec.operands.push_back(copyOf.at(operand));
      for (ValueId result : op.results) spec.resultTypes.push_back(out_.values[result].type);
      OpId copy = builder_.append(func, std::move(spec));
      for (size_t i = 0; i < op.results.size(); ++i) copyOf[op.results[i]] = out_.ops[copy].results[i];
    }
    OpSpec ret;
    ret.kind = opKindFromName("func.return");
    ret.name = "func.return";
    for (ValueId output : group.outputs) ret.operands.push_back(copyOf.at(output));
    builder_.append(func, std::move(ret));
    setResultTypes(out_, out_.funcs[func]);
    out_.funcs[func].attrs.push_back({"tt.function_type", stringAttr("const_eval")});
  }

  ValueId getDevice(FuncId func, OpId like) {
    const Op& op = out_.ops[like];
    OpSpec spec = makeOp(op.kind, {}, {out_.values[op.results[0]].type});
    spec.attrs = op.attrs;
    spec.resultName = out_.values[op.results[0]].name;
    return builder_.result(builder_.append(func, std::move(spec)));
  }

  Graph out_;
  GraphBuilder builder_;
  FuncId caller_;
  std::vector<OpId> before_;  // ops of the function as they were
  std::vector<OpId> loads_;   // one per group
  IdVec<OpId, bool> isHoisted_;
  IdVec<ValueId, ValueId> now_;            // what is read instead of a result that moved away
  std::unordered_set<std::string> names_;  // of functions
};

}  // namespace

Graph hoistConstEval(const Graph& graph) {
  Graph out = graph;
  for (FuncId func : graph.funcs.ids()) {
    const Function& caller = out.funcs[func];
    if (caller.isPrivate || caller.ops.empty()) continue;
    std::vector<ConstEvalGroup> groups = Grouper(out, func).run();
    if (!groups.empty()) out = Hoister(out, func).run(groups);
  }
  return out;
}

}  // namespace tessera

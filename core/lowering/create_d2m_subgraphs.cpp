#include "core/lowering/create_d2m_subgraphs.h"

#include <algorithm>

#include "core/ir/functions.h"
#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

struct D2mGroup {
  std::vector<OpId> ops;        // in program order; the last one is the exit
  std::vector<ValueId> inputs;  // from outside, each once, in the order they are first read
};

class D2mFusing {
 public:
  explicit D2mFusing(const Graph& graph)
      : graph_(graph),
        uses_(collectUses(graph)),
        written_(graph.values.size(), false),
        groupOf_(graph.ops.size(), -1) {}

  PassResult run() {
    findGroups();
    GraphRewriter rewriter(graph_);
    std::vector<PassNote> notes;
    std::vector<std::string> names = kernelNames();
    for (FuncId func : graph_.funcs.ids()) {
      for (OpId op : graph_.funcs[func].ops) {
        int32_t index = groupOf_[op];
        if (index < 0) {
          rewriter.copy(op);
          continue;
        }
        const D2mGroup& group = groups_[static_cast<size_t>(index)];
        if (op != group.ops.back()) continue;
        std::vector<ValueId> operands;
        for (ValueId input : group.inputs) operands.push_back(rewriter.now(input));
        OpSpec spec =
            makeOp(OpKind::TtnnDispatchD2m, std::move(operands), {graph_.values[graph_.ops[op].results[0]].type});
        spec.attrs = {{"d2m_func", symbolAttr(names[static_cast<size_t>(index)])}};
        OpId fused = rewriter.replace(op, std::move(spec));
        for (OpId member : group.ops) {
          if (member != op) rewriter.absorb(fused, member);
        }
        notes.push_back({fused, std::to_string(group.ops.size()) + " element-wise ops in one kernel"});
      }
    }
    Graph out = rewriter.finish();
    addKernels(out, names);
    return {std::move(out), std::move(notes)};
  }

 private:
  bool isEligible(OpId op) const {
    const Op& o = graph_.ops[op];
    const OpInfo& info = opInfo(o.kind);
    bool eltwise = info.family == Family::EltwiseUnary || info.family == Family::EltwiseBinary;
    if (!eltwise || info.has(kInPlace) || info.name.substr(0, 5) != "ttnn." || o.results.size() != 1) return false;
    const ValueType& result = graph_.values[o.results[0]].type;
    if (!result.isTensor() || (result.tensor->dtype != DType::BF16 && result.tensor->dtype != DType::F32)) return false;
    for (ValueId operand : o.operands) {
      const ValueType& type = graph_.values[operand].type;
      bool alike =
          type.isTensor() && type.tensor->shape == result.tensor->shape && type.tensor->dtype == result.tensor->dtype;
      if (!alike || written_[operand]) return false;  // what is written in place may not be read later than before
    }
    return true;
  }

  // From the last op to the first: all readers of an op are known when it is its turn.
  void findGroups() {
    const std::vector<OpId>& ops = graph_.funcs[graph_.forward].ops;
    for (OpId op : ops) {
      const Op& o = graph_.ops[op];
      bool writes = opInfo(o.kind).has(kInPlace) || (o.results.empty() && !opInfo(o.kind).has(kTerminator));
      for (ValueId operand : o.operands) written_[operand] = written_[operand] || writes;
    }
    IdVec<OpId, int32_t> group(graph_.ops.size(), -1);
    std::vector<std::vector<OpId>> members;
    for (size_t i = ops.size(); i > 0; --i) {
      OpId op = ops[i - 1];
      if (!isEligible(op)) continue;
      const std::vector<Use>& uses = uses_[graph_.ops[op].results[0]];
      int32_t into = uses.empty() ? -1 : group[uses[0].op];
      for (const Use& use : uses) {
        if (group[use.op] != into) into = -1;
      }
      if (into < 0) {
        into = static_cast<int32_t>(members.size());
        members.emplace_back();
      }
      group[op] = into;
      members[static_cast<size_t>(into)].push_back(op);
    }
    for (size_t i = members.size(); i > 0; --i) addGroup(members[i - 1]);
  }

  void addGroup(std::vector<OpId> reversed) {
    if (reversed.size() < 2) return;
    D2mGroup group;
    group.ops.assign(reversed.rbegin(), reversed.rend());
    auto index = static_cast<int32_t>(groups_.size());
    for (OpId op : group.ops) groupOf_[op] = index;
    for (OpId op : group.ops) {
      for (ValueId operand : graph_.ops[op].operands) {
        OpId producer = graph_.values[operand].producer;
        bool inside = producer.valid() && groupOf_[producer] == index;
        bool known = std::find(group.inputs.begin(), group.inputs.end(), operand) != group.inputs.end();
        if (!inside && !known) group.inputs.push_back(operand);
      }
    }
    groups_.push_back(std::move(group));
  }

  std::vector<std::string> kernelNames() const {
    const std::unordered_set<std::string> taken = functionNames(graph_);
    std::vector<std::string> names;
    size_t number = 0;
    while (names.size() < groups_.size()) {
      std::string name = "d2m_kernel_" + std::to_string(number++);
      if (taken.count(name) == 0) names.push_back(name);
    }
    return names;
  }

  void addKernels(Graph& out, const std::vector<std::string>& names) const {
    GraphBuilder builder(out);
    for (size_t i = 0; i < groups_.size(); ++i) {
      FuncId func = builder.addFunction(names[i], true);
      IdVec<ValueId, ValueId> inside(graph_.values.size());
      for (ValueId input : groups_[i].inputs)
        inside[input] =
            builder.addArgument(func, "arg" + std::to_string(out.funcs[func].args.size()), graph_.values[input].type);
      ValueId last;
      for (OpId op : groups_[i].ops) {
        const Op& o = graph_.ops[op];
        OpSpec spec = makeOp(o.kind, {}, {graph_.values[o.results[0]].type});
        for (ValueId operand : o.operands) spec.operands.push_back(inside[operand]);
        spec.attrs = o.attrs;
        spec.loc = o.loc;
        last = builder.result(builder.append(func, std::move(spec)));
        inside[o.results[0]] = last;
      }
      builder.append(func, makeOp(OpKind::FuncReturn, {last}, {}));
      builder.setResultTypes(func, {out.values[last].type});
    }
  }

  const Graph& graph_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<ValueId, bool> written_;
  IdVec<OpId, int32_t> groupOf_;
  std::vector<D2mGroup> groups_;
};

}  // namespace

PassResult createD2mSubgraphs(const Graph& graph, const PassContext&) { return D2mFusing(graph).run(); }

}  // namespace tessera

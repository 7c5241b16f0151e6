#include "core/lowering/deallocate.h"

#include <unordered_set>

#include "core/lowering/graph_editor.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

class Deallocator {
 public:
  explicit Deallocator(const Graph& graph)
      : graph_(graph),
        editor_(graph),
        lastUse_(graph.values.size()),
        keep_(graph.values.size(), false),
        freedBy_(graph.values.size()) {}

  PassResult run() {
    std::unordered_set<std::string> loaded = constEvalFunctions();
    for (const Function& func : graph_.funcs) {
      if (func.ops.empty() || loaded.count(func.name) > 0) continue;
      for (ValueId arg : func.args) keep_[arg] = !diesHere(graph_.values[arg].role) || inL1(arg);
      for (OpId op : func.ops) look(op);
      for (ValueId value : graph_.ops[func.ops.back()].operands) keep_[value] = true;
      freeArguments(func);
      for (OpId op : func.ops) freeAfter(op);
    }
    return {editor_.finish(), {}, std::move(problems_)};
  }

 private:
  // Functions that run once, when the model is loaded.
  std::unordered_set<std::string> constEvalFunctions() const {
    std::unordered_set<std::string> names;
    for (const Op& op : graph_.ops) {
      const AttrValue* callee = op.kind == OpKind::TtcoreLoadCached ? findAttr(op, "callee") : nullptr;
      if (callee != nullptr) names.insert(callee->string);
    }
    return names;
  }

  static bool diesHere(ArgRole role) { return role == ArgRole::Input || role == ArgRole::None; }

  // What arrives in L1 is the caller's: policies count on it up to the end.
  bool inL1(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    return type.isTensor() && type.tensor->layout && type.tensor->layout->isL1();
  }

  bool onDevice(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    return type.isTensor() && (!type.tensor->layout || type.tensor->layout->buffer != BufferType::SystemMemory);
  }

  void look(OpId id) {
    const Op& op = graph_.ops[id];
    for (size_t i = 0; i < op.operands.size(); ++i) {
      ValueId value = op.operands[i];
      if (freedBy_[value].valid())
        problems_.push_back({id, "reads %" + graph_.values[value].name + " after it was deallocated"});
      lastUse_[value] = {id, static_cast<int32_t>(i)};
    }
    if (op.kind == OpKind::TtnnDeallocate && !op.operands.empty()) freedBy_[op.operands[0]] = id;
    // The cache that an update writes into is wanted later.
    if (opInfo(op.kind).has(kInPlace) && !op.operands.empty()) keep_[op.operands[0]] = true;
  }

  // A convolution that frees its input when it has read it.
  bool convFrees(const Use& use) const {
    const Op& op = graph_.ops[use.op];
    if (opInfo(op.kind).family != Family::Conv || use.operand != 0) return false;
    const AttrValue* config = findAttr(op, "conv2d_config");
    const ValueType& type = graph_.values[op.operands[0]].type;
    bool inL1 = type.isTensor() && type.tensor->layout && type.tensor->layout->isL1();
    return inL1 && config != nullptr && config->text.find("deallocate_activation = true") != std::string::npos;
  }

  void freeArguments(const Function& func) {
    for (ValueId arg : func.args) {
      if (lastUse_[arg].op.valid()) freeAfterUse(arg);
    }
  }

  // What was computed when the model was loaded is wanted again in the next run.
  void freeAfter(OpId id) {
    if (graph_.ops[id].kind == OpKind::TtcoreLoadCached) return;
    for (ValueId result : graph_.ops[id].results) freeAfterUse(result);
  }

  // What nobody reads is freed where it is made.
  void freeAfterUse(ValueId value) {
    Use use = lastUse_[value];
    OpId anchor = use.op.valid() ? use.op : graph_.values[value].producer;
    if (keep_[value] || freedBy_[value].valid() || !onDevice(value) || (use.op.valid() && convFrees(use))) return;
    OpSpec spec = makeOp(OpKind::TtnnDeallocate, {value}, {});
    spec.attrs = {{"force", boolAttr(false)}};
    editor_.insertAfter(anchor, std::move(spec));
  }

  const Graph& graph_;
  GraphEditor editor_;
  IdVec<ValueId, Use> lastUse_;  // of the given graph
  IdVec<ValueId, bool> keep_;
  IdVec<ValueId, OpId> freedBy_;  // the program's own deallocates
  std::vector<PassNote> problems_;
};

}  // namespace

PassResult insertDeallocates(const Graph& graph, const PassContext&) { return Deallocator(graph).run(); }

}  // namespace tessera

#include "core/lowering/ttnn_fusing.h"

#include <string>

#include "core/ir/builder.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// What the library's convolution does to its sums; empty: nothing of the kind.
std::string_view activationOfConv(OpKind kind) {
  switch (kind) {
    case OpKind::TtnnRelu: return "relu";
    case OpKind::TtnnRelu6: return "relu6";
    case OpKind::TtnnSilu: return "silu";
    case OpKind::TtnnSigmoid: return "sigmoid";
    default: return {};
  }
}

class Fuser {
 public:
  explicit Fuser(const Graph& graph)
      : out_(graph),
        builder_(out_),
        uses_(collectUses(graph)),
        now_(graph.values.size()),
        removed_(graph.ops.size(), false) {}

  PassResult run() {
    for (FuncId func : out_.funcs.ids()) {
      bool changed = false;
      for (OpId op : out_.funcs[func].ops) changed = fuse(op) || changed;
      if (!changed) continue;
      builder_.replaceUses(func, now_);
      builder_.removeOps(func, removed_);
    }
    if (notes_.empty()) return {std::move(out_)};
    return {compactGraph(out_)};
  }

 private:
  // What stands there after what was fused before.
  ValueId current(ValueId value) const { return now_[value].valid() ? now_[value] : value; }
  bool onlyRead(ValueId value) const { return uses_[value].size() == 1; }

  bool fuse(OpId id) {
    const Op& op = out_.ops[id];
    std::string_view name = activationOfConv(op.kind);
    if (name.empty() || op.operands.size() != 1 || op.results.size() != 1) return false;
    ValueId value = op.operands[0];
    OpId made = out_.values[value].producer;
    // A flattened convolution has a reshape behind it.
    if (!now_[value].valid() && onlyRead(value) && made.valid() && out_.ops[made].kind == OpKind::TtnnReshape) {
      value = out_.ops[made].operands[0];
      made = out_.values[value].producer;
    }
    if (!made.valid() || now_[value].valid() || !onlyRead(value)) return false;
    return into(made, name) && replaced(id);
  }

  bool into(OpId made, std::string_view name) {
    const Op& op = out_.ops[made];
    if (findAttr(op, "activation") != nullptr) return false;
    if (op.kind == OpKind::TtnnConv2d && op.operands.size() > 1) {
      const AttrValue* config = findAttr(op, "conv2d_config");
      std::string text = config ? config->text : std::string();
      if (!conv2dConfigField(text, "activation").empty()) return false;
      const ValueType& weight = out_.values[op.operands[1]].type;
      if (weight.isTensor())
        text = withConv2dConfigField(text, "weights_dtype", std::string(dtypeName(weight.tensor->dtype)));
      text = withConv2dConfigField(text, "activation", "<op_type = " + std::string(name) + ">");
      builder_.setAttr(made, "conv2d_config", rawAttr(text));
      return true;
    }
    bool product = op.kind == OpKind::TtnnLinear || op.kind == OpKind::TtnnMatmul;
    if (!product || name != "sigmoid") return false;
    builder_.setAttr(made, "activation", stringAttr(name));
    return true;
  }

  bool replaced(OpId id) {
    const Op& op = out_.ops[id];
    now_[op.results[0]] = current(op.operands[0]);
    removed_[id] = true;
    notes_.push_back({id, "taken into the op before it"});
    return true;
  }

  Graph out_;
  GraphBuilder builder_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<ValueId, ValueId> now_;
  IdVec<OpId, bool> removed_;
  std::vector<PassNote> notes_;
};

}  // namespace

PassResult fuseTtnn(const Graph& graph, const PassContext&) { return Fuser(graph).run(); }

}  // namespace tessera

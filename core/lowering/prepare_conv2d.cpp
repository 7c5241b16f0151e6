#include "core/lowering/prepare_conv2d.h"

#include <unordered_map>
#include <unordered_set>

#include "core/ir/functions.h"
#include "core/lowering/graph_editor.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {

namespace {

struct Preparation {
  OpKind kind;
  AttrList attrs;
  ValueType type;
};

class Preparer {
 public:
  Preparer(const Graph& graph, const PassContext& context)
      : graph_(graph),
        context_(context),
        editor_(graph),
        uses_(collectUses(graph)),
        device_(graph.funcs.size()),
        names_(functionNames(graph)) {
    for (FuncId func : graph.funcs.ids()) funcs_.emplace(graph.funcs[func].name, func);
  }

  PassResult run() {
    const std::vector<OpId>& ops = graph_.funcs[graph_.forward].ops;
    first_ = ops.front();
    for (OpId op : ops) {
      OpKind kind = graph_.ops[op].kind;
      if (kind == OpKind::TtnnConv2d || kind == OpKind::TtnnConvTranspose2d) prepare(op);
    }
    return {editor_.finish(), {}, std::move(problems_)};
  }

 private:
  bool waitsOnHost(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    return type.isTensor() && type.tensor->layout && type.tensor->layout->buffer == BufferType::SystemMemory;
  }

  // Index of the bias; -1 without one. The device comes last and is no tensor.
  int biasOf(const Op& op) const {
    bool bias = op.operands.size() > 2 && graph_.values[op.operands[2]].type.isTensor();
    return bias ? 2 : -1;
  }

  void prepare(OpId id) {
    const Op& op = graph_.ops[id];
    if (op.operands.size() < 2 || !graph_.values[op.operands[1]].type.isTensor()) return;
    std::optional<Window2d> window = window2d(graph_, id);
    if (!waitsOnHost(op.operands[1])) {
      const Shape& shape = graph_.values[op.operands[1]].type.tensor->shape;
      bool matrix = shape.size() == 4 && shape[0] == 1 && shape[1] == 1;
      bool laidOut = graph_.values[op.operands[1]].type.tensor->layout.has_value();
      if (!matrix && laidOut)
        problems_.push_back({id, "its weight is on the device; the library prepares weights on the host, in rows"});
      return;
    }
    if (!window) {
      problems_.push_back({id, "its numbers do not fit its shapes, so its weight is left as it is"});
      return;
    }
    replace(id, 1, weights(id, *window));
    int bias = biasOf(op);
    if (bias > 0 && waitsOnHost(op.operands[2])) replace(id, bias, biases(id, *window));
  }

  // --- what the library makes

  AttrList windowAttrs(const Op& op) const {
    static constexpr std::string_view kTaken[] = {"batch_size",   "dilation",    "groups",       "in_channels",
                                                  "input_height", "input_width", "kernel_size",  "out_channels",
                                                  "padding",      "stride",      "conv2d_config"};
    AttrList attrs;
    for (std::string_view name : kTaken) {
      if (const AttrValue* value = findAttr(op, name)) attrs.push_back({std::string(name), *value});
    }
    return attrs;
  }

  ValueType prepared(const ValueType& from, Shape shape, const Op& op) const {
    ValueType type = from;
    type.tensor->shape = std::move(shape);
    type.tensor->encoding.clear();
    type.tensor->written.reset();
    const AttrValue* weightsType = findAttr(op, "weights_dtype");
    std::optional<DType> dtype = weightsType ? parseDType(weightsType->string) : std::nullopt;
    if (const AttrValue* config = findAttr(op, "conv2d_config"); config && !dtype)
      dtype = parseDType(conv2dConfigField(config->text, "weights_dtype"));
    if (dtype) type.tensor->dtype = *dtype;
    auto layout = makeLayout(type.tensor->shape, {.dtype = deviceDType(type.tensor->dtype)}, context_.device);
    if (layout.ok()) type.tensor->layout = *layout;
    return type;
  }

  Preparation weights(OpId id, const Window2d& w) const {
    const Op& op = graph_.ops[id];
    const ValueType& from = graph_.values[op.operands[1]].type;
    int64_t depth = w.inC / std::max<int64_t>(w.groups, 1) * w.kernelH * w.kernelW;
    bool transposed = op.kind == OpKind::TtnnConvTranspose2d;
    Preparation out{transposed ? OpKind::TtnnPrepareConvTranspose2dWeights : OpKind::TtnnPrepareConv2dWeights,
                    windowAttrs(op), prepared(from, {1, 1, std::max<int64_t>(depth, 1), w.outC}, op)};
    out.attrs.push_back({"has_bias", boolAttr(biasOf(op) > 0)});
    out.attrs.push_back({"weights_format", stringAttr(transposed ? "IOHW" : "OIHW")});
    return out;
  }

  Preparation biases(OpId id, const Window2d& w) const {
    const Op& op = graph_.ops[id];
    bool transposed = op.kind == OpKind::TtnnConvTranspose2d;
    return {transposed ? OpKind::TtnnPrepareConvTranspose2dBias : OpKind::TtnnPrepareConv2dBias, windowAttrs(op),
            prepared(graph_.values[op.operands[2]].type, {1, 1, 1, w.outC}, op)};
  }

  // --- where it is made

  void replace(OpId conv, int operand, const Preparation& p) {
    ValueId source = graph_.ops[conv].operands[static_cast<size_t>(operand)];
    ValueId made;
    OpId producer = graph_.values[source].producer;
    bool loaded = producer.valid() && graph_.ops[producer].kind == OpKind::TtcoreLoadCached;
    ArgRole role = graph_.values[source].role;
    // An argument without a role that waits on the host is read by convolutions only, as their weight (ttnn-layout): it
    // counts as one.
    bool constant = !producer.valid() && role != ArgRole::Input && role != ArgRole::KvCache;
    if (context_.options.constEval && loaded) made = inCallee(conv, source, p);
    else if (context_.options.constEval && constant) made = inNewFunction(conv, source, p);
    if (!made.valid()) made = inForward(conv, source, p);
    editor_.graph().ops.edit(conv).operands[static_cast<size_t>(operand)] = made;
  }

  OpSpec specOf(OpId conv, const Preparation& p, ValueId source, ValueId device) const {
    OpSpec spec = makeOp(p.kind, {source, device}, {p.type});
    spec.attrs = p.attrs;
    spec.loc = graph_.ops[conv].loc;
    spec.span = graph_.ops[conv].span;
    spec.origins = graph_.ops[conv].origins;
    return spec;
  }

  OpSpec getDevice() const { return getDeviceSpec(context_.options.meshShape); }

  // The device of an old function: the one it gets, when its first ops do, else got at its start.
  ValueId deviceOf(FuncId func) {
    ValueId& device = device_[static_cast<size_t>(func.index)];
    if (device.valid()) return device;
    const std::vector<OpId>& ops = graph_.funcs[func].ops;
    if (graph_.ops[ops.front()].kind == OpKind::TtnnGetDevice) device = graph_.ops[ops.front()].results[0];
    else device = editor_.result(editor_.insertBefore(ops.front(), getDevice()));
    return device;
  }

  ValueId inForward(OpId conv, ValueId source, const Preparation& p) {
    return editor_.result(editor_.insertBefore(conv, specOf(conv, p, source, deviceOf(graph_.forward))));
  }

  OpId loadBefore(OpId conv, const std::string& callee, ValueId source, const ValueType& type) {
    OpSpec load = makeOp(OpKind::TtcoreLoadCached, {source}, {type});
    load.attrs = {{"callee", symbolAttr(callee)}};
    load.resultName = callee;
    load.loc = graph_.ops[conv].loc;
    load.span = graph_.ops[conv].span;
    load.origins = graph_.ops[conv].origins;
    return editor_.insertBefore(first_, std::move(load));
  }

  ValueId inNewFunction(OpId conv, ValueId source, const Preparation& p) {
    std::string base = graph_.funcs[graph_.forward].name + "_const_eval_";
    std::string name;
    do name = base + std::to_string(nextNumber_++);
    while (!names_.insert(name).second);
    GraphBuilder& builder = editor_.builder();
    FuncId func = builder.addFunction(name, true);
    funcs_.emplace(name, func);
    const Value value = graph_.values[source];
    ValueId arg = builder.addArgument(func, value.name, value.type, value.role, value.label);
    ValueId device = builder.result(builder.append(func, getDevice()));
    ValueId result = builder.result(builder.append(func, specOf(conv, p, arg, device)));
    builder.append(func, makeOp(OpKind::FuncReturn, {result}, {}));
    return editor_.result(loadBefore(conv, name, source, p.type));
  }

  // The const-eval function that makes the weight prepares it too, when nobody else reads the weight.
  ValueId inCallee(OpId conv, ValueId source, const Preparation& p) {
    const Op& load = graph_.ops[graph_.values[source].producer];
    const AttrValue* callee = findAttr(load, "callee");
    auto at = callee ? funcs_.find(callee->string) : funcs_.end();
    if (at == funcs_.end() || uses_[source].size() != 1 || static_cast<size_t>(at->second.index) >= device_.size())
      return {};
    OpId ret = graph_.funcs[at->second].ops.back();
    auto index = static_cast<size_t>(graph_.values[source].index);
    if (index >= graph_.ops[ret].operands.size()) return {};
    ValueId weight = editor_.graph().ops[ret].operands[index];
    OpId made = editor_.insertBefore(ret, specOf(conv, p, weight, deviceOf(at->second)));
    editor_.graph().ops.edit(ret).operands[index] = editor_.result(made);
    editor_.graph().values.edit(source).type = p.type;
    return source;
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphEditor editor_;
  IdVec<ValueId, std::vector<Use>> uses_;
  std::vector<ValueId> device_;  // by function of the given graph
  std::unordered_map<std::string, FuncId> funcs_;
  std::unordered_set<std::string> names_;  // of functions
  OpId first_;                             // of the forward function
  int64_t nextNumber_ = 0;
  std::vector<PassNote> problems_;
};

}  // namespace

PassResult prepareConv2dWeightsAndBias(const Graph& graph, const PassContext& context) {
  return Preparer(graph, context).run();
}

}  // namespace tessera

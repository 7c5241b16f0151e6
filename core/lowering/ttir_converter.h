#pragma once
// The walk of convert-ttir-to-ttnn as its rules see it: what an op was, what its operands are now, and how the TTNN op
// in its place is made.

#include <optional>
#include <string>
#include <vector>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_ops.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

// Attributes of an op that is still to be made.
void setAttr(OpSpec& spec, std::string_view name, AttrValue value);  // added, or its value replaced
void dropAttr(OpSpec& spec, std::string_view name);
bool hasAttr(const OpSpec& spec, std::string_view name);

class TtirConverter {
 public:
  TtirConverter(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), device_(context.device), rewriter_(graph), devices_(graph.funcs.size()) {}

  const Op& op(OpId old) const { return graph_.ops[old]; }
  const TensorType& resultTensor(OpId old) const { return *graph_.values[op(old).results[0]].type.tensor; }
  const Shape* operandShape(OpId old, size_t index) const {
    const ValueType& type = graph_.values[op(old).operands[index]].type;
    return type.isTensor() ? &type.tensor->shape : nullptr;
  }
  OpKind target() const { return target_; }
  GraphRewriter& rewriter() { return rewriter_; }
  const Graph& source() const { return graph_; }

  // The op as `kind`, with the operands that are read, the device if the op takes one, and the attributes it had.
  OpSpec plain(OpId old, OpKind kind) {
    const Op& from = op(old);
    OpSpec spec = makeOp(kind, {}, {});
    size_t inputs = static_cast<size_t>(inputCount(graph_, old));
    const std::optional<size_t> output = outputAmongInputs(old, inputs);
    for (size_t i = 0; i < inputs; ++i) {
      if (i != output) spec.operands.push_back(rewriter_.now(from.operands[i]));
    }
    const OpInfo& info = opInfo(kind);
    // What the chips of a mesh say to each other names the mesh in its attributes.
    bool takesDevice = info.roles.find("device?") != std::string_view::npos && info.family != Family::ToLayout &&
                       (specificationRules() || info.family != Family::Collective);
    if (takesDevice) spec.operands.push_back(device(from.func));
    for (ValueId result : from.results) spec.resultTypes.push_back(graph_.values[result].type);
    spec.attrs = from.attrs;
    fitSegments(spec, from, inputs, output, takesDevice);
    return spec;
  }

  // The device of a function: of its first op, or got here.
  ValueId device(FuncId func) {
    ValueId& device = devices_[func];
    if (!device.valid()) device = getDevice(func);
    return device;
  }
  const DeviceSpec& deviceSpec() const { return device_; }
  TtnnOps ops(OpId old) { return {graph_, context_, rewriter_, devices_, old}; }
  bool rulesOf2025() const { return context_.options.release == CompilerRelease::Autumn2025; }
  const std::vector<int64_t>& meshShape() const { return context_.options.meshShape; }
  bool specificationRules() const { return context_.options.specificationRules; }

  void problem(OpId made, std::string why) { problems_.push_back({made, std::move(why)}); }

  // For the walk: the kind that the next rule makes, a device that an op of the source got, and the end.
  void startOp(OpKind target) { target_ = target; }
  void takeDevice(FuncId func, ValueId device) { devices_[func] = device; }
  PassResult finish() { return {rewriter_.finish(), {}, std::move(problems_)}; }

 private:
  ValueId getDevice(FuncId func);
  // The tensor that an op writes into when it stands before optional operands: a segment of its own, made by `empty`.
  std::optional<size_t> outputAmongInputs(OpId old, size_t inputs) const;
  // operandSegmentSizes counts the operands of each role of the new op: no outputs, the device.
  static void fitSegments(OpSpec& spec, const Op& from, size_t inputs, std::optional<size_t> output, bool device);

  const Graph& graph_;
  const PassContext& context_;
  const DeviceSpec& device_;
  GraphRewriter rewriter_;
  OpKind target_{};
  IdVec<FuncId, ValueId> devices_;
  std::vector<PassNote> problems_;
};

// The rules that need more than another name or another form of an attribute. Each makes the op (or ops) of `old` and
// maps its results.
using ConversionRule = void (*)(TtirConverter&, OpId old);

// The same operands and attributes.
void sameAttrs(TtirConverter& c, OpId old);

// convert_library_forms.cpp: ops whose form in the library is another one.
void batchNorm(TtirConverter& c, OpId old);
void power(TtirConverter& c, OpId old);
void product(TtirConverter& c, OpId old);
void embeddingBackward(TtirConverter& c, OpId old);
void adamw(TtirConverter& c, OpId old);
void conv1d(TtirConverter& c, OpId old);
void attention(TtirConverter& c, OpId old);

// convert_mesh_ops.cpp: what the chips of a mesh exchange.
void collective(TtirConverter& c, OpId old);
void meshShard(TtirConverter& c, OpId old);

}  // namespace tessera

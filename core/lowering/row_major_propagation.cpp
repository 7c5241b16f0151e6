#include "core/lowering/row_major_propagation.h"

#include <algorithm>
#include <map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool isInteger(const TensorType& type) { return isInteger(deviceDType(type.dtype)); }

// Conversions that make tiles of rows; the other ops that change a layout move what is there.
bool makesPages(OpKind kind) { return kind == OpKind::TtnnToLayout || kind == OpKind::TtnnToTensorSpec; }

class Propagation {
 public:
  Propagation(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), rewriter_(graph), expected_(graph.values.size()) {}

  PassResult run() {
    for (FuncId func : graph_.funcs.ids()) {
      inTiles_.clear();
      bool forward = func == graph_.forward;
      for (OpId op : graph_.funcs[func].ops) {
        if (forward && skipsTiling(op)) continue;
        if (forward) rewrite(op);
        else rewriter_.copy(op);
      }
    }
    return {rewriter_.finish(), std::move(notes_)};
  }

 private:
  const ValueType& newType(ValueId old) { return rewriter_.graph().values[rewriter_.now(old)].type; }

  // A value that flows in rows although the old graph had it in tiles.
  bool flowsInRows(ValueId old) const { return expected_[old].has_value(); }

  bool isIntegerInput(ValueId value) const {
    const Value& v = graph_.values[value];
    // An argument without a role counts as an input where the specification's rules hold, or the pass is run alone.
    const bool unnamed = v.role == ArgRole::None && (context_.options.specificationRules || context_.byName);
    return !v.producer.valid() && (v.role == ArgRole::Input || unnamed) && v.type.isTensor() &&
           isInteger(*v.type.tensor);
  }

  // Rows to tiles, and nothing else, of an integer input: the reader gets the rows.
  bool skipsTiling(OpId id) {
    const Op& op = graph_.ops[id];
    if (!makesPages(op.kind) || op.operands.size() != 1 || !isIntegerInput(op.operands[0])) return false;
    written_ = op.kind;
    const ValueType& from = graph_.values[op.operands[0]].type;
    const ValueType& to = graph_.values[op.results[0]].type;
    if (!from.tensor->layout || !to.tensor || !to.tensor->layout) return false;
    const TensorLayout& a = *from.tensor->layout;
    const TensorLayout& b = *to.tensor->layout;
    bool pagesOnly = a.page == PageLayout::RowMajor && b.page == PageLayout::Tile && a.buffer == b.buffer &&
                     a.memory == b.memory && a.dtype == b.dtype;
    if (!pagesOnly || a.buffer == BufferType::SystemMemory) return false;
    rewriter_.map(op.results[0], rewriter_.now(op.operands[0]));
    expected_[op.results[0]] = b;
    ops_.insert({op.results[0], id});
    return true;
  }

  void rewrite(OpId old) {
    const Op& op = graph_.ops[old];
    bool anyRows = false;
    for (ValueId operand : op.operands) anyRows |= flowsInRows(operand);
    if (!anyRows) {
      rewriter_.copy(old);
      return;
    }
    // The reader asked for the rows that are there already.
    if (opInfo(op.kind).has(kToLayout) && op.results.size() == 1 &&
        newType(op.operands[0]) == graph_.values[op.results[0]].type) {
      rewriter_.map(op.results[0], rewriter_.now(op.operands[0]));
      return;
    }
    const Family family = opInfo(op.kind).family;
    bool takesRows = !opInfo(op.kind).has(kTerminator) && family != Family::Call && family != Family::Collective &&
                     op.kind != OpKind::Opaque;  // nobody knows what such an op reads
    std::optional<TensorLayout> rows = takesRows ? rowsOfResult(op) : std::nullopt;
    if (rows && accepted(old, *rows)) {
      OpId made = rewriter_.copy(old);
      ValueId result = op.results[0];
      expected_[result] = graph_.values[result].type.tensor->layout;
      rewriter_.graph().values.edit(rewriter_.result(made)).type = typeWithLayout(graph_.values[result].type, *rows);
      notes_.push_back({made, "works on rows, and its result stays in rows"});
      return;
    }
    const std::optional<TensorLayout> asIs = resultLayout(op);
    const bool moves = opInfo(op.kind).has(kToLayout) && !makesPages(op.kind);
    if (takesRows && asIs && !(moves && asIs->page == PageLayout::Tile) && accepted(old, *asIs)) {
      notes_.push_back({rewriter_.copy(old), "reads rows: no tiles are made for it"});
      return;
    }
    std::vector<ValueId> operands;
    for (ValueId operand : op.operands)
      operands.push_back(flowsInRows(operand) ? tiled(old, operand) : rewriter_.now(operand));
    rewriter_.copy(old, std::move(operands));
  }

  std::optional<TensorLayout> resultLayout(const Op& op) const {
    if (op.results.size() != 1 || !graph_.values[op.results[0]].type.isTensor()) return {};
    return graph_.values[op.results[0]].type.tensor->layout;
  }

  // The result in rows, for integer results that are in tiles now.
  std::optional<TensorLayout> rowsOfResult(const Op& op) const {
    std::optional<TensorLayout> layout = resultLayout(op);
    if (!layout || layout->page != PageLayout::Tile) return {};
    const TensorType& type = *graph_.values[op.results[0]].type.tensor;
    if (!isInteger(type) || opInfo(op.kind).has(kToLayout)) return {};
    return withPage(type.shape, *layout, PageLayout::RowMajor, context_.device);
  }

  // Does the op model take the operands as they are now, and write `output` as asked?
  bool accepted(OpId old, const TensorLayout& output) {
    const Op& op = graph_.ops[old];
    std::vector<std::optional<TensorLayout>> inputs;
    for (ValueId operand : op.operands) {
      const ValueType& type = newType(operand);
      inputs.push_back(type.isTensor() ? type.tensor->layout : std::nullopt);
    }
    OpConfig config{output, {}};
    OpVerdict verdict = context_.model.validateOperation({graph_, old, inputs, config, Bytes(0)}, context_.budget);
    return verdict.ok() && verdict.output == output;
  }

  // The value in the tiles that the old graph had it in; made once, by the conversion that was taken away when there
  // was one.
  ValueId tiled(OpId reader, ValueId old) {
    auto [at, isNew] = inTiles_.insert({old, ValueId()});
    if (!isNew) return at->second;
    ValueType type = typeWithLayout(graph_.values[old].type, *expected_[old]);
    OpSpec spec = makeOp(written_, {rewriter_.now(old)}, {type});
    if (written_ == OpKind::TtnnToLayout) spec.attrs = toLayoutAttrs(*expected_[old]);
    auto removed = ops_.find(old);
    if (removed != ops_.end()) {
      ValueId rows = rewriter_.now(old);
      at->second = rewriter_.result(rewriter_.replace(removed->second, std::move(spec)));
      rewriter_.map(old, rows);
    } else {
      bool atReturn = opInfo(graph_.ops[reader].kind).has(kTerminator);
      if (atReturn) spec.resultName = nameMadeOf(graph_.values[old].name, "return_conversion");
      at->second = rewriter_.result(rewriter_.emitFor(reader, std::move(spec)));
    }
    return at->second;
  }

  const Graph& graph_;
  const PassContext& context_;
  GraphRewriter rewriter_;
  IdVec<ValueId, std::optional<TensorLayout>> expected_;  // of values that flow in rows: the layout they had
  std::map<ValueId, ValueId> inTiles_;                    // old value -> its copy in tiles
  OpKind written_ = OpKind::TtnnToLayout;                 // how the graph writes conversions
  std::map<ValueId, OpId> ops_;  // result of a conversion that was taken away -> that conversion
  std::vector<PassNote> notes_;
};

// A program that frees its tensors has settled how long each of them is there, an input in rows too.
bool freesTensors(const Graph& graph) {
  const std::vector<OpId>& ops = graph.funcs[graph.forward].ops;
  return std::any_of(ops.begin(), ops.end(), [&](OpId op) { return graph.ops[op].kind == OpKind::TtnnDeallocate; });
}

}  // namespace

PassResult propagateRowMajor(const Graph& graph, const PassContext& context) {
  if (graph.forward.valid() && freesTensors(graph)) return {graph};
  return Propagation(graph, context).run();
}

}  // namespace tessera

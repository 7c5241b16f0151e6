#include "core/lowering/decompose_layouts.h"

#include "core/lowering/graph_editor.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// What the device can make tiles of, and take apart again (tt-mlir Transforms/TTNNDecomposeLayouts.cpp).
bool tilizesOnDevice(DType dtype) {
  return dtype == DType::BF16 || dtype == DType::F32 || dtype == DType::U32 || dtype == DType::U16 ||
         dtype == DType::I32;
}

bool isFloat(DType dtype) { return dtype == DType::BF16 || dtype == DType::F32 || isBlockFloat(dtype); }
bool onHost(const TensorLayout& layout) { return layout.buffer == BufferType::SystemMemory; }

// Collects steps; remembers where the tensor is.
class StepFinder {
 public:
  StepFinder(const Shape& shape, const TensorLayout& from, const TensorLayout& to, const DeviceSpec& device)
      : shape_(shape), to_(to), device_(device), now_(from) {}

  std::optional<std::vector<LayoutStep>> run() {
    if (onHost(now_) && !onHost(to_)) moveToDevice();
    // Shards in DRAM are taken apart where they are.
    bool leavesFirst = tileToRows() && now_.isL1() && (now_.sharded() || !to_.isL1());
    if (leavesFirst)
      moveTo(onHost(to_) || to_.sharded() ? BufferType::DRAM : to_.buffer, TensorMemoryLayout::Interleaved);
    // The library tilizes shards of whole tiles only (tt-metal issue 30541).
    bool raggedShards =
        rowsToTiles() && now_.sharded() && (now_.shardRows % kTileSide != 0 || now_.shardCols % kTileSide != 0);
    if (raggedShards) moveTo(BufferType::DRAM, TensorMemoryLayout::Interleaved);
    changePagesAndType();
    if (!onHost(now_) && onHost(to_)) step(LayoutStepKind::FromDevice, to_);
    else if (!(now_ == to_)) step(LayoutStepKind::ToMemoryConfig, to_);
    if (failed_) return {};
    return std::move(steps_);
  }

 private:
  bool tileToRows() const { return now_.page == PageLayout::Tile && to_.page == PageLayout::RowMajor; }
  bool rowsToTiles() const { return now_.page == PageLayout::RowMajor && to_.page == PageLayout::Tile; }

  void step(LayoutStepKind kind, const std::optional<TensorLayout>& to) {
    if (!to) failed_ = true;
    if (failed_ || now_ == *to) return;
    steps_.push_back({kind, *to});
    now_ = *to;
  }

  std::optional<TensorLayout> made(DType dtype, BufferType buffer, TensorMemoryLayout memory, PageLayout page) const {
    return made(dtype, buffer, memory, page, buffer == BufferType::L1 ? device_.grid : GridShape{});
  }

  std::optional<TensorLayout> made(DType dtype, BufferType buffer, TensorMemoryLayout memory, PageLayout page,
                                   GridShape grid) const {
    auto layout = makeLayout(shape_, {dtype, buffer, memory, page, grid}, device_);
    if (!layout.ok()) return {};
    return *layout;
  }

  void moveTo(BufferType buffer, TensorMemoryLayout memory) {
    step(LayoutStepKind::ToMemoryConfig, made(now_.dtype, buffer, memory, now_.page));
  }

  void moveToDevice() {
    bool same = now_.page == to_.page && now_.dtype == to_.dtype;
    bool hostTiles = rowsToTiles() && !tilizesOnDevice(now_.dtype);
    if (hostTiles) step(LayoutStepKind::ToLayout, hostLayoutOf(now_.dtype, PageLayout::Tile));
    if (same) step(LayoutStepKind::ToDevice, to_);
    else if (to_.isDram() && to_.sharded())
      step(LayoutStepKind::ToDevice, made(now_.dtype, to_.buffer, to_.memory, now_.page, to_.grid));
    else step(LayoutStepKind::ToDevice, made(now_.dtype, BufferType::DRAM, TensorMemoryLayout::Interleaved, now_.page));
  }

  std::optional<TensorLayout> hostLayoutOf(DType dtype, PageLayout page) const {
    auto layout = makeLayout(shape_, {dtype, BufferType::SystemMemory, TensorMemoryLayout::None, page, {}}, device_);
    if (!layout.ok()) return {};
    return *layout;
  }

  // As `now_` lies, in other pages or another type.
  std::optional<TensorLayout> here(PageLayout page, DType dtype) const {
    if (onHost(now_)) return hostLayoutOf(dtype, page);
    if (page == now_.page) {  // shards keep the form that they were given
      TensorLayout same = now_;
      same.dtype = dtype;
      return same;
    }
    return made(dtype, now_.buffer, now_.memory, page, now_.grid);
  }

  void changePagesAndType() {
    bool type = now_.dtype != to_.dtype;
    // One program makes tiles of another float type; block floats exist in tiles only and come after them.
    bool fused = rowsToTiles() && type && isFloat(now_.dtype) && isFloat(to_.dtype) && !isBlockFloat(to_.dtype);
    if (fused) return step(LayoutStepKind::ToLayout, here(PageLayout::Tile, to_.dtype));
    if (rowsToTiles()) step(LayoutStepKind::ToLayout, here(PageLayout::Tile, now_.dtype));
    if (type) step(LayoutStepKind::Typecast, here(now_.page, to_.dtype));
    if (!tileToRows()) return;
    if (!onHost(now_) && onHost(to_) && !tilizesOnDevice(now_.dtype))
      step(LayoutStepKind::FromDevice, hostLayoutOf(now_.dtype, PageLayout::Tile));
    step(LayoutStepKind::ToLayout, here(PageLayout::RowMajor, now_.dtype));
  }

  const Shape& shape_;
  const TensorLayout& to_;
  const DeviceSpec& device_;
  TensorLayout now_;
  std::vector<LayoutStep> steps_;
  bool failed_ = false;
};

AttrList attrsOf(const LayoutStep& step) {
  switch (step.kind) {
    case LayoutStepKind::ToDevice: return {{"memory_config", memoryConfigAttr(step.to)}};
    case LayoutStepKind::FromDevice: return {};
    case LayoutStepKind::ToLayout:
      return {{"dtype", dtypeAttr(step.to.dtype)}, {"layout", pageLayoutAttr(step.to.page)}};
    case LayoutStepKind::Typecast: return {{"dtype", dtypeAttr(step.to.dtype)}};
    case LayoutStepKind::ToMemoryConfig: return {{"memory_config", memoryConfigAttr(step.to)}};
  }
  return {};
}

// The conversions that stand for several steps; the others say themselves what they do.
bool isWholeConversion(OpKind kind) { return kind == OpKind::TtnnToLayout || kind == OpKind::TtnnToTensorSpec; }

class Decomposer {
 public:
  Decomposer(const Graph& graph, const DeviceSpec& device) : graph_(graph), device_(device), editor_(graph) {}

  PassResult run() {
    for (const Function& func : graph_.funcs) {
      for (OpId op : func.ops) {
        if (isWholeConversion(graph_.ops[op].kind)) decompose(op);
      }
    }
    return {editor_.finish(), {}, std::move(problems_)};
  }

 private:
  void decompose(OpId id) {
    const Op& op = graph_.ops[id];
    if (op.operands.empty() || op.results.size() != 1) return;
    const ValueType& from = graph_.values[op.operands[0]].type;
    const ValueType& to = graph_.values[op.results[0]].type;
    bool known = from.isTensor() && to.isTensor() && from.tensor->layout && to.tensor->layout;
    if (!known) return;
    auto steps = layoutSteps(to.tensor->shape, *from.tensor->layout, *to.tensor->layout, device_);
    if (!steps) {
      problems_.push_back({id, "no order of steps leads from " + layoutText(*from.tensor->layout) + " to " +
                                   layoutText(*to.tensor->layout)});
      return;
    }
    if (steps->empty()) {
      problems_.push_back({id, "converts nothing: the operand already is " + layoutText(*to.tensor->layout)});
      return;
    }
    if (steps->size() == 1 && layoutStepOp(steps->front().kind) == op.kind) return;  // as it was written
    ValueId value = op.operands[0];
    for (size_t i = 0; i + 1 < steps->size(); ++i) {
      ValueType type = to;
      if ((*steps)[i].to.dtype != to.tensor->layout->dtype) type.tensor->dtype = from.tensor->dtype;  // not cast yet
      value = insertStep(id, value, (*steps)[i], type);
    }
    becomeLast(id, value, steps->back());
  }

  // Intermediate values are called after the result that they lead to.
  ValueId insertStep(OpId before, ValueId value, const LayoutStep& step, const ValueType& type) {
    OpSpec spec = makeOp(layoutStepOp(step.kind), {value}, {typeWithLayout(type, step.to)});
    spec.attrs = attrsOf(step);
    return editor_.result(editor_.insertBefore(before, std::move(spec)));
  }

  void becomeLast(OpId id, ValueId operand, const LayoutStep& step) {
    Op& op = editor_.graph().ops.edit(id);
    op.kind = layoutStepOp(step.kind);
    op.name = std::string(opInfo(op.kind).name);
    op.operands = {operand};
    op.attrs = attrsOf(step);
    sortAttrs(op.attrs);
  }

  const Graph& graph_;
  const DeviceSpec& device_;
  GraphEditor editor_;
  std::vector<PassNote> problems_;
};

}  // namespace

OpKind layoutStepOp(LayoutStepKind kind) {
  switch (kind) {
    case LayoutStepKind::ToDevice: return OpKind::TtnnToDevice;
    case LayoutStepKind::FromDevice: return OpKind::TtnnFromDevice;
    case LayoutStepKind::ToLayout: return OpKind::TtnnToLayout;
    case LayoutStepKind::Typecast: return OpKind::TtnnTypecast;
    case LayoutStepKind::ToMemoryConfig: return OpKind::TtnnToMemoryConfig;
  }
  return OpKind::TtnnToLayout;
}

std::optional<std::vector<LayoutStep>> layoutSteps(const Shape& shape, const TensorLayout& from, const TensorLayout& to,
                                                   const DeviceSpec& device) {
  return StepFinder(shape, from, to, device).run();
}

PassResult decomposeLayouts(const Graph& graph, const PassContext& context) {
  return Decomposer(graph, context.device).run();
}

}  // namespace tessera

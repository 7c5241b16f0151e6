#pragma once
// One op of a graph of its own, with layouts for its operands and result: what tests of the op model ask about.

#include <gtest/gtest.h>

#include <string_view>

#include "core/ir/builder.h"
#include "core/ops/model/op_model.h"

namespace tessera::test {

struct Where {
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  GridShape grid = {1, 1};
  PageLayout page = PageLayout::Tile;
};
inline const Where kInDram{};
inline const Where kInL1{BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}};
inline Where heightOver(int32_t cores) { return {BufferType::L1, TensorMemoryLayout::HeightSharded, {cores, 1}}; }
inline Where widthOver(int32_t cores) { return {BufferType::L1, TensorMemoryLayout::WidthSharded, {1, cores}}; }
inline Where blockOver(int32_t rows, int32_t cols) {
  return {BufferType::L1, TensorMemoryLayout::BlockSharded, {rows, cols}};
}
inline Where overBanks(int32_t banks) { return {BufferType::DRAM, TensorMemoryLayout::WidthSharded, {1, banks}}; }

struct Tensor {
  Shape shape;
  Where where;
  DType dtype = DType::BF16;
};

struct Asked {
  DeviceSpec device;
  Graph graph;
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;
  OpConfig config;

  Asked(const DeviceSpec& on, OpKind kind, const std::vector<Tensor>& operands, const std::vector<Tensor>& results,
        AttrList attrs = {})
      : device(on) {
    GraphBuilder builder(graph);
    FuncId func = builder.addFunction("main");
    graph.forward = func;
    std::vector<ValueId> values;
    for (const Tensor& t : operands) {
      values.push_back(builder.addArgument(func, "a", typeOf(t)));
      inputs.push_back(layoutOf(t));
    }
    std::vector<ValueType> types;
    for (const Tensor& t : results) types.push_back(typeOf(t));
    OpSpec spec = makeOp(kind, values, types);
    spec.attrs = std::move(attrs);
    sortAttrs(spec.attrs);
    op = builder.append(func, std::move(spec));
    if (!results.empty()) config.output = layoutOf(results[0]);
  }

  OpQuery query(const ComputeConfig& compute = {}) const { return {graph, op, inputs, config, Bytes(0), compute}; }
  OpModel model() const { return OpModel(device); }
  OpVerdict verdict() const { return model().validateOperation(query(), device.usableL1()); }
  OpConstraints constraints() const { return model().getOpConstraints(query()); }
  int64_t buffers() const { return constraints().cbL1PeakSize.count; }
  OpTime time(const ComputeConfig& compute = {}) const { return model().getOpRuntime(query(compute)); }
  std::string_view rule() const { return model().ruleOf(query()).name; }
  // Pages of the circular buffer of that name; 0 when there is none.
  int64_t pagesOf(std::string_view name) const {
    for (const CircularBuffer& buffer : model().getCircularBuffers(query())) {
      if (buffer.name == name) return buffer.pages;
    }
    return 0;
  }
  // "Reason", with the operand's number behind it where it is one's; "legal".
  std::string refusal() const {
    const OpVerdict answer = verdict();
    if (answer.reason == Refusal::None) return "legal";
    return std::string(refusalName(answer.reason)) + (answer.operand < 0 ? "" : " " + std::to_string(answer.operand));
  }
  // "in0 2*2048, out 4*2048 <- result": pages and the bytes of one, and the tensor that lends the memory.
  std::string bufferText() const {
    std::string text;
    for (const CircularBuffer& buffer : model().getCircularBuffers(query())) {
      text += (text.empty() ? "" : ", ") + std::string(buffer.name) + " " + std::to_string(buffer.pages) + "*" +
              std::to_string(buffer.bytes / buffer.pages);
      if (buffer.backedBy == BackedBy::Operand) text += " <- operand " + std::to_string(buffer.operand);
      if (buffer.backedBy == BackedBy::Result) text += " <- result";
    }
    return text;
  }

 private:
  static ValueType typeOf(const Tensor& t) {
    TensorType type;
    type.shape = t.shape;
    type.dtype = t.dtype;
    return ValueType{type, ""};
  }
  TensorLayout layoutOf(const Tensor& t) const {
    LayoutRequest request{t.dtype, t.where.buffer, t.where.memory, t.where.page, t.where.grid};
    request.allowIdleCores = true;
    auto made = makeLayout(t.shape, request, device);
    EXPECT_TRUE(made.ok());
    return made.ok() ? *made : TensorLayout{};
  }
};

}  // namespace tessera::test

#pragma once
// Questions to the rules of an op, put together by hand.

#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {

inline const Where kDramRows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
inline const Where kL1Rows{BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, PageLayout::RowMajor};
inline const Where kAtHost{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::RowMajor};
inline Where rowsByHeight(int32_t cores) {
  return {BufferType::L1, TensorMemoryLayout::HeightSharded, {cores, 1}, PageLayout::RowMajor};
}

struct RuleCase {
  const char* what;
  OpKind kind;
  std::vector<Tensor> operands, results;
  AttrList attrs;
  std::string answer;
};

inline Attribute ints(std::string name, std::vector<int64_t> values) {
  return {std::move(name), intArrayAttr(std::move(values))};
}
inline Attribute num(std::string name, int64_t value) { return {std::move(name), intAttr(value)}; }
inline Attribute segments(std::vector<int64_t> sizes) {
  return {"operandSegmentSizes", intArrayAttr(std::move(sizes), "i32")};
}

inline AttrList window(int64_t height, int64_t width, int64_t channels, std::vector<int64_t> kernel) {
  return {num("batch_size", 1),
          num("input_height", height),
          num("input_width", width),
          num("channels", channels),
          ints("kernel_size", std::move(kernel)),
          ints("stride", {1, 1}),
          ints("padding", {0, 0}),
          ints("dilation", {1, 1})};
}

// A square image, as many channels in as out.
inline AttrList convolution(int64_t side, int64_t channels, int64_t kernel, const char* slices = "") {
  AttrList attrs = {num("batch_size", 1),          num("input_height", side),
                    num("input_width", side),      num("in_channels", channels),
                    num("out_channels", channels), ints("kernel_size", {kernel, kernel}),
                    ints("stride", {1, 1}),        ints("padding", {0, 0}),
                    ints("dilation", {1, 1}),      num("groups", 1)};
  if (*slices) attrs.push_back({"conv2d_slice_config", rawAttr(slices)});
  return attrs;
}

}  // namespace tessera::test

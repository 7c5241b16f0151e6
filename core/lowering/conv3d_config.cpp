#include "core/lowering/conv3d_config.h"

#include <array>
#include <string>

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

struct Blocks {
  int64_t cIn = 32, cOut = 32, t = 1, h = 1, w = 1;
};

// Channels in and out, and whether the kernel spans time: the library's measured blocks.
struct MeasuredBlocks {
  int64_t in, out, kernelT;
  Blocks blocks;
};
constexpr MeasuredBlocks kMeasured[] = {
    {96, 3, 3, {96, 32, 1, 16, 8}},      {96, 32, 3, {96, 32, 1, 16, 8}},     {192, 96, 1, {192, 96, 1, 4, 8}},
    {96, 96, 3, {96, 96, 1, 8, 8}},      {384, 192, 1, {192, 96, 1, 32, 4}},  {192, 192, 3, {96, 96, 1, 8, 4}},
    {32, 384, 3, {32, 96, 1, 2, 32}},    {192, 384, 3, {64, 128, 1, 8, 4}},   {384, 384, 3, {96, 96, 1, 8, 4}},
    {384, 768, 3, {96, 96, 1, 8, 4}},    {1024, 4096, 3, {256, 32, 1, 1, 1}}, {512, 4096, 3, {256, 32, 1, 1, 1}},
    {256, 512, 3, {256, 32, 1, 4, 4}},   {128, 128, 3, {128, 32, 1, 8, 8}},   {128, 48, 3, {128, 32, 1, 8, 8}},
    {1024, 4096, 1, {256, 32, 1, 1, 1}}, {1024, 128, 3, {256, 32, 1, 1, 1}},
};

// In the order in which the compiler prints them.
constexpr std::array<std::string_view, 6> kFields = {"weights_dtype", "t_out_block", "w_out_block",
                                                     "h_out_block",   "c_out_block", "c_in_block"};
using Values = std::array<std::string, kFields.size()>;  // "": not set

// "loc=field#value:field#value,loc=..."
Values overridesOf(std::string_view text, std::string_view loc) {
  Values values;
  while (!text.empty()) {
    std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    size_t equals = one.find('=');
    if (equals == std::string_view::npos || one.substr(0, equals) != loc) continue;
    one.remove_prefix(equals + 1);
    while (!one.empty()) {
      std::string_view field = one.substr(0, one.find(':'));
      one.remove_prefix(std::min(field.size() + 1, one.size()));
      size_t hash = field.find('#');
      for (size_t i = 0; i < kFields.size() && hash != std::string_view::npos; ++i) {
        if (kFields[i] == field.substr(0, hash)) values[i] = field.substr(hash + 1);
      }
    }
  }
  return values;
}

Blocks blocksFor(const Shape& weight, bool measured) {
  bool plane = weight.size() == 5 && weight[3] == 3 && weight[4] == 3;
  for (const MeasuredBlocks& row : kMeasured) {
    if (measured && plane && weight[0] == row.out && weight[1] == row.in && weight[2] == row.kernelT) return row.blocks;
  }
  return {};
}

}  // namespace

PassResult configureConv3d(const Graph& graph, const PassContext& context) {
  PassResult result{graph};
  GraphBuilder builder(result.graph);
  const GridShape grid = context.device.grid;
  for (OpId id : graph.ops.ids()) {
    const Op& op = graph.ops[id];
    if (op.kind != OpKind::TtnnConv3d || op.operands.size() < 2 || findAttr(op, "conv3d_config") != nullptr) continue;
    const ValueType& weight = graph.values[op.operands[1]].type;
    Blocks blocks = blocksFor(weight.isTensor() ? weight.tensor->shape : Shape{}, context.options.optimizer);
    const int64_t numbers[] = {0, blocks.t, blocks.w, blocks.h, blocks.cOut, blocks.cIn};
    Values values = overridesOf(context.options.overrideConv3dConfig, op.loc);
    std::string text = "#ttnn.conv3d_config<";
    for (size_t i = 0; i < kFields.size(); ++i) {
      if (values[i].empty() && numbers[i] > 0) values[i] = std::to_string(numbers[i]);
      if (!values[i].empty()) text += std::string(kFields[i]) + " = " + values[i] + ", ";
    }
    text += "compute_with_storage_grid_size = #ttcore.grid<" + std::to_string(grid.rows) + "x" +
            std::to_string(grid.cols) + ">>";
    builder.setAttr(id, "conv3d_config", rawAttr(text));
  }
  return result;
}

}  // namespace tessera

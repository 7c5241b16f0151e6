#pragma once
// What every query about one op would look up again: its table line, its operands by role, its window. From the graph
// alone, so it holds as long as the op and the types of its operands and results do.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_query.h"

namespace tessera {

// A convolution from DRAM to DRAM in slices of the image, one after the other (tt-mlir TTNNOpsAttrs.td,
// conv2d_slice_config: dram_height, dram_width).
struct ConvSlices {
  bool ofRows = false;  // else of columns
  int64_t count = 0;    // 0: as few as fit
};

// What a convolution's `conv2d_config` and `conv2d_slice_config` fix; unset: left to the library.
struct ConvFacts {
  int64_t actBlockH = 0;  // rows; 0: nothing
  int64_t actBlockWDiv = 1;
  std::optional<TensorMemoryLayout> shardLayout;
  std::optional<GridShape> coreGrid;  // with override_sharding_config only
  std::optional<DType> weights;
  std::optional<ConvSlices> slices;
  bool rowMajorResult = false;
  bool doubleActivations = false, doubleWeights = false;
};

// An operand or a result.
struct CheckedValue {
  Refusal defect = Refusal::None;  // what is wrong with it whatever its layout; None for a result that is no tensor
  PhysicalShape tiles, scalars;    // its size in pages of tiles and of rows; 0 x 0 with a defect
  const PhysicalShape& in(PageLayout page) const { return page == PageLayout::Tile ? tiles : scalars; }
};

struct OpFacts {
  const OpInfo* info = nullptr;
  std::string_view base;                                // name without dialect
  int inputs = 0;                                       // leading operands that are read
  std::vector<std::pair<std::string_view, int>> roles;  // operands that have a role of their own
  std::optional<Window2d> window;                       // of convolutions and pools
  ComputeConfig compute;                                // as the op's `compute_config` says
  // As the op's `matmul_program_config` says, and the result's layout that it was written for; without one, for any.
  std::optional<MatmulAttrs> program;
  std::optional<TensorLayout> programResult;
  ConvFacts conv;
  std::vector<CheckedValue> operands, results;
};
OpFacts factsOf(const Graph& graph, OpId op);

}  // namespace tessera

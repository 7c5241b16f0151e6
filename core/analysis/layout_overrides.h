#pragma once
// What a user fixes by hand: `--override-output-layout` and `--override-conv2d-config` in the compiler's own notation
// (tt-mlir Utils/PassOverrides.cpp).
//
//   --override-output-layout=conv1=2x2:l1:block_sharded:tile:bf16,add2=dram
//   --override-conv2d-config=conv1=act_block_h_override#64:deallocate_activation#true

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"
#include "core/support/diagnostics.h"

namespace tessera {

// Fields that are not given match everything.
struct OutputLayoutOverride {
  std::optional<GridShape> grid;
  std::optional<BufferType> buffer;
  std::optional<TensorMemoryLayout> memory;
  std::optional<PageLayout> page;
  std::optional<DType> dtype;

  // Grid, buffer, memory layout and page layout given: exactly one layout remains.
  bool full() const { return grid && buffer && memory && page; }
  bool accepts(const TensorLayout& layout) const;
  friend bool operator==(const OutputLayoutOverride&, const OutputLayoutOverride&) = default;
};

struct Conv2dConfigOverride {
  std::optional<DType> weightsDtype;
  std::optional<std::string> activation;
  std::optional<bool> deallocateActivation;
  std::optional<bool> reallocateHaloOutput;
  std::optional<int64_t> actBlockHOverride;
  std::optional<int64_t> actBlockWDiv;
  std::optional<bool> reshardIfNotOptimal;
  std::optional<bool> overrideShardingConfig;
  std::optional<TensorMemoryLayout> shardLayout;
  std::optional<GridShape> coreGrid;
  std::optional<bool> transposeShards;
  std::optional<PageLayout> outputLayout;
  std::optional<bool> enableActDoubleBuffer;
  std::optional<bool> enableWeightsDoubleBuffer;
  friend bool operator==(const Conv2dConfigOverride&, const Conv2dConfigOverride&) = default;
};

template <class Settings>
struct NamedOverride {
  std::string op;  // a location name ("conv1"), or a value ("%12", "%conv:1")
  Settings settings;
  friend bool operator==(const NamedOverride&, const NamedOverride&) = default;
};
using LayoutOverrides = std::vector<NamedOverride<OutputLayoutOverride>>;  // in the order given
using Conv2dOverrides = std::vector<NamedOverride<Conv2dConfigOverride>>;

// "" gives none. Mistakes are reported (BadOverride, DuplicateOverride) and the entry is left out.
LayoutOverrides parseLayoutOverrides(std::string_view text, Diagnostics& diags);
Conv2dOverrides parseConv2dOverrides(std::string_view text, Diagnostics& diags);

// Does an override's name mean this op? Several ops may share a location; all of them are meant.
bool overrideNames(std::string_view name, const Graph& graph, OpId op);
// The settings for an op; null when there are none.
const OutputLayoutOverride* findOverride(const LayoutOverrides& overrides, const Graph& graph, OpId op);
const Conv2dConfigOverride* findOverride(const Conv2dOverrides& overrides, const Graph& graph, OpId op);
// Reports UnknownOverrideOp for names that no op of the graph has. A location `<op>_in_<n>_layout` of an inserted
// conversion is known when the op is and has that many operands. Conv2d overrides must name ops that take one.
void checkOverrides(const LayoutOverrides& overrides, const Graph& graph, const DeviceSpec& device, Diagnostics& diags);
void checkOverrides(const Conv2dOverrides& overrides, const Graph& graph, Diagnostics& diags);
// Overrides that only name the element type that their ops have anyway go: they fix nothing.
void dropIdleOverrides(LayoutOverrides& overrides, const Graph& graph);

}  // namespace tessera

#pragma once
// OpConfig: what a policy decides for one op besides its inputs' layouts (ttnn-optimizer.md appendix A).

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/ir/tensor_layout.h"

namespace tessera {

// The knobs of `#ttnn.conv2d_config` that a search may turn (ttnn-optimizer.md 3.1.4). An unset knob is left to the
// library.
struct Conv2dAttrs {
  std::optional<int64_t> actBlockHOverride;  // rows; 0 = the library's choice
  std::optional<bool> deallocateActivation;
  std::optional<bool> reshardIfNotOptimal;
  friend bool operator==(const Conv2dAttrs&, const Conv2dAttrs&) = default;
};

// Matmul program configs; sizes in tiles.
enum class MatmulProgram { MultiCast2d, MultiCast1dIn0, MultiCast1dIn1, Reuse, DramSharded };
struct MatmulAttrs {
  MatmulProgram program = MatmulProgram::MultiCast2d;
  int64_t perCoreM = 0;
  int64_t perCoreN = 0;
  int64_t in0BlockW = 0;
  int64_t outSubblockH = 0;
  int64_t outSubblockW = 0;
  int64_t outBlockH = 0;  // of the result, at a time; 0: perCoreM, perCoreN
  int64_t outBlockW = 0;
  friend bool operator==(const MatmulAttrs&, const MatmulAttrs&) = default;
};

// Of an op's `matmul_program_config`, in the spelling of tt-mlir TTNNOpsAttrs.td; nothing when it is another text.
// Sizes that it leaves out, or that are no sizes, are 0.
std::optional<MatmulAttrs> parseMatmulProgram(std::string_view text);

// `act_block_h_override` of an op's `conv2d_config`, in rows; 0 when it says nothing.
int64_t parseActBlockH(std::string_view conv2dConfig);

struct OpConfig {
  TensorLayout output;  // of every tensor result
  std::variant<std::monostate, Conv2dAttrs, MatmulAttrs> attrs;
  friend bool operator==(const OpConfig&, const OpConfig&) = default;
};

}  // namespace tessera

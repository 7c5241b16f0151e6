#pragma once
// How exactly an op computes: `#ttnn.device_compute_kernel_config` (tt-mlir TTNNOpsAttrs.td), as an op's
// `compute_config` or a query says it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ops/table/op_table.h"
#include "core/support/enum_table.h"

namespace tessera {

// The value is how often the multiplier passes over its operands (tt-metal GEMM_FLOPS.md).
enum class MathFidelity : uint8_t { LoFi = 1, HiFi2, HiFi3, HiFi4 };
inline constexpr EnumRow<MathFidelity> kMathFidelities[] = {
    {MathFidelity::LoFi, "lofi", "LoFi"},
    {MathFidelity::HiFi2, "hifi2", "HiFi2"},
    {MathFidelity::HiFi3, "hifi3", "HiFi3"},
    {MathFidelity::HiFi4, "hifi4", "HiFi4"},
};

// What is not set is left to the library.
struct ComputeConfig {
  std::optional<MathFidelity> fidelity;
  std::optional<bool> fp32DestAcc;  // sums in 32 bits: half as many tiles in the destination registers
  friend bool operator==(const ComputeConfig&, const ComputeConfig&) = default;
};
// From an attribute's text; fields that are absent or unknown stay empty.
ComputeConfig parseComputeConfig(std::string_view text);
// `config` with what it leaves open from `otherwise`.
ComputeConfig filledFrom(ComputeConfig config, const ComputeConfig& otherwise);

// TTNN ops that carry a `compute_config`: those of the matrix unit.
bool takesComputeConfig(OpKind kind);

}  // namespace tessera

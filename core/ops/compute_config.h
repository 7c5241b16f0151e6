#pragma once
// How exactly an op computes: `#ttnn.device_compute_kernel_config` (compiler reference 2.3), as an op's `compute_config` or a query says it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ops/op_table.h"

namespace tessera {

// The value is how often the multiplier passes over its operands (device reference 1.4).
enum class MathFidelity : uint8_t { LoFi = 1, HiFi2, HiFi3, HiFi4 };
std::string_view mathFidelityName(MathFidelity fidelity);  // "hifi2"
std::optional<MathFidelity> parseMathFidelity(std::string_view name);

// What is not set is left to the library.
struct ComputeConfig {
  std::optional<MathFidelity> fidelity;
  std::optional<bool> fp32DestAcc;  // sums in 32 bits: half as many tiles in the destination registers
  friend bool operator==(const ComputeConfig&, const ComputeConfig&) = default;
};
// Of an attribute's text; what it does not say, or says in no way known here, stays open.
ComputeConfig parseComputeConfig(std::string_view text);
// `config` with what it leaves open from `otherwise`.
ComputeConfig filledFrom(ComputeConfig config, const ComputeConfig& otherwise);
// "#ttnn.device_compute_kernel_config<math_fidelity = hifi2, fp32_dest_acc_en = true>", and what `rest`, another such text or "", says of
// other things ("packer_l1_acc = true").
std::string computeConfigText(const ComputeConfig& config, std::string_view rest);

// TTNN ops that carry a `compute_config`: those of the matrix unit.
bool takesComputeConfig(OpKind kind);

}  // namespace tessera

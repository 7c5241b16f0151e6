#include "core/ops/table/compute_config.h"

#include <algorithm>
#include <iterator>

namespace tessera {

namespace {

// The word behind "key = ", in brackets of its own or not.
std::string_view wordBehind(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(" =<"), text.size()));
  return text.substr(0, text.find_first_of(" ,>"));
}

}  // namespace

ComputeConfig parseComputeConfig(std::string_view text) {
  ComputeConfig config;
  config.fidelity = parseEnum(kMathFidelities, wordBehind(text, "math_fidelity"));
  std::string_view wide = wordBehind(text, "fp32_dest_acc_en");
  if (wide == "true" || wide == "false") config.fp32DestAcc = wide == "true";
  return config;
}

ComputeConfig filledFrom(ComputeConfig config, const ComputeConfig& otherwise) {
  if (!config.fidelity) config.fidelity = otherwise.fidelity;
  if (!config.fp32DestAcc) config.fp32DestAcc = otherwise.fp32DestAcc;
  return config;
}

bool takesComputeConfig(OpKind kind) {
  switch (kind) {
    case OpKind::TtnnMatmul:
    case OpKind::TtnnLinear:
    case OpKind::TtnnConv2d:
    case OpKind::TtnnConvTranspose2d:
    case OpKind::TtnnConv3d:
    case OpKind::TtnnSum:
    case OpKind::TtnnMean:
    case OpKind::TtnnMax:
    case OpKind::TtnnMin:
    case OpKind::TtnnSoftmax:
    case OpKind::TtnnLayerNorm:
    case OpKind::TtnnRmsNorm:
    case OpKind::TtnnScaledDotProductAttention: return true;
    default: return false;
  }
}

}  // namespace tessera

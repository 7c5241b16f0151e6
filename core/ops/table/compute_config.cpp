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

std::string computeConfigText(const ComputeConfig& config, std::string_view rest) {
  std::string fields;
  auto say = [&](std::string_view field) { fields += (fields.empty() ? "" : ", ") + std::string(field); };
  if (config.fidelity) say("math_fidelity = " + std::string(enumId(kMathFidelities, *config.fidelity)));
  if (config.fp32DestAcc) say(*config.fp32DestAcc ? "fp32_dest_acc_en = true" : "fp32_dest_acc_en = false");
  size_t open = rest.find('<'), close = rest.rfind('>');
  rest = open != std::string_view::npos && close != std::string_view::npos && open < close
             ? rest.substr(open + 1, close - open - 1)
             : "";
  while (!rest.empty()) {
    size_t end = std::min(rest.find(','), rest.size());
    std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
    bool set = (config.fidelity && field.substr(0, 13) == "math_fidelity") ||
               (config.fp32DestAcc && field.substr(0, 16) == "fp32_dest_acc_en");
    if (!field.empty() && !set) say(field);
  }
  return "#ttnn.device_compute_kernel_config<" + fields + ">";
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

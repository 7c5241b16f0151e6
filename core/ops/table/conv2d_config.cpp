#include "core/ops/table/conv2d_config.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera {

namespace {

constexpr std::string_view kHead = "#ttnn.conv2d_config<";

// In the compiler's order.
constexpr std::string_view kFields[] = {"weights_dtype",
                                        "activation",
                                        "deallocate_activation",
                                        "reallocate_halo_output",
                                        "act_block_h_override",
                                        "act_block_w_div",
                                        "reshard_if_not_optimal",
                                        "override_sharding_config",
                                        "shard_layout",
                                        "core_grid",
                                        "transpose_shards",
                                        "output_layout",
                                        "enable_act_double_buffer",
                                        "enable_weights_double_buffer",
                                        "enable_kernel_stride_folding",
                                        "config_tensors_in_dram"};

size_t placeOf(std::string_view name) {
  return static_cast<size_t>(std::find(std::begin(kFields), std::end(kFields), name) - std::begin(kFields));
}

std::vector<std::pair<std::string, std::string>> fieldsOf(std::string_view config) {
  std::vector<std::pair<std::string, std::string>> fields;
  if (config.substr(0, kHead.size()) != kHead || config.back() != '>') return fields;
  std::string_view body = config.substr(kHead.size(), config.size() - kHead.size() - 1);
  auto trimmed = [](std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return std::string(text);
  };
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= body.size(); ++i) {
    bool end = i == body.size();
    if (!end && (body[i] == '<' || body[i] == '[' || body[i] == '(')) ++depth;
    if (!end && (body[i] == '>' || body[i] == ']' || body[i] == ')')) --depth;
    if (!end && (body[i] != ',' || depth > 0)) continue;
    std::string_view field = body.substr(begin, i - begin);
    size_t equals = field.find('=');
    if (equals != std::string_view::npos)
      fields.emplace_back(trimmed(field.substr(0, equals)), trimmed(field.substr(equals + 1)));
    begin = i + 1;
  }
  return fields;
}

}  // namespace

std::string conv2dConfigField(std::string_view config, std::string_view name) {
  if (config.empty()) return {};
  for (auto& [field, value] : fieldsOf(config)) {
    if (field == name) return value;
  }
  return {};
}

std::string withConv2dConfigField(std::string_view config, std::string_view name, std::string_view value) {
  std::vector<std::pair<std::string, std::string>> fields;
  if (!config.empty()) fields = fieldsOf(config);
  auto at = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
  if (at != fields.end()) {
    at->second = value;
  } else {
    at = std::find_if(fields.begin(), fields.end(),
                      [&](const auto& field) { return placeOf(field.first) > placeOf(name); });
    fields.emplace(at, name, value);
  }
  std::string out(kHead);
  for (size_t i = 0; i < fields.size(); ++i) out += (i > 0 ? ", " : "") + fields[i].first + " = " + fields[i].second;
  return out + ">";
}

}  // namespace tessera

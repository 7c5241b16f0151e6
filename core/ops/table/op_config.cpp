#include "core/ops/table/op_config.h"

#include <charconv>

namespace tessera {

namespace {

// The number behind "key = "; too large ones are what no block is.
int64_t sizeBehind(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + key.size());
  if (text.substr(0, 3) != " = ") return 0;
  text.remove_prefix(3);
  int64_t size = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc::result_out_of_range ? int64_t{1} << 40 : error == std::errc() ? size : 0;
}

}  // namespace

int64_t parseActBlockH(std::string_view conv2dConfig) { return sizeBehind(conv2dConfig, "act_block_h_override"); }

std::optional<MatmulAttrs> parseMatmulProgram(std::string_view text) {
  constexpr std::string_view kPrefix = "#ttnn.matmul_multi_core_reuse_";
  if (text.substr(0, kPrefix.size()) != kPrefix) return {};
  text.remove_prefix(kPrefix.size());
  std::string_view name = text.substr(0, text.find('<'));
  MatmulAttrs attrs;
  if (name == "program_config") attrs.program = MatmulProgram::Reuse;
  else if (name == "multi_cast_program_config") attrs.program = MatmulProgram::MultiCast2d;
  else if (name == "multi_cast_dram_sharded_program_config") attrs.program = MatmulProgram::DramSharded;
  else if (name != "multi_cast_1d_program_config") return {};
  else
    attrs.program = text.find("mcast_in0 = true") != std::string_view::npos ? MatmulProgram::MultiCast1dIn0
                                                                            : MatmulProgram::MultiCast1dIn1;
  attrs.perCoreM = sizeBehind(text, "per_core_m");
  attrs.perCoreN = sizeBehind(text, "per_core_n");
  attrs.in0BlockW = sizeBehind(text, "in0_block_w");
  attrs.outSubblockH = sizeBehind(text, "out_subblock_h");
  attrs.outSubblockW = sizeBehind(text, "out_subblock_w");
  attrs.outBlockH = sizeBehind(text, "out_block_h");
  attrs.outBlockW = sizeBehind(text, "out_block_w");
  return attrs;
}

}  // namespace tessera

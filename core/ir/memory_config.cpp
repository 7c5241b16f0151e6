#include "core/ir/memory_config.h"

#include "core/ir/ttnn_layout_text.h"

namespace tessera {
namespace {

// "<row_major>" or "#ttnn.shard_orientation<row_major>": the bare word.
std::string_view enumWord(std::string_view text) {
  TextCursor cursor(text);
  if (cursor.eatChar('#')) {
    cursor.word();
    if (cursor.eatChar('.')) cursor.word();
  }
  if (!cursor.eat("<")) return {};
  const std::string_view word = cursor.word();
  return cursor.eat(">") && cursor.atEnd() ? word : std::string_view{};
}

}  // namespace

MemoryConfig memoryConfigOf(const TensorLayout& layout, const DeviceSpec& device) {
  MemoryConfig config{.buffer = layout.buffer, .memory = layout.memory};
  if (!layout.sharded()) return config;
  const int64_t side = layout.page == PageLayout::Tile ? kTileSide : 1;
  config.shard = ShardSpec{
      .cores = canonicalCoreRanges(layout, device), .rows = layout.shardRows * side, .cols = layout.shardCols * side};
  return config;
}

std::string printShardSpec(const ShardSpec& spec) {
  std::string text = "#ttnn.shard_spec<<" + coreRangesText(spec.cores) + ">, <" + std::to_string(spec.rows) + "x" +
                     std::to_string(spec.cols) + ">, <";
  text += spec.orientation == ShardOrientation::RowMajor ? "row_major>" : "col_major>";
  if (!spec.mode.empty()) text += ", <" + spec.mode + ">";
  return text + ">";
}

std::string printMemoryConfig(const MemoryConfig& config) {
  std::string text = "#ttnn.memory_config<#ttnn.buffer_type<" + std::string(bufferTypeName(config.buffer)) + ">";
  if (config.memory != TensorMemoryLayout::None)
    text += ", <" + std::string(tensorMemoryLayoutName(config.memory)) + ">";
  if (config.shard) text += ", " + printShardSpec(*config.shard);
  return text + ">";
}

Result<ShardSpec, LayoutDefect> parseShardSpec(std::string_view text) {
  TextCursor cursor(text);
  if (!cursor.eat("#ttnn.shard_spec") || !cursor.eat("<")) return badText("`#ttnn.shard_spec<`", cursor);
  ShardSpec spec;
  Result<std::vector<CoreRange>, LayoutDefect> cores = parseCoreRanges(cursor.balanced());
  if (!cores) return cores.error();
  spec.cores = *cores;
  if (!cursor.eat(",") || !cursor.eat("<")) return badText("the shard's shape, such as `<32x32>`", cursor);
  const std::optional<std::vector<int64_t>> dims = parseDims(cursor);
  if (!dims || !cursor.eat(">")) return badText("the shard's shape, such as `32x32`", cursor);
  if (dims->size() != 2)
    return defect(LayoutRule::RankMismatch,
                  "the shard's shape has " + std::to_string(dims->size()) + " dims, expected 2");
  spec.rows = (*dims)[0];
  spec.cols = (*dims)[1];
  if (!cursor.eat(",")) return badText("`,` and the orientation", cursor);
  const std::string_view orientation = enumWord(cursor.balanced());
  if (orientation != "row_major" && orientation != "col_major")
    return badText("the orientation before this, `<row_major>` or `<col_major>`,", cursor);
  spec.orientation = orientation == "row_major" ? ShardOrientation::RowMajor : ShardOrientation::ColMajor;
  if (cursor.eat(",")) {
    spec.mode = std::string(enumWord(cursor.balanced()));
    if (spec.mode != "physical" && spec.mode != "logical")
      return badText("the mode before this, `<physical>` or `<logical>`,", cursor);
  }
  if (!cursor.eat(">") || !cursor.atEnd()) return badText("`>` of the shard spec", cursor);
  return spec;
}

Result<MemoryConfig, LayoutDefect> parseMemoryConfig(std::string_view text) {
  TextCursor cursor(text);
  if (!cursor.eat("#ttnn.memory_config") || !cursor.eat("<")) return badText("`#ttnn.memory_config<`", cursor);
  MemoryConfig config;
  const std::string_view bufferText = cursor.balanced();
  const std::optional<BufferType> buffer = parseBufferType(spaceWord(bufferText));
  if (!buffer) return defect(LayoutRule::UnknownBufferType, "buffer type " + quoted(bufferText) + " is not known");
  config.buffer = *buffer;
  config.memory = TensorMemoryLayout::None;
  if (cursor.eat(",")) {
    const std::string_view memoryText = cursor.balanced();
    const std::optional<TensorMemoryLayout> memory = parseTensorMemoryLayout(enumWord(memoryText));
    if (!memory)
      return defect(LayoutRule::UnknownMemoryLayout, "memory layout " + quoted(memoryText) + " is not known");
    config.memory = *memory;
  }
  if (cursor.eat(",")) {
    Result<ShardSpec, LayoutDefect> spec = parseShardSpec(cursor.balanced());
    if (!spec) return spec.error();
    config.shard = *spec;
  }
  if (!cursor.eat(">") || !cursor.atEnd()) return badText("`>` of the memory config", cursor);
  if (config.shard && !isSharded(config.memory))
    return defect(LayoutRule::CoreRangesWithoutShards, "a memory config that is not sharded has no shard spec");
  if (config.buffer == BufferType::DRAM && config.memory == TensorMemoryLayout::BlockSharded) {
    return defect(LayoutRule::DramBlockSharded, "a tensor in DRAM cannot be block sharded");
  }
  return config;
}

}  // namespace tessera

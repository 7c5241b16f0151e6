// The rules a layout must keep, each with the sentence shown to users.

#include "core/ir/tensor_layout.h"
#include "core/support/check.h"

namespace tessera {
namespace {

struct RuleInfo {
  LayoutRule rule;
  std::string_view name;
  std::string_view text;
};

constexpr RuleInfo kRules[] = {
    {LayoutRule::NegativeDim, "NegativeDim", "every dim is zero or more"},
    {LayoutRule::SizeOverflow, "SizeOverflow", "sizes and addresses stay below 2^62"},
    {LayoutRule::EmptyGrid, "EmptyGrid", "every grid dim is at least 1"},
    {LayoutRule::GridBeyondDevice, "GridBeyondDevice", "the shards' grid fits the device"},
    {LayoutRule::GridBeyondTensor, "GridBeyondTensor",
     "the grid has no more rows or columns than the tensor has tiles"},
    {LayoutRule::DramBlockSharded, "DramBlockSharded", "DRAM takes height and width sharding, not block sharding"},
    {LayoutRule::HeightGridNotColumn, "HeightGridNotColumn", "height sharding has a grid of one column"},
    {LayoutRule::WidthGridNotRow, "WidthGridNotRow", "width sharding has a grid of one row"},
    {LayoutRule::BlockFloatRowMajor, "BlockFloatRowMajor", "block float formats exist in tiles only"},
    {LayoutRule::SystemMemoryWithMemoryLayout, "SystemMemoryWithMemoryLayout",
     "a tensor in system memory has no memory layout"},
    {LayoutRule::SystemMemorySharded, "SystemMemorySharded", "a tensor in system memory is not sharded"},
    {LayoutRule::MissingMemoryLayout, "MissingMemoryLayout", "a tensor on the device has a memory layout"},
    {LayoutRule::RankMismatch, "RankMismatch", "shape, map, grid and memref agree in rank"},
    {LayoutRule::EmptyTensor, "EmptyTensor", "a tensor on the device has at least one element"},
    {LayoutRule::BadText, "BadText", "the text follows the attribute's grammar"},
    {LayoutRule::UnknownElementType, "UnknownElementType", "the element type is one the device knows"},
    {LayoutRule::UnknownBufferType, "UnknownBufferType",
     "the buffer type is dram, l1, system_memory, l1_small or trace"},
    {LayoutRule::UnknownMemoryLayout, "UnknownMemoryLayout",
     "the memory layout is interleaved, single_bank, height_sharded, width_sharded or block_sharded"},
    {LayoutRule::BadTileShape, "BadTileShape", "TTNN tiles are 32x32"},
    {LayoutRule::GridNotUnit, "GridNotUnit", "DRAM interleaved and system memory have the grid 1x1"},
    {LayoutRule::ShardMismatch, "ShardMismatch", "the memref is the padded tensor divided by the grid"},
    {LayoutRule::CoreRangesWithoutShards, "CoreRangesWithoutShards", "only sharded layouts name core ranges"},
    {LayoutRule::CoreRangesMismatch, "CoreRangesMismatch",
     "the core ranges are disjoint and have a core for every shard"},
    {LayoutRule::BadMap, "BadMap", "the affine map is well formed"},
    {LayoutRule::MapTooLarge, "MapTooLarge", "an affine map stays within its size limit"},
    {LayoutRule::MapNotLinear, "MapNotLinear", "the map of a layout is a sum of dims times constants"},
    {LayoutRule::MapNegative, "MapNegative", "the map of a layout has no negative stride or offset"},
    {LayoutRule::MapOverlaps, "MapOverlaps", "no two elements share a place: a stride spans all faster dims"},
    {LayoutRule::BadInterval, "BadInterval", "collapse intervals are increasing, disjoint and within the rank"},
    {LayoutRule::UnknownMemorySpace, "UnknownMemorySpace", "the memory space is system, mmio, dram or l1"},
    {LayoutRule::UnknownOobValue, "UnknownOobValue", "the out-of-bounds value is undef, zero, one, inf or neginf"},
    {LayoutRule::IndexOutOfBounds, "IndexOutOfBounds", "an index lies within its shape"},
    {LayoutRule::NotAligned, "NotAligned", "page sizes and shard widths keep the memory's alignment"},
};

const RuleInfo& info(LayoutRule rule) {
  const size_t at = static_cast<size_t>(rule);
  TESSERA_CHECK(at < std::size(kRules) && kRules[at].rule == rule, "kRules is in enum order");
  return kRules[at];
}

}  // namespace

std::string_view layoutRuleName(LayoutRule rule) { return info(rule).name; }
std::string_view layoutRuleText(LayoutRule rule) { return info(rule).text; }

const std::vector<LayoutRule>& allLayoutRules() {
  static const std::vector<LayoutRule> rules = [] {
    std::vector<LayoutRule> all;
    for (const RuleInfo& entry : kRules) all.push_back(entry.rule);
    return all;
  }();
  return rules;
}

}  // namespace tessera

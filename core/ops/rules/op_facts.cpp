#include "core/ops/rules/op_facts.h"

#include <algorithm>
#include <charconv>

#include "core/ops/rules/family_rules.h"
#include "core/ops/table/conv2d_config.h"

namespace tessera {

namespace {

std::string_view withoutMarks(std::string_view role) {
  while (!role.empty() && (role.back() == '?' || role.back() == '*')) role.remove_suffix(1);
  return role;
}

// By operandSegmentSizes: one segment per entry of the roles column.
void rolesBySegments(OpFacts& facts, const std::vector<int64_t>& segments) {
  std::string_view rest = facts.info->roles;
  int64_t at = 0;
  for (int64_t size : segments) {
    size_t end = std::min(rest.find(' '), rest.size());
    if (size < 0 || size > facts.inputs) return;
    if (size == 1 && at < facts.inputs)
      facts.roles.emplace_back(withoutMarks(rest.substr(0, end)), static_cast<int>(at));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    at += size;
  }
}

}  // namespace

namespace {

// "<height_sharded>" is another spelling of `height_sharded`.
std::string bareField(std::string_view config, std::string_view name) {
  std::string value = conv2dConfigField(config, name);
  if (value.size() > 2 && value.front() == '<' && value.back() == '>') value = value.substr(1, value.size() - 2);
  return value;
}

// The bounding grid of `#ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,6)>]>`: columns and rows of the last corner.
std::optional<GridShape> gridOfRanges(std::string_view text) {
  const size_t comma = text.rfind(','), open = text.rfind('(');
  if (comma == std::string_view::npos || open == std::string_view::npos || open > comma) return {};
  int32_t x = 0, y = 0;
  const auto first = std::from_chars(text.data() + open + 1, text.data() + comma, x);
  const auto second = std::from_chars(text.data() + comma + 1, text.data() + text.size(), y);
  constexpr int32_t kMost = 1024;
  if (first.ec != std::errc() || second.ec != std::errc() || x < 0 || y < 0 || x > kMost || y > kMost) return {};
  return GridShape{y + 1, x + 1};
}

// Of `#ttnn.conv2d_slice_config<dram_height, 4>`; nothing for l1_full.
std::optional<ConvSlices> slicesOf(std::string_view config) {
  const size_t begin = config.find("<dram_"), comma = config.find(',');
  if (begin == std::string_view::npos) return {};
  ConvSlices slices;
  slices.ofRows = config.substr(begin + 6, 6) == "height";
  if (comma != std::string_view::npos) {
    config.remove_prefix(std::min(config.find_first_not_of(' ', comma + 1), config.size()));
    std::from_chars(config.data(), config.data() + config.size(), slices.count);
  }
  slices.count = std::max<int64_t>(slices.count, 0);
  return slices;
}

ConvFacts convFactsOf(std::string_view config) {
  ConvFacts facts;
  facts.actBlockH = parseActBlockH(config);
  const std::string div = bareField(config, "act_block_w_div"), shards = bareField(config, "shard_layout"),
                    weights = bareField(config, "weights_dtype");
  std::from_chars(div.data(), div.data() + div.size(), facts.actBlockWDiv);
  facts.actBlockWDiv = std::clamp<int64_t>(facts.actBlockWDiv, 1, 1024);
  if (const auto memory = parseTensorMemoryLayout(shards); memory && isSharded(*memory)) facts.shardLayout = *memory;
  if (const auto dtype = parseDType(weights)) facts.weights = deviceDType(*dtype);
  facts.rowMajorResult = bareField(config, "output_layout") == "row_major";
  facts.doubleActivations = bareField(config, "enable_act_double_buffer") == "true";
  facts.doubleWeights = bareField(config, "enable_weights_double_buffer") == "true";
  if (bareField(config, "override_sharding_config") == "true")
    facts.coreGrid = gridOfRanges(conv2dConfigField(config, "core_grid"));
  return facts;
}

CheckedValue checked(const ValueType& type, Refusal otherwise) {
  CheckedValue value{type.isTensor() ? shapeDefect(type.tensor->shape) : otherwise, {}, {}};
  if (!type.isTensor() || value.defect != Refusal::None) return value;
  value.tiles = *physicalShape(type.tensor->shape, PageLayout::Tile);
  value.scalars = *physicalShape(type.tensor->shape, PageLayout::RowMajor);
  return value;
}

}  // namespace

OpFacts factsOf(const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  OpFacts facts;
  facts.info = &opInfo(op.kind);
  facts.base = facts.info->name.substr(std::min(facts.info->name.find('.') + 1, facts.info->name.size()));
  facts.inputs = inputCount(graph, id);
  const AttrValue* segments = findAttr(op, "operandSegmentSizes");
  if (segments && segments->kind == AttrValueKind::IntArray) {
    rolesBySegments(facts, segments->ints);
  } else {
    constexpr int kMostRoles = 16;  // no table line names more; a variadic role takes the rest
    for (int i = 0; i < std::min(facts.inputs, kMostRoles); ++i)
      facts.roles.emplace_back(operandRole(*facts.info, i, facts.inputs), i);
  }
  if (const AttrValue* program = findAttr(op, "matmul_program_config")) {
    facts.program = parseMatmulProgram(program->text);
    const ValueType* result = op.results.empty() ? nullptr : &graph.values[op.results[0]].type;
    if (result && result->isTensor()) facts.programResult = result->tensor->layout;
  }
  if (const AttrValue* conv = findAttr(op, "conv2d_config")) facts.conv = convFactsOf(conv->text);
  if (const AttrValue* slices = findAttr(op, "conv2d_slice_config")) facts.conv.slices = slicesOf(slices->text);
  // The op's own word comes before that of its configuration, as where the weights are prepared.
  const AttrValue* weights = findAttr(op, "weights_dtype");
  const auto own = weights ? parseDType(weights->string) : std::nullopt;
  if (own) facts.conv.weights = deviceDType(*own);
  if (const AttrValue* compute = findAttr(op, "compute_config")) facts.compute = parseComputeConfig(compute->text);
  if (facts.info->family == Family::Conv || facts.info->family == Family::Pool) facts.window = window2d(graph, id);
  for (ValueId operand : op.operands)
    facts.operands.push_back(checked(graph.values[operand].type, Refusal::NotATensor));
  for (ValueId result : op.results) facts.results.push_back(checked(graph.values[result].type, Refusal::None));
  return facts;
}

}  // namespace tessera

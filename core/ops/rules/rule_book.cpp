#include "core/ops/rules/rule_book.h"

#include <optional>

namespace tessera {

namespace {

// tt-mlir Analysis/OpRules, row by row; ops before families.
constexpr RuleBook kRuleBooks[] = {
    {.op = ""},  // the default: element-wise ops, softmax, reductions ...
    {.op = "rms_norm", .operands = {{0, InputFilter::NotHeightSharded}}, .adjust = ScoreAdjustment::RmsNorm},
    {.op = "concatenate_heads", .hints = OutputHints::NonSharded},
    {.op = "nlp_concat_heads_decode", .hints = OutputHints::NullOnly},
    {.op = "split_query_key_value_and_split_heads", .hints = OutputHints::NullOnly},
    {.op = "scaled_dot_product_attention", .hints = OutputHints::NullOnly},
    {.op = "scaled_dot_product_attention_decode",
     .operands = {{0, InputFilter::DramOrSharded}, {-1, InputFilter::DramInterleaved}},
     .hints = OutputHints::NullOnly},
    {.op = "paged_scaled_dot_product_attention_decode",
     .operands = {{0, InputFilter::DramOrSharded}, {-1, InputFilter::DramInterleaved}},
     .hints = OutputHints::NullOnly},
    {.op = "where", .hints = OutputHints::NullOnly},
    {.op = "mesh_partition", .operands = {{-1, InputFilter::DramInterleaved}}},
    {.op = "fill_cache", .operands = {{0, InputFilter::DramInterleaved}, {-1, InputFilter::HeightOrInterleaved}}},
    {.op = "paged_fill_cache", .operands = {{0, InputFilter::DramInterleaved}, {-1, InputFilter::HeightOrInterleaved}}},
    {.op = "update_cache", .operands = {{0, InputFilter::DramInterleaved}, {-1, InputFilter::HeightOrInterleaved}}},
    {.op = "paged_update_cache",
     .operands = {{0, InputFilter::DramInterleaved}, {-1, InputFilter::HeightOrInterleaved}}},
    {.op = "",
     .family = Family::Conv,
     .hints = OutputHints::AllConfigs,
     .combination = InputCombination::SameTypeAsResult},
    {.op = "",
     .family = Family::Matmul,
     .operands = {{1, InputFilter::Interleaved}},
     .hints = OutputHints::ShardedOrDram},
    {.op = "",
     .family = Family::Concat,
     .hints = OutputHints::NullAndSharded,
     .combination = InputCombination::AllAlike},
    {.op = "",
     .family = Family::Slice,
     .operands = {{-1, InputFilter::Interleaved}},
     .hints = OutputHints::NonSharded,
     .exploreReshards = false},
    {.op = "",
     .family = Family::Reshape,
     .operands = {{-1, InputFilter::NotWidthSharded}},
     .hints = OutputHints::ViewOrNonSharded,
     .exploreReshards = false},
    {.op = "",
     .family = Family::Permute,
     .operands = {{-1, InputFilter::NotWidthSharded}},
     .hints = OutputHints::ViewOrNonSharded,
     .exploreReshards = false},
    {.op = "", .family = Family::Pad, .hints = OutputHints::NonSharded},
    {.op = "", .family = Family::Repeat, .combination = InputCombination::SameTypeAsResult},
    {.op = "", .family = Family::Embedding, .hints = OutputHints::NonSharded},
    {.op = "", .family = Family::Typecast, .hints = OutputHints::NullOnly},
    {.op = "",
     .family = Family::RotaryEmbedding,
     .operands = {{-1, InputFilter::HeightOrInterleaved}},
     .hints = OutputHints::NullOnly},
};

bool passes(InputFilter filter, const TensorLayout& layout) {
  switch (filter) {
    case InputFilter::Any: return true;
    case InputFilter::Interleaved: return !layout.sharded();
    case InputFilter::NotWidthSharded: return layout.memory != TensorMemoryLayout::WidthSharded;
    case InputFilter::NotHeightSharded: return layout.memory != TensorMemoryLayout::HeightSharded;
    case InputFilter::HeightOrInterleaved:
      return !layout.sharded() || layout.memory == TensorMemoryLayout::HeightSharded;
    case InputFilter::DramOrSharded: return layout.isDram() || layout.sharded();
    case InputFilter::DramInterleaved: return layout.isDram() && !layout.sharded();
  }
  return true;
}

std::string_view baseName(const OpInfo& info) {
  size_t dot = info.name.find('.');
  return dot == std::string_view::npos ? info.name : info.name.substr(dot + 1);
}

}  // namespace

const RuleBook& ruleBook(OpKind kind) {
  const OpInfo& info = opInfo(kind);
  std::string_view name = baseName(info);
  const RuleBook* ofFamily = &kRuleBooks[0];
  for (const RuleBook& book : kRuleBooks) {
    if (!book.op.empty() && book.op == name) return book;
    if (book.op.empty() && book.family != Family::Opaque && book.family == info.family) ofFamily = &book;
  }
  return *ofFamily;
}

bool acceptsInput(const RuleBook& book, int operand, const TensorLayout& layout) {
  const OperandRule* every = nullptr;
  for (const OperandRule& rule : book.operands) {
    if (rule.operand == operand) return passes(rule.filter, layout);
    if (rule.operand < 0 && rule.filter != InputFilter::Any && !every) every = &rule;
  }
  return !every || passes(every->filter, layout);
}

bool acceptsCombination(const RuleBook& book, std::span<const std::optional<TensorLayout>> inputs,
                        const TensorLayout& output) {
  if (book.combination == InputCombination::Any || inputs.empty() || !inputs[0]) return true;
  if (book.combination == InputCombination::SameTypeAsResult) {
    return !inputs[0]->sharded() || !output.sharded() || inputs[0]->memory == output.memory;
  }
  for (const auto& input : inputs) {
    if (input && (input->memory != inputs[0]->memory || !(input->grid == inputs[0]->grid))) return false;
  }
  bool sharded = inputs[0]->sharded();
  return sharded == output.sharded() &&
         (!sharded || (inputs[0]->memory == output.memory && inputs[0]->grid == output.grid));
}

}  // namespace tessera

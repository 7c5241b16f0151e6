// Custom calls and composites.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>

#include "core/ir/constant_value.h"
#include "core/lowering/stablehlo/convert.h"
#include "core/lowering/stablehlo/stablehlo.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

namespace shlo {

namespace {

constexpr std::string_view kFrontend = "mhlo.frontend_attributes";
constexpr std::string_view kComposite = "composite_attributes";

// From the whole tensor to one chip's part, or back.
bool meshShard(PatternRewriter& p, OpId root, bool split) {
  const Shape &in = shapeOf(p, root, 0), &out = p.resultShape(root);
  if (in == out) return p.becomes(root, p.in(root, 0));
  std::vector<int64_t> parts, dims;
  for (size_t d = 0; d < in.size() && in.size() == out.size(); ++d) {
    int64_t large = split ? in[d] : out[d], small = split ? out[d] : in[d];
    if (small <= 0 || large % small != 0) return refuse(p, root, "its shapes are no parts of each other");
    parts.push_back(large / small);
  }
  if (parts.size() != in.size()) return refuse(p, root, "its shapes have different ranks");
  for (size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] > 1) dims.push_back(static_cast<int64_t>(d));
  }
  return finish(p, root, OpKind::TtirMeshShard, {p.in(root, 0)},
                {{"shard_dims", intArrayAttr(std::move(dims))},
                 {"shard_shape", intArrayAttr(std::move(parts))},
                 {"shard_direction",
                  rawAttr(split ? "#ttcore.shard_direction<full_to_shard>" : "#ttcore.shard_direction<shard_to_full>")},
                 {"shard_type", rawAttr("#ttcore.shard_type<devices>")}});
}

int64_t wholeNumber(const Op& op, std::string_view attr, std::string_view name, int64_t fallback) {
  std::string text = entryOf(op, attr, name);
  return text.empty() ? fallback : std::strtoll(text.c_str(), nullptr, 10);
}

bool saysTrue(const Op& op, std::string_view attr, std::string_view name) {
  std::string text = entryOf(op, attr, name);
  return text == "true" || text == "True" || text == "1";
}

// An attribute of the op made that stands in the call's dictionary: a whole number, or a truth of type "bool".
struct EntryRow {
  const char* name;
  int32_t fallback = 0;
  const char* type = "i64";
};

AttrList entriesIn(const Op& op, std::string_view attr, std::initializer_list<EntryRow> rows) {
  AttrList attrs;
  for (const EntryRow& row : rows) {
    const bool truth = std::string_view(row.type) == "bool";
    const bool yes = row.fallback != 0 ? entryOf(op, attr, row.name) != "false" : saysTrue(op, attr, row.name);
    attrs.push_back({std::string(row.name),
                     truth ? boolAttr(yes) : intAttr(wholeNumber(op, attr, row.name, row.fallback), row.type)});
  }
  return attrs;
}

// Nothing checks the shapes of a call when it is read. Where they break the rules of the op that it would become, it
// stays a call, for that reason.
bool keepsRules(PatternRewriter& p, OpId root, const OpSpec& spec, const std::vector<ValueType>& operands) {
  const std::string mistake = shapeMistake(spec, operands);
  return mistake.empty() || refuse(p, root, mistake);
}
bool keepsRules(PatternRewriter& p, OpId root, const OpSpec& spec) {
  std::vector<ValueType> operands;
  for (ValueId operand : spec.operands) operands.push_back(p.typeOf(operand));
  return keepsRules(p, root, spec, operands);
}

// The op of that kind on all operands, with all results.
bool sameOperands(PatternRewriter& p, OpId root, OpKind kind, AttrList attrs, size_t operands = SIZE_MAX) {
  const Op& op = p.old(root);
  OpSpec spec = makeOp(kind, {}, {});
  for (size_t i = 0; i < std::min(op.operands.size(), operands); ++i) spec.operands.push_back(p.in(root, i));
  if (!countFits(p, root, kind, operands)) return false;
  for (ValueId result : op.results) spec.resultTypes.push_back(p.oldGraph().values[result].type);
  spec.attrs = std::move(attrs);
  if (!keepsRules(p, root, spec)) return false;
  p.replace(root, std::move(spec));
  return true;
}

using CallRule = bool (*)(PatternRewriter&, OpId);
struct CallRow {
  std::string_view name;
  CallRule rule;
};

bool firstResult(PatternRewriter& p, OpId root, OpKind kind, AttrList attrs) {
  if (p.old(root).results.size() != 1) return refuse(p, root, "it has more than one result");
  return sameOperands(p, root, kind, std::move(attrs));
}

bool callErf(PatternRewriter& p, OpId root) { return firstResult(p, root, OpKind::TtirErf, {}); }
bool callAsinh(PatternRewriter& p, OpId root) { return firstResult(p, root, OpKind::TtirAsinh, {}); }

bool callTopk(PatternRewriter& p, OpId root) {
  constexpr std::string_view kAttrs = "mhlo.attributes";
  if (p.old(root).results.size() != 2) return refuse(p, root, "it has no two results");
  return sameOperands(p, root, OpKind::TtirTopk,
                      {{"k", intAttr(wholeNumber(p.old(root), kAttrs, "k",
                                                 p.resultShape(root).empty() ? 1 : p.resultShape(root).back()),
                                     "i32")},
                       {"dim", intAttr(-1, "i32")},
                       {"largest", boolAttr(entryOf(p.old(root), kAttrs, "largest") != "false")},
                       {"sorted", boolAttr(true)}});
}

bool callFullToShard(PatternRewriter& p, OpId root) { return meshShard(p, root, true); }
bool callShardToFull(PatternRewriter& p, OpId root) { return meshShard(p, root, false); }
bool callNothing(PatternRewriter& p, OpId root) {
  if (p.typeOf(p.in(root, 0)) != p.type(root)) return refuse(p, root, "the result has another type than its operand");
  return p.becomes(root, p.in(root, 0));
}

bool callSparseMatmul(PatternRewriter& p, OpId root) {
  return firstResult(
      p, root, OpKind::TtirSparseMatmul,
      entriesIn(p.old(root), kFrontend, {{"is_input_a_sparse", 0, "bool"}, {"is_input_b_sparse", 0, "bool"}, {"nnz"}}));
}

bool callDispatch(PatternRewriter& p, OpId root) {
  return sameOperands(p, root, OpKind::TtirAllToAllDispatch,
                      entriesIn(p.old(root), kFrontend, {{"num_devices", 1}, {"cluster_axis"}}));
}

bool callCombine(PatternRewriter& p, OpId root) {
  return sameOperands(
      p, root, OpKind::TtirAllToAllCombine,
      entriesIn(p.old(root), kFrontend,
                {{"num_devices", 1}, {"cluster_axis"}, {"num_experts_per_tok", 1}, {"output_shard_dim", 2}}));
}

bool callRemap(PatternRewriter& p, OpId root) {
  return sameOperands(p, root, OpKind::TtirMoeExpertTokenRemap,
                      entriesIn(p.old(root), kFrontend, {{"reduction_size", 1}}));
}

bool callFillCache(PatternRewriter& p, OpId root) {
  return firstResult(p, root, OpKind::TtirFillCache, entriesIn(p.old(root), kFrontend, {{"batch_offset", 0, "i32"}}));
}
bool callUpdateCache(PatternRewriter& p, OpId root) {
  return firstResult(p, root, OpKind::TtirUpdateCache, entriesIn(p.old(root), kFrontend, {{"batch_offset", 0, "i32"}}));
}
bool callPagedUpdateCache(PatternRewriter& p, OpId root) {
  return firstResult(p, root, OpKind::TtirPagedUpdateCache,
                     entriesIn(p.old(root), kFrontend, {{"share_cache", 0, "bool"}}));
}
bool callPagedFillCache(PatternRewriter& p, OpId root) { return firstResult(p, root, OpKind::TtirPagedFillCache, {}); }
bool callSampling(PatternRewriter& p, OpId root) { return sameOperands(p, root, OpKind::TtirSampling, {}); }

AttrList attentionAttrs(const Op& op, std::string_view from) {
  AttrList attrs = {{"is_causal", boolAttr(saysTrue(op, from, "is_causal"))}};
  std::string scale = entryOf(op, from, "scale");
  if (!scale.empty() && scale != "None") attrs.push_back({"scale", f32Attr(std::strtod(scale.c_str(), nullptr))});
  std::string window = entryOf(op, from, "sliding_window_size");
  if (!window.empty() && window != "None" && std::strtoll(window.c_str(), nullptr, 10) > 0)
    attrs.push_back({"sliding_window_size", intAttr(std::strtoll(window.c_str(), nullptr, 10), "ui32")});
  return attrs;
}

// Which of a mask, positions and a sink a call hands over, in this order. Front ends say so ("True", "False"); where
// nothing is said, whole numbers behind the first `fixed` operands are positions, others a mask, then a sink.
std::vector<int64_t> optionalOperands(PatternRewriter& p, OpId root, size_t fixed) {
  const Op& op = p.old(root);
  std::vector<int64_t> there;
  bool told = false;
  for (const char* name : {"has_attention_mask", "has_cur_pos_tensor", "has_attention_sink"}) {
    told = told || !entryOf(op, kFrontend, name).empty();
    there.push_back(saysTrue(op, kFrontend, name) ? 1 : 0);
  }
  if (told) return there;
  for (size_t i = fixed; i < op.operands.size(); ++i) {
    if (!isFloatType(p.dtype(p.in(root, i)))) there[1] = 1;
    else there[there[0] == 0 && there[1] == 0 ? 0 : 2] = 1;
  }
  return there;
}

// The op on the call's operands in that order, `sizes` of them for each of its roles.
bool attentionOf(PatternRewriter& p, OpId root, OpKind kind, const std::vector<size_t>& order,
                 std::vector<int64_t> sizes, AttrList attrs) {
  if (p.old(root).results.size() != 1) return refuse(p, root, "it has more than one result");
  if (std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) != static_cast<int64_t>(p.old(root).operands.size()))
    return refuse(p, root, "it has other operands than it says");
  OpSpec spec = makeOp(kind, {}, {p.type(root)});
  for (const size_t operand : order) spec.operands.push_back(p.in(root, operand));
  attrs.push_back({"operandSegmentSizes", intArrayAttr(std::move(sizes), "i32")});
  spec.attrs = std::move(attrs);
  if (!keepsRules(p, root, spec)) return false;
  p.replace(root, std::move(spec));
  return true;
}

std::vector<size_t> asGiven(PatternRewriter& p, OpId root) {
  std::vector<size_t> order(p.old(root).operands.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool callAttention(PatternRewriter& p, OpId root) {
  const std::vector<int64_t> more = optionalOperands(p, root, 3);
  return attentionOf(p, root, OpKind::TtirScaledDotProductAttention, asGiven(p, root), {1, 1, 1, more[0], more[2]},
                     attentionAttrs(p.old(root), kFrontend));
}
// The call names positions before the mask, the op behind it.
bool callAttentionDecode(PatternRewriter& p, OpId root) {
  std::vector<int64_t> more = optionalOperands(p, root, 4);
  std::vector<size_t> order = asGiven(p, root);
  if (order.size() > 3) more[1] = 1;
  if (more[0] == 1 && order.size() > 4) std::swap(order[3], order[4]);
  return attentionOf(p, root, OpKind::TtirScaledDotProductAttentionDecode, order, {1, 1, 1, more[0], more[1], more[2]},
                     attentionAttrs(p.old(root), kFrontend));
}
bool callPagedAttention(PatternRewriter& p, OpId root) {
  const std::vector<int64_t> more = optionalOperands(p, root, 4);
  return attentionOf(p, root, OpKind::TtirPagedScaledDotProductAttentionDecode, asGiven(p, root),
                     {1, 1, 1, 1, 0, more[0], more[1], more[2]}, attentionAttrs(p.old(root), kFrontend));
}
bool callChunkedAttention(PatternRewriter& p, OpId root) {
  return firstResult(p, root, OpKind::TtirChunkedScaledDotProductAttention, attentionAttrs(p.old(root), kFrontend));
}
// Keys hold the values, in their first numbers, where the call has none.
bool callPagedMla(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  const std::string told = entryOf(op, kFrontend, "has_value");
  const bool values =
      told.empty() ? op.operands.size() > 2 && shapeOf(p, root, 2).size() == 4 : saysTrue(op, kFrontend, "has_value");
  const std::vector<int64_t> more = optionalOperands(p, root, values ? 4 : 3);
  AttrList attrs = attentionAttrs(op, kFrontend);
  const int64_t width = p.resultShape(root).empty() ? 0 : p.resultShape(root).back();
  attrs.push_back({"head_dim_v", intAttr(wholeNumber(op, kFrontend, "head_dim_v", width), "ui32")});
  return attentionOf(p, root, OpKind::TtirPagedFlashMultiLatentAttentionDecode, asGiven(p, root),
                     {1, 1, values ? 1 : 0, 1, more[0], more[1], more[2]}, std::move(attrs));
}

bool compositeGelu(PatternRewriter& p, OpId root) {
  std::string how = entryOf(p.old(root), kComposite, "approximate");
  if (word(p.old(root), "name") == "tenstorrent.gelu_tanh") how = "tanh";
  AttrList attrs;
  if (!how.empty()) attrs.push_back({"approximate", stringAttr(how)});
  return firstResult(p, root, OpKind::TtirGelu, std::move(attrs));
}

// The sizes of `dense<[2, 3]> : tensor<2xi64>`, `[2 : i32, 3 : i32]` and `array<i64: 2, 3>`; no digits of a type.
std::vector<int64_t> sizesIn(std::string text) {
  if (text.rfind("array<", 0) == 0) text.erase(0, text.find(':'));
  else text.resize(std::min(text.find(": tensor"), text.size()));
  const auto isWord = [&](size_t at) { return std::isalnum(static_cast<unsigned char>(text[at])) != 0; };
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = std::isdigit(static_cast<unsigned char>(text[i])) != 0 && (i == 0 || !isWord(i - 1));
    if (begins) sizes.push_back(std::strtoll(text.c_str() + i, nullptr, 10));
  }
  return sizes;
}

// Attributes of a norm: in a composite's dictionary, or in that of a custom call.
AttrList normAttrsIn(const Op& op, std::string_view from) {
  AttrList attrs;
  std::vector<int64_t> shape = sizesIn(entryOf(op, from, "normalized_shape"));
  if (!shape.empty()) attrs.push_back({"normalized_shape", intArrayAttr(std::move(shape))});
  std::string epsilon = entryOf(op, from, "epsilon");
  if (!epsilon.empty()) attrs.push_back({"epsilon", f32Attr(std::strtod(epsilon.c_str(), nullptr))});
  return attrs;
}

bool compositeNorm(PatternRewriter& p, OpId root, OpKind kind) {
  const Op& op = p.old(root);
  AttrList attrs = normAttrsIn(op, findAttr(op, kComposite) != nullptr ? kComposite : kFrontend);
  std::vector<int64_t> normalized;
  for (const Attribute& attr : attrs) {
    if (attr.name == "normalized_shape") normalized = attr.value.ints;
  }
  const Shape& in = shapeOf(p, root, 0);
  bool fits = in == p.resultShape(root) && normalized.size() <= in.size() &&
              std::equal(normalized.rbegin(), normalized.rend(), in.rbegin());
  if (normalized.empty() || !fits) return refuse(p, root, "its normalized_shape does not fit the operand");
  size_t parameters = p.old(root).operands.size() - 1;
  attrs.push_back({"operandSegmentSizes", intArrayAttr({1, parameters > 0 ? 1 : 0, parameters > 1 ? 1 : 0}, "i32")});
  return firstResult(p, root, kind, std::move(attrs));
}

bool compositeRmsNorm(PatternRewriter& p, OpId root) { return compositeNorm(p, root, OpKind::TtirRmsNorm); }
bool compositeLayerNorm(PatternRewriter& p, OpId root) { return compositeNorm(p, root, OpKind::TtirLayerNorm); }

bool compositeGroupNorm(PatternRewriter& p, OpId root) {
  AttrList attrs = entriesIn(p.old(root), kComposite, {{"num_groups", 1}, {"channel_dim", 1}});
  attrs.push_back({"epsilon", f32Attr(std::strtod(entryOf(p.old(root), kComposite, "epsilon").c_str(), nullptr))});
  const size_t given = p.old(root).operands.size();  // without the mask that the op takes
  if (given > 3) return refuse(p, root, "it reads more than an input, a weight and a bias");
  attrs.push_back({"operandSegmentSizes", intArrayAttr({1, 0, given > 1 ? 1 : 0, given > 2 ? 1 : 0}, "i32")});
  return firstResult(p, root, OpKind::TtirGroupNorm, std::move(attrs));
}

bool compositeAttention(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  bool causal = saysTrue(op, kComposite, "is_causal");
  if (op.results.size() != 1 || op.operands.size() < 3) return refuse(p, root, "it has no query, key and value");
  std::vector<ValueType> types;
  for (size_t i = 0; i < std::min<size_t>(op.operands.size(), causal ? 3 : 4); ++i) {
    Shape shape = shapeOf(p, root, i);
    if (shape.size() == 3) shape.insert(shape.begin(), 1);
    if (shape.size() != 4) return refuse(p, root, "its operands have neither rank 3 nor 4");
    types.push_back(p.typeWith(p.typeOf(p.in(root, i)), std::move(shape)));
  }
  Shape result = p.resultShape(root);
  if (result.size() == 3) result.insert(result.begin(), 1);
  OpSpec spec = makeOp(OpKind::TtirScaledDotProductAttention, {}, {p.typeWith(p.type(root), std::move(result))});
  spec.attrs = attentionAttrs(op, kComposite);
  spec.attrs.push_back({"operandSegmentSizes", intArrayAttr({1, 1, 1, types.size() > 3 ? 1 : 0, 0}, "i32")});
  if (!keepsRules(p, root, spec, types)) return false;
  for (size_t i = 0; i < types.size(); ++i)
    spec.operands.push_back(p.emitReshape(root, p.in(root, i), types[i].tensor->shape));
  return finishAs(p, root, p.emit(root, std::move(spec)));
}

bool compositeTopk(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  std::string name = word(op, "name");
  bool valuesOnly = name == "tenstorrent.topk_values", placesOnly = name == "tenstorrent.topk_indices";
  if (op.results.size() != (valuesOnly || placesOnly ? 1u : 2u))
    return refuse(p, root, "it has another number of results");
  AttrList attrs =
      entriesIn(op, kComposite, {{"k", 1, "i32"}, {"dim", -1, "i32"}, {"largest", 1, "bool"}, {"sorted", 1, "bool"}});
  if (!valuesOnly && !placesOnly) return sameOperands(p, root, OpKind::TtirTopk, std::move(attrs), 1);
  ValueType values = p.typeWith(p.typeOf(p.in(root, 0)), p.resultShape(root));
  ValueType places = placesOnly ? p.type(root) : p.typeWith(values, DType::I32);
  OpSpec spec = makeOp(OpKind::TtirTopk, {p.in(root, 0)}, {values, places});
  spec.attrs = std::move(attrs);
  if (!keepsRules(p, root, spec)) return false;
  OpId made = p.def(p.emit(root, std::move(spec)));
  return p.becomes(root, p.op(made).results[placesOnly ? 1 : 0]);
}

bool compositeArgmax(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  return firstResult(p, root, OpKind::TtirArgmax,
                     {{"dim_arg", intListAttr({wholeNumber(op, kComposite, "dim", -1)})},
                      {"keep_dim", boolAttr(saysTrue(op, kComposite, "keepdim"))}});
}

bool compositeGather(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  if (p.old(root).results.size() != 1) return refuse(p, root, "it has another number of results");
  const ValueType places = p.typeWith(p.typeOf(p.in(root, 1)), DType::U32);
  OpSpec spec = makeOp(OpKind::TtirGather, {}, {p.type(root)});
  spec.attrs = entriesIn(p.old(root), kComposite, {{"dim", 0, "i32"}});
  if (!keepsRules(p, root, spec, {p.typeOf(p.in(root, 0)), places})) return false;
  spec.operands = {p.in(root, 0), emit(p, root, OpKind::TtirTypecast, {p.in(root, 1)}, places)};
  p.replace(root, std::move(spec));
  return true;
}

bool compositeUniform(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  auto bound = [&](std::string_view name, size_t operand, double fallback) -> std::optional<double> {
    std::string text = entryOf(op, kComposite, name);
    if (!text.empty()) return std::strtod(text.c_str(), nullptr);
    return operand < op.operands.size() ? p.splat(p.in(root, operand)) : std::optional(fallback);
  };
  const std::optional<double> low = bound("low", 0, 0.0), high = bound("high", 1, 1.0);
  if (!low || !high) return refuse(p, root, "its bounds are not known when it is compiled");
  return finish(p, root, OpKind::TtirRand, {},
                {{"size", intListAttr(p.resultShape(root))},
                 {"low", f32Attr(*low)},
                 {"high", f32Attr(*high)},
                 {"seed", intAttr(0, "ui32")}});
}

bool compositeAdamw(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  AttrList attrs;
  for (std::string_view name : {"lr", "beta1", "beta2", "beta1_pow", "beta2_pow", "epsilon", "weight_decay"})
    attrs.push_back({std::string(name), f32Attr(std::strtod(entryOf(op, kComposite, name).c_str(), nullptr))});
  attrs.push_back({"stochastic_rounding", boolAttr(saysTrue(op, kComposite, "stochastic_rounding"))});
  return sameOperands(p, root, OpKind::TtirAdamw, std::move(attrs));
}

constexpr CallRow kComposites[] = {{"tenstorrent.gelu", compositeGelu},
                                   {"tenstorrent.gelu_tanh", compositeGelu},
                                   {"tenstorrent.rms_norm", compositeRmsNorm},
                                   {"tenstorrent.layer_norm", compositeLayerNorm},
                                   {"tenstorrent.group_norm", compositeGroupNorm},
                                   {"tenstorrent.scaled_dot_product_attention", compositeAttention},
                                   {"tenstorrent.topk", compositeTopk},
                                   {"tenstorrent.topk_values", compositeTopk},
                                   {"tenstorrent.topk_indices", compositeTopk},
                                   {"tenstorrent.argmax", compositeArgmax},
                                   {"tenstorrent.gather", compositeGather},
                                   {"tenstorrent.gather_dim", compositeGather},
                                   {"tenstorrent.uniform", compositeUniform},
                                   {"tenstorrent.adamw", compositeAdamw}};

constexpr CallRow kCalls[] = {{"mhlo.erf", callErf},
                              {"mhlo.asinh", callAsinh},
                              {"mhlo.topk", callTopk},
                              {"Sharding", callNothing},
                              {"tt.mark_argument", callNothing},
                              {"tt.weight_dtype_override", callNothing},
                              {"tt.sharding_constraint", callNothing},
                              {"annotate_device_placement", callNothing},
                              {"LayoutConstraint", callNothing},
                              {"xla.sdy.FuncResultSharding", callNothing},
                              {"xla.sdy.GlobalToLocalShape", callFullToShard},
                              {"xla.sdy.LocalToGlobalShape", callShardToFull},
                              {"SPMDFullToShardShape", callFullToShard},
                              {"SPMDShardToFullShape", callShardToFull},
                              {"tt.sparse_matmul", callSparseMatmul},
                              {"tt.all_to_all_dispatch", callDispatch},
                              {"tt.all_to_all_combine", callCombine},
                              {"tt.moe_expert_token_remap", callRemap},
                              {"tt.fill_cache", callFillCache},
                              {"tt.update_cache", callUpdateCache},
                              {"tt.paged_update_cache", callPagedUpdateCache},
                              {"tt.paged_fill_cache", callPagedFillCache},
                              {"tt.sampling", callSampling},
                              {"tt.scaled_dot_product_attention", callAttention},
                              {"tt.scaled_dot_product_attention_decode", callAttentionDecode},
                              {"tt.paged_scaled_dot_product_attention_decode", callPagedAttention},
                              {"tt.chunked_scaled_dot_product_attention", callChunkedAttention},
                              {"tt.paged_flash_mla_decode", callPagedMla},
                              {"tenstorrent.rms_norm", compositeRmsNorm},
                              {"tenstorrent.layer_norm", compositeLayerNorm}};

template <size_t N>
const CallRow* findCall(const CallRow (&rows)[N], std::string_view name) {
  for (const CallRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

bool composite(PatternRewriter& p, OpId root) {
  std::string name = word(p.old(root), "name");
  const CallRow* row = findCall(kComposites, name);
  if (row == nullptr) return refuse(p, root, "composite `" + name + "` names no decomposition in this file");
  return tensors(p, root, 1) && row->rule(p, root);
}

bool customCall(PatternRewriter& p, OpId root) {
  std::string name = word(p.old(root), "call_target_name");
  const CallRow* row = findCall(kCalls, name);
  if (row == nullptr) return refuse(p, root, "the compiler has no custom call `" + name + "`");
  const bool ofOne = row->rule == callNothing || row->rule == callFullToShard || row->rule == callShardToFull;
  if (p.old(root).results.size() > 1 && ofOne) return refuse(p, root, "it has several results");
  if (p.old(root).operands.size() > 1 && ofOne) return refuse(p, root, "it has several operands");
  return tensors(p, root, 1) && row->rule(p, root);
}

}  // namespace shlo

bool hasCompositeRule(std::string_view name) { return shlo::findCall(shlo::kComposites, name) != nullptr; }

}  // namespace tessera

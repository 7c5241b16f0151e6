// The one visible list of passes, in the order of docs/rules/lowering.md#stages.

#include <algorithm>
#include <cstdlib>

#include "core/lowering/argument_types.h"
#include "core/lowering/cache_positions.h"
#include "core/lowering/ccl_activation_dtype.h"
#include "core/lowering/common_ops.h"
#include "core/lowering/const_eval_hoist.h"
#include "core/lowering/const_eval_inputs.h"
#include "core/lowering/conv3d_config.h"
#include "core/lowering/convert_ttir_to_ttnn.h"
#include "core/lowering/create_d2m_subgraphs.h"
#include "core/lowering/deallocate.h"
#include "core/lowering/decompose_layouts.h"
#include "core/lowering/kv_cache_dtype.h"
#include "core/lowering/pass.h"
#include "core/lowering/prepare/pattern.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare_conv2d.h"
#include "core/lowering/remove_dead_values.h"
#include "core/lowering/resolve_composites.h"
#include "core/lowering/row_major_propagation.h"
#include "core/lowering/set_compute_config.h"
#include "core/lowering/stablehlo/stablehlo.h"
#include "core/lowering/ttnn_decomposition.h"
#include "core/lowering/ttnn_fusing.h"
#include "core/lowering/ttnn_layout.h"
#include "core/lowering/validation_fallback.h"
#include "core/lowering/weight_dtype.h"
#include "core/lowering/workarounds.h"

namespace tessera {

namespace {

constexpr std::string_view kDtypes = "none bf16 bfp_bf8 bfp_bf4";
constexpr std::string_view kTristate = "true false unset";
constexpr PassOption kDecompositionOptions[] = {{"config", PassOptionType::Choice, "ttnn ttmetal cpu-fallback"}};
constexpr PassOption kFusingOptions[] = {{"ttnn-enable-conv2d-with-multiply-pattern"},
                                         {"enable-permute-matmul-fusion"}};
constexpr PassOption kDtypeOptions[] = {{"target-dtype", PassOptionType::Choice, kDtypes}};
constexpr PassOption kQuantOptions[] = {{"target-bit-width", PassOptionType::Integer}};
constexpr PassOption kCompositeOptions[] = {
    {"composite-resolution", PassOptionType::Choice, "validate force-promote inline"}};
constexpr PassOption kArgumentOptions[] = {{"argument-types", PassOptionType::Text}};
constexpr PassOption kFallbackOptions[] = {{"max-fallback-attempts", PassOptionType::Integer}};
constexpr PassOption kWorkaroundOptions[] = {{"ttnn-enable-layout-workaround-pass"},
                                             {"ttnn-enable-decomposition-workaround-pass"},
                                             {"ttnn-optimization-level", PassOptionType::Integer}};
constexpr PassOption kComputeOptions[] = {{"math-fidelity", PassOptionType::Choice, "lofi hifi2 hifi3 hifi4 undefined"},
                                          {"fp32-dest-acc-en", PassOptionType::Choice, kTristate},
                                          {"math-approx-mode", PassOptionType::Choice, kTristate},
                                          {"packer-l1-acc", PassOptionType::Choice, kTristate},
                                          {"dst-full-sync-en", PassOptionType::Choice, kTristate}};
constexpr PassOption kLayoutPropagationOptions[] = {{"max-legal-layouts", PassOptionType::Integer},
                                                    {"row-major-enabled"},
                                                    {"beam-width", PassOptionType::Integer},
                                                    {"max-input-candidates-per-operand", PassOptionType::Integer},
                                                    {"max-reshard-candidates-per-type", PassOptionType::Integer},
                                                    {"enable-l1-sharding-layouts"},
                                                    {"enable-decision-trace"},
                                                    {"decision-trace-dir", PassOptionType::Text},
                                                    {"enable-compile-time-stats"},
                                                    {"override-output-layout", PassOptionType::Text},
                                                    {"override-conv2d-config", PassOptionType::Text}};
constexpr PassOption kSpillOptions[] = {
    {"enable-decision-trace"}, {"decision-trace-dir", PassOptionType::Text}, {"use-mock-allocator-state"}};
constexpr PassOption kEraseInverseOptions[] = {
    {"force"}, {"enable-commute-upwards"}, {"enable-commute-downwards"}, {"max-iterations", PassOptionType::Integer}};

PassResult bothWorkarounds(const Graph& graph, const PassContext& given) {
  // Some are for graphs that no optimizer sees.
  LoweringOptions options = given.options;
  options.optimizer = given.settings.integer("ttnn-optimization-level", options.optimizer ? 1 : 0) > 0;
  const PassContext context{given.device,   given.model,  given.budget,     options,
                            given.settings, given.byName, given.ownLayouts, given.configs};
  PassResult first{graph};
  if (context.settings.flag("ttnn-enable-decomposition-workaround-pass", true))
    first = decompositionWorkarounds(graph, context);
  if (!context.settings.flag("ttnn-enable-layout-workaround-pass", true)) return first;
  PassResult second = layoutWorkarounds(first.graph, context);
  carryNotes(first, second);
  return second;
}

PassResult runConstEvalHoist(const Graph& graph, const PassContext&) { return {hoistConstEval(graph)}; }

// Known when compiled: a table that is made when a module starts would keep every pass in modules that lower nothing.
constexpr PassInfo kPasses[] = {
    // StableHLO to TTIR.
    {"inline", "Inlined calls", "Calls, loops and branches are replaced by what they run: one function is left.",
     PassStage::Stablehlo, inlineStablehlo, nullptr},
    {"legalize-stablehlo-composite-to-ttir", "Composites",
     "Composites that the compiler knows become its ops: norms, gelu, attention, topk.", PassStage::Stablehlo,
     legalizeStablehloComposites, nullptr},
    {"convert-stablehlo-to-ttir", "StableHLO to TTIR",
     "One TTIR op, or a few, for each StableHLO op. What has no rule stays as an opaque op in DRAM.",
     PassStage::Stablehlo, convertStablehloToTtir, nullptr},

    // Prepare: TTIR to TTIR.
    {"ttir-element-type-normalization", "Element types", "Every tensor has an element type that the device has.",
     PassStage::Prepare, ttirElementTypeNormalization, [](const LoweringOptions& o) { return !o.specificationRules; }},
    {"ttir-fusing-first", "Fusing before decomposition",
     "Batch norms, padding, biases and activations, as they were written; what decomposition uncovers is fused later.",
     PassStage::Prepare, ttirFusingFirst, [](const LoweringOptions& o) { return o.fusing && o.specificationRules; }},
    {"ttir-to-ttir-decomposition", "Decomposition",
     "Ops that TTNN lacks, in terms of those it has: dot_general as matmul, gathers of rows as embeddings.",
     PassStage::Prepare, ttirDecompose, nullptr, kDecompositionOptions},
    {"canonicalize", "Canonical views",
     "Views that do nothing go, views of views become one, conversions there and back go, constants are worked out.",
     PassStage::Prepare, canonicalize, nullptr},
    {"ttir-implicit-broadcast-fold", "Implicit broadcasts",
     "Element-wise ops broadcast by themselves: no broadcast op in front of them.", PassStage::Prepare,
     ttirImplicitBroadcastFold, [](const LoweringOptions& o) { return o.implicitBroadcastFolding; }},
    {"ttir-fusing", "Fusing",
     "Several ops become the one that the library has for them: batch norms, linears, activations, softmax, norms, "
     "attention.",
     PassStage::Prepare, ttirFusing, [](const LoweringOptions& o) { return o.fusing; }, kFusingOptions},
    {"ttir-decompose-rest", "Decomposition of the rest",
     "What fusing left over: batch norms that follow no convolution, logical reductions.", PassStage::Prepare,
     ttirDecomposeRest, nullptr},
    {"ttir-flatten-sliding-window", "Flattened windows", "Convolutions and pools read and write (1, 1, N*H*W, C).",
     PassStage::Prepare, ttirFlattenSlidingWindow, nullptr},
    {"ttir-erase-inverse-ops", "Inverse views",
     "Permutes and reshapes move behind the ops they do not matter to, until they meet their inverse.",
     PassStage::Prepare, ttirEraseInverseOps, [](const LoweringOptions& o) { return o.eraseInverseOps; },
     kEraseInverseOptions},
    {"ttir-late-fusing", "Fusing behind moved views",
     "The patterns of fusing once more: moved views let ops meet that were apart.", PassStage::Prepare, ttirLateFusing,
     [](const LoweringOptions& o) { return o.fusing && !o.specificationRules; }},
    {"ttir-propagate-weight-dtype", "Types of weights",
     "What an argument says of the type of its weight reaches the products that read it.", PassStage::Prepare,
     propagateWeightDtype, nullptr},
    {"ttir-quant-data-type-conversion", "Quantized types", "Quantized tensors are stored in integers of one width.",
     PassStage::Prepare, convertQuantTypes, [](const LoweringOptions& o) { return !o.specificationRules; },
     kQuantOptions},

    // Lower: TTIR to TTNN.
    {"ttnn-layout", "Layouts",
     "Every tensor gets a layout: DRAM in tiles, inputs row-major, weights of convolutions on the host.",
     PassStage::Lower, ttnnLayout, nullptr},
    {"convert-ttir-to-ttnn", "TTIR to TTNN",
     "One TTNN op for each TTIR op: no output operands, the device where the library wants it.", PassStage::Lower,
     convertTtirToTtnn, nullptr},
    {"ttnn-resolve-composites", "Composites",
     "A composite becomes the library's op of its name, or the ops that say what it computes.", PassStage::Lower,
     resolveComposites, nullptr, kCompositeOptions},
    {"ttnn-fusing", "TTNN fusing", "Activations behind convolutions and products become part of them.",
     PassStage::Lower, fuseTtnn, [](const LoweringOptions& o) { return !o.specificationRules && o.fusing; }},
    {"ttnn-decomposition", "TTNN decomposition",
     "Ops that the library's kernels do not take, in terms of simpler ones.", PassStage::Lower, decomposeTtnn,
     [](const LoweringOptions& o) {
       return !o.specificationRules && o.ttnnDecomposition && o.release != CompilerRelease::Autumn2025;
     }},
    {"ttnn-decomposition-workarounds", "Decomposition workarounds", "Several ops for one that the library lacks.",
     PassStage::Lower, decompositionWorkarounds, [](const LoweringOptions& o) { return o.decompositionWorkarounds; }},
    {"ttnn-layout-workarounds", "Layout workarounds",
     "Other pages or element types for operands that the library reads in one way only.", PassStage::Lower,
     layoutWorkarounds, [](const LoweringOptions& o) { return o.layoutWorkarounds; }},
    {"ttnn-canonicalize", "Canonical TTNN ops", "Views and layout changes that do nothing go, constants become fills.",
     PassStage::Lower, ttnnCanonicalize, [](const LoweringOptions& o) { return !o.specificationRules; }},
    {"remove-dead-values", "Remove dead values", "Ops whose results nobody reads leave the graph.", PassStage::Lower,
     removeDeadValues, [](const LoweringOptions& o) { return o.removeDeadValues; }},

    // Analyse: what the optimizer wants to find done.
    {"ttnn-weight-dtype-conversion", "Weight types",
     "Weights of matmuls and convolutions become block floats, as the options or their arguments say.",
     PassStage::Analyse, convertWeightDtypes, nullptr, kDtypeOptions},
    {"ttnn-set-compute-kernel-config", "Math fidelity",
     "Products, convolutions, sums, norms and attention compute as exactly as the options say.", PassStage::Analyse,
     setComputeConfig,
     [](const LoweringOptions& o) {
       return o.release != CompilerRelease::Autumn2025 || !(o.compute == ComputeConfig{});
     },
     kComputeOptions},
    {"const-eval-hoist-transform", "Const-eval hoisting",
     "What depends on weights and constants only moves into functions that run once, when the model is loaded.",
     PassStage::Analyse, runConstEvalHoist, [](const LoweringOptions& o) { return o.constEval; }},

    {"ttnn-const-eval-inputs-to-system-memory", "Const-eval inputs on the host",
     "Weights that are only read when the model is loaded wait in host memory.", PassStage::Analyse,
     constEvalInputsToSystemMemory, [](const LoweringOptions& o) { return o.constEval && o.constEvalInputsOnHost; }},

    {"ttnn-rm-layout-propagation", "Row-major propagation",
     "Integer inputs stay in rows as long as the ops that read them take rows.", PassStage::Analyse, propagateRowMajor,
     [](const LoweringOptions& o) { return o.optimizer && o.rowMajorPropagation; }},

    {"ttnn-create-d2m-subgraphs", "Fused kernels",
     "Groups of element-wise ops become one kernel that the D2M compiler makes.", PassStage::Analyse,
     createD2mSubgraphs, [](const LoweringOptions& o) { return o.d2mSubgraphs; }},

    {"ttnn-optimizer", "Optimizer", "The chosen policy decides where each tensor lies; reshards and spills become ops.",
     PassStage::Optimize, nullptr, [](const LoweringOptions& o) { return o.optimizer; }},

    // Finalize: after the optimizer. Ids stay valid.
    {"ttnn-operation-validation-and-fallback", "Validation and fallback",
     "Every op is checked against the op model again; what it refuses gets other layouts.", PassStage::Finalize,
     validateAndFallBack, [](const LoweringOptions& o) { return o.optimizer; }, kFallbackOptions},
    {"ttnn-prepare-conv2d-weights-and-bias", "Prepare conv2d weights",
     "Weights and biases of convolutions take the library's form when the model is loaded.", PassStage::Finalize,
     prepareConv2dWeightsAndBias, [](const LoweringOptions& o) { return o.optimizer; }},
    {"ttnn-prepare-conv3d-weights", "Settings of conv3d", "Convolutions of volumes say how their work is cut.",
     PassStage::Finalize, configureConv3d, [](const LoweringOptions& o) { return !o.specificationRules; }},
    {"ttnn-decompose-layouts", "Decompose layouts",
     "Layout changes become the library's steps: to_device, to_layout, typecast, to_memory_config.",
     PassStage::Finalize, decomposeLayouts, nullptr},
    {"ttnn-deallocate", "Deallocate", "Each tensor is freed after its last use.", PassStage::Release, insertDeallocates,
     nullptr},
};

// Passes that run when they are named only. A table of its own: the page's engine runs none of them.
constexpr PassInfo kNamedPasses[] = {
    {"tt-populate-argument-types", "Roles of arguments", "Arguments become inputs, parameters or constants as told.",
     PassStage::Prepare, populateArgumentTypes, nullptr, kArgumentOptions},
    {"ttir-reduction-force-keep-dim", "Reductions keep dims", "Reductions keep their dims, a reshape drops them.",
     PassStage::Prepare, ttirReductionForceKeepDim},
    {"ttir-fold-constant-reshape-broadcast", "Views of constants", "Views of constants become constants.",
     PassStage::Prepare, ttirFoldConstantReshapeBroadcast},
    {"ttir-move-reshape-to-constant", "Reshaped constants",
     "A reshape in front of an op with a constant comes behind it.", PassStage::Prepare, ttirMoveReshapeToConstant},
    {"ttir-decompose-composites", "Composites step by step",
     "Attention, norms, softmax and repeats in terms of simpler ops, for backends without kernels for them.",
     PassStage::Prepare, ttirDecomposeComposites},
    {"ttir-consolidate-static-cache-updates", "Positions of caches",
     "Arguments that count in step how far caches are filled become one.", PassStage::Prepare,
     consolidateCachePositions},
    {"cse", "Common subexpressions", "Ops that are alike and read the same become one.", PassStage::Prepare,
     mergeEqualOps},
    {"ttnn-workaround", "Workarounds", "Both kinds of workarounds, one after the other.", PassStage::Lower,
     bothWorkarounds, nullptr, kWorkaroundOptions},
    {"ttnn-kv-cache-dtype-conversion", "Cache types", "Caches of keys and values are stored in another type.",
     PassStage::Analyse, convertKvCaches, nullptr, kDtypeOptions},
    {"ttnn-ccl-activation-dtype-lowering", "Types between chips",
     "What a product sends to the other chips is stored in block floats.", PassStage::Analyse, lowerCclActivations,
     nullptr},
    {"ttnn-greedy-memory-layout-propagation", "Layout propagation",
     "The optimizer's first pass alone: every tensor where it wants it, whether or not there is room.",
     PassStage::Optimize, nullptr, nullptr, kLayoutPropagationOptions, OptimizerPart::FirstPass},
    {"ttnn-greedy-l1-spill-management", "Spill management",
     "The optimizer's second pass alone: of the layouts that a graph has, those leave L1 that have no room.",
     PassStage::Optimize, nullptr, nullptr, kSpillOptions, OptimizerPart::SecondPass},
};

}  // namespace

std::span<const PassInfo> allPasses() { return kPasses; }
std::span<const PassInfo> namedPasses() { return kNamedPasses; }

const PassInfo* findPass(std::string_view name) {
  for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
    for (const PassInfo& pass : table) {
      if (pass.name == name) return &pass;
    }
  }
  return nullptr;
}

const std::string* PassSettings::find(std::string_view name) const {
  for (const auto& [key, value] : values) {
    if (key == name) return &value;
  }
  return nullptr;
}

bool PassSettings::flag(std::string_view name, bool fallback) const {
  const std::string* value = find(name);
  return value == nullptr ? fallback : *value != "false";
}

int64_t PassSettings::integer(std::string_view name, int64_t fallback) const {
  const std::string* value = find(name);
  constexpr int64_t kMost = 1'000'000'000;  // more means as many as there are
  return value == nullptr ? fallback : std::min<int64_t>(std::strtoll(value->c_str(), nullptr, 10), kMost);
}

namespace {

bool fits(const PassOption& option, std::string_view value) {
  switch (option.type) {
    case PassOptionType::Flag: return value.empty() || value == "true" || value == "false";
    case PassOptionType::Integer:
      return !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    case PassOptionType::Text: return true;
    case PassOptionType::Choice: {
      std::string list = " " + std::string(option.choices) + " ";
      return value.find(' ') == std::string_view::npos &&
             list.find(" " + std::string(value) + " ") != std::string::npos;
    }
  }
  return false;
}

}  // namespace

std::string parsePassSettings(const PassInfo& pass, std::string_view text, PassSettings& out) {
  while (true) {
    size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) return "";
    text.remove_prefix(begin);
    std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
    text.remove_prefix(word.size());
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    std::string_view value = equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1);
    const PassOption* found = nullptr;
    for (const PassOption& option : pass.options) {
      if (option.name == name) found = &option;
    }
    if (found == nullptr) return "pass `" + std::string(pass.name) + "` has no option `" + std::string(name) + "`";
    if (!fits(*found, value))
      return "option `" + std::string(name) + "` of pass `" + std::string(pass.name) + "` cannot be `" +
             std::string(value) + "`";
    out.values.emplace_back(name, value);
  }
}

}  // namespace tessera

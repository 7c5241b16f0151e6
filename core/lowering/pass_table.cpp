// The one visible list of passes, in the order of seed 003 (and compiler reference 1.4 where the seed is silent).

#include "core/lowering/const_eval_hoist.h"
#include "core/lowering/const_eval_inputs.h"
#include "core/lowering/convert_ttir_to_ttnn.h"
#include "core/lowering/create_d2m_subgraphs.h"
#include "core/lowering/deallocate.h"
#include "core/lowering/decompose_layouts.h"
#include "core/lowering/pass.h"
#include "core/lowering/prepare_conv2d.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/remove_dead_values.h"
#include "core/lowering/row_major_propagation.h"
#include "core/lowering/set_compute_config.h"
#include "core/lowering/ttnn_layout.h"
#include "core/lowering/validation_fallback.h"
#include "core/lowering/weight_bfp8.h"
#include "core/lowering/workarounds.h"

namespace tessera {

namespace {

PassResult runConstEvalHoist(const Graph& graph, const PassContext&) { return {hoistConstEval(graph)}; }

// Known when compiled: a table that is made when a module starts would keep every pass in modules that lower nothing.
constexpr PassInfo kPasses[] = {
    // Prepare: TTIR to TTIR.
    {"ttir-to-ttir-decomposition", "Decomposition", "Ops that TTNN lacks, in terms of those it has: dot_general as matmul, gathers of rows as embeddings.",
     PassStage::Prepare, ttirDecompose, nullptr},
    {"canonicalize", "Canonical views", "Views that do nothing go, views of views become one, conversions there and back go.", PassStage::Prepare, ttirCanonicalize,
     nullptr},
    {"ttir-implicit-broadcast-fold", "Implicit broadcasts", "Element-wise ops broadcast by themselves: no broadcast op in front of them.", PassStage::Prepare,
     ttirImplicitBroadcastFold, [](const LoweringOptions& o) { return o.implicitBroadcastFolding; }},
    {"ttir-fusing", "Fusing", "Several ops become the one that the library has for them: batch norms, linears, activations, softmax, norms, attention.",
     PassStage::Prepare, ttirFusing, [](const LoweringOptions& o) { return o.fusing; }},
    {"ttir-decompose-rest", "Decomposition of the rest", "What fusing left over: batch norms that follow no convolution, logical reductions.", PassStage::Prepare,
     ttirDecomposeRest, nullptr},
    {"ttir-flatten-sliding-window", "Flattened windows", "Convolutions and pools read and write (1, 1, N*H*W, C).", PassStage::Prepare, ttirFlattenSlidingWindow,
     nullptr},
    {"ttir-erase-inverse-ops", "Inverse views", "Permutes and reshapes move behind the ops they do not matter to, until they meet their inverse.", PassStage::Prepare,
     ttirEraseInverseOps, [](const LoweringOptions& o) { return o.eraseInverseOps; }},

    // Lower: TTIR to TTNN.
    {"ttnn-layout", "Layouts", "Every tensor gets a layout: DRAM in tiles, inputs row-major, weights of convolutions on the host.", PassStage::Lower,
     ttnnLayout, nullptr},
    {"convert-ttir-to-ttnn", "TTIR to TTNN", "One TTNN op for each TTIR op: no output operands, the device where the library wants it.", PassStage::Lower,
     convertTtirToTtnn, nullptr},
    {"ttnn-decomposition-workarounds", "Decomposition workarounds", "Several ops for one that the library lacks.", PassStage::Lower,
     decompositionWorkarounds, [](const LoweringOptions& o) { return o.decompositionWorkarounds; }},
    {"ttnn-layout-workarounds", "Layout workarounds", "Other pages or element types for operands that the library reads in one way only.",
     PassStage::Lower, layoutWorkarounds, [](const LoweringOptions& o) { return o.layoutWorkarounds; }},
    {"remove-dead-values", "Remove dead values", "Ops whose results nobody reads leave the graph.", PassStage::Lower, removeDeadValues,
     [](const LoweringOptions& o) { return o.removeDeadValues; }},

    // Analyse: what the optimizer wants to find done.
    {"ttnn-weight-bfp8-conversion", "BFP8 weights", "Weights of matmuls and convolutions become 8-bit block floats.", PassStage::Analyse,
     convertWeightsToBfp8, [](const LoweringOptions& o) { return o.bfp8Weights; }},
    {"ttnn-set-compute-kernel-config", "Math fidelity", "Products, convolutions, sums, norms and attention compute as exactly as the options say.",
     PassStage::Analyse, setComputeConfig, [](const LoweringOptions& o) { return !(o.compute == ComputeConfig{}); }},
    {"const-eval-hoist", "Const-eval hoisting", "What depends on weights and constants only moves into functions that run once, when the model is loaded.",
     PassStage::Analyse, runConstEvalHoist, [](const LoweringOptions& o) { return o.constEval; }},

    {"ttnn-const-eval-inputs-to-system-memory", "Const-eval inputs on the host", "Weights that are only read when the model is loaded wait in host memory.",
     PassStage::Analyse, constEvalInputsToSystemMemory, [](const LoweringOptions& o) { return o.constEval; }},

    {"ttnn-rm-layout-propagation", "Row-major propagation", "Integer inputs stay in rows as long as the ops that read them take rows.",
     PassStage::Analyse, propagateRowMajor, [](const LoweringOptions& o) { return o.optimizer && o.rowMajorPropagation; }},

    {"ttnn-create-d2m-subgraphs", "Fused kernels", "Groups of element-wise ops become one kernel that the D2M compiler makes.", PassStage::Analyse,
     createD2mSubgraphs, [](const LoweringOptions& o) { return o.d2mSubgraphs; }},

    {"ttnn-optimizer", "Optimizer", "The chosen policy decides where each tensor lies; reshards and spills become ops.", PassStage::Optimize, nullptr,
     [](const LoweringOptions& o) { return o.optimizer; }},

    // Finalize: after the optimizer. Ids stay valid.
    {"ttnn-operation-validation-and-fallback", "Validation and fallback", "Every op is checked against the op model again; what it refuses gets other layouts.",
     PassStage::Finalize, validateAndFallBack, [](const LoweringOptions& o) { return o.optimizer; }},
    {"ttnn-prepare-conv2d-weights-and-bias", "Prepare conv2d weights", "Weights and biases of convolutions take the library's form when the model is loaded.",
     PassStage::Finalize, prepareConv2dWeightsAndBias, [](const LoweringOptions& o) { return o.optimizer; }},
    {"ttnn-decompose-layouts", "Decompose layouts", "Layout changes become the library's steps: to_device, to_layout, typecast, to_memory_config.",
     PassStage::Finalize, decomposeLayouts, nullptr},
    {"ttnn-deallocate", "Deallocate", "Each tensor is freed after its last use.", PassStage::Release, insertDeallocates, nullptr},
};

}  // namespace

std::span<const PassInfo> allPasses() { return kPasses; }

const PassInfo* findPass(std::string_view name) {
  for (const PassInfo& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace tessera

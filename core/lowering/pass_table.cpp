// The one visible list of passes, in the order of seed 003 (and compiler reference 1.4 where the seed is silent).

#include "core/lowering/const_eval_hoist.h"
#include "core/lowering/const_eval_inputs.h"
#include "core/lowering/convert_ttir_to_ttnn.h"
#include "core/lowering/deallocate.h"
#include "core/lowering/decompose_layouts.h"
#include "core/lowering/pass.h"
#include "core/lowering/prepare_conv2d.h"
#include "core/lowering/remove_dead_values.h"
#include "core/lowering/row_major_propagation.h"
#include "core/lowering/ttnn_layout.h"
#include "core/lowering/validation_fallback.h"
#include "core/lowering/weight_bfp8.h"
#include "core/lowering/workarounds.h"

namespace tessera {

namespace {

PassResult runConstEvalHoist(const Graph& graph, const PassContext&) { return {hoistConstEval(graph)}; }

const std::vector<PassInfo> kPasses = {
    // Prepare: TTIR to TTIR. Passes of core/lowering/prepare stand here.

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
    {"const-eval-hoist", "Const-eval hoisting", "What depends on weights and constants only moves into functions that run once, when the model is loaded.",
     PassStage::Analyse, runConstEvalHoist, [](const LoweringOptions& o) { return o.constEval; }},

    {"ttnn-const-eval-inputs-to-system-memory", "Const-eval inputs on the host", "Weights that are only read when the model is loaded wait in host memory.",
     PassStage::Analyse, constEvalInputsToSystemMemory, [](const LoweringOptions& o) { return o.constEval; }},

    {"ttnn-rm-layout-propagation", "Row-major propagation", "Integer inputs stay in rows as long as the ops that read them take rows.",
     PassStage::Analyse, propagateRowMajor, [](const LoweringOptions& o) { return o.optimizer && o.rowMajorPropagation; }},

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

const std::vector<PassInfo>& allPasses() { return kPasses; }

const PassInfo* findPass(std::string_view name) {
  for (const PassInfo& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace tessera

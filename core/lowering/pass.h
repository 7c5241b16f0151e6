#pragma once
// Lowering: from TTIR to laid-out TTNN (docs/rules/lowering.md), one pass after the other. A pass is a function from a
// graph to a new one; the visible list of all passes is pass_table.cpp. CONTRIBUTING.md says what
// belongs to a new one.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/graph.h"
#include "core/ops/model/op_model.h"

namespace tessera {

// What becomes of `ttcore.composite`: an op of the library where its operands fit, where it has a name for it, or
// never.
enum class CompositeResolution { Validate, ForcePromote, Inline };

// The compiler's rules that changed, by when: before TTIR ops lost their output operands, or as of @19c86fca.
enum class CompilerRelease { Auto, Autumn2025, Summer2026 };

// The compiler's pipeline options that say which passes run; pipeline_options.cpp has their names.
struct LoweringOptions {
  bool fusing = true;                    // enable-fusing-pass
  bool implicitBroadcastFolding = true;  // implicit-broadcast-folding-enabled
  bool eraseInverseOps = true;           // enable-erase-inverse-ops-pass
  bool constEval = true;                 // enable-const-eval
  bool removeDeadValues = true;          // enable-remove-dead-values
  bool layoutWorkarounds = true;         // enable-layout-workaround-pass
  bool decompositionWorkarounds = true;  // enable-decomposition-workaround-pass
  bool specificationRules = true;        // docs/rules/lowering.md where the compiler does otherwise
  bool rowMajorPropagation = true;       // row-major-propagation-enabled
  bool bfp8Weights = false;              // experimental-bfp8-weights, experimental-weight-dtype=bfp_bf8
  bool bfp4Weights = false;              // experimental-weight-dtype=bfp_bf4
  ComputeConfig compute;                 // compute-cfg-math-fidelity, compute-cfg-fp32-dest-acc-en
  bool d2mSubgraphs = false;             // enable-create-d2m-subgraphs
  bool asItStands = false;               // the graph carries layouts and is neither lowered nor finalized
  bool reoptimize = false;               // of a graph that carries layouts: taken out, for a policy to decide anew
  bool optimizer = true;                // optimizer-pass-enabled: a policy decides; without it everything stays in DRAM
  int64_t maxFallbackAttempts = 10000;  // max-fallback-attempts
  std::vector<int64_t> meshShape = {1, 1};                                  // mesh-shape
  CompositeResolution compositeResolution = CompositeResolution::Validate;  // composite-resolution
  CompilerRelease release = CompilerRelease::Auto;  // compiler-release; Auto: as old as the graph looks
  bool ttnnDecomposition = true;                    // enable-ttnn-decomposition-pass
  std::optional<bool> convMultiply;   // enable-fusing-conv2d-with-multiply-pattern; unset: with the optimizer
  bool permuteMatmul = true;          // enable-permute-matmul-fusion
  bool constEvalInputsOnHost = true;  // enable-const-eval-inputs-to-system-memory
  int64_t quantBits = 32;             // target-bit-width
  std::string overrideConv3dConfig;   // override-conv3d-config
  friend bool operator==(const LoweringOptions&, const LoweringOptions&) = default;
};

// A pass's own options, as given: `--ttir-erase-inverse-ops="force=true"`.
struct PassSettings {
  std::vector<std::pair<std::string, std::string>> values;
  const std::string* find(std::string_view name) const;
  bool flag(std::string_view name, bool fallback) const;
  int64_t integer(std::string_view name, int64_t fallback) const;
};

// An option of a pass. A choice lists its values, separated by blanks.
enum class PassOptionType { Flag, Integer, Text, Choice };
struct PassOption {
  std::string_view name;
  PassOptionType type = PassOptionType::Flag;
  std::string_view choices = {};
};

// What a pass may know besides the graph.
struct PassContext {
  const DeviceSpec& device;
  const OpModel& model;
  L1Budget& budget;
  const LoweringOptions& options;
  PassSettings settings = {};
  bool byName = false;     // asked for alone, not as a part of the pipeline
  bool ownLayouts = true;  // the layouts are those that ttnn-layout gave out, not the source's: a pass may change them
  const IdVec<OpId, OpConfig>* configs =
      nullptr;  // after the optimizer: what the policy decided for each op; null: nothing
};

// Something a person should know about an op: why a workaround was needed, which fallback was taken, what could not be
// handled.
struct PassNote {
  OpId op;  // of the resulting graph; of the given one when the op is gone (then `gone`)
  std::string text;
  bool gone = false;
  bool computesOther = false;  // a problem: what the pass makes of the op computes something else
};

struct PassResult {
  Graph graph;  // always sound, whatever `problems` says; empty when `unchanged`
  std::vector<PassNote> notes = {};
  std::vector<PassNote> problems = {};  // ops that the pass left as they were, or changed in meaning, and why
  std::vector<std::pair<OpId, OpConfig>> configs = {};  // after the optimizer: settings that the pass changed
  bool unchanged = false;                               // the given graph is the result
  const Graph& after(const Graph& given) const { return unchanged ? given : graph; }
};

// Stablehlo runs on StableHLO only, Prepare and Lower on what that makes and on TTIR; Analyse before the optimizer,
// Finalize after it, on every graph. Release is for the runtime alone: the simulator frees what is dead by itself.
enum class PassStage { Stablehlo, Prepare, Lower, Analyse, Optimize, Finalize, Release };

// What of the optimizer's work a pass of its stage does.
enum class OptimizerPart { Whole, FirstPass, SecondPass };

struct PassInfo {
  std::string_view name;  // the compiler's: "ttnn-layout"
  std::string_view title;
  std::string_view description;
  PassStage stage;
  // Null for the optimizer and its parts, which are policies (core/policy).
  PassResult (*run)(const Graph&, const PassContext&);
  bool (*enabled)(const LoweringOptions&) = nullptr;  // null: always
  std::span<const PassOption> options = {};
  OptimizerPart part = OptimizerPart::Whole;
};

// Reads "a=b c=d" for one pass. Empty when all is well, else what is wrong.
std::string parsePassSettings(const PassInfo& pass, std::string_view text, PassSettings& out);

std::span<const PassInfo> allPasses();            // of the pipeline, in the order they run
std::span<const PassInfo> namedPasses();          // that run when they are named only
const PassInfo* findPass(std::string_view name);  // null when unknown

}  // namespace tessera

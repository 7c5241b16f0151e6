#pragma once
// Presets: which source a run follows where the sources on the optimizer disagree.

#include <iterator>
#include <string_view>

namespace tessera {

struct PresetInfo {
  std::string_view id;  // what --preset takes
  std::string_view title;
  std::string_view policy;          // what the optimizer runs when nobody names a policy
  std::string_view analysisPolicy;  // what its memory layout analysis runs, by the compiler's own option
  bool specificationRules;          // lowering by docs/rules/lowering.md, not by the compiler
  bool askOpModel;  // only layouts that the op model accepts count as legal; else the first ones unasked
};

// The order of OptionInfo::presets; the first one is the default.
inline constexpr PresetInfo kPresets[] = {
    // tt-mlir docs/src/specs/ttnn-optimizer.md
    {"seed", "Optimizer specification, 2026-02", "Greedy", "DFSharding", true, true},
    // The pipeline options of tt-mlir @19c86fca (include/ttmlir/Dialect/TTNN/Pipelines/TTNNPipelines.h).
    {"upstream", "Compiler, 2026-08", "Beam", "Beam", false, false},
};
inline constexpr size_t kPresetCount = std::size(kPresets);
inline constexpr const PresetInfo& kCompilerPreset = kPresets[1];

// Of the first one when there is none of this name.
constexpr size_t presetIndex(std::string_view id) {
  for (size_t i = 0; i < kPresetCount; ++i) {
    if (kPresets[i].id == id) return i;
  }
  return 0;
}
constexpr const PresetInfo& presetOf(std::string_view id) { return kPresets[presetIndex(id)]; }

}  // namespace tessera

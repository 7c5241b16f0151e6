#pragma once

namespace tessera {

// Which results the L1-interleaved fallback tries.
enum class FallbackBounds { AnyReaders, NextReader };

// What the chain generation is asked (ttnn-optimizer.md appendix B).
struct ChainOptions {
  bool memReconfigEnabled = true;                     // --memreconfig-enabled: reshards between ops of a chain
  bool l1InterleavedFallbackAnalysisEnabled = false;  // --l1-interleaved-fallback-analysis-enabled
  FallbackBounds fallbackBounds = FallbackBounds::AnyReaders;
  friend bool operator==(const ChainOptions&, const ChainOptions&) = default;
};

}  // namespace tessera

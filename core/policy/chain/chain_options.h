#pragma once

namespace tessera {

// What the chain generation is asked (ttnn-optimizer.md appendix B).
struct ChainOptions {
  bool memReconfigEnabled = true;                     // --memreconfig-enabled: reshards between ops of a chain
  bool l1InterleavedFallbackAnalysisEnabled = false;  // --l1-interleaved-fallback-analysis-enabled
  friend bool operator==(const ChainOptions&, const ChainOptions&) = default;
};

}  // namespace tessera

#include "core/policy/propagate/beam.h"

namespace tessera {

namespace {

// -1: a is better, 1: b is better, 0: equal.
template <class T>
int fewer(T a, T b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}
template <class T>
int more(T a, T b) {
  return fewer(b, a);
}

int compareOwn(const PathScore& a, const PathScore& b) {
  if (int c = more(a.isL1, b.isL1)) return c;
  if (int c = more(a.isSharded, b.isSharded)) return c;
  if (int c = fewer(a.inputDramBytes, b.inputDramBytes)) return c;
  if (int c = fewer(a.requiresReshard, b.requiresReshard)) return c;
  if (int c = more(a.coreCount, b.coreCount)) return c;
  return fewer(a.outputL1Usage, b.outputL1Usage);
}

int compareCores(const PathScore& a, const PathScore& b) {
  if (int c = more(a.minChosenCores, b.minChosenCores)) return c;
  if (int c = fewer(a.reshards, b.reshards)) return c;
  return compareOwn(a, b);
}

int compareTime(const PathScore& a, const PathScore& b) {
  if (int c = fewer(a.time, b.time)) return c;
  return compareCores(a, b);
}

// In L1 and nothing moved, in L1, nothing moved; equals keep the order in which they were tried.
int rankFirst(const PathScore& s) { return (s.isL1 ? 0 : 2) + (s.requiresReshard ? 1 : 0); }

}  // namespace

bool betterScore(BeamScore kind, const PathScore& a, const PathScore& b) {
  switch (kind) {
    case BeamScore::Cores: return compareCores(a, b) < 0;
    case BeamScore::Upstream: return compareOwn(a, b) < 0;
    case BeamScore::Time: return compareTime(a, b) < 0;
    case BeamScore::First: return rankFirst(a) < rankFirst(b);
  }
  return false;
}

std::string traceLayout(const TensorLayout& layout) {
  return std::string(bufferTypeName(layout.buffer)) + "/" + std::string(tensorMemoryLayoutName(layout.memory)) + "/" +
         std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols);
}

TraceScore traceScore(const PathScore& s) {
  return {s.isL1, s.isSharded, s.inputDramBytes, s.requiresReshard, s.coreCount, s.outputL1Usage};
}

}  // namespace tessera

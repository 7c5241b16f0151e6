// bench_beam: what a wider beam brings. Prints, asserts nothing. Times of policies are bench_pipeline's.
//
//   bench_beam                     simulated time by beam width on random forked graphs

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>

#include "core/driver/pipeline.h"
#include "tests/policy/random_graph.h"

namespace tessera {
namespace {

void printWidths() {
  constexpr int kWidths[] = {1, 2, 4, 8, 16, 32, 64};
  constexpr uint64_t kSeeds = 100;
  double sum[std::size(kWidths)] = {};
  int slower = 0, compared = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Session session;
    session.load("random", test::randomGraphText(seed));
    int64_t first = 0, before = 0;
    for (size_t i = 0; i < std::size(kWidths); ++i) {
      Options options;
      options.policy = "Beam";
      options.layoutScore = "time";
      options.beamWidth = kWidths[i];
      auto finished = runPolicy(session, options, Diagnostics());
      if (!finished->report.run) continue;
      int64_t time = finished->report.run->program->sim.time.count;
      if (i == 0) first = time;
      else ++compared, slower += time > before;
      sum[i] += static_cast<double>(time) / static_cast<double>(std::max<int64_t>(first, 1));
      before = time;
    }
  }
  std::printf("simulated time relative to K = 1, mean of %d random graphs\n", static_cast<int>(kSeeds));
  for (size_t i = 0; i < std::size(kWidths); ++i) std::printf("  K = %2d  %.4f\n", kWidths[i], sum[i] / kSeeds);
  std::printf("wider is slower in %d of %d steps from one width to the next\n", slower, compared);
}

}  // namespace
}  // namespace tessera

int main() { tessera::printWidths(); }

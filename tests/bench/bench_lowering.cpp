// Processor time of all passes before the optimizer, and of each: best of several runs. Prints, asserts nothing.
//   bench_lowering GRAPH...

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/lowering/lower.h"
#include "tests/import_text.h"

namespace tessera {
namespace {

template <class Work>
double bestMs(int runs, Work work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) * 1000 / CLOCKS_PER_SEC);
  }
  return best;
}

void benchmark(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  SourceBuffer source(path, text.str());
  Diagnostics diags;
  std::optional<Graph> graph = importMlirText(source, diags);
  if (!graph) {
    std::printf("%s: cannot be read\n", path);
    return;
  }
  const DeviceSpec& device = allDevices().front();
  OpModel model{device};
  L1Budget budget{device.usableL1()};
  LoweringOptions options;
  PassContext context{device, model, budget, options};
  double all = bestMs(5, [&] { lower(*graph, context); });
  std::printf("%s: %zu ops, %.2f ms, %.2f per 1,000 ops\n", path, graph->ops.size(), all,
              all * 1000 / static_cast<double>(std::max<size_t>(1, graph->ops.size())));
  LoweringStart start = startLowering(*graph, context);
  context.ownLayouts = start.ownLayouts;
  Graph at = std::move(start.graph);
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage < start.first || pass.stage > PassStage::Analyse || (pass.enabled && !pass.enabled(options)))
      continue;
    double time = bestMs(5, [&] { pass.run(at, context); });
    std::printf("  %6.2f ms  %s\n", time, std::string(pass.name).c_str());
    at = pass.run(at, context).graph;
  }
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) tessera::benchmark(argv[i]);
}

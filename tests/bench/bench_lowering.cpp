// Time of all passes before the optimizer, and of each: best of several runs. Prints, asserts nothing.
//   bench_lowering GRAPH...

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/import/import_mlir.h"
#include "core/lowering/lower.h"

namespace tessera {
namespace {

template <class Work>
double bestMs(int runs, Work work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
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
  std::printf("%s: %zu ops, %.2f ms\n", path, graph->ops.size(), all);
  Graph at = *graph;
  startOrigins(at);
  for (const PassInfo& pass : allPasses()) {
    if (pass.stage > PassStage::Analyse || (pass.enabled && !pass.enabled(options))) continue;
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

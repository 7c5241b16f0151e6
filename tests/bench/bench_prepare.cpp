// Time of the preparation passes per graph: bench_prepare GRAPH...
// Prints the best of several runs for each pass; asserts nothing.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/lowering/lower.h"
#include "tests/import_text.h"

int main(int argc, char** argv) {
  using namespace tessera;
  const DeviceSpec& device = *findDevice("n150");
  OpModel model{device};
  L1Budget budget{device.usableL1()};
  LoweringOptions options;
  PassContext context{device, model, budget, options};
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::stringstream text;
    text << file.rdbuf();
    SourceBuffer source(argv[i], text.str());
    Diagnostics diags;
    std::optional<Graph> graph = importMlirText(source, diags);
    if (!graph) continue;
    startOrigins(*graph);
    double total = 0;
    std::printf("%s, %zu ops\n", argv[i], graph->ops.size());
    for (const PassInfo& pass : allPasses()) {
      if (pass.stage != PassStage::Prepare) continue;
      double best = 1e9;
      Graph next;
      for (int run = 0; run < 7; ++run) {
        auto start = std::chrono::steady_clock::now();
        next = pass.run(*graph, context).graph;
        best =
            std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      }
      std::printf("  %-32s %7.2f ms\n", std::string(pass.name).c_str(), best);
      total += best;
      *graph = std::move(next);
    }
    std::printf("  %-32s %7.2f ms\n", "all", total);
  }
}

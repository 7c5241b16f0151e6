// bench_beam [GRAPH...]: processor time and growth of the pass generation, and how often a wider beam is slower. Prints, asserts nothing.
//
//   bench_beam                     a repeated block of 100 to 10,000 ops: milliseconds, peak memory, growth exponent
//   bench_beam resnet50_xla.mlir   parse, import, policy and simulation of each graph, best of five
//   bench_beam --widths            simulated time by beam width on random forked graphs

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include "core/driver/pipeline.h"
#include "tests/policy/random_graph.h"

namespace tessera {
namespace {

// Processor time: other programs on the machine do not count.
double milliseconds() { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

double millisecondsOf(const std::string& name, const std::string& text, const Options& options) {
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    double start = milliseconds();
    LoadedGraph loaded = loadGraph(name, text);
    auto finished = runPolicy(loaded, options, Diagnostics());
    if (!finished->report.run) return -1;
    best = std::min(best, milliseconds() - start);
  }
  return best;
}

int64_t peakKilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Blocks of a matmul, an activation, a residual addition and a softmax.
std::string repeatedBlocks(int ops) {
  std::string type = "tensor<512x512xbf16>", text = "func.func @main(%x0: " + type + ", %w: " + type + ") -> " + type + " {\n";
  std::string last = "%x0";
  int block = 0;
  for (int made = 0; made + 4 <= ops; made += 4, ++block) {
    std::string n = std::to_string(block);
    text += "  %m" + n + " = \"ttir.matmul\"(" + last + ", %w) <{transpose_a = false, transpose_b = false}> : (" + type + ", " + type + ") -> " + type + "\n";
    text += "  %g" + n + " = \"ttir.gelu\"(%m" + n + ") : (" + type + ") -> " + type + "\n";
    text += "  %a" + n + " = \"ttir.add\"(%g" + n + ", " + last + ") : (" + type + ", " + type + ") -> " + type + "\n";
    text += "  %s" + n + " = \"ttir.softmax\"(%a" + n + ") <{dimension = -1 : si32}> : (" + type + ") -> " + type + "\n";
    last = "%s" + n;
  }
  return text + "  return " + last + " : " + type + "\n}\n";
}

void printGrowth() {
  for (const char* score : {"cores", "time"}) {
    double first = 0, lastTime = 0;
    std::printf("Beam, K = 8, score %s\n%8s %12s %12s\n", score, "ops", "ms", "peak MB");
    for (int ops : {100, 300, 1000, 3000, 10000}) {
      Options options;
      options.policy = "Beam";
      options.layoutScore = score;
      double ms = millisecondsOf("blocks", repeatedBlocks(ops), options);
      std::printf("%8d %12.2f %12.1f\n", ops, ms, static_cast<double>(peakKilobytes()) / 1024);
      if (ops == 1000) first = ms;
      lastTime = ms;
    }
    std::printf("exponent from 1,000 to 10,000 ops: %.2f\n\n", std::log10(lastTime / first));
  }
}

void printWidths() {
  constexpr int kWidths[] = {1, 2, 4, 8, 16, 32, 64};
  constexpr uint64_t kSeeds = 100;
  double sum[std::size(kWidths)] = {};
  int slower = 0, compared = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    LoadedGraph loaded = loadGraph("random", test::randomGraphText(seed));
    int64_t first = 0, before = 0;
    for (size_t i = 0; i < std::size(kWidths); ++i) {
      Options options;
      options.policy = "Beam";
      options.layoutScore = "time";
      options.beamWidth = kWidths[i];
      auto finished = runPolicy(loaded, options, Diagnostics());
      if (!finished->report.run) continue;
      int64_t time = finished->report.run->sim.time.count;
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

int main(int argc, char** argv) {
  using namespace tessera;
  if (argc == 1) {
    printGrowth();
    return 0;
  }
  if (std::strcmp(argv[1], "--widths") == 0) {
    printWidths();
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    std::printf("%s", argv[i]);
    for (const char* policy : {"DRAM", "Greedy", "Beam"}) {
      for (const char* score : {"cores", "time"}) {
        if (std::string(policy) != "Beam" && std::string(score) == "time") continue;
        Options options;
        options.policy = policy;
        options.layoutScore = score;
        std::printf("  %s%s %.2f ms", policy, std::string(policy) == "Beam" ? (std::string(" ") + score).c_str() : "", millisecondsOf(argv[i], text.str(), options));
      }
    }
    std::printf("  peak %.1f MB\n", static_cast<double>(peakKilobytes()) / 1024);
  }
  return 0;
}

// Legal layouts of every tensor of a graph: how long they take, cold (each type computed) and warm (all cached).
//   bench_layouts graph.mlir...

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "core/ir/legal_tensor_layouts.h"
#include "tests/import_text.h"

namespace {

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

struct Figures {
  size_t tensors = 0;
  size_t types = 0;
  size_t layouts = 0;  // over all tensors
  double coldMs = 0;
  double warmMs = 0;
};

Figures measure(const tessera::Graph& graph, const tessera::DeviceSpec& device) {
  Figures figures;
  const auto start = std::chrono::steady_clock::now();
  tessera::LegalLayoutCache cache(device, {.rowMajorEnabled = true});
  std::set<const tessera::LegalTensorLayouts*> types;
  for (const tessera::Value& value : graph.values) {
    if (value.type.isTensor()) types.insert(&cache.get(value.type.tensor->shape, value.type.tensor->dtype));
  }
  const auto filled = std::chrono::steady_clock::now();
  for (const tessera::Value& value : graph.values) {
    if (!value.type.isTensor()) continue;
    ++figures.tensors;
    figures.layouts += cache.get(value.type.tensor->shape, value.type.tensor->dtype).count();
  }
  figures.types = types.size();
  figures.coldMs = milliseconds(filled - start);
  figures.warmMs = milliseconds(std::chrono::steady_clock::now() - filled);
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_layouts graph.mlir...\n");
    return 2;
  }
  std::printf("%-40s %8s %6s %9s %9s %9s\n", "graph", "tensors", "types", "layouts", "cold ms", "warm ms");
  int exitCode = 0;
  double totalMs = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::ostringstream text;
    text << file.rdbuf();
    tessera::Diagnostics diags;
    const std::optional<tessera::Graph> graph =
        tessera::importMlirText(tessera::SourceBuffer(argv[i], text.str()), diags);
    if (!file || !graph) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      exitCode = 1;
      continue;
    }
    // The best of several runs: the machine is shared.
    Figures best = measure(*graph, tessera::allDevices().front());
    for (int run = 0; run < 20; ++run) {
      const Figures again = measure(*graph, tessera::allDevices().front());
      if (again.coldMs < best.coldMs) best = again;
    }
    const std::string path = argv[i];
    std::printf("%-40s %8zu %6zu %9zu %9.3f %9.3f\n", path.substr(path.find_last_of('/') + 1).c_str(), best.tensors,
                best.types, best.layouts, best.coldMs, best.warmMs);
    totalMs += best.coldMs;
  }
  std::printf("total %.3f ms\n", totalMs);
  return exitCode;
}

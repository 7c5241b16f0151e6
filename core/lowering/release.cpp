#include "core/lowering/release.h"

#include <charconv>

#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// Until 2025-11-30 TTIR ops named the tensor to write (tt-mlir pull 6052).
bool writesIntoOperands(const Graph& graph) {
  for (OpId id : graph.ops.ids()) {
    const Op& op = graph.ops[id];
    if (opInfo(op.kind).has(kDpsOutput) && inputCount(graph, id) < static_cast<int64_t>(op.operands.size()))
      return true;
  }
  return false;
}

// `#ttcore.meshes<[<"mesh" = 1x2>]>`: the dims of the first one.
std::vector<int64_t> meshIn(const AttrList& attrs) {
  constexpr int64_t kMostChips = 1024;
  std::vector<int64_t> dims;
  for (const Attribute& attr : attrs) {
    if (attr.name != "ttcore.meshes") continue;
    size_t at = attr.value.text.find("\" = ");
    if (at == std::string::npos) return {};
    const char *from = attr.value.text.data() + at + 4, *end = attr.value.text.data() + attr.value.text.size();
    while (true) {
      int64_t dim = 0;
      auto [next, error] = std::from_chars(from, end, dim);
      if (error != std::errc() || dim < 1 || dim > kMostChips) return {};
      dims.push_back(dim);
      if (next == end || *next != 'x') break;
      from = next + 1;
    }
  }
  return dims.size() <= 2 ? dims : std::vector<int64_t>();
}

}  // namespace

LoweringOptions optionsFor(const Graph& graph, LoweringOptions options) {
  if (options.specificationRules) return options;
  if (options.release == CompilerRelease::Auto)
    options.release = writesIntoOperands(graph) ? CompilerRelease::Autumn2025 : CompilerRelease::Summer2026;
  if (options.meshShape == std::vector<int64_t>{1, 1}) {
    if (std::vector<int64_t> mesh = meshIn(graph.attrs); mesh.size() == 2) options.meshShape = mesh;
  }
  return options;
}

}  // namespace tessera

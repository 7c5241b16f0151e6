#include "core/analysis/scalar_data_type_analysis.h"

#include <algorithm>

namespace tessera {

std::vector<DType> scalarDataTypes(const Graph& graph, const LayoutOverrides& overrides) {
  std::vector<DType> types;
  const auto add = [&](DType dtype) {
    const DType stored = deviceDType(dtype);
    if (std::find(types.begin(), types.end(), stored) == types.end()) types.push_back(stored);
  };
  for (const Function& func : graph.funcs) {
    for (ValueId argument : func.args) {
      if (graph.values[argument].type.isTensor()) add(graph.values[argument].type.tensor->dtype);
    }
    for (OpId op : func.ops) {
      const OutputLayoutOverride* fixed = overrides.empty() ? nullptr : findOverride(overrides, graph, op);
      for (ValueId result : graph.ops[op].results) {
        if (!graph.values[result].type.isTensor()) continue;
        add(fixed && fixed->dtype ? *fixed->dtype : graph.values[result].type.tensor->dtype);
      }
    }
  }
  return types;
}

}  // namespace tessera

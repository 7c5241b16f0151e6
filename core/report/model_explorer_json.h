#pragma once
// A run as a graph for Model Explorer (google-ai-edge/model-explorer src/ui/src/components/visualizer/common/
// input_graph.ts @0cfb6b96, types.ts), with node data over it: time, place and spills. Node ids are steps.

#include <optional>
#include <string>
#include <string_view>

#include "core/report/report.h"
#include "core/support/enum_table.h"

namespace tessera {

enum class NodeData : uint8_t { Time, Place, Spills };
inline constexpr EnumRow<NodeData> kNodeData[] = {
    {NodeData::Time, "time", "Time (ns)"},
    {NodeData::Place, "place", "Place"},
    {NodeData::Spills, "spills", "Moves"},
};

// A collection of one graph, in which all node data are overlays. Of a run that got through.
std::string modelExplorerJson(const Report& report);
// One of them alone, as a file of node data.
std::string nodeDataJson(const Report& report, NodeData which);

}  // namespace tessera

#pragma once
// From the fields or the text of a request to the two layouts, and back to fields.

#include <optional>
#include <string>
#include <vector>

#include "core/ir/metal_address.h"
#include "core/lab/layout_json.h"

namespace tessera {

// A layout, or the rule that forbids it.
struct LabLayouts {
  Result<MetalLayout, LayoutDefect> metal;
  Result<TensorLayout, LayoutDefect> ttnn;
};

// Reads request.text, when there is one, into the fields. A text that cannot be read, or says what the fields cannot
// hold, is a problem.
void takeText(LabRequest& request, std::vector<LabProblem>& problems);
// Without a grid, all of the tensor lies on one core: as many ones as the grid of such a layout has dims.
void takeDefaultGrid(LabRequest& request);
// The layout that is drawn, and its nearest counterpart of the other kind.
LabLayouts makeLabLayouts(const LabRequest& request);
// "#ttnn.ttnn_layout<...>" with a virtual-to-physical map in the grid, as printed until 2026-04.
std::string legacyTtnnText(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device);

MetalTarget labTarget(const LabRequest& request);
LabProblem problemOf(std::string field, const LayoutDefect& defect);

}  // namespace tessera

#pragma once
// The answer of the layout lab: one tensor, one layout, and where everything is. docs/layout-lab.md describes the JSON.

#include <string>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/metal_layout.h"

namespace tessera {

// What the page asks. Plain values: what they mean together is decided, and checked, here.
struct LabRequest {
  bool ttnn = false;  // draw the TTNN layout instead of the metal layout
  const DeviceSpec* device = nullptr;
  Shape shape;
  DType dtype = DType::BF16;  // as stored
  std::vector<int64_t> grid;
  std::vector<CollapseInterval> collapse = {{0, -1}};
  std::vector<int64_t> strides;  // empty: dense
  std::string map;               // instead of collapse and strides
  bool tiled = false;
  TileShape tile;
  OobVal oob = OobVal::Undef;
  // Both kinds of layout from one word: `system` and `mmio` are the host for TTNN, `l1_small` is L1 and `trace` DRAM
  // for metal.
  std::string buffer = "l1";
  TensorMemoryLayout memory = TensorMemoryLayout::BlockSharded;  // TTNN
  int32_t deviceDims = 0;                                        // metal: outermost grid dims that choose the device

  // An attribute's text that takes the place of the fields above (but shape and device).
  std::string text;

  std::vector<int64_t> cursor;  // an element; brought into the tensor
  int64_t look = -1;            // position of the grid whose storage is shown; -1: the cursor's
  struct Find {
    bool asked = false;
    int64_t position = 0;
    int64_t offset = 0;  // bytes
    int64_t bit = 0;
  } find;
  int64_t window = 32;  // rows and columns of elements per picture
  bool detail = true;   // also cores' fill and legal layouts, which do not depend on the cursor
};
inline constexpr int64_t kMaxLabWindow = 64;

// A field that cannot be taken, with the rule it breaks.
struct LabProblem {
  std::string field;
  std::string rule;
  std::string text;
};

// `problems` are those of reading the request; with any of them only the problems are answered.
std::string labJson(const LabRequest& request, std::vector<LabProblem> problems);

}  // namespace tessera

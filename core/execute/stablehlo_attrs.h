#pragma once
// Attributes of StableHLO ops as the interpreter reads them, apart from how the conversion does.

#include <string_view>
#include <vector>

#include "core/execute/kernel.h"

namespace tessera {

DotDims readShloDot(const Op& op);

// Padding, strides and dilations, filled up for `dims` dims. baseDilation: of what the window moves over.
struct ShloWindow {
  std::vector<int64_t> stride, low, high, dilation, baseDilation;
  bool isSane() const;  // strides and dilations are positive, no number overflows
};
ShloWindow readShloWindow(const Op& op, size_t dims, std::string_view strides, std::string_view dilations);

// Batch and features of input and result, outputs and inputs of the kernel; then the spatial dims in their order.
struct ShloPlaces {
  int64_t first = -1, second = -1;
  std::vector<int64_t> spatial;
};
struct ShloConv {
  ShloPlaces input, kernel, output;
};
bool readShloConv(const Op& op, ShloConv& out);

// Dimension numbers of gather and scatter under gather's names.
struct ShloPick {
  std::vector<int64_t> offset, collapsed, batchOperand, batchIndices, map;
  int64_t vectorDim = 0;
};
ShloPick readShloPick(const Op& op, std::string_view attr);

}  // namespace tessera

#pragma once
// 2-D convolutions and pools in the library's form: the input as (1, 1, N*H*W, C), its sizes as attributes
// (docs/rules/lowering.md#windows).

#include <string>

#include "core/device/device_spec.h"
#include "core/ir/builder.h"
#include "core/lowering/rewriter.h"

namespace tessera {

// Replaces `old` by `spec` with the window's attributes. An input that was not flattened yet is flattened here, with
// permutes when its channels come first, and the result gets its shape back. `spec` has the operands and attributes of
// `old`. Returns why it could not be done, "" when it was.
std::string convertWindow(const Graph& graph, OpId old, OpSpec spec, const DeviceSpec& device, GraphRewriter& rewriter);

}  // namespace tessera

#pragma once
// Layouts and TTNN attributes that several passes make.

#include <optional>

#include "core/device/device_spec.h"
#include "core/ir/builder.h"
#include "core/ir/graph.h"
#include "core/ir/types.h"

namespace tessera {

// The layouts that lowering gives out; nothing when the tensor cannot be stored (no elements, sizes beyond 62 bits).
std::optional<TensorLayout> dramTileLayout(const TensorType& type, const DeviceSpec& device);
std::optional<TensorLayout> dramRowMajorLayout(const TensorType& type, const DeviceSpec& device);
std::optional<TensorLayout> hostLayout(const TensorType& type, const DeviceSpec& device);  // row-major
// `layout` in other pages or another element type, where it is; nothing when there is no such layout.
std::optional<TensorLayout> withPage(const Shape& shape, const TensorLayout& layout, PageLayout page,
                                     const DeviceSpec& device);
std::optional<TensorLayout> withDType(const Shape& shape, const TensorLayout& layout, DType dtype,
                                      const DeviceSpec& device);

ValueType typeWithLayout(const ValueType& type, const TensorLayout& layout);
// The same element type, and an interleaved or host layout of the same kind, for another shape.
ValueType typeWithShape(const ValueType& type, Shape shape, const DeviceSpec& device);

AttrValue dtypeAttr(DType dtype);           // #ttcore.supportedDataTypes<bf16>
AttrValue pageLayoutAttr(PageLayout page);  // #ttnn.layout<tile>
// dtype, layout and memory_config of a to_layout op (docs/rules/lowering.md#layout-changes).
AttrList toLayoutAttrs(const TensorLayout& layout);

// Gets the device, or the mesh of devices.
OpSpec getDeviceSpec(const std::vector<int64_t>& meshShape);

AttrValue shapeAttr(const Shape& shape);  // #ttnn.shape<32x64>

// The integer after "key = " in an attribute's text, such as "batch_size = 8" in `#ttir<flattened_compat batch_size =
// 8, ...>`.
std::optional<int64_t> numberInText(std::string_view text, std::string_view key);

}  // namespace tessera

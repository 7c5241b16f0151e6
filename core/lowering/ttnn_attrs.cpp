#include "core/lowering/ttnn_attrs.h"

#include "core/ops/table/op_table.h"

#include "core/ir/builder.h"

namespace tessera {

namespace {

std::optional<TensorLayout> made(const Shape& shape, const LayoutRequest& request, const DeviceSpec& device) {
  auto layout = makeLayout(shape, request, device);
  if (!layout.ok()) return {};
  return *layout;
}

}  // namespace

std::optional<TensorLayout> dramTileLayout(const TensorType& type, const DeviceSpec& device) {
  return made(type.shape, {.dtype = deviceDType(type.dtype)}, device);
}

std::optional<TensorLayout> dramRowMajorLayout(const TensorType& type, const DeviceSpec& device) {
  return made(type.shape, {.dtype = deviceDType(type.dtype), .page = PageLayout::RowMajor}, device);
}

std::optional<TensorLayout> hostLayout(const TensorType& type, const DeviceSpec& device) {
  LayoutRequest request{
      deviceDType(type.dtype), BufferType::SystemMemory, TensorMemoryLayout::None, PageLayout::RowMajor, {}};
  return made(type.shape, request, device);
}

std::optional<TensorLayout> withPage(const Shape& shape, const TensorLayout& layout, PageLayout page,
                                     const DeviceSpec& device) {
  return made(shape, {layout.dtype, layout.buffer, layout.memory, page, layout.grid}, device);
}

std::optional<TensorLayout> withDType(const Shape& shape, const TensorLayout& layout, DType dtype,
                                      const DeviceSpec& device) {
  return made(shape, {dtype, layout.buffer, layout.memory, layout.page, layout.grid}, device);
}

ValueType typeWithLayout(const ValueType& type, const TensorLayout& layout) {
  ValueType out = type;
  out.tensor->layout = layout;
  out.tensor->spelled.clear();  // whoever gets a layout has a type of the device
  out.tensor->encoding.clear();
  out.tensor->written.reset();
  return out;
}

ValueType typeWithShape(const ValueType& type, Shape shape, const DeviceSpec& device) {
  ValueType out = type;
  out.tensor->shape = std::move(shape);
  out.tensor->encoding.clear();
  out.tensor->written.reset();
  if (!out.tensor->layout) return out;
  const TensorLayout& from = *type.tensor->layout;
  out.tensor->layout = made(out.tensor->shape, {from.dtype, from.buffer, from.memory, from.page, from.grid}, device);
  return out;
}

AttrValue dtypeAttr(DType dtype) {
  AttrValue attr = rawAttr("#ttcore.supportedDataTypes<" + std::string(dtypeName(dtype)) + ">");
  attr.kind = AttrValueKind::String;
  attr.string = std::string(dtypeName(dtype));
  return attr;
}

AttrValue pageLayoutAttr(PageLayout page) {
  std::string word = page == PageLayout::Tile ? "tile" : "row_major";
  AttrValue attr = rawAttr("#ttnn.layout<" + word + ">");
  attr.kind = AttrValueKind::String;
  attr.string = word;
  return attr;
}

AttrList toLayoutAttrs(const TensorLayout& layout) {
  AttrList attrs = {{"dtype", dtypeAttr(layout.dtype)}, {"layout", pageLayoutAttr(layout.page)}};
  if (layout.buffer != BufferType::SystemMemory) attrs.push_back({"memory_config", memoryConfigAttr(layout)});
  return attrs;
}

AttrValue shapeAttr(const Shape& shape) {
  std::string dims;
  for (int64_t dim : shape) dims += (dims.empty() ? "" : "x") + std::to_string(dim);
  AttrValue attr = rawAttr("#ttnn.shape<" + dims + ">");
  if (shape.empty()) return attr;
  attr.kind = AttrValueKind::IntArray;
  attr.ints = shape;
  return attr;
}

std::optional<int64_t> numberInText(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  at += key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '=')) ++at;
  int64_t number = 0;
  size_t first = at;
  const auto isDigit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (; isDigit() && at - first < 18; ++at) number = number * 10 + (text[at] - '0');
  if (at == first || isDigit()) return {};
  return number;
}

OpSpec getDeviceSpec(const std::vector<int64_t>& meshShape) {
  ValueType type;
  type.opaque = "!ttnn.device";
  OpSpec spec = makeOp(OpKind::TtnnGetDevice, {}, {type});
  spec.attrs = {{"mesh_offset", rawAttr("#ttnn<mesh_offset 0x0>")},
                {"mesh_shape", rawAttr("#ttnn<mesh_shape " + shapeText(meshShape) + ">")}};
  spec.resultName = "device";
  return spec;
}

}  // namespace tessera

#include "core/lowering/ttir_converter.h"

#include <algorithm>

#include "core/lowering/ttnn_attrs.h"

namespace tessera {

void setAttr(OpSpec& spec, std::string_view name, AttrValue value) {
  for (Attribute& attr : spec.attrs) {
    if (attr.name == name) {
      attr.value = std::move(value);
      return;
    }
  }
  spec.attrs.push_back({std::string(name), std::move(value)});
}

void dropAttr(OpSpec& spec, std::string_view name) {
  std::erase_if(spec.attrs.own(), [&](const Attribute& attr) { return attr.name == name; });
}

bool hasAttr(const OpSpec& spec, std::string_view name) {
  return std::any_of(spec.attrs.begin(), spec.attrs.end(), [&](const Attribute& attr) { return attr.name == name; });
}

ValueId TtirConverter::getDevice(FuncId func) {
  return rewriter_.result(rewriter_.emit(func, getDeviceSpec(context_.options.meshShape)));
}

namespace {

size_t roleCount(std::string_view roles) {
  return roles.empty() ? 0 : 1 + static_cast<size_t>(std::count(roles.begin(), roles.end(), ' '));
}

// Which role the tensor has that an op writes into, where it stands before others.
std::optional<size_t> outputAmongRoles(std::string_view roles) {
  const size_t at = roles.find(" out? ");
  if (at == std::string_view::npos) return {};
  return roleCount(roles.substr(0, at));
}

}  // namespace

std::optional<size_t> TtirConverter::outputAmongInputs(OpId old, size_t inputs) const {
  const Op& from = op(old);
  const AttrValue* segments = findAttr(from, "operandSegmentSizes");
  if (!opInfo(from.kind).has(kDpsOutput) || from.results.size() != 1 || segments == nullptr) return {};
  size_t at = 0;
  for (int64_t size : segments->ints) {
    if (size < 0 || at + static_cast<size_t>(size) > inputs) return {};
    const Value* value = size == 1 ? &graph_.values[from.operands[at]] : nullptr;
    const bool made = value != nullptr && value->producer.valid() && op(value->producer).kind == OpKind::TtirEmpty;
    if (made && value->type == graph_.values[from.results[0]].type) return at;
    at += static_cast<size_t>(size);
  }
  return {};
}

void TtirConverter::fitSegments(OpSpec& spec, const Op& from, size_t inputs, std::optional<size_t> output,
                                bool device) {
  const AttrValue* segments = findAttr(from, "operandSegmentSizes");
  if (segments == nullptr || segments->kind != AttrValueKind::IntArray) return;
  std::vector<int64_t> sizes;
  size_t counted = 0, role = 0;
  const std::string_view fromRoles = opInfo(from.kind).roles;
  const bool sayOutput = segments->ints.size() >= roleCount(fromRoles);  // a size for every role
  const std::optional<size_t> outputRole = sayOutput ? outputAmongRoles(fromRoles) : std::nullopt;
  for (int64_t size : segments->ints) {
    if (size < 0 || counted + static_cast<size_t>(size) > inputs) break;  // the outputs
    const bool isOutput = size == 1 ? counted == output : size == 0 && role == outputRole;
    if (!isOutput) sizes.push_back(size);
    counted += static_cast<size_t>(size);
    ++role;
  }
  std::string_view roles = opInfo(spec.kind).roles;
  sizes.resize(roleCount(roles), 0);
  if (device && !sizes.empty()) sizes.back() = 1;  // the device is the last role
  setAttr(spec, "operandSegmentSizes", intArrayAttr(std::move(sizes), "i32"));
}

}  // namespace tessera

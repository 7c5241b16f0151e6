#include "core/text/printer_values.h"

#include <algorithm>

#include "core/support/check.h"
#include "core/support/float_text.h"
#include "core/text/raw_text.h"

namespace tessera::text {

void ValuePrinter::attr(AttrId id) {
  add(id);
  run();
}

void ValuePrinter::type(TypeId id) {
  add(id);
  run();
}

void ValuePrinter::dictionary(Range entries) {
  addEntries(entries);
  std::reverse(stack_.begin(), stack_.end());
  run();
}

void ValuePrinter::types(Range list) {
  addTypes(list);
  std::reverse(stack_.begin(), stack_.end());
  run();
}

void ValuePrinter::outputs(Range list) {
  addOutputs(list);
  std::reverse(stack_.begin(), stack_.end());
  run();
}

void ValuePrinter::symbol(std::string_view name) {
  out_ += '@';
  if (isPlainSymbol(name)) out_.append(name);
  else appendQuoted(out_, name);
}

// The stack's top is printed next; expand() appends in reading order, so its part is turned round.
void ValuePrinter::run() {
  while (!stack_.empty()) {
    Item item = stack_.back();
    stack_.pop_back();
    const size_t base = stack_.size();
    if (item.attr.valid()) expand(item.attr);
    else if (item.type.valid()) expand(item.type);
    else if (item.name && !isBareId(item.text)) appendQuoted(out_, item.text);
    else out_.append(item.text);
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(base), stack_.end());
  }
}

void ValuePrinter::addEntries(Range entries) {
  add("{");
  for (uint32_t i = 0; i < entries.count; ++i) {
    const NamedAttr& entry = tree_.namedAttrs[entries.first + i];
    if (i > 0) add(", ");
    stack_.push_back({.text = entry.name, .name = true});
    if (!entry.value.valid() || tree_.attrs[entry.value].kind == AttrKind::Unit) continue;
    add(" = ");
    add(entry.value);
  }
  add("}");
}

void ValuePrinter::addTypes(Range list) {
  for (uint32_t i = 0; i < list.count; ++i) {
    if (i > 0) add(", ");
    add(tree_.typeLists[list.first + i]);
  }
}

// One type stands alone, unless it is a function type: `-> () -> t` would read as something else.
void ValuePrinter::addOutputs(Range list) {
  bool alone = list.count == 1 && tree_.types[tree_.typeLists[list.first]].kind != TypeKind::Function;
  if (!alone) add("(");
  addTypes(list);
  if (!alone) add(")");
}

void ValuePrinter::number(const Attr& attr, std::string_view type) {
  if (canonical_ && attr.kind == AttrKind::Float) {
    std::string shown = mlirFloatText(attr.number, type);
    out_ += shown.empty() ? std::string(attr.text) : shown;
    return;
  }
  bool keepsDigits = !attr.text.empty() || attr.kind == AttrKind::Integer;
  TESSERA_CHECK(keepsDigits, "a float keeps its digits");
  if (attr.text.empty()) out_ += std::to_string(attr.integer);
  else out_.append(attr.text);
}

void ValuePrinter::addDenseArray(const Attr& attr) {
  out_ += "array<";
  std::string_view element = tree_.types.contains(attr.type) ? tree_.types[attr.type].text : std::string_view("i64");
  out_.append(element);
  const size_t count = std::max(attr.ints.count, attr.items.count);
  for (uint32_t i = 0; i < count; ++i) {
    out_ += i == 0 ? ": " : ", ";
    if (i < attr.items.count) {
      number(tree_.attrs[tree_.attrLists[attr.items.first + i]], element);
      continue;
    }
    int64_t value = tree_.ints[attr.ints.first + i];
    if (element == "i1") out_ += value != 0 ? "true" : "false";
    else out_ += std::to_string(value);
  }
  out_ += ">";
}

void ValuePrinter::expand(AttrId id) {
  const Attr& attr = tree_.attrs[id];
  bool typed = attr.type.valid();
  switch (attr.kind) {
    case AttrKind::Unit: out_ += "unit"; return;
    case AttrKind::Bool: out_ += attr.integer != 0 ? "true" : "false"; return;
    case AttrKind::Integer:
    case AttrKind::Float: number(attr, typed ? tree_.types[tree_.resolve(attr.type)].text : std::string_view()); break;
    case AttrKind::String: appendQuoted(out_, attr.text); break;
    case AttrKind::Array:
      add("[");
      for (uint32_t i = 0; i < attr.items.count; ++i) {
        if (i > 0) add(", ");
        add(tree_.attrLists[attr.items.first + i]);
      }
      return add("]");
    case AttrKind::Dictionary: return addEntries(attr.entries);
    case AttrKind::DenseArray: return addDenseArray(attr);
    case AttrKind::Dense:
      out_.append(attr.name.empty() ? std::string_view("dense") : attr.name);
      out_ += '<';
      appendNormalized(out_, attr.text);
      out_ += closingAngle(out_);
      break;
    case AttrKind::Type: return add(attr.type);
    case AttrKind::AffineMap:
      out_ += "affine_map<";
      appendNormalized(out_, attr.text);
      out_ += '>';
      return;
    case AttrKind::Symbol:
      if (attr.integer == 1) appendNormalized(out_ += '@', attr.text);
      else symbol(attr.text);
      return;
    case AttrKind::Alias:
      out_ += '#';
      out_.append(attr.text);
      return;
    case AttrKind::Location:
      out_ += "loc(";
      appendNormalized(out_, attr.text);
      out_ += ')';
      return;
    case AttrKind::Dialect:
    case AttrKind::Opaque: appendNormalized(out_, attr.text); return;
  }
  if (!typed) return;
  add(" : ");
  add(attr.type);
}

void ValuePrinter::addTensor(const Type& type) {
  out_ += "tensor<";
  for (uint32_t i = 0; i < type.dims.count; ++i) {
    int64_t dim = tree_.ints[type.dims.first + i];
    out_ += dim < 0 ? "?" : std::to_string(dim);
    out_ += 'x';
  }
  add(type.element);
  if (type.encoding.valid()) {
    add(", ");
    add(type.encoding);
  }
  add(">");
}

void ValuePrinter::expand(TypeId id) {
  const Type& type = tree_.types[id];
  switch (type.kind) {
    case TypeKind::Tensor: return addTensor(type);
    case TypeKind::Function:
      add("(");
      addTypes(type.inputs);
      add(") -> ");
      return addOutputs(type.outputs);
    case TypeKind::Alias:
      out_ += '!';
      out_.append(type.name);
      return;
    case TypeKind::Scalar:
    case TypeKind::Dialect:
    case TypeKind::Opaque: appendNormalized(out_, type.text); return;
  }
}

std::string printAttr(const SyntaxTree& tree, AttrId attr) {
  std::string out;
  if (tree.attrs.contains(attr)) ValuePrinter(tree, out, true).attr(attr);
  return out;
}

std::string printType(const SyntaxTree& tree, TypeId type) {
  std::string out;
  if (tree.types.contains(type)) ValuePrinter(tree, out).type(type);
  return out;
}

}  // namespace tessera::text

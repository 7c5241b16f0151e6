// Tuples of a function are the values in them, those it takes and gives back as well; tuples within tuples, too.

#include "core/import/function_importer.h"
#include "core/import/stablehlo_syntax.h"

namespace tessera {

FunctionImporter::Definition FunctionImporter::joined(std::vector<ValueId> parts) {
  Definition definition;
  definition.first = parts.empty() ? ValueId{} : parts[0];
  definition.count = static_cast<int32_t>(parts.size());
  definition.parts = std::move(parts);
  return definition;
}

// An argument for each value in the tuple `whole`.
void FunctionImporter::addTupleArguments(std::string_view name, Span span, const Value& whole) {
  std::vector<ValueId> parts;
  for (ValueType& leaf : leafTypes(whole.type)) {
    Value one = whole;
    one.type = std::move(leaf);
    one.index = static_cast<int32_t>(function().args.size());
    one.name = freshName(name.empty() ? std::string_view("arg") : name, 1);
    parts.push_back(addValue(std::move(one)));
    function().args.push_back(parts.back());
  }
  if (!name.empty()) define(name, span, joined(std::move(parts)));
}

// The values of a tuple that is named as a whole; false when the use is of something else.
bool FunctionImporter::addTupleParts(const text::Use& use, const ValueType& type, std::vector<ValueId>& out) {
  if (!tupleTypes(type) || use.number != 0) return false;
  auto at = defined_.find(use.name);
  if (at == defined_.end() || leafTypes(type).size() != static_cast<size_t>(at->second.count)) return false;
  for (int32_t i = 0; i < at->second.count; ++i) out.push_back(at->second.value(i));
  return true;
}

bool FunctionImporter::importTupleElement(const text::OpNode& node, text::OpNodeId) {
  if (node.uses.count != 1 || node.defs.count != 1) return false;
  AttrList attrs = s_.reader.attrs({node.properties, node.attrs}, node.name, node.span);
  readStablehloAttrs(node, "stablehlo.get_tuple_element", s_.reader, attrs);
  int64_t index = -1;
  for (const Attribute& attr : attrs.list()) index = attr.name == "index" ? attr.value.integer : index;
  auto at = defined_.find(s_.tree.uses[node.uses.first].name);
  if (at == defined_.end() || index < 0) return false;
  std::vector<size_t> sizes(static_cast<size_t>(at->second.count), 1);  // values of each element
  if (node.operandTypes.count == 1) {
    std::optional<std::vector<ValueType>> elements =
        tupleTypes(s_.reader.type(s_.tree.typeLists[node.operandTypes.first]));
    if (elements) sizes.clear();
    for (size_t i = 0; elements && i < elements->size(); ++i) sizes.push_back(leafTypes((*elements)[i]).size());
  }
  if (static_cast<size_t>(index) >= sizes.size()) return false;
  size_t first = 0, count = sizes[static_cast<size_t>(index)];
  for (size_t i = 0; i < static_cast<size_t>(index); ++i) first += sizes[i];
  if (first + count > static_cast<size_t>(at->second.count)) return false;
  std::vector<ValueId> parts;
  for (size_t i = 0; i < count; ++i) parts.push_back(at->second.value(static_cast<int32_t>(first + i)));
  const text::Def& def = s_.tree.defs[node.defs.first];
  define(def.name, def.span, joined(std::move(parts)));
  return true;
}

// A tuple that ops make is a name for several values.
bool FunctionImporter::importTuple(const text::OpNode& node, text::OpNodeId id) {
  if (node.defs.count != 1 || node.uses.count == 0) return false;
  text::Range types = node.resultTypes.count == 1 ? node.resultTypes : node.operandTypes;
  std::optional<std::vector<ValueType>> elements =
      types.count == 1 ? tupleTypes(s_.reader.type(s_.tree.typeLists[types.first])) : std::nullopt;
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < node.uses.count; ++i) {
    const text::Use& use = s_.tree.uses[node.uses.first + i];
    if (elements && i < elements->size() && addTupleParts(use, (*elements)[i], parts)) continue;
    ValueId value = lookUp(use, node, id);
    if (!value.valid()) return true;
    parts.push_back(value);
  }
  const text::Def& def = s_.tree.defs[node.defs.first];
  define(def.name, def.span, joined(std::move(parts)));
  return true;
}

}  // namespace tessera

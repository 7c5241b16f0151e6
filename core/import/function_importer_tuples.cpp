// Tuples of a function are the values in them, those it takes and gives back as well; tuples within tuples, too.

#include "core/import/function_importer.h"
#include "core/import/stablehlo_syntax.h"

namespace tessera {

FunctionImporter::Definition FunctionImporter::tupleOf(std::vector<ValueId> parts) {
  Definition definition;
  definition.first = parts.empty() ? ValueId{} : parts[0];
  definition.count = static_cast<int32_t>(parts.size());
  definition.starts = {0, definition.count};
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
  if (!name.empty()) define(name, span, tupleOf(std::move(parts)));
}

// The values of a tuple that is named as a whole; false when the use is of something else.
bool FunctionImporter::addTupleParts(const text::Use& use, const ValueType& type, std::vector<ValueId>& out) {
  auto at = defined_.find(use.name);
  if (!tupleTypes(type) || at == defined_.end() || !at->second.has(use.number)) return false;
  const int32_t start = at->second.start(use.number), size = at->second.size(use.number);
  if (leafTypes(type).size() != static_cast<size_t>(size)) return false;
  for (int32_t i = 0; i < size; ++i) out.push_back(at->second.value(start + i));
  return true;
}

bool FunctionImporter::importTupleElement(const text::OpNode& node, text::OpNodeId) {
  if (node.uses.count != 1 || !namesAtMostOne(node)) return false;
  AttrList attrs = s_.reader.attrs({node.properties, node.attrs}, node.name, node.span);
  readStablehloAttrs(node, "stablehlo.get_tuple_element", s_.reader, attrs);
  int64_t index = -1;
  for (const Attribute& attr : attrs.list()) index = attr.name == "index" ? attr.value.integer : index;
  const text::Use& use = s_.tree.uses[node.uses.first];
  auto at = defined_.find(use.name);
  if (at == defined_.end() || index < 0 || !at->second.has(use.number)) return false;
  const auto start = static_cast<size_t>(at->second.start(use.number));
  const auto whole = static_cast<size_t>(at->second.size(use.number));
  std::vector<size_t> sizes(whole, 1);  // values of each element
  if (node.operandTypes.count == 1) {
    std::optional<std::vector<ValueType>> elements =
        tupleTypes(s_.reader.type(s_.tree.typeLists[node.operandTypes.first]));
    if (elements) sizes.clear();
    for (size_t i = 0; elements && i < elements->size(); ++i) sizes.push_back(leafTypes((*elements)[i]).size());
  }
  if (static_cast<size_t>(index) >= sizes.size()) return false;
  size_t first = 0, count = sizes[static_cast<size_t>(index)];
  for (size_t i = 0; i < static_cast<size_t>(index); ++i) first += sizes[i];
  if (first + count > whole) return false;
  std::vector<ValueId> parts;
  for (size_t i = 0; i < count; ++i) parts.push_back(at->second.value(static_cast<int32_t>(start + first + i)));
  defineAs(node, tupleOf(std::move(parts)));
  return true;
}

// A tuple that ops make is a name for several values.
bool FunctionImporter::importTuple(const text::OpNode& node, text::OpNodeId id) {
  if (!namesAtMostOne(node)) return false;
  text::Range types = node.resultTypes.count == 1 ? node.resultTypes : node.operandTypes;
  std::optional<std::vector<ValueType>> elements =
      types.count == 1 ? tupleTypes(s_.reader.type(s_.tree.typeLists[types.first])) : std::nullopt;
  if (!elements && node.resultTypes.count == 1) return false;  // it says that it makes something else
  if (elements && elements->size() != node.uses.count && !node.hasError) {
    s_.diags.report(DiagKind::OperandCountMismatch, node.span,
                    {node.name, std::to_string(node.uses.count), std::to_string(elements->size())});
  }
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < node.uses.count; ++i) {
    const text::Use& use = s_.tree.uses[node.uses.first + i];
    if (elements && i < elements->size() && addTupleParts(use, (*elements)[i], parts)) continue;
    const bool typed = node.resultTypes.count == 1 && i < node.operandTypes.count;
    const text::TypeId type = typed ? s_.tree.typeLists[node.operandTypes.first + i] : text::TypeId{};
    ValueId value = operandOf(node, id, i, type, ArgRole::Parameter);
    if (!value.valid()) return true;
    parts.push_back(value);
  }
  defineAs(node, tupleOf(std::move(parts)));
  return true;
}

}  // namespace tessera

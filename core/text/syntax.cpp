#include "core/text/syntax.h"

namespace tessera::text {

const AliasDef* SyntaxTree::findAlias(std::string_view name, bool isType) const {
  for (const AliasDef& alias : aliases) {
    if (alias.isType == isType && alias.name == name) return &alias;
  }
  return nullptr;
}

namespace {

const AliasDef* definitionOf(const SyntaxTree& tree, int32_t index, std::string_view name, bool isType) {
  if (index >= 0 && static_cast<size_t>(index) < tree.aliases.size()) return &tree.aliases[static_cast<size_t>(index)];
  return tree.findAlias(name, isType);
}

}  // namespace

AttrId SyntaxTree::resolve(AttrId id) const {
  // A chain longer than the number of aliases goes round in circles.
  for (size_t step = 0; step <= aliases.size() && attrs.contains(id); ++step) {
    const Attr& attr = attrs[id];
    if (attr.kind != AttrKind::Alias) return id;
    const AliasDef* alias = definitionOf(*this, attr.alias, attr.text, false);
    if (alias == nullptr || !alias->attr.valid()) return id;
    id = alias->attr;
  }
  return id;
}

TypeId SyntaxTree::resolve(TypeId id) const {
  for (size_t step = 0; step <= aliases.size() && types.contains(id); ++step) {
    const Type& type = types[id];
    if (type.kind != TypeKind::Alias) return id;
    const AliasDef* alias = definitionOf(*this, type.alias, type.name, true);
    if (alias == nullptr || !alias->type.valid()) return id;
    id = alias->type;
  }
  return id;
}

AttrId SyntaxTree::find(Range namedAttrRange, std::string_view name) const {
  for (uint32_t i = 0; i < namedAttrRange.count; ++i) {
    const NamedAttr& entry = namedAttrs[namedAttrRange.first + i];
    if (entry.name == name) return entry.value;
  }
  return {};
}

}  // namespace tessera::text

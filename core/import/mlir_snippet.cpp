#include "core/import/mlir_snippet.h"

#include "core/import/tree_reader.h"
#include "core/text/syntax.h"

namespace tessera {

namespace {

// An op is written around the text so that the text stands where only an attribute, or only a type, may stand. What is
// parsed must be that one op and hold nothing but the attribute or type.
struct Snippet {
  SourceBuffer source;
  Diagnostics diags;
  text::SyntaxTree tree;

  Snippet(std::string_view before, std::string_view text, std::string_view after)
      : source("attribute", std::string(before) + std::string(text) + std::string(after)) {
    tree = text::parseText(source, diags);
  }

  // The op, without values, regions and location; null when the text made more of it.
  const text::OpNode* op() const {
    const bool oneOp = tree.topLevel.size() == 1 && tree.ops.size() == 1 && tree.aliases.empty();
    if (!oneOp || diags.hasErrors()) return nullptr;
    const text::OpNode& node = tree.ops[tree.topLevel.front()];
    const bool bare = node.properties.count + node.regions.count + node.uses.count + node.operandTypes.count == 0;
    return bare && !node.location.valid() ? &node : nullptr;
  }
  std::string why(const char* otherwise) const { return diags.all().empty() ? otherwise : diags.all().front().message; }
};

struct AttrSnippet : Snippet {
  text::AttrId attr;

  explicit AttrSnippet(std::string_view text) : Snippet("\"t.t\"() {a = ", text, "\n} : () -> ()\n") {
    const text::OpNode* node = op();
    if (node && node->attrs.count == 1 && node->resultTypes.count == 0) attr = tree.find(node->attrs, "a");
  }
  std::string why() const { return Snippet::why("more than one attribute"); }
};

struct TypeSnippet : Snippet {
  text::TypeId type;

  explicit TypeSnippet(std::string_view text) : Snippet("\"t.t\"() : () -> (", text, "\n)\n") {
    const text::OpNode* node = op();
    if (node && node->attrs.count == 0 && node->resultTypes.count == 1) type = tree.typeLists[node->resultTypes.first];
  }
  std::string why() const { return Snippet::why("not one type"); }
};

}  // namespace

std::optional<AttrValue> parseMlirAttr(std::string_view text, std::string& why) {
  AttrSnippet snippet(text);
  if (!snippet.attr.valid()) {
    why = snippet.why();
    return {};
  }
  TreeReader reader(snippet.tree, snippet.diags, AttrValue::kMaxInlineConstant);
  AttrValue value = reader.attr(snippet.attr);
  if (!snippet.diags.hasErrors()) return value;
  why = snippet.why();
  return {};
}

std::optional<ValueType> parseMlirType(std::string_view text, std::string& why) {
  TypeSnippet snippet(text);
  if (snippet.type.valid()) {
    TreeReader reader(snippet.tree, snippet.diags, AttrValue::kMaxInlineConstant);
    ValueType type = reader.type(snippet.type);
    if (!snippet.diags.hasErrors()) return type;
  }
  why = snippet.why();
  return {};
}

std::vector<std::string> splitMlirArray(std::string_view text) {
  AttrSnippet snippet(text);
  if (!snippet.attr.valid() || snippet.tree.attrs[snippet.attr].kind != text::AttrKind::Array) return {};
  std::vector<std::string> out;
  text::Range items = snippet.tree.attrs[snippet.attr].items;
  for (uint32_t i = 0; i < items.count; ++i)
    out.push_back(text::printAttr(snippet.tree, snippet.tree.attrLists[items.first + i]));
  return out;
}

}  // namespace tessera

#include "core/import/mlir_snippet.h"

#include "core/import/tree_reader.h"
#include "core/text/syntax.h"

namespace tessera {

namespace {

// The text is put where only an attribute may stand. Whatever else it contains, the result must be one op with one
// attribute.
struct Snippet {
  SourceBuffer source;
  Diagnostics diags;
  text::SyntaxTree tree;
  text::AttrId attr;

  explicit Snippet(std::string_view text)
      : source("attribute", "\"t.t\"() {a = " + std::string(text) + "\n} : () -> ()\n") {
    tree = text::parseText(source, diags);
    bool oneOp = tree.topLevel.size() == 1 && tree.ops.size() == 1 && tree.aliases.empty();
    if (!oneOp || diags.hasErrors()) return;
    const text::OpNode& node = tree.ops[tree.topLevel.front()];
    bool oneAttr =
        node.attrs.count == 1 && node.properties.count == 0 && node.regions.count == 0 && node.uses.count == 0;
    if (oneAttr && !tree.namedAttrs.empty()) attr = tree.find(node.attrs, "a");
  }

  std::string why() const { return diags.all().empty() ? "more than one attribute" : diags.all().front().message; }
};

}  // namespace

std::optional<AttrValue> parseMlirAttr(std::string_view text, std::string& why) {
  Snippet snippet(text);
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
  Snippet snippet(text);
  if (snippet.attr.valid()) {
    const text::Attr& attr = snippet.tree.attrs[snippet.attr];
    if (attr.kind == text::AttrKind::Type) {
      TreeReader reader(snippet.tree, snippet.diags, AttrValue::kMaxInlineConstant);
      ValueType type = reader.type(attr.type);
      if (!snippet.diags.hasErrors()) return type;
      why = snippet.why();
      return {};
    }
    why = "an attribute that is no type";
    return {};
  }
  why = snippet.why();
  return {};
}

std::vector<std::string> splitMlirArray(std::string_view text) {
  Snippet snippet(text);
  if (!snippet.attr.valid() || snippet.tree.attrs[snippet.attr].kind != text::AttrKind::Array) return {};
  std::vector<std::string> out;
  text::Range items = snippet.tree.attrs[snippet.attr].items;
  for (uint32_t i = 0; i < items.count; ++i)
    out.push_back(text::printAttr(snippet.tree, snippet.tree.attrLists[items.first + i]));
  return out;
}

}  // namespace tessera

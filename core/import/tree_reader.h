#pragma once
// Attributes, types and locations of a SyntaxTree as the graph keeps them: aliases replaced, texts owned.

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ir/graph.h"
#include "core/support/diagnostics.h"
#include "core/text/syntax.h"

namespace tessera {

class TreeReader {
 public:
  // Constants whose text is longer than that many bytes lose their numbers.
  TreeReader(const text::SyntaxTree& tree, Diagnostics& diags, size_t longestConstant);

  AttrValue attr(text::AttrId id);
  // Entries of several dictionaries together, sorted by name. A name that is there twice is a mistake of `owner`.
  AttrList attrs(std::initializer_list<text::Range> ranges, std::string_view owner, Span span);
  // The same type text gives the same object; mistakes in it are reported once.
  const ValueType& type(text::TypeId id);
  // The op with all that is nested in it as text without aliases and locations, a line break at the end.
  std::string opText(text::OpNodeId op) { return expandAliases(text::printOp(tree_, op)); }
  // Raw text without aliases.
  std::string expanded(std::string_view text) { return expandAliases(std::string(text)); }
  // The first name in the location: "conv1" of loc("conv1"), loc("conv1"(...)), loc(fused[..., "conv1"]) ...; "" for
  // places in files.
  std::string locationName(text::AttrId id);
  // With the innermost line of source in it: "jit(f)/dot_general (train.py:12)".
  std::string locationWithLine(text::AttrId id);

 private:
  template <class Visit>
  void walkLocation(std::string_view whole, Visit visit);
  // Replaces `#alias` and `!alias` inside of raw text by what they stand for.
  std::string expandAliases(std::string whole);
  std::string_view floatType(const text::Attr& attr) const;
  std::string denseText(const text::Attr& attr);
  AttrValue denseAttr(const text::Attr& attr);
  void fillDialectAttr(const text::Attr& attr, AttrValue& value);
  ValueType readType(text::TypeId id);
  ValueType readTensor(const text::Type& type);
  void readElement(text::TypeId id, TensorType& tensor);
  void readEncoding(text::AttrId id, TensorType& tensor, Span span);
  void readMetalLayout(TensorType& tensor, Span span);

  const text::SyntaxTree& tree_;
  Diagnostics& diags_;
  size_t longestConstant_;
  std::unordered_map<std::string_view, const text::AliasDef*> attrAliases_;
  std::unordered_map<std::string_view, const text::AliasDef*> typeAliases_;
  std::unordered_map<std::string_view, size_t> typeIndex_;  // by text as written
  std::deque<ValueType> types_;
  std::unordered_map<std::string_view, std::string> locationNames_;  // by the location's text
  std::unordered_map<std::string_view, std::string> locationLines_;  // by the location's text
  std::vector<std::string> warnedElements_;
  bool dynamicReported_ = false;  // one sentence is enough for all types with dynamic dims
};

// How many bytes the elements of a constant take, from its type's text; 0 when it has none that we know.
int64_t constantBytes(const ValueType& type);

}  // namespace tessera

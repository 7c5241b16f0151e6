#pragma once
// Prints attributes and types. Does not recurse: what is left to print stands on a stack.

#include <string>
#include <string_view>
#include <vector>

#include "core/text/syntax.h"

namespace tessera::text {

class ValuePrinter {
 public:
  // `canonical`: floats as MLIR prints them, instead of their digits as written.
  ValuePrinter(const SyntaxTree& tree, std::string& out, bool canonical = false)
      : tree_(tree), out_(out), canonical_(canonical) {}

  void attr(AttrId id);
  void type(TypeId id);
  void dictionary(Range entries);      // {a = 1, b}
  void types(Range list);              // t, t
  void outputs(Range list);            // t or (t, t)
  void symbol(std::string_view name);  // @name

 private:
  struct Item {
    std::string_view text;  // of a static string or of the tree
    AttrId attr;
    TypeId type;
    bool name = false;  // text is the name of a dictionary's entry
  };
  void run();
  void expand(AttrId id);
  void expand(TypeId id);
  void add(std::string_view text) { stack_.push_back({.text = text}); }
  void add(AttrId id) { stack_.push_back({.attr = id}); }
  void add(TypeId id) { stack_.push_back({.type = id}); }
  void addEntries(Range entries);
  void addTypes(Range list);
  void addOutputs(Range list);
  void addTensor(const Type& type);
  void addDenseArray(const Attr& attr);
  void number(const Attr& attr, std::string_view type);

  const SyntaxTree& tree_;
  std::string& out_;
  bool canonical_;
  std::vector<Item> stack_;
};

}  // namespace tessera::text

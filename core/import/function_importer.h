#pragma once
// One function of the tree into the graph. Private to core/import.

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/import/tree_reader.h"
#include "core/ir/graph.h"
#include "core/support/diagnostics.h"
#include "core/text/syntax.h"

namespace tessera {

// Op names that one warning stands for, in the order they were met.
struct NameCount {
  std::string name;
  Span span;
  size_t count = 0;
};
class NameCounter {
 public:
  void add(std::string_view name, Span span);
  const std::vector<NameCount>& all() const { return counts_; }

 private:
  std::vector<NameCount> counts_;
  std::unordered_map<std::string, size_t> index_;
};

struct ImportState {
  const text::SyntaxTree& tree;
  TreeReader& reader;
  Graph& graph;
  Diagnostics& diags;
  NameCounter unknownOps;
  NameCounter unreadRegions;
  std::unordered_set<int32_t> damaged;  // indices of ops with a mistake that further checks would only repeat
};

class FunctionImporter {
 public:
  FunctionImporter(ImportState& state, FuncId func) : s_(state), func_(func) {}

  void importFunction(const text::OpNode& node);
  // Ops that stand in no function.
  void importBareOps(const std::vector<text::OpNodeId>& ops);

 private:
  struct Definition {
    ValueId first;
    int32_t count = 1;
  };

  Function& function() { return s_.graph.funcs[func_]; }
  void importArguments(const text::OpNode& node, text::Range args);
  ArgRole roleOf(const std::vector<Attribute>& attrs) const;
  void importResults(const text::OpNode& node);
  void importBody(const std::vector<text::OpNodeId>& ops);
  void importOp(text::OpNodeId id);
  std::vector<ValueId> importOperands(const text::OpNode& node, text::OpNodeId id);
  void checkOperandType(const text::OpNode& node, uint32_t index, ValueId value);
  void importOpResults(const text::OpNode& node, OpId op);
  void importOpAttrs(const text::OpNode& node, Op& op);
  ValueId lookUp(const text::Use& use, const text::OpNode& node, text::OpNodeId id);
  void reportUndefined(const text::Use& use, text::OpNodeId user);
  bool dependsOn(text::OpNodeId from, text::OpNodeId target);
  void define(std::string_view name, Span span, Definition definition);
  std::string freshName(std::string_view wish, size_t results);
  ValueId addValue(Value value);
  void addMissingReturn(const std::vector<text::OpNodeId>& ops);
  void checkReturn(Span place);

  ImportState& s_;
  FuncId func_;
  bool declaresResults_ = false;
  std::unordered_map<std::string_view, Definition> defined_;  // by the name in the text
  std::unordered_set<std::string> taken_;                     // names of values in the graph
  std::unordered_map<std::string_view, text::OpNodeId>
      later_;  // op that defines a name anywhere in the body; made on the first error
  const std::vector<text::OpNodeId>* body_ = nullptr;
  int64_t nextName_ = 0;
};

}  // namespace tessera

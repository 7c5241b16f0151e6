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
class NameCounter {
 public:
  void add(std::string_view name, Span span);
  // Each name at its first place, with how many there are.
  void report(DiagKind kind, Diagnostics& diags) const;

 private:
  struct NameCount {
    std::string name;
    Span span;
    size_t count = 0;
  };
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
  std::unordered_set<std::string> functionNames;  // of all functions, those that regions become among them
  std::unordered_set<int32_t> damaged;            // indices of ops with a mistake that further checks would only repeat
};

// Whether a function is more than a declaration, which the generic form writes with an empty region.
bool hasBody(const text::SyntaxTree& tree, const text::OpNode& function);

// A variable of the module.
bool isVariable(std::string_view op);

class FunctionImporter {
 public:
  FunctionImporter(ImportState& state, FuncId func) : s_(state), func_(func) {}
  // A region of an op in the function that `parent` reads, as a function of its own.
  FunctionImporter(ImportState& state, FuncId func, FunctionImporter& parent)
      : s_(state), func_(func), parent_(&parent), depth_(parent.depth_ + 1) {}

  void importFunction(const text::OpNode& node);
  // Ops that stand in no function.
  void importBareOps(const std::vector<text::OpNodeId>& ops);

 private:
  // What a name in the text stands for: one or more results of an op, of which a tuple is several values.
  struct Definition {
    ValueId first;
    int32_t count = 1;                 // of values
    std::vector<ValueId> parts = {};   // when they do not follow each other
    std::vector<int32_t> starts = {};  // value at which each result begins, then `count`; empty: a result is a value
    int32_t results() const { return starts.empty() ? count : static_cast<int32_t>(starts.size()) - 1; }
    bool has(int32_t result) const { return result >= 0 && result < results(); }
    int32_t start(int32_t result) const { return starts.empty() ? result : starts[static_cast<size_t>(result)]; }
    int32_t size(int32_t result) const { return starts.empty() ? 1 : start(result + 1) - start(result); }
    ValueId value(int32_t index) const {
      return parts.empty() ? ValueId{first.index + index} : parts[static_cast<size_t>(index)];
    }
  };

  Function& function() { return s_.graph.funcs[func_]; }
  void importArguments(const text::OpNode& node, text::Range args);
  void addNamedArgument(std::string_view name, Span span, Value value);
  ArgRole roleOf(const AttrList& attrs) const;
  struct Signature {
    text::Range inputs, outputs;  // of types
  };
  Signature signature(const text::OpNode& node) const;
  void importDeclaration(const text::OpNode& node);
  void importResults(const text::OpNode& node);
  void importBody(const std::vector<text::OpNodeId>& ops);
  void importOp(text::OpNodeId id);
  std::vector<ValueId> importOperands(const text::OpNode& node, text::OpNodeId id);
  void checkOperandType(const text::OpNode& node, uint32_t index, ValueId value);
  void importOpResults(const text::OpNode& node, OpId op);
  void importOpAttrs(const text::OpNode& node, Op& op);
  ValueId lookUp(const text::Use& use, const text::OpNode& node, text::OpNodeId id);
  void reportUndefined(const text::Use& use, text::OpNodeId user);
  void findLater();
  bool dependsOn(text::OpNodeId from, text::OpNodeId target);
  void define(std::string_view name, Span span, Definition definition);
  std::string freshName(std::string_view wish, size_t results);
  ValueId addValue(Value value);

  // Around the model (function_importer_surroundings.cpp)
  bool importSurroundings(const text::OpNode& node, text::OpNodeId id);
  bool importMark(const text::OpNode& node, text::OpNodeId id);
  bool importChecked(const text::OpNode& node, text::OpNodeId id);
  bool importVariableOp(const text::OpNode& node);
  ValueId addArgument(std::string_view name, const ValueType& type, ArgRole role);

  // Manual computations (function_importer_manual.cpp)
  bool importLocalConstraint(const text::OpNode& node, text::OpNodeId id);
  bool importManualComputation(const text::OpNode& node, text::OpNodeId id);
  bool giveManualResults(const text::OpNode& node, const text::Block& block);
  void localArgument(ValueId value, const ValueType& local);
  bool readWhole(std::string_view name, const ValueType& part);
  void findReadParts();
  ValueId acrossMesh(const text::OpNode& node, ValueId value, const ValueType& type, std::string_view target);
  ValueId partOf(const text::OpNode& node, const text::Use& use, ValueId value, const ValueType& part);

  // StableHLO (function_importer_stablehlo.cpp, tuples: function_importer_tuples.cpp)
  bool importStablehloOp(const text::OpNode& node, text::OpNodeId id);
  static Definition tupleOf(std::vector<ValueId> parts);
  void addTupleArguments(std::string_view name, Span span, const Value& whole);
  bool addTupleParts(const text::Use& use, const ValueType& type, std::vector<ValueId>& out);
  bool importTuple(const text::OpNode& node, text::OpNodeId id);
  bool importTupleElement(const text::OpNode& node, text::OpNodeId id);
  size_t definedResults(const text::OpNode& node) const;
  bool namesAtMostOne(const text::OpNode& node) const;
  void defineAs(const text::OpNode& node, Definition definition);
  void importRegions(const text::OpNode& node, Op& op);
  void importRegion(const text::OpNode& node, text::RegionId region, std::string name);
  std::vector<text::BlockArg> regionArguments(const text::OpNode& node, const text::Block& block);
  ValueId capture(const text::Use& use);
  const Definition* definitionAround(std::string_view name) const;
  ValueId missingValue(const text::Use& use, text::TypeId type, ArgRole role);
  ValueId operandOf(const text::OpNode& node, text::OpNodeId id, uint32_t index, text::TypeId type, ArgRole role);
  bool importBlocks(const text::OpNode& node, const text::Region& region);
  const text::Block* followBranch(const text::OpNode& branch, const text::Region& region, std::vector<char>& seen);
  void addStablehloResults(const text::OpNode& node, OpId op, const std::vector<text::TypeId>& types);
  void addMissingReturn(const std::vector<text::OpNodeId>& ops);
  void checkReturn(Span place);

  ImportState& s_;
  FuncId func_;
  bool declaresResults_ = false;
  // An example of a few ops, without a function around them or with one that does not say what it returns: what they
  // read and nothing defines is its arguments.
  bool isSketch_ = false;
  std::unordered_map<std::string_view, Definition> defined_;  // by the name in the text
  std::unordered_set<std::string> taken_;                     // names of values in the graph
  std::unordered_map<std::string_view, text::OpNodeId>
      later_;  // op that defines a name anywhere in the body; made on the first error
  const std::vector<text::OpNodeId>* body_ = nullptr;
  int64_t nextName_ = 0;
  FunctionImporter* parent_ = nullptr;                                // of a region
  std::vector<std::string_view>* scope_ = nullptr;                    // names that a region read in place defined
  std::unordered_map<std::string_view, std::string_view> addresses_;  // of variables, by the name of the value
  std::unordered_map<std::string_view, ValueId> variables_;           // of the module that were loaded
  std::vector<ValueId> checked_;                                      // what the program's own checks look at
  int depth_ = 0;
  // By name: the type of the part that all read, or none where somebody reads the whole.
  std::unordered_map<std::string_view, text::TypeId> readParts_;
  bool partsFound_ = false;
  std::unordered_set<int32_t> localised_;              // values whose types are those of one chip of a mesh
  std::unordered_map<std::string, ValueId> captured_;  // of a region, by the name in the text
  std::vector<ValueId>
      captures_;  // of a region: values of the parent that it reads, in the order of its last arguments
};

}  // namespace tessera

#pragma once
// The way to make or change a Graph. Every call keeps the links between ops, values and functions in step; misuse is a
// bug of ours and stops the program. Ops that are removed stay in `graph.ops` as empty, detached entries (func invalid)
// until compactGraph() renumbers; program order is that of Function::ops alone.

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/ir/named_values.h"

namespace tessera {

// What addOp needs. An empty resultName takes the next free number.
struct OpSpec {
  OpKind kind{};
  std::string name;
  std::vector<ValueId> operands;
  std::vector<ValueType> resultTypes;
  AttrList attrs;          // any order; the builder sorts
  std::string resultName;  // wished for; made unique by appending "_1", "_2" ...
  std::string loc;
  Span span;
  std::vector<OpId> origins;  // see Op::origins
};

// A name for what is made of a value: `a_spill` of `%a`, `v0_spill` of `%0`, as a number stands alone in MLIR, and
// `v0_1_spill` of `%0:1`, a second result.
std::string nameMadeOf(std::string_view value, std::string_view suffix);

class GraphBuilder {
 public:
  // Edits `graph` in place; it must outlive the builder. While a builder is in use nobody else may add values.
  explicit GraphBuilder(Graph& graph);

  // The name must be new.
  FuncId addFunction(std::string name, bool isPrivate = false);
  // Arguments come before ops use them; the name is made unique. Role and label also become attributes of the argument.
  ValueId addArgument(FuncId func, std::string_view name, ValueType type, ArgRole role = ArgRole::None,
                      std::string label = {});

  // At the end of the function, in call order; the return is appended like any other op, last.
  OpId append(FuncId func, OpSpec spec);
  OpId insertBefore(OpId before, OpSpec spec);

  // The only result of an op that has exactly one.
  ValueId result(OpId op) const;

  void replaceOperand(OpId op, int operand, ValueId value);
  // Every use of a value that `now` gives another one for becomes a use of that; values beyond its end stay. One walk
  // for all.
  void replaceUses(FuncId func, const IdVec<ValueId, ValueId>& now);
  // Adds the attribute or replaces its value.
  void setAttr(OpId op, std::string_view name, AttrValue value);
  void setResultTypes(FuncId func, std::vector<ValueType> types);
  // The marked ops of the function; nothing that stays may use their results. One walk for all; ops beyond the end of
  // `gone` stay.
  void removeOps(FuncId func, const IdVec<OpId, bool>& gone);
  // `order` must hold the same ops as before.
  void reorder(FuncId func, std::vector<OpId> order);

 private:
  OpId place(FuncId func, size_t position, OpSpec spec);
  size_t positionOf(OpId op) const;
  void detach(OpId op);
  void learnNames();
  bool nameTaken(FuncId func, std::string_view base, size_t results) const;
  std::string uniqueName(FuncId func, std::string_view wish, size_t results);

  Graph& graph_;
  std::unordered_set<std::string> funcNames_;
  bool namesKnown_ = false;          // the two below are made when a name is first asked for
  NamedValues names_;                // a value that was removed has lost its name and is not found
  std::vector<int64_t> nextNumber_;  // per function: numbers below are taken or were skipped
};

// By name, as Op::attrs wants them; entries of equal names keep their order.
void sortAttrs(AttrList& attrs);
// The op that `spec` describes, without results; moves everything out of `spec` but the results' types and name.
Op takeOp(OpSpec& spec, FuncId func);

// Spelling of attributes that we make ourselves.
AttrValue boolAttr(bool value);
AttrValue intAttr(int64_t value, std::string_view type = "i64");  // `3 : i32`
AttrValue f32Attr(double value);               // `1.25000000e-01 : f32`; the number is what the text says
AttrValue stringAttr(std::string_view value);  // "text", escaped
AttrValue symbolAttr(std::string_view name);   // @name
AttrValue intArrayAttr(std::vector<int64_t> values, std::string_view elementType = "i64");  // array<i64: 1, 2>
AttrValue rawAttr(std::string mlirText);  // anything else, e.g. `#ttnn.layout<tile>`
// `#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>`; a shard's shape is in the result type.
AttrValue memoryConfigAttr(const TensorLayout& layout);

// Attributes of an argument: `attrs` plus what says its role and label, when that is missing; sorted.
AttrList argumentAttrs(ArgRole role, const std::string& label, AttrList attrs = {});

// `text` between quotes, with MLIR's escapes: \\ for a backslash, \hh for quotes and control characters.
std::string quotedMlir(std::string_view text);

// The number that a name consists of, or -1: "12" -> 12, "arg0" -> -1.
int64_t plainNumber(std::string_view name);

// Name of result `index` of an op whose first result is called `base`: "conv1", "conv1:1", ...
std::string resultName(std::string_view base, size_t index);

// Without detached ops and values, numbered in program order: the arguments of all functions, then what ops give.
Graph compactGraph(Graph graph);
// Whether compactGraph() would change nothing.
bool idsInOrder(const Graph& graph);

// Same functions, ops, values (by name), types and attributes, in the same order; places in the source do not count.
bool sameGraph(const Graph& a, const Graph& b);

}  // namespace tessera

#pragma once
// Lists everything that is wrong with a graph's structure. For checks after each step and for tests; importers report
// user mistakes themselves and never produce a graph with a defect.

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

enum class GraphRule {
  ForwardFunction,  // Graph::forward names a function with a body, or is invalid in a graph without one
  FunctionName,     // function names are not empty and unique
  FunctionBody,     // only private functions may lack a body
  ArgumentLink,     // an argument exists, has no producer and knows its function and its number
  OpList,     // an op in a function's list exists, is listed once and names that function; an op not listed is detached
  OpName,     // an op has a name
  OperandId,  // operands exist
  OperandFunction,  // operands belong to the op's function
  OperandOrder,     // an operand is an argument or a result of an earlier op
  ResultLink,       // a result exists, names its op, its number and its function, and is listed once
  ResultName,       // further results are called "base:1", "base:2" ...
  ValueName,        // names are not empty and unique in their function
  OrphanValue,      // a value with a function is one of its arguments or a result of one of its ops
  ReturnLast,       // the last op is the return and there is only one
  ReturnTypes,      // its operands have the declared result types
  AttrOrder,        // attributes are sorted by name, without duplicates
  AttrText,         // an attribute has its MLIR text
  TypeShape,        // dims are not negative and their product fits 63 bits
  TypeOpaque,       // a type that is no tensor has its MLIR text
};
std::string_view graphRuleName(GraphRule rule);

struct Defect {
  GraphRule rule;
  OpId op;        // invalid when no op is concerned
  ValueId value;  // invalid when no value is concerned
  std::string text;
};

std::vector<Defect> verifyGraph(const Graph& graph);

}  // namespace tessera

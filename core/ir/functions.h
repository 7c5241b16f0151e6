#pragma once
// The functions of a module: which are programs of their own, which belong to which, and several modules in one.

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

// Programs that the host calls: public functions with a body that no other function's op names and that are not marked
// (`tt.function_type`) as something else than the device's forward function, in the order of the file. Where there is
// none, the first public function with a body, else the first with a body. Graph::forward, when set, is among them.
std::vector<FuncId> forwardFunctions(const Graph& graph);

// Of all functions, and of the bodies beside them: what a new function must not be called.
std::unordered_set<std::string> functionNames(const Graph& graph);

// The function of this name, without @; invalid when there is none.
FuncId functionNamed(const Graph& graph, std::string_view name);

// Has an op of a function a name of this dialect? With the point: "ttnn.".
bool hasOpsOf(const Graph& graph, std::string_view dialect);

// The function's type follows the values that it returns.
void setResultTypes(const Graph& graph, Function& func);

// For every function whether `from` is it, or names it in an op, or names one that does.
IdVec<FuncId, char> reachableFrom(const Graph& graph, FuncId from);
IdVec<FuncId, char> reachableFrom(const Graph& graph, IdVec<FuncId, char> from);  // one of several

// For every function whether it is private and the others reach it through ops alone for which `holds` is true.
IdVec<FuncId, char> functionsOnlyOf(const Graph& graph, bool (*holds)(const Op&));

// What is told about a forward function.
struct ForwardFunction {
  std::string name;  // without @
  size_t ops = 0;    // the return among them
};
std::vector<ForwardFunction> describeForward(const Graph& graph);

// One module of graphs that were made from the same file, each for another forward function: every forward function and
// what it names come from its own graph, the rest from the first, whose forward function is that of the result. At
// least one graph.
Graph joinFunctions(const std::vector<Graph>& graphs);

}  // namespace tessera

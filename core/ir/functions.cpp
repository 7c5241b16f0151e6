#include "core/ir/functions.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/bodies.h"
#include "core/support/check.h"

namespace tessera {

namespace {

// Which functions an op names: a callee, the body of a kernel or of a composite.
class FunctionNames {
 public:
  explicit FunctionNames(const Graph& graph) : graph_(graph) {
    for (FuncId id : graph.funcs.ids()) byName_.emplace(graph.funcs[id].name, id);
  }

  template <typename Take>
  void ofFunction(FuncId func, Take take) const {
    for (OpId op : graph_.funcs[func].ops) ofOp(op, take);
  }

  template <typename Take>
  void ofOp(OpId op, Take take) const {
    for (const Attribute& attr : graph_.ops[op].attrs) {
      const AttrValue& value = attr.value;
      const bool symbol = value.kind == AttrValueKind::String && !value.text.empty() && value.text[0] == '@';
      if (!symbol) continue;
      auto at = byName_.find(value.string);
      if (at != byName_.end()) take(at->second);
    }
  }

 private:
  const Graph& graph_;
  std::unordered_map<std::string_view, FuncId> byName_;
};

bool isMarkedAsOther(const Function& func) {
  for (const Attribute& attr : func.attrs) {
    if (attr.name == "tt.function_type") return attr.value.string != "forward_device";
  }
  return false;
}

// Copies functions of several graphs into one.
class FunctionJoiner {
 public:
  explicit FunctionJoiner(const std::vector<Graph>& graphs) : graphs_(graphs) {
    copyModule(graphs[0], out_);
    chooseSources();
  }

  Graph run() {
    std::unordered_map<std::string_view, size_t> byForward;
    for (size_t k = 1; k < graphs_.size(); ++k) byForward.emplace(forwardName(k), k);
    for (FuncId id : graphs_[0].funcs.ids()) {
      const std::string& name = graphs_[0].funcs[id].name;
      auto at = byForward.find(name);
      if (at != byForward.end()) addAllOf(at->second);
      else if (auto source = source_.find(name); source != source_.end() && source->second == 0) add(0, id);
    }
    for (size_t k = 1; k < graphs_.size(); ++k) addAllOf(k);  // whose functions the first graph does not have
    joinBodies();
    return std::move(out_);
  }

 private:
  const std::string& forwardName(size_t k) const { return graphs_[k].funcs[graphs_[k].forward].name; }

  // The graph that each function is taken from; functions that only another forward function of the first graph names
  // have none: that function has its own.
  void chooseSources() {
    for (size_t k = 0; k < graphs_.size(); ++k) {
      const Graph& graph = graphs_[k];
      const IdVec<FuncId, char> reached = reachableFrom(graph, graph.forward);
      for (FuncId id : graph.funcs.ids()) {
        if (reached[id] != 0) source_.emplace(graph.funcs[id].name, k);
      }
    }
    const Graph& first = graphs_[0];
    IdVec<FuncId, char> replaced(first.funcs.size(), 0);
    std::unordered_map<std::string_view, FuncId> byName;
    for (FuncId id : first.funcs.ids()) byName.emplace(first.funcs[id].name, id);
    for (size_t k = 1; k < graphs_.size(); ++k) {
      auto at = byName.find(forwardName(k));
      if (at == byName.end()) continue;
      const IdVec<FuncId, char> reached = reachableFrom(first, at->second);
      for (FuncId id : first.funcs.ids()) replaced[id] = static_cast<char>(replaced[id] | reached[id]);
    }
    for (FuncId id : first.funcs.ids()) {
      if (replaced[id] == 0) source_.emplace(first.funcs[id].name, 0);
    }
  }

  // Once; a graph's own functions stand together.
  void addAllOf(size_t k) {
    for (FuncId id : graphs_[k].funcs.ids()) {
      auto at = source_.find(graphs_[k].funcs[id].name);
      if (at == source_.end() || at->second != k) continue;
      add(k, id);
      source_.erase(at);
    }
  }

  void add(size_t k, FuncId id) {
    const FuncId made = appendFunction(graphs_[k], id, out_);
    if (k == 0 && id == graphs_[k].forward) out_.forward = made;
  }

  // What several graphs carry was copied from the same file.
  void joinBodies() {
    std::unordered_set<std::string> known;
    Graph all;
    for (const Graph& graph : graphs_) {
      if (!graph.bodies) continue;
      const Graph& bodies = *graph.bodies;
      for (FuncId id : bodies.funcs.ids()) {
        if (known.insert(bodies.funcs[id].name).second) appendFunction(bodies, id, all);
      }
    }
    if (!known.empty()) out_.bodies = std::move(all);
  }

  const std::vector<Graph>& graphs_;
  std::unordered_map<std::string, size_t> source_;
  Graph out_;
};

}  // namespace

std::unordered_set<std::string> functionNames(const Graph& graph) {
  std::unordered_set<std::string> names;
  if (graph.bodies) names = functionNames(*graph.bodies);
  for (const Function& func : graph.funcs) names.insert(func.name);
  return names;
}

FuncId functionNamed(const Graph& graph, std::string_view name) {
  for (FuncId id : graph.funcs.ids()) {
    if (graph.funcs[id].name == name) return id;
  }
  return {};
}

bool hasOpsOf(const Graph& graph, std::string_view dialect) {
  return std::any_of(graph.funcs.begin(), graph.funcs.end(), [&](const Function& func) {
    return std::any_of(func.ops.begin(), func.ops.end(),
                       [&](OpId op) { return graph.ops[op].name.rfind(dialect, 0) == 0; });
  });
}

void setResultTypes(const Graph& graph, Function& func) {
  if (func.ops.empty()) return;
  func.resultTypes.clear();
  for (ValueId value : graph.ops[func.ops.back()].operands) func.resultTypes.push_back(graph.values[value].type);
}

std::vector<FuncId> forwardFunctions(const Graph& graph) {
  const FunctionNames names(graph);
  IdVec<FuncId, char> named(graph.funcs.size(), 0);
  for (FuncId caller : graph.funcs.ids())
    names.ofFunction(caller, [&](FuncId callee) { named[callee] = callee == caller ? named[callee] : char{1}; });
  std::vector<FuncId> found;
  FuncId first, firstPublic;
  for (FuncId id : graph.funcs.ids()) {
    const Function& func = graph.funcs[id];
    if (func.ops.empty()) continue;
    if (!first.valid()) first = id;
    if (!firstPublic.valid() && !func.isPrivate) firstPublic = id;
    const bool own = !func.isPrivate && named[id] == 0 && !isMarkedAsOther(func);
    if (own || id == graph.forward) found.push_back(id);
  }
  if (found.empty() && first.valid()) found.push_back(firstPublic.valid() ? firstPublic : first);
  return found;
}

IdVec<FuncId, char> reachableFrom(const Graph& graph, FuncId from) {
  IdVec<FuncId, char> first(graph.funcs.size(), 0);
  if (from.valid()) first[from] = 1;
  return reachableFrom(graph, std::move(first));
}

IdVec<FuncId, char> reachableFrom(const Graph& graph, IdVec<FuncId, char> reached) {
  const FunctionNames names(graph);
  std::vector<FuncId> work;
  for (FuncId id : graph.funcs.ids()) {
    if (reached[id] != 0) work.push_back(id);
  }
  auto take = [&](FuncId id) {
    if (reached[id] == 0) work.push_back(id);
    reached[id] = 1;
  };
  while (!work.empty()) {
    FuncId id = work.back();
    work.pop_back();
    names.ofFunction(id, take);
  }
  return reached;
}

IdVec<FuncId, char> functionsOnlyOf(const Graph& graph, bool (*holds)(const Op&)) {
  const FunctionNames names(graph);
  IdVec<FuncId, char> anyNames(graph.funcs.size(), 0), others(graph.funcs.size(), 0), first(graph.funcs.size(), 0);
  for (FuncId caller : graph.funcs.ids()) names.ofFunction(caller, [&](FuncId callee) { anyNames[callee] = 1; });
  std::vector<FuncId> work;
  auto keep = [&](FuncId id) {
    if (others[id] == 0) work.push_back(id);
    others[id] = 1;
  };
  for (FuncId id : graph.funcs.ids()) {
    if (!graph.funcs[id].isPrivate || anyNames[id] == 0 || id == graph.forward) keep(id);
  }
  while (!work.empty()) {
    FuncId caller = work.back();
    work.pop_back();
    for (OpId op : graph.funcs[caller].ops) {
      if (holds(graph.ops[op])) names.ofOp(op, [&](FuncId callee) { first[callee] = 1; });
      else names.ofOp(op, keep);
    }
  }
  for (FuncId id : graph.funcs.ids()) first[id] = static_cast<char>(first[id] != 0 && others[id] == 0);
  IdVec<FuncId, char> only = reachableFrom(graph, std::move(first));
  for (FuncId id : graph.funcs.ids()) only[id] = static_cast<char>(only[id] != 0 && others[id] == 0);
  return only;
}

std::vector<ForwardFunction> describeForward(const Graph& graph) {
  std::vector<ForwardFunction> out;
  for (FuncId id : forwardFunctions(graph)) out.push_back({graph.funcs[id].name, graph.funcs[id].ops.size()});
  return out;
}

Graph joinFunctions(const std::vector<Graph>& graphs) {
  TESSERA_CHECK(!graphs.empty(), "joinFunctions of nothing");
  return graphs.size() == 1 ? graphs[0] : FunctionJoiner(graphs).run();
}

}  // namespace tessera

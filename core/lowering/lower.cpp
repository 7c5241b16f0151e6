#include "core/lowering/lower.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ir/functions.h"
#include "core/ir/named_values.h"
#include "core/ir/verify.h"
#include "core/lowering/as_it_stands.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// Names an op without results across passes: what it is and reads. Several may look alike.
std::string stableName(const Graph& graph, const Op& op) {
  std::string name = op.name;
  if (opInfo(op.kind).has(kTerminator)) return name;  // one for each function
  for (ValueId operand : op.operands) name += "," + graph.values[operand].name;
  return name;
}

bool sameOpAcross(const Graph& before, const Op& a, const Graph& after, const Op& b) {
  if (a.kind != b.kind || a.name != b.name || a.operands.size() != b.operands.size() ||
      a.results.size() != b.results.size())
    return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    if (before.values[a.operands[i]].name != after.values[b.operands[i]].name) return false;
  }
  for (size_t i = 0; i < a.results.size(); ++i) {
    if (!(before.values[a.results[i]].type == after.values[b.results[i]].type)) return false;
  }
  return a.attrs == b.attrs;
}

// Finds the op of a function before a pass that an op after it is: the one whose first result has the same name, or
// that is and reads the same when there are no results. Passes keep the numbers or the order of most values, so the one
// of the same number and the next ops in line are tried before all names.
class OpFinder {
 public:
  // `names`: of the graph before, to be filled in.
  OpFinder(const Graph& before, FuncId func, NamedValues& names, IdVec<OpId, char>& used)
      : before_(before), func_(func), ops_(before.funcs[func].ops), byResult_(names), used_(used) {}

  OpId take(const Graph& after, const Op& op) {
    if (!op.results.empty()) {
      std::string_view name = after.values[op.results[0]].name;
      if (const OpId same = producerBefore(op.results[0], name); same.valid()) return use(same);
      if (const OpId next = nextNamed(name); next.valid()) return use(next);
      index();
      const ValueId result = byResult_.find(func_, name);
      const OpId made = result.valid() ? before_.values[result].producer : OpId();
      return made.valid() && !used_[made] ? use(made) : OpId();
    }
    if (opInfo(op.kind).has(kTerminator) && !ops_.empty() && !used_[ops_.back()] &&
        before_.ops[ops_.back()].name == op.name)
      return use(ops_.back());
    index();
    auto at = byWhatTheyAre_.find(stableName(after, op));
    if (at == byWhatTheyAre_.end() || at->second.empty()) return {};
    const OpId found = at->second.back();
    at->second.pop_back();
    return use(found);
  }

 private:
  // The op whose first result is the value of that number, if it has that name.
  OpId producerBefore(ValueId value, std::string_view name) const {
    if (!before_.values.contains(value)) return {};
    const Value& was = before_.values[value];
    const bool same = was.func == func_ && was.index == 0 && was.producer.valid() && was.name == name;
    return same && !used_[was.producer] ? was.producer : OpId();
  }
  // One of the next ops in line, by its name. Ops that it skips were removed by the pass, or are found by index().
  OpId nextNamed(std::string_view name) {
    constexpr size_t kAhead = 4;
    while (next_ < ops_.size() && used_[ops_[next_]]) ++next_;
    for (size_t at = next_; at < ops_.size() && at < next_ + kAhead; ++at) {
      if (used_[ops_[at]] || nameOf(ops_[at]) != name) continue;
      next_ = at + 1;
      return ops_[at];
    }
    return {};
  }
  std::string_view nameOf(OpId id) const {
    const Op& op = before_.ops[id];
    return op.results.empty() ? std::string_view() : before_.values[op.results[0]].name;
  }
  OpId use(OpId id) {
    used_[id] = true;
    return id;
  }
  // Made when an op is not where it was. From the last to the first: of ops that look alike the first is taken first.
  void index() {
    if (indexed_) return;
    indexed_ = true;
    for (size_t i = ops_.size(); i-- > 0;) {
      const Op& op = before_.ops[ops_[i]];
      if (op.results.empty()) byWhatTheyAre_[stableName(before_, op)].push_back(ops_[i]);
      else byResult_.add(func_, op.results[0]);
    }
  }

  const Graph& before_;
  const FuncId func_;
  const std::vector<OpId>& ops_;
  NamedValues& byResult_;
  IdVec<OpId, char>& used_;
  size_t next_ = 0;
  bool indexed_ = false;
  std::unordered_map<std::string, std::vector<OpId>> byWhatTheyAre_;
};

void countDifferences(const Graph& before, const Graph& after, PassLog& log) {
  std::unordered_map<std::string_view, FuncId> old;
  NamedValues names(before);
  IdVec<OpId, char> used(before.ops.size(), false);
  size_t left = 0;
  for (FuncId id : before.funcs.ids()) {
    old.emplace(before.funcs[id].name, id);
    left += before.funcs[id].ops.size();
  }
  for (const Function& func : after.funcs) {
    auto at = old.find(func.name);
    if (at == old.end()) {
      log.added += static_cast<int32_t>(func.ops.size());
      continue;
    }
    OpFinder finder(before, at->second, names, used);
    for (OpId id : func.ops) {
      OpId was = finder.take(after, after.ops[id]);
      if (!was.valid()) {
        ++log.added;
        continue;
      }
      log.changed += sameOpAcross(before, before.ops[was], after, after.ops[id]) ? 0 : 1;
      --left;
    }
  }
  log.removed = static_cast<int32_t>(left);
}

std::vector<PassLogNote> named(const std::vector<PassNote>& notes, const Graph& before, const Graph& after) {
  std::vector<PassLogNote> out;
  for (const PassNote& note : notes) {
    const Graph& graph = note.gone ? before : after;
    const Op& op = graph.ops[note.op];
    std::string name = op.results.empty() ? op.name : "%" + graph.values[op.results[0]].name;
    out.push_back({std::move(name), op.name, op.loc, note.text, op.span, note.computesOther});
  }
  return out;
}

// Verifying after each pass names the one that broke the graph. Where speed counts the last graph alone is verified,
// and only when it is broken everything is done again with a look at each.
enum class Verify { Each, Last };
#ifdef NDEBUG
constexpr Verify kVerify = Verify::Last;
#else
constexpr Verify kVerify = Verify::Each;
#endif

void addDefects(const Graph& graph, PassLog& log) {
  for (const Defect& defect : verifyGraph(graph))
    log.defects.push_back(std::string(graphRuleName(defect.rule)) + ": " + defect.text);
}

// True when the result has a graph of its own now.
bool runInto(LoweringResult& result, const Graph& from, const PassInfo& pass, const PassContext& context,
             PassDetail detail, Verify verify) {
  PassResult made = pass.run(from, context);
  const Graph& after = made.after(from);
  PassLog log;
  log.pass = &pass;
  if (!made.unchanged && detail != PassDetail::Notes) countDifferences(from, after, log);
  log.notes = named(made.notes, from, after);
  log.problems = named(made.problems, from, after);
  if (verify == Verify::Each) addDefects(after, log);
  result.configs.insert(result.configs.end(), made.configs.begin(), made.configs.end());
  if (detail == PassDetail::Graphs) result.graphs.push_back(after);
  result.logs.push_back(std::move(log));
  if (!made.unchanged) result.graph = std::move(made.graph);
  return !made.unchanged;
}

LoweringResult runStages(const Graph& graph, const PassContext& context, PassStage first, PassStage last,
                         PassDetail detail, Verify verify = kVerify) {
  LoweringResult result;
  bool changed = false;
  for (const PassInfo& pass : allPasses()) {
    bool wanted = pass.stage >= first && pass.stage <= last && pass.run != nullptr;
    if (!wanted || (pass.enabled != nullptr && !pass.enabled(context.options))) continue;
    changed = runInto(result, changed ? result.graph : graph, pass, context, detail, verify) || changed;
  }
  if (!changed) result.graph = graph;
  if (verify == Verify::Last && !verifyGraph(result.graph).empty())
    return runStages(graph, context, first, last, detail, Verify::Each);
  return result;
}

}  // namespace

void startOrigins(Graph& graph) {
  for (OpId op : graph.ops.ids()) graph.ops.edit(op).origins = {op};
}

namespace {

// StableHLO (or CHLO, or Shardy's ops) in a TTNN program is what was left of it when the program was made.
PassStage firstStage(const Graph& graph) {
  const bool model = std::any_of(graph.funcs.begin(), graph.funcs.end(), [&](const Function& func) {
    return std::any_of(func.ops.begin(), func.ops.end(),
                       [&](OpId op) { return opInfo(graph.ops[op].kind).family == Family::Stablehlo; });
  });
  if (model && !hasOpsOf(graph, "ttnn.")) return PassStage::Stablehlo;
  return hasOpsOf(graph, "ttir.") ? PassStage::Prepare : PassStage::Analyse;
}

LoweringResult unchanged(Graph graph) {
  LoweringResult result;
  result.graph = std::move(graph);
  return result;
}

}  // namespace

LoweringStart startLowering(const Graph& imported, const PassContext& context) {
  LoweringStart start{imported, firstStage(imported)};
  startOrigins(start.graph);
  start.ownLayouts = start.first < PassStage::Analyse;
  if (!context.options.asItStands && !start.ownLayouts && context.options.reoptimize && carriesLayouts(start.graph))
    start.graph = withoutDecisions(start.graph, context.device);
  return start;
}

LoweringResult lower(const Graph& graph, const PassContext& context, PassDetail detail) {
  LoweringStart start = startLowering(graph, context);
  if (context.options.asItStands) return unchanged(withAllLayouts(start.graph, context.device));
  PassContext own = context;
  own.ownLayouts = start.ownLayouts;
  return runStages(start.graph, own, start.first, PassStage::Analyse, detail);
}

LoweringResult finalize(const Graph& graph, const PassContext& context, PassDetail detail) {
  if (context.options.asItStands) return unchanged(graph);
  return runStages(graph, context, PassStage::Finalize, PassStage::Finalize, detail);
}

LoweringResult release(const Graph& graph, const PassContext& context, PassDetail detail) {
  if (context.options.asItStands) return unchanged(graph);
  return runStages(graph, context, PassStage::Release, PassStage::Release, detail);
}

PassLog logBetween(const PassInfo& pass, const Graph& before, const Graph& after) {
  PassLog log;
  log.pass = &pass;
  countDifferences(before, after, log);
  return log;
}

LoweringResult runPass(const PassInfo& pass, const Graph& graph, const PassContext& context) {
  LoweringResult result;
  const bool changed = pass.run != nullptr && runInto(result, graph, pass, context, PassDetail::Counts, Verify::Each);
  if (!changed) result.graph = graph;
  return result;
}

std::vector<std::vector<OpId>> descendants(const Graph& graph, size_t importedOps) {
  std::vector<std::vector<OpId>> out(importedOps);
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) {
      for (OpId origin : graph.ops[op].origins) {
        if (origin.valid() && static_cast<size_t>(origin.index) < importedOps)
          out[static_cast<size_t>(origin.index)].push_back(op);
      }
    }
  }
  return out;
}

}  // namespace tessera

#include "core/lowering/lower.h"

#include <string_view>
#include <unordered_map>

#include "core/ir/verify.h"
#include "core/ops/op_table.h"

namespace tessera {

namespace {

// Names the op across passes: its first result, or what it is and reads when it has none.
std::string stableName(const Graph& graph, const Op& op) {
  std::string name = graph.funcs[op.func].name + "/";
  if (!op.results.empty()) return name + graph.values[op.results[0]].name;
  name += op.name;
  if (opInfo(op.kind).has(kTerminator)) return name;  // one for each function
  for (ValueId operand : op.operands) name += "," + graph.values[operand].name;
  return name;
}

bool sameOpAcross(const Graph& before, const Op& a, const Graph& after, const Op& b) {
  if (a.kind != b.kind || a.name != b.name || a.operands.size() != b.operands.size() || a.results.size() != b.results.size()) return false;
  for (size_t i = 0; i < a.operands.size(); ++i) {
    if (before.values[a.operands[i]].name != after.values[b.operands[i]].name) return false;
  }
  for (size_t i = 0; i < a.results.size(); ++i) {
    if (!(before.values[a.results[i]].type == after.values[b.results[i]].type)) return false;
  }
  return a.attrs == b.attrs;
}

void countDifferences(const Graph& before, const Graph& after, PassLog& log) {
  std::unordered_map<std::string, std::vector<OpId>> old;  // several ops without results may look alike
  size_t left = 0;
  for (const Function& func : before.funcs) {
    for (OpId op : func.ops) old[stableName(before, before.ops[op])].push_back(op);
    left += func.ops.size();
  }
  for (const Function& func : after.funcs) {
    for (OpId id : func.ops) {
      auto at = old.find(stableName(after, after.ops[id]));
      if (at == old.end() || at->second.empty()) {
        ++log.added;
        continue;
      }
      log.changed += sameOpAcross(before, before.ops[at->second.back()], after, after.ops[id]) ? 0 : 1;
      at->second.pop_back();
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
    out.push_back({std::move(name), op.name, op.loc, note.text, op.span});
  }
  return out;
}

void runInto(LoweringResult& result, const PassInfo& pass, const PassContext& context, KeepGraphs keep) {
  PassResult made = pass.run(result.graph, context);
  PassLog log;
  log.pass = &pass;
  countDifferences(result.graph, made.graph, log);
  log.notes = named(made.notes, result.graph, made.graph);
  log.problems = named(made.problems, result.graph, made.graph);
  for (const Defect& defect : verifyGraph(made.graph)) log.defects.push_back(std::string(graphRuleName(defect.rule)) + ": " + defect.text);
  result.graph = std::move(made.graph);
  result.configs.insert(result.configs.end(), made.configs.begin(), made.configs.end());
  if (keep == KeepGraphs::Yes) result.graphs.push_back(result.graph);
  result.logs.push_back(std::move(log));
}

LoweringResult runStages(Graph graph, const PassContext& context, PassStage first, PassStage last, KeepGraphs keep) {
  LoweringResult result{std::move(graph), {}, {}, {}};
  for (const PassInfo& pass : allPasses()) {
    bool wanted = pass.stage >= first && pass.stage <= last && pass.run != nullptr;
    if (wanted && (pass.enabled == nullptr || pass.enabled(context.options))) runInto(result, pass, context, keep);
  }
  return result;
}

}  // namespace

bool hasTtirOps(const Graph& graph) {
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) {
      if (std::string_view(graph.ops[op].name).substr(0, 5) == "ttir.") return true;
    }
  }
  return false;
}

void startOrigins(Graph& graph) {
  for (OpId op : graph.ops.ids()) graph.ops[op].origins = {op};
}

LoweringResult lower(const Graph& graph, const PassContext& context, KeepGraphs keep) {
  Graph start = graph;
  startOrigins(start);
  bool ttir = hasTtirOps(graph);
  PassContext own = context;
  own.ownLayouts = ttir;
  return runStages(std::move(start), own, ttir ? PassStage::Prepare : PassStage::Analyse, PassStage::Analyse, keep);
}

LoweringResult finalize(const Graph& graph, const PassContext& context, KeepGraphs keep) {
  return runStages(graph, context, PassStage::Finalize, PassStage::Finalize, keep);
}

LoweringResult release(const Graph& graph, const PassContext& context, KeepGraphs keep) {
  return runStages(graph, context, PassStage::Release, PassStage::Release, keep);
}

PassLog logBetween(const PassInfo& pass, const Graph& before, const Graph& after) {
  PassLog log;
  log.pass = &pass;
  countDifferences(before, after, log);
  return log;
}

LoweringResult runPass(const PassInfo& pass, const Graph& graph, const PassContext& context) {
  LoweringResult result{graph, {}, {}, {}};
  if (pass.run != nullptr) runInto(result, pass, context, KeepGraphs::No);
  return result;
}

std::vector<std::vector<OpId>> descendants(const Graph& graph, size_t importedOps) {
  std::vector<std::vector<OpId>> out(importedOps);
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) {
      for (OpId origin : graph.ops[op].origins) {
        if (origin.valid() && static_cast<size_t>(origin.index) < importedOps) out[static_cast<size_t>(origin.index)].push_back(op);
      }
    }
  }
  return out;
}

}  // namespace tessera

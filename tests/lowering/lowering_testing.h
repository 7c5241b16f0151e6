#pragma once
// Shared by the lowering tests: a context on the default chip, one pass alone, ops counted by name.

#include <map>
#include <memory>

#include "core/lowering/lower.h"
#include "core/ops/table/op_table.h"
#include "tests/import/import_testing.h"

namespace tessera::test {

// Pinned: the context refers to what stands beside it.
struct LoweringSetup {
  DeviceSpec device;
  OpModel model{device};
  L1Budget budget{device.usableL1()};
  LoweringOptions options;
  PassContext context{device, model, budget, options};

  explicit LoweringSetup(std::string_view chip = "n150") : device(*findDevice(chip)) {}
  LoweringSetup(const LoweringSetup&) = delete;
};

inline Graph graphOfText(const std::string& text) {
  Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return Graph();
  startOrigins(*imported.graph);
  return *imported.graph;
}

// One pass on a text; its log must have no defect.
inline LoweringResult passOn(std::string_view pass, const Graph& graph, const LoweringSetup& setup) {
  const PassInfo* info = findPass(pass);
  EXPECT_NE(info, nullptr) << pass;
  if (info == nullptr) return {graph, {}, {}, {}};
  LoweringResult result = runPass(*info, graph, setup.context);
  for (const PassLog& log : result.logs) {
    for (const std::string& defect : log.defects) ADD_FAILURE() << log.pass->name << ": " << defect;
  }
  return result;
}

// Every pass that is a function of a graph, stage by stage: those of the pipeline, then those that run when named.
inline std::vector<const PassInfo*> everyPass() {
  std::vector<const PassInfo*> passes;
  for (PassStage stage : {PassStage::Stablehlo, PassStage::Prepare, PassStage::Lower, PassStage::Analyse,
                          PassStage::Finalize, PassStage::Release}) {
    for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
      for (const PassInfo& pass : table) {
        if (pass.stage == stage) passes.push_back(&pass);
      }
    }
  }
  return passes;
}

// Every pass leaves a sound graph and has no op it cannot handle.
inline void expectSoundLogs(const LoweringResult& result) {
  for (const PassLog& log : result.logs) {
    for (const std::string& defect : log.defects) ADD_FAILURE() << log.pass->name << ": " << defect;
    for (const PassLogNote& note : log.problems) {
      ADD_FAILURE() << log.pass->name << ": " << note.op << " " << note.name << ": " << note.text;
    }
  }
}

// The functions of `graph` in the order in which they stand in `like`, by name.
inline Graph inOrderOf(Graph graph, const Graph& like) {
  IdVec<FuncId, Function> ordered;
  FuncId forward;
  for (const Function& wanted : like.funcs) {
    for (FuncId id : graph.funcs.ids()) {
      if (graph.funcs[id].name != wanted.name) continue;
      const FuncId now = ordered.push(graph.funcs[id]);
      if (id == graph.forward) forward = now;
    }
  }
  EXPECT_EQ(ordered.size(), graph.funcs.size());
  graph.funcs = std::move(ordered);
  graph.forward = forward;
  return graph;
}

// It prints as MLIR that reads back to the same graph; private functions may come in another order.
inline void expectReadsBack(const Graph& graph) {
  std::string mlir = exportMlir(graph);
  Imported again = importText(mlir);
  ASSERT_TRUE(again.graph) << again.report();
  EXPECT_EQ(exportMlir(*again.graph), mlir);
  EXPECT_TRUE(sameGraph(inOrderOf(*again.graph, graph), graph)) << mlir;
}

inline std::map<std::string, int> countOps(const Graph& graph) {
  std::map<std::string, int> counts;
  for (const Function& func : graph.funcs) {
    for (OpId op : func.ops) ++counts[graph.ops[op].name];
  }
  return counts;
}

}  // namespace tessera::test

#include "core/driver/carried_out.h"

#include <algorithm>

#include "core/driver/session.h"
#include "core/ir/verify.h"
#include "core/lowering/as_it_stands.h"
#include "core/transform/result_attributes.h"

namespace tessera {

namespace {

constexpr size_t kMostKeptOps = 12288;  // of a program; with its run an op takes about 3 KB

// Of a plan's reasons, what applyPlan reads is which value is moved where.
bool sameRoom(const RoomEvent& a, const RoomEvent& b) { return a.value == b.value && a.at == b.at; }

bool sameProgram(const Plan& a, const Plan& b) {
  return a.order == b.order && a.layout == b.layout && a.config == b.config && a.reshards == b.reshards &&
         a.spills == b.spills && std::equal(a.room.begin(), a.room.end(), b.room.begin(), b.room.end(), sameRoom);
}

}  // namespace

void addGraphDefects(const std::vector<Defect>& found, const char* where, std::vector<ReportDefect>& defects) {
  for (const Defect& d : found)
    defects.push_back({"graph", std::string(graphRuleName(d.rule)), std::string(where) + ": " + d.text});
}

void addPassDefects(const std::vector<PassLog>& logs, std::vector<ReportDefect>& defects) {
  for (const PassLog& log : logs) {
    for (const std::string& text : log.defects) defects.push_back({"graph", std::string(log.pass->name), text});
  }
}

std::shared_ptr<const CarriedOut> carriedOut(const LoweredGraph& lowered, const Problem& problem, const Plan& plan) {
  const DeviceSpec& device = problem.model.device();
  const LoweringOptions& options = lowered.options;
  auto made = std::make_shared<CarriedOut>();
  CarriedOut& out = *made;

  // Apply: layouts on the types, reshards and spills as ops. From here on the plan is part of a graph.
  out.applied = applyPlan(problem.graph, plan, device.grid);
  addGraphDefects(verifyGraph(out.applied.graph), "applied", out.defects);

  // Finalize: what the optimizer left to do.
  LoweringResult finalized = finalize(
      out.applied.graph,
      {.device = device, .model = problem.model, .budget = problem.budget, .options = options, .configs = &plan.config},
      PassDetail::Notes);
  addPassDefects(finalized.logs, out.defects);
  Graph stated = options.asItStands
                     ? std::move(finalized.graph)
                     : withResultAttributes(std::move(finalized.graph), device, options.specificationRules);
  replaceGraph(out.applied, std::move(stated));
  IdVec<OpId, OpConfig> configs = plan.config;
  for (auto& [op, config] : finalized.configs) {
    if (configs.contains(op)) configs[op] = config;
  }
  out.logs = std::move(finalized.logs);

  // Simulate on the device, and recount.
  const Graph& graph = out.applied.graph;
  const Freeing freeing = options.asItStands && deallocates(graph) ? Freeing::ByTheProgram : Freeing::AfterLastUse;
  out.sim = simulate(graph, problem.model.about(graph), problem.budget, configs, freeing);
  for (const RunDefect& d : checkRun(graph, out.sim, device))
    out.defects.push_back({"run", std::string(runRuleName(d.rule)), d.text});

  // Addresses planned ahead of time, for comparison: what the runtime's first fit loses to fragmentation.
  out.placement = planPlacement(out.sim, device);
  for (std::string& text : checkPlacement(out.sim, out.placement, device))
    out.defects.push_back({"placement", "planned-addresses", std::move(text)});
  return made;
}

std::shared_ptr<const CarriedOut> KeptProgram::find(const std::shared_ptr<const LoweredGraph>& lowered, Bytes budget,
                                                    const Plan& plan) {
  if (kept_ && kept_->lowered != lowered) kept_ = nullptr;
  const bool same = kept_ && kept_->budgets.holds(budget.count) && sameProgram(kept_->plan, plan);
  return same ? kept_->carried : nullptr;
}

void KeptProgram::keep(std::shared_ptr<const LoweredGraph> lowered, const BudgetRange& budgets, const Plan& plan,
                       std::shared_ptr<const CarriedOut> carried) {
  kept_ = nullptr;
  if (carried->applied.graph.ops.size() > kMostKeptOps) return;
  kept_.reset(new Kept{std::move(lowered), budgets, plan, std::move(carried)});
}

}  // namespace tessera

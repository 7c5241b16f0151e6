#pragma once
// A plan carried out: the final program, its run on the simulated device, and addresses planned ahead for that run. It
// depends on neither who made the plan nor why, and seldom on the budget of L1: while a slider moves, most plans stay.

#include <memory>
#include <vector>

#include "core/lowering/lower.h"
#include "core/report/report.h"

namespace tessera {

struct LoweredGraph;

// What the graph checker found, and what passes broke. `where`: "imported", "applied".
void addGraphDefects(const Graph& graph, const char* where, std::vector<ReportDefect>& defects);
void addPassDefects(const std::vector<PassLog>& logs, std::vector<ReportDefect>& defects);

struct CarriedOut {
  AppliedPlan applied;
  std::vector<PassLog> logs;  // of the passes after the policy
  SimResult sim;
  PlannedPlacement placement;
  std::vector<ReportDefect> defects;
};

// Applies the plan to the lowered graph, finalizes the program and runs it. `problem`: of that graph and device.
CarriedOut carriedOut(const LoweredGraph& lowered, const Problem& problem, const Plan& plan);

// The last plan of a session that was carried out, found by the whole question.
class KeptProgram {
 public:
  // What was kept when graph and plan are the same and it holds for the budget; else null. A lowered graph belongs to
  // one device, so the device need not be asked. Forgets what was kept for another graph.
  const CarriedOut* find(const std::shared_ptr<const LoweredGraph>& lowered, Bytes budget, const Plan& plan);
  // `budgets`: for which carrying it out gives the same.
  void keep(std::shared_ptr<const LoweredGraph> lowered, const BudgetRange& budgets, const Plan& plan,
            const CarriedOut& carried);

 private:
  struct Kept {
    std::shared_ptr<const LoweredGraph> lowered;
    BudgetRange budgets;
    Plan plan;
    CarriedOut carried;
  };
  std::unique_ptr<const Kept> kept_;
};

}  // namespace tessera

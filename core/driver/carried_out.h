#pragma once
// Plans are carried out, and the last program of a session is kept: while a slider moves, most plans stay.

#include <memory>
#include <vector>

#include "core/ir/verify.h"
#include "core/lowering/lower.h"
#include "core/report/report.h"

namespace tessera {

struct LoweredGraph;

// What the graph checker found, and what passes broke. `where`: "imported", "applied".
void addGraphDefects(const std::vector<Defect>& found, const char* where, std::vector<ReportDefect>& defects);
void addPassDefects(const std::vector<PassLog>& logs, std::vector<ReportDefect>& defects);

// Applies the plan to the lowered graph, finalizes the program and runs it. `problem`: of that graph and device.
std::shared_ptr<const CarriedOut> carriedOut(const LoweredGraph& lowered, const Problem& problem, const Plan& plan);

// The last plan of a session that was carried out, found by the whole question.
class KeptProgram {
 public:
  // What was kept when graph and plan are the same and it holds for the budget; else null. A lowered graph belongs to
  // one device, so the device need not be asked. Forgets what was kept for another graph.
  std::shared_ptr<const CarriedOut> find(const std::shared_ptr<const LoweredGraph>& lowered, Bytes budget,
                                         const Plan& plan);
  // `budgets`: for which carrying it out gives the same.
  void keep(std::shared_ptr<const LoweredGraph> lowered, const BudgetRange& budgets, const Plan& plan,
            std::shared_ptr<const CarriedOut> carried);

 private:
  struct Kept {
    std::shared_ptr<const LoweredGraph> lowered;
    BudgetRange budgets;
    Plan plan;
    std::shared_ptr<const CarriedOut> carried;
  };
  std::unique_ptr<const Kept> kept_;
};

}  // namespace tessera

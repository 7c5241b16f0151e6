#pragma once
// The search behind policy Exact, as data: the model, the proven bound, the best plan. The page's regrets and the benches use it too.

#include <memory>

#include "core/plan/exact_trace.h"
#include "core/policy/exact/joint.h"
#include "core/policy/exact/rivals.h"
#include "core/policy/policy_options.h"
#include "core/solve/p1_solve.h"
#include "core/solve/p1_tree.h"

namespace tessera {

class ExactSearch {
 public:
  // `memory`: of earlier searches; null: of none. One search at a time may use it.
  ExactSearch(const Problem& problem, const std::vector<NamedPlan>& rivals, std::shared_ptr<ExactMemory> memory = nullptr);
  ExactSearch(const ExactSearch&) = delete;
  ExactSearch& operator=(const ExactSearch&) = delete;
  ~ExactSearch();

  // Layout selection without memory between ops. Proven unless the tables of every elimination order are too large.
  const P1Result& layouts();
  // Null when its tables are too large.
  P1Tree* tree() { return memory_->tree.get(); }
  const EliminationOrder& order() const { return order_; }
  LayoutModel& model() { return *model_; }
  LayoutPool& pool() { return memory_->pool; }
  MoveTime& moves() { return *moves_; }

  // Ops that nothing makes legal.
  IdVec<OpId, bool> refusedOps() const;

  // The best plan: layouts made to fit, L1 priced, rivals. Fills the trace but for `ops` and `certificate`.
  Plan best(const ExactOptions& options, ExactTrace& trace);

  // Per op what forcing each result layout costs; `plan` says what is present. Nothing without a tree.
  std::vector<ExactTrace::OpRegrets> regrets(const Plan& plan);
  // Proof of the bound as JSON: of layout selection, or of the model with the trace's prices.
  std::string certificate(const ExactTrace& trace);

 private:
  int64_t wayRegret(OpId op, const PlanTrack& track);

  const Problem& problem_;
  const std::vector<NamedPlan>& rivals_;
  std::shared_ptr<ExactMemory> memory_;
  std::unique_ptr<MoveTime> moves_;
  std::unique_ptr<LayoutModel> model_;
  EliminationOrder order_;
  std::optional<P1Result> layouts_;
};

}  // namespace tessera

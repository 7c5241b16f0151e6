#pragma once
// The search behind policy Exact, as data: the model, the proven bound, the best plan. The page's regrets and the
// benches use it too.

#include <memory>

#include "core/plan/exact_trace.h"
#include "core/policy/exact/baselines.h"
#include "core/policy/exact/joint.h"
#include "core/policy/policy_options.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/solve/selection/selection_solver.h"

namespace tessera {

class ExactSearch {
 public:
  // `memory` is prepared for the problem's device. One search at a time may use it.
  ExactSearch(const Problem& problem, const std::vector<Plan>& baselines, ExactMemory& memory);
  ExactSearch(const ExactSearch&) = delete;
  ExactSearch& operator=(const ExactSearch&) = delete;
  ~ExactSearch();

  // Layout selection without memory between ops. Proven unless the tables of every elimination order are too large.
  const SelectionResult& layouts();
  // Null when its tables are too large.
  EliminationTree* tree() { return memory_.tree.get(); }
  const EliminationOrder& order() const { return order_; }
  const LayoutChoices& choices() const { return *choices_; }
  const LayoutCosts& costs() const { return *costs_; }  // without prices
  const FactorGraph& graph() const { return graph_; }   // of these costs
  LayoutPool& pool() { return memory_.interner.layouts; }
  MoveTime& moves() { return *moves_; }

  // Ops that nothing makes legal.
  IdVec<OpId, bool> refusedOps() const;

  // The best plan: layouts made to fit, L1 priced, baselines. Fills the trace but for `ops` and `certificate`.
  Plan best(const ExactOptions& options, ExactTrace& trace);

  // Per op what forcing each result layout costs; `plan` has the present layouts. Nothing without a tree.
  std::vector<ExactTrace::OpRegrets> regrets(const Plan& plan);
  // Proof of the bound as JSON: of layout selection, or of the model with the trace's prices.
  std::string certificate(const ExactTrace& trace);

 private:
  struct Incumbent {
    std::optional<Plan> plan;
    Cost time = kForbidden;
    std::string source;
    void offer(Plan candidate, Cost itsTime, const std::string& from) {
      if (itsTime >= time) return;
      plan = std::move(candidate);
      time = itsTime;
      source = from;
    }
  };
  const LayoutAssignment& assignment();  // of layouts(), which are feasible
  void offerLayouts(Incumbent& incumbent);
  void offerBaselines(Incumbent& incumbent, ExactTrace& trace);
  void offerPriced(const ExactOptions& options, Incumbent& incumbent, ExactTrace& trace);
  int64_t candidateRegret(OpId op, const OpCandidate& best, const PlanTrack& track);

  const Problem& problem_;
  const std::vector<Plan>& baselines_;
  ExactMemory& memory_;
  std::unique_ptr<MoveTime> moves_;
  std::unique_ptr<LayoutChoices> choices_;
  std::unique_ptr<LayoutCosts> costs_;
  FactorGraph graph_;
  EliminationOrder order_;
  std::optional<SelectionResult> layouts_;
  std::optional<LayoutAssignment> assignment_;
};

}  // namespace tessera

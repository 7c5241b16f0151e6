// Policy Exact: the proven optimum of layout selection, made to fit L1, or the best of the other policies' plans; with
// a lower bound on all plans.

#include <algorithm>
#include <cstdio>

#include "core/policy/exact/exact_search.h"
#include "core/policy/kit/op_choice.h"
#include "core/policy/policy.h"
#include "core/policy/policy_memory.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// "12.34 %", rounded up: a gap is never shown smaller than it is.
std::string percentText(int64_t part, int64_t whole) {
  const int64_t hundredths = whole > 0 ? ceilDiv(mulSaturated(std::max<int64_t>(part, 0), 10'000), whole) : 0;
  char text[40];
  std::snprintf(text, sizeof text, "%lld.%02lld %%", static_cast<long long>(hundredths / 100),
                static_cast<long long>(hundredths % 100));
  return text;
}

std::string summaryOf(const ExactTrace::OpRegrets& op) {
  const auto at = [&](int32_t i) -> const ExactTrace::Regret& { return op.layouts[static_cast<size_t>(i)]; };
  int64_t next = -1;
  for (int32_t i = 0; i < static_cast<int32_t>(op.layouts.size()); ++i) {
    const bool other = i != op.best && at(i).regret >= 0;
    if (other && (next < 0 || at(i).regret < next)) next = at(i).regret;
  }
  if (op.present == op.best && op.candidateRegret > 0) {
    return "The optimum of the whole net has it here too, but reads other layouts; as it runs now the net loses at "
           "least " +
           std::to_string(op.candidateRegret) + " ns.";
  }
  if (op.present == op.best && next < 0) return "The only layout that works here.";
  if (op.present == op.best)
    return "The optimum of the whole net has it here; any other layout costs it at least " + std::to_string(next) +
           " ns.";
  if (op.present < 0) return "None of the layouts among which the optimum was sought.";
  return "The optimum without regard to L1 would take " + layoutText(at(op.best).layout) +
         " here; this one costs the net at least " + std::to_string(at(op.present).regret) + " ns more.";
}

void addDecision(const Problem& problem, const ExactTrace::OpRegrets& op, DecisionLog& log) {
  Decision decision;
  decision.op = op.op;
  decision.value = problem.graph.ops[op.op].results[0];
  std::vector<int32_t> order;
  for (int32_t i = 0; i < static_cast<int32_t>(op.layouts.size()); ++i) order.push_back(i);
  auto rank = [&](int32_t i) {
    const int64_t regret = op.layouts[static_cast<size_t>(i)].regret;
    return i == op.present ? -1 : (regret < 0 ? INT64_MAX : regret);
  };
  stableSort(order, [&](int32_t a, int32_t b) { return rank(a) < rank(b); });
  for (int32_t i : order) {
    if (decision.candidates.size() >= DecisionLog::kMaxCandidates) break;
    const ExactTrace::Regret& regret = op.layouts[static_cast<size_t>(i)];
    Candidate candidate{regret.layout, i == op.present ? CandidateStatus::Chosen : CandidateStatus::Worse, {}, 0, ""};
    if (regret.regret < 0) candidate.note = "the rest cannot run with it";
    else if (regret.regret == 0)
      candidate.note = i == op.best ? "the optimum's choice" : "as good as the optimum's choice";
    else candidate.note = "costs the net " + std::to_string(regret.regret) + " ns";
    decision.candidates.push_back(std::move(candidate));
  }
  for (const RejectedLayout& rejected : problem.legal[op.op].rejected) {
    if (decision.candidates.size() >= DecisionLog::kMaxCandidates) break;
    bool known = false;
    for (const ExactTrace::Regret& regret : op.layouts) known = known || regret.layout == rejected.layout;
    if (!known) decision.candidates.push_back({rejected.layout, CandidateStatus::Rejected, rejected.verdict, 0, ""});
  }
  decision.summary = summaryOf(op);
  log.decisions.push_back(std::move(decision));
}

void addWarnings(const ExactTrace& trace, DecisionLog& log) {
  if (!trace.proven) {
    log.warnings.push_back("Not proven: the plan takes " + std::to_string(trace.time) +
                           " ns, no plan of these layouts can take less than " + std::to_string(trace.lowerBound) +
                           " ns; it is at most " + percentText(trace.time - trace.lowerBound, trace.lowerBound) +
                           " above the optimum.");
  }
  const bool own = trace.source == "layouts" || trace.source == "prices";
  if (!own)
    log.warnings.push_back("The plan is the one of " + trace.source +
                           ": no other that fits L1 was found to be faster.");
}

}  // namespace

Plan decideExact(const Problem& problem, const PolicyOptions& options, PolicyMemory& memory, DecisionLog& log) {
  const std::vector<Plan> baselines = baselinePlans(problem, options, memory);
  ExactSearch search(problem, baselines, memory.exact);
  ExactTrace trace;
  Plan plan = search.best(options.exact, trace);
  trace.ops = search.regrets(plan);
  if (options.exact.certificate) trace.certificate = search.certificate(trace);
  for (const ExactTrace::OpRegrets& op : trace.ops) addDecision(problem, op, log);
  addWarnings(trace, log);
  log.exact = std::move(trace);
  return plan;
}

}  // namespace tessera

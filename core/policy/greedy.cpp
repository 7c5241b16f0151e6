// Greedy: edge by edge, all operands (seed 001, pass 1 with K = 1). For each op in schedule order: the first result layout that
// works with the operands where they are; if none does, the first that works after converting operands; DRAM as last resort.
// When an op finds no room at all, the values used last leave L1.

#include "core/policy/legalize.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

// Preference: sharded L1 (most cores first), L1 interleaved, DRAM.
std::vector<TensorLayout> candidateLayouts(const Problem& problem, OpId op) {
  const Op& o = problem.graph.ops[op];
  std::vector<TensorLayout> layouts;
  if (o.results.empty() || !problem.isTensor(o.results[0])) return {TensorLayout{}};
  ValueId result = o.results[0];
  if (problem.pinned[result]) return {*problem.pinned[result]};
  // What operands already have comes first: a result that stays on the same cores needs no reshard later.
  layouts = problem.sharded[result];
  layouts.push_back(l1InterleavedLayout(problem, result));
  layouts.push_back(dramLayout(problem, result));
  return layouts;
}

// A sharded operand's grid over the result, in front of the list: ops without a choice of their own follow their operands.
void preferOperandGrids(const Problem& problem, const Placement& placement, OpId op, std::vector<TensorLayout>& layouts) {
  const Op& o = problem.graph.ops[op];
  if (isPinned(problem, op) || o.results.empty() || !problem.isTensor(o.results[0])) return;
  std::vector<TensorLayout> inherited;
  for (const auto& in : placement.operandLayouts(op)) {
    if (!in || !in->isL1() || !in->sharded()) continue;
    TensorLayout base = dramLayout(problem, o.results[0]);
    auto made = makeLayout(problem.tensor(o.results[0]).shape, {base.dtype, BufferType::L1, in->memory, base.page, in->grid}, problem.device);
    if (!made.ok()) continue;
    bool known = false;
    for (const TensorLayout& layout : inherited) known |= layout == *made;
    if (!known) inherited.push_back(*made);
  }
  for (const TensorLayout& layout : layouts) {
    bool known = false;
    for (const TensorLayout& first : inherited) known |= first == layout;
    if (!known) inherited.push_back(layout);
  }
  layouts = std::move(inherited);
}

struct Choice {
  Attempt attempt;
  std::vector<Candidate> candidates;
  bool found = false;
};

Candidate toCandidate(const Attempt& attempt) {
  Candidate candidate{attempt.config.output, CandidateStatus::Worse, attempt.verdict, attempt.reshards, ""};
  if (!attempt.verdict.ok()) candidate.status = CandidateStatus::Rejected;
  return candidate;
}

// Rank of a legal attempt, lower is better; attempts of equal rank keep their order.
int rankOf(const Attempt& attempt) {
  bool inL1 = attempt.config.output.isL1();
  if (inL1) return attempt.reshards == 0 ? 0 : 1;
  return attempt.reshards == 0 ? 2 : 3;
}

Choice choose(const Problem& problem, const Placement& placement, OpId op) {
  std::vector<TensorLayout> layouts = candidateLayouts(problem, op);
  preferOperandGrids(problem, placement, op, layouts);
  Choice choice;
  int best = 0;
  size_t chosen = 0;
  for (const TensorLayout& layout : layouts) {
    OpConfig config;
    config.output = layout;
    Attempt attempt = tryConfig(problem, placement, op, config);
    Candidate candidate = toCandidate(attempt);
    bool better = attempt.verdict.ok() && (!choice.found || rankOf(attempt) < best);
    if (better) {
      best = rankOf(attempt);
      choice.attempt = attempt;
      choice.found = true;
      chosen = choice.candidates.size();
    }
    choice.candidates.push_back(std::move(candidate));
    if (!choice.found) choice.attempt = attempt;  // the last try, should nothing work
  }
  if (choice.found) choice.candidates[chosen].status = CandidateStatus::Chosen;
  for (size_t i = 0; i < choice.candidates.size(); ++i) {
    Candidate& candidate = choice.candidates[i];
    if (candidate.status != CandidateStatus::Worse) continue;
    candidate.note = candidate.reshards > choice.attempt.reshards ? "needs operands converted first" : "comes later in the order of preference";
  }
  return choice;
}

std::string plural(int count, const std::string& noun) { return std::to_string(count) + " " + noun + (count == 1 ? "" : "s"); }

std::string summarize(const Choice& choice, int evicted) {
  const Attempt& attempt = choice.attempt;
  std::string text;
  if (!choice.found) {
    return "No layout works, not even DRAM: " + verdictText(attempt.verdict) + ". The op is left in DRAM and will fail.";
  }
  int rejected = 0;
  for (const Candidate& c : choice.candidates) rejected += c.status == CandidateStatus::Rejected;
  if (attempt.config.output.isL1()) {
    text = layoutText(attempt.config.output) + " is the first layout that works with the operands";
    text += attempt.reshards == 0 ? " where they are" : " after " + plural(attempt.reshards, "operand") + " moved";
  } else {
    text = "Stays in DRAM: " + std::string(rejected > 0 ? "every layout in L1 was refused" : "nothing else is possible");
    if (attempt.reshards > 0) text += "; " + plural(attempt.reshards, "operand") + " had to move first";
  }
  if (rejected > 0) text += " (" + plural(rejected, "candidate") + " refused)";
  if (evicted > 0) text += "; " + plural(evicted, "value") + " had to leave L1 before";
  return text + ".";
}

class Greedy : public Policy {
 public:
  Plan decide(const Problem& problem, DecisionLog& log) const override {
    Placement placement(problem, "Greedy");
    for (OpId op : problem.schedule.order) {
      if (opInfo(problem.graph.ops[op].kind).has(kTerminator)) {
        returnFromDram(problem, placement, op);
        continue;
      }
      Choice choice = choose(problem, placement, op);
      int evicted = 0;
      while (!choice.found) {
        std::vector<ValueId> live = placement.liveInL1();
        if (live.empty()) break;
        placement.spill(live[0], op, dramLayout(problem, live[0]), SpillCause::Memory);
        ++evicted;
        choice = choose(problem, placement, op);
      }
      placement.place(op, choice.attempt.config, choice.attempt.inputs);
      record(problem, op, choice, evicted, log);
      placement.finish(op);
    }
    return placement.take();
  }

 private:
  static void record(const Problem& problem, OpId op, Choice& choice, int evicted, DecisionLog& log) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0])) return;
    std::string summary = summarize(choice, evicted);
    if (choice.candidates.size() > DecisionLog::kMaxCandidates) choice.candidates.resize(DecisionLog::kMaxCandidates);
    log.decisions.push_back({op, o.results[0], std::move(choice.candidates), std::move(summary)});
  }
};

}  // namespace

std::unique_ptr<Policy> makeGreedy() { return std::make_unique<Greedy>(); }

}  // namespace tessera

// Greedy: edge by edge, all operands (seed 001, pass 1 with K = 1). For each op in schedule order: the first result layout that
// works with the operands where they are; if none does, the first that works after converting operands; DRAM as last resort.
// When an op finds no room at all, the values used last leave L1.

#include "core/policy/legalize.h"
#include "core/policy/policy.h"

namespace tessera {

namespace {

// How much a result's place is liked, lower is better.
int preference(const TensorLayout& layout) { return layout.isL1() ? (layout.sharded() ? 0 : 1) : 2; }

// A sharded operand's grid over the result comes first: what stays on the same cores needs no reshard later. An override
// leaves no choice.
std::vector<OpConfig> operandGrids(const Problem& problem, const Placement& placement, OpId op) {
  std::vector<OpConfig> configs;
  ValueId result = problem.graph.ops[op].results[0];
  if (findOverride(problem.options.layoutOverrides, problem.graph, op)) return configs;
  for (const auto& in : placement.operandLayouts(op)) {
    if (!in || !in->isL1() || !in->sharded()) continue;
    TensorLayout base = dramLayout(problem, result);
    auto made = makeLayout(problem.tensor(result).shape, {base.dtype, BufferType::L1, in->memory, base.page, in->grid}, problem.device);
    if (!made.ok()) continue;
    const Conv2dConfigOverride* conv = findOverride(problem.options.conv2dOverrides, problem.graph, op);
    for (const OpConfig& config : legalOpConfigs(problem.graph, op, {*made}, {}, conv)) configs.push_back(config);
  }
  return configs;
}

// In the order in which they are tried: sharded L1 (operands' grids, then most cores first), L1 interleaved, DRAM.
std::vector<OpConfig> candidateConfigs(const Problem& problem, const Placement& placement, OpId op) {
  const Op& o = problem.graph.ops[op];
  if (o.results.empty() || !problem.isTensor(o.results[0]) || isPinned(problem, op)) return {defaultConfig(problem, op)};
  std::vector<OpConfig> configs;
  auto addNew = [&](const OpConfig& config) {
    for (const OpConfig& known : configs) {
      if (known == config) return;
    }
    configs.push_back(config);
  };
  for (const OpConfig& config : operandGrids(problem, placement, op)) addNew(config);
  for (int level = 0; level <= 2; ++level) {
    for (const OpConfig& config : problem.configs[op]) {
      if (preference(config.output) == level) addNew(config);
    }
  }
  // DRAM works for every op; an analysis that refused it leaves it as the last resort.
  bool overridden = findOverride(problem.options.layoutOverrides, problem.graph, op) != nullptr;
  if (!overridden && (configs.empty() || preference(configs.back().output) != 2)) addNew(defaultConfig(problem, op));
  return configs;
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
  Choice choice;
  int best = 0;
  size_t chosen = 0;
  for (const OpConfig& config : candidateConfigs(problem, placement, op)) {
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
  Plan decide(const Problem& problem, const PolicyOptions&, DecisionLog& log) const override {
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
      keepForkedInput(problem, op, choice.attempt.config);
      placement.place(op, choice.attempt.config, choice.attempt.inputs);
      record(problem, op, choice, evicted, log);
      placement.finish(op);
    }
    return placement.take();
  }

 private:
  // A convolution may free its input only when nobody else reads it (seed 001, fork handling).
  static void keepForkedInput(const Problem& problem, OpId op, OpConfig& config) {
    auto* attrs = std::get_if<Conv2dAttrs>(&config.attrs);
    const Op& o = problem.graph.ops[op];
    if (!attrs || o.operands.empty()) return;
    bool lastReader = problem.live[o.operands[0]].lastUse == problem.schedule.position[op];
    bool isArgument = !problem.graph.values[o.operands[0]].producer.valid();
    if (attrs->deallocateActivation.value_or(false) && (!lastReader || isArgument)) attrs->deallocateActivation = false;
  }

  static void record(const Problem& problem, OpId op, Choice& choice, int evicted, DecisionLog& log) {
    const Op& o = problem.graph.ops[op];
    if (o.results.empty() || !problem.isTensor(o.results[0])) return;
    std::string summary = summarize(choice, evicted);
    for (const RejectedLayout& rejected : problem.legal[op].rejected) {
      Candidate candidate;
      candidate.layout = rejected.layout;
      candidate.status = CandidateStatus::Rejected;
      candidate.verdict = rejected.verdict;
      bool tried = false;
      for (const Candidate& known : choice.candidates) tried |= known.layout == rejected.layout;
      if (!tried) choice.candidates.push_back(std::move(candidate));
    }
    if (choice.candidates.size() > DecisionLog::kMaxCandidates) choice.candidates.resize(DecisionLog::kMaxCandidates);
    log.decisions.push_back({op, o.results[0], std::move(choice.candidates), std::move(summary)});
  }
};

}  // namespace

std::unique_ptr<Policy> makeGreedy() { return std::make_unique<Greedy>(); }

}  // namespace tessera

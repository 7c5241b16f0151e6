#include "core/policy/propagate/explain.h"

#include <algorithm>

#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

std::string plural(int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// What pass 2 did at one step.
struct StepEvents {
  int evicted = 0;
  bool demoted = false;
  bool failed = false;
  ResultLocation location = ResultLocation::Planned;
  Refusal reason = Refusal::None;
};

std::string summarize(const BeamEntry& entry, const OpBeam& beam, const StepEvents& events, const TensorLayout& layout,
                      int reshards, int64_t rejected) {
  if (events.failed)
    return "No layout works, not even DRAM: " + verdictText(entry.verdict) + ". The op is left as it is and will fail.";
  if (beam.usedDramFallback)
    return "No layout works, not even DRAM: " + verdictText(entry.verdict) + ". The op is left in DRAM and will fail.";
  std::string text;
  if (events.demoted) {
    text = layoutText(entry.config.output) + " was wanted, but " + std::string(refusalText(events.reason)) +
           ": the result goes to " + layoutText(layout);
  } else if (layout.isL1()) {
    text = layoutText(layout) +
           (beam.entries.size() > 1 ? " is on the best path" : " is the first layout that works with the operands");
    text += reshards == 0 ? ", operands where they are" : ", after " + plural(reshards, "operand") + " moved";
  } else {
    text = "Stays in DRAM: " +
           std::string(rejected > 0 ? "layouts in L1 were refused or are worse" : "nothing else is possible or better");
    if (reshards > 0) text += "; " + plural(reshards, "operand") + " had to move first";
  }
  if (rejected > 0) text += " (" + plural(rejected, "candidate") + " refused)";
  if (events.evicted > 0) text += "; " + plural(events.evicted, "value") + " had to leave L1 before";
  return text + ".";
}

// Of an entry of the beam that was not taken: by which rule.
std::string whyNotTaken(const OpBeam& beam, int32_t rank, int32_t chosen, BeamScore score) {
  const std::string taken =
      "what reads it was planned with " + layoutText(beam.entries[static_cast<size_t>(chosen)].config.output);
  if (rank > chosen) {
    const PathScore& best = beam.entries[static_cast<size_t>(chosen)].score;
    const bool worse = betterScore(score, best, beam.entries[static_cast<size_t>(rank)].score);
    return worse ? "" : "as good by itself: of equals the first that was found stands first";
  }
  const PathScore& own = beam.entries[static_cast<size_t>(rank)].score;
  const bool better = betterScore(score, own, beam.entries[static_cast<size_t>(chosen)].score);
  return (better ? "better by itself, but " : "as good by itself, but ") + taken;
}

std::string whyLost(const Candidate& candidate, int reshards, BeamScore score) {
  if (candidate.reshards > reshards) return "needs operands converted first";
  switch (score) {
    case BeamScore::Cores: return "its path has fewer cores, or more reshards";
    case BeamScore::Time: return "its path takes longer";
    case BeamScore::Upstream: return "scores lower";
    case BeamScore::First: return "comes later in the order of preference";
  }
  return "";
}

class Explainer {
 public:
  Explainer(const Problem& problem, const PropagateOptions& options, const Beams& beams, const Propagation& pass1,
            const SpillOutcome& outcome, const Plan& plan, DecisionLog& log)
      : problem_(problem),
        options_(options),
        beams_(beams),
        pass1_(pass1),
        plan_(plan),
        log_(log),
        events_(problem.schedule.order.size()) {
    for (const SpillEvent& event : outcome.events) {
      StepEvents& at = events_[static_cast<size_t>(event.step)];
      if (event.action == SpillAction::Evict || event.action == SpillAction::EvictAll) ++at.evicted;
      if (event.action == SpillAction::Demote) at.demoted = true, at.reason = event.reason;
    }
    for (int32_t step : outcome.failed) events_[static_cast<size_t>(step)].failed = true;
  }

  void run() {
    reshardsOf_.resize(problem_.graph.ops.size(), 0);
    for (const Reshard& reshard : plan_.reshards) ++reshardsOf_[reshard.consumer];
    for (OpId op : problem_.schedule.order) {
      const Op& o = problem_.graph.ops[op];
      if (pass1_.chosen[op] < 0 || o.results.empty() || !problem_.isTensor(o.results[0])) continue;
      decisionOf(op, o.results[0]);
    }
  }

 private:
  void decisionOf(OpId op, ValueId value) {
    const OpBeam& beam = beams_[op];
    const BeamEntry& entry = beam.entries[static_cast<size_t>(pass1_.chosen[op])];
    const TensorLayout& layout = *plan_.layout[value];
    Decision decision{op, value, {}, ""};
    bool placed = false;
    for (const Candidate& tried : beam.tried) {
      bool known = false;
      for (const Candidate& c : decision.candidates) known = known || c.layout == tried.layout;
      bool isChosen = tried.layout == layout;
      if (known || decision.candidates.size() + (placed ? 0 : 1) >= DecisionLog::kMaxCandidates) {
        if (!isChosen || placed) continue;
      }
      Candidate candidate = tried;
      if (isChosen) {
        candidate = chosen(op, entry, tried);
        placed = true;
      } else if (tried.status != CandidateStatus::Rejected) {
        const int32_t rank = rankOf(beam, tried.layout);
        if (rank >= 0) candidate.note = whyNotTaken(beam, rank, pass1_.chosen[op], options_.score);
        if (candidate.note.empty()) candidate.note = whyLost(tried, entry.reshards, options_.score);
      }
      decision.candidates.push_back(std::move(candidate));
    }
    if (!placed)
      decision.candidates.push_back(
          chosen(op, entry, {layout, CandidateStatus::Chosen, entry.verdict, entry.reshards, ""}));
    addRefusedByAnalysis(op, decision);
    int64_t rejected = 0;
    for (const Candidate& c : decision.candidates) rejected += c.status == CandidateStatus::Rejected;
    decision.summary = summarize(entry, beam, events_[static_cast<size_t>(problem_.schedule.position[op])], layout,
                                 reshardsOf_[op], rejected);
    log_.decisions.push_back(std::move(decision));
  }

  // The entry of the beam that writes the layout; -1: none was kept.
  static int32_t rankOf(const OpBeam& beam, const TensorLayout& layout) {
    for (size_t at = 0; at < beam.entries.size(); ++at)
      if (beam.entries[at].config.output == layout) return static_cast<int32_t>(at);
    return -1;
  }

  Candidate chosen(OpId op, const BeamEntry& entry, const Candidate& tried) const {
    Candidate candidate = tried;
    candidate.status = CandidateStatus::Chosen;
    if (entry.config.output == candidate.layout) candidate.verdict = entry.verdict;
    candidate.reshards = reshardsOf_[op];
    candidate.note.clear();
    return candidate;
  }

  void addRefusedByAnalysis(OpId op, Decision& decision) const {
    for (const RejectedLayout& rejected : problem_.legal[op].rejected) {
      if (decision.candidates.size() >= DecisionLog::kMaxCandidates) return;
      bool known = false;
      for (const Candidate& c : decision.candidates) known = known || c.layout == rejected.layout;
      if (!known) decision.candidates.push_back({rejected.layout, CandidateStatus::Rejected, rejected.verdict, 0, ""});
    }
  }

  const Problem& problem_;
  const PropagateOptions& options_;
  const Beams& beams_;
  const Propagation& pass1_;
  const Plan& plan_;
  DecisionLog& log_;
  std::vector<StepEvents> events_;
  IdVec<OpId, int> reshardsOf_;
};

}  // namespace

void explainDecisions(const Problem& problem, const PropagateOptions& options, const Beams& beams,
                      const Propagation& pass1, const SpillOutcome& outcome, const Plan& plan, DecisionLog& log) {
  Explainer(problem, options, beams, pass1, outcome, plan, log).run();
}

}  // namespace tessera

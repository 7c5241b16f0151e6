#include "core/policy/propagate/fastest_sweep.h"

#include <algorithm>

namespace tessera {

namespace {

struct SweepTry {
  SpillSettings settings;
  SpillChoice choice;
};

class FastestSweep {
 public:
  explicit FastestSweep(GraphSpills& spills) : spills_(spills), given_(spills.settings()) {}

  SpillOutcome run(const std::vector<SpillChoice>& choices) {
    for (const SpillChoice& choice : choices) attempt({given_, choice});
    for (VictimRule victim : {VictimRule::LongestLifetime, VictimRule::FarthestLastUse, VictimRule::FarthestNextUse,
                              VictimRule::CostPerByte}) {
      for (bool late : {true, false}) {
        SweepTry rule{given_, {}};
        rule.settings.victim = victim;
        rule.settings.late = late;
        attempt(rule);
      }
    }
    improve();
    return sweepSpills(spills_, best_.settings, best_.choice);
  }

 private:
  // Times a try; true when it is the fastest so far.
  bool attempt(const SweepTry& one) {
    ++tried_;
    const SpillOutcome outcome = sweepSpills(spills_, one.settings, one.choice);
    const Cost time = spills_.timeOf(outcome);
    if (tried_ > 1 && time >= least_) return false;
    least_ = time;
    best_ = one;
    return true;
  }

  // Every set of results that are made in DRAM, where there are few; else one at a time is sent there or let back into
  // L1, while that helps.
  void improve() {
    constexpr size_t kFew = 8;
    std::vector<SpillTensor> open;
    for (SpillTensor t = 0; t < static_cast<SpillTensor>(spills_.tensors().size()); ++t) {
      if (spills_.plannedBytes(t) > 0 && spills_.mayStartInDram(t)) open.push_back(t);
    }
    if (open.size() <= kFew) everySet(open);
    else oneAtATime(open);
  }

  void everySet(const std::vector<SpillTensor>& open) {
    for (uint32_t set = 0; set < 1u << open.size(); ++set) {
      SweepTry next{given_, {}};
      next.choice.startsInDram.assign(spills_.tensors().size(), false);
      for (size_t i = 0; i < open.size(); ++i)
        next.choice.startsInDram[static_cast<size_t>(open[i])] = (set >> i & 1) != 0;
      attempt(next);
    }
  }

  void oneAtATime(const std::vector<SpillTensor>& open) {
    // The work of a try grows with the graph.
    constexpr int64_t kMostSteps = 8'000;
    const int64_t most = tried_ + std::clamp<int64_t>(kMostSteps / std::max(spills_.steps(), 1), 8, 512);
    for (bool better = true; better && tried_ < most;) {
      better = false;
      for (size_t i = 0; i < open.size() && tried_ < most; ++i) {
        SweepTry next = best_;
        const auto at = static_cast<size_t>(open[i]);
        next.choice.startsInDram.resize(spills_.tensors().size(), false);
        next.choice.evictBefore.resize(spills_.tensors().size(), -1);
        next.choice.startsInDram[at] = !next.choice.startsInDram[at];
        next.choice.evictBefore[at] = -1;
        std::erase_if(next.choice.absences, [&](const SpillAbsence& absence) { return absence.tensor == open[i]; });
        better = attempt(next) || better;
      }
    }
  }

  GraphSpills& spills_;
  const SpillSettings given_;
  SweepTry best_;
  Cost least_ = kForbidden;
  int64_t tried_ = 0;
};

}  // namespace

SpillOutcome fastestSweep(GraphSpills& spills, const std::vector<SpillChoice>& choices) {
  return FastestSweep(spills).run(choices);
}

}  // namespace tessera

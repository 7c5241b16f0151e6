#include "core/policy/propagate/spill_search.h"

#include <algorithm>

#include "core/support/units.h"

namespace tessera {

namespace {

using Set = uint64_t;  // of slots; a slot holds one live tensor

// How a state came to be, for walking back.
struct Node {
  int32_t parent = -1;
  SpillTensor tensor = -1;  // what this decision was about
  bool leaves = false;      // it left before the step; else it started in DRAM
  int32_t step = 0;
};

// A reader; `cost` is of it and all that come after it.
struct Read {
  int32_t step = 0;
  int64_t cost = 0;
};

struct State {
  Set inL1 = 0;
  int64_t bytes = 0;
  int64_t cost = 0;
  int32_t node = -1;  // last decision against L1
};

class Search {
 public:
  Search(const SpillSearchProblem& problem, size_t maxStates)
      : problem_(problem), maxStates_(std::max<size_t>(maxStates, 1)), slotOf_(problem.tensors.size(), -1) {
    reads_.resize(problem.tensors.size());
    for (size_t step = 0; step < problem.steps.size(); ++step) {
      const SpillSearchStep& one = problem.steps[step];
      for (size_t i = 0; i < one.reads.size(); ++i)
        reads_[static_cast<size_t>(one.reads[i])].push_back({static_cast<int32_t>(step), one.readCosts[i]});
    }
    for (std::vector<Read>& reads : reads_) {  // each with all that come after it
      for (size_t i = reads.size(); i > 1; --i) reads[i - 2].cost = addSaturated(reads[i - 2].cost, reads[i - 1].cost);
    }
  }

  SpillSearchResult run() {
    countOverflows();
    states_.push_back({});
    for (size_t step = 0; step < problem_.steps.size(); ++step) {
      makeRoom(static_cast<int32_t>(step));
      placeResults(static_cast<int32_t>(step));
      forget(static_cast<int32_t>(step));
    }
    SpillSearchResult result;
    result.startsInDram.assign(problem_.tensors.size(), false);
    result.evictBefore.assign(problem_.tensors.size(), -1);
    result.pruned = pruned_;
    result.states = looked_;
    const State& best = *std::min_element(states_.begin(), states_.end(), cheaper);
    result.cost = best.cost;
    for (int32_t at = best.node; at >= 0; at = nodes_[static_cast<size_t>(at)].parent) {
      const Node& node = nodes_[static_cast<size_t>(at)];
      if (node.leaves) result.evictBefore[static_cast<size_t>(node.tensor)] = node.step;
      else result.startsInDram[static_cast<size_t>(node.tensor)] = true;
    }
    return result;
  }

 private:
  static bool cheaper(const State& a, const State& b) { return a.cost != b.cost ? a.cost < b.cost : a.inL1 > b.inL1; }
  const SpillSearchTensor& tensor(SpillTensor t) const { return problem_.tensors[static_cast<size_t>(t)]; }

  // Whether L1 would overflow anywhere in the tensor's life if everything stayed in it. If not, there is nothing to
  // decide.
  bool contested(SpillTensor t) const {
    return overflows_[static_cast<size_t>(tensor(t).lastUse) + 1] >
           overflows_[static_cast<size_t>(std::max(tensor(t).def, 0))];
  }

  // Steps up to each one at which everything that lives would not fit together.
  void countOverflows() {
    std::vector<int64_t> load(problem_.steps.size() + 1, 0);
    for (const SpillSearchTensor& t : problem_.tensors) {
      if (t.bytes <= 0 || t.lastUse < 0) continue;
      load[static_cast<size_t>(std::max(t.def, 0))] += t.bytes;
      load[static_cast<size_t>(t.lastUse) + 1] -= t.bytes;
    }
    overflows_.assign(problem_.steps.size() + 1, 0);
    int64_t live = 0;
    for (size_t step = 0; step < problem_.steps.size(); ++step) {
      live += load[step];
      overflows_[step + 1] = overflows_[step] + (addSaturated(live, problem_.steps[step].others) > problem_.budget);
    }
  }

  // Of all readers from a step on.
  int64_t dramCost(SpillTensor t, int32_t from) const {
    const std::vector<Read>& reads = reads_[static_cast<size_t>(t)];
    const auto at = std::lower_bound(reads.begin(), reads.end(), from,
                                     [](const Read& read, int32_t step) { return read.step < step; });
    return at == reads.end() ? 0 : at->cost;
  }

  int32_t addNode(const Node& node) {
    nodes_.push_back(node);
    return static_cast<int32_t>(nodes_.size()) - 1;
  }

  // Bytes that must be free below the budget while the step runs, whatever is decided.
  int64_t needed(const SpillSearchStep& step) const {
    int64_t bytes = step.others;
    for (SpillTensor made : step.makes) {
      if (!tensor(made).mayStartInDram) bytes = addSaturated(bytes, tensor(made).bytes);
    }
    return bytes;
  }

  // Every set of tensors whose leaving makes the step fit; letting more go than that gains nothing, since they can go
  // later.
  void makeRoom(int32_t at) {
    int64_t room = problem_.budget - needed(problem_.steps[static_cast<size_t>(at)]);
    std::vector<State> done, open = std::move(states_);
    while (!open.empty()) {
      std::vector<State> next;
      for (const State& state : open) {
        ++looked_;
        // Where nobody may leave, the sweep will have to see what it does.
        if (state.bytes <= room || !leaveOne(state, at, next)) done.push_back(state);
      }
      merge(next);
      open = std::move(next);
    }
    merge(done);
    states_ = std::move(done);
  }

  // Every state with one tensor less; false when none may leave.
  bool leaveOne(const State& state, int32_t at, std::vector<State>& out) {
    bool any = false;
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      SpillTensor t = slots_[slot];
      if (!(state.inL1 >> slot & 1) || !tensor(t).evictable) continue;
      State next = state;
      next.inL1 &= ~(Set{1} << slot);
      next.bytes -= tensor(t).bytes;
      next.cost = addSaturated(state.cost, addSaturated(tensor(t).writeCost, dramCost(t, at)));
      next.node = addNode({state.node, t, true, at});
      out.push_back(next);
      any = true;
    }
    return any;
  }

  // What the step makes goes to L1, if there is room for it beside what the step needs, or to DRAM. Making room for it
  // by letting others go is one of the sets.
  void placeResults(int32_t at) {
    const SpillSearchStep& step = problem_.steps[static_cast<size_t>(at)];
    for (SpillTensor made : step.makes) {
      if (tensor(made).bytes <= 0 || !contested(made)) continue;  // nothing to decide, and no step at which it counts
      int32_t slot = takeSlot(made);
      std::vector<State> next;
      int64_t room = problem_.budget - step.others - tensor(made).bytes;
      std::vector<State> open = states_;
      while (slot >= 0 && !open.empty()) {
        std::vector<State> further;
        for (const State& state : open) {
          ++looked_;
          if (state.bytes <= room) {
            State in = state;
            in.inL1 |= Set{1} << slot;
            in.bytes += tensor(made).bytes;
            next.push_back(in);
          } else if (state.inL1 != 0 && tensor(made).bytes <= problem_.budget - step.others) {
            leaveOne(state, at, further);
          }
        }
        merge(further);
        open = std::move(further);
      }
      bool mayStart = tensor(made).mayStartInDram;
      for (const State& state : states_) {
        if (!mayStart && !next.empty()) break;
        State out = state;
        out.cost = addSaturated(state.cost, addSaturated(tensor(made).startCost, dramCost(made, at)));
        out.node = addNode({state.node, made, false, at});
        next.push_back(out);
      }
      merge(next);
      states_ = std::move(next);
    }
  }

  int32_t takeSlot(SpillTensor t) {
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] < 0) {
        slots_[slot] = t;
        return slotOf_[static_cast<size_t>(t)] = static_cast<int32_t>(slot);
      }
    }
    if (slots_.size() == 64) {
      pruned_ = true;
      return -1;
    }
    slots_.push_back(t);
    return slotOf_[static_cast<size_t>(t)] = static_cast<int32_t>(slots_.size()) - 1;
  }

  // Tensors that nobody reads any more leave every state.
  void forget(int32_t at) {
    Set gone = 0;
    int64_t bytesOf[64] = {};
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot] < 0 || tensor(slots_[slot]).lastUse > at) continue;
      gone |= Set{1} << slot;
      bytesOf[slot] = tensor(slots_[slot]).bytes;
      slotOf_[static_cast<size_t>(slots_[slot])] = -1;
      slots_[slot] = -1;
    }
    if (gone == 0) return;
    for (State& state : states_) {
      for (size_t slot = 0; slot < slots_.size(); ++slot) {
        if (state.inL1 & gone & (Set{1} << slot)) state.bytes = std::max<int64_t>(state.bytes - bytesOf[slot], 0);
      }
      state.inL1 &= ~gone;
    }
    merge(states_);
  }

  // Of equal sets the cheapest; of all the cheapest `maxStates_`.
  void merge(std::vector<State>& states) {
    std::sort(states.begin(), states.end(),
              [](const State& a, const State& b) { return a.inL1 != b.inL1 ? a.inL1 < b.inL1 : a.cost < b.cost; });
    states.erase(
        std::unique(states.begin(), states.end(), [](const State& a, const State& b) { return a.inL1 == b.inL1; }),
        states.end());
    if (states.size() <= maxStates_) return;
    std::nth_element(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(maxStates_), states.end(), cheaper);
    states.resize(maxStates_);
    pruned_ = true;
  }

  const SpillSearchProblem& problem_;
  size_t maxStates_;
  std::vector<int32_t> slotOf_;           // by tensor
  std::vector<SpillTensor> slots_;        // -1: free
  std::vector<std::vector<Read>> reads_;  // by tensor, in the order of the steps
  std::vector<State> states_;
  std::vector<Node> nodes_;
  std::vector<int32_t> overflows_;
  bool pruned_ = false;
  int64_t looked_ = 0;
};

}  // namespace

SpillSearchResult searchSpills(const SpillSearchProblem& problem, size_t maxStates) {
  return Search(problem, maxStates).run();
}

}  // namespace tessera

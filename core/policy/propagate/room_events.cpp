#include "core/policy/propagate/room_events.h"

#include <utility>

namespace tessera {

namespace {

class RoomEvents {
 public:
  RoomEvents(const Graph& graph, const SpillOutcome& outcome, const Plan& plan)
      : graph_(graph), outcome_(outcome), plan_(plan) {}

  std::vector<RoomEvent> run() {
    const auto count = static_cast<int32_t>(outcome_.events.size());
    last_.assign(graph_.values.size(), -1);
    before_.assign(outcome_.events.size(), -1);
    demoted_.assign(outcome_.location.size(), -1);
    for (int32_t i = 0; i < count; ++i) {
      const SpillEvent& event = outcome_.events[static_cast<size_t>(i)];
      const bool leaves = event.action == SpillAction::Evict || event.action == SpillAction::EvictAll;
      if (leaves) before_[static_cast<size_t>(i)] = std::exchange(last_[static_cast<size_t>(event.tensor)], i);
      // The last one says why the result lies where it lies.
      if (event.action == SpillAction::Demote) demoted_[static_cast<size_t>(event.step)] = i;
    }
    IdVec<OpId, int32_t> position(graph_.ops.size(), -1);
    for (size_t i = 0; i < plan_.order.size(); ++i) position[plan_.order[i]] = static_cast<int32_t>(i);
    for (const Spill& spill : plan_.spills) addMove(spill, position[spill.before]);
    for (size_t step = 0; step < outcome_.location.size(); ++step) {
      if (outcome_.location[step] != ResultLocation::Planned) addPlace(static_cast<int32_t>(step));
    }
    return std::move(out_);
  }

 private:
  // What leaves early does so for a later step; what comes back had left for an earlier one.
  void addMove(const Spill& spill, int32_t step) {
    const bool back = spill.cause == SpillCause::Shared;
    if (spill.cause != SpillCause::Memory && !back) return;
    const SpillEvent* best = nullptr;
    for (int32_t i = last_[static_cast<size_t>(spill.value.index)]; i >= 0; i = before_[static_cast<size_t>(i)]) {
      const SpillEvent& event = outcome_.events[static_cast<size_t>(i)];
      if (back ? event.step > step : event.step < step) continue;
      const bool nearer = !best || (back ? event.step > best->step : event.step < best->step);
      if (nearer) best = &event;
    }
    if (best) add(spill.value, spill.before, *best);
  }

  void addPlace(int32_t step) {
    const OpId op = plan_.order[static_cast<size_t>(step)];
    const auto& results = graph_.ops[op].results;
    if (results.empty()) return;
    const int32_t demoted = demoted_[static_cast<size_t>(step)];
    if (demoted < 0) out_.push_back({results[0], op, op, RoomRule::Search, Refusal::OutOfL1});
    else add(results[0], op, outcome_.events[static_cast<size_t>(demoted)]);
  }

  void add(ValueId value, OpId at, const SpillEvent& event) {
    const bool ahead = event.reason == Refusal::OutOfL1 && event.refused == 0;
    out_.push_back({value, at, plan_.order[static_cast<size_t>(event.step)], ahead ? RoomRule::Search : RoomRule::Step,
                    event.reason, Bytes(event.needed), Bytes(event.occupiedBefore), Bytes(event.refused),
                    Bytes(event.available)});
  }

  const Graph& graph_;
  const SpillOutcome& outcome_;
  const Plan& plan_;
  std::vector<int32_t> last_;     // by tensor: the last event in which it leaves; -1: none
  std::vector<int32_t> before_;   // by event: the one before of the same tensor
  std::vector<int32_t> demoted_;  // by step: the last event in which its result goes elsewhere
  std::vector<RoomEvent> out_;
};

}  // namespace

std::vector<RoomEvent> roomEvents(const Graph& graph, const SpillOutcome& outcome, const Plan& plan) {
  return RoomEvents(graph, outcome, plan).run();
}

}  // namespace tessera

#include "core/policy/propagate/spill_sweep.h"

#include <algorithm>
#include <utility>

#include "core/support/units.h"

namespace tessera {

namespace {

struct Resident {
  SpillTensor tensor = -1;
  int64_t address = -1;
  int64_t bytes = 0;
  int64_t leaveBuffers = 0;  // circular buffers of the move to DRAM
};

// Everything that changes from step to step; copied when the sweep may have to come back.
struct L1State {
  FreeList list;
  std::vector<Resident> live;         // in the order in which they came
  std::vector<std::pair<SpillTensor, SpillTensor>> aliases;  // (name, owner of the buffer)
  int64_t occupied = 0;
};

template <class V>
decltype(auto) at(V& vector, int32_t index) { return vector[static_cast<size_t>(index)]; }

class Sweep {
 public:
  Sweep(SpillModel& model, const SpillSettings& settings, const SpillChoice& chosen)
      : model_(model), settings_(settings), state_{FreeList(settings.begin, settings.end, settings.granule, Direction::TopDown), {}, {}, 0} {
    size_t tensors = model.tensors().size();
    out_.evictedAt.assign(tensors, -1);
    out_.place.assign(static_cast<size_t>(model.steps()), ResultPlace::Planned);
    home_.assign(tensors, TensorHome::Nowhere);
    copiedUntil_.assign(tensors, -1);
    for (int32_t step = 0; step < model.steps(); ++step) {
      bool inDram = false;
      for (SpillTensor made : model.makes(step)) inDram = inDram || (!chosen.startsInDram.empty() && chosen.startsInDram[static_cast<size_t>(made)]);
      if (inDram && model.ladder(step).size() > 1) at(out_.place, step) = ResultPlace::Dram;
    }
    for (size_t t = 0; t < chosen.evictBefore.size(); ++t) {
      if (chosen.evictBefore[t] < 0) continue;
      auto tensor = static_cast<SpillTensor>(t);
      at(out_.evictedAt, tensor) = settings.late ? chosen.evictBefore[t] : at(model.tensors(), tensor).def + 1;
      log({chosen.evictBefore[t], SpillAction::Evict, tensor, ResultPlace::Dram, Refusal::OutOfL1, 0, 0, 0});
    }
    lastHeld_.resize(tensors);
    leaving_.resize(static_cast<size_t>(model.steps()) + 1);
    returning_.resize(static_cast<size_t>(model.steps()) + 1);
    for (const SpillAbsence& absence : chosen.absences) {
      at(leaving_, absence.from).push_back(absence.tensor);
      if (absence.until >= 0) at(returning_, absence.until).push_back(absence.tensor);
      log({absence.from, SpillAction::Evict, absence.tensor, ResultPlace::Dram, Refusal::OutOfL1, 0, 0, 0});
    }
  }

  SpillOutcome run() {
    const auto& tensors = model_.tensors();
    for (SpillTensor t = 0; t < static_cast<SpillTensor>(tensors.size()); ++t) {
      int64_t bytes = model_.initialBytes(t);
      if (bytes >= 0) hold(t, state_.list.allocate(bytes).value_or(-1), bytes, 0);
      else if (at(tensors, t).def < 0) at(home_, t) = TensorHome::InDram;
    }
    int32_t step = 0;
    while (step < model_.steps()) {
      if (!settings_.late) saveCheckpoint(step);
      bringBack(step);
      int32_t next = runStep(step);
      if (next > step) finish(step);
      else restore(next, step);
      step = next;
    }
    out_.finalOccupied = state_.occupied;
    out_.finalLive = static_cast<int32_t>(state_.live.size());
    return std::move(out_);
  }

 private:
  // --- checkpoints: only where a tensor that is still there was made -------------------------------------------------

  struct Checkpoint {
    int32_t step;
    L1State state;
  };

  void saveCheckpoint(int32_t step) {
    if (model_.makes(step).empty()) return;
    while (!checkpoints_.empty() && checkpoints_.back().step >= step) checkpoints_.pop_back();
    checkpoints_.push_back({step, state_});
    if (checkpoints_.size() < nextTidy_) return;
    // Those of tensors that have gone are of no use; kept tidy now and then, so that the work stays linear.
    std::vector<Checkpoint> kept;
    for (Checkpoint& checkpoint : checkpoints_) {
      bool used = checkpoint.step == step;
      for (const Resident& r : state_.live) used = used || at(model_.tensors(), r.tensor).def == checkpoint.step;
      if (used) kept.push_back(std::move(checkpoint));
    }
    checkpoints_ = std::move(kept);
    nextTidy_ = 2 * checkpoints_.size() + 16;
  }

  // Back to the start of `step` from the middle of `from`.
  void restore(int32_t step, int32_t from) {
    while (!checkpoints_.empty() && checkpoints_.back().step > step) checkpoints_.pop_back();
    TESSERA_CHECK(!checkpoints_.empty() && checkpoints_.back().step == step, "no checkpoint to go back to");
    state_ = checkpoints_.back().state;
    for (int32_t s = step; s <= from; ++s) {
      for (SpillTensor made : model_.makes(s)) at(home_, made) = TensorHome::Nowhere;
    }
    for (const Resident& r : state_.live) at(home_, r.tensor) = TensorHome::InL1;
  }

  // --- addresses -----------------------------------------------------------------------------------------------------

  // `address` -1: found no place; the run will say so.
  void hold(SpillTensor tensor, int64_t address, int64_t bytes, int64_t leaveBuffers) {
    at(home_, tensor) = TensorHome::InL1;
    state_.live.push_back({tensor, address, bytes, leaveBuffers});
    state_.occupied += bytes;
  }

  // The buffer goes when its last name goes.
  void release(SpillTensor tensor) {
    for (size_t i = 0; i < state_.live.size(); ++i) {
      Resident resident = state_.live[i];
      if (resident.tensor != tensor) continue;
      at(lastHeld_, tensor) = resident;
      state_.live.erase(state_.live.begin() + static_cast<std::ptrdiff_t>(i));
      for (Resident& other : state_.live) {
        if (resident.address >= 0 && other.address == resident.address) {
          other.bytes = std::max(other.bytes, resident.bytes);  // the other name owns it now
          if (other.bytes == resident.bytes) return;
        }
      }
      if (resident.address >= 0 && resident.bytes > 0) state_.list.free(resident.address);
      state_.occupied -= resident.bytes;
      return;
    }
  }

  // What was chosen to be back by now, where there is room for it; else it stays where it is.
  void bringBack(int32_t step) {
    for (SpillTensor tensor : at(returning_, step)) {
      const Resident& was = at(lastHeld_, tensor);
      if (at(out_.evictedAt, tensor) < 0 || at(home_, tensor) != TensorHome::InDram || was.bytes <= 0) continue;
      FreeList list = state_.list;
      const std::optional<int64_t> address = list.allocate(was.bytes);
      if (!address || alignUp(settings_.begin, settings_.granule) + alignUp(was.leaveBuffers, settings_.granule) + settings_.cushion > list.lowestUsed()) continue;
      state_.list = std::move(list);
      hold(tensor, *address, was.bytes, was.leaveBuffers);
      out_.absences.push_back({tensor, std::exchange(at(out_.evictedAt, tensor), -1), step});
    }
  }

  // --- what a step does to L1, tried on a copy of the free list or for good ------------------------------------------------

  class Trial {
   public:
    Trial(const Sweep& sweep, FreeList& list) : sweep_(sweep), list_(list) {}

    Refusal run(const SpillAnswer& answer) {
      for (const SpillMove& move : answer.moves) {
        std::optional<int64_t> address;
        if (move.bytes > 0) address = list_.allocate(move.bytes);
        if (move.bytes > 0 && !address) return Refusal::NoHole;
        addresses_.push_back(address.value_or(-1));
        if (clashes(move.circularBuffers)) return Refusal::CircularBufferClash;
        if (move.freedAfter >= 0) release(move.freedAfter);
        if (move.freedMove >= 0 && addresses_[static_cast<size_t>(move.freedMove)] >= 0) list_.free(addresses_[static_cast<size_t>(move.freedMove)]);
      }
      int64_t most = std::max(answer.circularBuffers, answer.resultBytes > 0 ? answer.leaveBuffers : 0);
      for (const Resident& r : sweep_.state_.live) most = std::max(most, r.leaveBuffers);
      return clashes(most) ? Refusal::CircularBufferClash : Refusal::None;
    }

   private:
    bool clashes(int64_t circularBuffers) const {
      if (circularBuffers <= 0) return false;
      const SpillSettings& s = sweep_.settings_;
      return alignUp(s.begin, s.granule) + alignUp(circularBuffers, s.granule) + s.cushion > list_.lowestUsed();
    }

    void release(SpillTensor tensor) {
      released_.push_back(tensor);
      int64_t address = -1;
      for (const Resident& r : sweep_.state_.live) {
        if (r.tensor == tensor) address = r.address;
      }
      for (const Resident& r : sweep_.state_.live) {
        bool gone = std::find(released_.begin(), released_.end(), r.tensor) != released_.end();
        if (r.address == address && !gone) return;  // has another name
      }
      if (address >= 0) list_.free(address);
    }

    const Sweep& sweep_;
    FreeList& list_;
    std::vector<int64_t> addresses_;  // by move; -1: none
    std::vector<SpillTensor> released_;
  };

  Refusal fits(const SpillAnswer& answer) const {
    FreeList list = state_.list;
    return Trial(*this, list).run(answer);
  }

  // --- one step ------------------------------------------------------------------------------------------------------

  SpillAnswer ask(int32_t step, ResultPlace place) {
    auto show = [&](TensorHome from, TensorHome to) {
      for (SpillTensor read : model_.reads(step)) {
        if (at(copiedUntil_, read) > step && at(home_, read) == from) at(home_, read) = to;
      }
    };
    show(TensorHome::InDram, TensorHome::CopiedBack);
    SpillAnswer answer = model_.ask(step, place, home_, state_.occupied);
    show(TensorHome::CopiedBack, TensorHome::InDram);
    return answer;
  }

  // The step to go on with: the next one, or an earlier one whose result may not stay in L1.
  int32_t runStep(int32_t step) {
    ResultPlace place = at(out_.place, step);
    while (true) {
      SpillAnswer answer = ask(step, place);
      if (answer.status == OpStatus::Success) {
        Refusal refused = fits(answer);
        if (refused == Refusal::None) {
          out_.failed.erase(std::remove(out_.failed.begin(), out_.failed.end(), step), out_.failed.end());
          commit(step, place, answer);
          return step + 1;
        }
        answer.status = OpStatus::OutOfMemory;
        answer.reason = refused;
      }
      if (answer.status == OpStatus::NotImplemented) {
        evictAll(step, answer);
        commit(step, place, answer);
        return step + 1;
      }
      if (answer.status == OpStatus::MetalBackendError) {
        if (stepDown(step, place, answer)) continue;
        return giveUp(step, place, answer);
      }
      SpillTensor victim = chooseVictim(step, place, answer);
      if (victim >= 0) {
        int32_t from = evict(step, victim, answer);
        if (from < step) return from;
        continue;
      }
      if (!stepDown(step, place, answer)) return giveUp(step, place, answer);
    }
  }

  void commit(int32_t step, ResultPlace place, const SpillAnswer& answer) {
    std::vector<int64_t> addresses;
    for (const SpillMove& move : answer.moves) {
      addresses.push_back(move.bytes > 0 ? state_.list.allocate(move.bytes).value_or(-1) : -1);
      if (move.freedAfter >= 0) release(move.freedAfter);
      int64_t& freed = addresses[static_cast<size_t>(std::max(move.freedMove, 0))];
      if (move.freedMove < 0 || freed < 0) continue;
      state_.list.free(freed);
      freed = -1;
    }
    for (size_t i = 0; i < model_.makes(step).size(); ++i) {
      SpillTensor made = model_.makes(step)[i];
      bool inL1 = i == 0 && answer.resultBytes > 0;
      if (!inL1) at(home_, made) = TensorHome::InDram;
      else if (answer.aliasOf >= 0) addAlias(made, answer.aliasOf);
      else hold(made, answer.resultMove >= 0 ? std::exchange(at(addresses, answer.resultMove), -1) : -1, answer.resultBytes, answer.leaveBuffers);
    }
    for (int64_t address : addresses) {
      if (address >= 0) state_.list.free(address);
    }
    at(out_.place, step) = place;
    model_.commit(step);
  }

  void addAlias(SpillTensor name, SpillTensor of) {
    for (const Resident& r : state_.live) {
      if (r.tensor != of) continue;
      int64_t address = r.address, leaveBuffers = r.leaveBuffers;
      at(home_, name) = TensorHome::InL1;
      state_.live.push_back({name, address, 0, leaveBuffers});
      return;
    }
    at(home_, name) = TensorHome::InDram;
  }

  // What nobody reads any more goes, and what was found to leave right after it was made.
  void finish(int32_t step) {
    for (SpillTensor tensor : at(leaving_, step + 1)) {
      if (at(home_, tensor) == TensorHome::InL1) at(out_.evictedAt, tensor) = step + 1;
    }
    for (size_t i = 0; i < state_.live.size();) {
      SpillTensor tensor = state_.live[i].tensor;
      const SpillTensorInfo& info = at(model_.tensors(), tensor);
      bool over = info.def >= 0 && info.lastUse <= step;
      bool leaves = at(out_.evictedAt, tensor) >= 0 && at(out_.evictedAt, tensor) <= step + 1;
      if (over || leaves) {
        at(home_, tensor) = TensorHome::InDram;
        release(tensor);
      } else {
        ++i;
      }
    }
  }

  bool stepDown(int32_t step, ResultPlace& place, const SpillAnswer& answer) {
    for (ResultPlace next : model_.ladder(step)) {
      if (next <= place) continue;
      SpillTensor made = model_.makes(step).empty() ? -1 : model_.makes(step)[0];
      log({step, SpillAction::Demote, made, next, answer.reason, state_.occupied, state_.occupied, answer.resultBytes + answer.circularBuffers});
      place = next;
      return true;
    }
    return false;
  }

  int32_t giveUp(int32_t step, ResultPlace place, const SpillAnswer& answer) {
    SpillTensor made = model_.makes(step).empty() ? -1 : model_.makes(step)[0];
    log({step, SpillAction::Fail, made, place, answer.reason, state_.occupied, state_.occupied, answer.resultBytes + answer.circularBuffers});
    if (std::find(out_.failed.begin(), out_.failed.end(), step) == out_.failed.end()) out_.failed.push_back(step);
    commit(step, place, answer);
    return step + 1;
  }

  // --- victims -------------------------------------------------------------------------------------------------------

  // Whether `a` should leave rather than `b`.
  bool leavesRather(SpillTensor a, int64_t bytesA, SpillTensor b, int64_t bytesB, int32_t step) const {
    const SpillTensorInfo& ia = at(model_.tensors(), a);
    const SpillTensorInfo& ib = at(model_.tensors(), b);
    switch (settings_.victim) {
      case VictimRule::LongestLifetime:
        if (ia.lifetimeEnd != ib.lifetimeEnd) return ia.lifetimeEnd > ib.lifetimeEnd;
        break;
      case VictimRule::FarthestLastUse: break;
      case VictimRule::FarthestNextUse: {
        int32_t na = model_.nextUse(a, step), nb = model_.nextUse(b, step);
        if (na != nb) return na > nb;
        break;
      }
      case VictimRule::CostPerByte: {
        // costA / bytesA < costB / bytesB, without dividing
        int64_t left = mulSaturated(model_.evictionCost(a, step), std::max<int64_t>(bytesB, 1));
        int64_t right = mulSaturated(model_.evictionCost(b, step), std::max<int64_t>(bytesA, 1));
        if (left != right) return left < right;
        break;
      }
    }
    if (ia.lastUse != ib.lastUse) return ia.lastUse > ib.lastUse;
    return a < b;
  }

  SpillTensor chooseVictim(int32_t step, ResultPlace place, const SpillAnswer& answer) const {
    const Resident* best = nullptr;
    for (const Resident& r : state_.live) {
      const SpillTensorInfo& info = at(model_.tensors(), r.tensor);
      if (!info.evictable || info.def < 0) continue;
      if (!best || leavesRather(r.tensor, r.bytes, best->tensor, best->bytes, step)) best = &r;
    }
    if (!best) return -1;
    bool canStepDown = false;
    for (ResultPlace next : model_.ladder(step)) canStepDown = canStepDown || next > place;
    bool self = settings_.selfMayLeave && canStepDown && answer.resultBytes > 0 && !model_.makes(step).empty();
    if (self && leavesRather(model_.makes(step)[0], answer.resultBytes, best->tensor, best->bytes, step)) return -1;
    return best->tensor;
  }

  // Where the sweep goes on.
  int32_t evict(int32_t step, SpillTensor victim, const SpillAnswer& answer) {
    int64_t before = state_.occupied;
    int32_t def = at(model_.tensors(), victim).def;
    bool goBack = !settings_.late && def < step;
    if (goBack && ++out_.rewinds > 4 * model_.steps() + 64) {
      out_.gaveUp = true;
      goBack = false;
    }
    at(out_.evictedAt, victim) = goBack ? def + 1 : step;
    // It has just come back for this step, and must not: it was never back.
    auto& absences = out_.absences;
    if (!absences.empty() && absences.back().until == step) {
      auto back = std::find_if(absences.begin(), absences.end(), [&](const SpillAbsence& a) { return a.tensor == victim && a.until == step; });
      if (back != absences.end()) at(out_.evictedAt, victim) = back->from, absences.erase(back);
    }
    if (goBack && settings_.copyBack) at(copiedUntil_, victim) = step;
    release(victim);
    at(home_, victim) = TensorHome::InDram;
    log({step, SpillAction::Evict, victim, ResultPlace::Dram, answer.reason, before, state_.occupied, answer.resultBytes + answer.circularBuffers});
    return goBack ? def : step;
  }

  void evictAll(int32_t step, const SpillAnswer& answer) {
    std::vector<SpillTensor> live;
    for (const Resident& r : state_.live) {
      if (at(model_.tensors(), r.tensor).evictable && at(model_.tensors(), r.tensor).def >= 0) live.push_back(r.tensor);
    }
    for (SpillTensor tensor : live) {
      int64_t before = state_.occupied;
      at(out_.evictedAt, tensor) = settings_.late ? step : at(model_.tensors(), tensor).def + 1;
      release(tensor);
      at(home_, tensor) = TensorHome::InDram;
      log({step, SpillAction::EvictAll, tensor, ResultPlace::Dram, answer.reason, before, state_.occupied, 0});
    }
  }

  void log(const SpillEvent& event) { out_.events.push_back(event); }

  SpillModel& model_;
  const SpillSettings& settings_;
  L1State state_;
  std::vector<TensorHome> home_;
  std::vector<int32_t> copiedUntil_;  // by tensor: readers before this step get copies
  std::vector<Resident> lastHeld_;    // by tensor: when it left
  std::vector<std::vector<SpillTensor>> leaving_, returning_;  // by step
  std::vector<Checkpoint> checkpoints_;
  size_t nextTidy_ = 32;
  SpillOutcome out_;
};

}  // namespace

SpillOutcome sweepSpills(SpillModel& model, const SpillSettings& settings, const SpillChoice& chosen) { return Sweep(model, settings, chosen).run(); }

}  // namespace tessera

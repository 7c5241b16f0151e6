#include "core/policy/propagate/spill_sweep.h"

#include <algorithm>
#include <utility>

#include "core/support/units.h"

namespace tessera {

namespace {

template <class V>
decltype(auto) at(V& vector, int32_t index) {
  return vector[static_cast<size_t>(index)];
}

class Sweep {
 public:
  Sweep(SpillModel& model, const SpillSettings& settings, const SpillChoice& chosen)
      : model_(model),
        settings_(settings),
        l1_(settings.begin, settings.end, settings.granule, Bytes(settings.cushion)) {
    size_t tensors = model.tensors().size();
    out_.evictedAt.assign(tensors, -1);
    out_.location.assign(static_cast<size_t>(model.steps()), ResultLocation::Planned);
    residency_.assign(tensors, Residency::Nowhere);
    copiedUntil_.assign(tensors, -1);
    for (int32_t step = 0; step < model.steps(); ++step) {
      bool inDram = false;
      for (SpillTensor made : model.makes(step))
        inDram = inDram || (!chosen.startsInDram.empty() && chosen.startsInDram[static_cast<size_t>(made)]);
      if (inDram && model.fallbacks(step).size() > 1) at(out_.location, step) = ResultLocation::Dram;
    }
    for (size_t t = 0; t < chosen.evictBefore.size(); ++t) {
      if (chosen.evictBefore[t] < 0) continue;
      auto tensor = static_cast<SpillTensor>(t);
      at(out_.evictedAt, tensor) = settings.late ? chosen.evictBefore[t] : at(model.tensors(), tensor).def + 1;
      log({chosen.evictBefore[t], SpillAction::Evict, tensor, ResultLocation::Dram, Refusal::OutOfL1, 0, 0, 0});
    }
    lastHeld_.resize(tensors);
    leaving_.resize(static_cast<size_t>(model.steps()) + 1);
    returning_.resize(static_cast<size_t>(model.steps()) + 1);
    for (const SpillAbsence& absence : chosen.absences) {
      at(leaving_, absence.from).push_back(absence.tensor);
      if (absence.until >= 0) at(returning_, absence.until).push_back(absence.tensor);
      log({absence.from, SpillAction::Evict, absence.tensor, ResultLocation::Dram, Refusal::OutOfL1, 0, 0, 0});
    }
  }

  SpillOutcome run() {
    const auto& tensors = model_.tensors();
    for (SpillTensor t = 0; t < static_cast<SpillTensor>(tensors.size()); ++t) {
      int64_t bytes = model_.initialBytes(t);
      if (bytes >= 0) enter(t, {.allocate = Bytes(bytes), .tensor = t});
      else if (at(tensors, t).def < 0) at(residency_, t) = Residency::InDram;
    }
    int32_t step = 0;
    while (step < model_.steps()) {
      if (!settings_.late) saveCheckpoint(step);
      reload(step);
      int32_t next = runStep(step);
      if (next > step) finish(step);
      else restore(next, step);
      step = next;
    }
    out_.finalOccupied = l1_.occupied().count;
    out_.finalLive = static_cast<int32_t>(l1_.residents().size());
    return std::move(out_);
  }

 private:
  // --- checkpoints: only where a tensor that is still there was made -------------------------------------------------

  struct Checkpoint {
    int32_t step;
    L1Contents l1;
  };

  void saveCheckpoint(int32_t step) {
    if (model_.makes(step).empty()) return;
    while (!checkpoints_.empty() && checkpoints_.back().step >= step) checkpoints_.pop_back();
    checkpoints_.push_back({step, l1_});
    if (checkpoints_.size() < nextTidy_) return;
    // Those of tensors that have gone are of no use; kept tidy now and then, so that the work stays linear.
    std::vector<Checkpoint> kept;
    for (Checkpoint& checkpoint : checkpoints_) {
      bool used = checkpoint.step == step;
      for (const L1Contents::Resident& r : l1_.residents())
        used = used || at(model_.tensors(), r.tensor).def == checkpoint.step;
      if (used) kept.push_back(std::move(checkpoint));
    }
    checkpoints_ = std::move(kept);
    nextTidy_ = 2 * checkpoints_.size() + 16;
  }

  // Back to the start of `step` from the middle of `from`.
  void restore(int32_t step, int32_t from) {
    while (!checkpoints_.empty() && checkpoints_.back().step > step) checkpoints_.pop_back();
    TESSERA_CHECK(!checkpoints_.empty() && checkpoints_.back().step == step, "no checkpoint to go back to");
    l1_ = checkpoints_.back().l1;
    for (int32_t s = step; s <= from; ++s) {
      for (SpillTensor made : model_.makes(s)) at(residency_, made) = Residency::Nowhere;
    }
    for (const L1Contents::Resident& r : l1_.residents()) at(residency_, r.tensor) = Residency::InL1;
  }

  // --- what enters and leaves L1 -------------------------------------------------------------------------------------

  void enter(SpillTensor tensor, const L1Move& move) {
    l1_.commit({move});
    at(residency_, tensor) = Residency::InL1;
  }

  void leave(SpillTensor tensor) {
    if (const L1Contents::Resident* resident = l1_.find(tensor)) at(lastHeld_, tensor) = *resident;
    l1_.release(tensor);
    at(residency_, tensor) = Residency::InDram;
  }

  // What was chosen to be back by now, where there is room for it; else it stays where it is.
  void reload(int32_t step) {
    for (SpillTensor tensor : at(returning_, step)) {
      const L1Contents::Resident& was = at(lastHeld_, tensor);
      if (at(out_.evictedAt, tensor) < 0 || at(residency_, tensor) != Residency::InDram || was.bytes.count <= 0)
        continue;
      const L1Move back{.allocate = was.bytes, .tensor = tensor, .evictionBuffers = was.evictionBuffers};
      if (!l1_.fit({back}, Bytes(0)).ok()) continue;
      enter(tensor, back);
      out_.absences.push_back({tensor, std::exchange(at(out_.evictedAt, tensor), -1), step});
    }
  }

  // --- one step ------------------------------------------------------------------------------------------------------

  SpillAnswer ask(int32_t step, ResultLocation location) {
    auto show = [&](Residency from, Residency to) {
      for (SpillTensor read : model_.reads(step)) {
        if (at(copiedUntil_, read) > step && at(residency_, read) == from) at(residency_, read) = to;
      }
    };
    show(Residency::InDram, Residency::CopiedBack);
    SpillAnswer answer = model_.ask(step, location, residency_, l1_.occupied());
    show(Residency::CopiedBack, Residency::InDram);
    return answer;
  }

  // The step to go on with: the next one, or an earlier one whose result may not stay in L1.
  int32_t runStep(int32_t step) {
    ResultLocation location = at(out_.location, step);
    while (true) {
      SpillAnswer answer = ask(step, location);
      if (answer.status == OpStatus::Success) {
        const L1Fit fit = l1_.fit(answer.moves, answer.circularBuffers);
        if (fit.ok()) {
          out_.failed.erase(std::remove(out_.failed.begin(), out_.failed.end(), step), out_.failed.end());
          commit(step, location, answer);
          return step + 1;
        }
        answer.status = OpStatus::OutOfMemory;
        answer.reason = fit.reason, answer.needed = fit.needed, answer.available = fit.available;
      }
      if (answer.status == OpStatus::NotImplemented) {
        const int32_t from = evictAll(step, answer);
        if (from < step) return from;
        commit(step, location, ask(step, location));  // reads what was evicted where it is now
        return step + 1;
      }
      if (answer.status == OpStatus::MetalBackendError) {
        if (demote(step, location, answer)) continue;
        return fail(step, location, answer);
      }
      SpillTensor victim = chooseVictim(step, location, answer);
      if (victim >= 0) {
        int32_t from = evict(step, victim, answer);
        if (from < step) return from;
        continue;
      }
      if (!demote(step, location, answer)) return fail(step, location, answer);
    }
  }

  void commit(int32_t step, ResultLocation location, const SpillAnswer& answer) {
    l1_.commit(answer.moves);
    for (SpillTensor made : model_.makes(step))
      at(residency_, made) = l1_.find(made) ? Residency::InL1 : Residency::InDram;
    at(out_.location, step) = location;
    model_.commit(step);
  }

  // What nobody reads any more goes, and what was found to leave right after it was made.
  void finish(int32_t step) {
    for (SpillTensor tensor : at(leaving_, step + 1)) {
      if (at(residency_, tensor) == Residency::InL1) at(out_.evictedAt, tensor) = step + 1;
    }
    for (size_t i = 0; i < l1_.residents().size();) {
      SpillTensor tensor = l1_.residents()[i].tensor;
      const SpillTensorInfo& info = at(model_.tensors(), tensor);
      bool over = info.def >= 0 && info.lastUse <= step;
      bool leaves = at(out_.evictedAt, tensor) >= 0 && at(out_.evictedAt, tensor) <= step + 1;
      if (over || leaves) leave(tensor);
      else ++i;
    }
  }

  bool demote(int32_t step, ResultLocation& location, const SpillAnswer& answer) {
    for (ResultLocation next : model_.fallbacks(step)) {
      if (next <= location) continue;
      SpillTensor made = model_.makes(step).empty() ? -1 : model_.makes(step)[0];
      log(eventOf(step, SpillAction::Demote, made, next, answer, occupied()));
      location = next;
      return true;
    }
    return false;
  }

  int32_t fail(int32_t step, ResultLocation location, const SpillAnswer& answer) {
    SpillTensor made = model_.makes(step).empty() ? -1 : model_.makes(step)[0];
    log(eventOf(step, SpillAction::Fail, made, location, answer, occupied()));
    if (std::find(out_.failed.begin(), out_.failed.end(), step) == out_.failed.end()) out_.failed.push_back(step);
    commit(step, location, answer);
    return step + 1;
  }

  // --- victims -------------------------------------------------------------------------------------------------------

  // Whether `a` should leave rather than `b`.
  bool isBetterVictim(SpillTensor a, int64_t bytesA, SpillTensor b, int64_t bytesB, int32_t step) const {
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

  SpillTensor chooseVictim(int32_t step, ResultLocation location, const SpillAnswer& answer) const {
    const L1Contents::Resident* best = nullptr;
    for (const L1Contents::Resident& r : l1_.residents()) {
      const SpillTensorInfo& info = at(model_.tensors(), r.tensor);
      if (!info.evictable || info.def < 0) continue;
      if (!best || isBetterVictim(r.tensor, r.bytes.count, best->tensor, best->bytes.count, step)) best = &r;
    }
    if (!best) return -1;
    bool canDemote = false;
    for (ResultLocation next : model_.fallbacks(step)) canDemote = canDemote || next > location;
    bool self = settings_.selfMayLeave && canDemote && answer.result.count > 0 && !model_.makes(step).empty();
    if (self && isBetterVictim(model_.makes(step)[0], answer.result.count, best->tensor, best->bytes.count, step))
      return -1;
    return best->tensor;
  }

  // Where the sweep goes on.
  int32_t evict(int32_t step, SpillTensor victim, const SpillAnswer& answer) {
    const int64_t before = occupied();
    const int32_t from = leaveBefore(step, victim);
    log(eventOf(step, SpillAction::Evict, victim, ResultLocation::Dram, answer, before));
    return from;
  }

  // A tensor leaves L1 for this step, or right after it was made: then what read it since is asked again.
  int32_t leaveBefore(int32_t step, SpillTensor victim) {
    int32_t def = at(model_.tensors(), victim).def;
    bool goBack = !settings_.late && def < step;
    if (goBack && ++out_.rewinds > 4 * model_.steps() + 64) {
      out_.rewindsExhausted = true;
      goBack = false;
    }
    at(out_.evictedAt, victim) = goBack ? def + 1 : step;
    // It has just come back for this step, and must not: it was never back.
    auto& absences = out_.absences;
    if (!absences.empty() && absences.back().until == step) {
      auto back = std::find_if(absences.begin(), absences.end(),
                               [&](const SpillAbsence& a) { return a.tensor == victim && a.until == step; });
      if (back != absences.end()) at(out_.evictedAt, victim) = back->from, absences.erase(back);
    }
    if (goBack && settings_.copyBack) at(copiedUntil_, victim) = step;
    leave(victim);
    return goBack ? def : step;
  }

  // Where the sweep goes on.
  int32_t evictAll(int32_t step, const SpillAnswer& answer) {
    std::vector<SpillTensor> live;
    for (const L1Contents::Resident& r : l1_.residents()) {
      if (at(model_.tensors(), r.tensor).evictable && at(model_.tensors(), r.tensor).def >= 0) live.push_back(r.tensor);
    }
    int32_t from = step;
    for (SpillTensor tensor : live) {
      const int64_t before = occupied();
      from = std::min(from, leaveBefore(step, tensor));
      log({step, SpillAction::EvictAll, tensor, ResultLocation::Dram, answer.reason, before, occupied(), 0});
    }
    return from;
  }

  int64_t occupied() const { return l1_.occupied().count; }
  SpillEvent eventOf(int32_t step, SpillAction action, SpillTensor tensor, ResultLocation to, const SpillAnswer& answer,
                     int64_t before) const {
    const int64_t wanted = (answer.result + answer.circularBuffers).count;
    return {step,
            action,
            tensor,
            to,
            answer.reason,
            before,
            occupied(),
            wanted,
            answer.needed.count,
            answer.available.count};
  }
  void log(const SpillEvent& event) { out_.events.push_back(event); }

  SpillModel& model_;
  const SpillSettings& settings_;
  L1Contents l1_;
  std::vector<Residency> residency_;
  std::vector<int32_t> copiedUntil_;                           // by tensor: readers before this step get copies
  std::vector<L1Contents::Resident> lastHeld_;                 // by tensor: when it left
  std::vector<std::vector<SpillTensor>> leaving_, returning_;  // by step
  std::vector<Checkpoint> checkpoints_;
  size_t nextTidy_ = 32;
  SpillOutcome out_;
};

}  // namespace

SpillOutcome sweepSpills(SpillModel& model, const SpillSettings& settings, const SpillChoice& chosen) {
  return Sweep(model, settings, chosen).run();
}

}  // namespace tessera

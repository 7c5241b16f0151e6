#include "core/policy/propagate/spill_scenario.h"

#include <algorithm>

namespace tessera {

namespace {

class ScenarioModel final : public SpillModel {
 public:
  explicit ScenarioModel(const SpillScenario& scenario) : scenario_(scenario) {
    auto count = static_cast<int32_t>(scenario.ops.size());
    tensors_.resize(scenario.ops.size());
    for (int32_t i = 0; i < count; ++i) {
      SpillTensorInfo& info = tensors_[static_cast<size_t>(i)];
      info.def = info.lastUse = i;
      info.evictable = !op(i).fixed;
      reads_.push_back(op(i).inputs);
      makes_.push_back(op(i).isSink ? std::vector<SpillTensor>() : std::vector<SpillTensor>{i});
      for (int32_t input : op(i).inputs) tensors_[static_cast<size_t>(input)].lastUse = i;
    }
    for (SpillTensorInfo& info : tensors_) info.lifetimeEnd = info.lastUse;
    for (int32_t i : scenario.returned) tensors_[static_cast<size_t>(i)].lifetimeEnd = count;
  }

  int32_t steps() const override { return static_cast<int32_t>(scenario_.ops.size()); }
  const std::vector<SpillTensorInfo>& tensors() const override { return tensors_; }
  const std::vector<SpillTensor>& reads(int32_t step) const override { return reads_[static_cast<size_t>(step)]; }
  const std::vector<SpillTensor>& makes(int32_t step) const override { return makes_[static_cast<size_t>(step)]; }
  int64_t initialBytes(SpillTensor) const override { return -1; }
  const std::vector<ResultLocation>& fallbacks(int32_t step) const override {
    return op(step).l1 > 0 && !op(step).isSink ? kDram : kNone;
  }
  void commit(int32_t) override {}
  int64_t evictionCost(SpillTensor tensor, int32_t) const override { return op(tensor).l1; }

  int32_t nextUse(SpillTensor tensor, int32_t step) const override {
    for (int32_t at = std::max(step, 0); at < steps(); ++at) {
      const auto& inputs = op(at).inputs;
      if (std::find(inputs.begin(), inputs.end(), tensor) != inputs.end()) return at;
    }
    return steps();
  }

  SpillAnswer ask(int32_t step, ResultLocation location, const std::vector<Residency>& residency, Bytes live) override {
    const ScenarioOp& o = op(step);
    const bool inDram = location != ResultLocation::Planned;
    SpillAnswer answer;
    answer.circularBuffers = Bytes(inDram && o.dramCircularBuffers >= 0 ? o.dramCircularBuffers : o.circularBuffers);
    answer.result = Bytes(inDram || o.isSink ? 0 : o.l1);
    L1Move result{.allocate = answer.result, .tensor = step};
    if (o.forced) {
      answer.status = *o.forced;
      if (answer.result.count > 0) answer.moves.push_back(result);
      return answer;
    }
    int64_t others = live.count;
    for (int32_t input : o.inputs) {
      const Residency at = residency[static_cast<size_t>(input)];
      // What the op does not read from DRAM comes back to where it was.
      if (at == Residency::InL1) others -= op(input).l1;
      else if (o.requiresL1Input || at == Residency::CopiedBack)
        answer.moves.push_back({.allocate = Bytes(op(input).l1)});
    }
    if (o.requiresL1Input && o.readsArgument) {
      answer.status = OpStatus::MetalBackendError;
      return answer;
    }
    const bool shares =
        o.isView && !inDram && !o.inputs.empty() && residency[static_cast<size_t>(o.inputs[0])] == Residency::InL1;
    if (shares) result = {.tensor = step, .aliasOf = o.inputs[0]};
    if (answer.result.count > 0) answer.moves.push_back(result);
    if (others + result.allocate.count > scenario_.budget) {
      answer.status = OpStatus::OutOfMemory;
      answer.reason = Refusal::OutOfL1;
    }
    return answer;
  }

 private:
  const ScenarioOp& op(int32_t index) const { return scenario_.ops[static_cast<size_t>(index)]; }

  const std::vector<ResultLocation> kDram = {ResultLocation::Dram};
  const std::vector<ResultLocation> kNone;
  const SpillScenario& scenario_;
  std::vector<SpillTensorInfo> tensors_;
  std::vector<std::vector<SpillTensor>> reads_, makes_;
};

void addOnce(std::vector<int32_t>& to, int32_t item) {
  if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

}  // namespace

ScenarioResult runScenario(const SpillScenario& scenario) {
  ScenarioModel model(scenario);
  SpillSettings settings;
  settings.end = scenario.budget;
  settings.cushion = scenario.budget / 10;
  settings.victim = VictimRule::FarthestLastUse;
  settings.late = false;
  settings.copyBack = true;
  settings.selfMayLeave = false;
  ScenarioResult result;
  result.outcome = sweepSpills(model, settings);
  for (const SpillEvent& event : result.outcome.events) {
    if (event.action == SpillAction::Evict || event.action == SpillAction::EvictAll)
      addOnce(result.evictions, event.tensor);
    if (event.action == SpillAction::Demote) addOnce(result.demoted, event.tensor);
    // A status that the op always gives was answered by the demotion; what finds no address cannot run at all.
    bool noAddress = event.reason == Refusal::NoHole || event.reason == Refusal::CircularBufferClash;
    const auto& failed = result.outcome.failed;
    if (event.action != SpillAction::Fail || !noAddress ||
        std::find(failed.begin(), failed.end(), event.step) == failed.end())
      continue;
    result.fails = true;
    result.diagnostic = scenario.ops[static_cast<size_t>(event.step)].name +
                        " cannot be placed: " + std::string(refusalText(event.reason));
  }
  return result;
}

}  // namespace tessera

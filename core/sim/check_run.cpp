#include "core/sim/check_run.h"

#include <algorithm>
#include <map>
#include <set>

namespace tessera {

std::string_view runRuleName(RunRule rule) {
  switch (rule) {
    case RunRule::StepsDiffer: return "steps-differ";
    case RunRule::Overlap: return "overlap";
    case RunRule::OutOfRange: return "out-of-range";
    case RunRule::WrongSize: return "wrong-size";
    case RunRule::UseOfFreed: return "use-of-freed";
    case RunRule::FreeOfNothing: return "free-of-nothing";
    case RunRule::Leak: return "leak";
    case RunRule::BuffersDiffer: return "buffers-differ";
    case RunRule::PeakDiffers: return "peak-differs";
    case RunRule::MissedClash: return "missed-clash";
    case RunRule::VerdictDiffers: return "verdict-differs";
    case RunRule::TotalsDiffer: return "totals-differ";
  }
  return "";
}

namespace {

struct Live {
  DeviceMemory space;
  int64_t address;
  int64_t bytes;
  int32_t since;
};

struct Recount {
  const Graph& graph;
  const SimResult& run;
  const DeviceSpec& device;
  std::vector<RunDefect> defects;
  std::map<ValueId, Live> live;
  std::set<ValueId> failed;  // found no room
  std::vector<SimBuffer> seen;
  int64_t peak = 0;
  int32_t failures = 0;

  std::string name(ValueId v) const { return v.valid() ? "%" + graph.values[v].name : "-"; }
  void fail(RunRule rule, std::string text) { defects.push_back({rule, std::move(text)}); }

  void onAlloc(const SimEvent& e) {
    const auto& type = graph.values[e.value].type;
    bool sized = type.isTensor() && type.tensor->layout;
    int64_t wanted = 0;
    if (sized) wanted = e.space == DeviceMemory::L1 ? l1BytesPerCore(*type.tensor->layout).count : dramBytesPerBank(*type.tensor->layout, device).count;
    int64_t granule = device.dramAlignment;
    if (!sized || e.bytes < wanted || e.bytes >= wanted + granule + 1) fail(RunRule::WrongSize, name(e.value));
    int64_t low = e.space == DeviceMemory::L1 ? device.l1UnreservedBase.count : 0;
    int64_t high = e.space == DeviceMemory::L1 ? device.l1Size.count - device.l1Small.count : device.dramBankSize.count;
    if (e.address < low || e.address + e.bytes > high || e.address % granule != 0) fail(RunRule::OutOfRange, name(e.value));
    for (const auto& [other, at] : live) {
      bool apart = at.space != e.space || at.address + at.bytes <= e.address || e.address + e.bytes <= at.address;
      if (!apart) fail(RunRule::Overlap, name(e.value) + " and " + name(other));
    }
    if (!live.insert({e.value, {e.space, e.address, e.bytes, e.step}}).second) fail(RunRule::Overlap, name(e.value) + " allocated twice");
  }

  void onFree(const SimEvent& e) {
    auto it = live.find(e.value);
    bool known = it != live.end() && it->second.address == e.address && it->second.bytes == e.bytes;
    if (!known) return fail(RunRule::FreeOfNothing, name(e.value));
    seen.push_back({e.value, e.space, e.address, e.bytes, std::max(it->second.since, 0), e.step});
    live.erase(it);
  }

  // Between an op's allocations and its frees: what it reads must be there, and its circular buffers must not reach a tensor.
  // Returns whether they do.
  bool onRun(int32_t step, bool clashReported) {
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    for (ValueId operand : graph.ops[s.op].operands) {
      const auto& type = graph.values[operand].type;
      bool onDevice = type.isTensor() && type.tensor->layout && type.tensor->layout->buffer != BufferType::SystemMemory;
      if (onDevice && !live.count(operand) && !failed.count(operand)) fail(RunRule::UseOfFreed, name(operand) + " at step " + std::to_string(step));
    }
    int64_t tensors = 0, lowest = device.l1Size.count - device.l1Small.count;
    for (const auto& [value, at] : live) {
      if (at.space != DeviceMemory::L1) continue;
      tensors += at.bytes;
      lowest = std::min(lowest, at.address);
    }
    if (tensors != s.tensorsL1.count) fail(RunRule::PeakDiffers, "step " + std::to_string(step) + ": " + std::to_string(tensors) + " B of tensors");
    int64_t cb = s.circularBuffersL1.count, base = (device.l1UnreservedBase.count + device.dramAlignment - 1) / device.dramAlignment * device.dramAlignment;
    bool clash = cb > 0 && base + cb > lowest;
    if (clash != clashReported) fail(RunRule::MissedClash, "step " + std::to_string(step));
    peak = std::max(peak, tensors + cb);
    return clash;
  }

  // The first failure of a step gives its verdict: allocation comes before the run.
  void onVerdict(int32_t step, bool clash, bool outOfMemory) {
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    RunVerdict expected = outOfMemory ? RunVerdict::OutOfMemory : clash ? RunVerdict::Clash : RunVerdict::Fine;
    if (s.verdict != expected) fail(RunRule::VerdictDiffers, "step " + std::to_string(step));
    failures += expected != RunVerdict::Fine;
  }

  void checkEnd() {
    auto last = static_cast<int32_t>(run.steps.size()) - 1;
    const Function& func = graph.funcs[graph.forward];
    const auto& returned = graph.ops[func.ops.back()].operands;
    for (const auto& [value, at] : live) {
      bool isArgument = !graph.values[value].producer.valid();
      bool isReturned = std::find(returned.begin(), returned.end(), value) != returned.end();
      if (!isArgument && !isReturned) fail(RunRule::Leak, name(value) + " is never freed");
      seen.push_back({value, at.space, at.address, at.bytes, std::max(at.since, 0), last});
    }
    auto key = [](const SimBuffer& b) { return std::tuple(b.value, b.space, b.address, b.bytes, b.from, b.to); };
    std::vector<SimBuffer> listed = run.buffers;
    auto less = [&](const SimBuffer& a, const SimBuffer& b) { return key(a) < key(b); };
    std::sort(listed.begin(), listed.end(), less);
    std::sort(seen.begin(), seen.end(), less);
    bool same = std::equal(listed.begin(), listed.end(), seen.begin(), seen.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
    if (!same) fail(RunRule::BuffersDiffer, std::to_string(listed.size()) + " listed, " + std::to_string(seen.size()) + " by the events");
    if (peak != run.peakL1.count) fail(RunRule::PeakDiffers, std::to_string(run.peakL1.count) + " reported, " + std::to_string(peak) + " by the events");
  }

  void checkTotals() {
    int64_t time = 0, dram = 0;
    for (const SimStep& s : run.steps) {
      time += s.time.fixed.count + std::max({s.time.compute.count, s.time.dram.count, s.time.noc.count});
      dram += s.time.dramBytes;
    }
    // Arguments that found no room count as failures before the first step.
    for (const SimEvent& e : run.events) failures += e.step < 0 && e.kind == EventKind::OutOfMemory;
    if (failures != run.failures) fail(RunRule::VerdictDiffers, std::to_string(run.failures) + " failures reported, " + std::to_string(failures) + " by the events");
    if (time != run.time.count || dram != run.dramBytes) fail(RunRule::TotalsDiffer, "time or DRAM bytes are not the sum of the steps");
  }
};

}  // namespace

std::vector<RunDefect> checkRun(const Graph& graph, const SimResult& run, const DeviceSpec& device) {
  Recount recount{graph, run, device, {}, {}, {}, {}, 0, 0};
  const auto& ops = graph.funcs[graph.forward].ops;
  bool oneStepPerOp = run.steps.size() == ops.size();
  for (size_t i = 0; oneStepPerOp && i < ops.size(); ++i) oneStepPerOp = run.steps[i].op == ops[i];
  if (!oneStepPerOp) return {{RunRule::StepsDiffer, std::to_string(run.steps.size()) + " steps for " + std::to_string(ops.size()) + " ops"}};

  // Events of a step: allocations and failures first, then its frees; the op runs in between.
  size_t next = 0;
  for (int32_t step = -1; step < static_cast<int32_t>(ops.size()); ++step) {
    bool clash = false, outOfMemory = false;
    for (; next < run.events.size() && run.events[next].step == step && run.events[next].kind != EventKind::Free; ++next) {
      const SimEvent& e = run.events[next];
      if (e.kind == EventKind::Alloc) recount.onAlloc(e);
      else if (e.kind == EventKind::OutOfMemory) recount.failed.insert(e.value), outOfMemory = true;
      else clash = true;
    }
    if (step >= 0) recount.onVerdict(step, recount.onRun(step, clash), outOfMemory);
    for (; next < run.events.size() && run.events[next].step == step && run.events[next].kind == EventKind::Free; ++next) recount.onFree(run.events[next]);
  }
  if (next != run.events.size()) recount.fail(RunRule::StepsDiffer, "events out of step order");
  recount.checkEnd();
  recount.checkTotals();
  return recount.defects;
}

}  // namespace tessera

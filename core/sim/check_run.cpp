#include "core/sim/check_run.h"

#include <algorithm>

#include "core/ops/table/op_table.h"
#include "core/plan/shared_buffer.h"
#include "core/sim/memory_recount.h"

namespace tessera {

std::string_view runRuleName(RunRule rule) {
  switch (rule) {
    case RunRule::StepsDiffer: return "steps-differ";
    case RunRule::Overlap: return "overlap";
    case RunRule::OutOfRange: return "out-of-range";
    case RunRule::WrongSize: return "wrong-size";
    case RunRule::NotAView: return "not-a-view";
    case RunRule::UseOfFreed: return "use-of-freed";
    case RunRule::FreeOfNothing: return "free-of-nothing";
    case RunRule::Leak: return "leak";
    case RunRule::FreedByNobody: return "freed-by-nobody";
    case RunRule::BuffersDiffer: return "buffers-differ";
    case RunRule::PeakDiffers: return "peak-differs";
    case RunRule::StatisticsDiffer: return "statistics-differ";
    case RunRule::CircularBuffersDiffer: return "circular-buffers-differ";
    case RunRule::MissedClash: return "missed-clash";
    case RunRule::VerdictDiffers: return "verdict-differs";
    case RunRule::TotalsDiffer: return "totals-differ";
  }
  return "";
}

namespace {

constexpr int32_t kNever = INT32_MAX;

// Operand 0 is written where it is, and wanted later.
bool writesInto(std::string_view op) {
  if (op == "ttnn.adamw") return true;
  if (op.rfind("ttnn.", 0) != 0 && op.rfind("ttir.", 0) != 0) return false;
  const std::string_view bare = op.substr(5);
  return bare == "fill_cache" || bare == "update_cache" || bare == "paged_fill_cache" || bare == "paged_update_cache";
}

// Live ranges, from the graph alone.
struct Needs {
  IdVec<ValueId, int32_t> lastRead;  // -1: never read
  IdVec<ValueId, int32_t> killed;    // step of its deallocate op; kNever
  IdVec<ValueId, bool> stays;        // wanted after the run, or freed by the program alone

  Needs(const Graph& graph, Freeing freeing)
      : lastRead(graph.values.size(), -1),
        killed(graph.values.size(), kNever),
        stays(graph.values.size(), freeing == Freeing::ByTheProgram) {
    const Function& func = graph.funcs[graph.forward];
    for (size_t step = 0; step < func.ops.size(); ++step) {
      const Op& op = graph.ops[func.ops[step]];
      bool deallocates = op.name == "ttnn.deallocate" || op.name == "ttir.dealloc";
      if (writesInto(op.name) && !op.operands.empty()) stays[op.operands[0]] = true;
      for (ValueId result : op.results) stays[result] = stays[result] || op.name == "ttcore.load_cached";
      for (ValueId operand : op.operands) {
        lastRead[operand] = static_cast<int32_t>(step);
        if (deallocates && killed[operand] == kNever) killed[operand] = static_cast<int32_t>(step);
      }
    }
    for (ValueId arg : func.args) {
      const ArgRole role = graph.values[arg].role;
      const ValueType& type = graph.values[arg].type;
      const bool kept = role == ArgRole::Parameter || role == ArgRole::Constant || role == ArgRole::KvCache;
      const bool callers = type.isTensor() && type.tensor->layout && type.tensor->layout->buffer == BufferType::L1;
      stays[arg] = stays[arg] || kept || callers || lastRead[arg] < 0;
    }
    for (ValueId result : graph.ops[func.ops.back()].operands) stays[result] = true;
  }
  // The step after which the value does without its buffer.
  int32_t endOf(ValueId value, int32_t made) const {
    if (killed[value] != kNever) return killed[value];
    return stays[value] ? kNever : std::max(lastRead[value], made);
  }
};

// A buffer that is allocated, with everything that shares it.
struct Held {
  bool live = false;
  bool mapped = false;  // listed in its memory; not after an overlap
  int32_t until = -1;   // last step of its live range; kNever
};

struct Recount {
  const Graph& graph;
  const SimResult& run;
  const DeviceSpec& device;
  Needs needs;
  int64_t granule, base, top;
  MemoryRecount l1, small, dram;
  std::vector<RunDefect> defects;
  std::vector<Held> held;                            // by buffer
  IdVec<ValueId, int32_t> ownerOf;                   // the buffer a value lies in; -1: none (yet)
  IdVec<ValueId, bool> failed;                       // found no room
  IdVec<ValueId, std::optional<TensorLayout>> lies;  // where a value really is
  std::vector<std::vector<int32_t>> due;             // by step: buffers whose live range ends with it
  int32_t seen = 0;                                  // buffers so far
  int64_t peak = 0, peakSmall = 0, peakDram = 0;
  int32_t failures = 0;

  Recount(const Graph& g, const SimResult& r, const DeviceSpec& d)
      : graph(g),
        run(r),
        device(d),
        needs(g, r.freeing),
        granule(d.dramAlignment),
        base((d.l1UnreservedBase.count + granule - 1) / granule * granule),
        top((d.l1Size.count - d.l1Small.count) / granule * granule),
        l1(base, top),
        small(top, d.l1Size.count / granule * granule),
        dram(0, d.dramBankSize.count / granule * granule),
        held(r.buffers.size()),
        ownerOf(g.values.size(), -1),
        failed(g.values.size(), false),
        lies(g.values.size()),
        due(r.steps.size()) {}

  std::string name(ValueId v) const { return v.valid() ? "%" + graph.values[v].name : "an intermediate"; }
  static std::string at(int32_t step) { return " at step " + std::to_string(step); }
  void fail(RunRule rule, std::string text) { defects.push_back({rule, std::move(text)}); }
  MemoryRecount& memory(DeviceMemory space) {
    return space == DeviceMemory::L1 ? l1 : space == DeviceMemory::L1Small ? small : dram;
  }

  // The buffer that an allocation or alias begins; null when the list does not have it.
  const SimBuffer* begin(const SimEvent& e) {
    if (e.value.valid() && !isMadeAt(e.value, e.step))
      fail(RunRule::StepsDiffer, name(e.value) + " begins" + at(e.step));
    bool listed = e.buffer == seen && static_cast<size_t>(seen) < run.buffers.size();
    ++seen;
    if (!listed) {
      fail(RunRule::BuffersDiffer, name(e.value) + at(e.step) + " is not in the list");
      return nullptr;
    }
    const SimBuffer& b = run.buffers[static_cast<size_t>(e.buffer)];
    bool same = b.value == e.value && b.space == e.space && b.address == e.address && b.bytes == e.bytes &&
                b.from == std::max(e.step, 0);
    if (!same) fail(RunRule::BuffersDiffer, name(e.value) + at(e.step) + " is listed otherwise");
    return &b;
  }

  // Arguments are there before the first step, results from their op's on.
  bool isMadeAt(ValueId value, int32_t step) const {
    const OpId producer = graph.values[value].producer;
    return producer.valid() ? step >= 0 && run.steps[static_cast<size_t>(step)].op == producer : step < 0;
  }

  // What an op made: the type's layout, or the one its step says it produced instead.
  void settle(ValueId value, int32_t step) {
    const auto& type = graph.values[value].type;
    if (!type.isTensor() || !type.tensor->layout) return;
    lies[value] = *type.tensor->layout;
    if (step < 0) return;
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    if (!s.produced || !(*type.tensor->layout == *graph.values[graph.ops[s.op].results[0]].type.tensor->layout)) return;
    const TensorLayout& p = *s.produced;
    auto made = makeLayout(type.tensor->shape,
                           {.dtype = p.dtype,
                            .buffer = p.buffer,
                            .memory = p.memory,
                            .page = p.page,
                            .grid = p.grid,
                            .allowIdleCores = true},
                           device);
    if (!made.ok() || !(*made == p) || p == *lies[value])
      fail(RunRule::WrongSize, name(value) + " cannot be " + layoutText(p));
    lies[value] = p;
  }

  void onAlloc(const SimEvent& e) {
    const SimBuffer* buffer = begin(e);
    if (e.value.valid()) checkTensor(e);
    else checkIntermediate(e, buffer);
    MemoryRecount& space = memory(e.space);
    bool inside = space.contains(e.address, e.bytes) && e.address % granule == 0;
    if (!inside) fail(RunRule::OutOfRange, name(e.value) + at(e.step));
    bool mapped = inside && space.add(e.address, e.bytes);
    if (inside && !mapped) fail(RunRule::Overlap, name(e.value) + at(e.step) + " at " + std::to_string(e.address));
    if (!buffer) return;
    held[static_cast<size_t>(e.buffer)] = {true, mapped, -1};
    needUntil(e.buffer, e.value.valid() ? needs.endOf(e.value, e.step) : e.step);
    if (e.value.valid()) ownerOf[e.value] = e.buffer;
    peakSmall = std::max(peakSmall, small.used());
    peakDram = std::max(peakDram, dram.used());
  }

  void checkTensor(const SimEvent& e) {
    if (ownerOf[e.value] >= 0) fail(RunRule::Overlap, name(e.value) + " allocated twice");
    settle(e.value, e.step);
    const auto& layout = lies[e.value];
    if (!layout) return fail(RunRule::WrongSize, name(e.value) + " has no layout");
    bool onL1 = layout->buffer == BufferType::L1, onSmall = layout->buffer == BufferType::L1Small;
    DeviceMemory space = onL1 ? DeviceMemory::L1 : onSmall ? DeviceMemory::L1Small : DeviceMemory::Dram;
    int64_t wanted = onL1 || onSmall ? l1BytesPerCore(*layout).count : dramBytesPerBank(*layout, device).count;
    // Whole granules, at least one.
    bool rounded = e.bytes >= wanted && e.bytes < std::max<int64_t>(wanted, 1) + granule && e.bytes % granule == 0;
    if (space != e.space || !rounded) fail(RunRule::WrongSize, name(e.value));
  }

  void checkIntermediate(const SimEvent& e, const SimBuffer* buffer) {
    if (e.step < 0 || e.bytes <= 0 || e.bytes % granule != 0) fail(RunRule::WrongSize, "an intermediate" + at(e.step));
    if (buffer && buffer->name.empty()) fail(RunRule::BuffersDiffer, "an intermediate without a name" + at(e.step));
  }

  void needUntil(int32_t buffer, int32_t step) {
    held[static_cast<size_t>(buffer)].until = step;
    if (step >= 0 && step < static_cast<int32_t>(due.size())) due[static_cast<size_t>(step)].push_back(buffer);
  }

  void onAlias(const SimEvent& e) {
    const SimBuffer* buffer = begin(e);
    settle(e.value, e.step);
    if (!buffer) return;
    bool owned = buffer->aliasOf >= 0 && buffer->aliasOf < e.buffer && held[static_cast<size_t>(buffer->aliasOf)].live;
    if (!owned) return fail(RunRule::NotAView, name(e.value) + " shares nothing that is there");
    const SimBuffer& owner = run.buffers[static_cast<size_t>(buffer->aliasOf)];
    if (owner.space != e.space || owner.address != e.address || owner.bytes != e.bytes)
      fail(RunRule::NotAView, name(e.value) + " lies elsewhere");
    if (!mayShare(e.value, buffer->aliasOf)) fail(RunRule::NotAView, name(e.value));
    ownerOf[e.value] = buffer->aliasOf;
    needUntil(buffer->aliasOf,
              std::max(held[static_cast<size_t>(buffer->aliasOf)].until, needs.endOf(e.value, e.step)));
  }

  // The value is the first result of an op that leaves it in operand 0's buffer.
  bool mayShare(ValueId value, int32_t owner) const {
    OpId producer = graph.values[value].producer;
    if (!producer.valid() || graph.ops[producer].operands.empty() || graph.ops[producer].results[0] != value)
      return false;
    ValueId from = graph.ops[producer].operands[0];
    return ownerOf[from] == owner && lies[from] && lies[value] &&
           sharesFirstBuffer(graph, producer, *lies[from], *lies[value]);
  }

  void onFree(const SimEvent& e) {
    bool known =
        e.buffer >= 0 && static_cast<size_t>(e.buffer) < held.size() && held[static_cast<size_t>(e.buffer)].live;
    if (!known) return fail(RunRule::FreeOfNothing, name(e.value) + at(e.step));
    const SimBuffer& b = run.buffers[static_cast<size_t>(e.buffer)];
    Held& h = held[static_cast<size_t>(e.buffer)];
    if (b.value != e.value || b.address != e.address || b.space != e.space || b.bytes != e.bytes)
      fail(RunRule::FreeOfNothing, name(e.value) + at(e.step));
    if (b.to != e.step) fail(RunRule::BuffersDiffer, name(e.value) + " is listed until " + std::to_string(b.to));
    if (h.until == kNever || e.step > h.until) fail(RunRule::Leak, name(e.value) + " is freed" + at(e.step));
    if (h.mapped) memory(e.space).remove(e.address);
    h.live = false;
  }

  // An operand that the op frees before it runs: a convolution's activation in L1.
  void onEarlyFree(const SimStep& s, int32_t step) {
    const Op& op = graph.ops[s.op];
    const AttrValue* config = findAttr(op, "conv2d_config");
    bool frees = config && config->text.find("deallocate_activation = true") != std::string::npos;
    bool first = !op.operands.empty() && op.operands[0] == s.freedOperand;
    bool inL1 = lies[s.freedOperand] && lies[s.freedOperand]->isL1();
    if (!frees || !first || !inL1 || opInfo(op.kind).family != Family::Conv)
      fail(RunRule::FreedByNobody, name(s.freedOperand) + at(step));
    needs.killed[s.freedOperand] = std::min(needs.killed[s.freedOperand], step);
    int32_t owner = ownerOf[s.freedOperand];
    if (owner < 0) return;
    // Its live range has ended; that of an alias may not.
    int32_t until = step;
    for (size_t i = static_cast<size_t>(owner); i < static_cast<size_t>(seen) && i < run.buffers.size(); ++i) {
      const SimBuffer& b = run.buffers[i];
      bool member = static_cast<int32_t>(i) == owner || b.aliasOf == owner;
      if (member && b.value.valid()) until = std::max(until, needs.endOf(b.value, b.from));
    }
    needUntil(owner, until);
  }

  // Between an op's allocations and its frees: what it reads must be there, its circular buffers must not reach a
  // tensor, and the step must say what there is. Returns the verdict that the step must have.
  RunVerdict onRun(int32_t step, bool clashReported, bool outOfMemory) {
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    bool afterFree = readOperands(s, step);
    int64_t lowest = !l1.empty() ? l1.lowest() : !small.empty() ? small.lowest() : device.l1Size.count;
    if (l1.used() != s.tensorsL1.count)
      fail(RunRule::PeakDiffers, "step " + std::to_string(step) + ": " + std::to_string(l1.used()) + " B of tensors");
    // Where addresses are wrong already, holes mean nothing.
    if (defects.empty()) checkStatistics(s, step, lowest);
    checkCircularBuffers(s, step);
    int64_t cb = s.circularBuffersL1.count;
    bool clash = cb > 0 && (base + cb > lowest || base + cb > device.l1Size.count);
    if (clash != clashReported) fail(RunRule::MissedClash, "step " + std::to_string(step));
    peak = std::max(peak, l1.used() + cb);
    return afterFree     ? RunVerdict::UseAfterFree
           : outOfMemory ? RunVerdict::OutOfMemory
           : clash       ? RunVerdict::Clash
                         : RunVerdict::Fine;
  }

  // Whether the op reads something that a deallocate op or a convolution freed before.
  bool readOperands(const SimStep& s, int32_t step) {
    bool afterFree = false;
    for (ValueId operand : graph.ops[s.op].operands) {
      if (needs.killed[operand] < step && ownerOf[operand] >= 0) {
        afterFree = true;
        continue;
      }
      bool onDevice = lies[operand] && lies[operand]->buffer != BufferType::SystemMemory;
      int32_t owner = ownerOf[operand];
      bool there = owner >= 0 && held[static_cast<size_t>(owner)].live;
      if (onDevice && !there && !failed[operand] && operand != s.freedOperand)
        fail(RunRule::UseOfFreed, name(operand) + at(step));
    }
    return afterFree;
  }

  void checkStatistics(const SimStep& s, int32_t step, int64_t lowest) {
    auto same = [](const MemoryUse& use, const MemoryRecount& m) {
      return use.used == m.used() && use.free == m.free() && use.largestHole == m.largestGap();
    };
    if (!same(s.l1, l1) || !same(s.dram, dram) || s.lowestTensor != lowest)
      fail(RunRule::StatisticsDiffer, "step " + std::to_string(step));
  }

  void checkCircularBuffers(const SimStep& s, int32_t step) {
    int64_t next = base;
    bool sound = true;
    for (const SimCircularBuffer& cb : s.circularBuffers) {
      sound = sound && cb.bytes > 0 && cb.address == next && !cb.name.empty();
      next = (cb.address + cb.bytes + granule - 1) / granule * granule;
    }
    if (!sound || next - base != s.circularBuffersL1.count)
      fail(RunRule::CircularBuffersDiffer, "step " + std::to_string(step));
  }

  void onVerdict(int32_t step, RunVerdict expected) {
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    bool worded = s.verdictText.empty() == (s.verdict == RunVerdict::Fine);
    if (s.verdict != expected || !worded) fail(RunRule::VerdictDiffers, "step " + std::to_string(step));
    failures += expected != RunVerdict::Fine;
  }

  // After a step's frees: nothing dead may be allocated.
  void checkLeaks(int32_t step) {
    for (int32_t buffer : due[static_cast<size_t>(step)]) {
      const Held& h = held[static_cast<size_t>(buffer)];
      if (h.live && h.until <= step)
        fail(RunRule::Leak, name(run.buffers[static_cast<size_t>(buffer)].value) + " is not freed" + at(step));
    }
  }

  // All events of a step, in their order. Returns the index of the first one after it.
  size_t onStep(size_t next, int32_t step) {
    bool outOfMemory = false, ran = false;
    auto is = [&](EventKind kind) {
      return next < run.events.size() && run.events[next].step == step && run.events[next].kind == kind;
    };
    while (is(EventKind::Alloc) || is(EventKind::Alias) || is(EventKind::OutOfMemory) || is(EventKind::Free)) {
      const SimEvent& e = run.events[next++];
      if (e.kind == EventKind::Alloc) onAlloc(e);
      else if (e.kind == EventKind::Alias) onAlias(e);
      else if (e.kind == EventKind::OutOfMemory) markFailed(e), outOfMemory = true;
      else onFreeBeforeRun(e, step);
    }
    if (step < 0) return next;
    if (is(EventKind::Run)) ran = true, checkRunEvent(run.events[next++]);
    if (!ran) fail(RunRule::StepsDiffer, "no run" + at(step));
    bool clash = is(EventKind::Clash);
    if (clash) checkRunEvent(run.events[next++]);
    const SimStep& s = run.steps[static_cast<size_t>(step)];
    if (s.freedOperand.valid() && needs.killed[s.freedOperand] > step) onEarlyFree(s, step);
    RunVerdict expected = onRun(step, clash, outOfMemory);
    while (is(EventKind::Free)) onFree(run.events[next++]);
    onVerdict(step, expected);
    checkLeaks(step);
    return next;
  }

  void markFailed(const SimEvent& e) {
    if (!e.value.valid()) return;
    failed[e.value] = true;
    settle(e.value, e.step);
  }

  void checkRunEvent(const SimEvent& e) {
    const SimStep& s = run.steps[static_cast<size_t>(e.step)];
    const bool ofCores = e.space == DeviceMemory::L1 && e.buffer < 0 && !e.value.valid();
    if (!ofCores || e.address != base || e.bytes != s.circularBuffersL1.count)
      fail(RunRule::CircularBuffersDiffer, "run" + at(e.step));
  }

  void onFreeBeforeRun(const SimEvent& e, int32_t step) {
    bool early = step >= 0 && run.steps[static_cast<size_t>(step)].freedOperand.valid();
    if (early) onEarlyFree(run.steps[static_cast<size_t>(step)], step);
    else fail(RunRule::StepsDiffer, name(e.value) + " is freed before the op runs" + at(step));
    onFree(e);
  }

  void checkEnd() {
    auto last = static_cast<int32_t>(run.steps.size()) - 1;
    if (static_cast<size_t>(seen) != run.buffers.size())
      fail(RunRule::BuffersDiffer,
           std::to_string(run.buffers.size()) + " listed, " + std::to_string(seen) + " by the events");
    for (size_t i = 0; i < held.size(); ++i) {
      const SimBuffer& b = run.buffers[i];
      bool wrongEnd = b.aliasOf >= 0 && b.value.valid() && b.to != std::min(needs.endOf(b.value, b.from), last);
      if (wrongEnd) fail(RunRule::BuffersDiffer, name(b.value) + " is listed until " + std::to_string(b.to));
      if (!held[i].live) continue;
      if (b.to != last) fail(RunRule::BuffersDiffer, name(b.value) + " is listed until " + std::to_string(b.to));
    }
    if (peak != run.peakL1.count)
      fail(RunRule::PeakDiffers,
           std::to_string(run.peakL1.count) + " reported, " + std::to_string(peak) + " by the events");
    bool soundAddresses = defects.empty();
    if (soundAddresses && (peakSmall != run.peakL1Small || peakDram != run.peakDramPerBank))
      fail(RunRule::PeakDiffers, "of L1_SMALL or DRAM");
  }

  void checkTotals() {
    int64_t time = 0, moved = 0;
    for (const SimStep& s : run.steps) {
      time += s.time.total().count;
      moved += s.time.dramBytes;
    }
    // Arguments that found no room count as failures before the first step.
    for (const SimEvent& e : run.events) failures += e.step < 0 && e.kind == EventKind::OutOfMemory;
    if (failures != run.failures)
      fail(RunRule::VerdictDiffers,
           std::to_string(run.failures) + " failures reported, " + std::to_string(failures) + " by the events");
    if (time != run.time.count || moved != run.dramBytes)
      fail(RunRule::TotalsDiffer, "time or DRAM bytes are not the sum of the steps");
  }
};

}  // namespace

std::vector<RunDefect> checkRun(const Graph& graph, const SimResult& run, const DeviceSpec& device) {
  const auto& ops = graph.funcs[graph.forward].ops;
  bool oneStepPerOp = run.steps.size() == ops.size();
  for (size_t i = 0; oneStepPerOp && i < ops.size(); ++i) oneStepPerOp = run.steps[i].op == ops[i];
  if (!oneStepPerOp)
    return {
        {RunRule::StepsDiffer, std::to_string(run.steps.size()) + " steps for " + std::to_string(ops.size()) + " ops"}};

  Recount recount(graph, run, device);
  size_t next = 0;
  for (int32_t step = -1; step < static_cast<int32_t>(ops.size()); ++step) next = recount.onStep(next, step);
  if (next != run.events.size()) recount.fail(RunRule::StepsDiffer, "events out of step order");
  recount.checkEnd();
  recount.checkTotals();
  return recount.defects;
}

}  // namespace tessera

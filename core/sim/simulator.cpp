#include "core/sim/simulator.h"

#include <algorithm>

#include "core/ops/model/op_memory.h"
#include "core/sim/device_allocator.h"

namespace tessera {

namespace {

Bound boundOf(const OpTime& time) {
  int64_t busiest = std::max({time.compute.count, time.dram.count, time.noc.count});
  if (time.total().count == 0) return Bound::None;
  if (time.fixed.count >= busiest) return Bound::Fixed;
  if (time.dram.count == busiest) return Bound::Dram;
  return time.compute.count == busiest ? Bound::Compute : Bound::Noc;
}

// What is not freed after its last use, by the rules of the compiler's ttnn-deallocate pass (core/lowering/deallocate).
std::vector<ValueId> valuesThatStay(const Graph& graph) {
  std::vector<ValueId> values;
  const Function& func = graph.funcs[graph.forward];
  for (ValueId arg : func.args) {
    const Value& value = graph.values[arg];
    const bool input = value.role == ArgRole::None || value.role == ArgRole::Input;
    const bool inL1 = value.type.isTensor() && value.type.tensor->layout && value.type.tensor->layout->isL1();
    if (!input || inL1) values.push_back(arg);
  }
  for (OpId id : func.ops) {
    const Op& op = graph.ops[id];
    if (opInfo(op.kind).has(kInPlace) && !op.operands.empty()) values.push_back(op.operands[0]);
    if (op.kind == OpKind::TtcoreLoadCached) values.insert(values.end(), op.results.begin(), op.results.end());
  }
  if (func.ops.empty()) return values;
  const std::vector<ValueId>& returned = graph.ops[func.ops.back()].operands;
  values.insert(values.end(), returned.begin(), returned.end());
  return values;
}

class Simulator {
 public:
  Simulator(const Graph& graph, const OpModel& model, L1Budget& budget, const IdVec<OpId, OpConfig>& configs,
            Freeing freeing)
      : graph_(graph),
        model_(model),
        budget_(budget),
        configs_(configs),
        device_(model.device()),
        schedule_(programOrderSchedule(graph)),
        live_(computeLiveness(graph, schedule_)),
        memory_(model.device()),
        actual_(graph.values.size()),
        bufferOf_(graph.values.size(), -1),
        freedBy_(graph.values.size()),
        stays_(graph.values.size(), freeing == Freeing::ByTheProgram) {
    result_.freeing = freeing;
    for (ValueId value : valuesThatStay(graph)) stays_[value] = true;
  }

  SimResult run() {
    for (ValueId arg : graph_.funcs[graph_.forward].args) {
      if (const TensorLayout* layout = typedLayout(arg)) {
        actual_[arg] = *layout;
        allocate(arg, -1, nullptr);
      }
    }
    for (int32_t step = 0; step < schedule_.steps(); ++step) runStep(step);
    for (SimBuffer& buffer : result_.buffers) {
      if (buffer.to < 0) buffer.to = schedule_.steps() - 1;  // arguments and returned values stay to the end
    }
    return std::move(result_);
  }

 private:
  const TensorLayout* typedLayout(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    if (!type.isTensor()) return nullptr;
    TESSERA_CHECK(type.tensor->layout.has_value(), "simulated tensor without layout");
    return &*type.tensor->layout;
  }

  void runStep(int32_t step) {
    OpId id = schedule_.order[static_cast<size_t>(step)];
    const Op& op = graph_.ops[id];
    SimStep out;
    out.op = id;
    checkOperands(op, out);
    std::vector<int32_t> intermediates;
    if (opInfo(op.kind).has(kTerminator)) {
      for (ValueId result : op.results) allocate(result, step, &out);
    } else {
      intermediates = runOp(id, step, out);
    }
    result_.events.push_back({step, EventKind::Run, {}, DeviceMemory::L1, base(), out.circularBuffersL1.count});
    checkClash(step, out);
    account(step, out);
    for (int32_t buffer : intermediates) drop(buffer, step);
    release(op, step);
    result_.steps.push_back(std::move(out));
  }

  // The runtime refuses an operand whose memory has been given back.
  void checkOperands(const Op& op, SimStep& out) {
    for (size_t i = 0; i < op.operands.size(); ++i) {
      OpId freedBy = freedBy_[op.operands[i]];
      if (!freedBy.valid()) continue;
      fail(out, RunVerdict::UseAfterFree,
           "Operand " + std::to_string(i) + " (%" + graph_.values[op.operands[i]].name +
               ") is not allocated: it was freed by " + graph_.ops[freedBy].name + " at step " +
               std::to_string(schedule_.position[freedBy]));
    }
  }

  // Everything up to the moment at which the program is launched. Returns the intermediates that are to be freed after
  // it.
  std::vector<int32_t> runOp(OpId id, int32_t step, SimStep& out) {
    const Op& op = graph_.ops[id];
    std::vector<std::optional<TensorLayout>> inputs;
    for (ValueId operand : op.operands) inputs.push_back(actual_[operand]);
    OpConfig config;
    if (configs_.contains(id)) config.attrs = configs_[id].attrs;
    for (ValueId result : op.results) {
      if (const TensorLayout* layout = typedLayout(result)) {
        config.output = *layout;
        break;
      }
    }
    OpQuery query{graph_, id, inputs, config, Bytes(0)};
    OpVerdict verdict = model_.validateOperation(query, budget_);
    bool obeys = verdict.status != OpStatus::Success || verdict.output == config.output;
    if (!obeys) out.produced = verdict.output;
    if (verdict.status == OpStatus::MetalBackendError || verdict.status == OpStatus::NotImplemented) {
      out.refusal = verdictText(verdict);
      ++result_.refused;
    }
    out.time = model_.getOpRuntime(query);
    out.bound = boundOf(out.time);
    placeCircularBuffers(query, out);
    OpMemory does = opMemory(query, model_);
    std::vector<int32_t> intermediates = allocateIntermediates(does, step, out);
    if (does.freedOperand >= 0) freeEarly(id, op.operands[static_cast<size_t>(does.freedOperand)], step, out);
    for (ValueId result : op.results) {
      const TensorLayout* layout = typedLayout(result);
      if (!layout) continue;
      actual_[result] = out.produced && *layout == config.output ? *out.produced : *layout;
      ValueId shared =
          result == op.results[0] && does.aliasOf >= 0 ? op.operands[static_cast<size_t>(does.aliasOf)] : ValueId{};
      if (shared.valid()) alias(result, shared, step);
      else allocate(result, step, &out);
    }
    return intermediates;
  }

  // From the base upwards, each aligned (tt-metal impl/program/program.cpp).
  void placeCircularBuffers(const OpQuery& query, SimStep& out) {
    out.constraints = model_.getOpConstraints(query);
    out.rule = model_.ruleOf(query);
    int64_t next = base();
    for (const CircularBuffer& buffer : model_.getCircularBuffers(query)) {
      if (buffer.backedBy != BackedBy::Nothing) {
        out.backedBuffers.push_back(buffer);
        continue;
      }
      out.circularBuffers.push_back({buffer.name, next, buffer.bytes});
      next = alignUp(next + buffer.bytes, device_.dramAlignment);
    }
    out.circularBuffersL1 = Bytes(next - base());
  }

  std::vector<int32_t> allocateIntermediates(const OpMemory& does, int32_t step, SimStep& out) {
    std::vector<int32_t> buffers;
    for (const OpIntermediate& intermediate : does.intermediates) {
      DeviceMemory space = DeviceAllocator::spaceOf(intermediate.buffer);
      int32_t buffer = take({}, intermediate.name, space, intermediate.bytes.count, step, &out);
      if (buffer >= 0) buffers.push_back(buffer);
    }
    return buffers;
  }

  // A convolution frees the activation that nobody else may read any more.
  void freeEarly(OpId op, ValueId value, int32_t step, SimStep& out) {
    if (bufferOf_[value] < 0) return;
    out.freedOperand = value;
    freedBy_[value] = op;
    end(value, step);
  }

  int64_t base() const { return alignUp(device_.l1UnreservedBase.count, device_.dramAlignment); }

  // Circular buffers grow from the base; the program is refused when they reach the lowest tensor (tt-metal
  // impl/program/program.cpp).
  void checkClash(int32_t step, SimStep& out) {
    if (out.circularBuffersL1.count == 0) return;
    int64_t endsAt = base() + out.circularBuffersL1.count;
    int64_t lowest = memory_.lowestInL1();
    bool beyond = endsAt > device_.l1Size.count;
    if (!beyond && endsAt <= lowest) return;
    std::string cores = "core range [(x=0,y=0) - (x=" + std::to_string(device_.grid.cols - 1) +
                        ",y=" + std::to_string(device_.grid.rows - 1) + ")]";
    std::string text = "Statically allocated circular buffers ";
    text += beyond ? "on " + cores + " grow to " + std::to_string(endsAt) + " B which is beyond max L1 size of " +
                         std::to_string(device_.l1Size.count) + " B"
                   : "in program " + std::to_string(step) + " clash with L1 buffers on " + cores +
                         ". L1 buffer allocated at " + std::to_string(lowest) +
                         " and static circular buffer region ends at " + std::to_string(endsAt);
    fail(out, RunVerdict::Clash, std::move(text));
    result_.events.push_back({step, EventKind::Clash, {}, DeviceMemory::L1, base(), out.circularBuffersL1.count});
  }

  void fail(SimStep& out, RunVerdict verdict, std::string text) {
    if (out.verdict == RunVerdict::Fine) {
      out.verdict = verdict;
      out.verdictText = std::move(text);
      ++result_.failures;
    }
  }

  void allocate(ValueId value, int32_t step, SimStep* out) {
    const std::optional<TensorLayout>& layout = actual_[value];
    if (!layout || layout->buffer == BufferType::SystemMemory) return;
    bufferOf_[value] = take(value, {}, DeviceAllocator::spaceOf(layout->buffer), memory_.bytesOf(*layout), step, out);
  }

  // Index of the new buffer; -1 when there was no room.
  int32_t take(ValueId value, std::string_view name, DeviceMemory space, int64_t wanted, int32_t step, SimStep* out) {
    int64_t bytes = memory_.rounded(wanted);
    std::optional<int64_t> address = memory_.allocate(space, bytes);
    if (!address) {
      result_.events.push_back({step, EventKind::OutOfMemory, value, space, 0, bytes});
      if (out) fail(*out, RunVerdict::OutOfMemory, memory_.outOfMemoryText(space, bytes));
      else ++result_.failures;
      return -1;
    }
    auto index = static_cast<int32_t>(result_.buffers.size());
    result_.buffers.push_back({value, name, space, *address, bytes, std::max(step, 0), -1, -1});
    holders_.push_back(1);
    result_.events.push_back({step, EventKind::Alloc, value, space, *address, bytes, index});
    int64_t used = memory_.use(space).used;
    if (space == DeviceMemory::Dram) result_.peakDramPerBank = std::max(result_.peakDramPerBank, used);
    if (space == DeviceMemory::L1Small) result_.peakL1Small = std::max(result_.peakL1Small, used);
    return index;
  }

  // The result is the operand's buffer. An operand without one (no room, or on the host) leaves the result without one
  // too.
  void alias(ValueId result, ValueId operand, int32_t step) {
    int32_t shared = bufferOf_[operand];
    if (shared < 0) return;
    const SimBuffer& source = result_.buffers[static_cast<size_t>(shared)];
    int32_t owner = source.aliasOf >= 0 ? source.aliasOf : shared;
    bufferOf_[result] = static_cast<int32_t>(result_.buffers.size());
    result_.events.push_back(
        {step, EventKind::Alias, result, source.space, source.address, source.bytes, bufferOf_[result]});
    result_.buffers.push_back({result, {}, source.space, source.address, source.bytes, step, -1, owner});
    holders_.push_back(0);
    ++holders_[static_cast<size_t>(owner)];
  }

  void account(int32_t step, SimStep& out) {
    out.l1 = memory_.use(DeviceMemory::L1);
    out.dram = memory_.use(DeviceMemory::Dram);
    out.tensorsL1 = Bytes(out.l1.used);
    out.lowestTensor = memory_.lowestInL1();
    Bytes peak = out.tensorsL1 + out.circularBuffersL1;
    if (peak > result_.peakL1) {
      result_.peakL1 = peak;
      result_.peakStep = step;
    }
    result_.time += out.time.total();
    result_.dramBytes += out.time.dramBytes;
  }

  // After the op: what a deallocate op names, and what is read for the last time.
  void release(const Op& op, int32_t step) {
    if (isDeallocate(op.kind)) {
      for (ValueId value : op.operands) {
        if (bufferOf_[value] < 0) continue;
        freedBy_[value] = schedule_.order[static_cast<size_t>(step)];
        end(value, step);
      }
    }
    auto releaseDead = [&](ValueId value) {
      if (!stays_[value] && live_[value].lastUse <= step) end(value, step);
    };
    for (ValueId operand : op.operands) releaseDead(operand);
    for (ValueId result : op.results) releaseDead(result);
  }

  // The value lets go of its buffer; the last one that does gives the memory back.
  void end(ValueId value, int32_t step) {
    int32_t index = bufferOf_[value];
    if (index < 0) return;
    bufferOf_[value] = -1;
    SimBuffer& buffer = result_.buffers[static_cast<size_t>(index)];
    if (buffer.aliasOf >= 0) buffer.to = step;
    drop(buffer.aliasOf >= 0 ? buffer.aliasOf : index, step);
  }

  void drop(int32_t owner, int32_t step) {
    if (--holders_[static_cast<size_t>(owner)] > 0) return;
    SimBuffer& buffer = result_.buffers[static_cast<size_t>(owner)];
    buffer.to = step;
    memory_.free(buffer.space, buffer.address);
    result_.events.push_back({step, EventKind::Free, buffer.value, buffer.space, buffer.address, buffer.bytes, owner});
  }

  const Graph& graph_;
  const OpModel& model_;
  L1Budget& budget_;
  const IdVec<OpId, OpConfig>& configs_;
  const DeviceSpec& device_;
  Schedule schedule_;
  Liveness live_;
  DeviceAllocator memory_;
  IdVec<ValueId, std::optional<TensorLayout>> actual_;  // where each value really is
  IdVec<ValueId, int32_t> bufferOf_;                    // index into result_.buffers while the value has one
  IdVec<ValueId, OpId> freedBy_;                        // the op that deallocated the value
  IdVec<ValueId, bool> stays_;                          // not freed after its last use
  std::vector<int32_t> holders_;                        // by buffer: values that share it; 0 for the entries of aliases
  SimResult result_;
};

}  // namespace

std::string_view boundName(Bound bound) {
  switch (bound) {
    case Bound::None: return "none";
    case Bound::Fixed: return "fixed";
    case Bound::Compute: return "compute";
    case Bound::Dram: return "dram";
    case Bound::Noc: return "noc";
  }
  return "";
}

SimResult simulate(const Graph& graph, const OpModel& model, L1Budget& budget, const IdVec<OpId, OpConfig>& configs,
                   Freeing freeing) {
  return Simulator(graph, model, budget, configs, freeing).run();
}

SimResult simulate(const Graph& graph, const OpModel& model, Bytes budget, const IdVec<OpId, OpConfig>& configs,
                   Freeing freeing) {
  L1Budget asked(budget);
  return simulate(graph, model, asked, configs, freeing);
}

bool deallocates(const Graph& graph) {
  for (OpId op : graph.funcs[graph.forward].ops) {
    if (isDeallocate(graph.ops[op].kind)) return true;
  }
  return false;
}

std::vector<ValueId> neverFreed(const Graph& graph, const SimResult& sim) {
  std::vector<bool> freed(sim.buffers.size(), false);
  for (const SimEvent& event : sim.events) {
    if (event.kind == EventKind::Free) freed[static_cast<size_t>(event.buffer)] = true;
  }
  IdVec<ValueId, bool> stays(graph.values.size(), false);
  for (ValueId value : valuesThatStay(graph)) stays[value] = true;
  for (const SimBuffer& buffer : sim.buffers) {  // whose buffer outlives a result stays with it
    const bool shared = buffer.aliasOf >= 0 && buffer.value.valid() && stays[buffer.value];
    if (shared) freed[static_cast<size_t>(buffer.aliasOf)] = true;
  }
  std::vector<ValueId> values;
  for (size_t i = 0; i < sim.buffers.size(); ++i) {
    const SimBuffer& buffer = sim.buffers[i];
    const bool own = buffer.aliasOf < 0 && buffer.value.valid() && graph.values[buffer.value].producer.valid();
    if (own && !freed[i] && !stays[buffer.value]) values.push_back(buffer.value);
  }
  return values;
}

}  // namespace tessera

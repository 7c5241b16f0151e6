#include "core/sim/simulator.h"

#include <algorithm>

#include "core/device/free_list.h"

namespace tessera {

namespace {

class Simulator {
 public:
  Simulator(const Graph& graph, const OpModel& model, const IdVec<OpId, OpConfig>& configs)
      : graph_(graph),
        model_(model),
        configs_(configs),
        device_(model.device()),
        schedule_(programOrderSchedule(graph)),
        live_(computeLiveness(graph, schedule_)),
        l1_(device_.l1UnreservedBase.count, device_.l1Size.count - device_.l1Small.count, device_.dramAlignment, Direction::TopDown),
        dram_(0, device_.dramBankSize.count, device_.dramAlignment, Direction::BottomUp),
        bufferOf_(graph.values.size(), -1) {}

  SimResult run() {
    for (ValueId arg : graph_.funcs[graph_.forward].args) allocate(arg, -1, nullptr);
    for (int32_t step = 0; step < schedule_.steps(); ++step) runStep(step);
    for (SimBuffer& buffer : result_.buffers) {
      if (buffer.to < 0) buffer.to = schedule_.steps() - 1;  // arguments and returned values stay to the end
    }
    return std::move(result_);
  }

 private:
  const TensorLayout* layoutOf(ValueId value) const {
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
    for (ValueId result : op.results) allocate(result, step, &out);
    if (!opInfo(op.kind).has(kTerminator)) runOp(id, step, out);
    account(step, out);
    result_.steps.push_back(std::move(out));
    for (ValueId operand : op.operands) release(operand, step);
    for (ValueId value : op.results) release(value, step);
  }

  void runOp(OpId id, int32_t step, SimStep& out) {
    const Op& op = graph_.ops[id];
    std::vector<std::optional<TensorLayout>> inputs;
    for (ValueId operand : op.operands) {
      const TensorLayout* layout = layoutOf(operand);
      inputs.push_back(layout ? std::optional(*layout) : std::nullopt);
    }
    OpConfig config;
    if (configs_.contains(id)) config.attrs = configs_[id].attrs;
    for (ValueId result : op.results) {
      if (const TensorLayout* layout = layoutOf(result)) {
        config.output = *layout;
        break;
      }
    }
    OpQuery query{graph_, id, inputs, config, Bytes(0)};
    out.time = model_.getOpRuntime(query);
    out.circularBuffersL1 = Bytes(alignUp(model_.getOpConstraints(query).cbL1PeakSize.count, device_.dramAlignment));
    checkClash(step, out);
  }

  // Circular buffers grow from the base; the program is refused when they reach the lowest tensor (device reference 3.3).
  void checkClash(int32_t step, SimStep& out) {
    if (out.circularBuffersL1.count == 0) return;
    int64_t base = alignUp(device_.l1UnreservedBase.count, device_.dramAlignment);
    int64_t end = base + out.circularBuffersL1.count;
    int64_t lowest = l1_.lowestUsed();
    int64_t top = device_.l1Size.count - device_.l1Small.count;
    if (end <= std::min(lowest, top)) return;
    std::string text = "Statically allocated circular buffers grow to " + std::to_string(end) + " B";
    text += end > top ? " which is beyond max L1 size of " + std::to_string(top) + " B"
                      : " and clash with L1 buffers: the lowest one is at " + std::to_string(lowest) + " B";
    fail(out, RunVerdict::Clash, std::move(text));
    result_.events.push_back({step, EventKind::Clash, ValueId{}, DeviceMemory::L1, base, out.circularBuffersL1.count});
  }

  void fail(SimStep& out, RunVerdict verdict, std::string text) {
    if (out.verdict == RunVerdict::Fine) {
      out.verdict = verdict;
      out.verdictText = std::move(text);
      ++result_.failures;
    }
  }

  void allocate(ValueId value, int32_t step, SimStep* out) {
    const TensorLayout* layout = layoutOf(value);
    if (!layout || layout->buffer == BufferType::SystemMemory) return;
    DeviceMemory space = layout->isL1() ? DeviceMemory::L1 : DeviceMemory::Dram;
    int64_t bytes = space == DeviceMemory::L1 ? l1BytesPerCore(*layout).count : dramBytesPerBank(*layout, device_).count;
    bytes = alignUp(std::max<int64_t>(bytes, 1), device_.dramAlignment);
    FreeList& allocator = space == DeviceMemory::L1 ? l1_ : dram_;
    std::optional<int64_t> address = allocator.allocate(bytes);
    if (!address) {
      result_.events.push_back({step, EventKind::OutOfMemory, value, space, 0, bytes});
      if (out) fail(*out, RunVerdict::OutOfMemory, outOfMemoryText(space, bytes, allocator));
      else ++result_.failures;
      return;
    }
    bufferOf_[value] = static_cast<int32_t>(result_.buffers.size());
    result_.buffers.push_back({value, space, *address, bytes, std::max(step, 0), -1});
    result_.events.push_back({step, EventKind::Alloc, value, space, *address, bytes});
    (space == DeviceMemory::L1 ? usedL1_ : usedDram_) += bytes;
    result_.peakDramPerBank = std::max(result_.peakDramPerBank, usedDram_);
  }

  std::string outOfMemoryText(DeviceMemory space, int64_t bytes, const FreeList& allocator) const {
    bool inL1 = space == DeviceMemory::L1;
    int64_t banks = inL1 ? device_.grid.volume() : device_.dramBanks;
    return std::string("Out of Memory: Not enough space to allocate ") + (inL1 ? "L1" : "DRAM") + " buffer across " +
           std::to_string(banks) + " banks, where each bank needs to store " + std::to_string(bytes) + " B (free " +
           std::to_string(allocator.freeBytes()) + " B, largest free block " + std::to_string(allocator.largestHole()) + " B)";
  }

  void account(int32_t step, SimStep& out) {
    out.tensorsL1 = Bytes(usedL1_);
    out.lowestTensor = l1_.lowestUsed();
    Bytes peak = out.tensorsL1 + out.circularBuffersL1;
    if (peak > result_.peakL1) {
      result_.peakL1 = peak;
      result_.peakStep = step;
    }
    result_.time += out.time.total();
    result_.dramBytes += out.time.dramBytes;
  }

  // Arguments belong to the caller; returned values are used by the return, the last step.
  void release(ValueId value, int32_t step) {
    bool isArgument = !graph_.values[value].producer.valid();
    bool returned = live_[value].lastUse == schedule_.steps() - 1;
    if (isArgument || returned || live_[value].lastUse > step || bufferOf_[value] < 0) return;
    SimBuffer& buffer = result_.buffers[static_cast<size_t>(bufferOf_[value])];
    bufferOf_[value] = -1;
    buffer.to = step;
    (buffer.space == DeviceMemory::L1 ? l1_ : dram_).free(buffer.address);
    (buffer.space == DeviceMemory::L1 ? usedL1_ : usedDram_) -= buffer.bytes;
    result_.events.push_back({step, EventKind::Free, value, buffer.space, buffer.address, buffer.bytes});
  }

  const Graph& graph_;
  const OpModel& model_;
  const IdVec<OpId, OpConfig>& configs_;
  const DeviceSpec& device_;
  Schedule schedule_;
  Liveness live_;
  FreeList l1_;
  FreeList dram_;
  IdVec<ValueId, int32_t> bufferOf_;  // index into result_.buffers while it is allocated
  int64_t usedL1_ = 0;
  int64_t usedDram_ = 0;
  SimResult result_;
};

}  // namespace

SimResult simulate(const Graph& graph, const OpModel& model, const IdVec<OpId, OpConfig>& configs) {
  return Simulator(graph, model, configs).run();
}

}  // namespace tessera

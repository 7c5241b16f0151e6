#include "core/machine/execute_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/machine/rounding.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {

namespace {

enum class Change { Allocated, Written, Freed, Scribbled };

// Something that changed bytes, to tell who did it.
struct Mark {
  Change change;
  const ByteMemory* memory;
  int64_t begin, end;
  int32_t step;
  ValueId value;
  std::shared_ptr<const PageMap> map;  // of what was written; else the range in every bank
};

std::string numberText(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string indexText(const Shape& shape, int64_t element) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0;) {
    text = std::to_string(element % shape[d]) + (text.empty() ? "" : ", ") + text;
    element /= shape[d];
  }
  return "[" + text + "]";
}

class PlanMachine : public ExecutionObserver {
 public:
  PlanMachine(const Graph& graph, const SimResult& run, const DeviceSpec& device, const PlanExecutionOptions& options)
      : graph_(graph),
        run_(run),
        device_(device),
        code_(options.written != nullptr ? *options.written : StorageCode()),
        core_(device.grid.volume(), options.memoryBytes / 2),
        dram_(device.dramBanks, options.memoryBytes / 4),
        host_(1, options.memoryBytes / 4),
        place_(graph.values.size()) {}

  PlanExecution done;

  std::string argument(ValueId value, HostTensor& tensor) override {
    if (!arranged(-1)) return stopped();
    return store(value, graph_.values[value].type.tensor->layout, tensor, nullptr) ? "" : stopped();
  }

  std::string before(OpId op, const Values& values) override {
    if (step_ < 0 && !arranged(-1)) return stopped();
    ++step_;
    const bool known =
        static_cast<size_t>(step_) < run_.steps.size() && run_.steps[static_cast<size_t>(step_)].op == op;
    if (!known) return stop(PlanStatus::Different, "the run has other steps than the graph"), stopped();
    op_ = op;
    const std::vector<ValueId>& operands = graph_.ops[op].operands;
    read_.assign(operands.size(), false);
    const bool reads = !isRelease(graph_.ops[op]);
    for (; next_ < run_.events.size() && run_.events[next_].step == step_; ++next_) {
      const SimEvent& event = run_.events[next_];
      // What the op itself frees it has read by then.
      const bool ends = event.kind == EventKind::Free && event.value.valid();
      if (ends && reads && !readAll(operands, values, event.buffer)) return stopped();
      if (!happened(event)) return stopped();
      if (event.kind == EventKind::Run) {
        ++next_;
        break;
      }
    }
    if (reads && !readAll(operands, values, -1)) return stopped();
    ++done.steps;
    return "";
  }

  std::string after(OpId id, Values& values) override {
    const Op& op = graph_.ops[id];
    const bool inPlace = opInfo(op.kind).has(kInPlace) && !op.operands.empty();
    if (inPlace && place_[op.operands[0]].place.memory != nullptr &&
        !write(op.operands[0], values[op.operands[0]], nullptr))
      return stopped();
    for (ValueId result : op.results) {
      if (!graph_.values[result].type.isTensor()) continue;
      const bool view = place_[result].shares && !inPlace;
      if (view) {
        ++done.views;
        if (!settle(result, layoutOf(result)) || !roundAndCheck(result, values[result], -1)) return stopped();
      } else if (!store(result, layoutOf(result), values[result], &op)) {
        return stopped();
      }
    }
    for (; next_ < run_.events.size() && run_.events[next_].step == step_; ++next_) {
      if (!happened(run_.events[next_])) return stopped();
    }
    return "";
  }

  // Arguments that are still there hold what the interpreter has at the end.
  bool checkArguments(const std::vector<HostTensor>& arguments) {
    const Function& forward = graph_.funcs[graph_.forward];
    step_ = static_cast<int32_t>(run_.steps.size());
    op_ = {};
    for (size_t i = 0; i < forward.args.size() && i < arguments.size(); ++i) {
      const ValueId arg = forward.args[i];
      if (place_[arg].place.map == nullptr || !place_[arg].live) continue;
      HostTensor rounded = arguments[i];
      if (!roundAndCheck(arg, rounded, -1)) return false;
    }
    return true;
  }

 private:
  // What the run said of a value: its buffer, and in it the tensor once it was written.
  struct Held {
    bool live = false;
    bool shares = false;
    int32_t buffer = -1;
    int64_t bytes = 0;  // of the buffer, per bank
    TensorPlace place;
  };

  static bool isRelease(const Op& op) { return op.name == "ttnn.deallocate" || op.name == "ttir.dealloc"; }

  bool stop(PlanStatus status, std::string text) {
    if (done.status == PlanStatus::Equal) {
      done.status = status;
      done.text = std::move(text);
    }
    return false;
  }
  std::string stopped() const { return done.text; }

  std::string name(ValueId value) const { return value.valid() ? "%" + graph_.values[value].name : "an intermediate"; }
  std::string opText(OpId id) const {
    const Op& op = graph_.ops[id];
    return op.results.empty() ? op.name : name(op.results[0]) + " " + op.name;
  }
  std::string stepText(int32_t step) const {
    if (step < 0) return "before the first op";
    if (static_cast<size_t>(step) >= run_.steps.size()) return "after the last op";
    return "step " + std::to_string(step) + ", " + opText(run_.steps[static_cast<size_t>(step)].op);
  }

  ByteMemory& memoryOf(DeviceMemory space) { return space == DeviceMemory::Dram ? dram_ : core_; }

  // The events of a step up to the end, or of the arguments.
  bool arranged(int32_t step) {
    for (; next_ < run_.events.size() && run_.events[next_].step == step; ++next_) {
      if (!happened(run_.events[next_])) return false;
    }
    return true;
  }

  bool happened(const SimEvent& event) {
    const bool listed = event.buffer >= -1 && event.buffer < static_cast<int32_t>(run_.buffers.size());
    constexpr int64_t kFarthest = int64_t{1} << 40;
    const bool sane = event.address >= 0 && event.bytes >= 0 && event.address < kFarthest && event.bytes < kFarthest;
    if (!listed || !sane || (event.value.valid() && !place_.contains(event.value)))
      return stop(PlanStatus::Different, "an event of the run is out of range");
    ByteMemory& memory = memoryOf(event.space);
    switch (event.kind) {
      case EventKind::Alloc:
      case EventKind::Alias: return begin(event, memory);
      case EventKind::Free: return end(event, memory);
      case EventKind::OutOfMemory:
        return stop(PlanStatus::Failed, stepText(event.step) + ": no room for " + name(event.value));
      case EventKind::Run: return spoil(memory, event, event.address, event.bytes, Change::Scribbled);
      case EventKind::Clash:
        return stop(PlanStatus::Failed, stepText(event.step) + ": its circular buffers reach a tensor");
    }
    return true;
  }

  bool spoil(ByteMemory& memory, const SimEvent& event, int64_t address, int64_t bytes, Change change) {
    if (bytes == 0) return true;
    memory.spoil(address, bytes, change == Change::Scribbled ? kScribbleByte : kPoisonByte);
    marks_.push_back({change, &memory, address, address + bytes, event.step, event.value, nullptr});
    return true;
  }

  bool begin(const SimEvent& event, ByteMemory& memory) {
    const bool dram = event.space == DeviceMemory::Dram;
    const int64_t first = dram ? 0 : device_.l1UnreservedBase.count;
    const int64_t last = dram ? device_.dramBankSize.count : device_.l1Size.count;
    if (event.address < first || event.address + event.bytes > last)
      return stop(PlanStatus::Different,
                  stepText(event.step) + ": " + name(event.value) + " lies outside of its memory");
    if (event.value.valid()) {
      Held& held = place_[event.value];
      held.live = true;
      held.shares = event.kind == EventKind::Alias;
      held.buffer = event.buffer;
      held.bytes = event.bytes;
      held.place.memory = &memory;
      held.place.address = event.address;
      held.place.map = nullptr;
    }
    return event.kind == EventKind::Alias || spoil(memory, event, event.address, event.bytes, Change::Allocated);
  }

  bool end(const SimEvent& event, ByteMemory& memory) {
    if (event.value.valid()) place_[event.value].live = false;
    return spoil(memory, event, event.address, event.bytes, Change::Freed);
  }

  // What the op writes: the layout of the type, or the one that its step says it produced instead.
  std::optional<TensorLayout> layoutOf(ValueId result) const {
    const std::optional<TensorLayout>& typed = graph_.values[result].type.tensor->layout;
    const std::optional<TensorLayout>& other = run_.steps[static_cast<size_t>(step_)].produced;
    if (!other || !typed) return typed;
    for (ValueId first : graph_.ops[op_].results) {
      if (!graph_.values[first].type.isTensor()) continue;
      return typed == graph_.values[first].type.tensor->layout ? other : typed;
    }
    return typed;
  }

  // The value's layout in its buffer, with the pages as they are read.
  bool settle(ValueId value, const std::optional<TensorLayout>& layout) {
    Held& held = place_[value];
    if (!layout) return stop(PlanStatus::NotExecutable, name(value) + " has no layout");
    if (layout->buffer == BufferType::SystemMemory) held.place.memory = &host_;
    if (held.place.memory == nullptr)
      return stop(PlanStatus::Different, stepText(step_) + ": the run gives " + name(value) + " no address");
    held.place.layout = *layout;
    auto map = std::make_shared<const PageMap>(mapPages(graph_.values[value].type.tensor->shape, *layout, device_));
    if (!inMemory(value, *map)) return false;
    if (held.place.memory == &host_) {
      held.place.address = hostEnd_;
      held.bytes = map->bytesPerBank;
      hostEnd_ = alignUp(hostEnd_ + map->bytesPerBank, int64_t{64});
      held.live = true;
    }
    if (map->bytesPerBank > held.bytes)
      return stop(PlanStatus::Different, stepText(step_) + ": " + name(value) + " takes " +
                                             std::to_string(map->bytesPerBank) + " bytes of a bank, its buffer has " +
                                             std::to_string(held.bytes));
    held.place.map = std::move(map);
    return true;
  }

  // Its pages have a bank in the memory that the run names.
  bool inMemory(ValueId value, const PageMap& map) {
    const ByteMemory& memory = *place_[value].place.memory;
    const BufferType buffer = place_[value].place.layout.buffer;
    const bool inL1 = buffer == BufferType::L1 || buffer == BufferType::L1Small;
    const ByteMemory& wanted = buffer == BufferType::SystemMemory ? host_ : inL1 ? core_ : dram_;
    if (!map.problem.empty()) {
      const bool empty = elementCount(graph_.values[value].type.tensor->shape) == 0;
      return stop(empty ? PlanStatus::NotExecutable : PlanStatus::Different, name(value) + ": " + map.problem);
    }
    const bool banked = std::all_of(map.pages.begin(), map.pages.end(),
                                    [&](const Page& page) { return page.bank >= 0 && page.bank < memory.banks(); });
    if (&memory == &wanted && banked) return true;
    return stop(PlanStatus::Different,
                stepText(step_) + ": " + name(value) + " is in another memory than its layout says");
  }

  bool store(ValueId value, const std::optional<TensorLayout>& layout, HostTensor& tensor, const Op* op) {
    return settle(value, layout) && write(value, tensor, op);
  }

  bool isMove(const Op& op, ValueId to) const {
    if (!opInfo(op.kind).has(kToLayout) || op.operands.empty()) return false;
    const TensorPlace &source = place_[op.operands[0]].place, &target = place_[to].place;
    return source.map != nullptr && source.layout.dtype == target.layout.dtype &&
           graph_.values[op.operands[0]].type.tensor->shape == graph_.values[to].type.tensor->shape;
  }

  // Into the value's bytes: moved from the operand's where the op does nothing else.
  bool write(ValueId value, HostTensor& tensor, const Op* op) {
    const TensorPlace& to = place_[value].place;
    if (to.map == nullptr) return true;
    TensorPlace target = to;
    const PageMap asWritten = code_.map(graph_.values[value].type.tensor->shape, to.layout, device_);
    target.map = std::make_shared<const PageMap>(asWritten);
    if (!inMemory(value, asWritten)) return false;
    if (static_cast<int64_t>(tensor.size()) < elementCount(graph_.values[value].type.tensor->shape).value_or(0))
      return stop(PlanStatus::NotExecutable, name(value) + " has fewer elements than its type");
    const bool move = op != nullptr && isMove(*op, value);
    const bool fits =
        move ? moveTensor(place_[op->operands[0]].place, target, code_) : writeTensor(target, tensor, code_);
    if (!fits) return stop(PlanStatus::OverBudget, "the memories hold more than they may");
    marks_.push_back(
        {Change::Written, to.memory, to.address, to.address + asWritten.bytesPerBank, step_, value, target.map});
    ++done.writes;
    done.moves += move;
    done.bytes += static_cast<int64_t>(asWritten.pages.size()) * asWritten.pageBytes;
    return roundAndCheck(value, tensor, -1);
  }

  bool roundAndCheck(ValueId value, HostTensor& tensor, int32_t operand) {
    const Shape& stored = graph_.values[value].type.tensor->shape;
    roundAsStored(tensor, place_[value].place.layout.dtype, stored.empty() ? 1 : stored.back());
    return check(value, tensor, operand);
  }

  int32_t ownerOf(int32_t buffer) const {
    const int32_t owner = buffer < 0 ? -1 : run_.buffers[static_cast<size_t>(buffer)].aliasOf;
    return owner >= 0 ? owner : buffer;
  }

  // The operands of an op that it has not read yet; only those in the buffer, when one is named.
  bool readAll(const std::vector<ValueId>& operands, const Values& values, int32_t buffer) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Held& held = place_[operands[i]];
      if (!graph_.values[operands[i]].type.isTensor() || read_[i]) continue;
      if (buffer >= 0 && ownerOf(held.buffer) != buffer) continue;
      read_[i] = true;
      if (held.place.map == nullptr)
        return stop(PlanStatus::Different, stepText(step_) + " reads " + name(operands[i]) + ", which is nowhere");
      if (!check(operands[i], values[operands[i]], static_cast<int32_t>(i))) return false;
      ++done.reads;
    }
    return true;
  }

  bool check(ValueId value, const HostTensor& tensor, int32_t operand) {
    const TensorPlace& at = place_[value].place;
    const std::optional<StoredValue> found = firstDifference(at, tensor);
    if (!found) return true;
    PlanDifference d;
    d.step = step_;
    d.op = op_;
    d.value = value;
    d.operand = operand;
    const bool padding = found->element < 0;
    d.element = padding ? "padding" : "element " + indexText(tensor.shape, found->element);
    d.is = found->value;
    d.should = padding ? kFillValue : tensor.at(static_cast<size_t>(found->element));
    d.place = placeText(at, found->bank);
    d.address = found->address;
    d.writer = writerOf(*at.memory, found->bank, found->address);
    std::string text = stepText(step_) + ", ";
    if (operand >= 0) text += "operand " + std::to_string(operand) + ", ";
    text += name(value) + ": " + d.element + " is " + numberText(d.is) + ", should be " + numberText(d.should) + "; " +
            d.place + ", address " + std::to_string(d.address) + ", last changed by " + d.writer;
    done.difference = std::move(d);
    return stop(PlanStatus::Different, std::move(text));
  }

  std::string placeText(const TensorPlace& at, int64_t bank) const {
    if (at.memory == &host_) return "host";
    if (at.memory == &dram_) return "DRAM bank " + std::to_string(bank);
    return "core (x=" + std::to_string(bank % device_.grid.cols) + ",y=" + std::to_string(bank / device_.grid.cols) +
           ")";
  }

  std::string writerOf(const ByteMemory& memory, int64_t bank, int64_t address) const {
    for (size_t i = marks_.size(); i-- > 0;) {
      const Mark& mark = marks_[i];
      if (mark.memory != &memory || address < mark.begin || address >= mark.end) continue;
      const bool there = mark.map == nullptr || touches(*mark.map, bank, address - mark.begin);
      if (!there) continue;
      const std::string by = stepText(mark.step);
      switch (mark.change) {
        case Change::Written: return by + ": wrote " + name(mark.value);
        case Change::Freed: return by + ": freed " + name(mark.value);
        case Change::Allocated: return by + ": made room for " + name(mark.value);
        case Change::Scribbled: return by + ": its circular buffers";
      }
    }
    return "nobody";
  }
  static bool touches(const PageMap& map, int64_t bank, int64_t offset) {
    return std::any_of(map.pages.begin(), map.pages.end(), [&](const Page& page) {
      return page.bank == bank && page.offset <= offset && offset < page.offset + map.pageBytes;
    });
  }

  const Graph& graph_;
  const SimResult& run_;
  const DeviceSpec& device_;
  StorageCode code_;
  ByteMemory core_, dram_, host_;
  IdVec<ValueId, Held> place_;
  std::vector<Mark> marks_;
  size_t next_ = 0;  // of the run's events
  int32_t step_ = -1;
  OpId op_;
  std::vector<bool> read_;  // operands of the op that it has read
  int64_t hostEnd_ = 0;
};

// The largest difference of two tensors, relative to the largest value.
double relativeDifference(const HostTensor& a, const HostTensor& b) {
  double largest = 0, apart = 0;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (!std::isfinite(a.at(i)) || !std::isfinite(b.at(i))) continue;
    largest = std::max(largest, std::fabs(b.at(i)));
    apart = std::max(apart, std::fabs(a.at(i) - b.at(i)));
  }
  return largest > 0 ? apart / largest : apart;
}

bool sameValues(const HostTensor& a, const HostTensor& b) {
  if (a.shape != b.shape) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = a.at(i), y = b.at(i);
    if (x != y && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

// A plan says where values lie, never what they are: without rounding both give the same bits.
void compareWithSource(const Graph& source, const Execution& plain, const std::vector<HostTensor>& inputs,
                       const ExecutionBudget& budget, PlanExecution& done) {
  const Execution before = execute(source, inputs, budget);
  if (before.status != ExecutionStatus::Done) {
    done.status = PlanStatus::NotExecutable;
    done.text = "the graph before the plan: " + before.text;
    return;
  }
  bool same = before.results.size() == plain.results.size() && before.arguments.size() == plain.arguments.size();
  for (size_t i = 0; same && i < plain.results.size(); ++i) same = sameValues(before.results[i], plain.results[i]);
  for (size_t i = 0; same && i < plain.arguments.size(); ++i)
    same = sameValues(before.arguments[i], plain.arguments[i]);
  if (same) return;
  done.status = PlanStatus::Different;
  done.text = "the graph with the plan computes something else than the graph it was made for";
}

}  // namespace

PlanExecution executePlan(const Graph& graph, const SimResult& run, const DeviceSpec& device,
                          const std::vector<HostTensor>& inputs, const PlanExecutionOptions& options) {
  PlanMachine machine(graph, run, device, options);
  Execution rounded = execute(graph, inputs, options.budget, &machine);
  PlanExecution& done = machine.done;
  if (done.status != PlanStatus::Equal) return std::move(done);
  if (rounded.status != ExecutionStatus::Done) {
    done.status = rounded.status == ExecutionStatus::OverBudget ? PlanStatus::OverBudget : PlanStatus::NotExecutable;
    done.text = rounded.text;
    done.malformed = rounded.malformed;
    return std::move(done);
  }
  if (!machine.checkArguments(rounded.arguments)) return std::move(done);
  const Execution plain = execute(graph, inputs, options.budget);
  if (options.source != nullptr) compareWithSource(*options.source, plain, inputs, options.budget, done);
  for (size_t i = 0; i < plain.results.size() && i < rounded.results.size(); ++i)
    done.rounding = std::max(done.rounding, relativeDifference(rounded.results[i], plain.results[i]));
  return std::move(done);
}

std::string planExecutionText(const PlanExecution& e) {
  switch (e.status) {
    case PlanStatus::Equal: break;
    case PlanStatus::Different: return "DIFFERENT: " + e.text;
    case PlanStatus::Failed: return "the run fails: " + e.text;
    case PlanStatus::NotExecutable: return "not executed: " + e.text;
    case PlanStatus::OverBudget: return "too large to execute: " + e.text;
  }
  char rounding[40];
  std::snprintf(rounding, sizeof rounding, "%.1e", e.rounding);
  return "equal: " + std::to_string(e.steps) + " steps, " + std::to_string(e.reads) + " operands read, " +
         std::to_string(e.writes) + " values written (" + std::to_string(e.bytes) + " bytes), " +
         std::to_string(e.moves) + " moved, " + std::to_string(e.views) + " views; rounding of the formats " + rounding;
}

}  // namespace tessera

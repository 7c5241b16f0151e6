#include "core/execute/interpreter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/execute/stablehlo_attrs.h"
#include "core/ir/bodies.h"
#include "core/ir/constant_value.h"
#include "core/ir/functions.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {

namespace {

constexpr size_t kDeepestCalls = 64;
constexpr int64_t kMostSteps = 500'000;  // ops, those of every turn of a loop

std::string describe(const Graph& graph, OpId id) {
  const Op& op = graph.ops[id];
  std::string text = op.results.empty() ? op.name : "%" + graph.values[op.results[0]].name + " (" + op.name + ")";
  return op.loc.empty() ? text : text + " at " + op.loc;
}

// Elements, where a dim of none counts as one: the loops around it turn, though nothing is in them.
int64_t turnsOver(const Shape& shape) {
  int64_t turns = 1;
  for (int64_t dim : shape) turns = mulSaturated(turns, std::max<int64_t>(dim, 1));
  return turns;
}

class Machine {
 public:
  Machine(const Graph& graph, const ExecutionBudget& budget, ExecutionObserver* observer)
      : graph_(graph),
        budget_(budget),
        observer_(observer),
        values_(graph.values.size()),
        held_(graph.values.size(), false),
        freed_(graph.values.size(), false),
        infinite_(graph.values.size(), 0) {}

  Execution run(const std::vector<HostTensor>& inputs) {
    if (!graph_.forward.valid()) return stop(ExecutionStatus::NotExecutable, "the graph has no function to execute");
    const Function& forward = graph_.funcs[graph_.forward];
    if (inputs.size() != forward.args.size())
      return stop(ExecutionStatus::NotExecutable, "the function takes another number of arguments");
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!bindArgument(forward.args[i], inputs[i])) return std::move(execution_);
    }
    push(graph_.forward, OpId{});
    while (!frames_.empty()) {
      if (!step()) return std::move(execution_);
    }
    for (ValueId arg : forward.args) execution_.arguments.push_back(std::move(values_[arg]));
    return std::move(execution_);
  }

 private:
  struct Frame {
    FuncId func;
    size_t next = 0;
    OpId call;          // invalid for the forward function
    bool test = false;  // the condition of the loop `call`
  };

  Execution stop(ExecutionStatus status, std::string text) {
    fail(status, std::move(text));
    return std::move(execution_);
  }
  bool fail(ExecutionStatus status, std::string text) {
    execution_.status = status;
    execution_.text = std::move(text);
    return false;
  }
  bool failOp(OpId op, const std::string& why) {
    execution_.malformed = true;
    return lacks(op, why);
  }
  // An op that may be sound, but is not known here.
  bool lacks(OpId op, const std::string& why) {
    return fail(ExecutionStatus::NotExecutable, describe(graph_, op) + ": " + why);
  }

  static int64_t bytesOf(const HostTensor& t) { return static_cast<int64_t>(t.f.size() * 4 + t.i.size() * 8); }

  void hold(ValueId id, HostTensor tensor) {
    drop(id);
    alive_ += bytesOf(tensor);
    infinite_[id] = std::count_if(tensor.f.begin(), tensor.f.end(), [](float x) { return !std::isfinite(x); });
    values_[id] = std::move(tensor);
    held_[id] = true;
    freed_[id] = false;
  }
  void drop(ValueId id) {
    if (!held_[id]) return;
    alive_ -= bytesOf(values_[id]);
    values_[id] = HostTensor();
    held_[id] = false;
  }

  bool bindArgument(ValueId arg, const HostTensor& input) {
    const Value& value = graph_.values[arg];
    if (!value.type.isTensor()) return true;
    if (value.type.tensor->shape != input.shape) {
      const bool notDrawn = input.shape.empty() && input.size() == 0;
      return fail(ExecutionStatus::NotExecutable,
                  "argument %" + value.name + (notDrawn ? " has too many elements" : " has another shape"));
    }
    if (alive_ + bytesOf(input) > budget_.bytes)
      return fail(ExecutionStatus::OverBudget,
                  "the arguments need more than " + std::to_string(budget_.bytes) + " bytes");
    hold(arg, convertTo(input, value.type.tensor->dtype));
    return observer_ == nullptr || observed(observer_->argument(arg, values_[arg]));
  }

  bool observed(std::string mistake) {
    return mistake.empty() || fail(ExecutionStatus::NotExecutable, std::move(mistake));
  }
  // Of ops of the forward function.
  bool observedAfter(OpId id) {
    return observer_ == nullptr || frames_.size() != 1 || observed(observer_->after(id, values_));
  }

  // Bytes of the op's results, and how much there is to compute, before anything is allocated.
  bool affordable(OpId id) {
    const Op& op = graph_.ops[id];
    int64_t bytes = 0, elements = 1;
    for (ValueId result : op.results) {
      if (!graph_.values[result].type.isTensor()) continue;
      std::optional<int64_t> count = elementCount(graph_.values[result].type.tensor->shape);
      int64_t more = 0;
      const int64_t each = isFloatType(graph_.values[result].type.tensor->dtype) ? 4 : 8;  // as bytesOf() counts
      if (!count || !mulChecked(*count, each, more) || !addChecked(bytes, more, bytes))
        return fail(ExecutionStatus::OverBudget, describe(graph_, id) + ": absurd size");
      elements = std::max(elements, turnsOver(graph_.values[result].type.tensor->shape));
    }
    const bool product = opInfo(op.kind).family == Family::Matmul;  // whose work is that of its result
    for (ValueId operand : op.operands) {
      if (graph_.values[operand].type.isTensor() && !product)
        elements = std::max(elements, turnsOver(graph_.values[operand].type.tensor->shape));
    }
    int64_t work = 0;
    if (!mulChecked(elements, innerWork(op), work) || !addChecked(work_, work, work_) || work_ > budget_.work) {
      return fail(ExecutionStatus::OverBudget,
                  describe(graph_, id) + ": more than " + std::to_string(budget_.work) + " multiplications in total");
    }
    if (bytes > budget_.bytes || alive_ > budget_.bytes - bytes) {
      return fail(ExecutionStatus::OverBudget,
                  describe(graph_, id) + ": more than " + std::to_string(budget_.bytes) + " bytes of tensors alive");
    }
    return true;
  }

  // Multiplications per element of the largest tensor, from above; per element of the result of a matrix product.
  int64_t innerWork(const Op& op) const {
    auto dimOf = [&](size_t operand, size_t back) -> int64_t {
      if (operand >= op.operands.size() || !graph_.values[op.operands[operand]].type.isTensor()) return 1;
      const Shape& shape = graph_.values[op.operands[operand]].type.tensor->shape;
      return back <= shape.size() ? std::max<int64_t>(shape[shape.size() - back], 1) : 1;
    };
    int64_t product = 1;
    switch (opInfo(op.kind).family) {
      case Family::Matmul: {
        // The dim that is summed over is one of the last two, or named.
        const AttrValue* summed = findAttr(op, "contract_dims_lhs");
        if (summed == nullptr) return std::max(dimOf(0, 1), dimOf(0, 2));
        const Shape shape = graph_.values[op.operands[0]].type.tensor->shape;
        for (int64_t d : summed->ints) {
          const bool inside = d >= 0 && d < static_cast<int64_t>(shape.size());
          if (inside && !mulChecked(product, shape[static_cast<size_t>(d)], product)) return INT64_MAX;
        }
        return product;
      }
      case Family::Conv:
        if (!mulChecked(dimOf(1, 1), dimOf(1, 2), product) ||
            !mulChecked(product, std::max(dimOf(1, 3), dimOf(1, 4)), product))
          return INT64_MAX;
        return product;
      case Family::Stablehlo:
      case Family::Opaque: return stablehloWork(op);
      case Family::Attention: return mulChecked(dimOf(1, 2), 2, product) ? product : INT64_MAX;
      case Family::Pool: {
        const AttrValue* kernel = findAttr(op, findAttr(op, "kernel") != nullptr ? "kernel" : "kernel_size");
        int64_t first = 1, second = 1;
        if (kernel != nullptr && kernel->ints.size() >= 2) {
          first = kernel->ints[0];
          second = kernel->ints[1];
        } else if (kernel != nullptr && kernel->kind == AttrValueKind::Integer) {
          first = second = kernel->integer;
        }
        if (first < 1 || second < 1 || first > (1 << 20) || second > (1 << 20)) return INT64_MAX;
        return first * second;
      }
      default: return 1;
    }
  }

  // As innerWork(), of StableHLO's convolutions, products and windows.
  int64_t stablehloWork(const Op& op) const {
    auto shapeOf = [&](size_t operand) -> Shape {
      if (operand >= op.operands.size() || !graph_.values[op.operands[operand]].type.isTensor()) return {};
      return graph_.values[op.operands[operand]].type.tensor->shape;
    };
    int64_t product = 1;
    bool fits = true;
    auto times = [&](int64_t factor) { fits = fits && mulChecked(product, std::max<int64_t>(factor, 1), product); };
    OpKind kind = opKindFromName(op.name);
    if (kind == OpKind::ShloConvolution) {
      ShloConv conv;
      Shape kernel = shapeOf(1);
      if (!readShloConv(op, conv)) return 1;
      for (size_t d = 0; d < kernel.size(); ++d) times(static_cast<int64_t>(d) == conv.kernel.first ? 1 : kernel[d]);
    } else if (kind == OpKind::ShloDotGeneral || kind == OpKind::ShloDot) {
      Shape left = shapeOf(0);
      for (int64_t d : readShloDot(op).sumLeft) {
        if (d >= 0 && static_cast<size_t>(d) < left.size()) times(left[static_cast<size_t>(d)]);
      }
      if (kind == OpKind::ShloDot && !left.empty()) times(left.back());
    } else if (kind == OpKind::ShloReduceWindow || kind == OpKind::ShloSelectAndScatter) {
      const AttrValue* sizes = findAttr(op, "window_dimensions");
      for (int64_t size : sizes == nullptr ? std::vector<int64_t>() : sizes->ints) times(size);
    } else if (kind == OpKind::ShloSort || kind == OpKind::ChloTopK) {
      for (int64_t dim : shapeOf(0)) product = std::max(product, dim);
    }
    return fits ? product : INT64_MAX;
  }

  void push(FuncId func, OpId call) {
    frames_.push_back({func, 0, call});
    for (OpId op : graph_.funcs[func].ops) {
      for (ValueId operand : graph_.ops[op].operands) lastUse_[operand] = op;
    }
  }

  bool step() {
    Frame& frame = frames_.back();
    const std::vector<OpId>& ops = graph_.funcs[frame.func].ops;
    if (frame.next == ops.size())
      return fail(ExecutionStatus::NotExecutable, "@" + graph_.funcs[frame.func].name + " does not return");
    OpId id = ops[frame.next++];
    const Op& op = graph_.ops[id];
    if (++steps_ > kMostSteps) return fail(ExecutionStatus::OverBudget, describe(graph_, id) + ": too many turns");
    for (ValueId operand : op.operands) {
      if (freed_[operand]) return failOp(id, "reads %" + graph_.values[operand].name + " after it was deallocated");
      if (graph_.values[operand].type.isTensor() && !held_[operand])
        return failOp(id, "%" + graph_.values[operand].name + " has no value");
    }
    if (!affordable(id)) return false;
    if (observer_ != nullptr && frames_.size() == 1 && !observed(observer_->before(id, values_))) return false;
    if (opInfo(op.kind).has(kTerminator)) return finishFrame(op);
    if (op.name == "ttnn.deallocate" || op.name == "ttir.dealloc") return deallocate(id);
    if (op.kind == OpKind::TtnnGetDevice) return observedAfter(id);
    const OpKind kind = kindOf(op);
    if (kind == OpKind::ShloWhile) return startLoop(id);
    if (kind == OpKind::ShloCase || kind == OpKind::ShloIf) return takeBranch(id);
    if (kind == OpKind::ShloComposite || opInfo(kind).family == Family::Call || kind == OpKind::TtnnDispatchD2m)
      return call(id);
    return runKernel(id);
  }

  // StableHLO ops that no rule took are opaque to the optimizer only.
  static OpKind kindOf(const Op& op) { return op.kind == OpKind::Opaque ? opKindFromName(op.name) : op.kind; }

  bool deallocate(OpId id) {
    for (ValueId operand : graph_.ops[id].operands) {
      bool argument = !graph_.values[operand].producer.valid() && graph_.values[operand].func == graph_.forward;
      if (!argument) drop(operand);  // what arguments hold at the end is compared
      freed_[operand] = true;
    }
    return observedAfter(id);
  }

  bool runKernel(OpId id) {
    const Op& op = graph_.ops[id];
    Kernel kernel = kindOf(op) == OpKind::Opaque ? nullptr : findKernel(op.name);
    if (kernel == nullptr) return lacks(id, "the interpreter has no kernel for " + op.name);
    KernelCall c{graph_, op, {}, std::vector<HostTensor>(op.results.size()), {}, false, &bodies_};
    auto inputs = static_cast<size_t>(inputCount(graph_, id));
    for (size_t i = 0; i < inputs; ++i) {
      ValueId operand = op.operands[i];
      bool device = !graph_.values[operand].type.isTensor();
      // `device` operands at the end are not inputs.
      if (device && i + 1 == inputs) break;
      c.in.push_back(device ? nullptr : &values_[operand]);
    }
    kernel(c);
    if (!c.error.empty()) return c.unknown ? lacks(id, c.error) : failOp(id, c.error);
    for (size_t i = 0; i < op.results.size(); ++i) {
      const ValueType& type = graph_.values[op.results[i]].type;
      if (type.isTensor()) hold(op.results[i], convertTo(c.out[i], type.tensor->dtype));
    }
    if (opInfo(op.kind).family == Family::KvCache && !op.operands.empty()) writeThrough(op);
    if (!observedAfter(id)) return false;
    countOverflows(op);
    release(id);
    return true;
  }

  // What an op gives back of a cache is that cache: a later write into either is seen in all of them.
  void writeThrough(const Op& op) {
    const ValueId cache = op.operands[0];
    const auto known = cacheOf_.find(cache.index);
    const ValueId first = known != cacheOf_.end() ? known->second : cache;
    std::vector<ValueId>& same = sameCache_[first.index];
    if (same.empty()) same.push_back(first);
    for (ValueId other : same) {
      if (other == cache || !held_[other]) continue;
      const bool freed = freed_[other];
      hold(other, convertTo(values_[cache], graph_.values[other].type.tensor->dtype));
      freed_[other] = freed;
    }
    for (ValueId result : op.results) {
      if (cacheOf_.emplace(result.index, first).second) same.push_back(result);
    }
  }

  // Of numbers that are some come numbers that are none.
  void countOverflows(const Op& op) {
    if (op.operands.empty()) return;
    for (ValueId operand : op.operands) {
      if (infinite_[operand] > 0) return;
    }
    for (ValueId result : op.results) execution_.overflows += infinite_[result];
  }

  // Temporaries go after their last use. Arguments stay: their final state is part of the outcome.
  void release(OpId id) {
    for (ValueId operand : graph_.ops[id].operands) {
      if (graph_.values[operand].producer.valid() && lastUse_[operand] == id) drop(operand);
    }
  }

  const Function* calleeOf(const Op& op, FuncId& id) const {
    for (std::string_view name : {"callee", "d2m_func", "decomposition"}) {
      const AttrValue* callee = findAttr(op, name);
      if (callee == nullptr || callee->kind != AttrValueKind::String) continue;
      id = functionNamed(graph_, callee->string);
      if (id.valid()) return &graph_.funcs[id];
    }
    return nullptr;
  }

  bool mayEnter(OpId id) { return frames_.size() < kDeepestCalls || lacks(id, "calls are nested too deep"); }

  bool call(OpId id) {
    const Op& op = graph_.ops[id];
    FuncId func;
    const Function* callee = calleeOf(op, func);
    if (callee == nullptr || callee->ops.empty()) return lacks(id, "calls a function without a body");
    for (const Frame& frame : frames_) {
      if (frame.func == func) return failOp(id, "calls itself");
    }
    if (!mayEnter(id)) return false;
    if (callee->args.size() > op.operands.size()) return failOp(id, "the function takes more arguments");
    for (size_t i = 0; i < callee->args.size(); ++i) {
      const ValueType& type = graph_.values[callee->args[i]].type;
      if (!type.isTensor()) continue;
      if (!held_[op.operands[i]] || type.tensor->shape != values_[op.operands[i]].shape)
        return failOp(id, "argument " + std::to_string(i) + " has another shape");
      hold(callee->args[i], convertTo(values_[op.operands[i]], type.tensor->dtype));
    }
    push(func, id);
    return true;
  }

  // Begins a region of the op on these arguments.
  bool enterRegion(OpId id, std::string_view attr, std::vector<const HostTensor*> arguments, bool test = false) {
    const AttrValue* name = findAttr(graph_.ops[id], attr);
    const FuncId func = name == nullptr ? FuncId{} : functionNamed(graph_, name->string);
    if (!func.valid() || graph_.funcs[func].ops.empty()) return failOp(id, "a region is missing");
    const std::vector<ValueId>& args = graph_.funcs[func].args;
    for (const Frame& frame : frames_) {
      if (frame.func == func) return failOp(id, "runs within itself");
    }
    if (!mayEnter(id)) return false;
    if (args.size() != arguments.size()) return failOp(id, "its region takes other arguments");
    for (size_t i = 0; i < args.size(); ++i) {
      const ValueType& type = graph_.values[args[i]].type;
      if (!type.isTensor()) continue;
      if (type.tensor->shape != arguments[i]->shape) return failOp(id, "an argument of its region has another shape");
      hold(args[i], convertTo(*arguments[i], type.tensor->dtype));
    }
    push(func, id);
    frames_.back().test = test;
    return true;
  }

  // The operands of a region of the op that it captures; `first` is the first captured operand of all.
  std::vector<const HostTensor*> capturedBy(const Op& op, size_t first, size_t region) {
    const AttrValue* captures = findAttr(op, "captures");
    std::vector<const HostTensor*> out;
    if (captures == nullptr || region >= captures->ints.size()) return out;
    for (size_t r = 0; r < region; ++r) first += static_cast<size_t>(captures->ints[r]);
    for (size_t i = first; i < first + static_cast<size_t>(captures->ints[region]) && i < op.operands.size(); ++i)
      out.push_back(&values_[op.operands[i]]);
    return out;
  }

  bool startLoop(OpId id) {
    const Op& op = graph_.ops[id];
    if (op.operands.size() < op.results.size()) return failOp(id, "it carries more than it is given");
    std::vector<HostTensor>& state = loops_[id.index];
    state.clear();
    for (size_t i = 0; i < op.results.size(); ++i) state.push_back(values_[op.operands[i]]);
    return turn(id, true);
  }

  // The test of a loop, or its body.
  bool turn(OpId id, bool test) {
    const Op& op = graph_.ops[id];
    std::vector<const HostTensor*> arguments;
    for (const HostTensor& value : loops_[id.index]) arguments.push_back(&value);
    std::vector<const HostTensor*> captured = capturedBy(op, op.results.size(), test ? 0 : 1);
    arguments.insert(arguments.end(), captured.begin(), captured.end());
    return enterRegion(id, test ? "body" : "body1", std::move(arguments), test);
  }

  // After the test or the body of a loop.
  bool finishTurn(const Frame& done, std::vector<HostTensor> results) {
    const Op& op = graph_.ops[done.call];
    std::vector<HostTensor>& state = loops_[done.call.index];
    if (!done.test) {
      if (results.size() != state.size()) return failOp(done.call, "its body gives another number of values");
      state = std::move(results);
      return turn(done.call, true);
    }
    if (results.size() != 1 || results[0].size() != 1) return failOp(done.call, "its test gives no truth value");
    if (results[0].at(0) != 0) return turn(done.call, false);
    for (size_t i = 0; i < op.results.size(); ++i) {
      if (graph_.values[op.results[i]].type.isTensor()) hold(op.results[i], std::move(state[i]));
    }
    state.clear();
    release(done.call);
    return true;
  }

  // `if` takes its first region when true; `case` the one of its index, or the last.
  bool takeBranch(OpId id) {
    const Op& op = graph_.ops[id];
    size_t regions = 0;
    while (findAttr(op, regions == 0 ? "body" : "body" + std::to_string(regions)) != nullptr) ++regions;
    if (op.operands.empty() || values_[op.operands[0]].size() != 1 || regions == 0)
      return failOp(id, "it has no index or no branches");
    int64_t index = values_[op.operands[0]].integerAt(0);
    size_t which = kindOf(op) == OpKind::ShloIf                          ? (index != 0 ? 0 : 1)
                   : index >= 0 && index < static_cast<int64_t>(regions) ? static_cast<size_t>(index)
                                                                         : regions - 1;
    return enterRegion(id, which == 0 ? "body" : "body" + std::to_string(which), capturedBy(op, 1, which));
  }

  bool finishFrame(const Op& ret) {
    Frame done = frames_.back();
    frames_.pop_back();
    std::vector<HostTensor> results;
    for (ValueId operand : ret.operands) results.push_back(values_[operand]);
    if (!done.call.valid()) {
      execution_.results = std::move(results);
      return true;
    }
    const Op& call = graph_.ops[done.call];
    for (ValueId arg : graph_.funcs[done.func].args) drop(arg);
    for (OpId op : graph_.funcs[done.func].ops) {
      for (ValueId result : graph_.ops[op].results) drop(result);
    }
    if (kindOf(call) == OpKind::ShloWhile) return finishTurn(done, std::move(results));
    if (call.results.size() != results.size())
      return failOp(done.call, "the function returns another number of results");
    for (size_t i = 0; i < results.size(); ++i) {
      const ValueType& type = graph_.values[call.results[i]].type;
      if (type.isTensor()) hold(call.results[i], convertTo(results[i], type.tensor->dtype));
    }
    if (!observedAfter(done.call)) return false;
    release(done.call);
    return true;
  }

  const Graph& graph_;
  const ExecutionBudget& budget_;
  ExecutionObserver* observer_;
  Execution execution_;
  IdVec<ValueId, HostTensor> values_;
  IdVec<ValueId, bool> held_, freed_;
  std::map<int32_t, ValueId> cacheOf_;                 // by a value that an op gave back: the cache it is
  std::map<int32_t, std::vector<ValueId>> sameCache_;  // by a cache: it and what ops gave back of it
  IdVec<ValueId, int64_t> infinite_;                   // elements that are infinite or no numbers
  IdVec<ValueId, OpId> lastUse_{graph_.values.size()};
  std::vector<Frame> frames_;
  std::unordered_map<int32_t, std::vector<HostTensor>> loops_;  // what each loop that runs carries
  BodyBudget bodies_ = budget_.bodies;
  int64_t alive_ = 0;
  int64_t work_ = 0;
  int64_t steps_ = 0;  // ops executed
};

}  // namespace

Execution execute(const Graph& graph, const std::vector<HostTensor>& inputs, const ExecutionBudget& budget,
                  ExecutionObserver* observer) {
  if (graph.bodies) return execute(withBodiesInside(graph), inputs, budget, observer);
  return Machine(graph, budget, observer).run(inputs);
}

}  // namespace tessera

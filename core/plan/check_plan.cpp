#include "core/plan/check_plan.h"

#include <algorithm>

#include "core/ops/model/op_model.h"
#include "core/plan/shared_buffer.h"

namespace tessera {

std::string_view planRuleName(PlanRule rule) {
  switch (rule) {
    case PlanRule::OrderIncomplete: return "order-incomplete";
    case PlanRule::OrderUseBeforeDef: return "order-use-before-def";
    case PlanRule::LayoutMissing: return "layout-missing";
    case PlanRule::LayoutDoesNotFit: return "layout-does-not-fit";
    case PlanRule::ArgumentMoved: return "argument-moved";
    case PlanRule::ReshardOfNothing: return "reshard-of-nothing";
    case PlanRule::SpillUnused: return "spill-unused";
    case PlanRule::ConfigDiffers: return "config-differs";
    case PlanRule::OpRefused: return "op-refused";
    case PlanRule::ReturnNotInDram: return "return-not-in-dram";
    case PlanRule::OverBudget: return "over-budget";
  }
  return "";
}

namespace {

// Shapes and element types are the graph's: an op that is refused for them no plan can help. The run converts the
// operand before the op, or counts the op as refused.
bool isOfTheGraph(Refusal reason) {
  return reason == Refusal::EmptyTensor || reason == Refusal::TensorTooLarge || reason == Refusal::ShapeMismatch ||
         reason == Refusal::InputType;
}

struct Checker {
  const Problem& problem;
  const Plan& plan;
  const OpModel model{problem.device};  // fresh: remembers nothing of the policy's questions
  std::vector<PlanDefect> defects = {};

  void fail(PlanRule rule, std::string text, OpId op = {}, int operand = -1) {
    defects.push_back({rule, std::move(text), op, operand});
  }
  std::string opName(OpId op) const {
    const Op& o = problem.graph.ops[op];
    return o.results.empty() ? o.name : "%" + problem.graph.values[o.results[0]].name + " " + o.name;
  }
  bool tensor(ValueId v) const { return problem.graph.values[v].type.isTensor(); }

  // The order holds the function's ops once each, and producers come first.
  bool checkOrder() {
    const Function& func = problem.graph.funcs[problem.graph.forward];
    std::vector<OpId> expected = func.ops, got = plan.order;
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    if (expected != got) {
      fail(PlanRule::OrderIncomplete, "the plan orders " + std::to_string(plan.order.size()) +
                                          " ops, the function has " + std::to_string(func.ops.size()));
      return false;
    }
    IdVec<OpId, int64_t> at(problem.graph.ops.size(), -1);
    for (size_t i = 0; i < plan.order.size(); ++i) at[plan.order[i]] = static_cast<int64_t>(i);
    for (OpId op : plan.order) {
      for (ValueId operand : problem.graph.ops[op].operands) {
        OpId producer = problem.graph.values[operand].producer;
        if (producer.valid() && at[producer] >= at[op]) fail(PlanRule::OrderUseBeforeDef, opName(op), op);
      }
    }
    return defects.empty();
  }

  // Every layout is the one that its shape, grid and element type give.
  void checkLayout(ValueId value, const TensorLayout& layout, const std::string& where) {
    LayoutRequest request{layout.dtype, layout.buffer, layout.memory, layout.page, layout.grid};
    auto made = makeLayout(problem.graph.values[value].type.tensor->shape, request, problem.device);
    if (!made.ok()) fail(PlanRule::LayoutDoesNotFit, where + ": " + made.error().text);
    else if (!(*made == layout)) fail(PlanRule::LayoutDoesNotFit, where + ": shard differs from what its grid gives");
  }

  void checkLayouts() {
    for (ValueId v : problem.graph.values.ids()) {
      if (problem.graph.values[v].func != problem.graph.forward || !tensor(v)) continue;
      std::string name = "%" + problem.graph.values[v].name;
      if (!plan.layout.contains(v) || !plan.layout[v]) {
        fail(PlanRule::LayoutMissing, name);
        continue;
      }
      if (problem.pinned[v]) {
        if (!(*problem.pinned[v] == *plan.layout[v])) fail(PlanRule::ArgumentMoved, name);
      } else {
        checkLayout(v, *plan.layout[v], name);
      }
    }
  }

  // Where a value is now, and with whom it shares that part of L1 (a view lies in its operand's buffer).
  struct Now {
    std::optional<TensorLayout> layout;
    int32_t share = -1;
  };
  IdVec<ValueId, Now> now;
  IdVec<ValueId, int32_t> lastRead;
  std::vector<int32_t> members;  // by share
  std::vector<Bytes> shareBytes;
  Bytes live;  // of all shares with members
  IdVec<OpId, std::vector<const Spill*>> spillsBefore;
  IdVec<OpId, std::vector<const Reshard*>> reshardsOf;

  // An argument belongs to the caller; a copy of it that readers share does not.
  bool movedArgument(ValueId v) const {
    return now[v].layout && plan.layout[v] && !(*now[v].layout == *plan.layout[v]);
  }

  // With `share` -1 the value gets L1 of its own.
  void put(ValueId value, const TensorLayout& layout, int32_t share) {
    if (share < 0) {
      share = static_cast<int32_t>(members.size());
      members.push_back(0);
      shareBytes.push_back(l1BytesPerCore(layout));
    }
    auto s = static_cast<size_t>(share);
    if (members[s]++ == 0) live += shareBytes[s];
    now[value] = {layout, share};
  }
  void remove(ValueId value) {
    if (!now[value].layout) return;
    auto s = static_cast<size_t>(now[value].share);
    if (--members[s] == 0) live -= shareBytes[s];
    now[value] = {};
  }

  // Walks the plan step by step with nothing but the current place of each value.
  void walk() {
    now.resize(problem.graph.values.size());
    lastRead.resize(problem.graph.values.size(), -1);
    spillsBefore.resize(problem.graph.ops.size());
    reshardsOf.resize(problem.graph.ops.size());
    for (const Spill& spill : plan.spills) spillsBefore[spill.before].push_back(&spill);
    for (const Reshard& reshard : plan.reshards) reshardsOf[reshard.consumer].push_back(&reshard);
    for (size_t i = 0; i < plan.order.size(); ++i) {
      for (ValueId v : problem.graph.ops[plan.order[i]].operands) lastRead[v] = static_cast<int32_t>(i);
    }
    for (ValueId arg : problem.graph.funcs[problem.graph.forward].args) {
      if (tensor(arg)) put(arg, *plan.layout[arg], -1);
    }
    for (size_t i = 0; i < plan.order.size(); ++i) {
      OpId op = plan.order[i];
      auto step = static_cast<int32_t>(i);
      applySpills(op, step);
      int32_t share = checkOp(op);
      const Op& o = problem.graph.ops[op];
      for (ValueId r : o.results) {
        if (tensor(r)) put(r, *plan.layout[r], r == o.results[0] ? share : -1);
      }
      auto leave = [&](ValueId v) {
        bool ours = problem.graph.values[v].producer.valid() || movedArgument(v);
        if (ours && lastRead[v] <= step) remove(v);
      };
      for (ValueId v : o.operands) leave(v);
      for (ValueId v : o.results) leave(v);
    }
  }

  void applySpills(OpId op, int32_t step) {
    for (const Spill* spill : spillsBefore[op]) {
      std::string name = "%" + problem.graph.values[spill->value].name;
      const Now& at = now[spill->value];
      if (!at.layout || *at.layout == spill->to || lastRead[spill->value] < step) {
        fail(PlanRule::SpillUnused, name + " before " + opName(op), op);
        continue;
      }
      checkLayout(spill->value, spill->to, name + " spilled");
      remove(spill->value);
      put(spill->value, spill->to, -1);
    }
  }

  // An op that has no room with nothing else in L1, where it neither reads nor writes L1: no plan can help it, and the
  // run reports it.
  bool fitsNowhere(OpQuery query) const {
    const auto readsL1 = [](const std::optional<TensorLayout>& input) { return input && input->isL1(); };
    if (query.config.output.isL1() || std::any_of(query.inputs.begin(), query.inputs.end(), readsL1)) return false;
    query.additionalL1 = Bytes(0);
    return model.validateOperation(query, problem.budget.bytes()).status == OpStatus::OutOfMemory;
  }

  // Returns the share that the first result joins; -1: it has its own.
  int32_t checkOp(OpId op) {
    const Op& o = problem.graph.ops[op];
    std::vector<std::optional<TensorLayout>> inputs(o.operands.size());
    std::vector<bool> copied(o.operands.size(), false);
    for (size_t i = 0; i < o.operands.size(); ++i) inputs[i] = now[o.operands[i]].layout;
    Bytes taken = live;
    bool decided = !o.results.empty() && tensor(o.results[0]) && !problem.pinned[o.results[0]];
    if (decided && !(plan.config[op].output == *plan.layout[o.results[0]]))
      fail(PlanRule::ConfigDiffers, opName(op), op);
    for (const Reshard* reshard : reshardsOf[op]) {
      auto operand = static_cast<size_t>(reshard->operand);
      if (operand >= inputs.size() || !inputs[operand] || *inputs[operand] == reshard->to) {
        fail(PlanRule::ReshardOfNothing, opName(op) + " operand " + std::to_string(reshard->operand), op,
             reshard->operand);
        continue;
      }
      checkLayout(o.operands[operand], reshard->to, opName(op) + " operand " + std::to_string(reshard->operand));
      inputs[operand] = reshard->to;
      copied[operand] = true;
      taken += l1BytesPerCore(reshard->to);
    }
    if (opInfo(o.kind).has(kTerminator)) {
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] && inputs[i]->isL1())
          fail(PlanRule::ReturnNotInDram, "result " + std::to_string(i), op, static_cast<int>(i));
      }
      return -1;
    }
    OpQuery query{problem.graph, op, inputs, plan.config[op], taken};
    const bool shared =
        !inputs.empty() && inputs[0] && sharesFirstBuffer(problem.graph, op, *inputs[0], query.config.output);
    if (shared) query.additionalL1 -= l1BytesPerCore(query.config.output);  // it is counted with the operand
    OpVerdict verdict = model.validateOperation(query, problem.budget.bytes());
    if (verdict.status == OpStatus::OutOfMemory) {
      if (!fitsNowhere(query)) fail(PlanRule::OverBudget, opName(op) + ": " + verdictText(verdict), op);
    } else if (!verdict.ok() && !isOfTheGraph(verdict.reason)) {
      fail(PlanRule::OpRefused, opName(op) + ": " + verdictText(verdict), op, verdict.operand);
    }
    return shared && !copied[0] ? now[o.operands[0]].share : -1;
  }
};

}  // namespace

std::vector<PlanDefect> checkPlan(const Problem& problem, const Plan& plan) {
  Checker checker{problem, plan};
  if (!checker.checkOrder()) return checker.defects;
  checker.checkLayouts();
  if (!checker.defects.empty()) return checker.defects;
  checker.walk();
  return checker.defects;
}

}  // namespace tessera

#include "core/plan/check_plan.h"

#include <algorithm>
#include <map>

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

struct Checker {
  const Problem& problem;
  const Plan& plan;
  std::vector<PlanDefect> defects;

  void fail(PlanRule rule, std::string text) { defects.push_back({rule, std::move(text)}); }
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
      fail(PlanRule::OrderIncomplete, "the plan orders " + std::to_string(plan.order.size()) + " ops, the function has " + std::to_string(func.ops.size()));
      return false;
    }
    std::map<OpId, size_t> at;
    for (size_t i = 0; i < plan.order.size(); ++i) at[plan.order[i]] = i;
    for (OpId op : plan.order) {
      for (ValueId operand : problem.graph.ops[op].operands) {
        OpId producer = problem.graph.values[operand].producer;
        if (producer.valid() && at.count(producer) && at[producer] >= at[op]) fail(PlanRule::OrderUseBeforeDef, opName(op));
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

  // Walks the plan step by step with nothing but the current place of each value.
  void walk() {
    std::map<ValueId, TensorLayout> place;
    std::map<ValueId, size_t> lastRead;
    for (size_t i = 0; i < plan.order.size(); ++i) {
      for (ValueId v : problem.graph.ops[plan.order[i]].operands) lastRead[v] = i;
    }
    for (ValueId arg : problem.graph.funcs[problem.graph.forward].args) {
      if (tensor(arg)) place[arg] = *plan.layout[arg];
    }
    for (size_t i = 0; i < plan.order.size(); ++i) {
      OpId op = plan.order[i];
      applySpills(op, i, place, lastRead);
      checkOp(op, place);
      for (ValueId r : problem.graph.ops[op].results) {
        if (tensor(r)) place[r] = *plan.layout[r];
      }
      for (auto it = place.begin(); it != place.end();) {
        bool dead = problem.graph.values[it->first].producer.valid() && (!lastRead.count(it->first) || lastRead[it->first] <= i);
        it = dead ? place.erase(it) : std::next(it);
      }
    }
  }

  void applySpills(OpId op, size_t step, std::map<ValueId, TensorLayout>& place, const std::map<ValueId, size_t>& lastRead) {
    for (const Spill& spill : plan.spills) {
      if (spill.before != op) continue;
      std::string name = "%" + problem.graph.values[spill.value].name;
      auto it = place.find(spill.value);
      auto read = lastRead.find(spill.value);
      if (it == place.end() || it->second == spill.to || read == lastRead.end() || read->second < step) {
        fail(PlanRule::SpillUnused, name + " before " + opName(op));
        continue;
      }
      checkLayout(spill.value, spill.to, name + " spilled");
      it->second = spill.to;
    }
  }

  void checkOp(OpId op, const std::map<ValueId, TensorLayout>& place) {
    const Op& o = problem.graph.ops[op];
    std::vector<std::optional<TensorLayout>> inputs(o.operands.size());
    for (size_t i = 0; i < o.operands.size(); ++i) {
      auto it = place.find(o.operands[i]);
      if (it != place.end()) inputs[i] = it->second;
    }
    Bytes live(0);
    for (const auto& [value, layout] : place) live += l1BytesPerCore(layout);
    bool decided = !o.results.empty() && tensor(o.results[0]) && !problem.pinned[o.results[0]];
    if (decided && !(plan.config[op].output == *plan.layout[o.results[0]])) fail(PlanRule::ConfigDiffers, opName(op));
    for (const Reshard& reshard : plan.reshards) {
      if (reshard.consumer != op) continue;
      auto operand = static_cast<size_t>(reshard.operand);
      if (operand >= inputs.size() || !inputs[operand] || *inputs[operand] == reshard.to) {
        fail(PlanRule::ReshardOfNothing, opName(op) + " operand " + std::to_string(reshard.operand));
        continue;
      }
      checkLayout(o.operands[operand], reshard.to, opName(op) + " operand " + std::to_string(reshard.operand));
      inputs[operand] = reshard.to;
      live += l1BytesPerCore(reshard.to);
    }
    if (opInfo(o.kind).has(kTerminator)) {
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] && inputs[i]->isL1()) fail(PlanRule::ReturnNotInDram, "result " + std::to_string(i));
      }
      return;
    }
    OpVerdict verdict = problem.model.validateOperation({problem.graph, op, inputs, plan.config[op], live});
    if (verdict.status == OpStatus::OutOfMemory) {
      // An op whose own buffers exceed L1 with nothing else there cannot be helped by any plan; the run reports it.
      bool somethingToMove = live.count > 0 || verdict.constraints.outputL1BufferSize.count > 0;
      if (somethingToMove) fail(PlanRule::OverBudget, opName(op) + ": " + verdictText(verdict));
    } else if (!verdict.ok()) {
      fail(PlanRule::OpRefused, opName(op) + ": " + verdictText(verdict));
    }
  }
};

}  // namespace

std::vector<PlanDefect> checkPlan(const Problem& problem, const Plan& plan) {
  Checker checker{problem, plan, {}};
  if (!checker.checkOrder()) return checker.defects;
  checker.checkLayouts();
  if (!checker.defects.empty()) return checker.defects;
  checker.walk();
  return checker.defects;
}

}  // namespace tessera

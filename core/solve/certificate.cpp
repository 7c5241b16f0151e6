#include "core/solve/certificate.h"

#include <algorithm>

#include "core/solve/selection/dual_solver.h"
#include "core/solve/selection/elimination_tree.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

void writeCost(JsonWriter& json, Cost cost) {
  if (isForbidden(cost)) json.null();
  else json.integer(cost);
}

template <class List>
void writeIntegers(JsonWriter& json, const List& list) {
  json.beginArray();
  for (const auto& item : list) json.integer(static_cast<int64_t>(item));
  json.endArray();
}

void writeCosts(JsonWriter& json, const std::vector<Cost>& costs) {
  json.beginArray();
  for (Cost cost : costs) writeCost(json, cost);
  json.endArray();
}

void begin(JsonWriter& json, const char* problem, Cost cost, Cost bound) {
  json.beginObject();
  json.field("certificate", 1);
  json.field("problem", problem);
  json.key("cost");
  writeCost(json, cost);
  json.key("lowerBound");
  writeCost(json, bound);
}

void writeModel(JsonWriter& json, const FactorGraph& model, const std::vector<int>& values) {
  json.key("unary");
  json.beginArray();
  for (int v = 0; v < model.variableCount(); ++v) writeCosts(json, model.unary(v));
  json.endArray();
  json.key("factors");
  json.beginArray();
  for (const Factor& factor : model.factors()) {
    json.beginObject();
    json.key("scope");
    writeIntegers(json, factor.scope);
    json.key("table");
    writeCosts(json, factor.table);
    json.endObject();
  }
  json.endArray();
  json.key("values");
  if (values.empty() && model.variableCount() > 0) json.null();
  else writeIntegers(json, values);
}

std::string eliminationCertificate(const FactorGraph& model, EliminationOrder order, Cost& proven) {
  EliminationTree tree(model, std::move(order));
  const EliminationSolution solution = tree.solve();
  proven = solution.cost;
  JsonWriter json;
  begin(json, "p1", solution.cost, solution.cost);
  writeModel(json, model, solution.values);
  json.key("proof");
  json.beginObject();
  json.field("kind", "elimination");
  json.key("order");
  writeIntegers(json, tree.order().variables);
  json.key("messages");
  json.beginArray();
  for (int v : tree.order().variables) {
    const EliminationTree::Message message = tree.message(v);
    json.beginObject();
    json.key("separator");
    writeIntegers(json, message.separator);
    json.key("costs");
    writeCosts(json, message.costs);
    json.endObject();
  }
  json.endArray();
  json.endObject();
  json.endObject();
  return json.take();
}

// After a whole sweep the tables' least entries are 0, unless a pruned value raised them: both are summed.
std::string reparametrisationCertificate(const FactorGraph& model, const std::vector<int>& values, Cost& proven) {
  constexpr int kMostSweeps = 300;
  DualSolver dual(model);
  Cost bound = -kMaxTotalCost;
  for (int i = 0, idle = 0; i < kMostSweeps && idle < 10; ++i) {
    const Cost next = dual.sweep();
    idle = next > bound ? 0 : idle + 1;
    bound = std::max(bound, next);
  }
  proven = dual.bound();
  JsonWriter json;
  begin(json, "p1", values.empty() ? kForbidden : model.evaluate(values), proven);
  writeModel(json, model, values);
  json.key("proof");
  json.beginObject();
  json.field("kind", "reparametrisation");
  json.key("dead");
  json.beginArray();
  for (const auto& [variable, value] : dual.pruned()) writeIntegers(json, std::vector<int>{variable, value});
  json.endArray();
  json.key("messages");
  json.beginArray();
  for (int f = 0; f < model.factorCount(); ++f) {
    json.beginArray();
    for (size_t slot = 0; slot < model.factor(f).scope.size(); ++slot) {
      json.beginArray();
      const int variable = model.factor(f).scope[slot];
      for (int x = 0; x < model.domain(variable); ++x)
        json.integer(dual.alive(variable, x) ? dual.message(f, slot)[at(x)] : 0);
      json.endArray();
    }
    json.endArray();
  }
  json.endArray();
  json.endObject();
  json.endObject();
  return json.take();
}

// The lower bound that the prices prove, computed as the checker does.
Cost coverBound(const SpillProblem& problem, const SpillResult& result) {
  const std::vector<int64_t> capacity = capacities(problem);
  KeptSegments keep = keepAll(problem);
  std::vector<char> stored(problem.values.size(), 0);
  Cost fixed = 0;  // of segments that fit nowhere
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const SpillValue& value = problem.values[v];
    for (size_t i = 0; i < value.uses.size(); ++i) {
      if (fitsAlone(value, i, capacity)) continue;
      keep[v][i] = 0;
      fixed += value.reloadCosts[i] + (stored[v] ? 0 : value.storeCost);
      stored[v] = 1;
    }
  }
  const std::vector<int64_t> load = loads(problem, keep);
  const auto excess = [&](int step) { return std::max<int64_t>(0, load[at(step)] - capacity[at(step)]); };
  Cost bound = 0;
  for (const auto& [step, price] : result.prices) bound += price * excess(step);
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const SpillValue& value = problem.values[v];
    Cost reduced = stored[v] ? 0 : value.storeCost * (Cost{1} << result.priceShift);
    for (size_t i = 0; i < value.uses.size(); ++i) {
      if (!keep[v][i]) continue;
      const SegmentSteps steps = segmentSteps(value, i);
      Cost ofSegment = value.reloadCosts[i] * (Cost{1} << result.priceShift);
      for (const auto& [step, price] : result.prices)
        if (step >= steps.from && step < steps.to) ofSegment -= price * std::min(value.size, excess(step));
      reduced += std::min<Cost>(0, ofSegment);
    }
    bound += std::min<Cost>(0, reduced);
  }
  return fixed + std::max<Cost>(0, ceilShift(bound, result.priceShift));
}

}  // namespace

std::string selectionCertificate(const FactorGraph& model, const std::vector<int>& values, int64_t cellLimit,
                                 Cost* lowerBound) {
  Cost ignored = 0;
  Cost& proven = lowerBound ? *lowerBound : ignored;
  EliminationOrder order = chooseOrder(model, cellLimit);
  if (!order.variables.empty() || model.variableCount() == 0)
    return eliminationCertificate(model, std::move(order), proven);
  return reparametrisationCertificate(model, values, proven);
}

std::string spillCertificate(const SpillProblem& problem, const SpillResult& result) {
  JsonWriter json;
  begin(json, "p2", result.cost, coverBound(problem, result));
  json.key("capacity");
  writeIntegers(json, problem.capacity);
  json.key("values");
  json.beginArray();
  for (const SpillValue& value : problem.values) {
    json.beginObject();
    json.field("size", value.size);
    json.field("def", value.def);
    json.key("uses");
    writeIntegers(json, value.uses);
    json.field("storeCost", value.storeCost);
    json.key("reloadCosts");
    writeIntegers(json, value.reloadCosts);
    json.endObject();
  }
  json.endArray();
  json.key("keep");
  json.beginArray();
  for (const std::vector<char>& row : result.keep) writeIntegers(json, row);
  json.endArray();
  json.key("proof");
  json.beginObject();
  json.field("shift", result.priceShift);
  json.key("prices");
  json.beginArray();
  for (const auto& [step, price] : result.prices) writeIntegers(json, std::vector<int64_t>{step, price});
  json.endArray();
  json.endObject();
  json.endObject();
  return json.take();
}

std::string addressCertificate(const AddressProblem& problem, const AddressResult& result) {
  const int64_t load = loadBound(problem);
  // The load grows only when a buffer begins.
  int64_t time = 0;
  for (const AddressBuffer& at : problem.buffers) {
    int64_t sum = 0;
    for (const AddressBuffer& other : problem.buffers)
      sum += other.begin <= at.begin && at.begin < other.end ? other.size : 0;
    if (sum == load) {
      time = at.begin;
      break;
    }
  }
  JsonWriter json;
  begin(json, "p3", result.height, load);
  json.field("capacity", problem.capacity);
  json.key("buffers");
  json.beginArray();
  for (const AddressBuffer& buffer : problem.buffers)
    writeIntegers(json, std::vector<int64_t>{buffer.begin, buffer.end, buffer.size});
  json.endArray();
  json.key("offsets");
  writeIntegers(json, result.offsets);
  json.field("time", time);
  json.endObject();
  return json.take();
}

}  // namespace tessera

#include "core/evaluate/lost_ops.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/report/override_text.h"

namespace tessera {

namespace {

struct OpCost {
  int64_t time = 0;
  int32_t step = -1;  // of the op itself
};

// The steps of a run by the ops that they belong to.
class StepCosts {
 public:
  explicit StepCosts(const RunOutcome& run)
      : run_(run), graph_(run.program->applied.graph), uses_(collectUses(graph_)) {
    stepOf_.resize(graph_.ops.size(), -1);
    for (size_t i = 0; i < run.program->sim.steps.size(); ++i)
      stepOf_[run.program->sim.steps[i].op] = static_cast<int32_t>(i);
  }

  // "%12" of an op of the program, "" of a move and of the return.
  std::string nameOf(int32_t step) const {
    const OpId id = run_.program->sim.steps[static_cast<size_t>(step)].op;
    const Op& op = graph_.ops[id];
    const bool program =
        !run_.program->applied.inserted[id] && !opInfo(op.kind).has(kTerminator) && !op.results.empty();
    return program ? "%" + graph_.values[op.results[0]].name : "";
  }

  std::unordered_set<std::string> names() const {
    std::unordered_set<std::string> all;
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i) all.insert(nameOf(static_cast<int32_t>(i)));
    all.erase("");
    return all;
  }

  // In order of the first step of each; `known`: what is an op, not a move.
  std::vector<std::pair<std::string, OpCost>> costs(const std::unordered_set<std::string>& known) const {
    std::vector<std::pair<std::string, OpCost>> all;
    std::unordered_map<std::string, size_t> at;
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i) {
      const int32_t reader = readerOf(static_cast<int32_t>(i), known);
      if (reader < 0) continue;
      const std::string name = nameOf(reader);
      const auto [it, fresh] = at.try_emplace(name, all.size());
      if (fresh) all.push_back({name, {0, reader}});
      all[it->second].second.time += run_.program->sim.steps[i].time.total().count;
    }
    return all;
  }

  const Op& opAt(int32_t step) const { return graph_.ops[run_.program->sim.steps[static_cast<size_t>(step)].op]; }

  std::string layoutAt(int32_t step) const {
    const Op& op = opAt(step);
    const ValueType& type = graph_.values[op.results[0]].type;
    return type.isTensor() && type.tensor->layout ? layoutText(*type.tensor->layout) : "";
  }

 private:
  // The op that a step is, or for which it moves a tensor; -1: none. A move is read by what comes after it.
  int32_t readerOf(int32_t step, const std::unordered_set<std::string>& known) const {
    while (step >= 0) {
      if (known.count(nameOf(step)) > 0) return step;
      const Op& op = opAt(step);
      int32_t next = -1;
      for (const Use& use : op.results.empty() ? std::vector<Use>() : uses_[op.results[0]]) {
        const int32_t reader = stepOf_[use.op];
        if (reader > step && (next < 0 || reader < next)) next = reader;
      }
      step = next;
    }
    return -1;
  }

  const RunOutcome& run_;
  const Graph& graph_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<OpId, int32_t> stepOf_;
};

// "override-output-layout=conv1=8x8:...,relu=..." -> what each line says about each op, by the op's location.
std::unordered_map<std::string, std::vector<std::string>> overridesByOp(std::string_view text) {
  std::unordered_map<std::string, std::vector<std::string>> found;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string option(line.substr(0, line.find('=')));
    line.remove_prefix(std::min(option.size() + 1, line.size()));
    while (!line.empty()) {
      const std::string entry(line.substr(0, line.find(',')));
      line.remove_prefix(std::min(entry.size() + 1, line.size()));
      found[entry.substr(0, entry.find('='))].push_back(option + "=" + entry);
    }
  }
  return found;
}

}  // namespace

std::vector<LostOp> lostOps(const RunOutcome& written, const RunOutcome& optimum) {
  const StepCosts before(written), after(optimum);
  std::unordered_set<std::string> known;
  const std::unordered_set<std::string> others = after.names();
  for (const std::string& name : before.names()) {
    if (others.count(name) > 0) known.insert(name);
  }
  std::unordered_map<std::string, OpCost> best;
  for (const auto& [name, cost] : after.costs(known)) best[name] = cost;
  const auto said = overridesByOp(overrideText(optimum));
  std::vector<LostOp> lost;
  for (const auto& [name, cost] : before.costs(known)) {
    const auto it = best.find(name);
    if (it == best.end() || cost.time <= it->second.time) continue;
    const Op& op = before.opAt(cost.step);
    LostOp one{
        name, op.loc, op.name, cost.time, it->second.time, before.layoutAt(cost.step), after.layoutAt(it->second.step)};
    if (const auto found = said.find(op.loc); found != said.end()) one.overrides = found->second;
    lost.push_back(std::move(one));
  }
  std::sort(lost.begin(), lost.end(), [](const LostOp& a, const LostOp& b) {
    const int64_t left = a.written - a.optimum, right = b.written - b.optimum;
    return left != right ? left > right : a.name < b.name;
  });
  return lost;
}

std::string outsideText(int64_t time, int64_t bound) {
  if (time >= bound) return "";
  return "takes less than the bound: it uses layouts, copies or an order of ops that Exact does not try. What is "
         "proven "
         "holds for all plans made of the layouts that were tried for each op, in this order of ops, with every copy "
         "made for its reader";
}

}  // namespace tessera

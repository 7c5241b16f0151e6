#include "core/policy/exact/layout_choices.h"

#include <algorithm>

#include "core/ops/model/op_answers.h"
#include "core/policy/exact/candidate_finder.h"

namespace tessera {

namespace {

class ChoicesBuilder {
 public:
  ChoicesBuilder(const Problem& problem, ExactMemory& memory, MoveTime& moves, std::span<const Plan* const> plans)
      : problem_(problem),
        memory_(memory),
        finder_(problem, memory, moves, plans_),
        out_{.problem = problem,
             .pool = memory.interner.layouts,
             .ops = IdVec<OpId, OpChoices>(problem.graph.ops.size()),
             .values = IdVec<ValueId, ValueChoices>(problem.graph.values.size())} {
    for (const Plan* plan : plans) plans_.push_back(trackPlan(problem, *plan, memory.interner.layouts));
  }

  LayoutChoices run() {
    readUses();
    addArguments();
    for (OpId op : problem_.schedule.order) {
      if (!opInfo(problem_.graph.ops[op].kind).has(kTerminator)) addOp(op);
    }
    for (const OpChoices& op : out_.ops) {
      for (const auto& table : op.candidates) {
        for (int64_t time : table->time) out_.candidateCount += !isForbidden(time);
      }
    }
    return std::move(out_);
  }

 private:
  void readUses() {
    const Graph& graph = problem_.graph;
    for (OpId op : problem_.schedule.order) {
      for (ValueId operand : graph.ops[op].operands) {
        if (!problem_.isTensor(operand)) continue;
        ValueChoices& value = out_.values[operand];
        ++value.uses;
        if (opInfo(graph.ops[op].kind).has(kTerminator)) value.returned = true;
        else if (value.readers.empty() || value.readers.back() != op) value.readers.push_back(op);
      }
    }
  }

  // Arguments, and results about whose layout nothing is to be decided.
  void addArguments() {
    const Graph& graph = problem_.graph;
    for (ValueId id : graph.values.ids()) {
      if (graph.values[id].func != graph.forward || !problem_.isTensor(id)) continue;
      ValueChoices& value = out_.values[id];
      value.dram = out_.pool.intern(dramLayout(problem_, id));
      const OpId producer = graph.values[id].producer;
      const bool decided = producer.valid() && !problem_.pinned[id] && graph.ops[producer].results[0] == id;
      if (decided) continue;
      value.fixed.layouts = {problem_.pinned[id] ? out_.pool.intern(*problem_.pinned[id]) : value.dram};
      if (!producer.valid()) splitLiveRange(id);
    }
  }

  int addVariable(const LayoutChoices::Variable& variable) {
    out_.variables.push_back(variable);
    return static_cast<int>(out_.variables.size()) - 1;
  }

  int addTable(LayoutChoices::Table table) {
    out_.tables.push_back(std::move(table));
    return static_cast<int>(out_.tables.size()) - 1;
  }

  // A value that is read several times may move before each reader.
  void splitLiveRange(ValueId id) {
    ValueChoices& value = out_.values[id];
    if (value.uses < 2 || value.readers.empty()) return;
    const LayoutDomain made = out_.produced(id);
    for (LayoutId layout : made.layouts) addUnique(value.layouts, layout);
    const TensorLayout& first = out_.pool[made.layouts[0]];
    if (first.buffer != BufferType::SystemMemory && first.page != PageLayout::RowMajor) {
      addUnique(value.layouts, value.dram);
      addUnique(value.layouts, out_.pool.intern(l1InterleavedLayout(problem_, id)));
    }
    for (const PlanTrack& plan : plans_) {
      for (OpId reader : value.readers) {
        const auto& operands = problem_.graph.ops[reader].operands;
        for (size_t i = 0; i < operands.size(); ++i) {
          if (operands[i] == id) addUnique(value.layouts, plan.at[reader][i]);
        }
      }
    }
    if (value.layouts.size() < 2) return;
    int before = made.variable;
    for (size_t segment = 0; segment < value.readers.size(); ++segment) {
      const int variable = addVariable({.op = {}, .value = id, .segment = segment});
      value.segments.push_back(variable);
      if (before >= 0) addTable({{}, id, static_cast<int32_t>(segment), {before, variable}});
      before = variable;
    }
  }

  void addOperands(OpChoices& op) {
    const auto& operands = problem_.graph.ops[op.op].operands;
    op.operandCount = operands.size();
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!problem_.isTensor(operands[i])) continue;
      const ValueChoices& value = out_.values[operands[i]];
      const bool livesOn = value.returned || (!value.readers.empty() && value.readers.back() != op.op);
      op.operands.push_back({.index = i,
                             .value = operands[i],
                             .domain = out_.atReader(operands[i], op.op),
                             .livesOn = livesOn,
                             .split = !value.segments.empty(),
                             .definedAt = problem_.live[operands[i]].def});
    }
  }

  // The values of the op's variable: its results, or every candidate of an explicit op.
  static void listValues(OpChoices& op) {
    for (size_t c = 0; c < op.configs.size(); ++c) {
      const auto config = static_cast<int32_t>(c);
      if (!op.isExplicit) {
        const auto end = op.outputs.begin() + static_cast<std::ptrdiff_t>(c);
        if (std::find(op.outputs.begin(), end, op.outputs[c]) == end) op.valueConfig.push_back(config);
        continue;
      }
      for (size_t i = 0; i < op.candidates[c]->time.size(); ++i) {
        if (isForbidden(op.candidates[c]->time[i])) continue;
        op.valueConfig.push_back(config);
        op.valueCandidate.push_back(i);
      }
    }
  }

  void addTables(OpChoices& op) {
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const LayoutDomain& domain = op.operands[i].domain;
      if (!domain.open()) continue;
      if (op.isExplicit) addTable({op.op, {}, static_cast<int32_t>(i), {domain.variable, op.variable}});
      else if (std::find(op.scope.begin(), op.scope.end(), domain.variable) == op.scope.end())
        op.scope.push_back(domain.variable);
    }
    if (op.scope.empty()) return;
    op.scope.push_back(op.variable);
    op.table = addTable({op.op, {}, -1, op.scope});
  }

  void addOp(OpId id) {
    OpChoices& op = out_.ops[id];
    op.op = id;
    op.opClass = memory_.interner.classOf(problem_.graph, id);
    addOperands(op);
    finder_.find(op);
    listValues(op);
    op.variable = addVariable({.op = id, .value = {}});
    op.made.variable = op.variable;
    for (size_t x = 0; x < op.valueConfig.size(); ++x) op.made.layouts.push_back(op.outputOf(x));
    addTables(op);
    // A view may lie in a buffer that lives on under another name; it is not counted twice, and so not at all.
    bool shares = false;
    for (const auto& table : op.candidates) shares = shares || (table->aliases && op.operands[0].livesOn);
    for (ValueId result : problem_.graph.ops[id].results) {
      if (!problem_.isTensor(result)) continue;
      out_.values[result].sharesBuffer = shares;
      splitLiveRange(result);
    }
  }

  const Problem& problem_;
  ExactMemory& memory_;
  std::vector<PlanTrack> plans_;
  CandidateFinder finder_;
  LayoutChoices out_;
};

}  // namespace

OpCandidate OpChoices::candidate(const CandidateRef& ref) const {
  const CandidateTable& ofConfig = *candidates[ref.config];
  OpCandidate out{configs[ref.config], std::vector<LayoutId>(operandCount, kNoLayout), ofConfig.time[ref.index]};
  size_t index = ref.index;
  for (size_t i = operands.size(); i-- > 0;) {
    out.reads[operands[i].index] = ofConfig.reads[i][index % ofConfig.reads[i].size()];
    index /= ofConfig.reads[i].size();
  }
  return out;
}

const LayoutDomain& LayoutChoices::produced(ValueId value) const {
  const ValueChoices& choices = values[value];
  return choices.isFixed() ? choices.fixed : ops[problem.graph.values[value].producer].made;
}

LayoutDomain LayoutChoices::atReader(ValueId value, OpId reader) const {
  const ValueChoices& choices = values[value];
  if (choices.segments.empty()) return produced(value);
  const auto at = std::find(choices.readers.begin(), choices.readers.end(), reader) - choices.readers.begin();
  return {choices.segments[static_cast<size_t>(at)], choices.layouts};
}

SegmentSpan LayoutChoices::segmentSpan(ValueId value, size_t segment) const {
  const std::vector<OpId>& readers = values[value].readers;
  return {segment == 0 ? problem.live[value].def : stepOf(readers[segment - 1]), stepOf(readers[segment])};
}

LayoutDomain LayoutChoices::segmentStart(ValueId value, size_t segment) const {
  if (segment == 0) return produced(value);
  return {values[value].segments[segment - 1], values[value].layouts};
}

LayoutChoices findLayoutChoices(const Problem& problem, ExactMemory& memory, MoveTime& moves,
                                std::span<const Plan* const> plans) {
  return ChoicesBuilder(problem, memory, moves, plans).run();
}

}  // namespace tessera

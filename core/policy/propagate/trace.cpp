#include "core/policy/propagate/trace.h"

#include <algorithm>

#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

class Tracer {
 public:
  Tracer(const Problem& problem, const PropagateOptions& options, const Beams& beams, const Propagation& pass1,
         const SpillOutcome& outcome, const Plan& plan)
      : problem_(problem),
        graph_(problem.graph),
        options_(options),
        beams_(beams),
        pass1_(pass1),
        outcome_(outcome),
        plan_(plan) {}

  PropagationTrace run() {
    DecisionTrace& d = out_.decisions;
    d.functionName = graph_.funcs[graph_.forward].name;
    d.beamWidth = options_.beamWidth;
    for (OpId op : problem_.schedule.order) {
      if (pass1_.chosen[op] >= 0) addOp(op);
    }
    d.totalOps = static_cast<int64_t>(d.forwardPass.size());
    addEdges();
    for (const ForkResolution& fork : pass1_.forks) addFork(fork);
    addSpills();
    return std::move(out_);
  }

 private:
  int64_t indexOf(OpId op) const { return problem_.schedule.position[op]; }
  std::string layoutName(LayoutId id) const { return id == kNoLayout ? "null" : traceLayout(pass1_.pool[id]); }

  void addOp(OpId op) {
    const OpBeam& beam = beams_[op];
    const Op& o = graph_.ops[op];
    TraceOp traced;
    traced.opIndex = indexOf(op);
    traced.opName = o.name;
    traced.opLocation = o.loc;
    if (options_.keepEvaluations) {
      addInputSets(op, traced);
      addBeam(op);
    }
    bool asksBackend = options_.ruleBooks && !beam.tried.empty();
    traced.primaryHints = asksBackend ? 1 : static_cast<int64_t>(beam.tried.size());
    traced.fallbackHints = asksBackend ? static_cast<int64_t>(beam.tried.size()) - 1 : 0;
    traced.crossProductSize = beam.crossProduct;
    traced.evaluations = beam.trace;
    for (size_t i = 0; i < beam.entries.size(); ++i) {
      traced.beam.push_back(
          {static_cast<int64_t>(i), layoutName(beam.entries[i].output), traceScore(beam.entries[i].score)});
    }
    traced.usedDramFallback = beam.usedDramFallback;
    if (opInfo(o.kind).has(kInPlace)) traced.isInplace = true;
    out_.evaluations += beam.evaluations;
    out_.combinationsCut += beam.combinationsCut;
    out_.decisions.forwardPass.push_back(std::move(traced));
    std::string chosen = "null";
    if (!o.results.empty() && plan_.layout[o.results[0]]) chosen = traceLayout(*plan_.layout[o.results[0]]);
    out_.decisions.finalChoices.push_back({indexOf(op), o.name, chosen});
  }

  // Where operands may be by the beams of their producers, and where reshards put them.
  void addInputSets(OpId op, TraceOp& traced) const {
    const OpBeam& beam = beams_[op];
    const Op& o = graph_.ops[op];
    for (size_t i = 0; i < o.operands.size(); ++i) {
      if (!problem_.isTensor(o.operands[i])) continue;
      OpId producer = graph_.values[o.operands[i]].producer;
      bool hasBeam = producer.valid() && !beams_[producer].entries.empty() &&
                     graph_.ops[producer].results[0] == o.operands[i] && !problem_.pinned[o.operands[i]];
      TraceInputSet own{static_cast<int64_t>(i), hasBeam, false, {}}, moved{static_cast<int64_t>(i), false, true, {}};
      if (hasBeam) {
        for (const BeamEntry& entry : beams_[producer].entries) addOnce(own.candidates, layoutName(entry.output));
      } else {
        addOnce(own.candidates, layoutName(pass1_.layout[o.operands[i]]));
      }
      for (const BeamEntry& entry : beam.entries) {
        if (entry.operands[i].read != entry.operands[i].expected)
          addOnce(moved.candidates, layoutName(entry.operands[i].read));
      }
      traced.inputCandidateSets.push_back(std::move(own));
      if (!moved.candidates.empty()) traced.inputCandidateSets.push_back(std::move(moved));
    }
  }

  void addBeam(OpId op) {
    const Op& o = graph_.ops[op];
    TracedBeam beam{pass1_.chosen[op], {}};
    for (const BeamEntry& entry : beams_[op].entries) {
      TracedEntry traced{entry.score.minCores == PathScore::kUnbounded ? -1 : entry.score.minCores,
                         entry.score.reshards,
                         entry.score.time,
                         {}};
      for (size_t i = 0; i < entry.operands.size(); ++i) {
        const OperandPick& pick = entry.operands[i];
        if (pick.slot < 0) continue;
        traced.links.push_back({static_cast<int64_t>(i), indexOf(graph_.values[o.operands[i]].producer), pick.slot,
                                pick.read == pick.expected ? "" : layoutName(pick.read)});
      }
      beam.entries.push_back(std::move(traced));
    }
    out_.beams.push_back(std::move(beam));
  }

  static void addOnce(std::vector<std::string>& to, std::string item) {
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(std::move(item));
  }

  void addEdges() {
    size_t next = 0;
    for (OpId op : problem_.schedule.order) {
      const Op& o = graph_.ops[op];
      for (size_t i = 0; i < o.operands.size(); ++i) {
        const Reshard* reshard = nullptr;
        bool here = next < plan_.reshards.size() && plan_.reshards[next].consumer == op &&
                    plan_.reshards[next].operand == static_cast<int32_t>(i);
        if (here) reshard = &plan_.reshards[next++];
        OpId producer = graph_.values[o.operands[i]].producer;
        if (!problem_.isTensor(o.operands[i]) || !producer.valid() || pass1_.chosen[op] < 0) continue;
        out_.decisions.edges.push_back({indexOf(producer), indexOf(op), static_cast<int64_t>(i),
                                        graph_.values[o.operands[i]].index, reshard != nullptr,
                                        reshard ? traceLayout(reshard->to) : ""});
      }
    }
  }

  void addFork(const ForkResolution& fork) {
    const Op& o = graph_.ops[fork.op];
    TraceFork traced{o.name, o.loc, indexOf(fork.op), fork.chosen, static_cast<int64_t>(fork.consumers.size()), {}};
    for (OpId consumer : fork.consumers) traced.consumerOpIndices.push_back(indexOf(consumer));
    out_.decisions.forkResolutions.push_back(std::move(traced));
  }

  static const char* actionName(const SpillEvent& event) {
    switch (event.action) {
      case SpillAction::Evict: return "evict";
      case SpillAction::EvictAll: return "evict_all";
      case SpillAction::Fail: return "fail";
      case SpillAction::Demote: break;
    }
    if (event.to == ResultLocation::L1Interleaved) return "demote_to_l1_interleaved";
    return event.to == ResultLocation::Dram ? "demote_to_dram" : "all_dram";
  }

  void addSpills() {
    TraceSpills spills;
    spills.budget = problem_.budget.bytes().count;
    spills.scheduleSize = problem_.schedule.steps() - 1;
    for (const Spill& spill : plan_.spills) spills.totalSpills += spill.cause == SpillCause::Memory;
    spills.finalOccupied = outcome_.finalOccupied;
    spills.finalLiveTensors = outcome_.finalLive;
    for (const SpillEvent& event : outcome_.events) {
      const Op& o = graph_.ops[problem_.schedule.order[static_cast<size_t>(event.step)]];
      bool evicts = event.action == SpillAction::Evict || event.action == SpillAction::EvictAll;
      std::string victim = event.tensor >= 0 ? "%" + graph_.values[ValueId{event.tensor}].name : "";
      spills.events.push_back({event.step, o.name, actionName(event), event.occupiedBefore, event.occupiedAfter,
                               event.needed, victim, std::string(refusalText(event.reason))});
      out_.evictions += evicts;
      out_.demotions += event.action == SpillAction::Demote;
    }
    out_.rewinds = outcome_.rewinds;
    out_.decisions.spillManagement = std::move(spills);
  }

  const Problem& problem_;
  const Graph& graph_;
  const PropagateOptions& options_;
  const Beams& beams_;
  const Propagation& pass1_;
  const SpillOutcome& outcome_;
  const Plan& plan_;
  PropagationTrace out_;
};

}  // namespace

PropagationTrace tracePasses(const Problem& problem, const PropagateOptions& options, const Beams& beams,
                             const Propagation& pass1, GraphSpills& spills, const SpillOutcome& outcome,
                             const Plan& plan) {
  PropagationTrace trace = Tracer(problem, options, beams, pass1, outcome, plan).run();
  for (const SpillEvent& event : outcome.events) {
    bool late =
        event.action == SpillAction::Evict && outcome.evictedAt[static_cast<size_t>(event.tensor)] == event.step;
    if (options.lateSpill && late) trace.lateSpillGain += spills.lateGain(event.tensor, event.step);
  }
  return trace;
}

}  // namespace tessera

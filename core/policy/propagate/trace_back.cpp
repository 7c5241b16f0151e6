#include "core/policy/propagate/trace_back.h"

#include <algorithm>

#include "core/policy/kit/op_choice.h"

namespace tessera {

namespace {

class TraceBack {
 public:
  TraceBack(const Problem& problem, const PropagateOptions& options, const Beams& beams, MoveTime& moves,
            Propagation& out)
      : problem_(problem), options_(options), beams_(beams), moves_(moves), out_(out) {}

  void run() {
    const auto& order = problem_.schedule.order;
    out_.chosen.resize(problem_.graph.ops.size(), -1);
    out_.config.resize(problem_.graph.ops.size());
    out_.reads.resize(problem_.graph.ops.size());
    out_.layout.resize(problem_.graph.values.size(), kNoLayout);
    for (size_t i = order.size(); i-- > 0;) choose(order[i]);
    std::reverse(out_.forks.begin(), out_.forks.end());
    placeArguments();
    for (OpId op : order) fixReads(op);
  }

 private:
  // A consumer's request: the entry it was scored with, and where it reads the value.
  struct Request {
    OpId consumer;
    int32_t slot;
    LayoutId read;
  };

  std::vector<Request> requestsFor(ValueId value) const {
    std::vector<Request> requests;
    for (const Use& use : problem_.uses[value]) {
      int32_t chosen = out_.chosen[use.op];
      if (chosen < 0) continue;
      const OperandPick& pick =
          beams_[use.op].entries[static_cast<size_t>(chosen)].operands[static_cast<size_t>(use.operand)];
      if (pick.slot >= 0) requests.push_back({use.op, pick.slot, pick.read});
    }
    return requests;
  }

  void choose(OpId op) {
    const OpBeam& beam = beams_[op];
    if (beam.entries.empty()) return;
    const Op& o = problem_.graph.ops[op];
    std::vector<Request> requests;
    if (!o.results.empty() && problem_.isTensor(o.results[0])) requests = requestsFor(o.results[0]);
    bool agree = true, several = false;
    for (const Request& request : requests) {
      agree = agree && request.slot == requests[0].slot;
      several = several || request.consumer != requests[0].consumer;
    }
    if (requests.empty()) out_.chosen[op] = 0;
    else if (agree) out_.chosen[op] = requests[0].slot;
    else
      out_.chosen[op] =
          options_.fork == ForkRule::ReshardCost ? leastReshardCost(op, requests) : mostConsumers(requests);
    if (several) record(op, requests);
  }

  int64_t reshardTime(OpId op, int32_t slot, const std::vector<Request>& requests) {
    ValueId value = problem_.graph.ops[op].results[0];
    LayoutId has = beams_[op].entries[static_cast<size_t>(slot)].output;
    int64_t sum = 0;
    for (const Request& request : requests) sum = addSaturated(sum, moves_.bounded(value, has, request.read));
    return sum;
  }

  // By time, what the entry itself costs more than the best one counts as well.
  int32_t leastReshardCost(OpId op, const std::vector<Request>& requests) {
    const auto& entries = beams_[op].entries;
    int32_t best = 0;
    int64_t least = INT64_MAX;
    for (size_t slot = 0; slot < entries.size(); ++slot) {
      int64_t cost = reshardTime(op, static_cast<int32_t>(slot), requests);
      if (options_.score == BeamScore::Time) cost = addSaturated(cost, entries[slot].score.time);
      if (cost < least) best = static_cast<int32_t>(slot), least = cost;
    }
    return best;
  }

  // The compiler's rule: the entry that most consumers point to; of equals the better one, which comes first in the
  // beam.
  static int32_t mostConsumers(const std::vector<Request>& requests) {
    int32_t best = 0;
    size_t most = 0;
    for (const Request& candidate : requests) {
      size_t count = 0;
      for (const Request& request : requests) count += request.slot == candidate.slot;
      if (count > most || (count == most && candidate.slot < best)) best = candidate.slot, most = count;
    }
    return best;
  }

  void record(OpId op, const std::vector<Request>& requests) {
    ForkResolution fork;
    fork.op = op;
    fork.chosen = out_.chosen[op];
    for (const Request& request : requests) {
      if (fork.consumers.empty() || fork.consumers.back() != request.consumer)
        fork.consumers.push_back(request.consumer);
    }
    fork.reshardTime = reshardTime(op, fork.chosen, requests);
    out_.forks.push_back(std::move(fork));
  }

  void placeArguments() {
    for (ValueId arg : problem_.graph.funcs[problem_.graph.forward].args) {
      if (problem_.isTensor(arg)) out_.layout[arg] = out_.pool.intern(*problem_.pinned[arg]);
    }
  }

  // Forward once more: fixes what every op reads. Where a fork went another way than the op was scored with, the op
  // reads what is there if it can and if that is not slower than a reshard.
  void fixReads(OpId op) {
    int32_t chosen = out_.chosen[op];
    const Op& o = problem_.graph.ops[op];
    if (chosen < 0) return;
    const BeamEntry& entry = beams_[op].entries[static_cast<size_t>(chosen)];
    out_.config[op] = entry.config;
    auto& reads = out_.reads[op];
    for (const OperandPick& pick : entry.operands) reads.push_back(pick.read);
    for (size_t i = 0; i < reads.size(); ++i) {
      if (reads[i] == kNoLayout) continue;
      LayoutId now = out_.layout[o.operands[i]];
      if (now != entry.operands[i].expected && now != reads[i]) tryWithoutReshard(op, entry.config, i, now);
    }
    for (ValueId result : o.results) {
      if (!problem_.isTensor(result)) continue;
      TensorLayout layout = entry.config.output;
      if (problem_.pinned[result]) layout = *problem_.pinned[result];
      else if (result != o.results[0]) layout = dramLayout(problem_, result);  // only the first result is decided
      out_.layout[result] = out_.pool.intern(layout);
    }
  }

  void tryWithoutReshard(OpId op, const OpConfig& config, size_t operand, LayoutId now) {
    std::vector<LayoutId>& reads = out_.reads[op];
    auto layouts = [&](LayoutId ofOperand) {
      std::vector<std::optional<TensorLayout>> inputs(reads.size());
      for (size_t i = 0; i < reads.size(); ++i) {
        LayoutId id = i == operand ? ofOperand : reads[i];
        if (id != kNoLayout) inputs[i] = out_.pool[id];
      }
      return inputs;
    };
    auto inPlace = layouts(now), moved = layouts(reads[operand]);
    Bytes taken;
    for (const auto& in : inPlace) taken += in ? l1BytesPerCore(*in) : Bytes(0);
    if (!problem_.model.validateOperation({problem_.graph, op, inPlace, config, taken}, problem_.budget).ok()) return;
    int64_t direct = problem_.model.getOpRuntime({problem_.graph, op, inPlace, config, Bytes(0)}).total().count;
    int64_t after = problem_.model.getOpRuntime({problem_.graph, op, moved, config, Bytes(0)}).total().count;
    ValueId value = problem_.graph.ops[op].operands[operand];
    if (direct <= addSaturated(after, moves_.bounded(value, now, reads[operand]))) reads[operand] = now;
  }

  const Problem& problem_;
  const PropagateOptions& options_;
  const Beams& beams_;
  MoveTime& moves_;
  Propagation& out_;
};

}  // namespace

void traceBack(const Problem& problem, const PropagateOptions& options, const Beams& beams, MoveTime& moves,
               Propagation& out) {
  TraceBack(problem, options, beams, moves, out).run();
}

}  // namespace tessera

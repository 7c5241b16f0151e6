#include "core/policy/chain/chain_plan.h"

#include <algorithm>

#include "core/policy/kit/legalize.h"
#include "core/policy/kit/placement.h"

namespace tessera {

namespace {

constexpr size_t kMarkEvery = 32;  // steps that are written again at most to go back

}  // namespace

ChainPlanWriter::ChainPlanWriter(const ChainWork& work) : work_(work), problem_(work.problem()), placement_(problem_) {}

OpVerdict ChainPlanWriter::write() {
  if (position_ % kMarkEvery == 0) marks_.push_back({placement_.mark(), pending_});
  const OpId op = problem_.schedule.order[position_];
  OpVerdict verdict;
  if (opInfo(problem_.graph.ops[op].kind).has(kTerminator)) {
    flushSpills(op, false);
    returnFromDram(problem_, placement_, op);
  } else {
    verdict = writeOp(op);
  }
  ++position_;
  return verdict;
}

void ChainPlanWriter::backTo(size_t position) {
  TESSERA_CHECK(position <= position_, "the walk goes back, not on");
  if (marks_.empty()) return;
  const size_t mark = std::min(position / kMarkEvery, marks_.size() - 1);
  placement_.backTo(marks_[mark].placement);
  pending_ = std::move(marks_[mark].pending);
  marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(mark), marks_.end());
  position_ = mark * kMarkEvery;
  while (position_ < position) TESSERA_CHECK(write().ok(), "what was written before is written again");
}

OpVerdict ChainPlanWriter::writeOp(OpId op) {
  OpConfig config = keepSharedActivation(problem_, op, work_.configOf(op));
  bool branchFromL1 = readsPendingThroughReshard(op);
  Attempt attempt;
  if (branchFromL1) attempt = tryOp(op, config);
  if (!branchFromL1 || !attempt.verdict.ok()) {
    if (OpVerdict noRoom = flushSpills(op, false); !noRoom.ok()) return noRoom;
    attempt = tryOp(op, config);
  }
  if (!attempt.verdict.ok() && seesDramOnly(op, attempt)) {
    attempt = tryConfig(problem_, placement_, op, config);
    // Not even the conversions of last resort help: the op fails under every policy, unless values in L1 take its
    // room.
    bool lacksRoom = attempt.verdict.status == OpStatus::OutOfMemory && !placement_.liveInL1().empty();
    if (!lacksRoom) attempt.verdict.status = OpStatus::Success;
  }
  if (work_.failureAccepted(op)) attempt.verdict.status = OpStatus::Success;
  if (!attempt.verdict.ok()) return attempt.verdict;
  placement_.place(op, attempt.config, attempt.inputs);
  placement_.finish(op);
  flushSpills(op, true);
  planSpill(op);
  return {};
}

// Copies of operands come from the chain's reshards only.
Attempt ChainPlanWriter::tryOp(OpId op, const OpConfig& config) const {
  Attempt attempt{config, placement_.operandLayouts(op), {}, 0};
  int32_t chain = work_.chainOf(op);
  if (work_.completed(chain)) {
    for (const MemReconfigEntry& entry : work_.chain(chain).memReconfig()) {
      if (entry.edge.consumer == op) attempt.inputs[static_cast<size_t>(entry.edge.operand)] = entry.layout;
    }
  }
  attempt.verdict = placement_.validate(op, attempt.inputs, config);
  placement_.checkAddresses(op, attempt.inputs, config, attempt.verdict);
  return attempt;
}

// A producer may have written rows into DRAM where its reader starts with tiles.
bool ChainPlanWriter::seesDramOnly(OpId op, const Attempt& attempt) const {
  const auto starting = work_.configs().startingLayouts(op);
  for (size_t i = 0; i < starting.size(); ++i) {
    if (attempt.inputs[i] != starting[i] && attempt.inputs[i] && attempt.inputs[i]->isL1()) return false;
  }
  return !attempt.config.output.isL1();
}

// --- the ends of chains ---

void ChainPlanWriter::planSpill(OpId op) {
  int32_t index = work_.chainOf(op);
  if (!work_.completed(index) || work_.chain(index).lastOp() != op) return;
  ValueId value = work_.resultOf(op);
  bool readLater = problem_.live[value].lastUse > problem_.schedule.position[op];
  if (!readLater || !work_.configOf(op).output.isL1()) return;
  switch (work_.chain(index).spillLocation) {
    case SpillLocation::None: return;
    case SpillLocation::L1Interleaved: pending_.push_back({value, l1InterleavedLayout(problem_, value)}); return;
    case SpillLocation::DRAM: pending_.push_back({value, dramLayout(problem_, value)}); return;
  }
}

// ttnn-optimizer.md 3.5.1: a branch that reshards anyway reads the tensor where it is in L1, if it comes right after.
bool ChainPlanWriter::readsPendingThroughReshard(OpId op) const {
  int32_t index = work_.chainOf(op);
  if (!work_.completed(index) || pending_.empty()) return false;
  const auto& operands = problem_.graph.ops[op].operands;
  for (const PendingSpill& spill : pending_) {
    bool converted = false;
    for (const MemReconfigEntry& entry : work_.chain(index).memReconfig()) {
      converted |= entry.edge.consumer == op && operands[static_cast<size_t>(entry.edge.operand)] == spill.value;
    }
    auto reads = std::count(operands.begin(), operands.end(), spill.value);
    if (!converted || reads != 1 || spill.to.isL1()) return false;
  }
  return true;
}

// Spills are executed before the next op runs; `onlyDead` drops those that nobody reads any more. Not ok when a copy
// in L1 finds no place.
OpVerdict ChainPlanWriter::flushSpills(OpId op, bool onlyDead) {
  OpVerdict verdict;
  if (onlyDead) {
    std::erase_if(pending_, [&](const PendingSpill& s) {
      return problem_.live[s.value].lastUse <= problem_.schedule.position[op];
    });
    return verdict;
  }
  bool returns = opInfo(problem_.graph.ops[op].kind).has(kTerminator);
  for (const PendingSpill& spill : pending_) {
    if (spill.to.isL1()) {
      const L1Fit fit = placement_.l1().fit({{.allocate = l1BytesPerCore(spill.to), .freedAfter = spill.value.index}},
                                            interleavingBuffers(spill.to.dtype));
      if (!fit.ok()) {
        verdict.status = OpStatus::OutOfMemory;
        verdict.reason = fit.reason;
        verdict.needed = fit.needed;
        verdict.available = fit.available;
        return verdict;
      }
    }
    placement_.spill(spill.value, op, spill.to, returns ? SpillCause::FunctionReturn : SpillCause::ChainEnd);
  }
  pending_.clear();
  return verdict;
}

namespace {

std::string nameOf(const Graph& graph, OpId op) {
  const Op& o = graph.ops[op];
  return o.results.empty() ? o.name : "%" + graph.values[o.results[0]].name;
}

}  // namespace

ChainPlan writeChainPlan(const ChainWork& work) {
  ChainPlanWriter writer(work);
  while (!writer.done()) {
    const OpId op = work.problem().schedule.order[writer.position()];
    OpVerdict verdict = writer.write();
    if (!verdict.ok()) return {{}, op, verdict, writer.occupied()};
  }
  return {writer.take(), {}, {}, {}};
}

namespace {

// What went to DRAM because of `written.failedAt`: results whose reservation is gone, or a chain with all its ops.
void addRoom(const ChainWork& work, const ChainPlan& written, const std::vector<OpId>& ops,
             std::vector<RoomEvent>& room) {
  if (written.verdict.status != OpStatus::OutOfMemory) return;
  const OpVerdict& verdict = written.verdict;
  const Bytes own = verdict.constraints.outputL1BufferSize + verdict.constraints.cbRegionSize;
  for (OpId op : ops)
    room.push_back({work.resultOf(op), op, written.failedAt, RoomRule::Step, verdict.reason, own, written.occupied,
                    verdict.needed, verdict.available});
}

// The last reason of each result that lies in DRAM in the end.
std::vector<RoomEvent> lastReasons(const Plan& plan, const std::vector<RoomEvent>& room) {
  std::vector<RoomEvent> out;
  IdVec<ValueId, bool> known(plan.layout.size(), false);
  for (size_t i = room.size(); i-- > 0;) {
    const ValueId value = room[i].value;
    if (!value.valid() || known[value] || !plan.layout[value] || plan.layout[value]->isL1()) continue;
    known[value] = true;
    out.push_back(room[i]);
  }
  return out;
}

}  // namespace

Plan settleChainPlan(ChainWork& work, std::vector<std::string>& warnings) {
  std::vector<RoomEvent> room;
  // Every round takes back a decision, fails a chain or accepts that an op fails, so there are finitely many.
  while (true) {
    ChainPlan written = writeChainPlan(work);
    if (!written.failedAt.valid()) {
      written.plan.room = lastReasons(written.plan, room);
      return std::move(written.plan);
    }
    OpId op = written.failedAt;
    const Graph& graph = work.problem().graph;
    int32_t chain = work.chainOf(op);
    std::string why = nameOf(graph, op) + " " + verdictText(written.verdict);
    const std::vector<L1Reservation> kept = work.reservations();
    if (work.takeBack(work.position(op))) {
      std::vector<OpId> lost;
      for (size_t i = work.reservations().size(); i < kept.size(); ++i) lost.push_back(kept[i].source);
      addRoom(work, written, lost, room);
      warnings.push_back("A result that was to stay in L1 goes to DRAM after all: " + why + ".");
    } else if (!work.completed(chain)) {
      TESSERA_CHECK(!work.failureAccepted(op), "an op fails although its failure is accepted");
      work.acceptFailure(op);
      warnings.push_back("No decision about L1 helps: " + why + ".");
    } else {
      addRoom(work, written, work.chain(chain).ops(), room);
      work.changeChain(chain).fail(why);
      warnings.push_back("The chain of " + nameOf(graph, op) + " goes back to DRAM: " + why + ".");
    }
    ChainEvent& event = work.record(ChainEventKind::TakenBack, chain, op);
    event.verdict = written.verdict;
  }
}

}  // namespace tessera

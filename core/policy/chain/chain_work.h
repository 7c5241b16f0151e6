#pragma once
// ChainWork: what the chain generation has decided so far, and what every op would see of it. Decisions are made
// through the setters, which remember what was there before, so that a try can be rolled back.

#include <optional>
#include <vector>

#include "core/policy/chain/chain_configs.h"
#include "core/policy/chain/l1_chain.h"

namespace tessera {

class ChainWork {
 public:
  // `problem.schedule` is the order of the chains. `trace` outlives the work.
  ChainWork(const Problem& problem, ChainConfigs& configs, std::vector<L1ChainConfig> chains, ChainTrace& trace);

  const Problem& problem() const { return problem_; }
  ChainConfigs& configs() { return configs_; }
  const ChainConfigs& configs() const { return configs_; }
  ChainTrace& trace() { return trace_; }
  int32_t chainCount() const { return static_cast<int32_t>(chains_.size()); }
  const L1ChainConfig& chain(int32_t index) const { return chains_[static_cast<size_t>(index)]; }
  // buildOpToChainMap of ttnn-optimizer.md appendix C; -1: in none.
  int32_t chainOf(OpId op) const { return chainOf_[op]; }
  bool completed(int32_t index) const { return index >= 0 && chain(index).state() == L1ChainState::Completed; }
  ValueId resultOf(OpId op) const { return problem_.graph.ops[op].results[0]; }
  ValueId chainResult(int32_t index) const { return resultOf(chain(index).lastOp()); }
  int32_t position(OpId op) const { return problem_.schedule.position[op]; }
  // Ops that read the value, in schedule order, each once; the return is left out.
  std::vector<OpId> readers(ValueId value) const;

  // --- what an op sees ---
  // The config its chain or a decision gave it; DRAM otherwise.
  OpConfig configOf(OpId op) const;
  std::vector<std::optional<TensorLayout>> inputLayouts(OpId op) const;
  // L1 bytes per core besides what the op itself allocates: arguments, reservations that are active at its step, its
  // chain's tensor, converted copies of operands.
  Bytes additionalL1(OpId op) const;
  // getActiveL1Reservations of ttnn-optimizer.md 4.1.3.
  Bytes activeReservations(int32_t step) const { return Bytes(reserved_[static_cast<size_t>(step)]); }
  // Does the op run as things stand? What it needs besides additionalL1 is remembered until something it sees changes.
  // An op outside the chains that cannot run even with everything in DRAM is only asked for its share of L1.
  OpVerdict check(OpId op);
  // l1ResidentsLayoutMap of ttnn-optimizer.md 4.1.5: results that stay in L1 after the op that made them.
  const std::optional<TensorLayout>& resident(ValueId value) const { return residents_[value]; }
  const std::vector<L1Reservation>& reservations() const { return reservations_; }

  // --- decisions ---
  using Mark = size_t;
  Mark mark() const { return undo_.size(); }
  void rollback(Mark to);
  L1ChainConfig& changeChain(int32_t index);  // remembers the chain as it is
  void setConfig(OpId op, const OpConfig& config);
  // The value stays in L1 in this layout up to its last reader: resident and reservation.
  void keepInL1(ValueId value, const TensorLayout& layout);
  // Gives the op this config and keeps its result in L1 where that is L1. False, and nothing has changed, when the op
  // or one of its readers does not run then.
  bool tryConfig(OpId op, const OpConfig& config);
  // A decision that holds; the last one that keeps something at a step can be taken back later.
  void commit(Mark from) { decisions_.push_back(from); }
  // Takes back the latest decision that keeps a value in L1 at `step`, and what was decided after it; it must have been
  // committed. False: there is none.
  bool takeBack(int32_t step);
  // An op that fails whatever is taken back, as a conversion that stands in the text and is larger than L1, is written
  // as it is; the verdict of the run says what it lacks.
  void acceptFailure(OpId op) { failureAccepted_[op] = true; }
  bool failureAccepted(OpId op) const { return failureAccepted_[op]; }

  ChainEvent& record(ChainEventKind kind, int32_t chain, OpId op);
  // Chains, reservations and dispatches as they ended up.
  void finishTrace();

 private:
  // What was there before a setter.
  struct Undo {
    enum class What { Chain, Config, Resident, Reservation } what = What::Reservation;
    int32_t index = -1;
    L1ChainConfig chain;
    OpId op;
    std::optional<OpConfig> config;
    ValueId value;
    std::optional<TensorLayout> layout;
  };

  void forget(OpId op) { known_[op].reset(); }
  void forgetReaders(ValueId value);
  void forgetChain(int32_t index);
  void reserve(const L1Reservation& reservation, int64_t sign);

  const Problem& problem_;
  ChainConfigs& configs_;
  ChainTrace& trace_;
  std::vector<L1ChainConfig> chains_;
  IdVec<OpId, int32_t> chainOf_;
  IdVec<OpId, size_t> placeInChain_;
  IdVec<OpId, std::optional<OpConfig>> decided_;
  IdVec<ValueId, std::optional<TensorLayout>> residents_;
  IdVec<OpId, bool> failureAccepted_;
  std::vector<L1Reservation> reservations_;
  std::vector<int64_t> reserved_;                // bytes per step
  IdVec<OpId, std::optional<OpVerdict>> known_;  // answers without additional L1
  std::vector<Undo> undo_;
  std::vector<Mark> decisions_;
};

}  // namespace tessera

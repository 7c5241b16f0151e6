#pragma once
// One try of pass 1: an op with one configuration, its operands where the beams of their producers leave them.

#include "core/ops/rules/rule_book.h"
#include "core/policy/kit/move_time.h"
#include "core/policy/kit/operand_repair.h"

namespace tessera {

class ForwardTrial {
 public:
  ForwardTrial(const Problem& problem, MoveTime& moves) : problem_(problem), pool_(moves.pool()), moves_(moves) {}

  // The operands are at `layouts` (kNoLayout: no tensor), none is converted. `book`: null: none is used.
  void start(OpId op, const RuleBook* book, std::vector<LayoutId> layouts);
  // Converts the operands that the rule book and the op model refuse, through DRAM where copies find no room in L1.
  // False when the rule book does not let the op read an operand at all.
  bool run(const OpConfig& config);
  // The rule book refuses what the op model takes; `operand`: -1 for the op as a whole.
  void refuse(int operand = -1) {
    verdict_ = {OpStatus::MetalBackendError, Refusal::RuleBook, operand, {}, {}, {}, {}};
  }
  // Converts refused operands, interleaved ones to DRAM.
  void runThroughDram(const OpConfig& config) { legalize(config, true); }
  // Copies every operand of the result's shape onto the result's cores, where it is read without the network. False
  // when there is nothing to copy.
  bool runAligned(const OpConfig& config);

  // Reads from DRAM what is in L1: for an op that finds no room because its circular buffers are as large as the shards
  // of its operands ask for. False when no operand is in L1.
  bool runFromDram(const OpConfig& config);

  const OpVerdict& verdict() const { return verdict_; }
  const Layouts& inputs() const { return inputs_; }                    // as the op reads them
  const std::vector<LayoutId>& expected() const { return expected_; }  // by operand: where it is
  const std::vector<LayoutId>& reads() const { return reads_; }        // and where the op reads it
  bool onlySpreads() const;  // nothing is converted but shards in L1 to L1 interleaved
  int32_t reshards() const { return reshardCount_; }
  int64_t reshardTime() const { return reshardTime_; }  // nanoseconds

 private:
  void findRepeats();
  void restart();
  bool filterInputs(bool interleavedInDram);
  void legalize(const OpConfig& config, bool interleavedInDram);
  void convert(size_t operand, const TensorLayout& to);
  void validate(const OpConfig& config);

  const Problem& problem_;
  LayoutPool& pool_;
  MoveTime& moves_;
  OpId op_;
  std::vector<char> repeated_;  // per operand: an earlier one is the same
  const RuleBook* book_ = nullptr;
  std::vector<LayoutId> expected_, reads_;
  Layouts now_, inputs_;
  Bytes live_, copies_;  // of L1 per core: of the operands where they are, each once; of those that are converted
  OpVerdict verdict_;
  int32_t reshardCount_ = 0;
  int64_t reshardTime_ = 0;
};

}  // namespace tessera

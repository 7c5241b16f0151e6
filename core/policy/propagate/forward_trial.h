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
  void start(OpId op, const RuleBook* book, const std::vector<LayoutId>& layouts);
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
  int32_t reshards() const { return static_cast<int32_t>(conversions_.size()); }
  int64_t reshardTime() const;  // nanoseconds of all conversions, worked out on every call

 private:
  // What became of an operand in a layout: it can be read so (`to` is `from`), or was converted, or nothing helps (`to`
  // is kNoLayout).
  struct Outcome {
    LayoutId from, to;
  };
  using Outcomes = std::vector<std::vector<Outcome>>;  // by likeType_
  void compareOperands();
  void restart();
  bool filterInputs(bool interleavedInDram);
  void legalize(const OpConfig& config, bool interleavedInDram);
  void convert(size_t operand, LayoutId to);
  Outcome* known(size_t operand);
  void chooseOutcomes(const OpConfig& config, bool interleavedInDram);
  size_t convertAsKnown(OperandRepair& repair);
  void learn(size_t from);
  void validate(const OpConfig& config);

  const Problem& problem_;
  LayoutPool& pool_;
  MoveTime& moves_;
  OpId op_;
  std::vector<char> repeated_;    // per operand: an earlier one is the same
  std::vector<size_t> likeType_;  // per operand: the first one of its type
  const RuleBook* book_ = nullptr;
  std::vector<LayoutId> expected_, reads_;
  Layouts inputs_;       // what reads_ names
  Bytes live_, copies_;  // of L1 per core: of the operands where they are, each once; of those that are converted
  OpVerdict verdict_;
  struct Conversion {
    size_t operand;
    LayoutId to;
  };
  std::vector<Conversion> conversions_;
  // Of the op with this configuration, interleaved copies in L1 or in DRAM: they save the op model the same questions
  // about every combination of the operands' layouts.
  OpConfig outcomesOf_;
  Outcomes kept_[2];
  Outcomes* outcomes_ = nullptr;  // of the trial at hand
};

}  // namespace tessera

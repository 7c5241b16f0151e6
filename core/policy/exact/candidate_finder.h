#pragma once
// Which candidates an op has: configs put to the op model with every combination of layouts read.

#include "core/policy/exact/layout_choices.h"
#include "core/policy/kit/matmul_programs.h"
#include "core/policy/kit/op_in_l1.h"

namespace tessera {

void addUnique(std::vector<LayoutId>& list, LayoutId id);

class CandidateFinder {
 public:
  // What `plans` use is among the candidates.
  CandidateFinder(const Problem& problem, ExactMemory& memory, MoveTime& moves, const std::vector<PlanTrack>& plans)
      : problem_(problem),
        memory_(memory),
        pool_(memory.interner.layouts),
        moves_(moves),
        plans_(plans),
        programs_(problem) {}

  // Fills in the candidates. The op's operands are known.
  void find(OpChoices& op) const;

 private:
  struct Question {  // put to the op model about one config
    const OpChoices& op;
    const OpConfig& config;
    bool mayDiffer = false;       // a result elsewhere than asked is another config
    LayoutId output = kNoLayout;  // of the config
    bool inOrder = false;         // a refused operand refuses every combination that begins like this one
  };
  using Reads = std::vector<std::vector<LayoutId>>;  // per tensor operand: layouts in which it may be read
  Key questionOf(const OpChoices& op) const;
  BudgetRange search(OpChoices& op) const;
  std::vector<OpConfig> configsOf(OpChoices& op) const;
  struct UsualRead {
    LayoutId dram, l1Interleaved;
    bool resultShape;  // the operand has the shape of the result
  };
  using UsualReads = std::vector<UsualRead>;  // per tensor operand: what it may be read in whatever the config
  UsualReads usualReads(const OpChoices& op) const;
  Reads readOptions(const OpChoices& op, const UsualReads& usual, const OpConfig& config, int level,
                    size_t limit) const;
  std::vector<Reads> readsOf(OpChoices& op, const UsualReads& usual, const OpConfig& config, size_t limit) const;
  const ConfigAnswer& answerOf(const OpChoices& op, const OpConfig& config, Reads reads) const;
  ConfigAnswer ask(const Question& question, Reads reads) const;
  bool askAll(const Question& question, KnownFigures& known, CandidateTable& table, ConfigAnswer& answer) const;
  // Of one combination; `at`: per tensor operand, which of the table's options it is read in.
  Layouts inputsOf(const Question& question, const CandidateTable& table, const std::vector<size_t>& at) const;
  CandidateFigures figuresOf(const Question& question, const CandidateTable& table,
                             const std::vector<size_t>& at) const;
  Bytes bytesRead(const Question& question, const CandidateTable& table, const std::vector<size_t>& at) const;
  void judge(const Question& question, const CandidateFigures& figures, const std::vector<size_t>& at, size_t index,
             CandidateTable& table, ConfigAnswer& answer) const;
  bool repair(const Question& question, const CandidateFigures& refused, const std::vector<size_t>& at,
              CandidateTable& table) const;
  void addFallback(OpChoices& op) const;

  const Problem& problem_;
  ExactMemory& memory_;
  LayoutPool& pool_;
  MoveTime& moves_;
  const std::vector<PlanTrack>& plans_;
  mutable FasterPrograms programs_;  // what it keeps changes no answer
};

}  // namespace tessera

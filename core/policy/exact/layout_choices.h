#pragma once
// Layout selection, its choices: variables, their domains, and the tables that connect them. No costs.
//
// Variables:
//   - per op: the layout of its result (for ops that read many undecided values: one of its candidates);
//   - per reader of a value that is read several times: the layout the value has then. Its live range is split at its
//     readers, so that a copy that several readers share costs once, and a value may leave L1 and come back.
// Tables:
//   - per op, over its open operands and its result: the least over its candidates of op time and conversions;
//   - between two segments of a live range: the move.
// An op must fit L1 with what it reads. What else is alive then is not part of the model unless L1 is priced
// (layout_costs.h).

#include <memory>
#include <span>
#include <vector>

#include "core/plan/plan.h"
#include "core/policy/exact/exact_memory.h"
#include "core/policy/kit/plan_time.h"

namespace tessera {

// The layouts that a value may have at one point of the program.
struct LayoutDomain {
  int variable = -1;              // -1: one layout, nothing to choose
  std::vector<LayoutId> layouts;  // by value of the variable
  bool open() const { return variable >= 0; }
  LayoutId at(const std::vector<int>& values) const {
    return layouts[open() ? static_cast<size_t>(values[static_cast<size_t>(variable)]) : 0];
  }
};

struct OperandChoice {
  size_t index = 0;  // among the op's operands
  ValueId value;
  LayoutDomain domain;    // of the value when the op runs
  bool livesOn = false;   // the value is read or returned later
  bool split = false;     // the value has a variable per reader
  int32_t definedAt = 0;  // step
};

// One candidate, written out.
struct OpCandidate {
  OpConfig config;
  std::vector<LayoutId> reads;  // by operand; kNoLayout for what is no tensor
  Cost time = 0;                // ns of the op alone
};

// One candidate by its position.
struct CandidateRef {
  size_t config = 0, index = 0;  // index: in the config's table
  Cost cost = kForbidden;
};

struct OpChoices : OpCandidates {
  OpId op;
  uint32_t opClass = 0;                 // number in the memory's classes
  size_t operandCount = 0;              // tensors and others
  std::vector<OperandChoice> operands;  // tensors
  int variable = -1;                    // -1: the return
  std::vector<int32_t> valueConfig;     // per value of the variable: the first config with that result
  std::vector<size_t> valueCandidate;   // explicit ops: the candidate in that config's table
  LayoutDomain made;                    // of its results
  std::vector<int> scope;               // of its table: the open operands' variables and its own
  int table = -1;                       // -1: none, its unary costs are complete

  LayoutId outputOf(size_t value) const { return outputs[static_cast<size_t>(valueConfig[value])]; }
  // An explicit op's value belongs to one config, any other op's to all configs with its result.
  bool makes(size_t config, size_t value) const { return outputs[config] == outputOf(value); }
  OpCandidate candidate(const CandidateRef& ref) const;
};

struct ValueChoices {
  std::vector<OpId> readers;  // in schedule order, each once; the return is none
  size_t uses = 0;            // operands; an op may read a value twice
  bool returned = false;
  bool sharesBuffer = false;      // may lie in an operand's buffer that outlives the op: its bytes are not counted
  LayoutDomain fixed;             // one layout when there is no choice where it is made, else none
  LayoutId dram = kNoLayout;      // its layout in DRAM; of tensors of the forward function
  std::vector<LayoutId> layouts;  // of its segments
  std::vector<int> segments;      // variable per reader; empty: its live range is not split

  bool isFixed() const { return !fixed.layouts.empty(); }
  // Where it is when the segment's reader runs.
  LayoutId atSegment(size_t segment, const std::vector<int>& values) const {
    return layouts[static_cast<size_t>(values[static_cast<size_t>(segments[segment])])];
  }
};

// Of a segment of a value's live range: the steps of the definition or last reader, and of the segment's reader.
struct SegmentSpan {
  int32_t after = 0, before = 0;
};

struct LayoutChoices {
  const Problem& problem;
  LayoutPool& pool;
  IdVec<OpId, OpChoices> ops;
  IdVec<ValueId, ValueChoices> values;
  struct Variable {  // of `op`, or of a segment of `value`
    OpId op;
    ValueId value;
    size_t segment = 0;
  };
  std::vector<Variable> variables;
  struct Table {  // of `op` (index -1), of its operand `index`, or of the move into segment `index` of `value`
    OpId op;
    ValueId value;
    int32_t index = -1;
    std::vector<int> scope;
  };
  std::vector<Table> tables;
  int64_t candidateCount = 0;  // that the op model accepts, over all ops

  int32_t stepOf(OpId op) const { return problem.schedule.position[op]; }
  const LayoutDomain& produced(ValueId value) const;
  // Where the value is when `reader`, one of its readers, runs.
  LayoutDomain atReader(ValueId value, OpId reader) const;
  SegmentSpan segmentSpan(ValueId value, size_t segment) const;
  // What comes before the segment.
  LayoutDomain segmentStart(ValueId value, size_t segment) const;
};

// What `plans` (complete plans of the problem's schedule) use is among the choices, so the optimum is no worse than any
// of them. `memory` has been prepared for the problem's device and keeps what is found out.
LayoutChoices findLayoutChoices(const Problem& problem, ExactMemory& memory, MoveTime& moves,
                                std::span<const Plan* const> plans);

}  // namespace tessera

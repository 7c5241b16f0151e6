#pragma once
// The remembered answers of the op model about one device. Ops of one class share theirs, whatever graph they stand in.
// Bounded: when the table is full it is emptied, so that an answer never depends on what was asked before.

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ops/model/interner.h"
#include "core/ops/rules/op_facts.h"

namespace tessera {

// What a query's answer is made of; the parts are filled in when somebody asks. Nothing here depends on the query's
// additionalL1 or on a budget.
struct OpAnswer {
  enum Part : uint8_t {
    kVerdict = 1,
    kConstraints = 2,       // of a legal query or not
    kLegalConstraints = 4,  // of a legal query; nothing is worked out for others
    kTime = 8,
    kEverything = 15
  };
  uint8_t known = 0;
  OpStatus status = OpStatus::Success;
  Refusal reason = Refusal::None;
  int operand = -1;
  TensorLayout output;
  OpConstraints constraints;
  OpTime time;
};

// Appends what tells a config's settings from others, without its layout.
void appendAttrs(Key& key, const OpConfig& config);

// The classes of the ops in a graph's forward function; ops of other functions are rarely asked about and have none.
struct OpClasses {
  static constexpr uint32_t kNone = UINT32_MAX;
  const Graph& graph;
  uint32_t generation = 0;        // of the table that gave them out
  IdVec<OpId, uint32_t> of = {};  // kNone: of another function
};

class OpAnswers {
 public:
  // About 30 MB; the searches of the graphs people use ask less than half as many different questions.
  static constexpr size_t kMostEntries = size_t{1} << 17;

  explicit OpAnswers(Interner& interner) : interner_(interner) {}
  OpAnswers(const OpAnswers&) = delete;
  OpAnswers& operator=(const OpAnswers&) = delete;

  // The graph must outlive the classes and not change.
  std::shared_ptr<const OpClasses> classify(const Graph& graph);
  // By number in this table's pool; `ids` holds the numbers.
  InternedInputs intern(std::span<const std::optional<TensorLayout>> inputs, std::vector<LayoutId>& ids);
  // Of a class and one of its ops.
  const OpFacts& facts(uint32_t opClass, const Graph& graph, OpId op);
  // Empty the first time. Valid until the next call.
  OpAnswer& find(uint32_t opClass, const OpQuery& query);
  size_t size() const { return answers_.size(); }
  // Forgets everything, before the device changes or the interner begins anew. Classes from before are not valid any
  // more: models that have them work out what they are asked.
  void clear();
  bool knows(const OpClasses& classes) const { return classes.generation == generation_; }

 private:
  Interner& interner_;
  std::deque<std::optional<OpFacts>> facts_;  // by class
  Key key_;                                   // of the question at hand
  std::vector<LayoutId> inputs_;              // of the question at hand
  KeyIndex keys_;
  std::deque<OpAnswer> answers_;  // by number in keys_; there are megabytes of them, which stay where they are
  uint32_t generation_ = 0;
};

}  // namespace tessera

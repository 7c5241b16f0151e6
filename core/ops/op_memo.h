#pragma once
// Answers of the op model about the ops of one graph; ops of one class (op_class.h) share theirs. Bounded: when it is full it forgets
// everything and starts again, so that an answer never depends on what was asked before.

#include <deque>
#include <vector>

#include "core/ir/layout_pool.h"
#include "core/ops/conversions.h"
#include "core/ops/op_facts.h"
#include "core/support/key_index.h"

namespace tessera {

// What a query's answer is made of; the parts are filled in when somebody asks. Nothing here depends on the query's additionalL1.
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

class OpMemo {
 public:
  // About 15 MB; the searches of the graphs people use ask less than half as many different questions.
  static constexpr size_t kMostEntries = size_t{1} << 16;

  // The graph must outlive the memo and not change.
  explicit OpMemo(const Graph& graph) : graph_(graph), classOf_(graph.ops.size(), -1) {}

  bool covers(const OpQuery& query) const { return &query.graph == &graph_ && classOf_.contains(query.op); }
  const OpFacts& facts(OpId op) { return facts_[classOf(op)]; }
  // Empty the first time. Valid until the next call.
  OpAnswer& find(const OpQuery& query);
  size_t size() const { return entries_.size(); }
  // On the device of the models that use the memo.
  Conversions& conversions() { return conversions_; }

 private:
  struct Entry {
    uint64_t hash;
    uint32_t keyAt, keyWords;  // in keys_
    OpAnswer answer;
  };
  size_t classOf(OpId op);
  void writeKey(const OpQuery& query);  // into key_
  bool matches(const Entry& entry) const;
  size_t placeOf(uint64_t hash) const;
  void grow();
  void forget();

  const Graph& graph_;
  KeyIndex classes_;
  IdVec<OpId, int32_t> classOf_;  // -1: not looked at yet
  std::deque<OpFacts> facts_;     // by class, of the first of its ops
  LayoutPool layouts_;
  Key key_;                     // of the query at hand
  std::vector<uint32_t> keys_;  // of all entries, one after the other
  std::vector<Entry> entries_;
  std::vector<int32_t> table_;  // open addressing over entries_; a power of two, -1: free
  Conversions conversions_;
};

}  // namespace tessera

#pragma once
// The op model: may this op run with these layouts, what does it take of L1, how long does it take? Pure: an answer
// depends on the device, the query and the budget only. It stands in for the compiler's op-model library
// (ttnn-optimizer.md 3.4; tt-metal graph_query_op_constraints.hpp).

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ops/model/l1_budget.h"
#include "core/ops/table/op_query.h"

namespace tessera {

class OpAnswers;
struct OpAnswer;
struct OpClasses;
struct OpFacts;

class OpModel {
 public:
  // Works every answer out.
  explicit OpModel(const DeviceSpec& device) : device_(device) {}
  // Memoizes in `answers` what it is asked about the classified graph. The answers, which must be about an equal
  // device, and the graph outlive the model and its copies.
  OpModel(const DeviceSpec& device, OpAnswers& answers, std::shared_ptr<const OpClasses> classes)
      : device_(device), answers_(&answers), classes_(std::move(classes)) {}

  // Inputs of many queries by number; none when the model remembers nothing. `ids` holds the numbers and outlives them.
  InternedInputs intern(std::span<const std::optional<TensorLayout>> inputs, std::vector<LayoutId>& ids) const;

  // The same about another graph, which outlives the model and does not change meanwhile.
  OpModel about(const Graph& graph) const;

  OpVerdict validateOperation(const OpQuery& query, L1Budget& budget) const;
  OpVerdict validateOperation(const OpQuery& query, Bytes budget) const;
  // Of a legal query; an illegal one gives what its formulas say.
  OpConstraints getOpConstraints(const OpQuery& query) const;
  OpTime getOpRuntime(const OpQuery& query) const;
  // Not remembered: for searches that keep answers themselves.
  OpFigures figuresOf(const OpQuery& query) const;
  OpFigures figuresOf(const OpQuery& query, const OpFacts& facts) const;  // of an op whose facts are known
  // Of the program of the op that takes most, in the order they are made; what no tensor backs sums up to cbL1PeakSize.
  // Worked out anew on every call, as the rule is.
  std::vector<CircularBuffer> getCircularBuffers(const OpQuery& query) const;
  OpRule ruleOf(const OpQuery& query) const;

  // Of a query that belongs to its op; `made` holds what is not remembered.
  const OpFacts& factsFor(const OpQuery& query, std::optional<OpFacts>& made) const;

  // The number of the op's class in these answers; none when the model does not remember in them.
  std::optional<uint32_t> classIn(const OpAnswers& answers, const Graph& graph, OpId op) const;

  const DeviceSpec& device() const { return device_; }

 private:
  bool remembers(const Graph& graph, OpId op) const;
  void complete(OpAnswer& answer, uint8_t parts, const OpQuery& query, const OpFacts& facts) const;
  const OpAnswer& ask(const OpQuery& query, uint8_t parts, OpAnswer& unremembered) const;

  const DeviceSpec& device_;
  OpAnswers* answers_ = nullptr;  // null: every query is worked out
  std::shared_ptr<const OpClasses> classes_;
};

// Of a legal query's verdict: it gets the budget as `available`, and is OutOfMemory when it needs more.
void admit(OpVerdict& verdict, L1Budget& budget);

}  // namespace tessera

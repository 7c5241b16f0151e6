#pragma once
// PatternRewriter: one walk over a graph with a list of patterns. A pattern looks at an op of the old graph (the root)
// and, through the values its operands are now, at what was already made of the ops before it. So one walk is enough
// for patterns that build on each other, and all work is linear.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/lowering/pass.h"
#include "core/lowering/rewriter.h"
#include "core/ops/table/op_table.h"

namespace tessera {

class PatternRewriter {
 public:
  // True when the root was dealt with: its results are mapped.
  using Pattern = bool (*)(PatternRewriter&, OpId root);

  explicit PatternRewriter(const Graph& graph);
  // Patterns see ops whose tensors have no layout yet, or, with `Layouts::Kept`, all.
  enum class Layouts { None, Kept };
  PassResult run(const std::vector<Pattern>& patterns, Layouts layouts = Layouts::None);
  // One walk of several: without notes, and ids stay (GraphRewriter::Ids::Kept).
  Graph walk(const std::vector<Pattern>& patterns);

  // --- the root, an op of the old graph
  const Graph& oldGraph() const { return from_; }
  const Op& old(OpId root) const { return from_.ops[root]; }
  OpKind kind(OpId root) const { return from_.ops[root].kind; }
  size_t inputs(OpId root) const;  // without destination-passing outputs
  ValueId in(OpId root, size_t index) const { return rewriter_.now(from_.ops[root].operands[index]); }
  const ValueType& type(OpId root) const { return from_.values[from_.ops[root].results[0]].type; }
  const Shape& resultShape(OpId root) const { return type(root).tensor->shape; }

  // --- values and ops of the new graph
  const Graph& graph() const { return rewriter_.graph(); }
  const ValueType& typeOf(ValueId value) const { return graph().values[value].type; }
  bool isTensor(ValueId value) const { return value.valid() && typeOf(value).isTensor(); }
  const Shape& shape(ValueId value) const { return typeOf(value).tensor->shape; }
  DType dtype(ValueId value) const { return typeOf(value).tensor->dtype; }
  // The op that makes the value when it is of that kind, else none.
  OpId def(ValueId value, OpKind kind) const;
  OpId def(ValueId value) const { return value.valid() ? graph().values[value].producer : OpId{}; }
  const Op& op(OpId made) const { return graph().ops[made]; }
  // What an op reads. Invalid when a cache was written into it since: it cannot be read again later.
  ValueId read(OpId made, size_t index) const;
  // Everything it depends on is known when the model is loaded.
  bool constant(ValueId value) const { return constant_[value]; }
  // The number in every element of a constant, seen through views and conversions.
  std::optional<double> splat(ValueId value) const;
  bool splatIs(ValueId value, double wanted, double relative = 1e-6) const;
  // Readers in the old graph.
  size_t useCount(ValueId value) const;
  bool allUsers(ValueId value, bool (*fits)(const Op& user)) const { return allReaders(value, fits); }
  template <class Fits>
  bool allReaders(ValueId value, Fits fits) const {
    for (ValueId old = latestSame_[value]; old.valid(); old = nextSame_[old]) {
      for (OpId reader : readersOf(old)) {
        if (!fits(from_.ops[reader])) return false;
      }
    }
    return true;
  }

  // --- attributes of ops of either graph
  static int64_t integer(const Op& op, std::string_view name, int64_t fallback);
  static std::vector<int64_t> ints(const Op& op, std::string_view name);

  // --- making ops
  ValueType typeWith(const ValueType& type, Shape shape) const;
  ValueType typeWith(const ValueType& type, DType dtype) const;
  // The next op that replaces a root also stands for this one.
  void took(OpId made) { taken_.push_back(made); }
  // How many are taken, and back to an earlier count: what was tried did not match.
  size_t takenSoFar() const { return taken_.size(); }
  void takeBack(size_t count) { taken_.resize(count); }
  // An op in the root's place, with its names; it has the origins of all ops taken. `fused` says what became of them.
  ValueId replace(OpId root, OpSpec spec, std::string fused = {});
  // A further op on the way to it.
  ValueId emit(OpId root, OpSpec spec);
  ValueId emitReshape(OpId root, ValueId value, const Shape& shape);
  ValueId emitPermute(OpId root, ValueId value, const std::vector<int64_t>& order);
  OpSpec reshapeSpec(ValueId value, const Shape& shape) const;
  OpSpec permuteSpec(ValueId value, const std::vector<int64_t>& order) const;
  // After replace(): the root's readers see this value, a view of what replaced it. The op that computes keeps the
  // name, so that what people say about it by name stays true.
  bool seenAs(OpId root, ValueId view) {
    rewriter_.map(old(root).results[0], view);
    return true;
  }
  // A further result of the root is this value.
  void mapResult(OpId root, size_t index, ValueId value) { rewriter_.map(old(root).results[index], value); }
  // Who reads the root's first result, the last in program order first.
  std::span<const OpId> readers(OpId root) const { return readersOf(old(root).results[0]); }
  // A later op of the old graph is this value; patterns do not see it any more.
  void settle(OpId later, ValueId value);
  // A later op of the old graph becomes this one, when its turn comes.
  void defer(OpId later, OpSpec spec) { deferred_[later.index] = std::move(spec); }
  // Values of the old graph: who reads one, what makes it, and whether it was made in the new one, too.
  std::span<const OpId> readersOfOld(ValueId old) const { return readersOf(old); }
  bool reached(ValueId old) const { return rewriter_.has(old); }
  // An op behind the root reads the value: the root must not write into it.
  bool readAfter(OpId root, ValueId value) const;
  ValueId nowOf(ValueId old) const { return rewriter_.now(old); }
  // The root was only another name for the value.
  bool becomes(OpId root, ValueId value);
  // A copy of an op of the new graph, to be changed and given to replace().
  OpSpec specOf(OpId made) const;
  // What became of several ops, said of the one that stands for them.
  void note(ValueId value, std::string text) { notes_.push_back({def(value), std::move(text), false}); }
  // What is made of the op computes something else, as it does in the compiler.
  void computesOther(OpId root, std::string how) { others_.push_back({root, std::move(how), true, true}); }
  // Nearly a pattern: why it was left as it is.
  void nearMiss(OpId root, std::string why) { misses_.push_back({root, std::move(why)}); }

 private:
  void walkAll(const std::vector<Pattern>& patterns, Layouts layouts);
  const std::vector<OpId>& made(FuncId func) const { return graph().funcs[func].ops; }  // so far
  void finishOp(OpId root, size_t firstNew);
  bool makesConstants(const Op& made) const;
  const Graph& from_;
  mutable GraphRewriter rewriter_;
  // Readers in the old graph: those of value v are readers_[firstReader_[v]] up to those of the next value.
  std::vector<OpId> readers_;
  std::vector<size_t> firstReader_;
  std::span<const OpId> readersOf(ValueId old) const;
  void collectReaders();
  // The old values that a new one is: a list through nextSame_, from the latest.
  IdVec<ValueId, ValueId> latestSame_;  // of new values
  IdVec<ValueId, ValueId> nextSame_;    // of old values
  void standsFor(ValueId now, ValueId old);
  IdVec<OpId, bool> settled_;                     // of old ops
  std::unordered_map<int32_t, OpSpec> deferred_;  // by the number of the old op
  IdVec<ValueId, bool> constant_;                 // of new values
  IdVec<ValueId, OpId> written_;                  // new value: the last op that wrote into it
  IdVec<OpId, int32_t> place_;                    // of new ops in their function; -1 for those of the present root
  std::vector<OpId> taken_;
  std::vector<PassNote> notes_, misses_, others_;
};

// Notes of one step, for the ops that the next step made of theirs. No step of a pattern has problems: the pass adds
// them behind.
void carryNotes(const PassResult& from, PassResult& to);
// Removes what nobody reads, and numbers the rest in program order.
PassResult withoutDead(PassResult result);

}  // namespace tessera

#pragma once
// GraphRewriter: how a pass makes its result. The functions and their arguments are there from the start; the pass
// walks the ops of the given graph in program order and copies, replaces or drops each. All work is linear in the size
// of the graph.
//
//   GraphRewriter rewriter(graph);
//   for (FuncId func : graph.funcs.ids()) {
//     for (OpId op : graph.funcs[func].ops) {
//       if (isWanted(op)) rewriter.replace(op, makeOp(kind, {rewriter.now(operand)}, types));
//       else rewriter.copy(op);
//     }
//   }
//   return rewriter.finish();

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/ir/builder.h"
#include "core/ir/functions.h"
#include "core/ir/graph.h"

namespace tessera {

// Every result is a tensor. Passes that make an op into others ask for the shapes of its results.
bool givesTensors(const Graph& graph, const Op& op);

class GraphRewriter {
 public:
  // New: the result is numbered in program order. Kept: what is copied keeps its id, so the result shares it; what is
  // made gets ids behind all others, and what is left out stays among the ops, in no function (until compactGraph() of
  // builder.h).
  enum class Ids { New, Kept };
  // `from` must outlive the rewriter. Function ids and argument numbers stay the same.
  explicit GraphRewriter(const Graph& from, Ids ids = Ids::New);
  GraphRewriter(const GraphRewriter&) = delete;
  GraphRewriter& operator=(const GraphRewriter&) = delete;

  // What an old value is now. The old op must have been copied or replaced, or the value mapped.
  ValueId now(ValueId old) const;
  bool has(ValueId old) const { return now_[old].valid(); }
  void map(ValueId old, ValueId value) { now_[old] = value; }

  // The same op on what its operands are now, or on `operands` of the new graph; names, location and origins stay.
  OpId copy(OpId old);
  OpId copy(OpId old, std::vector<ValueId> operands);
  // An op in the place of `old`: its results take over the names, and its location and origins unless `spec` has its
  // own. `spec` has as many results as `old`. Operands are values of the new graph.
  OpId replace(OpId old, OpSpec spec);
  // A further op that stands for `old` (one of the ops it was decomposed into, a conversion of its operand): location
  // and origins are those of `old`, the name is the wish made unique. Results are not mapped.
  OpId emitFor(OpId old, OpSpec spec);
  // At the end of `func`; location and origins are those of `spec`.
  OpId emit(FuncId func, OpSpec spec);
  // `op` of the new graph also stands for `old`, which it took in.
  void absorb(OpId op, OpId old);

  // The graph so far. Types, attributes and operands may be changed in place (edit() of its vectors); results of an
  // emitted op are in graph().ops.
  Graph& graph() { return out_; }
  ValueId result(OpId op, size_t index = 0) const { return out_.ops[op].results[index]; }

  // The result: function types follow the returned values.
  Graph finish();

 private:
  OpId copyWithResults(OpId old);  // on the operands as they were
  OpId append(FuncId func, OpSpec spec, const std::vector<std::string>* names);
  std::string freeName(FuncId func, const std::string& wish, size_t results);
  void learnNames();
  bool taken(FuncId func, const std::string& base, size_t results) const;

  const Graph& from_;
  const Ids ids_;
  Graph out_;
  IdVec<ValueId, ValueId> now_;
  NamedValues oldNames_, newNames_;  // the latter without those of the former; empty until asked for
  std::vector<int64_t> nextNumber_;  // per function; empty until then, too
  // Per function: how often a name was wished for, so that the next free suffix is known.
  std::vector<std::unordered_map<std::string, int64_t>> lastSuffix_;
};

// The union of both lists of origins, ascending.
std::vector<OpId> joinOrigins(const std::vector<OpId>& a, const std::vector<OpId>& b);

}  // namespace tessera

#pragma once
// What the ops of a graph say about the sizes of its tensors, solved for small ones. The first half of shrinking;
// shrink_graph.cpp is the second, which rewrites the graph.

#include <string>
#include <vector>

#include "core/execute/dim_solver.h"
#include "core/execute/stablehlo_attrs.h"
#include "core/ir/graph.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

// A slice whose bounds are multiples of a unit that may change.
struct ScaledSlice {
  OpId op;
  size_t dim = 0;
  int64_t begin = 0, end = 0;  // in units
  DimVar unit = -1;
  std::string_view beginName = "begins", endName = "ends";  // of the attributes
  int64_t beginOffset = 0, endOffset = 0;                   // in elements, besides the units
};

class DimRelations {
 public:
  // `side`: rows and columns that had so many keep about as many; 0: all as small as may be.
  explicit DimRelations(const Graph& graph, int64_t side = 0);

  // False when an op has no rule, or when no smaller sizes satisfy all ops; problem() says which.
  bool solve();
  const std::string& problem() const { return problem_; }

  // After solve().
  Shape shapeOf(ValueId value) const;
  int64_t valueOf(DimVar var) const { return solver_.valueOf(var); }
  const std::vector<ScaledSlice>& slices() const { return slices_; }

 private:
  using Dims = std::vector<DimVar>;

  const Dims& in(const Op& op, size_t index) const;
  const Dims& out(const Op& op, size_t index = 0) const;
  bool tensor(const Op& op, size_t index) const;
  void same(const Dims& a, const Dims& b);
  void broadcast(const Dims& from, const Dims& to);
  int64_t integer(const Op& op, std::string_view name, int64_t fallback) const;
  std::vector<int64_t> ints(const Op& op, std::string_view name) const;
  size_t dimOf(int64_t value, size_t rank) const;
  bool fail(OpId op, const char* why);
  bool relate(OpId id);
  void ratio(DimVar a, DimVar b);
  bool reduction(const Op& op);
  bool matmul(const Op& op);
  bool dotGeneral(const Op& op);
  bool norm(const Op& op, size_t inputs);
  bool concatAlong(const Op& op, size_t inputs, std::string_view dimAttr);
  bool embedding(const Op& op);
  bool gather(OpId id, const Op& op);
  bool sort(const Op& op);
  bool heads(OpId id, const Op& op, size_t inputs);
  bool creation(const Op& op);
  bool quantization(OpId id, const Op& op);
  void halves(DimVar dim);
  bool window(OpId id, const Op& op);
  bool window1d(OpId id, const Op& op);
  bool window3d(OpId id, const Op& op);
  bool globalPool(OpId id, const Op& op);
  bool spread(OpId id, DimVar in, DimVar out, int64_t stride);
  bool transposedWeight(OpId id, const Op& op, const Window2d& w, DimVar channels, DimVar outputs);
  bool keepIndexed(const Op& op, size_t operand, DimVar dim);
  bool alongDim(OpId id, const Op& op, const Dims& whole, const Dims& part);

  // dim_relations_moves.cpp
  bool reshape(const Dims& from, const Dims& to);
  bool permute(OpId id, const Op& op);
  bool slice(OpId id, const Op& op);
  void sliceDim(ScaledSlice slice, DimVar from, DimVar to, int64_t step);
  bool pad(const Op& op);
  bool repeat(OpId id, const Op& op);

  // dim_relations_stablehlo.cpp
  bool stablehlo(OpId id, const Op& op);
  bool call(const Op& op, std::string_view attr);
  bool hasForm(OpKind kind, const Op& op) const;
  void fixAll(const Op& op);
  void partOf(DimVar whole, DimVar part);
  bool stablehloDot(const Op& op);
  void grouped(int64_t groups, DimVar whole, DimVar part, DimVar outputs);
  void spatialDim(const ShloWindow& w, size_t i, DimVar from, DimVar kernel, DimVar to);
  bool stablehloConvolution(const Op& op);
  void stablehloWindow(const Op& op, const Dims& x, const Dims& y);
  bool stablehloPick(const Op& op, const ShloPick& pick, const Dims& y);
  bool stablehloBroadcast(const Op& op);
  bool stablehloPad(const Op& op);
  bool stablehloTopK(const Op& op);
  bool stablehloSlice(OpId id, const Op& op);
  bool stablehloReduce(const Op& op);
  bool stablehloBatchNorm(const Op& op);
  void fixNamed(const Op& op);
  bool customCall(const Op& op);
  void bySize(const Op& op);
  bool loop(const Op& op);
  bool branches(const Op& op);
  void throughFunction(std::string_view name, const std::vector<Dims>& arguments, const std::vector<Dims>& results);
  bool alike(const Op& op);

  // dim_relations_attention.cpp
  bool cache(const Op& op);
  bool pagedCache(const Op& op);
  bool attention(OpId id, const Op& op);
  bool oneQuery(OpId id, const Op& op);

  // dim_relations_experts.cpp
  bool expertCall(std::string_view name, const Op& op);
  bool expertDims(const Op& op, std::string_view operands, std::string_view results);

  const Graph& graph_;
  IdVec<ValueId, Dims> dims_;
  DimSolver solver_;
  std::vector<ScaledSlice> slices_;
  std::string problem_;
};

}  // namespace tessera

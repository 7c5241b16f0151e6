#pragma once
// What a permute or a reshape does to dims, and what ops look like on its other side: the way a view passes an op.

#include <optional>
#include <vector>

#include "core/lowering/prepare/pattern.h"

namespace tessera {

// A one-to-one map of the elements of `from` onto those of `to`. Groups say which dims of `from` hold the same elements
// as which dims of `to`; dims of one are in no group of a reshape.
struct ViewMap {
  struct Group {
    std::vector<size_t> a, b;  // dims of `from`, of `to`; ascending for a reshape
  };
  Shape from, to;
  std::vector<int64_t> order;  // of a permute: to[i] = from[order[i]]; empty for a reshape
  std::vector<Group> groups;

  bool isPermute() const { return !order.empty(); }
  ViewMap inverse() const;
  // The dim of `to` that is this dim of `from` and nothing else.
  std::optional<size_t> alone(size_t dim) const;
};

ViewMap permuteMap(const Shape& from, const std::vector<int64_t>& order);
// Nothing when both shapes have different numbers of elements.
std::optional<ViewMap> reshapeMap(const Shape& from, const Shape& to);
// Of a permute or reshape of the new graph.
std::optional<ViewMap> mapOf(const PatternRewriter& p, OpId view);
bool sameViewMap(const ViewMap& a, const ViewMap& b);

// A shape that broadcasts to `from`, as it must be to broadcast to `to`.
std::optional<Shape> shapeAcross(const Shape& shape, const ViewMap& map);
// The same map for a larger or smaller `from`, whose dims differ only where the map keeps a dim as it is.
std::optional<ViewMap> mapFor(const Shape& from, const ViewMap& map);
// A value that broadcasts to `from`, seen through the map.
ValueId valueAcross(PatternRewriter& p, OpId root, ValueId value, const ViewMap& map);
ValueId emitView(PatternRewriter& p, OpId root, ValueId value, const ViewMap& map);

// `op` reads tensors of map.from; the same on tensors of map.to. `result` maps what the op gave to what it gives now.
struct OpAcross {
  AttrList attrs;
  ViewMap result;
};
// Element-wise ops, reductions, softmax, norms over the last dim, concat, slice, pad, broadcast. Nothing when the view
// mixes dims that the op tells apart. `in` and `out` are shapes of the op's first operand and result.
std::optional<OpAcross> opAcross(const Op& op, const Shape& in, const Shape& out, const ViewMap& map);

// `[1 : i32, 2 : i32]`
AttrValue intListAttr(const std::vector<int64_t>& values, std::string_view type = "i32");
void setAttribute(AttrList& attrs, std::string_view name, AttrValue value);

}  // namespace tessera

#pragma once
// The interner of a session: layouts, tensor types and op classes by number. Whatever is kept between calls speaks of
// these numbers.

#include "core/ir/graph.h"
#include "core/ir/layout_pool.h"
#include "core/support/key_index.h"

namespace tessera {

// All that the op model reads in a graph when it is asked about this op: networks repeat their blocks, and ops with
// equal keys get equal answers. What an operand is called, who makes it and who else reads it is not part of it.
Key opClassKey(const Graph& graph, OpId op);

struct Interner {
  // Beyond, a session forgets everything it keeps (about 100 MB of layouts).
  static constexpr size_t kMostLayouts = size_t{1} << 20;
  static constexpr size_t kMostWords = size_t{1} << 24;  // of types and op classes

  LayoutPool layouts;
  KeyIndex types;    // shape and element type
  KeyIndex classes;  // of ops

  uint32_t typeOf(const TensorType& type);
  uint32_t classOf(const Graph& graph, OpId op) {
    return static_cast<uint32_t>(classes.numberOf(opClassKey(graph, op)));
  }
  bool full() const { return layouts.size() > kMostLayouts || types.words() + classes.words() > kMostWords; }
};

}  // namespace tessera

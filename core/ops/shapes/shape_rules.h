#pragma once
// Shape rules: what the shapes of an op's operands, results and attributes have to do with each other. One function per
// family, in the shape_*.cpp files. A rule that is not known is not checked; an attribute that is missing but has a
// default is taken as its default. Everything here is safe on hostile values: no division by zero, no overflow.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/builder.h"
#include "core/ir/graph.h"
#include "core/ops/table/op_table.h"
#include "core/support/diagnostics.h"

namespace tessera {

// Reports WrongOperandCount, WrongResultCount, MissingAttribute, BadAttribute and ShapeMismatch at the op's place.
void checkShapes(const Graph& graph, OpId op, Diagnostics& diags);

// The message of the first rule that an op outside of any graph breaks when its operands have these types; "" when it
// breaks none. `spec.operands` is not read.
std::string shapeMistake(OpSpec spec, const std::vector<ValueType>& operands);

// How many leading operands are inputs; the rest are destination-passing outputs. From `operandSegmentSizes` when there
// is one, else an operand beyond the roles, or one made by `empty` that has a result's type, counts as output.
int inputCount(const Graph& graph, OpId op);

// Least and most operands without the destination-passing outputs at the end.
OperandBounds inputBounds(const OpInfo& info);

// The numbers of a 2-D convolution or pooling op, whatever spelling they come in (TTIR: from the shapes and the
// *_dim attributes, NHWC by default; TTNN: from the attributes of the flattened form).
struct Window2d {
  int64_t batch = 0, inH = 0, inW = 0, inC = 0;
  int64_t outH = 0, outW = 0, outC = 0;
  int64_t kernelH = 0, kernelW = 0;
  int64_t strideH = 1, strideW = 1;
  int64_t dilationH = 1, dilationW = 1;
  int64_t padTop = 0, padBottom = 0, padLeft = 0, padRight = 0;
  int64_t groups = 1;
  bool transposed = false;  // conv_transpose2d
  bool flattened = false;   // operands are [1, 1, N*H*W, C]
};
// Nothing for other ops, and when a number is missing, absurd or does not fit the shapes.
std::optional<Window2d> window2d(const Graph& graph, OpId op);

// Windows of `kernel` elements that fit into a padded dim; in ceil mode the last one may hang over, but must start
// inside the input or its leading padding. Nothing when none fits.
std::optional<int64_t> windowCount(int64_t in, int64_t padLow, int64_t padHigh, int64_t kernel, int64_t stride,
                                   int64_t dilation, bool ceil);

}  // namespace tessera

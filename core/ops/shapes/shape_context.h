#pragma once
// What the shape rules share: the op under the lens, and how to complain about it. Private to core/ops/shape_*.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"
#include "core/ops/table/op_table.h"
#include "core/support/diagnostics.h"

namespace tessera {

struct ShapeContext {
  const Graph& graph;
  const Op& op;
  const OpInfo& info;
  int inputs;          // leading operands that are not destination-passing outputs
  Diagnostics* diags;  // null: be silent

  // Null when there is no such operand or result, or it is no tensor.
  const Shape* input(int index) const;
  const Shape* result(int index = 0) const;

  void mismatch(const std::string& text) const;
  void badAttr(std::string_view name, const std::string& expected) const;

  bool has(std::string_view name) const { return findAttr(op, name) != nullptr; }
  std::optional<int64_t> integer(std::string_view name) const;    // Integer or Bool
  const std::vector<int64_t>* ints(std::string_view name) const;  // IntArray
  bool flag(std::string_view name, bool fallback) const;
  // As integer() and ints(), but report MissingAttribute or BadAttribute when there is nothing.
  std::optional<int64_t> needInteger(std::string_view name) const;
  const std::vector<int64_t>* needInts(std::string_view name, size_t count) const;
  // A dim of a tensor of that rank, negative ones counted from the end; reports BadAttribute when out of range.
  std::optional<size_t> dim(std::string_view name, int64_t value, size_t rank) const;

  // Reports the first of that many leading operands, or of the results, that is no tensor.
  bool areTensors(int operands) const;
  // Reports a mismatch unless result `index` has the shape; `rule` says where the expected shape comes from.
  void expectResult(int index, const Shape& expected, const std::string& rule) const;
};

// The number behind `name = ` in an attribute's text: batch_size of #ttir<flattened_compat batch_size = 1, ...>.
std::optional<int64_t> attrField(const AttrValue& attr, std::string_view name);
// "2x3 and 4x5"
std::string shapesText(const Shape& a, const Shape& b);
// NumPy broadcasting; nothing when the shapes do not fit.
std::optional<Shape> broadcastShapes(const Shape& a, const Shape& b);

void checkElementwise(const ShapeContext& c);  // EltwiseUnary, EltwiseBinary, EltwiseTernary
void checkSameShape(const ShapeContext& c);    // Typecast, ToLayout, Quantize, RotaryEmbedding
void checkRotaryEmbedding(const ShapeContext& c);
void checkMatmul(const ShapeContext& c);
void checkConv(const ShapeContext& c);
void checkPool(const ShapeContext& c);
void checkUpsample(const ShapeContext& c);
void checkConcat(const ShapeContext& c);
void checkReshape(const ShapeContext& c);
void checkPermute(const ShapeContext& c);
void checkSlice(const ShapeContext& c);
void checkPad(const ShapeContext& c);
void checkRepeat(const ShapeContext& c);
void checkEmbedding(const ShapeContext& c);
void checkGather(const ShapeContext& c);
void checkReduction(const ShapeContext& c);
void checkSoftmax(const ShapeContext& c);
void checkNorm(const ShapeContext& c);
void checkSort(const ShapeContext& c);
void checkAttention(const ShapeContext& c);
void checkHeadReshape(const ShapeContext& c);
void checkKvCache(const ShapeContext& c);
void checkCollective(const ShapeContext& c);
void checkCreation(const ShapeContext& c);
bool checkStablehlo(const ShapeContext& c);

// The rules of op_rules.def, for any op; the first that does not hold is reported.
void checkOpRules(const Graph& graph, const Op& op, int inputs, Diagnostics& diags);

// window2d() for an op that is already looked up.
struct Window2d;
std::optional<Window2d> readWindow2d(const ShapeContext& c);

}  // namespace tessera

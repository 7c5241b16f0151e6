#pragma once
// What the rules of the conversion share. Private to this folder.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lowering/prepare/pattern.h"
#include "core/lowering/prepare/view_map.h"

namespace tessera::shlo {

// Converts the root and maps its results; false when the op is none it can convert, with the reason in refuse().
using Rule = bool (*)(PatternRewriter&, OpId root);

// Why the op stays as it is; gives false.
bool refuse(PatternRewriter& p, OpId root, std::string_view why);

std::string word(const Op& op, std::string_view name);                   // of a String attribute, else ""
std::vector<int64_t> ints(const Op& op, std::string_view name);          // of an IntArray or Integer
int64_t integer(const Op& op, std::string_view name, int64_t fallback);  // of an Integer or Bool
double number(const Op& op, std::string_view name, double fallback);     // of a Float or Integer
// The list behind `name = ` in the text of #stablehlo.gather<...> and its like; empty when it is not there.
std::vector<int64_t> listIn(const Op& op, std::string_view attr, std::string_view name);
std::optional<int64_t> numberIn(const Op& op, std::string_view attr, std::string_view name);
// Value of `name = ` in a dictionary attribute as text without quotes and type: "8" of `{k = 8 : i64}`.
std::string entryOf(const Op& op, std::string_view attr, std::string_view name);

// A list of dims is within the rank and names none twice.
bool dimsFit(const std::vector<int64_t>& dims, size_t rank);

inline const Shape& shapeOf(PatternRewriter& p, OpId root, size_t index) { return p.shape(p.in(root, index)); }
bool tensors(PatternRewriter& p, OpId root, size_t least);  // at least so many operands, all tensors

// An op of that kind takes as many inputs as the root has operands, of which the first `most` are counted.
bool countFits(PatternRewriter& p, OpId root, OpKind kind, size_t most = SIZE_MAX);

// An op on the way to the root's replacement.
ValueId emit(PatternRewriter& p, OpId root, OpKind kind, std::vector<ValueId> operands, const ValueType& type,
             AttrList attrs = {});
// The op that replaces the root, with the root's type.
bool finish(PatternRewriter& p, OpId root, OpKind kind, std::vector<ValueId> operands, AttrList attrs = {},
            std::string note = {});
// The root is this value, made of its operands on the way; a view of the root's shape in front of it when needed.
bool finishAs(PatternRewriter& p, OpId root, ValueId value);
ValueId slice(PatternRewriter& p, OpId root, ValueId value, const std::vector<int64_t>& begins,
              const std::vector<int64_t>& ends);
// `interior` further elements behind each but the last of every dim: a column of them, flattened away.
ValueId dilate(PatternRewriter& p, OpId root, ValueId x, const std::vector<int64_t>& interior, double value);
ValueId fill(PatternRewriter& p, OpId root, const ValueType& type, double number);
ValueId integers(PatternRewriter& p, OpId root, const std::vector<int64_t>& numbers, DType dtype);
// The root's operand made 1 x ... along new dims: reshape and broadcast to `shape`, dim `dims[i]` of it being dim i.
ValueId broadcastTo(PatternRewriter& p, OpId root, ValueId value, const std::vector<int64_t>& dims, const Shape& shape);

// --- rules, by file
bool foldKnownInteger(PatternRewriter&, OpId);  // fold_integers.cpp: before any other rule
bool elementwise(PatternRewriter&, OpId);       // convert_elementwise.cpp
bool remainder(PatternRewriter&, OpId);
bool clampValue(PatternRewriter&, OpId);
bool compare(PatternRewriter&, OpId);
bool logical(PatternRewriter&, OpId);
bool roundAwayFromZero(PatternRewriter&, OpId);
bool convertType(PatternRewriter&, OpId);
bool passOn(PatternRewriter&, OpId);
bool broadcastPair(PatternRewriter&, OpId);
bool chloSign(PatternRewriter&, OpId);

bool constant(PatternRewriter&, OpId);  // convert_shape.cpp
bool iota(PatternRewriter&, OpId);
bool reshape(PatternRewriter&, OpId);
bool transpose(PatternRewriter&, OpId);
bool broadcastInDim(PatternRewriter&, OpId);
bool concatenate(PatternRewriter&, OpId);
bool sliceStatic(PatternRewriter&, OpId);
bool dynamicSlice(PatternRewriter&, OpId);
bool dynamicUpdateSlice(PatternRewriter&, OpId);
bool pad(PatternRewriter&, OpId);
bool reverse(PatternRewriter&, OpId);
bool dimensionSize(PatternRewriter&, OpId);
bool constantLike(PatternRewriter&, OpId);

bool dotGeneral(PatternRewriter&, OpId);  // convert_matmul.cpp
bool dot(PatternRewriter&, OpId);
bool batchNormInference(PatternRewriter&, OpId);
bool batchNormTraining(PatternRewriter&, OpId);
bool batchNormGrad(PatternRewriter&, OpId);
bool convolution(PatternRewriter&, OpId);  // convert_convolution.cpp

bool reduce(PatternRewriter&, OpId);  // convert_reduce.cpp
bool sort(PatternRewriter&, OpId);
bool topK(PatternRewriter&, OpId);
bool reduceWindow(PatternRewriter&, OpId);  // convert_window.cpp
bool selectAndScatter(PatternRewriter&, OpId);

bool gather(PatternRewriter&, OpId);  // convert_gather.cpp
bool scatter(PatternRewriter&, OpId);

bool collective(PatternRewriter&, OpId);  // convert_collectives.cpp
bool customCall(PatternRewriter&, OpId);  // convert_calls.cpp
bool composite(PatternRewriter&, OpId);
bool rng(PatternRewriter&, OpId);  // convert_random.cpp
bool quantized(PatternRewriter&, OpId);

// What a body does to its arguments: "stablehlo.add" also for a function whose first op it is. Empty: something else.
std::string bodyOf(const Graph& graph, const Op& op, std::string_view attr = "body");

// Is the body one op of its two arguments, whose result it gives back? True where nothing is known of it.
bool bodyIsOneOp(const Graph& graph, const Op& op, std::string_view attr = "body");

// The target of the row of an op.
OpKind targetOf(OpKind from);

}  // namespace tessera::shlo

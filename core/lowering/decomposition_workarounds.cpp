#include <algorithm>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workarounds.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

struct Workaround {
  OpKind op;
  // Makes the ops in the place of `old` and maps its results; false when this one needs no workaround.
  bool (*rewrite)(const Graph&, OpId old, const DeviceSpec&, GraphRewriter&);
  std::string_view reason;
};

// Dims of a reduction, not negative, ascending and without duplicates; empty when they are not understood.
std::vector<int64_t> reducedDims(const Op& op, size_t rank) {
  const AttrValue* attr = findAttr(op, "dim_arg");
  if (attr == nullptr || attr->kind != AttrValueKind::IntArray) return {};
  std::vector<int64_t> dims;
  for (int64_t dim : attr->ints) {
    if (dim < 0) dim += static_cast<int64_t>(rank);
    if (dim < 0 || dim >= static_cast<int64_t>(rank)) return {};
    dims.push_back(dim);
  }
  std::sort(dims.begin(), dims.end());
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  return dims;
}

// One dim after the other, the last first, each kept as one; a reshape takes them away in the end. All dims at once
// stay one op.
bool reduceOneByOne(const Graph& graph, OpId old, const DeviceSpec& device, GraphRewriter& rewriter) {
  const Op& op = graph.ops[old];
  const ValueType& input = graph.values[op.operands[0]].type;
  if (!input.isTensor() || op.results.size() != 1 || op.operands.size() != 1) return false;
  Shape shape = input.tensor->shape;
  std::vector<int64_t> dims = reducedDims(op, shape.size());
  if (dims.size() < 2 || dims.size() == shape.size()) return false;
  const AttrValue* keep = findAttr(op, "keep_dim");
  bool keeps = keep != nullptr && keep->integer != 0;
  const ValueType& result = graph.values[op.results[0]].type;
  ValueId value = rewriter.now(op.operands[0]);
  for (size_t i = dims.size(); i > 0; --i) {
    shape[static_cast<size_t>(dims[i - 1])] = 1;
    OpSpec spec = makeOp(op.kind, {value}, {typeWithShape(result, shape, device)});
    for (const Attribute& attr : op.attrs) {
      if (attr.name != "dim_arg" && attr.name != "keep_dim") spec.attrs.push_back(attr);
    }
    AttrValue dim = rawAttr("[" + std::to_string(dims[i - 1]) + " : i32]");
    dim.kind = AttrValueKind::IntArray;
    dim.ints = {dims[i - 1]};
    spec.attrs.push_back({"dim_arg", std::move(dim)});
    spec.attrs.push_back({"keep_dim", boolAttr(true)});
    if (keeps && i == 1) {
      rewriter.replace(old, std::move(spec));
      return true;
    }
    value = rewriter.result(rewriter.emitFor(old, std::move(spec)));
  }
  OpSpec reshape = makeOp(OpKind::TtnnReshape, {value}, {result});
  reshape.attrs = {{"shape", intArrayAttr(result.tensor->shape, "i32")}};
  rewriter.replace(old, std::move(reshape));
  return true;
}

constexpr std::string_view kOneDim = "the library reduces one dim at a time (docs/rules/lowering.md#reductions)";

constexpr Workaround kWorkarounds[] = {
    {OpKind::TtnnSum, reduceOneByOne, kOneDim},  {OpKind::TtnnMean, reduceOneByOne, kOneDim},
    {OpKind::TtnnMax, reduceOneByOne, kOneDim},  {OpKind::TtnnMin, reduceOneByOne, kOneDim},
    {OpKind::TtnnProd, reduceOneByOne, kOneDim},
};

}  // namespace

PassResult decompositionWorkarounds(const Graph& graph, const PassContext& context) {
  GraphRewriter rewriter(graph);
  std::vector<PassNote> notes;
  for (FuncId func : graph.funcs.ids()) {
    for (OpId op : graph.funcs[func].ops) {
      const Workaround* taken = nullptr;
      for (const Workaround& row : kWorkarounds) {
        if (context.options.specificationRules && row.op == graph.ops[op].kind &&
            row.rewrite(graph, op, context.device, rewriter))
          taken = &row;
      }
      if (taken == nullptr) {
        rewriter.copy(op);
        continue;
      }
      OpId last = rewriter.graph().values[rewriter.now(graph.ops[op].results[0])].producer;
      notes.push_back({last, std::string(taken->reason)});
    }
  }
  return {rewriter.finish(), std::move(notes)};
}

}  // namespace tessera

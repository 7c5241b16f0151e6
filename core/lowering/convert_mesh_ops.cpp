// Rules of convert-ttir-to-ttnn for what the chips of a mesh exchange.

#include <algorithm>

#include "core/lowering/ttir_converter.h"
#include "core/lowering/ttnn_attrs.h"

namespace tessera {

namespace {

bool saysIn(const Op& op, std::string_view name, std::string_view word) {
  const AttrValue* value = findAttr(op, name);
  return value != nullptr && value->text.find(word) != std::string::npos;
}

// `[1 : ui32, 2 : ui32]`
std::string unsignedList(const std::vector<int64_t>& numbers) {
  std::string out;
  for (int64_t number : numbers) out += (out.empty() ? "" : ", ") + std::to_string(number) + " : ui32";
  return "[" + out + "]";
}

}  // namespace

// Over one chip nothing is exchanged.
void collective(TtirConverter& c, OpId old) {
  const AttrValue* axis = findAttr(c.op(old), "cluster_axis");
  const std::vector<int64_t>& mesh = c.meshShape();
  bool known = mesh != std::vector<int64_t>{1, 1} && axis != nullptr && axis->integer >= 0 &&
               axis->integer < static_cast<int64_t>(mesh.size());
  bool alone = known && mesh[static_cast<size_t>(axis->integer)] == 1 &&
               c.source().values[c.op(old).operands[0]].type == c.source().values[c.op(old).results[0]].type;
  if (alone) c.rewriter().map(c.op(old).results[0], c.rewriter().now(c.op(old).operands[0]));
  else c.rewriter().replace(old, c.plain(old, c.target()));
}

// The whole tensor is spread over the mesh, or put together from it: along each dim of the mesh a dim of the tensor is
// cut, or every chip has all of it (tt-mlir lib/Conversion/TTIRToTTNN @ 19c86fca).
void meshShard(TtirConverter& c, OpId old) {
  const Op& op = c.op(old);
  if (c.rulesOf2025()) {
    OpSpec spec = c.plain(old, OpKind::TtnnMeshShard);
    spec.operands.push_back(c.device(op.func));
    c.rewriter().replace(old, std::move(spec));
    return;
  }
  if (saysIn(op, "shard_type", "identity") || c.specificationRules()) {
    if (c.specificationRules()) c.rewriter().replace(old, c.plain(old, c.target()));
    else c.rewriter().map(op.results[0], c.rewriter().now(op.operands[0]));
    return;
  }
  bool spread = saysIn(op, "shard_direction", "full_to_shard"), replicate = saysIn(op, "shard_type", "replicate");
  const AttrValue* dims = findAttr(op, "shard_dims");
  const AttrValue* parts = findAttr(op, "shard_shape");
  std::string placements, axes;
  std::vector<int64_t> counts;
  for (size_t i = 0; i < c.meshShape().size(); ++i) {
    int64_t dim = dims != nullptr && i < dims->ints.size() && !replicate ? dims->ints[i] : -1;
    placements +=
        (i > 0 ? ", " : "") + (dim < 0 ? std::string("<replicate>") : "<shard, " + std::to_string(dim) + " : i32>");
    bool cut = dim >= 0 && parts != nullptr && static_cast<size_t>(dim) < parts->ints.size();
    // A dim that is not cut is put together from one part.
    axes += (i > 0 ? ", " : "") + std::to_string(std::max<int64_t>(dim, 0)) + " : i32";
    counts.push_back(cut ? parts->ints[static_cast<size_t>(dim)] : 1);
  }
  OpSpec spec = makeOp(spread ? OpKind::TtnnDistributeTensor : OpKind::TtnnAggregateTensor,
                       {c.rewriter().now(op.operands[0]), c.device(op.func)}, {c.source().values[op.results[0]].type});
  std::vector<int64_t> mesh = c.meshShape();
  if (spread)
    spec.attrs = {{"mapper_config", rawAttr("#ttnn.mesh_mapper_config<placements = [" + placements +
                                            "], mesh_shape_override = " + unsignedList(mesh) + ">")}};
  else
    spec.attrs = {{"composer_config", rawAttr("#ttnn.mesh_composer_config<dims = [" + axes +
                                              "], mesh_shape_override = " + unsignedList(counts) + ">")}};
  c.rewriter().replace(old, std::move(spec));
}

}  // namespace tessera

// Collectives.

#include <cstdlib>

#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

// 1 when the first group's first two chips are neighbours, else 0 (tt-mlir StableHLOToTTIRPatterns.cpp@19c86fca).
int64_t clusterAxis(const Op& op) {
  const AttrValue* groups = findAttr(op, "replica_groups");
  if (groups == nullptr) return 0;
  size_t open = groups->text.find("[["), close = groups->text.find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return 0;
  std::string first = groups->text.substr(open + 2, close - open - 2);
  size_t comma = first.find(',');
  if (comma == std::string::npos) return 0;
  return std::strtoll(first.c_str() + comma + 1, nullptr, 10) == std::strtoll(first.c_str(), nullptr, 10) + 1 ? 1 : 0;
}

std::string reduceTypeOf(std::string_view body) {
  if (body == "stablehlo.add") return "sum";
  if (body == "stablehlo.maximum") return "max";
  if (body == "stablehlo.minimum") return "min";
  if (body == "stablehlo.multiply") return "prod";
  if (body == "stablehlo.or") return "max";
  if (body == "stablehlo.and") return "min";
  return "";
}

// The result's shape is the operand's with dim `dim` `factor` times as large (or as small).
bool scaledDim(PatternRewriter& p, OpId root, int64_t dim, bool grows) {
  const Shape &in = shapeOf(p, root, 0), &out = p.resultShape(root);
  if (dim < 0 || dim >= static_cast<int64_t>(in.size()) || in.size() != out.size()) return false;
  for (size_t d = 0; d < in.size(); ++d) {
    int64_t small = grows ? in[d] : out[d], large = grows ? out[d] : in[d];
    bool fits = static_cast<int64_t>(d) == dim ? small > 0 && large % small == 0 : small == large;
    if (!fits) return false;
  }
  return true;
}

AttrList collectiveAttrs(PatternRewriter& p, OpId root, OpKind kind) {
  const Op& op = p.old(root);
  AttrList attrs;
  auto keep = [&](std::string_view name) {
    if (const AttrValue* value = findAttr(op, name)) attrs.push_back({std::string(name), *value});
  };
  if (kind == OpKind::TtirCollectivePermute) {
    keep("source_target_pairs");
    return attrs;
  }
  if (kind == OpKind::TtirAllToAll) {
    attrs = {{"split_dim", intAttr(integer(op, "split_dimension", 0), "si32")},
             {"concat_dim", intAttr(integer(op, "concat_dimension", 0), "si32")},
             {"split_count", intAttr(integer(op, "split_count", 1), "si32")}};
    keep("replica_groups");
    return attrs;
  }
  if (kind == OpKind::TtirCollectiveBroadcast) {
    keep("replica_groups");
    return attrs;
  }
  attrs.push_back({"cluster_axis", intAttr(clusterAxis(op), "ui32")});
  if (kind == OpKind::TtirAllGather)
    attrs.push_back({"all_gather_dim", intAttr(integer(op, "all_gather_dim", 0), "si32")});
  if (kind == OpKind::TtirReduceScatter)
    attrs.push_back({"scatter_dim", intAttr(integer(op, "scatter_dimension", 0), "si32")});
  if (kind != OpKind::TtirAllGather) {
    attrs.push_back({"reduce_type", rawAttr("#ttcore.reduce_type<" + reduceTypeOf(bodyOf(p.oldGraph(), op)) + ">")});
  }
  return attrs;
}

}  // namespace

bool collective(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  OpKind kind = targetOf(op.kind);
  if (!tensors(p, root, 1) || op.results.size() > op.operands.size()) return false;
  bool reduces = kind == OpKind::TtirAllReduce || kind == OpKind::TtirReduceScatter;
  const std::string how = reduces ? reduceTypeOf(bodyOf(p.oldGraph(), op)) : std::string();
  if (reduces && how.empty())
    return refuse(p, root, "it combines by something else than sum, product, maximum or minimum");
  // The verifier of the op takes nothing else (op_rules.def).
  if (kind == OpKind::TtirAllReduce && how != "sum") return refuse(p, root, "the compiler's all_reduce adds up only");
  bool fits = true;
  if (kind == OpKind::TtirAllGather) fits = scaledDim(p, root, integer(op, "all_gather_dim", -1), true);
  else if (kind == OpKind::TtirReduceScatter) fits = scaledDim(p, root, integer(op, "scatter_dimension", -1), false);
  else if (kind != OpKind::TtirAllToAll) fits = shapeOf(p, root, 0) == p.resultShape(root);
  if (!fits) return refuse(p, root, "its dims do not give the result's shape");
  AttrList attrs = collectiveAttrs(p, root, kind);
  for (size_t i = 1; i < op.results.size(); ++i)
    p.mapResult(root, i, emit(p, root, kind, {p.in(root, i)}, p.oldGraph().values[op.results[i]].type, attrs));
  if (op.results.size() > 1) return p.becomes(root, emit(p, root, kind, {p.in(root, 0)}, p.type(root), attrs));
  return finish(p, root, kind, {p.in(root, 0)}, std::move(attrs));
}

}  // namespace tessera::shlo

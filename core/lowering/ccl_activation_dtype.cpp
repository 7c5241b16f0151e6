#include "core/lowering/ccl_activation_dtype.h"

#include <algorithm>
#include <map>

#include "core/lowering/rewriter.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

bool isOneOf(OpKind kind, std::initializer_list<OpKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool isView(OpKind kind) {
  return isOneOf(kind, {OpKind::TtnnReshape, OpKind::TtnnSliceStatic, OpKind::TtnnToMemoryConfig});
}

bool isExchange(OpKind kind) {
  return isOneOf(kind, {OpKind::TtnnAllGather, OpKind::TtnnReduceScatter, OpKind::TtnnAllReduce});
}

bool writesCache(OpKind kind) { return isOneOf(kind, {OpKind::TtnnUpdateCache, OpKind::TtnnFillCache}); }

// What a reader gets in place of the block floats.
enum class Restored { AsTiles, AsRows };

// The single way of a value through views and collectives, and the op that ends it.
struct Way {
  std::vector<OpId> ops;
  bool exchanged = false;
  Use end = {};
};

class CclActivations {
 public:
  CclActivations(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), uses_(collectUses(graph)), stored_(graph.values.size(), false) {}

  PassResult run() {
    for (const Function& func : graph_.funcs) {
      for (OpId op : func.ops) {
        if (graph_.ops[op].kind != OpKind::TtnnMatmul || !isWide(graph_.ops[op].results[0])) continue;
        if (toResidual(op) || toGate(op) || toRotation(op) || toChoice(op)) products_.push_back(op);
      }
    }
    return rewritten();
  }

 private:
  // A float that may be stored in fewer bits.
  bool isWide(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    if (!type.isTensor() || !type.tensor->layout || stored_[value]) return false;
    return type.tensor->layout->dtype == DType::BF16 || type.tensor->layout->dtype == DType::F32;
  }

  // Block floats exist in tiles only.
  bool inRows(ValueId value) const {
    const ValueType& type = graph_.values[value].type;
    return type.isTensor() && type.tensor->layout && type.tensor->layout->page == PageLayout::RowMajor;
  }

  // From a value that is read once to the next, as long as the readers pass the numbers on (`also` among them).
  std::optional<Way> wayFrom(ValueId value, std::initializer_list<OpKind> also = {}) const {
    Way way;
    while (uses_[value].size() == 1) {
      way.end = uses_[value][0];
      const Op& user = graph_.ops[way.end.op];
      const bool exchange = isExchange(user.kind);
      if (!exchange && !isView(user.kind) && !isOneOf(user.kind, also)) return way;
      if (user.results.size() != 1 || inRows(user.results[0])) return {};
      way.exchanged = way.exchanged || exchange;
      way.ops.push_back(way.end.op);
      value = user.results[0];
    }
    return {};  // several readers are none of the forms that are known
  }

  // The numbers meet those of the model again in a sum, which is in full precision.
  std::optional<Way> wayToResidual(OpId product) const {
    std::optional<Way> way = wayFrom(graph_.ops[product].results[0]);
    if (!way || !way->exchanged) return {};
    const Op& add = graph_.ops[way->end.op];
    if (add.kind != OpKind::TtnnAdd || add.operands.size() != 2) return {};
    return isWide(add.operands[static_cast<size_t>(1 - way->end.operand)]) ? way : std::nullopt;
  }

  void store(OpId op) {
    const Op& made = graph_.ops[op];
    if (made.results.size() == 1 && isWide(made.results[0])) stored_[made.results[0]] = true;
  }
  void store(OpId product, const std::vector<OpId>& ops) {
    store(product);
    for (OpId op : ops) store(op);
  }

  bool toResidual(OpId product) {
    std::optional<Way> way = wayToResidual(product);
    if (!way) return false;
    store(product, way->ops);
    return true;
  }

  // One of the two products that a gate multiplies, whose result goes into the product that reaches the sum.
  bool toGate(OpId product) {
    std::optional<Way> way = wayFrom(graph_.ops[product].results[0], {OpKind::TtnnSilu});
    if (!way || !way->exchanged || graph_.ops[way->end.op].kind != OpKind::TtnnMultiply) return false;
    const std::vector<Use>& readers = uses_[graph_.ops[way->end.op].results[0]];
    if (readers.size() != 1) return false;
    const Op& down = graph_.ops[readers[0].op];
    if (down.kind != OpKind::TtnnMatmul || !isWide(down.results[0]) || !wayToResidual(readers[0].op)) return false;
    store(product, way->ops);
    store(way->end.op);
    return true;
  }

  // Queries, keys and values in one: every branch ends in a rotary embedding or in a cache.
  bool toRotation(OpId product) {
    std::vector<OpId> ops;
    std::vector<Use> ends;
    bool exchanged = false;
    IdVec<OpId, bool> seen(graph_.ops.size(), false);
    std::vector<ValueId> open = {graph_.ops[product].results[0]};
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      for (const Use& use : uses_[value]) {
        const Op& user = graph_.ops[use.op];
        if (!isExchange(user.kind) && !isView(user.kind)) {
          if (user.kind != OpKind::TtnnRotaryEmbedding && !writesCache(user.kind)) return false;
          ends.push_back(use);
          continue;
        }
        if (user.results.size() != 1 || inRows(user.results[0])) return false;
        if (seen[use.op]) continue;
        seen[use.op] = true;
        exchanged = exchanged || isExchange(user.kind);
        ops.push_back(use.op);
        open.push_back(user.results[0]);
      }
    }
    if (!exchanged || ends.empty()) return false;
    store(product, ops);
    for (const Use& end : ends) restored_[{end.op, end.operand}] = Restored::AsTiles;
    return true;
  }

  // The scores of the vocabulary, of which the largest is asked for.
  bool toChoice(OpId product) {
    std::optional<Way> way = wayFrom(graph_.ops[product].results[0], {OpKind::TtnnSum});
    if (!way || !way->exchanged || graph_.ops[way->end.op].kind != OpKind::TtnnArgmax) return false;
    store(product, way->ops);
    restored_[{way->end.op, way->end.operand}] = Restored::AsRows;
    return true;
  }

  PassResult rewritten() const {
    if (products_.empty()) return {graph_};
    GraphRewriter rewriter(graph_);
    std::vector<PassNote> notes;
    for (const Function& func : graph_.funcs) {
      for (OpId id : func.ops) {
        const Op& op = graph_.ops[id];
        std::vector<ValueId> operands;
        for (size_t i = 0; i < op.operands.size(); ++i) operands.push_back(operand(id, i, rewriter));
        const OpId made = rewriter.copy(id, std::move(operands));
        for (ValueId result : op.results) {
          if (stored_[result]) storeResult(rewriter, rewriter.now(result));
        }
        if (std::find(products_.begin(), products_.end(), id) != products_.end())
          notes.push_back({made, "goes to the other chips in block floats"});
      }
    }
    return {rewriter.finish(), std::move(notes)};
  }

  void storeResult(GraphRewriter& rewriter, ValueId value) const {
    ValueType& type = rewriter.graph().values.edit(value).type;
    if (std::optional<ValueType> to = as(type, PageLayout::Tile, DType::BFP8)) type = *to;
  }

  std::optional<ValueType> as(const ValueType& type, PageLayout page, DType dtype) const {
    std::optional<TensorLayout> layout = withDType(type.tensor->shape, *type.tensor->layout, dtype, context_.device);
    if (layout && layout->page != page) layout = withPage(type.tensor->shape, *layout, page, context_.device);
    if (!layout) return {};
    ValueType out = typeWithLayout(type, *layout);
    out.tensor->dtype = dtype;
    out.tensor->element.clear();
    return out;
  }

  // Tiles are unpacked by a typecast; rows are made and unpacked in one.
  ValueId operand(OpId id, size_t index, GraphRewriter& rewriter) const {
    const ValueId value = rewriter.now(graph_.ops[id].operands[index]);
    auto wanted = restored_.find({id, static_cast<int>(index)});
    if (wanted == restored_.end() || !stored_[graph_.ops[id].operands[index]]) return value;
    const bool rows = wanted->second == Restored::AsRows;
    const ValueType& from = rewriter.graph().values[value].type;
    std::optional<ValueType> to = as(from, rows ? PageLayout::RowMajor : PageLayout::Tile, DType::BF16);
    if (!to) return value;
    OpSpec spec = makeOp(rows ? OpKind::TtnnToTensorSpec : OpKind::TtnnTypecast, {value}, {*to});
    if (!rows) spec.attrs = {{"dtype", dtypeAttr(DType::BF16)}};
    return rewriter.result(rewriter.emitFor(id, std::move(spec)));
  }

  const Graph& graph_;
  const PassContext& context_;
  IdVec<ValueId, std::vector<Use>> uses_;
  IdVec<ValueId, bool> stored_;  // in block floats from now on
  std::vector<OpId> products_;
  std::map<std::pair<OpId, int>, Restored> restored_;  // operands that are unpacked before they are read
};

}  // namespace

PassResult lowerCclActivations(const Graph& graph, const PassContext& context) {
  return CclActivations(graph, context).run();
}

}  // namespace tessera

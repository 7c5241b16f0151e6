#include "core/transform/apply_plan.h"

#include <algorithm>
#include <map>

#include "core/ir/builder.h"
#include "core/ir/functions.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

// `#ttnn.conv2d_config<deallocate_activation = true, act_block_h_override = 64>`, in the order of tt-mlir
// TTNNOpsAttrs.td.
// What `had` says besides stays.
std::string conv2dConfigText(const Conv2dAttrs& attrs, std::string_view had) {
  std::string text = had.empty() ? "#ttnn.conv2d_config<>" : std::string(had);
  auto add = [&](const char* name, const std::string& value) { text = withConv2dConfigField(text, name, value); };
  auto word = [](bool value) { return std::string(value ? "true" : "false"); };
  if (attrs.deallocateActivation) add("deallocate_activation", word(*attrs.deallocateActivation));
  if (attrs.actBlockHOverride) add("act_block_h_override", std::to_string(*attrs.actBlockHOverride));
  if (attrs.reshardIfNotOptimal) add("reshard_if_not_optimal", word(*attrs.reshardIfNotOptimal));
  return text;
}

// The cores of a program: those of a sharded result, else the device's. A program of one dim fills rows of eight.
GridShape programGrid(const MatmulAttrs& attrs, const TensorLayout& output, GridShape device) {
  if (!output.sharded()) return device;
  if (attrs.program == MatmulProgram::MultiCast2d || attrs.program == MatmulProgram::Reuse) return output.grid;
  const int64_t cols = std::min<int64_t>(output.grid.volume(), 8);
  return {static_cast<int32_t>(ceilDiv(output.grid.volume(), cols)), static_cast<int32_t>(cols)};
}

// In the spelling and order of tt-mlir TTNNOpsAttrs.td.
std::string matmulConfigText(const MatmulAttrs& attrs, const TensorLayout& output, GridShape device) {
  constexpr const char* kNames[] = {"multi_cast_program_config", "multi_cast_1d_program_config",
                                    "multi_cast_1d_program_config", "program_config",
                                    "multi_cast_dram_sharded_program_config"};
  const bool reuse = attrs.program == MatmulProgram::Reuse, banks = attrs.program == MatmulProgram::DramSharded;
  std::string text = std::string("#ttnn.matmul_multi_core_reuse_") + kNames[static_cast<size_t>(attrs.program)] + "<";
  const GridShape grid = programGrid(attrs, output, device);
  if (!banks) {
    text += "compute_with_storage_grid_size = #ttnn.core_coord<" + std::to_string(grid.cols) + ", " +
            std::to_string(grid.rows) + ">, ";
  }
  auto add = [&](const char* name, int64_t value) { text += std::string(", ") + name + " = " + std::to_string(value); };
  text += "in0_block_w = " + std::to_string(attrs.in0BlockW);
  if (!banks) {
    add("out_subblock_h", attrs.outSubblockH);
    add("out_subblock_w", attrs.outSubblockW);
  }
  if (!banks && !reuse) {
    add("out_block_h", attrs.outBlockH > 0 ? attrs.outBlockH : attrs.perCoreM);
    add("out_block_w", attrs.outBlockW > 0 ? attrs.outBlockW : attrs.perCoreN);
  }
  add("per_core_m", attrs.perCoreM);
  add("per_core_n", attrs.perCoreN);
  if (reuse || banks) return text + ">";
  if (attrs.program == MatmulProgram::MultiCast2d) return text + ", transpose_mcast = false, fuse_batch = true>";
  bool in0 = attrs.program == MatmulProgram::MultiCast1dIn0;
  return text + ", fuse_batch = true, mcast_in0 = " + (in0 ? "true" : "false") + ", gather_in0 = false>";
}

class Applier {
 public:
  Applier(const Graph& graph, const Plan& plan, GridShape grid)
      : plan_(plan),
        grid_(grid),
        moves_(planMoves(graph, plan)),
        out_{graph, {}},
        builder_(out_.graph),
        uses_(collectUses(graph)),
        before_(graph.ops.size()) {
    for (size_t i = 1; i < plan.order.size(); ++i) before_[plan.order[i]] = plan.order[i - 1];
  }

  AppliedPlan run() {
    builder_.reorder(out_.graph.forward, plan_.order);
    setLayouts();
    setConfigs();
    setWords();
    size_t nextSpill = 0, nextReshard = 0;
    for (OpId op : plan_.order) {
      for (; nextSpill < plan_.spills.size() && plan_.spills[nextSpill].before == op; ++nextSpill)
        insertSpill(plan_.spills[nextSpill], moves_.spills[nextSpill]);
      rewireOperands(op);
      for (; nextReshard < plan_.reshards.size() && plan_.reshards[nextReshard].consumer == op; ++nextReshard) {
        insertReshard(plan_.reshards[nextReshard], moves_.reshards[nextReshard]);
      }
    }
    TESSERA_CHECK(nextSpill == plan_.spills.size() && nextReshard == plan_.reshards.size(),
                  "plan entries out of schedule order");
    setResultTypes(out_.graph, out_.graph.funcs[out_.graph.forward]);
    out_.inserted.resize(out_.graph.ops.size());
    for (const auto& [op, move] : insertedOps_) out_.inserted[op] = move;
    return std::move(out_);
  }

 private:
  void setLayouts() {
    for (ValueId value : plan_.layout.ids()) {
      if (!plan_.layout[value]) continue;
      TensorType& type = *out_.graph.values.edit(value).type.tensor;
      type.layout = *plan_.layout[value];
      type.encoding.clear();
    }
  }

  // Settings that the policy chose become the op's attribute (ttnn-optimizer.md 3.5.1).
  void setConfigs() {
    for (OpId op : plan_.order) {
      const auto* conv = std::get_if<Conv2dAttrs>(&plan_.config[op].attrs);
      const AttrValue* had = findAttr(out_.graph.ops[op], "conv2d_config");
      if (conv)
        builder_.setAttr(op, "conv2d_config",
                         rawAttr(conv2dConfigText(*conv, had ? std::string_view(had->text) : std::string_view())));
      const auto* matmul = std::get_if<MatmulAttrs>(&plan_.config[op].attrs);
      if (matmul)
        builder_.setAttr(op, "matmul_program_config",
                         rawAttr(matmulConfigText(*matmul, plan_.config[op].output, grid_)));
    }
  }

  // What an op says about its result in words follows the layout that was chosen (TTNNDtypeOpInterface,
  // TTNNLayoutOpInterface).
  void setWords() {
    for (OpId op : plan_.order) {
      const Op& o = out_.graph.ops[op];
      if (o.results.empty() || !plan_.layout.contains(o.results[0]) || !plan_.layout[o.results[0]]) continue;
      const TensorLayout layout = *plan_.layout[o.results[0]];
      if (opInfo(o.kind).has(kToLayout)) continue;
      auto replace = [&](std::string_view name, const std::string& text) {
        const AttrValue* attr = findAttr(out_.graph.ops[op], name);
        // Only spellings we know: another one says something else.
        bool known = attr && attr->text.substr(0, text.find('<')) == text.substr(0, text.find('<'));
        if (known && attr->text != text) builder_.setAttr(op, name, rawAttr(text));
      };
      const AttrValue* dtype = findAttr(o, "dtype");
      bool same = dtype && dtype->text == "#ttcore.supportedDataTypes<" + std::string(dtypeName(layout.dtype)) +
                                              ">";  // both spellings are in use
      if (!same) replace("dtype", "#ttcore.supportedDataTypes<" + std::string(tileDTypeName(layout.dtype)) + ">");
      replace("layout", "#ttnn.layout<" + std::string(pageLayoutName(layout.page)) + ">");
      if (!layout.sharded() && layout.buffer != BufferType::SystemMemory) {
        const AttrValue* config = findAttr(out_.graph.ops[op], "memory_config");
        if (config && config->text.substr(0, 19) == "#ttnn.memory_config")
          builder_.setAttr(op, "memory_config", memoryConfigAttr(layout));
      }
    }
  }

  OpId insertToLayout(OpId before, ValueId value, const TensorLayout& to, const InsertedMove& move) {
    const Value& source = out_.graph.values[value];
    OpSpec spec;
    spec.kind = opKindFromName("ttnn.to_layout");
    spec.name = "ttnn.to_layout";
    spec.operands = {value};
    ValueType type = source.type;
    type.tensor->layout = to;
    spec.resultTypes = {type};
    spec.resultName = nameMadeOf(source.name, moveName(move.kind));
    spec.attrs = {{"memory_config", memoryConfigAttr(to)}};
    OpId op = builder_.insertBefore(before, std::move(spec));
    insertedOps_.emplace_back(op, move);
    return op;
  }

  void insertSpill(const Spill& spill, MoveKind kind) {
    OpId op = insertToLayout(spill.before, currentOf(spill.value), spill.to, {kind, spill.cause, roomOf(spill)});
    current_[spill.value] = builder_.result(op);
  }

  // Index in Plan::room, which mostly stands in the order of the moves; -1: none.
  int32_t roomOf(const Spill& spill) {
    const size_t count = spill.cause == SpillCause::Memory || spill.cause == SpillCause::Shared ? plan_.room.size() : 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = (nextRoom_ + i) % count;
      if (plan_.room[at].value != spill.value || plan_.room[at].at != spill.before) continue;
      nextRoom_ = at + 1;
      return static_cast<int32_t>(at);
    }
    return -1;
  }

  void insertReshard(const Reshard& reshard, MoveKind kind) {
    ValueId operand = out_.graph.ops[reshard.consumer].operands[static_cast<size_t>(reshard.operand)];
    if (changeToLayout(operand, reshard)) return;
    OpId op = insertToLayout(reshard.consumer, operand, reshard.to, {kind, std::nullopt, -1});
    builder_.replaceOperand(reshard.consumer, reshard.operand, builder_.result(op));
  }

  // A layout op of the program right before its only reader makes the wanted layout itself (ttnn-optimizer.md 3.5.1).
  // Further away its result would take L1 that the plan has not counted.
  bool changeToLayout(ValueId operand, const Reshard& reshard) {
    Value& value = out_.graph.values.edit(operand);
    if (!value.producer.valid() || !opInfo(out_.graph.ops[value.producer].kind).has(kToLayout)) return false;
    if (uses_.size() <= static_cast<size_t>(operand.index) || uses_[operand].size() != 1 ||
        before_[reshard.consumer] != value.producer)
      return false;
    const std::optional<TensorLayout>& from =
        out_.graph.values[out_.graph.ops[value.producer].operands[0]].type.tensor->layout;
    const std::optional<TensorLayout>& now = value.type.tensor->layout;
    bool device = from && from->buffer != BufferType::SystemMemory;
    if (!device || !now || from->page != reshard.to.page || now->page != reshard.to.page ||
        now->dtype != reshard.to.dtype || from->dtype != reshard.to.dtype)
      return false;
    value.type.tensor->layout = reshard.to;
    builder_.setAttr(value.producer, "memory_config", memoryConfigAttr(reshard.to));
    return true;
  }

  // Uses of a spilled value read its moved copy.
  void rewireOperands(OpId op) {
    const auto operands = out_.graph.ops[op].operands;
    for (size_t i = 0; i < operands.size(); ++i) {
      ValueId now = currentOf(operands[i]);
      if (now != operands[i]) builder_.replaceOperand(op, static_cast<int>(i), now);
    }
  }

  ValueId currentOf(ValueId value) const {
    auto it = current_.find(value);
    return it == current_.end() ? value : it->second;
  }

  const Plan& plan_;
  const GridShape grid_;
  const PlanMoves moves_;
  AppliedPlan out_;
  GraphBuilder builder_;
  IdVec<ValueId, std::vector<Use>> uses_;  // before anything is inserted
  IdVec<OpId, OpId> before_;               // the op that runs right before
  std::map<ValueId, ValueId> current_;     // where a spilled value is now
  std::vector<std::pair<OpId, InsertedMove>> insertedOps_;
  size_t nextRoom_ = 0;
};

}  // namespace

void replaceGraph(AppliedPlan& applied, Graph graph) {
  size_t old = applied.inserted.size();
  applied.graph = std::move(graph);
  applied.inserted.resize(applied.graph.ops.size());
  // Steps lead to the op they were split from: from the last to the first, each is what its reader is.
  IdVec<ValueId, OpId> reader(applied.graph.values.size());
  const std::vector<OpId>& ops = applied.graph.funcs[applied.graph.forward].ops;
  for (size_t i = ops.size(); i > 0; --i) {
    const Op& op = applied.graph.ops[ops[i - 1]];
    for (ValueId operand : op.operands) reader[operand] = ops[i - 1];
    bool isNew =
        static_cast<size_t>(ops[i - 1].index) >= old && op.results.size() == 1 && opInfo(op.kind).has(kToLayout);
    OpId next = isNew ? reader[op.results[0]] : OpId();
    if (!next.valid() || !opInfo(applied.graph.ops[next].kind).has(kToLayout)) continue;
    applied.inserted[ops[i - 1]] = applied.inserted[next];
  }
}

AppliedPlan applyPlan(const Graph& graph, const Plan& plan, GridShape grid) { return Applier(graph, plan, grid).run(); }

}  // namespace tessera

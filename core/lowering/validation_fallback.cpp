#include "core/lowering/validation_fallback.h"

#include <algorithm>
#include <set>

#include "core/lowering/fallback_outputs.h"
#include "core/lowering/graph_editor.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/conv2d_config.h"
#include "core/ops/table/op_table.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

int64_t bitsOf(DType dtype) {
  switch (dtype) {
    case DType::F32:
    case DType::U32:
    case DType::I32: return 32;
    case DType::BF16:
    case DType::F16:
    case DType::U16: return 16;
    case DType::BFP8:
    case DType::U8: return 8;
    default: return 4;
  }
}

int64_t dtypeDistance(DType from, DType to) {
  if (from == to) return 0;
  if (isInteger(from) != isInteger(to)) return 2;
  return bitsOf(to) > bitsOf(from) ? 2 : 1;
}

// One layout an operand may be given, and what it costs.
struct Choice {
  TensorLayout layout;
  int64_t distance = 0;
};

// A combination: the index of each operand's choice. Those with a smaller sum come first, then in the order of the
// indices.
struct Combination {
  int64_t distance = 0;
  std::vector<size_t> picks;
  size_t lastRaised = 0;  // only this operand and those after it are raised further, so that no combination comes twice
  bool operator<(const Combination& other) const {
    return distance != other.distance ? distance < other.distance : picks < other.picks;
  }
};

class Fallback {
 public:
  Fallback(const Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), model_(context.model.about(graph)), taken_(graph) {}

  PassResult run() {
    for (OpId op : graph_.funcs[graph_.forward].ops) {
      if (isValidated(graph_.ops[op])) validate(op);
    }
    PassResult result{editor_ ? editor_->finish() : Graph(), std::move(notes_), std::move(problems_)};
    result.configs = std::move(configs_);
    result.unchanged = !editor_;
    return result;
  }

 private:
  using Layouts = std::vector<std::optional<TensorLayout>>;
  static constexpr const char* kSlices = "conv2d_slice_config";

  static bool isValidated(const Op& op) {
    switch (opInfo(op.kind).family) {
      case Family::ToLayout:
      case Family::Device:
      case Family::Return:
      case Family::Call:
      case Family::PrepareWeights:
      case Family::Opaque: return false;
      default: return !op.results.empty();
    }
  }

  const Graph& now() { return editor_ ? editor_->graph() : graph_; }
  GraphEditor& edit() {
    if (!editor_) editor_.emplace(graph_);
    return *editor_;
  }
  const ValueType& typeNow(ValueId value) { return now().values[value].type; }

  // Nothing when a tensor has no layout yet.
  std::optional<Layouts> operandLayouts(OpId id) {
    Layouts layouts;
    for (ValueId operand : now().ops[id].operands) {
      const ValueType& type = typeNow(operand);
      if (type.isTensor() && !type.tensor->layout) return {};
      layouts.push_back(type.isTensor() ? type.tensor->layout : std::nullopt);
    }
    return layouts;
  }

  OpConfig configOf(OpId id, const TensorLayout& output) const {
    OpConfig config{output, {}};
    bool known = context_.configs && context_.configs->contains(id);
    if (!known) return config;
    // A program of a matmul is made for one layout of the result.
    const OpConfig& decided = (*context_.configs)[id];
    if (decided.output == output || !std::holds_alternative<MatmulAttrs>(decided.attrs)) config.attrs = decided.attrs;
    return config;
  }

  OpVerdict ask(OpId id, const Layouts& inputs, const OpConfig& config, Bytes taken = Bytes(0)) {
    return model_.validateOperation({now(), id, inputs, config, taken}, context_.budget);
  }

  // Where it names the budget, all that is said holds for this budget alone.
  std::string textOf(const OpVerdict& verdict) {
    if (verdict.status == OpStatus::OutOfMemory) context_.budget.pinned();
    return verdictText(verdict);
  }

  void validate(OpId id) {
    const ValueType& result = typeNow(graph_.ops[id].results[0]);
    std::optional<Layouts> inputs = operandLayouts(id);
    if (!inputs || !result.isTensor() || !result.tensor->layout) return;
    const TensorLayout wanted = *result.tensor->layout;
    OpVerdict verdict = ask(id, *inputs, configOf(id, wanted));
    if (verdict.ok()) {
      if (!(verdict.output == wanted))
        revert(id, wanted, verdict.output, "the library writes its result to " + layoutText(verdict.output));
      return;
    }
    if (verdict.status == OpStatus::NotImplemented) return;
    bool outOfMemory = verdict.status == OpStatus::OutOfMemory;
    if (outOfMemory && otherSettings(id, *inputs, wanted, verdict)) return;
    if (context_.options.specificationRules && otherOutputs(id, *inputs, wanted, verdict)) return;
    if (otherLayouts(id, *inputs, wanted, verdict)) return;
    if (!outOfMemory && otherSettings(id, *inputs, wanted, verdict)) return;
    problems_.push_back({id, "failed validation (original error: " + textOf(verdict) +
                                 "); no fallback worked (tested " + std::to_string(attempts_) + " combinations)"});
  }

  // The tensor type with another layout. Its element type follows where the layout's differs.
  static ValueType typeIn(const ValueType& type, const TensorLayout& to) {
    ValueType out = typeWithLayout(type, to);
    if (to.dtype == type.tensor->layout->dtype) return out;
    out.tensor->dtype = to.dtype;
    out.tensor->element.clear();
    return out;
  }

  // Where a result is written when the first one is written to `produced` instead of `wanted`.
  TensorLayout writtenTo(const TensorType& result, const TensorLayout& wanted, const TensorLayout& produced) const {
    if (*result.layout == wanted) return produced;
    const DType dtype = result.layout->dtype == wanted.dtype ? produced.dtype : result.layout->dtype;
    const auto layout = makeLayout(
        result.shape, {dtype, produced.buffer, produced.memory, produced.page, produced.grid}, context_.device);
    return layout.ok() ? *layout : *result.layout;
  }

  // The op writes its first result to `produced`; what reads its results gets the layouts it expects.
  void revert(OpId id, const TensorLayout& wanted, const TensorLayout& produced, std::string note) {
    notes_.push_back({id, std::move(note)});
    for (ValueId result : graph_.ops[id].results) {
      const ValueType expected = typeNow(result);
      if (!expected.isTensor() || !expected.tensor->layout) continue;
      const TensorLayout own = *expected.tensor->layout;
      const TensorLayout to = writtenTo(*expected.tensor, wanted, produced);
      edit().graph().values.edit(result).type = typeIn(expected, to);
      if (to != own) putBack(id, result, expected, to, own);
    }
  }

  // Where L1 has no room for that, readers take the result where it was written, in the element type they expect.
  void putBack(OpId id, ValueId result, const ValueType& expected, const TensorLayout& from, const TensorLayout& own) {
    std::optional<TensorLayout> to = own;
    if (!canPutBack(id, expected, from, own)) {
      if (from.dtype == own.dtype) return;
      const auto near = makeLayout(expected.tensor->shape, {own.dtype, from.buffer, from.memory, from.page, from.grid},
                                   context_.device);
      if (!near.ok()) return;
      to = *near;
    }
    OpSpec spec = makeOp(OpKind::TtnnToLayout, {result}, {typeWithLayout(expected, *to)});
    spec.attrs = toLayoutAttrs(*to);
    spec.resultName = nameMadeOf(graph_.values[result].name, "revert_layout");
    const OpId back = edit().insertAfter(id, std::move(spec));
    replaceUses(result, edit().result(back), back);
  }

  // A result that found no room in L1 is not put there after all: what reads it takes what was written, or gets a
  // fallback of its own.
  bool canPutBack(OpId id, const ValueType& type, const TensorLayout& produced, const TensorLayout& wanted) {
    if (!wanted.isL1() || !context_.options.specificationRules) return true;
    Graph alone;
    GraphBuilder builder(alone);
    const FuncId func = builder.addFunction("convert");
    const ValueId given = builder.addArgument(func, "x", typeIn(type, produced));
    OpSpec spec = makeOp(OpKind::TtnnToLayout, {given}, {type});
    spec.attrs = toLayoutAttrs(wanted);
    const OpId convert = builder.append(func, std::move(spec));
    const Layouts inputs = {produced};
    Bytes taken = taken_.after(id, now());
    if (produced.isL1()) taken += l1BytesPerCore(produced);
    const bool fits = model_.validateOperation({alone, convert, inputs, {wanted, {}}, taken}, context_.budget).ok();
    if (!fits) notes_.push_back({id, "the result stays in " + layoutText(produced) + ": no room in L1"});
    return fits;
  }

  void replaceUses(ValueId from, ValueId to, OpId except) {
    // Uses in the given graph only: what was inserted since knows what it reads.
    if (uses_.empty()) uses_ = collectUses(graph_);
    for (const Use& use : uses_[from]) {
      if (use.op != except) edit().graph().ops.edit(use.op).operands[static_cast<size_t>(use.operand)] = to;
    }
  }

  // --- settings of convolutions

  // The compiler's order: the whole image, then slices from DRAM, as few as fit an empty L1; of each, the largest block
  // of activations first. Where plans may fill less of L1, more slices.
  bool otherSettings(OpId id, const Layouts& inputs, const TensorLayout& wanted, const OpVerdict& original) {
    const OpKind kind = graph_.ops[id].kind;
    if (kind != OpKind::TtnnConv2d && kind != OpKind::TtnnConvTranspose2d) return false;
    if (smallerBlocks(id, inputs, wanted, original, "")) return true;
    const AttrValue* given = findAttr(graph_.ops[id], kSlices);
    for (int64_t count : {0, 2, 4, 8, 16, 32, 64, 128}) {
      for (const char* slices : {"dram_width, ", "dram_height, "}) {
        const std::string text = "conv2d_slice_config<" + (slices + std::to_string(count)) + ">";
        edit().builder().setAttr(id, kSlices, rawAttr("#ttnn." + text));
        if (smallerBlocks(id, inputs, wanted, original, text + ", ")) return true;
      }
    }
    if (given != nullptr) edit().builder().setAttr(id, kSlices, *given);
    else std::erase_if(edit().graph().ops.edit(id).attrs.own(), [](const Attribute& a) { return a.name == kSlices; });
    return false;
  }

  bool smallerBlocks(OpId id, const Layouts& inputs, const TensorLayout& wanted, const OpVerdict& original,
                     const std::string& slices) {
    OpConfig config = configOf(id, wanted);
    Conv2dAttrs attrs;
    if (const auto* given = std::get_if<Conv2dAttrs>(&config.attrs)) attrs = *given;
    const AttrValue* had = findAttr(graph_.ops[id], "conv2d_config");
    for (int64_t rows = 1024; rows >= kTileSide; rows -= kTileSide) {
      attrs.actBlockHOverride = rows;
      config.attrs = attrs;
      OpVerdict verdict = ask(id, inputs, config);
      if (!verdict.ok() || !(verdict.output == wanted)) continue;
      configs_.push_back({id, config});
      edit().builder().setAttr(id, "conv2d_config",
                               rawAttr(withConv2dConfigField(had == nullptr ? "#ttnn.conv2d_config<>" : had->text,
                                                             "act_block_h_override", std::to_string(rows))));
      notes_.push_back({id, "fallback: " + slices + "act_block_h_override = " + std::to_string(rows) + " (" +
                                textOf(original) + ")"});
      return true;
    }
    return false;
  }

  // --- layouts of the result

  bool otherOutputs(OpId id, const Layouts& inputs, const TensorLayout& wanted, const OpVerdict& original) {
    constexpr int kMostTold = 16;
    const Shape shape = typeNow(graph_.ops[id].results[0]).tensor->shape;
    const Bytes taken = taken_.before(id, now());
    int tried = 0;
    for (const FallbackOutput& output : fallbackOutputs(shape, wanted, context_.device)) {
      const OpVerdict verdict = ask(id, inputs, configOf(id, output.layout), taken);
      const std::string what = std::string("attempt ") + std::to_string(++tried) + ", level " +
                               std::to_string(static_cast<int>(output.level)) + " " + fallbackLevelName(output.level) +
                               ": result " + layoutText(output.layout) + ": ";
      if (tried <= kMostTold || verdict.ok()) notes_.push_back({id, what + (verdict.ok() ? "taken" : textOf(verdict))});
      if (!verdict.ok()) continue;
      settle(id, output.level, wanted, verdict.output, "", original);
      return true;
    }
    if (tried > kMostTold) notes_.push_back({id, std::to_string(tried) + " other layouts of the result were refused"});
    return false;
  }

  void settle(OpId id, FallbackLevel level, const TensorLayout& wanted, const TensorLayout& produced,
              const std::string& changes, const OpVerdict& original) {
    std::string note = "fallback level " + std::to_string(static_cast<int>(level)) + " (" + fallbackLevelName(level) +
                       "): result " + layoutText(wanted) + " -> " + layoutText(produced) + changes + " (" +
                       textOf(original) + ")";
    if (!(produced == wanted)) configs_.push_back({id, configOf(id, produced)});
    revert(id, wanted, produced, std::move(note));
  }

  // --- layouts of operands

  std::vector<Choice> choicesFor(ValueId value) {
    static constexpr DType kTypes[] = {DType::BF16, DType::F32, DType::U32, DType::I32};
    const TensorType& type = *typeNow(value).tensor;
    std::vector<Choice> choices = {{*type.layout, 0}};
    for (PageLayout page : {PageLayout::RowMajor, PageLayout::Tile}) {
      for (DType dtype : kTypes) {
        auto layout = makeLayout(type.shape, {.dtype = dtype, .page = page}, context_.device);
        if (layout.ok() && !(*layout == *type.layout))
          choices.push_back({*layout, layoutDistance(*type.layout, *layout)});
      }
    }
    stableSort(choices, [](const Choice& a, const Choice& b) { return a.distance < b.distance; });
    return choices;
  }

  // The result where it was wanted, unless the compiler's rules hold; in DRAM, in the pages it had, else in tiles. Of
  // the type it had, and of those of operands that are converted.
  std::vector<TensorLayout> outputsFor(OpId id, const TensorLayout& wanted, const Layouts& given,
                                       const Layouts& tried) const {
    std::vector<DType> types = {wanted.dtype};
    for (size_t i = 0; i < given.size(); ++i) {
      if (given[i] && given[i]->dtype != tried[i]->dtype) types.push_back(tried[i]->dtype);
    }
    const Shape& shape = graph_.values[graph_.ops[id].results[0]].type.tensor->shape;
    std::vector<TensorLayout> outputs;
    if (context_.options.specificationRules) outputs.push_back(wanted);
    for (DType dtype : types) {
      for (PageLayout page : {wanted.page, PageLayout::Tile, PageLayout::RowMajor}) {
        auto layout = makeLayout(shape, {.dtype = dtype, .page = page}, context_.device);
        if (layout.ok() && std::find(outputs.begin(), outputs.end(), *layout) == outputs.end())
          outputs.push_back(*layout);
      }
    }
    return outputs;
  }

  // Would the compiler's verifier accept the op with these layouts of its operands and results?
  bool verifies(OpId id, const Layouts& operands, const TensorLayout& wanted, const TensorLayout& produced) {
    const Op& op = now().ops[id];
    OpSpec spec = makeOp(op.kind, {}, {});
    spec.attrs = op.attrs;
    std::vector<ValueType> types;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const ValueType& type = typeNow(op.operands[i]);
      types.push_back(operands[i] ? typeIn(type, *operands[i]) : type);
    }
    for (ValueId result : op.results) {
      const ValueType& type = typeNow(result);
      const bool laidOut = type.isTensor() && type.tensor->layout;
      spec.resultTypes.push_back(laidOut ? typeIn(type, writtenTo(*type.tensor, wanted, produced)) : type);
    }
    return shapeMistake(std::move(spec), types).empty();
  }

  bool otherLayouts(OpId id, const Layouts& inputs, const TensorLayout& wanted, const OpVerdict& original) {
    const Op op = now().ops[id];
    std::vector<std::vector<Choice>> choices(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i]) choices[i] = choicesFor(op.operands[i]);
    }
    const bool sound = verifies(id, inputs, wanted, wanted);
    const Bytes taken = taken_.before(id, now());
    std::set<Combination> open = {{0, std::vector<size_t>(inputs.size(), 0), 0}};
    const int64_t most = context_.settings.integer("max-fallback-attempts", context_.options.maxFallbackAttempts);
    for (attempts_ = 0; !open.empty() && attempts_ < most; ++attempts_) {
      Combination at = *open.begin();
      open.erase(open.begin());
      Layouts tried = inputs;
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i]) tried[i] = choices[i][at.picks[i]].layout;
      }
      for (const TensorLayout& output : outputsFor(id, wanted, inputs, tried)) {
        OpVerdict verdict = ask(id, tried, configOf(id, output), output.isL1() ? taken : Bytes(0));
        if (!verdict.ok() || (sound && !verifies(id, tried, wanted, verdict.output))) continue;
        take(id, inputs, tried, wanted, verdict.output, original);
        return true;
      }
      for (size_t i = at.lastRaised; i < inputs.size(); ++i) {
        if (at.picks[i] + 1 >= choices[i].size()) continue;
        Combination next = at;
        next.lastRaised = i;
        next.distance += choices[i][at.picks[i] + 1].distance - choices[i][at.picks[i]].distance;
        ++next.picks[i];
        open.insert(std::move(next));
      }
    }
    return false;
  }

  void take(OpId id, const Layouts& before, const Layouts& after, const TensorLayout& wanted,
            const TensorLayout& produced, const OpVerdict& original) {
    std::string changes;
    FallbackLevel level = produced.buffer == wanted.buffer ? FallbackLevel::Layout : FallbackLevel::Memory;
    if (wanted.sharded()) level = FallbackLevel::Sharding;
    for (size_t i = 0; i < before.size(); ++i) {
      if (!before[i] || *before[i] == *after[i]) continue;
      level = FallbackLevel::Conversions;
      changes += ", operand " + std::to_string(i) + " -> " + layoutText(*after[i]) + " " +
                 std::string(dtypeName(after[i]->dtype));
      convertOperand(id, i, *after[i]);
    }
    settle(id, level, wanted, produced, changes, original);
  }

  void convertOperand(OpId id, size_t index, const TensorLayout& to) {
    ValueId value = now().ops[id].operands[index];
    OpSpec spec = makeOp(OpKind::TtnnToLayout, {value}, {typeIn(typeNow(value), to)});
    spec.attrs = toLayoutAttrs(to);
    ValueId converted = edit().result(edit().insertBefore(id, std::move(spec)));
    edit().graph().ops.edit(id).operands[index] = converted;
  }

  const Graph& graph_;
  const PassContext& context_;
  OpModel model_;                      // about the given graph; what has changed is worked out
  std::optional<GraphEditor> editor_;  // none: nothing has changed
  TakenL1 taken_;
  IdVec<ValueId, std::vector<Use>> uses_;
  int64_t attempts_ = 0;
  std::vector<PassNote> notes_, problems_;
  std::vector<std::pair<OpId, OpConfig>> configs_;
};

}  // namespace

int64_t layoutDistance(const TensorLayout& from, const TensorLayout& to) {
  int64_t distance = dtypeDistance(from.dtype, to.dtype);
  if (from.page != to.page) distance += 2;
  if (from.buffer != to.buffer) distance += 3;
  if (from.buffer != BufferType::SystemMemory && to.buffer == BufferType::SystemMemory) distance += 3;
  return distance;
}

PassResult validateAndFallBack(const Graph& graph, const PassContext& context) {
  return Fallback(graph, context).run();
}

}  // namespace tessera

#include "core/lowering/prepare/pattern.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/ir/constant_value.h"
#include "core/lowering/remove_dead_values.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

PatternRewriter::PatternRewriter(const Graph& graph)
    : from_(graph),
      rewriter_(graph, GraphRewriter::Ids::Kept),
      nextSame_(graph.values.size()),
      settled_(graph.ops.size(), false) {
  collectReaders();
  const Graph& out = rewriter_.graph();
  latestSame_.resize(out.values.size());
  constant_.resize(out.values.size(), false);
  written_.resize(out.values.size());
  for (const Function& func : graph.funcs) {
    for (ValueId arg : func.args) {
      ValueId now = rewriter_.now(arg);
      standsFor(now, arg);
      ArgRole role = graph.values[arg].role;
      constant_[now] = role == ArgRole::Parameter || role == ArgRole::Constant;
    }
  }
}

void PatternRewriter::collectReaders() {
  firstReader_.assign(from_.values.size() + 1, 0);
  auto each = [&](auto visit) {
    for (const Function& func : from_.funcs) {
      for (OpId op : func.ops) {
        for (ValueId operand : from_.ops[op].operands) visit(op, static_cast<size_t>(operand.index));
      }
    }
  };
  each([&](OpId, size_t value) { ++firstReader_[value]; });
  size_t sum = 0;
  for (size_t& count : firstReader_) count = sum += count;  // now the end of each value's readers
  readers_.resize(sum);
  each([&](OpId op, size_t value) { readers_[--firstReader_[value]] = op; });
}

std::span<const OpId> PatternRewriter::readersOf(ValueId old) const {
  auto value = static_cast<size_t>(old.index);
  return std::span(readers_).subspan(firstReader_[value], firstReader_[value + 1] - firstReader_[value]);
}

void PatternRewriter::standsFor(ValueId now, ValueId old) {
  nextSame_[old] = latestSame_[now];
  latestSame_[now] = old;
}

size_t PatternRewriter::inputs(OpId root) const { return static_cast<size_t>(inputCount(from_, root)); }

OpId PatternRewriter::def(ValueId value, OpKind kind) const {
  OpId made = def(value);
  return made.valid() && graph().ops[made].kind == kind ? made : OpId{};
}

ValueId PatternRewriter::read(OpId made, size_t index) const {
  if (!made.valid() || index >= op(made).operands.size()) return {};
  ValueId value = op(made).operands[index];
  const OpId written = written_[value];
  const bool before = written.valid() && place_.contains(made) && place_[made] >= 0 && place_[made] < place_[written];
  return before ? ValueId{} : value;
}

std::optional<double> PatternRewriter::splat(ValueId value) const {
  std::vector<DType> into;  // conversions on the way
  const auto converted = [&](double number) {
    for (DType type : into) {
      const std::optional<IntegerRange> range = integerRange(type);
      if (range && !range->holds(number)) return std::optional<double>();
    }
    return std::optional(number);
  };
  for (int depth = 0; depth < 8 && isTensor(value); ++depth) {
    OpId made = def(value);
    if (!made.valid()) return {};
    switch (op(made).kind) {
      case OpKind::TtirTypecast: into.push_back(dtype(value)); [[fallthrough]];
      case OpKind::TtirReshape:
      case OpKind::TtirBroadcast:
      case OpKind::TtirPermute: value = op(made).operands[0]; continue;
      case OpKind::TtirZeros: return 0.0;
      case OpKind::TtirOnes: return 1.0;
      case OpKind::TtirFull: {
        const AttrValue* fill = findAttr(op(made), "fill_value");
        if (fill == nullptr) return {};
        if (fill->kind == AttrValueKind::Float) return converted(fill->number);
        return fill->kind == AttrValueKind::Integer ? converted(static_cast<double>(fill->integer)) : std::nullopt;
      }
      case OpKind::ShloConstant:  // composites are read before the ops around them are converted
      case OpKind::TtirConstant: {
        const AttrValue* text = findAttr(op(made), "value");
        // A list is only read when it may be one number: an op's constant, not a table.
        if (text == nullptr) return {};
        std::optional<ConstantValue> read =
            readConstant(text->text, dtype(value), elementCount(shape(value)).value_or(0));
        if (!read || read->elided || read->numbers.size() + read->integers.size() != 1) return {};
        return converted(read->numbers.empty() ? static_cast<double>(read->integers[0]) : read->numbers[0]);
      }
      default: return {};
    }
  }
  return {};
}

bool PatternRewriter::splatIs(ValueId value, double wanted, double relative) const {
  std::optional<double> number = splat(value);
  if (!number) return false;
  return *number == wanted || std::fabs(*number - wanted) <= relative * std::fabs(wanted);
}

size_t PatternRewriter::useCount(ValueId value) const {
  size_t count = 0;
  for (ValueId old = latestSame_[value]; old.valid(); old = nextSame_[old]) count += readersOf(old).size();
  return count;
}

bool PatternRewriter::readAfter(OpId root, ValueId value) const {
  for (ValueId old = latestSame_[value]; old.valid(); old = nextSame_[old]) {
    for (OpId reader : readersOf(old)) {
      const std::vector<ValueId>& results = from_.ops[reader].results;
      if (reader != root && (results.empty() || !reached(results[0]))) return true;
    }
  }
  return false;
}

int64_t PatternRewriter::integer(const Op& op, std::string_view name, int64_t fallback) {
  const AttrValue* a = findAttr(op, name);
  return a != nullptr && (a->kind == AttrValueKind::Integer || a->kind == AttrValueKind::Bool) ? a->integer : fallback;
}

std::vector<int64_t> PatternRewriter::ints(const Op& op, std::string_view name) {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return {};
  return a->kind == AttrValueKind::Integer ? std::vector<int64_t>{a->integer} : a->ints;
}

ValueType PatternRewriter::typeWith(const ValueType& type, Shape shape) const {
  ValueType out = type;
  out.tensor->shape = std::move(shape);
  return out;
}

ValueType PatternRewriter::typeWith(const ValueType& type, DType dtype) const {
  ValueType out = type;
  out.tensor->dtype = dtype;
  out.tensor->element.clear();
  return out;
}

ValueId PatternRewriter::replace(OpId root, OpSpec spec, std::string fused) {
  spec.origins = old(root).origins;
  for (OpId made : taken_) spec.origins = joinOrigins(spec.origins, op(made).origins);
  size_t count = taken_.size();
  taken_.clear();
  OpId made = rewriter_.replace(root, std::move(spec));
  latestSame_.resize(graph().values.size());
  written_.resize(graph().values.size());
  constant_.resize(graph().values.size(), false);
  if (!fused.empty())
    notes_.push_back({made, std::move(fused) + (count > 0 ? " (" + std::to_string(count + 1) + " ops)" : ""), false});
  return rewriter_.result(made);
}

ValueId PatternRewriter::emit(OpId root, OpSpec spec) {
  for (OpId made : taken_) spec.origins = joinOrigins(spec.origins, op(made).origins);
  if (spec.resultName.empty()) spec.resultName = from_.values[old(root).results[0]].name;
  ValueId value = rewriter_.result(rewriter_.emitFor(root, std::move(spec)));
  // Later patterns of the same walk look at it, too.
  latestSame_.resize(graph().values.size());
  written_.resize(graph().values.size());
  size_t known = constant_.size();
  constant_.resize(graph().values.size(), false);
  if (static_cast<size_t>(value.index) >= known) constant_[value] = makesConstants(op(def(value)));
  return value;
}

// Whether the results are known as soon as the operands are.
bool PatternRewriter::makesConstants(const Op& made) const {
  const OpInfo& info = opInfo(made.kind);
  if (info.has(kInPlace) || info.has(kCollective) || made.kind == OpKind::Opaque || info.family == Family::Call)
    return false;
  return std::all_of(made.operands.begin(), made.operands.end(), [&](ValueId operand) { return constant_[operand]; });
}

OpSpec PatternRewriter::reshapeSpec(ValueId value, const Shape& shape) const {
  OpSpec spec = makeOp(OpKind::TtirReshape, {value}, {typeWith(typeOf(value), shape)});
  spec.attrs = {{"shape", intArrayAttr(shape, "i32")}};
  return spec;
}

OpSpec PatternRewriter::permuteSpec(ValueId value, const std::vector<int64_t>& order) const {
  Shape moved;
  for (int64_t from : order) moved.push_back(shape(value)[static_cast<size_t>(from)]);
  OpSpec spec = makeOp(OpKind::TtirPermute, {value}, {typeWith(typeOf(value), moved)});
  spec.attrs = {{"permutation", intArrayAttr(order)}};
  return spec;
}

ValueId PatternRewriter::emitReshape(OpId root, ValueId value, const Shape& to) {
  if (shape(value) == to) return value;
  OpId inner = def(value, OpKind::TtirReshape);
  ValueId source = read(inner, 0);
  if (source.valid())
    return emitReshape(root, source, to);  // the source is no reshape: those were merged when they were made
  return emit(root, reshapeSpec(value, to));
}

ValueId PatternRewriter::emitPermute(OpId root, ValueId value, const std::vector<int64_t>& order) {
  bool identity = true;
  for (size_t i = 0; i < order.size(); ++i) identity = identity && order[i] == static_cast<int64_t>(i);
  return identity ? value : emit(root, permuteSpec(value, order));
}

bool PatternRewriter::becomes(OpId root, ValueId value) {
  OpId made = def(value);
  if (made.valid()) rewriter_.absorb(made, root);
  taken_.clear();
  rewriter_.map(old(root).results[0], value);
  return true;
}

void PatternRewriter::settle(OpId later, ValueId value) {
  settled_[later] = true;
  rewriter_.absorb(def(value), later);
  rewriter_.map(old(later).results[0], value);
}

OpSpec PatternRewriter::specOf(OpId made) const {
  const Op& from = op(made);
  OpSpec spec{from.kind, from.name, from.operands, {}, from.attrs, {}, {}, {}, {}};
  for (ValueId result : from.results) spec.resultTypes.push_back(typeOf(result));
  return spec;
}

void PatternRewriter::finishOp(OpId root, size_t firstNew) {
  const Graph& out = graph();
  latestSame_.resize(out.values.size());
  written_.resize(out.values.size());
  constant_.resize(out.values.size(), false);
  place_.resize(out.ops.size(), -1);
  const std::vector<OpId>& ops = made(old(root).func);
  for (size_t i = firstNew; i < ops.size(); ++i) {
    const Op& made = op(ops[i]);
    place_[ops[i]] = static_cast<int32_t>(i);
    if (opInfo(made.kind).has(kInPlace) && !made.operands.empty()) written_[made.operands[0]] = ops[i];
    for (ValueId result : made.results) constant_[result] = makesConstants(made);
  }
  for (ValueId result : old(root).results) standsFor(rewriter_.now(result), result);
}

void PatternRewriter::walkAll(const std::vector<Pattern>& patterns, Layouts layouts) {
  for (const Function& func : from_.funcs) {
    for (OpId root : func.ops) {
      const size_t firstNew = made(old(root).func).size();
      taken_.clear();
      bool done = settled_[root];
      if (auto later = deferred_.find(root.index); later != deferred_.end()) {
        replace(root, std::move(later->second));
        done = true;
      }
      bool plain = !old(root).results.empty() && givesTensors(from_, old(root)) &&
                   (layouts == Layouts::Kept || !type(root).tensor->layout);
      for (size_t i = 0; plain && !done && i < patterns.size(); ++i) {
        taken_.clear();
        done = patterns[i](*this, root);
      }
      if (!done) rewriter_.copy(root);
      finishOp(root, firstNew);
    }
  }
}

Graph PatternRewriter::walk(const std::vector<Pattern>& patterns) {
  walkAll(patterns, Layouts::None);
  Graph out = rewriter_.finish();
  takeOutDeadOps(out);
  return out;
}

PassResult PatternRewriter::run(const std::vector<Pattern>& patterns, Layouts layouts) {
  walkAll(patterns, layouts);
  PassResult result;
  result.notes = std::move(notes_);
  for (PassNote& miss : misses_) {
    if (!old(miss.op).results.empty()) {
      OpId made = def(rewriter_.now(old(miss.op).results[0]));
      if (made.valid()) result.notes.push_back({made, "left as it is: " + miss.text, false});
    }
  }
  result.graph = rewriter_.finish();
  result = withoutDead(std::move(result));
  result.problems = std::move(others_);  // they name ops of the given graph
  return result;
}

void carryNotes(const PassResult& from, PassResult& to) {
  if (from.notes.empty()) return;
  // Ops are found again by the name of their first result; one that was taken into another of its kind by what it
  // stands for.
  std::vector<std::unordered_map<std::string, OpId>> byName(to.graph.funcs.size());
  std::unordered_map<int32_t, std::vector<OpId>> byOrigin;
  for (OpId id : to.graph.ops.ids()) {
    const Op& op = to.graph.ops[id];
    if (!op.results.empty()) byName[static_cast<size_t>(op.func.index)][to.graph.values[op.results[0]].name] = id;
    for (OpId origin : op.origins) byOrigin[origin.index].push_back(id);
  }
  auto find = [&](OpId noted) -> OpId {
    const Op& op = from.graph.ops[noted];
    if (op.results.empty()) return {};
    const auto& names = byName[static_cast<size_t>(op.func.index)];
    auto at = names.find(from.graph.values[op.results[0]].name);
    if (at != names.end()) return at->second;
    if (op.origins.empty()) return {};
    const std::vector<OpId>& heirs = byOrigin[op.origins.back().index];
    for (OpId heir : heirs) {
      if (to.graph.ops[heir].kind == op.kind) return heir;
    }
    return heirs.empty() ? OpId{} : heirs.back();
  };
  for (const PassNote& note : from.notes) {
    OpId now = find(note.op);
    if (now.valid()) to.notes.push_back({now, note.text, false});
  }
}

PassResult withoutDead(PassResult result) {
  takeOutDeadOps(result.graph);
  if (idsInOrder(result.graph)) return result;
  if (result.notes.empty()) return {compactGraph(std::move(result.graph))};
  PassResult clean{compactGraph(result.graph)};
  carryNotes(result, clean);
  return clean;
}

}  // namespace tessera

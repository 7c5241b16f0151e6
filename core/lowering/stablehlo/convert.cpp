#include "core/lowering/stablehlo/convert.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/ir/bodies.h"
#include "core/ir/functions.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/stablehlo/stablehlo.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

namespace shlo {

namespace {

struct RuleRow {
  OpKind from;
  Rule rule;  // null: refused
  OpKind to;
  std::string_view note;
};

// In the order of stablehlo_kinds.def, from its first op on.
constexpr RuleRow kRules[] = {
#define TESSERA_STABLEHLO(kind, rule, target, note) {OpKind::kind, rule, OpKind::target, note},
#define TESSERA_STABLEHLO_REFUSED(kind, reason) {OpKind::kind, nullptr, OpKind::Opaque, reason},
#define TESSERA_STABLEHLO_UNKNOWN(name, reason)
#include "core/lowering/stablehlo/stablehlo_rules.def"
#undef TESSERA_STABLEHLO
#undef TESSERA_STABLEHLO_REFUSED
#undef TESSERA_STABLEHLO_UNKNOWN
};

// Why an op of this name that has no kind is refused; "" when the tables do not know it.
std::string_view refusalOfName(std::string_view op) {
#define TESSERA_STABLEHLO(kind, rule, target, note)
#define TESSERA_STABLEHLO_REFUSED(kind, reason)
#define TESSERA_STABLEHLO_UNKNOWN(name, reason) \
  if (op == (name)) return reason;
#include "core/lowering/stablehlo/stablehlo_rules.def"
#undef TESSERA_STABLEHLO
#undef TESSERA_STABLEHLO_REFUSED
#undef TESSERA_STABLEHLO_UNKNOWN
  return {};
}

const RuleRow* findRule(OpKind kind) {
  for (const RuleRow& row : kRules) {
    if (row.from == kind) return &row;
  }
  return nullptr;
}

// By kind, so that a graph of many ops looks each up at once.
class RuleIndex {
 public:
  RuleIndex() : rules_(allOps().size(), nullptr) {
    for (const RuleRow& row : kRules) rules_[static_cast<size_t>(row.from)] = &row;
  }
  const RuleRow* of(OpKind kind) const { return rules_[static_cast<size_t>(kind)]; }

 private:
  std::vector<const RuleRow*> rules_;
};

std::string_view bareText(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// 1 where a bracket opens, -1 where one closes; an arrow is none.
int nesting(std::string_view text, size_t at) {
  const char c = text[at];
  if (c == '[' || c == '{' || c == '<') return 1;
  if (c == ']' || c == '}') return -1;
  return c == '>' && (at == 0 || text[at - 1] != '-') ? -1 : 0;
}

// What stands behind `name =` in the text of an attribute, up to the comma or bracket that ends it.
std::string_view valueBehind(std::string_view text, std::string_view name) {
  auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; };
  int level = 0;  // of brackets: an entry stands in the outermost ones
  bool inText = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') inText = !inText;
    if (inText) continue;
    level += nesting(text, at);
    if (level > 1 || text.compare(at, name.size(), name) != 0) continue;
    size_t end = at + name.size();
    bool whole = (at == 0 || !isName(text[at - 1])) && (end == text.size() || !isName(text[end]));
    while (end < text.size() && text[end] == ' ') ++end;
    if (!whole || end >= text.size() || text[end] != '=') continue;
    size_t stop = ++end;
    int depth = 0;
    bool quoted = false;
    for (; stop < text.size(); ++stop) {
      char c = text[stop];
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (depth == 0 && (c == ',' || nesting(text, stop) < 0)) break;
      depth += nesting(text, stop);
    }
    return bareText(text.substr(end, stop - end));
  }
  return {};
}

std::vector<int64_t> numbersIn(std::string_view text) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < text.size();) {
    bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0 ||
                 (text[i] == '-' && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0);
    if (!digit) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    out.push_back(std::strtoll(std::string(text.substr(i, end - i)).c_str(), nullptr, 10));
    i = end;
  }
  return out;
}

}  // namespace

bool refuse(PatternRewriter& p, OpId root, std::string_view why) {
  p.nearMiss(root, std::string(why));
  return false;
}

std::string word(const Op& op, std::string_view name) {
  const AttrValue* a = findAttr(op, name);
  return a != nullptr && a->kind == AttrValueKind::String ? a->string : std::string();
}

std::vector<int64_t> ints(const Op& op, std::string_view name) { return PatternRewriter::ints(op, name); }

int64_t integer(const Op& op, std::string_view name, int64_t fallback) {
  return PatternRewriter::integer(op, name, fallback);
}

double number(const Op& op, std::string_view name, double fallback) {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return fallback;
  if (a->kind == AttrValueKind::Float) return a->number;
  return a->kind == AttrValueKind::Integer ? static_cast<double>(a->integer) : fallback;
}

std::vector<int64_t> listIn(const Op& op, std::string_view attr, std::string_view name) {
  const AttrValue* a = findAttr(op, attr);
  return a == nullptr ? std::vector<int64_t>() : numbersIn(valueBehind(a->text, name));
}

std::optional<int64_t> numberIn(const Op& op, std::string_view attr, std::string_view name) {
  std::vector<int64_t> all = listIn(op, attr, name);
  return all.empty() ? std::nullopt : std::optional(all[0]);
}

std::string entryOf(const Op& op, std::string_view attr, std::string_view name) {
  const AttrValue* a = findAttr(op, attr);
  if (a == nullptr) return "";
  std::string_view text = valueBehind(a->text, name);
  if (!text.empty() && text[0] == '"') return std::string(text.substr(1, text.find('"', 1) - 1));
  if (!text.empty() && text[0] != '[' && text[0] != '<') text = bareText(text.substr(0, text.find(" : ")));
  return std::string(text);
}

bool dimsFit(const std::vector<int64_t>& dims, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (int64_t d : dims) {
    if (d < 0 || d >= static_cast<int64_t>(rank) || seen[static_cast<size_t>(d)]) return false;
    seen[static_cast<size_t>(d)] = true;
  }
  return true;
}

bool tensors(PatternRewriter& p, OpId root, size_t least) {
  const Op& op = p.old(root);
  if (op.operands.size() < least) return refuse(p, root, "an operand is missing");
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (!p.isTensor(p.in(root, i))) return refuse(p, root, "an operand is no tensor");
  }
  for (ValueId result : op.results) {
    if (!p.oldGraph().values[result].type.isTensor()) return refuse(p, root, "a result is no tensor");
  }
  return true;
}

bool countFits(PatternRewriter& p, OpId root, OpKind kind, size_t most) {
  const OperandBounds bounds = inputBounds(opInfo(kind));
  const auto have = static_cast<int>(std::min(p.old(root).operands.size(), most));
  return (have >= bounds.least && (bounds.most < 0 || have <= bounds.most)) ||
         refuse(p, root, "it has another number of operands than " + std::string(opInfo(kind).name));
}

ValueId emit(PatternRewriter& p, OpId root, OpKind kind, std::vector<ValueId> operands, const ValueType& type,
             AttrList attrs) {
  OpSpec spec = makeOp(kind, std::move(operands), {type});
  spec.attrs = std::move(attrs);
  return p.emit(root, std::move(spec));
}

bool finish(PatternRewriter& p, OpId root, OpKind kind, std::vector<ValueId> operands, AttrList attrs,
            std::string note) {
  if (p.old(root).results.size() != 1) return refuse(p, root, "it has another number of results");
  OpSpec spec = makeOp(kind, std::move(operands), {p.type(root)});
  spec.attrs = std::move(attrs);
  p.replace(root, std::move(spec), std::move(note));
  return true;
}

bool finishAs(PatternRewriter& p, OpId root, ValueId value) {
  if (p.old(root).results.size() != 1) return refuse(p, root, "it has another number of results");
  const Shape& wanted = p.resultShape(root);
  if (p.shape(value) == wanted) return p.becomes(root, value);
  p.replace(root, p.reshapeSpec(value, wanted));
  return true;
}

ValueId slice(PatternRewriter& p, OpId root, ValueId value, const std::vector<int64_t>& begins,
              const std::vector<int64_t>& ends) {
  Shape shape;
  for (size_t d = 0; d < begins.size(); ++d) shape.push_back(ends[d] - begins[d]);
  if (shape == p.shape(value)) return value;
  return emit(p, root, OpKind::TtirSliceStatic, {value}, p.typeWith(p.typeOf(value), shape),
              {{"begins", intListAttr(begins)},
               {"ends", intListAttr(ends)},
               {"step", intListAttr(std::vector<int64_t>(begins.size(), 1))}});
}

ValueId fill(PatternRewriter& p, OpId root, const ValueType& type, double value) {
  return p.emit(root, numberSpec(type, value));
}

ValueId integers(PatternRewriter& p, OpId root, const std::vector<int64_t>& numbers, DType dtype) {
  ValueType type;
  type.tensor.emplace();
  type.tensor->shape = {static_cast<int64_t>(numbers.size())};
  type.tensor->dtype = dtype;
  std::string text = "dense<[";
  for (size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  text += "]> : tensor<" + std::to_string(numbers.size()) + "x" + std::string(dtypeName(dtype)) + ">";
  return emit(p, root, OpKind::TtirConstant, {}, type, {{"value", rawAttr(std::move(text))}});
}

ValueId broadcastTo(PatternRewriter& p, OpId root, ValueId value, const std::vector<int64_t>& dims,
                    const Shape& shape) {
  Shape spread(shape.size(), 1);
  for (size_t i = 0; i < dims.size(); ++i) spread[static_cast<size_t>(dims[i])] = p.shape(value)[i];
  ValueId view = p.emitReshape(root, value, spread);
  std::vector<int64_t> factors;
  bool repeats = false;
  for (size_t d = 0; d < shape.size(); ++d) {
    factors.push_back(spread[d] > 0 ? shape[d] / spread[d] : 1);
    repeats = repeats || factors[d] != 1;
  }
  if (!repeats) return view;
  return emit(p, root, OpKind::TtirBroadcast, {view}, p.typeWith(p.typeOf(view), shape),
              {{"broadcast_dimensions", intArrayAttr(std::move(factors))}});
}

OpKind targetOf(OpKind from) {
  const RuleRow* row = findRule(from);
  return row == nullptr ? OpKind::Opaque : row->to;
}

namespace {

const RuleIndex& ruleIndex() {
  static const RuleIndex index;
  return index;
}

// Of their bodies the compiler reads the first op. An arg max is told by its operands as well.
bool readsFirstOp(const Op& op) {
  switch (op.kind) {
    case OpKind::ShloReduce: return op.results.size() == 1;
    case OpKind::ShloScatter:
    case OpKind::ShloAllReduce:
    case OpKind::ShloReduceScatter: return true;
    default: return false;
  }
}

bool convertOne(PatternRewriter& p, OpId root) {
  if (p.kind(root) == OpKind::ArithConstant) return constant(p, root);
  if (foldKnownInteger(p, root)) return true;
  const RuleRow* row = ruleIndex().of(p.kind(root));
  if (row == nullptr || row->rule == nullptr || !row->rule(p, root)) return false;
  if (readsFirstOp(p.old(root)) && !bodyIsOneOp(p.oldGraph(), p.old(root)))
    p.computesOther(root, "its body does more than `" + bodyOf(p.oldGraph(), p.old(root)) +
                              "`, the first op, which is all that the compiler reads of it");
  return true;
}

bool legalizeOne(PatternRewriter& p, OpId root) {
  if (p.kind(root) == OpKind::ShloComposite) return composite(p, root);
  return false;
}

// The functions that regions became have been read. Those of ops that stay are carried along, as they were given.
void setBodiesAside(PassResult& result, const Graph& given) {
  if (!result.graph.forward.valid()) return;
  IdVec<FuncId, char> named = reachableFrom(result.graph, result.graph.forward);  // ids are those of `given`
  named[given.forward] = 0;
  named = reachableFrom(given, named);
  IdVec<FuncId, char> keeps(result.graph.funcs.size(), 0);
  keeps[result.graph.forward] = 1;
  IdVec<OpId, OpId> moved;
  result.graph = keepFunctions(std::move(result.graph), keeps, &moved);
  for (FuncId id : given.funcs.ids()) {
    if (named[id] == 0) continue;
    if (!result.graph.bodies) result.graph.bodies.emplace();
    appendFunction(given, id, *result.graph.bodies);
  }
  for (PassNote& note : result.notes) note.op = moved[note.op];
  std::erase_if(result.notes, [](const PassNote& note) { return !note.op.valid(); });
}

// Ops that no rule took: opaque from here on.
void makeOpaque(PassResult& result) {
  Graph& graph = result.graph;
  constexpr std::string_view kMiss = "left as it is: ";
  std::vector<PassNote> notes;
  std::vector<std::string> reasons(graph.ops.size());
  for (PassNote& note : result.notes) {
    bool left = !note.gone && opInfo(graph.ops[note.op].kind).family == Family::Stablehlo;
    if (left)
      reasons[static_cast<size_t>(note.op.index)] = note.text.substr(note.text.rfind(kMiss, 0) == 0 ? kMiss.size() : 0);
    else notes.push_back(std::move(note));
  }
  result.notes = std::move(notes);
  for (OpId id : graph.ops.ids()) {
    const Op& op = graph.ops[id];
    const std::string_view unknown = op.kind == OpKind::Opaque ? refusalOfName(op.name) : std::string_view();
    if (!unknown.empty()) result.problems.push_back({id, "it stays an opaque op in DRAM: " + std::string(unknown)});
    if (!op.func.valid() || opInfo(op.kind).family != Family::Stablehlo) continue;
    const RuleRow* row = ruleIndex().of(op.kind);
    std::string why = reasons[static_cast<size_t>(id.index)];
    if (why.empty() && row != nullptr && row->rule == nullptr) why = std::string(row->note);
    if (why.empty() && op.results.empty()) why = "it gives nothing, and a chip's program has no other effects";
    if (why.empty()) why = "its attributes and types do not fit each other";
    graph.ops.edit(id).kind = OpKind::Opaque;
    result.problems.push_back({id, "it becomes an opaque op in DRAM: " + why});
  }
}

}  // namespace

}  // namespace shlo

PassResult legalizeStablehloComposites(const Graph& graph, const PassContext&) {
  PassResult result = PatternRewriter(graph).run({shlo::legalizeOne});
  return result;
}

PassResult convertStablehloToTtir(const Graph& graph, const PassContext&) {
  PassResult result = PatternRewriter(graph).run({shlo::convertOne});
  shlo::setBodiesAside(result, graph);
  shlo::makeOpaque(result);
  return result;
}

}  // namespace tessera

#include "core/ir/builder.h"

#include <algorithm>

#include "core/ir/functions.h"
#include "core/support/check.h"
#include "core/support/float_text.h"
#include "core/text/raw_text.h"

namespace tessera {

void sortAttrs(AttrList& given) {
  if (std::is_sorted(given.list().begin(), given.list().end(),
                     [](const Attribute& a, const Attribute& b) { return a.name < b.name; }))
    return;
  std::vector<Attribute>& attrs = given.own();
  // Merges runs of 1, 2, 4 ... entries; the library's template would cost the page several kilobytes.
  std::vector<Attribute> merged(attrs.size());
  for (size_t run = 1; run < attrs.size(); run *= 2) {
    for (size_t begin = 0; begin < attrs.size(); begin += 2 * run) {
      size_t middle = std::min(begin + run, attrs.size()), end = std::min(begin + 2 * run, attrs.size());
      for (size_t left = begin, right = middle, out = begin; out < end; ++out) {
        bool takeRight = right < end && (left == middle || attrs[right].name < attrs[left].name);
        merged[out] = std::move(attrs[takeRight ? right++ : left++]);
      }
    }
    attrs.swap(merged);
  }
}

namespace {

void sortOwnAttrs(AttrList& given) {
  sortAttrs(given);
  const std::vector<Attribute>& attrs = given.list();
  for (size_t i = 1; i < attrs.size(); ++i) {
    TESSERA_CHECK(attrs[i - 1].name != attrs[i].name, "an op cannot have two attributes of one name");
  }
}

}  // namespace

int64_t plainNumber(std::string_view name) {
  if (name.empty() || name.size() > 9) return -1;
  int64_t number = 0;
  for (char c : name) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::string nameMadeOf(std::string_view value, std::string_view suffix) {
  const bool numbered = value[0] >= '0' && value[0] <= '9';
  std::string name = std::string(numbered ? "v" : "") + std::string(value) + "_" + std::string(suffix);
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

std::string resultName(std::string_view base, size_t index) {
  std::string name(base);
  if (index > 0) name += ":" + std::to_string(index);
  return name;
}

GraphBuilder::GraphBuilder(Graph& graph) : graph_(graph), funcNames_(functionNames(graph)), names_(graph) {}

// Many passes change or remove ops and name nothing.
void GraphBuilder::learnNames() {
  if (namesKnown_) return;
  namesKnown_ = true;
  nextNumber_.resize(graph_.funcs.size(), 0);
  names_.reserve(graph_.values.size());
  for (ValueId id : graph_.values.ids()) {
    const Value& value = graph_.values[id];
    if (!value.func.valid()) continue;
    names_.add(value.func, id);
    int64_t& next = nextNumber_[static_cast<size_t>(value.func.index)];
    next = std::max(next, plainNumber(value.name) + 1);
  }
}

FuncId GraphBuilder::addFunction(std::string name, bool isPrivate) {
  TESSERA_CHECK(!name.empty(), "a function needs a name");
  TESSERA_CHECK(funcNames_.insert(name).second, "function names are unique");
  if (namesKnown_) nextNumber_.push_back(0);
  Function func;
  func.name = std::move(name);
  func.isPrivate = isPrivate;
  return graph_.funcs.push(std::move(func));
}

bool GraphBuilder::nameTaken(FuncId func, std::string_view base, size_t results) const {
  for (size_t i = 0; i < results; ++i) {
    if (i == 0 ? names_.has(func, base) : names_.has(func, resultName(base, i))) return true;
  }
  return false;
}

std::string GraphBuilder::uniqueName(FuncId func, std::string_view wish, size_t results) {
  learnNames();
  int64_t& next = nextNumber_[static_cast<size_t>(func.index)];
  // "%0_1" is no MLIR name, so a number that is taken gives the next free number.
  bool takenNumber = plainNumber(wish) >= 0 && nameTaken(func, wish, results);
  if (wish.empty() || takenNumber) {
    while (nameTaken(func, std::to_string(next), results)) ++next;
    return std::to_string(next++);
  }
  std::string name(wish);
  for (int64_t i = 1; nameTaken(func, name, results); ++i) name = std::string(wish) + "_" + std::to_string(i);
  return name;
}

ValueId GraphBuilder::addArgument(FuncId func, std::string_view name, ValueType type, ArgRole role, std::string label) {
  Function& function = graph_.funcs[func];
  Value value;
  std::string wish = name.empty() ? "arg" + std::to_string(function.args.size()) : std::string(name);
  value.name = uniqueName(func, wish, 1);
  value.type = std::move(type);
  value.index = static_cast<int32_t>(function.args.size());
  value.func = func;
  value.role = role;
  value.label = std::move(label);
  value.attrs = argumentAttrs(value.role, value.label);
  ValueId id = graph_.values.push(std::move(value));
  function.args.push_back(id);
  names_.add(func, id);
  return id;
}

Op takeOp(OpSpec& spec, FuncId func) {
  TESSERA_CHECK(!spec.name.empty(), "an op needs a name");
  Op op;
  op.kind = spec.kind;
  op.name = std::move(spec.name);
  op.operands = std::move(spec.operands);
  op.attrs = std::move(spec.attrs);
  op.loc = std::move(spec.loc);
  op.span = spec.span;
  op.origins = std::move(spec.origins);
  op.func = func;
  return op;
}

OpId GraphBuilder::place(FuncId func, size_t position, OpSpec spec) {
  for (ValueId operand : spec.operands) {
    TESSERA_CHECK(graph_.values.contains(operand), "operand does not exist");
    TESSERA_CHECK(graph_.values[operand].func == func, "operand of another function");
  }
  sortOwnAttrs(spec.attrs);
  OpId id = graph_.ops.push(takeOp(spec, func));
  std::string base;
  if (!spec.resultTypes.empty()) base = uniqueName(func, spec.resultName, spec.resultTypes.size());
  for (size_t i = 0; i < spec.resultTypes.size(); ++i) {
    Value value;
    value.name = resultName(base, i);
    value.type = std::move(spec.resultTypes[i]);
    value.producer = id;
    value.index = static_cast<int32_t>(i);
    value.func = func;
    ValueId result = graph_.values.push(std::move(value));
    names_.add(func, result);
    graph_.ops.edit(id).results.push_back(result);
  }
  std::vector<OpId>& ops = graph_.funcs[func].ops;
  ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(position), id);
  return id;
}

size_t GraphBuilder::positionOf(OpId op) const {
  TESSERA_CHECK(graph_.ops[op].func.valid(), "the op was removed");
  const std::vector<OpId>& ops = graph_.funcs[graph_.ops[op].func].ops;
  auto at = std::find(ops.begin(), ops.end(), op);
  TESSERA_CHECK(at != ops.end(), "the op is not in its function");
  return static_cast<size_t>(at - ops.begin());
}

OpId GraphBuilder::append(FuncId func, OpSpec spec) {
  return place(func, graph_.funcs[func].ops.size(), std::move(spec));
}

OpId GraphBuilder::insertBefore(OpId before, OpSpec spec) {
  return place(graph_.ops[before].func, positionOf(before), std::move(spec));
}

ValueId GraphBuilder::result(OpId op) const {
  TESSERA_CHECK(graph_.ops[op].results.size() == 1, "the op does not have exactly one result");
  return graph_.ops[op].results.front();
}

void GraphBuilder::replaceOperand(OpId op, int operand, ValueId value) {
  Op& target = graph_.ops.edit(op);
  TESSERA_CHECK(operand >= 0 && static_cast<size_t>(operand) < target.operands.size(), "the op has no such operand");
  TESSERA_CHECK(graph_.values[value].func == target.func, "operand of another function");
  target.operands[static_cast<size_t>(operand)] = value;
}

void GraphBuilder::setAttr(OpId op, std::string_view name, AttrValue value) {
  TESSERA_CHECK(!name.empty(), "an attribute needs a name");
  AttrList& attrs = graph_.ops.edit(op).attrs;
  auto at = std::lower_bound(attrs.begin(), attrs.end(), name,
                             [](const Attribute& a, std::string_view n) { return a.name < n; });
  if (at != attrs.end() && at->name == name) at->value = std::move(value);
  else attrs.insert(at, {std::string(name), std::move(value)});
}

void GraphBuilder::setResultTypes(FuncId func, std::vector<ValueType> types) {
  graph_.funcs[func].resultTypes = std::move(types);
}

void GraphBuilder::detach(OpId op) {
  learnNames();  // a number that was in use once is not given out again
  Op& target = graph_.ops.edit(op);
  for (ValueId result : target.results) graph_.values.edit(result) = Value{};
  target = Op{};
}

void GraphBuilder::replaceUses(FuncId func, const IdVec<ValueId, ValueId>& now) {
  for (OpId id : graph_.funcs[func].ops) {
    for (size_t i = 0; i < graph_.ops[id].operands.size(); ++i) {
      const ValueId operand = graph_.ops[id].operands[i];
      if (!now.contains(operand) || !now[operand].valid()) continue;
      TESSERA_CHECK(graph_.values[now[operand]].func == func, "both values must be in one function");
      graph_.ops.edit(id).operands[i] = now[operand];
    }
  }
}

void GraphBuilder::removeOps(FuncId func, const IdVec<OpId, bool>& gone) {
  std::vector<OpId> kept, removed;
  for (OpId id : graph_.funcs[func].ops) (gone.contains(id) && gone[id] ? removed : kept).push_back(id);
  for (OpId id : kept) {
    for (ValueId operand : graph_.ops[id].operands) {
      OpId producer = graph_.values[operand].producer;
      TESSERA_CHECK(!gone.contains(producer) || !gone[producer], "a result of a removed op is still used");
    }
  }
  for (OpId id : removed) detach(id);
  graph_.funcs[func].ops = std::move(kept);
}

void GraphBuilder::reorder(FuncId func, std::vector<OpId> order) {
  std::vector<OpId> before = graph_.funcs[func].ops;
  std::vector<OpId> after = order;
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  TESSERA_CHECK(before == after, "a new order must hold the same ops");
  graph_.funcs[func].ops = std::move(order);
}

AttrList argumentAttrs(ArgRole role, const std::string& label, AttrList attrs) {
  static constexpr std::string_view kRoles[] = {"", "input", "parameter", "constant", ""};  // in the order of ArgRole
  auto has = [&](std::string_view name) {
    return std::any_of(attrs.begin(), attrs.end(), [&](const Attribute& a) { return a.name == name; });
  };
  std::string_view word = kRoles[static_cast<size_t>(role)];
  if (!word.empty() && !has("ttcore.argument_type") && !has("tt.argument_type")) {
    AttrValue value = rawAttr("#ttcore.argument_type<" + std::string(word) + ">");
    value.kind = AttrValueKind::String;
    value.string = std::string(word);
    attrs.push_back({"ttcore.argument_type", std::move(value)});
  }
  if (role == ArgRole::KvCache && !has("ttcore.kv_cache") && !has("tt.kv_cache")) {
    AttrValue unit;
    unit.text = "unit";
    attrs.push_back({"ttcore.kv_cache", std::move(unit)});
  }
  if (!label.empty() && !has("ttir.name")) attrs.push_back({"ttir.name", stringAttr(label)});
  sortAttrs(attrs);
  return attrs;
}

AttrValue boolAttr(bool value) {
  AttrValue attr;
  attr.kind = AttrValueKind::Bool;
  attr.text = value ? "true" : "false";
  attr.integer = value ? 1 : 0;
  return attr;
}

AttrValue intAttr(int64_t value, std::string_view type) {
  AttrValue attr;
  attr.kind = AttrValueKind::Integer;
  attr.text = std::to_string(value) + " : " + std::string(type);
  attr.integer = value;
  return attr;
}

AttrValue f32Attr(double value) {
  AttrValue attr;
  attr.kind = AttrValueKind::Float;
  attr.text = mlirF32Text(value) + " : f32";
  attr.number = roundedToType(value, "f32");
  return attr;
}

AttrValue stringAttr(std::string_view value) {
  AttrValue attr;
  attr.kind = AttrValueKind::String;
  attr.text = quotedMlir(value);
  attr.string = std::string(value);
  return attr;
}

AttrValue symbolAttr(std::string_view name) {
  AttrValue attr;
  attr.kind = AttrValueKind::String;
  attr.text = "@" + (text::isPlainSymbol(name) ? std::string(name) : quotedMlir(name));
  attr.string = std::string(name);
  return attr;
}

AttrValue intArrayAttr(std::vector<int64_t> values, std::string_view elementType) {
  AttrValue attr;
  attr.kind = AttrValueKind::IntArray;
  attr.text = "array<" + std::string(elementType);
  for (size_t i = 0; i < values.size(); ++i) attr.text += (i == 0 ? ": " : ", ") + std::to_string(values[i]);
  attr.text += ">";
  attr.ints = std::move(values);
  return attr;
}

AttrValue rawAttr(std::string mlirText) {
  AttrValue attr;
  attr.kind = AttrValueKind::Other;
  attr.text = std::move(mlirText);
  return attr;
}

AttrValue memoryConfigAttr(const TensorLayout& layout) {
  return rawAttr("#ttnn.memory_config<#ttnn.buffer_type<" + std::string(bufferTypeName(layout.buffer)) + ">, <" +
                 std::string(tensorMemoryLayoutName(layout.memory)) + ">>");
}

std::string quotedMlir(std::string_view text) {
  std::string out;
  tessera::text::appendQuoted(out, text);
  return out;
}

}  // namespace tessera

#include "core/import/function_importer.h"

#include "core/import/finish_graph.h"
#include "core/import/import_mlir.h"
#include "core/import/stablehlo_syntax.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr std::string_view kUnknownType = "none";  // of results whose type the text does not say, after a mistake

std::string_view fullName(std::string_view name) {
  if (name == "return") return "func.return";
  if (name == "call") return "func.call";
  if (name == "ttnn.embedding_bw") return "ttnn.embedding_backward";
  return stablehloName(name);
}

std::string joinedTypes(const Graph& graph, const std::vector<ValueId>& values) {
  std::string out;
  for (ValueId id : values) out += (out.empty() ? "" : ", ") + shortTypeText(graph.values[id].type);
  return out.empty() ? "nothing" : out;
}

std::string joinedTypes(const std::vector<ValueType>& types) {
  std::string out;
  for (const ValueType& type : types) out += (out.empty() ? "" : ", ") + shortTypeText(type);
  return out.empty() ? "nothing" : out;
}

}  // namespace

bool hasBody(const text::SyntaxTree& tree, const text::OpNode& function) {
  if (function.regions.count == 0) return false;
  const std::vector<text::BlockId>& blocks = tree.regions[tree.regionLists[function.regions.first]].blocks;
  if (blocks.size() != 1 || function.form != text::OpForm::Generic) return !blocks.empty();
  const text::Block& entry = tree.blocks[blocks.front()];
  return !entry.ops.empty() || !entry.label.empty();
}

void NameCounter::add(std::string_view name, Span span) {
  auto [at, isNew] = index_.emplace(std::string(name), counts_.size());
  if (isNew) counts_.push_back({std::string(name), span, 0});
  ++counts_[at->second].count;
}

void NameCounter::report(DiagKind kind, Diagnostics& diags) const {
  for (const NameCount& one : counts_) {
    Diagnostic* diagnostic = diags.report(kind, one.span, {one.name});
    if (one.count > 1) diagnostic->notes.push_back("there are " + std::to_string(one.count) + " of them");
  }
}

void FunctionImporter::importFunction(const text::OpNode& node) {
  function().isPrivate = node.visibility == "private";
  if (!hasBody(s_.tree, node)) return importDeclaration(node);
  const text::Region* region = &s_.tree.regions[s_.tree.regionLists[node.regions.first]];
  text::Range args = node.args;
  if (args.count == 0) args = s_.tree.blocks[region->blocks.front()].args;
  importArguments(node, args);
  importResults(node);
  const std::vector<text::OpNodeId>& body = s_.tree.blocks[region->blocks.front()].ops;
  isSketch_ = !declaresResults_ && !body.empty() && s_.tree.ops[body.back()].uses.count > 0 &&
              s_.tree.ops[body.back()].form == text::OpForm::Return;
  if (region->blocks.size() > 1 && importBlocks(node, *region)) {
    if (!node.hasError) checkReturn(node.nameSpan);
    return;
  }
  if (region->blocks.size() > 1) {
    s_.diags.report(DiagKind::SeveralBlocks, node.nameSpan, {function().name, std::to_string(region->blocks.size())});
    return;
  }
  importBody(body);
  if (!node.hasError) checkReturn(node.nameSpan);
}

// The generic form says the types of its arguments in its type alone.
void FunctionImporter::importDeclaration(const text::OpNode& node) {
  function().isPrivate = true;
  importArguments(node, node.args);
  const text::Range types = node.args.count == 0 ? signature(node).inputs : text::Range{};
  for (uint32_t i = 0; i < types.count; ++i) {
    Value value;
    value.name = "arg" + std::to_string(i);
    value.type = s_.reader.type(s_.tree.typeLists[types.first + i]);
    addNamedArgument({}, node.span, std::move(value));
  }
  importResults(node);
}

void FunctionImporter::importBareOps(const std::vector<text::OpNodeId>& ops) {
  isSketch_ = true;
  importBody(ops);
  addMissingReturn(ops);
  checkReturn(ops.empty() ? Span{} : s_.tree.ops[ops.front()].span);
}

// Everything that nobody uses is what the ops were written for.
void FunctionImporter::addMissingReturn(const std::vector<text::OpNodeId>& ops) {
  Graph& graph = s_.graph;
  if (!function().ops.empty() && graph.ops[function().ops.back()].kind == OpKind::FuncReturn) return;
  IdVec<ValueId, char> used(graph.values.size(), 0);
  for (OpId id : function().ops) {
    for (ValueId operand : graph.ops[id].operands) used[operand] = 1;
  }
  Op op;
  op.kind = OpKind::FuncReturn;
  op.name = "func.return";
  op.func = func_;
  if (!ops.empty()) op.span = s_.tree.ops[ops.back()].span;
  for (OpId id : function().ops) {
    for (ValueId result : graph.ops[id].results) {
      if (!used[result] && graph.values[result].type.isTensor()) op.operands.push_back(result);
    }
  }
  function().ops.push_back(graph.ops.push(std::move(op)));
}

ArgRole FunctionImporter::roleOf(const AttrList& attrs) const {
  ArgRole role = ArgRole::None;
  for (const Attribute& attr : attrs) {
    if (attr.name == "ttcore.kv_cache" || attr.name == "tt.kv_cache") return ArgRole::KvCache;
    if (attr.name != "ttcore.argument_type" && attr.name != "tt.argument_type") continue;
    if (attr.value.string == "input") role = ArgRole::Input;
    if (attr.value.string == "parameter") role = ArgRole::Parameter;
    if (attr.value.string == "constant") role = ArgRole::Constant;
  }
  return role;
}

void FunctionImporter::importArguments(const text::OpNode& node, text::Range args) {
  // The generic form keeps attributes of arguments in an attribute of the function.
  text::AttrId list = s_.tree.find(node.properties, "arg_attrs");
  if (!list.valid()) list = s_.tree.find(node.attrs, "arg_attrs");
  text::Range dictionaries;
  if (list.valid()) dictionaries = s_.tree.attrs[s_.tree.resolve(list)].items;
  for (uint32_t i = 0; i < args.count; ++i) {
    const text::BlockArg& arg = s_.tree.blockArgs[args.first + i];
    Value value;
    text::Range extra;
    if (i < dictionaries.count)
      extra = s_.tree.attrs[s_.tree.resolve(s_.tree.attrLists[dictionaries.first + i])].entries;
    value.attrs = s_.reader.attrs({arg.attrs, extra}, arg.name, arg.span);
    value.role = roleOf(value.attrs);
    for (const Attribute& attr : value.attrs) {
      if (attr.name == "ttir.name") value.label = attr.value.string;
    }
    if (arg.type.valid()) value.type = s_.reader.type(arg.type);
    else value.type.opaque = kUnknownType;
    value.name = arg.name.empty() ? "arg" + std::to_string(i) : std::string(arg.name);
    addNamedArgument(arg.name, arg.span, std::move(value));
  }
}

// The value's name is the one it wishes for; a tuple is the values in it.
void FunctionImporter::addNamedArgument(std::string_view name, Span span, Value value) {
  if (tupleTypes(value.type)) return addTupleArguments(name, span, value);
  value.index = static_cast<int32_t>(function().args.size());
  value.name = freshName(value.name, 1);
  ValueId id = addValue(std::move(value));
  function().args.push_back(id);
  if (!name.empty()) define(name, span, {id, 1});
}

// Of "func.func"() <{function_type = (...) -> ..., ...}>.
FunctionImporter::Signature FunctionImporter::signature(const text::OpNode& node) const {
  text::AttrId attr = s_.tree.find(node.properties, "function_type");
  if (!attr.valid()) attr = s_.tree.find(node.attrs, "function_type");
  const text::TypeId type = attr.valid() ? s_.tree.attrs[s_.tree.resolve(attr)].type : text::TypeId{};
  if (!type.valid()) return {{}, node.resultTypes};
  const text::Type& both = s_.tree.types[s_.tree.resolve(type)];
  return {both.inputs, both.outputs};
}

void FunctionImporter::importResults(const text::OpNode& node) {
  const text::Range types = signature(node).outputs;
  declaresResults_ = types.count > 0;
  for (uint32_t i = 0; i < types.count; ++i) {
    for (ValueType& leaf : leafTypes(s_.reader.type(s_.tree.typeLists[types.first + i])))
      function().resultTypes.push_back(std::move(leaf));
  }
}

void FunctionImporter::importBody(const std::vector<text::OpNodeId>& ops) {
  body_ = &ops;
  for (text::OpNodeId id : ops) {
    if (s_.graph.ops.size() >= kMaxGraphOps) {
      s_.diags.report(DiagKind::TooManyOps, s_.tree.ops[id].span, {std::to_string(kMaxGraphOps)});
      return;
    }
    importOp(id);
  }
}

void FunctionImporter::importOp(text::OpNodeId id) {
  const text::OpNode& node = s_.tree.ops[id];
  size_t errorsBefore = s_.diags.errorCount();
  if (importSurroundings(node, id) || importStablehloOp(node, id)) return;
  Op op;
  op.name = std::string(fullName(node.name));
  op.kind = opKindFromName(op.name);
  op.func = func_;
  op.span = node.span;
  op.loc = s_.reader.locationName(node.location);
  if (op.kind == OpKind::Opaque) s_.unknownOps.add(op.name, node.nameSpan);
  if (node.regions.count > 0) s_.unreadRegions.add(op.name, node.nameSpan);
  op.operands = importOperands(node, id);
  if (op.kind == OpKind::FuncReturn && op.operands.empty()) op.operands = std::move(checked_);
  importOpAttrs(node, op);
  OpId added = s_.graph.ops.push(std::move(op));
  function().ops.push_back(added);
  importOpResults(node, added);
  if (node.hasError || s_.diags.errorCount() > errorsBefore) s_.damaged.insert(added.index);
}

void FunctionImporter::importOpAttrs(const text::OpNode& node, Op& op) {
  op.attrs = s_.reader.attrs({node.properties, node.attrs}, op.name, node.span);
  auto add = [&](std::string_view name, AttrValue value) {
    if (findAttr(op, name) != nullptr) return;
    auto at = op.attrs.begin();
    while (at != op.attrs.end() && at->name < name) ++at;
    op.attrs.insert(at, {std::string(name), std::move(value)});
  };
  std::string_view symbol = node.symbol;
  if (symbol.empty() && node.symbols.count > 0) symbol = s_.tree.attrs[s_.tree.attrLists[node.symbols.first]].text;
  if (!symbol.empty()) {
    Family family = opInfo(op.kind).family;
    add(family == Family::Call ? "callee" : family == Family::D2m ? "d2m_func" : "sym_name", symbolAttr(symbol));
  }
  if (!node.tail.empty()) add("tessera.tail", stringAttr(node.tail));
}

std::vector<ValueId> FunctionImporter::importOperands(const text::OpNode& node, text::OpNodeId id) {
  std::vector<ValueId> operands;
  bool typed = node.operandTypes.count > 0 || (node.form == text::OpForm::Generic && !node.hasError);
  if (typed && node.operandTypes.count != node.uses.count && !node.hasError) {
    s_.diags.report(DiagKind::OperandCountMismatch, node.span,
                    {node.name, std::to_string(node.uses.count), std::to_string(node.operandTypes.count)});
  }
  for (uint32_t i = 0; i < node.uses.count; ++i) {
    const text::Use& use = s_.tree.uses[node.uses.first + i];
    const bool known = i < node.operandTypes.count;
    const text::TypeId type = known ? s_.tree.typeLists[node.operandTypes.first + i] : text::TypeId{};
    if (known && addTupleParts(use, s_.reader.type(type), operands)) continue;
    ValueId value = isSketch_ ? operandOf(node, id, i, type, ArgRole::None) : lookUp(use, node, id);
    if (!value.valid()) continue;
    operands.push_back(value);
    if (known) checkOperandType(node, i, value);
  }
  return operands;
}

void FunctionImporter::checkOperandType(const text::OpNode& node, uint32_t index, ValueId value) {
  if (localised_.count(value.index) > 0) return;  // the text says the type on all chips of the mesh
  const ValueType& defined = s_.graph.values[value].type;
  const ValueType& used = s_.reader.type(s_.tree.typeLists[node.operandTypes.first + index]);
  if (defined == used || defined.opaque == kUnknownType) return;
  s_.diags.report(DiagKind::OperandTypeMismatch, s_.tree.uses[node.uses.first + index].span,
                  {std::to_string(index), node.name, shortTypeText(defined), shortTypeText(used)});
}

void FunctionImporter::importOpResults(const text::OpNode& node, OpId op) {
  for (uint32_t i = 0; i < node.resultTypes.count; ++i) {
    if (!tupleTypes(s_.reader.type(s_.tree.typeLists[node.resultTypes.first + i]))) continue;
    auto types = s_.tree.typeLists.begin() + node.resultTypes.first;
    return addStablehloResults(node, op, {types, types + node.resultTypes.count});
  }
  size_t named = 0;
  for (uint32_t i = 0; i < node.defs.count; ++i)
    named += static_cast<size_t>(std::max(0, s_.tree.defs[node.defs.first + i].count));
  size_t typed = node.resultTypes.count;
  bool mismatch = named != typed && named != 0;  // results that nobody names are fine
  if (mismatch && !node.hasError) {
    s_.diags.report(DiagKind::ResultCountMismatch, node.span,
                    {node.name, std::to_string(named), std::to_string(typed)});
  }
  // After a mistake there are as many results as names, so that their uses are not mistakes too. A hostile count is not
  // believed.
  size_t count = mismatch ? std::min<size_t>(named, 1000) : typed;
  std::string wish = node.defs.count > 0 ? std::string(s_.tree.defs[node.defs.first].name) : std::string();
  std::string base = count > 0 ? freshName(wish, count) : std::string();
  std::vector<ValueId> results;
  for (size_t i = 0; i < count; ++i) {
    Value value;
    value.name = resultName(base, i);
    if (i < typed) value.type = s_.reader.type(s_.tree.typeLists[node.resultTypes.first + i]);
    else value.type.opaque = kUnknownType;
    value.producer = op;
    value.index = static_cast<int32_t>(i);
    results.push_back(addValue(std::move(value)));
  }
  size_t at = 0;
  for (uint32_t i = 0; i < node.defs.count; ++i) {
    const text::Def& def = s_.tree.defs[node.defs.first + i];
    auto length = static_cast<size_t>(std::max(0, def.count));
    if (length == 0 || at + length > results.size()) break;
    define(def.name, def.span, {results[at], def.count});
    at += length;
  }
  s_.graph.ops.edit(op).results = std::move(results);
}

ValueId FunctionImporter::addValue(Value value) {
  value.func = func_;
  taken_.insert(value.name);
  return s_.graph.values.push(std::move(value));
}

// The name of the first result, so that all results' names are free.
std::string FunctionImporter::freshName(std::string_view wish, size_t results) {
  auto isFree = [&](const std::string& name) {
    for (size_t i = 0; i < results; ++i) {
      if (taken_.count(resultName(name, i)) > 0) return false;
    }
    return true;
  };
  std::string name(wish);
  if (!name.empty() && isFree(name)) return name;
  do {
    name = (wish.empty() ? "unnamed" : std::string(wish)) + "_" + std::to_string(nextName_++);
  } while (!isFree(name));
  return name;
}

void FunctionImporter::define(std::string_view name, Span span, Definition definition) {
  bool isNew = defined_.emplace(name, std::move(definition)).second;
  if (isNew && scope_ != nullptr) scope_->push_back(name);
  if (!isNew) s_.diags.report(DiagKind::DuplicateValue, span, {"%" + std::string(name)});
}

ValueId FunctionImporter::lookUp(const text::Use& use, const text::OpNode& node, text::OpNodeId id) {
  auto at = defined_.find(use.name);
  if (at == defined_.end() && parent_ != nullptr) {
    ValueId captured = capture(use);
    if (captured.valid()) return captured;
  }
  if (const Definition* known = at != defined_.end() ? &at->second : definitionAround(use.name); known != nullptr) {
    const Definition& definition = *known;
    const bool has = definition.has(use.number);
    if (at != defined_.end() && has && definition.size(use.number) > 0)
      return definition.value(definition.start(use.number));
    s_.diags.report(DiagKind::WrongResultCount, use.span,
                    {"%" + std::string(use.name), std::to_string(has ? 0 : definition.results()),
                     std::to_string(use.number + int64_t{1})});
    return {};
  }
  if (!node.hasError) reportUndefined(use, id);
  return {};
}

void FunctionImporter::findLater() {
  if (!later_.empty() || body_ == nullptr) return;
  for (text::OpNodeId id : *body_) {
    const text::OpNode& node = s_.tree.ops[id];
    for (uint32_t i = 0; i < node.defs.count; ++i) later_.emplace(s_.tree.defs[node.defs.first + i].name, id);
  }
}

void FunctionImporter::reportUndefined(const text::Use& use, text::OpNodeId user) {
  findLater();
  std::string name = "%" + std::string(use.name);
  auto at = later_.find(use.name);
  bool searching = s_.diags.errorCount() < Diagnostics::kMaxErrors;  // each search walks the function
  if (at != later_.end() && searching && dependsOn(at->second, user)) {
    s_.diags.report(DiagKind::CyclicUse, use.span, {name});
    return;
  }
  Diagnostic* diagnostic = s_.diags.report(DiagKind::UndefinedValue, use.span, {name});
  diagnostic->notes.push_back(at == later_.end()  ? "nothing in this function is called `" + name + "`"
                              : at->second < user ? "the op that defines it has a mistake"
                                                  : "it is defined further down");
}

// Whether `from` uses, directly or not, a result of `target`.
bool FunctionImporter::dependsOn(text::OpNodeId from, text::OpNodeId target) {
  std::vector<text::OpNodeId> work = {from};
  std::unordered_set<int32_t> seen;
  while (!work.empty()) {
    text::OpNodeId id = work.back();
    work.pop_back();
    if (id == target) return true;
    if (!seen.insert(id.index).second) continue;
    const text::OpNode& node = s_.tree.ops[id];
    for (uint32_t i = 0; i < node.uses.count; ++i) {
      auto at = later_.find(s_.tree.uses[node.uses.first + i].name);
      if (at != later_.end()) work.push_back(at->second);
    }
  }
  return false;
}

void FunctionImporter::checkReturn(Span place) {
  Graph& graph = s_.graph;
  const std::vector<OpId>& ops = function().ops;
  for (size_t i = 0; i < ops.size(); ++i) {
    bool isReturn = graph.ops[ops[i]].kind == OpKind::FuncReturn;
    if (isReturn != (i + 1 == ops.size())) {
      s_.diags.report(DiagKind::MissingReturn, isReturn ? graph.ops[ops[i]].span : place, {function().name});
      return;
    }
  }
  if (ops.empty()) {
    s_.diags.report(DiagKind::MissingReturn, place, {function().name});
    return;
  }
  const Op& last = graph.ops[ops.back()];
  // A function that says nothing of results, as people write examples, has those that it returns.
  if (!declaresResults_) {
    for (ValueId operand : last.operands) function().resultTypes.push_back(graph.values[operand].type);
    return;
  }
  bool same = last.operands.size() == function().resultTypes.size();
  for (size_t i = 0; same && i < last.operands.size(); ++i) {
    if (localised_.count(last.operands[i].index) > 0)
      function().resultTypes[i] = graph.values[last.operands[i]].type;  // what one chip of the mesh gives back
  }
  for (size_t i = 0; same && i < last.operands.size(); ++i) {
    const ValueType& type = graph.values[last.operands[i]].type;
    same = type == function().resultTypes[i] || type.opaque == kUnknownType;
  }
  if (same) return;
  s_.diags.report(DiagKind::ReturnMismatch, last.span,
                  {joinedTypes(graph, last.operands), function().name, joinedTypes(function().resultTypes)});
}

}  // namespace tessera

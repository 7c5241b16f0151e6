// StableHLO ops of a function: their regions become private functions, tuples the values in them.
#include <algorithm>
#include <utility>

#include "core/import/finish_graph.h"
#include "core/import/function_importer.h"
#include "core/import/import_mlir.h"
#include "core/import/stablehlo_syntax.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr int kDeepestRegions = 16;    // regions within regions are read by recursion, up to here
constexpr size_t kMostResults = 1000;  // a hostile count is not believed

// reduce(%a init: %c), (%b init: %d): the operands are a, b, c, d.
uint32_t useOfOperand(const text::OpNode& node, OpKind kind, uint32_t operand) {
  bool pairs = kind == OpKind::ShloReduce && node.form == text::OpForm::Pretty && node.uses.count % 2 == 0;
  uint32_t half = node.uses.count / 2;
  return !pairs ? operand : operand < half ? 2 * operand : 2 * (operand - half) + 1;
}

// `^bb2(%a, %b : t, u)` of a branch: label and names of the values, in the order of the text.
struct Branch {
  std::string_view label;
  std::vector<std::string_view> values;
};

std::vector<Branch> branchesOf(std::string_view text) {
  std::vector<Branch> out;
  for (size_t at = text.find('^'); at != std::string_view::npos; at = text.find('^', at + 1)) {
    size_t end = text.find_first_of("(, \n", at + 1);
    Branch branch{text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1), {}};
    if (end != std::string_view::npos && text[end] == '(') {
      size_t stop = std::min(text.find_first_of(":)", end), text.size());
      for (size_t v = text.find('%', end); v < stop; v = text.find('%', v + 1)) {
        size_t behind = std::min(text.find_first_of(",: )\n", v), stop);
        branch.values.push_back(text.substr(v + 1, behind - v - 1));
      }
    }
    out.push_back(std::move(branch));
  }
  return out;
}

bool isConstant(OpKind kind) {
  return kind == OpKind::ShloConstant || kind == OpKind::ArithConstant || kind == OpKind::SdyConstant;
}

}  // namespace

bool FunctionImporter::importStablehloOp(const text::OpNode& node, text::OpNodeId id) {
  std::string_view name = stablehloName(node.name);
  // The number in a tensor of rank 0, for a branch: the tensor.
  auto number = node.name == "tensor.extract" && node.uses.count == 1 && namesAtMostOne(node)
                    ? defined_.find(s_.tree.uses[node.uses.first].name)
                    : defined_.end();
  if (number != defined_.end() && number->second.count == 1) {
    defineAs(node, {number->second.value(0), 1});
    return true;
  }
  OpKind kind = opKindFromName(name);
  if (opInfo(kind).family != Family::Stablehlo) return false;
  size_t errorsBefore = s_.diags.errorCount();
  if (kind == OpKind::ShloGetTupleElement && importTupleElement(node, id)) return true;
  bool tuple = kind == OpKind::ShloTuple && (node.resultTypes.count == 1 || node.operandTypes.count == 1);
  if (tuple && importTuple(node, id)) return true;
  bool constraint = name.substr(0, 4) == "sdy." && kind != OpKind::SdyConstant && kind != OpKind::SdyManualComputation;
  if (constraint && importLocalConstraint(node, id)) return true;
  if (kind == OpKind::SdyManualComputation && importManualComputation(node, id)) return true;
  Op op;
  op.name = std::string(name);
  op.kind = kind;
  op.func = func_;
  op.span = node.span;
  op.loc = s_.reader.locationWithLine(node.location);
  StablehloTypes types = stablehloTypes(s_.tree, node, name);
  bool counted = types.operands.empty() || types.operands.size() == node.uses.count || node.hasError;
  if (!counted) {
    s_.diags.report(DiagKind::OperandCountMismatch, node.span,
                    {node.name, std::to_string(node.uses.count), std::to_string(types.operands.size())});
  }
  bool known = counted && types.operands.size() == node.uses.count && !types.operands.empty();
  for (uint32_t at = 0; at < node.uses.count; ++at) {
    uint32_t i = useOfOperand(node, kind, at);
    const text::Use& use = s_.tree.uses[node.uses.first + i];
    if (known && addTupleParts(use, s_.reader.type(types.operands[at]), op.operands)) continue;
    ValueId value = operandOf(node, id, i, known ? types.operands[at] : text::TypeId{}, ArgRole::Parameter);
    if (!value.valid()) continue;
    op.operands.push_back(value);
    if (!known) continue;
    const ValueType& defined = s_.graph.values[value].type;
    const ValueType& used = s_.reader.type(types.operands[at]);
    bool local = defined.isTensor() && used.isTensor() && localised_.count(value.index) > 0;
    if (defined == used || local || defined.opaque == "none" || tupleTypes(used)) continue;
    s_.diags.report(DiagKind::OperandTypeMismatch, use.span,
                    {std::to_string(i), node.name, shortTypeText(defined), shortTypeText(used)});
  }
  op.attrs = s_.reader.attrs({node.properties, node.attrs}, op.name, node.span);
  readStablehloAttrs(node, name, s_.reader, op.attrs);
  if (node.regions.count > 0) importRegions(node, op);
  OpId added = s_.graph.ops.push(std::move(op));
  function().ops.push_back(added);
  addStablehloResults(node, added, types.results);
  if (node.hasError || s_.diags.errorCount() > errorsBefore) s_.damaged.insert(added.index);
  return true;
}

// A tuple is the values in it.
void FunctionImporter::addStablehloResults(const text::OpNode& node, OpId op, const std::vector<text::TypeId>& types) {
  std::vector<ValueType> flat;
  std::vector<size_t> counts;  // of flat types for each result
  for (text::TypeId id : types) {
    const ValueType& type = s_.reader.type(id);
    if (type.isTensor()) {
      counts.push_back(1);
      flat.push_back(type);
      continue;
    }
    std::vector<ValueType> leaves = leafTypes(type);
    counts.push_back(leaves.size());
    flat.insert(flat.end(), leaves.begin(), leaves.end());
  }
  size_t named = definedResults(node);
  bool mismatch = named != types.size() && named != 0;
  if (mismatch && !node.hasError) {
    s_.diags.report(DiagKind::ResultCountMismatch, node.span,
                    {node.name, std::to_string(named), std::to_string(types.size())});
  }
  if (mismatch) {
    flat.assign(std::min(named, kMostResults), ValueType{{}, "none"});
    counts.assign(flat.size(), 1);
  }
  std::string wish = node.defs.count > 0 ? std::string(s_.tree.defs[node.defs.first].name) : std::string();
  std::string base = flat.empty() ? std::string() : freshName(wish, flat.size());
  std::vector<ValueId> results;
  for (size_t i = 0; i < flat.size(); ++i) {
    Value value;
    value.name = resultName(base, i);
    value.type = std::move(flat[i]);
    value.producer = op;
    value.index = static_cast<int32_t>(i);
    results.push_back(addValue(std::move(value)));
  }
  size_t at = 0, result = 0;
  for (uint32_t i = 0; i < node.defs.count && result < counts.size(); ++i) {
    const text::Def& def = s_.tree.defs[node.defs.first + i];
    Definition definition{ValueId{}, 0, {}, {0}};
    for (int32_t k = 0; k < def.count && result < counts.size(); ++k) {
      definition.count += static_cast<int32_t>(counts[result++]);
      definition.starts.push_back(definition.count);
    }
    if (definition.results() == 0) continue;
    if (definition.count > 0) definition.first = results[at];
    at += static_cast<size_t>(definition.count);
    define(def.name, def.span, std::move(definition));
  }
  s_.graph.ops.edit(op).results = std::move(results);
}

// How many results the names in front of an op stand for.
size_t FunctionImporter::definedResults(const text::OpNode& node) const {
  size_t named = 0;
  for (uint32_t i = 0; i < node.defs.count; ++i)
    named += static_cast<size_t>(std::max(0, s_.tree.defs[node.defs.first + i].count));
  return named;
}

bool FunctionImporter::namesAtMostOne(const text::OpNode& node) const { return definedResults(node) <= 1; }

// What the op gives back; nobody may have named it.
void FunctionImporter::defineAs(const text::OpNode& node, Definition definition) {
  if (node.defs.count == 0) return;
  const text::Def& def = s_.tree.defs[node.defs.first];
  define(def.name, def.span, std::move(definition));
}

ValueId FunctionImporter::operandOf(const text::OpNode& node, text::OpNodeId id, uint32_t index, text::TypeId type,
                                    ArgRole role) {
  const text::Use& use = s_.tree.uses[node.uses.first + index];
  bool unknown = parent_ == nullptr && type.valid() && !node.hasError && defined_.find(use.name) == defined_.end();
  ValueId missing = unknown ? missingValue(use, type, role) : ValueId{};
  return missing.valid() ? missing : lookUp(use, node, id);
}

// Weights that were cut out of a file for its size, and what a sketch reads: arguments, with a warning.
ValueId FunctionImporter::missingValue(const text::Use& use, text::TypeId type, ArgRole role) {
  findLater();
  const ValueType& wanted = s_.reader.type(type);
  if (use.number != 0 || later_.count(use.name) > 0 || (!wanted.isTensor() && !isSketch_)) return {};
  s_.diags.report(DiagKind::MissingValue, use.span, {"%" + std::string(use.name), function().name});
  Value value;
  value.name = freshName(use.name, 1);
  value.type = wanted;
  value.role = role;
  value.attrs = argumentAttrs(value.role, {});
  value.index = static_cast<int32_t>(function().args.size());
  ValueId id = addValue(std::move(value));
  function().args.push_back(id);
  define(use.name, use.span, {id, 1});
  return id;
}

// Binds the arguments of the block that a branch goes to: the first that was not read yet.
const text::Block* FunctionImporter::followBranch(const text::OpNode& branch, const text::Region& region,
                                                  std::vector<char>& seen) {
  std::string whole = std::string(branch.head) + " " + std::string(branch.tail);
  const text::Block* again = nullptr;
  for (const Branch& to : branchesOf(whole)) {
    for (size_t b = 1; b < region.blocks.size(); ++b) {
      const text::Block& block = s_.tree.blocks[region.blocks[b]];
      bool fits = block.label == to.label && block.args.count == to.values.size();
      if (!fits || (seen[b] != 0 && again != nullptr)) continue;
      std::vector<Definition> values;
      for (std::string_view name : to.values) {
        auto at = defined_.find(name);
        if (at == defined_.end()) return nullptr;
        values.push_back(at->second);
      }
      for (uint32_t i = 0; i < block.args.count; ++i)
        defined_[s_.tree.blockArgs[block.args.first + i].name] = values[i];
      if (seen[b] == 0) {
        seen[b] = 1;
        return &block;
      }
      again = &block;
    }
  }
  return again;
}

// Blocks that branches lead through, each once: straight code, and loops as one turn of their body.
bool FunctionImporter::importBlocks(const text::OpNode& node, const text::Region& region) {
  std::vector<char> seen(region.blocks.size(), 0);
  const text::Block* block = &s_.tree.blocks[region.blocks.front()];
  const text::Block* before = nullptr;
  bool loop = false;
  for (size_t turn = 0; turn < 4 * region.blocks.size(); ++turn) {
    if (block->ops.empty()) return false;
    std::vector<text::OpNodeId> ops(block->ops.begin(), block->ops.end() - 1);
    const text::OpNode& last = s_.tree.ops[block->ops.back()];
    bool branches = last.name.substr(0, 3) == "cf.";
    if (!branches) ops.push_back(block->ops.back());
    // A block that is met again has been read: only where it leads to is of interest.
    if (before != block) importBody(ops);
    if (!branches) {
      if (loop) s_.diags.report(DiagKind::LoopReadOnce, node.nameSpan, {function().name});
      return stablehloName(last.name) == "func.return" || last.name == "return";
    }
    size_t visited = static_cast<size_t>(std::count(seen.begin(), seen.end(), 1));
    const text::Block* next = followBranch(last, region, seen);
    if (next == nullptr) return false;
    bool again = visited == static_cast<size_t>(std::count(seen.begin(), seen.end(), 1));
    loop = loop || again;
    before = again ? next : nullptr;
    block = next;
  }
  return false;
}

// Names and types of a region's arguments: those of its block, or those that the op's tail names.
std::vector<text::BlockArg> FunctionImporter::regionArguments(const text::OpNode& node, const text::Block& block) {
  text::Range range = block.args.count > 0 ? block.args : node.args;
  std::vector<text::BlockArg> args;
  for (uint32_t i = 0; i < range.count; ++i) args.push_back(s_.tree.blockArgs[range.first + i]);
  // reducer(%a: t, %b: t) (%c: u, %d: u): pairs by operand; the region takes a, c, b, d.
  bool pairs = node.form == text::OpForm::Pretty && stablehloName(node.name) == "stablehlo.reduce" && args.size() > 2;
  if (!pairs) return args;
  std::vector<text::BlockArg> ordered;
  for (size_t side = 0; side < 2; ++side) {
    for (size_t i = side; i < args.size(); i += 2) ordered.push_back(args[i]);
  }
  return ordered;
}

void FunctionImporter::importRegions(const text::OpNode& node, Op& op) {
  std::vector<int64_t> captured;
  bool any = false;
  for (uint32_t r = 0; r < node.regions.count; ++r) {
    text::RegionId region = s_.tree.regionLists[node.regions.first + r];
    std::string attr = r == 0 ? "body" : "body" + std::to_string(r);
    std::string simple = node.regions.count <= 2 ? simpleBody(s_.tree, region, s_.reader) : std::string();
    bool loop = op.kind == OpKind::ShloWhile || op.kind == OpKind::ShloCase || op.kind == OpKind::ShloIf;
    captured.push_back(0);
    if (!simple.empty() && !loop) {
      op.attrs.push_back({attr, stringAttr(simple)});
      continue;
    }
    const std::vector<text::BlockId>& blocks = s_.tree.regions[region].blocks;
    if (depth_ >= kDeepestRegions || blocks.size() != 1 || s_.graph.ops.size() >= kMaxGraphOps) {
      s_.unreadRegions.add(op.name, node.nameSpan);
      continue;
    }
    std::string bare = op.name.substr(op.name.find('.') + 1), name;
    for (size_t n = s_.functionNames.size(); name.empty() || !s_.functionNames.insert(name).second; ++n)
      name = function().name + "." + bare + "_" + std::to_string(n);
    FuncId func = s_.graph.funcs.push({});
    s_.graph.funcs[func].name = name;
    s_.graph.funcs[func].isPrivate = true;
    FunctionImporter body(s_, func, *this);
    body.importRegion(node, region, name);
    op.attrs.push_back({attr, symbolAttr(name)});
    captured.back() = static_cast<int64_t>(body.captures_.size());
    any = any || captured.back() > 0;
    op.operands.insert(op.operands.end(), body.captures_.begin(), body.captures_.end());
  }
  if (any) op.attrs.push_back({"captures", intArrayAttr(std::move(captured))});
  sortAttrs(op.attrs);
}

void FunctionImporter::importRegion(const text::OpNode& node, text::RegionId region, std::string) {
  const text::Block& block = s_.tree.blocks[s_.tree.regions[region].blocks[0]];
  for (const text::BlockArg& arg : regionArguments(node, block)) {
    Value value;
    value.name = arg.name.empty() ? "arg" : std::string(arg.name);
    if (arg.type.valid()) value.type = s_.reader.type(arg.type);
    else value.type.opaque = "none";
    addNamedArgument(arg.name, arg.span, std::move(value));
  }
  importBody(block.ops);
  declaresResults_ = false;
  checkReturn(node.nameSpan);
}

// What a name stands for in the functions around the region.
const FunctionImporter::Definition* FunctionImporter::definitionAround(std::string_view name) const {
  for (const FunctionImporter* around = parent_; around != nullptr; around = around->parent_) {
    auto at = around->defined_.find(name);
    if (at != around->defined_.end()) return &at->second;
  }
  return nullptr;
}

// A value of a function around the region: constants are copied, everything else becomes an argument.
ValueId FunctionImporter::capture(const text::Use& use) {
  if (parent_ == nullptr) return {};
  auto at = parent_->defined_.find(use.name);
  ValueId outer;
  if (at == parent_->defined_.end()) outer = parent_->capture(use);
  else if (at->second.has(use.number) && at->second.size(use.number) > 0)
    outer = at->second.value(at->second.start(use.number));
  if (!outer.valid()) return {};
  std::string name = std::string(use.name) + (use.number > 0 ? "#" + std::to_string(use.number) : "");
  auto known = captured_.find(name);
  if (known != captured_.end()) return known->second;
  // %0:1 is one of an op's results; what stands for it here has a name of its own.
  std::string wish = s_.graph.values[outer].name;
  if (const size_t colon = wish.find(':'); colon != std::string::npos) wish = "v" + wish.replace(colon, 1, "_");
  Value value;
  value.name = freshName(wish, 1);
  value.type = s_.graph.values[outer].type;
  OpId producer = s_.graph.values[outer].producer;
  bool copies = producer.valid() && isConstant(s_.graph.ops[producer].kind);
  if (copies) {
    Op op = s_.graph.ops[producer];
    op.func = func_;
    value.producer = OpId{static_cast<int32_t>(s_.graph.ops.size())};
    ValueId id = addValue(std::move(value));
    op.results = {id};
    function().ops.push_back(s_.graph.ops.push(std::move(op)));
    captured_.emplace(std::move(name), id);
    return id;
  }
  value.index = static_cast<int32_t>(function().args.size());
  ValueId id = addValue(std::move(value));
  function().args.push_back(id);
  captures_.push_back(outer);
  captured_.emplace(std::move(name), id);
  return id;
}

}  // namespace tessera

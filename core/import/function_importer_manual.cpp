// Manual computations of Shardy: their bodies take their place with the types of one chip's part, so that the graph is
// what one chip of the mesh runs; what is read around them is whole.
#include <algorithm>
#include <utility>

#include "core/import/function_importer.h"
#include "core/import/stablehlo_syntax.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

// A sharding of what is one chip's part already.
bool FunctionImporter::importLocalConstraint(const text::OpNode& node, text::OpNodeId id) {
  if (!namesAtMostOne(node) || node.uses.count != 1) return false;
  const text::Use& use = s_.tree.uses[node.uses.first];
  auto at = defined_.find(use.name);
  if (at == defined_.end() || !at->second.has(use.number) || at->second.size(use.number) == 0) return false;
  ValueId value = lookUp(use, node, id);
  if (localised_.count(value.index) == 0) return false;
  defineAs(node, {value, 1});
  return true;
}

// An argument that only a manual computation reads has the type of one chip's part.
void FunctionImporter::localArgument(ValueId value, const ValueType& local) {
  Value& argument = s_.graph.values.edit(value);
  if (argument.type == local || argument.producer.valid() || !local.isTensor()) return;
  argument.type = local;
  localised_.insert(value.index);
}

// Whether anything reads more of a value than one chip's part of this type: an op outside of manual computations, or
// one of them that takes other parts. What a function returns is a part itself.
bool FunctionImporter::readWhole(std::string_view name, const ValueType& part) {
  if (!std::exchange(partsFound_, true)) findReadParts();
  const auto read = readParts_.find(name);
  return read != readParts_.end() && (!read->second.valid() || s_.reader.type(read->second) != part);
}

// From the last op to the first, so that a sharding is read before what it is of.
void FunctionImporter::findReadParts() {
  for (size_t i = body_ != nullptr ? body_->size() : 0; i > 0; --i) {
    const text::OpNode& node = s_.tree.ops[(*body_)[i - 1]];
    if (stablehloName(node.name) == "func.return" || node.name == "return") continue;
    const bool shardy = node.name.substr(0, 4) == "sdy.", computes = shardy && node.regions.count == 1;
    const std::vector<text::BlockId>* blocks =
        computes ? &s_.tree.regions[s_.tree.regionLists[node.regions.first]].blocks : nullptr;
    std::vector<text::BlockArg> args;
    if (blocks != nullptr && blocks->size() == 1) args = regionArguments(node, s_.tree.blocks[blocks->front()]);
    for (uint32_t u = 0; u < node.uses.count; ++u) {
      text::TypeId part = u < args.size() ? args[u].type : text::TypeId{};
      if (shardy && node.regions.count == 0) {
        const auto again =
            node.defs.count == 1 ? readParts_.find(s_.tree.defs[node.defs.first].name) : readParts_.end();
        if (again == readParts_.end()) continue;
        part = again->second;
      }
      auto [known, isNew] = readParts_.emplace(s_.tree.uses[node.uses.first + u].name, part);
      const bool same = isNew || (part.valid() && known->second.valid() &&
                                  ValueType(s_.reader.type(part)) == s_.reader.type(known->second));
      if (!same) known->second = {};
    }
  }
}

// One chip's part of a value, or the whole of such parts, as JAX calls it.
ValueId FunctionImporter::acrossMesh(const text::OpNode& node, ValueId value, const ValueType& type,
                                     std::string_view target) {
  Op op;
  op.name = "stablehlo.custom_call";
  op.kind = OpKind::ShloCustomCall;
  op.func = func_;
  op.span = node.span;
  op.loc = s_.reader.locationWithLine(node.location);
  op.operands = {value};
  op.attrs = {{"call_target_name", stringAttr(target)}};
  Value made;
  made.name = freshName(s_.graph.values[value].name, 1);
  made.type = type;
  made.producer = OpId{static_cast<int32_t>(s_.graph.ops.size())};
  op.results = {addValue(std::move(made))};
  function().ops.push_back(s_.graph.ops.push(std::move(op)));
  return s_.graph.ops[function().ops.back()].results[0];
}

// What a manual computation takes: an argument that is read nowhere else is a part itself.
ValueId FunctionImporter::partOf(const text::OpNode& node, const text::Use& use, ValueId value, const ValueType& part) {
  const Value& whole = s_.graph.values[value];
  if (whole.type == part || !whole.type.isTensor() || !part.isTensor()) return value;
  if (whole.producer.valid() || readWhole(use.name, part)) return acrossMesh(node, value, part, "SPMDFullToShardShape");
  localArgument(value, part);
  return value;
}

bool FunctionImporter::importManualComputation(const text::OpNode& node, text::OpNodeId id) {
  if (node.regions.count != 1 || parent_ != nullptr) return false;
  const std::vector<text::BlockId>& blocks = s_.tree.regions[s_.tree.regionLists[node.regions.first]].blocks;
  if (blocks.size() != 1) return false;
  const text::Block& block = s_.tree.blocks[blocks[0]];
  std::vector<text::BlockArg> args = regionArguments(node, block);
  if (args.size() != node.uses.count || block.ops.empty()) return false;
  // Other regions may use the names again.
  std::vector<std::string_view> inside;
  std::vector<std::string_view>* around = std::exchange(scope_, &inside);
  bool known = true;
  for (size_t i = 0; known && i < args.size(); ++i) {
    const text::Use& use = s_.tree.uses[node.uses.first + static_cast<uint32_t>(i)];
    ValueId value = lookUp(use, node, id);
    known = value.valid();
    if (!known) continue;
    if (args[i].type.valid()) value = partOf(node, use, value, ValueType(s_.reader.type(args[i].type)));
    define(args[i].name, args[i].span, {value, 1});
  }
  for (size_t i = 0; known && i + 1 < block.ops.size(); ++i) importOp(block.ops[i]);
  scope_ = around;
  const bool given = !known || giveManualResults(node, block);
  for (std::string_view name : inside) defined_.erase(name);
  return given;
}

// The values that the body gives back are the op's results.
bool FunctionImporter::giveManualResults(const text::OpNode& node, const text::Block& block) {
  const text::OpNode& last = s_.tree.ops[block.ops.back()];
  size_t given = last.uses.count;
  if (stablehloName(last.name) != "func.return" || given != definedResults(node)) return false;
  const bool manual = node.name == "sdy.manual_computation";
  const std::vector<text::TypeId> types = stablehloTypes(s_.tree, node, node.name).results;
  size_t next = 0;
  for (uint32_t d = 0; d < node.defs.count; ++d) {
    const text::Def& def = s_.tree.defs[node.defs.first + d];
    Definition definition;
    for (int32_t k = 0; k < def.count; ++k) {
      ValueId value = lookUp(s_.tree.uses[last.uses.first + static_cast<uint32_t>(next++)], last, block.ops.back());
      if (!value.valid()) return true;
      const ValueType whole = manual && next <= types.size() ? s_.reader.type(types[next - 1]) : ValueType();
      const ValueType part = s_.graph.values[value].type;
      if (whole.isTensor() && whole != part && readWhole(def.name, part))
        value = acrossMesh(node, value, whole, "SPMDShardToFullShape");
      else if (manual) localised_.insert(value.index);
      definition.parts.push_back(value);
    }
    definition.first = definition.parts.empty() ? ValueId{} : definition.parts[0];
    definition.count = def.count;
    define(def.name, def.span, std::move(definition));
  }
  return true;
}

}  // namespace tessera

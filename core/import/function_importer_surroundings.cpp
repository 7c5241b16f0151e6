// What stands around the ops of a model: variables of the module, which are weights here, the checks of test programs,
// and marks of Shardy that compute nothing.

#include <algorithm>

#include "core/import/function_importer.h"
#include "core/ir/builder.h"

namespace tessera {

namespace {

// They give the value of a variable of the module, by its name or through its address (the dialects util of IREE and
// ml_program of MLIR).
bool loadsVariable(std::string_view name) {
  constexpr std::string_view kLoads[] = {"util.global.load", "util.global.load.indirect", "ml_program.global_load",
                                         "ml_program.global_load_const"};
  return std::find(std::begin(kLoads), std::end(kLoads), name) != std::end(kLoads);
}

// Their result is their operand (openxla/shardy shardy/dialect/sdy/ir/ops.td@857e8a72).
bool passesValueOn(std::string_view name) {
  constexpr std::string_view kMarks[] = {"sdy.data_flow_edge", "sdy.func_data_flow_edge", "sdy.sharded_to_unreduced",
                                         "sdy.replicated_to_unreduced"};
  return std::find(std::begin(kMarks), std::end(kMarks), name) != std::end(kMarks);
}

// `x` of `immutable @x`, what is quoted of `@"x y"`.
std::string_view symbolIn(std::string_view text) {
  size_t at = text.find('@');
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + 1);
  if (!text.empty() && text[0] == '"') return text.substr(1, text.find('"', 1) - 1);
  return text.substr(0, text.find_first_of(" :,(){}\n"));
}

// As a value may be called.
std::string asValueName(std::string_view symbol) {
  std::string name(symbol);
  for (char& c : name) {
    bool fits =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    c = fits ? c : '_';
  }
  return name;
}

}  // namespace

bool isVariable(std::string_view op) { return op == "util.global" || op == "ml_program.global"; }

bool FunctionImporter::importSurroundings(const text::OpNode& node, text::OpNodeId id) {
  const std::string_view name = node.name, dialect = name.substr(0, name.find('.'));
  if (dialect == "sdy") {
    if (name == "sdy.sharding_group" && node.defs.count == 0) return true;
    if (name == "sdy.named_computation") return importManualComputation(node, id);
    return passesValueOn(name) && importMark(node, id);
  }
  // What a test looks at is what it computes.
  if (dialect == "check") return importChecked(node, id);
  return (dialect == "util" || dialect == "ml_program") && importVariableOp(node);
}

bool FunctionImporter::importMark(const text::OpNode& node, text::OpNodeId id) {
  if (!namesAtMostOne(node) || node.uses.count != 1) return false;
  ValueId value = lookUp(s_.tree.uses[node.uses.first], node, id);
  if (value.valid()) defineAs(node, {value, 1});
  return true;
}

bool FunctionImporter::importChecked(const text::OpNode& node, text::OpNodeId id) {
  if (node.defs.count > 0 || parent_ != nullptr || declaresResults_) return false;
  for (uint32_t i = 0; i < node.uses.count; ++i) {
    ValueId value = lookUp(s_.tree.uses[node.uses.first + i], node, id);
    if (value.valid() && s_.graph.values[value].type.isTensor()) checked_.push_back(value);
  }
  return true;
}

ValueId FunctionImporter::addArgument(std::string_view name, const ValueType& type, ArgRole role) {
  Value value;
  value.name = freshName(asValueName(name), 1);
  value.type = type;
  value.role = role;
  value.label = std::string(name);
  value.attrs = argumentAttrs(value.role, value.label);
  value.index = static_cast<int32_t>(function().args.size());
  ValueId id = addValue(std::move(value));
  function().args.push_back(id);
  return id;
}

// A variable is one argument, however often it is loaded; a constant that must not be folded stands for an input.
bool FunctionImporter::importVariableOp(const text::OpNode& node) {
  if (node.defs.count != 1 || parent_ != nullptr) return false;
  const text::Def& def = s_.tree.defs[node.defs.first];
  std::string_view symbol = node.symbol.empty() ? symbolIn(node.tail) : node.symbol;
  if (node.name == "util.global.address") {
    addresses_.emplace(def.name, symbol);
    return true;
  }
  if (node.resultTypes.count != 1) return false;
  const ValueType& type = s_.reader.type(s_.tree.typeLists[node.resultTypes.first]);
  if (!type.isTensor()) return false;
  if (node.name == "util.unfoldable_constant") {
    define(def.name, def.span, {addArgument(def.name, type, ArgRole::Input), 1});
    return true;
  }
  if (symbol.empty() && node.uses.count == 1) {
    auto address = addresses_.find(s_.tree.uses[node.uses.first].name);
    if (address != addresses_.end()) symbol = address->second;
  }
  if (!loadsVariable(node.name) || symbol.empty()) return false;
  auto known = variables_.find(symbol);
  if (known == variables_.end())
    known = variables_.emplace(symbol, addArgument(symbol, type, ArgRole::Parameter)).first;
  define(def.name, def.span, {known->second, 1});
  return true;
}

}  // namespace tessera

// Ops, blocks and regions. Does not recurse: regions wait on a stack.
#include <algorithm>

#include "core/text/parser.h"  // bareTypesAreResults
#include "core/text/printer_values.h"
#include "core/text/raw_text.h"

namespace tessera::text {

namespace {

// Behind a region of an op in its own form raw text may stand.
bool hasTails(const OpNode& node) { return node.form == OpForm::Pretty || node.form == OpForm::Return; }

class Printer {
 public:
  explicit Printer(const SyntaxTree& tree, bool locations) : tree_(tree), values_(tree, out_), locations_(locations) {}
  std::string run(OpNodeId op);

 private:
  // What is left to print: an op, a block, the line between two regions, or what stands behind an op's regions.
  enum class What { Op, Block, NextRegion, OpEnd };
  struct Item {
    What what;
    OpNodeId op;
    BlockId block;
    size_t depth = 0;
    uint32_t region = 0;  // NextRegion: the one that follows
  };

  void indent(size_t depth) { out_.append(2 * depth, ' '); }
  void drain(OpNodeId top);
  void step(const Item& item);
  void op(OpNodeId id, size_t depth);
  void openRegions(OpNodeId id, size_t depth);
  void opEnd(const OpNode& op);
  void moreTail(const OpNode& op, uint32_t region);
  void block(const Item& item);
  void defs(const OpNode& op);
  void operands(Range uses);
  void generic(const OpNode& op);
  void genericEnd(const OpNode& op);
  void pretty(const OpNode& op);
  void prettySignature(const OpNode& op);
  void module(const OpNode& op, size_t depth);
  void function(const OpNode& op);
  void arguments(Range args);
  void functionResults(const OpNode& op);
  void attributes(std::string_view before, Range entries);
  void location(AttrId id);

  const SyntaxTree& tree_;
  std::string out_;
  ValuePrinter values_;
  bool locations_;
  std::vector<Item> stack_;
};

std::string Printer::run(OpNodeId op) {
  drain(op);
  return std::move(out_);
}

void Printer::drain(OpNodeId top) {
  stack_.push_back({.what = What::Op, .op = top, .block = {}});
  while (!stack_.empty()) {
    Item item = stack_.back();
    stack_.pop_back();
    step(item);
  }
}

void Printer::step(const Item& item) {
  switch (item.what) {
    case What::Op: return op(item.op, item.depth);
    case What::Block: return block(item);
    case What::NextRegion:
      indent(item.depth);
      if (hasTails(tree_.ops[item.op])) moreTail(tree_.ops[item.op], item.region - 1);
      out_ += hasTails(tree_.ops[item.op]) ? " {\n" : "}, {\n";
      return;
    case What::OpEnd: indent(item.depth); return opEnd(tree_.ops[item.op]);
  }
}

void Printer::op(OpNodeId id, size_t depth) {
  const OpNode& node = tree_.ops[id];
  indent(depth);
  defs(node);
  switch (node.form) {
    case OpForm::Generic: generic(node); break;
    case OpForm::Pretty:
    case OpForm::Return: pretty(node); break;
    case OpForm::Module: module(node, depth); break;
    case OpForm::Function: function(node); break;
  }
  if (node.regions.count > 0) return openRegions(id, depth);
  if (node.form == OpForm::Generic) genericEnd(node);
  location(node.location);
  out_ += '\n';
}

void Printer::openRegions(OpNodeId id, size_t depth) {
  const OpNode& node = tree_.ops[id];
  out_ += node.form == OpForm::Generic ? " ({\n" : " {\n";
  const size_t base = stack_.size();
  for (uint32_t r = 0; r < node.regions.count; ++r) {
    if (r > 0) stack_.push_back({.what = What::NextRegion, .op = id, .block = {}, .depth = depth, .region = r});
    for (BlockId blockId : tree_.regions[tree_.regionLists[node.regions.first + r]].blocks) {
      stack_.push_back({.what = What::Block, .op = id, .block = blockId, .depth = depth});
    }
  }
  stack_.push_back({.what = What::OpEnd, .op = id, .block = {}, .depth = depth});
  std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(base), stack_.end());
}

void Printer::opEnd(const OpNode& node) {
  if (hasTails(node)) moreTail(node, node.regions.count - 1);
  else out_ += node.form == OpForm::Generic ? "})" : "}";
  if (node.form == OpForm::Generic) genericEnd(node);
  location(node.location);
  out_ += '\n';
}

// The end of a region of a pretty op, and the raw text behind it.
void Printer::moreTail(const OpNode& node, uint32_t region) {
  out_ += '}';
  if (region >= node.moreTails.count || tree_.labels[node.moreTails.first + region].empty()) return;
  out_ += ' ';
  appendNormalized(out_, tree_.labels[node.moreTails.first + region]);
}

void Printer::block(const Item& item) {
  const Block& node = tree_.blocks[item.block];
  if (!node.label.empty()) {
    indent(item.depth);
    out_ += '^';
    out_.append(node.label);
    const Range head = tree_.ops[item.op].args;  // of a function, or `(%a = %b)` of an op
    const bool inHead = head.count > 0 && head.first == node.args.first;
    if (node.args.count > 0 && !inHead) {
      out_ += '(';
      arguments(node.args);
      out_ += ')';
    }
    out_ += ":\n";
  }
  for (size_t i = node.ops.size(); i > 0; --i) {
    stack_.push_back({.what = What::Op, .op = node.ops[i - 1], .block = {}, .depth = item.depth + 1});
  }
}

void Printer::defs(const OpNode& node) {
  for (uint32_t i = 0; i < node.defs.count; ++i) {
    const Def& def = tree_.defs[node.defs.first + i];
    out_ += i > 0 ? ", %" : "%";
    out_.append(def.name);
    if (def.count != 1) out_ += ":" + std::to_string(def.count);
  }
  if (node.defs.count > 0) out_ += " = ";
}

void Printer::operands(Range uses) {
  for (uint32_t i = 0; i < uses.count; ++i) {
    const Use& use = tree_.uses[uses.first + i];
    out_ += i > 0 ? ", %" : "%";
    out_.append(use.name);
    if (use.number != 0) out_ += "#" + std::to_string(use.number);
  }
}

void Printer::attributes(std::string_view before, Range entries) {
  if (entries.count == 0) return;
  out_.append(before);
  values_.dictionary(entries);
}

void Printer::location(AttrId id) {
  if (!id.valid() || !locations_) return;
  out_ += ' ';
  values_.attr(id);
}

void Printer::generic(const OpNode& node) {
  appendQuoted(out_, node.name);
  out_ += '(';
  operands(node.uses);
  out_ += ')';
  for (uint32_t i = 0; i < node.successors.count; ++i) {
    out_ += i == 0 ? "[^" : ", ^";
    out_.append(tree_.labels[node.successors.first + i]);
  }
  if (node.successors.count > 0) out_ += ']';
  attributes(" <", node.properties);
  if (node.properties.count > 0) out_ += '>';
}

void Printer::genericEnd(const OpNode& node) {
  attributes(" ", node.attrs);
  out_ += " : (";
  values_.types(node.operandTypes);
  out_ += ") -> ";
  values_.outputs(node.resultTypes);
}

void Printer::pretty(const OpNode& node) {
  const bool returns = node.form == OpForm::Return;
  out_.append(returns ? std::string_view("return") : node.name);
  if (returns) attributes(" ", node.attrs);
  if (!node.head.empty()) {
    if (node.head.front() != '(') out_ += ' ';
    appendNormalized(out_, node.head);
  } else if (node.tail.empty() && node.symbols.count + node.uses.count > 0) {
    for (uint32_t i = 0; i < node.symbols.count; ++i) {
      out_ += i > 0 ? ", " : " ";
      values_.attr(tree_.attrLists[node.symbols.first + i]);
    }
    if (node.uses.count > 0) out_ += node.symbols.count > 0 ? ", " : " ";
    operands(node.uses);
  }
  if (!node.tail.empty()) {
    out_ += ' ';
    return appendNormalized(out_, node.tail);
  }
  if (!node.literal.valid()) {
    attributes(" <", node.properties);
    if (node.properties.count > 0) out_ += '>';
  }
  if (!returns) attributes(" ", node.attrs);
  if (node.literal.valid()) {
    out_ += ' ';
    values_.attr(node.literal);
    const Attr& literal = tree_.attrs[node.literal];
    if (literal.type.valid() && literal.kind != AttrKind::DenseArray) return;  // has said the type
  }
  prettySignature(node);
}

void Printer::prettySignature(const OpNode& node) {
  if (node.operandTypes.count + node.resultTypes.count == 0) return;
  size_t results = 0;
  for (uint32_t i = 0; i < node.defs.count; ++i) results += static_cast<size_t>(tree_.defs[node.defs.first + i].count);
  bool onlyResults = node.operandTypes.count == 0;
  Range bare = onlyResults ? node.resultTypes : node.operandTypes;
  bool reads = bareTypesAreResults(bare.count, node.uses.count, results) == onlyResults;
  // A function type at the front would read as the whole signature.
  bool functionFirst = tree_.types[tree_.typeLists[bare.first]].kind == TypeKind::Function;
  if ((onlyResults || node.resultTypes.count == 0) && reads && !functionFirst) {
    out_ += " : ";
    return values_.types(bare);
  }
  out_ += " : (";
  values_.types(node.operandTypes);
  out_ += ") -> ";
  values_.outputs(node.resultTypes);
}

void Printer::module(const OpNode& node, size_t depth) {
  out_.append(node.name == "builtin.module" && depth == 0 ? std::string_view("module") : node.name);
  if (!node.symbol.empty()) {
    out_ += ' ';
    values_.symbol(node.symbol);
  }
  attributes(" attributes ", node.attrs);
}

void Printer::function(const OpNode& node) {
  out_.append(node.name);
  out_ += ' ';
  if (!node.visibility.empty()) {
    out_.append(node.visibility);
    out_ += ' ';
  }
  values_.symbol(node.symbol);
  out_ += '(';
  arguments(node.args);
  out_ += ')';
  functionResults(node);
  attributes(" attributes ", node.attrs);
}

void Printer::arguments(Range args) {
  for (uint32_t i = 0; i < args.count; ++i) {
    const BlockArg& arg = tree_.blockArgs[args.first + i];
    if (i > 0) out_ += ", ";
    if (!arg.name.empty()) {
      out_ += '%';
      out_.append(arg.name);
      out_ += ": ";
    }
    values_.type(arg.type);
    attributes(" ", arg.attrs);
    location(arg.location);
  }
}

void Printer::functionResults(const OpNode& node) {
  if (node.resultTypes.count == 0) return;
  out_ += " -> ";
  auto entries = [&](uint32_t i) {
    AttrId attrs = i < node.resultAttrs.count ? tree_.attrLists[node.resultAttrs.first + i] : AttrId{};
    return attrs.valid() ? tree_.attrs[attrs].entries : Range{};
  };
  bool plain = node.resultTypes.count == 1 && entries(0).count == 0;
  if (plain) return values_.outputs(node.resultTypes);
  out_ += '(';
  for (uint32_t i = 0; i < node.resultTypes.count; ++i) {
    if (i > 0) out_ += ", ";
    values_.type(tree_.typeLists[node.resultTypes.first + i]);
    attributes(" ", entries(i));
  }
  out_ += ')';
}

}  // namespace

std::string printOp(const SyntaxTree& tree, OpNodeId op, bool locations) { return Printer(tree, locations).run(op); }

}  // namespace tessera::text

#pragma once
// A parsed text together with everything its views point into.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/text/syntax.h"
#include "tests/text/print_text.h"

namespace tessera::text {

struct Parsed {
  std::unique_ptr<SourceBuffer> source;  // not moved: the tree's views point into it
  Diagnostics diags;
  SyntaxTree tree;

  // "line:column: message" of every diagnostic, one per line.
  std::string errors() const {
    std::string out;
    for (const Diagnostic& diagnostic : diags.all()) {
      LineColumn place = source->lineColumn(diagnostic.span.begin);
      out += std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + diagnostic.message + "\n";
    }
    return out;
  }
  const OpNode& op(int index) const { return tree.ops[OpNodeId{index}]; }
  const Attr& attr(AttrId id) const { return tree.attrs[id]; }
  // Of an op's properties or attributes.
  const Attr& attr(Range entries, std::string_view name) const { return tree.attrs[tree.find(entries, name)]; }
  const Type& operandType(const OpNode& op, uint32_t i) const {
    return tree.types[tree.typeLists[op.operandTypes.first + i]];
  }
  const Type& resultType(const OpNode& op, uint32_t i) const {
    return tree.types[tree.typeLists[op.resultTypes.first + i]];
  }
  const Use& use(const OpNode& op, uint32_t i) const { return tree.uses[op.uses.first + i]; }
  const Def& def(const OpNode& op, uint32_t i) const { return tree.defs[op.defs.first + i]; }
  const BlockArg& arg(Range args, uint32_t i) const { return tree.blockArgs[args.first + i]; }
  const Region& region(const OpNode& op, uint32_t i) const {
    return tree.regions[tree.regionLists[op.regions.first + i]];
  }
  const Block& block(const OpNode& op, uint32_t regionIndex, size_t i) const {
    return tree.blocks[region(op, regionIndex).blocks[i]];
  }
};

inline Parsed parse(std::string text, const ParseLimits& limits = {}) {
  Parsed parsed;
  parsed.source = std::make_unique<SourceBuffer>("test", std::move(text));
  parsed.tree = parseText(*parsed.source, parsed.diags, limits);
  return parsed;
}

inline Parsed parseClean(std::string text) {
  Parsed parsed = parse(std::move(text));
  EXPECT_EQ(parsed.errors(), "");
  return parsed;
}

// The attribute `text`, as the value of an alias.
inline Parsed parseAttribute(const std::string& text) { return parseClean("#it = " + text + "\n"); }
inline const Attr& attributeOf(const Parsed& parsed) { return parsed.tree.attrs[parsed.tree.aliases.at(0).attr]; }

// Prints, reads that again without a mistake and prints the same. Returns the print.
inline std::string expectStable(const Parsed& parsed) {
  std::string printed = printText(parsed.tree);
  Parsed again = parse(printed);
  EXPECT_EQ(again.errors(), "") << printed;
  EXPECT_EQ(printText(again.tree), printed);
  EXPECT_EQ(again.tree.ops.size(), parsed.tree.ops.size()) << printed;
  EXPECT_EQ(again.tree.uses.size(), parsed.tree.uses.size()) << printed;
  EXPECT_EQ(again.tree.namedAttrs.size(), parsed.tree.namedAttrs.size()) << printed;
  return printed;
}

}  // namespace tessera::text

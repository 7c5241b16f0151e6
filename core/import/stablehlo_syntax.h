#pragma once
// StableHLO as text: what the pretty forms of its ops say becomes the attributes of the generic form, older spellings
// become today's. Private to core/import. Source: openxla/stablehlo StablehloOps.td, AssemblyFormat.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/tree_reader.h"
#include "core/ir/graph.h"
#include "core/text/syntax.h"

namespace tessera {

// "stablehlo.add" of "mhlo.add", "chlo.erf" of "mhlo.erf", "func.return" of what ends a region; others as they are.
std::string_view stablehloName(std::string_view name);

// Attributes of the op, those in its tail among them. `attrs` holds what stands in its dictionaries.
void readStablehloAttrs(const text::OpNode& node, std::string_view name, TreeReader& reader, AttrList& attrs);

// Operand and result types where the pretty form leaves some out: `stablehlo.select ... : tensor<i1>, tensor<f32>`.
struct StablehloTypes {
  std::vector<text::TypeId> operands;  // empty: not said
  std::vector<text::TypeId> results;
};
StablehloTypes stablehloTypes(const text::SyntaxTree& tree, const text::OpNode& node, std::string_view name);

// What a region does to the two arguments of its only block, when that is one op: "stablehlo.add",
// "stablehlo.compare GT", or "first" and "second" when it gives one of them back. Empty: something else.
std::string simpleBody(const text::SyntaxTree& tree, text::RegionId region, TreeReader& reader);

// Element types of `tuple<...>`; nothing for other types.
std::optional<std::vector<ValueType>> tupleTypes(const ValueType& type);
// The types in a tuple and in tuples within it; of any other type it alone.
std::vector<ValueType> leafTypes(const ValueType& type);

}  // namespace tessera

// What the rules of single ops say when they do not hold, with both sides in numbers; and rules about lists of chips
// and of roles, which stand in texts.

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

// The message behind the op's name, or "" when the op is taken. Types are "4xf32 4xf32 -> 4xf32".
std::string saidOf(const std::string& op, const std::string& attrs, const std::string& types) {
  std::string arguments, uses, in, out;
  size_t operands = 0, results = 0;
  bool behind = false;
  std::istringstream words(types);
  for (std::string word; words >> word;) {
    if (word == "->") {
      behind = true;
    } else if (behind) {
      out += (results++ > 0 ? ", tensor<" : "tensor<") + word + ">";
    } else {
      const std::string name = "%a" + std::to_string(operands), comma = operands++ > 0 ? ", " : "";
      arguments += comma + name + ": tensor<" + word + ">";
      uses += comma + name;
      in += comma + "tensor<" + word + ">";
    }
  }
  const Imported imported =
      importText("func.func @f(" + arguments + ") {\n%0:" + std::to_string(results) + " = \"" + op + "\"(" + uses +
                 ") <{" + attrs + "}> : (" + in + ") -> (" + out + ")\nreturn\n}\n");
  for (const Diagnostic& d : imported.diags.all()) {
    if (d.severity != Severity::Error) continue;
    const size_t colon = d.message.find(": ");
    return colon == std::string::npos ? d.message : d.message.substr(colon + 2);
  }
  return "";
}

TEST(OpRuleWords, BothSidesAreSaidInNumbers) {
  const auto expect = [](const char* op, const char* attrs, const char* types, const std::string& said) {
    EXPECT_EQ(saidOf(op, attrs, types), said) << op << " <{" << attrs << "}> " << types;
  };
  expect("ttir.reverse", "dimensions = array<i64: 0, 1>", "2x3xf32 -> 2x3xf32", "");
  expect("ttir.reverse", "dimensions = array<i64: 1, 1>", "2x3xf32 -> 2x3xf32",
         "`distinct(dimensions)` does not hold: dimensions is array<i64: 1, 1>");
  expect("ttir.reverse", "dimensions = array<i64: 2>", "2x3xf32 -> 2x3xf32",
         "`max(dimensions) < rank(0)` does not hold: 2 and 2");
  expect("ttir.bitcast_convert", "", "2x3xf32 -> 2x3xsi32", "");
  expect("ttir.bitcast_convert", "", "2x3xf32 -> 2x3xbf16", "`bits(0) == bits(r0)` does not hold: 32 and 16");
  expect("ttir.get_dimension_size", "dimension = 1 : i32", "2x3xf32 -> 1xui32", "");
  expect("ttir.get_dimension_size", "dimension = 2 : i32", "2x3xf32 -> 1xui32",
         "`attr(dimension) < rank(0)` does not hold: 2 and 2");
  expect("ttir.embedding", "", "2x2x2xui32 8x4xf32 -> 2x2x2x4xf32", "`rank(0) <= 2` does not hold: 3 and 2");
  expect("ttir.conv1d", "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 0 : i32",
         "1x8x4xbf16 6x4x3xbf16 -> 1x6x6xbf16", "`attr(groups) > 0` does not hold: 0 and 0");
}

// A rule without a comparison says what it looked at.
TEST(OpRuleWords, WhatARuleSpeaksOfIsSaid) {
  EXPECT_EQ(saidOf("ttnn.assign", "", "2x3xf32 -> 2x3xbf16"),
            "`same_type(0,r0)` does not hold: operand 0 is `tensor<2x3xf32>`, result 0 is `tensor<2x3xbf16>`");
  EXPECT_EQ(saidOf("ttir.gather", "dim = 0 : i32", "4x6xf32 4x3xui32 -> 4x2xf32"),
            "`has(dim) -> same_shape(1,r0)` does not hold: operand 1 is `tensor<4x3xui32>`, result 0 is "
            "`tensor<4x2xf32>`");
  EXPECT_EQ(saidOf("ttir.gelu_bw", "approximate = \"erf\"", "2x3xf32 2x3xf32 -> 2x3xf32"),
            "`says(approximate,none) or says(approximate,tanh)` does not hold: approximate is \"erf\"");
}

// "in,in,out": a word per operand, inputs first, an output for every result.
TEST(OpRuleWords, RolesOfAKernelsArguments) {
  const auto fits = [](const std::string& roles, const std::string& types) {
    return saidOf("ttnn.tt_lang_op", "arg_roles = \"" + roles + "\"", types).empty();
  };
  const std::string three = "2x3xf32 2x3xf32 2x3xf32 -> 2x3xf32", two = "2x3xf32 2x3xf32 -> 2x3xf32 2x3xf32";
  EXPECT_TRUE(fits("in,in,out", three));
  EXPECT_FALSE(fits("in,out,in", three)) << "inputs come first";
  EXPECT_FALSE(fits("out,in,in", three));
  EXPECT_FALSE(fits("in,in,in", three)) << "no output";
  EXPECT_FALSE(fits("in,out,out", three)) << "one result";
  EXPECT_FALSE(fits("in,out", three)) << "an operand without a word";
  EXPECT_FALSE(fits("in,in,in,out", three));
  EXPECT_TRUE(fits("out,out", two));
  EXPECT_FALSE(fits("in,out", two)) << "two results";
}

TEST(OpRuleWords, ListsOfChips) {
  const auto pairs = [](const std::string& list, int count) {
    return saidOf("ttir.collective_permute",
                  "source_target_pairs = dense<" + list + "> : tensor<" + std::to_string(count) + "x2xi64>",
                  "2x3xf32 -> 2x3xf32")
        .empty();
  };
  EXPECT_TRUE(pairs("[[0, 1], [1, 0]]", 2));
  EXPECT_TRUE(pairs("[[0, 1], [1, 2], [2, 0]]", 3));
  EXPECT_TRUE(pairs("[[3, 3]]", 1)) << "to itself";
  EXPECT_FALSE(pairs("[[0, 1], [0, 2]]", 2)) << "sent twice";
  EXPECT_FALSE(pairs("[[0, 1], [2, 1]]", 2)) << "received twice";
  EXPECT_FALSE(pairs("[[0, 1], [1, 2], [0, 3]]", 3)) << "the last of three";
  const auto groups = [](const std::string& list, const std::string& type) {
    return saidOf("ttir.collective_broadcast", "replica_groups = dense<" + list + "> : tensor<" + type + "xi64>",
                  "2x3xf32 -> 2x3xf32")
        .empty();
  };
  EXPECT_TRUE(groups("[[0, 1], [2, 3]]", "2x2"));
  EXPECT_TRUE(groups("[[3, 1], [0, 2]]", "2x2")) << "in any order";
  EXPECT_FALSE(groups("[[0, 1], [1, 2]]", "2x2")) << "one chip twice";
  EXPECT_FALSE(groups("[[0, 1], [2, 4]]", "2x2")) << "there is no chip 4";
  EXPECT_FALSE(groups("[[0, -1]]", "1x2"));
  EXPECT_FALSE(groups("[0, 1]", "2")) << "no groups";
}

}  // namespace
}  // namespace tessera

// Attention spelled out, in every combination of mask, scale and orientation of the keys: one op that gives the same.

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

struct Spelled {
  std::string mask;   // "2x4x6x5", "" for none
  std::string scale;  // "multiply" or "div" by two, "" for none
  bool permutedKey = false;
  bool maskFirst = false;  // the sum's first operand
};

// Two batches of four heads, six queries of eight numbers, five keys.
std::string spelledOut(const Spelled& s) {
  const std::string q = "tensor<2x4x6x8xf32>", k = "tensor<2x4x5x8xf32>", t = "tensor<2x4x8x5xf32>",
                    w = "tensor<2x4x6x5xf32>", two = "tensor<1x1x1x1xf32>", m = "tensor<" + s.mask + "xf32>";
  std::string body, key = "%k", now = "%p";
  if (s.permutedKey) {
    body += "  %t = \"ttir.permute\"(%k) <{permutation = array<i64: 0, 1, 3, 2>}> : (" + k + ") -> " + t + "\n";
    key = "%t";
  }
  body += "  %p = \"ttir.matmul\"(%q, " + key +
          ") <{transpose_a = false, transpose_b = " + (s.permutedKey ? "false" : "true") + "}> : (" + q + ", " +
          (s.permutedKey ? t : k) + ") -> " + w + "\n";
  if (!s.scale.empty()) {
    body += "  %two = \"ttir.full\"() <{fill_value = 2.0 : f32, shape = array<i32: 1, 1, 1, 1>}> : () -> " + two +
            "\n  %s = \"ttir." + s.scale + "\"(%p, %two) : (" + w + ", " + two + ") -> " + w + "\n";
    now = "%s";
  }
  if (!s.mask.empty()) {
    body += "  %b = \"ttir.add\"(" + (s.maskFirst ? "%m, " + now : now + ", %m") + ") : (" +
            (s.maskFirst ? m + ", " + w : w + ", " + m) + ") -> " + w + "\n";
    now = "%b";
  }
  body += "  %x = \"ttir.softmax\"(" + now + ") <{dimension = 3 : si32, numericStable = true}> : (" + w + ") -> " + w +
          "\n  %r = \"ttir.matmul\"(%x, %v) <{transpose_a = false, transpose_b = false}> : (" + w + ", " + k + ") -> " +
          q + "\n";
  return "func.func @main(%q: " + q + ", %k: " + k + ", %v: " + k + (s.mask.empty() ? "" : ", %m: " + m) + ") -> " + q +
         " {\n" + body + "  return %r : " + q + "\n}\n";
}

int attentionsIn(const Spelled& s) {
  LoweringSetup setup;
  const std::string text = spelledOut(s);
  SCOPED_TRACE(text);
  const Graph graph = graphOfText(text);
  const LoweringResult result = passOn("ttir-fusing", graph, setup);
  const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 5, 1e-4);
  EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(result.graph);
  return countOps(result.graph)["ttir.scaled_dot_product_attention"];
}

TEST(AttentionPatterns, EveryMaskThatBroadcastsOverBatchHeadsAndQueriesFits) {
  for (const std::string mask :
       {"", "2x4x6x5", "1x4x6x5", "2x1x6x5", "2x4x1x5", "1x1x6x5", "2x1x1x5", "1x4x1x5", "1x1x1x5"}) {
    for (const std::string scale : {"", "multiply", "div"}) {
      if (scale.empty() && mask == "1x1x1x5") continue;  // the bias of a linear layer
      for (bool permuted : {false, true}) EXPECT_EQ(attentionsIn({mask, scale, permuted, permuted}), 1) << mask;
    }
  }
}

TEST(AttentionPatterns, AMaskThatIsTheSameForAllKeysDoesNot) {
  for (const char* mask : {"2x4x6x1", "1x1x6x1", "1x1x1x1"})
    EXPECT_EQ(attentionsIn({mask, "", false, false}), 0) << mask;
}

}  // namespace
}  // namespace tessera::test

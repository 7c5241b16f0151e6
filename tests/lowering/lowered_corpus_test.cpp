// Real dumps after all passes before the optimizer: nothing of TTIR is left, nothing is opaque, and ops are counted by
// kind.

#include <cstdio>

#include "core/ir/functions.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

LoweringResult loweredCorpus(const std::string& name, const LoweringSetup& setup) {
  return lower(graphOfText(readFile(sharedFolder() / "corpus" / name)), setup.context);
}

// Ops of the forward function; what const-eval took out does not run.
std::map<std::string, int> countForward(const Graph& graph) {
  std::map<std::string, int> counts;
  for (OpId op : graph.funcs[graph.forward].ops) ++counts[graph.ops[op].name];
  return counts;
}

TEST(LoweredCorpus, NothingOfTtirIsLeft) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  for (const auto& path : test::sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    LoweringResult lowered = lower(graphOfText(readFile(path)), setup.context);
    EXPECT_FALSE(hasOpsOf(lowered.graph, "ttir."));
    for (const auto& [name, count] : countOps(lowered.graph)) EXPECT_NE(opKindFromName(name), OpKind::Opaque) << name;
    for (const Value& value : lowered.graph.values) {
      if (!value.func.valid() || !value.type.isTensor()) continue;
      EXPECT_TRUE(value.type.tensor->layout.has_value()) << "%" << value.name;
    }
  }
}

// Every op of the source has descendants, or was read by nothing, or is a constant that was folded or merged away.
TEST(LoweredCorpus, OpsAreFollowedThroughThePasses) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  Graph source = graphOfText(readFile(sharedFolder() / "corpus" / "resnet50_xla.mlir"));
  LoweringResult lowered = lower(source, setup.context);
  auto went = descendants(lowered.graph, source.ops.size());
  int norms = 0, followed = 0;
  for (OpId op : source.ops.ids()) {
    if (source.ops[op].kind != OpKind::TtirBatchNormInference) continue;
    ++norms;
    followed += went[static_cast<size_t>(op.index)].empty() ? 0 : 1;
  }
  EXPECT_EQ(norms, 53);
  EXPECT_EQ(followed, 53);
}

// The batch norms are in the convolutions' weights and biases; the reshapes that are left move data or feed something
// that does.
TEST(LoweredCorpus, ResNetIsConvolutionsAndLittleElse) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  std::map<std::string, int> counts = countForward(loweredCorpus("resnet50_xla.mlir", setup).graph);
  for (const auto& [name, count] : counts) std::printf("        %3d %s\n", count, name.c_str());
  EXPECT_EQ(counts["ttnn.conv2d"], 53);
  EXPECT_EQ(counts["ttnn.batch_norm_inference"], 0);
  EXPECT_EQ(counts["ttnn.max_pool2d"], 1);
  EXPECT_LE(counts["ttnn.reshape"], 4);
  EXPECT_LE(counts["ttnn.permute"], 2);
}

// A second time there is nothing left to do.
TEST(LoweredCorpus, LoweringALoweredGraphChangesNoOp) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  Graph once = loweredCorpus("llama_3_2_1b_decode_block.mlir", setup).graph;
  EXPECT_EQ(countOps(lower(once, setup.context).graph), countOps(once));
}

}  // namespace
}  // namespace tessera::test

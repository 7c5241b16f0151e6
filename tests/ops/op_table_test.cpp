// The op table: names, families, roles, flags.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/ops/table/op_table.h"

namespace tessera {
namespace {

TEST(OpTable, EveryNameIsFound) {
  for (const OpInfo& info : allOps()) {
    EXPECT_EQ(&opInfo(info.kind), &info);
    if (info.kind == OpKind::Opaque) continue;
    EXPECT_EQ(opKindFromName(info.name), info.kind) << info.name;
  }
  for (std::string_view name : {"", "ttir", "ttir.", "ttir.addd", "ttir.ad", "zzz.zzz", "\xff", "ttnn.Add"}) {
    EXPECT_EQ(opKindFromName(name), OpKind::Opaque) << name;
  }
  EXPECT_EQ(opKindFromName("ttir.add"), OpKind::TtirAdd);
  EXPECT_EQ(opKindFromName("ttnn.to_memory_config"), OpKind::TtnnToMemoryConfig);
}

TEST(OpTable, FamiliesHaveTitles) {
  EXPECT_EQ(familyName(Family::Matmul), "Matmul");
  EXPECT_EQ(allFamilyTitles()[static_cast<size_t>(Family::Matmul)], "Matrix multiplication");
  std::set<std::string_view> titles(allFamilyTitles().begin(), allFamilyTitles().end());
  EXPECT_EQ(titles.size(), allFamilyTitles().size());
  EXPECT_EQ(allFamilyTitles().size(), static_cast<size_t>(Family::Return) + 1);
}

// ttnn-optimizer.md 3.2.3, spelled out once more; and the TTIR ops of the same names.
TEST(OpTable, ShardableOpsAreThoseOfTheSpec) {
  std::set<std::string> wanted;
  for (const char* name : {"conv2d", "conv_transpose2d", "add", "multiply", "relu", "relu6", "typecast", "silu",
                           "matmul", "linear", "minimum", "rms_norm", "rotary_embedding", "gelu"}) {
    wanted.insert(std::string("ttnn.") + name);
    wanted.insert(std::string("ttir.") + name);
  }
  std::set<std::string> seen;
  for (const OpInfo& info : allOps()) {
    if (info.has(kShardable)) seen.insert(std::string(info.name));
  }
  EXPECT_EQ(seen, wanted);
}

TEST(OpTable, FlagsMeanWhatTheySay) {
  for (const OpInfo& info : allOps()) {
    SCOPED_TRACE(std::string(info.name));
    EXPECT_EQ(info.has(kTerminator), info.kind == OpKind::FuncReturn);
    EXPECT_TRUE(!info.has(kHasMatmulConfig) || info.family == Family::Matmul);
    EXPECT_TRUE(!info.has(kHasConvConfig) || info.family == Family::Conv);
    EXPECT_TRUE(!info.has(kInPlace) || info.family == Family::KvCache || info.family == Family::Opaque);
    EXPECT_TRUE(!info.has(kDpsOutput) || info.name.substr(0, 5) == "ttir.");
    EXPECT_EQ(info.family == Family::ToLayout, info.has(kToLayout));
  }
}

// All families' files ask for the flag alone: a product, a sum and the older library's sum are the same kind of op.
TEST(OpTable, RunningReductionsAreMarked) {
  std::set<std::string> seen;
  for (const OpInfo& info : allOps()) {
    if (!info.has(kScan)) continue;
    EXPECT_EQ(info.family, Family::Reduction) << info.name;
    seen.insert(std::string(info.name));
  }
  const std::set<std::string> wanted = {"ttir.cumprod", "ttir.cumsum", "ttnn.cumprod", "ttnn.cumsum",
                                        "ttnn.moreh_cumsum"};
  EXPECT_EQ(seen, wanted);
}

TEST(OpTable, OperandBounds) {
  auto bounds = [](OpKind kind) {
    return std::make_pair(operandBounds(opInfo(kind)).least, operandBounds(opInfo(kind)).most);
  };
  EXPECT_EQ(bounds(OpKind::TtnnAdd), std::make_pair(2, 2));
  EXPECT_EQ(bounds(OpKind::TtirAdd), std::make_pair(2, 3));
  EXPECT_EQ(bounds(OpKind::TtirConcat), std::make_pair(0, -1));
  EXPECT_EQ(bounds(OpKind::TtnnConv2d), std::make_pair(2, 4));
  EXPECT_EQ(bounds(OpKind::TtirConstant), std::make_pair(0, 0));
  EXPECT_EQ(bounds(OpKind::Opaque), std::make_pair(0, -1));
}

TEST(OpTable, OperandRoles) {
  const OpInfo& linear = opInfo(OpKind::TtirLinear);
  EXPECT_EQ(operandRole(linear, 0, 2), "a");
  EXPECT_EQ(operandRole(linear, 1, 2), "b");
  EXPECT_EQ(operandRole(linear, 2, 3), "bias");
  EXPECT_EQ(operandRole(linear, 3, 4), "out");
  EXPECT_EQ(operandRole(linear, 4, 4), "");
  EXPECT_EQ(operandRole(linear, -1, 4), "");
  const OpInfo& concat = opInfo(OpKind::TtnnConcat);
  EXPECT_EQ(operandRole(concat, 5, 6), "inputs");
  const OpInfo& decode = opInfo(OpKind::TtnnScaledDotProductAttentionDecode);
  EXPECT_EQ(operandRole(decode, 2, 5), "value");
  EXPECT_EQ(operandRole(decode, 4, 5), "cur_pos");
  EXPECT_EQ(operandRole(opInfo(OpKind::TtnnChunkedScaledDotProductAttention), 4, 5), "chunk_start");
}

TEST(OpTable, MakesSpecs) {
  OpSpec spec = makeOp(OpKind::TtnnRelu, {ValueId{3}}, {});
  EXPECT_EQ(spec.name, "ttnn.relu");
  EXPECT_EQ(spec.kind, OpKind::TtnnRelu);
  EXPECT_EQ(spec.operands.size(), 1u);
}

}  // namespace
}  // namespace tessera

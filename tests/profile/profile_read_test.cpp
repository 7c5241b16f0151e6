// What is read of a profile's file: fields, numbers and their limits, names of programs.

#include <gtest/gtest.h>

#include "core/profile/csv.h"
#include "core/profile/profile.h"
#include "core/profile/profile_text.h"
#include "core/profile/program_names.h"

namespace tessera::test {
namespace {

CsvTable tableOf(const std::string& text) {
  CsvTable table;
  EXPECT_TRUE(parseCsv(text, table));
  return table;
}

TEST(Csv, QuotesCommentsAndEmptyLines) {
  const CsvTable table =
      tableOf("# a note, with a comma\na,b,c\r\n\n1,\"x,\"\"y\"\"\nz\",3\r\n# more\n4,5\"6\n7,8,9,10");
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"1", "x,\"y\"\nz", "3"}));
  EXPECT_EQ(table.rows[1], (std::vector<std::string>{"4", "5\"6"})) << "a quote within a field is one";
  EXPECT_EQ(table.text(1, "b"), "5\"6");
  EXPECT_EQ(table.text(1, "c"), "") << "the row is short";
  EXPECT_EQ(table.text(2, "c"), "9") << "what has no name is left out";
  EXPECT_EQ(table.text(0, "d"), "");
}

TEST(Csv, WithoutNamesThereIsNoTable) {
  CsvTable table;
  EXPECT_FALSE(parseCsv("", table));
  EXPECT_FALSE(parseCsv("# only\n# notes", table));
  EXPECT_FALSE(parseCsv("\n\r\n", table));
  EXPECT_TRUE(parseCsv("a", table));
}

TEST(Csv, AThousandFieldsAreTheMost) {
  const std::string thousand = "a" + std::string(999, ',');
  CsvTable table;
  EXPECT_TRUE(parseCsv(thousand, table));
  EXPECT_EQ(table.names.size(), 1000u);
  EXPECT_FALSE(parseCsv(thousand + ",", table));
}

// [0, 2^40], fractions cut off; no number is 0.
TEST(Csv, CountsAreCut) {
  const auto count = [](const std::string& field) { return tableOf("a\n" + field + "\n").count(0, "a"); };
  EXPECT_EQ(count("12"), 12);
  EXPECT_EQ(count("12.9"), 12);
  EXPECT_EQ(count("0.5"), 0);
  EXPECT_EQ(count("-3"), 0);
  EXPECT_EQ(count("1e3"), 1000);
  EXPECT_EQ(count("1099511627775"), 1099511627775);
  EXPECT_EQ(count("1099511627777"), 1099511627776);
  EXPECT_EQ(count("1e17"), 1099511627776);
  EXPECT_EQ(count("inf"), 0);
  EXPECT_EQ(count("1e300"), 0);
  EXPECT_EQ(count("nan"), 0);
  EXPECT_EQ(count("-1e300"), 0);
  EXPECT_EQ(count("many"), 0);
  EXPECT_EQ(tableOf("a\n-2.5\n").number(0, "a"), -2.5);
  EXPECT_EQ(tableOf("a\n1e18\n").number(0, "a"), 0.0);
  EXPECT_EQ(tableOf("a\n-1e18\n").number(0, "a"), 0.0);
}

TEST(ProfileText, NumbersBehindAKey) {
  using Numbers = std::vector<int64_t>;
  EXPECT_EQ(numbersAfter("stride=(3;4);pad=9", "stride="), (Numbers{3, 4})) << "`)` ends the list";
  EXPECT_EQ(numbersAfter("v([0; 2; 1])", "v("), (Numbers{0, 2, 1}));
  EXPECT_EQ(numbersAfter("grid=(x=8;y=7)", "grid="), (Numbers{8, 7}));
  EXPECT_EQ(numbersAfter("n=12a34", "n="), Numbers{12});
  EXPECT_EQ(numbersAfter("n=-3", "n="), Numbers());
  EXPECT_EQ(numbersAfter("m=3", "n="), Numbers());
  EXPECT_EQ(numbersAfter("n=1 n=2", "n="), Numbers{1}) << "the first key counts, and `n` ends its list";
  EXPECT_EQ(numbersAfter("n=1 2 3 4 5 6 7 8 9", "n="), (Numbers{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(numbersAfter("n=2147483639", "n="), Numbers{2147483639});
  EXPECT_LT(numbersAfter("n=99999999999999999999", "n=").at(0), int64_t{1} << 31);
  EXPECT_EQ(numberAfter("stride=(3;4)", "stride="), 3);
  EXPECT_FALSE(numberAfter("stride=none", "stride="));
  EXPECT_EQ(textAfter("a=1;a=2", "a="), "1;a=2");
  EXPECT_EQ(textAfter("a=1", "b="), "");
  EXPECT_EQ(lowerCase("AZaz09_[@`{"), "azaz09_[@`{");
}

// The first line of the table that fits names the op: `concatheads` is no `concat`, `reshard` no `reduce`.
TEST(ProfileNames, TheLongerNameComesFirst) {
  const auto kind = [](const std::string& name) { return profiledKind(name, ""); };
  EXPECT_EQ(kind("NLPConcatHeadsDecodeDeviceOperation"), OpKind::TtnnNlpConcatHeadsDecode);
  EXPECT_EQ(kind("NLPConcatHeadsDeviceOperation"), OpKind::TtnnConcatenateHeads);
  EXPECT_EQ(kind("ConcatDeviceOperation"), OpKind::TtnnConcat);
  EXPECT_EQ(kind("SdpaDecodeDeviceOperation"), OpKind::TtnnScaledDotProductAttentionDecode);
  EXPECT_EQ(kind("SDPAOperation"), OpKind::TtnnScaledDotProductAttention);
  EXPECT_EQ(kind("RotaryEmbeddingLlama"), OpKind::TtnnRotaryEmbeddingLlama);
  EXPECT_EQ(kind("RotaryEmbedding"), OpKind::TtnnRotaryEmbedding);
  EXPECT_EQ(kind("Embeddings"), OpKind::TtnnEmbedding);
  EXPECT_EQ(kind("PagedUpdateCacheDeviceOperation"), OpKind::TtnnPagedUpdateCache);
  EXPECT_EQ(kind("UpdateCacheDeviceOperation"), OpKind::TtnnUpdateCache);
  EXPECT_EQ(kind("UntilizeWithUnpadding"), OpKind::TtnnToLayout);
  EXPECT_EQ(kind("ReshardDeviceOperation"), OpKind::TtnnToMemoryConfig);
  EXPECT_EQ(kind("AllGatherMatmul"), OpKind::TtnnAllGather);
  EXPECT_EQ(kind("Nothing"), OpKind::Opaque);
}

// One program runs all binary functions, one all unary: the attributes say which.
TEST(ProfileNames, TheFunctionIsReadOffTheAttributes) {
  EXPECT_EQ(profiledKind("BinaryNg", "{'binary_op_type': 'BinaryOpType::MUL'}"), OpKind::TtnnMultiply);
  EXPECT_EQ(profiledKind("BinaryNg", "BinaryOpType::ADD;"), OpKind::TtnnAdd);
  EXPECT_EQ(profiledKind("BinaryNg", "BinaryOpType::RSUB"), OpKind::TtnnSubtract);
  EXPECT_EQ(profiledKind("BinaryNg", "BinaryOpType::LOGADDEXP2"), OpKind::TtnnMaximum) << "any of the family";
  EXPECT_EQ(profiledKind("Unary", "UnaryOpType::RELU"), OpKind::TtnnRelu);
  EXPECT_EQ(profiledKind("Unary", "UnaryOpType::RECIP"), OpKind::TtnnReciprocal);
  EXPECT_EQ(profiledKind("Unary", "UnaryOpType::LOG1P;"), OpKind::TtnnLog1p) << "digits belong to the name";
  EXPECT_EQ(profiledKind("Unary", ""), OpKind::TtnnSign);
  EXPECT_EQ(profiledKind("Unary", "BinaryOpType::ADD"), OpKind::TtnnSign);
}

ProfiledProgram programOf(const std::string& names, const std::string& row) {
  const Profile profile = readProfile("OP CODE,DEVICE ID,DEVICE FW DURATION [ns]," + names + "\n" + row + "\n");
  EXPECT_EQ(profile.problem, "");
  return profile.programs.empty() ? ProfiledProgram() : profile.programs[0];
}

TEST(ProfileRows, AKernelsTimeBeforeTheFirmwares) {
  EXPECT_EQ(programOf("DEVICE KERNEL DURATION [ns]", "Add,0,30,20").nanoseconds, 20);
  EXPECT_EQ(programOf("DEVICE KERNEL DURATION [ns]", "Add,0,30,").nanoseconds, 30);
  EXPECT_EQ(programOf("CORE COUNT", "Add,0,30,56").cores, 56);
}

TEST(ProfileRows, PartsAreNamedByTheirBeginning) {
  for (const char* name : {"HaloDeviceOperation", "MoveDeviceOperation", "PaddedSliceX", "SliceWriteX"})
    EXPECT_TRUE(programOf("A", std::string(name) + ",0,1,").part) << name;
  for (const char* name : {"SliceDeviceOperation", "RemoveX", "Matmul"})
    EXPECT_FALSE(programOf("A", std::string(name) + ",0,1,").part) << name;
  EXPECT_EQ(programOf("A", "OptimizedConvNew,0,1,").kind, OpKind::TtnnConv2d);
  EXPECT_EQ(programOf("A", "Conv2dX,0,1,").kind, OpKind::TtnnConv2d);
  EXPECT_EQ(programOf("A", "Pool2D,0,1,").kind, OpKind::TtnnMaxPool2d);
}

TEST(ProfileRows, TheLogicalShapeWithoutLeadingOnes) {
  using Shape = std::vector<int64_t>;
  const std::string padded =
      "OUTPUT_0_W_PAD[LOGICAL],OUTPUT_0_Z_PAD[LOGICAL],OUTPUT_0_Y_PAD[LOGICAL],OUTPUT_0_X_PAD[LOGICAL]";
  EXPECT_EQ(programOf(padded, "Add,0,1,1[1],3[3],32[19],64[50]").shape, (Shape{3, 19, 50}));
  EXPECT_EQ(programOf("OUTPUT_0_W,OUTPUT_0_Z,OUTPUT_0_Y,OUTPUT_0_X", "Add,0,1,2,1,1,8").shape, (Shape{2, 1, 1, 8}));
  EXPECT_EQ(programOf(padded, "Add,0,1,1[1],1[1],1[1],1[1]").shape, Shape{1}) << "the last dim stays";
  EXPECT_EQ(withoutLeadingOnes({1, 1, 7}), Shape{7});
  EXPECT_EQ(withoutLeadingOnes({}), Shape{});
}

TEST(ProfileRows, TheMemoryInTheModelsWords) {
  const auto memory = [](const std::string& text) { return programOf("OUTPUT_0_MEMORY", "Add,0,1," + text).memory; };
  EXPECT_EQ(memory("DEV_1_L1_HEIGHT_SHARDED"), "l1 height_sharded");
  EXPECT_EQ(memory("DEV_0_L1_WIDTH_SHARDED"), "l1 width_sharded");
  EXPECT_EQ(memory("DEV_0_L1_BLOCK_SHARDED"), "l1 block_sharded");
  EXPECT_EQ(memory("DEV_0_DRAM_INTERLEAVED"), "dram interleaved");
  EXPECT_EQ(memory("DEV_0_DRAM"), "dram");
  EXPECT_EQ(memory(""), "");
}

// Of the first device that ran anything.
TEST(ProfileRows, OneDeviceIsRead) {
  const Profile profile =
      readProfile("OP CODE,DEVICE ID,DEVICE FW DURATION [ns]\nAdd,4,0\nAdd,7,5\nAdd,4,6\nAdd,7,8\n");
  ASSERT_EQ(profile.programs.size(), 2u);
  EXPECT_EQ(profile.programs[0].nanoseconds, 5);
  EXPECT_EQ(profile.programs[1].nanoseconds, 8);
  EXPECT_EQ(profile.otherRows, 2);
  EXPECT_EQ(profile.time(), 13);
}

}  // namespace
}  // namespace tessera::test

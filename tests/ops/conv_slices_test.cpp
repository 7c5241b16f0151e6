// Convolutions from DRAM in slices of the image: what one slice needs of L1, how many are made, what they cost.

#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

// 3x3, 64 to 64 channels, same padding, an image of so many rows and columns.
Asked conv(int64_t height, int64_t width, const std::string& slices, const Where& in = kInDram,
           const Where& out = kInDram) {
  const int64_t positions = height * width;
  AttrList attrs = {{"batch_size", intAttr(1, "i32")},
                    {"dilation", intArrayAttr({1, 1}, "i32")},
                    {"groups", intAttr(1, "i32")},
                    {"in_channels", intAttr(64, "i32")},
                    {"input_height", intAttr(height, "i32")},
                    {"input_width", intAttr(width, "i32")},
                    {"kernel_size", intArrayAttr({3, 3}, "i32")},
                    {"out_channels", intAttr(64, "i32")},
                    {"padding", intArrayAttr({1, 1, 1, 1}, "i32")},
                    {"stride", intArrayAttr({1, 1}, "i32")}};
  if (!slices.empty()) attrs.push_back({"conv2d_slice_config", rawAttr("#ttnn.conv2d_slice_config<" + slices + ">")});
  return Asked(*findDevice("n150"), OpKind::TtnnConv2d, {{{1, 1, positions, 64}, in}, {{64, 64, 3, 3}, kInDram}},
               {{{1, 1, positions, 64}, out}}, std::move(attrs));
}

int64_t l1Of(const Asked& asked) { return asked.constraints().peakL1MemorySize.count; }

TEST(ConvSlices, AnImageBeyondL1RunsInSlicesOnly) {
  EXPECT_EQ(conv(1600, 1600, "").verdict().status, OpStatus::OutOfMemory);
  EXPECT_EQ(conv(1600, 1600, "l1_full, 0").verdict().status, OpStatus::OutOfMemory);
  for (const char* slices : {"dram_height, 0", "dram_width, 0", "dram_height, 40", "dram_width, 40"})
    EXPECT_TRUE(conv(1600, 1600, slices).verdict().ok()) << slices;
  EXPECT_EQ(conv(1600, 1600, "dram_height, 2").verdict().status, OpStatus::OutOfMemory);
}

// The first number of slices that fits is taken, though a larger one may need more L1: another sharding of a slice may
// take less in its programs and more in copies.
TEST(ConvSlices, AsFewAsFit) {
  for (const auto& [kind, side] :
       {std::pair("dram_height", 1600), std::pair("dram_width", 1600), std::pair("dram_width", 2600)}) {
    const auto cut = [kind = kind, side = side](int64_t slices) {
      return conv(side, side, std::string(kind) + ", " + std::to_string(slices));
    };
    const Asked chosen = cut(0);
    const int64_t allowed = chosen.device.usableL1().count / 20 * 19;
    int64_t count = 1;
    while (l1Of(cut(count)) > allowed) ++count;
    EXPECT_GT(count, 5) << kind;
    EXPECT_LT(count, 40) << kind;
    EXPECT_EQ(l1Of(chosen), l1Of(cut(count))) << kind;
    EXPECT_EQ(chosen.time().total(), cut(count).time().total()) << kind << " of " << side;
    EXPECT_GT(cut(2 * count).time().total(), cut(count).time().total()) << kind;
  }
}

// A number of slices that takes P bytes is taken while P is 95 % of L1, and not when it is a little more.
TEST(ConvSlices, SlicesMayFillNinetyFivePerCentOfL1) {
  Asked chosen = conv(1600, 1600, "dram_height, 0");
  const int64_t takes = l1Of(chosen);
  chosen.device.l1UnreservedBase = Bytes(0);
  chosen.device.l1Small = Bytes(0);
  chosen.device.l1Size = Bytes((takes + 18) / 19 * 20);  // 95 % of it: P, and at most 18 bytes more
  EXPECT_EQ(l1Of(chosen), takes);
  const int64_t usable = chosen.device.l1Size.count;
  chosen.device.l1Size = Bytes(usable - 20);  // 19 bytes less are allowed
  EXPECT_GT(takes, chosen.device.l1Size.count / 20 * 19);
  EXPECT_LT(takes, chosen.device.l1Size.count) << "all of L1 would do";
  EXPECT_LE(l1Of(chosen), chosen.device.l1Size.count / 20 * 19);
}

// One slice is the whole image; more than there are rows are as many as rows.
TEST(ConvSlices, TheEnds) {
  EXPECT_EQ(l1Of(conv(64, 64, "dram_height, 1")), l1Of(conv(64, 64, "")));
  EXPECT_EQ(conv(64, 64, "dram_height, 1").time().total(), conv(64, 64, "").time().total());
  EXPECT_EQ(conv(64, 64, "dram_height, 0").time().total(), conv(64, 64, "").time().total());
  EXPECT_EQ(conv(64, 64, "dram_height, 64").time().total(), conv(64, 64, "dram_height, 9000").time().total());
}

TEST(ConvSlices, FromDramToDramOnly) {
  EXPECT_EQ(conv(64, 64, "dram_height, 2", kInL1).verdict().reason, Refusal::InputMustBeDramInterleaved);
  EXPECT_EQ(conv(64, 64, "dram_width, 2", kInDram, kInL1).verdict().reason, Refusal::OutputMustBeDramInterleaved);
  EXPECT_TRUE(conv(64, 64, "l1_full, 0", kInL1, kInL1).verdict().ok());
}

}  // namespace
}  // namespace tessera::test

// What changed between two releases of the device library. Sources: tt-metal eltwise/unary, normalization/layernorm;
// tt-mlir TestOpModelLib.cpp of 2025-11.

#include "core/driver/pipeline.h"
#include "tests/ops/asking.h"

namespace tessera::test {
namespace {

DeviceSpec at(LibraryRelease release) {
  DeviceSpec device = *findDevice("n150");
  device.library = release;
  return device;
}
const DeviceSpec kOld = at(LibraryRelease::R2025_11), kNew = at(LibraryRelease::R2026_04);

TEST(LibraryRelease, NamesAreReadBack) {
  for (LibraryRelease release : {LibraryRelease::R2025_11, LibraryRelease::R2026_04})
    EXPECT_EQ(parseEnum(kLibraryReleases, enumId(kLibraryReleases, release)), release);
  EXPECT_FALSE(parseEnum(kLibraryReleases, "2024-01"));
  for (const DeviceSpec& device : allDevices())
    EXPECT_EQ(device.library, LibraryRelease::R2025_11) << "the release of the published answers";
}

TEST(LibraryRelease, ResultsOfUnaryOpsMayLieElsewhere) {
  const Shape tall = {28672, 32};
  auto relu = [&](const DeviceSpec& device, const Where& in, const Where& out) {
    return Asked(device, OpKind::TtnnRelu, {{tall, in}}, {{tall, out}}).verdict();
  };
  for (auto [in, out] : {std::pair{kInL1, heightOver(64)}, std::pair{heightOver(64), kInL1}}) {
    OpVerdict refused = relu(kOld, in, out);
    EXPECT_EQ(refused.reason, Refusal::LayoutChangeBefore2026);
    EXPECT_NE(verdictText(refused).find("2025-11"), std::string::npos) << "the refusal says the release";
    EXPECT_TRUE(relu(kNew, in, out).ok());
    EXPECT_FALSE(Asked(kNew, OpKind::TtnnTypecast, {{tall, in}}, {{tall, out}}).verdict().ok())
        << "still stored as the operand is";
  }
}

TEST(LibraryRelease, BuffersOfSumsAndNorms) {
  const Shape wide = {64, 1024}, narrow = {1, 64, 64, 64}, weights = {64};
  auto buffers = [](const DeviceSpec& device, OpKind kind, const std::vector<Tensor>& operands, const Shape& shape) {
    return Asked(device, kind, operands, {{shape, kInDram}}).buffers();
  };
  EXPECT_EQ(buffers(kOld, OpKind::TtnnSum, {{wide, kInDram}}, {64, 1}), 12'288);
  EXPECT_EQ(buffers(kNew, OpKind::TtnnSum, {{wide, kInDram}}, {64, 1}), 10'240);
  // Two tiles wide: rows of two in blocks of two, then rows of eight in one block.
  EXPECT_EQ(buffers(kOld, OpKind::TtnnRmsNorm, {{narrow, kInDram}}, narrow), 45'056);
  EXPECT_EQ(buffers(kNew, OpKind::TtnnRmsNorm, {{narrow, kInDram}}, narrow), (8 + 2 + 2 + 8 + 2 + 8 + 16) * 2048);
  // Rows of shards are as long as the shards in both.
  const Tensor shards = {{64, 64}, blockOver(2, 1)};
  EXPECT_EQ(Asked(kNew, OpKind::TtnnRmsNorm, {shards}, {shards}).bufferText(),
            Asked(kOld, OpKind::TtnnRmsNorm, {shards}, {shards}).bufferText());
  // Wide rows are blocks of eight in both.
  EXPECT_EQ(buffers(kOld, OpKind::TtnnRmsNorm, {{wide, kInDram}}, wide),
            buffers(kNew, OpKind::TtnnRmsNorm, {{wide, kInDram}}, wide));
  Asked exact(kNew, OpKind::TtnnRmsNorm, {{narrow, kInDram}}, {{narrow, kInDram}});
  OpQuery query = exact.query({{}, true});
  EXPECT_EQ(exact.model().getOpConstraints(query).cbL1PeakSize.count, (4 + 2 + 2 + 4 + 2 + 8 + 8) * 2048)
      << "half as many tiles of 32 bits";
}

TEST(LibraryRelease, TheOptionReachesThePlan) {
  const char* text = R"(func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x1xbf16> {
  %0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<2048x2048xbf16>) -> tensor<2048x1xbf16>
  return %0 : tensor<2048x1xbf16>
})";
  Session session;
  session.load("sum.mlir", text);
  auto buffers = [&](const char* release) {
    Options options;
    Diagnostics diags;
    EXPECT_TRUE(setOption(options, "library-release", release, diags));
    auto finished = runPolicy(session, options, diags);
    int64_t most = 0;
    EXPECT_TRUE(finished->report.run.has_value());
    if (!finished->report.run) return most;
    for (const SimStep& step : finished->report.run->program->sim.steps)
      most = std::max(most, step.constraints.cbL1PeakSize.count);
    return most;
  };
  EXPECT_EQ(buffers("2025-11") - buffers("2026-04"), 2048);
}

}  // namespace
}  // namespace tessera::test

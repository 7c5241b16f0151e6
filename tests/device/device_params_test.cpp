// Our device table against the published parameter file, number by number.

#include <gtest/gtest.h>

#include <cmath>

#include "core/device/device_spec.h"
#include "core/support/json_value.h"
#include "tests/files.h"

namespace tessera {
namespace {

class DeviceParams : public testing::Test {
 protected:
  void SetUp() override {
    const std::string text = test::readFile(test::sharedFolder() / "data/device/device_params.json");
    if (text.empty()) GTEST_SKIP() << "skipped: no device_params.json at " << test::sharedFolder();
    Diagnostics diags;
    document_ = JsonDocument::parse(SourceBuffer("device_params.json", text), diags);
    ASSERT_FALSE(diags.hasErrors());
  }

  JsonValue arch(Arch which) const { return document_.root().get(archName(which)); }
  static int64_t integer(JsonValue value) {
    EXPECT_TRUE(value.asInteger().has_value());
    return value.asInteger().value_or(-1);
  }
  // The file writes grids as (columns, rows).
  static GridShape grid(JsonValue value) {
    return {static_cast<int32_t>(integer(value.at(1))), static_cast<int32_t>(integer(value.at(0)))};
  }

  JsonDocument document_;
};

TEST_F(DeviceParams, Chips) {
  for (const DeviceSpec& spec : allDevices()) {
    SCOPED_TRACE(std::string(spec.id));
    const JsonValue chip = arch(spec.arch);
    EXPECT_EQ(spec.l1Size.count, integer(chip.get("l1_bytes")));
    EXPECT_EQ(spec.l1Alignment, integer(chip.get("l1_align")));
    EXPECT_EQ(spec.dramAlignment, integer(chip.get("dram_align")));
    EXPECT_EQ(spec.dramBankSize.count, integer(chip.get("dram_bank_bytes")));
    EXPECT_EQ(spec.clockMhz, std::llround(chip.get("aiclk_ghz").asNumber().value_or(0) * 1000));
    EXPECT_EQ(spec.nocBytesPerClock, integer(chip.get("noc_bytes_per_clk")));
    EXPECT_EQ(spec.dispatch.count, integer(document_.root().get("program_dispatch_ns_trace").get(archName(spec.arch))));
    const JsonValue boards = chip.get("boards");
    const bool p100 = spec.id == "p100";
    EXPECT_EQ(spec.dramBanks, integer(p100 ? boards.get("p100a").get("dram_banks") : chip.get("dram_banks")));
  }
}

TEST_F(DeviceParams, DramBandwidth) {
  const JsonValue measured = document_.root().get("measured_aggregate_dram_bytes_per_clk");
  const auto rounded = [](JsonValue value) { return std::llround(value.asNumber().value_or(0)); };
  for (const DeviceSpec& spec : allDevices()) {
    SCOPED_TRACE(std::string(spec.id));
    const JsonValue figures = measured.get(archName(spec.arch));
    const bool wormhole = spec.arch == Arch::WormholeB0;
    const auto read = rounded(figures.get(wormhole ? "interleaved_read_64c_noc0" : "interleaved_read_110c_noc0"));
    const auto write = rounded(figures.get(wormhole ? "interleaved_write_64c_noc1" : "interleaved_write_110c_noc1"));
    if (spec.id == "p100") {  // from profiled kernels: between 7/8 of the 8-bank figures and those
      EXPECT_GE(spec.dramReadBytesPerClock * 8, read * 7);
      EXPECT_LE(spec.dramReadBytesPerClock, read);
      EXPECT_GE(spec.dramWriteBytesPerClock * 8, write * 7);
      EXPECT_LE(spec.dramWriteBytesPerClock, write);
      continue;
    }
    EXPECT_EQ(spec.dramReadBytesPerClock, read);
    EXPECT_EQ(spec.dramWriteBytesPerClock, write);
  }
}

TEST_F(DeviceParams, Grids) {
  const JsonValue wormhole = arch(Arch::WormholeB0).get("boards");
  const JsonValue blackhole = arch(Arch::Blackhole).get("boards");
  EXPECT_EQ(findDevice("n150")->grid, grid(wormhole.get("n150").get("grid_tensix_dispatch")));
  EXPECT_EQ(findDevice("n300")->grid, grid(wormhole.get("n300_per_chip").get("grid_eth_dispatch")));
  EXPECT_EQ(findDevice("p150")->grid, grid(blackhole.get("p150_unharvested").get("grid_tensix_dispatch")));
  EXPECT_EQ(findDevice("p100")->grid, grid(blackhole.get("p100a").get("grid_tensix_dispatch")));
}

TEST_F(DeviceParams, Releases) {
  size_t published = 0;
  for (Arch which : {Arch::WormholeB0, Arch::Blackhole}) {
    const JsonValue bases = arch(which).get("l1_unreserved_base");
    published += bases.size();
    for (size_t i = 0; i < bases.size(); ++i) {
      const DeviceSpec& spec = *findDevice(which == Arch::WormholeB0 ? "n150" : "p150");
      const std::optional<DeviceSpec> then = withL1Release(spec, bases.keyAt(i));
      ASSERT_TRUE(then.has_value()) << bases.keyAt(i);
      EXPECT_EQ(then->l1UnreservedBase.count, integer(bases.at(i)));
      EXPECT_EQ(then->usableL1().count, integer(arch(which).get("l1_usable").get(bases.keyAt(i))));
    }
  }
  EXPECT_EQ(l1Releases().size(), published);
}

}  // namespace
}  // namespace tessera

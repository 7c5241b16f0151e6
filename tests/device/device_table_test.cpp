#include "core/device/device_spec.h"

#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

const DeviceSpec& device(const char* id) {
  const DeviceSpec* found = findDevice(id);
  EXPECT_NE(found, nullptr) << id;
  return found ? *found : allDevices().front();
}

TEST(DeviceTable, N150IsTheDefault) {
  ASSERT_FALSE(allDevices().empty());
  EXPECT_EQ(allDevices().front().id, "n150");
}

TEST(DeviceTable, IdsAreUniqueAndFound) {
  std::set<std::string_view> ids;
  for (const DeviceSpec& spec : allDevices()) {
    EXPECT_TRUE(ids.insert(spec.id).second) << spec.id;
    EXPECT_EQ(findDevice(spec.id), &spec);
    EXPECT_FALSE(spec.title.empty());
  }
  EXPECT_EQ(ids, (std::set<std::string_view>{"n150", "n300", "p100", "p150", "mock-wormhole", "mock-wormhole-l1-small",
                                             "mock-blackhole"}));
  EXPECT_EQ(findDevice("n151"), nullptr);
  EXPECT_EQ(findDevice(""), nullptr);
}

TEST(DeviceTable, UsableL1OfThePresets) {
  EXPECT_EQ(device("n150").usableL1(), Bytes(1'396'448));  // 1363.7 KiB
  EXPECT_EQ(device("n300").usableL1(), Bytes(1'396'448));
  EXPECT_EQ(device("p150").usableL1(), Bytes(1'468'672));
  EXPECT_EQ(device("mock-wormhole").usableL1(), Bytes(1'498'112));
  EXPECT_EQ(device("mock-wormhole-l1-small").usableL1(), Bytes(1'473'536));
  EXPECT_EQ(device("mock-blackhole").usableL1(), Bytes(1'474'560));
}

TEST(DeviceTable, GridsAreRowsByColumns) {
  EXPECT_EQ(device("n150").grid, (GridShape{8, 8}));
  EXPECT_EQ(device("n300").grid, (GridShape{8, 8}));
  EXPECT_EQ(device("p150").grid, (GridShape{10, 13}));
  EXPECT_EQ(device("p100").grid, (GridShape{10, 11}));
  EXPECT_EQ(device("mock-blackhole").grid, (GridShape{10, 13}));
  EXPECT_EQ(device("p100").dramBanks, 7);
  EXPECT_EQ(device("p150").dramBanks, 8);
}

// As published: clocks of tt-metal tech_reports/GEMM_FLOPS, alignments of its NoC parameters, banks of its SoC
// descriptors, DRAM speeds of its plots of the DRAM microbenchmark, dispatch of its golden dispatch times.
TEST(DeviceTable, FiguresOfEveryDevice) {
  struct Row {
    const char *id, *title;
    Arch arch;
    int64_t clock, dramAlignment, banks, bank, read, write, noc, dispatch;
  };
  const Row kRows[] = {
      {"n150", "Wormhole n150", Arch::WormholeB0, 1000, 32, 12, 1'073'741'824, 203, 160, 32, 1570},
      {"n300", "Wormhole n300, one chip, Ethernet dispatch", Arch::WormholeB0, 1000, 32, 12, 1'073'741'824, 203, 160,
       32, 1570},
      {"p100", "Blackhole p100", Arch::Blackhole, 1350, 64, 7, 4'278'190'080, 252, 200, 64, 1285},
      {"p150", "Blackhole p150", Arch::Blackhole, 1350, 64, 8, 4'278'190'080, 262, 204, 64, 1285},
      {"mock-wormhole", "Wormhole as the compiler assumes it without a device", Arch::WormholeB0, 1000, 32, 12,
       1'073'741'824, 203, 160, 32, 1570},
      {"mock-wormhole-l1-small", "Wormhole as the compiler assumes it, 24 KiB of L1_SMALL", Arch::WormholeB0, 1000, 32,
       12, 1'073'741'824, 203, 160, 32, 1570},
      {"mock-blackhole", "Blackhole as the compiler assumes it without a device", Arch::Blackhole, 1350, 64, 8,
       4'278'190'080, 262, 204, 64, 1285},
  };
  EXPECT_EQ(std::size(kRows), allDevices().size());
  for (const Row& row : kRows) {
    const DeviceSpec& spec = device(row.id);
    EXPECT_EQ(spec.title, row.title);
    EXPECT_EQ(spec.arch, row.arch) << row.id;
    EXPECT_EQ(archName(spec.arch), row.arch == Arch::Blackhole ? "blackhole" : "wormhole_b0");
    EXPECT_EQ(spec.clockMhz, row.clock) << row.id;
    EXPECT_EQ(spec.l1Alignment, 16) << row.id;
    EXPECT_EQ(spec.dramAlignment, row.dramAlignment) << row.id;
    EXPECT_EQ(spec.dramBanks, row.banks) << row.id;
    EXPECT_EQ(spec.dramBankSize, Bytes(row.bank)) << row.id;
    EXPECT_EQ(spec.dramReadBytesPerClock, row.read) << row.id;
    EXPECT_EQ(spec.dramWriteBytesPerClock, row.write) << row.id;
    EXPECT_EQ(spec.nocBytesPerClock, row.noc) << row.id;
    EXPECT_EQ(spec.dispatch, Nanoseconds(row.dispatch)) << row.id;
  }
}

TEST(DeviceTable, EveryNumberHasASource) {
  for (const DeviceSpec& spec : allDevices()) {
    std::set<std::string_view> whats;
    for (const SourcedNumber& number : spec.sources) {
      whats.insert(number.what);
      EXPECT_FALSE(number.value.empty()) << spec.id << " " << number.what;
      EXPECT_FALSE(number.source.empty()) << spec.id << " " << number.what;
      EXPECT_EQ(number.date.size(), 7u) << spec.id << " " << number.what;
    }
    for (const char* what :
         {"worker grid", "L1 per core", "L1 unreserved base", "L1_SMALL", "DRAM banks", "DRAM bank size",
          "L1 alignment", "DRAM alignment (read)", "AICLK", "NoC width", "back-to-back traced dispatch"}) {
      EXPECT_EQ(whats.count(what), 1u) << spec.id << " lacks " << what;
    }
    EXPECT_TRUE(spec.usableL1() > Bytes(1'000'000) && spec.usableL1() < spec.l1Size) << spec.id;
  }
}

TEST(L1Releases, MoveTheBase) {
  const DeviceSpec& n150 = device("n150");
  const std::optional<DeviceSpec> upstream = withL1Release(n150, "2026-04");
  ASSERT_TRUE(upstream.has_value());
  EXPECT_EQ(upstream->l1UnreservedBase, Bytes(103'712));
  EXPECT_EQ(upstream->usableL1(), Bytes(1'395'424));
  EXPECT_EQ(upstream->grid, n150.grid);
  EXPECT_FALSE(withL1Release(n150, "2031-01").has_value());
  EXPECT_EQ(withL1Release(device("p150"), "2026-04")->usableL1(), Bytes(1'461'760));
}

TEST(L1Releases, BaseStaysWithinL1) {
  const DeviceSpec& n150 = device("n150");
  EXPECT_EQ(withL1Base(n150, Bytes(1024)).usableL1(), Bytes(1'498'112));
  EXPECT_EQ(withL1Base(n150, Bytes(-5)).l1UnreservedBase, Bytes(0));
  EXPECT_EQ(withL1Base(n150, Bytes(INT64_MAX)).usableL1(), Bytes(0));
}

TEST(L1Releases, L1SmallIsTakenFromTheTop) {
  DeviceSpec spec = *withL1Release(device("n150"), "2026-04");
  spec.l1Small = Bytes(64 * 1024);
  EXPECT_EQ(spec.usableL1(), Bytes(1'329'888));  // tt-metal dev_mem_map.h
}

}  // namespace
}  // namespace tessera

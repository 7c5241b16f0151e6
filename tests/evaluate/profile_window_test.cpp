// What the attributes of profiled halos, convolutions and pools say: every one of them counts, and a row without one of
// them is taken as far as it goes.

#include "core/evaluate/profile_window.h"

#include <cmath>

#include "core/ops/rules/window_programs.h"
#include "tests/evaluate/eval_testing.h"

namespace tessera {
namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

std::string& cell(Cells& cells, const std::string& name) {
  for (auto& [known, value] : cells) {
    if (known == name) return value;
  }
  ADD_FAILURE() << name;
  return cells[0].second;
}

std::string without(std::string text, const std::string& part, const std::string& instead = "") {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), instead);
}

std::optional<int64_t> nanosecondsAt(const DeviceSpec& device, double cycles) {
  return static_cast<int64_t>(std::ceil(cycles * 1000 / static_cast<double>(device.clockMhz)));
}

// An image of 128 x 128, three by three, a border of one, 64 cores of two rows each: a core needs a row from either
// neighbour, and sends one to each.
const std::string kWindow =
    "input_hw=(128;128) window_hw=(3;3) stride_hw=(1;1) dilation_hw=(1;1) padding=((1; 1); (1; 1)) num_cores_nhw=64 ";

Cells haloOf(const std::string& attributes) {
  return {{"op", "HaloDeviceOperation"},
          {"cores", "64"},
          {"in0_padded", "1x1x16384x64"},
          {"in0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
          {"in0_mem", "L1_HEIGHT_SHARDED"},
          {"out0_padded", "1x1x40000x64"},
          {"out0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
          {"attributes", attributes}};
}

TEST(ProfiledHalo, SendsWhatTheWindowSays) {
  const DeviceSpec& device = *findDevice("n150");
  const auto expectMoved = [&](const std::string& attributes, int64_t rowsOut, int64_t moved, const char* what) {
    const HaloProgram halo{.cores = 64, .rowsMoved = moved, .rowsOut = rowsOut, .rowBytes = 128, .tileCols = 2};
    const std::string sticks = "'max_out_nsticks_per_core': '" + std::to_string(rowsOut) + "'";
    EXPECT_EQ(profiledHalo(tableOf(haloOf(attributes + sticks)), 0, device), nanosecondsAt(device, haloCycles(halo)))
        << what;
  };
  expectMoved(kWindow, 500, 2 * 128, "fewer than the 512 that are covered");
  expectMoved(kWindow, 512, 2 * 128, "just those");
  expectMoved(kWindow, 530, 2 * 128 + 18, "18 of padding");
  expectMoved(without(without(kWindow, "dilation_hw=(1;1)", "dilation_hw=(2;2)"), "(1; 1); (1; 1)", "(2; 2); (2; 2)"),
              700, 4 * 128, "two rows to either neighbour");
  expectMoved(without(kWindow, "stride_hw=(1;1)", "stride_hw=(2;2)"), 300, 128, "half of them, one row above");
  // Two images of half the height lie one below the other.
  expectMoved("batch_size=2 " + without(kWindow, "input_hw=(128;128)", "input_hw=(64;128)"), 500, 2 * 128, "a batch");
  // Of two neighbours every other pair: one place of padding before them shifts all pairs, one behind them none.
  const auto line = [](const char* image, const char* two, const char* padding) {
    return "input_hw=" + std::string(image) + " window_hw=" + two + " stride_hw=" + two +
           " dilation_hw=(1;1) padding=" + padding + " num_cores_nhw=64 ";
  };
  expectMoved(line("(1;16384)", "(1;2)", "((0; 0); (1; 0))"), 256, 1, "the last of the neighbour to the left");
  expectMoved(line("(1;16384)", "(1;2)", "((0; 0); (0; 1))"), 256, 0, "padding to the right");
  expectMoved(line("(16384;1)", "(2;1)", "((1; 0); (0; 0))"), 256, 1, "the last of the neighbour above");
  expectMoved(line("(16384;1)", "(2;1)", "((0; 1); (0; 0))"), 256, 0, "padding below");
  // Without the window what a result has beyond a shard of 256.
  const std::pair<const char*, const char*> broken[] = {{"input_hw=(128;128)", ""},
                                                        {"window_hw=(3;3)", ""},
                                                        {"stride_hw=(1;1)", ""},
                                                        {"dilation_hw=(1;1)", ""},
                                                        {"padding=((1; 1); (1; 1))", ""},
                                                        {"padding=((1; 1); (1; 1))", "padding=((1; 1))"},
                                                        {"num_cores_nhw=64", ""},
                                                        {"num_cores_nhw=64", "num_cores_nhw=0"},
                                                        {"num_cores_nhw=64", "num_cores_nhw=16385"},
                                                        {"stride_hw=(1;1)", "stride_hw=(0;1)"},
                                                        {"stride_hw=(1;1)", "stride_hw=(1;0)"},
                                                        {"input_hw=(128;128)", "input_hw=(0;128)"},
                                                        {"input_hw=(128;128)", "input_hw=(128;0)"},
                                                        {"input_hw=(128;128)", "input_hw=(128;128;1)"},
                                                        {"window_hw=(3;3)", "window_hw=(131;3)"},
                                                        {"window_hw=(3;3)", "window_hw=(3;131)"},
                                                        {"input_hw=(128;128)", "input_hw=(16385;1)"},
                                                        {"window_hw=(3;3)", "window_hw=(3)"}};
  for (const auto& [part, instead] : broken) expectMoved(without(kWindow, part, instead), 500, 500 - 256, instead);
  expectMoved("", 200, 0, "fewer than a shard");
}

TEST(ProfiledHalo, ShardsAreThoseWrittenOutOrAnEvenCut) {
  const DeviceSpec& device = *findDevice("p150");
  const auto is = [&](const Cells& cells, HaloProgram halo, const char* what) {
    halo.blackhole = true;
    EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsAt(device, haloCycles(halo))) << what;
  };
  Cells cells = haloOf("");
  // Rows of the result: 40000 over 64 cores.
  is(cells, {.cores = 64, .rowsMoved = 369, .rowsOut = 625, .rowBytes = 128, .tileCols = 2}, "256 each");
  cell(cells, "cores") = "0";
  is(cells, {.cores = 1, .rowsMoved = 23616, .rowsOut = 40000, .rowBytes = 128, .tileCols = 2}, "one core");
  cell(cells, "cores") = "12";  // blocks: three across, four down
  cell(cells, "in0_mem") = "L1_BLOCK_SHARDED";
  is(cells, {.cores = 4, .rowsMoved = 5904, .rowsOut = 10000, .rowBytes = 44, .tileCols = 1}, "4096 x 22 each");
  cell(cells, "attributes") = "shard_spec=ShardSpec(grid; shape={512; 0})";
  is(cells, {.cores = 4, .rowsMoved = 5904, .rowsOut = 10000, .rowBytes = 44, .tileCols = 1}, "no shard");
  cell(cells, "attributes") = "shard_spec=ShardSpec(grid; shape={512; 40})";
  cell(cells, "in0_layout_dtype") = "TILE:BFLOAT16";
  is(cells, {.cores = 32, .rowsMoved = 738, .rowsOut = 1250, .rowBytes = 80, .tiles = 32, .tileCols = 2},
     "written out");
  cell(cells, "out0_layout_dtype") = "ROW_MAJOR:INT32";
  is(cells, {.cores = 32, .rowsMoved = 738, .rowsOut = 1250, .rowBytes = 160, .tiles = 32, .tileCols = 2}, "integers");
  for (const char* shape : {"", "64", "0x64", "64x0", "1048577x1048577x64"}) {
    Cells none = haloOf("");
    cell(none, "in0_padded") = shape;
    EXPECT_EQ(profiledHalo(tableOf(none), 0, device), std::nullopt) << shape;
    cell(none, "in0_padded") = "1x1x16384x64";
    cell(none, "out0_padded") = shape;
    EXPECT_EQ(profiledHalo(tableOf(none), 0, device), std::nullopt) << shape;
  }
}

const std::string kBlocks =
    "per_core_out_matrix_height_ntile=12;per_core_out_matrix_width_ntile=4;act_block_h_ntiles=3;act_block_w_ntiles=6;"
    "window_hw=(5;3)";

TEST(ProfiledConv, NeedsEveryBlockAndReadsEveryFidelity) {
  const DeviceSpec& device = *findDevice("n150");
  const auto cells = [](const std::string& attributes, const char* fidelity, const char* weights = "1x1x576x128") {
    return Cells{{"op", "Conv2dDeviceOperation"},
                 {"in0_mem", "L1_HEIGHT_SHARDED"},
                 {"in1_padded", weights},
                 {"in1_layout_dtype", "TILE:BFLOAT16"},
                 {"out0_layout_dtype", "TILE:FLOAT32"},
                 {"fidelity", fidelity},
                 {"attributes", attributes}};
  };
  const auto is = [&](const Cells& row, int64_t passes, int64_t windowRows, int64_t depth) {
    const ConvProgram conv{.rows = 12,
                           .cols = 4,
                           .depth = depth,
                           .blockRows = 3,
                           .blockDepth = 6,
                           .windowRows = windowRows,
                           .passes = passes};
    EXPECT_EQ(profiledConv(tableOf(row), 0, device), nanosecondsAt(device, 500 + convProgramCycles(conv)))
        << row[5].second;
  };
  const std::pair<const char*, int64_t> fidelities[] = {{"HiFi2", 2}, {"HiFi3", 3}, {"HiFi4", 4},
                                                        {"hifi4", 4}, {"LoFi", 1},  {"HiFi5", 1},
                                                        {"HiFi1", 1}, {"", 1},      {"HiFi24", 1}};
  for (const auto& [name, passes] : fidelities) is(cells(kBlocks, name), passes, 5, 18);
  is(cells(without(kBlocks, "(5;3)", "(0;3)"), "LoFi"), 1, 1, 18);
  is(cells(kBlocks, "LoFi", "9x65x128"), 1, 5, 19);  // 585 rows
  for (const char* part : {"per_core_out_matrix_height_ntile=12", "per_core_out_matrix_width_ntile=4",
                           "act_block_h_ntiles=3", "act_block_w_ntiles=6", "window_hw=(5;3)"})
    EXPECT_EQ(profiledConv(tableOf(cells(without(kBlocks, part), "LoFi")), 0, device), std::nullopt) << part;
  EXPECT_EQ(profiledConv(tableOf(cells(kBlocks, "LoFi", "576")), 0, device), std::nullopt);
}

TEST(ProfiledPool, CountsPlacesAndChannelsOfACore) {
  const DeviceSpec& device = *findDevice("p150");
  const auto cells = [](const char* memory, const char* cores, const char* dtype, const char* out,
                        const char* attributes = "window_hw=(2;4)") {
    return Cells{{"op", "Pool2D"},    {"cores", cores},     {"in0_padded", "1x1x3136x96"}, {"in0_layout_dtype", dtype},
                 {"in0_mem", memory}, {"out0_padded", out}, {"attributes", attributes}};
  };
  const auto is = [&](const Cells& row, int64_t outputs, int64_t area, double bytes) {
    EXPECT_EQ(profiledPool(tableOf(row), 0, device),
              nanosecondsAt(device, 500 + poolProgramCycles(outputs, area, bytes)))
        << row[4].second << " " << row[6].second;
  };
  const char* rows = "ROW_MAJOR:BFLOAT16";
  is(cells("L1_HEIGHT_SHARDED", "8", rows, "1x1x784x96"), 98, 8, 192);
  is(cells("L1_HEIGHT_SHARDED", "8", "ROW_MAJOR:FLOAT32", "1x1x784x96"), 98, 8, 384);
  is(cells("L1_HEIGHT_SHARDED", "8", "ROW_MAJOR:INT32", "1x1x784x96"), 98, 8, 384);
  is(cells("L1_HEIGHT_SHARDED", "8", "ROW_MAJOR:UINT32", "1x1x784x96"), 98, 8, 384);
  is(cells("L1_HEIGHT_SHARDED", "8", "ROW_MAJOR:UINT16", "1x1x784x96"), 98, 8, 192);
  is(cells("L1_HEIGHT_SHARDED", "0", rows, "1x1x784x96"), 784, 8, 192);
  is(cells("L1_WIDTH_SHARDED", "5", rows, "1x1x784x96"), 784, 8, 40);
  is(cells("L1_WIDTH_SHARDED", "0", rows, "1x1x784x96"), 784, 8, 192);
  is(cells("L1_BLOCK_SHARDED", "6", rows, "1x1x784x96"), 262, 8, 96);  // two across, three down
  is(cells("L1_BLOCK_SHARDED", "4", rows, "1x1x784x96"), 392, 8, 96);  // a square: two across, two down
  is(cells("L1_HEIGHT_SHARDED", "8", rows, "1x1x784x96", "window_hw=(7)"), 98, 9, 192);
  is(cells("L1_HEIGHT_SHARDED", "8", rows, "1x1x1x96", ""), 1, 3136, 192);
  is(cells("L1_HEIGHT_SHARDED", "8", rows, "1x1x2x96", ""), 1, 9, 192);
  EXPECT_EQ(profiledPool(tableOf(cells("", "8", rows, "96")), 0, device), std::nullopt);
}

}  // namespace
}  // namespace tessera

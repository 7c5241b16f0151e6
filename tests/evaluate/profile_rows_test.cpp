// Rows of the device profiler become the op or the program that they describe: each beside the same put together by
// hand.

#include <cmath>

#include "core/evaluate/profile_programs.h"
#include "core/evaluate/profile_window.h"
#include "core/ops/rules/window_programs.h"
#include "tests/evaluate/eval_testing.h"

namespace tessera {
namespace {

const std::string kOps =
    "arch,source,op,cores,avail_cores,kernel_ns,in0_padded,in0_logical,in0_layout_dtype,in0_mem,in1_padded,"
    "in1_layout_dtype,in1_mem,out0_padded,out0_layout_dtype,out0_mem,fidelity,attributes\n";

std::vector<int64_t> opTimes(const std::vector<std::string>& rows) {
  std::string text = kOps;
  for (const std::string& row : rows) text += row + "\n";
  return timesIn(evalOf(evalOps, text));
}

TEST(ProfiledOps, EveryElementTypeIsItself) {
  const std::pair<const char*, DType> kTypes[] = {
      {"BFLOAT16", DType::BF16}, {"BFLOAT8_B", DType::BFP8}, {"BFLOAT4_B", DType::BFP4}, {"FLOAT32", DType::F32},
      {"UINT32", DType::U32},    {"UINT16", DType::U16},     {"INT32", DType::I32}};
  for (const auto& [name, dtype] : kTypes) {
    const std::string tensor = "1x1x1024x2048,,TILE:" + std::string(name) + ",DRAM_INTERLEAVED";
    const std::string out = "1x1x1024x2048,TILE:" + std::string(name) + ",DRAM_INTERLEAVED";
    const TimedTensor t = dram({1, 1, 1024, 2048}, dtype);
    EXPECT_EQ(
        opTimes({"wormhole_b0,,UnaryDeviceOperation,64,64,1," + tensor + ",,,," + out + ",,op_type=UnaryOpType::RELU"}),
        std::vector<int64_t>{timeOn("n150", {OpKind::TtnnRelu, {t}, t})})
        << name;
  }
}

TEST(ProfiledOps, ShardsLieOnTheCoresOfTheRow) {
  const auto row = [](const char* memory, const char* shape) {
    return std::string("wormhole_b0,,UnaryDeviceOperation,16,64,1,") + shape + ",,TILE:BFLOAT16," + memory + ",,,," +
           shape + ",TILE:BFLOAT16," + memory + ",,op_type=UnaryOpType::RELU";
  };
  const auto by = [](TensorMemoryLayout memory, GridShape grid) {
    const TimedTensor t = inL1({1, 1, 2048, 1024}, memory, grid);
    return timeOn("n150", {OpKind::TtnnRelu, {t}, t});
  };
  const auto times = opTimes({row("L1_HEIGHT_SHARDED", "1x1x2048x1024"), row("L1_WIDTH_SHARDED", "1x1x2048x1024"),
                              row("L1_BLOCK_SHARDED", "1x1x2048x1024")});
  EXPECT_EQ(times, (std::vector<int64_t>{by(TensorMemoryLayout::HeightSharded, {16, 1}),
                                         by(TensorMemoryLayout::WidthSharded, {1, 16}),
                                         by(TensorMemoryLayout::BlockSharded, {4, 4})}));
}

// Logical shapes stand only where they differ from the padded ones, and count then.
TEST(ProfiledOps, LogicalShapesCountWhereTheyStand) {
  const auto row = [](const char* logical) {
    return std::string("wormhole_b0,,UnaryDeviceOperation,64,64,1,1x1x4096x1024,") + logical +
           ",TILE:BFLOAT16,DRAM_INTERLEAVED,,,,1x1x4096x1024,TILE:BFLOAT16,DRAM_INTERLEAVED,,op_type=UnaryOpType::RELU";
  };
  const auto times = opTimes({row(""), row("1x1x64x64")});
  const TimedTensor whole = dram({1, 1, 4096, 1024});
  EXPECT_EQ(times[0], timeOn("n150", {OpKind::TtnnRelu, {whole}, whole}));
  EXPECT_EQ(times[1], timeOn("n150", {OpKind::TtnnRelu, {dram({1, 1, 64, 64})}, whole}));
}

TEST(ProfiledOps, ProductsTakeTheProgramOfTheRow) {
  const auto row = [](const std::string& config) {
    return "wormhole_b0,,MatmulDeviceOperation,64,64,1,1x1x2048x1024,,TILE:BFLOAT16,DRAM_INTERLEAVED,1x1x1024x2048,"
           "TILE:"
           "BFLOAT16,DRAM_INTERLEAVED,1x1x2048x2048,TILE:BFLOAT16,DRAM_INTERLEAVED,HiFi2,'program_config': '" +
           config + "'";
  };
  const auto by = [](std::optional<MatmulAttrs> program) {
    TimedOp op{OpKind::TtnnMatmul, {dram({1, 1, 2048, 1024}), dram({1, 1, 1024, 2048})}, dram({1, 1, 2048, 2048})};
    op.attrs = {fidelity("hifi2")};
    if (program) op.config = *program;
    return timeOn("n150", op);
  };
  const std::string sizes =
      "per_core_M=8;per_core_N=8;in0_block_w=4;out_subblock_h=2;out_subblock_w=4;out_block_h=8;"
      "out_block_w=4)";
  MatmulAttrs attrs{.perCoreM = 8,
                    .perCoreN = 8,
                    .in0BlockW = 4,
                    .outSubblockH = 2,
                    .outSubblockW = 4,
                    .outBlockH = 8,
                    .outBlockW = 4};
  attrs.program = MatmulAttrs().program;
  EXPECT_EQ(opTimes({row("MatmulMultiCoreReuseMultiCastProgramConfig(" + sizes)}).at(0), by(attrs));
  attrs.program = MatmulProgram::Reuse;
  EXPECT_EQ(opTimes({row("MatmulMultiCoreReuseProgramConfig(" + sizes)}).at(0), by(attrs));
  attrs.program = MatmulProgram::MultiCast1dIn0;
  EXPECT_EQ(opTimes({row("MatmulMultiCoreReuseMultiCast1DProgramConfig(mcast_in0=1;" + sizes)}).at(0), by(attrs));
  attrs.program = MatmulProgram::MultiCast1dIn1;
  EXPECT_EQ(opTimes({row("MatmulMultiCoreReuseMultiCast1DProgramConfig(mcast_in0=0;" + sizes)}).at(0), by(attrs));
  EXPECT_EQ(opTimes({row("SomethingElse(" + sizes)}).at(0), by({}));
}

// The profiler lists a tensor given for the result among the operands.
TEST(ProfiledOps, OperandsBeyondTheOpsOwnAreResults) {
  const std::string tensor = "1x1x1024x2048,,TILE:BFLOAT16,DRAM_INTERLEAVED,", again =
                                                                                   "1x1x1024x2048,TILE:BFLOAT16,DRAM_"
                                                                                   "INTERLEAVED,";
  const auto row = [&](const char* op, const std::string& second, const char* attributes) {
    return std::string("wormhole_b0,,") + op + ",64,64,1," + tensor + second + again + "," + attributes;
  };
  EXPECT_EQ(opTimes({row("UnaryDeviceOperation", again, "op_type=UnaryOpType::RELU")}),
            opTimes({row("UnaryDeviceOperation", ",,,", "op_type=UnaryOpType::RELU")}));
}

TEST(ProfiledOps, TransposesNameTheirDims) {
  const auto row = [](const char* out, const char* attribute) {
    return std::string(
               "wormhole_b0,,TransposeDeviceOperation,64,64,1,2x4x256x512,,TILE:BFLOAT16,DRAM_INTERLEAVED,,,,") +
           out + ",TILE:BFLOAT16,DRAM_INTERLEAVED,," + attribute;
  };
  const auto by = [](Shape out, int64_t a, int64_t b) {
    TimedOp op{OpKind::TtnnTranspose, {dram({2, 4, 256, 512})}, dram(std::move(out))};
    op.attrs = {{"dim0", intAttr(a)}, {"dim1", intAttr(b)}};
    return timeOn("n150", op);
  };
  EXPECT_EQ(opTimes({row("4x2x256x512", "TransposeOpDim::CN"), row("2x256x4x512", "TransposeOpDim::HC"),
                     row("2x4x512x256", "TransposeOpDim::WH")}),
            (std::vector<int64_t>{by({4, 2, 256, 512}, 0, 1), by({2, 256, 4, 512}, 1, 2), by({2, 4, 512, 256}, 2, 3)}));
}

// A result's shards as its attributes have them: as many as its size needs.
TEST(ProfiledOps, ShardsThatAreWrittenOutTakeThePlaceOfAnEvenCut) {
  const auto row = [](const char* memory, const char* shard) {
    return std::string("wormhole_b0,,InterleavedToShardedDeviceOperation,16,64,1,1x1x1000x512,,TILE:BFLOAT16,") +
           "DRAM_INTERLEAVED,,,,1x1x1000x512,TILE:BFLOAT16," + memory + ",,shard_spec=ShardSpec(grid;shape={" + shard +
           "})";
  };
  const auto by = [](TensorMemoryLayout memory, GridShape grid) {
    DeviceSpec device = *findDevice("n150");
    TimedOp op{OpKind::TtnnToMemoryConfig, {dram({1, 1, 1000, 512})}, inL1({1, 1, 1000, 512}, memory, grid)};
    op.operands[0].grid = {4, 4};
    return modelTime(device, op).value_or(-2);
  };
  const auto times = opTimes(
      {row("L1_HEIGHT_SHARDED", "96;512"), row("L1_WIDTH_SHARDED", "1024;64"), row("L1_BLOCK_SHARDED", "256;64")});
  EXPECT_EQ(times, (std::vector<int64_t>{by(TensorMemoryLayout::HeightSharded, {11, 1}),
                                         by(TensorMemoryLayout::WidthSharded, {1, 8}),
                                         by(TensorMemoryLayout::BlockSharded, {4, 8})}));
}

TEST(ProfiledOps, RowsBelongToTheirChip) {
  const std::string rest =
      "UnaryDeviceOperation,64,64,1,1x1x1024x2048,,TILE:BFLOAT16,DRAM_INTERLEAVED,,,,1x1x1024x2048,TILE:BFLOAT16,DRAM_"
      "INTERLEAVED,,op_type=UnaryOpType::RELU\n";
  const EvalResult result =
      evalOf(evalOps, kOps + "wormhole_b0,," + rest + "blackhole,p100 board," + rest + "blackhole,," + rest);
  const TimedTensor t = dram({1, 1, 1024, 2048});
  const auto on = [&](const char* board) {
    DeviceSpec device = *findDevice(board);
    device.grid = {8, 8};
    return modelTime(device, {OpKind::TtnnRelu, {t}, t}).value_or(-2);
  };
  EXPECT_EQ(timesIn(result), (std::vector<int64_t>{on("n150"), on("p100"), on("p150")}));
  EXPECT_NE(result.summary.find("wormhole_b0 rows 1 "), std::string::npos);
  EXPECT_NE(result.summary.find("blackhole rows 2 "), std::string::npos);
  EXPECT_EQ(opTimes({"wormhole_b0,,UnaryDeviceOperation,65,64,1,1x1x32x32,,TILE:BFLOAT16,DRAM_INTERLEAVED,,,,"
                     "1x1x32x32,TILE:BFLOAT16,DRAM_INTERLEAVED,,op_type=UnaryOpType::RELU"}),
            std::vector<int64_t>{-1})
      << "more cores than there are";
}

// A slice of 256 KB reads as much of the 256 MB in front of it as it writes. DRAM, which moves 288 bytes in a
// nanosecond, takes 1820.4 ns for both.
TEST(ProfiledOps, OfAnOperandNoMoreThanTheResultHasMustHaveBeenRead) {
  const auto familyAt = [](const std::string& nanoseconds) {
    const EvalResult result =
        evalOf(evalOps, kOps + "wormhole_b0,,SliceDeviceOperation,64,64," + nanoseconds +
                            ",1x1x32768x4096,,TILE:BFLOAT16,DRAM_INTERLEAVED,,,,1x1x32x4096,TILE:BFLOAT16,"
                            "DRAM_INTERLEAVED,,\n");
    return result.families.at(0).name;
  };
  EXPECT_EQ(familyAt("1821"), "SliceDeviceOperation");
  EXPECT_EQ(familyAt("1820"), kImpossible);
}

int64_t nanosecondsOf(const DeviceSpec& device, double cycles) {
  return static_cast<int64_t>(std::ceil(cycles * 1000 / static_cast<double>(device.clockMhz)));
}

TEST(ProfiledWindows, AHaloIsWhatItsShardSays) {
  const DeviceSpec& device = *findDevice("n150");
  auto cells = std::vector<std::pair<std::string, std::string>>{{"op", "HaloDeviceOperation"},
                                                                {"cores", "10"},
                                                                {"in0_padded", "1x1x3000x96"},
                                                                {"in0_layout_dtype", "TILE:BFLOAT16"},
                                                                {"in0_mem", "L1_HEIGHT_SHARDED"},
                                                                {"out0_padded", "1x1x4000x96"},
                                                                {"out0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
                                                                {"attributes", ""}};
  HaloProgram halo{.cores = 10, .rowsMoved = 100, .rowsOut = 400, .rowBytes = 192, .tiles = 30, .tileCols = 3};
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsOf(device, haloCycles(halo)));
  cells[7].second = "shard_spec=ShardSpec(grid;shape={320;96}); 'max_out_nsticks_per_core': '555'";
  halo.rowsMoved = 235, halo.rowsOut = 555;
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsOf(device, haloCycles(halo)));
  cells[3].second = "ROW_MAJOR:BFLOAT16";
  cells[6].second = "ROW_MAJOR:FLOAT32";
  halo.tiles = 0, halo.rowBytes = 384;
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsOf(device, haloCycles(halo)));
  // Blocks: as near to a square of cores as fits. Widths: all rows on each core.
  cells[7].second = "";
  cells[4].second = "L1_BLOCK_SHARDED";
  halo = {.cores = 4, .rowsMoved = 250, .rowsOut = 1000, .rowBytes = 128, .tiles = 0, .tileCols = 1};
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsOf(device, haloCycles(halo)));
  cells[4].second = "L1_WIDTH_SHARDED";
  halo = {.cores = 1, .rowsMoved = 1000, .rowsOut = 4000, .rowBytes = 40, .tiles = 0, .tileCols = 1};
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, device), nanosecondsOf(device, haloCycles(halo)));
  const DeviceSpec& other = *findDevice("p150");
  halo.blackhole = true;
  EXPECT_EQ(profiledHalo(tableOf(cells), 0, other), nanosecondsOf(other, haloCycles(halo)));
}

TEST(ProfiledWindows, AConvolutionIsWhatItsBlocksSay) {
  const DeviceSpec& device = *findDevice("p150");
  auto cells =
      std::vector<std::pair<std::string, std::string>>{{"op", "Conv2dDeviceOperation"},
                                                       {"in0_mem", "L1_HEIGHT_SHARDED"},
                                                       {"in1_padded", "1x1x576x128"},
                                                       {"in1_layout_dtype", "TILE:BFLOAT8_B"},
                                                       {"out0_layout_dtype", "TILE:BFLOAT16"},
                                                       {"fidelity", "HiFi3"},
                                                       {"attributes",
                                                        "per_core_out_matrix_height_ntile=12;per_core_out_matrix_width_"
                                                        "ntile=4;act_block_h_ntiles=3;act_block_w_ntiles=6;"
                                                        "window_hw=(5;3);'has_bias': 'true'"}};
  ConvProgram conv{.blackhole = true,
                   .rows = 12,
                   .cols = 4,
                   .depth = 18,
                   .blockRows = 3,
                   .blockDepth = 6,
                   .windowRows = 5,
                   .passes = 3,
                   .activationTile = 2048,
                   .weightTile = 1088,
                   .bias = true};
  const auto expected = [&] { return nanosecondsOf(device, 500 + convProgramCycles(conv)); };
  EXPECT_EQ(profiledConv(tableOf(cells), 0, device), expected());
  cells[1].second = "L1_BLOCK_SHARDED";
  conv.shared = true;
  EXPECT_EQ(profiledConv(tableOf(cells), 0, device), expected());
  cells[1].second = "L1_WIDTH_SHARDED";
  conv.ownWeights = true;
  EXPECT_EQ(profiledConv(tableOf(cells), 0, device), expected());
  cells[3].second = "TILE:BFLOAT4_B", cells[4].second = "TILE:BFLOAT8_B", cells[5].second = "LoFi";
  conv.weightTile = 576, conv.activationTile = 1088, conv.passes = 1;
  EXPECT_EQ(profiledConv(tableOf(cells), 0, device), expected());
  cells[6].second =
      "per_core_out_matrix_height_ntile=12;per_core_out_matrix_width_ntile=4;act_block_h_ntiles=3;act_block_w_ntiles=6;"
      "window_hw=(5;3)";
  conv.bias = false;
  EXPECT_EQ(profiledConv(tableOf(cells), 0, device), expected());
}

TEST(ProfiledWindows, APoolReadsItsWindow) {
  const DeviceSpec& device = *findDevice("n150");
  auto cells = std::vector<std::pair<std::string, std::string>>{{"op", "Pool2D"},
                                                                {"cores", "8"},
                                                                {"in0_padded", "1x1x3136x128"},
                                                                {"in0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
                                                                {"in0_mem", "L1_HEIGHT_SHARDED"},
                                                                {"out0_padded", "1x1x784x128"},
                                                                {"attributes", ""}};
  const auto is = [&](int64_t outputs, int64_t area, double bytes) {
    EXPECT_EQ(profiledPool(tableOf(cells), 0, device),
              nanosecondsOf(device, 500 + poolProgramCycles(outputs, area, bytes)));
  };
  is(98, 9, 256);  // the usual three by three
  cells[6].second = "window_hw=(2;4)";
  is(98, 8, 256);
  cells[6].second = "";
  cells[5].second = "1x1x1x128";
  is(1, 3136, 256);  // one position is left: it is made of all
  cells[4].second = "L1_WIDTH_SHARDED";
  is(1, 3136, 32);
  cells[5].second = "1x1x784x128";
  is(784, 9, 32);
}

// The formula of handing on, at sizes at which its parts can be added by hand.
TEST(OtherPrograms, APassedProductIsHandedOnAndMultiplied) {
  const auto handed = [](double read, double block) { return 358 + read / 28.4 + 270 + block / 28.4; };
  const auto mean4 = [](double a, double b) { return std::pow(std::pow(a, 4) + std::pow(b, 4), 0.25); };
  PassedProduct p{.m = 16,
                  .n = 24,
                  .k = 32,
                  .blockM = 8,
                  .blockN = 4,
                  .blockK = 2,
                  .coresM = 2,
                  .coresN = 3,
                  .tileA = 2048,
                  .tileB = 1088,
                  .tileOut = 4096,
                  .passes = 2};
  // Blocks 1 x 2 per core, 16 steps; a step reads 16 tiles of A and 8 of B.
  const double relay = std::max(handed(16 * 2048, 16 * 2048), handed(8 * 1088, 8 * 1088));
  const double compute = 8 * 4 * 2 * 16 * 2, written = 8 * 4 * 4096 / 28.4;
  EXPECT_NEAR(passedProductCycles(p), 2000 + relay + 1 * 2 * 16 * mean4(relay, compute) + compute + written, 0.5);
  // Padding of a block is handed on but not read.
  p = {.m = 6, .n = 8, .k = 8, .blockM = 8, .blockN = 8, .blockK = 8, .passes = 1};
  const double relay2 = std::max(handed(64 * 2048 * 0.75, 64 * 2048), handed(64 * 2048, 64 * 2048));
  const double compute2 = 512 * 16, written2 = 64 * 2048 / 28.4;
  EXPECT_NEAR(passedProductCycles(p), 2000 + relay2 + mean4(relay2, compute2) + compute2 + written2, 0.5);
  p.n = 2;
  const double relay3 = handed(64 * 2048 * 0.75, 64 * 2048);
  EXPECT_NEAR(passedProductCycles(p), 2000 + relay3 + mean4(relay3, compute2) + compute2 + written2, 0.5);
  p.m = 1;
  const double relay4 = handed(64 * 2048 * 0.25, 64 * 2048);
  EXPECT_NEAR(passedProductCycles(p), 2000 + relay4 + mean4(relay4, compute2) + compute2 + written2, 0.5);
}

TEST(OtherPrograms, ASummedImageReadsEveryTileAndTheOneAbove) {
  SummedImage image{.batches = 2, .depth = 3, .rows = 4, .slices = 17, .tile = 2048};
  // Three slices to the busiest of eight cores; of each column the first row of tiles, and three below it.
  const double read = 358 + 2048.0 / 28, write = 270 + 2048.0 / 56;
  EXPECT_NEAR(summedImageCycles(image), 2000 + 3 * 6 * (900 + 3 * std::max(read + write, 1100.0)), 0.5);
  image.depth = 48;
  EXPECT_NEAR(summedImageCycles(image), 2000 + 3 * 96 * (900 + 3 * 1100.0), 0.5);
  image.depth = 49;  // a block before it has left something
  EXPECT_NEAR(summedImageCycles(image), 2000 + 3 * 98 * (1100 + 3 * 1300.0), 0.5);
  image.blackhole = true;
  EXPECT_NEAR(summedImageCycles(image), 2000 + 3 * 98 * (1100 + 3 * 1300.0), 0.5);
  image.tile = 40'960;
  EXPECT_NEAR(summedImageCycles(image),
              2000 + 3 * 98 * ((500 + 40'960 / 14.0) + 3 * (500 + 40'960 / 14.0 + 410 + 40'960 / 28.0)), 0.5);
}

TEST(OtherPrograms, RowsSayTheirBlocks) {
  const DeviceSpec& device = *findDevice("p150");
  auto cells = std::vector<std::pair<std::string, std::string>>{
      {"op", "MinimalMatmulDeviceOperation"},
      {"in0_padded", "1x2x1024x512"},
      {"in0_layout_dtype", "TILE:BFLOAT16"},
      {"in1_padded", "1x1x512x256"},
      {"in1_layout_dtype", "TILE:BFLOAT8_B"},
      {"out0_layout_dtype", "TILE:FLOAT32"},
      {"fidelity", "HiFi2"},
      {"attributes",
       "MinimalMatmulConfig(M_block_size=4;K_block_size=2;N_block_size=6;compute_with_storage_grid_size=(x=5;y=7))"}};
  PassedProduct p{.blackhole = true,
                  .m = 64,
                  .n = 8,
                  .k = 16,
                  .blockM = 4,
                  .blockN = 6,
                  .blockK = 2,
                  .coresM = 5,
                  .coresN = 7,
                  .tileA = 2048,
                  .tileB = 1088,
                  .tileOut = 4096,
                  .passes = 2};
  EXPECT_EQ(profiledOther(tableOf(cells), 0, device), nanosecondsOf(device, passedProductCycles(p)));
  // The larger operand goes down the columns of cores.
  cells[1].second = "1x1x64x512", cells[3].second = "1x1x512x2048";
  p.m = 2, p.n = 64, p.coresM = 7, p.coresN = 5;
  EXPECT_EQ(profiledOther(tableOf(cells), 0, device), nanosecondsOf(device, passedProductCycles(p)));
  // Of two as large the second, so large that the grid turned makes another time.
  cells[1].second = "1x2x1024x512";
  p.m = 64;
  PassedProduct turned = p;
  std::swap(turned.coresM, turned.coresN);
  ASSERT_NE(passedProductCycles(turned), passedProductCycles(p));
  EXPECT_EQ(profiledOther(tableOf(cells), 0, device), nanosecondsOf(device, passedProductCycles(p)));
  cells[1].second = "1x1x64x512";
  p.m = 2;
  // What the config leaves out: blocks of eight, the cores of the device.
  cells[7].second = "";
  p.blockM = p.blockN = p.blockK = 8, p.coresM = device.grid.rows, p.coresN = device.grid.cols;
  EXPECT_EQ(profiledOther(tableOf(cells), 0, device), nanosecondsOf(device, passedProductCycles(p)));
  cells[3].second = "1x1x512x0";
  EXPECT_EQ(profiledOther(tableOf(cells), 0, device), std::nullopt);

  const CsvTable image =
      tableOf({{"op", "IntImgDeviceOperation"}, {"in0_padded", "2x48x160x256"}, {"in0_layout_dtype", "TILE:BFLOAT16"}});
  EXPECT_EQ(
      profiledOther(image, 0, device),
      nanosecondsOf(device, summedImageCycles({.blackhole = true, .batches = 2, .depth = 48, .rows = 5, .slices = 8})));
  const auto ring = [](const char* op, const char* attributes) {
    return ringOf(tableOf({{"op", op}, {"attributes", attributes}}), 0);
  };
  EXPECT_EQ(ring("RingAttention", "'ring_size': '6'"), 6);
  EXPECT_EQ(ring("Attention", "'ring_size': '6'"), 1);
  EXPECT_EQ(ring("RingAttention", ""), 1);
  EXPECT_EQ(ring("RingAttention", "'ring_size': '0'"), 1);
  EXPECT_EQ(ring("RingAttention", "'ring_size': '5000'"), 1024);
}

}  // namespace
}  // namespace tessera

#include "core/evaluate/profile_programs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/ops/table/op_table.h"
#include "core/profile/profile_text.h"
#include "core/support/units.h"

namespace tessera {

namespace {

double real(int64_t value) { return static_cast<double>(std::max<int64_t>(value, 0)); }
double parts(int64_t whole, int64_t part) { return real(ceilDiv(whole, std::max<int64_t>(part, 1))); }

// Reading and writing single tiles and many (tt-metal data_movement/common/common.cpp, as core/ops/times/pages.cpp has
// them).
struct MoveRates {
  double read, write;  // cycles of waiting
  double waited;       // bytes per clock beyond that, with one tile in flight
  double many;         // with many
};
constexpr MoveRates kMoveWormhole = {358, 270, 28, 28.4}, kMoveBlackhole = {500, 410, 14, 50};

std::vector<int64_t> dimsOf(const CsvTable& t, size_t row, const char* column) {
  std::vector<int64_t> dims = numbersAfter(t.text(row, column), "");
  for (int64_t dim : dims) {
    if (dim < 1 || dim > (int64_t{1} << 30)) return {};
  }
  return dims;
}

int64_t tilesOfDim(const std::vector<int64_t>& dims, size_t fromEnd) {
  return fromEnd < dims.size() ? ceilDiv(dims[dims.size() - 1 - fromEnd], kTileSide) : 1;
}

double tileBytesOf(const CsvTable& t, size_t row, const char* column) {
  const std::string_view type = t.text(row, column);
  if (contains(type, "FLOAT32") || contains(type, "INT32")) return 4096;
  return contains(type, "BFLOAT8_B") ? 1088 : contains(type, "BFLOAT4_B") ? 576 : 2048;
}

int64_t passesOf(const CsvTable& t, size_t row) {
  const std::string fidelity = lowerCase(t.text(row, "fidelity"));
  return fidelity.size() == 5 && fidelity[4] >= '2' && fidelity[4] <= '4' ? fidelity[4] - '0' : 1;
}

std::optional<double> passedProduct(const CsvTable& t, size_t row, const DeviceSpec& device) {
  const std::string_view config = textAfter(t.text(row, "attributes"), "MinimalMatmulConfig(");
  const std::string_view grid = textAfter(config, "compute_with_storage_grid_size=(");
  const std::vector<int64_t> a = dimsOf(t, row, "in0_padded"), b = dimsOf(t, row, "in1_padded");
  if (a.size() < 2 || b.size() < 2) return {};
  PassedProduct p;
  p.blackhole = device.arch == Arch::Blackhole;
  p.m = tilesOfDim(a, 1);
  for (size_t i = 0; i + 2 < a.size(); ++i) p.m = mulSaturated(p.m, a[i]);
  p.k = tilesOfDim(a, 0);
  p.n = tilesOfDim(b, 0);
  constexpr int64_t kUsualBlock = 8;
  p.blockM = numberAfter(config, "M_block_size=").value_or(kUsualBlock);
  p.blockN = numberAfter(config, "N_block_size=").value_or(kUsualBlock);
  p.blockK = numberAfter(config, "K_block_size=").value_or(kUsualBlock);
  // The larger operand goes down the columns of cores.
  const bool tall = p.m > p.n;
  const int64_t across = numberAfter(grid, "x=").value_or(device.grid.cols);
  const int64_t down = numberAfter(grid, "y=").value_or(device.grid.rows);
  p.coresM = tall ? across : down;
  p.coresN = tall ? down : across;
  p.tileA = tileBytesOf(t, row, "in0_layout_dtype");
  p.tileB = tileBytesOf(t, row, "in1_layout_dtype");
  p.tileOut = tileBytesOf(t, row, "out0_layout_dtype");
  p.passes = passesOf(t, row);
  return passedProductCycles(p);
}

std::optional<double> summedImage(const CsvTable& t, size_t row, const DeviceSpec& device) {
  const std::vector<int64_t> dims = dimsOf(t, row, "in0_padded");
  if (dims.size() != 4) return {};
  SummedImage image;
  image.blackhole = device.arch == Arch::Blackhole;
  image.batches = dims[0];
  image.depth = dims[1];
  image.rows = tilesOfDim(dims, 1);
  image.slices = tilesOfDim(dims, 0);
  image.tile = tileBytesOf(t, row, "in0_layout_dtype");
  return summedImageCycles(image);
}

}  // namespace

// The first core of a row or column reads a block and hands it to the next one, which hands it on; blocks are waited
// for, and the same processor reads and sends. Buffers hold two blocks, so a step is the longer of handing on and
// multiplying; where they are alike each waits for the other now and then (tt-metal
// experimental/minimal_matmul/device, dm_in0_sender, dm_in1_sender_out).
double passedProductCycles(const PassedProduct& p) {
  constexpr double kMac = 16, kStart = 2000;
  const MoveRates& r = p.blackhole ? kMoveBlackhole : kMoveWormhole;
  const double rows = parts(p.m, p.coresM), cols = parts(p.n, p.coresN);
  const double blocksM = std::max(std::ceil(rows / real(p.blockM)), 1.0),
               blocksN = std::max(std::ceil(cols / real(p.blockN)), 1.0), steps = parts(p.k, p.blockK);
  const double fullA = real(p.blockM) * real(p.blockK) * p.tileA, fullB = real(p.blockN) * real(p.blockK) * p.tileB;
  // Padding is handed on but not read.
  const double readA = fullA * std::min(rows / (blocksM * real(p.blockM)), 1.0),
               readB = fullB * std::min(cols / (blocksN * real(p.blockN)), 1.0);
  const auto handed = [&](double read, double block) { return r.read + read / r.many + r.write + block / r.many; };
  const double relay = std::max(handed(readA, fullA), handed(readB, fullB));
  const double compute = real(p.blockM) * real(p.blockN) * real(p.blockK) * kMac * real(p.passes);
  const double relay2 = relay * relay, compute2 = compute * compute;
  const double step = std::sqrt(std::sqrt(relay2 * relay2 + compute2 * compute2));  // exact in every build
  const double written = real(p.blockM) * real(p.blockN) * p.tileOut / r.many;
  return kStart + relay + blocksM * blocksN * steps * step + compute + written;
}

// Eight cores whatever there are, a slice of channels each. A tile is read and waited for, summed with the one before
// it, summed within itself, and, below the first row of tiles, with the result above it, which the writer reads back
// before it writes (tt-metal experimental/reduction/integral_image/device).
double summedImageCycles(const SummedImage& image) {
  constexpr double kStart = 2000,
                   kKernelPass = 200;  // cycles of one pass over a tile: unpack, one op, pack, handshakes
  constexpr double kWithin = 300;      // sums within a tile: 32 rows of the vector unit
  constexpr int64_t kCores = 8, kBlockDepth = 48;
  const MoveRates& r = image.blackhole ? kMoveBlackhole : kMoveWormhole;
  const double read = r.read + image.tile / r.waited, write = r.write + image.tile / (2 * r.waited);
  const double along = image.depth > kBlockDepth ? 1 : 0;  // what blocks before it left
  const double first = std::max({read, write, (3 + along) * kKernelPass + kWithin});
  const double below = std::max({read, read + write, (4 + along) * kKernelPass + kWithin});
  const double column = real(image.batches) * real(image.depth);
  return kStart + parts(image.slices, kCores) * column * (first + real(image.rows - 1) * below);
}

bool isOtherProgram(std::string_view name) {
  const std::string known = lowerCase(name);
  return contains(known, "minimalmatmul") || contains(known, "intimg");
}

std::optional<int64_t> profiledOther(const CsvTable& t, size_t row, const DeviceSpec& device) {
  const bool image = contains(lowerCase(t.text(row, "op")), "intimg");
  const std::optional<double> cycles = image ? summedImage(t, row, device) : passedProduct(t, row, device);
  if (!cycles) return {};
  return static_cast<int64_t>(std::ceil(std::min(*cycles, 1e15) * 1000 / static_cast<double>(device.clockMhz)));
}

int64_t ringOf(const CsvTable& t, size_t row) {
  constexpr int64_t kMostChips = 1024;
  if (!contains(lowerCase(t.text(row, "op")), "ring")) return 1;
  return std::clamp<int64_t>(numberAfter(t.text(row, "attributes"), "'ring_size': '").value_or(1), 1, kMostChips);
}

}  // namespace tessera

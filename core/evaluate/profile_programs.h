#pragma once
// Programs of the library that no op of the compiler runs, by what a device profile says of them: products that pass
// their operands from core to core, images summed along three axes, attention over a ring of chips.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/device/device_spec.h"
#include "core/profile/csv.h"

namespace tessera {

// Cycles. Sizes in tiles.
struct PassedProduct {
  bool blackhole = false;
  int64_t m = 1, n = 1, k = 1;
  int64_t blockM = 1, blockN = 1, blockK = 1;
  int64_t coresM = 1, coresN = 1;  // that share the rows and the columns of the result
  double tileA = 2048, tileB = 2048, tileOut = 2048;
  int64_t passes = 4;
};
double passedProductCycles(const PassedProduct& product);

struct SummedImage {
  bool blackhole = false;
  int64_t batches = 1, depth = 1, rows = 1;  // rows in tiles
  int64_t slices = 1;                        // of channels, in tiles
  double tile = 2048;
};
double summedImageCycles(const SummedImage& image);

// Nanoseconds of such a program; nothing when it is none of them or a size is missing.
bool isOtherProgram(std::string_view name);
std::optional<int64_t> profiledOther(const CsvTable& t, size_t row, const DeviceSpec& device);

// Chips that pass keys and values on, as a row of ring attention says; 1 for other programs.
int64_t ringOf(const CsvTable& t, size_t row);

}  // namespace tessera

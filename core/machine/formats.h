#pragma once
// Values as the device stores them, page by page: a tile of 32x32 in four faces of 16x16, or one row. Written from the
// public documents (tt-metal tech_reports/tensor_layouts/tensor_layouts.md, tech_reports/data_formats/data_formats.md)
// and apart from core/ir/ttnn_address: what executes a plan shares no code with what made its addresses.

#include <cstddef>
#include <cstdint>

#include "core/ir/tensor_layout.h"

namespace tessera {

inline constexpr int64_t kPageTileSide = 32;
inline constexpr size_t kPageTileValues = 1024;

// Bytes of one value in a row; 0 for block floats, which exist in tiles only.
int64_t storedBytes(DType dtype);
// Bytes of one tile, exponents included.
int64_t storedTileBytes(DType dtype);

// `values` row by row. Floats are rounded to the nearest, ties to even; integers keep their low bits. A block float
// shares the greatest exponent of the 16 values of a face's row; what rounds beyond its largest value becomes that.
void packTile(DType dtype, const double* values, uint8_t* bytes);
void unpackTile(DType dtype, const uint8_t* bytes, double* values);
void packRow(DType dtype, const double* values, size_t count, uint8_t* bytes);
void unpackRow(DType dtype, const uint8_t* bytes, size_t count, double* values);

}  // namespace tessera

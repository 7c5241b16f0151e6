#pragma once
// Where the pages of a tensor lie: which core or bank, and how many bytes from the start of the tensor's buffer there
// (tt-metal tech_reports/tensor_layouts/tensor_layouts.md, tech_reports/tensor_sharding/tensor_sharding.md,
// tech_reports/memory/allocator.md). Apart from core/ir/ttnn_address, as formats.h is.

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/device_spec.h"
#include "core/ir/types.h"

namespace tessera {

struct Page {
  int64_t bank = 0;    // of L1: the core, counted along the rows of the worker grid; of DRAM: the bank
  int64_t offset = 0;  // bytes from the start of the buffer
  int64_t row = 0;     // of its first element in the padded matrix
  int64_t col = 0;
};

// The tensor as a matrix: all dims but the last are rows, of which every matrix of the last two dims is padded to whole
// tiles where the tensor is tiled.
struct PageMap {
  std::string problem;  // why the layout places nothing; the rest is then empty
  bool tiled = false;
  int64_t rows = 0, cols = 0;          // elements, padding included
  int64_t pageRows = 0, pageCols = 0;  // elements of a page
  int64_t pageBytes = 0;               // of a page's elements
  int64_t bytesPerBank = 0;            // that the buffer must have
  std::vector<Page> pages;

  // Number of the first element of a row of the matrix, in row-major order of the tensor; -1: a row of padding. The
  // elements of a row follow each other; what stands beyond `rowLength` is padding.
  int64_t firstOfRow(int64_t row) const {
    const int64_t inMatrix = row % paddedRows;
    return inMatrix >= matrixRows ? -1 : (row / paddedRows * matrixRows + inMatrix) * rowLength;
  }
  int64_t rowLength = 1, matrixRows = 1, paddedRows = 1;
};

PageMap mapPages(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device);

}  // namespace tessera

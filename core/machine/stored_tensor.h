#pragma once
// Tensors in the bytes of a memory: written, read and moved from one layout to another.

#include <memory>

#include "core/execute/kernel.h"
#include "core/machine/byte_memory.h"
#include "core/machine/page_map.h"

namespace tessera {

// Packs the values of a page, a tile row by row or a row, into its bytes.
void packPage(const PageMap& map, DType dtype, const double* values, uint8_t* bytes);

inline constexpr double kFillValue = 0;  // what stands in padding

// How a tensor is laid into bytes. Tests put a wrong one in its place, to see that it is noticed.
struct StorageCode {
  PageMap (*map)(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) = mapPages;
  void (*pack)(const PageMap& map, DType dtype, const double* values, uint8_t* bytes) = packPage;
  double fill = kFillValue;
};

// Where a tensor lies.
struct TensorPlace {
  ByteMemory* memory = nullptr;
  int64_t address = 0;  // the same in every bank
  TensorLayout layout;
  std::shared_ptr<const PageMap> map;
};

// False when the memory may hold no more.
bool writeTensor(const TensorPlace& to, const HostTensor& tensor, const StorageCode& code);
// Byte for byte: tiles stay whole, with their padding; between tiles and rows each value keeps its bytes. Both have the
// same element type.
bool moveTensor(const TensorPlace& from, const TensorPlace& to, const StorageCode& code);

// What stands at the place of one element, or of padding (element -1).
struct StoredValue {
  int64_t element = -1;
  double value = 0;
  int64_t bank = 0;
  int64_t address = 0;  // where it begins; of a block float, where its tile does
};
// The first that is not what it should be: `tensor` as rounded by its format, and the fill value around it. Two NaN are
// the same.
std::optional<StoredValue> firstDifference(const TensorPlace& at, const HostTensor& tensor);

}  // namespace tessera

// LIBS: tessera_lab
// Layout attributes, affine maps and constants in text. The first bytes are the shape; maps print and read again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ir/affine_map.h"
#include "core/ir/constant_value.h"
#include "core/ir/metal_layout.h"
#include "core/ir/tensor_layout.h"
#include "core/support/check.h"
#define FUZZ_HEAD_BYTES 4
#include "tests/fuzz/text_mutator.h"

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  std::vector<int64_t> shape;
  for (size_t i = 0; i < static_cast<size_t>(data[0] % 4) + 1 && i + 1 < size; ++i) shape.push_back(data[i + 1]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 4, size - 4);
  (void)parseTtnnLayoutAttr(text, shape);
  (void)parseMetalLayout(text, shape);
  (void)readConstant(text, DType::BF16, 1 + data[1]);
  if (const auto map = parseAffineMap(text); map.ok()) {
    const auto again = parseAffineMap(printAffineMap(*map));
    TESSERA_CHECK(again.ok() && printAffineMap(*again) == printAffineMap(*map), "a printed map reads differently");
  }
  return 0;
}

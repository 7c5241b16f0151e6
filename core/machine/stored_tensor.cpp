#include "core/machine/stored_tensor.h"

#include <algorithm>
#include <cmath>

#include "core/machine/formats.h"

namespace tessera {

namespace {

// An element as a page is packed from it: integers by the bits that the device keeps.
double valueToStore(const HostTensor& tensor, int64_t element, DType dtype) {
  const auto at = static_cast<size_t>(element);
  if (tensor.real || !isInteger(dtype)) return tensor.at(at);
  return static_cast<double>(static_cast<uint32_t>(tensor.i[at]));
}

void unpackPage(const PageMap& map, DType dtype, const uint8_t* bytes, double* values) {
  if (map.tiled) unpackTile(dtype, bytes, values);
  else unpackRow(dtype, bytes, static_cast<size_t>(map.pageCols), values);
}

// Unsigned integers of the same width: their values are the bytes.
DType rawType(DType dtype) {
  switch (storedBytes(dtype)) {
    case 1: return DType::U8;
    case 2: return DType::U16;
    default: return DType::U32;
  }
}

size_t valuesOf(const PageMap& map) { return static_cast<size_t>(map.pageRows * map.pageCols); }

// Calls back for each place of a page: its number within the page, and the element there or -1.
template <class Visit>
void eachPlace(const PageMap& map, const Page& page, Visit visit) {
  size_t place = 0;
  for (int64_t r = 0; r < map.pageRows; ++r) {
    const int64_t first = map.firstOfRow(page.row + r);
    const int64_t end = first < 0 ? 0 : std::clamp<int64_t>(map.rowLength - page.col, 0, map.pageCols);
    for (int64_t c = 0; c < end; ++c, ++place) visit(place, first + page.col + c);
    for (int64_t c = end; c < map.pageCols; ++c, ++place) visit(place, int64_t{-1});
  }
}

// Bytes from the start of a page to a value of it.
int64_t offsetInPage(const PageMap& map, DType dtype, size_t place) {
  const int64_t size = storedBytes(dtype);
  if (!map.tiled) return static_cast<int64_t>(place) * size;
  const auto row = static_cast<int64_t>(place) / kPageTileSide, col = static_cast<int64_t>(place) % kPageTileSide;
  return ((row / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16) * size;
}

bool moveTiles(const TensorPlace& from, const TensorPlace& to) {
  const int64_t across = from.map->cols / kPageTileSide;
  const auto number = [&](const Page& page) {
    return static_cast<size_t>(page.row / kPageTileSide * across + page.col / kPageTileSide);
  };
  std::vector<const Page*> sources(from.map->pages.size());
  for (const Page& page : from.map->pages) sources[number(page)] = &page;
  std::vector<uint8_t> bytes(static_cast<size_t>(from.map->pageBytes));
  for (const Page& page : to.map->pages) {
    const Page& source = *sources[number(page)];
    from.memory->read(source.bank, from.address + source.offset, bytes.data(), from.map->pageBytes);
    if (!to.memory->write(page.bank, to.address + page.offset, bytes.data(), to.map->pageBytes)) return false;
  }
  return true;
}

}  // namespace

void packPage(const PageMap& map, DType dtype, const double* values, uint8_t* bytes) {
  if (map.tiled) packTile(dtype, values, bytes);
  else packRow(dtype, values, static_cast<size_t>(map.pageCols), bytes);
}

bool writeTensor(const TensorPlace& to, const HostTensor& tensor, const StorageCode& code) {
  const DType dtype = to.layout.dtype;
  std::vector<double> values(valuesOf(*to.map));
  std::vector<uint8_t> bytes(static_cast<size_t>(to.map->pageBytes));
  for (const Page& page : to.map->pages) {
    eachPlace(*to.map, page, [&](size_t place, int64_t element) {
      values[place] = element < 0 ? code.fill : valueToStore(tensor, element, dtype);
    });
    code.pack(*to.map, dtype, values.data(), bytes.data());
    if (!to.memory->write(page.bank, to.address + page.offset, bytes.data(), to.map->pageBytes)) return false;
  }
  return true;
}

bool moveTensor(const TensorPlace& from, const TensorPlace& to, const StorageCode& code) {
  if (from.map->tiled && to.map->tiled) return moveTiles(from, to);
  const DType raw = rawType(to.layout.dtype);
  std::vector<double> elements(static_cast<size_t>(from.map->rows * from.map->cols));
  std::vector<double> values(valuesOf(*from.map));
  std::vector<uint8_t> bytes(static_cast<size_t>(from.map->pageBytes));
  for (const Page& page : from.map->pages) {
    from.memory->read(page.bank, from.address + page.offset, bytes.data(), from.map->pageBytes);
    unpackPage(*from.map, raw, bytes.data(), values.data());
    eachPlace(*from.map, page, [&](size_t place, int64_t element) {
      if (element >= 0) elements[static_cast<size_t>(element)] = values[place];
    });
  }
  values.resize(valuesOf(*to.map));
  bytes.resize(static_cast<size_t>(to.map->pageBytes));
  for (const Page& page : to.map->pages) {
    eachPlace(*to.map, page, [&](size_t place, int64_t element) {
      values[place] = element < 0 ? code.fill : elements[static_cast<size_t>(element)];
    });
    code.pack(*to.map, raw, values.data(), bytes.data());
    if (!to.memory->write(page.bank, to.address + page.offset, bytes.data(), to.map->pageBytes)) return false;
  }
  return true;
}

std::optional<StoredValue> firstDifference(const TensorPlace& at, const HostTensor& tensor) {
  const PageMap& map = *at.map;
  const DType dtype = at.layout.dtype;
  std::vector<double> values(valuesOf(map));
  std::vector<uint8_t> bytes(static_cast<size_t>(map.pageBytes));
  std::optional<StoredValue> found;
  for (const Page& page : map.pages) {
    const int64_t address = at.address + page.offset;
    at.memory->read(page.bank, address, bytes.data(), map.pageBytes);
    unpackPage(map, dtype, bytes.data(), values.data());
    eachPlace(map, page, [&](size_t place, int64_t element) {
      const double is = values[place];
      const double should = element < 0 ? kFillValue : tensor.at(static_cast<size_t>(element));
      if (found || is == should || (std::isnan(is) && std::isnan(should))) return;
      found = {element, is, page.bank, address + offsetInPage(map, dtype, place)};
    });
    if (found) return found;
  }
  return found;
}

}  // namespace tessera

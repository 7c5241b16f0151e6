#pragma once
// Faults of what ops write: the order of cores, banks, pages, faces and values, exponents, padding.

#include <array>
#include <cmath>
#include <cstring>

#include "core/machine/formats.h"
#include "tests/machine/planted_subjects.h"

namespace tessera::test {

using TileValues = std::array<double, kPageTileValues>;

using Pages = void(PageMap&, const TensorLayout&, const DeviceSpec&);
using Values = void(TileValues&);                         // before a tile is packed
using Packed = void(DType, std::vector<uint8_t>& bytes);  // after a page is packed

template <Pages pages>
PageMap mapWrong(const Shape& shape, const TensorLayout& layout, const DeviceSpec& device) {
  PageMap map = mapPages(shape, layout, device);
  pages(map, layout, device);
  return map;
}
template <Values values>
void packWrongValues(const PageMap& map, DType dtype, const double* given, uint8_t* bytes) {
  TileValues changed{};
  std::copy(given, given + map.pageRows * map.pageCols, changed.begin());
  if (map.tiled) values(changed);
  packPage(map, dtype, changed.data(), bytes);
}
template <Packed packed>
void packWrongBytes(const PageMap& map, DType dtype, const double* given, uint8_t* bytes) {
  packPage(map, dtype, given, bytes);
  std::vector<uint8_t> page(bytes, bytes + map.pageBytes);
  packed(dtype, page);
  std::copy(page.begin(), page.end(), bytes);
}

inline double& inTile(TileValues& tile, size_t row, size_t col) { return tile[row * 32 + col]; }
inline size_t placeInFaces(size_t row, size_t col) {
  return (row / 16 * 2 + col / 16) * 256 + row % 16 * 16 + col % 16;
}

template <Pages pages>
void plantPages(Subject& s) {
  s.written.map = mapWrong<pages>;
}
template <Values values>
void plantValues(Subject& s) {
  s.written.pack = packWrongValues<values>;
}
template <Packed packed>
void plantPacked(Subject& s) {
  s.written.pack = packWrongBytes<packed>;
}

// Order of cores, banks and pages.

inline void columnsOfCores(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.memory != TensorMemoryLayout::HeightSharded || !layout.isL1()) return;
  for (Page& page : map.pages)
    page.bank = page.bank % device.grid.rows * device.grid.cols + page.bank / device.grid.rows;
}
inline void blockTransposed(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.memory != TensorMemoryLayout::BlockSharded) return;
  for (Page& page : map.pages)
    page.bank = page.bank % device.grid.cols * device.grid.cols + page.bank / device.grid.cols;
}
inline void blockOnALine(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.memory != TensorMemoryLayout::BlockSharded) return;
  for (Page& page : map.pages)
    page.bank = page.bank / device.grid.cols * layout.grid.cols + page.bank % device.grid.cols;
}
inline void widthFromTheRight(PageMap& map, const TensorLayout& layout, const DeviceSpec&) {
  if (layout.memory != TensorMemoryLayout::WidthSharded) return;
  for (Page& page : map.pages) page.bank = layout.grid.cols - 1 - page.bank;
}
inline void shardsOffByOne(PageMap& map, const TensorLayout& layout, const DeviceSpec&) {
  if (layout.memory != TensorMemoryLayout::HeightSharded) return;
  for (Page& page : map.pages) page.bank = (page.bank + 1) % layout.grid.volume();
}
inline void secondBankFirst(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.sharded() || !layout.isDram()) return;
  for (Page& page : map.pages) page.bank = (page.bank + 1) % device.dramBanks;
}
inline void bankAfterBank(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (layout.sharded() || !layout.isDram() || !map.tiled) return;
  const int64_t perBank = ceilDiv(static_cast<int64_t>(map.pages.size()), int64_t{device.dramBanks});
  for (size_t i = 0; i < map.pages.size(); ++i) {
    map.pages[i].bank = static_cast<int64_t>(i) / perBank;
    map.pages[i].offset = static_cast<int64_t>(i) % perBank * map.pageBytes;
  }
}
inline void pagesByColumns(PageMap& map, const TensorLayout& layout, const DeviceSpec&) {
  if (layout.sharded() || !map.tiled) return;
  const int64_t down = map.rows / 32, across = map.cols / 32;
  for (size_t i = 0; i < map.pages.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    map.pages[i].row = number % down * 32;
    map.pages[i].col = number / down % across * 32;
  }
}
inline void pagesOfAShardByColumns(PageMap& map, const TensorLayout& layout, const DeviceSpec&) {
  if (layout.memory != TensorMemoryLayout::BlockSharded) return;
  for (Page& page : map.pages) {
    const int64_t number = page.offset / map.pageBytes;
    page.offset = (number % layout.shardCols * layout.shardRows + number / layout.shardCols) * map.pageBytes;
  }
}
inline void rowsUnaligned(PageMap& map, const TensorLayout& layout, const DeviceSpec& device) {
  if (map.tiled) return;
  const int64_t granule = layout.isL1() ? device.l1Alignment : device.dramAlignment;
  for (Page& page : map.pages) page.offset = page.offset / alignUp(map.pageBytes, granule) * map.pageBytes;
}

// Order of values in a tile.

inline void facesByColumns(TileValues& tile) {
  for (size_t r = 0; r < 16; ++r) {
    for (size_t c = 0; c < 16; ++c) std::swap(inTile(tile, r, c + 16), inTile(tile, r + 16, c));
  }
}
inline void noFaces(TileValues& tile) {
  const TileValues given = tile;
  for (size_t r = 0; r < 32; ++r) {
    for (size_t c = 0; c < 32; ++c) inTile(tile, r, c) = given[placeInFaces(r, c)];
  }
}
inline void facesTransposed(TileValues& tile) {
  const TileValues given = tile;
  for (size_t r = 0; r < 32; ++r) {
    for (size_t c = 0; c < 32; ++c) inTile(tile, r, c) = given[(r / 16 * 16 + c % 16) * 32 + c / 16 * 16 + r % 16];
  }
}
inline void tileTransposed(TileValues& tile) {
  const TileValues given = tile;
  for (size_t r = 0; r < 32; ++r) {
    for (size_t c = 0; c < 32; ++c) inTile(tile, r, c) = given[c * 32 + r];
  }
}

// Bytes.

inline void exponentsLast(DType dtype, std::vector<uint8_t>& bytes) {
  if (isBlockFloat(dtype)) std::rotate(bytes.begin(), bytes.begin() + 64, bytes.end());
}
inline void exponentsOfTheNextRow(DType dtype, std::vector<uint8_t>& bytes) {
  if (isBlockFloat(dtype)) std::rotate(bytes.begin(), bytes.begin() + 1, bytes.begin() + 64);
}
inline void exponentsOneTooLarge(DType dtype, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; isBlockFloat(dtype) && i < 64; ++i) bytes[i] = static_cast<uint8_t>(bytes[i] + (bytes[i] > 0));
}
inline void nibblesSwapped(DType dtype, std::vector<uint8_t>& bytes) {
  for (size_t i = 64; dtype == DType::BFP4 && i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(bytes[i] << 4 | bytes[i] >> 4);
}
inline void bytesSwapped(DType dtype, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; dtype == DType::BF16 && i + 1 < bytes.size(); i += 2) std::swap(bytes[i], bytes[i + 1]);
}
inline void lastBitLost(DType dtype, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; dtype == DType::BF16 && i < bytes.size(); i += 2) bytes[i] &= 0xFE;
}
// As where a value is cut off after its 7 bits instead of rounded.
inline void cutOff(TileValues& tile) {
  for (double& value : tile) {
    const double step = value == 0 ? 1 : std::ldexp(1.0, std::ilogb(value) - 7);
    value = std::trunc(value / step) * step;
  }
}

inline std::vector<Fault> byteFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&)) {
    return Fault{Planted::Bytes, what, layoutsSubject, plant};
  };
  return {
      in("height shards down the columns of cores", plantPages<columnsOfCores>),
      in("block shards with rows and columns of cores swapped", plantPages<blockTransposed>),
      in("block shards on a line of cores", plantPages<blockOnALine>),
      in("width shards from the right", plantPages<widthFromTheRight>),
      in("every shard on the core after its own", plantPages<shardsOffByOne>),
      in("interleaved pages from the second bank on", plantPages<secondBankFirst>),
      in("interleaved pages bank after bank, not in turn", plantPages<bankAfterBank>),
      in("tiles counted column by column", plantPages<pagesByColumns>),
      in("tiles of a shard counted column by column", plantPages<pagesOfAShardByColumns>),
      in("rows without alignment", plantPages<rowsUnaligned>),
      in("faces column by column", plantValues<facesByColumns>),
      in("tiles without faces", plantValues<noFaces>),
      in("faces transposed", plantValues<facesTransposed>),
      in("tiles transposed", plantValues<tileTransposed>),
      in("exponents behind the values", plantPacked<exponentsLast>),
      in("exponents of the next row", plantPacked<exponentsOfTheNextRow>),
      in("exponents one too large", plantPacked<exponentsOneTooLarge>),
      in("the two values of a byte swapped", plantPacked<nibblesSwapped>),
      in("the two bytes of a value swapped", plantPacked<bytesSwapped>),
      in("the last bit of every value lost", plantPacked<lastBitLost>),
      in("values cut off instead of rounded", plantValues<cutOff>),
      in("padding not filled", [](Subject& s) { s.written.fill = -2.6e36; }),
      in("padding filled with one", [](Subject& s) { s.written.fill = 1.0; }),
  };
}

}  // namespace tessera::test

// Places of elements under metal layouts, worked out by hand, and what lies outside of them.

#include <gtest/gtest.h>

#include "core/ir/metal_address.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

std::string mapOrRule(const std::vector<int64_t>& grid, const MetalTarget& target) {
  const auto map = virtualToPhysicalMap(grid, target);
  return map ? printAffineMap(*map) : std::string(layoutRuleName(map.error().rule)) + ": " + map.error().text;
}

// "device d core (x,y) offset.bit, grid, unit" of an element.
std::string placeOf(const MetalPlacement& placement, const std::vector<int64_t>& index) {
  const auto at = placement.address(index);
  if (!at) return std::string(layoutRuleName(at.error().rule));
  return std::to_string(at->device) + " (" + std::to_string(at->core.x) + "," + std::to_string(at->core.y) + ") " +
         std::to_string(at->offset) + "." + std::to_string(at->bit) + " grid " + shapeText(at->gridIndex) + " unit " +
         shapeText(at->unit);
}

std::string elementAt(const MetalPlacement& placement, int64_t device, CoreCoord core, int64_t offset, int32_t bit) {
  const auto found = placement.elementAt(device, core, offset, bit);
  if (!found) return found.error().text;
  return found->has_value() ? shapeText(**found) : "padding";
}

TEST(MetalPlaces, GridsOntoCores) {
  EXPECT_EQ(mapOrRule({8, 8}, {}), "(d0, d1) -> (0, d0, d1)");
  EXPECT_EQ(mapOrRule({1, 8}, {}), "(d0, d1) -> (0, d0, d1)");
  EXPECT_EQ(mapOrRule({1, 64}, {}), "(d0, d1) -> (0, (d0 * 64 + d1) floordiv 8, (d0 * 64 + d1) mod 8)");
  EXPECT_EQ(mapOrRule({9, 7}, {}), "(d0, d1) -> (0, (d0 * 7 + d1) floordiv 8, (d0 * 7 + d1) mod 8)");
  EXPECT_EQ(mapOrRule({9, 8}, {}), "GridBeyondDevice: grid <9x8> needs 72 cores, the device has 64");
  EXPECT_EQ(mapOrRule({5}, {}), "(d0) -> (0, d0 floordiv 8, d0 mod 8)");
  EXPECT_EQ(mapOrRule({2, 3, 4}, {.cores = {4, 6}}),
            "(d0, d1, d2) -> (0, (d0 * 12 + d1 * 4 + d2) floordiv 6, (d0 * 12 + d1 * 4 + d2) mod 6)");
  EXPECT_EQ(mapOrRule({2, 3, 4}, {.cores = {4, 5}}).substr(0, 16), "GridBeyondDevice");
  EXPECT_EQ(mapOrRule({0, 3}, {}), "EmptyGrid: grid <0x3> has no cores");
  EXPECT_EQ(mapOrRule({-1, 3}, {.deviceDims = 1}), "EmptyGrid: grid <-1x3> has no cores");
}

TEST(MetalPlaces, GridsOntoDevices) {
  EXPECT_EQ(mapOrRule({3, 2, 2}, {.deviceDims = 1, .devices = 3}), "(d0, d1, d2) -> (d0, d1, d2)");
  EXPECT_EQ(mapOrRule({3, 2, 2}, {.deviceDims = 1, .devices = 2}),
            "GridBeyondDevice: grid <3x2x2> needs 3 devices, there are 2");
  EXPECT_EQ(mapOrRule({2, 3, 4, 5}, {.deviceDims = 2, .devices = 6}), "(d0, d1, d2, d3) -> (d0 * 3 + d1, d2, d3)");
  EXPECT_EQ(mapOrRule({2, 3}, {.deviceDims = 2, .devices = 6}), "(d0, d1) -> (d0 * 3 + d1, 0 floordiv 8, 0 mod 8)");
  EXPECT_EQ(mapOrRule({2, 3}, {.deviceDims = 3, .devices = 6}), "RankMismatch: 3 device dims in a grid of 2 dims");
  EXPECT_EQ(mapOrRule({2, 3}, {.deviceDims = -1}), "RankMismatch: -1 device dims in a grid of 2 dims");
  EXPECT_EQ(mapOrRule({INT64_MAX, 3}, {.deviceDims = 2, .devices = 6}).substr(0, 16), "GridBeyondDevice");
}

// 5x3 over two rows of cores: three rows on each, in numbers of four bytes.
TEST(MetalPlaces, Rows) {
  const Shape shape{5, 3};
  const MetalPlacement placement = *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {2, 1}}));
  EXPECT_EQ(placeOf(placement, {0, 0}), "0 (0,0) 0.0 grid 0x0 unit 0x0");
  EXPECT_EQ(placeOf(placement, {2, 2}), "0 (0,0) 32.0 grid 0x0 unit 2x2");
  EXPECT_EQ(placeOf(placement, {4, 1}), "0 (0,1) 16.0 grid 1x0 unit 1x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 1}, 16, 0), "4x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 1}, 20, 0), "4x2");
  EXPECT_EQ(elementAt(placement, 0, {0, 1}, 24, 0), "padding") << "row 5";
  EXPECT_EQ(elementAt(placement, 0, {0, 1}, 17, 0), "device 0 core (0,1) byte 17 holds no value of the tensor");
  EXPECT_EQ(elementAt(placement, 0, {0, 1}, 16, 1), "device 0 core (0,1) byte 16 holds no value of the tensor");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 32, 0), "2x2");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 36, 0), "device 0 core (0,0) byte 36 holds no value of the tensor");
}

// More columns of cores than rows, as on Blackhole.
TEST(MetalPlaces, ColumnsBeyondTheRows) {
  const Shape shape{1, 6};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {1, 6}}), {.cores = {4, 6}});
  EXPECT_EQ(placeOf(placement, {0, 5}), "0 (5,0) 0.0 grid 0x5 unit 0x0");
  EXPECT_EQ(elementAt(placement, 0, {5, 0}, 0, 0), "0x5");
  EXPECT_EQ(elementAt(placement, 0, {6, 0}, 0, 0), "device 0 core (6,0) byte 0 holds no value of the tensor");
  EXPECT_EQ(elementAt(placement, 0, {0, 4}, 0, 0), "device 0 core (0,4) byte 0 holds no value of the tensor");
}

// Ten rows over cores that are numbered row after row, six in a row: the ninth is the third of the second row.
TEST(MetalPlaces, RowsBeyondTheColumns) {
  const Shape shape{10, 1};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {10, 1}}), {.cores = {4, 6}});
  EXPECT_EQ(placeOf(placement, {8, 0}), "0 (2,1) 0.0 grid 8x0 unit 0x0");
  EXPECT_EQ(elementAt(placement, 0, {2, 1}, 0, 0), "8x0");
  EXPECT_EQ(elementAt(placement, 0, {4, 1}, 0, 0), "device 0 core (4,1) byte 0 holds no value of the tensor");
}

// Tiles of faces: row 33 is row 1 of the second row of tiles, column 17 column 1 of the second face.
TEST(MetalPlaces, Tiles) {
  const Shape shape{64, 64};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {1, 1}, .dtype = DType::BF16, .tiled = true}));
  EXPECT_EQ(placeOf(placement, {33, 17}),
            "0 (0,0) " + std::to_string(2 * 2048 + 2 * (256 + 16 + 1)) + ".0 grid 0x0 unit 1x0");
  EXPECT_EQ(placeOf(placement, {31, 63}), "0 (0,0) " + std::to_string(2048 + 2 * 1023) + ".0 grid 0x0 unit 0x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 2 * 2048 + 2 * 273, 0), "33x17");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 4 * 2048 - 2, 0), "63x63");
}

// A tile of bfp4 is 64 bytes of exponents and 512 of values, two in a byte.
TEST(MetalPlaces, BlockFormats) {
  const Shape shape{5, 3};
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {1, 1}, .dtype = DType::BFP4, .tiled = true}));
  EXPECT_EQ(placeOf(placement, {0, 0}), "0 (0,0) 64.0 grid 0x0 unit 0x0");
  EXPECT_EQ(placeOf(placement, {0, 1}), "0 (0,0) 64.4 grid 0x0 unit 0x0");
  EXPECT_EQ(placeOf(placement, {1, 2}), "0 (0,0) 73.0 grid 0x0 unit 0x0");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 73, 0), "1x2");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 73, 4), "padding") << "column 3";
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 64 + 5 * 8, 0), "padding") << "row 5";
}

// 66 columns over eleven cores that are numbered row after row, eight in a row.
TEST(MetalPlaces, CoresInARow) {
  const Shape shape{2, 66};
  const MetalPlacement placement = *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {1, 11}}));
  EXPECT_EQ(placeOf(placement, {1, 47}), "0 (7,0) 44.0 grid 0x7 unit 1x5");
  EXPECT_EQ(placeOf(placement, {1, 48}), "0 (0,1) 24.0 grid 0x8 unit 1x0");
  EXPECT_EQ(placeOf(placement, {0, 65}), "0 (2,1) 20.0 grid 0x10 unit 0x5");
  EXPECT_EQ(elementAt(placement, 0, {2, 1}, 20, 0), "0x65");
  EXPECT_EQ(elementAt(placement, 0, {3, 1}, 0, 0), "device 0 core (3,1) byte 0 holds no value of the tensor");
  EXPECT_EQ(placement.gridVolume(), 11);
  EXPECT_EQ(placement.gridIndexOf(10), (std::vector<int64_t>{0, 10}));
}

// Two by three devices with two by two cores each.
TEST(MetalPlaces, Devices) {
  const Shape shape{2, 3, 4, 6};
  const MetalPlacement placement = *MetalPlacement::make(
      shape, *makeMetalLayout(shape, {.grid = {2, 3, 2, 2}, .collapse = {}}), {.deviceDims = 2, .devices = 6});
  EXPECT_EQ(placeOf(placement, {1, 2, 3, 4}), "5 (1,1) 16.0 grid 1x2x1x1 unit 0x0x1x1");
  EXPECT_EQ(placeOf(placement, {1, 0, 0, 2}), "3 (0,0) 8.0 grid 1x0x0x0 unit 0x0x0x2");
  EXPECT_EQ(elementAt(placement, 5, {1, 1}, 16, 0), "1x2x3x4");
  EXPECT_EQ(elementAt(placement, 3, {0, 0}, 8, 0), "1x0x0x2");
  EXPECT_EQ(elementAt(placement, 6, {0, 0}, 8, 0), "device 6 core (0,0) byte 8 holds no value of the tensor");
  EXPECT_EQ(placement.gridIndexOf(17), (std::vector<int64_t>{1, 1, 0, 1}));
}

// Two rows in front of the first element are padding.
TEST(MetalPlaces, MapsWithAnOffset) {
  const Shape shape{3, 2};
  const AffineMap map = *parseAffineMap("(d0, d1) -> (d0 + 2, d1)");
  const MetalPlacement placement =
      *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {1, 1}, .linear = map}));
  EXPECT_EQ(placeOf(placement, {0, 1}), "0 (0,0) 20.0 grid 0x0 unit 2x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 20, 0), "0x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 36, 0), "2x1");
  EXPECT_EQ(elementAt(placement, 0, {0, 0}, 12, 0), "padding");
}

TEST(MetalPlaces, OutsideOfEveryCore) {
  const Shape shape{16, 16};
  const MetalPlacement placement = *MetalPlacement::make(shape, *makeMetalLayout(shape, {.grid = {8, 8}}));
  EXPECT_EQ(elementAt(placement, 0, {7, 7}, 12, 0), "15x15");
  for (const CoreCoord core : {CoreCoord{8, 0}, CoreCoord{0, 8}, CoreCoord{-1, 0}, CoreCoord{0, -1}})
    EXPECT_FALSE(placement.elementAt(0, core, 0, 0).ok()) << core.x << " " << core.y;
  EXPECT_FALSE(placement.elementAt(-1, {0, 0}, 0, 0).ok());
  EXPECT_FALSE(placement.elementAt(1, {0, 0}, 0, 0).ok());
  EXPECT_FALSE(placement.elementAt(0, {0, 0}, -4, 0).ok());
  EXPECT_FALSE(placement.elementAt(0, {0, 0}, 16, 0).ok());
  EXPECT_FALSE(placement.elementAt(0, {0, 0}, 0, 8).ok());
  EXPECT_FALSE(placement.elementAt(0, {0, 0}, 0, -1).ok());
}

}  // namespace
}  // namespace tessera

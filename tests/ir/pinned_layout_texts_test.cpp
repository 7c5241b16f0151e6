// What is read of texts of layouts, maps and constants in which a word is wrong or a number another one: a line per
// kind of text. What is right is stated one by one in layout_ttnn_text_test.cpp and layout_spec_test.cpp.

#include "core/ir/affine_map.h"
#include "core/ir/constant_value.h"
#include "core/ir/metal_layout.h"
#include "core/ir/types.h"
#include "tests/changed_texts.h"
#include "tests/pinned.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

PinnedFile& layoutTextPins = PinnedFile::named("pinned_layout_texts");
constexpr uint64_t kTextChanges = 400;

struct ShapedText {
  Shape shape;
  std::string text;
};

template <class Read>
void pinTexts(const std::string& kind, const std::vector<ShapedText>& texts, Read read) {
  Fingerprint print;
  int fine = 0, all = 0;
  for (const ShapedText& one : texts) {
    for (uint64_t seed = 0; seed <= (smallTests() ? kTextChanges / 10 : kTextChanges); ++seed) {
      const std::string text = seed == 0       ? one.text
                               : seed % 2 == 0 ? variedText(one.text, seed * 7919)
                                               : brokenText(one.text, seed * 7919);
      const std::string found = read(text, one.shape);
      ++all, fine += found.rfind("refused ", 0) != 0;
      print.add(found);
    }
  }
  if (!smallTests())
    layoutTextPins.expect(kind, std::to_string(fine) + " of " + std::to_string(all) + " read, print " + digits(print));
}

std::string refused(const LayoutDefect& defect) {
  return "refused " + std::string(layoutRuleName(defect.rule)) + " " + defect.text;
}

TEST(PinnedLayoutTexts, OfTtnn) {
  const std::string tiles = "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>";
  pinTexts(
      "ttnn layouts",
      {{{1, 32, 32},
        "(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>"},
       {{256, 256},
        "(d0, d1) -> (d0, d1), <8x8>, " + tiles +
            ", <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>"},
       {{1, 20, 20, 640},
        "(d0, d1, d2, d3) -> (d0 * 400 + d1 * 20 + d2, d3), <1x1>, memref<400x640xbf16, #dram>, <interleaved>"},
       {{1, 1, 2048, 32},
        "(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 2048 + d2, d3), <64x1, (d0, d1) -> (0, d0 floordiv 8, d0 mod 8)>, " +
            tiles + ", <height_sharded>"},
       {{1, 1, 1, 16}, "(d0,d1,d2,d3)->(d0+d1+d2,d3), <1x1>, memref<1x16xf32, #ttnn.buffer_type<system_memory>>"},
       {{384, 32},
        "(d0, d1) -> (d0, d1), <12x1>, " + tiles +
            ", <height_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,0)>, "
            "#ttnn.core_range<(0,1), (3,1)>]>"},
       {{64, 512}, "(d0, d1) -> (d0, d1), <1x8>, memref<2x2x!tt.tile<32x32, bfp_bf8>, #l1>, <width_sharded>"},
       {{64, 64},
        "(d0, d1) -> (d0, d1), <1x1>, memref<64x64xui32, #l1>, <interleaved>, mesh = #ttcore.mesh<\"m\" = 1x2>"},
       {{64, 128},
        "#ttnn.layout<tile>, bf16, #ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, "
        "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (3,1)>]>, <32x32>, <row_major>>>"}},
      [](const std::string& text, const Shape& shape) {
        const auto found = parseTtnnLayoutAttr(text, shape);
        return found.ok() ? printTtnnLayoutAttr(shape, *found, n150()) + layoutText(found->layout)
                          : refused(found.error());
      });
}

TEST(PinnedLayoutTexts, OfMetalAndMaps) {
  pinTexts("metal layouts",
           {{{2, 3, 64, 128},
             "#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
             "#tt.memory_space<l1>>>"},
            {{8, 300}, "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #tt.memory_space<l1>>>"},
            {{3, 64, 64},
             "#ttcore.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), neg_inf, <3x2>, memref<2x1x!tt.tile<32 x 32, "
             "bfp_bf8>, #tt.memory_space<dram>>>"}},
           [](const std::string& text, const Shape& shape) {
             const auto found = parseMetalLayout(text, shape);
             return found.ok() ? printMetalLayout(*found) : refused(found.error());
           });
  pinTexts("affine maps",
           {{{}, "(d0, d1) -> (d0 floordiv 32, d1 mod 32 + 4)"},
            {{}, "(d0, d1)[s0] -> (d0 * s0 + 2, (d1 - d0) ceildiv 3, -d1, 7)"},
            {{}, "() -> ()"},
            {{}, "affine_map<(d0) -> (2 * (d0 + 1) * 3)>"}},
           [](const std::string& text, const Shape&) {
             const auto found = parseAffineMap(text);
             return found.ok() ? printAffineMap(*found) : refused(found.error());
           });
}

TEST(PinnedLayoutTexts, OfConstants) {
  for (const DType dtype : {DType::F32, DType::BF16, DType::I32, DType::U8, DType::I1}) {
    pinTexts("constants of " + std::string(dtypeName(dtype)),
             {{{3}, "dense<[1, -2, 3]> : tensor<3xi32>"},
              {{2, 2}, "dense<[[1.5, 2.0e1], [-0.25, 4]]> : tensor<2x2xf32>"},
              {{4}, "dense<7> : tensor<4xui8>"},
              {{2}, "dense<\"0x0000803F000000C0\"> : tensor<2xf32>"},
              {{2}, "dense<[0x7F800000, 0x3F80]> : tensor<2xf32>"},
              {{3}, "dense<[true, false, true]> : tensor<3xi1>"},
              {{8}, "dense_resource<__elided__> : tensor<8xf32>"},
              {{1}, "#ttcore.dense<[1]>"}},
             [dtype](const std::string& text, const Shape& shape) {
               const auto found = readConstant(text, dtype, *elementCount(shape));
               if (!found) return std::string("refused ");
               std::string line = found->elided ? "elided" : found->splat ? "splat" : "";
               for (const int64_t number : found->integers) line += " " + std::to_string(number);
               for (const double number : found->numbers) line += " " + std::to_string(number);
               return line;
             });
  }
}

}  // namespace
}  // namespace tessera::test

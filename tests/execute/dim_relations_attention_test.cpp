// What attention of one query per user, pages of caches, convolutions of volumes and pools with places say about sizes.

#include "tests/execute/related_sizes.h"

namespace tessera::test {
namespace {

std::string segments(const std::string& sizes) { return "operandSegmentSizes = array<i32: " + sizes + ">"; }

TEST(DimRelations, OfOneQueryPerUser) {
  const std::string op = "\"ttir.scaled_dot_product_attention_decode\"";
  expectRelated({op + "(%0, %1, %2) <{is_causal = false, " + segments("1, 1, 1, 0, 0, 0") + "}> : TYPES",
                 {"1uhd", "uhrd", "uhre"},
                 {"1uhe"},
                 {}});
  expectRelated({op + "(%0, %1, %2, %3) <{" + segments("1, 1, 1, 0, 1, 0") + "}> : TYPES",
                 {"1uhd", "uhrd", "uhre", "i:u"},
                 {"1uhe"},
                 {}});
  expectRelated({op + "(%0, %1, %2, %3, %4) <{is_causal = false, " + segments("1, 1, 1, 1, 0, 1") + "}> : TYPES",
                 {"1uhd", "uhrd", "uhre", "u1hr", "h1"},
                 {"1uhe"},
                 {}});
  // Two heads share the keys of one.
  expectRelated({op + "(%0, %1, %2) <{is_causal = false, " + segments("1, 1, 1, 0, 0, 0") + "}> : TYPES",
                 {"1uhd", "ukrd", "ukre"},
                 {"1uhe"},
                 {{'h', 2 * 53}, {'k', 53}},
                 "hk",
                 [](Sizes& s) { return s['h'] == 2 * s['k']; }});
}

// How many rows a page has stays, and so do values that are the first numbers of the keys.
TEST(DimRelations, OfPages) {
  const Sizes page = {{'R', 32}};
  expectRelated({"\"ttir.paged_scaled_dot_product_attention_decode\"(%0, %1, %2, %3, %4) <{is_causal = true, " +
                     segments("1, 1, 1, 1, 0, 0, 1, 0") + "}> : TYPES",
                 {"1uhd", "ghRd", "ghRd", "i:ut", "i:u"},
                 {"1uhd"},
                 page});
  expectRelated({"\"ttir.paged_flash_multi_latent_attention_decode\"(%0, %1, %2, %3) <{head_dim_v = 24 : ui32, " +
                     segments("1, 1, 0, 1, 0, 1, 0") + "}> : TYPES",
                 {"1uhD", "g1RD", "i:ut", "i:u"},
                 {"1uhV"},
                 {{'R', 32}, {'D', 64}, {'V', 24}}});
  expectRelated({"\"ttir.chunked_scaled_dot_product_attention\"(%0, %1, %2, %3, %4) : TYPES",
                 {"uhsd", "ghRd", "ghRd", "i:ut", "i:1"},
                 {"uhsd"},
                 page});
  expectRelated({"\"ttir.paged_update_cache\"(%0, %1, %2, %3) <{share_cache = false}> : TYPES",
                 {"ghRd", "1uhd", "i:u", "i:ut"},
                 {"ghRd"},
                 page});
  expectRelated({"\"ttir.paged_fill_cache\"(%0, %1, %2, %3) : TYPES",
                 {"ghRd", "bhSd", "i:UT", "i:b"},
                 {"ghRd"},
                 {{'R', 32}, {'S', 50}, {'T', 2}, {'U', 3}}});
}

TEST(DimRelations, OfVolumes) {
  const auto volume = [](const std::string& groups, const std::string& dims) {
    return "\"ttir.conv3d\"(%0, %1, %2) <{stride = array<i32: 1, 2, 1>, padding = array<i32: 0, 1, 1>, groups = " +
           groups + " : i32" + dims + "}> : TYPES";
  };
  const Sizes sizes = {{'d', 40}, {'h', 50}, {'w', 60}, {'K', 3}, {'L', 3}, {'M', 1}, {'x', 38}, {'y', 25}, {'z', 62}};
  const auto windows = [](Sizes& s) {
    return s['x'] == s['d'] - 2 && s['y'] == (s['h'] - 1) / 2 + 1 && s['z'] == s['w'] + 2;
  };
  expectRelated({volume("1", ""), {"ndhwc", "ocKLM", "1111o"}, {"nxyzo"}, sizes, "dhwxyz", windows});
  expectRelated({volume("1",
                        ", batch_dim = 0 : i64, channel_dim = 1 : i64, depth_dim = 2 : i64, height_dim = 3 : i64, "
                        "width_dim = 4 : i64"),
                 {"ncdhw", "ocKLM", "1111o"},
                 {"noxyz"},
                 sizes,
                 "dhwxyz",
                 windows});
}

TEST(DimRelations, OfPlacesOfTheLargest) {
  expectRelated(
      {"\"ttir.max_pool2d_with_indices\"(%0) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = "
       "array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : TYPES",
       {"nhwc"},
       {"nyzc", "i:nyzc"},
       {{'h', 50}, {'w', 70}, {'y', 25}, {'z', 35}},
       "hwyz",
       [](Sizes& s) { return s['y'] == s['h'] / 2 && s['z'] == s['w'] / 2; }});
}

}  // namespace
}  // namespace tessera::test

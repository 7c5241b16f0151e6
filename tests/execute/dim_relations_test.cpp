// What ops say about sizes: products, elements, moves, slices, places, windows and attention.

#include "tests/execute/related_sizes.h"

namespace tessera::test {
namespace {

TEST(DimRelations, OfProducts) {
  const std::string dot = "stablehlo.dot_general %0, %1, ";
  expectRelated({"stablehlo.dot %0, %1 : TYPES", {"ab", "bc"}, {"ac"}, {}});
  expectRelated({dot + "contracting_dims = [1] x [0] : TYPES", {"ab", "bc"}, {"ac"}, {}});
  expectRelated({dot + "contracting_dims = [0, 2] x [3, 1] : TYPES", {"abcd", "ecfa"}, {"bdef"}, {}});
  expectRelated({dot + "batching_dims = [1] x [2], contracting_dims = [2] x [0] : TYPES", {"anb", "bcn"}, {"nac"}, {}});
  expectRelated(
      {dot + "batching_dims = [2, 0] x [1, 3], contracting_dims = [1] x [2] : TYPES", {"nbma", "cmbn"}, {"mnac"}, {}});
  expectRelated(
      {"\"ttir.dot_general\"(%0, %1) <{batch_dims_lhs = array<i64: 1>, batch_dims_rhs = array<i64: 2>, "
       "contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 0>}> : TYPES",
       {"anbe", "bcnd"},
       {"naecd"},
       {}});
  const auto matmul = [](const char* a, const char* b) {
    return std::string("\"ttir.matmul\"(%0, %1) <{transpose_a = ") + a + ", transpose_b = " + b + "}> : TYPES";
  };
  expectRelated({matmul("false", "false"), {"nab", "nbc"}, {"nac"}, {}});
  expectRelated({matmul("true", "false"), {"nba", "nbc"}, {"nac"}, {}});
  expectRelated({matmul("false", "true"), {"nab", "cb"}, {"nac"}, {}});
  expectRelated({matmul("false", "false"), {"mnab", "1nbc"}, {"mnac"}, {}});
  expectRelated({matmul("false", "false"), {"ab", "b"}, {"a"}, {}});
  expectRelated({matmul("false", "false"), {"b", "bc"}, {"c"}, {}});
  expectRelated({"\"ttir.linear\"(%0, %1, %2) <{transpose_a = false, transpose_b = false}> : TYPES",
                 {"ab", "bc", "c"},
                 {"ac"},
                 {}});
}

// The halves of the last dim are turned against each other.
TEST(DimRelations, OfRotaryEmbeddings) {
  expectRelated({"\"ttir.rotary_embedding\"(%0, %1, %2) : TYPES",
                 {"nhrw", "11rw", "11rw"},
                 {"nhrw"},
                 {{'w', 128}},
                 "",
                 [](Sizes& s) { return s['w'] % 2 == 0; }});
}

TEST(DimRelations, OfElementsAndReductions) {
  expectRelated({"stablehlo.add %0, %1 : TYPES", {"ab", "ab"}, {"ab"}, {}});
  expectRelated({"\"ttir.add\"(%0, %1) : TYPES", {"a1b", "cb"}, {"acb"}, {}});
  expectRelated({"\"ttir.add\"(%0, %1) : TYPES", {"1", "cb"}, {"cb"}, {}});
  expectRelated({"\"ttir.where\"(%0, %1, %2) : TYPES", {"ab", "1b", "a1"}, {"ab"}, {}});
  expectRelated({"\"ttir.softmax\"(%0) <{dimension = 1 : si32}> : TYPES", {"abc"}, {"abc"}, {}});
  expectRelated({"\"ttir.sum\"(%0) <{dim_arg = [1 : i32], keep_dim = false}> : TYPES", {"abc"}, {"ac"}, {}});
  expectRelated({"\"ttir.sum\"(%0) <{dim_arg = [-3 : i32, 2 : i32], keep_dim = false}> : TYPES", {"abc"}, {"b"}, {}});
  expectRelated({"\"ttir.sum\"(%0) <{dim_arg = [1 : i32], keep_dim = true}> : TYPES", {"abc"}, {"a1c"}, {}});
  expectRelated({"\"ttir.argmax\"(%0) <{dim_arg = [0 : i32], keep_dim = false}> : TYPES", {"abc"}, {"i:bc"}, {}});
  expectRelated(
      {"\"ttir.layer_norm\"(%0, %1, %2) <{normalized_shape = array<i64: 43>, epsilon = 1.0e-5 : f32, "
       "operandSegmentSizes = array<i32: 1, 1, 1>}> : TYPES",
       {"abc", "c", "c"},
       {"abc"},
       {}});
  expectRelated({"stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [1] : TYPES",
                 {"abcd", ""},
                 {"acd"},
                 {}});
  expectRelated({"stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [0, 2] : TYPES",
                 {"abcd", ""},
                 {"bd"},
                 {}});
  const auto batchNorm = [](const char* kind, int feature, size_t operands) {
    std::string text = std::string("\"stablehlo.batch_norm_") + kind + "\"(%0";
    for (size_t i = 1; i < operands; ++i) text += ", %" + std::to_string(i);
    return text + ") <{epsilon = 0.001 : f32, feature_index = " + std::to_string(feature) + " : i64}> : TYPES";
  };
  expectRelated({batchNorm("inference", 1, 5), {"nchw", "c", "c", "c", "c"}, {"nchw"}, {}});
  expectRelated({batchNorm("inference", 3, 5), {"nhwc", "c", "c", "c", "c"}, {"nhwc"}, {}});
  expectRelated({batchNorm("training", 0, 3), {"cab", "c", "c"}, {"cab", "c", "c"}, {}});
  expectRelated({batchNorm("grad", 2, 5), {"abc", "c", "c", "c", "abc"}, {"abc", "c", "c"}, {}});
}

TEST(DimRelations, OfMoves) {
  expectRelated({"stablehlo.transpose %0, dims = [2, 0, 1] : TYPES", {"abc"}, {"cab"}, {}});
  expectRelated({"\"ttir.permute\"(%0) <{permutation = array<i64: 1, 2, 0>}> : TYPES", {"abc"}, {"bca"}, {}});
  expectRelated({"\"ttir.transpose\"(%0) <{dim0 = 0 : si32, dim1 = -1 : si32}> : TYPES", {"abc"}, {"cba"}, {}});
  expectRelated({"stablehlo.broadcast_in_dim %0, dims = [2, 1] : TYPES", {"ab"}, {"cba"}, {}});
  expectRelated({"stablehlo.broadcast_in_dim %0, dims = [0, 1] : TYPES", {"1b"}, {"ab"}, {}});
  expectRelated({"\"ttir.repeat\"(%0) <{repeat_dimensions = array<i64: 1, 37>}> : TYPES", {"b1"}, {"ba"}, {}});
  const auto product = [](Sizes& s) { return s['c'] == s['a'] * s['b']; };
  expectRelated({"stablehlo.reshape %0 : TYPES", {"abd"}, {"cd"}, {{'c', 37 * 41}}, "abc", product});
  expectRelated({"\"ttir.reshape\"(%0) <{shape = [47 : i32, 1517 : i32]}> : TYPES",
                 {"d1ab"},
                 {"dc"},
                 {{'c', 37 * 41}},
                 "abc",
                 product});
  const auto sum = [](Sizes& s) { return s['d'] == s['b'] + s['c']; };
  expectRelated({"\"ttir.concat\"(%0, %1) <{dim = -1 : si32}> : TYPES", {"ab", "ac"}, {"ad"}, {{'d', 84}}, "bcd", sum});
  expectRelated({"stablehlo.concatenate %0, %1, dim = 0 : TYPES", {"ba", "ca"}, {"da"}, {{'d', 84}}, "bcd", sum});
  const auto padded = [](Sizes& s) { return s['c'] == s['a'] + 5 && s['d'] == s['b'] + 3; };
  expectRelated({"stablehlo.pad %0, %1, low = [2, 0], high = [3, 3], interior = [0, 0] : TYPES",
                 {"ab", ""},
                 {"cd"},
                 {{'c', 42}, {'d', 44}},
                 "abcd",
                 padded});
  expectRelated({"stablehlo.pad %0, %1, low = [0], high = [0], interior = [1] : TYPES",
                 {"A", ""},
                 {"B"},
                 {{'A', 37}, {'B', 73}}});
  expectRelated({"\"ttir.pad\"(%0) <{padding = array<i32: 2, 3, 0, 3>, value = 0.0 : f32}> : TYPES",
                 {"ab"},
                 {"cd"},
                 {{'c', 42}, {'d', 44}},
                 "abcd",
                 padded});
}

TEST(DimRelations, OfSlices) {
  // The whole dim, every second element, the first three units of four, a few of many.
  expectRelated({"stablehlo.slice %0 [0:37] : TYPES", {"a"}, {"a"}, {}});
  expectRelated({"stablehlo.slice %0 [0:74:2] : TYPES", {"b"}, {"a"}, {{'b', 74}}, "ab", [](Sizes& s) {
                   return s['b'] == 2 * s['a'];
                 }});
  expectRelated({"stablehlo.slice %0 [37:148] : TYPES", {"b"}, {"a"}, {{'b', 148}, {'a', 111}}, "ab", [](Sizes& s) {
                   return 3 * s['b'] == 4 * s['a'];
                 }});
  expectRelated({"\"ttir.slice_static\"(%0) <{begins = [-111 : i32], ends = [148 : i32], step = [1 : i32]}> : TYPES",
                 {"b"},
                 {"a"},
                 {{'b', 148}, {'a', 111}},
                 "ab",
                 [](Sizes& s) { return 3 * s['b'] == 4 * s['a']; }});
  expectRelated({"\"ttir.slice_static\"(%0) <{begins = [0 : i32], ends = [-37 : i32], step = [1 : i32]}> : TYPES",
                 {"b"},
                 {"a"},
                 {{'b', 148}, {'a', 111}},
                 "ab",
                 [](Sizes& s) { return 3 * s['b'] == 4 * s['a']; }});
  expectRelated(
      {"stablehlo.slice %0 [0:7] : TYPES", {"b"}, {"A"}, {{'A', 7}}, "b", [](Sizes& s) { return s['b'] >= 7; }});
  expectRelated({"stablehlo.slice %0 [5:41] : TYPES", {"b"}, {"a"}, {{'b', 41}, {'a', 36}}, "ab", [](Sizes& s) {
                   return s['b'] == s['a'] + 5;
                 }});
  expectRelated({"stablehlo.slice %0 [3:38:5] : TYPES", {"A"}, {"B"}, {{'A', 41}, {'B', 7}}});
  expectRelated(
      {"stablehlo.dynamic_slice %0, %1, %2, sizes = [37, 5] : TYPES", {"aB", "i:", "i:"}, {"aC"}, {{'C', 5}}});
  expectRelated(
      {"stablehlo.dynamic_update_slice %0, %1, %2, %3 : TYPES", {"aB", "aC", "i:", "i:"}, {"aB"}, {{'C', 5}}});
}

TEST(DimRelations, OfPlaces) {
  const auto gather = [](const std::string& dims, const std::string& sizes) {
    return "\"stablehlo.gather\"(%0, %1) <{dimension_numbers = #stablehlo.gather<" + dims +
           ">, slice_sizes = array<i64: " + sizes + ">}> : TYPES";
  };
  expectRelated({"\"ttir.embedding\"(%0, %1) : TYPES", {"i:ab", "dc"}, {"abc"}, {}});
  expectRelated({"\"ttir.embedding_backward\"(%0, %1, %2) : TYPES", {"i:ab", "dc", "abc"}, {"dc"}, {}});
  // Rows of a table; dims that indices name keep their size up to 4096.
  expectRelated(
      {gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 41"),
       {"Ab", "i:c1"},
       {"cb"},
       {}});
  expectRelated(
      {gather("offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2", "41, 1"),
       {"bA", "i:cd1"},
       {"bcd"},
       {}});
  expectRelated({gather("offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], "
                        "start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
                        "1, 1, 41"),
                 {"nAb", "i:cn1"},
                 {"cnb"},
                 {}});
  expectRelated(
      {gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 41"),
       {"ab", "i:c1"},
       {"cb"},
       {{'a', 5000}}});
  expectRelated({"\"ttir.embedding\"(%0, %1) : TYPES", {"i:ab", "dc"}, {"abc"}, {}});
  // Along a dim: the others are those of the indices, as long or kept.
  expectRelated({"\"ttir.gather\"(%0, %1) <{dim = 1 : i32}> : TYPES", {"ab", "i:ac"}, {"ac"}, {}});
  expectRelated({"\"ttir.gather\"(%0, %1) <{dim = 0 : i32}> : TYPES", {"aB", "i:cD"}, {"cD"}, {{'B', 50}, {'D', 7}}});
  expectRelated(
      {"\"ttir.scatter\"(%0, %1, %2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : TYPES",
       {"ab", "i:ac", "ac"},
       {"ab"},
       {}});
  const auto topK = [](Sizes& s) { return s['b'] >= s['K']; };
  expectRelated({"\"ttir.topk\"(%0) <{dim = 1 : i32, k = 5 : i32, largest = true, sorted = true}> : TYPES",
                 {"ab"},
                 {"aK", "i:aK"},
                 {{'K', 5}},
                 "b",
                 topK});
  expectRelated({"chlo.top_k(%0, k = 5) : TYPES", {"ab"}, {"aK", "i:aK"}, {{'K', 5}}, "b", topK});
  expectRelated(
      {"\"ttir.sort\"(%0) <{dim = 0 : si32, descending = true, stable = false}> : TYPES", {"ab"}, {"ab", "i:ab"}, {}});
}

TEST(DimRelations, OfWindows) {
  const auto convolution = [](const std::string& dims, const std::string& window, const std::string& groups) {
    return "stablehlo.convolution(%0, %1) dim_numbers = " + dims + ", window = {" + window +
           "} {batch_group_count = 1 : i64, feature_group_count = " + groups + " : i64} : TYPES";
  };
  // Moving one by one, the input and its padding hold the output and the rest of a kernel.
  expectRelated({convolution("[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [1], pad = [[1, 2]]", "1"),
                 {"nhc", "kco"},
                 {"nyo"},
                 {{'h', 50}, {'k', 4}, {'y', 50}},
                 "hky",
                 [](Sizes& s) { return s['h'] + 3 == s['y'] + s['k'] - 1; }});
  expectRelated({convolution("[f, 0, b]x[o, 0, i]->[0, f, b]", "stride = [1], pad = [[0, 0]], rhs_dilate = [3]", "1"),
                 {"chn", "okc"},
                 {"yon"},
                 {{'h', 50}, {'k', 4}, {'y', 41}},
                 "hky",
                 [](Sizes& s) { return s['h'] == s['y'] + 3 * (s['k'] - 1); }});
  expectRelated({convolution("[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [1], pad = [[2, 1]], lhs_dilate = [2]", "1"),
                 {"nhc", "kco"},
                 {"nyo"},
                 {{'h', 50}, {'k', 4}, {'y', 99}},
                 "hky",
                 [](Sizes& s) { return 2 * (s['h'] - 1) + 1 + 3 == s['y'] + s['k'] - 1; }});
  // With a stride the kernel keeps.
  expectRelated({convolution("[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [2], pad = [[1, 0]]", "1"),
                 {"nhc", "Kco"},
                 {"nyo"},
                 {{'h', 50}, {'K', 3}, {'y', 25}},
                 "hy",
                 [](Sizes& s) { return s['y'] == (s['h'] + 1 - 3) / 2 + 1; }});
  // Four groups of features.
  expectRelated({convolution("[b, 0, f]x[0, i, o]->[b, 0, f]", "stride = [1], pad = [[0, 0]]", "4"),
                 {"nhc", "1io"},
                 {"nho"},
                 {{'c', 4 * 41}, {'i', 41}, {'o', 4 * 43}},
                 "cio",
                 [](Sizes& s) { return s['c'] == 4 * s['i'] && s['o'] % 4 == 0; }});
  expectRelated(
      {"\"ttir.conv2d\"(%0, %1) <{stride = array<i32: 1, 2>, padding = array<i32: 0, 0, 1, 0>, dilation = "
       "array<i32: 1, 1>, groups = 1 : i32}> : TYPES",
       {"nhwc", "ocKL"},
       {"nyzo"},
       {{'h', 50}, {'w', 50}, {'K', 3}, {'L', 3}, {'y', 49}, {'z', 24}},
       "hwyz",
       [](Sizes& s) { return s['y'] == s['h'] + 1 - 2 && s['z'] == (s['w'] - 3) / 2 + 1; }});
  // Over one dim; of several groups the channels stay.
  const auto conv1d = [](const std::string& groups, const std::string& dims) {
    return "\"ttir.conv1d\"(%0, %1, %2) <{stride = array<i32: 2>, padding = array<i32: 0, 1>, dilation = 1 : i32, "
           "groups = " +
           groups + " : i32" + dims + "}> : TYPES";
  };
  const auto halved = [](Sizes& s) { return s['y'] == (s['h'] + 1 - 3) / 2 + 1; };
  expectRelated({conv1d("1", ""), {"nhc", "ocK", "11o"}, {"nyo"}, {{'h', 50}, {'K', 3}, {'y', 25}}, "hy", halved});
  expectRelated({conv1d("1", ", batch_dim = 0 : i64, channel_dim = 1 : i64, length_dim = 2 : i64"),
                 {"nch", "ocK", "11o"},
                 {"noy"},
                 {{'h', 50}, {'K', 3}, {'y', 25}},
                 "hy",
                 halved});
  // Where the last window may hang over, it is counted; a pool over all has one position.
  const auto hangsOver = [](Sizes& s) { return s['y'] == (s['h'] + 1) / 3 && s['z'] == (s['w'] + 2) / 3; };
  expectRelated(
      {"\"ttir.max_pool2d\"(%0) <{kernel = array<i32: 3, 3>, stride = array<i32: 3, 3>, padding = array<i32: 0, 0, 1, "
       "0>, dilation = array<i32: 1, 1>, ceil_mode = true}> : TYPES",
       {"nhwc"},
       {"nyzc"},
       {{'h', 50}, {'w', 50}, {'y', 17}, {'z', 17}},
       "hwyz",
       hangsOver});
  expectRelated({"\"ttir.global_avg_pool2d\"(%0) : TYPES", {"nhwc"}, {"n11c"}, {}});
  // Turned round: twice as large; or three times, and what a kernel of five adds, less one of padding.
  expectRelated(
      {"\"ttir.conv_transpose2d\"(%0, %1) <{stride = array<i32: 2, 3>, padding = array<i32: 0, 0, 0, 1>, dilation = "
       "array<i32: 1, 1>, output_padding = array<i32: 0, 0>, groups = 1 : i32}> : TYPES",
       {"nhwc", "coKL"},
       {"nyzo"},
       {{'h', 50}, {'w', 50}, {'K', 2}, {'L', 5}, {'y', 100}, {'z', 151}},
       "hwyz",
       [](Sizes& s) { return s['y'] == 2 * s['h'] && s['z'] == 3 * s['w'] + 1; }});
}

// Channels of a group norm keep: a group has a fixed number of them.
TEST(DimRelations, OfGroupNorms) {
  expectRelated(
      {"\"ttir.group_norm\"(%0, %1, %2) <{epsilon = 1.0e-5 : f32, num_groups = 2 : i64, operandSegmentSizes = "
       "array<i32: "
       "1, 0, 1, 1>}> : TYPES",
       {"n1rC", "C", "C"},
       {"n1rC"},
       {{'C', 64}}});
}

TEST(DimRelations, OfAttention) {
  expectRelated(
      {"\"ttir.scaled_dot_product_attention\"(%0, %1, %2) <{is_causal = false, scale = 0.1 : f32, "
       "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : TYPES",
       {"bhqd", "bhkd", "bhke"},
       {"bhqe"},
       {}});
  expectRelated(
      {"\"ttir.concatenate_heads\"(%0) : TYPES", {"bhsd"}, {"bsx"}, {{'h', 5}, {'x', 5 * 47}}, "hdx", [](Sizes& s) {
         return s['x'] == s['h'] * s['d'];
       }});
  const auto third = [](Sizes& s) { return s['x'] == 3 * 4 * s['d']; };
  const Sizes sizes = {{'H', 4}, {'x', 3 * 4 * 47}};
  expectRelated(
      {"\"ttir.split_query_key_value_and_split_heads\"(%0) <{num_heads = 4 : ui32, transpose_key = false}> : TYPES",
       {"bsx"},
       {"bHsd", "bHsd", "bHsd"},
       sizes,
       "dx",
       third});
  expectRelated(
      {"\"ttir.split_query_key_value_and_split_heads\"(%0) <{num_heads = 4 : ui32, transpose_key = true}> : TYPES",
       {"bsx"},
       {"bHsd", "bHds", "bHsd"},
       sizes,
       "dx",
       third});
  expectRelated({"\"ttir.fill_cache\"(%0, %1) <{batch_offset = 0 : i32}> : TYPES",
                 {"Nhcd", "Nhsd"},
                 {"Nhcd"},
                 {{'c', 50}, {'s', 37}},
                 "cs",
                 [](Sizes& s) { return s['s'] <= s['c']; }});
}

}  // namespace
}  // namespace tessera::test

// What calls, loops, windows over whole dims, caches, groups, collectives and constants say about sizes; which ops have
// no rule.

#include "tests/execute/related_sizes.h"

namespace tessera::test {
namespace {

TEST(DimRelations, OfReducedWindows) {
  const auto reduceWindow = [](const std::string& settings) {
    return "\"stablehlo.reduce_window\"(%0, %1) <{" + settings +
           "}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.add %p, %q : tensor<f32>\n"
           "  stablehlo.return %s : tensor<f32>\n}) : TYPES";
  };
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 3>"),
                 {"ab", ""},
                 {"ac"},
                 {{'b', 50}, {'c', 48}},
                 "bc",
                 [](Sizes& s) { return s['b'] == s['c'] + 2; }});
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, "
                              "padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>"),
                 {"ab", ""},
                 {"ac"},
                 {{'b', 50}, {'c', 25}},
                 "bc",
                 [](Sizes& s) { return s['c'] == (s['b'] + 1 - 3) / 2 + 1; }});
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 3>, window_dilations = array<i64: 1, 2>"),
                 {"ab", ""},
                 {"ac"},
                 {{'b', 50}, {'c', 46}},
                 "bc",
                 [](Sizes& s) { return s['b'] == s['c'] + 4; }});
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 2>"),
                 {"ab", ""},
                 {"ac"},
                 {{'b', 50}, {'c', 25}},
                 "bc",
                 [](Sizes& s) { return s['c'] == (s['b'] - 1) / 2 + 1; }});
  // A window over a whole dim: of one place, and of as many places as there are elements.
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 41>"), {"ab", ""}, {"a1"}, {}});
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 41>, "
                              "padding = dense<[[0, 0], [40, 0]]> : tensor<2x2xi64>"),
                 {"ab", ""},
                 {"ab"},
                 {}});
  // Of other places nothing is known.
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 41>, "
                              "padding = dense<[[0, 0], [10, 0]]> : tensor<2x2xi64>"),
                 {"aB", ""},
                 {"aC"},
                 {{'B', 41}, {'C', 11}}});
  expectRelated({reduceWindow("window_dimensions = array<i64: 1, 3>, base_dilations = array<i64: 1, 2>"),
                 {"aB", ""},
                 {"aC"},
                 {{'B', 41}, {'C', 79}}});
  expectRelated(
      {"\"stablehlo.select_and_scatter\"(%0, %1, %2) <{window_dimensions = array<i64: 1, 2>, window_strides = "
       "array<i64: 1, 2>}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.compare GE, %p, %q : "
       "(tensor<f32>, tensor<f32>) -> tensor<i1>\n  stablehlo.return %s : tensor<i1>\n}, {\n"
       "^bb0(%t: tensor<f32>, %u: tensor<f32>):\n  %v = stablehlo.add %t, %u : tensor<f32>\n"
       "  stablehlo.return %v : tensor<f32>\n}) : TYPES",
       {"ab", "ac", ""},
       {"ab"},
       {{'b', 50}, {'c', 25}},
       "bc",
       [](Sizes& s) { return s['b'] == 2 * s['c']; }});
}

TEST(DimRelations, OfGroups) {
  const auto convolution = [](const std::string& groups) {
    return "stablehlo.convolution(%0, %1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = "
           "[[0, 0]]} {" +
           groups + "} : TYPES";
  };
  // Two groups of the batch, each with half of the outputs; as many groups as there are features.
  expectRelated({convolution("batch_group_count = 2 : i64, feature_group_count = 1 : i64"),
                 {"nhc", "1co"},
                 {"mho"},
                 {{'n', 2 * 37}, {'m', 37}, {'o', 2 * 41}},
                 "nmo",
                 [](Sizes& s) { return s['n'] == 2 * s['m'] && s['o'] % 2 == 0; }});
  expectRelated({convolution("batch_group_count = 1 : i64, feature_group_count = 41 : i64"),
                 {"nhc", "11o"},
                 {"nho"},
                 {{'c', 41}, {'o', 2 * 41}},
                 "co",
                 [](Sizes& s) { return s['o'] == 2 * s['c']; }});
  const auto conv2d = [](int groups, const std::string& more) {
    return "\"ttir.conv2d\"(%0, %1" + more + ") <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, " +
           "dilation = array<i32: 1, 1>, groups = " + std::to_string(groups) + " : i32}> : TYPES";
  };
  expectRelated(
      {conv2d(4, ""), {"nhwc", "oi11"}, {"nhwo"}, {{'c', 4 * 41}, {'i', 41}, {'o', 4 * 43}}, "cio", [](Sizes& s) {
         return s['c'] == 4 * s['i'] && s['o'] % 4 == 0;
       }});
  expectRelated({conv2d(41, ""), {"nhwc", "o111"}, {"nhwo"}, {{'c', 41}, {'o', 2 * 41}}, "co", [](Sizes& s) {
                   return s['o'] == 2 * s['c'];
                 }});
  expectRelated({conv2d(1, ", %2"), {"nhwc", "oc11", "111o"}, {"nhwo"}, {}});
  expectRelated(
      {"\"ttir.conv2d\"(%0, %1) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = "
       "array<i32: 1, 1>, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, "
       "width_dim = 3 : i64}> : TYPES",
       {"nchw", "ocKL"},
       {"noyz"},
       {{'h', 50}, {'w', 40}, {'K', 3}, {'L', 5}, {'y', 48}, {'z', 36}},
       "hwyz",
       [](Sizes& s) { return s['h'] == s['y'] + 2 && s['w'] == s['z'] + 4; }});
  expectRelated(
      {"\"ttir.max_pool2d\"(%0) <{kernel = array<i32: 3, 2>, stride = array<i32: 2, 1>, padding = array<i32: 1, 0, 0, "
       "0>, dilation = array<i32: 1, 1>, ceil_mode = false}> : TYPES",
       {"nhwc"},
       {"nyzc"},
       {{'h', 50}, {'w', 40}, {'y', 25}, {'z', 39}},
       "hwyz",
       [](Sizes& s) { return s['y'] == (s['h'] + 1 - 3) / 2 + 1 && s['z'] == s['w'] - 1; }});
}

TEST(DimRelations, OfCachesAndMasks) {
  expectRelated(
      {"\"ttir.update_cache\"(%0, %1, %2) <{batch_offset = 0 : i32}> : TYPES", {"bhcd", "1hbd", "i:1"}, {"bhcd"}, {}});
  expectRelated({"\"ttir.fill_cache\"(%0, %1) <{batch_offset = 0 : i32}> : TYPES", {"nhcd", "1hcd"}, {"nhcd"}, {}});
  expectRelated({"\"ttir.fill_cache\"(%0, %1) <{batch_offset = 5 : i32}> : TYPES",
                 {"nhcd", "1hcd"},
                 {"nhcd"},
                 {},
                 "n",
                 [](Sizes& s) { return s['n'] >= 6; }});
  expectRelated(
      {"\"ttir.scaled_dot_product_attention\"(%0, %1, %2, %3) <{is_causal = false, scale = 0.1 : f32, "
       "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : TYPES",
       {"bhqd", "bgkd", "bgke", "b1qk"},
       {"bhqe"},
       {{'g', 41}, {'h', 4 * 41}},
       "gh",
       [](Sizes& s) { return s['h'] == 4 * s['g']; }});
  expectRelated(
      {"\"ttir.batch_norm_inference\"(%0, %1, %2, %3, %4) <{dimension = 1 : i32, epsilon = 1.0e-05 : f32}> : "
       "TYPES",
       {"nchw", "c", "c", "c", "c"},
       {"nchw"},
       {}});
  expectRelated({"\"ttir.linear\"(%0, %1, %2) <{transpose_a = false, transpose_b = true}> : TYPES",
                 {"nab", "cb", "ac"},
                 {"nac"},
                 {}});
}

TEST(DimRelations, OfProportions) {
  const auto doubled = [](Sizes& s) { return s['c'] == 2 * s['b']; };
  const Sizes sizes = {{'b', 41}, {'c', 82}};
  expectRelated({"\"ttir.all_gather\"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : TYPES",
                 {"ab"},
                 {"ac"},
                 sizes,
                 "bc",
                 doubled});
  expectRelated(
      {"\"stablehlo.all_gather\"(%0) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : "
       "tensor<1x2xi64>}> : TYPES",
       {"ab"},
       {"ac"},
       sizes,
       "bc",
       doubled});
  expectRelated({"\"ttir.upsample2d\"(%0) <{mode = \"nearest\", scale_factor = 2 : si32}> : TYPES",
                 {"nbhd"},
                 {"ncwd"},
                 {{'b', 41}, {'c', 82}, {'h', 37}, {'w', 74}},
                 "bchw",
                 [](Sizes& s) { return s['c'] == 2 * s['b'] && s['w'] == 2 * s['h']; }});
  expectRelated(
      {"\"ttir.repeat\"(%0) <{repeat_dimensions = array<i64: 1, 2>}> : TYPES", {"ab"}, {"ac"}, sizes, "bc", doubled});
  // Custom calls: of the operand's rank, of another, and of sizes that only some share.
  expectRelated({"stablehlo.custom_call @anything(%0) : TYPES", {"ab"}, {"ac"}, sizes, "bc", doubled});
  expectRelated({"stablehlo.custom_call @anything(%0) : TYPES", {"AB"}, {"C"}, {}});
  expectRelated({"stablehlo.custom_call @tt.sharding_constraint(%0) : TYPES", {"ab"}, {"ab"}, {}});
  expectRelated({"stablehlo.custom_call @tt.mark_argument(%0) : TYPES", {"ab"}, {"ab"}, {}});
  expectRelated({"stablehlo.custom_call @tt.anything(%0, %1) : TYPES",
                 {"aS5", "aTc"},
                 {"aUcE"},
                 {{'S', 32}, {'T', 31}, {'U', 107}, {'E', 7}}});
  expectRelated({"stablehlo.custom_call @tt.anything(%0, %1) : TYPES", {"ab", "ac"}, {"ac"}, sizes, "bc", doubled});
  expectRelated({"stablehlo.custom_call @mhlo.topk(%0) : TYPES", {"ab"}, {"aK", "i:aK"}, {{'K', 5}}, "b", [](Sizes& s) {
                   return s['b'] >= 5;
                 }});
}

TEST(DimRelations, OfScattersAndRows) {
  const auto scatter = [](const std::string& dims) {
    return "\"stablehlo.scatter\"(%0, %1, %2) <{indices_are_sorted = false, scatter_dimension_numbers = "
           "#stablehlo.scatter<" +
           dims +
           ">, unique_indices = false}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
           "  %s = stablehlo.add %p, %q : tensor<f32>\n  stablehlo.return %s : tensor<f32>\n}) : TYPES";
  };
  expectRelated({scatter("update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
                         "index_vector_dim = 1"),
                 {"Ab", "i:c1", "cb"},
                 {"Ab"},
                 {}});
  // A part of a row, from a place on.
  expectRelated({scatter("update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], "
                         "index_vector_dim = 1"),
                 {"AB", "i:c2", "Dc"},
                 {"AB"},
                 {}});
  const auto gather = [](const std::string& offsets, const std::string& collapsed, const std::string& sizes) {
    return "\"ttir.gather\"(%0, %1) <{offset_dims = array<i64: " + offsets + ">, collapsed_slice_dims = array<i64" +
           collapsed + ">, operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, " +
           "start_index_map = array<i64: 0>, index_vector_dim = 2 : si64, slice_sizes = array<i64: " + sizes +
           ">, indices_are_sorted = false}> : TYPES";
  };
  expectRelated({gather("2", ": 0", "1, 41"), {"ab", "i:cd1"}, {"cdb"}, {}});
  expectRelated({gather("1", ": 0", "1, 41"), {"ab", "i:cd1"}, {"cbd"}, {}});
  expectRelated({gather("1, 2", "", "1, 41"), {"ab", "i:cd1"}, {"c1bd"}, {}});
  expectRelated(
      {"stablehlo.reduce(%0 init: %2), (%1 init: %3) across dimensions = [1] : TYPES\n"
       "   reducer(%p: tensor<f32>, %u: tensor<f32>) (%q: tensor<i32>, %v: tensor<i32>) {\n"
       "    stablehlo.return %p, %q : tensor<f32>, tensor<i32>\n  }",
       {"abc", "i:abc", "", "i:"},
       {"ac", "i:ac"},
       {}});
}

TEST(DimRelations, OfExperts) {
  // Letters as in the table of calls: clusters C, devices D and experts per token K keep, tokens and widths do not.
  expectRelated({"stablehlo.custom_call @tt.all_to_all_dispatch(%0, %1, %2) : TYPES",
                 {"11sh", "i:11sK", "i:11eD"},
                 {"1Csh", "i:1CsK"},
                 {{'K', 8}, {'C', 6}, {'D', 9}}});
  // What the table has no letter for keeps its size, too.
  expectRelated({"stablehlo.custom_call @tt.all_to_all_dispatch(%0, %1, %2) : TYPES",
                 {"ABsh", "i:EFsK", "i:GHeD"},
                 {"ICsh", "i:JCsK"},
                 {{'K', 8}, {'C', 6}, {'D', 9}}});
  expectRelated(
      {"\"ttir.all_to_all_dispatch_metadata\"(%0, %1, %2, %3) <{cluster_axis = 1 : i64, num_devices = 4 : i64}>"
       " : TYPES",
       {"11sh", "i:11sK", "11sK", "i:11eD"},
       {"1th", "i:1tK", "1tK"},
       {{'t', 4 * 37}, {'s', 37}, {'K', 8}, {'D', 9}},
       "ts",
       [](Sizes& s) { return s['t'] == 4 * s['s']; }});
  expectRelated({"stablehlo.custom_call @tt.all_to_all_combine(%0, %1, %2) : TYPES",
                 {"e1th", "i:11tK", "i:11eD"},
                 {"K1sh"},
                 {{'t', 4 * 37}, {'s', 37}, {'K', 8}, {'D', 9}},
                 "ts",
                 [](Sizes& s) { return s['t'] == 4 * s['s']; }});
  expectRelated({"stablehlo.custom_call @tt.moe_expert_token_remap(%0, %1, %2) : TYPES",
                 {"11te", "i:11eD", "i:11tK"},
                 {"11te", "11re"},
                 {{'t', 4 * 37}, {'r', 37}, {'K', 8}, {'D', 9}},
                 "tr",
                 [](Sizes& s) { return s['t'] == 4 * s['r']; }});
  expectRelated(
      {"stablehlo.custom_call @tt.sparse_matmul(%0, %1, %2) : TYPES", {"abml", "1eln", "ab1e"}, {"ab1emn"}, {}});
  expectRelated(
      {"stablehlo.custom_call @tt.sparse_matmul(%0, %1, %2) : TYPES", {"aeml", "1eln", "11ae"}, {"aemn"}, {}});
}

// A program whose values have a word of letters each; KEEP stands where one of them may be kept.
struct Program {
  std::string text;
  std::vector<std::pair<std::string, std::string>> words;  // of a value's name
};

ValueId valueNamed(const Graph& graph, const std::string& name) {
  for (ValueId id : graph.values.ids()) {
    if (graph.values[id].name == name) return id;
  }
  ADD_FAILURE() << "no value " << name;
  return {};
}

void expectWords(const Program& program, const std::string& kept) {
  std::string text = program.text;
  const size_t at = text.find("KEEP");
  const std::string call =
      "%keep = stablehlo.custom_call @keep(%" + kept + ", %" + kept + ") : (T, T) -> tensor<1xf32>";
  text.replace(at, 4, kept.empty() ? "" : call);
  const Imported typed = importText(program.text.substr(0, at) + program.text.substr(at + 4));
  ASSERT_TRUE(typed.graph) << typed.report();
  if (!kept.empty()) {
    std::string type = "tensor<";
    for (int64_t dim : typed.graph->values[valueNamed(*typed.graph, kept)].type.tensor->shape)
      type += std::to_string(dim) + "x";
    text.replace(text.find("(T, T)"), 6, "(" + type + "f32>, " + type + "f32>)");
  }
  SCOPED_TRACE(text);
  const Imported imported = importText(text);
  ASSERT_TRUE(imported.graph) << imported.report();
  DimRelations relations(*imported.graph);
  ASSERT_TRUE(relations.solve()) << relations.problem();
  Sizes now, before;
  std::string keptLetters;
  for (const auto& [name, letters] : program.words) {
    const ValueId id = valueNamed(*imported.graph, name);
    const Shape shape = relations.shapeOf(id), given = imported.graph->values[id].type.tensor->shape;
    ASSERT_EQ(shape.size(), letters.size()) << name;
    if (name == kept) keptLetters = letters;
    for (size_t d = 0; d < shape.size(); ++d) {
      EXPECT_EQ(now.emplace(letters[d], shape[d]).first->second, shape[d]) << letters[d] << " of " << name;
      before[letters[d]] = given[d];
    }
  }
  for (const auto& [letter, size] : now) {
    if (letter < 'a' || keptLetters.find(letter) != std::string::npos) EXPECT_EQ(size, before[letter]) << letter;
    else EXPECT_LT(size, 16) << letter;
  }
}

void expectProgram(const Program& program, const std::vector<std::string>& kept) {
  expectWords(program, "");
  for (const std::string& name : kept) expectWords(program, name);
}

TEST(DimRelations, OfFunctionsAndLoops) {
  expectProgram({R"(func.func @main(%x: tensor<37x41xf32>) -> tensor<41x37xf32> {
    %r = func.call @turn(%x) : (tensor<37x41xf32>) -> tensor<41x37xf32>
    KEEP
    return %r : tensor<41x37xf32>
  }
  func.func private @turn(%y: tensor<37x41xf32>) -> tensor<41x37xf32> {
    %z = stablehlo.transpose %y, dims = [1, 0] : (tensor<37x41xf32>) -> tensor<41x37xf32>
    return %z : tensor<41x37xf32>
  })",
                 {{"x", "ab"}, {"y", "ab"}, {"z", "ba"}, {"r", "ba"}}},
                {"x", "r"});
  // What a loop carries, what it only reads, and what its test reads.
  expectProgram(
      {R"(func.func @main(%x: tensor<37x41xf32>, %w: tensor<41x41xf32>, %l: tensor<43xi32>) -> tensor<37x41xf32> {
    %f = stablehlo.constant dense<0> : tensor<i32>
    KEEP
    %r:2 = stablehlo.while(%k = %f, %s = %x) : tensor<i32>, tensor<37x41xf32>
     cond {
      %i = stablehlo.constant dense<2147483647> : tensor<i32>
      %n = stablehlo.reduce(%l init: %i) applies stablehlo.minimum across dimensions = [0]
        : (tensor<43xi32>, tensor<i32>) -> tensor<i32>
      %c = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %d = stablehlo.constant dense<1> : tensor<i32>
      %y = stablehlo.dot %s, %w : (tensor<37x41xf32>, tensor<41x41xf32>) -> tensor<37x41xf32>
      %m = stablehlo.add %k, %d : tensor<i32>
      stablehlo.return %m, %y : tensor<i32>, tensor<37x41xf32>
    }
    return %r#1 : tensor<37x41xf32>
  })",
       {{"x", "ab"}, {"y", "ab"}, {"w", "bb"}, {"l", "c"}}},
      {"x", "w"});
  expectProgram({R"(func.func @main(%p: tensor<i1>, %x: tensor<37x41xf32>, %w: tensor<41x37xf32>) -> tensor<37x41xf32> {
    KEEP
    %r = "stablehlo.if"(%p) ({
      %y = stablehlo.negate %x : tensor<37x41xf32>
      stablehlo.return %y : tensor<37x41xf32>
    }, {
      %z = stablehlo.transpose %w, dims = [1, 0] : (tensor<41x37xf32>) -> tensor<37x41xf32>
      stablehlo.return %z : tensor<37x41xf32>
    }) : (tensor<i1>) -> tensor<37x41xf32>
    return %r : tensor<37x41xf32>
  })",
                 {{"x", "ab"}, {"y", "ab"}, {"z", "ab"}, {"w", "ba"}, {"r", "ab"}}},
                {"x", "w"});
}

TEST(DimRelations, OfWhatCompositesName) {
  const auto composite = [](const std::string& name, const std::string& attributes) {
    return "func.func @main(%x: tensor<37x41xf32>) -> tensor<37x41xf32> {\n"
           "    %r = stablehlo.composite \"" +
           name + "\" %x {composite_attributes = {" + attributes + "}, decomposition = @body}" +
           " : (tensor<37x41xf32>) -> tensor<37x41xf32>\n"
           "    KEEP\n    return %r : tensor<37x41xf32>\n  }\n"
           "  func.func private @body(%y: tensor<37x41xf32>) -> tensor<37x41xf32> {\n"
           "    %z = stablehlo.negate %y : tensor<37x41xf32>\n    return %z : tensor<37x41xf32>\n  }";
  };
  expectProgram({composite("any.thing", ""), {{"x", "ab"}, {"y", "ab"}, {"z", "ab"}, {"r", "ab"}}}, {"x", "r"});
  expectProgram({composite("a.norm", "num_groups = 4 : i64"), {{"x", "AB"}, {"z", "AB"}, {"r", "AB"}}}, {});
  expectProgram({composite("a.choice", "k = 5 : i64"), {{"x", "aB"}, {"z", "aB"}, {"r", "aB"}}}, {"x"});
}

// Each of several operands is what the result of its number is, and no other.
TEST(DimRelations, OfSeveralThingsPassedOn) {
  expectRelated({"\"stablehlo.optimization_barrier\"(%0, %1) : TYPES", {"ab", "cd"}, {"ab", "cd"}});
  expectRelated({"\"stablehlo.optimization_barrier\"(%0) : TYPES", {"ab"}, {"ab"}});
}

// Numbers that a constant lists stay as many; one number for all does not.
TEST(DimRelations, OfConstants) {
  expectProgram(
      {R"(func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<8xf32>) {
    KEEP
    %a = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
    %b = stablehlo.constant dense<1.0> : tensor<6xf32>
    %c = stablehlo.constant dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<8xf32>
    %r = stablehlo.add %x, %a : tensor<6xf32>
    %s = stablehlo.add %y, %b : tensor<6xf32>
    return %r, %s, %c : tensor<6xf32>, tensor<6xf32>, tensor<8xf32>
  })",
       {{"x", "A"}, {"a", "A"}, {"r", "A"}, {"c", "C"}}},
      {});
  const Imported splat = importText(
      "func.func @main(%y: tensor<37xf32>) -> tensor<37xf32> {\n"
      "  %b = stablehlo.constant dense<1.0> : tensor<37xf32>\n"
      "  %s = stablehlo.add %y, %b : tensor<37xf32>\n  return %s : tensor<37xf32>\n}\n");
  ASSERT_TRUE(splat.graph);
  DimRelations relations(*splat.graph);
  ASSERT_TRUE(relations.solve());
  for (const char* name : {"y", "b", "s"})
    EXPECT_EQ(relations.shapeOf(valueNamed(*splat.graph, name)), Shape{2}) << name;
}

// The buffer of a result that is an operand has the result's size.
TEST(DimRelations, OfResultsGivenAsOperands) {
  expectProgram({R"(func.func @main(%x: tensor<37x41xf32>) -> tensor<41x37xf32> {
    KEEP
    %e = ttir.empty() : tensor<41x37xf32>
    %r = "ttir.permute"(%x, %e) <{permutation = array<i64: 1, 0>}>
      : (tensor<37x41xf32>, tensor<41x37xf32>) -> tensor<41x37xf32>
    return %r : tensor<41x37xf32>
  })",
                 {{"x", "ab"}, {"e", "ba"}, {"r", "ba"}}},
                {"x"});
}

// Rows and columns that had so many keep about as many, neighbours a quarter apart; other dims become small.
TEST(DimRelations, KeepSidesThatAreAskedFor) {
  const Imported imported = importText(
      "func.func @main(%x: tensor<64x640x96xf32>, %y: tensor<20x50xf32>, %z: tensor<96xf32>) -> tensor<96xf32> {\n"
      "  return %z : tensor<96xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const auto shapes = [&](int64_t side) {
    DimRelations relations(*imported.graph, side);
    EXPECT_TRUE(relations.solve());
    std::vector<Shape> all;
    for (const char* name : {"x", "y", "z"}) all.push_back(relations.shapeOf(valueNamed(*imported.graph, name)));
    return all;
  };
  EXPECT_EQ(shapes(0), (std::vector<Shape>{{2, 3, 4}, {2, 3}, {4}}));
  // Unknown n prefers 32 + n % 3 * 8; there are 0 to 2 in x, 3 and 4 in y, 5 in z.
  EXPECT_EQ(shapes(32), (std::vector<Shape>{{2, 40, 48}, {20, 40}, {48}}));
  EXPECT_EQ(shapes(64), (std::vector<Shape>{{2, 80, 96}, {20, 50}, {96}}));
}

TEST(DimRelations, SayWhichOpHasNoRule) {
  struct Row {
    std::string op, operands, types, result, problem;
  };
  const Row rows[] = {
      {"\"ttir.never_heard_of\"", "%x", "tensor<8x8xf32>", "tensor<8x8xf32>",
       "ttir.never_heard_of: no rule for its sizes"},
      {"func.call @missing", "%x", "tensor<8x8xf32>", "tensor<8x8xf32>", "func.call: calls a function without a body"},
  };
  for (const Row& row : rows) {
    const Imported imported =
        importText("func.func @main(%x: tensor<8x8xf32>) -> " + row.result + " {\n  %r = " + row.op + "(" +
                   row.operands + ") : (" + row.types + ") -> " + row.result + "\n  return %r : " + row.result +
                   "\n}\nfunc.func private @missing(tensor<8x8xf32>) -> tensor<8x8xf32>\n");
    ASSERT_TRUE(imported.graph) << imported.report();
    DimRelations relations(*imported.graph);
    EXPECT_FALSE(relations.solve());
    EXPECT_EQ(relations.problem(), row.problem);
  }
  const auto problemOf = [](const std::string& argument, const std::string& op, const std::string& result) {
    const Imported imported =
        importText("func.func @main(%x: " + argument + ", %i: tensor<3x1xi32>, %w: tensor<8x8x2x2xf32>) -> " + result +
                   " {\n  %r = " + op + " -> " + result + "\n  return %r : " + result + "\n}\n");
    EXPECT_TRUE(imported.graph) << imported.report();
    if (!imported.graph) return std::string("not read");
    DimRelations relations(*imported.graph);
    EXPECT_FALSE(relations.solve());
    return relations.problem();
  };
  EXPECT_EQ(
      problemOf("tensor<8x6xf32>",
                "\"ttir.gather\"(%x, %i) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, "
                "operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = "
                "array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 4>, indices_are_sorted = "
                "false}> : (tensor<8x6xf32>, tensor<3x1xi32>)",
                "tensor<3x4xf32>"),
      "ttir.gather: a slice of part of a dim");
  const auto transposed = [&](const std::string& stride, const std::string& groups, const std::string& result) {
    return problemOf("tensor<1x4x4x8xf32>",
                     "\"ttir.conv_transpose2d\"(%x, %w) <{stride = array<i32: 2, " + stride +
                         ">, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, output_padding = "
                         "array<i32: 0, 0>, groups = " +
                         groups + " : i32}> : (tensor<1x4x4x8xf32>, tensor<8x8x2x2xf32>)",
                     result);
  };
  EXPECT_EQ(transposed("2", "2", "tensor<1x8x8x16xf32>"), "ttir.conv_transpose2d: a transposed convolution in groups");
  EXPECT_EQ(transposed("65", "1", "tensor<1x8x197x8xf32>"), "ttir.conv_transpose2d: a large stride");
  const auto transpose = [&](const std::string& from, const std::string& dims, const std::string& to) {
    return problemOf(from, "stablehlo.transpose %x, dims = [" + dims + "] : (" + from + ")", to);
  };
  const std::string names = "stablehlo.transpose: its permutation does not name every dim";
  EXPECT_EQ(transpose("tensor<4x5x6xf32>", "1, 0", "tensor<5x4xf32>"), names);
  EXPECT_EQ(transpose("tensor<4x5x6xf32>", "1, 0, 2", "tensor<5x4xf32>"), names);
  EXPECT_EQ(transpose("tensor<4x5xf32>", "1, 0, 2", "tensor<5x4xf32>"), names);
  EXPECT_EQ(transpose("tensor<4x5xf32>", "2, 0", "tensor<5x4xf32>"), names);
  EXPECT_EQ(transpose("tensor<4x5xf32>", "-3, 0", "tensor<5x4xf32>"), names);
}

}  // namespace
}  // namespace tessera::test

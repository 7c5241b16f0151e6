// Attributes that name sizes follow the sizes when a graph is made small: each of them, in terms of its tensors' dims.

#include "core/execute/interpreter.h"
#include "core/execute/shrink_graph.h"
#include "core/ops/shapes/shape_rules.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

ValueId named(const Graph& graph, const std::string& name) {
  for (ValueId id : graph.values.ids()) {
    if (graph.values[id].name == name) return id;
  }
  ADD_FAILURE() << "no value " << name;
  return {};
}
int64_t dimOf(const Graph& graph, const std::string& name, size_t dim) {
  return graph.values[named(graph, name)].type.tensor->shape.at(dim);
}

ShrunkGraph shrunkProgram(const std::string& text) {
  const Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return {};
  ShrunkGraph small = shrinkGraph(*imported.graph);
  EXPECT_TRUE(small.shrunk) << small.problem;
  EXPECT_EQ(verifyGraph(small.graph).size(), 0u);
  Diagnostics diags;
  for (const Function& func : small.graph.funcs) {
    for (OpId op : func.ops) checkShapes(small.graph, op, diags);
  }
  for (const Diagnostic& d : diags.all()) ADD_FAILURE() << d.message << "\n" << exportMlir(small.graph);
  return small;
}

// "x1" is dim 1 of %x, "x1-1" one less, "3" three; "3+2*x0" the sum.
int64_t termOf(const Graph& graph, const std::string& word) {
  const size_t plus = word.find('+');
  if (plus != std::string::npos) return termOf(graph, word.substr(0, plus)) + termOf(graph, word.substr(plus + 1));
  const size_t times = word.find('*');
  if (times != std::string::npos) return termOf(graph, word.substr(0, times)) * termOf(graph, word.substr(times + 1));
  const size_t minus = word.find('-');
  if (minus != std::string::npos) return termOf(graph, word.substr(0, minus)) - termOf(graph, word.substr(minus + 1));
  if (word[0] >= '0' && word[0] <= '9') return std::stoll(word);
  return dimOf(graph, word.substr(0, 1), static_cast<size_t>(word[1] - '0'));
}

struct Attribute {
  std::string op, operands, result;  // "%x: 37x41xf32, %i: 5xi32" and "37x41xf32"; the result is %r
  std::string name, expected;        // of the attribute; its numbers in terms of dims
};

std::string programOf(const Attribute& row) {
  std::string arguments, types, text = row.operands;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size()), colon = text.find(": ", at);
    const std::string type = "tensor<" + text.substr(colon + 2, end - colon - 2) + ">";
    arguments += (arguments.empty() ? "" : ", ") + text.substr(at, colon - at) + ": " + type;
    types += (types.empty() ? "" : ", ") + type;
    at = end + 2;
  }
  const std::string result = "tensor<" + row.result + ">";
  return "func.func @main(" + arguments + ") -> " + result + " {\n  %r = " + row.op + " : (" + types + ") -> " +
         result + "\n  return %r : " + result + "\n}\n";
}

void expectAttribute(const Attribute& row) {
  const std::string program = programOf(row);
  SCOPED_TRACE(program);
  const ShrunkGraph small = shrunkProgram(program);
  if (!small.shrunk) return;
  const AttrValue* found = findAttr(small.graph.ops[small.graph.values[named(small.graph, "r")].producer], row.name);
  ASSERT_NE(found, nullptr) << row.name;
  const std::vector<int64_t> numbers =
      found->kind == AttrValueKind::Integer ? std::vector<int64_t>{found->integer} : found->ints;
  std::istringstream words(row.expected);
  std::vector<int64_t> expected;
  for (std::string word; words >> word;) expected.push_back(termOf(small.graph, word));
  EXPECT_EQ(numbers, expected) << row.name << "\n" << exportMlir(small.graph);
  EXPECT_EQ(execute(small.graph, randomInputs(small.graph, 1)).status, ExecutionStatus::Done);
}

TEST(ShrunkAttributes, OfShapesAndRepetitions) {
  expectAttribute({"\"ttir.reshape\"(%x) <{shape = [41 : i32, 37 : i32, 43 : i32]}>", "%x: 41x1591xf32", "41x37x43xf32",
                   "shape", "r0 r1 r2"});
  for (const char* name : {"repeat_dimensions"}) {
    expectAttribute({std::string("\"ttir.repeat\"(%x) <{") + name + " = array<i64: 1, 37, 1>}>", "%x: 43x1x41xf32",
                     "43x37x41xf32", name, "1 r1 1"});
    expectAttribute({std::string("\"ttir.repeat\"(%x) <{") + name + " = array<i64: 1, 3>}>", "%x: 43x41xf32",
                     "43x123xf32", name, "1 3"});
  }
  expectAttribute({"\"ttir.broadcast\"(%x) <{broadcast_dimensions = array<i64: 37, 1>}>", "%x: 1x41xf32", "37x41xf32",
                   "broadcast_dimensions", "r0 1"});
  expectAttribute(
      {"\"ttir.layer_norm\"(%x) <{normalized_shape = array<i64: 41, 43>, epsilon = 1.0e-5 : f32, "
       "operandSegmentSizes = array<i32: 1, 0, 0>}>",
       "%x: 37x41x43xf32", "37x41x43xf32", "normalized_shape", "x1 x2"});
  expectAttribute({"\"ttir.zeros\"() <{shape = array<i32: 37, 41>}>", "", "37x41xf32", "shape", "r0 r1"});
  expectAttribute(
      {"\"ttir.arange\"() <{start = 3 : si64, end = 77 : si64, step = 2 : si64, arange_dimension = 0 : i64}>", "",
       "37xf32", "end", "3+2*r0"});
  expectAttribute(
      {"\"ttir.arange\"() <{start = 0 : si64, end = 41 : si64, step = 1 : si64, arange_dimension = 1 : i64}>", "",
       "37x41xf32", "end", "r1"});
}

TEST(ShrunkAttributes, OfGroupsAndWindows) {
  const auto conv2d = [](int groups) {
    return "\"ttir.conv2d\"(%x, %w) <{stride = array<i32: 1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = "
           "array<i32: 1, 1>, groups = " +
           std::to_string(groups) + " : i32}>";
  };
  expectAttribute({conv2d(41), "%x: 1x37x37x41xf32, %w: 82x1x1x1xf32", "1x37x37x82xf32", "groups", "x3"});
  expectAttribute({conv2d(4), "%x: 1x37x37x164xf32, %w: 172x41x1x1xf32", "1x37x37x172xf32", "groups", "4"});
  const auto convolution = [](const std::string& groups) {
    return "\"stablehlo.convolution\"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, " +
           groups + "}>";
  };
  const std::string one = "batch_group_count = 1 : i64, feature_group_count = ";
  expectAttribute(
      {convolution(one + "41 : i64"), "%x: 37x43x41xf32, %w: 1x1x82xf32", "37x43x82xf32", "feature_group_count", "x2"});
  expectAttribute({convolution(one + "4 : i64"), "%x: 37x43x164xf32, %w: 1x41x172xf32", "37x43x172xf32",
                   "feature_group_count", "4"});
  expectAttribute({convolution("batch_group_count = 37 : i64, feature_group_count = 1 : i64"),
                   "%x: 37x43x41xf32, %w: 1x41x74xf32", "1x43x74xf32", "batch_group_count", "x0"});
  const auto reduceWindow = [](const std::string& settings) {
    return "\"stablehlo.reduce_window\"(%x, %z) <{" + settings +
           "}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %s = stablehlo.add %p, %q : tensor<f32>\n"
           "  stablehlo.return %s : tensor<f32>\n})";
  };
  const std::string padding = "padding = dense<[[0, 0], [40, 0]]> : tensor<2x2xi64>";
  expectAttribute({reduceWindow("window_dimensions = array<i64: 1, 41>"), "%x: 37x41xf32, %z: f32", "37x1xf32",
                   "window_dimensions", "1 x1"});
  expectAttribute({reduceWindow("window_dimensions = array<i64: 1, 41>, " + padding), "%x: 37x41xf32, %z: f32",
                   "37x41xf32", "window_dimensions", "1 x1"});
  expectAttribute({reduceWindow("window_dimensions = array<i64: 1, 41>, " + padding), "%x: 37x41xf32, %z: f32",
                   "37x41xf32", "padding", "0 0 x1-1 0"});
  const std::string behind = "padding = dense<[[0, 0], [0, 40]]> : tensor<2x2xi64>";
  expectAttribute({reduceWindow("window_dimensions = array<i64: 1, 41>, " + behind), "%x: 37x41xf32, %z: f32",
                   "37x41xf32", "padding", "0 0 0 x1-1"});
  expectAttribute({reduceWindow("window_dimensions = array<i64: 1, 3>"), "%x: 37x41xf32, %z: f32", "37x39xf32",
                   "window_dimensions", "1 3"});
}

TEST(ShrunkAttributes, OfSlicesAndPlaces) {
  const auto slice = [](const std::string& begins, const std::string& ends, const std::string& steps) {
    return "\"ttir.slice_static\"(%x) <{begins = [" + begins + "], ends = [" + ends + "], step = [" + steps + "]}>";
  };
  const std::string whole = slice("0 : i32, 0 : i32", "37 : i32, 41 : i32", "1 : i32, 1 : i32");
  expectAttribute({whole, "%x: 37x41xf32", "37x41xf32", "ends", "x0 x1"});
  expectAttribute({whole, "%x: 37x41xf32", "37x41xf32", "begins", "0 0"});
  // The last three rows cut off, the first five columns.
  const std::string cut = slice("0 : i32, 5 : i32", "38 : i32, 43 : i32", "1 : i32, 1 : i32");
  expectAttribute({cut, "%x: 41x43xf32", "38x38xf32", "begins", "0 5"});
  expectAttribute({cut, "%x: 41x43xf32", "38x38xf32", "ends", "r0 x1"});
  // Every second row from the first or the second on.
  const std::string every = slice("1 : i32, 0 : i32", "74 : i32, 41 : i32", "2 : i32, 1 : i32");
  expectAttribute({every, "%x: 74x41xf32", "37x41xf32", "begins", "1 0"});
  expectAttribute({every, "%x: 74x41xf32", "37x41xf32", "ends", "x0 x1"});
  // The second and third of four units.
  const std::string units = slice("37 : i32, 0 : i32", "111 : i32, 41 : i32", "1 : i32, 1 : i32");
  for (const auto& [name, expected] : {std::pair("begins", "u0 0"), std::pair("ends", "3*u0 x1")}) {
    const std::string op = units;
    const std::string program =
        "func.func @main(%x: tensor<148x41xf32>, %u: tensor<37xf32>) -> tensor<74x41xf32> {\n"
        "  %r = " +
        op +
        " : (tensor<148x41xf32>) -> tensor<74x41xf32>\n"
        "  return %r : tensor<74x41xf32>\n}\n";
    const ShrunkGraph small = shrunkProgram(program);
    const int64_t unit = dimOf(small.graph, "x", 0) / 4;
    EXPECT_EQ(dimOf(small.graph, "r", 0), 2 * unit);
    const AttrValue* found = findAttr(small.graph.ops[small.graph.values[named(small.graph, "r")].producer], name);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->ints[0], std::string(name) == "begins" ? unit : 3 * unit);
  }
  expectAttribute({"\"stablehlo.dynamic_slice\"(%x, %i, %j) <{slice_sizes = array<i64: 37, 5>}>",
                   "%x: 37x41xf32, %i: i32, %j: i32", "37x5xf32", "slice_sizes", "x0 5"});
  expectAttribute(
      {"\"ttir.gather\"(%x, %i) <{offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, "
       "operand_batching_dims = array<i64>, start_indices_batching_dims = array<i64>, start_index_map = "
       "array<i64: 0>, index_vector_dim = 1 : si64, slice_sizes = array<i64: 1, 41>, indices_are_sorted = "
       "false}>",
       "%x: 43x41xf32, %i: 37x1xi32", "37x41xf32", "slice_sizes", "1 x1"});
}

// normalized_shape = dense<...> of a composite names the last dims.
TEST(ShrunkAttributes, OfComposites) {
  for (const auto& [before, dims] : {std::pair("dense<41>", 1), std::pair("dense<[37, 41]>", 2)}) {
    const ShrunkGraph small = shrunkProgram(
        std::string("func.func @main(%x: tensor<43x37x41xf32>) -> tensor<43x37x41xf32> {\n"
                    "  %r = stablehlo.composite \"a.norm\" %x {composite_attributes = {epsilon = dense<7> : "
                    "tensor<1xi64>, normalized_shape = ") +
        before + " : tensor<" + std::to_string(dims) +
        "xi64>}, decomposition = @body} : (tensor<43x37x41xf32>) -> tensor<43x37x41xf32>\n"
        "  return %r : tensor<43x37x41xf32>\n}\n"
        "func.func private @body(%y: tensor<43x37x41xf32>) -> tensor<43x37x41xf32> {\n"
        "  %z = stablehlo.negate %y : tensor<43x37x41xf32>\n  return %z : tensor<43x37x41xf32>\n}\n");
    const std::string last = std::to_string(dimOf(small.graph, "x", 2));
    const std::string list = dims == 1 ? last : "[" + std::to_string(dimOf(small.graph, "x", 1)) + ", " + last + "]";
    const AttrValue* found =
        findAttr(small.graph.ops[small.graph.values[named(small.graph, "r")].producer], "composite_attributes");
    ASSERT_NE(found, nullptr);
    EXPECT_NE(found->text.find("normalized_shape = dense<" + list + "> : tensor<" + std::to_string(dims) + "xi64>"),
              std::string::npos)
        << found->text;
    EXPECT_NE(found->text.find("epsilon = dense<7> : tensor<1xi64>, "), std::string::npos) << found->text;
  }
}

// A mean of ones is one, through views of the sum and of the number, on either side of a product.
TEST(ShrunkAttributes, MeansBehindViews) {
  struct Row {
    std::string number, body;
    bool mean;
  };
  const std::string sum =
      "  %s = \"ttir.sum\"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<96x640xf32>) -> tensor<96x1xf32>\n";
  const std::string same = " : (tensor<96x1xf32>, tensor<96x1xf32>) -> tensor<96x1xf32>\n";
  const std::string view =
      "  %t = \"ttir.reshape\"(%s) <{shape = [1 : i32, 96 : i32]}> : (tensor<96x1xf32>) -> tensor<1x96xf32>\n"
      "  %v = \"ttir.reshape\"(%n) <{shape = [1 : i32, 96 : i32]}> : (tensor<96x1xf32>) -> tensor<1x96xf32>\n"
      "  %m = \"ttir.multiply\"(%v, %t) : (tensor<1x96xf32>, tensor<1x96xf32>) -> tensor<1x96xf32>\n"
      "  %r = \"ttir.reshape\"(%m) <{shape = [96 : i32, 1 : i32]}> : (tensor<1x96xf32>) -> tensor<96x1xf32>\n";
  const Row rows[] = {
      {"0.0015625", sum + "  %r = \"ttir.multiply\"(%s, %n)" + same, true},
      {"0.0015625", sum + "  %r = \"ttir.multiply\"(%n, %s)" + same, true},
      {"640.0", sum + "  %r = \"ttir.div\"(%s, %n)" + same, true},
      {"0.0015625", sum + view, true},
      {"0.001", sum + "  %r = \"ttir.multiply\"(%s, %n)" + same, false},
      {"640.0", sum + "  %r = \"ttir.multiply\"(%s, %n)" + same, false},
      {"0.0015625", sum + "  %r = \"ttir.div\"(%s, %n)" + same, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.number + row.body);
    const ShrunkGraph small = shrunkProgram(
        "func.func @main(%x: tensor<96x640xf32>) -> tensor<96x1xf32> {\n"
        "  %n = \"ttir.constant\"() <{value = dense<" +
        row.number + "> : tensor<96x1xf32>}> : () -> tensor<96x1xf32>\n" + row.body +
        "  return %r : tensor<96x1xf32>\n}\n");
    if (!small.shrunk) continue;
    EXPECT_LT(dimOf(small.graph, "x", 1), 64);
    HostTensor ones = randomInputs(small.graph, 1)[0];
    for (size_t i = 0; i < ones.size(); ++i) ones.set(i, 1.0);
    const Execution run = execute(small.graph, {ones});
    ASSERT_EQ(run.results.size(), 1u) << run.text;
    if (row.mean) EXPECT_NEAR(run.results[0].at(0), 1.0, 1e-5);
    else EXPECT_GT(std::fabs(run.results[0].at(0) - 1.0), 0.01);
  }
}

// A loop's bound is one only where the test is `i < n`, n a number of the test's own.
TEST(ShrunkAttributes, TurnsOfOtherLoopsStay) {
  const auto shrunkLoop = [](const std::string& compare, const std::string& bound) {
    const std::string i = "tensor<i32>", x = "tensor<64x64xf32>";
    const ShrunkGraph small = shrunkProgram(
        "func.func @main(%x: " + x + ", %e: " + i + ") -> " + x + " {\n  %f = stablehlo.constant dense<0> : " + i +
        "\n  %r:2 = stablehlo.while(%k = %f, %s = %x) : " + i + ", " + x +
        "\n   cond {\n    %n = stablehlo.constant dense<400> : " + i + "\n    %c = stablehlo.compare " + compare +
        ", %k, " + bound + ", SIGNED : (" + i + ", " + i +
        ") -> tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  } do {\n    %d = stablehlo.constant dense<1> : " + i +
        "\n    %y = stablehlo.tanh %s : " + x + "\n    %m = stablehlo.add %k, %d : " + i +
        "\n    stablehlo.return %m, %y : " + i + ", " + x + "\n  }\n  return %r#1 : " + x + "\n}\n");
    const std::string text = exportMlir(small.graph);
    return text.find("dense<3>") != std::string::npos ? 3 : text.find("dense<400>") != std::string::npos ? 400 : 0;
  };
  EXPECT_EQ(shrunkLoop("LT", "%n"), 3);
  EXPECT_EQ(shrunkLoop("LE", "%n"), 400);
  EXPECT_EQ(shrunkLoop("NE", "%n"), 400);
  EXPECT_EQ(shrunkLoop("LT", "%e"), 400);
}

}  // namespace
}  // namespace tessera::test

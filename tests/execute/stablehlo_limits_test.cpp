// What kernels of StableHLO do at the edges of what they take, numbers that are rare, and types in texts. Results are
// worked out by hand.

#include <cmath>

#include "core/execute/dim_solver.h"
#include "core/execute/scaling.h"
#include "core/execute/shrink_graph.h"
#include "core/execute/stablehlo_attrs.h"
#include "tests/compare_graphs.h"
#include "tests/execute/kernel_outcome.h"
#include "tests/execute/related_sizes.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

TEST(StablehloLimits, StablehloMovesAtTheirLimits) {
  const std::string bounds = "bounds outside of the operand", rank = "bounds of another rank",
                    outside = "a dim is outside of the tensor", window = "the window does not fit";
  expectErrors({
      {"stablehlo.iota", {}, {"#2x3"}, "iota_dimension=2", outside},
      {"stablehlo.concatenate", {"2x3", "2x3"}, {"4x3"}, "dimension=0", ""},
      {"stablehlo.concatenate", {"2x3", "3x3"}, {"4x3"}, "dimension=0", "too large"},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[2,0]", ""},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[-1,0]", bounds},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[3,0]", bounds},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[0,0]; strides=[0,1]", bounds},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[0,0]; strides=[4,1]", bounds},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[0,0,0]", rank},
      {"stablehlo.slice", {"4x3"}, {"2x3"}, "start_indices=[0,0]; strides=[1,1,1]", rank},
      {"stablehlo.slice", {"4x4"}, {"3x3"}, "start_indices=1", ""},  // one number for all dims
      {"stablehlo.slice", {"4x4"}, {"2x2"}, "start_indices=1; strides=2", ""},
      {"stablehlo.slice", {"4x4"}, {"2x2"}, "start_indices=2; strides=2", bounds},
      {"stablehlo.pad", {"3", "-"}, {"5"}, "edge_padding_low=[1]", ""},
      {"stablehlo.pad", {"3", "2"}, {"5"}, "edge_padding_low=[1]", "no value to pad with"},
      {"stablehlo.pad", {"3", "0"}, {"5"}, "edge_padding_low=[1]", "no value to pad with"},
      {"stablehlo.pad", {"3", "-"}, {"5x1"}, "edge_padding_low=[1]", "padding of another rank"},
      {"stablehlo.pad", {"3", "-"}, {"5"}, "edge_padding_low=[1,0]", "padding of another rank"},
      {"stablehlo.dynamic_slice", {"4", "#-"}, {"2"}, "", ""},
      {"stablehlo.dynamic_slice", {"4", "#2"}, {"2"}, "", window},
      {"stablehlo.dynamic_slice", {"4", "#-"}, {"5"}, "", window},
      {"stablehlo.dynamic_slice", {"4", "#-"}, {"2x1"}, "", "an index is missing"},
      {"stablehlo.not", {"2"}, {"2"}, "", "no integers"},
      {"stablehlo.shift_right_arithmetic", {"#2", "#3"}, {"#2"}, "", "no integers of one shape"},
      {"stablehlo.shift_right_arithmetic", {"2", "2"}, {"2"}, "", "no integers of one shape"},
      {"chlo.erf_inv", {"#2"}, {"2"}, "", "no reals"},
      {"chlo.lgamma", {"#2"}, {"2"}, "", "no reals"},
      {"chlo.top_k", {"2x3"}, {"2x2"}, "k=2", "no two results"},
      {"chlo.top_k", {"-"}, {"-", "#-"}, "k=1", "no two results"},
      {"chlo.top_k", {"2x3"}, {"3", "#3"}, "k=3", "k does not fit"},
      {"stablehlo.all_gather", {"2x3"}, {"4x3"}, "", ""},
      {"stablehlo.all_gather", {"2x3"}, {"12"}, "", "other ranks"},
      {"stablehlo.all_to_all", {"2x3", "4"}, {"4x3", "2x2"}, "", "other ranks"},
  });
}

TEST(StablehloLimits, RegionsAndDimensionNumbers) {
  const std::string numbers = "its dimension numbers do not fit", shapes = "its operands have different shapes",
                    unknown = "its body is not known";
  const auto gather = [](const std::string& dims, const std::string& sizes) {
    return "slice_sizes=[" + sizes + "]; dimension_numbers={#stablehlo.gather<" + dims + ">}";
  };
  const std::string rows = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = ";
  const std::string batched =
      "offset_dims = [1], operand_batching_dims = [0], start_index_map = [1], "
      "index_vector_dim = 1, start_indices_batching_dims = [";
  const std::string add = "body='stablehlo.add'", subtract = "body='stablehlo.subtract'";
  expectErrors({
      {"stablehlo.gather", {"4x3", "#2x1"}, {"2x3"}, gather(rows + "1", "1,3"), ""},
      {"stablehlo.gather", {"4x3", "#2"}, {"2x3"}, gather(rows + "1", "1,3"), ""},
      {"stablehlo.gather", {"4x3", "#2x1"}, {"2x3"}, gather(rows + "1", "1"), "no slice sizes"},
      {"stablehlo.gather", {"4x3", "#2x2"}, {"2x3"}, gather(rows + "1", "1,3"), numbers},
      {"stablehlo.gather",
       {"4x3", "#2x3x1"},
       {"2x3"},
       gather("offset_dims = [5], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2", "1,3"),
       numbers},
      {"stablehlo.gather", {"4x3", "#4x1"}, {"4x2"}, gather(batched + "0]", "1,2"), ""},
      {"stablehlo.gather", {"4x3", "#4x1"}, {"4x2"}, gather(batched + "7]", "1,2"), numbers},
      {"stablehlo.gather", {"4x3", "#4x1"}, {"4x2"}, gather(batched + "]", "1,2"), numbers},
      {"stablehlo.gather", {"4x3", "#4x1"}, {"3x2"}, gather(batched + "0]", "1,2"), numbers},
      {"stablehlo.scatter",
       {"4x3", "#2x1", "2x3"},
       {"4x3", "4x3"},
       "body='second'; " + kScatterNumbers,
       "several operands"},
      {"stablehlo.scatter", {"4x3", "#2x1", "2x3"}, {"4x3"}, "body='no.such'; " + kScatterNumbers, unknown},
      {"stablehlo.reduce", {"3", "-"}, {"-"}, "dimensions=[0]", unknown},
      {"stablehlo.reduce", {"3", "-"}, {"-"}, "dimensions=[0]; body=5", unknown},
      {"stablehlo.reduce", {"3", "-"}, {"-"}, "dimensions=[0]; body='add'", unknown},
      {"stablehlo.reduce", {"3", "-"}, {"-"}, "dimensions=[0]; " + subtract, ""},
      {"stablehlo.reduce", {"2x3", "3x2", "-", "-"}, {"2", "2"}, "dimensions=[1]; " + add, shapes},
      {"stablehlo.reduce", {"2x3", "2x3", "-", "-"}, {"2", "2"}, "dimensions=[1]; body='no.such'", unknown},
      {"stablehlo.reduce",
       {"2x3", "2x3", "-", "-"},
       {"2", "2"},
       "dimensions=[1]; " + add,
       "its body gives another number of values"},
      {"stablehlo.sort", {"2x3", "3x2"}, {"2x3", "3x2"}, "dimension=1; body='stablehlo.compare LT'", shapes},
      {"stablehlo.sort",
       {"2x3"},
       {"2x3"},
       "dimension=2; body='stablehlo.compare LT'",
       "a dim is outside of the tensor"},
      {"stablehlo.map", {"2", "2"}, {"2"}, subtract, ""},
      {"stablehlo.map", {"2", "2"}, {"3"}, subtract, "computes 2 where the graph says 3"},
      {"stablehlo.map", {"2", "3"}, {"2"}, subtract, shapes},
      {"stablehlo.map", {"2", "2"}, {"2", "2"}, subtract, "it maps no operand"},
      {"stablehlo.map", {"2", "2"}, {"2"}, "captures=[2]; " + subtract, "it maps no operand"},
      {"stablehlo.map", {"2", "2"}, {"2"}, "captures=[-1]; " + subtract, "it maps no operand"},
      {"stablehlo.map", {"2", "2"}, {"2"}, "body='no.such'", unknown},
  });
}

TEST(StablehloLimits, StablehloWindowsAtTheirLimits) {
  const std::string add = "body='stablehlo.add'", absurd = "an absurd window";
  const std::string both = "body='stablehlo.compare GE'; body1='stablehlo.add'", ranks = "other ranks",
                    scalar = "an initial value is no scalar";
  const std::string window = "stablehlo.reduce_window", select = "stablehlo.select_and_scatter";
  expectErrors({
      {window, {"4", "-"}, {"3"}, add + "; window_dimensions=[2]", ""},
      {window, {"4", "-"}, {"4"}, add + "; window_dimensions=[2,2]", ""},  // of another rank: windows of one
      {window, {"4", "-"}, {"1"}, add + "; window_dimensions=[0]", absurd},
      {window, {"4", "-"}, {"1"}, add + "; window_dimensions=[1048575]", ""},
      {window, {"4", "-"}, {"1"}, add + "; window_dimensions=[1048576]", absurd},
      {window, {"4", "-"}, {"1"}, add + "; window_strides=[1073741824]", absurd},
      {window, {"4", "-"}, {"1"}, add + "; padding=[-1073741825,0]", absurd},
      {window, {"4", "-"}, {"1"}, add + "; padding=[0,-1073741825]", absurd},
      {window, {"4", "-"}, {"4"}, add + "; padding=[0,-1073741824]", ""},
      {window, {"4", "-"}, {"1", "1"}, add, "several results"},
      {window, {"4", "-"}, {"4"}, "body='stablehlo.subtract'", "its body is not one op"},
      {select, {"4", "4", "-"}, {"4"}, both, ""},
      {select, {"4", "4x1", "-"}, {"4"}, both, ranks},
      {select, {"4", "4", "2"}, {"4"}, both, scalar},
      {select, {"4", "4", "-"}, {"4"}, both + "; window_dimensions=[1048576]", absurd},
      {select, {"4", "4", "-"}, {"4"}, both + "; window_strides=[0]", absurd},
  });
}

TEST(StablehloLimits, CallsByName) {
  const auto target = [](const std::string& name) { return "call_target_name='" + name + "'"; };
  std::vector<KernelRow> rows;
  for (const char* view : {"tt.weight_dtype_override", "annotate_device_placement", "LayoutConstraint", "Sharding",
                           "SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.FuncResultSharding"})
    rows.push_back({"stablehlo.custom_call", {"2x3"}, {"2x3"}, target(view), ""});
  for (const char* other : {"tt.weight_dtype", "annotate", "Layout", "xla.sdy"}) {
    rows.push_back({"stablehlo.custom_call",
                    {"2x3"},
                    {"2x3"},
                    target(other),
                    "the interpreter has no custom call " + std::string(other)});
  }
  rows.push_back({"stablehlo.custom_call", {"2x3"}, {"6"}, target("LayoutConstraint"), "other ranks"});
  rows.push_back({"stablehlo.custom_call", {"2x3", "3x2"}, {}, target("check.expect_eq"), "compares other shapes"});
  // What is not worked out reads no operand that is empty, and makes no integers of reals.
  rows.push_back({"ttir.sparse_matmul", {"2x3", "0x3"}, {"2x3"}, "", ""});
  rows.push_back({"ttir.sparse_matmul", {"0x3"}, {"2x3"}, "", ""});
  const std::string integers = "a result of integers, and no operand of them";
  rows.push_back({"ttir.sparse_matmul", {"2x3"}, {"#2x3"}, "", integers});
  rows.push_back({"ttir.sparse_matmul", {"2x3", "#0"}, {"#2x3"}, "", integers});
  rows.push_back({"ttir.sparse_matmul", {"2x3", "#2"}, {"#2x3"}, "", ""});
  expectErrors(rows);
}

TEST(StablehloLimits, ExpectationsOfNoNumbers) {
  const auto verdict = [](const std::string& got, const std::string& expected) {
    return outcomeOf("stablehlo.custom_call", "call_target_name='check.expect_close'",
                     {"f32 2: " + got, "f32 2: " + expected}, {})
        .error;
  };
  EXPECT_EQ(verdict("1 nan", "1 nan"), "");
  EXPECT_EQ(verdict("1 nan", "1 2"), "element 1 is nan, expected 2.000000");
  EXPECT_EQ(verdict("1 2", "nan 2"), "element 0 is 1.000000, expected nan");
  EXPECT_EQ(verdict("1 inf", "1 inf"), "");
  EXPECT_EQ(verdict("1 3", "1 inf"), "element 1 is 3.000000, expected inf");
}

using Integers64 = std::vector<int64_t>;
using Reals32 = std::vector<float>;

Outcome doneBy(const std::string& op, const std::string& attrs, const std::vector<std::string>& operands,
               const Shape& shape) {
  Outcome done = outcomeOf(op, attrs, operands, {shape});
  EXPECT_EQ(done.error, "") << op << " " << attrs;
  return done;
}

TEST(StablehloLimits, IntegersAtTheirEnds) {
  const std::string least = "-9223372036854775808";
  const auto integers = [](const std::string& op, const std::vector<std::string>& operands, int64_t count) {
    return doneBy(op, "", operands, {count}).results[0].i;
  };
  EXPECT_EQ(integers("ttir.abs", {"si32 3: " + least + " -3 4"}, 3), (Integers64{INT64_MIN, 3, 4}));
  EXPECT_EQ(integers("ttir.neg", {"si32 2: " + least + " -3"}, 2), (Integers64{INT64_MIN, 3}));
  EXPECT_EQ(integers("ttir.square", {"si32 3: -3 4 0"}, 3), (Integers64{9, 16, 0}));
  for (const char* op : {"ttir.div", "ttnn.divide"})
    EXPECT_EQ(integers(op, {"si32 4: 7 " + least + " " + least + " 7", "si32 4: 0 -1 2 -2"}, 4),
              (Integers64{0, 0, INT64_MIN / 2, -3}))
        << op;
  EXPECT_EQ(integers("ttir.remainder", {"si32 3: " + least + " 7 -7", "si32 3: -1 0 3"}, 3), (Integers64{0, 0, 2}));
  EXPECT_EQ(integers("ttir.logical_left_shift", {"si32 4: 1 1 1 1", "si32 4: -1 64 63 3"}, 4),
            (Integers64{0, 0, INT64_MIN, 8}));
  EXPECT_EQ(integers("ttir.logical_right_shift", {"si32 4: 8 8 -1 8", "si32 4: -1 64 63 3"}, 4),
            (Integers64{0, 0, 1, 1}));
  // Of 32 bits: farther than the sign there is only the sign.
  EXPECT_EQ(integers("stablehlo.shift_right_arithmetic", {"si32 6: -8 -8 8 -8 -8 8", "si32 6: 1 31 32 40 -1 64"}, 6),
            (Integers64{-4, -1, 0, -1, -1, 0}));
  EXPECT_EQ(integers("ttir.reverse", {"si32 3: 1 2 3"}, 3), (Integers64{1, 2, 3})) << "of no dim";
  EXPECT_EQ(doneBy("ttir.reverse", "dimensions=[0]", {"si32 3: 1 2 3"}, {3}).results[0].i, (Integers64{3, 2, 1}));
  EXPECT_EQ(doneBy("ttir.arange", "start=3; step=2", {}, {}).results[0].f, (Reals32{3}));
  const HostTensor dot = doneBy("stablehlo.dot", "", {"si32 1x2: 2 3", "si32 2x1: 5 7"}, {1, 1}).results[0];
  EXPECT_FALSE(dot.real);
  EXPECT_EQ(dot.i, (Integers64{31}));
  EXPECT_EQ(doneBy("stablehlo.dot", "", {"si32 1x2: 2 3", "f32 2x1: 0.5 7"}, {1, 1}).results[0].f, (Reals32{22}));
}

TEST(StablehloLimits, IntegersBesideReals) {
  EXPECT_EQ(doneBy("ttir.where", "", {"si32 2: 1 0", "si32 2: 5 6", "f32 2: 0.5 1.5"}, {2}).results[0].f,
            (Reals32{5, 1.5}));
  EXPECT_EQ(doneBy("ttir.where", "", {"f32 2: 1 0", "si32 2: 5 6", "si32 2: 7 8"}, {2}).results[0].i,
            (Integers64{5, 8}));
  EXPECT_EQ(doneBy("ttir.clamp_tensor", "", {"f32 3: -0.5 1.5 9", "si32 3: 0 0 0", "si32 3: 4 4 4"}, {3}).results[0].f,
            (Reals32{0, 1.5, 4}));
  EXPECT_EQ(doneBy("ttir.clamp_tensor", "", {"si32 2: -5 9", "si32 2: 0 0", "f32 2: 4.5 4.5"}, {2}).results[0].f,
            (Reals32{0, 4.5}));
  // A limit that is no number is none.
  EXPECT_EQ(doneBy("ttir.clamp_scalar", "min='x'; max=1", {"f32 3: -5 0.5 7"}, {3}).results[0].f,
            (Reals32{-5, 0.5, 1}));
  for (const char* op : {"ttir.minimum", "ttir.maximum"}) {
    const Reals32 is = doneBy(op, "", {"f32 3: nan 1 2", "f32 3: 1 nan 3"}, {3}).results[0].f;
    EXPECT_TRUE(std::isnan(is[0]) && std::isnan(is[1])) << op;
    EXPECT_EQ(is[2], op == std::string("ttir.minimum") ? 2 : 3);
  }
  expectErrors({{"ttir.bitwise_not", {"2x3"}, {"2x3"}, "", "no kernel for this type of operand"}});
}

TEST(StablehloLimits, RareNumbers) {
  const auto first = [](const std::string& op, const std::string& attrs, const std::vector<std::string>& operands,
                        const Shape& shape) { return doneBy(op, attrs, operands, shape).results[0].f; };
  // 2 (1 + tanh(sqrt(2 / pi) (2 + 0.044715 * 8))) / 2, of the function itself 1.9544997.
  for (const char* name : {"gelu_tanh", "gelu_approx"})
    EXPECT_NEAR(first("ttir.linear", "activation='" + std::string(name) + "'", {"f32 1x1: 1", "f32 1x1: 2"}, {1, 1})[0],
                1.9545977, 1e-6)
        << name;
  EXPECT_NEAR(first("ttir.linear", "activation='gelu'", {"f32 1x1: 1", "f32 1x1: 2"}, {1, 1})[0], 1.9544997, 1e-6);
  // exp(0) : exp(ln 3) is 1 : 3.
  for (const char* op : {"ttir.log_softmax", "ttnn.log_softmax"}) {
    const Reals32 is = first(op, "dimension=0", {"f32 2: 0 1.0986123"}, {2});
    EXPECT_NEAR(is[0], std::log(0.25), 1e-6) << op;
    EXPECT_NEAR(is[1], std::log(0.75), 1e-6) << op;
    EXPECT_NEAR(first(op, "dimension=0; numericStable=true", {"f32 2: 500 500"}, {2})[1], std::log(0.5), 1e-6) << op;
  }
  const std::string image = "f32 2x2x1x2: -3 7 -1 9 5 -6 4 -8";
  EXPECT_EQ(first("ttir.global_max_pool2d", "", {image}, {2, 1, 1, 2}), (Reals32{-1, 9, 5, -6}));
  EXPECT_EQ(first("ttir.global_avg_pool2d", "", {image}, {2, 1, 1, 2}), (Reals32{-2, 8, 4.5, -7}));
  // Weight, then bias, where nothing says which there are: 1 3 is 2 -+ 1, and epsilon 3 makes halves of that.
  EXPECT_EQ(first("ttir.group_norm", "epsilon=3.0; num_groups=1", {"f32 1x1x1x2: 1 3", "f32 2: 2 4", "f32 2: 10 20"},
                  {1, 1, 1, 2}),
            (Reals32{9, 22}));
  // The root of the mean of 1 and 49 is 5.
  EXPECT_NEAR(first("ttir.rms_norm", "epsilon=0.0", {"f32 1x2: 1 7", "f32 2: 10 5"}, {1, 2})[0], 2, 1e-6);
  EXPECT_NEAR(first("ttir.rms_norm", "epsilon=0.0", {"f32 1x2: 1 7", "f32 2: 10 5"}, {1, 2})[1], 7, 1e-6);
  const std::string x = "f32 2x2: 1 2 3 4", places = "si32 1x2: 1 1", source = "f32 1x2: 10 20";
  const auto scattered = [&](const std::string& how) {
    return first("ttir.scatter", "dim=0; scatter_reduce_type=" + how, {x, places, source}, {2, 2});
  };
  EXPECT_EQ(scattered("{#ttcore.reduce_type<sum>}"), (Reals32{1, 2, 13, 24}));
  EXPECT_EQ(scattered("{#ttcore.reduce_type<prod>}"), (Reals32{1, 2, 30, 80}));
  EXPECT_EQ(scattered("{#ttcore.reduce_type<invalid>}"), (Reals32{1, 2, 10, 20}));
}

TEST(StablehloLimits, RegionsOfOneOp) {
  const auto reduced = [](const std::string& body, const std::string& x, const std::string& start) {
    const Outcome done = outcomeOf("stablehlo.reduce", "dimensions=[0]; body='" + body + "'", {x, start}, {Shape{}});
    EXPECT_EQ(done.error, "") << body;
    return done.results[0].integerAt(0);
  };
  EXPECT_EQ(reduced("stablehlo.xor", "si32 3: 6 3 8", "si32 1: 1"), 12);  // 0110 0011 1000 0001
  EXPECT_EQ(reduced("stablehlo.or", "si32 3: 6 3 8", "si32 1: 0"), 15);
  EXPECT_EQ(reduced("stablehlo.and", "si32 3: 6 3 10", "si32 1: 15"), 2);
  EXPECT_EQ(reduced("stablehlo.subtract", "si32 3: 6 3 8", "si32 1: 20"), 3);
  EXPECT_EQ(reduced("first", "si32 3: 6 3 8", "si32 1: 7"), 7);
  EXPECT_EQ(reduced("second", "si32 3: 6 3 8", "si32 1: 7"), 8);
  const auto scattered = [](const std::string& body) {
    return doneBy("stablehlo.scatter", "body='" + body + "'; " + kScatterNumbers,
                  {"f32 2x2: 1 2 3 4", "si32 2x1: 1 5", "f32 2x2: 10 20 30 40"}, {2, 2})
        .results[0]
        .f;
  };
  EXPECT_EQ(scattered("first"), (Reals32{1, 2, 3, 4}));
  EXPECT_EQ(scattered("second"), (Reals32{1, 2, 10, 20}));
  EXPECT_EQ(scattered("stablehlo.multiply"), (Reals32{1, 2, 30, 80}));
  EXPECT_EQ(scattered("stablehlo.subtract"), (Reals32{1, 2, -7, -16}));
  // Of windows of one, the first lies before the operand and chooses nothing.
  EXPECT_EQ(doneBy("stablehlo.select_and_scatter",
                   "body='stablehlo.compare GE'; body1='stablehlo.add'; window_dimensions=[1]; padding=[1,0]",
                   {"f32 2: 5 6", "f32 3: 10 20 30", "f32 1: 1"}, {2})
                .results[0]
                .f,
            (Reals32{21, 31}));
}

TEST(StablehloLimits, QuantizedTypesInTexts) {
  for (const char* text :
       {"f32", "!quant.uniform<i8:f32,0.5", "!quant.uniform<f32:f32,0.5>", "!quant.uniform<i64:f32,0.5>",
        "!quant.uniform<i8>", "!quant.uniform<i9:f32,0.5>", "!quant.uniform<i8<5:-5>:f32,0.5>",
        "!quant.uniform<i8:f32>", "!quant.uniform<>", "!quant.any<i8:f32,0.5>"})
    EXPECT_FALSE(readScaling(text)) << text;
  const auto read = [](const std::string& text) {
    const std::optional<Scaling> scaling = readScaling(text);
    EXPECT_TRUE(scaling) << text;
    return scaling.value_or(Scaling());
  };
  const Scaling one = read("!quant.uniform<i8:f32,0.5:3>");
  EXPECT_EQ(one.scales, (Reals32{0.5}));
  EXPECT_EQ(one.zeroPoints, (Integers64{3}));
  EXPECT_EQ(one.dim, std::nullopt);
  EXPECT_EQ(one.least, -128);
  EXPECT_EQ(one.most, 127);
  const Scaling several = read("!quant.uniform<u8<1:254>:f32:1, {0.5:-3, 2.0}>");
  EXPECT_EQ(several.scales, (Reals32{0.5, 2}));
  EXPECT_EQ(several.zeroPoints, (Integers64{-3, 0}));
  EXPECT_EQ(several.dim, 1);
  EXPECT_EQ(several.least, 1);
  EXPECT_EQ(several.most, 254);
  EXPECT_EQ(read("!quant.uniform<i8<5:5>:f32,0.5>").most, 5);
  EXPECT_EQ(read("!quant.uniform<i8:f32,0.5:nan>").zeroPoints, (Integers64{0}));
  const int64_t farthest = int64_t{1} << 40;
  EXPECT_EQ(read("!quant.uniform<i8:f32,0.5:1e300>").zeroPoints, (Integers64{farthest}));
  EXPECT_EQ(read("!quant.uniform<i8:f32,0.5:-1e300>").zeroPoints, (Integers64{-farthest}));
  expectErrors({
      {"ttir.quantize_unrolled", {"2x3", "1:2"}, {"#2x3"}, "", "no scale"},
      {"ttir.quantize_unrolled", {"2x3", "0", "#0"}, {"#2x3"}, "", "scales and zero points of other counts"},
  });
}

TEST(StablehloLimits, NamesOfKernels) {
  EXPECT_EQ(findKernel("add"), nullptr);
  EXPECT_EQ(findKernel(""), nullptr);
  EXPECT_EQ(findKernel("d2m.add"), nullptr);
  EXPECT_EQ(findKernel("ttmetal.add"), nullptr);
  EXPECT_EQ(findKernel("ttir.no_such"), nullptr);
  for (const char* name : {"ttir.add", "ttnn.add", "ttcore.optimization_barrier", "tensor.empty", "arith.constant"})
    EXPECT_NE(findKernel(name), nullptr) << name;
}

// Functions of regions that are missing, take more than is given, or hold what has no kernel.
TEST(StablehloLimits, BodiesThatCannotRun) {
  const Imported imported = importText(
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
      "func.func private @one(%p: tensor<f32>) -> tensor<f32> {\n"
      "  %q = stablehlo.negate %p : tensor<f32>\n  return %q : tensor<f32>\n}\n"
      "func.func private @drawn(%p: tensor<f32>) -> tensor<4xf32> {\n"
      "  %q = \"ttir.rand\"() <{size = [4 : i32], dtype = f32, low = 0.0 : f32, high = 1.0 : f32, seed = 0 : ui32}> : "
      "() -> tensor<4xf32>\n  return %q : tensor<4xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const auto run = [&](const std::string& name, const std::vector<float>& inputs, BodyBudget budget) {
    std::vector<HostTensor> given, results;
    for (const float x : inputs) given.push_back(HostTensor{{}, true, {x}, {}});
    std::string error;
    if (!runFunction(*imported.graph, name, given, budget, results, error)) return error;
    return results.size() == 1 && results[0].f == Reals32{-5} ? std::string() : "gives something else";
  };
  EXPECT_EQ(run("one", {5}, {}), "");
  EXPECT_EQ(run("one", {5, 6}, {}), "");
  EXPECT_EQ(run("one", {}, {}), "a body is missing");
  EXPECT_EQ(run("two", {5}, {}), "a body is missing");
  EXPECT_EQ(run("drawn", {5}, {}), "the interpreter has no kernel for ttir.rand");
  EXPECT_EQ(run("drawn", {5}, {.elements = 3}), "ttir.rand in a body is too large");
  EXPECT_EQ(run("one", {5}, {.depth = 0}), "bodies run within one another too deep");
  EXPECT_EQ(run("one", {5}, {.ops = 0}), "its bodies run too many ops");
  EXPECT_EQ(run("one", {5}, {.ops = 1}), "");
}

TEST(StablehloLimits, GraphsWithNothingToExecute) {
  const Graph nothing;
  EXPECT_TRUE(randomInputs(nothing, 1).empty());
  const Execution run = execute(nothing, {});
  EXPECT_EQ(run.status, ExecutionStatus::NotExecutable);
  EXPECT_EQ(run.text, "the graph has no function to execute");
  const Imported imported =
      importText("func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  return %x : tensor<2x3xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  const HostTensor x = randomInputs(*imported.graph, 1)[0];
  EXPECT_EQ(execute(*imported.graph, {}).text, "the function takes another number of arguments");
  EXPECT_EQ(execute(*imported.graph, {x, x}).text, "the function takes another number of arguments");
  EXPECT_EQ(execute(*imported.graph, {HostTensor()}).text, "argument %x has too many elements");
  HostTensor scalar;
  scalar.f = {1};
  EXPECT_EQ(execute(*imported.graph, {scalar}).text, "argument %x has another shape");
  // 24 bytes of numbers.
  ExecutionBudget budget;
  budget.bytes = 24;
  EXPECT_EQ(execute(*imported.graph, {x}, budget).status, ExecutionStatus::Done);
  budget.bytes = 23;
  const Execution over = execute(*imported.graph, {x}, budget);
  EXPECT_EQ(over.status, ExecutionStatus::OverBudget);
  EXPECT_EQ(over.text, "the arguments need more than 23 bytes");
  EXPECT_EQ(GraphSeries(*imported.graph, 1).next(nothing, 0).comparison, Comparison::NotExecutable);
}

// As many elements in another shape are another result.
TEST(StablehloLimits, ResultsOfAnotherShapeDiffer) {
  const auto reshaped = [](const std::string& to) {
    const Imported imported = importText("func.func @main(%x: tensor<2x3xf32>) -> tensor<" + to +
                                         "xf32> {\n  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<" + to +
                                         "xf32>\n  return %0 : tensor<" + to + "xf32>\n}\n");
    EXPECT_TRUE(imported.graph) << imported.report();
    return *imported.graph;
  };
  const ComparisonVerdict verdict = GraphSeries(reshaped("3x2"), 1).next(reshaped("1x6"), 1);
  EXPECT_EQ(verdict.comparison, Comparison::Different);
  EXPECT_EQ(verdict.text, "result 0 is 3x2 before and 1x6 after");
  EXPECT_EQ(verdict.result, 0);
}

}  // namespace
}  // namespace tessera::test

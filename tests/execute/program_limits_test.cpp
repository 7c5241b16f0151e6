// Programs at the edges of what is executed and made small: calls, loops, freed values, absurd sizes, attributes.

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

Execution ranProgram(const std::string& text) {
  const Imported imported = importText(text);
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? execute(*imported.graph, randomInputs(*imported.graph, 1)) : Execution();
}

// 64 functions run within one another, the first one with them.
TEST(ProgramLimits, CallsAreNestedSoDeep) {
  const std::string t = "tensor<2x3xf32>";
  const auto chain = [&](int functions) {
    std::string text;
    for (int i = 0; i <= functions; ++i) {
      const std::string name = i == 0 ? "func.func @main" : "func.func private @f" + std::to_string(i);
      const std::string call = "  %r = func.call @f" + std::to_string(i + 1) + "(%x) : (" + t + ") -> " + t + "\n";
      text += name + "(%x: " + t + ") -> " + t + " {\n" + (i < functions ? call + "  return %r : " : "  return %x : ") +
              t + "\n}\n";
    }
    return ranProgram(text);
  };
  EXPECT_EQ(chain(63).status, ExecutionStatus::Done);
  const Execution deep = chain(64);
  EXPECT_EQ(deep.status, ExecutionStatus::NotExecutable);
  EXPECT_EQ(deep.text, "%r (func.call): calls are nested too deep");
  EXPECT_FALSE(deep.malformed);
}

TEST(ProgramLimits, LoopsAndChoicesThatContradictThemselves) {
  const auto loop = [](const std::string& test, const std::string& body) {
    return ranProgram(
        "func.func @main(%n: tensor<2xi1>, %x: tensor<f32>) -> tensor<f32> {\n  %r = stablehlo.while(%s = %x) : "
        "tensor<f32>\n   cond {\n    %c = stablehlo.constant dense<1> : tensor<i1>\n    stablehlo.return " +
        test + "\n  } do {\n    " + body + "\n  }\n  return %r : tensor<f32>\n}\n");
  };
  const std::string truth = "%c : tensor<i1>", same = "stablehlo.return %s : tensor<f32>";
  const auto malformed = [](const Execution& run, const std::string& text) {
    EXPECT_EQ(run.status, ExecutionStatus::NotExecutable) << text;
    EXPECT_EQ(run.text, text);
    EXPECT_TRUE(run.malformed) << text;
  };
  malformed(loop("%n : tensor<2xi1>", same), "%r (stablehlo.while): its test gives no truth value");
  malformed(loop("%c, %c : tensor<i1>, tensor<i1>", same), "%r (stablehlo.while): its test gives no truth value");
  malformed(loop(truth, "stablehlo.return %s, %s : tensor<f32>, tensor<f32>"),
            "%r (stablehlo.while): its body gives another number of values");
  malformed(loop(truth,
                 "%q = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>\n    stablehlo.return %q : tensor<1xf32>"),
            "%r (stablehlo.while): an argument of its region has another shape");
  const Execution endless = loop(truth, same);
  EXPECT_EQ(endless.status, ExecutionStatus::OverBudget);
  EXPECT_EQ(endless.text, "func.return: too many turns");
  malformed(
      ranProgram("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                 "  %r:2 = \"stablehlo.while\"(%x) ({\n  ^bb0(%a: tensor<f32>):\n"
                 "    %c = stablehlo.constant dense<0> : tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  }, {\n"
                 "  ^bb0(%a: tensor<f32>):\n    stablehlo.return %a : tensor<f32>\n"
                 "  }) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)\n  return %r#0 : tensor<f32>\n}\n"),
      "%r (stablehlo.while): it carries more than it is given");
  const auto choice = [](const std::string& index, const std::string& regions) {
    return ranProgram(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %p = stablehlo.constant dense<0> : tensor<" + index +
        ">\n  %r = \"stablehlo.if\"(%p) " + regions + " : (tensor<" + index +
        ">) -> tensor<f32>\n  return %r : tensor<f32>\n}\n");
  };
  const std::string region = "{\n    stablehlo.return %x : tensor<f32>\n  }";
  EXPECT_EQ(choice("i1", "(" + region + ", " + region + ")").status, ExecutionStatus::Done);
  malformed(choice("2xi1", "(" + region + ", " + region + ")"), "%r (stablehlo.if): it has no index or no branches");
  malformed(choice("i1", ""), "%r (stablehlo.if): it has no index or no branches");
  malformed(choice("i1", "(" + region + ")"), "%r (stablehlo.if): a region is missing");
}

TEST(ProgramLimits, WhatIsFreedByTtirIsGone) {
  const auto freed = [](const std::string& returned) {
    const std::string t = "tensor<2x3xf32>";
    return ranProgram("func.func @main(%x: " + t + ") -> " + t + " {\n  %0 = \"ttir.abs\"(%x) : (" + t + ") -> " + t +
                      "\n  \"ttir.dealloc\"(%0) : (" + t + ") -> ()\n  return " + returned + " : " + t + "\n}\n");
  };
  EXPECT_EQ(freed("%x").status, ExecutionStatus::Done);
  EXPECT_EQ(freed("%0").text, "func.return: reads %0 after it was deallocated");
}

// Graphs that no reader makes: nothing is followed past what is there.
TEST(ProgramLimits, GraphsThatAreNotWhole) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  graph.forward = func;
  const ValueId x = builder.addArgument(func, "x", tensor({2, 3}, DType::F32));
  const OpId first = builder.append(func, makeOp(OpKind::TtirAbs, {x}, {tensor({2, 3}, DType::F32)}));
  const OpId second =
      builder.append(func, makeOp(OpKind::TtirExp, {builder.result(first)}, {tensor({2, 3}, DType::F32)}));
  EXPECT_EQ(execute(graph, randomInputs(graph, 1)).text, "@main does not return");
  const OpId last = builder.append(func, makeOp(OpKind::FuncReturn, {builder.result(second)}, {}));
  EXPECT_EQ(execute(graph, randomInputs(graph, 1)).status, ExecutionStatus::Done);
  Graph turned = graph;
  turned.funcs[func].ops = {second, first, last};
  const Execution early = execute(turned, randomInputs(turned, 1));
  EXPECT_EQ(early.status, ExecutionStatus::NotExecutable);
  EXPECT_EQ(early.text, "%1 (ttir.exp): %0 has no value");
  // After what is whole, what contradicts itself is another graph; what has no kernel says nothing.
  Graph misfit = graph;
  misfit.values.edit(builder.result(first)).type = tensor({3, 2}, DType::F32);
  ComparisonVerdict verdict = GraphSeries(graph, 1).next(misfit, 0);
  EXPECT_EQ(verdict.comparison, Comparison::Different);
  EXPECT_EQ(verdict.text, "after: %0 (ttir.abs): computes 2x3 where the graph says 3x2");
  Graph strange = graph;
  strange.ops.edit(first).name = "ttir.no_such";
  verdict = GraphSeries(graph, 1).next(strange, 0);
  EXPECT_EQ(verdict.comparison, Comparison::NotExecutable);
}

TEST(ProgramLimits, WindowsOfAbsurdSizeAreNotBegun) {
  const auto pooled = [](const std::string& attrs, const Shape& result) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    graph.forward = func;
    const ValueId x = builder.addArgument(func, "x", tensor({1, 2, 2, 1}, DType::F32));
    OpSpec spec = makeOp(OpKind::TtirMaxPool2d, {x}, {tensor(result, DType::F32)});
    spec.attrs = attrsOf(attrs);
    const OpId pool = builder.append(func, std::move(spec));
    builder.append(func, makeOp(OpKind::FuncReturn, {builder.result(pool)}, {}));
    return execute(graph, randomInputs(graph, 1));
  };
  const Shape none = {1, 0, 0, 1};
  EXPECT_EQ(pooled("kernel=[2,2]", {1, 1, 1, 1}).status, ExecutionStatus::Done);
  EXPECT_EQ(pooled("kernel=[1048576,3]", none).status, ExecutionStatus::Done);
  EXPECT_EQ(pooled("kernel=[3,1048576]", none).status, ExecutionStatus::Done);
  for (const char* kernel : {"kernel=[0,2]", "kernel=[2,0]", "kernel=[-1,2]", "kernel=[2,-1]", "kernel=[1048577,3]",
                             "kernel=[3,1048577]", "kernel=0", "kernel=1048577"}) {
    const Execution run = pooled(kernel, none);
    EXPECT_EQ(run.status, ExecutionStatus::OverBudget) << kernel;
    EXPECT_EQ(run.text, "%0 (ttir.max_pool2d): more than 4294967296 multiplications in total") << kernel;
  }
}

// Numbers that a file leaves out are drawn where they must be positive, up to so many.
TEST(ProgramLimits, ConstantsThatAreNotDrawn) {
  const auto rooted = [](const std::string& shape, const std::string& root) {
    const std::string t = "tensor<" + shape + "f32>";
    const Imported imported =
        importText("func.func @main(%x: " + t + ") -> " + t + " {\n  %c = stablehlo.constant dense_resource<w> : " + t +
                       "\n  %s = stablehlo." + root + " %c : " + t + "\n  %r = stablehlo.add %x, %s : " + t +
                       "\n  return %r : " + t + "\n}\n",
                   {1 << 20});
    EXPECT_TRUE(imported.graph) << imported.report();
    return exportMlir(withNeededConstants(*imported.graph, 1)).find("dense_resource") == std::string::npos;
  };
  EXPECT_TRUE(rooted("8x", "sqrt"));
  EXPECT_TRUE(rooted("256x256x", "sqrt"));
  EXPECT_FALSE(rooted("256x257x", "sqrt"));
  EXPECT_FALSE(rooted("0x", "sqrt"));
  EXPECT_FALSE(rooted("8x", "exponential"));
}

// Ops with fewer operands than they take, calls of nothing: nothing is needed of what is not there.
TEST(ProgramLimits, InputsOfOpsThatAreNotWhole) {
  // Of argument `which`: the least number when it is real, else the largest.
  const auto drawn = [](const std::string& op, const std::string& attrs, const std::vector<Shape>& operands,
                        bool integers, size_t which) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    graph.forward = func;
    std::vector<ValueId> values;
    for (const Shape& shape : operands)
      values.push_back(builder.addArgument(func, "a", tensor(shape, integers ? DType::I32 : DType::F32)));
    OpSpec spec = makeOp(opKindFromName(op), values, {tensor({2}, DType::F32), tensor({2}, DType::F32)});
    spec.attrs = attrsOf(attrs);
    builder.append(func, std::move(spec));
    const HostTensor numbers = randomInputs(graph, 1).at(which);
    double most = numbers.at(0), least = numbers.at(0);
    for (size_t i = 0; i < numbers.size(); ++i)
      most = std::max(most, numbers.at(i)), least = std::min(least, numbers.at(i));
    return integers ? most : least;
  };
  const Shape many = {64};
  EXPECT_EQ(drawn("ttir.embedding", "", {many, {5, 2}}, true, 0), 4);
  EXPECT_GT(drawn("ttir.embedding", "", {many}, true, 0), 49);
  EXPECT_GT(drawn("ttir.embedding", "", {many, {5}}, true, 0), 49);  // its table has no rows
  EXPECT_EQ(drawn("ttnn.gather", "dim=1", {{4, 6}, many}, true, 1), 5);
  EXPECT_EQ(drawn("ttnn.gather", "dim=-1", {{4, 6}, many}, true, 1), 5);
  EXPECT_EQ(drawn("ttnn.gather", "dim='x'", {{4, 6}, many}, true, 1), 3);  // no dim: the first
  EXPECT_GT(drawn("ttnn.gather", "dim=2", {{4, 6}, many}, true, 1), 49);
  EXPECT_GT(drawn("ttnn.gather", "dim=-3", {{4, 6}, many}, true, 1), 49);
  EXPECT_GE(drawn("ttir.batch_norm_inference", "", {many, many, many, many, many}, false, 4), 0.25);
  EXPECT_LT(drawn("ttir.batch_norm_inference", "", {many, many, many, many}, false, 3), -0.5);
  EXPECT_GE(drawn("ttir.sqrt", "", {many}, false, 0), 0.25);
  EXPECT_LT(drawn("func.call", "", {many}, false, 0), -0.5);
  EXPECT_LT(drawn("func.call", "callee='nobody'", {many}, false, 0), -0.5);
}

Op opWith(const std::string& name, const std::string& text) {
  Op op;
  op.attrs = {{name, rawAttr(text)}};
  return op;
}

TEST(ProgramLimits, DimensionNumbersInTexts) {
  const auto pick = [](const std::string& text) {
    return readShloPick(opWith("dimension_numbers", text), "dimension_numbers");
  };
  const ShloPick whole =
      pick("#stablehlo.gather<offset_dims = [1, 12], collapsed_slice_dims=[0], index_vector_dim = 3>");
  EXPECT_EQ(whole.offset, (std::vector<int64_t>{1, 12}));
  EXPECT_EQ(whole.collapsed, (std::vector<int64_t>{0}));
  EXPECT_EQ(whole.vectorDim, 3);
  EXPECT_TRUE(whole.map.empty());
  // Names stand for themselves, at the beginning or behind others that end alike, and have a list behind an `=`.
  EXPECT_EQ(pick("offset_dims = [1]").offset, (std::vector<int64_t>{1}));
  EXPECT_EQ(pick("<no_offset_dims = [1], offset_dims = [2]>").offset, (std::vector<int64_t>{2}));
  EXPECT_EQ(pick("<xoffset_dims = [1], offset_dims = [2]>").offset, (std::vector<int64_t>{2}));
  EXPECT_EQ(pick("<2offset_dims = [1], offset_dims = [2]>").offset, (std::vector<int64_t>{2}));
  EXPECT_EQ(pick("<offset_dims, offset_dims = [2]>").offset, (std::vector<int64_t>{2}));
  EXPECT_TRUE(pick("<offset_dims").offset.empty());
  EXPECT_TRUE(pick("<offset_dims  ").offset.empty());
  // Cut off at the end.
  EXPECT_EQ(pick("<offset_dims = [1, 2").offset, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(pick("<index_vector_dim = 4").vectorDim, 4);
  EXPECT_EQ(pick("<offset_dims = [], index_vector_dim = 4>").offset, std::vector<int64_t>());
  EXPECT_EQ(pick("").vectorDim, 0);

  const auto conv = [](const std::string& text) {
    ShloConv read;
    return readShloConv(opWith("dimension_numbers", text), read);
  };
  EXPECT_TRUE(conv("[b, 0, f]x[0, i, o]->[b, 0, f]"));
  EXPECT_TRUE(conv("[f, 1, 0, b]x[o, 0, i, 1]->[b, f, 0, 1]"));
  for (const char* text : {"", "[b, 0, f]x[0, i, o]", "[b, 0, f]x[0, i, o]->[b, 0, f", "]b, 0, f[x[0, i, o]->[b, 0, f",
                           "[0, f]x[0, i, o]->[b, 0, f]", "[b, 0]x[0, i, o]->[b, 0, f]", "[b, 0, f]x[0, o]->[b, 0, f]",
                           "[b, 0, f]x[0, i]->[b, 0, f]", "[b, 0, f]x[0, i, o]->[0, f]", "[b, 0, f]x[0, i, o]->[b, 0]",
                           "[b, 1, f]x[0, i, o]->[b, 0, f]", "[b, 0, 1, f]x[0, i, o]->[b, 0, f]",
                           "[b, 0, f]x[0, 1, i, o]->[b, 0, f]", "[b, 0, f]x[0, i, o]->[b, 0, 1, f]"})
    EXPECT_FALSE(conv(text)) << text;
  const std::string input = "input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], ",
                    kernel = "kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, ",
                    spatial = "kernel_spatial_dimensions = [0], ",
                    output =
                        "output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]";
  EXPECT_TRUE(conv("<" + input + kernel + spatial + output + ">"));
  EXPECT_FALSE(conv("<" + input + spatial + output + ">"));
  EXPECT_FALSE(conv("<" + input + kernel + output + ">"));
  EXPECT_FALSE(conv("<" + input + kernel + spatial + ">"));
}

std::string shrunkText(const std::string& program) {
  const Imported imported = importText(program);
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return "";
  const ShrunkGraph small = shrinkGraph(*imported.graph);
  EXPECT_TRUE(small.shrunk) << small.problem;
  return exportMlir(small.graph);
}

// Few turns are made only where the test is one comparison with a number of the test's own.
TEST(ProgramLimits, TurnsOfLoopsThatTestOtherwise) {
  const auto keeps = [](const std::string& test, const std::string& number = "dense<400>") {
    const std::string text = shrunkText(
        "func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
        "  %f = stablehlo.constant dense<0> : tensor<i32>\n  %g = stablehlo.constant dense<0> : tensor<i1>\n"
        "  %e = stablehlo.constant dense<500> : tensor<i32>\n"
        "  %r:3 = stablehlo.while(%k = %f, %s = %x, %b = %g) : tensor<i32>, tensor<64x64xf32>, tensor<i1>\n   cond {\n"
        "    %n = stablehlo.constant " +
        number + " : tensor<i32>\n    " + test +
        "\n  } do {\n    %d = stablehlo.constant dense<1> : tensor<i32>\n"
        "    %y = stablehlo.tanh %s : tensor<64x64xf32>\n    %m = stablehlo.add %k, %d : tensor<i32>\n"
        "    stablehlo.return %m, %y, %b : tensor<i32>, tensor<64x64xf32>, tensor<i1>\n  }\n"
        "  return %r#1 : tensor<64x64xf32>\n}\n");
    EXPECT_NE(text.find("dense<500>"), std::string::npos);
    return text.find(number) != std::string::npos;
  };
  const auto compare = [](const std::string& what) {
    return "%c = stablehlo.compare " + what + ", SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    ";
  };
  const std::string returned = "stablehlo.return %c : tensor<i1>";
  EXPECT_FALSE(keeps(compare("LT, %k, %n") + returned));
  EXPECT_FALSE(keeps(compare("LT, %k, %n") + returned, "dense<4>"));
  EXPECT_TRUE(keeps(compare("LT, %k, %n") + returned, "dense<2>"));
  EXPECT_TRUE(keeps(compare("LT, %n, %k") + returned));
  EXPECT_TRUE(keeps(compare("GT, %n, %k") + returned));
  EXPECT_TRUE(keeps(compare("GT, %k, %n") + returned));
  EXPECT_TRUE(keeps("stablehlo.return %b : tensor<i1>"));  // what is carried is the test
  EXPECT_TRUE(keeps(compare("LT, %k, %n") + "%o = stablehlo.and %c, %b : tensor<i1>\n    "
                                            "stablehlo.return %o : tensor<i1>"));
  EXPECT_TRUE(keeps("%p = stablehlo.add %n, %n : tensor<i32>\n    " + compare("LT, %k, %p") + returned));
  EXPECT_TRUE(keeps(compare("LT, %k, %e") + returned));  // a number from outside
}

TEST(ProgramLimits, AttributesThatStayWhenShrunk) {
  const auto composite = [](const std::string& sizes) {
    const std::string t = "tensor<37x41xf32>";
    const std::string text =
        shrunkText("func.func @main(%x: " + t + ") -> " + t +
                   " {\n  %r = stablehlo.composite \"a.norm\" %x {composite_attributes " +
                   "= {normalized_shape = " + sizes + "}, decomposition = @body} : (" + t + ") -> " + t +
                   "\n  return %r : " + t + "\n}\nfunc.func private @body(%y: " + t + ") -> " + t +
                   " {\n  %z = stablehlo.negate %y : " + t + "\n  return %z : " + t + "\n}\n");
    const size_t at = text.find("normalized_shape = ") + 19;
    return text.substr(at, text.find('>', at) + 1 - at);
  };
  EXPECT_EQ(composite("dense<41> : tensor<1xi64>"), "dense<3>");
  EXPECT_EQ(composite("dense<[37, 41]> : tensor<2xi64>"), "dense<[2, 3]>");
  EXPECT_EQ(composite("dense<[43, 37, 41]> : tensor<3xi64>"), "dense<[43, 37, 41]>");  // more than there are
  // One number for all takes the new size in either dialect.
  for (const char* dialect : {"stablehlo", "sdy"}) {
    const std::string text =
        shrunkText("func.func @main(%x: tensor<37x41xf32>) -> tensor<37x41xf32> {\n  %c = " + std::string(dialect) +
                   ".constant dense<1.0> : tensor<37x41xf32>\n  %r = stablehlo.add %x, %c : tensor<37x41xf32>\n"
                   "  return %r : tensor<37x41xf32>\n}\n");
    EXPECT_NE(text.find("dense<1.000000e+00> : tensor<2x3xf32>"), std::string::npos) << text;
  }
  // What test data expects goes; other calls stay, and so does what gives a result.
  const auto called = [](const std::string& call) {
    return shrunkText("func.func @main(%x: tensor<37xf32>) -> tensor<37xf32> {\n  " + call +
                      "\n  return %x : tensor<37xf32>\n}\n")
               .find("custom_call") != std::string::npos;
  };
  const std::string both = "(%x, %x) : (tensor<37xf32>, tensor<37xf32>) -> ";
  EXPECT_FALSE(called("stablehlo.custom_call @check.expect_close" + both + "()"));
  EXPECT_TRUE(called("stablehlo.custom_call @check.expects" + both + "()"));
  EXPECT_TRUE(called("stablehlo.custom_call @note.check.expect_close" + both + "()"));
  EXPECT_TRUE(called("%k = stablehlo.custom_call @check.expect_close" + both + "tensor<1xf32>"));
}

// A number becomes that of a mean only for sums, and only when it is one number.
TEST(ProgramLimits, NumbersThatAreOfNoMean) {
  const auto number = [](const std::string& body, const std::string& value) {
    const std::string text = shrunkText(
        "func.func @main(%x: tensor<2x640xf32>) -> tensor<2xf32> {\n  %z = stablehlo.constant dense<0.0> : "
        "tensor<f32>\n"
        "  %n = stablehlo.constant dense<" +
        value + "> : tensor<2xf32>\n  %s = stablehlo.reduce(%x init: %z) applies stablehlo." + body +
        " across dimensions = [1] : (tensor<2x640xf32>, tensor<f32>) -> tensor<2xf32>\n"
        "  %r = stablehlo.multiply %s, %n : tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n");
    const size_t at = text.rfind("dense<") + 6;
    return text.substr(at, text.find('>', at) - at);
  };
  // 640 numbers become three.
  EXPECT_NEAR(3 * std::stod(number("add", "0.0015625")), 1, 1e-6);
  EXPECT_EQ(std::stod(number("maximum", "0.0015625")), 0.0015625);
  EXPECT_EQ(std::stod(number("multiply", "0.0015625")), 0.0015625);
  EXPECT_EQ(std::stod(number("add", "[0.0015625, 0.0015625]").substr(1)), 0.0015625);
  EXPECT_EQ(std::stod(number("add", "0.00159")), 0.00159);
}

// Pages whose heads are fewer than those of the operand, which are padded; values beside latent keys.
TEST(ProgramLimits, SizesOfPagesAndCaches) {
  const Sizes page = {{'R', 32}};
  expectRelated({"\"ttir.paged_update_cache\"(%0, %1, %2, %3) <{share_cache = false}> : TYPES",
                 {"g5Rd", "1u7d", "i:u", "i:ut"},
                 {"g5Rd"},
                 page});
  const auto segments = [](const std::string& sizes) { return "operandSegmentSizes = array<i32: " + sizes + ">}>"; };
  expectRelated({"\"ttir.paged_flash_multi_latent_attention_decode\"(%0, %1, %2, %3, %4) <{head_dim_v = 24 : ui32, " +
                     segments("1, 1, 1, 1, 0, 1, 0") + " : TYPES",
                 {"1uhD", "g1RD", "g1RV", "i:ut", "i:u"},
                 {"1uhV"},
                 {{'R', 32}, {'D', 64}, {'V', 24}}});
}

TEST(ProgramLimits, SizesOfWindowsThatStay) {
  const auto convolution = [](const std::string& dims, const std::string& window, const std::string& groups) {
    return "stablehlo.convolution(%0, %1) dim_numbers = " + dims + ", window = {stride = [1], pad = [[0, 0]]" + window +
           "} {batch_group_count = " + groups + " : i64} : TYPES";
  };
  const std::string dims = "[b, 0, f]x[0, i, o]->[b, 0, f]", one = "1 : i64, feature_group_count = 1";
  // Gaps of 64 are written out as a sum, of 65 not: the kernel stays, and with it what lies between the elements.
  expectRelated({convolution(dims, ", rhs_dilate = [65]", one),
                 {"nlc", "2co"},
                 {"nmo"},
                 {{'l', 137}, {'m', 72}},
                 "lm",
                 [](Sizes& s) { return s['m'] == s['l'] - 65; }});
  expectRelated({convolution(dims, ", lhs_dilate = [65]", one), {"nLc", "2co"}, {"nMo"}, {{'L', 3}, {'M', 130}}});
  // What contradicts itself stays as it is.
  const std::vector<std::string> in = {"NLC", "KIO"}, out = {"NMO"};
  expectRelated({convolution(dims, "", "1 : i64, feature_group_count = 0"), in, out, {}});
  expectRelated({convolution(dims, "", "0 : i64, feature_group_count = 1"), in, out, {}});
  expectRelated({convolution("[b, 0, f]x[0, 1, i]->[b, 0, f]", "", one), in, out, {}});

  const auto window = [](const std::string& settings) {
    return "\"stablehlo.reduce_window\"(%0, %1) <{window_dimensions = array<i64: 1, 41>, " + settings +
           "}> ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.add %p, %q : tensor<f32>\n"
           "    stablehlo.return %s : tensor<f32>\n  }) : TYPES";
  };
  const std::string padding = "padding = dense<[[0, 0], [40, 0]]> : tensor<2x2xi64>";
  expectRelated({window("base_dilations = array<i64: 1, 2>"), {"aB", ""}, {"aB"}, {{'B', 41}}});
  expectRelated({window(padding), {"ab", ""}, {"ab"}, {{'b', 41}}});
  expectRelated({window(padding + ", window_strides = array<i64: 1, 2>"), {"aB", ""}, {"aC"}, {{'B', 41}, {'C', 21}}});
}

TEST(ProgramLimits, SizesOfSlicesAndNormsThatStay) {
  const auto slice = [](const std::string& begins, const std::string& ends, const std::string& steps) {
    return "\"stablehlo.slice\"(%0) <{start_indices = array<i64: " + begins + ">, limit_indices = array<i64: " + ends +
           ">" + (steps.empty() ? "" : ", strides = array<i64: " + steps + ">") + "}> : TYPES";
  };
  const Sizes sizes = {{'a', 74}, {'A', 74}, {'b', 41}, {'B', 41}, {'c', 37}, {'C', 37}};
  expectRelated({slice("0, 0", "74, 41", ""), {"ab"}, {"ab"}, sizes});
  expectRelated(
      {slice("0, 0", "74, 41", "2, 1"), {"ab"}, {"cb"}, sizes, "ac", [](Sizes& s) { return s['a'] == 2 * s['c']; }});
  expectRelated({slice("-2, 0", "74, 41", "2, 1"), {"Ab"}, {"Cb"}, sizes});
  expectRelated({slice("0, 0, 0", "74, 41", "2, 1"), {"AB"}, {"CB"}, sizes});
  expectRelated({slice("0, 0", "74, 41, 1", "2, 1"), {"AB"}, {"CB"}, sizes});
  const auto norm = [](const std::string& feature) {
    return "\"stablehlo.batch_norm_inference\"(%0, %1, %2, %3, %4) <{epsilon = 1.0e-5 : f32, feature_index = " +
           feature + " : i64}> : TYPES";
  };
  expectRelated({norm("1"), {"ab", "b", "b", "b", "b"}, {"ab"}, {}});
  expectRelated({norm("2"), {"AB", "B", "B", "B", "B"}, {"AB"}, {}});
}

// One op of a function `main`, on numbers drawn for its arguments.
Execution ranAlone(const std::string& op, const std::string& attrs, const std::vector<Shape>& operands,
                   const std::vector<Shape>& results, ExecutionObserver* observer = nullptr) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  graph.forward = func;
  std::vector<ValueId> values;
  for (const Shape& shape : operands) values.push_back(builder.addArgument(func, "a", tensor(shape, DType::F32)));
  std::vector<ValueType> types;
  for (const Shape& shape : results) types.push_back(tensor(shape, DType::F32));
  OpSpec spec = makeOp(opKindFromName(op), values, types);
  spec.attrs = attrsOf(attrs);
  const OpId id = builder.append(func, std::move(spec));
  builder.append(func, makeOp(OpKind::FuncReturn, graph.ops[id].results, {}));
  const FuncId one = builder.addFunction("one", true);
  const ValueId x = builder.addArgument(one, "x", tensor({2, 3}, DType::F32));
  builder.append(one, makeOp(OpKind::FuncReturn, {x}, {}));
  return execute(graph, randomInputs(graph, 1), {}, observer);
}

// However little is held: it would be allocated before anything is refused.
TEST(ProgramLimits, AnOpLargerThanAllMemoryIsNotBegun) {
  const Imported made = importText(
      "func.func @main() -> tensor<1000xf32> {\n  %0 = \"ttir.zeros\"() <{shape = array<i32: 1000>}> : () -> "
      "tensor<1000xf32>\n  return %0 : tensor<1000xf32>\n}\n");
  ASSERT_TRUE(made.graph) << made.report();
  ExecutionBudget budget;
  budget.bytes = 3999;
  const Execution refused = execute(*made.graph, {}, budget);
  EXPECT_EQ(refused.status, ExecutionStatus::OverBudget);
  EXPECT_NE(refused.text.find("ttir.zeros"), std::string::npos) << refused.text;
  budget.bytes = 4000;
  EXPECT_EQ(execute(*made.graph, {}, budget).status, ExecutionStatus::Done);
}

TEST(ProgramLimits, SizesThatNoNumberHolds) {
  const int64_t large = int64_t{1} << 60;
  const auto text = [](const std::vector<Shape>& results) {
    const Execution run = ranAlone("ttir.zeros", "", {}, results);
    EXPECT_EQ(run.status, ExecutionStatus::OverBudget);
    return run.text;
  };
  EXPECT_EQ(text({{int64_t{1} << 40, int64_t{1} << 40}}), "%0 (ttir.zeros): absurd size");
  EXPECT_EQ(text({{4 * large}}), "%0 (ttir.zeros): absurd size");       // times four
  EXPECT_EQ(text({{large}, {large}}), "%0 (ttir.zeros): absurd size");  // one and the other
  EXPECT_EQ(text({{large - 1}}).find("absurd"), std::string::npos);     // too many multiplications
  // Windows of so many elements that their number overflows, and those of which nothing is said.
  const std::string window = "body='stablehlo.add'";
  EXPECT_EQ(ranAlone("stablehlo.reduce_window", window, {{4, 4}, {}}, {{4, 4}}).status, ExecutionStatus::Done);
  const Execution wide = ranAlone("stablehlo.reduce_window",
                                  window + "; window_dimensions=[1099511627776,1099511627776]", {{4, 4}, {}}, {{4, 4}});
  EXPECT_EQ(wide.status, ExecutionStatus::OverBudget);
  EXPECT_EQ(wide.text, "%0 (stablehlo.reduce_window): more than 4294967296 multiplications in total");
}

// Dims that a product sums over, outside of its operands: no work, but a word from the kernel.
TEST(ProgramLimits, ProductsOverDimsOutside) {
  const auto text = [](const std::string& op, const std::string& attrs, const std::vector<Shape>& operands) {
    return ranAlone(op, attrs, operands, {{2, 4}}).text;
  };
  const std::string general = "ttir.dot_general", shlo = "stablehlo.dot_general";
  const std::string outside = "a dim is outside of the tensor";
  const std::vector<Shape> fits = {{2, 3}, {3, 4}};
  EXPECT_EQ(text(general, "contract_dims_lhs=[1]; contract_dims_rhs=[0]", fits), "");
  EXPECT_EQ(text(general, "contract_dims_lhs=[-1]; contract_dims_rhs=[0]", fits), "");
  EXPECT_EQ(text(general, "contract_dims_lhs=[2]; contract_dims_rhs=[0]", fits), "%0 (ttir.dot_general): " + outside);
  EXPECT_EQ(text(general, "contract_dims_lhs=[-3]; contract_dims_rhs=[0]", fits), "%0 (ttir.dot_general): " + outside);
  const auto numbers = [](const std::string& left) {
    return "dot_dimension_numbers={#stablehlo.dot<lhs_contracting_dimensions = [" + left +
           "], rhs_contracting_dimensions = [0]>}";
  };
  EXPECT_EQ(text(shlo, numbers("1"), fits), "");
  EXPECT_EQ(text(shlo, numbers("2"), fits), "%0 (stablehlo.dot_general): " + outside);
  EXPECT_EQ(text("stablehlo.dot", "", fits), "");
  EXPECT_EQ(text("stablehlo.dot", "", {{}, {3, 4}}), "%0 (stablehlo.dot): " + outside);
}

// Calls that no reader lets through.
TEST(ProgramLimits, CallsThatDoNotFitTheirFunction) {
  const auto text = [](const std::string& callee, const std::vector<Shape>& operands,
                       const std::vector<Shape>& results) {
    return ranAlone("func.call", callee, operands, results).text;
  };
  const Shape whole = {2, 3};
  const std::string one = "callee='one'", call = "%0 (func.call): ";
  EXPECT_EQ(text(one, {whole}, {whole}), "");
  EXPECT_EQ(text(one, {whole, whole}, {whole}), "");  // what it does not take is not looked at
  EXPECT_EQ(text(one, {}, {whole}), call + "the function takes more arguments");
  EXPECT_EQ(text(one, {{3, 2}}, {whole}), call + "argument 0 has another shape");
  EXPECT_EQ(text(one, {whole}, {whole, whole}), call + "the function returns another number of results");
  EXPECT_EQ(text("callee='two'", {whole}, {whole}), call + "calls a function without a body");
  EXPECT_EQ(text("callee=1", {whole}, {whole}), call + "calls a function without a body");
  EXPECT_EQ(text("", {whole}, {whole}), call + "calls a function without a body");
  EXPECT_EQ(text("callee='main'", {whole}, {whole}), call + "calls itself");
}

// Says something of every argument, and after every op.
class Objector : public ExecutionObserver {
 public:
  Objector(std::string first, std::string last) : first_(std::move(first)), last_(std::move(last)) {}
  std::string argument(ValueId /*value*/, HostTensor& /*tensor*/) override { return first_; }
  std::string before(OpId /*op*/, const Values& /*values*/) override { return ""; }
  std::string after(OpId /*op*/, Values& /*values*/) override { return ++seen, last_; }
  int seen = 0;

 private:
  std::string first_, last_;
};

TEST(ProgramLimits, AnObserverEndsTheExecution) {
  const Shape whole = {2, 3};
  for (const char* op : {"ttir.abs", "func.call"}) {
    const auto ran = [&](Objector& objector) { return ranAlone(op, "callee='one'", {whole}, {whole}, &objector); };
    Objector quiet("", ""), first("not this", ""), last("", "not that");
    EXPECT_EQ(ran(quiet).status, ExecutionStatus::Done) << op;
    EXPECT_EQ(quiet.seen, 1) << op;
    const Execution begun = ran(first), ended = ran(last);
    EXPECT_EQ(begun.status, ExecutionStatus::NotExecutable) << op;
    EXPECT_EQ(begun.text, "not this") << op;
    EXPECT_EQ(first.seen, 0) << op;
    EXPECT_EQ(ended.status, ExecutionStatus::NotExecutable) << op;
    EXPECT_EQ(ended.text, "not that") << op;
  }
}

// (2^62 + 1) * 4 is 2^64 + 4, which is no 4.
TEST(ProgramLimits, ProductsOfSizesDoNotWrapAround) {
  const auto solved = [](int64_t first) {
    DimSolver solver;
    for (const int64_t size : {first, int64_t{4}, int64_t{100}}) solver.add(size);
    solver.fix(0), solver.fix(1);
    solver.product(1, {0, 1}, 1, {2});
    return solver.solve() ? solver.valueOf(2) : 0;
  };
  EXPECT_EQ(solved(5), 20);
  EXPECT_EQ(solved((int64_t{1} << 62) + 1), 0);
}

}  // namespace
}  // namespace tessera::test

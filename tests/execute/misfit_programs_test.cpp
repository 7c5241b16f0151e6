// Ops, regions and attributes that do not fit, and rare ones that do: what is said when they are executed, and what
// becomes of them when their graph is made small.

#include "core/execute/scaling.h"
#include "core/execute/shrink_graph.h"
#include "core/ir/bodies.h"
#include "core/ops/table/op_table.h"
#include "tests/execute/kernel_outcome.h"
#include "tests/execute/loose_graph.h"

namespace tessera::test {
namespace {

Execution ranLoose(const LooseOp& row, const ExecutionBudget& budget = {}) {
  LooseGraph g;
  g.main(row);
  return g.run(budget);
}

TEST(MisfitPrograms, OperandsThatAreMissingOrNoTensors) {
  const auto text = [](const LooseOp& row) { return ranLoose(row).text; };
  const std::string missing = "an operand is missing";
  EXPECT_EQ(text({"ttir.conv2d", {"1x5x5x4"}, {"1x3x3x6"}, ""}), "%0 (ttir.conv2d): " + missing);
  EXPECT_EQ(text({"ttir.conv2d", {"1x5x5x4", "@"}, {"1x3x3x6"}, ""}), "%0 (ttir.conv2d): " + missing);
  EXPECT_EQ(text({"stablehlo.dot_general", {"@", "3x4"}, {"2x4"}, ""}), "%0 (stablehlo.dot_general): " + missing);
  EXPECT_EQ(text({"stablehlo.map", {"2", "@", "2"}, {"2"}, "body='stablehlo.add'"}), "%0 (stablehlo.map): " + missing);
  EXPECT_EQ(text({"ttir.abs", {"2x3"}, {"@"}, ""}), "%0 (ttir.abs): the result is no tensor");
  EXPECT_EQ(ranLoose({"ttir.max_pool2d", {"1x4x4x1"}, {"1x2x2x1"}, "kernel=[2]; stride=[2]"}).status,
            ExecutionStatus::Done);
  // A scalar has the shape of what has no value.
  LooseGraph call;
  const OpId id = call.main({"func.call", {"@"}, {"-"}, "", {{"callee", "one"}}});
  const FuncId one = call.function("one", {"-"});
  call.giveBack(one, {call.argument(one, 0)});
  EXPECT_EQ(call.run().text, "%0 (func.call): argument 0 has another shape");
  EXPECT_TRUE(call.graph.ops[id].operands.size() == 1);
}

// Work that no number holds is too much, not little.
TEST(MisfitPrograms, WorkThatNoNumberHolds) {
  const auto over = [](const LooseOp& row, int64_t work = int64_t{4} << 30) {
    ExecutionBudget budget;
    budget.work = work;
    const Execution run = ranLoose(row, budget);
    EXPECT_EQ(run.status, ExecutionStatus::OverBudget) << row.op << " " << row.attrs;
    EXPECT_EQ(run.text, "%0 (" + row.op + "): more than " + std::to_string(work) + " multiplications in total");
  };
  over({"ttir.dot_general", {"65536", "65536"}, {"-"}, "contract_dims_lhs=[0,0,0,0]; contract_dims_rhs=[0,0,0,0]"});
  over({"ttir.conv2d", {"1x5x5x4", "0x1x1099511627776x1099511627776"}, {"1x3x3x6"}, ""});
  over({"ttir.conv2d", {"1x5x5x4", "0x1099511627776x1x1099511627776"}, {"1x3x3x6"}, ""});
  const std::string keys = "0x1x4611686018427387904x8";
  over({"ttir.scaled_dot_product_attention", {"1x1x4x8", keys, keys}, {"1x1x4x8"}, ""});
  // Small factors behind do not make it less.
  over({"stablehlo.reduce_window",
        {"4x4x4", "-"},
        {"4x4x4"},
        "body='stablehlo.add'; window_dimensions=[1099511627776,1099511627776,1]"},
       int64_t{1} << 50);
  // All the work there may be, and again as much.
  LooseGraph twice;
  const FuncId func = twice.graph.forward = twice.function("main", {"1x1x1x1", "-"});
  std::vector<ValueId> results;
  for (int i = 0; i < 2; ++i)
    results.push_back(twice.value(twice.add(func, "stablehlo.reduce_window", twice.graph.funcs[func].args, {"0x1x1x1"},
                                            "body='stablehlo.add'; window_dimensions=[524288,524288,524288,524288]")));
  twice.giveBack(func, results);
  ExecutionBudget all;
  all.work = INT64_MAX;
  EXPECT_EQ(twice.run(all).text,
            "%1 (stablehlo.reduce_window): more than 9223372036854775807 multiplications in total");
}

TEST(MisfitPrograms, RegionsThatCannotBeEntered) {
  const auto text = [](const std::string& region) {
    LooseGraph g;
    g.main({"stablehlo.if", {"#-"}, {"-"}, "", {{"body", region}, {"body1", region}}});
    g.function("empty", {});
    const FuncId again = g.function("again", {});
    const ValueId index = g.value(g.add(again, "stablehlo.constant", {}, {"#-"}, "value={dense<1> : tensor<i32>}"));
    const OpId inner = g.add(again, "stablehlo.if", {index}, {"-"});
    for (const char* name : {"body", "body1"}) g.builder.setAttr(inner, name, symbolAttr("again"));
    g.giveBack(again, {g.value(inner)});
    const Execution run = g.run();
    EXPECT_TRUE(run.malformed);
    return run.text;
  };
  EXPECT_EQ(text("empty"), "%0 (stablehlo.if): a region is missing");
  EXPECT_EQ(text("nobody"), "%0 (stablehlo.if): a region is missing");
  EXPECT_EQ(text("again"), "%1 (stablehlo.if): runs within itself");
}

// A loop carries a device beside its number, and ends at once.
TEST(MisfitPrograms, LoopsCarryWhatIsNoTensor) {
  LooseGraph g;
  g.main({"stablehlo.while", {"-", "@"}, {"-", "@"}, "", {{"body", "test"}, {"body1", "step"}}});
  const FuncId test = g.function("test", {"-", "@"}), step = g.function("step", {"-", "@"});
  g.giveBack(test, {g.value(g.add(test, "stablehlo.constant", {}, {"#-"}, "value={dense<0> : tensor<i32>}"))});
  g.giveBack(step, g.graph.funcs[step].args);
  const std::vector<HostTensor> inputs = randomInputs(g.graph, 1);
  const Execution run = execute(g.graph, inputs);
  ASSERT_EQ(run.status, ExecutionStatus::Done) << run.text;
  ASSERT_EQ(run.results.size(), 2u);
  EXPECT_EQ(run.results[0].f, inputs[0].f);
  EXPECT_EQ(run.results[1].size(), 0u);
}

// As calls: what is nested too deep may be sound.
TEST(MisfitPrograms, RegionsAreNestedAsDeepAsCalls) {
  const auto ran = [](int functions) {
    const std::string t = "tensor<2x3xf32>";
    std::string text;
    for (int i = 0; i <= functions; ++i) {
      const std::string name = i == 0 ? "func.func @main" : "func.func private @f" + std::to_string(i);
      const std::string call = "  %r = func.call @f" + std::to_string(i + 1) + "(%x) : (" + t + ") -> " + t + "\n";
      const std::string choice =
          "  %c = stablehlo.constant dense<true> : tensor<i1>\n  %r = \"stablehlo.if\"(%c) ({\n    stablehlo.return %x "
          ": " +
          t + "\n  }, {\n    stablehlo.return %x : " + t + "\n  }) : (tensor<i1>) -> " + t + "\n";
      text +=
          name + "(%x: " + t + ") -> " + t + " {\n" + (i < functions ? call : choice) + "  return %r : " + t + "\n}\n";
    }
    const Graph graph = readProgram(text);
    return execute(graph, randomInputs(graph, 1));
  };
  EXPECT_EQ(ran(62).status, ExecutionStatus::Done);
  const Execution deep = ran(63);
  EXPECT_EQ(deep.text, "%r (stablehlo.if): calls are nested too deep");
  EXPECT_FALSE(deep.malformed);
}

// Bodies that give two numbers where one is wanted, and those that cannot be run at all.
TEST(MisfitPrograms, BodiesThatGiveSomethingElse) {
  const auto text = [](LooseOp row, size_t arguments, size_t results) {
    row.functions = {{"body", "pairs"}};
    LooseGraph g;
    g.main(row);
    const FuncId pairs = g.function("pairs", std::vector<std::string>(arguments, "-"));
    const OpId pair = g.add(pairs, "stablehlo.broadcast_in_dim", {g.argument(pairs, 0)}, {"2"});
    g.giveBack(pairs, std::vector<ValueId>(results, g.value(pair)));
    return g.run().text;
  };
  const std::string none = "its body gives no scalar", missing = "an operand is missing";
  const std::string reduce = "%0 (stablehlo.reduce): ", along = "dimensions=[1]";
  EXPECT_EQ(text({"stablehlo.reduce", {"2x3", "-"}, {"2"}, along}, 2, 1), reduce + none);
  EXPECT_EQ(text({"stablehlo.reduce", {"2x3", "2x3", "-", "-"}, {"2", "2"}, along}, 4, 2), reduce + none);
  EXPECT_EQ(text({"stablehlo.reduce", {"2x3", "-", "@", "3"}, {"2"}, along}, 2, 1), reduce + missing);
  EXPECT_EQ(text({"stablehlo.sort", {"4"}, {"4"}, "dimension=0"}, 2, 1), "%0 (stablehlo.sort): " + none);
  EXPECT_EQ(text({"stablehlo.map", {"4", "4"}, {"4"}, ""}, 2, 1), "%0 (stablehlo.map): " + none);

  const auto ran = [](const std::string& op, const std::vector<std::string>& results) {
    LooseGraph g;
    const FuncId func = g.function("f", {"-"});
    g.add(func, op, op == "ttir.abs" ? g.graph.funcs[func].args : std::vector<ValueId>(), results);
    BodyBudget budget;
    std::vector<HostTensor> outputs;
    std::string error;
    EXPECT_FALSE(runFunction(g.graph, "f", {makeTensor({}, true)}, budget, outputs, error));
    return error;
  };
  EXPECT_EQ(ran("ttir.abs", {"-"}), "a body does not return");
  EXPECT_EQ(ran("ttir.abs", {"@"}), "ttir.abs: the result is no tensor");
  EXPECT_EQ(ran("ttir.zeros", {"4294967296x4294967296"}), "ttir.zeros in a body is too large");

  // A kernel that is called without leave to run functions.
  LooseGraph g;
  const OpId id = g.main({"stablehlo.reduce", {"2x3", "-"}, {"2"}, along, {{"body", "f"}}});
  HostTensor x = makeTensor({2, 3}, true), init = makeTensor({}, true);
  KernelCall call{g.graph, g.graph.ops[id], {&x, &init}, std::vector<HostTensor>(1), {}};
  findKernel("stablehlo.reduce")(call);
  EXPECT_EQ(call.error, "it runs no functions here");
  EXPECT_TRUE(call.unknown);
}

// A function that compares its first two arguments needs no run for every pair; others that look like it do.
TEST(MisfitPrograms, ComparatorsThatOnlyLookAsIfTheyCompared) {
  // `read`: which arguments the op before the return reads.
  const auto sorted = [](const std::vector<float>& numbers, size_t arguments, const std::string& op,
                         const std::vector<size_t>& read, const std::string& attrs) {
    LooseGraph g;
    const std::string line = std::to_string(numbers.size());
    const FuncId func = g.graph.forward = g.function("main", {line, "-"});
    const OpId sort = g.add(func, "stablehlo.sort", g.graph.funcs[func].args, {line}, "dimension=0");
    g.builder.setAttr(sort, "body", symbolAttr("before"));
    g.giveBack(func, {g.value(sort)});
    const FuncId before = g.function("before", std::vector<std::string>(arguments, "-"));
    std::vector<ValueId> operands;
    for (size_t i : read) operands.push_back(g.argument(before, i));
    const OpId test = g.add(before, op, operands, {op == "stablehlo.compare" ? "#-" : "-"}, attrs);
    g.giveBack(before, {g.value(test)});
    HostTensor pivot = makeTensor({}, true);
    pivot.f[0] = 2;
    const Execution run = execute(g.graph, {{{static_cast<int64_t>(numbers.size())}, true, numbers, {}}, pivot});
    if (run.status == ExecutionStatus::Done) return run.results.at(0).f;
    EXPECT_EQ(run.text, "%0 (stablehlo.sort): stablehlo.compare: an operand is missing");
    return std::vector<float>();
  };
  using Reals = std::vector<float>;
  const std::string compare = "stablehlo.compare", less = "comparison_direction='LT'",
                    more = "comparison_direction='GT'";
  EXPECT_EQ(sorted({5, 3, 4, 0}, 2, compare, {0, 1}, less), (Reals{0, 3, 4, 5}));
  EXPECT_EQ(sorted({5, 3, 4, 0}, 2, compare, {0, 1}, more), (Reals{5, 4, 3, 0}));
  EXPECT_EQ(sorted({5, 3, 4, 0}, 2, compare, {0, 1}, ""), (Reals{0, 3, 4, 5}));    // LT, where nothing is said
  EXPECT_EQ(sorted({5, 3, 4, 0}, 1, compare, {0, 0}, less), (Reals{5, 3, 4, 0}));  // nothing is less than itself
  EXPECT_EQ(sorted({5, 3, 4, 0}, 2, compare, {0, 0}, less), (Reals{5, 3, 4, 0}));
  // With 2, the captured number: 0 goes before 4, and then before 5; nothing else moves.
  EXPECT_EQ(sorted({5, 3, 4, 0}, 3, compare, {0, 2}, less), (Reals{0, 5, 3, 4}));
  EXPECT_EQ(sorted({5, 3, 4, 0}, 2, compare, {0}, less), Reals());  // nothing to compare with
  // A difference is true unless it is 0: every merge takes the right side first.
  EXPECT_EQ(sorted({4, 3, 2, 1}, 2, "stablehlo.subtract", {0, 1}, more), (Reals{1, 2, 3, 4}));
}

TEST(MisfitPrograms, AttributesThatAreCutOffOrNamedTwice) {
  const auto scattered = [](const std::string& how) {
    return outcomeOf("ttir.scatter", "dim=0; scatter_reduce_type={#ttcore.reduce_type" + how + "}",
                     {"f32 3: 1 2 3", "si32 1: 1", "f32 1: 10"}, {{3}})
        .results[0]
        .f;
  };
  EXPECT_EQ(scattered("<sum>"), (std::vector<float>{1, 12, 3}));
  EXPECT_EQ(scattered("<sum"), (std::vector<float>{1, 10, 3}));
  expectErrors(
      {{"ttir.gather",
        {"4x3x2", "#5x1"},
        {"5x3x2"},
        "collapsed_slice_dims=[0]; offset_dims=[1,1]; index_vector_dim=1; slice_sizes=[1,3,2]; start_index_map=[0]",
        "computes 5x3 where the graph says 5x3x2"}});
  HostTensor whole = makeTensor({2}, false);
  EXPECT_FALSE(applyActivation("relu", whole));
}

TEST(MisfitPrograms, ScalesOfQuantizedNumbers) {
  const auto quantized = [](const TensorType& type, const std::string& scales, const std::string& attrs) {
    LooseGraph g;
    const OpId op = g.main({"ttir.quantize_unrolled", {"2x3", scales, "#" + scales}, {"2x3"}, attrs});
    g.graph.values.edit(g.value(op)).type = {.tensor = type};
    std::vector<HostTensor> inputs = {makeTensor({2, 3}, true), makeTensor(cellOf(scales).shape, true),
                                      makeTensor(cellOf(scales).shape, false)};
    inputs[0].f.assign(6, 8.0f);
    for (size_t i = 0; i < inputs[1].f.size(); ++i) inputs[1].f[i] = static_cast<float>(1 << i);
    Execution run = execute(g.graph, inputs);
    if (run.status != ExecutionStatus::Done) return run.text;
    std::string text;
    for (int64_t number : run.results.at(0).i) text += std::to_string(number) + " ";
    return text;
  };
  const TensorType own = {.shape = {2, 3}, .dtype = DType::I8, .element = "!quant.uniform<i8:f32, 0.5:0>"};
  const std::string call = "%0 (ttir.quantize_unrolled): ";
  // What is given replaces the one scale of the type, along the dim that the attribute names.
  EXPECT_EQ(quantized(own, "3", "axis=1"), "8 4 2 8 4 2 ");
  EXPECT_EQ(quantized(own, "3", ""), call + "several scales without a dim");
  EXPECT_EQ(quantized({.shape = {2, 3}, .dtype = DType::I32}, "1", ""), "8 8 8 8 8 8 ");
  EXPECT_EQ(quantized({.shape = {2, 3}, .dtype = DType::I64}, "1", ""),
            call + "not stored in integers of up to 32 bits");
  // No scale, or none that anything can be divided by.
  for (const char* text :
       {"!quant.uniform<i8:f32, >", "!quant.uniform<i8:f32:1, {0.5, }>", "!quant.uniform<i8:f32, 0.0>",
        "!quant.uniform<i8:f32, -0.5>", "!quant.uniform<i8:f32, nan>"})
    EXPECT_FALSE(readScaling(text)) << text;
}

// --- what is made small ---

ShrunkGraph shrunkLoose(const LooseGraph& g) {
  ShrunkGraph small = shrinkGraph(g.graph);
  EXPECT_TRUE(small.shrunk) << small.problem;
  return small;
}

// As older files have it: one number for all dims, as a number.
TEST(MisfitPrograms, BoundsThatAreOneNumber) {
  const Graph graph = readProgram(
      "func.func @main(%x: tensor<192xf32>) -> tensor<96xf32> {\n"
      "  %r = \"stablehlo.slice\"(%x) <{start_indices = 96 : i64, limit_indices = 192 : i64, strides = 1 : i64}> : "
      "(tensor<192xf32>) -> tensor<96xf32>\n  return %r : tensor<96xf32>\n}\n");
  const ShrunkGraph small = shrinkGraph(graph);
  ASSERT_TRUE(small.shrunk) << small.problem;
  const Op& op = small.graph.ops[OpId{0}];
  const int64_t from = small.graph.values[op.operands[0]].type.tensor->shape.at(0),
                to = small.graph.values[op.results[0]].type.tensor->shape.at(0);
  EXPECT_LT(from, 16);
  EXPECT_EQ(from, 2 * to);
  EXPECT_EQ(findAttr(op, "start_indices")->ints, (std::vector<int64_t>{to}));
  EXPECT_EQ(findAttr(op, "limit_indices")->ints, (std::vector<int64_t>{from}));
  EXPECT_EQ(execute(small.graph, randomInputs(small.graph, 1)).status, ExecutionStatus::Done);
}

TEST(MisfitPrograms, AttributesThatNameNothingStay) {
  const auto attribute = [](const LooseOp& row, const std::string& name) {
    LooseGraph g;
    const OpId op = g.main(row);
    return findAttr(shrunkLoose(g).graph.ops[op], name)->text;
  };
  EXPECT_EQ(attribute({"ttir.layer_norm", {"40x50"}, {"40x50"}, "normalized_shape=[50]"}, "normalized_shape"),
            "array<i64: 3>");
  EXPECT_EQ(attribute({"ttir.layer_norm", {"40x50"}, {"40x50"}, "normalized_shape=[1,40,50]"}, "normalized_shape"),
            "array<i64: 1, 40, 50>");
  EXPECT_EQ(attribute({"stablehlo.select_and_scatter", {"40x50"}, {"40x50"}, "window_dimensions=[40,50]"},
                      "window_dimensions"),
            "array<i64: 40, 50>");
  const std::string dim = "; arange_dimension=";
  EXPECT_EQ(attribute({"ttir.arange", {}, {"40"}, "start=1; end=81; step=2" + dim + "0"}, "end"), "5 : si64");
  EXPECT_EQ(attribute({"ttir.arange", {}, {"40"}, "start=1; end=41; step=1.0" + dim + "0"}, "end"), "3 : si64");
  EXPECT_EQ(attribute({"ttir.arange", {}, {"40"}, "end=40.0" + dim + "0"}, "end"), f32Attr(40).text);
  EXPECT_EQ(attribute({"ttir.arange", {}, {"-"}, "start=3; end=9; step=1"}, "end"), "9 : i64");
  EXPECT_EQ(attribute({"ttir.arange", {}, {"40x50"}, "end=40" + dim + "5"}, "end"), "1 : si64");
}

// Turns are fewer only for a whole comparison with a number that is there.
TEST(MisfitPrograms, TestsOfLoopsThatAreNotWhole) {
  const auto number = [](size_t operands, const std::string& direction, const std::string& value) {
    LooseGraph g;
    g.main({"stablehlo.while", {"#-"}, {"#-"}, "", {{"body", "test"}, {"body1", "step"}}});
    const FuncId test = g.function("test", {"#-"}), step = g.function("step", {"#-"});
    g.giveBack(step, {g.argument(step, 0)});
    const OpId bound = g.add(test, "stablehlo.constant", {}, {"#-"}, value);
    std::vector<ValueId> compared = {g.argument(test, 0), g.value(bound)};
    compared.resize(operands);
    const OpId compare = g.add(test, "stablehlo.compare", compared, {"#-"}, direction);
    g.add(test, "stablehlo.abs", {g.value(compare)}, {"#-"});
    g.giveBack(test, {g.value(compare)});
    const ShrunkGraph small = shrunkLoose(g);
    const AttrValue* now = findAttr(small.graph.ops[bound], "value");
    return now == nullptr ? "none" : now->text.substr(0, now->text.find('>') + 1);
  };
  const std::string less = "comparison_direction='LT'", many = "value={dense<400> : tensor<i32>}";
  EXPECT_EQ(number(2, less, many), "dense<3>");
  EXPECT_EQ(number(1, less, many), "dense<400>");
  EXPECT_EQ(number(2, "", many), "dense<400>");
  EXPECT_EQ(number(2, less, ""), "none");
}

TEST(MisfitPrograms, NumbersThatAreNotReadAreNoMeans) {
  const auto number = [](const std::string& body, const std::string& value) {
    LooseGraph g;
    const FuncId func = g.graph.forward = g.function("main", {"640", "-"});
    const OpId sum = g.add(func, "stablehlo.reduce", g.graph.funcs[func].args, {"-"}, "dimensions=[0]; " + body);
    const OpId share = g.add(func, "stablehlo.constant", {}, {"-"}, value);
    g.giveBack(func, {g.value(g.add(func, "stablehlo.multiply", {g.value(sum), g.value(share)}, {"-"}))});
    const ShrunkGraph small = shrunkLoose(g);
    const AttrValue* now = findAttr(small.graph.ops[share], "value");
    return now == nullptr ? "none" : now->text.substr(0, now->text.find('>') + 1);
  };
  const std::string add = "body='stablehlo.add'", share = "value={dense<0.0015625> : tensor<f32>}";
  EXPECT_EQ(number(add, share), "dense<5.000000000e-01>");  // of two
  EXPECT_EQ(number("", share), "dense<0.0015625>");
  EXPECT_EQ(number(add, ""), "none");
  EXPECT_EQ(number(add, "value={dense<few> : tensor<f32>}"), "dense<few>");
  const Graph whole = readProgram(
      "func.func @main(%x: tensor<640xi32>) -> tensor<i32> {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<640xi32>, "
      "tensor<i32>) -> tensor<i32>\n  %n = stablehlo.constant dense<640> : tensor<i32>\n"
      "  %r = stablehlo.divide %s, %n : tensor<i32>\n  return %r : tensor<i32>\n}\n");
  const ShrunkGraph small = shrinkGraph(whole);
  EXPECT_TRUE(small.shrunk) << small.problem;
  EXPECT_NE(exportMlir(small.graph).find("dense<640> : tensor<i32>"), std::string::npos);
}

// With its bodies beside it, a graph that cannot be made small stays as it was.
TEST(MisfitPrograms, BodiesBesideAGraphThatStays) {
  const auto beside = [](bool known) {
    LooseGraph g;
    Op& op = g.graph.ops.edit(g.main({"ttir.abs", {"40x50"}, {"40x50"}, ""}));
    if (!known) op.name = "ttir.never_heard_of", op.kind = OpKind::Opaque;
    const FuncId body = g.function("body", {"-"});
    g.giveBack(body, {g.argument(body, 0)});
    IdVec<FuncId, char> bodies(g.graph.funcs.size(), 0);
    bodies[body] = 1;
    return withBodiesBeside(g.graph, bodies);
  };
  const Graph known = beside(true), unknown = beside(false);
  const ShrunkGraph small = shrinkGraph(known), stays = shrinkGraph(unknown);
  EXPECT_TRUE(small.shrunk) << small.problem;
  EXPECT_FALSE(sameGraph(small.graph, known));
  EXPECT_TRUE(small.graph.bodies);
  EXPECT_FALSE(stays.shrunk);
  EXPECT_EQ(stays.problem, "ttir.never_heard_of: no rule for its sizes");
  EXPECT_TRUE(sameGraph(stays.graph, unknown));
  EXPECT_TRUE(stays.graph.bodies);
}

}  // namespace
}  // namespace tessera::test

// Every field of a plan that is read: what it becomes, where its limits are, and in which order moves are kept.

#include "core/plan/plan_json.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// %0 and %1 have 2 x 8 tiles, %2 2 x 16.
const char* const kThreeOps =
    "func.func @main(%a: tensor<64x256xbf16>, %b: tensor<256x512xbf16>) -> tensor<64x512xbf16> {\n"
    "  %0 = \"ttnn.relu\"(%a) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>\n"
    "  %1 = \"ttnn.add\"(%0, %a) : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x256xbf16>\n"
    "  %2 = \"ttnn.matmul\"(%1, %b) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, "
    "tensor<256x512xbf16>) -> tensor<64x512xbf16>\n"
    "  return %2 : tensor<64x512xbf16>\n}\n";

struct PlanText {
  std::unique_ptr<PolicyRun> run;
  Plan plan;
  std::string messages;

  explicit PlanText(const std::string& fields, const std::string& graph = kThreeOps)
      : run(runOn(graphOf(graph), "DRAM")) {
    const SourceBuffer source("plan", "{\"schema\": 1, " + fields + "}");
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(source, diags);
    plan = readPlan(document.root(), *run->problem, diags);
    for (const Diagnostic& diagnostic : diags.all()) messages += diagnostic.message + "\n";
  }
  OpId op(std::string_view name) const { return producerOf(run->graph, name); }
  ValueId value(std::string_view name) const { return valueNamed(run->graph, name); }
};

// "DRAM bf16 1x1" of %0 when this is its layout; else the message.
std::string layoutOf(const std::string& row) {
  const PlanText text("\"layouts\": [" + row + "], \"values\": {\"%0\": 0}");
  if (!text.messages.empty()) return text.messages;
  const TensorLayout& layout = *text.plan.layout[text.value("0")];
  EXPECT_EQ(text.plan.config[text.op("0")].output, layout);
  EXPECT_EQ(*text.plan.layout[text.value("1")], dramLayout(*text.run->problem, text.value("1")));
  return layoutText(layout) + " " + std::string(dtypeName(layout.dtype)) + " " + std::to_string(layout.shardRows) +
         "x" + std::to_string(layout.shardCols) + " on " + std::to_string(layout.grid.rows) + "x" +
         std::to_string(layout.grid.cols);
}

// A tensor whose type the device does not have is stored in another, which is that of its layouts.
TEST(PlanFields, LayoutsHaveTheElementTypeOfTheDevice) {
  for (const auto& [type, stored] : {std::pair{"i64", "si32"}, std::pair{"f64", "f32"}, std::pair{"i1", "bf16"}}) {
    const std::string x = std::string("tensor<64x256x") + type + ">";
    const std::string graph = "func.func @main(%a: " + x + ") -> " + x + " {\n  %0 = \"ttnn.abs\"(%a) : (" + x +
                              ") -> " + x + "\n  return %0 : " + x + "\n}\n";
    const PlanText text("\"layouts\": [{\"buffer\": \"dram\"}], \"values\": {\"%0\": 0}", graph);
    EXPECT_EQ(text.messages, "") << type;
    EXPECT_EQ(dtypeName(text.plan.layout[text.value("0")]->dtype), stored);
  }
}

TEST(PlanFields, LayoutsAreWhatTheirFieldsSay) {
  const char* const kRows[][2] = {
      {R"({"buffer": "dram"})", "DRAM bf16 2x8 on 1x1"},
      {R"({"buffer": "dram", "memory": "interleaved", "page": "tile", "dtype": "bf16", "grid": [1, 1]})",
       "DRAM bf16 2x8 on 1x1"},
      {R"({"buffer": "dram", "page": "row_major"})", "DRAM rm bf16 64x256 on 1x1"},
      {R"({"buffer": "dram", "dtype": "f32"})", "DRAM f32 2x8 on 1x1"},
      {R"({"buffer": "dram", "dtype": "bfp_bf8"})", "DRAM bfp_bf8 2x8 on 1x1"},
      {R"({"buffer": "l1"})", "L1 interleaved bf16 1x1 on 8x8"},
      {R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1]})", "L1 height 2x1 bf16 1x8 on 2x1"},
      {R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [1, 8]})",
       "L1 height 2x1 bf16 1x8 on 2x1"},
      {R"({"buffer": "l1", "memory": "width_sharded", "grid": [1, 4]})", "L1 width 1x4 bf16 2x2 on 1x4"},
      {R"({"buffer": "l1", "memory": "block_sharded", "grid": [2, 4]})", "L1 block 2x4 bf16 1x2 on 2x4"},
      {R"({"buffer": "l1", "memory": "block_sharded", "grid": [2, 4], "shard": [1, 3]})",
       "plan: layout-does-not-fit: `%0`: the shard differs from what its grid gives\n"},
      {R"({"buffer": "l1", "memory": "block_sharded", "grid": [2, 4], "shard": [2, 2]})",
       "plan: layout-does-not-fit: `%0`: the shard differs from what its grid gives\n"},
  };
  for (const auto& [row, layout] : kRows) EXPECT_EQ(layoutOf(row), layout) << row;
  const std::pair<const char*, const char*> kMistakes[] = {
      {R"({"buffer": "l1", "grid": [0, 8]})", "plan: layout-does-not-fit: `%0`: "},
      {R"({"buffer": "l1", "memory": "block_sharded", "grid": [4096, 1]})", "plan: layout-does-not-fit: `%0`: "},
      {R"({"buffer": "l1", "grid": [4097, 1]})", "plan: `layouts[0].grid` is an array, expected two sizes up to 4096"},
      {R"({"buffer": "l1", "grid": [-1, 1]})", "plan: `layouts[0].grid` is an array, expected two sizes up to 4096"},
      {R"({"buffer": "l1", "grid": [1, -1]})", "plan: `layouts[0].grid` is an array, expected two sizes up to 4096"},
      {R"({"buffer": "l1", "grid": 8})", "plan: `layouts[0].grid` is 8, expected two sizes up to 4096"},
      {R"({"buffer": "l1", "page": "rows"})", "plan: `layouts[0].page` is \"rows\", expected tile or row_major"},
      {R"({"buffer": "l1", "dtype": "f7"})", "plan: `layouts[0].dtype` is \"f7\", expected an element type"},
      {R"({"buffer": "l1", "memory": 7})", "plan: `layouts[0].memory` is 7, expected interleaved, height_sharded ..."},
      {R"({"memory": "interleaved"})", "plan: `layouts[0].buffer` is missing, expected dram, l1 or system_memory"},
      {R"({"buffer": "l1", "colour": 1})", "plan: `layouts[0].colour` is not known, expected a field of the schema"},
      {R"(3)", "plan: `layouts[0]` is 3, expected an object"},
  };
  for (const auto& [row, message] : kMistakes) EXPECT_EQ(layoutOf(row).rfind(message, 0), 0u) << layoutOf(row);
}

// A layout that is fixed by hand may have another shard than its grid gives; a plan may name it as it is, and no other.
TEST(PlanFields, ALayoutThatIsFixedByHandIsTakenAsItIs) {
  const PlanText text("\"layouts\": []");
  const ValueId value = text.value("0");
  TensorLayout fixed =
      layoutFor(text.run->graph, value, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, text.run->device);
  fixed.shardRows = 2;
  text.run->problem->pinned[value] = fixed;
  const auto read = [&](const std::string& row, std::string& messages) {
    const SourceBuffer source("plan", R"({"schema": 1, "layouts": [)" + row + R"(], "values": {"%0": 0}})");
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(source, diags);
    const Plan plan = readPlan(document.root(), *text.run->problem, diags);
    messages.clear();
    for (const Diagnostic& diagnostic : diags.all()) messages += diagnostic.message + "\n";
    return plan.layout[value];
  };
  std::string messages;
  EXPECT_EQ(*read(R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [2, 8]})", messages), fixed);
  EXPECT_EQ(messages, "");
  read(R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1]})", messages);
  EXPECT_EQ(messages, "plan: argument-moved: `%0`: is given as L1 height 2x1, the plan has L1 height 2x1\n");
  for (const char* other : {R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [2, 7]})",
                            R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [3, 8]})",
                            R"({"buffer": "l1", "memory": "height_sharded", "grid": [3, 1], "shard": [2, 8]})",
                            R"({"buffer": "l1", "memory": "block_sharded", "grid": [2, 1], "shard": [2, 8]})",
                            R"({"buffer": "dram", "memory": "height_sharded", "grid": [2, 1], "shard": [2, 8]})",
                            R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [2, 8],
                                "page": "row_major"})",
                            R"({"buffer": "l1", "memory": "height_sharded", "grid": [2, 1], "shard": [2, 8],
                                "dtype": "f32"})"}) {
    read(other, messages);
    EXPECT_EQ(messages.rfind("plan: layout-does-not-fit: `%0`: ", 0), 0u) << other << "\n" << messages;
  }
}

TEST(PlanFields, IndicesOfLayoutsEndWithTheLastOne) {
  const std::string layouts = R"("layouts": [{"buffer": "l1"}, {"buffer": "dram"}], "values": )";
  EXPECT_EQ(PlanText(layouts + R"({"%0": 0, "%1": 1})").messages, "");
  EXPECT_EQ(PlanText(layouts + R"({"%0": 2})").messages, "plan: `values.%0` is 2, expected an index in layouts\n");
  EXPECT_EQ(PlanText(layouts + R"({"%0": "0"})").messages,
            "plan: `values.%0` is \"0\", expected an index in layouts\n");
  // An argument may be named where it is.
  EXPECT_EQ(PlanText(layouts + R"({"%a": 1})").messages, "");
  EXPECT_EQ(PlanText(layouts + R"({"%a": 0})").messages,
            "plan: argument-moved: `%a`: is given as DRAM, the plan has L1 interleaved\n");
  // A row that is wrong is reported once, where it stands.
  EXPECT_EQ(PlanText(R"("layouts": [{"buffer": "x"}], "values": {"%0": 0, "%1": 0})").messages,
            "plan: `layouts[0].buffer` is \"x\", expected dram, l1 or system_memory\n");
}

TEST(PlanFields, OpsAreNamedOrNumbered) {
  const auto reshards = [](const std::string& op) {
    return PlanText(R"("layouts": [{"buffer": "l1"}], "reshards": [{"op": )" + op + R"(, "operand": 0, "to": 0}])");
  };
  for (const char* op : {"2", "\"%2\""}) {
    const PlanText text = reshards(op);
    EXPECT_EQ(text.messages, "") << op;
    ASSERT_EQ(text.plan.reshards.size(), 1u);
    EXPECT_EQ(text.plan.reshards[0].consumer, text.op("2"));
    EXPECT_EQ(text.plan.reshards[0].operand, 0);
    EXPECT_EQ(text.plan.reshards[0].to, l1InterleavedLayout(*text.run->problem, text.value("1")));
  }
  EXPECT_EQ(reshards("0").plan.reshards.size(), 1u);
  const PlanText last = reshards("3");
  EXPECT_EQ(last.messages, "");
  EXPECT_EQ(last.plan.reshards[0].consumer, last.plan.order.back());
  for (const char* op : {"4", "-1", "\"%a\"", "\"%7\""}) {
    const PlanText text = reshards(op);
    EXPECT_EQ(text.messages, "plan: `reshards[0].op` is " + std::string(op) +
                                 ", expected an op: the name of its first result, or a number below 4\n");
    EXPECT_TRUE(text.plan.reshards.empty());
  }
}

TEST(PlanFields, AnOrderIsTakenWhenItIsWhole) {
  const PlanText given(R"("order": [0, 1, 2, 3])");
  EXPECT_EQ(given.messages, "");
  EXPECT_EQ(given.plan.order, given.run->problem->schedule.order);
  EXPECT_EQ(PlanText(R"("order": {})").messages, "plan: `order` is an object, expected an array\n");
  EXPECT_EQ(PlanText(R"("order": [])").messages,
            "plan: order-incomplete: order: it lists 0 of 4 ops, the return last; the program's order is taken\n");
  EXPECT_EQ(PlanText(R"("order": [0, 1, 3, 2])").messages,
            "plan: order-incomplete: order: it lists 4 of 4 ops, the return last; the program's order is taken\n");
  EXPECT_EQ(PlanText(R"("order": [0, 4])").messages,
            "plan: `order[1]` is 4, expected the number of an op that is not yet listed\n");
  EXPECT_EQ(PlanText(R"("order": [0, -1])").messages,
            "plan: `order[1]` is -1, expected the number of an op that is not yet listed\n");
  EXPECT_EQ(PlanText(R"("order": [0, "1"])").messages,
            "plan: `order[1]` is \"1\", expected the number of an op that is not yet listed\n");
  EXPECT_EQ(PlanText(R"("order": [0, 1, 1])").messages,
            "plan: `order[2]` is 1, expected the number of an op that is not yet listed\n");
  const PlanText early(R"("order": [0, 2, 1, 3])");
  EXPECT_EQ(early.messages,
            "plan: order-use-before-def: `%2 ttnn.matmul`: reads %1 before it is made; the program's order is taken\n");
  EXPECT_EQ(early.plan.order, early.run->problem->schedule.order);
}

TEST(PlanFields, ConfigsHaveEverySetting) {
  const PlanText text(
      R"("layouts": [{"buffer": "l1"}], "configs": [
          {"op": 2, "output": 0, "matmul": {"program": "multi_cast_1d_in0", "per_core_m": 1, "per_core_n": 2,
           "in0_block_w": 4, "out_subblock_h": 3, "out_subblock_w": 5, "out_block_h": 0, "out_block_w": 1073741824}},
          {"op": "%0", "conv2d": {"act_block_h_override": 64, "deallocate_activation": true,
           "reshard_if_not_optimal": false}}])");
  EXPECT_EQ(text.messages, "");
  const OpConfig& product = text.plan.config[text.op("2")];
  EXPECT_EQ(product.output, l1InterleavedLayout(*text.run->problem, text.value("2")));
  EXPECT_EQ(std::get<MatmulAttrs>(product.attrs), (MatmulAttrs{.program = MatmulProgram::MultiCast1dIn0,
                                                               .perCoreM = 1,
                                                               .perCoreN = 2,
                                                               .in0BlockW = 4,
                                                               .outSubblockH = 3,
                                                               .outSubblockW = 5,
                                                               .outBlockH = 0,
                                                               .outBlockW = 1 << 30}));
  const Conv2dAttrs conv{.actBlockHOverride = 64, .deallocateActivation = true, .reshardIfNotOptimal = false};
  EXPECT_EQ(std::get<Conv2dAttrs>(text.plan.config[text.op("0")].attrs), conv);
  EXPECT_EQ(text.plan.config[text.op("0")].output, dramLayout(*text.run->problem, text.value("0")));
  // Written again it says the same.
  const std::string again = planJson(*text.run->problem, text.plan, "x", "{}");
  const SourceBuffer source("plan", again);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  EXPECT_EQ(readPlan(document.root(), *text.run->problem, diags).config, text.plan.config) << again;
  EXPECT_TRUE(diags.all().empty());
}

TEST(PlanFields, MistakesOfConfigsAreNamed) {
  const std::pair<const char*, const char*> kMistakes[] = {
      {R"({"op": 0, "conv2d": 3})", "plan: `configs[0].conv2d` is an integer, expected an object"},
      {R"({"op": 0, "matmul": []})", "plan: `configs[0].matmul` is an array, expected an object"},
      {R"({"op": 0, "conv2d": {"colour": 1}})", "plan: `configs[0].conv2d.colour` is not known"},
      {R"({"op": 0, "matmul": {"colour": 1}})", "plan: `configs[0].matmul.colour` is not known"},
      {R"({"op": 0, "conv2d": {"deallocate_activation": 1}})",
       "plan: `configs[0].conv2d.deallocate_activation` is an integer, expected true or false"},
      {R"({"op": 0, "matmul": {"per_core_m": 1073741825}})",
       "plan: `configs[0].matmul.per_core_m` is an integer, expected a number of tiles"},
      {R"({"op": 0, "matmul": {"per_core_m": -1}})",
       "plan: `configs[0].matmul.per_core_m` is an integer, expected a number of tiles"},
      {R"({"op": 0, "matmul": {"per_core_m": "1"}})",
       "plan: `configs[0].matmul.per_core_m` is a string, expected a number of tiles"},
      {R"({"op": 0, "conv2d": {"act_block_h_override": true}})",
       "plan: `configs[0].conv2d.act_block_h_override` is a boolean, expected a number of rows"},
      {R"({"op": 0, "matmul": {"program": "magic"}})",
       "plan: `configs[0].matmul.program` is something else, expected one of multi_cast_2d, multi_cast_1d_in0, "
       "multi_cast_1d_in1, reuse, dram_sharded"},
      {R"({"op": 3, "output": 0})", "plan: `configs[0].output` is 0, expected nothing, since the op has no tensor"},
      {R"({"op": 0, "output": 1})", "plan: `configs[0].output` is 1, expected an index in layouts"},
      {R"({"op": 0, "colour": 1})", "plan: `configs[0].colour` is not known"},
      {R"({"output": 0})", "plan: `configs[0].op` is missing, expected an op"},
  };
  for (const auto& [row, message] : kMistakes) {
    const PlanText text(R"("layouts": [{"buffer": "l1"}], "configs": [)" + std::string(row) + "]");
    EXPECT_EQ(text.messages.rfind(message, 0), 0u) << row << "\n" << text.messages;
  }
}

// --- moves -----------------------------------------------------------------------------------------------------------

TEST(PlanFields, CausesHaveTheirNames) {
  const std::pair<const char*, SpillCause> kCauses[] = {{"return", SpillCause::FunctionReturn},
                                                        {"memory", SpillCause::Memory},
                                                        {"constraint", SpillCause::Constraint},
                                                        {"chain end", SpillCause::ChainEnd},
                                                        {"shared", SpillCause::Shared}};
  for (const auto& [name, cause] : kCauses) {
    const PlanText text(
        R"("layouts": [{"buffer": "l1"}], "spills": [{"value": "%0", "before": 1, "to": 0, "cause": ")" +
        std::string(name) + "\"}]");
    EXPECT_EQ(text.messages, "") << name;
    ASSERT_EQ(text.plan.spills.size(), 1u) << name;
    EXPECT_EQ(text.plan.spills[0].cause, cause) << name;
    EXPECT_EQ(text.plan.spills[0].before, text.op("1"));
    EXPECT_EQ(text.plan.spills[0].value, text.value("0"));
  }
}

// Given in any order, kept in that of the schedule; of one step as they were given. An op reads each operand once.
TEST(PlanFields, MovesAreKeptInTheOrderOfTheSchedule) {
  const PlanText text(
      R"("layouts": [{"buffer": "l1"}, {"buffer": "dram"}, {"buffer": "l1", "memory": "width_sharded", "grid": [1, 8]}],
         "spills": [{"value": "%1", "before": 2, "to": 0}, {"value": "%0", "before": 1, "to": 2},
                    {"value": "%a", "before": 1, "to": 0}, {"value": "%b", "before": 2, "to": 0},
                    {"value": "%1", "before": 2, "to": 2}],
         "reshards": [{"op": 2, "operand": 1, "to": 1}, {"op": 1, "operand": 1, "to": 1},
                      {"op": 2, "operand": 0, "to": 0}, {"op": 1, "operand": 0, "to": 0}])");
  EXPECT_EQ(text.messages, "");
  std::string spills, reshards;
  for (const Spill& spill : text.plan.spills)
    spills += "%" + text.run->graph.values[spill.value].name + " " + layoutText(spill.to) + ", ";
  for (const Reshard& reshard : text.plan.reshards)
    reshards += "%" + text.run->graph.values[text.run->graph.ops[reshard.consumer].results[0]].name + " " +
                std::to_string(reshard.operand) + ", ";
  EXPECT_EQ(spills, "%0 L1 width 1x8, %a L1 interleaved, %1 L1 interleaved, %b L1 interleaved, %1 L1 width 1x8, ");
  EXPECT_EQ(reshards, "%1 0, %1 1, %2 0, %2 1, ");
}

TEST(PlanFields, MovesThatMoveNothingAreLeftOut) {
  const auto spill = [](const std::string& value, int before, int to) {
    return PlanText(R"("layouts": [{"buffer": "l1"}, {"buffer": "dram"}], "spills": [{"value": ")" + value +
                    R"(", "before": )" + std::to_string(before) + R"(, "to": )" + std::to_string(to) + "}]");
  };
  EXPECT_EQ(spill("%0", 1, 0).messages, "");
  EXPECT_EQ(spill("%0", 1, 1).messages, "plan: spill-unused: `%0` before `%1 ttnn.add`: it is there already\n");
  EXPECT_EQ(spill("%0", 0, 0).messages, "plan: spill-unused: `%0` before `%0 ttnn.relu`: it is not made yet\n");
  EXPECT_EQ(spill("%0", 2, 0).messages,
            "plan: spill-unused: `%0` before `%2 ttnn.matmul`: nothing reads it any more\n");
  EXPECT_EQ(spill("%a", 0, 0).messages, "") << "an argument is there from the start";
  EXPECT_EQ(spill("%2", 3, 0).messages, "");
  EXPECT_TRUE(spill("%0", 2, 0).plan.spills.empty());
  // There and back again.
  const PlanText back(
      R"("layouts": [{"buffer": "l1"}, {"buffer": "dram"}], "spills": [{"value": "%a", "before": 0, "to": 0},
         {"value": "%a", "before": 1, "to": 1}, {"value": "%a", "before": 1, "to": 1}],
         "reshards": [{"op": 0, "operand": 0, "to": 0}])");
  EXPECT_EQ(back.messages,
            "plan: reshard-of-nothing: `%0 ttnn.relu` operand 0: it is there already\n"
            "plan: spill-unused: `%a` before `%1 ttnn.add`: it is there already\n");
  EXPECT_EQ(back.plan.spills.size(), 2u);
  EXPECT_TRUE(back.plan.reshards.empty());
}

// The number of an operand is a number, and a graph is named by its fingerprint.
TEST(PlanFields, OfOtherKindsAreMistakes) {
  EXPECT_EQ(PlanText(R"("layouts": [{"buffer": "l1"}], "reshards": [{"op": 1, "operand": "0", "to": 0}])").messages,
            "plan: `reshards[0].operand` is \"0\", expected the number of a tensor operand of `%1 ttnn.add`\n");
  EXPECT_EQ(PlanText(R"("layouts": [{"buffer": "l1"}], "reshards": [{"op": 1, "to": 0}])").messages,
            "plan: `reshards[0].operand` is missing, expected the number of a tensor operand of `%1 ttnn.add`\n");
  EXPECT_EQ(PlanText(R"("graph": 3)").messages, "plan: `graph` is 3, expected a text\n");
  EXPECT_EQ(PlanText(R"("graph": {})").messages, "plan: `graph` is an object, expected a text\n");
}

// Settings that a config does not say are left out when it is written.
TEST(PlanFields, ConfigsSayWhatTheyHave) {
  const PlanText text(R"("configs": [{"op": "%0", "conv2d": {"reshard_if_not_optimal": true}}])");
  EXPECT_EQ(text.messages, "");
  const std::string written = planJson(*text.run->problem, text.plan, "x", "{}");
  EXPECT_NE(written.find(R"("conv2d":{"reshard_if_not_optimal":true})"), std::string::npos) << written;
}

// Sixteen per op, and as many once more.
TEST(PlanFields, SoManyMovesAreRead) {
  const auto messages = [](int count) {
    std::string rows;
    for (int i = 0; i < count; ++i) rows += std::string(i ? ", " : "") + R"({"value": "%0", "before": 9, "to": 0})";
    return PlanText(R"("layouts": [{"buffer": "l1"}], "spills": [)" + rows + "]").messages;
  };
  EXPECT_EQ(messages(80).find("at most"), std::string::npos);
  EXPECT_EQ(messages(81), "plan: `spills` is 81 moves, expected at most 80\n");
  const auto reshards = [](int count) {
    std::string rows;
    for (int i = 0; i < count; ++i) rows += std::string(i ? ", " : "") + R"({"op": 0, "operand": 9, "to": 0})";
    return PlanText(R"("layouts": [{"buffer": "l1"}], "reshards": [)" + rows + "]").messages;
  };
  EXPECT_EQ(reshards(80).find("at most"), std::string::npos);
  EXPECT_EQ(reshards(81), "plan: `reshards` is 81 moves, expected at most 80\n");
}

}  // namespace
}  // namespace tessera::test

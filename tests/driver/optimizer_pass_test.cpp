// The optimizer as a pass: what a module lets it fill, what each part decides and leaves behind, and by which ops it
// moves.

#include "core/driver/optimizer_pass.h"

#include "core/driver/presets.h"
#include "core/lowering/lower.h"
#include "core/lowering/release.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Alone {
  DeviceSpec device = *findDevice("n150");
  OpModel model{device};
  L1Budget budget{device.usableL1()};
  Options options;
  PolicyMemory memory;
  OptimizedGraph out;

  Alone(const Alone&) = delete;
  explicit Alone(const std::string& text, OptimizerPart part = OptimizerPart::Whole, std::string policy = "") {
    options.preset = kCompilerPreset.id;
    options.policy = policy.empty() ? std::string(kCompilerPreset.policy) : policy;
    options = options.resolved();
    const Graph graph = graphOf(text);
    const LoweringOptions lowering = optionsFor(graph, options.loweringOptions());
    const PassContext context{device, model, budget, lowering};
    Graph start = graph;
    startOrigins(start);
    out = optimizeAlone(memory, part, options, graph, start, context);
  }
  // Where the first result of the first op of that name lies; "none" when there is no such op.
  std::string placeOf(std::string_view name) const {
    for (OpId id : out.graph.funcs[out.graph.forward].ops) {
      const Op& op = out.graph.ops[id];
      if (op.name != name) continue;
      return std::string(bufferTypeName(out.graph.values[op.results[0]].type.tensor->layout->buffer));
    }
    return "none";
  }
  const OpConfig* configOf(std::string_view name) const {
    for (OpId id : out.graph.funcs[out.graph.forward].ops)
      if (out.graph.ops[id].name == name && out.configs.contains(id)) return &out.configs[id];
    return nullptr;
  }
  int count(std::string_view name) const {
    int found = 0;
    for (OpId id : out.graph.funcs[out.graph.forward].ops) found += out.graph.ops[id].name == name;
    return found;
  }
};

// Two ops over a tensor of so many rows of 64 tiles, of which each of 64 cores holds one.
std::string chainOver(int64_t tilesPerCore, const std::string& attributes) {
  const std::string t = "tensor<" + std::to_string(32 * tilesPerCore) + "x2048xbf16>";
  return "module attributes {" + attributes + "} {\n  func.func @main(%a: " + t + ") -> " + t +
         " {\n    %0 = \"ttir.relu\"(%a) : (" + t + ") -> " + t + "\n    %1 = \"ttir.exp\"(%0) : (" + t + ") -> " + t +
         "\n    return %1 : " + t + "\n  }\n}\n";
}

// What an op reads and what it writes lie in L1 together. Twice 335 tiles are 1,372,160 of 1,396,448 usable bytes: they
// fit all of it, and not 0.95 of it, the usual part. What is no part is none.
TEST(OptimizerPass, FillsAsMuchOfL1AsTheModuleLets) {
  const auto place = [](int64_t tiles, const std::string& cap) {
    return Alone(chainOver(tiles, cap.empty() ? "" : "ttnn.tensor_l1_usage_cap = " + cap + " : f32"))
        .placeOf("ttnn.relu");
  };
  EXPECT_EQ(place(10, ""), "l1");
  EXPECT_EQ(place(335, ""), "dram");
  EXPECT_EQ(place(335, "1.0"), "l1");
  EXPECT_EQ(place(335, "1.5"), "dram");
  EXPECT_EQ(place(10, "0.0"), "l1");
  EXPECT_EQ(place(10, "-0.5"), "l1");
  EXPECT_EQ(place(100, "0.1"), "dram");
  EXPECT_EQ(place(100, "0.5"), "l1");
}

// What const-eval holds in L1 is not there for plans; it is never less than nothing nor more than all.
TEST(OptimizerPass, LeavesWhatConstEvalHolds) {
  const auto place = [](int64_t tiles, const std::string& taken) {
    return Alone(chainOver(tiles, "ttnn.l1_const_eval_usage = " + taken + " : i64")).placeOf("ttnn.relu");
  };
  EXPECT_EQ(place(100, "0"), "l1");
  EXPECT_EQ(place(100, "900000"), "l1");
  EXPECT_EQ(place(100, "1390000"), "dram");
  EXPECT_EQ(place(100, "1000000000000"), "dram");
  EXPECT_EQ(place(100, "-1000000000"), "l1");
  EXPECT_EQ(place(335, "-1000000000"), "dram") << "nothing is given back either";
}

const std::string kProduct =
    "func.func @main(%a: tensor<256x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%a, %w) <{transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16>, "
    "tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>\n"
    "  return %1 : tensor<256x256xbf16>\n}\n";

// A product with a sharded result has its program, whichever part decides; in DRAM it has none.
TEST(OptimizerPass, WritesTheProgramsOfShardedProducts) {
  for (const OptimizerPart part : {OptimizerPart::Whole, OptimizerPart::FirstPass}) {
    const Alone run(kProduct, part);
    ASSERT_FALSE(run.out.diagnostics.hasErrors());
    const OpConfig* config = run.configOf("ttnn.matmul");
    ASSERT_NE(config, nullptr);
    ASSERT_TRUE(config->output.sharded()) << layoutText(config->output);
    const auto* program = std::get_if<MatmulAttrs>(&config->attrs);
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->perCoreM, config->output.shardRows);
    EXPECT_EQ(program->perCoreN, config->output.shardCols);
  }
  for (const OptimizerPart part : {OptimizerPart::Whole, OptimizerPart::FirstPass}) {
    const Alone floor(kProduct, part, "DRAM");
    ASSERT_NE(floor.configOf("ttnn.matmul"), nullptr);
    EXPECT_FALSE(floor.configOf("ttnn.matmul")->output.isL1());
    EXPECT_TRUE(std::holds_alternative<std::monostate>(floor.configOf("ttnn.matmul")->attrs));
  }
}

// Alone, a pass moves by the op that the compiler's pass inserts; in the pipeline by the one that is decomposed later.
TEST(OptimizerPass, APassOfItsOwnNamesItsMoves) {
  const std::string text =
      readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/lowering/optimizer_passes.mlir");
  const Alone whole(text, OptimizerPart::Whole), first(text, OptimizerPart::FirstPass);
  EXPECT_GT(whole.count("ttnn.to_layout"), 0);
  EXPECT_EQ(whole.count("ttnn.to_memory_config"), 0);
  EXPECT_GT(first.count("ttnn.to_memory_config"), 0);
  EXPECT_EQ(first.count("ttnn.to_layout"), 0);
}

TEST(OptimizerPass, AGraphWithoutLayoutsIsLoweredFirst) {
  Alone run(kProduct);
  EXPECT_EQ(run.out.note, "the graph has no layouts: the passes before the optimizer ran first");
  EXPECT_FALSE(run.out.trace) << "nobody asked for one";
  PolicyMemory memory;
  const LoweringOptions lowering = optionsFor(run.out.graph, run.options.loweringOptions());
  const OptimizedGraph again = optimizeAlone(memory, OptimizerPart::SecondPass, run.options, run.out.graph,
                                             run.out.graph, {run.device, run.model, run.budget, lowering});
  EXPECT_EQ(again.note, "");
  EXPECT_FALSE(again.diagnostics.hasErrors());
}

// Three results of 450,560 bytes on each core live at once, and plans may fill 1,326,625 bytes. The first pass says
// where each would lie and leaves the lack of room to the second.
TEST(OptimizerPass, TheFirstPassNeedNotMakeEverythingFit) {
  const std::string t = "tensor<7040x2048xbf16>";
  const std::string text = "module {\n  func.func @main(%a: " + t + ") -> " + t + " {\n    %0 = \"ttir.relu\"(%a) : (" +
                           t + ") -> " + t + "\n    %1 = \"ttir.exp\"(%0) : (" + t + ") -> " + t +
                           "\n    %2 = \"ttir.neg\"(%1) : (" + t + ") -> " + t + "\n    %3 = \"ttir.add\"(%2, %0) : (" +
                           t + ", " + t + ") -> " + t + "\n    return %3 : " + t + "\n  }\n}\n";
  const Alone first(text, OptimizerPart::FirstPass), whole(text, OptimizerPart::Whole);
  ASSERT_FALSE(first.out.diagnostics.hasErrors()) << first.out.diagnostics.all()[0].message;
  ASSERT_FALSE(whole.out.diagnostics.hasErrors());
  const auto namesOf = [](const Alone& run) {
    std::string names;
    for (OpId id : run.out.graph.funcs[run.out.graph.forward].ops) names += run.out.graph.ops[id].name + " ";
    return names;
  };
  EXPECT_EQ(namesOf(first), "ttnn.to_memory_config ttnn.relu ttnn.exp ttnn.neg ttnn.add func.return ");
  EXPECT_EQ(namesOf(whole),
            "ttnn.to_layout ttnn.relu ttnn.to_layout ttnn.to_layout ttnn.exp ttnn.neg ttnn.add func.return ")
      << "%0 leaves L1 and comes back for %1";
  for (const char* op : {"ttnn.relu", "ttnn.exp", "ttnn.neg"}) {
    EXPECT_EQ(first.placeOf(op), "l1") << op;
    EXPECT_EQ(whole.placeOf(op), "l1") << op;
  }
}

// What the graph returns from L1 the second pass alone leaves there, as the compiler's does.
TEST(OptimizerPass, TheSecondPassLeavesWhatIsReturned) {
  const Alone second(R"(#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func @main(%a: tensor<256x256xbf16, #d>) -> tensor<256x256xbf16, #h> {
  %0 = "ttnn.to_memory_config"(%a) : (tensor<256x256xbf16, #d>) -> tensor<256x256xbf16, #h>
  %1 = "ttnn.relu"(%0) : (tensor<256x256xbf16, #h>) -> tensor<256x256xbf16, #h>
  return %1 : tensor<256x256xbf16, #h>
}
)",
                     OptimizerPart::SecondPass);
  ASSERT_FALSE(second.out.diagnostics.hasErrors()) << second.out.diagnostics.all()[0].message;
  EXPECT_EQ(second.placeOf("ttnn.relu"), "l1");
  EXPECT_EQ(second.count("ttnn.to_memory_config"), 1) << "the one that was there";
}

}  // namespace
}  // namespace tessera::test

// Corners of what policies share: buffers without an address, products too large for programs, operands that their op
// frees too early, overrides and limits of Exact, operands sharded over DRAM, spilling that never brings a value back.

#include <set>

#include "core/plan/moves.h"
#include "core/policy/exact/candidates.h"
#include "core/policy/kit/l1_contents.h"
#include "core/policy/kit/matmul_programs.h"
#include "core/policy/kit/move_time.h"
#include "core/policy/kit/op_in_l1.h"
#include "tests/policy/expect_sound.h"
#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

// --- L1 and its addresses --------------------------------------------------------------------------------------------

// What found no hole is there, and takes its bytes along when it goes; nobody shares the buffer of one that is not.
TEST(ChoiceCorners, ABufferWithoutAnAddress) {
  L1Contents l1(0, 1024, 32, Bytes(0));
  l1.commit({{.allocate = Bytes(2048), .tensor = 1}});
  ASSERT_NE(l1.find(1), nullptr);
  EXPECT_EQ(l1.find(1)->address, -1);
  EXPECT_EQ(l1.occupied(), Bytes(2048));
  l1.commit({{.tensor = 2, .aliasOf = 7}});
  EXPECT_EQ(l1.find(2), nullptr);
  l1.release(1);
  EXPECT_EQ(l1.occupied(), Bytes(0));
  EXPECT_TRUE(l1.fit({{.allocate = Bytes(1024)}}, Bytes(0)).ok());
}

std::string imageConvolution(const std::string& name, const std::string& operand, const std::string& location = "") {
  const std::string image = "tensor<1x8x8x32xbf16>", weight = "tensor<32x32x3x3xbf16>";
  return "  " + name + " = \"ttir.conv2d\"(" + operand +
         ", %w) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, "
         "height_dim "
         "= 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (" +
         image + ", " + weight + ") -> " + image + (location.empty() ? "" : " loc(\"" + location + "\")") + "\n";
}
std::string imageFunction(const std::string& body, const std::string& returned) {
  const std::string image = "tensor<1x8x8x32xbf16>";
  return "func.func @main(%x: " + image + ", %w: tensor<32x32x3x3xbf16>) -> " + image + " {\n" + body + "  return " +
         returned + " : " + image + "\n}\n";
}
std::string imageOp(const std::string& name, const std::string& kind, const std::string& operands, int count = 1) {
  const std::string image = "tensor<1x8x8x32xbf16>";
  return "  " + name + " = \"" + kind + "\"(" + operands + ") : (" + image + (count > 1 ? ", " + image : "") + ") -> " +
         image + "\n";
}

// The activation that a convolution frees is gone for good only when nobody reads it later.
TEST(ChoiceCorners, AnActivationThatIsReadAgainIsNotReleased) {
  for (const bool again : {false, true}) {
    const DeviceSpec& device = allDevices()[0];
    const Graph graph = graphOf(imageFunction(imageOp("%a", "ttir.relu", "%x") + imageConvolution("%c", "%a") +
                                                  imageOp("%s", "ttir.add", again ? "%c, %a" : "%c, %c", 2),
                                              "%s"));
    const Problem problem = analysed(graph, device, {});
    const ValueId a = valueNamed(graph, "a"), c = valueNamed(graph, "c"), w = valueNamed(graph, "w");
    const TensorLayout here = layoutFor(graph, a, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, device);
    const Layouts inputs = {here, dramLayout(problem, w)};
    const OpConfig config{layoutFor(graph, c, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, device),
                          Conv2dAttrs{.deallocateActivation = true}};
    int released = 0;
    for (const L1Move& move : movesOf(problem, producerOf(graph, "c"), inputs, inputs, config, {config.output}))
      released += move.freedAfter == a.index;
    EXPECT_EQ(released, again ? 0 : 1);
    EXPECT_EQ(evictionBuffers(problem, c, dramLayout(problem, c)), Bytes(0)) << "it is there already";
    EXPECT_GT(evictionBuffers(problem, c, config.output), Bytes(0));
  }
}

// A layout op of the program takes what the steps of its move take; where nobody knows what it reads, what the op model
// says of it.
TEST(ChoiceCorners, ALayoutOpThatReadsSomethingUnknown) {
  const std::string type = "tensor<256x256xbf16>";
  const Graph graph = graphOf("func.func @main(%x: " + type + ") -> " + type + " {\n  %0 = \"ttnn.to_layout\"(%x) : (" +
                              type + ") -> " + type + "\n  return %0 : " + type + "\n}\n");
  const DeviceSpec& device = allDevices()[0];
  const Problem problem = analysed(graph, device, {});
  PolicyMemory memory;
  MoveTime moves(problem, memory.moves);
  const ValueId result = valueNamed(graph, "0");
  const OpConfig config{layoutFor(graph, result, BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, device),
                        {}};
  const auto timeFrom = [&](const Layouts& inputs) {
    const OpQuery query{graph, producerOf(graph, "0"), inputs, config, Bytes(0)};
    return std::pair(moves.ofOp(query), problem.model.getOpRuntime(query).total().count);
  };
  const auto unknown = timeFrom({std::nullopt}), none = timeFrom({});
  EXPECT_EQ(unknown.first, unknown.second);
  EXPECT_EQ(none.first, none.second);
  EXPECT_EQ(timeFrom({config.output}).first, 0) << "it lies there already";
  EXPECT_GT(timeFrom({dramLayout(problem, result)}).first, 0);
}

// --- programs --------------------------------------------------------------------------------------------------------

// Sides of more than 65,536 tiles have no program of the policy's.
TEST(ChoiceCorners, VeryLongProductsKeepTheLibrarysProgram) {
  const auto programFor = [](int64_t innerTiles) {
    const std::string inner = std::to_string(32 * innerTiles), a = "tensor<32x" + inner + "xbf16>",
                      b = "tensor<" + inner + "x32xbf16>", out = "tensor<32x32xbf16>";
    const Graph graph = graphOf("func.func @main(%a: " + a + ", %b: " + b + ") -> " + out +
                                " {\n  %0 = \"ttnn.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (" +
                                a + ", " + b + ") -> " + out + "\n  return %0 : " + out + "\n}\n");
    const Problem problem = analysed(graph, allDevices()[0], {});
    FasterPrograms programs(problem);
    return programs.of(producerOf(graph, "0"), dramLayout(problem, valueNamed(graph, "0"))).has_value();
  };
  EXPECT_TRUE(programFor(65'536));
  EXPECT_FALSE(programFor(65'552));
}

// --- rule books ------------------------------------------------------------------------------------------------------

// An op whose book takes no shards reads shards of DRAM from DRAM, those of L1 from L1.
TEST(ChoiceCorners, ShardsOverDramAreReadFromDram) {
  const auto places = [](const std::string& buffer) {
    const std::string in = "tensor<256x512xbf16, #held>", out = "tensor<128x512xbf16>";
    PolicyOptions options;
    options.propagate.ruleBooks = true;
    const auto run = runOn(
        graphOf("#l1 = #ttnn.buffer_type<l1>\n#dram = #ttnn.buffer_type<dram>\n#held = #ttnn.ttnn_layout<(d0, d1) -> "
                "(d0, d1), <1x8>, memref<8x2x!ttcore.tile<32x32, bf16>, #" +
                buffer + ">, <width_sharded>>\nfunc.func @main(%a: " + in + ") -> " + out +
                " {\n  %0 = \"ttnn.slice_static\"(%a) <{begins = [0 : i32, 0 : i32], ends = [128 : i32, 512 : i32], "
                "step = [1 : i32, 1 : i32]}> : (" +
                in + ") -> " + out + "\n  %1 = \"ttnn.exp\"(%0) : (" + out + ") -> " + out + "\n  return %1 : " + out +
                "\n}\n"),
        "Beam", {}, allDevices()[0], options);
    expectSound(*run);
    std::string text;
    for (const Reshard& reshard : run->plan.reshards) {
      if (reshard.consumer == producerOf(run->graph, "0")) text += layoutText(reshard.to);
    }
    return text;
  };
  EXPECT_EQ(places("l1"), "L1 interleaved");
  EXPECT_EQ(places("dram"), "DRAM");
}

// --- what the log lists ----------------------------------------------------------------------------------------------

// Settings of a convolution that write the same layout are one candidate.
TEST(ChoiceCorners, LayoutsOfAConvolutionAreListedOnce) {
  for (const char* policy : {"Greedy", "Beam", "DFSharding"}) {
    const auto run =
        runOn(graphOf(imageFunction(imageConvolution("%c", "%x") + imageOp("%s", "ttir.relu", "%c"), "%s")), policy);
    for (const Decision& decision : run->log.decisions) {
      std::set<std::string> seen;
      for (const Candidate& candidate : decision.candidates)
        EXPECT_TRUE(seen.insert(layoutText(candidate.layout)).second) << policy << " " << layoutText(candidate.layout);
    }
  }
}

// --- the exact policy ------------------------------------------------------------------------------------------------

// A setting fixed for one of two equal convolutions holds for that one.
TEST(ChoiceCorners, ASettingFixedForOneOfTwoEqualConvolutions) {
  const Graph graph =
      graphOf(imageFunction(imageConvolution("%c", "%x", "first") + imageConvolution("%d", "%x", "second") +
                                imageOp("%s", "ttir.add", "%c, %d", 2),
                            "%s"));
  const auto heights = [&](const std::string& overrides) {
    ProblemOptions options;
    options.conv2dOverrides = parseConv2dOverrides(overrides, noDiagnostics());
    const auto run = runOn(graph, "Exact", options);
    expectSound(*run);
    std::string text;
    for (const char* name : {"c", "d"}) {
      const auto* attrs = std::get_if<Conv2dAttrs>(&run->plan.config[producerOf(graph, name)].attrs);
      text += attrs && attrs->actBlockHOverride ? std::to_string(*attrs->actBlockHOverride) + " " : "- ";
    }
    return text;
  };
  const std::string open = heights("");
  const std::string first = open.substr(0, open.find(' ') + 1), second = open.substr(open.find(' ') + 1);
  for (const char* height : {"32", "64"}) {
    EXPECT_EQ(heights(std::string("first=act_block_h_override#") + height), std::string(height) + " " + second);
    EXPECT_EQ(heights(std::string("second=act_block_h_override#") + height), first + height + " ");
  }
}

// Prices are sought for as long as the option allows.
TEST(ChoiceCorners, ExactPricesForAsManyStepsAsItMay) {
  bool less = false;
  for (uint64_t seed = 0; seed < 20 && !less; ++seed) {
    const auto rounds = [&](int64_t steps) {
      PolicyOptions options;
      options.exact.maxSteps = steps;
      const auto run =
          runOn(graphOf(randomGraphText(seed)), "Exact", {.l1UsageCapPermille = 60}, allDevices()[0], options);
      expectSound(*run);
      return run->log.exact->bounds.empty() ? 0 : run->log.exact->bounds.back().round;
    };
    const int32_t all = rounds(0);
    if (all < 2) continue;
    less = true;
    EXPECT_EQ(rounds(1), 0);
    EXPECT_EQ(rounds(INT64_MAX / 4), all);
  }
  EXPECT_TRUE(less);
}

// --- spilling decided ahead ------------------------------------------------------------------------------------------

// A value that leaves L1 right after it was made does not come back; one that leaves late may.
TEST(ChoiceCorners, WhatLeavesEarlyDoesNotComeBack) {
  int back = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    for (const SpillStrategy strategy : {SpillStrategy::FarthestNextUse, SpillStrategy::CostAware}) {
      for (const bool late : {true, false}) {
        PolicyOptions options;
        options.propagate = {.lateSpill = late, .strategy = strategy};
        const auto run =
            runOn(graphOf(randomGraphText(seed)), "Greedy", {.l1UsageCapPermille = 60}, allDevices()[0], options);
        expectSound(*run);
        IdVec<ValueId, bool> left(run->graph.values.size(), false);
        for (const Spill& spill : run->plan.spills) {
          const bool returns = spill.to.isL1() && left[spill.value];
          if (late) back += returns;
          else EXPECT_FALSE(returns) << "seed " << seed << " %" << run->graph.values[spill.value].name;
          left[spill.value] = left[spill.value] || !spill.to.isL1();
        }
      }
    }
  }
  EXPECT_GT(back, 0);
}

}  // namespace
}  // namespace tessera::test

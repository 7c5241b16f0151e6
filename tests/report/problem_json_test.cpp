// The problem as JSON, for graphs that differ in one thing: which ops share their candidates, and what moves are said
// to be impossible.

#include "core/report/problem_json.h"

#include "tests/driver/driver_testing.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

Json problemOf(const Graph& graph, int64_t bytes = 1'300'000, const ProblemOptions& options = {}) {
  const OpModel model(allDevices()[0]);
  L1Budget budget{Bytes(bytes)};
  return Json(problemJson(analyse(graph, model, options, budget, noDiagnostics()), "{}"));
}

// "0 0 1": the classes of the ops, without the return.
std::string classesOf(const std::string& text, const ProblemOptions& options = {}) {
  const Json problem = problemOf(graphOf(text), 1'300'000, options);
  std::string classes;
  for (size_t i = 0; i + 1 < problem["ops"].size(); ++i)
    classes += (i > 0 ? " " : "") + std::to_string(*problem["ops"].at(i).get("class").asInteger());
  return classes;
}

TEST(ProblemClasses, OpsDifferByWhatTheirCandidatesDependOn) {
  const auto start = [] { return GraphText().arg("%a").arg("%b").op("%0", "ttnn.add", {"%a", "%b"}); };
  const auto two = [&](const char* kind, const std::string& attrs, const std::string& other) {
    return start()
        .op("%1", kind, {"%0"}, "", attrs)
        .op("%2", kind, {"%0"}, "", other)
        .op("%3", "ttnn.neg", {"%0"})
        .returning({"%1", "%2", "%3"});
  };
  EXPECT_EQ(classesOf(two("ttnn.exp", "", "")), "0 1 1 2");
  EXPECT_EQ(classesOf(two("ttnn.leaky_relu", "parameter = 0.5 : f32", "parameter = 0.5 : f32")), "0 1 1 2");
  EXPECT_EQ(classesOf(two("ttnn.leaky_relu", "parameter = 0.5 : f32", "parameter = 0.25 : f32")), "0 1 2 3");
  // The first operand dies at %2 and not at %1; of the second operand it does not matter.
  EXPECT_EQ(classesOf(start().op("%1", "ttnn.exp", {"%0"}).op("%2", "ttnn.exp", {"%0"}).returning({"%1", "%2"})),
            "0 1 2");
  const auto second = [&](const char* operand) {
    return start()
        .op("%1", "ttnn.neg", {"%0"})
        .op("%2", "ttnn.subtract", {"%a", "%1"})
        .op("%3", "ttnn.subtract", {"%a", operand})
        .returning({"%2", "%3"});
  };
  EXPECT_EQ(classesOf(second("%1")), "0 1 2 2");
  EXPECT_EQ(classesOf(second("%a")), "0 1 2 3") << "an operand that stands twice";
  // Another shape, element type or kind.
  EXPECT_EQ(classesOf(start().op("%1", "ttnn.exp", {"%a"}).op("%2", "ttnn.abs", {"%a"}).returning({"%0", "%1", "%2"})),
            "0 1 2");
  EXPECT_EQ(classesOf(GraphText()
                          .arg("%a")
                          .arg("%b", "512x256")
                          .op("%0", "ttnn.exp", {"%a"})
                          .op("%1", "ttnn.exp", {"%b"}, "512x256")
                          .returning({"%0", "%1", "%a", "%b"})),
            "0 1");
}

// Where operands start: an argument in L1 is another operand than one in DRAM.
TEST(ProblemClasses, OpsDifferByWhereTheirOperandsStart) {
  const auto text = [](const char* second) {
    return std::string(
               "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n"
               "#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, "
               "#dram>, <interleaved>>\n"
               "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, "
               "#l1>, <block_sharded>>\n"
               "func.func @main(%a: tensor<256x256xbf16, #d>, %b: tensor<256x256xbf16, ") +
           second +
           ">) -> (tensor<256x256xbf16, #d>, tensor<256x256xbf16, #d>) {\n"
           "  %0 = \"ttnn.exp\"(%a) : (tensor<256x256xbf16, #d>) -> tensor<256x256xbf16, #d>\n"
           "  %1 = \"ttnn.exp\"(%b) : (tensor<256x256xbf16, " +
           second +
           ">) -> tensor<256x256xbf16, #d>\n"
           "  return %0, %1 : tensor<256x256xbf16, #d>, tensor<256x256xbf16, #d>\n}\n";
  };
  EXPECT_EQ(classesOf(text("#d")), "0 0");
  EXPECT_EQ(classesOf(text("#s")), "0 1");
}

// An op whose layout the user fixed has its candidates for itself.
TEST(ProblemClasses, AFixedOpIsAClassOfItsOwn) {
  const std::string text = GraphText()
                               .arg("%a")
                               .op("%0", "ttnn.exp", {"%a"})
                               .op("%1", "ttnn.exp", {"%a"})
                               .op("%2", "ttnn.exp", {"%a"})
                               .returning({"%0", "%1", "%2"});
  EXPECT_EQ(classesOf(text), "0 0 0");
  ProblemOptions options;
  options.layoutOverrides = parseLayoutOverrides("%1=l1:interleaved", noDiagnostics());
  EXPECT_EQ(classesOf(text, options), "0 1 0");
  const Json fixed = problemOf(graphOf(text), 1'300'000, options);
  EXPECT_LT(fixed["classes"].at(1).size(), fixed["classes"].at(0).size());
}

// Convolutions that differ in the settings that the user asked for.
TEST(ProblemClasses, SettingsOfConvolutionsTellThemApart) {
  const auto conv = [](const std::string& result, const std::string& loc) {
    return "  " + result +
           " = \"ttnn.conv2d\"(%input, %weight) <{in_channels = 64 : i32, out_channels = 64 : i32, batch_size = 1 : "
           "i32, input_height = 32 : i32, input_width = 32 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: "
           "1, 1>, padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : "
           "(tensor<1x1x1024x64xbf16>, tensor<64x64x1x1xbf16>) -> tensor<1x1x1024x64xbf16> loc(\"" +
           loc + "\")\n";
  };
  const std::string type = "tensor<1x1x1024x64xbf16>";
  const std::string text = "func.func @main(%input: " + type + ", %weight: tensor<64x64x1x1xbf16>) -> (" + type + ", " +
                           type + ") {\n" + conv("%0", "one") + conv("%1", "two") + "  return %0, %1 : " + type + ", " +
                           type + "\n}\n";
  EXPECT_EQ(classesOf(text), "0 0");
  ProblemOptions options;
  options.conv2dOverrides = parseConv2dOverrides("one=act_block_h_override#32", noDiagnostics());
  EXPECT_EQ(classesOf(text, options), "0 1");
  // Each candidate points at the settings that it has, and -1 is none.
  const Json problem = problemOf(graphOf(text), 1'300'000, options);
  size_t said = 0;
  for (size_t i = 0; i < problem["classes"].at(0).size(); ++i) {
    const int64_t number = *problem["classes"].at(0).at(i).get("settings").asInteger();
    ASSERT_LT(number, static_cast<int64_t>(problem["settings"].size()));
    if (number < 0) continue;
    const JsonValue settings = problem["settings"].at(static_cast<size_t>(number));
    EXPECT_EQ(settings.get("conv2d").get("act_block_h_override").asInteger(), 32);
    ++said;
  }
  EXPECT_GT(said, 0u);
}

// A tensor of 8,192 bytes on each core: two tiles of circular buffers move it, into L1 beside what it takes there.
TEST(ProblemConversions, WhatDoesNotFitIsImpossible) {
  const Graph graph = graphOf(GraphText().arg("%a").op("%0", "ttnn.exp", {"%a"}).text());
  struct Case {
    int64_t bytes;
    bool in, out;
  };
  for (const Case& one :
       {Case{4095, false, false}, Case{4096, false, true}, Case{12'287, false, true}, Case{12'288, true, true}}) {
    SCOPED_TRACE(one.bytes);
    const Json problem = problemOf(graph, one.bytes);
    const JsonValue type = problem["types"].at(0), layouts = type.get("layouts"), table = type.get("conversions");
    size_t dram = layouts.size(), l1 = layouts.size();
    for (size_t i = 0; i < layouts.size(); ++i) {
      if (layouts.at(i).asInteger() == type.get("dram").asInteger()) dram = i;
      if (layouts.at(i).asInteger() == type.get("l1Interleaved").asInteger()) l1 = i;
    }
    ASSERT_LT(dram, layouts.size());
    ASSERT_LT(l1, layouts.size());
    EXPECT_EQ(type.get("bytes").at(dram).asInteger(), 0);
    EXPECT_EQ(type.get("bytes").at(l1).asInteger(), 8192);
    EXPECT_EQ(table.at(dram).at(dram).asInteger(), 0);
    EXPECT_EQ(table.at(l1).at(l1).asInteger(), 0);
    const int64_t in = *table.at(dram).at(l1).asInteger(), out = *table.at(l1).at(dram).asInteger();
    EXPECT_TRUE(one.in ? in > 0 : in == -1) << in;
    EXPECT_TRUE(one.out ? out > 0 : out == -1) << out;
  }
}

}  // namespace
}  // namespace tessera::test

// The page's call that executes a plan on simulated memory: what is executed, and what is said where nothing can be.

#include "core/device/device_spec.h"
#include "core/report/report.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

std::string executed(const std::string& text, const std::string& options, const char* field) {
  const Json answer(apiExecutePlan(sharedSession(), text, options));
  EXPECT_EQ(answer["schema"].asInteger(), kReportSchema);
  return std::string(answer[field].asString().value_or("no text"));
}

TEST(ApiExecute, ThePlanOfAPolicyIsExecuted) {
  EXPECT_EQ(executed(kRelu, R"({"policy": "Greedy"})", "verdict"), "equal");
  EXPECT_EQ(executed(kRelu, R"({"policy": "Greedy"})", "policy"), "Greedy");
  EXPECT_EQ(executed(kRelu, R"({"policy": "DRAM"})", "policy"), "DRAM");
  EXPECT_NE(executed(kRelu, R"({"policy": "DRAM"})", "text"), "");
}

TEST(ApiExecute, APlanThatIsGivenIsExecutedOnTheGraphAsItIs) {
  const std::string given = R"({"policy": "Greedy", "plan": {"schema": 1, "policy": "mine"}})";
  EXPECT_EQ(executed(kRelu, given, "verdict"), "equal");
  EXPECT_EQ(executed(kRelu, given, "note"), "the plan that was given, on the graph as it is");
  EXPECT_NE(executed(kRelu, R"({"policy": "Greedy"})", "note"), "the plan that was given, on the graph as it is");
  EXPECT_NE(executed(kRelu, R"({"policy": "Greedy", "plan": null})", "note"),
            "the plan that was given, on the graph as it is");
}

// There is nothing to compare, and no page to put it on.
TEST(ApiExecute, EmptyTensorsAreNotExecuted) {
  const std::string text =
      "func.func @main(%a: tensor<0x64xbf16>) -> tensor<0x64xbf16> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<0x64xbf16>) -> tensor<0x64xbf16>\n  return %0 : tensor<0x64xbf16>\n}\n";
  EXPECT_EQ(executed(text, R"({"policy": "DRAM"})", "verdict"), "not_executed");
  EXPECT_NE(executed(text, R"({"policy": "DRAM"})", "text").find("the tensor is empty"), std::string::npos);
}

// Prepared weights keep their elements when they are executed; a type that has room for more is not filled.
TEST(ApiExecute, ATypeOfMoreElementsIsNotWritten) {
  const std::string weights = "tensor<8x8x1x1xbf16>", prepared = "tensor<1x1x64x64xbf16>";
  const std::string text =
      "func.func @main(%w: " + weights + ") -> " + prepared +
      " {\n  %d = \"ttnn.get_device\"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device\n"
      "  %0 = \"ttnn.prepare_conv2d_weights\"(%w, %d) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 "
      ": "
      "i32, has_bias = false, in_channels = 8 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = "
      "array<i32: 1, 1>, out_channels = 8 : i32, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>, weights_format "
      "= "
      "\"OIHW\"}> : (" +
      weights + ", !ttnn.device) -> " + prepared + "\n  return %0 : " + prepared + "\n}\n";
  EXPECT_EQ(executed(text, R"({"policy": "DRAM"})", "verdict"), "not_executed");
  EXPECT_NE(executed(text, R"({"policy": "DRAM"})", "text").find("has fewer elements than its type"),
            std::string::npos);
}

TEST(ApiExecute, WithoutARunItSaysSo) {
  const std::pair<std::string, std::string> kUnreadable[] = {
      {"func.func @main( oops", "{}"},
      {kRelu, R"({"policy": "Nobody"})"},
      {kRelu, R"({"policy": "Greedy", "no-such-option": 1, "plan": {"schema": 1}})"},
      {"", "{}"},
  };
  for (const auto& [text, options] : kUnreadable) {
    EXPECT_EQ(executed(text, options, "verdict"), "not_executed") << options;
    EXPECT_EQ(executed(text, options, "policy"), "");
    EXPECT_NE(executed(text, options, "text").find("there is no run"), std::string::npos)
        << executed(text, options, "text");
    EXPECT_EQ(executed(text, options, "note"), "");
  }
}

}  // namespace
}  // namespace tessera::test

// Words about results where there is nothing to say: no plan has given the results layouts.

#include "core/transform/result_attributes.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(WithoutLayouts, ResultsWithoutALayoutGetNoWords) {
  const std::string type = "tensor<64x64xbf16>";
  const Graph graph = graphOf("func.func @main(%a: " + type + ") -> " + type + " {\n  %0 = \"ttnn.add\"(%a, %a) : (" +
                              type + ", " + type + ") -> " + type + "\n  %1 = \"ttnn.relu\"(%0) : (" + type + ") -> " +
                              type + "\n  return %1 : " + type + "\n}\n");
  const DeviceSpec& device = allDevices()[0];
  const auto wordsOf = [&](const Graph& given, const char* name, const char* attribute) {
    const Graph said = withResultAttributes(given, device, true);
    const AttrValue* words = findAttr(said.ops[producerOf(said, name)], attribute);
    return words ? words->text : "none";
  };
  for (const char* name : {"0", "1"}) {
    EXPECT_EQ(wordsOf(graph, name, "memory_config"), "none");
    EXPECT_EQ(wordsOf(graph, name, "dtype"), "none");
  }
  Graph placed = graph;
  const ValueId sum = valueNamed(placed, "0");
  placed.values.edit(sum).type.tensor->layout =
      layoutFor(placed, sum, BufferType::DRAM, TensorMemoryLayout::Interleaved, {}, device);
  EXPECT_EQ(wordsOf(placed, "0", "dtype"), "#ttcore.supportedDataTypes<bf16>");
  EXPECT_EQ(wordsOf(placed, "1", "dtype"), "none");
}

}  // namespace
}  // namespace tessera::test

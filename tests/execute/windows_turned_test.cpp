// Transposed convolutions, dims put in and taken out, and constants whose numbers were left out of the text: by hand.

#include "core/execute/interpreter.h"
#include "core/ir/constant_value.h"
#include "tests/execute/numbers.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

Execution executedOp(const std::string& op, const std::string& properties, const std::vector<Numbers>& in,
                     const std::string& result) {
  std::string heads, names, types;
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < in.size(); ++i) {
    const std::string name = "%a" + std::to_string(i), comma = i > 0 ? ", " : "";
    heads += comma + name + ": " + in[i].type, names += comma + name, types += comma + in[i].type;
    inputs.push_back(in[i].tensor);
  }
  const Imported imported =
      importText("func.func @main(" + heads + ") -> " + result + " {\n  %r = \"" + op + "\"(" + names + ") <{" +
                 properties + "}> : (" + types + ") -> " + result + "\n  return %r : " + result + "\n}\n");
  EXPECT_TRUE(imported.graph) << imported.report();
  return imported.graph ? execute(*imported.graph, inputs) : Execution();
}

// Elements a stride apart, zeros between them; the kernel moves over that as it lies.
TEST(TurnedWindows, TransposedConvolutionsSpreadTheirInput) {
  const auto turned = [](const std::string& sides, const std::string& image, const std::string& kernel,
                         const std::string& result, int groups = 1) {
    const Numbers out = numbers(result);
    expectResults(
        executedOp("ttir.conv_transpose2d",
                   sides + ", output_padding = array<i32: 0, 0>, groups = " + std::to_string(groups) + " : i32",
                   {numbers(image), numbers(kernel)}, out.type),
        {out});
  };
  const auto sides = [](const std::string& stride, const std::string& padding, const std::string& dilation) {
    return "stride = array<i32: " + stride + ">, padding = array<i32: " + padding +
           ">, dilation = array<i32: " + dilation + ">";
  };
  // 0 1 0 2 0 under [10, 1].
  turned(sides("1, 2", "0, 0, 0, 0", "1, 1"), "f32 1x1x2x1: 1 2", "f32 1x1x1x2: 10 1", "f32 1x1x4x1: 1 10 2 20");
  turned(sides("2, 1", "0, 0, 0, 0", "1, 1"), "f32 1x2x1x1: 1 2", "f32 1x1x2x1: 10 1", "f32 1x4x1x1: 1 10 2 20");
  // Without a stride: 0 1 2 0; a padding takes as much off the left.
  turned(sides("1, 1", "0, 0, 0, 0", "1, 1"), "f32 1x1x2x1: 1 2", "f32 1x1x1x2: 10 1", "f32 1x1x3x1: 1 12 20");
  turned(sides("1, 1", "0, 1, 0, 0", "1, 1"), "f32 1x1x2x1: 1 2", "f32 1x1x1x2: 10 1", "f32 1x1x2x1: 12 20");
  turned(sides("1, 1", "0, 0, 0, 1", "1, 1"), "f32 1x1x2x1: 1 2", "f32 1x1x1x2: 10 1", "f32 1x1x2x1: 1 12");
  // The two of the kernel two apart: 0 0 1 2 0 0.
  turned(sides("1, 1", "0, 0, 0, 0", "1, 2"), "f32 1x1x2x1: 1 2", "f32 1x1x1x2: 10 1", "f32 1x1x4x1: 1 2 10 20");
  // Two channels of the input, each a group with an output of its own, or both of one.
  turned(sides("1, 1", "0, 0, 0, 0", "1, 1"), "f32 1x1x1x2: 2 3", "f32 2x1x1x1: 10 100", "f32 1x1x1x2: 20 300", 2);
  turned(sides("1, 1", "0, 0, 0, 0", "1, 1"), "f32 1x1x1x2: 2 3", "f32 2x1x1x1: 10 100", "f32 1x1x1x1: 320");
  turned(sides("1, 1", "0, 0, 0, 0", "1, 1"), "f32 1x1x1x2: 2 3", "f32 2x2x1x1: 1 10 100 1000",
         "f32 1x1x1x2: 302 3020");
  // Two groups of two channels each: 2 * 1 + 3 * 10 and 4 * 100 + 5 * 1000.
  turned(sides("1, 1", "0, 0, 0, 0", "1, 1"), "f32 1x1x1x4: 2 3 4 5", "f32 4x1x1x1: 1 10 100 1000",
         "f32 1x1x1x2: 32 5400", 2);
}

// The four paddings of TTNN are top, bottom, left, right; the image is one row after the other. Without padding a row
// [1, 2] under [10, 1] is 1 12 20.
TEST(TurnedWindows, PaddingsOfTtnnAreInItsOwnOrder) {
  const auto turned = [](const std::string& padding, const std::string& result) {
    const Numbers out = numbers(result);
    expectResults(executedOp("ttnn.conv_transpose2d",
                             "stride = array<i32: 1, 1>, dilation = array<i32: 1, 1>, output_padding = array<i32: 0, "
                             "0>, groups = 1 : i32, batch_size = 1 : i32, input_height = 1 : i32, input_width = 2 : "
                             "i32, in_channels = 1 : i32, out_channels = 1 : i32, kernel_size = array<i32: 1, 2>, "
                             "padding = array<i32: " +
                                 padding + ">",
                             {numbers("f32 1x1x2x1: 1 2"), numbers("f32 1x1x1x2: 10 1")}, out.type),
                  {out});
  };
  turned("0, 0", "f32 1x1x3x1: 1 12 20");
  turned("0, 0, 1, 0", "f32 1x1x2x1: 12 20");
  turned("0, 0, 0, 1", "f32 1x1x2x1: 1 12");
}

TEST(TurnedWindows, DimsOfOneComeAndGo) {
  const std::string six = ": 1 2 3 4 5 6";
  const auto moved = [&](const std::string& op, const std::string& dim, const std::string& from,
                         const std::string& to) {
    const Numbers out = numbers("f32 " + to + six);
    expectResults(executedOp(op, "dim = " + dim + " : si32", {numbers("f32 " + from + six)}, out.type), {out});
  };
  moved("ttir.unsqueeze", "0", "2x3", "1x2x3");
  moved("ttir.unsqueeze", "1", "2x3", "2x1x3");
  moved("ttir.unsqueeze", "2", "2x3", "2x3x1");
  moved("ttir.unsqueeze", "-1", "2x3", "2x3x1");
  moved("ttir.squeeze", "0", "1x2x3", "2x3");
  moved("ttir.squeeze", "1", "2x1x3", "2x3");
  moved("ttir.squeeze", "-1", "2x3x1", "2x3");
}

// Rows that a constant names lie in the table that is read, however the seed falls.
TEST(NeededConstants, NamedRowsLieInTheTable) {
  const Imported imported = importText(
      "func.func @main(%t: tensor<3x4xf32>) -> tensor<50x4xf32> {\n"
      "  %i = \"ttir.constant\"() <{value = dense_resource<rows> : tensor<50xsi32>}> : () -> tensor<50xsi32>\n"
      "  %r = \"ttir.embedding\"(%i, %t) : (tensor<50xsi32>, tensor<3x4xf32>) -> tensor<50x4xf32>\n"
      "  return %r : tensor<50x4xf32>\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  std::vector<std::string> texts;
  for (const uint64_t seed : {1, 1, 2}) {
    const Graph graph = withNeededConstants(*imported.graph, seed);
    const Op& op = graph.ops[graph.funcs[graph.forward].ops[0]];
    const AttrValue* value = findAttr(op, "value");
    ASSERT_NE(value, nullptr);
    texts.push_back(value->text);
    EXPECT_EQ(value->text.substr(value->text.rfind(" : ")), " : tensor<50xsi32>");
    const std::optional<ConstantValue> read = readConstant(value->text, DType::I32, 50);
    ASSERT_TRUE(read) << value->text;
    ASSERT_EQ(read->integers.size(), 50u);
    int64_t counts[3] = {};
    for (const int64_t row : read->integers) {
      ASSERT_TRUE(row >= 0 && row < 3) << row;
      ++counts[row];
    }
    for (const int64_t count : counts) EXPECT_GT(count, 0);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0], texts[2]);
}

}  // namespace
}  // namespace tessera::test

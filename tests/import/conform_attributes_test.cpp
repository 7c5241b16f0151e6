// Attributes in the types of the ops' definitions, and names of the revision that is printed for.

#include "core/import/conform_attributes.h"
#include "tests/import/import_testing.h"

namespace tessera {
namespace {

// One op of the value %x as it is printed, from its name to its types.
std::string conformed(const std::string& op, const std::string& in, const std::string& out, bool decomposed = false) {
  const size_t brace = op.find(' ');
  const std::string x = "tensor<" + in + ">", y = "tensor<" + out + ">";
  Imported imported =
      importText("func.func @main(%x: " + x + ") -> " + y + " {\n  %0 = \"" + op.substr(0, brace) + "\"(%x)" +
                 op.substr(brace) + " : (" + x + ") -> " + y + "\n  return %0 : " + y + "\n}\n");
  if (!imported.graph) return imported.report();
  conformAttributes(*imported.graph, decomposed);
  const std::string text = exportMlir(*imported.graph);
  const size_t from = text.find("= \"ttnn") + 2;
  return text.substr(from, text.find(" : (", from) - from);
}

TEST(ConformAttributes, DefaultsAreSaid) {
  EXPECT_EQ(conformed("ttnn.softmax <{dimension = 1 : si32}>", "4x8xbf16", "4x8xbf16"),
            R"("ttnn.softmax"(%x) <{dimension = 1 : si32, numericStable = false}>)");
  EXPECT_EQ(conformed("ttnn.softmax <{dimension = 1 : si32, numericStable = true}>", "4x8xbf16", "4x8xbf16"),
            R"("ttnn.softmax"(%x) <{dimension = 1 : si32, numericStable = true}>)");
}

TEST(ConformAttributes, NumbersAndListsHaveTheTypeOfTheDefinition) {
  EXPECT_EQ(conformed("ttnn.sum <{dim_arg = array<i64: 1>, keep_dim = true}>", "4x8xbf16", "4x1xbf16"),
            R"("ttnn.sum"(%x) <{dim_arg = [1 : i32], keep_dim = true}>)");
  EXPECT_EQ(conformed("ttnn.reshape <{shape = array<i32: 8, 4>}>", "4x8xbf16", "8x4xbf16"),
            R"("ttnn.reshape"(%x) <{shape = [8 : i32, 4 : i32]}>)");
  EXPECT_EQ(conformed("ttnn.permute <{permutation = [1 : i32, 0 : i32]}>", "4x8xbf16", "8x4xbf16"),
            R"("ttnn.permute"(%x) <{permutation = array<i64: 1, 0>}>)");
}

// One of two types by what is said; the op's name is of today.
TEST(ConformAttributes, ANumberOrAList) {
  EXPECT_EQ(conformed("ttnn.upsample2d <{scale_factor = 2 : i32}>", "1x4x4x32xbf16", "1x8x8x32xbf16"),
            R"("ttnn.upsample"(%x) <{mode = "nearest", scale_factor = 2 : si32}>)");
  EXPECT_EQ(conformed(R"(ttnn.upsample2d <{mode = "bilinear", scale_factor = array<i64: 2, 2>}>)", "1x4x4x32xbf16",
                      "1x8x8x32xbf16"),
            R"("ttnn.upsample"(%x) <{mode = "bilinear", scale_factor = array<i32: 2, 2>}>)");
}

// A negative number stays what it is where the definition has signs, and gets its type; where it has none the number is
// left as the text has it, since no such value exists. The boundary is 0.
TEST(ConformAttributes, NegativeNumbersAreLeftToTypesWithoutSign) {
  const auto dim = [](const std::string& number) {
    return conformed("ttnn.cumsum <{dim = " + number + "}>", "4x8xbf16", "4x8xbf16");
  };
  const auto seed = [](const std::string& number) {
    const std::string text = conformed("ttnn.dropout <{seed = " + number + "}>", "4x8xbf16", "4x8xbf16");
    const size_t from = text.find("seed = ");
    return text.substr(from, text.find(',', from) - from);
  };
  for (const std::string type : {"i64", "i32", "si64", "si32", "ui32", "si8"}) {
    EXPECT_EQ(dim("1 : " + type), R"("ttnn.cumsum"(%x) <{dim = 1 : si32}>)") << type;
    EXPECT_EQ(seed("1 : " + type), "seed = 1 : ui32") << type;
    EXPECT_EQ(seed("0 : " + type), "seed = 0 : ui32") << type;
  }
  for (const std::string type : {"i64", "i32", "si64", "si32", "si8"}) {
    EXPECT_EQ(dim("-1 : " + type), R"("ttnn.cumsum"(%x) <{dim = -1 : si32}>)") << type;
    EXPECT_EQ(dim("-2 : " + type), R"("ttnn.cumsum"(%x) <{dim = -2 : si32}>)") << type;
    EXPECT_EQ(seed("-1 : " + type), "seed = -1 : " + type);
  }
}

// The type alone says where a tensor lies; until layouts are taken apart a change of more than pages is another op.
TEST(ConformAttributes, LayoutsAreSaidByTheType) {
  const std::string more = "ttnn.to_layout <{dtype = #ttcore.supportedDataTypes<f32>, layout = #ttnn.layout<tile>}>";
  EXPECT_EQ(conformed(more, "4x8xbf16", "4x8xf32"), R"("ttnn.to_tensor_spec"(%x))");
  EXPECT_EQ(conformed(more, "4x8xbf16", "4x8xf32", true), R"("ttnn.to_layout"(%x))");
  EXPECT_EQ(conformed("ttnn.to_layout <{layout = #ttnn.layout<tile>}>", "4x8xbf16", "4x8xbf16"),
            R"("ttnn.to_layout"(%x))");
  EXPECT_EQ(conformed("ttnn.relu <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}>", "4x8xbf16", "4x8xbf16")
                    .find("memory_config") != std::string::npos,
            true);
}

}  // namespace
}  // namespace tessera

#include "tests/text/text_helpers.h"

namespace tessera::text {
namespace {

std::string dimsOf(const Parsed& parsed, const Type& type) {
  std::string out;
  for (uint32_t i = 0; i < type.dims.count; ++i)
    out += (i > 0 ? "," : "") + std::to_string(parsed.tree.ints[type.dims.first + i]);
  return out;
}

TEST(Types, TensorDimensions) {
  struct Case {
    const char* text;
    const char* dims;
    const char* element;
  };
  const Case cases[] = {
      {"tensor<32x1x2048xbf16>", "32,1,2048", "bf16"},
      {"tensor<f32>", "", "f32"},
      {"tensor<0x12xf32>", "0,12", "f32"},
      {"tensor<0xf32>", "0", "f32"},
      {"tensor<0xbf16>", "0", "bf16"},
      {"tensor<?x4x?xf32>", "-1,4,-1", "f32"},
      {"tensor<?x?x?x?xbf16>", "-1,-1,-1,-1", "bf16"},
      {"tensor<4x!ttcore.tile<32x32, bf16>>", "4", "!ttcore.tile<32x32, bf16>"},
      {"tensor<4x!t>", "4", "!t"},
      {"tensor<!ttcore.tile<32x32, bf16>>", "", "!ttcore.tile<32x32, bf16>"},
      {"tensor<2xcomplex<f32>>", "2", "complex<f32>"},
      {"tensor<2x3xvector<4xf32>>", "2,3", "vector<4xf32>"},
      {"tensor<9223372036854775807xi8>", "9223372036854775807", "i8"},
      {"tensor<64x128xbfp8>", "64,128", "bfp8"},
  };
  for (const Case& c : cases) {
    Parsed parsed = parseClean("!t = i32\n!it = " + std::string(c.text));
    TypeId id = parsed.tree.aliases.at(1).type;
    const Type& type = parsed.tree.types[id];
    EXPECT_EQ(type.kind, TypeKind::Tensor) << c.text;
    EXPECT_EQ(dimsOf(parsed, type), c.dims) << c.text;
    EXPECT_EQ(printType(parsed.tree, type.element), c.element) << c.text;
    EXPECT_EQ(printType(parsed.tree, id), c.text);
    EXPECT_EQ(type.text, c.text);
    expectStable(parsed);
  }
}

TEST(Types, SpacesBetweenDimensions) {
  Parsed parsed = parseClean("!it = tensor<32 x 4 x f32>");
  EXPECT_EQ(printType(parsed.tree, parsed.tree.aliases[0].type), "tensor<32x4xf32>");
}

TEST(Types, Encodings) {
  Parsed parsed = parseClean("#l = 1\n!it = tensor<4xf32, #l>\n!other = tensor<4xf32, #d.x<(d0) -> (d0)>>\n");
  const Type& alias = parsed.tree.types[parsed.tree.aliases[1].type];
  EXPECT_EQ(parsed.attr(alias.encoding).kind, AttrKind::Alias);
  EXPECT_EQ(parsed.attr(parsed.tree.resolve(alias.encoding)).integer, 1);
  EXPECT_EQ(parsed.attr(parsed.tree.types[parsed.tree.aliases[2].type].encoding).name, "d.x");
}

TEST(Types, OtherKinds) {
  struct Case {
    const char* text;
    TypeKind kind;
  };
  const Case cases[] = {
      {"bf16", TypeKind::Scalar},
      {"index", TypeKind::Scalar},
      {"memref<4x4x!ttcore.tile<32x32, bf16>, #l1>", TypeKind::Opaque},
      {"tuple<i32, tensor<4xf32>>", TypeKind::Opaque},
      {"vector<[4]xf32>", TypeKind::Opaque},
      {"tensor<*xf32>", TypeKind::Opaque},
      {"!ttnn.device", TypeKind::Dialect},
      {"!ttcore.tile<32x32, bf16>", TypeKind::Dialect},
      {"!alias", TypeKind::Alias},
      {"() -> ()", TypeKind::Function},
      {"(i32, tensor<4xf32>) -> (f32, i1)", TypeKind::Function},
      {"(i32) -> ((f32) -> i1)", TypeKind::Function},
  };
  for (const Case& c : cases) {
    Parsed parsed = parseClean("!alias = i1\n!it = " + std::string(c.text));
    TypeId id = parsed.tree.aliases.at(1).type;
    EXPECT_EQ(parsed.tree.types[id].kind, c.kind) << c.text;
    EXPECT_EQ(printType(parsed.tree, id), c.text);
    expectStable(parsed);
  }
}

TEST(Types, DialectNameAndBody) {
  Parsed parsed = parseClean("!it = !ttcore.tile<32x32, bf16>");
  const Type& type = parsed.tree.types[parsed.tree.aliases[0].type];
  EXPECT_EQ(type.name, "ttcore.tile");
  EXPECT_EQ(type.body, "32x32, bf16");
}

}  // namespace
}  // namespace tessera::text

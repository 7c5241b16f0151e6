// Every mistake of MLIR input that the importer reports, with place and wording.

#include "tests/import/import_testing.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::string report;  // the whole report, or its first lines when it ends in "..."
};

std::string inBody(const std::string& body) {
  return "func.func @f(%a: tensor<32x64xbf16>) -> tensor<32x64xbf16> {\n" + body +
         "return %a : tensor<32x64xbf16>\n}\n";
}

const std::vector<Case>& cases() {
  static const std::string t = "tensor<32x64xbf16>";
  static const std::vector<Case> list = {
      {"undefined", inBody("%0 = \"ttir.abs\"(%nope) : (" + t + ") -> " + t + "\n"),
       "UndefinedValue 2:17 `%nope` is used before it is defined\n  nothing in this function is called `%nope`\n"},
      {"used before definition",
       inBody("%0 = \"ttir.abs\"(%1) : (" + t + ") -> " + t + "\n%1 = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n"),
       "UndefinedValue 2:17 `%1` is used before it is defined\n  it is defined further down\n"},
      {"own result", inBody("%0 = \"ttir.abs\"(%0) : (" + t + ") -> " + t + "\n"),
       "CyclicUse 2:17 `%0` depends on itself\n"},
      {"cycle of two",
       inBody("%0 = \"ttir.abs\"(%1) : (" + t + ") -> " + t + "\n%1 = \"ttir.abs\"(%0) : (" + t + ") -> " + t + "\n"),
       "CyclicUse 2:17 `%1` depends on itself\n"},
      {"duplicate value",
       inBody("%0 = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n%0 = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n"),
       "DuplicateValue 3:1 `%0` is defined twice\n"},
      {"value named as argument", inBody("%a = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n"),
       "DuplicateValue 2:1 `%a` is defined twice\n"},
      {"duplicate function", "func.func private @f()\nfunc.func @f() {\nreturn\n}\n",
       "DuplicateFunction 2:1 function `@f` is defined twice\n..."},
      {"no function", "module {\n}\n", "NoFunction 1:1 the input holds no function with a body\n"},
      {"operand type", inBody("%0 = \"ttir.abs\"(%a) : (tensor<32x65xbf16>) -> tensor<32x65xbf16>\n"),
       "OperandTypeMismatch 2:17 operand 0 of `ttir.abs` has type `tensor<32x64xbf16>` where it is defined and "
       "`tensor<32x65xbf16>` here\n..."},
      {"operand count", inBody("%0 = \"ttir.abs\"(%a) : (" + t + ", " + t + ") -> " + t + "\n"),
       "OperandCountMismatch 2:1 `ttir.abs` has 1 operands, its type lists 2\n..."},
      {"result count", inBody("%0:2 = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n"),
       "ResultCountMismatch 2:1 `ttir.abs` names 2 results, its type lists 1\n..."},
      {"two names for a tuple", inBody("%0:2 = stablehlo.tuple %a, %a : tuple<" + t + ", " + t + ">\n"),
       "ResultCountMismatch 2:1 `stablehlo.tuple` names 2 results, its type lists 1\n..."},
      {"too many operands", inBody("%0 = \"ttir.abs\"(%a, %a, %a) : (" + t + ", " + t + ", " + t + ") -> " + t + "\n"),
       "WrongOperandCount 2:1 `ttir.abs` takes 1 to 2 operands, not 3\n"},
      {"too few operands", inBody("%0 = \"ttir.add\"(%a) : (" + t + ") -> " + t + "\n"),
       "WrongOperandCount 2:1 `ttir.add` takes 2 to 3 operands, not 1\n"},
      {"missing result", inBody("\"ttir.abs\"(%a) : (" + t + ") -> ()\n"),
       "WrongResultCount 2:1 `ttir.abs` has 1 results, not 0\n"},
      {"result number",
       inBody("%0 = \"ttir.abs\"(%a) : (" + t + ") -> " + t + "\n%1 = \"ttir.abs\"(%0#1) : (" + t + ") -> " + t + "\n"),
       "WrongResultCount 3:17 `%0` has 1 results, not 2\n..."},
      {"shape", inBody("%0 = \"ttir.abs\"(%a) : (" + t + ") -> tensor<32x63xbf16>\n"),
       "ShapeMismatch 2:1 `ttir.abs`: the result is 32x63, expected 32x64 (element-wise on 32x64)\n"},
      {"missing attribute", inBody("%0 = \"ttir.permute\"(%a) : (" + t + ") -> " + t + "\n"),
       "MissingAttribute 2:1 `ttir.permute` needs the attribute `permutation`\n"},
      {"bad attribute",
       inBody("%0 = \"ttir.permute\"(%a) {permutation = array<i64: 0, 0>} : (" + t + ") -> " + t + "\n"),
       "BadAttribute 2:1 attribute `permutation` of `ttir.permute` is `array<i64: 0, 0>`, expected every dim of 32x64 "
       "once\n"},
      {"a device alone",
       inBody("%d = \"ttnn.get_device\"() : () -> !ttnn.device\n%0 = \"ttnn.all_gather\"(%d) <{all_gather_dim = 0 : "
              "si32, cluster_axis = 0 : ui32}> : (!ttnn.device) -> " +
              t + "\n"),
       "ShapeMismatch 3:1 `ttnn.all_gather`: operand 0 is no tensor\n"},
      {"a float for an integer",
       inBody("%0 = \"ttir.softmax\"(%a) <{dimension = 1.0 : f32}> : (" + t + ") -> " + t + "\n"),
       "BadAttribute 2:1 attribute `dimension` of `ttir.softmax` is `1.000000e+00 : f32`, expected si32\n"},
      {"a word for an integer", inBody("%0 = \"ttir.softmax\"(%a) <{dimension = \"1\"}> : (" + t + ") -> " + t + "\n"),
       "BadAttribute 2:1 attribute `dimension` of `ttir.softmax` is `\"1\"`, expected si32\n"},
      {"a float for a truth",
       inBody("%0 = \"ttir.softmax\"(%a) <{dimension = 1 : si32, numericStable = 1.0 : f32}> : (" + t + ") -> " + t +
              "\n"),
       "BadAttribute 2:1 attribute `numericStable` of `ttir.softmax` is `1.000000e+00 : f32`, expected bool\n"},
      {"a list for a float",
       inBody("%0 = \"ttir.leaky_relu\"(%a) <{parameter = [1 : i32]}> : (" + t + ") -> " + t + "\n"),
       "BadAttribute 2:1 attribute `parameter` of `ttir.leaky_relu` is `[1 : i32]`, expected f32\n"},
      {"a word for a list",
       inBody("%0 = \"ttir.permute\"(%a) <{permutation = \"1, 0\"}> : (" + t + ") -> tensor<64x32xbf16>\n"),
       "BadAttribute 2:1 attribute `permutation` of `ttir.permute` is `\"1, 0\"`, expected array<i64>\n"},
      {"attribute twice", inBody("%0 = \"ttir.abs\"(%a) <{x = 1 : i32}> {x = 2 : i32} : (" + t + ") -> " + t + "\n"),
       "BadAttribute 2:1 attribute `x` of `ttir.abs` is there twice, expected one value\n"},
      {"dynamic dim", "func.func @f(%a: tensor<?x4xf32>) {\nreturn\n}\n",
       "BadTensorType 1:18 tensor type `tensor<?x4xf32>`: dynamic dims are not read, every dim must be a number\n"
       "  export the model for fixed sizes: jax.jit(f).lower() on arrays of the real shapes, torch.export without "
       "dynamic_shapes\n"},
      {"too many elements", "func.func @f(%a: tensor<4294967296x4294967296xf32>) {\nreturn\n}\n",
       "BadTensorType 1:18 tensor type `tensor<4294967296x4294967296xf32>`: the number of elements does not fit 63 "
       "bits\n"},
      {"unranked", "func.func @f(%a: tensor<*xf32>) {\nreturn\n}\n",
       "BadTensorType 1:18 tensor type `tensor<*xf32>`: only ranked tensors are read\n"},
      {"unranked operand",
       "func.func @f(%a: tensor<*xf32>) -> tensor<4xf32> {\n"
       "%0 = \"ttir.abs\"(%a) : (tensor<*xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n",
       "BadTensorType 1:18 tensor type `tensor<*xf32>`: only ranked tensors are read\n"},
      {"layout", "func.func @f(%a: tensor<32x32xbf16, #ttnn.ttnn_layout<nonsense>>) {\nreturn\n}\n",
       "BadLayout 1:18 layout attribute: ..."},
      {"return types", "func.func @f(%a: tensor<4xf32>) -> tensor<5xf32> {\nreturn %a : tensor<4xf32>\n}\n",
       "ReturnMismatch 2:1 `return` gives `tensor<4xf32>`, function `@f` declares `tensor<5xf32>`\n"},
      {"return count", "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\nreturn\n}\n",
       "ReturnMismatch 2:1 `return` gives nothing, function `@f` declares `tensor<4xf32>`\n"},
      {"no return", "func.func @f(%a: tensor<4xf32>) {\n%0 = \"ttir.abs\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n}\n",
       "MissingReturn 1:1 function `@f` does not end with `return`\n"},
      {"op after return",
       "func.func @f(%a: tensor<4xf32>) {\nreturn\n%0 = \"ttir.abs\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n}\n",
       "MissingReturn 2:1 function `@f` does not end with `return`\n"},
      {"several blocks", "func.func @f() {\n  \"cf.br\"()[^bb1] : () -> ()\n^bb1:\n  return\n}\n",
       "SeveralBlocks 1:1 function `@f` has 2 blocks; only functions of one block are read\n"},
      {"call operands", "func.func private @g(tensor<4xf32>)\nfunc.func @f() {\ncall @g() : () -> ()\nreturn\n}\n",
       "WrongOperandCount 3:1 `func.call` takes 1 operands, not 0\n"},
      {"call results", "func.func private @g() -> tensor<4xf32>\nfunc.func @f() {\ncall @g() : () -> ()\nreturn\n}\n",
       "WrongResultCount 3:1 `func.call` has 1 results, not 0\n"},
      {"call types",
       "func.func private @g(tensor<4xf32>)\nfunc.func @f(%a: tensor<5xf32>) {\ncall @g(%a) : (tensor<5xf32>) -> "
       "()\nreturn\n}\n",
       "ShapeMismatch 3:1 `func.call`: operand 0 is `tensor<5xf32>`, the function declares `tensor<4xf32>`\n"},
      {"stray op", "module {\n\"x.y\"() : () -> ()\nfunc.func @f() {\nreturn\n}\n}\n",
       "StrayOp 2:1 `x.y` stands outside of every function and is not read\n"},
      {"bare undefined", "%0 = \"ttir.abs\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n",
       "MissingValue 1:17 `%a` is used but defined nowhere: taken as one more argument of `@main`\n"},
      {"undefined without type", "%0 = ttir.abs %a : tensor<4xf32>\n",
       "UndefinedValue 1:15 `%a` is used before it is defined\n..."},
  };
  return list;
}

TEST(ImportErrors, EveryMistakeHasItsReport) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Imported imported = importText(c.text);
    std::string wanted = c.report;
    std::string seen = imported.report();
    bool open = wanted.size() > 3 && wanted.compare(wanted.size() - 3, 3, "...") == 0;
    if (open) {
      wanted.resize(wanted.size() - 3);
      seen = seen.substr(0, wanted.size());
    }
    EXPECT_EQ(seen, wanted) << imported.report();
    EXPECT_EQ(imported.graph.has_value(), !imported.diags.hasErrors());
  }
}

TEST(ImportErrors, AllMistakesOfAFileAreCollected) {
  Imported imported = importBody(
      "%0 = \"ttir.abs\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n%1 = \"ttir.abs\"(%y) : (tensor<4xf32>) -> "
      "tensor<4xf32>\n"
      "%2 = \"ttir.permute\"(%a) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>\nreturn %a : tensor<32x64xbf16>\n");
  EXPECT_GE(imported.diags.errorCount(), 3u) << imported.report();
  EXPECT_FALSE(imported.graph);
}

TEST(ImportErrors, TheOpLimitHolds) {
  if (test::smallTests()) GTEST_SKIP() << "20 MB of text: not under sanitizers";
  // One op more than the limit, as short as possible.
  std::string text = "func.func @f() {\n";
  text.reserve(20u << 20);
  for (size_t i = 0; i <= kMaxGraphOps; ++i) text += "\"x.y\"():()->()\n";
  text += "return\n}\n";
  Imported imported = importText(std::move(text));
  EXPECT_TRUE(imported.has(DiagKind::TooManyOps));
  EXPECT_FALSE(imported.graph);
}

TEST(ImportErrors, AliasesThatGrowWithoutEndAreStopped) {
  std::string text = "#a0 = #x.y<[0123456789, 0123456789]>\n";
  for (int i = 1; i < 40; ++i) {
    std::string before = "#a" + std::to_string(i - 1);
    text += "#a" + std::to_string(i) + " = #x.y<[" + before + ", " + before + "]>\n";
  }
  text += "func.func @f() attributes {x = #a39} {\nreturn\n}\n";
  Imported imported = importText(text);
  EXPECT_FALSE(imported.graph &&
               imported.graph->funcs[imported.graph->forward].attrs[0].value.text.size() > (2u << 20));
  EXPECT_TRUE(imported.has(DiagKind::AliasTooLarge)) << imported.report();
}

TEST(ImportErrors, TruncatedInputNeverCrashes) {
  std::string whole = inBody(
      "%0:2 = \"ttir.sort\"(%a) <{dim = -1 : si32}> {loc = @x::@y} : (tensor<32x64xbf16>) -> (tensor<32x64xbf16>, "
      "tensor<32x64xi32>) loc(\"s\")\n");
  for (size_t length = 0; length < whole.size(); ++length) {
    Imported imported = importText(whole.substr(0, length));
    EXPECT_EQ(imported.graph.has_value(), !imported.diags.hasErrors()) << length;
  }
}

}  // namespace
}  // namespace tessera

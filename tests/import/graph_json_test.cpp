// Graph JSON: the documented example, plain attribute values, and every schema mistake with place and path.

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

TEST(GraphJson, TheDocumentedExampleImports) {
  std::string page = readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "docs" / "graph-json.md");
  size_t begin = page.find("```json\n");
  ASSERT_NE(begin, std::string::npos);
  begin += 8;
  Imported imported = importJson(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  const Graph& graph = *imported.graph;
  EXPECT_EQ(graph.ops.size(), 3u);
  EXPECT_EQ(graph.ops[OpId{0}].kind, OpKind::TtirMatmul);
  EXPECT_EQ(graph.ops[OpId{0}].loc, "fc1");
  EXPECT_EQ(graph.values[ValueId{1}].role, ArgRole::Parameter);
  EXPECT_EQ(graph.values[ValueId{1}].label, "fc1.weight");
  expectRoundTrips(graph);
}

TEST(GraphJson, Sniffing) {
  EXPECT_TRUE(looksLikeJson("{}"));
  EXPECT_TRUE(looksLikeJson(" \n\t{"));
  EXPECT_TRUE(looksLikeJson("\xEF\xBB\xBF{"));
  EXPECT_FALSE(looksLikeJson(""));
  EXPECT_FALSE(looksLikeJson("module {"));
  EXPECT_FALSE(looksLikeJson("{-# dialect_resources #-}"));
  EXPECT_FALSE(looksLikeJson("[1]"));
}

std::string withOps(const std::string& ops) {
  return R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":{"shape":[4],"dtype":"f32"}}],"ops":[)" +
         ops + R"({"op":"func.return","operands":["x"]}]}]})";
}

// A mistake in what an op computes is told on the line of its name, wherever in its object that stands.
TEST(GraphJson, MistakesOfAnOpStandAtItsName) {
  const Imported imported = importJson(
      withOps("{\n\"operands\":[\"x\"],\n\"results\":[{\"name\":\"y\",\"type\":{\"shape\":[5],\"dtype\":\"f32\"}}],\n"
              "\"op\":\n  \"ttir.abs\"},"));
  EXPECT_FALSE(imported.graph);
  EXPECT_EQ(imported.report().substr(0, 16), "ShapeMismatch 5:") << imported.report();
}

TEST(GraphJson, PlainAttributeValues) {
  Imported imported = importJson(withOps(
      R"({"op":"ttir.abs","operands":["x"],"results":[{"name":"0","type":{"shape":[4],"dtype":"f32"}}],"attrs":{"b":true,"i":3,"s":"t\"x","l":[1,2],"m":{"mlir":"2.5 : f32"},"u":{"mlir":"unit"}}},)"));
  ASSERT_TRUE(imported.graph) << imported.report();
  const Op& op = imported.graph->ops[OpId{0}];
  EXPECT_EQ(findAttr(op, "b")->text, "true");
  EXPECT_EQ(findAttr(op, "i")->text, "3 : i64");
  EXPECT_EQ(findAttr(op, "s")->text, R"("t\22x")");
  EXPECT_EQ(findAttr(op, "l")->text, "array<i64: 1, 2>");
  EXPECT_EQ(findAttr(op, "m")->number, 2.5);
  EXPECT_EQ(findAttr(op, "u")->kind, AttrValueKind::Unit);
  expectRoundTrips(*imported.graph);
}

TEST(GraphJson, EveryMistakeNamesItsPath) {
  struct Case {
    std::string text;
    std::string message;  // of the first diagnostic
  };
  const std::string type = R"({"shape":[4],"dtype":"f32"})";
  std::string manyDims;
  for (uint32_t i = 0; i < text::kMaxRank; ++i) manyDims += ",1";
  const std::vector<Case> cases = {
      {"", "JSON: the text ends too early"},
      {"{\"version\":1,", "JSON: the text ends too early"},
      {"[]", "graph JSON: `the document` is an array, expected an object"},
      {R"({"functions":[]})", "graph JSON: `version` is missing, expected an integer"},
      {R"({"version":"1","functions":[]})", "graph JSON: `version` is a string, expected an integer"},
      {R"({"version":2,"functions":[]})", "graph JSON: version 2 is not known, this build reads version 1"},
      {R"({"version":0,"functions":[]})", "graph JSON: version 0 is not known, this build reads version 1"},
      {R"({"version":-1,"functions":[]})", "graph JSON: version -1 is not known, this build reads version 1"},
      {R"({"version":1,"format":"x","functions":[]})", "graph JSON: `format` is \"x\", expected \"tessera-graph\""},
      {R"({"version":1,"oops":3,"functions":[]})",
       "graph JSON: `oops` is unknown here, expected one of `format`, `version`, `name`, `attrs`, `forward`, "
       "`functions`"},
      {R"({"version":1})", "graph JSON: `functions` is missing, expected an array of functions"},
      {R"({"version":1,"functions":{}})", "graph JSON: `functions` is an object, expected an array of functions"},
      {R"({"version":1,"functions":[]})", "the input holds no function with a body"},
      {R"({"version":1,"functions":[3]})", "graph JSON: `functions[0]` is an integer, expected an object"},
      {R"({"version":1,"functions":[{}]})", "graph JSON: `functions[0].name` is missing, expected a string"},
      {R"({"version":1,"functions":[{"name":"f"},{"name":"f"}]})", "function `@f` is defined twice"},
      {R"({"version":1,"functions":[{"name":"f","private":1}]})",
       "graph JSON: `functions[0].private` is an integer, expected a boolean"},
      {R"({"version":1,"functions":[{"name":"f","ops":{}}]})",
       "graph JSON: `functions[0].ops` is an object, expected an array"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a b","type":)" + type + "}]}]}",
       "graph JSON: `functions[0].args[0].name` is \"a b\", expected letters, digits, `_`, `$`, `.` or `-`"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"3-a","type":)" + type + "}]}]}",
       "graph JSON: `functions[0].args[0].name` is \"3-a\", expected letters, digits, `_`, `$`, `.` or `-`"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a"}]}]})",
       "graph JSON: `functions[0].args[0].type` is missing, expected an object that describes a type"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":[-1],"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is negative, expected dims from 0 whose product fits 63 bits"},
      {R"({"version":1,"functions":[{"name":"f","args":)"
       R"([{"name":"a","type":{"shape":[4294967296,4294967296],"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is too large, expected dims from 0 whose product fits 63 bits"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":["4"],"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape[0]` is a string, expected an integer"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":[4],"dtype":"f33"}}]}]})",
       "graph JSON: `functions[0].args[0].type.dtype` is \"f33\", expected an element type like \"bf16\""},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","role":"boss","type":)" + type + "}]}]}",
       "graph JSON: `functions[0].args[0].role` is \"boss\", expected none, input, parameter, constant or kv_cache"},
      {R"({"version":1,"forward":"g","functions":[{"name":"f","ops":[{"op":"func.return"}]}]})",
       "graph JSON: `forward` is \"g\", expected the name of a function with ops"},
      {withOps(R"({"op":"ttir.abs","operands":["y"]},)"), "`%y` is used before it is defined"},
      {withOps(R"({"op":"ttir.abs","operands":[1]},)"),
       "graph JSON: `functions[0].ops[0].operands[0]` is an integer, expected the name of a value"},
      {withOps(R"({"op":""},)"), "graph JSON: `functions[0].ops[0].op` is \"\", expected a name like \"ttir.add\""},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":[{"name":"x","type":)" + type + "}]},"),
       "`%x` is defined twice"},
      {withOps(R"({"op":"ttir.sort","operands":["x"],"results":[{"name":"0","type":)" + type +
               R"(},{"name":"1","type":)" + type + "}]},"),
       "graph JSON: `functions[0].ops[0].results[1].name` is \"1\", expected \"0:1\""},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":null}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q` is null, expected a boolean, an integer, a string, an array of "
       "integers or {\"mlir\": \"...\"}"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":{"mlir":"1, y = 2"}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.mlir` is no MLIR attribute (more than one attribute), expected one "
       "attribute"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":)"
               R"({"q":{"mlir":"dense_resource<__elided__> : tensor<?xf32>"}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.mlir` is no MLIR attribute (tensor type `tensor<?xf32>`: dynamic dims "
       "are not read, every dim must be a number), expected one attribute"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":{"mlir":"1} : () -> ()\n\"t.t\"() {a = 2"}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.mlir` is no MLIR attribute (more than one attribute), expected one "
       "attribute"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":{"mlir":7}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.mlir` is an integer, expected a string"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":{}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.mlir` is missing, expected a string"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":{"mlir":"1","more":2}}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q.more` is unknown here, expected one of `mlir`"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":[1,"2"]}},)"),
       "graph JSON: `functions[0].ops[0].attrs.q[1]` is a string, expected an integer"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":[1]},)"),
       "graph JSON: `functions[0].ops[0].attrs` is an array, expected an object"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"":1}},)"),
       "graph JSON: `functions[0].ops[0].attrs` is an attribute without a name, expected a name"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"a":1,"":2}},)"),
       "graph JSON: `functions[0].ops[0].attrs` is an attribute without a name, expected a name"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"attrs":{"q":1,"q":2}},)"),
       "graph JSON: `functions[0].ops[0].attrs` is an object with `q` twice, expected different names"},
      {withOps("3,"), "graph JSON: `functions[0].ops[0]` is an integer, expected an object"},
      {withOps(R"({"operands":["x"]},)"), "graph JSON: `functions[0].ops[0].op` is missing, expected a string"},
      {withOps(R"({"op":"ttir.abs","operands":"x"},)"),
       "graph JSON: `functions[0].ops[0].operands` is a string, expected an array"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":["0"]},)"),
       "graph JSON: `functions[0].ops[0].results[0]` is a string, expected an object"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":[{"type":)" + type + "}]},"),
       "graph JSON: `functions[0].ops[0].results[0].name` is missing, expected a string"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":[{"name":"a b","type":)" + type + "}]},"),
       "graph JSON: `functions[0].ops[0].results[0].name` is \"a b\", expected letters, digits, `_`, `$`, `.` or `-`"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":[{"name":"0"}]},)"),
       "graph JSON: `functions[0].ops[0].results[0].type` is missing, expected an object that describes a type"},
      {R"({"version":1,"functions":[{"name":"f","args":[7]}]})",
       "graph JSON: `functions[0].args[0]` is an integer, expected an object"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"type":)" + type + "}]}]}",
       "graph JSON: `functions[0].args[0].name` is missing, expected a string"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is missing, expected an array of dims"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":4,"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is an integer, expected an array of dims"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":[4]}}]}]})",
       "graph JSON: `functions[0].args[0].type.dtype` is missing, expected a string"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"mlir":3}}]}]})",
       "graph JSON: `functions[0].args[0].type.mlir` is an integer, expected a string"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"mlir":"i32","shape":[4]}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is unknown here, expected one of `mlir`"},
      {R"({"version":1,"functions":[{"name":"f","args":)"
       R"([{"name":"a","type":{"shape":[4],"dtype":"f32","element":"2xf32"}}]}]})",
       "graph JSON: `functions[0].args[0].type` is no tensor type, expected MLIR text in `element`, `layout` and "
       "`encoding`"},
      {R"({"version":1,"functions":[{"name":"f","args":)"
       R"([{"name":"a","type":{"shape":[4],"dtype":"f32","layout":"#x.y<1>"}}]}]})",
       "graph JSON: `functions[0].args[0].type` is no tensor type, expected MLIR text in `element`, `layout` and "
       "`encoding`"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":[32,32],"dtype":"bf16","encoding":)"
       R"("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, )"
       R"(#ttnn.buffer_type<dram>>, <interleaved>>"}}]}]})",
       "graph JSON: `functions[0].args[0].type` is no tensor type, expected MLIR text in `element`, `layout` and "
       "`encoding`"},
      {R"({"version":1,"forward":"g","functions":[{"name":"g","args":[]},{"name":"f","ops":[{"op":"func.return"}]}]})",
       "graph JSON: `forward` is \"g\", expected the name of a function with ops"},
      {R"({"version":1,"forward":1,"functions":[{"name":"f","ops":[{"op":"func.return"}]}]})",
       "graph JSON: `forward` is an integer, expected a string"},
      {R"({"version":1,"functions":[{"name":"","ops":[{"op":"func.return"}]}]})",
       "graph JSON: `functions[0].name` is missing or empty, expected a name"},
      {R"({"version":1,"functions":[{"name":"f","attrs":3,"ops":[{"op":"func.return"}]}]})",
       "graph JSON: `functions[0].attrs` is an integer, expected an object"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":)" + type + R"(}],"results":[)" + type +
           "," + type + R"(],"ops":[{"op":"func.return","operands":["x"]}]}]})",
       "`return` gives `tensor<4xf32>`, function `@f` declares `tensor<4xf32>`, `tensor<4xf32>`"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":)" + type + R"(}],"results":[)" + type +
           R"(],"ops":[{"op":"func.return"},{"op":"func.return","operands":["x"]}]}]})",
       "function `@f` does not end with `return`"},
      {withOps(R"({"op":"ttir.abs","operands":["x"],"results":[{"name":"0","type":{"shape":[5],"dtype":"f32"}}]},)"),
       "`ttir.abs`: the result is 5, expected 4 (element-wise on 4)"},
      {R"({"version":1,"functions":[{"name":"f","ops":[{"op":"ttir.empty","results":[{"name":"0","type":)" + type +
           "}]}]}]}",
       "function `@f` does not end with `return`"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":)" + type +
           R"(}],"results":[],"ops":[{"op":"func.return","operands":["x"]}]}]})",
       "`return` gives `tensor<4xf32>`, function `@f` declares nothing"},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":{"shape":[4],"dtype":"f32","layout":"#x.y<1>> , <"}}]}]})",
       "..."},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":{"mlir":"!a.b, !c.d"}}]}]})", "..."},
      {R"({"version":1,"functions":[{"name":"f","args":[{"name":"a","type":{"shape":[1)" + manyDims +
           R"(],"dtype":"f32"}}]}]})",
       "graph JSON: `functions[0].args[0].type.shape` is too long, expected at most " + std::to_string(text::kMaxRank) +
           " dims"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    Imported imported = importJson(c.text);
    ASSERT_TRUE(imported.diags.hasErrors());
    EXPECT_FALSE(imported.graph);
    if (c.message == "...") continue;
    EXPECT_EQ(imported.diags.all().front().message, c.message);
  }
}

// MLIR takes any text between quotes as the name of an op that nobody knows; so does JSON.
// `->` is an arrow, not the end of a name and a bracket.
TEST(GraphJson, AnEncodingMayEndWithAMinus) {
  Imported imported = importText(
      "func.func @main(%x: tensor<4xf32, #a.b- >) -> tensor<4xf32, #a.b- > {\n"
      "  return %x : tensor<4xf32, #a.b- >\n}\n");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_EQ(imported.graph->values[ValueId{0}].type.tensor->encoding, "#a.b-");
  expectRoundTrips(*imported.graph);
}

// A layout of another kind that counts as one of ours may stand as an encoding; one of ours stands as a layout.
TEST(GraphJson, AnEncodingMayCountAsALayout) {
  const auto argument = [](const std::string& fields) {
    return importJson(
        R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":{"shape":[64,256],"dtype":"bf16",)" +
        fields + R"(}}],"results":[],"ops":[{"op":"func.return"}]}]})");
  };
  const std::string metal =
      "\"#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x8>, memref<1x1x!tt.tile<32x32, bf16>, "
      "#tt.memory_space<l1>>>\"";
  for (const std::string field : {"\"encoding\":", "\"layout\":"}) {
    const Imported imported = argument(field + metal);
    ASSERT_TRUE(imported.graph) << imported.report();
    const TensorType& type = *imported.graph->values[ValueId{0}].type.tensor;
    ASSERT_TRUE(type.layout);
    EXPECT_EQ(layoutText(*type.layout), "L1 block 2x8");
    expectRoundTrips(*imported.graph);
  }
  EXPECT_FALSE(argument("\"layout\":\"#x.y<1>\"").graph);
  EXPECT_TRUE(argument("\"encoding\":\"#x.y<1>\"").graph);
}

// What is of the wrong kind is told in its own line; what is missing, in that of the object around it.
TEST(GraphJson, MistakesStandWhereTheValueIs) {
  const auto lineOf = [](const std::string& text) {
    const Imported imported = importJson(text);
    return 1 + std::count(text.begin(), text.begin() + imported.diags.all().at(0).span.begin, '\n');
  };
  EXPECT_EQ(lineOf("{\"version\":1,\n\"functions\":\n\"none of them\"\n}"), 3);
  EXPECT_EQ(lineOf("{\"version\":1,\"functions\":[\n{\"name\":\"f\",\n\"private\":\n\"no\"}\n]}"), 4);
  EXPECT_EQ(lineOf("{\"version\":1,\"functions\":[\n{\"private\":true\n}]}"), 2);
}

TEST(GraphJson, ARoleMayBeNone) {
  const Imported imported =
      importJson(R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","role":"none","type":{"mlir":"i32"}}],)"
                 R"("results":[],"ops":[{"op":"func.return"}]}]})");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_EQ(imported.graph->values[imported.graph->funcs[imported.graph->forward].args[0]].role, ArgRole::None);
}

TEST(GraphJson, NamesOfUnknownOpsComeBack) {
  for (const std::string name :
       {"a<#.b", "plain", ".x.", "a b\\22c\\\\", "b\\22", "\xC3\xA4.\xE2\x82\xAC", "tab\\09"}) {
    const Imported imported = importText("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = \"" + name +
                                         "\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n");
    ASSERT_TRUE(imported.graph) << name << imported.report();
    expectRoundTrips(*imported.graph);
  }
  EXPECT_FALSE(importText("func.func @f() {\n  \"\"() : () -> ()\n  return\n}\n").graph);
}

// A type stands where a type is expected: words with a digit that no attribute starts with are types of others.
TEST(GraphJson, OneTypeIsReadWhereATypeStands) {
  const auto argumentOf = [](const std::string& type) {
    return importJson(R"({"version":1,"functions":[{"name":"f","args":[{"name":"x","type":{"mlir":")" + type +
                      R"("}}],"results":[],"ops":[{"op":"func.return"}]}]})");
  };
  for (const std::string type : {"i32", "bfp8", "ten2x64xbf1", "!a.b<c>", "(i32, f32) -> i1"}) {
    const Imported imported = argumentOf(type);
    ASSERT_TRUE(imported.graph) << type << imported.report();
    expectRoundTrips(*imported.graph);
  }
  for (const std::string text : {"", "1 : i32", "i32, i32", "i32) loc(unknown", "i32) {a = (1", "unit", "@f"})
    EXPECT_FALSE(argumentOf(text).graph) << text;
  const Imported two = argumentOf("i32, i32");
  EXPECT_EQ(two.diags.all().front().message,
            "graph JSON: `functions[0].args[0].type.mlir` is no MLIR type (not one type), expected one type");
  EXPECT_EQ(two.diags.all().size(), 1u);
}

TEST(GraphJson, PlacesAreThoseOfTheValue) {
  Imported imported = importJson("{\n  \"version\": 1,\n  \"functions\": [\n    {\"name\": 7}\n  ]\n}\n");
  ASSERT_FALSE(imported.diags.all().empty());
  EXPECT_EQ(imported.source.lineColumn(imported.diags.all().front().span.begin).line, 4u);
}

// Numbers, or words that no number begins.
TEST(GraphJson, NamesOfValues) {
  const auto errors = [](const std::string& name) {
    const std::string type = R"({"shape":[4],"dtype":"f32"})";
    return importJson(R"({"version":1,"functions":[{"name":"f","args":[{"name":")" + name + R"(","type":)" + type +
                      R"(}],"results":[],"ops":[{"op":"func.return"}]}]})")
        .diags.errorCount();
  };
  for (const char* name : {"0", "12", "a", "a1", "_a", "a-b", "$x", ".y", "a.b$c_d-e", "1a", "1_", "0x7F"})
    EXPECT_EQ(errors(name), 0u) << name;
  for (const char* name : {"", "1-a", "1$", "1.", "a b", "a:1", "%a", "\u00e9"}) EXPECT_EQ(errors(name), 1u) << name;
}

}  // namespace
}  // namespace tessera

// Pieces of texts that few files hold: attributes and types by themselves, aliases within aliases, what is printed of
// graphs that were made by hand, and the beam search's trace.

#include <tuple>

#include "core/import/alias_table.h"
#include "core/import/conform_attributes.h"
#include "core/import/decision_trace.h"
#include "core/import/mlir_snippet.h"
#include "core/import/quantized_type.h"
#include "tests/import/import_testing.h"
#include "tests/short_forms.h"
#include "tests/sizes.h"

namespace tessera {
namespace {

TEST(RarePieces, DialectAttributesAreShapesWordsOrText) {
  struct Row {
    std::string text;
    AttrValueKind kind;
    std::vector<int64_t> ints;
    std::string word;
  };
  const Row kRows[] = {
      {"#ttnn.shape<2x3>", AttrValueKind::IntArray, {2, 3}, ""},
      {"#ttnn.shape<9223372036854775807>", AttrValueKind::IntArray, {INT64_MAX}, ""},
      // A number that does not fit, by one and by ten times; another letter between the numbers: words.
      {"#ttnn.shape<9223372036854775808>", AttrValueKind::String, {}, "9223372036854775808"},
      {"#ttnn.shape<99999999999999999999>", AttrValueKind::String, {}, "99999999999999999999"},
      {"#ttnn.shape<2y3>", AttrValueKind::String, {}, "2y3"},
      {"#d.a<ab>", AttrValueKind::String, {}, "ab"},
      {"#d.a<a$b>", AttrValueKind::Other, {}, ""},
      {"#d.a<a-b>", AttrValueKind::Other, {}, ""},
  };
  for (const Row& row : kRows) {
    std::string why;
    const std::optional<AttrValue> value = parseMlirAttr(row.text, why);
    ASSERT_TRUE(value) << row.text << why;
    EXPECT_EQ(value->kind, row.kind) << row.text;
    EXPECT_EQ(value->ints, row.ints) << row.text;
    EXPECT_EQ(value->string, row.word) << row.text;
    EXPECT_EQ(value->text, row.text);
  }
}

TEST(RarePieces, BlanksAroundAnElementTypeAreNoPartOfIt) {
  const auto dtype = [](const std::string& element) {
    std::string why;
    const std::optional<ValueType> type = parseMlirType("tensor<32x32x" + element + ">", why);
    EXPECT_TRUE(type && type->isTensor()) << element << why;
    return type && type->isTensor() ? type->tensor->dtype : DType::I1;
  };
  for (const std::string blank : {"", " ", "\n", "\t", "\r", " \r\n\t"}) {
    EXPECT_EQ(dtype("!ttcore.tile<32x32," + blank + "f32>"), DType::F32) << blank;
    EXPECT_EQ(dtype("!quant.uniform<u8" + blank + ":f32, 1.0>"), DType::U8) << blank;
  }
}

TEST(RarePieces, AnElidedConstantHasTheBytesOfItsType) {
  const auto bytes = [](const std::string& type) {
    std::string why;
    const std::optional<AttrValue> value = parseMlirAttr("dense_resource<__elided__> : " + type, why);
    EXPECT_TRUE(value) << why;
    return value ? value->bytes : -1;
  };
  EXPECT_EQ(bytes("tensor<2x3xf32>"), 24);
  EXPECT_EQ(bytes("tensor<2305843009213693951xf32>"), INT64_MAX - 3);
  EXPECT_EQ(bytes("tensor<2305843009213693952xf32>"), 10) << "2^63 bytes are no number here: those of the text";
  EXPECT_EQ(bytes("!x.y"), 10);
}

TEST(RarePieces, AListIsSplitAndNothingElse) {
  using List = std::vector<std::string>;
  EXPECT_EQ(splitMlirArray("[1 : i32, {a.b = [2, 3]}]"), (List{"1 : i32", "{a.b = [2, 3]}"}));
  for (const char* text : {"", "[", "1 : i32", "array<i64: 1, 2>", "[1], [2]"})
    EXPECT_EQ(splitMlirArray(text), List{}) << text;
}

TEST(RarePieces, QuantizedTypesAreClosed) {
  EXPECT_EQ(quantizedTypeText("!quant.uniform<i8:f32, 0.5>"), "!quant.uniform<i8:f32, 5.000000e-01>");
  EXPECT_FALSE(quantizedTypeText("!quant.uniform<i8:f32, 0.5"));
}

TEST(RarePieces, AStringThatIsNotClosedHidesBufferTypes) {
  AliasTable table(true);
  EXPECT_EQ(table.attribute("#x.y<\"open #ttnn.buffer_type<dram>"), "#x.y<\"open #ttnn.buffer_type<dram>");
  EXPECT_EQ(table.attribute("[#ttnn.buffer_type<l1>, \"\\"), "[#l1, \"\\");
  EXPECT_EQ(table.definitions(), "#l1 = #ttnn.buffer_type<l1>\n");
}

// The attribute `x` of a function whose file begins with `aliases`.
Imported withAliases(const std::string& aliases, const std::string& x) {
  return importText(aliases + "func.func @f() attributes {x = " + x + "} {\n  return\n}\n");
}
std::string attributeX(const Imported& imported) {
  return imported.graph ? imported.graph->funcs[imported.graph->forward].attrs[0].value.text : imported.report();
}

// As deep as brackets are read; one that stands for too much is named.
TEST(RarePieces, AliasesWithinAliasesAreWrittenOut) {
  for (const int depth : {15, 16, 17, 40, 150}) {
    std::string aliases, expected = "7 : i32";
    for (int i = 0; i < depth; ++i) {
      aliases += "#a" + std::to_string(i) + " = #x.y<#a" + std::to_string(i + 1) + ">\n";
      expected = "#x.y<" + expected + ">";
    }
    aliases += "#a" + std::to_string(depth) + " = 7 : i32\n";
    EXPECT_EQ(attributeX(withAliases(aliases, "#a0")), expected) << depth;
  }
  const std::string large(size_t{1} << 20, 'x');
  EXPECT_EQ(attributeX(withAliases("#a = \"" + large + "\"\n#b = #x.y<#a, 1>\n", "#b")),
            "AliasTooLarge 1:1 alias `#a` stands for more than 1048576 bytes of text\n");
  EXPECT_EQ(attributeX(withAliases("!a = tuple<!x.y<\"" + large + "\">>\n", "#x.y<!a>")),
            "AliasTooLarge 1:1 alias `!a` stands for more than 1048576 bytes of text\n");
  std::string doubled = "#a0 = #x.y<[0123456789, 0123456789]>\n";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "#a" + std::to_string(i - 1);
    doubled += "#a" + std::to_string(i) + " = #x.y<[" + before + ", " + before + "]>\n";
  }
  EXPECT_EQ(attributeX(withAliases(doubled, "#x.z<#a2, #a19>")),
            "AliasTooLarge 20:1 alias `#a19` stands for more than 1048576 bytes of text\n");
  // What is longer by itself stays as it is, aliases and all.
  const std::string whole = "#x.y<\"" + large + "\", #a>";
  EXPECT_EQ(attributeX(withAliases("#a = 1 : i32\n", whole)), whole);
}

// What is no list of numbers is printed whole, whatever it looks like; a type whose elements nobody can count has many.
TEST(RarePieces, OnlyListsOfManyNumbersAreLeftOut) {
  const auto printed = [](const std::string& value, int64_t most) {
    const Imported made = importText("func.func @f() {\n  \"x.y\"() {v = " + value + "} : () -> ()\n  return\n}\n");
    if (!made.graph) return made.report();
    const std::string text = exportMlir(*made.graph, nullptr, {.elideLarger = most});
    const size_t from = text.find("{v = ") + 5;
    return text.substr(from, text.find("} : ()") - from);
  };
  for (const std::string value :
       {"\"x> : [tensor<8xf32>\"", "dense<[1, 2, 3]>", "[1, 2, 3]", "array<i64: 1, 2, 3>", "dense<[1, 2]> : i32",
        "sparse<[[0], [1]], [1, 2]> : tensor<8xi32>", "dense<2> : tensor<8xi32>", "dense<[1, 2]> : vector<2xi32>"}) {
    EXPECT_EQ(printed(value, 2), printed(value, -1)) << value;
    EXPECT_EQ(printed(value, -1).find("__elided__"), std::string::npos) << value;
  }
  for (const std::string type :
       {"tensor<3xi32>", "tensor<3x!quant.uniform<i8:f32, 1.0>>", "tensor<4294967296x4294967296x4xi32>", "vector<2>"}) {
    EXPECT_EQ(printed("dense<[1, 2, 3]> : " + type, 2).find("dense_resource<__elided__> : " + type.substr(0, 7)), 0u)
        << printed("dense<[1, 2, 3]> : " + type, 2);
  }
}

// Layouts that a type has only as text are named like others.
TEST(RarePieces, GraphsMadeByHandArePrinted) {
  EXPECT_EQ(mlirLayoutText(TensorType{.shape = {4}}), "");
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main", true);
  ValueType type = tensor({4});
  type.tensor->encoding = "#ttnn.ttnn_layout<of another revision>";
  const ValueId x = builder.addArgument(func, "x", type);
  OpSpec sort;
  sort.name = "sort";
  sort.operands = {x};
  sort.resultTypes = {tensor({4}), tensor({4})};
  builder.append(func, std::move(sort));
  OpSpec last;
  last.name = "func.return";
  last.kind = OpKind::FuncReturn;
  builder.append(func, std::move(last));
  EXPECT_EQ(exportMlir(graph, nullptr, {.renumber = true}),
            "#ttnn_layout = #ttnn.ttnn_layout<of another revision>\n"
            "module {\n"
            "  func.func private @main(%arg0: tensor<4xbf16, #ttnn_layout>) {\n"
            "    %0:2 = \"sort\"(%arg0) : (tensor<4xbf16, #ttnn_layout>) -> (tensor<4xbf16>, tensor<4xbf16>)\n"
            "    return\n"
            "  }\n"
            "}\n");
  const std::string json = exportGraphJson(graph);
  EXPECT_EQ(json.find("\"forward\""), std::string::npos) << json;
  graph.forward = func;
  EXPECT_NE(exportGraphJson(graph).find("\"forward\":\"main\""), std::string::npos);
}

// A value of another kind than the definition's stays as it is, and so does an op that is in no function.
TEST(RarePieces, ValuesOfAnotherKindAreNotConformed) {
  const auto conformedText = [](const std::string& op, const std::string& attr, AttrValue value,
                                bool detached = false) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    OpSpec spec;
    spec.name = op;
    spec.operands = {builder.addArgument(func, "x", tensor({4}))};
    spec.attrs.push_back({attr, std::move(value)});
    const OpId id = builder.append(func, std::move(spec));
    if (detached) graph.ops.edit(id).func = FuncId();
    conformAttributes(graph, true);
    return graph.ops[id].name + " " + findAttr(graph.ops[id], attr)->text;
  };
  AttrValue half;
  half.kind = AttrValueKind::Float;
  half.number = 0.5;
  half.text = "5.000000e-01 : f64";
  EXPECT_EQ(conformedText("ttnn.upsample2d", "scale_factor", intAttr(2, "i64")), "ttnn.upsample 2 : si32");
  EXPECT_EQ(conformedText("ttnn.upsample2d", "scale_factor", intAttr(2, "i64"), true), "ttnn.upsample2d 2 : i64");
  EXPECT_EQ(conformedText("ttnn.upsample", "mode", intAttr(2, "i64")), "ttnn.upsample 2 : i64") << "a text";
  EXPECT_EQ(conformedText("ttnn.upsample", "mode", intArrayAttr({2})), "ttnn.upsample array<i64: 2>");
  EXPECT_EQ(conformedText("ttnn.upsample", "scale_factor", half), "ttnn.upsample 5.000000e-01 : f64") << "an integer";
  EXPECT_EQ(conformedText("ttnn.softmax", "dimension", intArrayAttr({2})), "ttnn.softmax array<i64: 2>");
  EXPECT_EQ(conformedText("ttnn.full", "shape", intArrayAttr({2, 3})), "ttnn.full #ttnn.shape<2x3>");
  EXPECT_EQ(conformedText("ttnn.full", "shape", intArrayAttr({})), "ttnn.full #ttnn.shape<>");
  EXPECT_EQ(conformedText("ttnn.full", "shape", intAttr(2, "i64")), "ttnn.full 2 : i64");
}

// A tuple of many elements, and tuples in a tuple that have many together, are taken apart or stay one value: no part
// of them gets lost.
TEST(RarePieces, TuplesOfManyElementsStayWhole) {
  const auto tuple = [](const std::string& element, int times) {
    std::string out = "tuple<";
    for (int i = 0; i < times; ++i) out += (i > 0 ? ", " : "") + element;
    return out + ">";
  };
  const auto imported = [](const std::string& type, int index, const std::string& element) {
    Imported made =
        importText("func.func @f(%t: " + type + ") -> " + element + " {\n  %0 = stablehlo.get_tuple_element %t[" +
                   std::to_string(index) + "] : (" + type + ") -> " + element + "\n  return %0 : " + element + "\n}\n");
    EXPECT_TRUE(made.graph) << made.report().substr(0, 400);
    return made;
  };
  const std::string one = "tensor<4xf32>";
  Imported most = imported(tuple(one, 1024), 1023, one);
  ASSERT_TRUE(most.graph);
  EXPECT_EQ(most.graph->funcs[most.graph->forward].args.size(), 1024u);
  EXPECT_EQ(most.graph->ops.size(), 1u);
  const std::string row = tuple(one, 900);
  Imported rows = imported(tuple(row, 4), 3, row);
  ASSERT_TRUE(rows.graph);
  EXPECT_EQ(rows.graph->funcs[rows.graph->forward].args.size(), 3600u);
  EXPECT_EQ(rows.graph->funcs[rows.graph->forward].resultTypes.size(), 900u);
  EXPECT_EQ(rows.graph->ops.size(), 1u);
  for (const auto& [type, index, element] :
       {std::tuple{tuple(one, 1025), 1024, one}, std::tuple{tuple(row, 5), 4, row}}) {
    const Imported more = imported(type, index, element);
    ASSERT_TRUE(more.graph);
    const Graph& graph = *more.graph;
    EXPECT_EQ(graph.funcs[graph.forward].args.size(), 1u);
    EXPECT_EQ(graph.ops.size(), 2u) << "the element is an op's result";
    EXPECT_EQ(graph.ops[OpId{0}].operands.size(), 1u);
    expectRoundTrips(graph);
  }
}

// Lists that are objects, results after the first without a name, ops that are none: one mistake each.
TEST(RarePieces, JsonOfAnotherForm) {
  const std::string type = R"("type":{"shape":[4],"dtype":"f32"})";
  const auto said = [&](const std::string& args, const std::string& ops) {
    const Imported imported =
        importJson(R"({"version":1,"functions":[{"name":"f","args":)" + args + ",\"ops\":" + ops + "}]}");
    std::string out;
    for (const Diagnostic& d : imported.diags.all()) out += (out.empty() ? "" : "; ") + d.message;
    return imported.graph ? "read " + out : out;
  };
  const std::string x = "[{\"name\":\"x\"," + type + "}]", ret = R"({"op":"func.return","operands":["x"]})";
  EXPECT_EQ(said(x, "[" + ret + "]"), "read ");
  EXPECT_EQ(said("{\"a\":3}", R"([{"op":"func.return"}])"),
            "graph JSON: `functions[0].args` is an object, expected an array");
  EXPECT_EQ(said(x, "{\"a\":3}"), "graph JSON: `functions[0].ops` is an object, expected an array");
  EXPECT_EQ(said(x, "[3]"), "graph JSON: `functions[0].ops[0]` is an integer, expected an object");
  const std::string two =
      R"([{"op":"ttir.sort","operands":["x"],"attrs":{"dim":{"mlir":"0 : si32"},"descending":false,)"
      R"("stable":false},"results":[{"name":"v",)";
  EXPECT_EQ(
      said(x, two + type + R"(},{"type":{"shape":[4],"dtype":"si32"}}]},{"op":"func.return","operands":["v:1"]}])"),
      "read ");
  EXPECT_EQ(said(x, two + type + R"(},{"name":"w","type":{"shape":[4],"dtype":"si32"}}]},{"op":"func.return"}])"),
            "graph JSON: `functions[0].ops[0].results[1].name` is \"w\", expected \"v:1\"");
}

TEST(RarePieces, JsonHasNoMoreOpsThanText) {
  if (test::smallTests()) GTEST_SKIP() << "15 MB of text: not under sanitizers";
  std::string text = R"({"version":1,"functions":[{"name":"f","ops":[)";
  text.reserve(20u << 20);
  for (size_t i = 1; i < kMaxGraphOps; ++i) text += "{\"op\":\"x.y\"},";
  const std::string end = "{\"op\":\"func.return\"}]}]}";
  const Imported more = importJson(text + "{\"op\":\"x.y\"},{\"op\":\"x.y\"}," + end);
  EXPECT_FALSE(more.graph);
  size_t said = 0;
  for (const Diagnostic& d : more.diags.all()) said += d.kind == DiagKind::TooManyOps ? 1 : 0;
  EXPECT_EQ(said, 1u) << "once for all ops beyond";
}

// Mistakes of a decision trace with the members `members`, or "" when it is read.
std::string traceMistakes(const std::string& members, std::optional<DecisionTrace>* read = nullptr) {
  const SourceBuffer source("trace.json",
                            "{\"version\":" + std::to_string(kDecisionTraceVersion) + "," + members + "}");
  Diagnostics diags;
  std::optional<DecisionTrace> trace = readDecisionTrace(source, diags);
  std::string out;
  for (const Diagnostic& d : diags.all()) out += (out.empty() ? "" : "; ") + d.message;
  EXPECT_EQ(trace.has_value(), out.empty()) << members;
  if (read != nullptr) *read = std::move(trace);
  return out;
}

TEST(RarePieces, NumbersOfTracesMayBeTexts) {
  const auto beam = [](const std::string& number) {
    std::optional<DecisionTrace> trace;
    const std::string said = traceMistakes("\"forwardPass\":[],\"beamWidth\":" + number, &trace);
    return trace ? std::to_string(trace->beamWidth) : said;
  };
  EXPECT_EQ(beam("8"), "8");
  EXPECT_EQ(beam("\"0123456789\""), "123456789");
  EXPECT_EQ(beam("\"9223372036854775807\""), "9223372036854775807");
  for (const char* wrong : {"9223372036854775808", "92233720368547758070", "-5", "1/", "1:", "0x1", "1.5", ""})
    EXPECT_EQ(beam("\"" + std::string(wrong) + "\""), "decision trace: `beamWidth` is a string, expected an integer")
        << wrong;
  EXPECT_EQ(beam("1.5"), "decision trace: `beamWidth` is a number, expected an integer");
}

TEST(RarePieces, TracesOfAnotherFormAreRefused) {
  const auto op = [](const std::string& members) { return traceMistakes("\"forwardPass\":[{" + members + "}]"); };
  EXPECT_EQ(op(R"("usedDramFallback":true,"isInplace":false)"), "");
  EXPECT_EQ(op(R"("usedDramFallback":1)"), "decision trace: `usedDramFallback` is an integer, expected true or false");
  EXPECT_EQ(op(R"("evaluations":[{"inputs":["a",{"layout":"b"},null]}])"), "");
  EXPECT_EQ(op(R"("evaluations":[{"inputs":{"a":1}}])"), "decision trace: `inputs` is an object, expected an array");
  EXPECT_EQ(op(R"("evaluations":[{"output":{"layout":3}}])"), "decision trace: `output` is an object, expected a text");
  EXPECT_EQ(op(R"("evaluations":[{"output":{"shape":"b"}}])"),
            "decision trace: `output` is an object, expected a text");
  const auto fork = [](const std::string& members) {
    std::optional<DecisionTrace> trace;
    const std::string said =
        traceMistakes("\"forwardPass\":[],\"backwardPass\":{\"forkResolutions\":[{" + members + "}]}", &trace);
    return trace ? std::to_string(trace->forkResolutions.at(0).consumerOpIndices.size()) + " consumers" : said;
  };
  EXPECT_EQ(fork(R"("consumerOpIndices":[3,4])"), "2 consumers");
  EXPECT_EQ(fork(R"("opIndex":3)"), "0 consumers");
  EXPECT_EQ(fork(R"("consumerOpIndices":{"a":3})"),
            "decision trace: `consumerOpIndices` is an object, expected an array");
  EXPECT_EQ(fork(R"("consumerOpIndices":3)"), "decision trace: `consumerOpIndices` is an integer, expected an array");
  EXPECT_EQ(fork(R"("consumerOpIndices":"3")"), "decision trace: `consumerOpIndices` is a string, expected an array");
  EXPECT_EQ(fork(R"("consumerOpIndices":["3"])"),
            "decision trace: `consumerOpIndices` is a string, expected a list of integers");
}

// Traces are equal when all their parts are.
TEST(RarePieces, TracesAreComparedWithTheirScores) {
  std::optional<DecisionTrace> one, other;
  const std::string front = R"("forwardPass":[{"beam":[{"rank":0,"score":{"isL1":true,"outputL1Usage":)";
  EXPECT_EQ(traceMistakes(front + "64}}]}]", &one), "");
  EXPECT_EQ(traceMistakes(front + "\"64\"}}]}]", &other), "");
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(*one == *other);
  EXPECT_EQ(traceMistakes(front + "65}}]}]", &other), "");
  ASSERT_TRUE(other);
  EXPECT_FALSE(*one == *other);
}

}  // namespace
}  // namespace tessera

// Attributes read by themselves, names of results, aliases and numbers as they are printed: pieces of a text.

#include "core/import/alias_table.h"
#include "core/import/conform_attributes.h"
#include "core/import/mlir_snippet.h"
#include "core/ir/builder.h"
#include "tests/import/import_testing.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

// What is more than the one attribute or type that was asked for is none.
TEST(Snippets, HoldOneAttributeOrTypeAndNothingElse) {
  const auto attr = [](std::string_view text) {
    std::string why;
    const std::optional<AttrValue> value = parseMlirAttr(text, why);
    EXPECT_NE(value.has_value(), !why.empty()) << text;
    return value.has_value();
  };
  EXPECT_TRUE(attr("1 : i64"));
  EXPECT_TRUE(attr("#ttnn.layout<tile>"));
  EXPECT_FALSE(attr(""));
  EXPECT_FALSE(attr("1 : i64, b = 2 : i64"));
  EXPECT_FALSE(attr("1 : i64} : () -> ()\n\"t.u\"() {b = 2 : i64"));
  EXPECT_FALSE(attr("1 : i64} : () -> f32\n#c = 1\n%0 = \"t.u\"() {a = 2 : i64"));
  EXPECT_FALSE(attr("1 : i64} : () -> ()\n#c = {a = 2 : i64"));
  EXPECT_FALSE(attr("unknown<"));
  const auto type = [](std::string_view text) {
    std::string why;
    return parseMlirType(text, why).has_value();
  };
  EXPECT_TRUE(type("tensor<2xf32>"));
  EXPECT_FALSE(type(""));
  EXPECT_FALSE(type("f32, f32"));
  EXPECT_FALSE(type("f32)\n\"t.u\"() : () -> (f32"));
}

// `%values, %indices`; a word that is taken gets a number, which goes on through the function from 0.
TEST(Snippets, ResultsHaveTheWordsOfTheirDefinition) {
  const auto printed = [](const std::vector<std::pair<const char*, size_t>>& ops) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    graph.forward = func;
    const ValueId x = builder.addArgument(func, "x", tensor({4}));
    for (const auto& [name, results] : ops) {
      OpSpec spec;
      spec.name = name;
      spec.operands = {x};
      spec.resultTypes.assign(results, tensor({4}));
      builder.append(func, std::move(spec));
    }
    OpSpec last;
    last.name = "func.return";
    builder.append(func, std::move(last));
    MlirPrintOptions numbered;
    numbered.renumber = true;
    std::istringstream lines(exportMlir(graph, nullptr, numbered));
    std::string out;
    for (std::string line; std::getline(lines, line);) {
      const size_t from = line.find('%'), equals = line.find(" = ");
      if (equals != std::string::npos && from < equals)
        out += (out.empty() ? "" : "; ") + line.substr(from, equals - from);
    }
    return out;
  };
  EXPECT_EQ(printed({{"ttir.sort", 2}}), "%values, %indices");
  EXPECT_EQ(printed({{"ttir.sort", 2}, {"ttir.topk", 2}, {"ttir.sort", 2}}),
            "%values, %indices; %values_0, %indices_1; %values_2, %indices_3");
  EXPECT_EQ(printed({{"ttir.sort", 1}, {"ttir.abs", 1}, {"ttir.sort", 2}, {"ttir.abs", 1}}),
            "%0; %1; %values, %indices; %2");
  EXPECT_EQ(printed({{"ttir.split_query_key_value_and_split_heads", 3}}), "%query, %key, %value");
  EXPECT_EQ(printed({{"ttir.split_query_key_value_and_split_heads", 2}, {"ttir.abs", 1}}), "%0:2; %1")
      << "not as many as the definition has";
  EXPECT_EQ(printed({{"ttir.sort", 3}}), "%0:3");
  EXPECT_EQ(printed({{"ttir.sort", 4}}), "%0:4");
  EXPECT_EQ(printed({{"ttir.anything", 2}}), "%0:2");
}

TEST(Snippets, BufferTypesInStringsAreNoAliases) {
  const auto attribute = [](const std::string& text) {
    AliasTable table(true);
    const std::string shorter = table.attribute(text);
    return shorter + " | " + table.definitions();
  };
  EXPECT_EQ(attribute("#ttnn.buffer_type<dram>"), "#dram | #dram = #ttnn.buffer_type<dram>\n");
  EXPECT_EQ(attribute("[\"a\", #ttnn.buffer_type<l1>, 1]"), "[\"a\", #l1, 1] | #l1 = #ttnn.buffer_type<l1>\n");
  for (const std::string text :
       {R"("#ttnn.buffer_type<dram>")", R"("a \" #ttnn.buffer_type<dram> b")", R"(["\\\" #ttnn.buffer_type<dram>"])"})
    EXPECT_EQ(attribute(text), text + " | ");
  EXPECT_EQ(attribute(R"("\\" #ttnn.buffer_type<dram>)"), "\"\\\\\" #dram | #dram = #ttnn.buffer_type<dram>\n");
  AliasTable none(false);
  EXPECT_EQ(none.attribute("#ttnn.buffer_type<dram>"), "#ttnn.buffer_type<dram>");
  AliasTable table(true);
  EXPECT_EQ(table.layout("#a<1>"), "#ttnn_layout");
  EXPECT_EQ(table.layout("#a<2>"), "#ttnn_layout1");
  EXPECT_EQ(table.layout("#a<1>"), "#ttnn_layout");
  EXPECT_EQ(table.definitions(), "#ttnn_layout = #a<1>\n#ttnn_layout1 = #a<2>\n");
}

// A number below zero does not become one of a type without sign.
TEST(Snippets, NegativeNumbersStayWhereTheDefinitionHasNoSign) {
  const auto axis = [](int64_t value) {
    Graph graph;
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("main");
    OpSpec spec;
    spec.name = "ttnn.all_reduce";
    spec.operands = {builder.addArgument(func, "x", tensor({4}))};
    spec.attrs.push_back({"cluster_axis", intAttr(value, "i64")});
    const OpId id = builder.append(func, std::move(spec));
    conformAttributes(graph, true);
    return findAttr(graph.ops[id], "cluster_axis")->text;
  };
  EXPECT_EQ(axis(1), "1 : ui32");
  EXPECT_EQ(axis(0), "0 : ui32");
  EXPECT_EQ(axis(-1), "-1 : i64");
}

}  // namespace
}  // namespace tessera

// Ops share the op model's answers when their keys are equal: the key must have all that the op model looks at, and no
// more.

#include "core/ops/model/interner.h"

#include <gtest/gtest.h>

#include "core/analysis/problem.h"
#include "core/ops/model/op_answers.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const std::string kTensor = "tensor<64x64xbf16>";

// One op per line, "%name = text"; %a and %b are 64x64.
Graph graphWith(const std::vector<std::string>& lines) {
  std::string text = "func.func @main(%a: " + kTensor + ", %b: " + kTensor +
                     ", %wide: tensor<64x128xbf16>, %f: tensor<64x64xf32>) -> " + kTensor + " {\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return graphOf(text + "  return %a : " + kTensor + "\n}\n");
}

std::string add(const std::string& name, const std::string& left, const std::string& right) {
  return "%" + name + " = \"ttir.add\"(%" + left + ", %" + right + ") : (" + kTensor + ", " + kTensor + ") -> " +
         kTensor;
}

std::string leaky(const std::string& name, const std::string& slope) {
  return "%" + name + " = \"ttir.leaky_relu\"(%a) <{parameter = " + slope + " : f32}> : (" + kTensor + ") -> " +
         kTensor;
}

TEST(OpClass, SaysWhatTheOpModelLooksAtAndNoMore) {
  const Graph graph = graphWith({
      add("one", "a", "b"),
      add("two", "b", "one"),
      add("twice", "a", "a"),
      "%product = \"ttir.multiply\"(%a, %b) : (" + kTensor + ", " + kTensor + ") -> " + kTensor,
      leaky("leak", "0.01"),
      leaky("same", "0.01"),
      leaky("other", "0.02"),
      "%relu = \"ttir.relu\"(%a) : (" + kTensor + ") -> " + kTensor,
      "%broad = \"ttir.relu\"(%wide) : (tensor<64x128xbf16>) -> tensor<64x128xbf16>",
      "%exact = \"ttir.relu\"(%f) : (tensor<64x64xf32>) -> tensor<64x64xf32>",
  });
  const auto key = [&](const char* name) { return opClassKey(graph, producerOf(graph, name)); };
  EXPECT_EQ(key("one"), key("two")) << "names and producers do not matter";
  EXPECT_EQ(key("leak"), key("same"));
  EXPECT_NE(key("one"), key("twice")) << "an operand that stands twice lies in L1 once";
  EXPECT_NE(key("one"), key("product"));
  EXPECT_NE(key("leak"), key("other"));
  EXPECT_NE(key("relu"), key("broad"));
  EXPECT_NE(key("relu"), key("exact"));
}

// Each part of an attribute tells classes apart by itself, and so does everything of a result's layout.
TEST(OpClass, EveryPartOfAnAttributeCounts) {
  Graph graph = graphWith({leaky("leak", "0.01"), leaky("same", "0.01")});
  const OpId one = producerOf(graph, "leak"), other = producerOf(graph, "same");
  const Attribute usual = *graph.ops[one].attrs.begin();
  const auto alike = [&](auto change) {
    Attribute changed = usual;
    change(changed);
    graph.ops.edit(other).attrs = {changed};
    return opClassKey(graph, one) == opClassKey(graph, other);
  };
  EXPECT_TRUE(alike([](Attribute&) {}));
  EXPECT_FALSE(alike([](Attribute& a) { a.name += "x"; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.text += "x"; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.string += "x"; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.kind = AttrValueKind::Unit; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.integer += int64_t{1} << 40; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.number += 1; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.bytes += 1; }));
  EXPECT_FALSE(alike([](Attribute& a) { a.value.ints.push_back(0); }));
  graph.ops.edit(other).attrs = {usual, usual};
  EXPECT_NE(opClassKey(graph, one), opClassKey(graph, other));
  graph.ops.edit(other).attrs = {usual};
  auto& type = graph.values.edit(graph.ops[other].results[0]).type.tensor;
  const auto withLayout = [&](auto change) {
    TensorLayout layout = layoutFor(graph, graph.ops[other].results[0], BufferType::L1,
                                    TensorMemoryLayout::BlockSharded, {2, 2}, *findDevice("n150"));
    graph.values.edit(graph.ops[one].results[0]).type.tensor->layout = layout;
    change(layout);
    type->layout = layout;
    return opClassKey(graph, one) == opClassKey(graph, other);
  };
  EXPECT_TRUE(withLayout([](TensorLayout&) {}));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.buffer = BufferType::DRAM; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.memory = TensorMemoryLayout::HeightSharded; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.page = PageLayout::RowMajor; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.dtype = DType::F32; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.grid.rows = 1; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.grid.cols = 1; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.shardRows = 7; }));
  EXPECT_FALSE(withLayout([](TensorLayout& l) { l.shardCols = 7; }));
  type->layout = {};
  EXPECT_NE(opClassKey(graph, one), opClassKey(graph, other));
}

TEST(OpClass, OpsOfOneClassShareAnswers) {
  const Graph graph = graphWith({add("one", "a", "b"), add("two", "b", "one"), add("twice", "a", "a")});
  Interner interner;
  OpAnswers answers(interner);
  const DeviceSpec& device = *findDevice("n150");
  const TensorLayout dram =
      layoutFor(graph, valueNamed(graph, "a"), BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, device);
  const std::vector<std::optional<TensorLayout>> inputs(2, dram);
  const OpConfig config{dram, {}};
  for (const char* name : {"one", "two", "twice"}) {
    const OpId op = producerOf(graph, name);
    answers.find(interner.classOf(graph, op), {graph, op, inputs, config, Bytes(0)});
  }
  EXPECT_EQ(answers.size(), 2u);
}

// What is remembered does not depend on the budget: a smaller one refuses it, and both say for which budgets that
// holds.
TEST(OpAnswers, HoldForEveryBudget) {
  const Graph graph = graphWith({"%moved = \"ttnn.to_layout\"(%a) : (" + kTensor + ") -> " + kTensor});
  const DeviceSpec& device = *findDevice("n150");
  const ValueId value = valueNamed(graph, "a");
  const std::vector<std::optional<TensorLayout>> inputs{
      layoutFor(graph, value, BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, device)};
  const OpConfig config{layoutFor(graph, value, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, device), {}};
  Interner interner;
  OpAnswers answers(interner);
  const OpModel cold(device), warm(device, answers, answers.classify(graph));
  const OpQuery query{graph, producerOf(graph, "moved"), inputs, config, Bytes(0)};
  L1Budget enough(device.usableL1());
  const OpVerdict verdict = cold.validateOperation(query, enough);
  ASSERT_TRUE(verdict.ok());
  L1Budget tight(verdict.needed - Bytes(1));
  enough.takeRange();
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(warm.validateOperation(query, enough).ok());
    EXPECT_FALSE(warm.validateOperation(query, tight).ok());
    EXPECT_EQ(warm.getOpRuntime(query).total(), cold.getOpRuntime(query).total());
    EXPECT_EQ(enough.takeRange().from, verdict.needed.count);
    EXPECT_EQ(tight.takeRange().below, verdict.needed.count);
  }
  EXPECT_EQ(answers.size(), 1u);
}

}  // namespace
}  // namespace tessera::test

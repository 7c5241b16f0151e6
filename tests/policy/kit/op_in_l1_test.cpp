// What an op does to L1: copies of operands and when their originals go, views, and ops that fill L1 alone.

#include "core/policy/kit/op_in_l1.h"

#include "core/policy/kit/candidate_layouts.h"
#include "core/policy/kit/legalize.h"
#include "tests/analysed.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

const std::string kEightTiles = "tensor<1024x32xbf16>";  // a core, over four

struct Reader {
  DeviceSpec device = tinyDevice();
  Graph graph;
  std::unique_ptr<Problem> problem;
  ValueId a, u;
  OpId op;

  // %a is made first; `body` makes %u.
  explicit Reader(const std::string& body, const std::string& result = kEightTiles) {
    graph = graphOf("func.func @main(%x: " + kEightTiles + ") -> " + result + " {\n" +
                    line("%a", "ttir.relu", "%x", kEightTiles) + body + "}\n");
    problem = std::make_unique<Problem>(analysed(graph, device, {}));
    a = valueNamed(graph, "a"), u = valueNamed(graph, "u");
    op = producerOf(graph, "u");
  }
  TensorLayout inL1() const { return l1InterleavedLayout(*problem, a); }
  TensorLayout sharded() const {
    return layoutFor(graph, a, BufferType::L1, TensorMemoryLayout::HeightSharded, {4, 1}, device);
  }
  // Of every move: the value whose original goes with it, or "-".
  std::string freed(const Layouts& inputs) const {
    const Layouts now(inputs.size(), inL1());
    const OpConfig config{dramLayout(*problem, u), {}};
    std::string text;
    for (const L1Move& move : movesOf(*problem, op, now, inputs, config, {dramLayout(*problem, u)}))
      text += move.freedAfter < 0 ? "-" : graph.values[ValueId{move.freedAfter}].name;
    return text;
  }
};

TEST(OpInL1, TheOriginalGoesWithTheLastCopy) {
  const Reader last(line("%u", "ttir.add", "%a, %a", kEightTiles) + "  return %u : " + kEightTiles + "\n");
  const TensorLayout here = last.inL1(), copy = last.sharded();
  EXPECT_EQ(last.freed({here, here}), "");
  EXPECT_EQ(last.freed({copy, copy}), "-a");
  EXPECT_EQ(last.freed({copy, here}), "-") << "the second operand is read from the original";
  EXPECT_EQ(last.freed({here, copy}), "-") << "so is the first";
  const Reader again(line("%u", "ttir.add", "%a, %a", kEightTiles) + line("%v", "ttir.add", "%u, %a", kEightTiles) +
                     "  return %v : " + kEightTiles + "\n");
  EXPECT_EQ(again.freed({copy, copy}), "--") << "it is read again later";
  const Reader single(line("%u", "ttir.relu", "%a", kEightTiles) + "  return %u : " + kEightTiles + "\n");
  EXPECT_EQ(single.freed({copy}), "a");
}

TEST(OpInL1, CopiesCountByWhatTheyTake) {
  const Reader reader(line("%u", "ttir.add", "%a, %a", kEightTiles) + "  return %u : " + kEightTiles + "\n");
  const TensorLayout here = reader.inL1(), copy = reader.sharded(), dram = dramLayout(*reader.problem, reader.a);
  EXPECT_EQ(copiesL1({here, here}, {here, here}), Bytes(0));
  EXPECT_EQ(copiesL1({here, here}, {copy, here}), Bytes(8 * kTile));
  EXPECT_EQ(copiesL1({here, here}, {copy, copy}), Bytes(16 * kTile));
  EXPECT_EQ(copiesL1({here, here}, {dram, copy}), Bytes(8 * kTile)) << "a copy in DRAM takes no L1";
}

// A view's result is its operand's buffer, which is counted already: all of L1 may be taken.
TEST(OpInL1, AViewTakesNothingMore) {
  const std::string viewed = "tensor<2x512x32xbf16>";
  const Reader view("  %u = \"ttnn.reshape\"(%a) <{shape = [2 : i32, 512 : i32, 32 : i32]}> : (" + kEightTiles +
                        ") -> " + viewed + "\n  return %u : " + viewed + "\n",
                    viewed);
  const Reader relu(line("%u", "ttnn.relu", "%a", kEightTiles) + "  return %u : " + kEightTiles + "\n");
  for (const Reader* reader : {&view, &relu}) {
    const OpConfig config{l1InterleavedLayout(*reader->problem, reader->u), {}};
    const bool fits =
        validateInL1(*reader->problem, reader->op, {reader->inL1()}, {reader->inL1()}, config, Bytes(30 * kTile)).ok();
    EXPECT_EQ(fits, reader == &view);
  }
}

TEST(OpInL1, AnOpFillsL1AloneWhenItsOwnNeedsAreAllThatIsWanted) {
  OpVerdict verdict;
  verdict.status = OpStatus::OutOfMemory;
  verdict.needed = Bytes(100);
  verdict.constraints.peakL1MemorySize = Bytes(100);
  const Reader reader(line("%u", "ttir.relu", "%a", kEightTiles) + "  return %u : " + kEightTiles + "\n");
  const OpConfig dram{dramLayout(*reader.problem, reader.u), {}},
      l1{l1InterleavedLayout(*reader.problem, reader.u), {}};
  EXPECT_TRUE(fillsL1Alone(verdict, dram));
  EXPECT_FALSE(fillsL1Alone(verdict, l1)) << "its result need not be there";
  verdict.needed = Bytes(101);
  EXPECT_FALSE(fillsL1Alone(verdict, dram)) << "something else is in L1";
  verdict.needed = Bytes(99);
  EXPECT_TRUE(fillsL1Alone(verdict, dram));
  verdict.constraints.outputL1BufferSize = Bytes(1);
  EXPECT_FALSE(fillsL1Alone(verdict, dram));
  verdict.constraints.outputL1BufferSize = Bytes(0);
  verdict.status = OpStatus::MetalBackendError;
  EXPECT_FALSE(fillsL1Alone(verdict, dram));
}

// Every operand that is read elsewhere than it lies is one conversion, and nothing is converted without need.
TEST(Legalize, CountsTheOperandsThatItConverts) {
  const std::string type = "tensor<512x512xbf16>";
  int converted = 0;
  for (const char* kind : {"ttnn.relu", "ttnn.exp", "ttnn.add", "ttnn.subtract"}) {
    const bool two = std::string(kind) == "ttnn.add" || std::string(kind) == "ttnn.subtract";
    const Graph graph = graphOf("func.func @main(%x: " + type + ", %y: " + type + ") -> " + type + " {\n" +
                                line("%u", kind, two ? "%x, %y" : "%x", type) + "  return %u : " + type + "\n}\n");
    const Problem problem = analysed(graph, allDevices()[0], {});
    const Placement placement(problem);
    const OpId op = producerOf(graph, "u");
    const Layouts now = placement.operandLayouts(op);
    for (const GridShape grid : {GridShape{4, 4}, GridShape{8, 8}}) {
      const OpConfig config{layoutFor(graph, valueNamed(graph, "u"), BufferType::L1, TensorMemoryLayout::BlockSharded,
                                      grid, allDevices()[0]),
                            {}};
      const Attempt as = tryAsItIs(problem, placement, op, config), made = tryConfig(problem, placement, op, config);
      EXPECT_EQ(as.reshards, 0);
      EXPECT_EQ(as.inputs, now);
      EXPECT_TRUE(made.verdict.ok()) << kind;
      int differ = 0;
      for (size_t i = 0; i < now.size(); ++i) differ += !(made.inputs[i] == now[i]);
      EXPECT_EQ(made.reshards, differ) << kind;
      EXPECT_EQ(as.verdict.ok(), differ == 0) << kind;
      converted += differ;
    }
  }
  EXPECT_GT(converted, 0);
}

}  // namespace
}  // namespace tessera::test

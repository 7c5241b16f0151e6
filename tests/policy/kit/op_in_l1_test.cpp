// What an op does to L1: copies of operands and when their originals go, views, and ops that fill L1 alone.

#include "core/policy/kit/op_in_l1.h"

#include "core/ops/model/op_memory.h"
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

// %u reads shards of 8,192 bytes that it does not take: they are copied in L1, through DRAM where the copy finds no
// room beside them, and where that does not help either it is the copy in L1 that is told. Four tiles of circular
// buffers.
TEST(Legalize, CopiesGoThroughDramOnlyWhereThatHelps) {
  const std::string type = "tensor<512x512xbf16>";
  const Graph graph = graphOf("func.func @main(%x: " + type + ", %y: " + type + ") -> " + type + " {\n" +
                              line("%s", "ttnn.add", "%x, %y", type) + line("%u", "ttnn.exp", "%s", type) +
                              "  return %u : " + type + "\n}\n");
  const OpModel model(allDevices()[0]);
  const OpId add = producerOf(graph, "s"), op = producerOf(graph, "u");
  struct Case {
    int64_t bytes;
    bool resultInL1, copyInL1, ok;
    int64_t needed;
  };
  for (const Case& one : {Case{24'576, false, true, true, 24'576}, Case{24'575, false, false, true, 16'384},
                          Case{16'384, false, false, true, 16'384}, Case{16'383, false, true, false, 24'576},
                          Case{32'768, true, true, true, 32'768}, Case{32'767, true, false, true, 24'576},
                          Case{24'575, true, true, false, 32'768}}) {
    SCOPED_TRACE(std::to_string(one.bytes) + (one.resultInL1 ? " into L1" : " into DRAM"));
    L1Budget budget{Bytes(one.bytes)};
    const Problem problem = analyse(graph, model, {}, budget, noDiagnostics());
    Placement placement(problem);
    placement.place(add,
                    {layoutFor(graph, valueNamed(graph, "s"), BufferType::L1, TensorMemoryLayout::BlockSharded, {8, 8},
                               allDevices()[0]),
                     {}},
                    placement.operandLayouts(add));
    placement.finish(add);
    const ValueId result = valueNamed(graph, "u");
    const OpConfig config{one.resultInL1 ? l1InterleavedLayout(problem, result) : dramLayout(problem, result), {}};
    const Attempt made = tryConfig(problem, placement, op, config);
    EXPECT_EQ(made.verdict.ok(), one.ok);
    EXPECT_EQ(made.verdict.status, one.ok ? OpStatus::Success : OpStatus::OutOfMemory);
    EXPECT_EQ(made.inputs[0]->isL1(), one.copyInL1);
    EXPECT_FALSE(made.inputs[0]->sharded());
    EXPECT_EQ(made.verdict.needed, Bytes(one.needed));
    EXPECT_EQ(made.reshards, 1);
    EXPECT_EQ(made.config.output, config.output);
  }
}

// What lies in the region of small buffers takes nothing of the rest.
TEST(OpInL1, SmallBuffersAreNoMoves) {
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<1x32x32x64xbf16>) -> tensor<1x16x16x64xbf16> {\n"
      "  %u = \"ttir.max_pool2d\"(%x) <{kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, padding = array<i32: 0, "
      "0, 0, "
      "0>, dilation = array<i32: 1, 1>, ceil_mode = false}> : (tensor<1x32x32x64xbf16>) -> tensor<1x16x16x64xbf16>\n"
      "  return %u : tensor<1x16x16x64xbf16>\n}\n");
  std::vector<int64_t> allocated[2];
  for (const bool small : {false, true}) {
    DeviceSpec device = allDevices()[0];
    device.l1Small = Bytes(small ? 32'768 : 0);
    const Problem problem = analysed(graph, device, {});
    const ValueId x = valueNamed(graph, "x"), u = valueNamed(graph, "u");
    const Layouts inputs = {dramLayout(problem, x)}, results = {l1InterleavedLayout(problem, u)};
    const OpConfig config{*results[0], {}};
    const OpQuery query{graph, producerOf(graph, "u"), inputs, config, Bytes(0)};
    EXPECT_EQ(opMemory(query, problem.model).intermediates.size(), small ? 2u : 1u);
    for (const L1Move& move : movesOf(problem, query.op, inputs, inputs, config, results))
      allocated[small].push_back(move.allocate.count);
  }
  EXPECT_EQ(allocated[0].size(), 2u) << "the halo and the result";
  EXPECT_EQ(allocated[1], allocated[0]);
}

}  // namespace
}  // namespace tessera::test

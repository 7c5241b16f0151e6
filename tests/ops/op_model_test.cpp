#include "core/ops/model/op_model.h"

#include <algorithm>
#include <set>

#include "tests/ops/asking.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// One op of a graph and what to ask about it.
struct Query {
  Graph graph;
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;
  OpConfig config;
  Bytes additional;

  OpQuery query() const { return {graph, op, inputs, config, additional}; }
  OpVerdict verdict(Bytes budget = n150().usableL1()) const {
    return OpModel(n150()).validateOperation(query(), budget);
  }
  OpConstraints constraints() const { return OpModel(n150()).getOpConstraints(query()); }
  OpTime time() const { return OpModel(n150()).getOpRuntime(query()); }
};

std::string tensorText(const Shape& shape, const char* dtype = "bf16") {
  std::string text = "tensor<";
  for (int64_t dim : shape) text += std::to_string(dim) + "x";
  return text + dtype + ">";
}

struct Operand {
  Shape shape;
  Where where;
};
Query ask(const std::string& op, const std::string& properties, const std::vector<Operand>& operands,
          const Operand& result, const char* resultType = "bf16", const std::vector<const char*>& more = {}) {
  std::string arguments, names, types;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string name = "%a" + std::to_string(i), type = tensorText(operands[i].shape);
    arguments += (i ? ", " : "") + name + ": " + type;
    names += (i ? ", " : "") + name;
    types += (i ? ", " : "") + type;
  }
  std::string out = tensorText(result.shape, resultType), outs = out, made = "%r";
  for (size_t i = 0; i < more.size(); ++i) {
    outs += ", " + tensorText(result.shape, more[i]);
    made += ", %r" + std::to_string(i + 1);
  }
  Query query;
  query.graph = graphOf("func.func @main(" + arguments + ") -> " + out + " {\n  " + made + " = \"" + op + "\"(" +
                        names + ")" + (properties.empty() ? "" : " <{" + properties + "}>") + " : (" + types + ") -> " +
                        (!more.empty() ? "(" + outs + ")" : out) + "\n  return %r : " + out + "\n}\n");
  query.op = producerOf(query.graph, "r");
  EXPECT_TRUE(query.op.valid());
  auto layout = [&](ValueId value, const Where& where) {
    return layoutFor(query.graph, value, where.buffer, where.memory, where.grid, n150());
  };
  for (size_t i = 0; i < operands.size(); ++i)
    query.inputs.push_back(layout(query.graph.ops[query.op].operands[i], operands[i].where));
  query.config.output = layout(valueNamed(query.graph, "r"), result.where);
  return query;
}

const char* const kMatmul = "transpose_a = false, transpose_b = false";
const Shape kSquare = {256, 256};

Query relu(const Where& in, const Where& out, Shape shape = kSquare) {
  return ask("ttir.relu", "", {{shape, in}}, {shape, out});
}
Query matmul(const Where& a, const Where& b, const Where& out) {
  return ask("ttir.matmul", kMatmul, {{kSquare, a}, {kSquare, b}}, {kSquare, out});
}
Query norm(const Where& in, const Where& out) {
  return ask("ttir.layer_norm",
             "epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 256>, operandSegmentSizes = array<i32: 1, 0, 0>",
             {{kSquare, in}}, {kSquare, out});
}
Query concat(const Where& in, const Where& out) {
  return ask("ttir.concat", "dim = 1 : si32", {{kSquare, in}, {kSquare, in}}, {{256, 512}, out});
}

// --- every refusal -------------------------------------------------------------------------------------------------

struct RefusalCase {
  Refusal reason;
  OpStatus status;
  int operand;
  Query query;
  Bytes budget = n150().usableL1();
};

std::vector<RefusalCase> refusalCases() {
  constexpr OpStatus kError = OpStatus::MetalBackendError;
  std::vector<RefusalCase> cases;
  auto add = [&](Refusal reason, int operand, Query query) {
    cases.push_back({reason, kError, operand, std::move(query)});
  };
  cases.push_back({Refusal::None, OpStatus::Success, -1, relu(kInDram, kInDram)});
  cases.push_back({Refusal::OutOfL1, OpStatus::OutOfMemory, -1, relu(kInDram, kInL1), Bytes(10239)});
  add(Refusal::InputMustBeInterleaved, 1, matmul(kInDram, blockOver(8, 8), kInDram));
  add(Refusal::InputMustBeDramInterleaved, 0, ask("mylib.fancy", "", {{kSquare, kInL1}}, {kSquare, kInDram}));
  Query rowMajor = relu(kInDram, kInDram);
  rowMajor.inputs[0]->page = PageLayout::RowMajor;
  add(Refusal::InputMustBeTile, 0, rowMajor);
  add(Refusal::InputMustBeRows, 0,
      ask("ttnn.upsample", "mode = \"nearest\", scale_factor = 2 : si32", {{{1, 8, 8, 32}, kInDram}},
          {{1, 16, 16, 32}, kInDram}));
  Query table = ask("ttnn.embedding", "", {{{4, 32}, kInDram}, {kSquare, kInDram}}, {{4, 32, 256}, kInDram});
  table.inputs[1]->dtype = DType::F32;
  add(Refusal::InputType, 1, table);
  table.inputs[0]->dtype = DType::I32;
  add(Refusal::InputType, 0, table);
  add(Refusal::InputHeightSharded, 0, norm(heightOver(8), kInDram));
  add(Refusal::InputWidthSharded, 0,
      ask("ttir.reshape", "shape = [1 : i32, 256 : i32, 256 : i32]", {{kSquare, widthOver(8)}},
          {{1, 256, 256}, kInDram}));
  Query host = relu(kInDram, kInDram);
  host.inputs[0]->buffer = BufferType::SystemMemory;
  add(Refusal::InputOnHost, 0, host);
  add(Refusal::BroadcastOperandSharded, 1,
      ask("ttir.where", "", {{kSquare, kInDram}, {{256}, widthOver(8)}, {kSquare, kInDram}}, {kSquare, kInDram}));
  add(Refusal::OutputMustBeInterleaved, -1,
      ask("ttir.softmax", "dimension = -1 : si32", {{kSquare, kInDram}}, {kSquare, blockOver(8, 8)}));
  add(Refusal::OutputMustBeDramInterleaved, -1,
      ask("ttir.zeros", "shape = array<i32: 256, 256>", {}, {kSquare, kInL1}));
  Query toRowMajor = matmul(kInDram, kInDram, kInDram);
  toRowMajor.config.output.page = PageLayout::RowMajor;
  add(Refusal::OutputMustBeTile, -1, toRowMajor);
  add(Refusal::OutputHeightSharded, -1, norm(kInDram, heightOver(8)));
  add(Refusal::ShardingMismatch, 0, relu(blockOver(8, 8), blockOver(4, 4)));
  add(Refusal::MemoryLayoutMismatch, 0,
      ask("ttir.typecast", "dtype = #ttcore.supportedDataTypes<f32>", {{kSquare, kInDram}}, {kSquare, blockOver(8, 8)},
          "f32"));
  add(Refusal::LayoutChangeBefore2026, 0, relu(kInDram, blockOver(8, 8)));
  Query gathered = ask("ttnn.all_gather", "all_gather_dim = 0 : si32, cluster_axis = 0 : ui32", {{kSquare, kInDram}},
                       {{512, 256}, kInDram});
  gathered.config.output.page = PageLayout::RowMajor;
  add(Refusal::PageMismatch, 0, gathered);
  const Shape users = {1, 8, 32, 128};
  add(Refusal::InputSharding, 1,
      ask("ttnn.rotary_embedding_llama", "",
          {{users, heightOver(8)}, {users, kInDram}, {users, kInDram}, {users, kInDram}}, {users, heightOver(8)}));
  Query heads = ask("ttnn.nlp_create_qkv_heads_decode", "num_heads = 8 : ui32", {{{1, 1, 32, 3072}, kInDram}},
                    {{1, 32, 8, 128}, widthOver(4)}, "bf16", {"bf16", "bf16"});
  add(Refusal::OutputSharding, -1, heads);
  auto asking = [](Query query, MatmulProgram kind, int64_t perCoreM, int64_t perCoreN, int64_t subblock) {
    query.config.attrs = MatmulAttrs{kind, perCoreM, perCoreN, 1, subblock, subblock};
    return query;
  };
  add(Refusal::ProgramOperand, 0, asking(matmul(widthOver(8), kInDram, kInDram), MatmulProgram::Reuse, 8, 8, 0));
  add(Refusal::ProgramResult, -1, asking(matmul(heightOver(8), kInDram, widthOver(8)), MatmulProgram::Reuse, 1, 8, 0));
  add(Refusal::ProgramShape, 1,
      asking(ask("ttir.matmul", kMatmul, {{{2, 256, 256}, kInDram}, {kSquare, kInDram}}, {{2, 256, 256}, kInDram}),
             MatmulProgram::Reuse, 8, 8, 0));
  add(Refusal::ProgramBlocks, -1, asking(matmul(kInDram, kInDram, kInDram), MatmulProgram::MultiCast2d, 1, 1, 2));
  add(Refusal::ConcatSharding, 0, concat(blockOver(8, 8), blockOver(8, 8)));
  add(Refusal::BatchedMatmulSharded, -1,
      ask("ttir.matmul", kMatmul, {{{2, 256, 256}, kInDram}, {{2, 256, 256}, kInDram}},
          {{2, 256, 256}, blockOver(8, 8)}));
  Query misfit = ask("ttir.add", "", {{kSquare, kInDram}, {kSquare, kInDram}}, {kSquare, kInDram});
  misfit.graph.values.edit(misfit.graph.ops[misfit.op].operands[1]).type.tensor->shape = {128, 256};
  add(Refusal::ShapeMismatch, 1, misfit);
  const Shape image = {1, 8, 32, 32}, perChannel = {1, 8, 1, 1};
  Query withoutStatistics = ask("ttnn.batch_norm_inference", "epsilon = 1.0e-05 : f32",
                                {{image, kInDram}, {perChannel, kInDram}, {perChannel, kInDram}}, {image, kInDram});
  Op& batchNorm = withoutStatistics.graph.ops.edit(withoutStatistics.op);
  batchNorm.attrs.push_back({"operandSegmentSizes", intArrayAttr({1, 0, 0, 1, 1}, "i32")});
  sortAttrs(batchNorm.attrs);
  add(Refusal::OperandMissing, -1, withoutStatistics);
  Query noLayouts = relu(kInDram, kInDram), empty = relu(kInDram, kInDram),
        foreign = relu(blockOver(8, 8), blockOver(8, 8));
  noLayouts.inputs.clear();
  empty.graph.values.edit(empty.graph.ops[empty.op].operands[0]).type.tensor->shape = {0, 256};
  foreign.graph.values.edit(foreign.graph.ops[foreign.op].operands[0]).type.tensor->shape = {512, 256};
  Query noOp = relu(kInDram, kInDram), huge = empty, notATensor = relu(kInDram, kInDram);
  noOp.op = OpId{99};
  huge.graph.values.edit(huge.graph.ops[huge.op].operands[0]).type.tensor->shape = {int64_t{1} << 40, 256};
  notATensor.graph.values.edit(notATensor.graph.ops[notATensor.op].operands[0]).type = ValueType{};
  add(Refusal::NoSuchOp, -1, noOp);
  add(Refusal::LayoutCount, -1, noLayouts);
  add(Refusal::NotATensor, 0, notATensor);
  add(Refusal::EmptyTensor, 0, empty);
  add(Refusal::TensorTooLarge, 0, huge);
  add(Refusal::ForeignLayout, 0, foreign);
  Query impossible = relu(kInDram, kInDram);
  impossible.config.attrs = MatmulAttrs{.perCoreM = -1};
  add(Refusal::ImpossibleConfig, -1, impossible);
  cases.push_back({Refusal::UnknownOp, OpStatus::NotImplemented, -1,
                   ask("mylib.fancy", "", {{kSquare, kInDram}}, {kSquare, kInL1})});
  return cases;
}

// Reasons that no query can provoke yet. This list must shrink: a reason that is provoked after all fails below.
// NoHole and CircularBufferClash are about addresses: policies give them (tests/policy/placement_test.cpp). RuleBook
// is given by a policy that asks its rules before it asks the op model (core/policy/propagate).
const std::set<Refusal> kNeverGiven = {Refusal::DtypeChange, Refusal::NoHole, Refusal::CircularBufferClash,
                                       Refusal::RuleBook};

TEST(OpModel, EveryRefusalIsGivenByTheQueryThatDeservesIt) {
  for (const RefusalCase& c : refusalCases()) {
    SCOPED_TRACE(std::string(refusalName(c.reason)));
    OpVerdict verdict = c.query.verdict(c.budget);
    EXPECT_EQ(refusalName(verdict.reason), refusalName(c.reason));
    EXPECT_EQ(verdict.status, c.status);
    EXPECT_EQ(verdict.operand, c.operand);
    EXPECT_FALSE(verdictText(verdict).empty());
  }
}

TEST(OpModel, EveryRefusalIsCoveredOrExempt) {
  std::set<Refusal> provoked;
  for (const RefusalCase& c : refusalCases()) provoked.insert(c.query.verdict(c.budget).reason);
#define TESSERA_REFUSAL(name, text)                                          \
  EXPECT_NE(provoked.count(Refusal::name), kNeverGiven.count(Refusal::name)) \
      << #name                                                               \
      << (provoked.count(Refusal::name) ? " is provoked: take it out of kNeverGiven" : " is provoked by no query");
#include "core/ops/table/refusals.def"
#undef TESSERA_REFUSAL
}

TEST(OpModel, RefusalsHaveDistinctNamesAndTexts) {
  std::set<std::string_view> names, texts;
#define TESSERA_REFUSAL(name, text)                             \
  EXPECT_TRUE(names.insert(refusalName(Refusal::name)).second); \
  EXPECT_TRUE(texts.insert(refusalText(Refusal::name)).second); \
  EXPECT_EQ(refusalName(Refusal::name), #name);
#include "core/ops/table/refusals.def"
#include "tests/short_forms.h"
#undef TESSERA_REFUSAL
}

// --- figures -------------------------------------------------------------------------------------------------------

TEST(OpModel, OutOfMemoryNamesWhatIsNeededAndWhatThereIs) {
  // 8x8 tiles over 64 cores: one tile of result; two tiles in and two out of circular buffers.
  Query query = relu(kInDram, kInL1);
  query.additional = Bytes(1000);
  const int64_t needed = 2048 + 4 * 2048 + 1000;
  OpVerdict fits = query.verdict(Bytes(needed));
  EXPECT_TRUE(fits.ok());
  OpVerdict tooLittle = query.verdict(Bytes(needed - 1));
  EXPECT_EQ(tooLittle.status, OpStatus::OutOfMemory);
  EXPECT_EQ(tooLittle.reason, Refusal::OutOfL1);
  EXPECT_EQ(tooLittle.needed.count, needed);
  EXPECT_EQ(tooLittle.available.count, needed - 1);
  EXPECT_EQ(verdictText(tooLittle), "needs 11240 B of L1 per core, 11239 B are allowed");
}

// Ops that only move elements write the type that they read, whatever was asked for.
TEST(OpModel, WhatIsMovedKeepsItsType) {
  for (const char* op : {"ttnn.concat", "ttnn.reshape", "ttnn.permute", "ttnn.slice_static"}) {
    Query query = std::string(op) == "ttnn.concat"
                      ? concat(kInDram, kInDram)
                      : ask(op,
                            std::string(op) == "ttnn.reshape"   ? "shape = [128 : i32, 512 : i32]"
                            : std::string(op) == "ttnn.permute" ? "permutation = array<i64: 1, 0>"
                                                                : "begins = [0 : i32, 0 : i32], ends = [128 : i32, 256 "
                                                                  ": i32], step = [1 : i32, 1 : i32]",
                            {{kSquare, kInDram}},
                            {std::string(op) == "ttnn.reshape"   ? Shape{128, 512}
                             : std::string(op) == "ttnn.permute" ? kSquare
                                                                 : Shape{128, 256},
                             kInDram});
    for (auto& input : query.inputs) input->dtype = DType::I32;
    const OpVerdict verdict = query.verdict(n150().usableL1());
    EXPECT_TRUE(verdict.ok()) << op << ": " << verdictText(verdict);
    EXPECT_EQ(verdict.output.dtype, DType::I32) << op;
  }
}

TEST(OpModel, ALegalVerdictCarriesTheOutputThatWasAskedFor) {
  Query query = matmul(blockOver(8, 8), kInDram, blockOver(8, 8));
  OpVerdict verdict = query.verdict();
  ASSERT_TRUE(verdict.ok()) << verdictText(verdict);
  EXPECT_EQ(verdict.output, query.config.output);
  EXPECT_EQ(verdict.constraints.outputL1BufferSize, l1BytesPerCore(query.config.output));
  EXPECT_EQ(verdictText(verdict), "legal");
}

std::vector<Query> legalQueries() {
  std::vector<Query> queries;
  for (const Where& in : {kInDram, kInL1}) {
    for (const Where& out : {kInDram, kInL1}) {
      queries.push_back(relu(in, out));
      queries.push_back(matmul(in, in, out));
      queries.push_back(norm(in, out));
      queries.push_back(concat(in, out));
      queries.push_back(ask("ttir.add", "", {{kSquare, in}, {kSquare, kInDram}}, {kSquare, out}));
      queries.push_back(ask("ttir.softmax", "dimension = -1 : si32", {{kSquare, in}}, {kSquare, out}));
      queries.push_back(ask("ttir.sum", "dim_arg = [1 : i32], keep_dim = true", {{kSquare, in}}, {{256, 1}, out}));
      queries.push_back(ask("ttir.permute", "permutation = array<i64: 1, 0>", {{kSquare, in}}, {kSquare, out}));
      queries.push_back(ask("ttir.reshape", "shape = [128 : i32, 512 : i32]", {{kSquare, in}}, {{128, 512}, out}));
    }
  }
  queries.push_back(relu(blockOver(8, 8), blockOver(8, 8)));
  queries.push_back(relu(heightOver(8), heightOver(8)));
  queries.push_back(relu(widthOver(8), kInL1));
  queries.push_back(matmul(blockOver(8, 8), kInDram, blockOver(8, 8)));
  queries.push_back(matmul(heightOver(8), kInDram, heightOver(8)));
  queries.push_back(matmul(widthOver(8), kInDram, widthOver(8)));
  queries.push_back(norm(blockOver(8, 8), blockOver(8, 8)));
  queries.push_back(concat(heightOver(8), heightOver(8)));
  return queries;
}

TEST(OpModel, ConstraintsAddUp) {
  for (const Query& query : legalQueries()) {
    SCOPED_TRACE(query.graph.ops[query.op].name + " to " + layoutText(query.config.output));
    OpConstraints c = query.constraints();
    EXPECT_EQ(c.peakL1MemorySize, c.cbL1PeakSize + c.tensorL1PeakSize);
    EXPECT_GE(c.tensorL1PeakSize, c.outputL1BufferSize);
    EXPECT_GE(c.cbL1PeakSize.count, 0);
    EXPECT_EQ(c.outputL1BufferSize, query.config.output.isL1() ? l1BytesPerCore(query.config.output) : Bytes(0));
  }
}

TEST(OpModel, EveryResultTakesItsPartOfL1) {
  Query query = ask("ttir.sort", "descending = false, dim = -1 : si32, stable = false", {{kSquare, kInDram}},
                    {kSquare, kInDram}, "bf16", {"si32"});
  Graph graph = graphOf(
      "func.func @main(%a: tensor<256x256xbf16>) -> tensor<256x256xbf16> {\n"
      "  %r:2 = \"mylib.split\"(%a) : (tensor<256x256xbf16>) -> (tensor<256x256xbf16>, tensor<256x256xbf16>)\n"
      "  return %r#0 : tensor<256x256xbf16>\n}\n");
  query.graph = graph;
  query.op = producerOf(graph, "r");
  query.config.output =
      layoutFor(graph, valueNamed(graph, "r"), BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, n150());
  EXPECT_EQ(query.constraints().tensorL1PeakSize.count, 2 * 2048);
  EXPECT_EQ(query.constraints().outputL1BufferSize.count, 2048);
}

bool sameVerdict(const OpVerdict& a, const OpVerdict& b) {
  auto sizes = [](const OpVerdict& v) {
    return std::tuple(v.status, v.reason, v.operand, v.needed, v.available, v.constraints.cbL1PeakSize,
                      v.constraints.tensorL1PeakSize, v.constraints.peakL1MemorySize, v.constraints.outputL1BufferSize);
  };
  return sizes(a) == sizes(b) && a.output == b.output;
}

TEST(OpModel, TheSameQueryHasTheSameAnswer) {
  std::vector<Query> queries = legalQueries();
  for (RefusalCase& c : refusalCases()) queries.push_back(std::move(c.query));
  OpModel model(n150());
  std::vector<OpVerdict> first;
  for (const Query& query : queries) first.push_back(model.validateOperation(query.query(), n150().usableL1()));
  for (size_t i = queries.size(); i-- > 0;) {  // in another order, by another model
    EXPECT_TRUE(sameVerdict(model.validateOperation(queries[i].query(), n150().usableL1()), first[i]));
    EXPECT_TRUE(sameVerdict(OpModel(n150()).validateOperation(queries[i].query(), n150().usableL1()), first[i]));
    OpTime a = model.getOpRuntime(queries[i].query()), b = model.getOpRuntime(queries[i].query());
    EXPECT_EQ(std::tuple(a.fixed, a.compute, a.dram, a.noc, a.dramBytes, a.nocBytes, a.cores),
              std::tuple(b.fixed, b.compute, b.dram, b.noc, b.dramBytes, b.nocBytes, b.cores));
  }
}

// Whatever is wrong with a query, all three questions are answered.
TEST(OpModel, QueriesThatMakeNoSenseAreRefused) {
  auto refusal = [](const Query& query) {
    query.constraints();
    query.time();
    return query.verdict().reason;
  };
  auto setShape = [](Query& query, Shape shape) {
    query.graph.values.edit(query.graph.ops[query.op].operands[0]).type.tensor->shape = std::move(shape);
  };
  for (size_t count : {size_t{0}, size_t{2}}) {
    Query query = relu(kInDram, kInDram);
    query.inputs.resize(count);
    EXPECT_EQ(refusal(query), Refusal::LayoutCount);
  }
  Query noOp = relu(kInDram, kInDram);
  noOp.op = OpId{99};
  EXPECT_EQ(refusal(noOp), Refusal::NoSuchOp);
  for (const Shape& shape : {Shape{0, 256}, Shape{-1, 256}, Shape{INT64_MIN, INT64_MAX},
                             Shape{int64_t{1} << 22, int64_t{1} << 22}, Shape{INT64_MAX}, Shape{int64_t{1} << 40, 1}}) {
    Query query = relu(kInDram, kInDram);
    setShape(query, shape);
    bool positive = std::all_of(shape.begin(), shape.end(), [](int64_t dim) { return dim > 0; });
    EXPECT_EQ(refusal(query), positive ? Refusal::TensorTooLarge : Refusal::EmptyTensor);
  }
  for (int64_t size : {int64_t{-1}, int64_t{1} << 40, INT64_MAX, INT64_MIN}) {
    Query query = relu(kInDram, kInDram);
    query.config.attrs = MatmulAttrs{.outSubblockH = size};
    EXPECT_EQ(refusal(query), Refusal::ImpossibleConfig);
    query.config.attrs = Conv2dAttrs{.actBlockHOverride = size};
    EXPECT_EQ(refusal(query), Refusal::ImpossibleConfig);
  }
  Query otherShape = relu(blockOver(8, 8), blockOver(8, 8));
  setShape(otherShape, {512, 256});
  EXPECT_EQ(refusal(otherShape), Refusal::ForeignLayout);
  for (int change = 0; change < 6; ++change) {
    Query query = relu(blockOver(8, 8), blockOver(8, 8));
    TensorLayout& layout = change == 4 ? query.config.output : *query.inputs[0];
    if (change == 0) layout.grid.rows = -8;
    if (change == 1) layout.grid.cols = 0;
    if (change == 2) layout.shardRows = INT64_MIN;
    if (change == 3) layout.grid = {1000, 1000};
    if (change == 5) layout.grid = {8, 9};  // one column more than the chip has
    if (change == 4) layout = TensorLayout{.buffer = BufferType::L1, .memory = TensorMemoryLayout::HeightSharded};
    EXPECT_EQ(refusal(query), Refusal::ForeignLayout) << change;
  }
}

// --- time ----------------------------------------------------------------------------------------------------------

TEST(OpModel, TotalIsFixedPlusTheLongestPart) {
  OpTime time;
  time.fixed = Nanoseconds(5);
  time.compute = Nanoseconds(7);
  time.dram = Nanoseconds(30);
  time.noc = Nanoseconds(11);
  EXPECT_EQ(time.total().count, 35);
}

// What nothing overlaps is the start of the kernels: from 700 cycles where everything lies in place to 900 and the
// first tile's 2 KiB at 0.9 cycles a byte (core/ops/times/time_model.cpp), whatever the size of the tensors. Wormhole
// runs at 1 GHz: a cycle is a nanosecond.
TEST(OpModel, FixedTimeIsTheStartOfTheKernels) {
  for (const Query& query : legalQueries()) {
    OpTime time = query.time();
    EXPECT_GE(time.fixed.count, 700);
    EXPECT_LE(time.fixed.count, 900 + 1844);
    EXPECT_GE(time.total(), time.fixed);
    EXPECT_GE(time.cores, 1);
    EXPECT_LE(time.cores, n150().grid.volume());
  }
}

TEST(OpModel, DramTrafficIsWhatIsReadAndWritten) {
  EXPECT_EQ(relu(kInDram, kInDram).time().dramBytes, 2 * 64 * 2048);
  EXPECT_EQ(relu(kInDram, kInL1).time().dramBytes, 64 * 2048);
  EXPECT_EQ(relu(kInL1, kInL1).time().dramBytes, 0);
  EXPECT_EQ(relu(blockOver(8, 8), blockOver(8, 8)).time().dramBytes, 0);
  EXPECT_EQ(relu(blockOver(8, 8), blockOver(8, 8)).time().nocBytes, 0) << "computed where it lies";
  EXPECT_GT(relu(kInL1, kInL1).time().nocBytes, 0);
}

// Twice the rows, in the same kind of memory over the same grid.
TEST(OpModel, TwiceTheTilesNeverTakeLess) {
  struct WidthCase {
    const char* op;
    const char* properties;
    int operands;
    bool reduces = false;
  };
  const WidthCase cases[] = {
      {"ttir.relu", "", 1},
      {"ttir.exp", "", 1},
      {"ttir.add", "", 2},
      {"ttir.where", "", 3},
      {"ttir.softmax", "dimension = -1 : si32", 1},
      {"ttir.sum", "dim_arg = [1 : i32], keep_dim = true", 1, true},
      {"ttir.layer_norm",
       "epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 256>, operandSegmentSizes = array<i32: 1, 0, 0>", 1},
      {"mylib.fancy", "", 1},
  };
  for (const WidthCase& c : cases) {
    for (const Where& where : {kInDram, kInL1, blockOver(4, 8), heightOver(4), widthOver(8)}) {
      int64_t last = 0;
      for (int64_t rows = 128; rows <= 16384; rows *= 2) {
        Shape shape = {rows, 256}, out = {rows, c.reduces ? 1 : 256};
        if (c.reduces && where.memory != TensorMemoryLayout::Interleaved) continue;
        Query query = ask(c.op, c.properties, std::vector<Operand>(static_cast<size_t>(c.operands), {shape, where}),
                          {out, where});
        int64_t time = query.time().total().count;
        EXPECT_GE(time, last) << c.op << " " << layoutText(query.config.output) << " " << rows << " rows";
        last = time;
      }
    }
  }
}

TEST(OpModel, TwiceTheWorkOfAMatmulNeverTakesLess) {
  for (const Where& where : {kInDram, kInL1, blockOver(4, 4)}) {
    for (int grow = 0; grow < 3; ++grow) {  // m, n or k
      int64_t last = 0;
      for (int64_t factor = 1; factor <= 32; factor *= 2) {
        int64_t m = grow == 0 ? 128 * factor : 128, n = grow == 1 ? 128 * factor : 128,
                k = grow == 2 ? 128 * factor : 128;
        Query query = ask("ttir.matmul", kMatmul, {{{m, k}, where}, {{k, n}, kInDram}}, {{m, n}, where});
        int64_t time = query.time().total().count;
        EXPECT_GE(time, last) << m << "x" << k << "x" << n << " " << layoutText(query.config.output);
        last = time;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test

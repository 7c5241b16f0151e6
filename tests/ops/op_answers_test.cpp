#include "core/ops/model/op_answers.h"

#include <random>

#include "core/analysis/problem.h"
#include "tests/ops/circular_buffers.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

struct Question {
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;
  OpConfig config;
  Bytes additional;
};

auto sizesOf(const OpConstraints& c) {
  return std::tuple(c.cbL1PeakSize, c.tensorL1PeakSize, c.peakL1MemorySize, c.outputL1BufferSize);
}
auto partsOf(const OpTime& t) {
  return std::tuple(t.fixed, t.compute, t.dram, t.noc, t.dramBytes, t.nocBytes, t.cores);
}

constexpr Bytes kBudget(900'000);

// A model that remembers, with what it remembers.
struct Memory {
  Interner interner;
  OpAnswers answers{interner};
  OpModel modelOf(const Graph& graph) { return OpModel(n150(), answers, answers.classify(graph)); }
};

// All figures at once are those that are asked for one by one, and none for what is refused.
void expectSameFigures(const OpModel& model, const OpQuery& query) {
  const OpFigures all = model.figuresOf(query);
  const OpVerdict verdict = model.validateOperation(query, Bytes(INT64_MAX / 2));
  EXPECT_EQ(std::tuple(all.status, all.reason, all.operand),
            std::tuple(verdict.status, verdict.reason, verdict.operand));
  const bool legal = verdict.ok();
  EXPECT_EQ(sizesOf(all.constraints), sizesOf(legal ? model.getOpConstraints(query) : OpConstraints{}));
  EXPECT_EQ(all.time, legal ? model.getOpRuntime(query).total() : Nanoseconds{});
  EXPECT_TRUE(all.output == verdict.output);
}

void expectSameAnswers(const OpModel& a, const OpModel& b, const OpQuery& query, int order) {
  OpVerdict va, vb;
  expectSameFigures(a, query);
  // Whichever part is asked first.
  for (int i = 0; i < 3; ++i) {
    switch ((i + order) % 3) {
      case 0:
        va = a.validateOperation(query, kBudget);
        vb = b.validateOperation(query, kBudget);
        EXPECT_EQ(std::tuple(va.status, va.reason, va.operand, va.needed, va.available, sizesOf(va.constraints)),
                  std::tuple(vb.status, vb.reason, vb.operand, vb.needed, vb.available, sizesOf(vb.constraints)));
        EXPECT_TRUE(va.output == vb.output);
        break;
      case 1: EXPECT_EQ(sizesOf(a.getOpConstraints(query)), sizesOf(b.getOpConstraints(query))); break;
      case 2: EXPECT_EQ(partsOf(a.getOpRuntime(query)), partsOf(b.getOpRuntime(query))); break;
    }
  }
}

void expectSoundBuffers(const OpModel& model, const OpQuery& query) {
  std::vector<CircularBuffer> buffers = model.getCircularBuffers(query);
  expectBuffersAddUp(buffers, model.getOpConstraints(query), model.ruleOf(query), model.device().dramAlignment);
  if (model.validateOperation(query, kBudget).ok()) expectBackedByShards(buffers, query);
}

// Every legal layout of a value, and one that is not its own.
std::vector<Question> questionsAbout(const Problem& problem, std::mt19937& random) {
  std::vector<Question> questions;
  for (OpId op : problem.schedule.order) {
    const Op& o = problem.graph.ops[op];
    for (size_t round = 0; round < 8; ++round) {
      Question q{op, {}, {}, Bytes(static_cast<int64_t>(random() % 3) * 500'000)};
      for (ValueId operand : o.operands) {
        if (!problem.isTensor(operand)) {
          q.inputs.push_back(std::nullopt);
          continue;
        }
        OpId producer = problem.graph.values[operand].producer;
        const auto* legal = producer.valid() ? &problem.configs[producer] : nullptr;
        bool chosen = legal && !legal->empty() && random() % 4 != 0;
        q.inputs.push_back(chosen ? (*legal)[random() % legal->size()].output : dramLayout(problem, operand));
      }
      const auto& configs = problem.configs[op];
      if (!configs.empty()) q.config = configs[random() % configs.size()];
      else if (!o.results.empty() && problem.isTensor(o.results[0]))
        q.config.output = dramLayout(problem, o.results[0]);
      questions.push_back(std::move(q));
    }
  }
  return questions;
}

TEST(OpAnswers, RememberedAnswersAreThoseOfAModelThatForgets) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Graph graph = graphOf(randomGraphText(seed));
    const Problem problem = analysed(graph, n150(), {});
    std::mt19937 random(static_cast<uint32_t>(seed));
    std::vector<Question> questions = questionsAbout(problem, random);
    Memory memory;
    const OpModel cold(n150()), memo = memory.modelOf(graph), copy = memo;
    for (int round = 0; round < 3; ++round) {
      std::shuffle(questions.begin(), questions.end(), random);
      for (const Question& q : questions) {
        OpQuery query{graph, q.op, q.inputs, q.config, q.additional};
        SCOPED_TRACE(graph.ops[q.op].name + " to " + layoutText(q.config.output));
        expectSameAnswers(round == 1 ? copy : memo, cold, query, static_cast<int>(random() % 3));
        if (round == 2) expectSoundBuffers(memo, query);
      }
    }
    if (HasFailure()) return;
  }
}

Graph addOf(const std::string& shape) {
  std::string type = "tensor<" + shape + "xbf16>";
  return graphOf("func.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
                 " {\n  %r = \"ttir.add\"(%a, %b) : (" + type + ", " + type + ") -> " + type +
                 "\n  return %r : " + type + "\n}\n");
}

TEST(OpAnswers, AnotherGraphsOpOfTheSameNumberIsAnotherOp) {
  Graph small = addOf("64x64"), large = addOf("4096x4096");
  Memory memory;
  const OpModel model = memory.modelOf(small);
  for (const Graph* graph : {&small, &large, &small}) {
    OpId op = producerOf(*graph, "r");
    TensorLayout dram =
        layoutFor(*graph, valueNamed(*graph, "r"), BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, n150());
    std::vector<std::optional<TensorLayout>> inputs(2, dram);
    OpConfig config{dram, {}};
    expectSameAnswers(model, OpModel(n150()), {*graph, op, inputs, config, Bytes(0)}, 0);
  }
}

// Models of graphs that are gone, or of before everything was forgotten, answer right; they do not use the table.
TEST(OpAnswers, ClassesFromBeforeAreNotTakenForNewOnes) {
  const Graph small = addOf("64x64"), large = addOf("4096x4096");
  Memory memory;
  const OpModel before = memory.modelOf(small);
  const auto check = [](const OpModel& model, const Graph& graph) {
    const TensorLayout dram =
        layoutFor(graph, valueNamed(graph, "r"), BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, n150());
    const std::vector<std::optional<TensorLayout>> inputs(2, dram);
    const OpConfig config{dram, {}};
    expectSameAnswers(model, OpModel(n150()), {graph, producerOf(graph, "r"), inputs, config, Bytes(0)}, 0);
  };
  check(before, small);
  memory.interner = {};
  memory.answers.clear();
  const OpModel after = memory.modelOf(large);  // its add has the number that the other had
  check(after, large);
  check(before, small);
  EXPECT_EQ(memory.answers.size(), 1u);
}

TEST(OpAnswers, AreBoundedAndForgettingChangesNoAnswer) {
  Graph graph = addOf("256x256");
  Memory memory, other;
  OpAnswers& answers = memory.answers;
  const OpModel cold(n150()), model = other.modelOf(graph);
  OpId op = producerOf(graph, "r");
  const uint32_t opClass = memory.interner.classOf(graph, op);
  TensorLayout out =
      layoutFor(graph, valueNamed(graph, "r"), BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, n150());
  OpConfig config{out, {}};
  std::vector<std::optional<TensorLayout>> inputs(2, out);
  size_t most = 0;
  constexpr int64_t kSide = 380;  // more pairs than there are entries
  for (int64_t i = 0; i < kSide * kSide; ++i) {
    inputs[0]->shardCols = 1 + i / kSide;
    inputs[1]->shardCols = 1 + i % kSide;
    OpQuery query{graph, op, inputs, config, Bytes(0)};
    EXPECT_EQ(answers.find(opClass, query).known, 0);
    answers.find(opClass, query).known = OpAnswer::kVerdict;
    EXPECT_EQ(answers.find(opClass, query).known, OpAnswer::kVerdict);
    EXPECT_EQ(answers.size(), static_cast<size_t>(i) % OpAnswers::kMostEntries + 1) << "only a new question empties it";
    most = std::max(most, answers.size());
    if (i % 7 == 0) {
      EXPECT_EQ(model.validateOperation(query, kBudget).needed, cold.validateOperation(query, kBudget).needed);
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(most, OpAnswers::kMostEntries);
  EXPECT_LT(answers.size(), OpAnswers::kMostEntries) << "it was full once";
}

// Numbers of layouts count where they are those of the table's own pool, and are left alone where they are not.
TEST(OpAnswers, TakesNumbersOfItsOwnPool) {
  Graph graph = addOf("256x256");
  Memory memory;
  LayoutPool other;
  const OpId op = producerOf(graph, "r");
  const ValueId result = valueNamed(graph, "r");
  const TensorLayout dram = layoutFor(graph, result, BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, n150());
  const TensorLayout spread = layoutFor(graph, result, BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}, n150());
  other.intern(spread);
  const std::vector<std::optional<TensorLayout>> inputs = {dram, spread};
  const OpConfig config{dram, {}};
  OpQuery query{graph, op, inputs, config, Bytes(0)};
  memory.answers.find(0, query).known = OpAnswer::kVerdict;
  const std::vector<LayoutId> own = {memory.interner.layouts.intern(dram), memory.interner.layouts.intern(spread)};
  query.interned = {&memory.interner.layouts, own};
  EXPECT_EQ(memory.answers.find(0, query).known, OpAnswer::kVerdict);
  const std::vector<LayoutId> foreign = {other.intern(dram), other.intern(spread)};
  ASSERT_NE(own, foreign);
  query.interned = {&other, foreign};
  EXPECT_EQ(memory.answers.find(0, query).known, OpAnswer::kVerdict);
  EXPECT_EQ(memory.answers.size(), 1u);
}

// Settings are part of the question.
TEST(OpAnswers, TellsConfigsApart) {
  Graph graph = addOf("256x256");
  const OpId op = producerOf(graph, "r");
  Memory memory;
  TensorLayout out =
      layoutFor(graph, valueNamed(graph, "r"), BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, n150());
  std::vector<std::optional<TensorLayout>> inputs(2, out);
  std::vector<OpConfig> configs = {{out, {}}};
  for (std::optional<int64_t> block :
       {std::optional<int64_t>(), std::optional<int64_t>(0), std::optional<int64_t>(64)}) {
    for (std::optional<bool> flag : {std::optional<bool>(), std::optional<bool>(false), std::optional<bool>(true)}) {
      configs.push_back({out, Conv2dAttrs{block, flag, {}}});
      if (flag) configs.push_back({out, Conv2dAttrs{block, {}, flag}});
    }
  }
  for (int field = 0; field < 9; ++field) {
    MatmulAttrs attrs;
    int64_t* sizes[] = {&attrs.perCoreM,     &attrs.perCoreN,  &attrs.in0BlockW, &attrs.outSubblockH,
                        &attrs.outSubblockW, &attrs.outBlockH, &attrs.outBlockW};
    if (field < 7) *sizes[field] = int64_t{1} << 40;
    if (field == 7) attrs.program = MatmulProgram::MultiCast1dIn0;
    configs.push_back({out, attrs});
  }
  std::vector<ComputeConfig> computes;
  for (const auto fidelity :
       {std::optional<MathFidelity>(), std::optional(MathFidelity::LoFi), std::optional(MathFidelity::HiFi4)}) {
    for (const auto wide : {std::optional<bool>(), std::optional(false), std::optional(true)})
      computes.push_back({fidelity, wide});
  }
  for (const OpConfig& config : configs) {
    for (const ComputeConfig& compute : computes) {
      OpAnswer& answer = memory.answers.find(0, {graph, op, inputs, config, Bytes(0), compute});
      EXPECT_EQ(answer.known, 0);
      answer.known = OpAnswer::kVerdict;
    }
  }
  EXPECT_EQ(memory.answers.size(), configs.size() * computes.size());
}

}  // namespace
}  // namespace tessera::test

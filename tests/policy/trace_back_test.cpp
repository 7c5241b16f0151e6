// Pass 1, backward, on beams written by hand: which entry of a fork wins by each rule, ties, what is told about forks,
// and what the readers read when a fork went another way than they were scored with.

#include "core/policy/propagate/trace_back.h"

#include "core/policy/policy_memory.h"
#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

// %0 is read by %1, %2 and %3. The entries of %0 lie L1 interleaved, in shards and in DRAM.
struct Fork {
  Graph graph;
  DeviceSpec device = allDevices()[0];
  Problem problem;
  PropagateOptions options;
  PolicyMemory memory;
  MoveTime moves;
  Propagation out;
  Beams beams;
  TensorLayout places[3];

  explicit Fork(const std::string& text)
      : graph(graphOf(text)), problem(analysed(graph, device, {})), moves(problem, memory.moves), out{moves.pool()} {
    beams.resize(graph.ops.size());
    const ValueId value = valueNamed(graph, "0");
    places[0] = l1InterleavedLayout(problem, value);
    places[1] = layoutFor(graph, value, BufferType::L1, TensorMemoryLayout::HeightSharded, {16, 1}, device);
    places[2] = dramLayout(problem, value);
  }
  Fork()
      : Fork(GraphText()
                 .arg("%a")
                 .op("%0", "ttir.relu", {"%a"})
                 .op("%1", "ttir.exp", {"%0"})
                 .op("%2", "ttir.gelu", {"%0"})
                 .op("%3", "ttir.neg", {"%0"})
                 .returning({"%1", "%2", "%3"})) {}

  LayoutId id(const TensorLayout& layout) { return moves.pool().intern(layout); }
  // An entry of %0, which reads the argument where it is.
  void entry(const TensorLayout& layout, int64_t time = 0) {
    const LayoutId argument = id(*problem.pinned[valueNamed(graph, "a")]);
    BeamEntry made;
    made.config.output = layout, made.output = id(layout), made.score.time = time;
    made.operands = {{-1, argument, argument}};
    beams[producerOf(graph, "0")].entries.push_back(made);
  }
  // An entry of a reader, scored with that entry of %0; one pick per operand.
  void reader(const char* name, const TensorLayout& output, const std::vector<OperandPick>& picks) {
    BeamEntry made;
    made.config.output = output, made.output = id(output), made.operands = picks;
    beams[producerOf(graph, name)].entries.push_back(made);
  }
  OperandPick pick(int32_t slot, const TensorLayout& read) {
    return {slot, beams[producerOf(graph, "0")].entries[static_cast<size_t>(slot)].output, id(read)};
  }
  void run() { traceBack(problem, options, beams, moves, out); }
  int32_t chosen() { return out.chosen[producerOf(graph, "0")]; }
  const TensorLayout& reads(const char* name, size_t operand = 0) {
    return out.pool[out.reads[producerOf(graph, name)][operand]];
  }
};

// What readers in the order %1, %2, %3 make the most-consumers rule choose.
int32_t mostOf(const std::vector<int32_t>& slots) {
  Fork fork;
  fork.options.fork = ForkRule::MostConsumers;
  for (const TensorLayout& place : fork.places) fork.entry(place);
  const char* const names[] = {"1", "2", "3"};
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorLayout& place = fork.places[slots[i]];
    fork.reader(names[i], place, {fork.pick(slots[i], place)});
  }
  fork.run();
  return fork.chosen();
}

TEST(TraceBack, MostConsumersWinAndOfEqualsTheBetterEntry) {
  EXPECT_EQ(mostOf({2, 1, 1}), 1);
  EXPECT_EQ(mostOf({2, 1, 2}), 2);
  EXPECT_EQ(mostOf({2, 1, 0}), 0);
  EXPECT_EQ(mostOf({1, 2, 0}), 0);
  EXPECT_EQ(mostOf({2, 1}), 1);
  EXPECT_EQ(mostOf({1, 2}), 1);
  EXPECT_EQ(mostOf({2, 2, 2}), 2);
  EXPECT_EQ(mostOf({1}), 1);
  EXPECT_EQ(mostOf({}), 0) << "nobody asks: the best entry";
}

// Both entries lie alike, so no reader tells them apart; by time an entry counts with its own path.
TEST(TraceBack, OfEquallyCheapEntriesTheFirstUnlessItsPathTakesLonger) {
  const auto chosenOf = [](BeamScore score, int64_t first, int64_t second) {
    Fork fork;
    fork.options.score = score;
    fork.entry(fork.places[1], first);
    fork.entry(fork.places[1], second);
    fork.reader("1", fork.places[1], {fork.pick(1, fork.places[1])});
    fork.reader("2", fork.places[1], {fork.pick(0, fork.places[1])});
    fork.run();
    return fork.chosen();
  };
  EXPECT_EQ(chosenOf(BeamScore::Cores, 5, 0), 0);
  EXPECT_EQ(chosenOf(BeamScore::Time, 5, 0), 1);
  EXPECT_EQ(chosenOf(BeamScore::Time, 0, 5), 0);
  EXPECT_EQ(chosenOf(BeamScore::Time, 3, 3), 0);
}

TEST(TraceBack, ReshardCostAddsUpWhatEveryReaderMoves) {
  Fork fork;
  fork.entry(fork.places[2]);
  fork.entry(fork.places[1]);
  fork.reader("1", fork.places[1], {fork.pick(1, fork.places[1])});
  fork.reader("2", fork.places[1], {fork.pick(1, fork.places[1])});
  fork.reader("3", fork.places[1], {fork.pick(0, fork.places[1])});
  fork.run();
  EXPECT_EQ(fork.chosen(), 1) << "three moves out of DRAM, or none";
  ASSERT_EQ(fork.out.forks.size(), 1u);
  EXPECT_EQ(fork.out.forks[0].reshardTime, 0);
  EXPECT_EQ(fork.out.forks[0].chosen, 1);
  EXPECT_EQ(fork.out.forks[0].op, producerOf(fork.graph, "0"));
  EXPECT_EQ(namesOf(fork.graph, fork.out.forks[0].consumers), "%1 %2 %3");
}

TEST(TraceBack, AForkTellsWhatItsReadersMoveTogether) {
  Fork fork;
  fork.options.fork = ForkRule::MostConsumers;
  fork.entry(fork.places[2]);
  fork.entry(fork.places[1]);
  fork.reader("1", fork.places[1], {fork.pick(0, fork.places[1])});
  fork.reader("2", fork.places[0], {fork.pick(0, fork.places[0])});
  fork.reader("3", fork.places[1], {fork.pick(1, fork.places[1])});
  fork.run();
  ASSERT_EQ(fork.out.forks.size(), 1u);
  const ValueId value = valueNamed(fork.graph, "0");
  const LayoutId dram = fork.id(fork.places[2]);
  EXPECT_EQ(fork.out.forks[0].reshardTime, 2 * fork.moves.bounded(value, dram, fork.id(fork.places[1])) +
                                               fork.moves.bounded(value, dram, fork.id(fork.places[0])));
}

TEST(TraceBack, OneReaderIsNoForkHoweverOftenItReads) {
  Fork fork(GraphText().arg("%a").op("%0", "ttir.relu", {"%a"}).op("%1", "ttir.add", {"%0", "%0"}).text());
  fork.options.fork = ForkRule::MostConsumers;
  fork.entry(fork.places[0]);
  fork.entry(fork.places[1]);
  fork.reader("1", fork.places[1], {fork.pick(1, fork.places[1]), fork.pick(1, fork.places[1])});
  fork.run();
  EXPECT_EQ(fork.chosen(), 1);
  EXPECT_TRUE(fork.out.forks.empty());
}

TEST(TraceBack, ForksStandInTheOrderOfTheSchedule) {
  Fork fork(GraphText()
                .arg("%a")
                .op("%0", "ttir.relu", {"%a"})
                .op("%1", "ttir.exp", {"%0"})
                .op("%2", "ttir.add", {"%0", "%1"})
                .op("%3", "ttir.add", {"%1", "%2"})
                .text());
  fork.entry(fork.places[1]);
  fork.reader("1", fork.places[1], {fork.pick(0, fork.places[1])});
  fork.reader("2", fork.places[1], {fork.pick(0, fork.places[1]), fork.pick(0, fork.places[1])});
  fork.reader("3", fork.places[1], {fork.pick(0, fork.places[1]), fork.pick(0, fork.places[1])});
  fork.run();
  ASSERT_EQ(fork.out.forks.size(), 2u);
  EXPECT_EQ(nameOf(fork.graph, fork.out.forks[0].op), "%0");
  EXPECT_EQ(nameOf(fork.graph, fork.out.forks[1].op), "%1");
  EXPECT_EQ(namesOf(fork.graph, fork.out.forks[1].consumers), "%2 %3");
}

// %3 was scored with %0 L1 interleaved, and would have read a copy in shards. %0 is in DRAM, which it reads as it is:
// the result goes to DRAM, so nothing is refused, and no copy is the fastest.
TEST(TraceBack, AReaderReadsWhatIsThereWhereItCanAndThatIsNoSlower) {
  Fork fork;
  fork.options.fork = ForkRule::MostConsumers;
  fork.entry(fork.places[0]);
  fork.entry(fork.places[2]);
  fork.reader("1", fork.places[2], {fork.pick(1, fork.places[2])});
  fork.reader("2", fork.places[2], {fork.pick(1, fork.places[2])});
  fork.reader("3", fork.places[2], {{0, fork.id(fork.places[0]), fork.id(fork.places[1])}});
  fork.run();
  EXPECT_EQ(fork.chosen(), 1);
  EXPECT_EQ(fork.reads("1"), fork.places[2]);
  EXPECT_EQ(fork.reads("3"), fork.places[2]) << "from DRAM rather than through a copy in shards";
}

// What is there is read only where it fits into L1 beside the op's circular buffers.
TEST(TraceBack, AReaderKeepsItsCopyWhereWhatIsThereDoesNotFit) {
  const auto readBy3 = [](int64_t missing) {
    Fork fork;
    fork.options.fork = ForkRule::MostConsumers;
    fork.entry(fork.places[2]);
    fork.entry(fork.places[0]);
    fork.reader("1", fork.places[0], {fork.pick(1, fork.places[0])});
    fork.reader("2", fork.places[0], {fork.pick(1, fork.places[0])});
    fork.reader("3", fork.places[2], {fork.pick(0, fork.places[2])});
    OpConfig config;
    config.output = fork.places[2];
    const OpId op = producerOf(fork.graph, "3");
    const std::vector<std::optional<TensorLayout>> inPlace = {fork.places[0]};
    const Bytes buffers = fork.problem.model.getOpConstraints({fork.graph, op, inPlace, config, Bytes(0)}).cbRegionSize;
    fork.problem.budget = L1Budget(buffers + l1BytesPerCore(fork.places[0]) - Bytes(missing));
    fork.run();
    return fork.reads("3") == fork.places[0];
  };
  EXPECT_TRUE(readBy3(0));
  EXPECT_FALSE(readBy3(1));
}

// %3 writes shards, which the model allows from shards alone: what was planned is read.
TEST(TraceBack, AReaderKeepsItsCopyWhereTheModelRefusesWhatIsThere) {
  Fork fork;
  fork.options.fork = ForkRule::MostConsumers;
  fork.entry(fork.places[1]);
  fork.entry(fork.places[2]);
  fork.reader("1", fork.places[2], {fork.pick(1, fork.places[2])});
  fork.reader("2", fork.places[2], {fork.pick(1, fork.places[2])});
  fork.reader("3", fork.places[1], {fork.pick(0, fork.places[1])});
  fork.run();
  EXPECT_EQ(fork.chosen(), 1);
  EXPECT_EQ(fork.out.pool[fork.out.layout[valueNamed(fork.graph, "0")]], fork.places[2]);
  EXPECT_EQ(fork.reads("3"), fork.places[1]);
  EXPECT_EQ(fork.out.pool[fork.out.layout[valueNamed(fork.graph, "3")]], fork.places[1]);
}

TEST(TraceBack, ArgumentsLieWhereTheyArriveAndTheReturnHasNoEntry) {
  Fork fork;
  fork.entry(fork.places[1]);
  fork.run();
  const ValueId argument = valueNamed(fork.graph, "a");
  EXPECT_EQ(fork.out.pool[fork.out.layout[argument]], *fork.problem.pinned[argument]);
  EXPECT_EQ(fork.out.chosen[fork.problem.schedule.order.back()], -1);
  EXPECT_EQ(fork.out.chosen[producerOf(fork.graph, "1")], -1) << "an op without a beam";
  EXPECT_TRUE(fork.out.reads[producerOf(fork.graph, "1")].empty());
  EXPECT_EQ(fork.out.layout[valueNamed(fork.graph, "1")], kNoLayout);
}

}  // namespace
}  // namespace tessera::test

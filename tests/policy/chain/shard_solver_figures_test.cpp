// What a shard solver says of each edge, and the reshards it ends up with, counted out by asking the op model about
// every pair of configs; under budgets that are just enough for some of them.

#include <set>

#include "tests/policy/chain/chain_testing.h"
#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

// Counts for one chain what the solver should have found.
class EdgeOracle {
 public:
  EdgeOracle(const Problem& problem, ChainConfigs& configs, std::vector<OpId> ops)
      : problem_(problem), configs_(configs), ops_(std::move(ops)) {}

  const std::vector<OpConfig>& configs(size_t op) { return configs_.of(ops_[op]); }
  // L1 of the op with operand 0 in this layout beside what arguments and `kept` take; nothing when it does not run.
  std::optional<int64_t> needs(size_t op, const TensorLayout& input, const OpConfig& config, Bytes kept) {
    auto inputs = configs_.startingLayouts(ops_[op]);
    inputs[0] = input;
    const Bytes beside = configs_.argumentL1() + kept;
    const OpVerdict verdict =
        problem_.model.validateOperation({problem_.graph, ops_[op], inputs, config, beside}, problem_.budget);
    if (!verdict.ok() || !(verdict.output == config.output)) return {};
    return (verdict.constraints.peakL1MemorySize + beside).count;
  }
  TensorLayout start(size_t op) { return *configs_.startingLayouts(ops_[op])[0]; }
  size_t directConfigs() {
    size_t count = 0;
    for (const OpConfig& config : configs(0)) count += needs(0, start(0), config, Bytes(0)).has_value();
    return count;
  }
  // Layouts that a reshard may give operand 0 for this config.
  std::vector<std::pair<TensorLayout, int64_t>> reshards(size_t op, const OpConfig& config) {
    std::vector<std::pair<TensorLayout, int64_t>> found;
    for (const TensorLayout& layout : configs_.sharded(problem_.graph.ops[ops_[op]].operands[0])) {
      if (const auto bytes = needs(op, layout, config, l1BytesPerCore(layout))) found.emplace_back(layout, *bytes);
    }
    return found;
  }
  std::set<std::pair<size_t, size_t>> pairs(size_t consumer, const std::set<size_t>& producers) {
    std::set<std::pair<size_t, size_t>> found;
    for (const size_t p : producers) {
      const TensorLayout& between = configs(consumer - 1)[p].output;
      for (size_t c = 0; c < configs(consumer).size(); ++c) {
        if (needs(consumer, between, configs(consumer)[c], l1BytesPerCore(between))) found.emplace(p, c);
      }
    }
    return found;
  }
  bool fits(int64_t bytes) const { return problem_.budget.fits(Bytes(bytes)); }

 private:
  const Problem& problem_;
  ChainConfigs& configs_;
  std::vector<OpId> ops_;
};

struct Counted {
  int edges = 0, inside = 0, failed = 0, kept = 0;  // edges compared; reshards inside; failures; reshards at the end
};

const ChainEvent* eventAt(const std::vector<ChainEvent>& events, ChainEventKind kind, OpId op) {
  for (const ChainEvent& event : events) {
    if (event.kind == kind && event.op == op) return &event;
  }
  return nullptr;
}

void expectReshardCounted(EdgeOracle& oracle, size_t op, const ChainEvent* event) {
  ASSERT_NE(event, nullptr);
  int64_t found = 0, choices = 0;
  for (const OpConfig& config : oracle.configs(op)) {
    const auto some = static_cast<int64_t>(oracle.reshards(op, config).size());
    found += some > 0, choices += some;
  }
  EXPECT_EQ(event->before, static_cast<int64_t>(oracle.configs(op).size()));
  EXPECT_EQ(event->after, found);
  EXPECT_EQ(event->paths, choices);
}

// The best reshard: tiles stay tiles, then the cores of the result, then the first.
void expectBestReshard(EdgeOracle& oracle, size_t op, OpId consumer, const ShardSolverSolution& solution,
                       Counted& counted) {
  const OpConfig& config = solution.configs[op];
  const TensorLayout* before = op > 0 ? &solution.configs[op - 1].output : nullptr;
  std::optional<TensorLayout> best;
  int bestRank = 9;
  for (const auto& [layout, bytes] : oracle.reshards(op, config)) {
    if (!oracle.fits(bytes + (before != nullptr ? l1BytesPerCore(*before).count : 0))) continue;
    const bool page = layout.page == oracle.start(op).page;
    const bool cores = layout.memory == config.output.memory && layout.grid == config.output.grid;
    const int rank = page ? (cores ? 0 : 1) : (cores ? 2 : 3);
    if (rank < bestRank) best = layout, bestRank = rank;
  }
  if (!best || (before != nullptr && *before == *best)) return;
  const bool reads = std::any_of(solution.memReconfig.begin(), solution.memReconfig.end(), [&](const auto& entry) {
    return entry.edge.consumer == consumer && entry.edge.operand == 0 && entry.layout == *best;
  });
  EXPECT_TRUE(reads) << layoutText(*best);
  ++counted.kept;
}

void expectChainCounted(const Problem& problem, const std::vector<OpId>& ops, bool reconfig, Counted& counted) {
  ChainConfigs configs(problem);
  for (const OpId op : ops) {
    if (configs.of(op).empty() || configs.of(op).size() > 40) return;
  }
  std::vector<ChainEvent> events;
  ShardSolver solver(problem, configs, ops, {.memReconfigEnabled = reconfig}, 7, &events);
  const bool resolved = solver.resolve();
  EdgeOracle oracle(problem, configs, ops);
  for (const ChainEvent& event : events) {
    EXPECT_EQ(event.chain, 7);
    EXPECT_EQ(event.operand, 0);
  }
  const ChainEvent* first = eventAt(events, ChainEventKind::FirstOp, ops[0]);
  ASSERT_NE(first, nullptr);
  const size_t direct = oracle.directConfigs();
  EXPECT_EQ(first->before, static_cast<int64_t>(oracle.configs(0).size()));
  EXPECT_EQ(first->after, static_cast<int64_t>(direct));
  std::set<size_t> valid;
  for (size_t c = 0; c < oracle.configs(0).size(); ++c) {
    const OpConfig& config = oracle.configs(0)[c];
    if (direct > 0 ? oracle.needs(0, oracle.start(0), config, Bytes(0)).has_value()
                   : !oracle.reshards(0, config).empty())
      valid.insert(c);
  }
  if (direct == 0) expectReshardCounted(oracle, 0, eventAt(events, ChainEventKind::ReshardInserted, ops[0]));
  bool open = !valid.empty();
  for (size_t i = 1; i < ops.size() && open; ++i) {
    const auto pairs = oracle.pairs(i, valid);
    const ChainEvent* paths = eventAt(events, ChainEventKind::Paths, ops[i]);
    ASSERT_NE(paths, nullptr);
    EXPECT_EQ(paths->producer, ops[i - 1]);
    EXPECT_EQ(paths->paths, static_cast<int64_t>(pairs.size()));
    ++counted.edges;
    if (pairs.empty()) {
      EXPECT_EQ(paths->after, 0);
      if (!reconfig) open = false;
      else expectReshardCounted(oracle, i, eventAt(events, ChainEventKind::ReshardInserted, ops[i]));
      ++counted.inside;
      break;  // what comes behind depends on which reshards fit beside which producer
    }
    std::set<size_t> producers, consumers;
    for (const auto& [p, c] : pairs) producers.insert(p), consumers.insert(c);
    EXPECT_EQ(paths->before, static_cast<int64_t>(producers.size()));
    EXPECT_EQ(paths->after, static_cast<int64_t>(consumers.size()));
    valid = consumers;
  }
  if (!resolved) {
    ++counted.failed;
    EXPECT_FALSE(solver.failure().empty());
    EXPECT_EQ(events.back().kind, ChainEventKind::EdgeFailed);
    return;
  }
  if (!open) {
    ADD_FAILURE() << "resolved, though an edge has no pair";
    return;
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    const std::vector<int64_t>& usage = solver.produceMaxCoreUsage(i);
    ASSERT_EQ(usage.size(), oracle.configs(i).size());
    const auto most = std::max_element(usage.begin(), usage.end());
    ASSERT_GE(*most, 0);
    EXPECT_TRUE(solver.set(i, static_cast<size_t>(most - usage.begin())));
  }
  const ShardSolverSolution solution = solver.finish();
  ASSERT_EQ(solution.configs.size(), ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    if (eventAt(events, ChainEventKind::ReshardInserted, ops[i]) != nullptr)
      expectBestReshard(oracle, i, ops[i], solution, counted);
  }
}

TEST(ShardSolverFigures, AreThoseOfEveryPairAsked) {
  Counted counted;
  for (uint64_t seed = 0; seed < (smallTests() ? 3 : 12); ++seed) {
    const Graph graph = graphOf(randomGraphText(seed));
    const ProblemOptions options{.maxLegalLayouts = 4};
    const OpModel model(allDevices()[0]);
    for (const int64_t kilobytes : {1200, 90, 40, 17}) {
      L1Budget budget(Bytes(kilobytes * 1024));
      const Problem problem = analyse(graph, model, options, budget, noDiagnostics());
      ChainConfigs configs(problem);
      ChainTrace trace;
      for (const L1ChainConfig& chain : buildL1Chains(problem, configs, {}, trace).chains) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(kilobytes) + " KiB");
        if (chain.ops().size() <= 5) expectChainCounted(problem, chain.ops(), seed % 3 != 0, counted);
      }
    }
  }
  if (smallTests()) return;
  EXPECT_GT(counted.edges, 10);
  EXPECT_GT(counted.kept, 10);
}

// A budget of just what a pair of configs needs admits it, one byte less does not.
TEST(ShardSolverFigures, ABudgetAdmitsWhatJustFits) {
  const Graph graph = graphOf(
      GraphText("1024x1024").arg("%a").arg("%w").arg("%v").matmul("%0", "%a", "%w").matmul("%1", "%0", "%v").text());
  const OpModel model(allDevices()[0]);
  const ProblemOptions options{.maxLegalLayouts = 6};
  const std::vector<OpId> ops = {producerOf(graph, "0"), producerOf(graph, "1")};
  std::set<int64_t> sizes;
  {
    L1Budget budget(Bytes(1'300'000));
    const Problem problem = analyse(graph, model, options, budget, noDiagnostics());
    ChainConfigs configs(problem);
    EdgeOracle oracle(problem, configs, ops);
    for (const OpConfig& producer : oracle.configs(0)) {
      for (const OpConfig& consumer : oracle.configs(1)) {
        const auto bytes = oracle.needs(1, producer.output, consumer, l1BytesPerCore(producer.output));
        if (bytes) sizes.insert(*bytes);
      }
    }
  }
  ASSERT_GT(sizes.size(), 1u);
  Counted counted;
  for (const int64_t size : sizes) {
    for (const int64_t bytes : {size, size - 1}) {
      SCOPED_TRACE(bytes);
      L1Budget budget{Bytes(bytes)};
      const Problem problem = analyse(graph, model, options, budget, noDiagnostics());
      expectChainCounted(problem, ops, true, counted);
      expectChainCounted(problem, ops, false, counted);
    }
  }
  EXPECT_GT(counted.edges, 4);
}

// Configs of a convolution that differ in their blocks alone write the same layout: each has the pairs of the others.
TEST(ShardSolverFigures, ConfigsAlikeHaveThePairsOfTheFirst) {
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<1x1x4096x128xbf16>, %w: tensor<128x128x1x1xbf16>) -> tensor<1x1x4096x128xbf16> {\n"
      "  %0 = \"ttnn.conv2d\"(%x, %w) <{in_channels = 128 : i32, out_channels = 128 : i32, batch_size = 1 : i32, "
      "input_height = 64 : i32, input_width = 64 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, "
      "padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : "
      "(tensor<1x1x4096x128xbf16>, tensor<128x128x1x1xbf16>) -> tensor<1x1x4096x128xbf16>\n"
      "  %1 = \"ttnn.relu\"(%0) : (tensor<1x1x4096x128xbf16>) -> tensor<1x1x4096x128xbf16>\n"
      "  return %1 : tensor<1x1x4096x128xbf16>\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 6});
  ChainConfigs configs(problem);
  const std::vector<OpId> ops = {producerOf(graph, "0"), producerOf(graph, "1")};
  std::set<std::string> layouts;
  for (const OpConfig& config : configs.of(ops[0])) layouts.insert(layoutText(config.output));
  ASSERT_LT(layouts.size(), configs.of(ops[0]).size()) << "no two write the same layout";
  ASSERT_GT(layouts.size(), 1u);
  Counted counted;
  expectChainCounted(problem, ops, true, counted);
  EXPECT_EQ(counted.edges, 1);
}

// Behind another op the config with whole blocks may find no room beside what it reads: that keeps those with lower
// blocks, which write the same layout, from none of their pairs.
TEST(ShardSolverFigures, ConfigsAlikeDoNotHangOnTheFirst) {
  const std::string image = "tensor<1x1x16384x128xbf16>";
  const Graph graph = graphOf(
      "func.func @main(%x: " + image + ", %w: tensor<128x128x3x3xbf16>) -> " + image +
      " {\n  %0 = \"ttnn.relu\"(%x) : (" + image + ") -> " + image +
      "\n  %1 = \"ttnn.conv2d\"(%0, %w) <{in_channels = 128 : i32, out_channels = 128 : i32, batch_size = 1 : i32, "
      "input_height = 128 : i32, input_width = 128 : i32, kernel_size = array<i32: 3, 3>, stride = array<i32: 1, 1>, "
      "padding = array<i32: 1, 1, 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (" +
      image + ", tensor<128x128x3x3xbf16>) -> " + image + "\n  %2 = \"ttnn.relu\"(%1) : (" + image + ") -> " + image +
      "\n  return %2 : " + image + "\n}\n");
  const std::vector<OpId> ops = {producerOf(graph, "0"), producerOf(graph, "1"), producerOf(graph, "2")};
  const OpModel model(allDevices()[0]);
  int mixed = 0;
  Counted counted;
  for (int64_t bytes = 420'000; bytes <= 1'390'000; bytes += 15'000) {
    SCOPED_TRACE(bytes);
    L1Budget budget{Bytes(bytes)};
    const Problem problem = analyse(graph, model, {.maxLegalLayouts = 8}, budget, noDiagnostics());
    expectChainCounted(problem, ops, true, counted);
    ChainConfigs configs(problem);
    EdgeOracle oracle(problem, configs, ops);
    for (const OpConfig& read : oracle.configs(0)) {
      const auto runs = [&](const OpConfig& config) {
        return oracle.needs(1, read.output, config, l1BytesPerCore(read.output)).has_value();
      };
      const auto& all = oracle.configs(1);
      for (size_t c = 1; c < all.size(); ++c)
        mixed += all[c].output == all[c - 1].output && runs(all[c]) > runs(all[c - 1]);
    }
  }
  EXPECT_GT(counted.edges, 20);
  EXPECT_GT(mixed, 0);
}

// What arguments hold of L1 counts beside every copy.
TEST(ShardSolverFigures, ArgumentsInL1StandBesideCopies) {
  const Graph graph = graphOf(GraphText().arg("%a").arg("%b").op("%0", "ttnn.relu", {"%a"}).text());
  const OpModel model(allDevices()[0]);
  const std::vector<OpId> ops = {producerOf(graph, "0")};
  std::set<int64_t> sizes = {1'300'000};
  Counted counted;
  for (const bool boundaries : {false, true}) {
    for (const int64_t size : std::set<int64_t>(sizes)) {
      SCOPED_TRACE(size);
      L1Budget budget{Bytes(size)};
      Problem problem = analyse(graph, model, {.maxLegalLayouts = 4}, budget, noDiagnostics());
      problem.pinned[valueNamed(graph, "b")] = l1InterleavedLayout(problem, valueNamed(graph, "b"));
      expectChainCounted(problem, ops, true, counted);
      if (boundaries) continue;
      ChainConfigs configs(problem);
      EdgeOracle oracle(problem, configs, ops);
      for (const OpConfig& config : oracle.configs(0)) {
        for (const auto& [layout, bytes] : oracle.reshards(0, config)) sizes.insert({bytes, bytes - 1});
      }
    }
  }
  EXPECT_GT(sizes.size(), 5u);
  EXPECT_GT(counted.kept, 2);
}

// A failure names the operand, the op, what was tried and why the last config was refused.
TEST(ShardSolverFigures, AFailureSaysWhereAndWhy) {
  const auto failureOf = [](const std::string& overrides, bool reconfig) {
    const Graph graph = graphOf(
        "func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {\n"
        "  %0 = \"ttnn.relu\"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"first\")\n"
        "  %1 = \"ttnn.gelu\"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc(\"second\")\n"
        "  return %1 : tensor<2048x2048xbf16>\n}\n");
    ProblemOptions options;
    options.layoutOverrides = parseLayoutOverrides(overrides, noDiagnostics());
    const Problem problem = analysed(graph, allDevices()[0], options);
    ChainConfigs configs(problem);
    std::vector<ChainEvent> events;
    ShardSolver solver(problem, configs, {producerOf(graph, "0"), producerOf(graph, "1")},
                       {.memReconfigEnabled = reconfig}, 3, &events);
    if (solver.resolve()) return std::string("resolved");
    EXPECT_TRUE(events.back().verdict.has_value());
    return solver.failure();
  };
  const std::string apart = "first=8x8:l1:block_sharded:tile:bf16,second=64x1:l1:height_sharded:tile:bf16";
  const std::string off = failureOf(apart, false);
  EXPECT_EQ(off.substr(0, off.find(" (")),
            "at operand 0 of %1 ttnn.gelu: no pair of configs works, and reshards inside chains are switched off");
  EXPECT_NE(off.find(" ("), std::string::npos) << off;
  EXPECT_EQ(failureOf(apart, true), "resolved");
  const std::string narrow = failureOf("second=1x1:l1:block_sharded:tile:bf16", true);
  EXPECT_EQ(narrow.substr(0, narrow.find(" (")),
            "at operand 0 of %1 ttnn.gelu: no pair of configs works, resharded or not");
  const std::string first = failureOf("first=1x1:l1:block_sharded:tile:bf16", true);
  EXPECT_EQ(first.substr(0, first.find(" (")),
            "at operand 0 of %0 ttnn.relu: no config takes the chain's input, resharded or not");
}

// Of reshards in tiles the one over the very cores of the result is taken, in shards of the same kind.
TEST(ShardSolverFigures, AReshardGoesToTheCoresOfTheResult) {
  const Graph graph = graphOf(GraphText("512x512").arg("%a").arg("%b").op("%0", "ttnn.add", {"%a", "%b"}).text());
  const Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 60});
  ChainConfigs configs(problem);
  const std::vector<OpId> ops = {producerOf(graph, "0")};
  const OverrideReshardEdge anywhere{ops[0], 0, nullptr};
  const size_t count = configs.of(ops[0]).size();
  std::set<std::string> kinds;
  for (size_t c = 0; c < count; ++c) {
    ShardSolver solver(problem, configs, ops, {true, {anywhere}, {}});
    ASSERT_TRUE(solver.resolve()) << solver.failure();
    if (!solver.set(0, c)) continue;
    const TensorLayout& output = configs.of(ops[0])[c].output;
    const ShardSolverSolution solution = solver.finish();
    ASSERT_EQ(solution.memReconfig.size(), 1u);
    EXPECT_EQ(layoutText(solution.memReconfig[0].layout), layoutText(output));
    EXPECT_EQ(solution.memReconfig[0].edge.consumer, ops[0]);
    EXPECT_EQ(solution.memReconfig[0].edge.operand, 0);
    EXPECT_FALSE(solution.memReconfig[0].edge.producer.valid());
    kinds.insert(layoutText(output));
  }
  EXPECT_EQ(kinds.count("L1 block 6x8"), 1u) << "first come 8x8";
  EXPECT_GT(kinds.size(), 20u);
}

// Every update that is told while the last op takes its last config, counted from the configs that were left before it.
// How many tell other numbers of both ops is added to `unlike`.
void expectUpdatesCounted(const std::string& text, const std::vector<std::string>& chain, int& updates, int& unlike) {
  const Graph graph = graphOf(text);
  const Problem problem = analysed(graph, allDevices()[0], {.maxLegalLayouts = 12});
  ChainConfigs configs(problem);
  std::vector<OpId> ops;
  for (const std::string& name : chain) ops.push_back(producerOf(graph, name));
  EdgeOracle oracle(problem, configs, ops);
  std::vector<std::set<size_t>> left(ops.size());
  std::vector<std::set<std::pair<size_t, size_t>>> pairs(ops.size());
  for (size_t c = 0; c < oracle.configs(0).size(); ++c) {
    if (!oracle.reshards(0, oracle.configs(0)[c]).empty()) left[0].insert(c);
  }
  ASSERT_EQ(oracle.directConfigs(), 0u);
  const auto keepEnds = [&](size_t i) {
    std::erase_if(pairs[i],
                  [&](const auto& pair) { return !left[i - 1].count(pair.first) || !left[i].count(pair.second); });
    left[i - 1].clear(), left[i].clear();
    for (const auto& [p, c] : pairs[i]) left[i - 1].insert(p), left[i].insert(c);
  };
  for (size_t i = 1; i < ops.size(); ++i) {
    pairs[i] = oracle.pairs(i, left[i - 1]);
    for (size_t c = 0; c < oracle.configs(i).size(); ++c) left[i].insert(c);
    keepEnds(i);
  }
  const size_t last = ops.size() - 1, config = *left[last].rbegin();
  std::vector<ChainEvent> events;
  ShardSolver solver(problem, configs, ops, {}, 0, &events);
  ASSERT_TRUE(solver.resolve()) << solver.failure();
  const size_t before = events.size();
  ASSERT_TRUE(solver.set(last, config));
  for (size_t e = 0; e < events.size(); ++e) {
    const ChainEvent& event = events[e];
    if (e == before) left[last] = {config};  // before any edge is looked at
    if (event.kind != ChainEventKind::Propagated) continue;
    const auto i = static_cast<size_t>(std::find(ops.begin(), ops.end(), event.op) - ops.begin());
    ASSERT_TRUE(i > 0 && i < ops.size());
    EXPECT_EQ(event.producer, ops[i - 1]);
    EXPECT_EQ(event.before, static_cast<int64_t>(left[i - 1].size()));
    EXPECT_EQ(event.after, static_cast<int64_t>(left[i].size()));
    keepEnds(i);
    EXPECT_EQ(event.producerAfter, static_cast<int64_t>(left[i - 1].size()));
    EXPECT_EQ(event.consumerAfter, static_cast<int64_t>(left[i].size()));
    EXPECT_EQ(event.paths, static_cast<int64_t>(pairs[i].size()));
    ++updates;
    unlike += event.producerAfter != event.consumerAfter;
  }
}

TEST(ShardSolverFigures, UpdatesTellWhatIsLeftOfBothOps) {
  int updates = 0, unlike = 0;
  GraphText narrowing("64x256");
  narrowing.arg("%a").arg("%w", "256x64").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.gelu", {"%0"});
  narrowing.op("%2", "ttnn.silu", {"%1"}).matmul("%3", "%2", "%w", "64x64");
  expectUpdatesCounted(narrowing.text(), {"0", "1", "2", "3"}, updates, unlike);
  EXPECT_GE(updates, 3);
  // A convolution reads shards of its own kind over any cores.
  const std::string image = "tensor<1x1x4096x128xbf16>", weight = "tensor<128x128x1x1xbf16>";
  expectUpdatesCounted(
      "func.func @main(%x: " + image + ", %w: " + weight + ") -> " + image + " {\n  %0 = \"ttnn.relu\"(%x) : (" +
          image + ") -> " + image +
          "\n  %1 = \"ttnn.conv2d\"(%0, %w) <{in_channels = 128 : i32, out_channels = 128 : i32, batch_size = 1 : i32, "
          "input_height = 64 : i32, input_width = 64 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, "
          "padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (" +
          image + ", " + weight + ") -> " + image + "\n  return %1 : " + image + "\n}\n",
      {"0", "1"}, updates, unlike);
  EXPECT_GT(unlike, 0);
}

// A chain begins with an op that reads a tensor.
TEST(ShardSolverFigures, AnOpWithoutATensorToReadBeginsNoChain) {
  const Graph graph = graphOf(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n"
      "  %0 = \"ttnn.full\"(%d) <{shape = #ttnn.shape<64x64>, fill_value = 1.0 : f32}> : (!ttnn.device) -> "
      "tensor<64x64xbf16>\n"
      "  %1 = \"ttnn.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %1 : tensor<64x64xbf16>\n}\n");
  const Problem problem = analysed(graph, allDevices()[0], {});
  ChainConfigs configs(problem);
  std::vector<ChainEvent> events;
  ShardSolver solver(problem, configs, {producerOf(graph, "0")}, {}, 5, &events);
  EXPECT_FALSE(solver.resolve());
  EXPECT_EQ(solver.failure(), "at operand 0 of %0 ttnn.full: it has no tensor as operand 0");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, ChainEventKind::EdgeFailed);
  EXPECT_EQ(events[0].chain, 5);
  EXPECT_EQ(events[0].producer, producerOf(graph, "d"));
  EXPECT_FALSE(events[0].verdict.has_value());
}

// What a kernel in front of the chain could write: every sharded layout of the operand it makes against every config,
// beside what arguments hold; the first pair that works is taken.
TEST(ShardSolverFigures, AKernelInFrontWritesTheFirstThatWorks) {
  const Graph graph = graphOf(GraphText("256x256")
                                  .arg("%a")
                                  .arg("%b")
                                  .op("%0", "ttnn.relu", {"%a"})
                                  .op("%1", "ttnn.multiply", {"%b", "%0"})
                                  .text());
  const OpModel model(allDevices()[0]);
  const OpId kernel = producerOf(graph, "0"), first = producerOf(graph, "1");
  std::set<int64_t> counts;
  for (const int64_t bytes : {1'300'000, 60'000, 40'000, 30'000, 24'000, 18'000, 14'000, 9'000}) {
    SCOPED_TRACE(bytes);
    L1Budget budget{Bytes(bytes)};
    const Problem problem = analyse(graph, model, {.maxLegalLayouts = 10}, budget, noDiagnostics());
    ChainConfigs configs(problem);
    std::vector<ChainEvent> events;
    ShardSolver solver(problem, configs, {first}, {.dispatch = kernel}, 0, &events);
    solver.resolve();
    std::optional<TensorLayout> taken;
    int64_t pairs = 0;
    size_t config = 0;
    for (const TensorLayout& layout : configs.sharded(valueNamed(graph, "0"))) {
      auto inputs = configs.startingLayouts(first);
      inputs[1] = layout;
      for (size_t c = 0; c < configs.of(first).size(); ++c) {
        const OpConfig& one = configs.of(first)[c];
        const OpVerdict verdict = model.validateOperation({graph, first, inputs, one, l1BytesPerCore(layout)}, budget);
        if (!verdict.ok() || !(verdict.output == one.output)) continue;
        if (pairs++ == 0) taken = layout, config = c;
      }
    }
    const ChainEvent* told = eventAt(events, ChainEventKind::FirstOpInput, first);
    ASSERT_NE(told, nullptr);
    EXPECT_EQ(told->producer, kernel);
    EXPECT_EQ(told->operand, 1);
    EXPECT_EQ(told->before, static_cast<int64_t>(configs.sharded(valueNamed(graph, "0")).size()));
    EXPECT_EQ(told->after, taken ? 1 : 0);
    EXPECT_EQ(told->paths, pairs);
    EXPECT_EQ(told->layout, taken);
    EXPECT_EQ(solver.resolvedFirstOpInputLayout(), taken);
    counts.insert(pairs);
    if (!taken) continue;
    EXPECT_EQ(solver.produceMaxCoreUsage(0)[config], configs.of(first)[config].output.grid.volume());
    EXPECT_TRUE(solver.set(0, config));
    EXPECT_TRUE(solver.finish().memReconfig.empty());
  }
  EXPECT_GT(counts.size(), 2u);
}

}  // namespace
}  // namespace tessera::test

// Which program of a matmul is taken: of all that can be written for a result, enumerated here by their formulas, none
// that the op model accepts is much faster, nor as fast with less L1. And what is written down for decided layouts.

#include "core/policy/kit/matmul_programs.h"

#include "core/ops/rules/matmul_program.h"
#include "core/policy/kit/plan_time.h"
#include "core/policy/policy_memory.h"
#include "tests/analysed.h"
#include "tests/policy/expect_sound.h"

namespace tessera::test {
namespace {

// m x k by k x n tiles, `batches` of both or of the first alone.
struct Products {
  int64_t m, k, n, batches = 1;
  bool batchedWeights = false;
  const char* type = "bf16";
  const char* weights = type;  // of the second operand
};

struct Multiplied {
  Graph graph;
  DeviceSpec device;
  Problem problem;
  OpId op;
  ValueId result;

  explicit Multiplied(const Products& p, const DeviceSpec& on = allDevices()[0])
      : graph(graphOf(text(p))), device(on), problem(analysed(graph, device, {})) {
    op = producerOf(graph, "0");
    result = graph.ops[op].results[0];
  }

  static std::string text(const Products& p) {
    const std::string outer = p.batches > 1 ? std::to_string(p.batches) + "x" : "";
    const auto type = [&](const std::string& batch, int64_t rows, int64_t cols, const char* element) {
      return "tensor<" + batch + std::to_string(32 * rows) + "x" + std::to_string(32 * cols) + "x" + element + ">";
    };
    const std::string a = type(outer, p.m, p.k, p.type), b = type(p.batchedWeights ? outer : "", p.k, p.n, p.weights),
                      out = type(outer, p.m, p.n, p.type);
    return "func.func @main(%a: " + a + ", %b: " + b + ") -> " + out +
           " {\n  %0 = \"ttnn.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (" + a + ", " + b +
           ") -> " + out + "\n  return %0 : " + out + "\n}\n";
  }
  std::vector<std::optional<TensorLayout>> inputs() const {
    std::vector<std::optional<TensorLayout>> layouts;
    for (const ValueId operand : graph.ops[op].operands) layouts.emplace_back(dramLayout(problem, operand));
    return layouts;
  }
  OpFigures figures(const OpConfig& config) const {
    const auto layouts = inputs();
    return problem.model.figuresOf({graph, op, layouts, config, Bytes(0)});
  }
};

std::vector<int64_t> divisorsOf(int64_t number, int64_t most) {
  std::vector<int64_t> found;
  for (int64_t d = 1; d <= std::min(number, most); ++d) {
    if (number % d == 0) found.push_back(d);
  }
  return found;
}

// All programs of an interleaved result whose blocks are what a core has, in one piece.
std::vector<MatmulAttrs> wholePrograms(const Products& p, const DeviceSpec& device) {
  std::vector<MatmulAttrs> found;
  const int64_t cores = device.grid.volume(), rows = p.batchedWeights ? p.m : p.batches * p.m;
  const int64_t registers = std::string_view(p.type) == "f32" ? 4 : 8;
  const auto add = [&](MatmulProgram kind, int64_t m, int64_t n) {
    for (const int64_t block : divisorsOf(p.k, 64)) {
      const Subblock sub = preferredSubblock(m, n, registers, false);
      found.push_back({.program = kind,
                       .perCoreM = m,
                       .perCoreN = n,
                       .in0BlockW = block,
                       .outSubblockH = sub.h,
                       .outSubblockW = sub.w,
                       .outBlockH = m,
                       .outBlockW = n});
    }
  };
  if (p.batchedWeights) {
    for (const int64_t m : divisorsOf(rows, 64)) add(MatmulProgram::Reuse, m, p.n);
    return found;
  }
  add(MatmulProgram::MultiCast1dIn0, rows, (p.n + cores - 1) / cores);
  add(MatmulProgram::MultiCast1dIn1, (rows + cores - 1) / cores, p.n);
  add(MatmulProgram::MultiCast2d, (rows + device.grid.rows - 1) / device.grid.rows,
      (p.n + device.grid.cols - 1) / device.grid.cols);
  return found;
}

const Products kSmall[] = {
    {1, 25, 16}, {25, 7, 1},   {8, 8, 8},           {12, 15, 20},       {3, 96, 5},
    {9, 130, 9}, {4, 6, 4, 3}, {4, 2, 4, 16, true}, {6, 3, 2, 5, true}, {8, 9, 8, 1, false, "f32"}};

// Adds to the results that have a faster program, and to those that have none.
void expectTheFastest(const Products& p, const DeviceSpec& device, int& found, int& none) {
  const Multiplied one(p, device);
  FasterPrograms programs(one.problem);
  for (const TensorLayout& layout :
       {dramLayout(one.problem, one.result), l1InterleavedLayout(one.problem, one.result)}) {
    SCOPED_TRACE(std::to_string(p.m) + " " + std::to_string(p.k) + " " + std::to_string(p.n) + " x " +
                 std::to_string(p.batches) + " " + layoutText(layout));
    const OpFigures own = one.figures({layout, {}});
    struct Told {
      MatmulAttrs program;
      int64_t time, l1;
    };
    std::vector<Told> faster;
    for (const MatmulAttrs& program : wholePrograms(p, one.device)) {
      const OpFigures told = one.figures({layout, program});
      if (told.status == OpStatus::Success && told.output == layout && told.time < own.time)
        faster.push_back({program, told.time.count, told.constraints.peakL1MemorySize.count});
    }
    const std::optional<MatmulAttrs> taken = programs.of(one.op, layout);
    ASSERT_EQ(taken.has_value(), !faster.empty());
    EXPECT_EQ(programs.of(one.op, layout), taken) << "asked again";
    none += !taken;
    if (!taken) continue;
    ++found;
    int64_t least = faster[0].time;
    for (const Told& told : faster) least = std::min(least, told.time);
    std::erase_if(faster, [&](const Told& told) { return told.time > least + least / 100; });
    const auto smaller = [](const Told& a, const Told& b) { return a.l1 != b.l1 ? a.l1 < b.l1 : a.time < b.time; };
    const Told& best = *std::min_element(faster.begin(), faster.end(), smaller);
    const OpFigures told = one.figures({layout, *taken});
    EXPECT_EQ(told.time.count, best.time);
    EXPECT_EQ(told.constraints.peakL1MemorySize.count, best.l1);
  }
}

// On a grid with as many rows as columns, and on one with fewer rows.
TEST(MatmulPrograms, OfInterleavedResultsNoneIsMuchFasterOrSmaller) {
  int none = 0;
  for (const char* device : {"n150", "p150"}) {
    SCOPED_TRACE(device);
    int found = 0;
    for (const Products& p : kSmall) expectTheFastest(p, *findDevice(device), found, none);
    EXPECT_GT(found, 5);
  }
  EXPECT_GT(none, 0);
}

// Of 256 x 25 by 25 x 256 tiles a core has 32 x 32: with its operands in blocks of the inner dim the result is cut
// until two blocks of each operand, in their own types, and one of the result fit L1.
TEST(MatmulPrograms, LargeResultsAreCutUntilTheyFit) {
  int cut = 0, tight = 0;
  const auto tile = [](const char* type) { return std::string_view(type) == "f32" ? 4096 : 2048; };
  for (const Products& p :
       {Products{256, 25, 256}, Products{512, 25, 8}, Products{200, 49, 300}, Products{64, 25, 300},
        Products{64, 32, 512}, Products{64, 49, 300}, Products{128, 16, 64, 1, false, "bf16", "f32"},
        Products{64, 16, 128, 1, false, "bf16", "f32"}, Products{64, 25, 300, 1, false, "f32", "bf16"},
        Products{300, 25, 64, 1, false, "f32", "bf16"}}) {
    SCOPED_TRACE(std::to_string(p.m) + " " + std::to_string(p.k) + " " + std::to_string(p.n) + " " + p.weights);
    const Multiplied one(p);
    FasterPrograms programs(one.problem);
    const auto taken = programs.of(one.op, dramLayout(one.problem, one.result));
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->perCoreM % taken->outBlockH, 0);
    EXPECT_EQ(taken->perCoreN % taken->outBlockW, 0);
    EXPECT_EQ(p.k % taken->in0BlockW, 0);
    const auto bytes = [&](int64_t h, int64_t w, int64_t k) {
      return 2 * k * (h * tile(p.type) + w * tile(p.weights)) + h * w * tile(p.type);
    };
    const int64_t room = one.device.usableL1().count;
    EXPECT_LE(bytes(taken->outBlockH, taken->outBlockW, taken->in0BlockW), room);
    if (taken->outBlockH < taken->perCoreM || taken->outBlockW < taken->perCoreN) {
      ++cut;
      EXPECT_GT(bytes(taken->perCoreM, taken->perCoreN, taken->in0BlockW), room) << "only what does not fit is cut";
    }
    // With the whole inner dim in one block the blocks of the operands would not fit, whatever else does.
    tight += bytes(taken->outBlockH, taken->outBlockW, p.k) > room;
    EXPECT_EQ(taken->outBlockH % taken->outSubblockH, 0);
    EXPECT_EQ(taken->outBlockW % taken->outSubblockW, 0);
    EXPECT_LE(taken->outSubblockH * taken->outSubblockW, 8);
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(tight, 0);
}

// Of a sharded result: the compiler's form with another block of the inner dim, all that the library takes beside it.
TEST(MatmulPrograms, OfShardedResultsTheBlockOfTheInnerDimIsFree) {
  int found = 0;
  for (const Products& p : kSmall) {
    if (p.batches > 1) continue;
    const Multiplied one(p);
    FasterPrograms programs(one.problem);
    for (const TensorLayout& layout : one.problem.legal[one.op].layouts) {
      if (!layout.sharded() || !layout.isL1()) continue;
      const auto own = matmulProgramConfig(one.graph, one.op, layout);
      const auto taken = programs.of(one.op, layout);
      const int64_t usual = one.figures({layout, {}}).time.count;
      if (!own) {
        EXPECT_FALSE(taken);
        continue;
      }
      int64_t least = usual;
      for (const int64_t block : divisorsOf(p.k, 64)) {
        MatmulAttrs program = *own;
        program.in0BlockW = block;
        fillSubblock(program, std::string_view(p.type) == "f32" ? 4 : 8);
        const OpFigures told = one.figures({layout, program});
        if (told.status == OpStatus::Success && told.output == layout) least = std::min(least, told.time.count);
      }
      EXPECT_EQ(taken.has_value(), least < usual) << layoutText(layout);
      if (!taken) continue;
      ++found;
      EXPECT_EQ(p.k % taken->in0BlockW, 0);
      EXPECT_EQ(taken->perCoreM, own->perCoreM);
      EXPECT_EQ(taken->perCoreN, own->perCoreN);
      EXPECT_EQ(taken->program, own->program);
      EXPECT_LE(one.figures({layout, *taken}).time.count, least + least / 100);
    }
  }
  EXPECT_GT(found, 3);
}

// Sums in f32 fill half of the registers: blocks of at most four tiles, of eight otherwise.
TEST(MatmulPrograms, OfShardedResultsSubblocksFillTheRegisters) {
  for (const char* type : {"bf16", "f32"}) {
    const int64_t most = std::string_view(type) == "f32" ? 4 : 8;
    int64_t largest = 0;
    for (const auto& [m, k, n] : {std::tuple{32, 8, 32}, {64, 16, 16}, {16, 6, 64}, {24, 12, 24}}) {
      const Multiplied one({m, k, n, 1, false, type});
      FasterPrograms programs(one.problem);
      for (const TensorLayout& layout : one.problem.legal[one.op].layouts) {
        if (!layout.sharded() || !layout.isL1()) continue;
        const auto own = matmulProgramConfig(one.graph, one.op, layout);
        const auto taken = programs.of(one.op, layout);
        if (!own) continue;
        bool faster = false;
        for (const int64_t block : divisorsOf(k, 64)) {
          MatmulAttrs program = *own;
          program.in0BlockW = block;
          fillSubblock(program, most);
          const OpFigures told = one.figures({layout, program});
          const bool taking = told.status == OpStatus::Success && told.output == layout;
          faster = faster || (taking && told.time < one.figures({layout, {}}).time);
        }
        EXPECT_EQ(taken.has_value(), faster) << type << " " << layoutText(layout);
        if (taken) largest = std::max(largest, taken->outSubblockH * taken->outSubblockW);
      }
    }
    EXPECT_EQ(largest, most) << type;
  }
}

TEST(MatmulPrograms, AnOpThatHasAProgramOrIsNoMatmulGetsNone) {
  Multiplied one({1, 25, 16});
  FasterPrograms programs(one.problem);
  const TensorLayout& layout = dramLayout(one.problem, one.result);
  ASSERT_TRUE(programs.of(one.op, layout));
  one.graph.ops.edit(one.op).attrs.push_back({"matmul_program_config", AttrValue{}});
  FasterPrograms again(one.problem);
  EXPECT_FALSE(again.of(one.op, layout));
}

// --- cores -----------------------------------------------------------------------------------------------------------

TEST(MatmulPrograms, CoresAreTheBlocksOfTheResultUpToTheGrid) {
  const Multiplied one({10, 4, 12});
  const auto layouts = one.inputs();
  const auto cores = [&](const TensorLayout& output, std::optional<MatmulAttrs> program) {
    OpConfig config{output, {}};
    if (program) config.attrs = *program;
    return coresOfProgram(one.problem, {one.graph, one.op, layouts, config, Bytes(0)});
  };
  const TensorLayout dram = dramLayout(one.problem, one.result);
  const auto blocks = [](int64_t m, int64_t n) { return MatmulAttrs{.perCoreM = m, .perCoreN = n, .in0BlockW = 1}; };
  EXPECT_EQ(cores(dram, blocks(2, 3)), 20);
  EXPECT_EQ(cores(dram, blocks(3, 5)), 12) << "4 x 3, the last ones smaller";
  EXPECT_EQ(cores(dram, blocks(10, 12)), 1);
  EXPECT_EQ(cores(dram, blocks(1, 1)), 64) << "of 120 blocks";
  EXPECT_EQ(cores(l1InterleavedLayout(one.problem, one.result), blocks(2, 3)), 20);
  EXPECT_EQ(cores(dram, {}), 0);
  const TensorLayout shards =
      layoutFor(one.graph, one.result, BufferType::L1, TensorMemoryLayout::BlockSharded, {5, 6}, one.device);
  EXPECT_EQ(cores(shards, blocks(2, 2)), 0);
}

// --- written down for decided layouts --------------------------------------------------------------------------------

// The first program that takes the library's own time and no more L1, for every matmul with a result in shards, none
// for any other.
TEST(MatmulPrograms, DecidedLayoutsGetAProgramOfTheSameTime) {
  const auto run = runOn(graphOf(Multiplied::text({8, 8, 8})), "DRAM");
  const OpId op = producerOf(run->graph, "0");
  const ValueId result = run->graph.ops[op].results[0];
  int written = 0;
  std::vector<TensorLayout> places = run->problem->legal[op].layouts;
  places.push_back(dramLayout(*run->problem, result));
  for (const TensorLayout& layout : places) {
    Plan plan = run->plan;
    plan.layout[result] = layout;
    plan.config[op] = {layout, {}};
    chooseMatmulPrograms(*run->problem, plan);
    const auto* program = std::get_if<MatmulAttrs>(&plan.config[op].attrs);
    EXPECT_EQ(plan.config[op].output, layout);
    const bool mayHave = layout.isL1() && layout.sharded();
    if (!mayHave) {
      EXPECT_FALSE(program) << layoutText(layout);
    }
    if (!program) continue;
    ++written;
    std::vector<std::optional<TensorLayout>> inputs;
    for (const ValueId operand : run->graph.ops[op].operands) inputs.emplace_back(dramLayout(*run->problem, operand));
    const auto figures = [&](const OpConfig& config) {
      return run->problem->model.figuresOf({run->graph, op, inputs, config, Bytes(0)});
    };
    const OpFigures own = figures({layout, {}}), asked = figures(plan.config[op]);
    EXPECT_EQ(asked.status, OpStatus::Success);
    EXPECT_EQ(asked.time, own.time);
    EXPECT_LE(asked.constraints.cbRegionSize, own.constraints.cbRegionSize);
    EXPECT_LE(asked.constraints.peakL1MemorySize, own.constraints.peakL1MemorySize);
    // What is written stays.
    Plan kept = plan;
    MatmulAttrs other = *program;
    other.in0BlockW = 1, other.outSubblockH = other.outSubblockW = 1;
    kept.config[op].attrs = other;
    chooseMatmulPrograms(*run->problem, kept);
    EXPECT_EQ(std::get<MatmulAttrs>(kept.config[op].attrs), other);
  }
  EXPECT_GT(written, 0);
}

}  // namespace
}  // namespace tessera::test

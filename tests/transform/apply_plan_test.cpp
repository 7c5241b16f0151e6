#include "core/transform/apply_plan.h"

#include "core/ir/builder.h"
#include "core/ir/verify.h"
#include "core/ops/table/op_table.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const uint64_t kSeeds = test::seeds(100);
constexpr ProblemOptions kTight{.l1UsageCapPermille = 60};

std::unique_ptr<PolicyRun> randomRun(uint64_t seed) { return runOn(graphOf(randomGraphText(seed)), "Greedy", kTight); }

// The program that the policy chose for a matmul is the only attribute that a plan adds.
void dropChosenProgram(Op& op, const Op& before) {
  if (findAttr(before, "matmul_program_config")) return;
  std::erase_if(op.attrs.own(), [](const Attribute& attr) { return attr.name == "matmul_program_config"; });
}

TEST(ApplyPlan, OldIdsStayValid) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = randomRun(seed);
    const Graph& before = run->graph;
    Graph after = run->applied.graph;
    for (OpId op : before.ops.ids()) dropChosenProgram(after.ops.edit(op), before.ops[op]);
    ASSERT_GE(after.ops.size(), before.ops.size());
    for (OpId op : before.ops.ids()) {
      EXPECT_EQ(after.ops[op].name, before.ops[op].name);
      EXPECT_EQ(after.ops[op].results, before.ops[op].results);
      EXPECT_EQ(after.ops[op].attrs, before.ops[op].attrs);
      EXPECT_EQ(after.ops[op].operands.size(), before.ops[op].operands.size());
      EXPECT_FALSE(run->applied.inserted[op]);
    }
    for (ValueId value : before.values.ids()) {
      EXPECT_EQ(after.values[value].name, before.values[value].name);
      EXPECT_EQ(after.values[value].producer, before.values[value].producer);
      if (run->plan.layout[value]) {
        EXPECT_EQ(after.values[value].type.tensor->layout, run->plan.layout[value]);
      }
    }
  }
}

// The label says what the op does to the tensor, and the op's name follows the label.
void expectLabelled(const Graph& graph, OpId op, const InsertedMove& move) {
  const Op& o = graph.ops[op];
  auto inL1 = [&](ValueId value) { return graph.values[value].type.tensor->layout->isL1(); };
  const bool from = inL1(o.operands[0]), to = inL1(o.results[0]);
  const bool returned = move.cause == SpillCause::FunctionReturn;
  EXPECT_EQ(move.kind == MoveKind::Spill, from && !to && !returned);
  EXPECT_EQ(move.kind == MoveKind::Reload, !from && to);
  EXPECT_EQ(move.kind == MoveKind::Reshard, from == to && !returned);
  EXPECT_EQ(move.kind == MoveKind::Return, returned);
  EXPECT_NE(graph.values[o.results[0]].name.find(std::string("_") + moveName(move.kind)), std::string::npos);
}

TEST(ApplyPlan, InsertedOpsAreTheMovesOfThePlan) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = randomRun(seed);
    size_t reshards = 0, spills = 0;
    std::array<int64_t, kMoveKinds> counts{};
    ASSERT_EQ(run->applied.inserted.size(), run->applied.graph.ops.size());
    for (OpId op : run->applied.graph.ops.ids()) {
      const std::optional<InsertedMove>& move = run->applied.inserted[op];
      EXPECT_EQ(move.has_value(), op.index >= static_cast<int32_t>(run->graph.ops.size()));
      if (!move) continue;
      ++(move->cause ? spills : reshards);
      ++counts[static_cast<size_t>(move->kind)];
      expectLabelled(run->applied.graph, op, *move);
    }
    EXPECT_EQ(reshards, run->plan.reshards.size());
    EXPECT_EQ(spills, run->plan.spills.size());
    EXPECT_EQ(counts, planMoves(run->graph, run->plan).counts);
    EXPECT_EQ(run->applied.graph.ops.size(), run->graph.ops.size() + reshards + spills);
    EXPECT_TRUE(verifyGraph(run->applied.graph).empty());
  }
}

TEST(ApplyPlan, WithoutInsertedOpsAndLayoutsItIsTheGraphItWas) {
  size_t removed = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = randomRun(seed);
    Graph graph = run->applied.graph;
    GraphBuilder builder(graph);
    IdVec<ValueId, ValueId> now(graph.values.size());
    IdVec<OpId, bool> gone(graph.ops.size());
    for (OpId op : graph.funcs[graph.forward].ops) {
      if (!run->applied.inserted[op]) continue;
      const ValueId operand = graph.ops[op].operands[0];
      gone[op] = true;
      now[builder.result(op)] = now[operand].valid() ? now[operand] : operand;
      ++removed;
    }
    builder.replaceUses(graph.forward, now);
    builder.removeOps(graph.forward, gone);
    for (OpId op : run->graph.ops.ids()) dropChosenProgram(graph.ops.edit(op), run->graph.ops[op]);
    for (ValueId value : run->graph.values.ids()) graph.values.edit(value).type = run->graph.values[value].type;
    builder.setResultTypes(graph.forward, run->graph.funcs[graph.forward].resultTypes);
    EXPECT_TRUE(verifyGraph(graph).empty());
    EXPECT_TRUE(sameGraph(compactGraph(graph), compactGraph(run->graph)));
  }
  EXPECT_GT(removed, kSeeds);
}

TEST(ApplyPlan, EveryOpReadsWhatThePlanSays) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto run = randomRun(seed);
    IdVec<ValueId, std::optional<TensorLayout>> now = run->plan.layout;
    for (OpId op : run->plan.order) {
      for (const Spill& spill : run->plan.spills) {
        if (spill.before == op) now[spill.value] = spill.to;
      }
      const auto &old = run->graph.ops[op].operands, &read = run->applied.graph.ops[op].operands;
      for (size_t i = 0; i < old.size(); ++i) {
        std::optional<TensorLayout> expected = now[old[i]];
        for (const Reshard& reshard : run->plan.reshards) {
          if (reshard.consumer == op && reshard.operand == static_cast<int32_t>(i)) expected = reshard.to;
        }
        EXPECT_EQ(run->applied.graph.values[read[i]].type.tensor->layout, expected);
      }
    }
  }
}

// A plan made by hand: %0 leaves L1 before %2 runs.
struct HandMade {
  std::unique_ptr<PolicyRun> run;
  Plan plan;
  HandMade() {
    const std::string t = "tensor<64x64xbf16>";
    run = runOn(
        graphOf("func.func @main(%a: " + t + ") -> (" + t + ", " + t + ") {\n  %0 = \"ttir.relu\"(%a) : (" + t +
                ") -> " + t + "\n  %1 = \"ttir.exp\"(%0) : (" + t + ") -> " + t + "\n  %2 = \"ttir.add\"(%0, %0) : (" +
                t + ", " + t + ") -> " + t + "\n  %3 = \"ttir.add\"(%0, %2) : (" + t + ", " + t + ") -> " + t +
                "\n  return %1, %3 : " + t + ", " + t + "\n}\n"),
        "DRAM");
    plan = run->plan;
    ValueId zero = valueNamed(run->graph, "0");
    plan.layout[zero] = l1InterleavedLayout(*run->problem, zero);
    plan.spills.push_back({zero, producerOf(run->graph, "2"), dramLayout(*run->problem, zero), SpillCause::Memory});
    plan.reshards.push_back(
        {producerOf(run->graph, "3"), 1, l1InterleavedLayout(*run->problem, valueNamed(run->graph, "2"))});
  }
};

TEST(ApplyPlan, LaterUsesOfASpilledValueReadTheCopyEarlierOnesDoNot) {
  HandMade made;
  AppliedPlan applied = applyPlan(made.run->graph, made.plan);
  ASSERT_TRUE(verifyGraph(applied.graph).empty());
  ValueId zero = valueNamed(made.run->graph, "0"), copy = valueNamed(applied.graph, "v0_spill");
  ASSERT_TRUE(copy.valid());
  auto operands = [&](const char* name) { return applied.graph.ops[producerOf(applied.graph, name)].operands; };
  EXPECT_EQ(operands("1"), std::vector<ValueId>{zero});
  EXPECT_EQ(operands("2"), (std::vector<ValueId>{copy, copy}));
  EXPECT_EQ(operands("3"), (std::vector<ValueId>{copy, valueNamed(applied.graph, "v2_reload")}));
  EXPECT_EQ(operands("v0_spill"), std::vector<ValueId>{zero});
  // The spill stands right before the op it makes room for.
  const auto& ops = applied.graph.funcs[applied.graph.forward].ops;
  auto at = std::find(ops.begin(), ops.end(), producerOf(applied.graph, "2"));
  ASSERT_NE(at, ops.begin());
  EXPECT_EQ(*(at - 1), producerOf(applied.graph, "v0_spill"));
  const auto& move = applied.inserted[producerOf(applied.graph, "v0_spill")];
  ASSERT_TRUE(move);
  EXPECT_EQ(move->kind, MoveKind::Spill);
  EXPECT_EQ(move->cause, SpillCause::Memory);
}

TEST(ApplyPlan, ASecondSpillMovesTheCopy) {
  HandMade made;
  ValueId zero = valueNamed(made.run->graph, "0");
  made.plan.spills.push_back(
      {zero, producerOf(made.run->graph, "3"), l1InterleavedLayout(*made.run->problem, zero), SpillCause::Constraint});
  AppliedPlan applied = applyPlan(made.run->graph, made.plan);
  ASSERT_TRUE(verifyGraph(applied.graph).empty());
  ValueId second = applied.graph.ops[producerOf(applied.graph, "3")].operands[0];
  EXPECT_EQ(second, valueNamed(applied.graph, "v0_spill_reload"));
  EXPECT_EQ(applied.graph.ops[applied.graph.values[second].producer].operands[0],
            valueNamed(applied.graph, "v0_spill"));
  EXPECT_TRUE(applied.graph.values[second].type.tensor->layout->isL1());
}

// Room decides spills of want and of sharing, each by its own row; a spill for a reader has none.
TEST(ApplyPlan, SpillsNameTheRoomThatDecidedThem) {
  const auto roomOf = [](SpillCause cause, std::vector<const char*> at) {
    HandMade made;
    const ValueId zero = valueNamed(made.run->graph, "0");
    made.plan.spills[0].cause = cause;
    for (const char* op : at) made.plan.room.push_back({zero, producerOf(made.run->graph, op), OpId()});
    const AppliedPlan applied = applyPlan(made.run->graph, made.plan);
    return applied.inserted[producerOf(applied.graph, "v0_spill")]->room;
  };
  EXPECT_EQ(roomOf(SpillCause::Memory, {"1", "2"}), 1);
  EXPECT_EQ(roomOf(SpillCause::Shared, {"2", "1"}), 0);
  EXPECT_EQ(roomOf(SpillCause::Memory, {"1", "3"}), -1);
  EXPECT_EQ(roomOf(SpillCause::Constraint, {"2"}), -1);
}

// Steps that a pass splits off a move belong to it.
TEST(ApplyPlan, StepsOfAMoveAreThatMove) {
  HandMade made;
  AppliedPlan applied = applyPlan(made.run->graph, made.plan);
  const OpId spill = producerOf(applied.graph, "v0_spill");
  Graph split = applied.graph;
  GraphBuilder builder(split);
  OpSpec step =
      makeOp(OpKind::TtnnToLayout, {split.ops[spill].operands[0]}, {split.values[split.ops[spill].operands[0]].type});
  step.resultName = "step";
  const ValueId moved = builder.result(builder.insertBefore(spill, std::move(step)));
  builder.replaceOperand(spill, 0, moved);
  replaceGraph(applied, std::move(split));
  for (const char* name : {"step", "v0_spill"}) {
    const std::optional<InsertedMove>& move = applied.inserted[producerOf(applied.graph, name)];
    ASSERT_TRUE(move) << name;
    EXPECT_EQ(move->kind, MoveKind::Spill) << name;
    EXPECT_EQ(move->cause, SpillCause::Memory) << name;
  }
  EXPECT_FALSE(applied.inserted[producerOf(applied.graph, "0")]);
}

// The second result of an op, %0:1, is moved under a name that MLIR reads.
TEST(ApplyPlan, MovesOfASecondResultHaveNames) {
  const auto run = runOn(graphOf("func.func @main(%x: tensor<32x64xbf16>) -> tensor<32x32xui16> {\n"
                                 "  %0:2 = \"ttnn.topk\"(%x) <{dim = -1 : i32, k = 32 : i32, largest = true, sorted = "
                                 "true}> : (tensor<32x64xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xui16>)\n"
                                 "  return %0#1 : tensor<32x32xui16>\n}\n"),
                         "DRAM");
  Plan plan = run->plan;
  const OpId topk = run->graph.funcs[run->graph.forward].ops.front();
  const ValueId places = run->graph.ops[topk].results[1];
  plan.spills = {{places, plan.order.back(), l1InterleavedLayout(*run->problem, places), SpillCause::Constraint}};
  const AppliedPlan applied = applyPlan(run->graph, plan);
  EXPECT_TRUE(valueNamed(applied.graph, "v0_1_reload").valid());
  EXPECT_TRUE(verifyGraph(applied.graph).empty());
}

TEST(ApplyPlan, ToLayoutOpsCarryTheirMemoryConfig) {
  HandMade made;
  AppliedPlan applied = applyPlan(made.run->graph, made.plan);
  auto config = [&](const char* name) {
    const Op& op = applied.graph.ops[producerOf(applied.graph, name)];
    EXPECT_EQ(op.name, "ttnn.to_layout");
    EXPECT_EQ(op.kind, opKindFromName("ttnn.to_layout"));
    EXPECT_EQ(op.span, Span{});
    const AttrValue* attr = findAttr(op, "memory_config");
    return attr ? attr->text : std::string("none");
  };
  EXPECT_EQ(config("v0_spill"), "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>");
  EXPECT_EQ(config("v2_reload"), "#ttnn.memory_config<#ttnn.buffer_type<l1>, <interleaved>>");
}

TEST(ApplyPlan, FunctionTypesAreThoseOfTheReturnedValues) {
  for (uint64_t seed = 0; seed < test::seeds(20); ++seed) {
    auto run = randomRun(seed);
    const Graph& graph = run->applied.graph;
    const Function& func = graph.funcs[graph.forward];
    const auto& returned = graph.ops[func.ops.back()].operands;
    ASSERT_EQ(returned.size(), func.resultTypes.size());
    for (size_t i = 0; i < returned.size(); ++i) {
      EXPECT_EQ(func.resultTypes[i], graph.values[returned[i]].type);
      EXPECT_TRUE(func.resultTypes[i].tensor->layout->isDram());
    }
  }
}

TEST(ApplyPlan, RunsTheOrderOfThePlan) {
  HandMade made;
  Plan plan = made.run->plan;
  std::swap(plan.order[1], plan.order[2]);
  AppliedPlan applied = applyPlan(made.run->graph, plan);
  EXPECT_TRUE(verifyGraph(applied.graph).empty());
  EXPECT_EQ(applied.graph.funcs[applied.graph.forward].ops, plan.order);
}

const char* const kTwoFunctions =
    "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %1 = call @other(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %1 : tensor<64x64xbf16>\n}\n"
    "func.func private @other(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.exp\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %0 : tensor<64x64xbf16>\n}\n";

TEST(ApplyPlan, LeavesOtherFunctionsAlone) {
  auto run = runOn(graphOf(kTwoFunctions), "Greedy");
  ASSERT_EQ(run->graph.funcs.size(), 2u);
  for (FuncId func : run->graph.funcs.ids()) {
    if (func == run->graph.forward) continue;
    EXPECT_EQ(run->applied.graph.funcs[func].ops, run->graph.funcs[func].ops);
    EXPECT_EQ(run->applied.graph.funcs[func].resultTypes, run->graph.funcs[func].resultTypes);
    for (ValueId arg : run->graph.funcs[func].args)
      EXPECT_EQ(run->applied.graph.values[arg].type, run->graph.values[arg].type);
  }
}

// A product over one line of cores fills rows of eight; one over a block has the block's grid.
TEST(ApplyPlan, ProgramsNameTheCoresTheyRunOn) {
  const std::string type = "tensor<512x512xbf16>";
  auto programOf = [&](MatmulProgram kind, TensorMemoryLayout memory, GridShape grid) {
    const auto run =
        runOn(graphOf("func.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
                      " {\n  %0 = \"ttnn.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (" + type +
                      ", " + type + ") -> " + type + "\n  return %0 : " + type + "\n}\n"),
              "DRAM");
    Plan plan = run->plan;
    const ValueId result = valueNamed(run->graph, "0");
    const TensorLayout layout = layoutFor(run->graph, result, BufferType::L1, memory, grid, run->device);
    MatmulAttrs attrs;
    attrs.program = kind;
    attrs.perCoreM = 2, attrs.perCoreN = 3, attrs.in0BlockW = 4;
    plan.layout[result] = layout;
    plan.config[producerOf(run->graph, "0")] = {layout, attrs};
    plan.spills = {{result, run->graph.funcs[run->graph.forward].ops.back(), dramLayout(*run->problem, result),
                    SpillCause::FunctionReturn}};
    const AppliedPlan applied = applyPlan(run->graph, plan);
    for (const Attribute& attr : applied.graph.ops[producerOf(run->graph, "0")].attrs) {
      const size_t at = attr.value.text.find("program_config<");
      if (at != std::string::npos)
        return std::string(attr.value.text.find("1d_") == std::string::npos ? "2d " : "1d ") +
               attr.value.text.substr(at + 15, attr.value.text.find('>', at) - at - 14);
    }
    return std::string("none");
  };
  const std::string of = "compute_with_storage_grid_size = #ttnn.core_coord<";
  EXPECT_EQ(programOf(MatmulProgram::MultiCast1dIn0, TensorMemoryLayout::WidthSharded, {1, 16}), "1d " + of + "8, 2>");
  EXPECT_EQ(programOf(MatmulProgram::MultiCast1dIn0, TensorMemoryLayout::WidthSharded, {1, 4}), "1d " + of + "4, 1>");
  EXPECT_EQ(programOf(MatmulProgram::MultiCast1dIn1, TensorMemoryLayout::HeightSharded, {8, 1}), "1d " + of + "8, 1>");
  EXPECT_EQ(programOf(MatmulProgram::MultiCast2d, TensorMemoryLayout::BlockSharded, {4, 8}), "2d " + of + "8, 4>");
  EXPECT_EQ(programOf(MatmulProgram::MultiCast2d, TensorMemoryLayout::BlockSharded, {2, 4}), "2d " + of + "4, 2>");
}

TEST(ApplyPlanDeathTest, EntriesOutOfScheduleOrderAreABugOfOurs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  HandMade unsorted;
  unsorted.plan.reshards.push_back({producerOf(unsorted.run->graph, "1"), 0,
                                    dramLayout(*unsorted.run->problem, valueNamed(unsorted.run->graph, "0"))});
  EXPECT_DEATH(applyPlan(unsorted.run->graph, unsorted.plan), "out of schedule order");
}

}  // namespace
}  // namespace tessera::test

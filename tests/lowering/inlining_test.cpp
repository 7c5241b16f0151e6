// Calls, branches and marks that are replaced by what they run: how deep, of which types, and what their ops keep.

#include "core/execute/interpreter.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

const std::string kX = "tensor<4xf32>";

struct Inlined {
  Graph before, after;
  std::string problems;
  std::map<std::string, int> ops;  // of all functions that are left
};
Inlined inlined(const std::string& text) {
  LoweringSetup setup;
  setup.context.byName = true;
  Inlined out{graphOfText(text), {}, {}, {}};
  LoweringResult result = passOn("inline", out.before, setup);
  for (const PassLog& log : result.logs)
    for (const PassLogNote& note : log.problems) out.problems += note.name + ": " + note.text + "\n";
  out.after = std::move(result.graph);
  out.ops = countOps(out.after);
  return out;
}

std::string function(const std::string& head, const std::string& body, const std::string& returned) {
  return "func.func " + head + " {\n" + body + "  return " + returned + "\n}\n";
}

// 63 calls within each other; in one that stands a level deeper nobody looks.
TEST(Inlining, GoesSixtyThreeCallsDeep) {
  const auto tower = [](int depth) {
    std::string text;
    for (int i = 0; i <= depth; ++i) {
      const std::string name = "@f" + std::to_string(i), next = "@f" + std::to_string(i + 1);
      text += function((i == 0 ? "" : "private ") + name + "(%x: " + kX + ") -> " + kX,
                       i == depth ? "  %0 = stablehlo.negate %x : " + kX + "\n"
                                  : "  %0 = call " + next + "(%x) : (" + kX + ") -> " + kX + "\n",
                       "%0 : " + kX);
    }
    return inlined(text);
  };
  const Inlined most = tower(63), more = tower(64);
  EXPECT_EQ(most.problems, "");
  EXPECT_EQ(most.after.funcs.size(), 1u);
  EXPECT_EQ(more.problems, "func.call: its calls stand for more ops than are read\n");
  EXPECT_EQ(more.after.funcs.size(), 2u);
}

TEST(Inlining, AFunctionThatCallsItselfIsCalled) {
  const std::string call = "  %0 = call @f(%x) : (" + kX + ") -> " + kX + "\n";
  Inlined ring = inlined(function("@main(%x: " + kX + ") -> " + kX, call, "%0 : " + kX) +
                         function("private @f(%x: " + kX + ") -> " + kX,
                                  call + "  %1 = stablehlo.negate %0 : " + kX + "\n", "%1 : " + kX));
  EXPECT_EQ(ring.problems, "func.call: the function calls itself\n");
  EXPECT_EQ(ring.ops["stablehlo.negate"], 2) << "once inlined, and in the function that is left";
  // Nor does a branch take its own function again.
  Inlined branch = inlined(
      function("@main(%c: tensor<i1>, %x: " + kX + ") -> " + kX,
               "  %0 = call @f(%c, %x) : (tensor<i1>, " + kX + ") -> " + kX + "\n", "%0 : " + kX) +
      function("private @f(%c: tensor<i1>, %x: " + kX + ") -> " + kX,
               "  %0 = stablehlo.negate %x : " + kX +
                   "\n  %1 = \"stablehlo.if\"(%c, %c, %0, %c, %0) {body = @f, body1 = @f, captures = array<i64: "
                   "2, 2>} : (tensor<i1>, tensor<i1>, " +
                   kX + ", tensor<i1>, " + kX + ") -> " + kX + "\n",
               "%1 : " + kX));
  EXPECT_EQ(branch.ops["stablehlo.negate"], 2);
  EXPECT_EQ(branch.ops["stablehlo.if"], 2);
}

// Each result of an op of the callee is read where it was.
TEST(Inlining, EveryResultKeepsItsReaders) {
  const std::string two = kX + ", " + kX;
  const Inlined pair =
      inlined(function("@main(%x: " + kX + ", %y: " + kX + ") -> (" + two + ")",
                       "  %r:2 = call @f(%x, %y) : (" + two + ") -> (" + two + ")\n", "%r#0, %r#1 : " + two) +
              function("private @f(%x: " + kX + ", %y: " + kX + ") -> (" + two + ")",
                       "  %0:2 = stablehlo.optimization_barrier %x, %y : " + two +
                           "\n  %1 = stablehlo.subtract %0#0, %0#1 : " + kX + "\n",
                       "%1, %0#1 : " + two));
  EXPECT_EQ(pair.after.funcs.size(), 1u);
  EXPECT_TRUE(compareGraphs(pair.before, pair.after, 1, 0).equal());
}

// What a choice becomes stands where the choice stood and for what it stood; each result is chosen by itself.
TEST(Inlining, AChoiceKeepsItsPlace) {
  const std::string two = kX + ", " + kX;
  const Inlined choice =
      inlined("func.func @main(%i: tensor<i32>, %a: " + kX + ", %b: " + kX + ") -> (" + two +
              ") {\n  %r:2 = \"stablehlo.case\"(%i) ({\n  stablehlo.return %a, %b : " + two +
              "\n  }, {\n  %n = stablehlo.negate %b : " + kX + "\n  stablehlo.return %b, %n : " + two +
              "\n  }) : (tensor<i32>) -> (" + two + ") loc(\"the choice\")\n  return %r#0, %r#1 : " + two + "\n}\n");
  for (int64_t index : {0, 1, 7}) {
    std::vector<HostTensor> inputs = randomInputs(choice.before, 1);
    inputs[0].set(0, static_cast<double>(index));
    const Execution run = execute(choice.after, inputs);
    ASSERT_EQ(run.results.size(), 2u) << run.text;
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(run.results[0].f[i], inputs[index == 0 ? 1 : 2].f[i]) << index;
      EXPECT_EQ(run.results[1].f[i], (index == 0 ? 1 : -1) * inputs[2].f[i]) << index;
    }
  }
  std::vector<OpId> origins;
  for (const Op& op : choice.before.ops)
    if (op.kind == OpKind::ShloCase) origins = op.origins;
  ASSERT_EQ(origins.size(), 1u);
  int selects = 0, made = 0;
  for (OpId id : choice.after.funcs[choice.after.forward].ops) {
    const Op& op = choice.after.ops[id];
    const bool select = op.kind == OpKind::ShloSelect;
    if (!select && op.kind != OpKind::ShloConstant && op.kind != OpKind::ShloCompare) continue;
    EXPECT_EQ(op.origins, origins) << op.name;
    if (select) EXPECT_EQ(op.loc, "the choice");
    selects += select;
    ++made;
  }
  EXPECT_EQ(selects, 2);
  EXPECT_EQ(made, 4) << "a number and a comparison for both";
}

// What is made of a function with another number of arguments or results stays as it is.
TEST(Inlining, CompositesOfOtherTypesStay) {
  const std::string body =
      function("private @f(%x: " + kX + ") -> " + kX, "  %0 = stablehlo.negate %x : " + kX + "\n", "%0 : " + kX);
  for (const auto& [results, operands] : {std::pair(1, 1), std::pair(1, 2), std::pair(2, 1)}) {
    std::string arguments = "%x", types = kX, given = kX, returned = "%r";
    if (operands == 2) arguments += ", %x", types += ", " + kX;
    if (results == 2) given += ", " + kX, returned = "%r#0, %r#1";
    Inlined made = inlined(
        function("@main(%x: " + kX + ") -> (" + given + ")",
                 std::string("  %r") + (results == 2 ? ":2" : "") + " = stablehlo.composite \"my.own\" " + arguments +
                     " {composite_attributes = {}, decomposition = @f} : (" + types + ") -> (" + given + ")\n",
                 returned + " : " + given) +
        body);
    EXPECT_EQ(made.ops["stablehlo.composite"], results * operands == 1 ? 0 : 1) << results << " " << operands;
  }
}

// A composite of the compiler's own keeps its name for the pass that knows it; any other is what it is made of.
TEST(Inlining, CompositesWithARuleStay) {
  const auto composites = [](const std::string& name) {
    return inlined(function("@main(%x: " + kX + ") -> " + kX,
                            "  %0 = stablehlo.composite \"" + name +
                                "\" %x {composite_attributes = {}, decomposition = @f} : (" + kX + ") -> " + kX + "\n",
                            "%0 : " + kX) +
                   function("private @f(%x: " + kX + ") -> " + kX, "  %0 = stablehlo.negate %x : " + kX + "\n",
                            "%0 : " + kX))
        .ops["stablehlo.composite"];
  };
  EXPECT_EQ(composites("tenstorrent.gelu"), 1);
  EXPECT_EQ(composites("my.gelu"), 0);
}

// A name that the program gave is kept, and of a value that an op made nothing is known.
TEST(Inlining, MarksSayWhatWasNotSaid) {
  const std::string mark =
      " {call_target_name = \"tt.mark_argument\", mhlo.frontend_attributes = {ttcore.argument_type = \"parameter\", "
      "ttir.name = \"late\"}} : (" +
      kX + ") -> " + kX + "\n";
  const Inlined marked =
      inlined(function("@main(%x: " + kX + " {ttir.name = \"own\"}, %y: " + kX + ") -> " + kX,
                       "  %0 = \"stablehlo.custom_call\"(%x)" + mark + "  %1 = stablehlo.add %0, %y : " + kX +
                           "\n  %2 = \"stablehlo.custom_call\"(%1)" + mark,
                       "%2 : " + kX));
  const Graph& graph = marked.after;
  const Value& x = graph.values[graph.funcs[graph.forward].args[0]];
  EXPECT_EQ(x.role, ArgRole::Parameter);
  EXPECT_EQ(x.label, "own");
  ASSERT_EQ(graph.funcs[graph.forward].ops.size(), 2u);
  const Value& sum = graph.values[graph.ops[graph.funcs[graph.forward].ops[0]].results[0]];
  EXPECT_EQ(sum.role, ArgRole::None);
  EXPECT_EQ(sum.label, "");
}

}  // namespace
}  // namespace tessera::test

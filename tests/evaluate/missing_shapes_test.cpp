// Rows of published tables that lack the shape from which their result's is made, and ops whose result has none.

#include "core/driver/pipeline.h"
#include "core/evaluate/eval.h"
#include "core/evaluate/lost_ops.h"
#include "tests/driver/driver_testing.h"
#include "tests/evaluate/eval_testing.h"

namespace tessera::test {
namespace {

// The result of a row that repeats is read off its input; without that the row is no question.
TEST(MissingShapes, ARepeatOfNoneIsNoQuestion) {
  const auto rowOf = [](const std::string& op, const std::string& inputs) {
    const std::string place = R"("buffer": "DRAM", "memory_layout": "Interleaved", "grid": [1, 1], )"
                              R"("page_layout": "tile", "dtype": "bf16"})";
    const std::string input = inputs.empty() ? "" : R"("input": {"shape": )" + inputs + ", " + place;
    return R"({"rows": [{"op": ")" + op + R"(", "kind": "lib_testf", "suite": "s", "test": "t", "index": 0, )" +
           R"("inputs": {)" + input + R"(}, "outputs": {"output": {"shape": [64, 64], )" + place +
           R"(}, "attrs": {}, "expected_legal": true, "expected_cb_l1_peak": 1, "check": {"cb": "gt 0"}}]})";
  };
  for (const char* op : {"RepeatOp", "RepeatInterleaveOp"}) {
    for (const char* shape : {"", "[]", "\"none\""}) {
      const EvalResult result = evalOf(evalOpModel, rowOf(op, shape));
      EXPECT_EQ(result.problem, "") << op << " " << shape;
      EXPECT_EQ(result.agree, 0) << op << " " << shape;
    }
  }
}

// An op whose result is no tensor may lose time as any other; it lies nowhere.
TEST(MissingShapes, AnOpWithoutATensorMayLoseTime) {
  const std::string t =
      "tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, "
      "#ttnn.buffer_type<dram>>, <interleaved>>>";
  Session session;
  session.load("f", "func.func @main(%a: " + t + ") -> " + t +
                        " {\n  %d = \"ttnn.get_device\"() : () -> !ttnn.device\n  %0 = \"ttnn.relu\"(%a) : (" + t +
                        ") -> " + t + "\n  return %0 : " + t + "\n}\n");
  Options options;
  chooseDefaultPolicy(options, *session.loaded());
  const auto finished = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(finished->report.run);
  RunOutcome slow = *finished->report.run;
  CarriedOut& own = ownProgram(slow);
  for (SimStep& step : own.sim.steps) step.time.fixed += Nanoseconds(1000);
  std::string found;
  for (const LostOp& op : lostOps(slow, *finished->report.run))
    found += op.name + " " + op.op + " '" + op.writtenLayout + "' '" + op.optimumLayout + "' " +
             std::to_string(op.written - op.optimum) + "\n";
  EXPECT_EQ(found, "%0 ttnn.relu 'DRAM' 'DRAM' 1000\n%d ttnn.get_device '' '' 1000\n");
}

}  // namespace
}  // namespace tessera::test

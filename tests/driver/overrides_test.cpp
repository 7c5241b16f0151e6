// Layouts that the user fixes are carried out by every policy, not only those that a policy would offer itself.

#include "core/policy/policy.h"
#include "tests/driver/driver_testing.h"

namespace tessera::test {
namespace {

const char kFixable[] = R"(
func.func @main(%a: tensor<256x256xbf16>, %x: tensor<256x256xf32>, %w: tensor<256x256xf32>)
    -> (tensor<256x256xbf16>, tensor<256x256xf32>) {
  %0 = "ttir.relu"(%a) : (tensor<256x256xbf16>) -> tensor<256x256xbf16> loc("alone")
  %1 = "ttir.matmul"(%x, %w) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc("product")
  %2 = "ttir.exp"(%1) : (tensor<256x256xf32>) -> tensor<256x256xf32> loc("last")
  return %0, %2 : tensor<256x256xbf16>, tensor<256x256xf32>
}
)";

// The layout of the result that the op of this name writes, as the report has it.
std::string layoutOf(const Json& report, std::string_view value) {
  const JsonValue run = report["run"];
  for (size_t i = 0; i < run.get("values").size(); ++i) {
    const JsonValue v = run.get("values").at(i);
    if (v.get("name").asString() != value) continue;
    const JsonValue layout = run.get("layouts").at(static_cast<size_t>(v.get("layout").asInteger().value_or(0)));
    return std::string(layout.get("buffer").asString().value_or("?")) + ":" +
           std::string(layout.get("memory").asString().value_or("?")) + ":" +
           std::string(layout.get("page").asString().value_or("?")) + ":" +
           std::string(layout.get("dtype").asString().value_or("?"));
  }
  return "no such value";
}

void expectCarriedOut(std::string_view policy, const std::string& name, const std::string& layout,
                      std::string_view value) {
  const Json report(apiRun(kFixable, R"({"policy":")" + std::string(policy) + R"(","override-output-layout":")" + name +
                                         "=" + layout + R"("})"));
  SCOPED_TRACE(std::string(policy) + " " + name + "=" + layout);
  EXPECT_EQ(kinds(report.document.root()), "");
  EXPECT_EQ(layoutOf(report, value), layout);
}

TEST(Overrides, EveryPolicyCarriesThemOut) {
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kAsItStands)) continue;  // the graph has no layouts
    for (const char* place : {"dram:interleaved", "l1:interleaved"}) {
      for (const char* dtype : {"bf16", "f32", "bfp_bf8"}) {
        const std::string layout = std::string(place) + ":tile:" + dtype;
        expectCarriedOut(policy.id, "alone", layout, "%0");
        expectCarriedOut(policy.id, "product", layout, "%1");
      }
    }
  }
}

// Rows are made of a converted operand, which the chains do not ask for; Exact is no worse than the best of the others.
TEST(Overrides, ExactCarriesOutWhatAnotherPolicyDoes) {
  for (const char* policy : {"Greedy", "Exact"})
    expectCarriedOut(policy, "alone", "dram:interleaved:row_major:bf16", "%0");
}

// An op reads what the op before it writes, wherever the user put that.
TEST(Overrides, OneAfterTheOtherLeavesASoundPlan) {
  const char text[] = R"(
func.func @main(%a: tensor<1x256x256xbf16>) -> tensor<256x256xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<1x256x256xbf16>) -> tensor<1x256x256xbf16>
  %1 = "ttir.reshape"(%0) <{shape = [256 : i32, 256 : i32]}> : (tensor<1x256x256xbf16>) -> tensor<256x256xbf16>
  %2 = "ttir.relu"(%1) : (tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %2 : tensor<256x256xbf16>
}
)";
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kAsItStands)) continue;
    const std::string report = apiRun(
        text, R"({"policy":")" + std::string(policy.id) + R"(","override-output-layout":"%1=row_major,%2=row_major"})");
    SCOPED_TRACE(policy.id);
    EXPECT_NE(report.find(R"("defects":[])"), std::string::npos);
    EXPECT_EQ(report.find("op-refused"), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera::test

// Nothing may grow with the square of the program.

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "core/policy/policy.h"
#include "tests/driver/driver_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

enum class Form { Chain, ManyArguments, Skips, Reshards };

// `ops` ops in one function.
std::string program(Form form, int ops) {
  const std::string t = "tensor<128x128xbf16>";
  std::string arguments = "%a: " + t, body, last = "%a";
  for (int i = 0; i < ops; ++i) {
    std::string name = "%v" + std::to_string(i);
    if (form == Form::ManyArguments) {
      arguments += ", %p" + std::to_string(i) + ": " + t;
      body += "  " + name + " = \"ttir.add\"(" + last + ", %p" + std::to_string(i) + ") : (" + t + ", " + t + ") -> " +
              t + "\n";
    } else if (form == Form::Skips && i >= 20) {
      body += "  " + name + " = \"ttir.add\"(" + last + ", %v" + std::to_string(i - 20) + ") : (" + t + ", " + t +
              ") -> " + t + "\n";
    } else if (form == Form::Reshards && i > 0) {
      body += "  " + name + " = \"ttir.matmul\"(" + last + ", " + last +
              ") <{transpose_a = false, transpose_b = false}> : (" + t + ", " + t + ") -> " + t + "\n";
    } else {
      body += "  " + name + " = \"ttir.relu\"(" + last + ") : (" + t + ") -> " + t + "\n";
    }
    last = name;
  }
  return "func.func @main(" + arguments + ") -> " + t + " {\n" + body + "  return " + last + " : " + t + "\n}\n";
}

// Processor time, which other programs on the machine change little.
double secondsOf(Form form, int ops, const std::string& options = "") {
  std::string text = program(form, ops);
  std::clock_t begin = std::clock();
  std::string report = apiRun(text, options);
  double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_NE(report.find("\"ok\":true"), std::string::npos) << report.substr(0, 500);
  return seconds;
}

// Four times the ops may take nine times as long, where the square would take sixteen. A short run that was lucky is
// measured again. The figures are for people.
void expectBelowTheSquare(std::string_view name, Form form, int few, const std::string& options = "") {
  const int many = 4 * few;
  double small = secondsOf(form, few, options);
  const double large = secondsOf(form, many, options);
  if (large >= 9 * small) small = std::max(small, secondsOf(form, few, options));
  std::printf("[   INFO   ] %-20s %d ops %.3f s, %d ops %.3f s\n", name.data(), few, small, many, large);
  EXPECT_LT(large, 9 * small) << name;
}

TEST(Growth, IsBelowTheSquare) {
  const std::pair<Form, const char*> kForms[] = {{Form::Chain, "chain"},
                                                 {Form::ManyArguments, "an argument per op"},
                                                 {Form::Skips, "skips over 20 ops"},
                                                 {Form::Reshards, "a reshard per op"}};
  for (const auto& [form, name] : kForms) expectBelowTheSquare(name, form, smallTests() ? 125 : 1000);
}

// Values that wait for readers twenty ops later compete for L1: what is taken back must not be paid by all the rest.
TEST(Growth, IsBelowTheSquareUnderEveryPolicy) {
  // Exact solves 60 ops in a tenth of the time of 125: fewer would compare two ways of solving.
  for (const PolicyInfo& policy : allPolicies()) {
    const int few = !smallTests() ? 250 : policy.id == "Exact" ? 125 : 60;
    const std::string options = R"({"policy":")" + std::string(policy.id) + R"(","tensor-l1-usage-cap":0.1})";
    expectBelowTheSquare(policy.id, Form::Skips, few, options);
  }
}

}  // namespace
}  // namespace tessera::test

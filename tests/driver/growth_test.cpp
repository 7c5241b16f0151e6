// Nothing may grow with the square of the program: a chain of 10,000 ops runs in seconds.

#include <chrono>
#include <cstdio>

#include "tests/driver/driver_testing.h"

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

double secondsOf(Form form, int ops) {
  std::string text = program(form, ops);
  auto begin = std::chrono::steady_clock::now();
  std::string report = apiRun(text, "");
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_NE(report.find("\"ok\":true"), std::string::npos) << report.substr(0, 500);
  return seconds;
}

// Generous bounds: sanitizers and busy machines are slow; the figures are printed for people. Ten times the ops may
// take up to forty times as long, where the square would take a hundred.
TEST(Growth, TenThousandOpsTakeSeconds) {
  const std::pair<Form, const char*> kForms[] = {{Form::Chain, "chain"},
                                                 {Form::ManyArguments, "an argument per op"},
                                                 {Form::Skips, "skips over 20 ops"},
                                                 {Form::Reshards, "a reshard per op"}};
  for (const auto& [form, name] : kForms) {
    double small = secondsOf(form, 1000), large = secondsOf(form, 10000);
    std::printf("[   INFO   ] %-20s 1,000 ops %.3f s, 10,000 ops %.3f s\n", name, small, large);
    EXPECT_LT(large, 60.0) << name;
    EXPECT_LT(large, 40 * small + 1.0) << name;
  }
}

}  // namespace
}  // namespace tessera::test

// The problem as JSON for policies outside of the program: milliseconds and bytes for given graphs, or for a made one
// of 1,000 ops.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/driver/pipeline.h"

namespace tessera {
namespace {

double milliseconds() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Blocks of a matmul, an activation, a residual addition and a softmax.
std::string thousandOps() {
  std::string text, last = "%x0", body;
  const std::string type = "tensor<512x512xbf16>", signature = "(" + type + ", " + type + ") -> " + type + "\n";
  for (int block = 0; block < 250; ++block) {
    const std::string n = std::to_string(block);
    body +=
        "  %m" + n + " = \"ttir.matmul\"(" + last + ", %w) <{transpose_a = false, transpose_b = false}> : " + signature;
    body += "  %g" + n + " = \"ttir.gelu\"(%m" + n + ") : (" + type + ") -> " + type + "\n";
    body += "  %a" + n + " = \"ttir.add\"(%g" + n + ", " + last + ") : " + signature;
    body +=
        "  %s" + n + " = \"ttir.softmax\"(%a" + n + ") <{dimension = -1 : si32}> : (" + type + ") -> " + type + "\n";
    last = "%s" + n;
  }
  return "func.func @main(%x0: " + type + ", %w: " + type + ") -> " + type + " {\n" + body + "  return " + last +
         " : " + type + "\n}\n";
}

void measure(const std::string& name, const std::string& text) {
  double best = 1e9, whole = 1e9;
  size_t bytes = 0, ops = 0;
  for (int round = 0; round < 5; ++round) {
    Session session;
    const double start = milliseconds();
    session.load(name, text);
    auto prepared = prepareRun(session, Options(), {});
    if (!prepared->problem) return void(std::printf("%s: no problem\n", name.c_str()));
    const double middle = milliseconds();
    bytes = problemOut(*prepared).size();
    best = std::min(best, milliseconds() - middle);
    whole = std::min(whole, milliseconds() - start);
    ops = prepared->problem->schedule.order.size();
  }
  std::printf("%-44s %7zu %9.1f %9.1f %10zu\n", name.c_str(), ops, best, whole, bytes);
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  std::printf("%-44s %7s %9s %9s %10s\n", "graph", "ops", "json ms", "whole ms", "bytes");
  if (argc == 1) tessera::measure("1,000 ops", tessera::thousandOps());
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    const std::string path = argv[i];
    tessera::measure(path.substr(path.find_last_of('/') + 1), text.str());
  }
}

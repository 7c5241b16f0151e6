// bench_op_model GRAPH...: nanoseconds of one question to the op model, by op family: worked out anew, and from the
// memo. The questions are those the analysis finds legal for the ops of the graphs, operands where they start. Prints,
// asserts nothing.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/driver/pipeline.h"

namespace tessera {
namespace {

// Processor time: other programs on the machine do not count.
double nanoseconds() { return static_cast<double>(std::clock()) * 1e9 / CLOCKS_PER_SEC; }

struct Question {
  OpId op;
  std::vector<std::optional<TensorLayout>> inputs;
  OpConfig config;
};

std::map<std::string, std::vector<Question>> questionsOf(const Problem& problem) {
  std::map<std::string, std::vector<Question>> questions;
  for (OpId op : problem.schedule.order) {
    std::vector<std::optional<TensorLayout>> inputs;
    for (ValueId operand : problem.graph.ops[op].operands) {
      if (!problem.isTensor(operand)) inputs.push_back(std::nullopt);
      else inputs.push_back(problem.pinned[operand] ? *problem.pinned[operand] : dramLayout(problem, operand));
    }
    std::string family(familyName(opInfo(problem.graph.ops[op].kind).family));
    for (const OpConfig& config : problem.configs[op]) questions[family].push_back({op, inputs, config});
  }
  return questions;
}

// One validation and one time per question, as a search asks; nanoseconds per call.
double perCall(const OpModel& model, const Graph& graph, const std::vector<Question>& questions) {
  const size_t rounds = std::max<size_t>(1, 20'000 / questions.size());
  L1Budget budget(model.device().usableL1());
  int64_t sum = 0;
  double start = nanoseconds();
  for (size_t round = 0; round < rounds; ++round) {
    for (const Question& q : questions) {
      OpQuery query{graph, q.op, q.inputs, q.config, Bytes(static_cast<int64_t>(round))};
      sum += model.validateOperation(query, budget).needed.count + model.getOpRuntime(query).total().count;
    }
  }
  double spent = nanoseconds() - start;
  if (sum == 42) std::printf("\n");  // the answers are used
  return spent / static_cast<double>(2 * rounds * questions.size());
}

}  // namespace
}  // namespace tessera

int main(int argc, char** argv) {
  using namespace tessera;
  struct Sum {
    double cold = 0, memo = 0;
    size_t questions = 0;
  };
  std::map<std::string, Sum> sums;
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    Session session;
    session.load(argv[i], text.str());
    Options options;
    options.policy = "DRAM";
    auto finished = runPolicy(session, options, Diagnostics());
    if (!finished->problem) continue;
    const Graph& graph = finished->problem->graph;
    const OpModel cold(finished->device), memo = session.modelOf(*finished->lowered, finished->device);
    for (const auto& [family, questions] : questionsOf(*finished->problem)) {
      auto n = static_cast<double>(questions.size());
      sums[family].cold += perCall(cold, graph, questions) * n;
      sums[family].memo += perCall(memo, graph, questions) * n;
      sums[family].questions += questions.size();
    }
  }
  std::printf("%-20s %10s %12s %12s\n", "family", "questions", "cold ns", "memo ns");
  for (const auto& [family, sum] : sums) {
    auto n = static_cast<double>(sum.questions);
    std::printf("%-20s %10zu %12.0f %12.0f\n", family.c_str(), sum.questions, sum.cold / n, sum.memo / n);
  }
  return 0;
}

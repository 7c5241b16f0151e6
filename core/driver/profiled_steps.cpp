#include "core/driver/profiled_steps.h"

#include <algorithm>

namespace tessera {

namespace {

Nanoseconds boundPartOf(const SimStep& step) {
  switch (step.bound) {
    case Bound::Compute: return step.time.compute;
    case Bound::Dram: return step.time.dram;
    case Bound::Noc: return step.time.noc;
    case Bound::Fixed: return step.time.fixed;
    case Bound::None: return {};
  }
  return {};
}

// "1x56x56x64"
std::vector<int64_t> readDims(std::string_view text) {
  constexpr size_t kMostDims = 16;
  std::vector<int64_t> dims(1);
  for (char c : text) {
    if (c == 'x' && dims.size() < kMostDims) dims.push_back(0);
    else if (c >= '0' && c <= '9' && dims.back() < (int64_t{1} << 40)) dims.back() = dims.back() * 10 + (c - '0');
  }
  return dims;
}

int64_t readTime(JsonValue value) {
  constexpr int64_t kLongest = 1'000'000'000'000;
  return std::clamp<int64_t>(value.asInteger().value_or(0), 0, kLongest);
}

}  // namespace

std::vector<ProfiledStep> profiledSteps(const RunOutcome& run) {
  const Graph& graph = run.program->applied.graph;
  std::vector<ProfiledStep> steps;
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i) {
    const SimStep& sim = run.program->sim.steps[i];
    const Op& op = graph.ops[sim.op];
    ProfiledStep step{static_cast<int32_t>(i), op.name, op.kind};
    step.bound = boundName(sim.bound);
    step.total = sim.time.total().count;
    step.boundPart = boundPartOf(sim).count;
    if (!op.results.empty()) step.name = "%" + graph.values[op.results[0]].name + "  " + op.name;
    if (!op.results.empty() && graph.values[op.results[0]].type.isTensor()) {
      const TensorType& type = *graph.values[op.results[0]].type.tensor;
      step.shape = withoutLeadingOnes({type.shape.begin(), type.shape.end()});
      if (type.layout)
        step.memory = std::string(bufferTypeName(type.layout->buffer)) + " " +
                      std::string(tensorMemoryLayoutName(type.layout->memory));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<ProfiledStep> profiledSteps(JsonValue given) {
  std::vector<ProfiledStep> steps;
  const auto text = [](JsonValue value) { return std::string(value.asString().value_or("")); };
  for (size_t i = 0; i < given.size(); ++i) {
    const JsonValue one = given.at(i);
    ProfiledStep step{static_cast<int32_t>(one.get("row").asInteger().value_or(0)), text(one.get("op"))};
    step.kind = opKindFromName(step.name);
    step.shape = withoutLeadingOnes(readDims(text(one.get("shape"))));
    step.memory = text(one.get("memory"));
    step.bound = text(one.get("bound"));
    step.total = readTime(one.get("time"));
    step.boundPart = readTime(one.get("boundPart"));
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace tessera

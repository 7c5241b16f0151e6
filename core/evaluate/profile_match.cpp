#include "core/evaluate/profile_match.h"

#include <algorithm>

#include "core/evaluate/csv.h"
#include "core/evaluate/profile_names.h"
#include "core/evaluate/profile_text.h"

namespace tessera {

namespace {

constexpr size_t kMostCells = size_t{1} << 26;  // of the table that aligns programs and steps

// "32[19]", padded and logical, or "19".
int64_t logicalDim(const CsvTable& t, size_t row, const char* dim) {
  const std::string base = std::string("OUTPUT_0_") + dim;
  std::string_view text = t.text(row, base + "_PAD[LOGICAL]");
  if (text.empty()) text = t.text(row, base);
  const size_t bracket = text.find('[');
  if (bracket != std::string_view::npos) text.remove_prefix(bracket + 1);
  int64_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || value > (int64_t{1} << 40)) break;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::vector<int64_t> withoutLeadingOnes(std::vector<int64_t> dims) {
  size_t first = 0;
  while (first + 1 < dims.size() && dims[first] <= 1) ++first;
  dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first));
  return dims;
}

// "DEV_1_L1_HEIGHT_SHARDED" -> "l1 height_sharded"
std::string memoryWords(std::string_view text) {
  const std::string lower = lowerCase(text);
  if (lower.empty()) return "";
  const char* buffer = contains(lower, "_l1_") ? "l1" : contains(lower, "dram") ? "dram" : "";
  for (const char* memory : {"height_sharded", "width_sharded", "block_sharded", "interleaved"}) {
    if (contains(lower, memory)) return std::string(buffer) + " " + memory;
  }
  return buffer;
}

// Programs that the library runs ahead of an op's own.
bool isPart(std::string_view name) {
  for (std::string_view begin : {"Halo", "Move", "PaddedSlice", "SliceWrite"}) {
    if (name.substr(0, begin.size()) == begin) return true;
  }
  return false;
}

OpKind kindOf(std::string_view name, std::string_view attributes) {
  if (name.substr(0, 6) == "Conv2d" || name.substr(0, 13) == "OptimizedConv") return OpKind::TtnnConv2d;
  if (name.substr(0, 6) == "Pool2D") return OpKind::TtnnMaxPool2d;
  return profiledKind(name, attributes);
}

// What a step is to the matching.
struct StepWords {
  OpKind kind = OpKind::Opaque;
  std::vector<int64_t> shape;
  std::string memory;
};

StepWords wordsOf(const RunOutcome& run, const SimStep& step) {
  const Graph& graph = run.applied.graph;
  const Op& op = graph.ops[step.op];
  StepWords words{op.kind, {}, ""};
  if (op.results.empty() || !graph.values[op.results[0]].type.isTensor()) return words;
  const TensorType& type = *graph.values[op.results[0]].type.tensor;
  for (int64_t dim : type.shape) words.shape.push_back(dim);
  words.shape = withoutLeadingOnes(words.shape);
  if (type.layout)
    words.memory = std::string(bufferTypeName(type.layout->buffer)) + " " +
                   std::string(tensorMemoryLayoutName(type.layout->memory));
  return words;
}

// 0: another op. The op counts most, then the shape, then the memory.
int32_t scoreOf(const ProfiledProgram& program, const StepWords& step) {
  if (program.part || program.kind == OpKind::Opaque || step.kind == OpKind::Opaque) return 0;
  const bool same = program.kind == step.kind;
  if (!same && opInfo(program.kind).family != opInfo(step.kind).family) return 0;
  return (same ? 5 : 2) + (program.shape == step.shape ? 3 : 0) + (program.memory == step.memory ? 1 : 0);
}

// The pairs of the alignment with the highest sum of scores, in order.
std::vector<std::pair<int32_t, int32_t>> align(const std::vector<const ProfiledProgram*>& programs,
                                               const std::vector<StepWords>& steps) {
  enum Move : uint8_t { kNone, kPair, kSkipProgram, kSkipStep };
  const size_t width = steps.size() + 1;
  std::vector<uint8_t> moves((programs.size() + 1) * width, kNone);
  std::vector<int32_t> above(width, 0), row(width, 0);
  for (size_t i = 1; i <= programs.size(); ++i) {
    row[0] = 0;
    for (size_t j = 1; j < width; ++j) {
      const int32_t score = scoreOf(*programs[i - 1], steps[j - 1]);
      const bool skipProgram = above[j] >= row[j - 1];
      row[j] = skipProgram ? above[j] : row[j - 1];
      moves[i * width + j] = skipProgram ? kSkipProgram : kSkipStep;
      if (score == 0 || above[j - 1] + score <= row[j]) continue;
      row[j] = above[j - 1] + score;
      moves[i * width + j] = kPair;
    }
    std::swap(above, row);
  }
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t i = programs.size(), j = width - 1; i > 0 && j > 0;) {
    const uint8_t move = moves[i * width + j];
    if (move == kPair) pairs.push_back({static_cast<int32_t>(i - 1), static_cast<int32_t>(j - 1)});
    if (move != kSkipStep) --i;
    if (move != kSkipProgram) --j;
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

int64_t quantile(std::vector<int64_t> values, int64_t permille) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<int64_t>(values.size()) - 1;
  return values[static_cast<size_t>((last * permille + 500) / 1000)];
}

void addFigures(ProfileComparison& out, const RunOutcome& run) {
  std::vector<std::vector<int64_t>> ratios(allFamilyTitles().size());
  std::vector<FamilyFactor> factors(ratios.size());
  std::vector<int64_t> errors;
  auto familyOf = [&](int32_t step) {
    return static_cast<size_t>(opInfo(run.applied.graph.ops[run.sim.steps[static_cast<size_t>(step)].op].kind).family);
  };
  for (const ProfileMatch& match : out.matches) {
    if (!match.sameShape || match.predicted <= 0 || match.measured <= 0) continue;
    FamilyFactor& factor = factors[familyOf(match.step)];
    ++factor.ops;
    factor.measured += match.measured;
    factor.predicted += match.predicted;
    ratios[familyOf(match.step)].push_back(match.measured * 1000 / match.predicted);
    errors.push_back(std::abs(match.predicted - match.measured) * 1000 / match.measured);
  }
  for (size_t i = 0; i < factors.size(); ++i) {
    factors[i].family = familyName(static_cast<Family>(i));
    if (factors[i].ops > 0) factors[i].permille = quantile(ratios[i], 500);
  }
  for (size_t i = 0; i < run.sim.steps.size(); ++i)
    out.calibrated += run.sim.steps[i].time.total().count * factors[familyOf(static_cast<int32_t>(i))].permille / 1000;
  std::erase_if(factors, [](const FamilyFactor& factor) { return factor.ops == 0; });
  out.families = std::move(factors);
  out.medianErrorPermille = quantile(errors, 500);
  out.p90ErrorPermille = quantile(errors, 900);
}

}  // namespace

Profile readProfile(std::string_view text) {
  Profile profile;
  CsvTable table;
  if (!parseCsv(text, table)) profile.problem = "it is no table with a line of names, or too large";
  else if (std::find(table.names.begin(), table.names.end(), "OP CODE") == table.names.end())
    profile.problem = "it has no column OP CODE";
  if (!profile.problem.empty()) return profile;
  std::string device;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    ProfiledProgram program;
    program.nanoseconds = table.count(i, "DEVICE KERNEL DURATION [ns]");
    if (program.nanoseconds == 0) program.nanoseconds = table.count(i, "DEVICE FW DURATION [ns]");
    if (device.empty() && program.nanoseconds > 0) device = std::string(table.text(i, "DEVICE ID"));
    if (program.nanoseconds == 0 || table.text(i, "DEVICE ID") != device) {
      ++profile.otherRows;
      continue;
    }
    program.name = std::string(table.text(i, "OP CODE"));
    program.kind = kindOf(program.name, table.text(i, "ATTRIBUTES"));
    program.part = isPart(program.name);
    program.shape = withoutLeadingOnes(
        {logicalDim(table, i, "W"), logicalDim(table, i, "Z"), logicalDim(table, i, "Y"), logicalDim(table, i, "X")});
    program.memory = memoryWords(table.text(i, "OUTPUT_0_MEMORY"));
    program.cores = table.count(i, "CORE COUNT");
    program.line = static_cast<int64_t>(i) + 2;
    profile.programs.push_back(std::move(program));
  }
  return profile;
}

ProfileComparison matchProfile(const Profile& profile, const RunOutcome& run) {
  ProfileComparison out;
  std::vector<const ProfiledProgram*> programs;
  std::vector<int32_t> rowOf, stepOf;
  std::vector<StepWords> steps;
  for (size_t i = 0; i < profile.programs.size(); ++i) {
    programs.push_back(&profile.programs[i]);
    rowOf.push_back(static_cast<int32_t>(i));
  }
  for (size_t i = 0; i < run.sim.steps.size(); ++i) {
    if (run.sim.steps[i].time.total().count == 0) continue;
    steps.push_back(wordsOf(run, run.sim.steps[i]));
    stepOf.push_back(static_cast<int32_t>(i));
  }
  if ((programs.size() + 1) * (steps.size() + 1) > kMostCells) {
    out.problem = "the profile and the graph are too large to be matched";
    return out;
  }
  std::vector<bool> used(programs.size()), met(steps.size());
  for (auto [row, step] : align(programs, steps)) {
    const ProfiledProgram& program = *programs[static_cast<size_t>(row)];
    const StepWords& words = steps[static_cast<size_t>(step)];
    ProfileMatch match{stepOf[static_cast<size_t>(step)]};
    match.sameShape = program.shape == words.shape;
    match.sameMemory = program.memory == words.memory;
    int32_t first = row;
    while (first > 0 && programs[static_cast<size_t>(first - 1)]->part && !used[static_cast<size_t>(first - 1)])
      --first;
    for (int32_t i = first; i <= row; ++i) {
      used[static_cast<size_t>(i)] = true;
      match.programs.push_back(i);
      match.measured += programs[static_cast<size_t>(i)]->nanoseconds;
    }
    match.predicted = run.sim.steps[static_cast<size_t>(match.step)].time.total().count;
    met[static_cast<size_t>(step)] = true;
    out.matches.push_back(std::move(match));
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) out.unmatchedPrograms.push_back(static_cast<int32_t>(i));
  }
  for (size_t i = 0; i < met.size(); ++i) {
    if (!met[i]) out.unmatchedSteps.push_back(stepOf[i]);
  }
  addFigures(out, run);
  return out;
}

}  // namespace tessera

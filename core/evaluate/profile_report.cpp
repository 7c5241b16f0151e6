// A profile, and a profile beside a run, as text and as JSON.

#include <algorithm>
#include <cstdio>

#include "core/evaluate/profile_match.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

std::string dimsText(const std::vector<int64_t>& shape) {
  std::string text;
  for (int64_t dim : shape) text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

// "1.234" of 1234
std::string permilleText(int64_t permille) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(permille / 1000),
                static_cast<long long>(permille % 1000));
  return text;
}

std::string programText(const ProfiledProgram& program) {
  return std::to_string(program.nanoseconds) + " ns  " + program.name + "  " + dimsText(program.shape) + "  " +
         program.memory + "  " + std::to_string(program.cores) + " cores  line " + std::to_string(program.line) + "\n";
}

std::string stepName(const RunOutcome& run, int32_t step) {
  const Graph& graph = run.applied.graph;
  const Op& op = graph.ops[run.sim.steps[static_cast<size_t>(step)].op];
  return (op.results.empty() ? "" : "%" + graph.values[op.results[0]].name + "  ") + op.name;
}

}  // namespace

std::string profileText(const Profile& profile) {
  std::string text;
  int64_t time = 0;
  for (const ProfiledProgram& program : profile.programs) {
    time += program.nanoseconds;
    text += programText(program);
  }
  return text + "--  " + std::to_string(profile.programs.size()) + " programs  " + std::to_string(time) + " ns  " +
         std::to_string(profile.otherRows) + " other rows\n";
}

std::string comparisonText(const Profile& profile, const ProfileComparison& found, const RunOutcome& run) {
  if (!found.problem.empty()) return "-- " + found.problem + "\n";
  std::string text;
  int64_t measured = 0, predicted = 0;
  for (const ProfileMatch& match : found.matches) {
    measured += match.measured;
    predicted += match.predicted;
    text += stepName(run, match.step) + "  measured " + std::to_string(match.measured) + " ns  predicted " +
            std::to_string(match.predicted) + " ns  " +
            profile.programs[static_cast<size_t>(match.programs.back())].name +
            (match.sameShape ? "" : "  other shape") + (match.sameMemory ? "" : "  other memory") + "\n";
  }
  for (int32_t row : found.unmatchedPrograms)
    text += "not in the run: " + programText(profile.programs[static_cast<size_t>(row)]);
  for (int32_t step : found.unmatchedSteps) text += "not in the profile: " + stepName(run, step) + "\n";
  for (const FamilyFactor& family : found.families)
    text += "factor " + permilleText(family.permille) + "  " + std::string(family.family) + "  " +
            std::to_string(family.ops) + " ops\n";
  return text + "--  matched " + std::to_string(found.matches.size()) + "  measured " + std::to_string(measured) +
         " ns  predicted " + std::to_string(predicted) + " ns  median error " +
         permilleText(found.medianErrorPermille) + "  p90 " + permilleText(found.p90ErrorPermille) + "  run " +
         std::to_string(run.sim.time.count) + " ns, with the factors " + std::to_string(found.calibrated) + " ns\n";
}

std::string comparisonJson(const Profile& profile, const ProfileComparison& found, const RunOutcome& run) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", 1);
  w.field("problem", std::string_view(found.problem));
  w.key("matches");
  w.beginArray();
  for (const ProfileMatch& match : found.matches) {
    w.beginObject();
    w.field("step", match.step);
    w.field("name", std::string_view(stepName(run, match.step)));
    w.key("lines");
    w.beginArray();
    for (int32_t row : match.programs) w.integer(profile.programs[static_cast<size_t>(row)].line);
    w.endArray();
    w.field("measured", match.measured);
    w.field("predicted", match.predicted);
    w.field("sameShape", match.sameShape);
    w.field("sameMemory", match.sameMemory);
    w.endObject();
  }
  w.endArray();
  w.key("unmatchedLines");
  w.beginArray();
  for (int32_t row : found.unmatchedPrograms) w.integer(profile.programs[static_cast<size_t>(row)].line);
  w.endArray();
  w.key("unmatchedSteps");
  w.beginArray();
  for (int32_t step : found.unmatchedSteps) w.integer(step);
  w.endArray();
  w.key("factors");
  w.beginObject();
  for (const FamilyFactor& family : found.families) {
    w.key(family.family);
    w.fixed(family.permille, 3);
  }
  w.endObject();
  w.key("medianError");
  w.fixed(found.medianErrorPermille, 3);
  w.key("p90Error");
  w.fixed(found.p90ErrorPermille, 3);
  w.field("time", run.sim.time.count);
  w.field("calibratedTime", found.calibrated);
  w.endObject();
  return w.take();
}

}  // namespace tessera

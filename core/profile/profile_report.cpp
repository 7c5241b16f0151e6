// A profile, and a profile beside a run, as text and as JSON.

#include <algorithm>
#include <cstdio>

#include "core/profile/profile.h"
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
  const std::string thousandths = std::to_string(1000 + permille % 1000);
  return std::to_string(permille / 1000) + "." + thousandths.substr(1);
}

std::string programText(const ProfiledProgram& program) {
  return std::to_string(program.nanoseconds) + " ns  " + program.name + "  " + dimsText(program.shape) + "  " +
         program.memory + "  " + std::to_string(program.cores) + " cores  line " + std::to_string(program.line) + "\n";
}

const char* misjudgedText(Misjudged misjudged, const std::string& bound) {
  switch (misjudged) {
    case Misjudged::No: return "";
    case Misjudged::WaitsForData: return "  not bound by compute: it waits for data";
    case Misjudged::Computes:
      return bound == "dram" ? "  not bound by DRAM: it computes" : "  not bound by the NoC: it computes";
    case Misjudged::Shorter: return "  not bound as predicted: it is shorter than that part alone";
  }
  return "";
}

std::string errorsText(const ProfileComparison& found) {
  std::string text;
  for (const ErrorClass& one : found.errors) {
    const std::string to = one.to == INT64_MAX ? "" : permilleText(one.to);
    text += "measured / predicted from " + permilleText(one.from) + (to.empty() ? "" : " to " + to) + ": " +
            std::to_string(one.ops) + " ops\n";
  }
  return text;
}

void writePrograms(JsonWriter& w, const Profile& profile) {
  constexpr std::string_view kEvidence[] = {"", "compute", "data"};
  w.key("programs");
  w.beginArray();
  for (const ProfiledProgram& program : profile.programs) {
    w.beginObject();
    w.field("name", std::string_view(program.name));
    w.field("op", program.kind == OpKind::Opaque ? std::string_view() : opInfo(program.kind).name);
    w.field("part", program.part);
    w.field("shape", std::string_view(dimsText(program.shape)));
    w.field("memory", std::string_view(program.memory));
    w.field("time", program.nanoseconds);
    w.field("cores", program.cores);
    w.field("line", program.line);
    w.field("evidence", kEvidence[static_cast<size_t>(program.evidence)]);
    w.endObject();
  }
  w.endArray();
}

template <class Numbers>
void writeNumbers(JsonWriter& w, const char* name, const Numbers& numbers) {
  w.key(name);
  w.beginArray();
  for (auto number : numbers) w.integer(static_cast<int64_t>(number));
  w.endArray();
}

void writeMatches(JsonWriter& w, const ProfileComparison& found, std::span<const ProfiledStep> steps) {
  w.key("matches");
  w.beginArray();
  for (const ProfileMatch& match : found.matches) {
    w.beginObject();
    w.field("row", steps[match.step].row);
    writeNumbers(w, "programs", match.programs);
    w.field("measured", match.measured);
    w.field("predicted", steps[match.step].total);
    w.field("sameShape", match.sameShape);
    w.field("sameMemory", match.sameMemory);
    w.field("misjudged", misjudgedName(match.misjudged));
    w.endObject();
  }
  w.endArray();
  writeNumbers(w, "unmatchedPrograms", found.unmatchedPrograms);
  std::vector<int32_t> rows;
  for (size_t step : found.unmatchedSteps) rows.push_back(steps[step].row);
  writeNumbers(w, "unmatchedRows", rows);
}

void writeFigures(JsonWriter& w, const ProfileComparison& found) {
  w.key("families");
  w.beginArray();
  for (const FamilyFactor& one : found.families) {
    w.beginObject();
    w.field("family", familyName(one.family));
    w.field("ops", one.ops);
    w.field("measured", one.measured);
    w.field("predicted", one.predicted);
    w.key("factor");
    w.fixed(one.permille, 3);
    w.endObject();
  }
  w.endArray();
  w.key("errors");
  w.beginArray();
  for (const ErrorClass& one : found.errors) {
    w.beginObject();
    w.key("from");
    w.fixed(one.from, 3);
    w.key("to");
    if (one.to == INT64_MAX) w.null();
    else w.fixed(one.to, 3);
    w.field("ops", one.ops);
    w.endObject();
  }
  w.endArray();
  w.key("medianError");
  w.fixed(found.medianErrorPermille, 3);
  w.key("p90Error");
  w.fixed(found.p90ErrorPermille, 3);
  w.field("measured", found.measured);
  w.field("predicted", found.predicted);
  w.field("calibration", std::string_view(calibrationText(found.calibration)));
  w.field("time", found.time);
  w.field("calibratedTime", found.calibratedTime);
}

}  // namespace

std::string calibrationText(const TimeFactors& factors) {
  std::string text;
  for (size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] == 0 || factors[i] == 1000) continue;
    const std::string family(familyName(static_cast<Family>(i)));
    text += (text.empty() ? "" : ",") + family + "=" + permilleText(factors[i]);
  }
  return text;
}

std::string profileText(const Profile& profile) {
  std::string text;
  for (const ProfiledProgram& program : profile.programs) text += programText(program);
  return text + "--  " + std::to_string(profile.programs.size()) + " programs  " + std::to_string(profile.time()) +
         " ns  " + std::to_string(profile.otherRows) + " other rows\n";
}

std::string comparisonText(const Profile& profile, const ProfileComparison& found,
                           std::span<const ProfiledStep> steps) {
  if (!found.problem.empty()) return "-- " + found.problem + "\n";
  std::string text;
  if (found.repeats > 1)
    text += "the same programs " + std::to_string(found.repeats) + " times in a row; the last are matched\n";
  for (const ProfileMatch& match : found.matches) {
    const ProfiledStep& step = steps[match.step];
    text += step.name + "  measured " + std::to_string(match.measured) + " ns  predicted " +
            std::to_string(step.total) + " ns  " + profile.programs[static_cast<size_t>(match.programs.back())].name +
            (match.sameShape ? "" : "  other shape") + (match.sameMemory ? "" : "  other memory") +
            misjudgedText(match.misjudged, step.bound) + "\n";
  }
  for (int32_t row : found.unmatchedPrograms)
    text += "not in the run: " + programText(profile.programs[static_cast<size_t>(row)]);
  for (size_t step : found.unmatchedSteps) text += "not in the profile: " + steps[step].name + "\n";
  text += errorsText(found);
  for (const FamilyFactor& one : found.families)
    text += "factor " + permilleText(one.permille) + "  " + std::string(familyName(one.family)) + "  " +
            std::to_string(one.ops) + " ops\n";
  const std::string calibration = calibrationText(found.calibration);
  if (!calibration.empty()) text += "--calibration " + calibration + "\n";
  return text + "--  matched " + std::to_string(found.matches.size()) + "  measured " + std::to_string(found.measured) +
         " ns  predicted " + std::to_string(found.predicted) + " ns  median error " +
         permilleText(found.medianErrorPermille) + "  p90 " + permilleText(found.p90ErrorPermille) + "  run " +
         std::to_string(found.time) + " ns, with the factors " + std::to_string(found.calibratedTime) + " ns\n";
}

std::string profileJson(const Profile& profile, const ProfileComparison* found, std::span<const ProfiledStep> steps) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", 1);
  w.field("problem", std::string_view(profile.problem));
  w.field("otherRows", profile.otherRows);
  w.field("time", profile.time());
  writePrograms(w, profile);
  w.key("comparison");
  if (!found) {
    w.null();
  } else {
    w.beginObject();
    w.field("problem", std::string_view(found->problem));
    w.field("repeats", found->repeats);
    w.field("skippedPrograms", found->skippedPrograms);
    writeMatches(w, *found, steps);
    writeFigures(w, *found);
    w.endObject();
  }
  w.endObject();
  return w.take();
}

}  // namespace tessera

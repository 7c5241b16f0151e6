#include "core/study/study_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/policy/policy.h"
#include "core/study/run_lines.h"

namespace tessera {

namespace {

constexpr int kRatioDecimals = 6;

std::string joined(const std::vector<std::string>& fields) {
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) line += (i > 0 ? "," : "") + csvField(fields[i]);
  return line;
}

// graph, device, the axes, policy: what tells runs apart, in every table.
std::vector<std::string> identityColumns(const Study& study) {
  std::vector<std::string> names = {"graph", "device"};
  for (const StudyAxis& axis : study.arguments.axes) names.push_back(axis.option);
  names.emplace_back("policy");
  return names;
}
std::vector<std::string> identityOf(const Study& study, const StudyRun& run) {
  const StudyGroup& group = study.groups[run.group];
  std::vector<std::string> fields = {study.graphs[group.graph].name, group.device};
  fields.insert(fields.end(), group.values.begin(), group.values.end());
  fields.push_back(run.policy);
  return fields;
}

std::string headerOf(const Study& study, const std::vector<std::string_view>& more) {
  std::vector<std::string> names = identityColumns(study);
  names.insert(names.end(), more.begin(), more.end());
  return joined(names) + "\n";
}

std::string runsHeader(const Study& study) {
  std::vector<std::string_view> names = {"status", "reason"};
  for (const RunColumn& column : runColumns()) names.push_back(column.id);
  names.insert(names.end(), {"exactTime", "lowerBound", "proven", "ratio"});
  return headerOf(study, names);
}

std::string runsLine(const Study& study, const StudyRow& row) {
  std::vector<std::string> fields = identityOf(study, *row.run);
  fields.emplace_back(runStatusName(row.kept.status));
  fields.push_back(row.kept.reason);
  for (const RunColumn& column : runColumns())
    fields.push_back(row.kept.row ? decimalText((*row.kept.row).*column.field, column.decimals) : "");
  fields.push_back(row.bound ? std::to_string(row.bound->time) : "");
  fields.push_back(row.bound ? std::to_string(row.bound->lowerBound) : "");
  fields.emplace_back(row.bound ? (row.bound->proven ? "1" : "0") : "");
  fields.push_back(row.ratio() ? decimalText(*row.ratio(), kRatioDecimals) : "");
  return joined(fields) + "\n";
}

std::string timingsLine(const Study& study, const StudyRow& row) {
  std::vector<std::string> fields = identityOf(study, *row.run);
  fields.emplace_back(runStatusName(row.kept.status));
  fields.push_back(decimalText(row.kept.runTime, 3));
  fields.push_back(decimalText(row.kept.policyTime, 3));
  fields.push_back(std::to_string(row.kept.memory));
  return joined(fields) + "\n";
}

void writeStrings(JsonWriter& w, std::string_view name, const std::vector<std::string>& texts) {
  w.key(name);
  w.beginArray();
  for (const std::string& text : texts) w.value(std::string_view(text));
  w.endArray();
}

void writeAxes(JsonWriter& w, std::string_view name, const std::vector<StudyAxis>& axes) {
  w.key(name);
  w.beginArray();
  for (const StudyAxis& axis : axes) {
    w.beginObject();
    w.field("option", std::string_view(axis.option));
    writeStrings(w, "values", axis.values);
    w.endObject();
  }
  w.endArray();
}

void writeOutside(JsonWriter& w, const std::vector<OutsidePolicy>& policies) {
  w.key("outside");
  w.beginArray();
  for (const OutsidePolicy& policy : policies) {
    w.beginObject();
    w.field("name", std::string_view(policy.name));
    w.field("hash", std::string_view(policy.hash));
    w.endObject();
  }
  w.endArray();
}

void writeColumns(JsonWriter& w) {
  w.key("columns");
  w.beginArray();
  for (const RunColumn& column : runColumns()) {
    w.beginObject();
    w.field("id", column.id);
    w.field("unit", column.unit);
    w.field("help", column.help);
    w.endObject();
  }
  w.endArray();
}

// Everything before the runs.
std::string headJson(const Study& study) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kStudySchema);
  w.key("program");
  w.beginObject();
  w.field("version", std::string_view(study.program.version));
  w.field("build", std::string_view(study.program.build));
  w.endObject();
  if (study.shard.of > 1) {
    w.key("shard");
    w.beginObject();
    w.field("part", study.shard.part);
    w.field("of", study.shard.of);
    w.endObject();
  }
  const StudyArguments& arguments = study.arguments;
  w.key("arguments");
  w.beginObject();
  writeStrings(w, "policies", arguments.policies);
  writeOutside(w, arguments.outside);
  writeStrings(w, "devices", arguments.devices);
  writeAxes(w, "axes", arguments.axes);
  writeAxes(w, "options", arguments.options);
  w.field("optimum", arguments.optimum);
  w.field("alone", arguments.alone);
  w.field("timeLimit", arguments.milliseconds);
  w.field("memoryLimit", arguments.memoryBytes);
  w.endObject();
  w.key("graphs");
  w.beginArray();
  for (const StudyGraph& graph : study.graphs) {
    w.beginObject();
    w.field("name", std::string_view(graph.name));
    w.field("hash", std::string_view(graph.hash));
    w.field("bytes", graph.bytes);
    w.field("lines", graph.ops);
    w.endObject();
  }
  w.endArray();
  writeColumns(w);
  w.endObject();
  std::string text = w.take();
  text.pop_back();
  return text;
}

std::string rowJson(const Study& study, const StudyRow& row) {
  const StudyGroup& group = study.groups[row.run->group];
  JsonWriter w;
  w.beginObject();
  w.field("key", std::string_view(row.run->key));
  w.field("graph", std::string_view(study.graphs[group.graph].name));
  w.field("device", std::string_view(group.device));
  writeStrings(w, "values", group.values);
  w.field("policy", std::string_view(row.run->policy));
  w.field("status", runStatusName(row.kept.status));
  w.field("reason", std::string_view(row.kept.reason));
  w.key("row");
  if (row.kept.row) writeRunRow(w, *row.kept.row);
  else w.null();
  w.key("exact");
  if (row.bound) {
    w.beginObject();
    w.field("time", row.bound->time);
    w.field("lowerBound", row.bound->lowerBound);
    w.field("proven", row.bound->proven);
    w.endObject();
  } else {
    w.null();
  }
  w.key("ratio");
  if (row.ratio()) w.fixed(*row.ratio(), kRatioDecimals);
  else w.null();
  w.endObject();
  return w.take();
}

}  // namespace

std::optional<int64_t> StudyRow::ratio() const {
  const bool known = bound && bound->lowerBound > 0 && kept.row && !policyHas(run->policy, kAsItStands);
  if (!known) return {};
  return ceilDiv(mulSaturated(kept.row->time, 1'000'000), bound->lowerBound);
}

StudyResults collectStudy(const Study& study, const FindKept& find, const TakeLines& lines) {
  StudyResults out;
  std::map<size_t, std::optional<KeptBound>> bounds;
  for (size_t i = 0; i < study.runs.size(); ++i) {
    const StudyRun& run = study.runs[i];
    if (!study.mine(run)) continue;
    std::optional<KeptRun> found = find(run.key);
    if (!found) {
      out.missing.push_back(i);
      continue;
    }
    if (policyHas(run.policy, kLowerBound)) bounds[run.group] = found->bound;
    if (!run.listed) continue;
    if (lines) lines(run, *found);
    found->losses.clear();
    found->ops.reset();
    out.rows.push_back({&run, std::move(*found), {}});
  }
  for (StudyRow& row : out.rows) row.bound = bounds[row.run->group];
  return out;
}

std::string runsCsv(const Study& study, const std::vector<StudyRow>& rows) {
  std::string text = runsHeader(study);
  for (const StudyRow& row : rows) text += runsLine(study, row);
  return text;
}

std::string timingsCsv(const Study& study, const std::vector<StudyRow>& rows) {
  std::string text = headerOf(study, {"status", "runMs", "policyMs", "peakKb"});
  for (const StudyRow& row : rows) text += timingsLine(study, row);
  return text;
}

std::string lossHeader(const Study& study) { return headerOf(study, lossColumns()); }
std::string opHeader(const Study& study) { return headerOf(study, opColumns()); }

std::string withRun(const Study& study, const StudyRun& run, std::string_view lines) {
  const std::string identity = joined(identityOf(study, run));
  std::string text;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    text += identity + ",";
    text += lines.substr(at, end - at);
    text += "\n";
    at = end + 1;
  }
  return text;
}

std::string studyJson(const Study& study, const std::vector<StudyRow>& rows) {
  std::string text = headJson(study) + ",\"runs\":[";
  for (size_t i = 0; i < rows.size(); ++i) text += (i > 0 ? ",\n" : "\n") + rowJson(study, rows[i]);
  return text + "\n]}\n";
}

std::vector<PolicySummary> summarize(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<PolicySummary> out;
  for (const std::string& policy : study.policies()) {
    PolicySummary sum{policy};
    double logs = 0;
    int64_t headrooms = 0;
    sum.leastHeadroom = 1000;
    for (const StudyRow& row : rows) {
      if (row.run->policy != policy) continue;
      ++sum.runs;
      sum.failed += !row.kept.row;
      if (!row.kept.row) continue;
      const RunRow& r = *row.kept.row;
      const int64_t losses[] = {r.constraint, r.memory, r.fork, r.operand0, r.chainFailure, r.choice, r.returned};
      for (size_t i = 0; i < kLossCauses; ++i) sum.losses[i] += losses[i];
      sum.leastHeadroom = std::min(sum.leastHeadroom, r.headroom);
      headrooms += r.headroom;
      if (!row.ratio()) continue;
      ++sum.bounded;
      const double ratio = static_cast<double>(*row.ratio()) / 1e6;
      logs += std::log(ratio);
      sum.worstRatio = std::max(sum.worstRatio, ratio);
      sum.atBound += ratio <= 1;
    }
    if (sum.bounded > 0) sum.meanRatio = std::exp(logs / static_cast<double>(sum.bounded));
    if (sum.runs > sum.failed) sum.meanHeadroom = headrooms / (sum.runs - sum.failed);
    else sum.leastHeadroom = 0;
    out.push_back(std::move(sum));
  }
  return out;
}

std::string summaryText(const Study& study, const std::vector<StudyRow>& rows) {
  std::string text = "policy                runs  failed  ratio to bound: mean   worst  at bound  mean headroom\n";
  for (const PolicySummary& sum : summarize(study, rows)) {
    char line[160];
    std::snprintf(line, sizeof line, "%-20.40s %5lld %7lld %20s %7s %9lld %12lld %%\n", sum.policy.c_str(),
                  static_cast<long long>(sum.runs), static_cast<long long>(sum.failed),
                  sum.bounded ? decimalText(std::llround(sum.meanRatio * 1000), 3).c_str() : "-",
                  sum.bounded ? decimalText(std::llround(sum.worstRatio * 1000), 3).c_str() : "-",
                  static_cast<long long>(sum.atBound), static_cast<long long>(sum.meanHeadroom / 10));
    text += line;
  }
  return text;
}

}  // namespace tessera

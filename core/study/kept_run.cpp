#include "core/study/kept_run.h"

#include "core/study/study.h"
#include "core/support/enum_table.h"

namespace tessera {

namespace {

constexpr EnumRow<RunStatus> kRunStatuses[] = {
    {RunStatus::Ran, "ran", "It ran"},
    {RunStatus::Refused, "refused", "Its input or its options have mistakes"},
    {RunStatus::TimeLimit, "time limit", "It took too long"},
    {RunStatus::MemoryLimit, "memory limit", "It took too much memory"},
    {RunStatus::Crashed, "crashed", "Its process was ended"},
};

std::optional<KeptBound> readBound(JsonValue value) {
  if (!value.isArray()) return {};
  const auto time = value.at(0).asInteger(), bound = value.at(1).asInteger();
  const auto proven = value.at(2).asBool();
  if (!time || !bound || !proven) return {};
  return KeptBound{*time, *bound, *proven};
}

}  // namespace

std::string_view runStatusName(RunStatus status) { return enumId(kRunStatuses, status); }

std::optional<RunStatus> findRunStatus(std::string_view name) { return parseEnum(kRunStatuses, name); }

std::string keptText(const std::string& key, const KeptRun& run) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kStudySchema);
  w.field("key", std::string_view(key));
  w.field("status", runStatusName(run.status));
  w.field("reason", std::string_view(run.reason));
  w.key("row");
  if (run.row) writeRunRow(w, *run.row);
  else w.null();
  w.key("bound");
  if (run.bound) {
    w.beginArray();
    w.integer(run.bound->time), w.integer(run.bound->lowerBound), w.boolean(run.bound->proven);
    w.endArray();
  } else {
    w.null();
  }
  w.field("losses", std::string_view(run.losses));
  w.key("ops");
  if (run.ops) w.value(std::string_view(*run.ops));
  else w.null();
  w.key("cost");
  w.beginArray();
  w.integer(run.runTime), w.integer(run.policyTime), w.integer(run.memory);
  w.endArray();
  w.endObject();
  return w.take();
}

std::optional<KeptRun> readKeptText(const std::string& name, std::string text, const std::string& key) {
  const SourceBuffer source(name, std::move(text));
  Diagnostics diagnostics;
  const JsonDocument document = JsonDocument::parse(source, diagnostics);
  const JsonValue root = document.root();
  const auto status = findRunStatus(root.get("status").asString().value_or(""));
  const bool known = root.get("schema").asInteger() == kStudySchema && root.get("key").asString() == key && status;
  if (!known) return {};
  KeptRun run;
  run.status = *status;
  run.reason = root.get("reason").asString().value_or("");
  run.row = readRunRow(root.get("row"));
  if (run.status == RunStatus::Ran && !run.row) return {};
  run.bound = readBound(root.get("bound"));
  run.losses = root.get("losses").asString().value_or("");
  if (root.get("ops").isString()) run.ops = *root.get("ops").asString();
  const JsonValue cost = root.get("cost");
  run.runTime = cost.at(0).asInteger().value_or(0);
  run.policyTime = cost.at(1).asInteger().value_or(0);
  run.memory = cost.at(2).asInteger().value_or(0);
  return run;
}

}  // namespace tessera

#include "core/report/pass_log_json.h"

#include "core/report/report.h"

namespace tessera {

std::string_view dumpMomentName(DumpMoment moment) {
  constexpr std::string_view kNames[] = {"before", "after", "failed", "stage"};
  return kNames[static_cast<size_t>(moment)];
}

namespace {

// The last of the best kind; -1: none.
int64_t lastState(const PassLogText& log) {
  int64_t best = -1;
  int rank = 0;
  for (size_t i = 0; i < log.dumps.size(); ++i) {
    const int own = dumpRank(log.dumps[i]);
    if (own < rank) continue;
    rank = own;
    best = static_cast<int64_t>(i);
  }
  return best;
}

}  // namespace

std::string passLogJson(const PassLogText& log) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.key("passes");
  w.beginArray();
  for (const PassRun& run : log.runs) {
    w.beginObject();
    w.field("pass", std::string_view(run.pass));
    w.field("argument", std::string_view(run.argument));
    w.field("operation", std::string_view(run.operation));
    w.field("symbol", std::string_view(run.symbol));
    w.field("line", run.line);
    w.field("before", run.before);
    w.field("after", run.after);
    w.field("failed", run.failed);
    w.field("changed", run.changed);
    w.endObject();
  }
  w.endArray();
  w.key("dumps");
  w.beginArray();
  for (const IrDump& dump : log.dumps) {
    w.beginObject();
    w.field("pass", std::string_view(dump.pass));
    w.field("moment", dumpMomentName(dump.moment));
    w.field("line", dump.line);
    w.field("begin", dump.begin);
    w.field("end", dump.end);
    w.field("complete", dump.complete);
    w.endObject();
  }
  w.endArray();
  w.field("state", lastState(log));
  w.endObject();
  return w.take();
}

}  // namespace tessera

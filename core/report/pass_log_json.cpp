#include "core/report/pass_log_json.h"

#include "core/report/report.h"

namespace tessera {

std::string_view dumpMomentName(DumpMoment moment) {
  constexpr std::string_view kNames[] = {"before", "after", "failed", "stage"};
  return kNames[static_cast<size_t>(moment)];
}

std::string passLogJson(const PassLogText& log) {
  JsonWriter w;
  w.beginObject();
  w.field("schema", kReportSchema);
  w.key("passes");
  w.beginArray();
  for (const PassRun& run : log.runs) {
    w.beginObject();
    w.field("pass", run.pass);
    w.field("argument", run.argument);
    w.field("operation", run.operation);
    w.field("symbol", run.symbol);
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
    w.field("pass", dump.pass);
    w.field("moment", dumpMomentName(dump.moment));
    w.field("line", dump.line);
    w.field("begin", dump.begin);
    w.field("end", dump.end);
    w.field("complete", dump.complete);
    w.endObject();
  }
  w.endArray();
  w.endObject();
  return w.take();
}

}  // namespace tessera

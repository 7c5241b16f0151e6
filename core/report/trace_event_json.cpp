#include "core/report/trace_event_json.h"

#include "core/report/step_json.h"
#include "core/support/json_writer.h"

namespace tessera {

namespace {

constexpr int kProcess = 1;
enum Track { kOps = 1, kCompute, kDram, kNoc };
constexpr const char* kTrackNames[] = {"", "Ops", "Compute", "DRAM", "NoC"};

class TraceWriter {
 public:
  explicit TraceWriter(const Report& report)
      : report_(report), run_(*report.run), graph_(run_.program->applied.graph) {}

  std::string write() {
    w_.beginObject();
    w_.field("displayTimeUnit", "ns");
    writeOtherData();
    w_.key("traceEvents");
    w_.beginArray();
    writeNames();
    int64_t now = 0;
    for (size_t step = 0; step < run_.program->sim.steps.size(); ++step) {
      writeStep(run_.program->sim.steps[step], static_cast<int64_t>(step), now);
      now += run_.program->sim.steps[step].time.total().count;
    }
    if (!run_.program->sim.steps.empty()) writeCounters(run_.program->sim.steps.back(), now);
    w_.endArray();
    w_.endObject();
    return w_.take();
  }

 private:
  void writeOtherData() {
    w_.key("otherData");
    w_.beginObject();
    w_.field("tessera", TESSERA_VERSION);
    w_.field("device", report_.device->id);
    w_.field("policy", run_.policy->id);
    w_.field("function", std::string_view(graph_.funcs[graph_.forward].name));
    w_.endObject();
  }

  void begin(const char* phase, std::string_view name, int track, int64_t at) {
    w_.beginObject();
    w_.field("name", name);
    w_.field("ph", phase);
    w_.field("pid", kProcess);
    w_.field("tid", track);
    w_.key("ts");
    w_.fixed(at, 3);  // nanoseconds as microseconds
  }

  void writeName(const char* what, int track, std::string_view name) {
    begin("M", what, track, 0);
    w_.key("args");
    w_.beginObject();
    w_.field("name", name);
    w_.endObject();
    w_.endObject();
  }

  void writeNames() {
    writeName("process_name", 0, std::string(report_.device->title) + ", " + std::string(run_.policy->id));
    for (int track : {kOps, kCompute, kDram, kNoc}) {
      writeName("thread_name", track, kTrackNames[track]);
      begin("M", "thread_sort_index", track, 0);
      w_.key("args");
      w_.beginObject();
      w_.field("sort_index", track);
      w_.endObject();
      w_.endObject();
    }
  }

  void writeStep(const SimStep& step, int64_t index, int64_t now) {
    const Op& op = graph_.ops[step.op];
    std::string title = op.results.empty() ? op.name : op.name + " %" + graph_.values[op.results[0]].name;
    begin("X", title, kOps, now);
    w_.field("cat", familyName(opInfo(op.kind).family));
    w_.key("dur");
    w_.fixed(step.time.total().count, 3);
    writeArgs(step, op, index);
    w_.endObject();
    writeCounters(step, now);
    if (step.verdict != RunVerdict::Fine) writeFailure(step, now);
    const int64_t busy = now + step.time.fixed.count;
    writeBusy(title, kCompute, busy, step.time.compute);
    writeBusy(title, kDram, busy, step.time.dram);
    writeBusy(title, kNoc, busy, step.time.noc);
  }

  void writeArgs(const SimStep& step, const Op& op, int64_t index) {
    w_.key("args");
    w_.beginObject();
    w_.field("step", index);
    if (!op.loc.empty()) w_.field("location", std::string_view(op.loc));
    if (!op.results.empty() && graph_.values[op.results[0]].type.isTensor()) {
      const TensorType& type = *graph_.values[op.results[0]].type.tensor;
      w_.field("shape", std::string_view(shapeText(type.shape)));
      if (type.layout) w_.field("layout", std::string_view(layoutText(step.produced.value_or(*type.layout))));
    }
    w_.field("cores", step.time.cores);
    w_.field("bound", boundName(step.bound));
    w_.field("fixed_ns", step.time.fixed.count);
    w_.field("dram_bytes", step.time.dramBytes);
    w_.field("noc_bytes", step.time.nocBytes);
    w_.field("circular_buffers", step.circularBuffersL1.count);
    w_.field("l1_tensors", step.tensorsL1.count);
    w_.endObject();
  }

  void writeBusy(std::string_view title, Track track, int64_t at, Nanoseconds duration) {
    if (duration.count == 0) return;
    begin("X", title, track, at);
    w_.field("cat", kTrackNames[track]);
    w_.key("dur");
    w_.fixed(duration.count, 3);
    w_.endObject();
  }

  void writeFailure(const SimStep& step, int64_t at) {
    begin("i", runVerdictName(step.verdict), kOps, at);
    w_.field("s", "t");
    w_.key("args");
    w_.beginObject();
    w_.field("text", std::string_view(step.verdictText));
    w_.endObject();
    w_.endObject();
  }

  void writeCounter(const char* name, int64_t at, int64_t bytes) {
    begin("C", name, 0, at);
    w_.key("args");
    w_.beginObject();
    w_.field("bytes", bytes);
    w_.endObject();
    w_.endObject();
  }

  void writeCounters(const SimStep& step, int64_t at) {
    writeCounter("L1 tensors per core", at, step.tensorsL1.count);
    writeCounter("Circular buffers per core", at, step.circularBuffersL1.count);
    writeCounter("L1 free per core", at, step.l1.free);
    writeCounter("L1 largest hole", at, step.l1.largestHole);
    writeCounter("DRAM per bank", at, step.dram.used);
  }

  const Report& report_;
  const RunOutcome& run_;
  const Graph& graph_;
  JsonWriter w_;
};

}  // namespace

std::string traceEventJson(const Report& report) {
  TESSERA_CHECK(report.run && report.device, "a trace of a run that was not");
  return TraceWriter(report).write();
}

}  // namespace tessera

#include "core/report/step_json.h"

namespace tessera {

namespace {

void writeTime(JsonWriter& w, const SimStep& step) {
  w.key("time");
  w.beginObject();
  w.field("total", step.time.total().count);
  w.field("fixed", step.time.fixed.count);
  w.field("compute", step.time.compute.count);
  w.field("dram", step.time.dram.count);
  w.field("noc", step.time.noc.count);
  w.endObject();
  w.field("bound", boundName(step.bound));
  w.field("dramBytes", step.time.dramBytes);
  w.field("nocBytes", step.time.nocBytes);
}

void writeConstraints(JsonWriter& w, const OpConstraints& constraints) {
  w.key("constraints");
  w.beginObject();
  w.field("circularBuffers", constraints.cbL1PeakSize.count);
  w.field("tensors", constraints.tensorL1PeakSize.count);
  w.field("peak", constraints.peakL1MemorySize.count);
  w.field("output", constraints.outputL1BufferSize.count);
  w.endObject();
}

void writeMemory(JsonWriter& w, const SimStep& step) {
  w.key("l1");
  w.beginObject();
  w.field("tensors", step.tensorsL1.count);
  w.field("circularBuffers", step.circularBuffersL1.count);
  w.field("peak", (step.tensorsL1 + step.circularBuffersL1).count);
  w.field("free", step.l1.free);
  w.field("largestHole", step.l1.largestHole);
  w.endObject();
  w.key("dram");
  w.beginObject();
  w.field("used", step.dram.used);
  w.field("free", step.dram.free);
  w.field("largestHole", step.dram.largestHole);
  w.endObject();
}

void writeCircularBuffers(JsonWriter& w, const SimStep& step) {
  w.key("circularBuffers");
  w.beginArray();
  for (const SimCircularBuffer& cb : step.circularBuffers) {
    w.beginObject();
    w.field("name", cb.name);
    w.field("address", cb.address);
    w.field("bytes", cb.bytes);
    w.endObject();
  }
  w.endArray();
  w.key("backedBuffers");
  w.beginArray();
  for (const CircularBuffer& cb : step.backedBuffers) {
    w.beginObject();
    w.field("name", cb.name);
    w.field("bytes", cb.bytes);
    w.field("operand", cb.operand);
    w.endObject();
  }
  w.endArray();
}

void writeRule(JsonWriter& w, const OpRule& rule) {
  w.key("rule");
  w.beginObject();
  w.field("name", rule.name);
  w.field("source", rule.source);
  w.endObject();
}

void writeVerdict(JsonWriter& w, const SimStep& step) {
  w.key("verdict");
  if (step.verdict == RunVerdict::Fine) return w.null();
  w.beginObject();
  w.field("kind", runVerdictName(step.verdict));
  w.field("text", std::string_view(step.verdictText));
  w.endObject();
}

}  // namespace

const char* runVerdictName(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::Fine: return "fine";
    case RunVerdict::UseAfterFree: return "use_after_free";
    case RunVerdict::OutOfMemory: return "out_of_memory";
    case RunVerdict::Clash: return "clash";
  }
  return "";
}

void writeStep(JsonWriter& w, const SimStep& step) {
  writeTime(w, step);
  writeConstraints(w, step.constraints);
  writeMemory(w, step);
  writeCircularBuffers(w, step);
  writeRule(w, step.rule);
  w.field("refusal", std::string_view(step.refusal));
  writeVerdict(w, step);
}

}  // namespace tessera

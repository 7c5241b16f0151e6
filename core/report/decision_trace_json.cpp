#include "core/report/decision_trace_json.h"

#include "core/support/json_writer.h"

namespace tessera {

namespace {

void text(JsonWriter& w, std::string_view name, const std::string& value) { w.field(name, std::string_view(value)); }

void texts(JsonWriter& w, std::string_view name, const std::vector<std::string>& values) {
  w.key(name);
  w.beginArray();
  for (const std::string& value : values) w.value(std::string_view(value));
  w.endArray();
}

template <class T, class Write>
void list(JsonWriter& w, std::string_view name, const std::vector<T>& items, Write write) {
  w.key(name);
  w.beginArray();
  for (const T& item : items) {
    w.beginObject();
    write(w, item);
    w.endObject();
  }
  w.endArray();
}

void writeScore(JsonWriter& w, const TraceScore& score) {
  w.key("score");
  w.beginObject();
  w.field("isL1", score.isL1);
  w.field("isSharded", score.isSharded);
  w.field("inputDramBytes", score.inputDramBytes);
  w.field("requiresReshard", score.requiresReshard);
  w.field("coreCount", score.coreCount);
  w.field("outputL1Usage", score.outputL1Usage);
  w.endObject();
}

void writeInputSet(JsonWriter& w, const TraceInputSet& set) {
  w.field("operandIndex", set.operandIndex);
  w.field("fromProducerBeam", set.fromProducerBeam);
  w.field("fromReshard", set.fromReshard);
  texts(w, "candidates", set.candidates);
}

void writeEvaluation(JsonWriter& w, const TraceEvaluation& evaluation) {
  text(w, "hint", evaluation.hint);
  texts(w, "inputs", evaluation.inputs);
  w.field("valid", evaluation.valid);
  if (!evaluation.valid) {
    text(w, "failureReason", evaluation.failureReason);
    return;
  }
  writeScore(w, evaluation.score);
  text(w, "output", evaluation.output);
}

void writeOp(JsonWriter& w, const TraceOp& op) {
  w.field("opIndex", op.opIndex);
  text(w, "opName", op.opName);
  text(w, "opLocation", op.opLocation);
  list(w, "inputCandidateSets", op.inputCandidateSets, writeInputSet);
  w.key("outputHints");
  w.beginObject();
  w.field("primaryCount", op.primaryHints);
  w.field("fallbackCount", op.fallbackHints);
  w.endObject();
  w.field("crossProductSize", op.crossProductSize);
  list(w, "evaluations", op.evaluations, writeEvaluation);
  list(w, "beam", op.beam, [](JsonWriter& out, const TraceBeamEntry& entry) {
    out.field("rank", entry.rank);
    text(out, "outputLayout", entry.outputLayout);
    writeScore(out, entry.score);
  });
  w.field("usedDramFallback", op.usedDramFallback);
  if (op.isInplace) w.field("isInplace", *op.isInplace);
}

void writeEdge(JsonWriter& w, const TraceEdge& edge) {
  w.field("producerOpIndex", edge.producerOpIndex);
  w.field("consumerOpIndex", edge.consumerOpIndex);
  w.field("operandIndex", edge.operandIndex);
  w.field("producerResultIndex", edge.producerResultIndex);
  w.field("hasReshard", edge.hasReshard);
  if (edge.hasReshard) text(w, "reshardLayout", edge.reshardLayout);
}

void writeFork(JsonWriter& w, const TraceFork& fork) {
  text(w, "opName", fork.opName);
  text(w, "opLocation", fork.opLocation);
  w.field("opIndex", fork.opIndex);
  w.field("chosenCandidateIndex", fork.chosenCandidateIndex);
  w.field("numConsumers", fork.numConsumers);
  w.key("consumerOpIndices");
  w.beginArray();
  for (int64_t index : fork.consumerOpIndices) w.integer(index);
  w.endArray();
}

void writeSpills(JsonWriter& w, const TraceSpills& spills) {
  w.key("spillManagement");
  w.beginObject();
  w.field("budget", spills.budget);
  w.field("scheduleSize", spills.scheduleSize);
  w.field("totalSpills", spills.totalSpills);
  w.field("finalOccupied", spills.finalOccupied);
  w.field("finalLiveTensors", spills.finalLiveTensors);
  list(w, "events", spills.events, [](JsonWriter& out, const TraceSpillEvent& event) {
    out.field("position", event.position);
    text(out, "opName", event.opName);
    text(out, "action", event.action);
    out.field("occupiedL1Before", event.occupiedL1Before);
    out.field("occupiedL1After", event.occupiedL1After);
    out.field("opL1Usage", event.opL1Usage);
    text(out, "victimName", event.victimName);
    text(out, "details", event.details);
  });
  w.endObject();
}

}  // namespace

std::string decisionTraceJson(const DecisionTrace& trace) {
  JsonWriter w;
  w.beginObject();
  w.field("version", kDecisionTraceVersion);
  text(w, "functionName", trace.functionName);
  w.field("beamWidth", trace.beamWidth);
  w.field("totalOps", trace.totalOps);
  list(w, "forwardPass", trace.forwardPass, writeOp);
  list(w, "edges", trace.edges, writeEdge);
  w.key("backwardPass");
  w.beginObject();
  list(w, "forkResolutions", trace.forkResolutions, writeFork);
  w.endObject();
  list(w, "finalChoices", trace.finalChoices, [](JsonWriter& out, const TraceChoice& choice) {
    out.field("opIndex", choice.opIndex);
    text(out, "opName", choice.opName);
    text(out, "chosenLayout", choice.chosenLayout);
  });
  if (trace.spillManagement) writeSpills(w, *trace.spillManagement);
  w.endObject();
  return w.take();
}

}  // namespace tessera

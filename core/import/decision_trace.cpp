#include "core/import/decision_trace.h"

#include "core/support/json_value.h"

namespace tessera {

namespace {

class TraceReader {
 public:
  TraceReader(Diagnostics& diags) : diags_(diags) {}

  std::optional<DecisionTrace> read(JsonValue root) {
    if (!root.isObject()) {
      complain(root, "decision trace", "an object");
      return {};
    }
    JsonValue version = root.get("version");
    std::optional<int64_t> number = version.asInteger();
    if (!number) complain(version.present() ? version : root, "version", "an integer");
    else if (*number != kDecisionTraceVersion)
      diags_.report(DiagKind::TraceVersion, version.span(),
                    {std::to_string(*number), std::to_string(kDecisionTraceVersion)});
    if (!root.get("forwardPass").present()) complain(root, "forwardPass", "an array");
    DecisionTrace trace;
    trace.functionName = text(root, "functionName");
    trace.beamWidth = integer(root, "beamWidth");
    trace.totalOps = integer(root, "totalOps");
    list(root, "forwardPass", trace.forwardPass, &TraceReader::op);
    list(root, "edges", trace.edges, &TraceReader::edge);
    list(root.get("backwardPass"), "forkResolutions", trace.forkResolutions, &TraceReader::fork);
    list(root, "finalChoices", trace.finalChoices, &TraceReader::choice);
    JsonValue spills = root.get("spillManagement");
    if (spills.isObject()) trace.spillManagement = spillManagement(spills);
    else if (spills.present() && spills.kind() != JsonKind::Null) complain(spills, "spillManagement", "an object");
    if (diags_.hasErrors()) return {};
    return trace;
  }

 private:
  void complain(JsonValue at, const char* what, const char* expected) {
    diags_.report(DiagKind::TraceSchema, at.span(),
                  {what, at.present() ? jsonKindName(at.kind()) : "missing", expected});
  }

  int64_t integer(JsonValue from, const char* name) {
    JsonValue value = from.get(name);
    if (!value.present()) return 0;
    // Numbers beyond what JavaScript can hold are written as texts.
    if (value.isString()) {
      int64_t number = 0;
      std::string_view digits = value.asString().value_or("");
      if (digits.empty()) complain(value, name, "an integer");
      for (char c : digits) {
        bool fine = c >= '0' && c <= '9' && !__builtin_mul_overflow(number, int64_t{10}, &number) &&
                    !__builtin_add_overflow(number, c - '0', &number);
        if (!fine) return complain(value, name, "an integer"), 0;
      }
      return number;
    }
    std::optional<int64_t> number = value.asInteger();
    if (!number) complain(value, name, "an integer");
    return number.value_or(0);
  }

  bool boolean(JsonValue from, const char* name) {
    JsonValue value = from.get(name);
    if (value.present() && !value.asBool()) complain(value, name, "true or false");
    return value.asBool().value_or(false);
  }

  std::string text(JsonValue from, const char* name) { return textOf(from.get(name), name); }

  // null stands for "left to the backend"; some layouts come as objects that hold the text.
  std::string textOf(JsonValue value, const char* name) {
    if (!value.present()) return "";
    if (value.kind() == JsonKind::Null) return "null";
    if (value.isObject() && value.get("layout").isString()) value = value.get("layout");
    if (!value.isString()) return complain(value, name, "a text"), "";
    return std::string(*value.asString());
  }

  std::vector<std::string> texts(JsonValue from, const char* name) {
    JsonValue value = from.get(name);
    std::vector<std::string> all;
    if (value.present() && !value.isArray()) complain(value, name, "an array");
    for (size_t i = 0; value.isArray() && i < value.size(); ++i) all.push_back(textOf(value.at(i), name));
    return all;
  }

  template <class T>
  void list(JsonValue from, const char* name, std::vector<T>& out, T (TraceReader::*one)(JsonValue)) {
    JsonValue value = from.get(name);
    if (value.present() && !value.isArray()) complain(value, name, "an array");
    for (size_t i = 0; value.isArray() && i < value.size(); ++i) {
      if (value.at(i).isObject()) out.push_back((this->*one)(value.at(i)));
      else complain(value.at(i), name, "a list of objects");
    }
  }

  TraceScore score(JsonValue from) {
    if (from.present() && !from.isObject()) complain(from, "score", "an object");
    if (!from.isObject()) return {};
    return {boolean(from, "isL1"),           boolean(from, "isSharded"),
            integer(from, "inputDramBytes"), boolean(from, "requiresReshard"),
            integer(from, "coreCount"),      integer(from, "outputL1Usage")};
  }

  TraceInputSet inputSet(JsonValue from) {
    return {integer(from, "operandIndex"), boolean(from, "fromProducerBeam"), boolean(from, "fromReshard"),
            texts(from, "candidates")};
  }

  TraceEvaluation evaluation(JsonValue from) {
    return {text(from, "hint"),          texts(from, "inputs"),    boolean(from, "valid"),
            text(from, "failureReason"), score(from.get("score")), text(from, "output")};
  }

  TraceBeamEntry beamEntry(JsonValue from) {
    return {integer(from, "rank"), text(from, "outputLayout"), score(from.get("score"))};
  }

  TraceOp op(JsonValue from) {
    TraceOp op;
    op.opIndex = integer(from, "opIndex");
    op.opName = text(from, "opName");
    op.opLocation = text(from, "opLocation");
    list(from, "inputCandidateSets", op.inputCandidateSets, &TraceReader::inputSet);
    JsonValue hints = from.get("outputHints");
    op.primaryHints = integer(hints, "primaryCount");
    op.fallbackHints = integer(hints, "fallbackCount");
    op.crossProductSize = integer(from, "crossProductSize");
    list(from, "evaluations", op.evaluations, &TraceReader::evaluation);
    list(from, "beam", op.beam, &TraceReader::beamEntry);
    op.usedDramFallback = boolean(from, "usedDramFallback");
    if (from.get("isInplace").present()) op.isInplace = boolean(from, "isInplace");
    return op;
  }

  TraceEdge edge(JsonValue from) {
    return {integer(from, "producerOpIndex"),     integer(from, "consumerOpIndex"), integer(from, "operandIndex"),
            integer(from, "producerResultIndex"), boolean(from, "hasReshard"),      text(from, "reshardLayout")};
  }

  TraceFork fork(JsonValue from) {
    TraceFork fork{text(from, "opName"),          text(from, "opLocation"),
                   integer(from, "opIndex"),      integer(from, "chosenCandidateIndex"),
                   integer(from, "numConsumers"), {}};
    JsonValue consumers = from.get("consumerOpIndices");
    if (consumers.present() && !consumers.isArray()) complain(consumers, "consumerOpIndices", "an array");
    for (size_t i = 0; consumers.isArray() && i < consumers.size(); ++i) {
      std::optional<int64_t> index = consumers.at(i).asInteger();
      if (index) fork.consumerOpIndices.push_back(*index);
      else complain(consumers.at(i), "consumerOpIndices", "a list of integers");
    }
    return fork;
  }

  TraceChoice choice(JsonValue from) {
    return {integer(from, "opIndex"), text(from, "opName"), text(from, "chosenLayout")};
  }

  TraceSpillEvent spillEvent(JsonValue from) {
    return {integer(from, "position"),
            text(from, "opName"),
            text(from, "action"),
            integer(from, "occupiedL1Before"),
            integer(from, "occupiedL1After"),
            integer(from, "opL1Usage"),
            text(from, "victimName"),
            text(from, "details")};
  }

  TraceSpills spillManagement(JsonValue from) {
    TraceSpills spills{integer(from, "budget"),        integer(from, "scheduleSize"),     integer(from, "totalSpills"),
                       integer(from, "finalOccupied"), integer(from, "finalLiveTensors"), {}};
    list(from, "events", spills.events, &TraceReader::spillEvent);
    return spills;
  }

  Diagnostics& diags_;
};

}  // namespace

std::optional<DecisionTrace> readDecisionTrace(const SourceBuffer& source, Diagnostics& diags) {
  JsonDocument document = JsonDocument::parse(source, diags);
  if (diags.hasErrors()) return {};
  if (!document.root().present()) {
    diags.report(DiagKind::JsonSyntax, {}, {"the text is empty"});
    return {};
  }
  return TraceReader(diags).read(document.root());
}

}  // namespace tessera

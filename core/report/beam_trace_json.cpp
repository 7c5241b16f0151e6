#include "core/report/beam_trace_json.h"

#include <unordered_map>

namespace tessera {

namespace {

// Per op; what lies beyond is counted. A real op has some dozens: as many as it has layouts.
constexpr size_t kMaxGroups = 96;

// Texts by number, each once, in the order in which they came.
class Texts {
 public:
  int32_t operator()(const std::string& text) {
    auto [at, added] = index_.try_emplace(text, static_cast<int32_t>(texts_.size()));
    if (added) texts_.push_back(&at->first);
    return at->second;
  }
  void write(JsonWriter& w, const char* name) const {
    w.key(name);
    w.beginArray();
    for (const std::string* text : texts_) w.value(std::string_view(*text));
    w.endArray();
  }

 private:
  std::unordered_map<std::string, int32_t> index_;  // only looked into, never iterated
  std::vector<const std::string*> texts_;
};

// Where the op with an index stands in the forward pass; the first one of several. Files may hold any index.
class OpPlaces {
 public:
  explicit OpPlaces(const DecisionTrace& trace) {
    for (size_t i = 0; i < trace.forwardPass.size(); ++i)
      places_.try_emplace(trace.forwardPass[i].opIndex, static_cast<int32_t>(i));
  }
  int32_t operator()(int64_t opIndex) const {
    auto found = places_.find(opIndex);
    return found == places_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<int64_t, int32_t> places_;
};

// The edges that end at each op of the forward pass and begin at an earlier one.
std::vector<std::vector<const TraceEdge*>> edgesByConsumer(const DecisionTrace& trace, const OpPlaces& placeOf) {
  std::vector<std::vector<const TraceEdge*>> edges(trace.forwardPass.size());
  for (const TraceEdge& edge : trace.edges) {
    int32_t consumer = placeOf(edge.consumerOpIndex), producer = placeOf(edge.producerOpIndex);
    if (consumer >= 0 && producer >= 0 && producer < consumer) edges[static_cast<size_t>(consumer)].push_back(&edge);
  }
  return edges;
}

// Place of an operand's layout in TraceEvaluation::inputs: inputs of ours stand by operand, the compiler's by the
// operands that have candidates.
int64_t inputOf(const TraceOp& op, const TraceEvaluation& evaluation, int64_t operand) {
  std::vector<int64_t> operands;
  for (const TraceInputSet& set : op.inputCandidateSets) {
    bool known = false;
    for (int64_t other : operands) known = known || other == set.operandIndex;
    if (!known && operands.size() <= evaluation.inputs.size()) operands.push_back(set.operandIndex);
  }
  if (operands.size() != evaluation.inputs.size()) return operand;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == operand) return static_cast<int64_t>(i);
  }
  return -1;
}

TracedLink linkOf(const DecisionTrace& trace, const TraceOp& op, const TraceEvaluation& evaluation,
                  const TraceEdge& edge, int32_t producer) {
  TracedLink link{edge.operandIndex, edge.producerOpIndex, 0, ""};
  int64_t at = inputOf(op, evaluation, edge.operandIndex);
  if (at < 0 || at >= static_cast<int64_t>(evaluation.inputs.size())) return link;
  const std::string& input = evaluation.inputs[static_cast<size_t>(at)];
  const auto& beam = trace.forwardPass[static_cast<size_t>(producer)].beam;
  for (size_t slot = 0; slot < beam.size(); ++slot) {
    if (beam[slot].outputLayout != input) continue;
    link.slot = static_cast<int32_t>(slot);
    return link;
  }
  link.reshard = input;
  return link;
}

void linkEntries(const DecisionTrace& trace, const TraceOp& op, const std::vector<const TraceEdge*>& edges,
                 const OpPlaces& placeOf, TracedBeam& out) {
  size_t next = 0;  // entries with the same score come from evaluations in order
  for (size_t i = 0; i < op.beam.size(); ++i) {
    TracedEntry entry;
    bool alike =
        i > 0 && op.beam[i].outputLayout == op.beam[i - 1].outputLayout && op.beam[i].score == op.beam[i - 1].score;
    if (!alike) next = 0;
    for (; next < op.evaluations.size(); ++next) {
      const TraceEvaluation& e = op.evaluations[next];
      if (e.valid && e.output == op.beam[i].outputLayout && e.score == op.beam[i].score) break;
    }
    if (next < op.evaluations.size()) {
      for (const TraceEdge* edge : edges)
        entry.links.push_back(linkOf(trace, op, op.evaluations[next], *edge, placeOf(edge->producerOpIndex)));
      ++next;
    }
    out.entries.push_back(std::move(entry));
  }
}

// As the compiler goes back (tt-mlir Analysis/MemoryLayoutPropagation.cpp): leaves take their best entry, others the
// one that their reader points to, forks what the trace says.
void chooseBackwards(const DecisionTrace& trace, const OpPlaces& placeOf, std::vector<TracedBeam>& beams) {
  std::vector<int32_t> wanted(beams.size(), -1);
  for (const TraceFork& fork : trace.forkResolutions) {
    int32_t at = placeOf(fork.opIndex);
    if (at >= 0 && fork.chosenCandidateIndex >= 0 &&
        fork.chosenCandidateIndex < static_cast<int64_t>(beams[static_cast<size_t>(at)].entries.size())) {
      wanted[static_cast<size_t>(at)] = static_cast<int32_t>(fork.chosenCandidateIndex);
    }
  }
  for (size_t i = beams.size(); i-- > 0;) {
    TracedBeam& beam = beams[i];
    if (beam.entries.empty()) continue;
    beam.chosen = wanted[i] >= 0 ? wanted[i] : 0;
    for (const TracedLink& link : beam.entries[static_cast<size_t>(beam.chosen)].links) {
      int32_t producer = placeOf(link.producerOpIndex);
      if (producer >= 0 && wanted[static_cast<size_t>(producer)] < 0) wanted[static_cast<size_t>(producer)] = link.slot;
    }
  }
}

class BeamTraceWriter {
 public:
  BeamTraceWriter(JsonWriter& w, const DecisionTrace& trace, const std::vector<TracedBeam>& beams,
                  const std::function<int64_t(int64_t)>& rowOf)
      : w_(w), trace_(trace), beams_(beams), rowOf_(rowOf), placeOf_(trace) {}

  void write() {
    w_.beginObject();
    w_.field("function", std::string_view(trace_.functionName));
    w_.field("beamWidth", trace_.beamWidth);
    w_.key("ops");
    w_.beginArray();
    for (size_t i = 0; i < trace_.forwardPass.size(); ++i) writeOp(i);
    w_.endArray();
    writeEdges();
    writeForks();
    w_.key("spills");
    if (trace_.spillManagement) writeSpills(*trace_.spillManagement);
    else w_.null();
    layouts_.write(w_, "layouts");
    reasons_.write(w_, "reasons");
    w_.endObject();
  }

 private:
  struct Group {
    int32_t hint, output, reason;  // output: of what is valid; reason: of what is not; else -1
    const TraceEvaluation* first;
    int64_t count;
  };

  void integers(const char* name, const std::vector<int64_t>& values) {
    w_.key(name);
    w_.beginArray();
    for (int64_t value : values) w_.integer(value);
    w_.endArray();
  }

  void score(const TraceScore& s) {
    w_.key("score");
    w_.beginArray();
    w_.integer(s.isL1), w_.integer(s.isSharded), w_.integer(s.inputDramBytes), w_.integer(s.requiresReshard),
        w_.integer(s.coreCount), w_.integer(s.outputL1Usage);
    w_.endArray();
  }

  void writeOp(size_t at) {
    const TraceOp& op = trace_.forwardPass[at];
    w_.beginObject();
    w_.field("index", op.opIndex);
    w_.field("row", rowOf_(op.opIndex));
    w_.field("op", std::string_view(op.opName));
    w_.field("location", std::string_view(op.opLocation));
    w_.field("combinations", op.crossProductSize);
    w_.field("tries", op.evaluations.size());
    w_.field("fallback", op.usedDramFallback);
    w_.field("inPlace", op.isInplace.value_or(false));
    writeInputs(op);
    writeGroups(op);
    writeBeam(op, at < beams_.size() ? beams_[at] : TracedBeam());
    w_.field("final", finalLayout(at));
    w_.endObject();
  }

  int32_t finalLayout(size_t at) {
    if (finals_.empty()) {
      finals_.assign(trace_.forwardPass.size(), -1);
      for (const TraceChoice& choice : trace_.finalChoices) {
        int32_t place = placeOf_(choice.opIndex);
        if (place >= 0) finals_[static_cast<size_t>(place)] = layouts_(choice.chosenLayout);
      }
    }
    return finals_[at];
  }

  void writeInputs(const TraceOp& op) {
    w_.key("inputs");
    w_.beginArray();
    for (const TraceInputSet& set : op.inputCandidateSets) {
      w_.beginObject();
      w_.field("operand", set.operandIndex);
      w_.field("from", set.fromReshard ? "reshard" : set.fromProducerBeam ? "beam" : "fixed");
      std::vector<int64_t> layouts;
      for (const std::string& layout : set.candidates) layouts.push_back(layouts_(layout));
      integers("layouts", layouts);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeGroups(const TraceOp& op) {
    std::vector<Group> groups;
    int64_t left = 0;
    for (const TraceEvaluation& e : op.evaluations) {
      int32_t hint = layouts_(e.hint), output = e.valid ? layouts_(e.output) : -1,
              reason = e.valid ? -1 : reasons_(e.failureReason);
      Group* same = nullptr;
      for (Group& group : groups) {
        bool alike =
            group.hint == hint && group.output == output && group.reason == reason && group.first->score == e.score;
        if (alike) same = &group;
      }
      if (same) ++same->count;
      else if (groups.size() < kMaxGroups) groups.push_back({hint, output, reason, &e, 1});
      else ++left;
    }
    w_.key("candidates");
    w_.beginArray();
    for (const Group& group : groups) writeGroup(group);
    w_.endArray();
    w_.field("candidatesLeftOut", left);
  }

  void writeGroup(const Group& group) {
    w_.beginObject();
    w_.field("hint", group.hint);
    w_.field("output", group.output);
    w_.field("reason", group.reason);
    w_.field("count", group.count);
    if (group.first->valid) score(group.first->score);
    std::vector<int64_t> inputs;
    for (const std::string& input : group.first->inputs) inputs.push_back(layouts_(input));
    integers("inputs", inputs);
    w_.endObject();
  }

  void writeBeam(const TraceOp& op, const TracedBeam& beam) {
    w_.key("beam");
    w_.beginArray();
    for (size_t i = 0; i < op.beam.size(); ++i) {
      w_.beginObject();
      w_.field("output", layouts_(op.beam[i].outputLayout));
      score(op.beam[i].score);
      if (i < beam.entries.size()) writeEntry(beam.entries[i]);
      w_.endObject();
    }
    w_.endArray();
    w_.field("chosen", beam.chosen);
  }

  // Links as [operand, place of the producer in `ops`, its entry, layout of the reshard or -1].
  void writeEntry(const TracedEntry& entry) {
    if (entry.minCores >= 0) w_.field("minCores", entry.minCores);
    if (entry.reshards != 0) {
      w_.key("pathReshards");
      w_.fixed(entry.reshards * 100 / kReshardShare, 2);
    }
    if (entry.time != 0) w_.field("pathTime", entry.time);
    w_.key("links");
    w_.beginArray();
    for (const TracedLink& link : entry.links) {
      int32_t producer = placeOf_(link.producerOpIndex);
      if (producer < 0) continue;
      w_.beginArray();
      w_.integer(link.operand), w_.integer(producer), w_.integer(link.slot),
          w_.integer(link.reshard.empty() ? -1 : layouts_(link.reshard));
      w_.endArray();
    }
    w_.endArray();
  }

  // [producer, consumer, operand, layout of the reshard or -1]
  void writeEdges() {
    w_.key("edges");
    w_.beginArray();
    for (const TraceEdge& edge : trace_.edges) {
      int32_t producer = placeOf_(edge.producerOpIndex), consumer = placeOf_(edge.consumerOpIndex);
      if (producer < 0 || consumer <= producer) continue;
      w_.beginArray();
      w_.integer(producer), w_.integer(consumer), w_.integer(edge.operandIndex),
          w_.integer(edge.hasReshard ? layouts_(edge.reshardLayout) : -1);
      w_.endArray();
    }
    w_.endArray();
  }

  void writeForks() {
    w_.key("forks");
    w_.beginArray();
    for (const TraceFork& fork : trace_.forkResolutions) {
      int32_t at = placeOf_(fork.opIndex);
      if (at < 0) continue;
      w_.beginObject();
      w_.field("at", at);
      w_.field("slot", fork.chosenCandidateIndex);
      std::vector<int64_t> consumers;
      for (int64_t consumer : fork.consumerOpIndices) {
        if (placeOf_(consumer) >= 0) consumers.push_back(placeOf_(consumer));
      }
      integers("consumers", consumers);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeSpills(const TraceSpills& spills) {
    w_.beginObject();
    w_.field("budget", spills.budget);
    w_.field("steps", spills.scheduleSize);
    w_.field("total", spills.totalSpills);
    w_.field("finalOccupied", spills.finalOccupied);
    w_.field("finalLive", spills.finalLiveTensors);
    w_.key("events");
    w_.beginArray();
    for (const TraceSpillEvent& event : spills.events) {
      w_.beginObject();
      w_.field("at", placeOf_(event.position));
      w_.field("position", event.position);
      w_.field("row", rowOf_(event.position));
      w_.field("op", std::string_view(event.opName));
      w_.field("action", std::string_view(event.action));
      w_.field("before", event.occupiedL1Before);
      w_.field("after", event.occupiedL1After);
      w_.field("needed", event.opL1Usage);
      w_.field("victim", std::string_view(event.victimName));
      w_.field("details", std::string_view(event.details));
      w_.endObject();
    }
    w_.endArray();
    w_.endObject();
  }

  JsonWriter& w_;
  const DecisionTrace& trace_;
  const std::vector<TracedBeam>& beams_;
  const std::function<int64_t(int64_t)>& rowOf_;
  OpPlaces placeOf_;
  Texts layouts_, reasons_;
  std::vector<int32_t> finals_;
};

}  // namespace

std::vector<TracedBeam> inferBeams(const DecisionTrace& trace) {
  OpPlaces placeOf(trace);
  auto edges = edgesByConsumer(trace, placeOf);
  std::vector<TracedBeam> beams(trace.forwardPass.size());
  for (size_t i = 0; i < beams.size(); ++i) linkEntries(trace, trace.forwardPass[i], edges[i], placeOf, beams[i]);
  chooseBackwards(trace, placeOf, beams);
  return beams;
}

void writeBeamTrace(JsonWriter& w, const DecisionTrace& trace, const std::vector<TracedBeam>& beams,
                    const std::function<int64_t(int64_t)>& rowOf) {
  BeamTraceWriter(w, trace, beams, rowOf).write();
}

}  // namespace tessera

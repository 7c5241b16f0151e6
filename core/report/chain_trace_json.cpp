#include "core/report/chain_trace_json.h"

namespace tessera {

namespace {

class ChainTraceWriter {
 public:
  ChainTraceWriter(JsonWriter& w, const Graph& graph, const IdVec<OpId, int32_t>& rowOf)
      : w_(w), graph_(graph), rowOf_(rowOf) {}

  void write(const ChainTrace& trace) {
    w_.beginObject();
    ops("schedule", trace.schedule);
    w_.key("chains");
    w_.beginArray();
    for (const ChainSummary& chain : trace.chains) writeChain(chain);
    w_.endArray();
    w_.key("solvingOrder");
    w_.beginArray();
    for (int32_t chain : trace.solvingOrder) w_.integer(chain);
    w_.endArray();
    w_.key("reservations");
    w_.beginArray();
    for (const L1Reservation& r : trace.reservations) writeReservation(r);
    w_.endArray();
    w_.key("dispatches");
    w_.beginArray();
    for (const DispatchD2MConfig& d : trace.dispatches) writeDispatch(d);
    w_.endArray();
    w_.key("events");
    w_.beginArray();
    for (const ChainEvent& e : trace.events) writeEvent(e);
    w_.endArray();
    w_.endObject();
  }

  void writeSummary(const ChainTrace& trace, const std::function<int64_t(int64_t)>& rowAt) {
    w_.beginObject();
    w_.key("chains");
    w_.beginArray();
    for (const ChainSummary& chain : trace.chains) writeChain(chain);
    w_.endArray();
    w_.key("reservations");
    w_.beginArray();
    for (const L1Reservation& r : trace.reservations) {
      w_.beginObject();
      opRef("source", r.source);
      w_.field("from", rowAt(r.startStep));
      w_.field("to", rowAt(r.endStep));
      w_.field("bytes", r.size.count);
      w_.endObject();
    }
    w_.endArray();
    w_.endObject();
  }

 private:
  std::string nameOf(OpId op) const {
    const Op& o = graph_.ops[op];
    return o.results.empty() ? o.name : "%" + graph_.values[o.results[0]].name;
  }

  // {"row": 3, "name": "%conv1"}; null for none (an argument).
  void opRef(const char* key, OpId op) {
    w_.key(key);
    if (!op.valid()) return w_.null();
    w_.beginObject();
    w_.field("row", rowOf_.contains(op) ? rowOf_[op] : -1);
    w_.field("name", std::string_view(nameOf(op)));
    w_.endObject();
  }

  void ops(const char* key, const std::vector<OpId>& list) {
    w_.key(key);
    w_.beginArray();
    for (OpId op : list) w_.integer(rowOf_.contains(op) ? rowOf_[op] : -1);
    w_.endArray();
  }

  void layout(const char* key, const std::optional<TensorLayout>& value) {
    w_.key(key);
    if (value) w_.value(std::string_view(layoutText(*value)));
    else w_.null();
  }

  void writeChain(const ChainSummary& chain) {
    w_.beginObject();
    ops("ops", chain.ops);
    w_.field("state", l1ChainStateName(chain.state));
    w_.field("spill", spillLocationName(chain.spill));
    w_.field("concat", chain.isConcatChain);
    w_.field("mergedInto", chain.mergedInto);
    w_.field("failure", std::string_view(chain.failure));
    w_.endObject();
  }

  void writeReservation(const L1Reservation& r) {
    w_.beginObject();
    opRef("source", r.source);
    w_.field("from", r.startStep);  // positions in the schedule before reshards and spills are inserted
    w_.field("to", r.endStep);
    w_.field("bytes", r.size.count);
    w_.endObject();
  }

  void writeDispatch(const DispatchD2MConfig& d) {
    w_.beginObject();
    opRef("op", d.dispatch);
    layout("input", d.input);
    layout("output", d.output);
    w_.field("l1Budget", d.l1Budget.count);
    w_.endObject();
  }

  // Numbers that are 0 and texts that are empty are left out: most events have few.
  void writeEvent(const ChainEvent& e) {
    w_.beginObject();
    w_.field("kind", chainEventName(e.kind));
    opRef("op", e.op);
    auto number = [&](const char* key, int64_t value, int64_t absent) {
      if (value != absent) w_.field(key, value);
    };
    number("chain", e.chain, -1);
    number("other", e.other, -1);
    number("operand", e.operand, -1);
    if (e.producer.valid()) opRef("producer", e.producer);
    number("before", e.before, 0);
    number("after", e.after, 0);
    number("producerAfter", e.producerAfter, 0);
    number("consumerAfter", e.consumerAfter, 0);
    number("paths", e.paths, 0);
    if (e.rule != ChainBreak::None) w_.field("rule", chainBreakText(e.rule));
    if (e.layout) layout("layout", e.layout);
    if (e.verdict && !e.verdict->ok()) w_.field("why", std::string_view(verdictText(*e.verdict)));
    if (!e.note.empty()) w_.field("note", std::string_view(e.note));
    w_.endObject();
  }

  JsonWriter& w_;
  const Graph& graph_;
  const IdVec<OpId, int32_t>& rowOf_;
};

}  // namespace

void writeChainTrace(JsonWriter& w, const ChainTrace& trace, const Graph& graph, const IdVec<OpId, int32_t>& rowOf) {
  ChainTraceWriter(w, graph, rowOf).write(trace);
}

void writeChainSummary(JsonWriter& w, const ChainTrace& trace, const Graph& graph, const IdVec<OpId, int32_t>& rowOf,
                       const std::function<int64_t(int64_t)>& rowAt) {
  ChainTraceWriter(w, graph, rowOf).writeSummary(trace, rowAt);
}

}  // namespace tessera

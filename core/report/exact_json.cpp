#include "core/report/exact_json.h"

#include "core/support/units.h"

namespace tessera {

void writeExact(JsonWriter& w, const ExactTrace& trace) {
  w.beginObject();
  w.field("time", trace.time);
  w.field("lowerBound", trace.lowerBound);
  // Millionths of the bound, rounded up: a gap is never shown smaller than it is.
  const int64_t gap = trace.time - trace.lowerBound;
  w.field("gapPpm",
          trace.time < 0
              ? -1
              : (trace.lowerBound > 0 ? ceilDiv(mulSaturated(gap > 0 ? gap : 0, 1'000'000), trace.lowerBound) : 0));
  w.field("proven", trace.proven);
  w.field("layoutOptimum", trace.layoutOptimum);
  w.field("source", std::string_view(trace.source));
  w.field("method", std::string_view(trace.method));
  w.key("size");
  w.beginObject();
  w.field("variables", trace.variables);
  w.field("tables", trace.tables);
  w.field("candidates", trace.candidates);
  w.field("width", trace.width);
  w.field("cells", trace.cells);
  w.endObject();
  w.key("baselines");
  w.beginArray();
  for (const ExactTrace::Baseline& baseline : trace.baselines) {
    w.beginObject();
    w.field("policy", std::string_view(baseline.policy));
    w.field("time", baseline.time);
    w.field("fits", baseline.fits);
    w.endObject();
  }
  w.endArray();
  w.key("bounds");
  w.beginArray();
  for (const ExactTrace::Bound& bound : trace.bounds) {
    w.beginArray();
    w.integer(bound.round), w.integer(bound.upper), w.integer(bound.lower);
    w.endArray();
  }
  w.endArray();
  w.endObject();
}

void writeRegrets(JsonWriter& w, const Graph& graph, const std::vector<ExactTrace::OpRegrets>& ops) {
  std::vector<std::string> layouts;
  auto indexOf = [&](const TensorLayout& layout) {
    std::string text = layoutText(layout);
    for (size_t i = 0; i < layouts.size(); ++i) {
      if (layouts[i] == text) return static_cast<int64_t>(i);
    }
    layouts.push_back(std::move(text));
    return static_cast<int64_t>(layouts.size()) - 1;
  };
  w.beginObject();
  w.key("ops");
  w.beginArray();
  for (const ExactTrace::OpRegrets& entry : ops) {
    const Op& op = graph.ops[entry.op];
    w.beginObject();
    w.field("name", std::string_view("%" + graph.values[op.results[0]].name));
    w.field("op", std::string_view(op.name));
    w.field("best", entry.best);
    w.field("present", entry.present);
    w.field("regret", entry.present < 0 ? -1 : entry.layouts[static_cast<size_t>(entry.present)].regret);
    w.field("candidateRegret", entry.candidateRegret);
    w.key("choices");
    w.beginArray();
    for (const ExactTrace::Regret& choice : entry.layouts) {
      w.beginArray();
      w.integer(indexOf(choice.layout)), w.integer(choice.regret);
      w.endArray();
    }
    w.endArray();
    w.endObject();
  }
  w.endArray();
  w.key("layouts");
  w.beginArray();
  for (const std::string& text : layouts) w.value(std::string_view(text));
  w.endArray();
  w.endObject();
}

}  // namespace tessera

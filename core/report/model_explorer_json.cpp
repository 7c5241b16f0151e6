#include "core/report/model_explorer_json.h"

#include "core/plan/moves.h"
#include "core/report/chains.h"

namespace tessera {

namespace {

class ExplorerWriter {
 public:
  explicit ExplorerWriter(const Report& report)
      : run_(*report.run),
        graph_(run_.program->applied.graph),
        chains_(findChains(graph_, run_.program->sim.steps)),
        stepOf_(graph_.ops.size(), -1) {
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i)
      stepOf_[run_.program->sim.steps[i].op] = static_cast<int32_t>(i);
  }

  std::string collection() {
    w_.beginObject();
    w_.field("label", std::string_view("Tessera: " + std::string(run_.policy->title)));
    w_.key("graphs");
    w_.beginArray();
    w_.beginObject();
    w_.field("id", std::string_view(graphId()));
    w_.key("nodes");
    w_.beginArray();
    for (ValueId arg : graph_.funcs[graph_.forward].args) argument(arg);
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i) node(i);
    w_.endArray();
    w_.key("overlays");
    w_.beginObject();
    for (const EnumRow<NodeData>& row : kNodeData) {
      w_.key(row.title);
      data(row.value);
    }
    w_.endObject();
    w_.endObject();
    w_.endArray();
    w_.endObject();
    return w_.take();
  }

  std::string alone(NodeData which) {
    data(which);
    return w_.take();
  }

 private:
  const std::string& graphId() const { return graph_.funcs[graph_.forward].name; }
  std::string nodeOf(ValueId value) const {
    const Value& one = graph_.values[value];
    return one.producer.valid() ? std::to_string(stepOf_[one.producer]) : "arg" + std::to_string(one.index);
  }
  static std::string typeText(const ValueType& type) {
    return type.isTensor() ? shapeText(type.tensor->shape) + " " + std::string(dtypeName(type.tensor->dtype))
                           : type.opaque;
  }
  static std::string placeText(const ValueType& type) {
    return type.isTensor() && type.tensor->layout ? layoutText(*type.tensor->layout) : "";
  }

  void attr(std::string_view key, const std::string& value) {
    if (value.empty()) return;
    w_.beginObject();
    w_.field("key", key);
    w_.field("value", std::string_view(value));
    w_.endObject();
  }
  void ids(const std::string& id, const std::string& label, const std::string& space) {
    w_.field("id", std::string_view(id));
    w_.field("label", std::string_view(label));
    w_.field("namespace", std::string_view(space));
  }

  void outputs(const std::vector<ValueId>& values) {
    w_.key("outputsMetadata");
    w_.beginArray();
    for (size_t i = 0; i < values.size(); ++i) {
      const ValueType& type = graph_.values[values[i]].type;
      w_.beginObject();
      w_.field("id", std::string_view(std::to_string(i)));
      w_.key("attrs");
      w_.beginArray();
      attr("__tensor_tag", "%" + graph_.values[values[i]].name);
      attr("shape", typeText(type));
      attr("layout", placeText(type));
      w_.endArray();
      w_.endObject();
    }
    w_.endArray();
  }

  void argument(ValueId arg) {
    w_.beginObject();
    ids(nodeOf(arg), "%" + graph_.values[arg].name, "Arguments");
    w_.key("attrs");
    w_.beginArray();
    attr("label", graph_.values[arg].label);
    w_.endArray();
    outputs({arg});
    w_.endObject();
  }

  void node(size_t step) {
    const SimStep& one = run_.program->sim.steps[step];
    const Op& op = graph_.ops[one.op];
    const int32_t chain = chains_.chainOfStep[step];
    w_.beginObject();
    ids(std::to_string(step), op.name, chain < 0 ? "" : "L1 chain " + std::to_string(chain));
    w_.key("attrs");
    w_.beginArray();
    attr("location", op.loc);
    attr("time", std::to_string(one.time.total().count) + " ns");
    attr("bound", std::string(boundName(one.bound)));
    attr("cores", std::to_string(one.time.cores));
    attr("tensors in L1", std::to_string(one.tensorsL1.count) + " B per core");
    attr("circular buffers", std::to_string(one.circularBuffersL1.count) + " B per core");
    attr("move", moveText(one.op));
    attr("refused", one.refusal);
    attr("failed", one.verdictText);
    w_.endArray();
    edges(op);
    outputs(op.results);
    w_.endObject();
  }

  void edges(const Op& op) {
    w_.key("incomingEdges");
    w_.beginArray();
    for (size_t i = 0; i < op.operands.size(); ++i) {
      w_.beginObject();
      w_.field("sourceNodeId", std::string_view(nodeOf(op.operands[i])));
      const Value& source = graph_.values[op.operands[i]];
      w_.field("sourceNodeOutputId", std::string_view(std::to_string(source.producer.valid() ? source.index : 0)));
      w_.field("targetNodeInputId", std::string_view(std::to_string(i)));
      w_.endObject();
    }
    w_.endArray();
  }

  std::string moveText(OpId op) const {
    const std::optional<InsertedMove>& move = run_.program->applied.inserted[op];
    return move ? moveName(move->kind) : "";
  }

  // "L1" or "DRAM" or "host": of the first result.
  std::string placeOf(const Op& op) const {
    if (op.results.empty()) return "";
    const ValueType& type = graph_.values[op.results[0]].type;
    if (!type.isTensor() || !type.tensor->layout) return "";
    const TensorLayout& layout = *type.tensor->layout;
    if (layout.isL1()) return layout.sharded() ? "L1 sharded" : "L1 interleaved";
    return layout.isDram() ? "DRAM" : "host";
  }

  // Colours of the project's own pages: L1 green, DRAM blue, host grey; moves orange.
  static std::string_view colourOf(std::string_view text) {
    if (text == "L1 sharded") return "#2f9e68";
    if (text == "L1 interleaved") return "#8fd3b0";
    if (text == "DRAM") return "#8bb4e8";
    return text == "host" ? "#bdbdbd" : "#e8a15c";
  }

  void data(NodeData which) {
    w_.beginObject();
    w_.key(graphId());
    w_.beginObject();
    w_.key("results");
    w_.beginObject();
    for (size_t i = 0; i < run_.program->sim.steps.size(); ++i) result(which, i);
    w_.endObject();
    if (which == NodeData::Time) {
      w_.key("gradient");
      w_.beginArray();
      for (int stop : {0, 1}) {
        w_.beginObject();
        w_.field("stop", stop);
        w_.field("bgColor", stop == 0 ? "#ffffff" : "#e8604c");
        w_.endObject();
      }
      w_.endArray();
    }
    w_.endObject();
    w_.endObject();
  }

  void result(NodeData which, size_t step) {
    const SimStep& one = run_.program->sim.steps[step];
    const std::string text = which == NodeData::Place ? placeOf(graph_.ops[one.op]) : moveText(one.op);
    if (which != NodeData::Time && text.empty()) return;
    w_.key(std::to_string(step));
    w_.beginObject();
    if (which == NodeData::Time) {
      w_.field("value", one.time.total().count);
    } else {
      w_.field("value", std::string_view(text));
      w_.field("bgColor", colourOf(text));
    }
    w_.endObject();
  }

  const RunOutcome& run_;
  const Graph& graph_;
  const L1Chains chains_;
  IdVec<OpId, int32_t> stepOf_;
  JsonWriter w_;
};

}  // namespace

std::string modelExplorerJson(const Report& report) { return ExplorerWriter(report).collection(); }

std::string nodeDataJson(const Report& report, NodeData which) { return ExplorerWriter(report).alone(which); }

}  // namespace tessera

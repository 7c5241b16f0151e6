#include "core/study/run_lines.h"

#include <initializer_list>

#include "core/plan/moves.h"
#include "core/report/run_row.h"

namespace tessera {

namespace {

class Line {
 public:
  void add(std::string_view text) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += csvField(text);
  }
  void add(int64_t number) { add(std::string_view(std::to_string(number))); }
  void add(std::initializer_list<int64_t> numbers) {
    for (int64_t number : numbers) add(number);
  }
  std::string take() { return std::move(text_) + "\n"; }

 private:
  std::string text_;
  bool first_ = true;
};

std::string nameOfOp(const Graph& graph, OpId op) {
  const Op& o = graph.ops[op];
  return o.results.empty() ? "" : "%" + graph.values[o.results[0]].name;
}

}  // namespace

std::string csvField(std::string_view text) {
  std::string field = toValidUtf8(text);
  for (char& c : field) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string_view> lossColumns() {
  return {"value", "madeBy",    "cause",     "fromL1",   "step",    "opStep", "op",          "place",     "bytes",
          "free",  "leastFree", "leastStep", "lastStep", "readers", "takers", "takersFirst", "refusedBy", "refusal"};
}

std::string lossLines(const RunOutcome& run, const std::vector<Loss>& losses) {
  const Graph& graph = run.problem->graph;
  const IdVec<OpId, int32_t> rows = rowsOf(run);
  std::string text;
  for (const Loss& loss : losses) {
    const LossFigures figures = lossFigures(run, loss, rows);
    const OpId producer = graph.values[loss.value].producer;
    Line line;
    line.add("%" + graph.values[loss.value].name);
    line.add(producer.valid() ? graph.ops[producer].name : "argument");
    line.add(lossCauseName(loss.cause));
    line.add(loss.wasInL1);
    line.add({figures.step, figures.opStep});
    line.add(graph.ops[loss.op].name);
    line.add(loss.candidate ? layoutText(*loss.candidate) : "");
    line.add({figures.bytes.count, figures.free.count, figures.leastFree.count, figures.leastFreeStep, figures.lastStep,
              figures.readers, figures.takers, figures.takersFirst});
    line.add(figures.refusedBy);
    line.add(figures.refusal);
    text += line.take();
  }
  return text;
}

std::vector<std::string_view> opColumns() {
  return {"step",   "kind",          "name",   "op",  "family", "layout",    "cores",     "time",
          "fixed",  "compute",       "dram",   "noc", "bound",  "dramBytes", "tensorsL1", "circularL1",
          "freeL1", "fragmentation", "verdict"};
}

std::string opLines(const RunOutcome& run) {
  const Graph& graph = run.program->applied.graph;
  const Bytes budget = run.problem->budget.bytes();
  std::string text;
  for (size_t i = 0; i < run.program->sim.steps.size(); ++i) {
    const SimStep& step = run.program->sim.steps[i];
    const Op& op = graph.ops[step.op];
    const auto& move = run.program->applied.inserted[step.op];
    const TensorType* type = op.results.empty() || !graph.values[op.results[0]].type.isTensor()
                                 ? nullptr
                                 : &*graph.values[op.results[0]].type.tensor;
    Line line;
    line.add(static_cast<int64_t>(i));
    line.add(move ? moveName(move->kind) : opInfo(op.kind).has(kTerminator) ? "terminator" : "op");
    line.add(nameOfOp(graph, step.op));
    line.add(op.name);
    line.add(familyName(opInfo(op.kind).family));
    line.add(type && type->layout ? layoutText(*type->layout) : "");
    line.add({step.time.cores, step.time.total().count, step.time.fixed.count, step.time.compute.count,
              step.time.dram.count, step.time.noc.count});
    line.add(boundName(step.bound));
    line.add({step.time.dramBytes, step.tensorsL1.count, step.circularBuffersL1.count,
              (budget - std::min(budget, step.tensorsL1 + step.circularBuffersL1)).count});
    line.add(decimalText(step.l1.fragmentationPermille(), 3));
    line.add(step.verdictText.empty() ? step.refusal : step.verdictText);
    text += line.take();
  }
  return text;
}

}  // namespace tessera

#include "core/report/run_row.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/plan/moves.h"

namespace tessera {

namespace {

constexpr RunColumn kRunColumns[] = {
    {"ops", "count", "Ops of the program with a result, moves left out.", &RunRow::ops},
    {"time", "ns", "Simulated time.", &RunRow::time},
    {"dramBytes", "bytes", "Moved to and from DRAM, whole device.", &RunRow::dramBytes},
    {"spills", "count", "Moves from L1 to DRAM, returns apart.", &RunRow::spills},
    {"reloads", "count", "Moves from DRAM into L1.", &RunRow::reloads},
    {"reshards", "count", "Moves within one memory.", &RunRow::reshards},
    {"returns", "count", "Moves from L1 to DRAM because the function returns the tensor.", &RunRow::returns},
    {"spillBytes", "bytes", "That the spills write, padding included.", &RunRow::spillBytes},
    {"reloadBytes", "bytes", "That the reloads write.", &RunRow::reloadBytes},
    {"reshardBytes", "bytes", "That the reshards write.", &RunRow::reshardBytes},
    {"returnBytes", "bytes", "That the returns write.", &RunRow::returnBytes},
    {"lostConstraint", "values", "Not in L1: every reader, or the op that makes it, refuses it there.",
     &RunRow::constraint},
    {"lostMemory", "values", "Not in L1: L1 was full.", &RunRow::memory},
    {"lostFork", "values", "Not in L1: several readers, and the policy keeps a tensor for one only.", &RunRow::fork},
    {"lostOperand0", "values", "Not in L1: its reader would take it, but not as its first operand.", &RunRow::operand0},
    {"lostChain", "values", "Not in L1: its reader would take it; the chain ended or failed.", &RunRow::chainFailure},
    {"lostChoice", "values", "Not in L1: the policy prefers it in DRAM.", &RunRow::choice},
    {"lostReturn", "values", "Not in L1: the function returns it, and nothing else kept it from L1.",
     &RunRow::returned},
    {"leftL1", "values", "Of all these: those that were in L1 before.", &RunRow::leftL1},
    {"roomLeft", "values", "Of all these but returns: those for which L1 had room up to their last reader.",
     &RunRow::roomLeft},
    {"budget", "bytes per core", "Usable L1 times the usage cap.", &RunRow::budget},
    {"peakL1", "bytes per core", "Most in use at once, tensors and circular buffers.", &RunRow::peakL1},
    {"headroom", "part of the budget", "Never taken.", &RunRow::headroom, 3},
    {"meanHeadroom", "part of the budget", "Not taken, mean over all steps.", &RunRow::meanHeadroom, 3},
    {"inL1", "values", "Results in L1.", &RunRow::inL1},
    {"sharded", "values", "Of them: sharded.", &RunRow::sharded},
    {"inDram", "values", "Results in DRAM.", &RunRow::inDram},
    {"mostInL1", "buffers", "Most tensors in L1 at once.", &RunRow::mostInL1},
    {"fragmentation", "part of free L1", "Outside of the largest hole, at the worst step.", &RunRow::fragmentation, 3},
    {"firstFit", "bytes per core", "L1 that tensors take up, as the runtime's allocator places them.",
     &RunRow::firstFit},
    {"planned", "bytes per core", "The same with addresses planned ahead.", &RunRow::planned},
    {"peakDram", "bytes per bank", "Most of a DRAM bank in use at once.", &RunRow::peakDramPerBank},
    {"cores", "cores", "That compute, mean over ops that compute.", &RunRow::cores, 1},
    {"failures", "count", "Steps that the device would not run, and arguments without room.", &RunRow::failures},
    {"refused", "count", "Ops that the op model refuses; the time says nothing about them.", &RunRow::refused},
    {"defects", "count", "Found by the checkers; always a defect of this program.", &RunRow::defects},
};

int64_t* countOf(RunRow& row, LossCause cause) {
  switch (cause) {
    case LossCause::Constraint: return &row.constraint;
    case LossCause::Memory: return &row.memory;
    case LossCause::Fork: return &row.fork;
    case LossCause::Operand0: return &row.operand0;
    case LossCause::ChainFailure: return &row.chainFailure;
    case LossCause::Choice: return &row.choice;
    case LossCause::Return: return &row.returned;
  }
  return &row.choice;
}

void addMoves(const RunOutcome& run, RunRow& row) {
  const Graph& graph = run.problem->graph;
  const PlanMoves moves = planMoves(graph, run.plan);
  int64_t* counts[] = {&row.spills, &row.reloads, &row.reshards, &row.returns};
  int64_t* bytes[] = {&row.spillBytes, &row.reloadBytes, &row.reshardBytes, &row.returnBytes};
  for (MoveKind kind : kAllMoveKinds) *counts[static_cast<size_t>(kind)] = moves.count(kind);
  auto add = [&](MoveKind kind, ValueId value, const TensorLayout& to) {
    int64_t& sum = *bytes[static_cast<size_t>(kind)];
    sum = addSaturated(sum, totalBytes(run.problem->tensor(value).shape, to).count);
  };
  for (size_t i = 0; i < run.plan.spills.size(); ++i)
    add(moves.spills[i], run.plan.spills[i].value, run.plan.spills[i].to);
  for (size_t i = 0; i < run.plan.reshards.size(); ++i) {
    const Reshard& move = run.plan.reshards[i];
    add(moves.reshards[i], graph.ops[move.consumer].operands[static_cast<size_t>(move.operand)], move.to);
  }
}

// Most owners of L1 at once.
int64_t mostBuffers(const SimResult& sim) {
  std::vector<int64_t> change(sim.steps.size() + 2, 0);
  for (const SimBuffer& buffer : sim.buffers) {
    if (buffer.space != DeviceMemory::L1 || buffer.aliasOf >= 0 || !buffer.value.valid()) continue;
    const auto last = static_cast<int64_t>(sim.steps.size());
    ++change[static_cast<size_t>(std::clamp<int64_t>(buffer.from, 0, last))];
    --change[static_cast<size_t>(std::clamp<int64_t>(int64_t{buffer.to} + 1, 0, last + 1))];
  }
  int64_t now = 0, most = 0;
  for (int64_t step : change) most = std::max(most, now += step);
  return most;
}

void addSteps(const RunOutcome& run, RunRow& row) {
  const Graph& graph = run.program->applied.graph;
  const Bytes budget = run.problem->budget.bytes();
  int64_t rooms = 0;
  for (const SimStep& step : run.program->sim.steps) {
    row.ops += !run.program->applied.inserted[step.op] && !graph.ops[step.op].results.empty();
    rooms += headroomPermille(step.tensorsL1 + step.circularBuffersL1, budget);
    row.fragmentation = std::max(row.fragmentation, step.l1.fragmentationPermille());
  }
  if (!run.program->sim.steps.empty()) row.meanHeadroom = rooms / static_cast<int64_t>(run.program->sim.steps.size());
}

void addLosses(const RunOutcome& run, const std::vector<Loss>& losses, RunRow& row) {
  const IdVec<OpId, int32_t> rows = rowsOf(run);
  for (const Loss& loss : losses) {
    ++*countOf(row, loss.cause);
    row.leftL1 += loss.wasInL1;
    if (loss.cause == LossCause::Return || !loss.candidate) continue;
    const LossFigures figures = lossFigures(run, loss, rows);
    row.roomLeft += figures.leastFreeStep >= 0 && figures.leastFree >= figures.bytes;
  }
}

}  // namespace

std::span<const RunColumn> runColumns() { return kRunColumns; }

RunRow rowOf(const RunOutcome& run, const std::vector<Loss>& losses) {
  RunRow row;
  row.time = run.program->sim.time.count;
  row.dramBytes = run.program->sim.dramBytes;
  addMoves(run, row);
  addSteps(run, row);
  addLosses(run, losses, row);
  row.budget = run.problem->budget.bytes().count;
  row.peakL1 = run.program->sim.peakL1.count;
  row.headroom = headroomPermille(run.program->sim.peakL1, run.problem->budget.bytes());
  const ResultPlaces results = countResults(run);
  row.inL1 = results.inL1;
  row.sharded = results.sharded;
  row.inDram = results.inDram;
  row.mostInL1 = mostBuffers(run.program->sim);
  row.firstFit = run.program->placement.firstFit;
  row.planned = run.program->placement.planned;
  row.peakDramPerBank = run.program->sim.peakDramPerBank;
  row.cores = meanCoresTenths(run.program->sim);
  row.failures = run.program->sim.failures;
  row.refused = run.program->sim.refused;
  row.defects = static_cast<int64_t>(run.defects.size());
  return row;
}

void writeRunRow(JsonWriter& w, const RunRow& row) {
  w.beginObject();
  for (const RunColumn& column : kRunColumns) {
    w.key(column.id);
    if (column.decimals > 0) w.fixed(row.*column.field, column.decimals);
    else w.integer(row.*column.field);
  }
  w.endObject();
}

namespace {

// What a JavaScript number cannot hold is written as a string.
std::optional<int64_t> integerOf(JsonValue value) {
  const std::optional<std::string_view> text = value.asString();
  if (!text) return value.asInteger();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) return {};
  return number;
}

}  // namespace

std::optional<RunRow> readRunRow(JsonValue object) {
  RunRow row;
  for (const RunColumn& column : kRunColumns) {
    const JsonValue value = object.get(column.id);
    if (column.decimals == 0) {
      const std::optional<int64_t> number = integerOf(value);
      if (!number) return {};
      row.*column.field = *number;
    } else {
      const std::optional<double> number = value.asNumber();
      if (!number || !(std::fabs(*number) < 1e12)) return {};
      double scaled = *number;
      for (int i = 0; i < column.decimals; ++i) scaled *= 10;
      row.*column.field = std::llround(scaled);
    }
  }
  return row;
}

std::string decimalText(int64_t number, int decimals) {
  JsonWriter w;
  w.fixed(number, decimals);
  return w.take();
}

}  // namespace tessera

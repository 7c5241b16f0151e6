#pragma once
// Executes a plan: the bytes of every tensor in the cores and banks where a run of the simulator put them. Every op
// reads its operands from the addresses that its run names and writes its results there; memory that was freed, or that
// circular buffers use, holds rubbish; moves copy bytes. The host interpreter computes the same graph beside it and
// rounds where the device does, so that every value can be compared bit for bit: an op whose operands are in memory
// what the interpreter has computes the interpreter's result. Nothing is asked of the planner, of the simulator's sizes
// or of its rules for views: what the run's events say is carried out.

#include <optional>
#include <string>

#include "core/execute/interpreter.h"
#include "core/machine/stored_tensor.h"
#include "core/sim/simulator.h"

namespace tessera {

enum class PlanStatus {
  Equal,
  Different,      // a value in memory is not what it should be
  Failed,         // the run itself fails: no room, or circular buffers reach a tensor
  NotExecutable,  // an op without kernel, or one that the interpreter refuses
  OverBudget,
};

// The first value that is not what it should be.
struct PlanDifference {
  int32_t step = -1;  // -1: before the first op; the number of steps: after the last
  OpId op;            // none outside of the steps
  ValueId value;
  int32_t operand = -1;  // of the op; -1: what it wrote
  std::string element;   // "[0, 3, 17]", or "padding"
  double is = 0, should = 0;
  std::string place;    // "core (x=1,y=0)", "DRAM bank 3", "host"
  int64_t address = 0;  // in that core or bank
  std::string writer;   // what changed this address last: "step 3, %4 ttnn.exp wrote %4"
};

struct PlanExecution {
  PlanStatus status = PlanStatus::Equal;
  std::string text;        // unless equal
  bool malformed = false;  // NotExecutable: an op contradicts the graph
  std::optional<PlanDifference> difference;
  int32_t steps = 0;    // carried out
  int64_t reads = 0;    // operands
  int64_t writes = 0;   // results
  int64_t moves = 0;    // of them by moving bytes
  int64_t views = 0;    // results that stand in their operand's bytes
  int64_t bytes = 0;    // written
  double rounding = 0;  // largest difference of a result to the same graph in f32, relative to its largest value
};

struct PlanExecutionOptions {
  ExecutionBudget budget;
  int64_t memoryBytes = int64_t{1} << 29;  // that all memories together may hold
  const Graph* source = nullptr;           // what the plan was made for: computes the same
  const StorageCode* written = nullptr;    // by tests: how ops write
};

// `run` is the simulator's of `graph` on `device`; `inputs` as for execute().
PlanExecution executePlan(const Graph& graph, const SimResult& run, const DeviceSpec& device,
                          const std::vector<HostTensor>& inputs, const PlanExecutionOptions& options = {});

// One line: "equal", or what differs and where.
std::string planExecutionText(const PlanExecution& execution);

}  // namespace tessera

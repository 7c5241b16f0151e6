#pragma once
// Functional execution: computes a graph's results on the host, TTIR or TTNN ops alike, so that a pass can be checked
// by what it must not change. Floats of any width are computed as f32, integers exactly. One device of a mesh is
// executed (collectives: see kernels_transformer.cpp). What has no kernel is reported by name, never skipped. Nothing
// else in core depends on this part; a program that does not call it does not link it.

#include <cstdint>
#include <string>
#include <vector>

#include "core/execute/kernel.h"
#include "core/ir/graph.h"

namespace tessera {

// Sizes come from files: a graph that would need more is refused before anything of that size is allocated.
struct ExecutionBudget {
  int64_t bytes = int64_t{1} << 29;  // of all tensors alive at once
  int64_t work = int64_t{4} << 30;   // multiplications, or elements touched
  BodyBudget bodies;                 // of functions that regions became
};

enum class ExecutionStatus {
  Done,
  NotExecutable,  // an op without kernel, or one whose shapes or attributes contradict the graph
  OverBudget,
};

struct Execution {
  ExecutionStatus status = ExecutionStatus::Done;
  std::string text;                   // unless Done: which op, and why
  bool malformed = false;             // NotExecutable: an op contradicts the graph; else nothing is known of one
  std::vector<HostTensor> results;    // of the forward function
  std::vector<HostTensor> arguments;  // as they are at the end: caches are written in place
  int64_t overflows = 0;              // elements, infinite or no numbers, that ops made of finite ones
};

// Numbers for the forward function's arguments, the same for the same seed: reals in [-1, 1), positive where a square
// root or a variance asks for it; integers that are valid for every table and cache of the graph.
std::vector<HostTensor> randomInputs(const Graph& graph, uint64_t seed);

// Constants whose numbers the file leaves out and that must be positive, or places in a table, get such numbers, once
// for all passes; all others are made up from their names when they are executed.
Graph withNeededConstants(Graph graph, uint64_t seed);

// Watches the values of the forward function, and may round them. An answer other than "" ends the execution as one
// that cannot be done.
class ExecutionObserver {
 public:
  using Values = IdVec<ValueId, HostTensor>;
  virtual ~ExecutionObserver() = default;
  virtual std::string argument(ValueId value, HostTensor& tensor) = 0;
  virtual std::string before(OpId op, const Values& values) = 0;  // its operands are there
  virtual std::string after(OpId op, Values& values) = 0;         // its results too; not called for the return
};

// `inputs` are converted to the arguments' types; their shapes must be the arguments' (but see `text`).
Execution execute(const Graph& graph, const std::vector<HostTensor>& inputs, const ExecutionBudget& budget = {},
                  ExecutionObserver* observer = nullptr);

enum class Comparison { Equal, Different, NotExecutable, OverBudget };

struct ComparisonVerdict {
  Comparison comparison = Comparison::Equal;
  std::string text;     // what differs, or why nothing could be compared
  int32_t result = -1;  // the first result that differs; results.size() + n for argument n
  double maxAbs = 0;    // over all results
  double maxRel = 0;    // relative to the largest magnitude in the result
  bool equal() const { return comparison == Comparison::Equal; }
};

// Graphs that should compute the same, one after the other on random inputs made for the first: each is executed once,
// and not at all when it is the one before it. Inputs with which numbers overflow are made smaller.
class GraphSeries {
 public:
  GraphSeries(const Graph& first, uint64_t seed, const ExecutionBudget& budget = {});
  // Same results as the graph before it, and same arguments at the end? `tolerance` bounds maxRel; integers must be
  // equal, but of those made of real numbers one in a hundred, and always one, may be the next.
  ComparisonVerdict next(const Graph& after, double tolerance);

 private:
  ExecutionBudget budget_;
  std::vector<HostTensor> inputs_;
  Graph graph_;  // the last one
  Execution last_;
};

}  // namespace tessera

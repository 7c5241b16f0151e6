#pragma once
// What the interpreter's kernels share: tensors on the host, one op under execution, the table of kernels by op name.
// Kernels know nothing of the shape rules of core/ops: each works out its result's shape by itself and compares it with
// the graph.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/graph.h"

namespace tessera {

// Float types of any width are held and computed as f32, all others as 64-bit integers (booleans 0 and 1).
struct HostTensor {
  Shape shape;
  bool real = true;
  std::vector<float> f;    // real
  std::vector<int64_t> i;  // not real

  size_t size() const { return real ? f.size() : i.size(); }
  double at(size_t index) const { return real ? static_cast<double>(f[index]) : static_cast<double>(i[index]); }
  int64_t integerAt(size_t index) const { return real ? static_cast<int64_t>(f[index]) : i[index]; }
  void set(size_t index, double value) {
    if (real) f[index] = static_cast<float>(value);
    else i[index] = static_cast<int64_t>(value);
  }
};

// "add" of `ttnn.add`; the name of TTIR's op where StableHLO has another one for the same: "exp" of
// `stablehlo.exponential`, "gt" of a comparison.
std::string_view bareName(const Op& op);
// The number after `key = ` in an attribute's text; -1 when there is none.
int64_t numberAfter(const std::string& text, std::string_view key);
HostTensor makeTensor(const Shape& shape, bool real);
// Elements as the type holds them: floats stay f32, integers wrap to their width, booleans become 0 or 1.
HostTensor convertTo(const HostTensor& tensor, DType dtype);
std::vector<size_t> stridesOf(const Shape& shape);
// Position in a tensor of shape `from` (broadcast to `to`) for every step of the last dims of `to`: 0 where `from`
// is 1.
std::vector<size_t> broadcastStrides(const Shape& from, const Shape& to);
std::optional<Shape> broadcastOf(const Shape& a, const Shape& b);

// Counts through the indices of a shape in row-major order, keeping one offset per set of strides.
class Odometer {
 public:
  Odometer(const Shape& shape, const std::vector<std::vector<size_t>>& strides)
      : shape_(shape), index_(shape.size(), 0), offsets_(strides.size(), 0) {
    for (const std::vector<size_t>& one : strides) strides_.insert(strides_.end(), one.begin(), one.end());
  }
  size_t offset(size_t which) const { return offsets_[which]; }
  const std::vector<int64_t>& index() const { return index_; }
  // Through pointers: kernels wait for nothing else as long, and what checks every access costs several times as much.
  void next() {
    const size_t rank = shape_.size(), sets = offsets_.size();
    const int64_t* shape = shape_.data();
    const size_t* strides = strides_.data();
    int64_t* index = index_.data();
    size_t* offsets = offsets_.data();
    for (size_t dim = rank; dim-- > 0;) {
      ++index[dim];
      for (size_t s = 0; s < sets; ++s) offsets[s] += strides[s * rank + dim];
      if (index[dim] < shape[dim]) return;
      for (size_t s = 0; s < sets; ++s) offsets[s] -= strides[s * rank + dim] * static_cast<size_t>(shape[dim]);
      index[dim] = 0;
    }
  }

 private:
  Shape shape_;
  std::vector<int64_t> index_;
  std::vector<size_t> strides_;  // a set after the other
  std::vector<size_t> offsets_;
};

// sums[i] += value * numbers[i] for every i; `numbers` has as many entries as `sums`. Kernels that compute many results
// at once use it: the order of the additions of each result stays, and an addition need not wait for the previous one.
inline void addTo(std::vector<double>& sums, double value, const double* numbers) {
  double* out = sums.data();
  for (size_t i = 0, count = sums.size(); i < count; ++i) out[i] += value * numbers[i];
}

// What functions of regions may still run: they come from files, and name one another.
struct BodyBudget {
  int depth = 8;              // functions that run within one another
  int64_t ops = 5'000'000;    // of all of them together
  int64_t elements = 65'536;  // of one result
};

struct KernelCall {
  const Graph& graph;
  const Op& op;
  std::vector<HostTensor*> in;   // inputs without destination-passing outputs; null for operands that are no tensors
  std::vector<HostTensor> out;   // one per result
  std::string error;             // why the op could not be executed
  bool unknown = false;          // it may be sound, but the kernel does not know it
  BodyBudget* bodies = nullptr;  // of the whole execution; null: the op runs no functions

  // False for the rest of the kernel's work: `if (!call.need(...)) return;`
  bool fail(std::string why) {
    if (error.empty()) error = std::move(why);
    return false;
  }
  bool need(bool condition, std::string_view why) { return condition || fail(std::string(why)); }
  bool known(bool condition, std::string_view why) {
    unknown = unknown || !condition;
    return need(condition, why);
  }
  bool inputs(size_t least) {
    bool there = in.size() >= least;
    for (size_t i = 0; there && i < least; ++i) there = in[i] != nullptr;
    return there || fail("an operand is missing");
  }
  bool isScalar(size_t index) { return need(in[index]->size() == 1, "an initial value is no scalar"); }
  const HostTensor& input(size_t index) const { return *in[index]; }
  bool hasInput(size_t index) const { return index < in.size() && in[index] != nullptr; }
  // The operand of that role ("bias") in an op whose optional operands may be missing; null when it is.
  const HostTensor* optionalInput(size_t least, size_t index) const {
    return index >= least && hasInput(index) ? in[index] : nullptr;
  }

  const TensorType* resultType(size_t index = 0) const {
    if (index >= op.results.size() || !graph.values[op.results[index]].type.isTensor()) return nullptr;
    return &*graph.values[op.results[index]].type.tensor;
  }
  // Allocates result `index` when the computed shape is the declared one, which is within the budget.
  bool make(size_t index, const Shape& shape, bool real);
  // Result 0 becomes operand 0, unchanged; fails when the graph declares different shapes for them. The host tensor may
  // have another shape than the declared one: prepared weights keep the shape they had before.
  void passOn();

  bool has(std::string_view name) const { return findAttr(op, name) != nullptr; }
  int64_t integer(std::string_view name, int64_t fallback) const;
  double number(std::string_view name, double fallback) const;
  bool flag(std::string_view name, bool fallback) const { return integer(name, fallback ? 1 : 0) != 0; }
  std::string word(std::string_view name) const;
  std::vector<int64_t> ints(std::string_view name) const;  // one integer counts as a list of one
  // A dim of a tensor of that rank, counted from the end when negative; fails when out of range.
  bool dim(int64_t value, size_t rank, size_t& out);
};

using Kernel = void (*)(KernelCall&);
struct NamedKernel {
  std::string_view name;  // without the dialect: "add" stands for ttir.add and ttnn.add
  Kernel run;
};
// One list per kernels_*.cpp, ended by an empty name. Known when compiled: a list that is made when a module starts
// would be kept in modules that execute nothing.
extern const NamedKernel kEltwiseKernels[];
extern const NamedKernel kMoveKernels[];
extern const NamedKernel kReduceKernels[];
extern const NamedKernel kMatmulKernels[];
extern const NamedKernel kWindowKernels[];
extern const NamedKernel kTransformerKernels[];
extern const NamedKernel kAttentionKernels[];
extern const NamedKernel kCreationKernels[];
extern const NamedKernel kQuantizeKernels[];
extern const NamedKernel kPlaceKernels[];            // sort, scatter and others of TTIR that go by places
extern const NamedKernel kStablehloKernels[];        // by their StableHLO names; looked at first for its ops
extern const NamedKernel kStablehloRegionKernels[];  // with a region, or by indices
extern const NamedKernel kStablehloWindowKernels[];
extern const NamedKernel kStablehloCallKernels[];
extern const NamedKernel kChipKernels[];         // TTIR's and TTNN's: of several chips together, norms of a batch
extern const NamedKernel kFurtherConvKernels[];  // 3-D and transposed convolutions

// Runs a function of scalars or small tensors, as regions of StableHLO are; false when one of its ops has no kernel, or
// nothing is left of the budget.
bool runFunction(const Graph& graph, std::string_view name, const std::vector<HostTensor>& inputs, BodyBudget& budget,
                 std::vector<HostTensor>& outputs, std::string& error);

// Of an op that applies one function of one or two numbers to every element; by its name without the dialect. Null for
// others.
Kernel findUniformKernel(std::string_view name);

// Null when the op has none.
Kernel findKernel(std::string_view opName);

// The sum of products over pairs of dims of inputs 0 and 1, for every pair of batch dims and all other dims: of the
// result the batch dims come first, then those of input 0, then those of input 1. The result is declared as `real`.
struct DotDims {
  std::vector<int64_t> batchLeft, batchRight, sumLeft, sumRight;
};
void runDot(KernelCall& call, const DotDims& dims, bool real);

// "relu", "gelu", "silu" ... applied in place; false when unknown. For ops with an activation of their own.
bool applyActivation(std::string_view name, HostTensor& tensor);

}  // namespace tessera

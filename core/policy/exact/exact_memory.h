#pragma once
// What the exact policy keeps from one run to the next: answers to questions that are asked again, about equal ops of one net and after
// a slider has moved. Found by the whole question, so that what is known changes no answer. Never iterated over.

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/ir/layout_pool.h"
#include "core/ops/op_model.h"
#include "core/policy/exact/rivals.h"
#include "core/solve/p1_tree.h"
#include "core/support/key_index.h"

namespace tessera {

// How one config of an op may read its operands.
struct Ways {
  std::vector<std::vector<LayoutId>> reads;  // per operand: the options
  std::vector<int64_t> time;                 // over all combinations of options, the last operand fastest; kForbidden: refused
  std::vector<int64_t> l1;                   // bytes per core while the op runs: what it reads and allocates
  bool aliases = false;                      // the result may lie in the first operand's buffer
};

struct TriedWays {
  std::shared_ptr<const Ways> ways;
  bool any = false;                  // one of them is legal
  std::vector<OpConfig> produced;    // what the op makes of this config instead
  BudgetRange range;
};

// One question's answers for the caps that were asked about.
struct KeptWays {
  static constexpr size_t kMostAnswers = 8;
  std::vector<TriedWays> answers;
  size_t oldest = 0;
  const TriedWays& add(TriedWays tried) {
    if (answers.size() < kMostAnswers) return answers.emplace_back(std::move(tried));
    return answers[oldest++ % kMostAnswers] = std::move(tried);
  }
};

struct KeptTable {
  CostTable table;
  BudgetRange range;
  std::vector<std::shared_ptr<const Ways>> ways;  // that it was made of: the question holds their addresses
};

struct KeptMove {
  Cost cost = kForbidden;
  int64_t needed = 0;  // bytes of L1 per core at the worst of its steps
};

class ExactMemory {
 public:
  // To be called before a model is built: forgets everything when the device is another one, or when too much is known.
  void prepare(const DeviceSpec& device);

  LayoutPool pool;
  KeyIndex classes;                // of ops (core/ops/op_class.h)
  KeyIndex wayKeys;
  std::vector<KeptWays> ways;      // by number in wayKeys
  KeyIndex tableKeys;
  std::vector<KeptTable> tables;   // by number in tableKeys
  KeyIndex moveTypes;              // shape and element type
  std::unordered_map<uint64_t, KeptMove> moves;  // by type, from, to
  int64_t cells = 0;               // in `ways` and `tables`, about
  std::unique_ptr<P1Tree> tree;    // of the last model without prices
  KeptPlans plans;                 // of the other policies

 private:
  struct Chip {
    std::string id;
    GridShape grid;
    Bytes base, size, small;
    LibraryRelease library = {};
    friend bool operator==(const Chip&, const Chip&) = default;
  };
  Chip chip_;
};

// The value in `list` with this number, made when it is new.
template <typename T>
T& numbered(std::vector<T>& list, size_t number) {
  if (number >= list.size()) list.resize(number + 1);
  return list[number];
}

}  // namespace tessera

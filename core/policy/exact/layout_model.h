#pragma once
// Layout selection as a factor graph (P1, core/solve/p1_model.h). All costs are the op model's nanoseconds.
//
// Variables:
//   - per op: the layout of its result (for ops that read many undecided values: one of its ways to run);
//   - per value that is read several times, and per reader: where the value is then ("stage"). Between two readers a value may move, so a
//     copy that several readers share costs once, and a value may leave L1 and come back.
// Tables: per op, over where its operands are and where its result: the least of op time plus conversions of operands, over all settings
// with that result and all layouts in which the op may read. Between stages: the move. What is returned: the way to DRAM.
// An op must fit L1 with what it reads; what else is alive at the time is not part of the model unless it is priced (price()).

#include <span>
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/policy/exact/candidates.h"
#include "core/policy/exact/plan_time.h"

namespace tessera {

// The next position in a table over several lists, the last one fastest; false after the last position.
inline bool nextCombination(std::vector<size_t>& at, const std::vector<size_t>& sizes) {
  for (size_t i = at.size(); i-- > 0;) {
    if (++at[i] < sizes[i]) return true;
    at[i] = 0;
  }
  return false;
}

// What a byte of L1 costs at each step, for bounds under the capacity. Times are multiplied by 2^shift to carry the prices.
struct L1Prices {
  int shift = 0;
  std::vector<Cost> upTo;   // per step: the sum of the prices per byte of the steps before it, one more entry than steps
};

// One op as an assignment has it.
struct ModelWay {
  OpConfig config;
  std::vector<LayoutId> reads;  // by operand; kNoLayout for what is no tensor
  Cost time = 0;                // of the op alone
};

class LayoutModel {
 public:
  // What `seeds` (complete plans of the problem's schedule) use is in the model, so its optimum is no worse than any of them.
  // `memory` has been prepared for the problem's device; the model keeps there what it finds out.
  LayoutModel(const Problem& problem, ExactMemory& memory, MoveTime& moves, std::span<const Plan* const> seeds);
  LayoutModel(const LayoutModel&) = delete;
  LayoutModel& operator=(const LayoutModel&) = delete;

  const FactorGraph& graph() const { return graph_; }
  const Problem& problem() const { return problem_; }
  LayoutPool& pool() const { return pool_; }
  ExactMemory& memory() const { return memory_; }
  MoveTime& moves() const { return moves_; }
  int64_t ways() const { return wayCount_; }         // (config, layouts read) that the op model accepts, over all ops

  // --- ops ---
  // -1 for the return. A variable has one value per choice.
  int variableOf(OpId op) const { return ops_[op].variable; }
  const std::vector<OpConfig>& configs(OpId op) const { return ops_[op].configs; }
  const std::vector<LayoutId>& outputs(OpId op) const { return ops_[op].outputs; }  // per config
  // The op's result for each value of its variable, as the first of the configs that make it.
  const std::vector<int32_t>& choiceConfigs(OpId op) const { return ops_[op].choiceConfig; }
  bool refused(OpId op) const { return ops_[op].refused; }
  ModelWay wayOf(OpId op, const std::vector<int>& values, const L1Prices* prices = nullptr) const;
  // Every way the op may run, for a planner that has to deviate: with what it takes to convert operands from where they are (by operand;
  // kNoLayout for what is no tensor).
  struct WayRef {
    size_t config = 0, way = 0;
    Cost cost = kForbidden;  // of the op and its conversions
  };
  std::vector<WayRef> waysFrom(OpId op, const std::vector<LayoutId>& now) const;
  ModelWay wayAt(OpId op, const WayRef& ref) const;

  // The op's costs when it may run in one way only, for a tree over the model: of `factor`, or of the variable alone (-1). Empty when
  // the model does not have that way.
  struct OneWay {
    int factor = -1;
    std::vector<Cost> costs;
  };
  OneWay oneWay(OpId op, const OpConfig& config, const std::vector<LayoutId>& reads);

  // --- values ---
  // Where the value is when `reader` (an op that reads it) runs.
  LayoutId placeAt(ValueId value, OpId reader, const std::vector<int>& values) const;
  LayoutId madeAt(ValueId value, const std::vector<int>& values) const;
  // Bytes per core of L1 while the op runs, of what it reads and allocates itself.
  int64_t l1Of(OpId op, const std::vector<int>& values) const;
  bool staged(ValueId value) const { return !values_[value].stages.empty(); }

  // Moves that the assignment asks for besides conversions for one reader, in the order of `before`: the value goes to `to` right
  // before the op `before`. What frees L1 goes as early as it can, what takes L1 as late.
  struct Move {
    OpId before;
    ValueId value;
    LayoutId to = kNoLayout;
    bool returns = false;
  };
  std::vector<Move> movesOf(const std::vector<int>& values, const L1Prices* prices) const;

  // The assignment that a plan amounts to; empty when the plan does what the model does not know.
  std::vector<int> assignmentOf(const Plan& plan) const;

  // --- L1 as a price ---
  // Rewrites all tables with these prices; with none, times alone.
  void price(const L1Prices* prices);
  // Layouts and L1 together, with bytes per core at every step at most `capacity`, in CPLEX LP format: what solveJoint() bounds.
  std::string writeLp(int64_t capacity) const;
  // What the assignment takes of L1 per step, counted as price() does; the least of equal-cost ways.
  std::vector<int64_t> usage(const std::vector<int>& values, const L1Prices* prices) const;

 private:
  class LpWriter;
  struct Place {                     // where an operand may be
    int variable = -1;               // -1: in one place only
    std::vector<LayoutId> layouts;   // by value of the variable
  };
  struct Operand {
    size_t index = 0;                // among the op's operands
    ValueId value;
    Place place;
    bool livesOn = false;            // somebody reads it later
    bool staged = false;
    int32_t from = 0;                // step after which it waits for this op; of values without stages
  };
  struct OpEntry {
    int variable = -1;
    std::vector<OpConfig> configs;
    std::vector<LayoutId> outputs;   // per config
    std::vector<int32_t> choiceConfig;  // explicit ops: the config; else the first with that result
    std::vector<size_t> choiceWay;   // explicit ops only: index into that config's combinations
    std::vector<Operand> operands;   // tensors
    std::vector<std::shared_ptr<const Ways>> ways;  // per config
    uint32_t kind = 0;               // number in the memory's classes
    bool refused = false;            // nothing is legal: the one way it has is to run in DRAM all the same
    bool isExplicit = false;         // its variable says the layouts read as well
    int factor = -1;                 // of all open operands and the variable; -1: unary only
    std::vector<int> pairFactors;    // explicit: per operand; -1
    std::vector<int> scope;          // of `factor`
  };
  struct ValueEntry {
    std::vector<LayoutId> places;    // of stages
    std::vector<OpId> readers;       // in schedule order, each once; the return is none
    std::vector<int> stages;         // variable per reader; empty: it stays where it is made
    std::vector<int> moveFactors;    // per stage: from the one before; -1: a unary cost
    size_t uses = 0;                 // operands; an op may read a value twice
    bool returned = false;
    bool sharesBuffer = false;       // may lie in an operand's buffer that outlives the op: not counted
    LayoutId fixed = kNoLayout;      // when it is made in one place only
  };
  struct Wait {                      // how a value gets from one moment to the next
    Cost cost = kForbidden;          // scaled, with prices
    int64_t between = 0;             // bytes held on the steps in between
    int64_t here = 0;                // and at the later step, besides what the op reads
  };

  // building (layout_model.cpp)
  void readValues();
  void addOp(OpId op);
  void addStages(ValueId value);
  void findOperands(OpId op, OpEntry& entry);
  Place placeOf(ValueId value, OpId reader) const;
  Place madePlace(ValueId value) const;
  std::vector<OpConfig> configsOf(OpId op, const OpEntry& entry) const;
  void findWays(OpId op, OpEntry& entry, const std::vector<OpConfig>& configs);
  std::vector<std::vector<LayoutId>> readOptions(OpId op, const OpEntry& entry, const OpConfig& config, int level) const;
  void dropDominated(OpEntry& entry);
  struct Question {                  // put to the op model about one config
    OpId op;
    const OpEntry& entry;
    const OpConfig& config;
    bool mayDiffer = false;          // a result elsewhere than asked is another config
  };
  const TriedWays& tryWays(OpId op, const OpEntry& entry, const OpConfig& config, std::vector<std::vector<LayoutId>> reads);
  TriedWays askWays(const Question& question, std::vector<std::vector<LayoutId>> reads);
  bool cure(const Question& question, const OpVerdict& verdict, const std::vector<std::optional<TensorLayout>>& inputs, Ways& ways);
  void addFallback(OpId op, OpEntry& entry);
  void makeVariable(OpEntry& entry);

  // tables (layout_tables.cpp)
  Cost scaled(Cost cost, const L1Prices* prices) const { return isForbidden(cost) ? kForbidden : (prices ? cost << prices->shift : cost); }
  Cost held(const L1Prices* prices, int32_t first, int32_t last, int64_t bytes) const;  // at the prices of steps first .. last
  int64_t bytesAt(ValueId value, LayoutId id) const;
  LayoutId dramOf(ValueId value) const;
  Wait wait(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before, const L1Prices* prices) const;
  Wait read(OpId op, const Operand& operand, LayoutId place, LayoutId as, const L1Prices* prices) const;
  Cost wayCost(OpId op, const Ways& ways, size_t way, const L1Prices* prices) const;
  std::vector<Cost> unaryOf(OpId op, const L1Prices* prices) const;
  std::vector<Cost> opTable(OpId op, const L1Prices* prices) const;
  std::vector<Cost> pairTable(OpId op, size_t operand, const L1Prices* prices) const;
  std::vector<Cost> moveTable(ValueId value, size_t stage, const L1Prices* prices) const;
  std::vector<Cost> stageUnary(ValueId value, size_t stage, const L1Prices* prices) const;
  // Where nothing has a price, tables of equal questions are kept and shared.
  bool isPriced(const L1Prices* prices, int32_t first, int32_t last) const;  // one of the steps first .. last
  CostTable sharedOpTable(OpId op, const L1Prices* prices) const;
  CostTable sharedMoveTable(ValueId value, size_t stage, const L1Prices* prices) const;
  template <typename Make>
  CostTable shared(const std::vector<uint32_t>& key, const std::vector<std::shared_ptr<const Ways>>& ways, Make make) const;
  Cost returnCost(ValueId value, LayoutId place, const L1Prices* prices) const;
  // Per operand and layout read: what it costs from each place. Configs of an op share it.
  using ReadCosts = std::vector<std::vector<std::pair<LayoutId, std::vector<Cost>>>>;
  const std::vector<Cost>& readCosts(OpId op, size_t operand, LayoutId as, const L1Prices* prices, ReadCosts& known) const;
  // The least over the settings and the layouts read, per combination of the operands' places.
  std::vector<Cost> leastOver(OpId op, size_t choice, const L1Prices* prices, ReadCosts& known) const;
  void replaceReads(OpId op, const Ways& ways, const L1Prices* prices, ReadCosts& known, std::vector<Cost>& costs) const;
  struct Chosen {
    size_t config = 0, way = 0;
  };
  bool makes(const OpEntry& entry, size_t config, size_t choice) const { return entry.outputs[config] == entry.outputs[static_cast<size_t>(entry.choiceConfig[choice])]; }
  Chosen bestWay(OpId op, size_t choice, const std::vector<int>& values, const L1Prices* prices) const;
  Chosen chosenWay(OpId op, const std::vector<int>& values, const L1Prices* prices) const;
  LayoutId layoutIn(const Place& place, const std::vector<int>& values) const;
  void addMoves(ValueId value, LayoutId from, LayoutId to, int32_t after, int32_t before, const Wait& wait, std::vector<Move>& out) const;
  void fillReads(const OpEntry& entry, const Ways& ways, size_t way, ModelWay& out) const;
  int32_t stepOf(OpId op) const { return problem_.schedule.position[op]; }

  const Problem& problem_;
  ExactMemory& memory_;
  LayoutPool& pool_;
  MoveTime& moves_;
  FactorGraph graph_;
  IdVec<OpId, OpEntry> ops_;
  IdVec<ValueId, ValueEntry> values_;
  std::vector<PlanTrack> seeds_;
  // What tables ask for again and again.
  mutable IdVec<ValueId, LayoutId> dram_;    // DRAM layout by value; kNoLayout: not asked yet
  mutable std::vector<int64_t> l1Bytes_;     // by layout; -1: not asked yet
  int64_t wayCount_ = 0;
};

}  // namespace tessera

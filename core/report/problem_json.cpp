#include "core/report/problem_json.h"

#include <algorithm>
#include <unordered_map>

#include "core/ops/model/interner.h"
#include "core/plan/config_json.h"
#include "core/plan/layout_json.h"
#include "core/plan/plan_json.h"
#include "core/policy/kit/move_time.h"
#include "core/policy/kit/op_choice.h"
#include "core/report/problem_candidates.h"

namespace tessera {

namespace {

// Tensors of one shape and element type: the layouts in which they occur.
struct TensorClass {
  ValueId example;
  std::vector<LayoutId> layouts;  // in the order in which they were met
};

// Ops that may run as the same candidates.
struct OpClass {
  OpId example;
  std::vector<OfferedCandidate> candidates;
};

class ProblemWriter {
 public:
  explicit ProblemWriter(const Problem& problem)
      : problem_(problem),
        graph_(problem.graph),
        func_(graph_.funcs[graph_.forward]),
        table_(problem.device),
        moves_(problem, moveMemory_),
        typeOf_(graph_.values.size(), -1),
        classOf_(graph_.ops.size(), -1),
        numberOf_(graph_.values.size(), -1) {
    for (ValueId arg : func_.args) addValue(arg);
    for (OpId op : func_.ops) {
      for (ValueId result : graph_.ops[op].results) addValue(result);
    }
    for (OpId op : func_.ops) classify(op);
  }

  std::string write(std::string_view optionsJson) {
    w_.beginObject();
    w_.field("schema", kProblemSchema);
    w_.field("tessera", TESSERA_VERSION);
    w_.field("graph", std::string_view(graphFingerprint(graph_)));
    w_.field("function", std::string_view(func_.name));
    w_.key("options");
    w_.raw(optionsJson);
    w_.key("grid");
    w_.beginArray(), w_.integer(problem_.device.grid.rows), w_.integer(problem_.device.grid.cols), w_.endArray();
    w_.field("budget", problem_.budget.bytes().count);
    writeOps();
    writeClasses();
    writeValues();
    writeTypes();
    writeSettings();
    table_.write(w_);
    w_.endObject();
    return w_.take();
  }

 private:
  void addValue(ValueId value) {
    numberOf_[value] = static_cast<int32_t>(values_.size());
    values_.push_back(value);
    if (!problem_.isTensor(value)) return;
    const auto type = static_cast<int32_t>(moves_.typeOf(value));
    typeOf_[value] = type;
    if (static_cast<size_t>(type) == types_.size()) types_.push_back({value, {}});
    occurs(value, dramLayout(problem_, value));
    occurs(value, l1InterleavedLayout(problem_, value));
    if (problem_.pinned[value]) occurs(value, *problem_.pinned[value]);
  }

  void occurs(ValueId value, const TensorLayout& layout) {
    std::vector<LayoutId>& known = types_[static_cast<size_t>(typeOf_[value])].layouts;
    const LayoutId id = pool_.intern(layout);
    if (std::find(known.begin(), known.end(), id) == known.end()) known.push_back(id);
  }

  // Everything on which an op's candidates depend: what the op model reads, where operands start, what is given.
  Key keyOf(OpId op) {
    Key key = opClassKey(graph_, op);
    const auto add = [&](const std::optional<TensorLayout>& layout) {
      key.push_back(layout ? static_cast<uint32_t>(pool_.intern(*layout)) : ~uint32_t{0});
    };
    for (const auto& layout : startingReads(problem_, op)) add(layout);
    for (ValueId result : graph_.ops[op].results) add(problem_.pinned[result]);
    const std::vector<ValueId>& operands = graph_.ops[op].operands;
    key.push_back(!operands.empty() && diesAt(problem_, operands[0], op));
    const std::vector<OpConfig>& configs = problem_.configs[op];
    key.push_back(findOverride(problem_.options.layoutOverrides, graph_, op) != nullptr);
    key.push_back(static_cast<uint32_t>(configs.size()));
    for (const OpConfig& config : configs) {
      add(config.output);
      key.push_back(settingsOf(config));
    }
    return key;
  }

  // Number of the settings; 0 for none.
  uint32_t settingsOf(const OpConfig& config) {
    if (std::holds_alternative<std::monostate>(config.attrs)) return 0;
    for (size_t i = 0; i < settings_.size(); ++i) {
      if (settings_[i].attrs == config.attrs) return static_cast<uint32_t>(i) + 1;
    }
    settings_.push_back(config);
    return static_cast<uint32_t>(settings_.size());
  }

  void classify(OpId op) {
    if (opInfo(graph_.ops[op].kind).has(kTerminator)) return;
    const auto number = static_cast<size_t>(classNumbers_.numberOf(keyOf(op)));
    classOf_[op] = static_cast<int32_t>(number);
    if (number < classes_.size()) return;
    classes_.push_back({op, offeredCandidates(problem_, op)});
    const Op& o = graph_.ops[op];
    for (const OfferedCandidate& candidate : classes_.back().candidates) {
      for (size_t i = 0; i < o.operands.size(); ++i) {
        if (candidate.reads[i]) occurs(o.operands[i], *candidate.reads[i]);
      }
      if (!o.results.empty() && problem_.isTensor(o.results[0])) occurs(o.results[0], candidate.config.output);
    }
  }

  int32_t layoutOf(ValueId value, const TensorLayout& layout) {
    return table_.indexOf(problem_.tensor(value).shape, layout);
  }
  void indexList(std::string_view name, const std::vector<ValueId>& values) {
    w_.key(name);
    w_.beginArray();
    for (ValueId value : values) w_.integer(numberOf_[value]);
    w_.endArray();
  }

  void writeOps() {
    w_.key("ops");
    w_.beginArray();
    for (OpId op : func_.ops) {
      const Op& o = graph_.ops[op];
      w_.beginObject();
      w_.field("op", std::string_view(o.name));
      w_.field("label", std::string_view(o.loc));
      indexList("operands", o.operands);
      indexList("results", o.results);
      w_.field("class", classOf_[op]);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeClasses() {
    w_.key("classes");
    w_.beginArray();
    for (const OpClass& one : classes_) {
      w_.beginArray();
      for (const OfferedCandidate& candidate : one.candidates) writeCandidate(graph_.ops[one.example], candidate);
      w_.endArray();
    }
    w_.endArray();
  }

  void writeCandidate(const Op& op, const OfferedCandidate& candidate) {
    w_.beginObject();
    w_.key("operands");
    w_.beginArray();
    for (size_t i = 0; i < op.operands.size(); ++i)
      w_.integer(candidate.reads[i] ? layoutOf(op.operands[i], *candidate.reads[i]) : -1);
    w_.endArray();
    const bool tensor = !op.results.empty() && problem_.isTensor(op.results[0]);
    w_.field("result", tensor ? layoutOf(op.results[0], candidate.config.output) : -1);
    w_.field("settings", static_cast<int64_t>(settingsOf(candidate.config)) - 1);
    w_.field("time", candidate.time.count);
    w_.field("buffers", candidate.constraints.cbRegionSize.count);
    w_.field("peak", candidate.constraints.peakL1MemorySize.count);
    w_.field("shares", candidate.aliases);
    w_.endObject();
  }

  void writeValues() {
    w_.key("values");
    w_.beginArray();
    for (ValueId value : values_) {
      const bool tensor = problem_.isTensor(value);
      w_.beginObject();
      w_.field("name", std::string_view("%" + graph_.values[value].name));
      w_.field("type", typeOf_[value]);
      w_.field("from", problem_.live[value].def);
      w_.field("to", problem_.live[value].lastUse);
      w_.field("pinned", tensor && problem_.pinned[value] ? layoutOf(value, *problem_.pinned[value]) : -1);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeTypes() {
    w_.key("types");
    w_.beginArray();
    for (const TensorClass& one : types_) {
      const TensorType& type = problem_.tensor(one.example);
      w_.beginObject();
      w_.key("shape");
      w_.beginArray();
      for (int64_t dim : type.shape) w_.integer(dim);
      w_.endArray();
      w_.field("dtype", dtypeName(type.dtype));
      w_.field("dram", layoutOf(one.example, dramLayout(problem_, one.example)));
      w_.field("l1Interleaved", layoutOf(one.example, l1InterleavedLayout(problem_, one.example)));
      w_.key("layouts");
      w_.beginArray();
      for (LayoutId id : one.layouts) w_.integer(layoutOf(one.example, pool_[id]));
      w_.endArray();
      w_.key("bytes");
      w_.beginArray();
      for (LayoutId id : one.layouts) w_.integer(l1BytesPerCore(pool_[id]).count);
      w_.endArray();
      writeConversions(one);
      w_.endObject();
    }
    w_.endArray();
  }

  void writeConversions(const TensorClass& type) {
    w_.key("conversions");
    w_.beginArray();
    for (LayoutId from : type.layouts) {
      w_.beginArray();
      for (LayoutId to : type.layouts) {
        const Cost cost = moves_.of(type.example, from, to);
        w_.integer(isForbidden(cost) ? -1 : cost);
      }
      w_.endArray();
    }
    w_.endArray();
  }

  void writeSettings() {
    w_.key("settings");
    w_.beginArray();
    for (const OpConfig& config : settings_) {
      w_.beginObject();
      writeConfigAttrs(w_, config);
      w_.endObject();
    }
    w_.endArray();
  }

  const Problem& problem_;
  const Graph& graph_;
  const Function& func_;
  LayoutRequestTable table_;
  Interner interner_;  // its own: types are numbered from 0 in the order in which they were met
  LayoutPool& pool_ = interner_.layouts;
  MoveMemory moveMemory_{interner_};
  MoveTime moves_;
  KeyIndex classNumbers_;
  std::vector<ValueId> values_;
  std::vector<TensorClass> types_;
  std::vector<OpClass> classes_;
  std::vector<OpConfig> settings_;  // of which the attributes count
  IdVec<ValueId, int32_t> typeOf_;  // -1: no tensor
  IdVec<OpId, int32_t> classOf_;    // -1: the return
  IdVec<ValueId, int32_t> numberOf_;
  JsonWriter w_;
};

}  // namespace

std::string problemJson(const Problem& problem, std::string_view optionsJson) {
  return ProblemWriter(problem).write(optionsJson);
}

}  // namespace tessera

// Plans from JSON: everything in them is somebody else's word.

#include <algorithm>
#include <unordered_map>

#include "core/plan/check_plan.h"
#include "core/plan/config_json.h"
#include "core/plan/layout_json.h"
#include "core/plan/moves.h"
#include "core/plan/plan_json.h"
#include "core/support/stable_sort.h"

namespace tessera {

namespace {

// More moves than this for each op would only fill the memory.
constexpr size_t kMostMovesPerOp = 16;
constexpr int64_t kMostCoresInADirection = 4096;

std::string foundText(JsonValue value) {
  if (!value.present()) return "missing";
  if (auto number = value.asInteger()) return std::to_string(*number);
  if (auto text = value.asString()) return "\"" + std::string(*text) + "\"";
  return jsonKindName(value.kind());
}

// A row of "layouts": what a layout is made from, for whatever tensor refers to it.
struct LayoutEntry {
  bool good = false;
  LayoutRequest request;
  bool ownDtype = true;                    // the tensor's element type
  int64_t shardRows = -1, shardCols = -1;  // -1: as the grid gives it
};

class PlanReader {
 public:
  PlanReader(JsonValue root, const Problem& problem, Diagnostics& diags)
      : root_(root), problem_(problem), graph_(problem.graph), diags_(diags), func_(graph_.funcs[graph_.forward]) {}

  Plan read() {
    startPlan();
    if (!root_.isObject()) {
      schema("the document", root_, "an object");
      return std::move(plan_);
    }
    checkFields(
        root_, "",
        {"schema", "policy", "graph", "options", "order", "values", "configs", "reshards", "spills", "layouts"});
    const auto version = root_.get("schema").asInteger();
    if (version != kPlanSchema) {
      diags_.report(DiagKind::PlanVersion, {}, {foundText(root_.get("schema")), std::to_string(kPlanSchema)});
      return std::move(plan_);
    }
    plan_.policy = std::string(planAuthor(root_));
    indexNames();
    checkGraph();
    readLayouts();
    readOrder();
    readValues();
    readConfigs();
    readReshards();
    readSpills();
    keepMovesThatMove();
    return std::move(plan_);
  }

 private:
  void schema(const std::string& path, JsonValue found, std::string_view expected) {
    diags_.report(DiagKind::PlanSchema, {}, {path, foundText(found), expected});
  }
  void illegal(PlanRule rule, const std::string& where, const std::string& text, Span span = {}) {
    diags_.report(DiagKind::PlanIllegal, span, {planRuleName(rule), where, text});
  }
  void checkFields(JsonValue object, const std::string& path, std::initializer_list<std::string_view> known) {
    for (size_t i = 0; i < object.size(); ++i) {
      const std::string_view name = object.keyAt(i);
      if (std::find(known.begin(), known.end(), name) == known.end())
        diags_.report(DiagKind::PlanSchema, {}, {path + std::string(name), "not known", "a field of the schema"});
    }
  }
  // A member that must be an array when it is there.
  JsonValue list(std::string_view name) {
    const JsonValue found = root_.get(name);
    if (!found.present() || found.isArray()) return found;
    schema(std::string(name), found, "an array");
    return {};
  }
  std::string opText(OpId op) const {
    const Op& o = graph_.ops[op];
    return o.results.empty() ? o.name : "%" + graph_.values[o.results[0]].name + " " + o.name;
  }

  // As the program has it.
  void startPlan() {
    plan_.policy = "Plan";
    plan_.order = func_.ops;
    plan_.layout.resize(graph_.values.size());
    plan_.config.resize(graph_.ops.size());
    const auto place = [&](ValueId value) {
      if (problem_.isTensor(value))
        plan_.layout[value] = problem_.pinned[value] ? *problem_.pinned[value] : dramLayout(problem_, value);
    };
    for (ValueId arg : func_.args) place(arg);
    for (OpId op : func_.ops) {
      for (ValueId result : graph_.ops[op].results) place(result);
    }
    setOutputs();
  }
  void setOutputs() {
    for (OpId op : func_.ops) {
      if (ValueId result = tensorResult(op); result.valid()) plan_.config[op].output = *plan_.layout[result];
    }
  }
  ValueId tensorResult(OpId op) const {
    for (ValueId result : graph_.ops[op].results) {
      if (problem_.isTensor(result)) return result;
    }
    return {};
  }

  void indexNames() {
    for (ValueId arg : func_.args) values_.emplace("%" + graph_.values[arg].name, arg);
    for (OpId op : func_.ops) {
      for (ValueId result : graph_.ops[op].results) values_.emplace("%" + graph_.values[result].name, result);
    }
  }

  void checkGraph() {
    const JsonValue graph = root_.get("graph");
    if (!graph.present()) return;
    const std::string own = graphFingerprint(graph_);
    if (!graph.isString()) schema("graph", graph, "a text");
    else if (*graph.asString() != own) diags_.report(DiagKind::PlanElsewhere, {}, {*graph.asString(), own});
  }

  void readLayouts() {
    const JsonValue rows = list("layouts");
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string path = "layouts[" + std::to_string(i) + "]";
      layouts_.emplace_back();
      if (!rows.at(i).isObject()) schema(path, rows.at(i), "an object");
      else layouts_.back().good = readLayout(rows.at(i), path + ".", layouts_.back());
    }
  }

  bool readLayout(JsonValue row, const std::string& path, LayoutEntry& entry) {
    checkFields(row, path, {"buffer", "memory", "page", "dtype", "grid", "shard"});
    const auto buffer = parseBufferType(row.get("buffer").asString().value_or(""));
    const bool known = buffer == BufferType::DRAM || buffer == BufferType::L1 || buffer == BufferType::SystemMemory;
    if (!known) return schema(path + "buffer", row.get("buffer"), "dram, l1 or system_memory"), false;
    entry.request.buffer = *buffer;
    const bool host = buffer == BufferType::SystemMemory;
    entry.request.memory = host ? TensorMemoryLayout::None : TensorMemoryLayout::Interleaved;
    entry.request.grid = buffer == BufferType::L1 ? problem_.device.grid : GridShape{};
    if (const JsonValue memory = row.get("memory"); memory.present()) {
      const auto parsed = parseTensorMemoryLayout(memory.asString().value_or(""));
      if (!parsed) return schema(path + "memory", memory, "interleaved, height_sharded ..."), false;
      entry.request.memory = *parsed;
    }
    if (const JsonValue page = row.get("page"); page.present()) {
      const auto parsed = parsePageLayout(page.asString().value_or(""));
      if (!parsed) return schema(path + "page", page, "tile or row_major"), false;
      entry.request.page = *parsed;
    }
    if (const JsonValue dtype = row.get("dtype"); dtype.present()) {
      const auto parsed = parseDType(dtype.asString().value_or(""));
      if (!parsed) return schema(path + "dtype", dtype, "an element type"), false;
      entry.request.dtype = *parsed;
      entry.ownDtype = false;
    }
    int64_t rows = entry.request.grid.rows, cols = entry.request.grid.cols;
    if (!readPair(row.get("grid"), path + "grid", kMostCoresInADirection, rows, cols)) return false;
    entry.request.grid = {static_cast<int32_t>(rows), static_cast<int32_t>(cols)};
    return readPair(row.get("shard"), path + "shard", kMaxBytes, entry.shardRows, entry.shardCols);
  }

  // An absent pair leaves what is there.
  bool readPair(JsonValue pair, const std::string& path, int64_t most, int64_t& first, int64_t& second) {
    if (!pair.present()) return true;
    const auto a = pair.isArray() ? pair.at(0).asInteger() : std::nullopt;
    const auto b = pair.isArray() && pair.size() == 2 ? pair.at(1).asInteger() : std::nullopt;
    if (!a || !b || *a < 0 || *b < 0 || *a > most || *b > most) {
      schema(path, pair, "two sizes up to " + std::to_string(most));
      return false;
    }
    first = *a;
    second = *b;
    return true;
  }

  // The layout of a tensor to which `index` refers; nothing after a report. `where`: what it is of.
  std::optional<TensorLayout> layoutFor(JsonValue index, const std::string& path, ValueId value,
                                        const std::string& where) {
    const auto number = index.asInteger();
    if (!number || *number < 0 || *number >= static_cast<int64_t>(layouts_.size())) {
      schema(path, index, "an index in layouts");
      return {};
    }
    const LayoutEntry& entry = layouts_[static_cast<size_t>(*number)];
    if (!entry.good) return {};  // reported where it stands
    LayoutRequest request = entry.request;
    const TensorType& type = problem_.tensor(value);
    if (entry.ownDtype) request.dtype = deviceDType(type.dtype);
    const auto made = makeLayout(type.shape, request, problem_.device);
    const bool anyShard = entry.shardRows < 0;
    const auto fits = [&](const TensorLayout& layout) {
      return anyShard || (layout.shardRows == entry.shardRows && layout.shardCols == entry.shardCols);
    };
    if (made.ok() && fits(*made)) return *made;
    const std::optional<TensorLayout>& pinned = problem_.pinned[value];
    if (pinned && sameRequest(requestOf(*pinned), request) && fits(*pinned)) return *pinned;
    illegal(PlanRule::LayoutDoesNotFit, where,
            made.ok() ? "the shard differs from what its grid gives" : made.error().text);
    return {};
  }
  static bool sameRequest(const LayoutRequest& a, const LayoutRequest& b) {
    return a.dtype == b.dtype && a.buffer == b.buffer && a.memory == b.memory && a.page == b.page && a.grid == b.grid;
  }

  // The op that a number or the name of its first result means.
  std::optional<OpId> opFor(JsonValue reference, const std::string& path) {
    if (auto number = reference.asInteger(); number && *number >= 0 && *number < static_cast<int64_t>(func_.ops.size()))
      return func_.ops[static_cast<size_t>(*number)];
    if (auto name = reference.asString()) {
      const auto at = values_.find(std::string(*name));
      if (at != values_.end() && graph_.values[at->second].producer.valid()) return graph_.values[at->second].producer;
    }
    schema(path, reference,
           "an op: the name of its first result, or a number below " + std::to_string(func_.ops.size()));
    return {};
  }
  std::optional<ValueId> tensorFor(std::string_view name, const std::string& path) {
    const auto at = values_.find(std::string(name));
    if (at != values_.end() && problem_.isTensor(at->second)) return at->second;
    diags_.report(DiagKind::PlanSchema, {}, {path, "\"" + std::string(name) + "\"", "the name of a tensor"});
    return {};
  }

  // Every op once, producers before consumers, the return last.
  void readOrder() {
    const JsonValue rows = list("order");
    if (!rows.present()) return;
    std::vector<OpId> order;
    std::vector<bool> seen(func_.ops.size(), false);
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto number = rows.at(i).asInteger();
      const bool inRange = number && *number >= 0 && *number < static_cast<int64_t>(seen.size());
      if (!inRange || seen[static_cast<size_t>(*number)])
        return schema("order[" + std::to_string(i) + "]", rows.at(i), "the number of an op that is not yet listed");
      seen[static_cast<size_t>(*number)] = true;
      order.push_back(func_.ops[static_cast<size_t>(*number)]);
    }
    if (order.size() != func_.ops.size() || (!order.empty() && order.back() != func_.ops.back())) {
      return illegal(PlanRule::OrderIncomplete, "order",
                     "it lists " + std::to_string(order.size()) + " of " + std::to_string(func_.ops.size()) +
                         " ops, the return last; the program's order is taken");
    }
    IdVec<ValueId, bool> made(graph_.values.size(), false);
    for (ValueId arg : func_.args) made[arg] = true;
    for (OpId op : order) {
      for (ValueId operand : graph_.ops[op].operands) {
        if (made[operand]) continue;
        return illegal(PlanRule::OrderUseBeforeDef, "`" + opText(op) + "`",
                       "reads %" + graph_.values[operand].name + " before it is made; the program's order is taken",
                       graph_.ops[op].span);
      }
      for (ValueId result : graph_.ops[op].results) made[result] = true;
    }
    plan_.order = std::move(order);
  }

  void readValues() {
    const JsonValue rows = root_.get("values");
    if (rows.present() && !rows.isObject()) return schema("values", rows, "an object");
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::string path = "values." + std::string(rows.keyAt(i));
      const auto value = tensorFor(rows.keyAt(i), path);
      if (!value) continue;
      const std::string where = "`%" + graph_.values[*value].name + "`";
      const auto layout = layoutFor(rows.at(i), path, *value, where);
      if (!layout) continue;
      const std::optional<TensorLayout>& pinned = problem_.pinned[*value];
      if (!pinned || *pinned == *layout) plan_.layout[*value] = *layout;
      else
        illegal(PlanRule::ArgumentMoved, where,
                "is given as " + layoutText(*pinned) + ", the plan has " + layoutText(*layout));
    }
    setOutputs();
  }

  void readConfigs() {
    const JsonValue rows = list("configs");
    for (size_t i = 0; i < rows.size(); ++i) {
      const JsonValue row = rows.at(i);
      const std::string path = "configs[" + std::to_string(i) + "].";
      if (!row.isObject()) {
        schema("configs[" + std::to_string(i) + "]", row, "an object");
        continue;
      }
      checkFields(row, path, {"op", "output", "conv2d", "matmul"});
      const auto op = opFor(row.get("op"), path + "op");
      if (!op) continue;
      OpConfig& config = plan_.config[*op];
      if (const ConfigMistake mistake = readConfigAttrs(row, config); !mistake.field.empty())
        diags_.report(DiagKind::PlanSchema, {}, {path + mistake.field, mistake.found, mistake.expected});
      const JsonValue output = row.get("output");
      const ValueId result = tensorResult(*op);
      if (!output.present()) continue;
      if (!result.valid()) {
        schema(path + "output", output, "nothing, since the op has no tensor result");
      } else if (auto layout = layoutFor(output, path + "output", result, "`" + opText(*op) + "`")) {
        config.output = *layout;
      }
    }
  }

  bool tooMany(std::string_view name, JsonValue rows) {
    const size_t most = kMostMovesPerOp * (func_.ops.size() + 1);
    if (rows.size() <= most) return false;
    diags_.report(DiagKind::PlanSchema, {},
                  {name, std::to_string(rows.size()) + " moves", "at most " + std::to_string(most)});
    return true;
  }

  void readReshards() {
    const JsonValue rows = list("reshards");
    if (tooMany("reshards", rows)) return;
    for (size_t i = 0; i < rows.size(); ++i) {
      const JsonValue row = rows.at(i);
      const std::string path = "reshards[" + std::to_string(i) + "].";
      checkFields(row, path, {"op", "operand", "to"});
      const auto op = opFor(row.get("op"), path + "op");
      if (!op) continue;
      const std::vector<ValueId>& operands = graph_.ops[*op].operands;
      const auto operand = row.get("operand").asInteger();
      const bool inRange = operand && *operand >= 0 && *operand < static_cast<int64_t>(operands.size());
      if (!inRange || !problem_.isTensor(operands[static_cast<size_t>(*operand)])) {
        schema(path + "operand", row.get("operand"), "the number of a tensor operand of `" + opText(*op) + "`");
        continue;
      }
      const std::string where = "`" + opText(*op) + "` operand " + std::to_string(*operand);
      if (auto to = layoutFor(row.get("to"), path + "to", operands[static_cast<size_t>(*operand)], where))
        plan_.reshards.push_back({*op, static_cast<int32_t>(*operand), *to});
    }
  }

  std::optional<SpillCause> causeOf(JsonValue row, OpId before) const {
    const JsonValue cause = row.get("cause");
    if (!cause.present()) return before == func_.ops.back() ? SpillCause::FunctionReturn : SpillCause::Memory;
    for (SpillCause known : {SpillCause::FunctionReturn, SpillCause::Memory, SpillCause::Constraint,
                             SpillCause::ChainEnd, SpillCause::Shared}) {
      if (cause.asString() == spillCauseName(known)) return known;
    }
    return {};
  }

  void readSpills() {
    const JsonValue rows = list("spills");
    if (tooMany("spills", rows)) return;
    for (size_t i = 0; i < rows.size(); ++i) {
      const JsonValue row = rows.at(i);
      const std::string path = "spills[" + std::to_string(i) + "].";
      checkFields(row, path, {"value", "before", "to", "cause"});
      const auto name = row.get("value").asString();
      if (!name) {
        schema(path + "value", row.get("value"), "the name of a tensor");
        continue;
      }
      const auto value = tensorFor(*name, path + "value");
      const auto before = value ? opFor(row.get("before"), path + "before") : std::nullopt;
      if (!before) continue;
      const auto cause = causeOf(row, *before);
      if (!cause) schema(path + "cause", row.get("cause"), "return, memory, constraint, chain end or shared");
      const std::string where = "`%" + graph_.values[*value].name + "` before `" + opText(*before) + "`";
      const auto to = layoutFor(row.get("to"), path + "to", *value, where);
      if (cause && to) plan_.spills.push_back({*value, *before, *to, *cause});
    }
  }

  // In schedule order, and only those that move a tensor that is there and that is read afterwards.
  void keepMovesThatMove() {
    IdVec<OpId, int32_t> at(graph_.ops.size(), -1);
    for (size_t i = 0; i < plan_.order.size(); ++i) at[plan_.order[i]] = static_cast<int32_t>(i);
    IdVec<ValueId, int32_t> lastRead(graph_.values.size(), -1);
    for (OpId op : plan_.order) {
      for (ValueId operand : graph_.ops[op].operands) lastRead[operand] = at[op];
    }
    stableSort(plan_.spills, [&](const Spill& a, const Spill& b) { return at[a.before] < at[b.before]; });
    stableSort(plan_.reshards, [&](const Reshard& a, const Reshard& b) {
      return at[a.consumer] != at[b.consumer] ? at[a.consumer] < at[b.consumer] : a.operand < b.operand;
    });
    IdVec<ValueId, std::optional<TensorLayout>> now = plan_.layout;
    std::vector<Spill> spills;
    std::vector<Reshard> reshards;
    size_t nextSpill = 0, nextReshard = 0;
    for (OpId op : plan_.order) {
      for (; nextSpill < plan_.spills.size() && plan_.spills[nextSpill].before == op; ++nextSpill) {
        const Spill& spill = plan_.spills[nextSpill];
        const OpId producer = graph_.values[spill.value].producer;
        const char* problem = producer.valid() && at[producer] >= at[op] ? "it is not made yet"
                              : lastRead[spill.value] < at[op]           ? "nothing reads it any more"
                              : *now[spill.value] == spill.to            ? "it is there already"
                                                                         : nullptr;
        if (problem)
          illegal(PlanRule::SpillUnused, "`%" + graph_.values[spill.value].name + "` before `" + opText(op) + "`",
                  problem, graph_.ops[op].span);
        else spills.push_back(spill), now[spill.value] = spill.to;
      }
      for (; nextReshard < plan_.reshards.size() && plan_.reshards[nextReshard].consumer == op; ++nextReshard)
        keepReshard(plan_.reshards[nextReshard], now, reshards);
    }
    plan_.spills = std::move(spills);
    plan_.reshards = std::move(reshards);
  }

  void keepReshard(const Reshard& reshard, const IdVec<ValueId, std::optional<TensorLayout>>& now,
                   std::vector<Reshard>& kept) {
    const Op& op = graph_.ops[reshard.consumer];
    const ValueId value = op.operands[static_cast<size_t>(reshard.operand)];
    const bool twice =
        !kept.empty() && kept.back().consumer == reshard.consumer && kept.back().operand == reshard.operand;
    const char* problem = twice ? "it is converted twice" : *now[value] == reshard.to ? "it is there already" : nullptr;
    if (!problem) return kept.push_back(reshard);
    illegal(PlanRule::ReshardOfNothing, "`" + opText(reshard.consumer) + "` operand " + std::to_string(reshard.operand),
            problem, op.span);
  }

  const JsonValue root_;
  const Problem& problem_;
  const Graph& graph_;
  Diagnostics& diags_;
  const Function& func_;
  Plan plan_;
  std::vector<LayoutEntry> layouts_;
  std::unordered_map<std::string, ValueId> values_;
};

}  // namespace

std::string_view planAuthor(JsonValue root) { return root.get("policy").asString().value_or(""); }

Plan readPlan(JsonValue root, const Problem& problem, Diagnostics& diags) {
  return PlanReader(root, problem, diags).read();
}

}  // namespace tessera

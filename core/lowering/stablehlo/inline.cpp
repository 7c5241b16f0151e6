// Calls, loops and branches are replaced by what they run, so that one function is left.

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/ir/bodies.h"
#include "core/ir/constant_value.h"
#include "core/ir/functions.h"
#include "core/lowering/rewriter.h"
#include "core/lowering/stablehlo/stablehlo.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

constexpr size_t kMostInlinedOps = 200'000;  // a file of nested calls may stand for any number
constexpr int64_t kMostTurns = 64;           // of a loop that is unrolled
constexpr size_t kDeepestInlining = 64;
constexpr int64_t kSaneCount = int64_t{1} << 40;  // of a counter, so that nothing overflows

std::string wordOf(const Op& op, std::string_view name) {
  const AttrValue* a = findAttr(op, name);
  return a != nullptr && a->kind == AttrValueKind::String ? a->string : std::string();
}

class Inliner {
 public:
  explicit Inliner(const Graph& graph) : graph_(graph), rewriter_(graph) {
    for (FuncId id : graph.funcs.ids()) byName_.emplace(graph.funcs[id].name, id);
  }

  PassResult run() {
    if (graph_.forward.valid()) start();
    while (!frames_.empty()) step();
    copyOthers();
    PassResult result;
    result.graph = rewriter_.finish();
    result.notes = std::move(notes_);
    result.problems = std::move(problems_);
    return result;
  }

 private:
  // A body that is being emitted into the forward function.
  struct Frame {
    FuncId func;
    size_t next = 0;
    OpId call;                                  // invalid for the forward function
    int64_t turnsLeft = 0;                      // of a loop, besides this one
    std::vector<FuncId> branches;               // of a choice, still to be emitted
    std::vector<std::vector<ValueId>> results;  // of the branches that were
  };

  // Bodies that ops of the forward function still name are copied as they are.
  void copyOthers() {
    for (FuncId id : graph_.funcs.ids()) {
      if (id == graph_.forward) continue;
      const Function& func = graph_.funcs[id];
      for (size_t i = 0; i < func.args.size(); ++i) rewriter_.map(func.args[i], rewriter_.graph().funcs[id].args[i]);
      for (OpId op : func.ops) rewriter_.copy(op);
    }
  }

  void start() { frames_.push_back({graph_.forward, 0, {}, 0, {}, {}}); }

  const Function& funcOf(const Frame& frame) const { return graph_.funcs[frame.func]; }

  FuncId callee(const Op& op, std::string_view attr) const {
    std::string name = wordOf(op, attr);
    auto at = byName_.find(name);
    return at == byName_.end() || graph_.funcs[at->second].ops.empty() ? FuncId{} : at->second;
  }

  bool running(FuncId func) const {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) { return frame.func == func; });
  }

  bool roomFor(FuncId func) const {
    return func.valid() && !running(func) && frames_.size() < kDeepestInlining &&
           emitted_ + graph_.funcs[func].ops.size() < kMostInlinedOps;
  }

  void step() {
    size_t depth = frames_.size() - 1;
    const Function& func = funcOf(frames_[depth]);
    if (frames_[depth].next >= func.ops.size()) {
      frames_.pop_back();  // a body without return: verified elsewhere
      return;
    }
    OpId id = func.ops[frames_[depth].next++];
    const Op& op = graph_.ops[id];
    if (opInfo(op.kind).has(kTerminator) && depth > 0) return finishFrame(op);
    if (expand(id)) return;
    emitCopy(id);
  }

  // The op in the forward function, whichever function it stands in.
  void emitCopy(OpId id) {
    const Op& op = graph_.ops[id];
    ++emitted_;
    if (op.func == graph_.forward) {
      rewriter_.copy(id);
      return;
    }
    OpSpec spec{op.kind, op.name, {}, {}, op.attrs, {}, op.loc, op.span, op.origins};
    for (ValueId operand : op.operands) spec.operands.push_back(rewriter_.now(operand));
    for (ValueId result : op.results) spec.resultTypes.push_back(graph_.values[result].type);
    if (!op.results.empty()) spec.resultName = graph_.values[op.results[0]].name;
    OpId made = rewriter_.emit(graph_.forward, std::move(spec));
    for (size_t i = 0; i < op.results.size(); ++i) rewriter_.map(op.results[i], rewriter_.result(made, i));
  }

  bool enter(OpId call, FuncId func, const std::vector<ValueId>& arguments, int64_t turnsLeft = 0) {
    const Function& body = graph_.funcs[func];
    if (body.args.size() > arguments.size()) return false;
    for (size_t i = 0; i < body.args.size(); ++i) rewriter_.map(body.args[i], arguments[i]);
    frames_.push_back({func, 0, call, turnsLeft, {}, {}});
    return true;
  }

  std::vector<ValueId> operandsNow(const Op& op) const {
    std::vector<ValueId> out;
    for (ValueId operand : op.operands) out.push_back(rewriter_.now(operand));
    return out;
  }

  void problem(OpId id, std::string why, bool computesOther = false) {
    problems_.push_back({id, std::move(why), true, computesOther});
  }

  bool fits(const Op& op, FuncId func, size_t operands) const {
    const Function& body = graph_.funcs[func];
    return body.args.size() == operands && body.resultTypes.size() == op.results.size();
  }

  // True when the op is replaced by a body (or is nothing).
  bool expand(OpId id) {
    const Op& op = graph_.ops[id];
    if ((op.kind == OpKind::FuncCall || op.kind == OpKind::ShloComposite) && expandCall(id)) return true;
    if (op.kind == OpKind::ShloWhile) return expandLoop(id);
    if (op.kind == OpKind::ShloCase || op.kind == OpKind::ShloIf) return expandChoice(id);
    bool call = op.kind == OpKind::FuncCall || op.kind == OpKind::ShloCustomCall;
    std::string target = call ? wordOf(op, op.kind == OpKind::FuncCall ? "callee" : "call_target_name") : std::string();
    bool mark = op.results.size() == 1 && !op.operands.empty() && target.rfind("tt.mark", 0) == 0 &&
                graph_.values[op.results[0]].type == graph_.values[op.operands[0]].type;
    if (!mark) return false;
    adoptMark(op);
    rewriter_.map(op.results[0], rewriter_.now(op.operands[0]));
    return true;
  }

  // What tt.mark_argument says of the argument it reads.
  void adoptMark(const Op& op) {
    ValueId value = rewriter_.now(op.operands[0]);
    Value& argument = rewriter_.graph().values.edit(value);
    const AttrValue* marks = findAttr(op, "mhlo.frontend_attributes");
    if (argument.producer.valid() || marks == nullptr || argument.role != ArgRole::None) return;
    auto entry = [&](std::string_view name) -> std::string {
      size_t at = marks->text.find(name);
      size_t open = at == std::string::npos ? at : marks->text.find('"', at + name.size());
      size_t close = open == std::string::npos ? open : marks->text.find('"', open + 1);
      return close == std::string::npos ? std::string() : marks->text.substr(open + 1, close - open - 1);
    };
    std::string type = entry("ttcore.argument_type");
    argument.role = type == "parameter"  ? ArgRole::Parameter
                    : type == "constant" ? ArgRole::Constant
                    : type == "input"    ? ArgRole::Input
                                         : ArgRole::None;
    if (argument.label.empty()) argument.label = entry("ttir.name");
    argument.attrs = argumentAttrs(argument.role, argument.label, argument.attrs);
  }

  bool expandCall(OpId id) {
    const Op& op = graph_.ops[id];
    bool composite = op.kind == OpKind::ShloComposite;
    if (composite && hasCompositeRule(wordOf(op, "name"))) return false;
    FuncId func = callee(op, composite ? "decomposition" : "callee");
    if (!func.valid()) return false;
    if (running(func)) return problem(id, "the function calls itself"), false;
    if (!roomFor(func)) return problem(id, "its calls stand for more ops than are read"), false;
    return fits(op, func, op.operands.size()) && enter(id, func, operandsNow(op));
  }

  // --- loops

  std::optional<int64_t> numberOf(const Graph& graph, OpId made) const {
    if (!made.valid()) return {};
    const Op& op = graph.ops[made];
    bool constant = op.kind == OpKind::ShloConstant || op.kind == OpKind::ArithConstant;
    const AttrValue* value = constant ? findAttr(op, "value") : nullptr;
    const ValueType& type = graph.values[op.results[0]].type;
    if (value == nullptr || !type.isTensor() || isFloatType(type.tensor->dtype) ||
        elementCount(type.tensor->shape) != 1)
      return {};
    std::optional<ConstantValue> read = readConstant(value->text, type.tensor->dtype, 1);
    return read && read->integers.size() == 1 ? std::optional(read->integers[0]) : std::nullopt;
  }

  // A number in a body: a constant of it, or an argument that stands for a constant outside; invalid: for none.
  std::optional<int64_t> numberIn(FuncId func, ValueId value, const std::vector<ValueId>& arguments) {
    const Function& body = graph_.funcs[func];
    for (size_t i = 0; i < body.args.size() && i < arguments.size(); ++i) {
      if (body.args[i] != value) continue;
      if (!arguments[i].valid()) return {};
      return numberOf(rewriter_.graph(), rewriter_.graph().values[arguments[i]].producer);
    }
    return numberOf(graph_, graph_.values[value].producer);
  }

  // The arguments of a loop's condition or body that are the same in every turn: captured, or given on as they are.
  static std::vector<ValueId> constantOnes(std::vector<ValueId> arguments, const Function& turn, const Op& last,
                                           size_t carried) {
    for (size_t i = 0; i < carried; ++i) {
      if (i >= last.operands.size() || last.operands[i] != turn.args[i]) arguments[i] = ValueId{};
    }
    return arguments;
  }

  // What a turn adds to a counter that the body is given as `counter` and gives back as `next`.
  std::optional<int64_t> stepOf(FuncId body, ValueId counter, ValueId next, const std::vector<ValueId>& arguments) {
    OpId id = graph_.values[next].producer;
    if (!id.valid()) return {};
    const Op& op = graph_.ops[id];
    const bool adds = op.kind == OpKind::ShloAdd, subtracts = op.kind == OpKind::ShloSubtract;
    if ((!adds && !subtracts) || op.operands.size() != 2) return {};
    if (op.operands[0] != counter && !(adds && op.operands[1] == counter)) return {};
    std::optional<int64_t> step = numberIn(body, op.operands[op.operands[0] == counter ? 1 : 0], arguments);
    if (!step || std::abs(*step) > kSaneCount) return {};
    return subtracts ? -*step : *step;
  }

  // How often the body of a loop runs whose condition compares a counter with a number, `i < n` or `i >= n`, and whose
  // turns add a number to it; -1: not known.
  int64_t turnsOf(const Op& op, FuncId condition, FuncId body, const std::vector<ValueId>& first,
                  const std::vector<ValueId>& second) {
    const Function& test = graph_.funcs[condition];
    const Op& given = graph_.ops[test.ops.back()];
    if (given.operands.size() != 1) return -1;
    OpId compareId = graph_.values[given.operands[0]].producer;
    if (!compareId.valid() || graph_.ops[compareId].kind != OpKind::ShloCompare) return -1;
    const Op& compare = graph_.ops[compareId];
    if (compare.operands.size() != 2) return -1;
    std::string direction = wordOf(compare, "comparison_direction");
    auto counter = std::find(test.args.begin(), test.args.end(), compare.operands[0]);
    const size_t carried = op.results.size();
    const bool straight =
        counter != test.args.end() && counter < test.args.begin() + static_cast<std::ptrdiff_t>(carried);
    if (!straight) counter = std::find(test.args.begin(), test.args.end(), compare.operands[1]);
    if (counter == test.args.end()) return -1;
    auto index = static_cast<size_t>(counter - test.args.begin());
    if (index >= carried) return -1;
    const Function& turn = graph_.funcs[body];
    const Op& last = graph_.ops[turn.ops.back()];
    if (index >= last.operands.size()) return -1;
    std::optional<int64_t> from = numberIn(condition, test.args[index], first);
    std::optional<int64_t> to =
        numberIn(condition, compare.operands[straight ? 1 : 0], constantOnes(first, turn, last, carried));
    std::optional<int64_t> step =
        stepOf(body, turn.args[index], last.operands[index], constantOnes(second, turn, last, carried));
    if (!from || !to || !step || *step == 0 || std::abs(*from) > kSaneCount || std::abs(*to) > kSaneCount) return -1;
    return turnsBetween(*from, *to, *step, direction, straight);
  }

  // Turns of a counter that goes on from `from` by `step` while it compares so with `to`.
  static int64_t turnsBetween(int64_t from, int64_t to, int64_t step, std::string_view direction, bool straight) {
    // Downwards is upwards with all signs turned, and `n > i` is `i < n`.
    const bool less = direction == "LT" || direction == "LE", more = direction == "GT" || direction == "GE";
    const bool up = step > 0;
    if (direction == "NE") return (to - from) % step == 0 && (to - from) / step >= 0 ? (to - from) / step : -1;
    if ((!less && !more) || less != (up == straight)) return -1;
    const int64_t distance = (up ? to - from : from - to) + (direction == "LE" || direction == "GE" ? 1 : 0);
    const int64_t size = std::abs(step);
    return distance <= 0 ? 0 : (distance + size - 1) / size;
  }

  bool expandLoop(OpId id) {
    const Op& op = graph_.ops[id];
    FuncId condition = callee(op, "body"), body = callee(op, "body1");
    if (!condition.valid() || !roomFor(body)) return false;
    const AttrValue* captures = findAttr(op, "captures");
    size_t carried = op.results.size(), ofTest = 0;
    if (captures != nullptr && captures->ints.size() == 2) ofTest = static_cast<size_t>(captures->ints[0]);
    std::vector<ValueId> operands = operandsNow(op);
    if (operands.size() < carried + ofTest) return false;
    std::vector<ValueId> first(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(carried + ofTest));
    std::vector<ValueId> second(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(carried));
    second.insert(second.end(), operands.begin() + static_cast<std::ptrdiff_t>(carried + ofTest), operands.end());
    if (!fits(op, body, second.size()) || graph_.funcs[condition].args.size() != first.size()) return false;
    int64_t turns = turnsOf(op, condition, body, first, second);
    if (turns == 0) {
      for (size_t i = 0; i < carried; ++i) rewriter_.map(op.results[i], operands[i]);
      return true;
    }
    bool unrolls = turns > 0 && turns <= kMostTurns &&
                   static_cast<size_t>(turns) * graph_.funcs[body].ops.size() + emitted_ < kMostInlinedOps;
    if (!unrolls) {
      std::string count = turns > 0 ? std::to_string(turns) + " turns" : "an unknown number of turns";
      problem(id, "one turn of the loop's body stands for " + count + "; the compiler takes no loops", true);
    }
    loopArguments_[id.index] =
        std::vector<ValueId>(second.begin() + static_cast<std::ptrdiff_t>(carried), second.end());
    return enter(id, body, second, unrolls ? turns - 1 : 0);
  }

  // --- choices

  // All branches, then a choice between their results.
  bool expandChoice(OpId id) {
    const Op& op = graph_.ops[id];
    std::vector<FuncId> branches;
    size_t reads = 1;  // operands, for all branches
    for (size_t r = 0;; ++r) {
      std::string attr = r == 0 ? "body" : "body" + std::to_string(r);
      if (findAttr(op, attr) == nullptr) break;
      FuncId func = callee(op, attr);
      if (!roomFor(func) || graph_.funcs[func].resultTypes.size() != op.results.size() ||
          graph_.funcs[func].args.size() != captured(op, r))
        return false;
      reads += captured(op, r);
      branches.push_back(func);
    }
    if (branches.empty() || op.operands.size() < reads) return false;
    if (!graph_.values[op.operands[0]].type.isTensor()) return false;  // no index, no truth value
    enterBranch(id, branches, 0);
    frames_.back().branches = std::move(branches);
    return true;
  }

  // How many operands a branch of a choice reads.
  static size_t captured(const Op& op, size_t branch) {
    const AttrValue* captures = findAttr(op, "captures");
    return captures != nullptr && branch < captures->ints.size() ? static_cast<size_t>(captures->ints[branch]) : 0;
  }

  void enterBranch(OpId id, const std::vector<FuncId>& branches, size_t which) {
    const Op& op = graph_.ops[id];
    std::vector<ValueId> operands = operandsNow(op);
    size_t from = 1;
    for (size_t r = 0; r < which; ++r) from += captured(op, r);
    std::vector<ValueId> arguments(operands.begin() + static_cast<std::ptrdiff_t>(from),
                                   operands.begin() + static_cast<std::ptrdiff_t>(from + captured(op, which)));
    enter(id, branches[which], arguments);
  }

  ValueId choose(const Op& op, ValueId condition, ValueId yes, ValueId no) {
    ValueType type = rewriter_.graph().values[yes].type;
    OpSpec spec = makeOp(OpKind::ShloSelect, {condition, yes, no}, {type});
    spec.resultName = graph_.values[op.results[0]].name;  // "r:1" is no name of an op's only result
    spec.loc = op.loc;
    spec.span = op.span;
    spec.origins = op.origins;
    return rewriter_.result(rewriter_.emit(graph_.forward, std::move(spec)));
  }

  // The predicate of `if`, or `index == which` of `case`.
  ValueId conditionOf(const Op& op, size_t which) {
    ValueId index = rewriter_.now(op.operands[0]);
    if (op.kind == OpKind::ShloIf) return index;
    ValueType type = rewriter_.graph().values[index].type, flag = type;
    flag.tensor->dtype = DType::I1;
    std::string element = type.tensor->spelled;
    if (element.empty()) element = dtypeName(type.tensor->dtype);
    OpSpec number = makeOp(OpKind::ShloConstant, {}, {type});
    number.attrs = {{"value", rawAttr("dense<" + std::to_string(which) + "> : tensor<" + element + ">")}};
    number.origins = op.origins;
    ValueId wanted = rewriter_.result(rewriter_.emit(graph_.forward, std::move(number)));
    OpSpec compare = makeOp(OpKind::ShloCompare, {index, wanted}, {flag});
    compare.attrs = {{"comparison_direction", stringAttr("EQ")}};
    compare.origins = op.origins;
    return rewriter_.result(rewriter_.emit(graph_.forward, std::move(compare)));
  }

  void finishChoice(Frame frame, std::vector<ValueId> results) {
    const Op& op = graph_.ops[frame.call];
    frame.results.push_back(std::move(results));
    size_t which = frame.results.size();
    if (which < frame.branches.size()) {
      enterBranch(frame.call, frame.branches, which);
      frames_.back().branches = std::move(frame.branches);
      frames_.back().results = std::move(frame.results);
      return;
    }
    // `case` takes the last branch for any other index; `if` the second when the predicate is false.
    std::vector<ValueId> chosen = frame.results.back();
    for (size_t b = frame.results.size() - 1; b > 0; --b) {
      ValueId condition = conditionOf(op, b - 1);
      for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = choose(op, condition, frame.results[b - 1][i], chosen[i]);
    }
    for (size_t i = 0; i < op.results.size(); ++i) rewriter_.map(op.results[i], chosen[i]);
  }

  void finishFrame(const Op& ret) {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    const Op& op = graph_.ops[frame.call];
    std::vector<ValueId> results = operandsNow(ret);
    results.resize(op.results.size(), results.empty() ? ValueId{} : results.back());
    if (!frame.branches.empty()) return finishChoice(std::move(frame), std::move(results));
    if (frame.turnsLeft > 0) {
      std::vector<ValueId> arguments = results;
      const std::vector<ValueId>& rest = loopArguments_[frame.call.index];
      arguments.insert(arguments.end(), rest.begin(), rest.end());
      enter(frame.call, frame.func, arguments, frame.turnsLeft - 1);
      return;
    }
    for (size_t i = 0; i < op.results.size(); ++i) rewriter_.map(op.results[i], results[i]);
  }

  const Graph& graph_;
  GraphRewriter rewriter_;
  std::unordered_map<std::string_view, FuncId> byName_;
  std::vector<Frame> frames_;
  std::unordered_map<int32_t, std::vector<ValueId>> loopArguments_;  // captured by the body of a loop
  std::vector<PassNote> notes_, problems_;
  size_t emitted_ = 0;
};

}  // namespace

PassResult inlineStablehlo(const Graph& graph, const PassContext&) {
  if (!graph.forward.valid()) return {graph};
  PassResult result = Inliner(graph).run();
  // Notes name ops of the given graph or of the forward function, whose ops keep their order.
  const IdVec<FuncId, char> keeps = reachableFrom(result.graph, result.graph.forward);
  result.graph = keepFunctions(std::move(result.graph), keeps);
  return result;
}

}  // namespace tessera

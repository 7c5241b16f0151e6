#include "core/lowering/rewriter.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

std::vector<OpId> joinOrigins(const std::vector<OpId>& a, const std::vector<OpId>& b) {
  std::vector<OpId> joined;
  joined.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    bool takeA = j == b.size() || (i < a.size() && a[i] <= b[j]);
    OpId next = takeA ? a[i] : b[j];
    if (takeA && j < b.size() && a[i] == b[j]) ++j;
    if (takeA) ++i;
    else ++j;
    joined.push_back(next);
  }
  return joined;
}

bool givesTensors(const Graph& graph, const Op& op) {
  return std::all_of(op.results.begin(), op.results.end(),
                     [&](ValueId result) { return graph.values[result].type.isTensor(); });
}

GraphRewriter::GraphRewriter(const Graph& from, Ids ids)
    : from_(from), ids_(ids), now_(from.values.size()), oldNames_(from), newNames_(out_) {
  if (ids == Ids::Kept) {
    out_ = from;
    for (Function& func : out_.funcs) {
      func.ops.clear();
      for (ValueId arg : func.args) now_[arg] = arg;
    }
    return;
  }
  out_.ops.reserve(from.ops.size());
  out_.values.reserve(from.values.size());
  copyModule(from, out_);
  out_.forward = from.forward;
  for (const Function& func : from.funcs) {
    Function copy = func;
    copy.ops.clear();
    for (ValueId& arg : copy.args) {
      ValueId old = arg;
      arg = out_.values.push(from.values, old);
      now_[old] = arg;
    }
    out_.funcs.push(std::move(copy));
  }
}

// Only passes that name something new need this.
void GraphRewriter::learnNames() {
  nextNumber_.resize(from_.funcs.size(), 0);
  lastSuffix_.resize(from_.funcs.size());
  oldNames_.reserve(from_.values.size());
  for (FuncId id : from_.funcs.ids()) {
    int64_t& next = nextNumber_[static_cast<size_t>(id.index)];
    const auto learn = [&](ValueId value) {
      oldNames_.add(id, value);
      next = std::max(next, plainNumber(from_.values[value].name) + 1);
    };
    for (ValueId arg : from_.funcs[id].args) learn(arg);
    for (OpId op : from_.funcs[id].ops) {
      for (ValueId result : from_.ops[op].results) learn(result);
    }
  }
}

ValueId GraphRewriter::now(ValueId old) const {
  TESSERA_CHECK(now_[old].valid(), "the value has not been copied yet");
  return now_[old];
}

bool GraphRewriter::taken(FuncId func, const std::string& base, size_t results) const {
  const auto has = [&](const std::string& name) { return oldNames_.has(func, name) || newNames_.has(func, name); };
  for (size_t i = 0; i < results; ++i) {
    if (i == 0 ? has(base) : has(resultName(base, i))) return true;
  }
  return false;
}

std::string GraphRewriter::freeName(FuncId func, const std::string& wish, size_t results) {
  if (nextNumber_.empty()) learnNames();
  int64_t& next = nextNumber_[static_cast<size_t>(func.index)];
  std::string name = wish;
  if (wish.empty() ||
      plainNumber(wish) >= 0) {  // "%0_1" is no MLIR name: a number that is taken gives the next free one
    while (wish.empty() ? name.empty() || taken(func, name, results) : taken(func, name, results))
      name = std::to_string(next++);
    return name;
  }
  if (!taken(func, name, results)) return name;
  // What was taken stays taken, but a suffix that had no room for several results may have it for fewer.
  int64_t lone = 0;
  int64_t& last = results == 1 ? lastSuffix_[static_cast<size_t>(func.index)][wish] : lone;
  do name = wish + "_" + std::to_string(++last);
  while (taken(func, name, results));
  return name;
}

OpId GraphRewriter::append(FuncId func, OpSpec spec, const std::vector<std::string>* names) {
  sortAttrs(spec.attrs);
  Op op = takeOp(spec, func);
  for (ValueId operand : op.operands) TESSERA_CHECK(out_.values[operand].func == func, "operand of another function");
  OpId id = out_.ops.push(std::move(op));
  std::string base =
      names || spec.resultTypes.empty() ? std::string() : freeName(func, spec.resultName, spec.resultTypes.size());
  for (size_t i = 0; i < spec.resultTypes.size(); ++i) {
    Value value;
    value.name = names ? (*names)[i] : resultName(base, i);
    value.type = std::move(spec.resultTypes[i]);
    value.producer = id;
    value.index = static_cast<int32_t>(i);
    value.func = func;
    const ValueId made = out_.values.push(std::move(value));
    if (!names) newNames_.add(func, made);  // given names are names of the old graph
    out_.ops.edit(id).results.push_back(made);
  }
  out_.funcs[func].ops.push_back(id);
  return id;
}

OpId GraphRewriter::copy(OpId old) {
  const Op& op = from_.ops[old];
  const OpId id = copyWithResults(old);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (now(op.operands[i]) != op.operands[i]) out_.ops.edit(id).operands[i] = now(op.operands[i]);
  }
  return id;
}

OpId GraphRewriter::copy(OpId old, std::vector<ValueId> operands) {
  const OpId id = copyWithResults(old);
  if (operands != from_.ops[old].operands) out_.ops.edit(id).operands = std::move(operands);
  return id;
}

OpId GraphRewriter::copyWithResults(OpId old) {
  const Op& op = from_.ops[old];
  if (ids_ == Ids::Kept) {
    for (ValueId result : op.results) now_[result] = result;
    out_.funcs[op.func].ops.push_back(old);
    return old;
  }
  const OpId id = out_.ops.push(from_.ops, old);
  for (size_t i = 0; i < op.results.size(); ++i) {
    const ValueId result = op.results[i], value = out_.values.push(from_.values, result);
    if (id != old) out_.values.edit(value).producer = id;
    if (value != result) out_.ops.edit(id).results[i] = value;
    now_[result] = value;
  }
  out_.funcs[op.func].ops.push_back(id);
  return id;
}

OpId GraphRewriter::replace(OpId old, OpSpec spec) {
  const Op& op = from_.ops[old];
  TESSERA_CHECK(spec.resultTypes.size() == op.results.size(), "a replacement has as many results");
  if (spec.loc.empty()) spec.loc = op.loc;
  if (spec.span == Span{}) spec.span = op.span;
  if (spec.origins.empty()) spec.origins = op.origins;
  std::vector<std::string> names;
  for (ValueId result : op.results) names.push_back(from_.values[result].name);
  OpId id = append(op.func, std::move(spec), &names);
  for (size_t i = 0; i < op.results.size(); ++i) now_[op.results[i]] = out_.ops[id].results[i];
  return id;
}

OpId GraphRewriter::emitFor(OpId old, OpSpec spec) {
  const Op& op = from_.ops[old];
  spec.loc = op.loc;
  spec.span = op.span;
  spec.origins = joinOrigins(spec.origins, op.origins);
  return append(op.func, std::move(spec), nullptr);
}

OpId GraphRewriter::emit(FuncId func, OpSpec spec) { return append(func, std::move(spec), nullptr); }

void GraphRewriter::absorb(OpId op, OpId old) {
  Op& taking = out_.ops.edit(op);
  taking.origins = joinOrigins(taking.origins, from_.ops[old].origins);
}

Graph GraphRewriter::finish() {
  for (Function& func : out_.funcs) setResultTypes(out_, func);
  return std::move(out_);
}

}  // namespace tessera

#pragma once
// Small graphs and look-ups for the tests of the chain generation.

#include <string>
#include <vector>

#include "core/policy/chain/chain_builder.h"
#include "core/policy/chain/shard_solver.h"
#include "tests/policy/expect_sound.h"

namespace tessera::test {

// One op per line: `%0 = "ttnn.relu"(%a)`; every value is a bf16 tensor of the shape after the colon, "512x512" when
// there is none. Operand types are looked up. Returns the last value.
class GraphText {
 public:
  explicit GraphText(std::string shape = "512x512") : shape_(std::move(shape)) {}

  GraphText& arg(const std::string& name, const std::string& shape = "") {
    args_ += (args_.empty() ? "" : ", ") + name + ": " + note(name, shape);
    return *this;
  }
  GraphText& op(const std::string& result, const std::string& kind, const std::vector<std::string>& operands,
                const std::string& shape = "", const std::string& attrs = "") {
    std::string names, types;
    for (const std::string& o : operands) {
      names += (names.empty() ? "" : ", ") + o;
      types += (types.empty() ? "" : ", ") + typeOf(o);
    }
    std::string type = note(result, shape);
    body_ += "  " + result + " = \"" + kind + "\"(" + names + ")" + (attrs.empty() ? "" : " <{" + attrs + "}>") +
             " : (" + types + ") -> " + type + "\n";
    last_ = result;
    return *this;
  }
  GraphText& matmul(const std::string& result, const std::string& a, const std::string& b,
                    const std::string& shape = "") {
    return op(result, "ttnn.matmul", {a, b}, shape, "transpose_a = false, transpose_b = false");
  }
  std::string returning(const std::vector<std::string>& values) const {
    std::string names, types;
    for (const std::string& v : values) {
      names += (names.empty() ? "" : ", ") + v;
      types += (types.empty() ? "" : ", ") + typeOf(v);
    }
    return "func.func @main(" + args_ + ") -> (" + types + ") {\n" + body_ + "  return " + names + " : " + types +
           "\n}\n";
  }
  std::string text() const { return returning({last_}); }

 private:
  std::string note(const std::string& name, const std::string& shape) {
    types_.emplace_back(name, "tensor<" + (shape.empty() ? shape_ : shape) + "xbf16>");
    return types_.back().second;
  }
  std::string typeOf(const std::string& name) const {
    for (const auto& [known, type] : types_) {
      if (known == name) return type;
    }
    return "?";
  }
  std::string shape_, args_, body_, last_;
  std::vector<std::pair<std::string, std::string>> types_;
};

inline std::string nameOf(const Graph& graph, OpId op) {
  return op.valid() && !graph.ops[op].results.empty() ? "%" + graph.values[graph.ops[op].results[0]].name : "-";
}

inline std::string namesOf(const Graph& graph, const std::vector<OpId>& ops) {
  std::string text;
  for (OpId op : ops) text += (text.empty() ? "" : " ") + nameOf(graph, op);
  return text;
}

// "%0 %1 | %2": the ops of each chain.
inline std::string chainsText(const Graph& graph, const ChainTrace& trace) {
  std::string text;
  for (const ChainSummary& chain : trace.chains) text += (text.empty() ? "" : " | ") + namesOf(graph, chain.ops);
  return text;
}

inline const ChainEvent* findEvent(const ChainTrace& trace, ChainEventKind kind, OpId op = {}) {
  for (const ChainEvent& e : trace.events) {
    if (e.kind == kind && (!op.valid() || e.op == op)) return &e;
  }
  return nullptr;
}

inline size_t countEvents(const ChainTrace& trace, ChainEventKind kind) {
  size_t count = 0;
  for (const ChainEvent& e : trace.events) count += e.kind == kind;
  return count;
}

inline std::string placeOf(const PolicyRun& run, std::string_view value) {
  ValueId id = valueNamed(run.graph, value);
  return id.valid() && run.plan.layout[id] ? layoutText(*run.plan.layout[id]) : "?";
}

}  // namespace tessera::test

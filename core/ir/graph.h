#pragma once
// The graph every step talks about: functions of ops over values in SSA form. Data only; GraphBuilder (builder.h) is
// the way to make or change one, verifyGraph (verify.h) lists what must hold.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/attr_list.h"
#include "core/ir/types.h"
#include "core/support/id.h"
#include "core/support/shared.h"
#include "core/support/shared_id_vec.h"
#include "core/support/source.h"

namespace tessera {

using OpId = Id<struct OpTag>;
using ValueId = Id<struct ValueTag>;
using FuncId = Id<struct FuncTag>;

// Defined by the op table (core/ops/op_kind.h). Zero is the opaque op.
enum class OpKind : uint16_t;

// A function argument's role, from `ttcore.argument_type` and `ttcore.kv_cache`.
enum class ArgRole { None, Input, Parameter, Constant, KvCache };

struct Op {
  // As copies and moves of any value; defined once, since graphs copy many. The same for values.
  Op();
  Op(const Op&);
  Op(Op&&) noexcept;
  Op& operator=(const Op&);
  Op& operator=(Op&&) noexcept;
  ~Op();

  OpKind kind{};
  std::string name;  // full name, "ttir.add"; the only name an opaque op has
  std::vector<ValueId> operands;
  std::vector<ValueId> results;
  AttrList attrs;   // properties and discardable attributes together, sorted by name
  std::string loc;  // location name ("conv1"), or ""
  FuncId func;
  Span span;                  // place in the source; {0,0} for ops we inserted
  std::vector<OpId> origins;  // ops of the imported graph that this one stands for, ascending; kept by lowering passes,
                              // no part of equality
};

struct Value {
  Value();
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  std::string name;  // SSA name without %, unique in its function; "0", "arg0", "conv1:1" for a second result
  ValueType type;
  OpId producer;      // invalid for a function argument
  int32_t index = 0;  // result number, or argument number
  FuncId func;
  ArgRole role = ArgRole::None;  // arguments only
  std::string label;             // `ttir.name` of an argument
  AttrList attrs;                // of an argument, as written
};

struct Function {
  std::string name;  // without @
  std::vector<ValueId> args;
  std::vector<OpId> ops;  // in program order; the last one is the return
  AttrList attrs;
  std::vector<ValueType> resultTypes;
  bool isPrivate = false;
  bool saysPublic = false;  // written as `public`, which is what it is anyway
  // When the body stands in another module (ttcore.cpu_module), the declaration in this one as MLIR text; else "".
  std::string declaration;
};

// A module around the one that holds the functions.
struct EnclosingModule {
  std::string op;    // "builtin.module", "ttcore.device_module"
  std::string name;  // without @, or ""
  AttrList attrs;
  std::string after;  // MLIR text of the ops behind the nested module, lines without indentation; or ""
  friend bool operator==(const EnclosingModule&, const EnclosingModule&) = default;
};

struct Graph {
  std::string name;                        // module name without @, or ""
  AttrList attrs;                          // module attributes of the innermost module
  std::vector<EnclosingModule> enclosing;  // outermost first
  IdVec<FuncId, Function> funcs;
  SharedIdVec<OpId, Op> ops;
  SharedIdVec<ValueId, Value> values;
  FuncId forward;  // the function to optimize: one of forwardFunctions() of functions.h
  // Functions without a forward one, that regions of ops became which stay as they are (bodies.h); none: no such ops.
  Shared<Graph> bodies;
};

// Everything of a graph but its own functions, ops and values.
void copyModule(const Graph& from, Graph& to);

// Null when the op has no such attribute.
const AttrValue* findAttr(const Op& op, std::string_view name);

// For every value its uses as (op, operand index), in program order.
struct Use {
  OpId op;
  int32_t operand = 0;
};
IdVec<ValueId, std::vector<Use>> collectUses(const Graph& graph);

}  // namespace tessera

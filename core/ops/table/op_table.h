#pragma once
// One line per op in op_kinds.def, one per family in families.def. Facts only; a family's behaviour is in its rules
// file.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/ir/builder.h"
#include "core/ir/graph.h"

namespace tessera {

// op_kinds.def: TESSERA_OP(kind, "dialect.name", family, "operand roles", flags)
enum class OpKind : uint16_t {
  Opaque = 0,
#define TESSERA_OP(kind, name, family, roles, flags) kind,
#include "core/ops/table/op_kinds.def"
#undef TESSERA_OP
};

// families.def: TESSERA_FAMILY(family, "title")
enum class Family : uint8_t {
#define TESSERA_FAMILY(family, title) family,
#include "core/ops/table/families.def"
#undef TESSERA_FAMILY
};

enum OpFlags : uint32_t {
  kNoFlags = 0,
  kShardable = 1u << 0,  // in the list of shardable ops (ttnn-optimizer.md 3.2.3)
  kView = 1u << 1,       // may return its operand's buffer under another shape
  kInPlace = 1u << 2,    // writes into operand 0 and may have no result (fill_cache, update_cache)
  kCreation = 1u << 3,   // no tensor operands: constants, empty, full, arange ...
  kDpsOutput = 1u << 4,  // TTIR destination-passing style: the last operand may be an output buffer
  kToLayout = 1u << 5,   // changes where a tensor is stored, not what it holds
  kTerminator = 1u << 6,
  kCommutative = 1u << 7,
  kHasConvConfig = 1u << 8,
  kHasMatmulConfig = 1u << 9,
  kCollective = 1u << 10,  // talks to other devices
  kNoCompute = 1u << 11,   // takes no device time (get_device, deallocate, empty ...)
  kSaysDtype = 1u << 13,   // says its result's element type as `dtype` (TTNNDtypeOpInterface of computing ops)
  kScan = 1u << 12,        // a running reduction along one dim: the result has the operand's shape
};

struct OpInfo {
  OpKind kind;
  std::string_view name;  // "ttnn.matmul"
  Family family;
  // Roles of the operands in order, separated by spaces: "input weight bias?" ('?' optional, '*' any number, "out?" a
  // destination-passing output).
  std::string_view roles;
  uint32_t flags;
  bool has(OpFlags flag) const { return (flags & flag) != 0; }
};

const OpInfo& opInfo(OpKind kind);             // of the opaque op too
std::span<const OpInfo> allOps();              // in table order, the opaque op first
OpKind opKindFromName(std::string_view name);  // Opaque when unknown
std::string_view familyName(Family family);    // "Matmul"
std::span<const std::string_view> allFamilyTitles();

// Least and most operands by the roles column; most is -1 for "any number".
struct OperandBounds {
  int least = 0;
  int most = 0;
};
OperandBounds operandBounds(const OpInfo& info);
// Role of operand `index` of an op with `count` operands ("weight"); "" beyond the column.
// Optional roles are filled from the left, so an op with a destination-passing output but without its optional
// operands gives that output the wrong role; inputCount() of shape_rules.h tells outputs from inputs.
std::string_view operandRole(const OpInfo& info, int index, int count);

// What GraphBuilder needs to add an op of a known kind; attributes and names are filled in by the caller.
OpSpec makeOp(OpKind kind, std::vector<ValueId> operands, std::vector<ValueType> resultTypes);

}  // namespace tessera

#pragma once
// Behaviour of the op families behind the op model. A rules file fills one FamilyRules per family; family_rules.cpp lists
// them. Formulas follow the device reference (sections 1 and 4) and the compiler's rule books (compiler reference 1.6).

#include "core/ops/op_model.h"

namespace tessera {

// A query with its lookups done.
struct OpView {
  const OpQuery& query;
  const Op& op;
  const OpInfo& info;
  const DeviceSpec& device;

  int operandCount() const { return static_cast<int>(op.operands.size()); }
  bool hasInput(int i) const { return i < operandCount() && query.inputs[static_cast<size_t>(i)].has_value(); }
  const TensorLayout& input(int i) const { return *query.inputs[static_cast<size_t>(i)]; }
  const Shape& inputShape(int i) const;
  bool hasResult() const;
  const Shape& resultShape() const;
  const TensorLayout& output() const { return query.config.output; }
};

// The first thing a query breaks; reason None when it is legal.
struct Refused {
  Refusal reason = Refusal::None;
  int operand = -1;
};

struct FamilyRules {
  Refused (*legality)(const OpView&);
  Bytes (*circularBuffers)(const OpView&);    // per core, not backed by a tensor
  int64_t (*computeCycles)(const OpView&);    // of the busiest core
  int64_t (*readBytes)(const OpView&, int operand);  // read once from where the operand lives
};

const FamilyRules& familyRules(Family family);

// rules_eltwise.cpp
extern const FamilyRules kEltwiseRules;
extern const FamilyRules kTypecastRules;
// rules_matmul.cpp
extern const FamilyRules kMatmulRules;
extern const FamilyRules kConvRules;
extern const FamilyRules kPoolRules;
// rules_reduce.cpp
extern const FamilyRules kReductionRules;
extern const FamilyRules kSoftmaxRules;
extern const FamilyRules kNormRules;
// rules_data.cpp
extern const FamilyRules kConcatRules;
extern const FamilyRules kReshapeRules;
extern const FamilyRules kPermuteRules;
extern const FamilyRules kInterleavedMoveRules;  // slice, pad, repeat, gather, embedding ...
extern const FamilyRules kToLayoutRules;
// rules_other.cpp
extern const FamilyRules kRotaryRules;
extern const FamilyRules kDramOnlyRules;         // attention, caches, collectives, sort, opaque ops, constants
extern const FamilyRules kNoDeviceRules;         // get_device, return, deallocate

// Shared by the rules files.
// Legality that holds for every device op: nothing on the host, tiles in and out.
Refused requireTiles(const OpView& view);
// Cores that compute: the result's shards, else the shards of the first sharded operand, else as many as there are tiles.
int64_t computeCores(const OpView& view);
// Tiles of the padded result (or of `shape` in tiles).
int64_t tileCount(const Shape& shape);
int64_t tileRows(const Shape& shape);  // rows of the collapsed 2-D tensor, in tiles, batches padded
int64_t tileCols(const Shape& shape);
// ceil(tiles / cores) * cyclesPerTile
int64_t tilesTimesCycles(const OpView& view, int64_t tiles, int64_t cyclesPerTile);
// Whole operand, padding included.
int64_t readWhole(const OpView& view, int operand);
// As many bytes as the result has: for ops that pick a part of the operand.
int64_t readResultSized(const OpView& view, int operand);
// Twice a tile of every operand and of the result, tensors that back their buffers left out.
Bytes doubleBufferedTiles(const OpView& view);

}  // namespace tessera

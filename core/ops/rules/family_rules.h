#pragma once
// Legality and memory of the op families behind the op model; their time is in time_model.h. A rules file fills one
// FamilyRules per family; family_rules.cpp lists them. Formulas follow the library's programs (tt-metal) and the
// compiler's rule books (tt-mlir Analysis/OpRules), as of the device library of 2025-11 where releases differ: that is
// the one the published rows were taken from.

#include "core/ops/rules/op_facts.h"

namespace tessera {

// A query with its lookups done.
struct OpView {
  const OpQuery& query;
  const Op& op;
  const OpInfo& info;
  const DeviceSpec& device;
  const OpFacts& facts;
  std::string_view base;  // name without dialect: rules hold for both dialects
  int inputs;             // leading operands that are read; the rest are destination-passing outputs

  bool is(std::string_view name) const { return base == name; }
  int operandCount() const { return inputs; }
  bool hasInput(int i) const { return i >= 0 && i < inputs && query.inputs[static_cast<size_t>(i)].has_value(); }
  const TensorLayout& input(int i) const { return *query.inputs[static_cast<size_t>(i)]; }
  const Shape& inputShape(int i) const;
  bool hasResult() const;
  const Shape& resultShape() const;
  const TensorLayout& output() const { return query.config.output; }
  int64_t inputTile(int i) const { return tileBytes(input(i).dtype); }
  int64_t outputTile() const { return tileBytes(output().dtype); }
};
// Rows of an activation block of a convolution: as the policy asks, else as the op came, else all; in tiles.
int64_t activationBlockRows(const OpView& view, int64_t outRows);
// `facts` are those of the query's op and outlive the view.
OpView makeView(const OpQuery& query, const DeviceSpec& device, const OpFacts& facts);

// The first thing a query breaks; reason None when it is legal.
struct Refused {
  Refusal reason = Refusal::None;
  int operand = -1;
  explicit operator bool() const { return reason != Refusal::None; }
};

// Whether the query belongs to its op at all: a layout per tensor operand, possible shapes, layouts of those shapes.
// Every rule below may rely on it. query_check.cpp.
Refused malformed(const OpView& view);
// Before there are facts: no such op, or another number of operands.
Refusal foreignQuery(const OpQuery& query);
// EmptyTensor or TensorTooLarge when no tensor can have that shape.
Refusal shapeDefect(const Shape& shape);

// The circular buffers of one program, in the order they are made.
class BufferList {
 public:
  void tiles(std::string_view name, int64_t count, DType dtype) {
    add(name, count, tileBytes(dtype), dtype, BackedBy::Nothing, -1);
  }
  // Pages that are no tiles: rows, indices.
  void pages(std::string_view name, int64_t count, int64_t pageBytes, DType dtype) {
    add(name, count, pageBytes, dtype, BackedBy::Nothing, -1);
  }
  // Tiles that lie in the shard of an operand, or of the result.
  void inOperand(std::string_view name, int64_t count, const OpView& view, int operand) {
    add(name, count, view.inputTile(operand), view.input(operand).dtype, BackedBy::Operand, operand);
  }
  void inResult(std::string_view name, int64_t count, const OpView& view) {
    add(name, count, view.outputTile(), view.output().dtype, BackedBy::Result, -1);
  }

  int64_t ownBytes() const;  // of what no tensor backs
  int64_t regionBytes(int64_t alignment) const;
  const std::vector<CircularBuffer>& all() const { return buffers_; }

 private:
  // None of an empty buffer. Sizes are cut where they are beyond any L1.
  void add(std::string_view name, int64_t count, int64_t pageBytes, DType dtype, BackedBy backedBy, int operand);
  std::vector<CircularBuffer> buffers_;
};
// "in0", "in1" ...
std::string_view operandBufferName(int operand);

struct FamilyRules {
  OpRule rule;
  Refused (*legality)(const OpView&);
  void (*circularBuffers)(const OpView&, BufferList&);  // of the op's program that takes most; null: none
  // Bytes per core of L1 tensors that the op makes and frees again, beyond its results, at its peak. Null: none.
  int64_t (*intermediates)(const OpView&) = nullptr;
  // The layout that the op writes where that is not the one in the query. Null: it is.
  TensorLayout (*produced)(const OpView&) = nullptr;
  // Families with several programs. Null: `rule`.
  OpRule (*ruleFor)(const OpView&) = nullptr;
  // Operands are judged alike and in order: the first is refused that cannot be read in its type and layout beside the
  // result, whatever comes after it. Beside a result in rows operands after it may matter, too.
  bool operandsAlike = false;
};

// What is refused about an operand of a well-formed query holds whatever the operands after it are.
inline bool refusesInOrder(const FamilyRules& rules, const TensorLayout& result) {
  return rules.operandsAlike && result.page == PageLayout::Tile;
}

const FamilyRules& familyRules(Family family);

extern const FamilyRules kUnaryRules, kBinaryRules, kTernaryRules;    // rules_eltwise.cpp; unary also typecast
extern const FamilyRules kQuantizeRules;                              // rules_quantize.cpp
extern const FamilyRules kMatmulRules;                                // rules_matmul.cpp
extern const FamilyRules kConvRules, kPoolRules, kUpsampleRules;      // rules_conv.cpp, rules_pool.cpp
extern const FamilyRules kReductionRules, kSoftmaxRules, kSortRules;  // rules_reduce.cpp
extern const FamilyRules kNormRules;                                  // rules_norm.cpp
extern const FamilyRules kConcatRules, kReshapeRules, kPermuteRules, kSliceRules, kPadRules, kRepeatRules,
    kEmbeddingRules, kGatherRules, kToLayoutRules;                                // rules_data.cpp, rules_layout.cpp
extern const FamilyRules kAttentionRules, kRotaryRules, kHeadRules, kCacheRules;  // rules_attention.cpp
extern const FamilyRules kD2mRules;                                               // rules_d2m.cpp: fused kernels
extern const FamilyRules kCreationRules;                                          // rules_other.cpp
extern const FamilyRules kDramOnlyRules;  // collectives, calls, opaque ops: operands and results in DRAM
extern const FamilyRules kNoDeviceRules;  // get_device, return, deallocate

// --- shared by the rules files ---------------------------------------------------------------------------------------

// The operand, one with a layout: tiles, not on the host.
Refused requireTile(const OpView& view, int operand);
// Nothing on the host, tiles in and out.
Refused requireTiles(const OpView& view);
// As requireTiles; no operand and no result sharded.
Refused interleavedTiles(const OpView& view);
// Nothing on the host or sharded; tiles or rows.
Refused interleavedOnly(const OpView& view);
// Operand 0 and the result: both sharded over the same grid in the same way, or none sharded. `kind` when only one is.
Refused sameSharding(const OpView& view, Refusal kind);
// Sharded in L1 exactly as the result is.
bool shardedLikeOutput(const OpView& view, int operand);
bool shardedInL1(const TensorLayout& layout);

// Attributes, with what holds when there is none (or one of another kind).
int64_t attrInteger(const OpView& view, std::string_view name, int64_t otherwise);
bool attrFlag(const OpView& view, std::string_view name);
const std::vector<int64_t>* attrInts(const OpView& view, std::string_view name);
// How exactly the op computes: as the query says, else the op; the rest is left to the library.
ComputeConfig computeConfig(const OpView& view);
// Sums are kept in 32 bits: the destination registers hold half as many tiles. `otherwise`: the default.
bool sumsInFp32(const OpView& view, bool otherwise = false);
// Index of the operand with that role ("bias"), by operandSegmentSizes when there are some; -1 when it is left out.
int operandOf(const OpView& view, std::string_view role);

// Cores that compute: the result's shards, else the shards of the first sharded operand, else as many as there are
// tiles.
int64_t computeCores(const OpView& view);
int64_t shardTiles(const TensorLayout& layout);  // of one shard in tiles
int64_t tileCount(const Shape& shape);           // of the padded tensor
int64_t tileRows(const Shape& shape);            // rows of the collapsed 2-D tensor, in tiles, batches padded
int64_t tileCols(const Shape& shape);
int64_t dimFromEnd(const Shape& shape, size_t fromEnd);  // 0 is the last; 1 when there is no such dim
int64_t largestDivisorUpTo(int64_t value, int64_t limit);
// Bytes per core of a tensor of `shape` in tiles, interleaved in L1.
int64_t interleavedL1Bytes(const OpView& view, const Shape& shape, DType dtype);
// The result interleaved there, in the element type and pages that were asked.
TensorLayout interleavedResult(const OpView& view, BufferType buffer);

// The result is operand 0's buffer under another shape (tt-mlir Analysis/OpRules, canReshapeBeView): no time, no
// buffers.
bool isViewOf(const OpView& view);
// It is a view, or written over operand 0.
bool takesFirstBuffer(const OpView& view);

// Two tiles of every operand and of the result; nothing is backed by a tensor.
void twoTilesEach(const OpView& view, BufferList& buffers);

}  // namespace tessera

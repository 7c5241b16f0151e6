#include "core/policy/kit/operand_repair.h"

#include <utility>

#include "core/ops/rules/family_rules.h"
#include "core/policy/kit/candidate_layouts.h"

namespace tessera {

namespace {

// Rows, stored as the result's are.
std::optional<TensorLayout> inRowsLike(const Problem& problem, ValueId operand, const TensorLayout& now,
                                       const TensorLayout& out) {
  if (out.sharded()) return shardedLike(problem, operand, now.dtype, PageLayout::RowMajor, out);
  const GridShape grid = out.isL1() ? problem.device.grid : GridShape{};
  auto made = makeLayout(problem.tensor(operand).shape, {now.dtype, out.buffer, out.memory, PageLayout::RowMajor, grid},
                         problem.device);
  return made.ok() ? std::optional(*made) : std::nullopt;
}

}  // namespace

std::optional<TensorLayout> repairedLayout(const Problem& problem, Refusal reason, const TensorLayout& out,
                                           ValueId operand, const TensorLayout& now) {
  switch (reason) {
    case Refusal::ShardingMismatch:
    case Refusal::MemoryLayoutMismatch:
    case Refusal::LayoutChangeBefore2026: {
      if (out.page == PageLayout::RowMajor && now.page == PageLayout::Tile)
        return inRowsLike(problem, operand, now, out);
      if (!out.sharded()) return l1InterleavedLayout(problem, operand);
      return shardedLike(problem, operand, now.dtype, now.page, out);
    }
    case Refusal::InputMustBeInterleaved:
    case Refusal::BroadcastOperandSharded:
    case Refusal::ConcatSharding:
    case Refusal::InputHeightSharded:
    case Refusal::InputWidthSharded: return l1InterleavedLayout(problem, operand);
    case Refusal::InputMustBeDramInterleaved:
    case Refusal::InputMustBeTile:
    case Refusal::InputOnHost: return dramLayout(problem, operand);
    case Refusal::InputMustBeRows: return inRowsLike(problem, operand, now, TensorLayout{});
    case Refusal::PageMismatch:
      return out.page == PageLayout::Tile ? dramLayout(problem, operand)
                                          : inRowsLike(problem, operand, now, TensorLayout{});
    default: return {};
  }
}

OperandRepair::OperandRepair(const Problem& problem, OpId op, bool interleavedInDram)
    : problem_(problem),
      operands_(problem.graph.ops[op].operands),
      interleavedInDram_(interleavedInDram),
      alike_(familyRules(opInfo(problem.graph.ops[op].kind).family).operandsAlike),
      repaired_(operands_.size(), false) {}

void OperandRepair::prefer(size_t operand, const TensorLayout& layout) {
  preferred_.resize(operands_.size());
  preferred_[operand] = layout;
}

std::optional<OperandRepair::Conversion> OperandRepair::next(const OpVerdict& verdict, const TensorLayout& output,
                                                             const Layouts& inputs) {
  const auto i = static_cast<size_t>(verdict.operand);
  if (verdict.ok() || verdict.operand < 0 || i >= operands_.size() || !inputs[i]) return {};
  const std::optional<TensorLayout> preferred =
      preferred_.empty() ? std::nullopt : std::exchange(preferred_[i], std::nullopt);
  if (preferred && !(*preferred == *inputs[i])) return Conversion{i, *preferred};
  if (repaired_[i]) return {};
  repaired_[i] = true;
  std::optional<TensorLayout> to = repairedLayout(problem_, verdict.reason, output, operands_[i], *inputs[i]);
  if (to && interleavedInDram_ && !to->sharded() && to->page == PageLayout::Tile)
    to = dramLayout(problem_, operands_[i]);
  if (!to || *to == *inputs[i]) return {};
  twice_ = alike_ && last_ && reason_ == verdict.reason && from_ == *inputs[i] && sameType(last_->operand, i);
  reason_ = verdict.reason;
  from_ = *inputs[i];
  last_ = Conversion{i, *to};
  return last_;
}

std::optional<OperandRepair::Conversion> OperandRepair::again(const Layouts& inputs) {
  for (size_t i = twice_ ? last_->operand + 1 : operands_.size(); i < operands_.size(); ++i) {
    if (repaired_[i] || (!preferred_.empty() && preferred_[i]) || !inputs[i] || !(*inputs[i] == from_) ||
        !sameType(i, last_->operand))
      continue;
    repaired_[i] = true;
    last_->operand = i;
    return last_;
  }
  return {};
}

bool OperandRepair::sameType(size_t a, size_t b) const {
  const TensorType &first = problem_.tensor(operands_[a]), &second = problem_.tensor(operands_[b]);
  return first.shape == second.shape && first.dtype == second.dtype;
}

}  // namespace tessera

#pragma once
// Model times beside measured ones: what the kinds of times share.

#include <optional>
#include <string>
#include <vector>

#include "core/evaluate/eval.h"
#include "core/ops/model/op_model.h"
#include "core/ops/table/op_table.h"
#include "core/profile/csv.h"

namespace tessera {

struct TimedTensor {
  Shape shape;
  DType dtype = DType::BF16;
  BufferType buffer = BufferType::DRAM;
  TensorMemoryLayout memory = TensorMemoryLayout::Interleaved;
  GridShape grid{1, 1};
  PageLayout page = PageLayout::Tile;
};

struct TimedOp {
  OpKind kind = OpKind::Opaque;
  std::vector<TimedTensor> operands;
  TimedTensor result;
  AttrList attrs = {};
  std::variant<std::monostate, Conv2dAttrs, MatmulAttrs> config = {};
};

// Nanoseconds; nothing when a layout cannot be made.
std::optional<int64_t> modelTime(const DeviceSpec& device, TimedOp op);

// The family of rows whose own table gives them away: a time that belongs to other tensors than the row names.
inline constexpr std::string_view kImpossible = "not of the tensors named";

// One row of a table: what was measured, what the model says (nothing: it cannot say).
struct TimedRow {
  std::string name;
  double measured = 0;
  std::optional<int64_t> model;
  std::string family = {};  // see EvalFamily
};
struct TimedSeries {
  std::vector<TimedRow> rows;
  // `median_abs_err a% p90 b% spearman c unsupported d`; what the model cannot say counts as 100 %.
  std::string figures() const;
  std::string line() const;  // `rows N` and the figures
  double medianError() const;
  double percentileError(double part) const;
};
// Fills the counts, the families, the misses (beyond 25 %) and the figures from the series.
EvalResult timedResult(const TimedSeries& series);
// Reads the file; false with `result.problem` when it cannot be read.
bool readTable(const EvalRequest& request, CsvTable& table, EvalResult& result);

}  // namespace tessera

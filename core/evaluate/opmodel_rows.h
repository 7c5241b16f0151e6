#pragma once
// Published answers of the compiler's op-model tests (tt-mlir TestOpModelLib.cpp of 2025-11) as queries: Wormhole,
// worker grid 8x8, bytes per core.

#include <optional>
#include <string>
#include <vector>

#include "core/ops/model/op_model.h"
#include "core/support/json_value.h"

namespace tessera {

struct RowTensor {
  std::string name;
  TensorType type;
  TensorLayout layout;
};

// A row as a query of the op model.
struct RowQuery {
  OpKind kind{};
  std::vector<RowTensor> inputs, outputs;
  AttrList attrs;
};

struct RowAnswer {
  OpVerdict verdict;
  OpConstraints constraints;
  std::vector<CircularBuffer> buffers;
  OpRule rule;
};

const DeviceSpec& rowDevice();  // the one the rows were taken from
// "RMSNormOp" -> the kind of ttnn.rms_norm.
OpKind rowOpKind(JsonValue row);
// "AddOp OpModelAddParam#3"
std::string rowName(JsonValue row);
// Nothing when the row leaves out what the query needs, or is no row.
std::optional<RowQuery> readRow(JsonValue row);
// The row's graph of one op, put to the op model with all of L1 for it.
RowAnswer askRow(const RowQuery& query);

}  // namespace tessera

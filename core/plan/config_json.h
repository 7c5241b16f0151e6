#pragma once
// Settings of ops as JSON, in plans and problems: the fields "conv2d" or "matmul" of an object.

#include <string>

#include "core/ops/table/op_config.h"
#include "core/support/json_value.h"
#include "core/support/json_writer.h"

namespace tessera {

// Writes nothing when there are no settings.
void writeConfigAttrs(JsonWriter& w, const OpConfig& config);

// Why a field cannot be read.
struct ConfigMistake {
  std::string field;  // "matmul.per_core_m"; "" when all is well
  std::string found;
  std::string expected;
};
// Reads the fields into `config.attrs`; on a mistake the attributes stay as they were.
ConfigMistake readConfigAttrs(JsonValue object, OpConfig& config);

}  // namespace tessera

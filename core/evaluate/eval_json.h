#pragma once
// Published figures in JSON: a file and the list of rows in it.

#include "core/evaluate/eval.h"
#include "core/support/json_value.h"

namespace tessera {

class EvalJson {
 public:
  // `list`: the member that holds the rows; "" when the whole file is the list. `result` says when there is none.
  EvalJson(const EvalRequest& request, std::string_view list, EvalResult& result);
  EvalJson(const EvalJson&) = delete;
  EvalJson& operator=(const EvalJson&) = delete;

  JsonValue rows() const { return rows_; }

 private:
  SourceBuffer source_;
  JsonDocument document_;
  JsonValue rows_;
};

}  // namespace tessera

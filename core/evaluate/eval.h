#pragma once
// tessera eval KIND FILE: how far the engine agrees with published figures. Each kind is one file and one line in
// eval.cpp; the last line it prints is `rows N agree x%`, for times `rows N median_abs_err a% p90 b% spearman c
// unsupported d`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct EvalRequest {
  std::string file;
  bool verbose = false;   // list the rows that do not agree
  bool json = false;      // {"kind", "rows", "agree", "families", "misses": [{"row", "text"}]} instead of text
  bool families = false;  // for times: a line per family of rows
};

struct EvalMiss {
  std::string row;
  std::string text;
};

// Rows of times that belong together: those of one op, or of one type and place.
struct EvalFamily {
  std::string name;
  int64_t rows = 0;
  double median = 0, p90 = 0;  // of |model / measured - 1|
};

struct EvalResult {
  std::string problem;  // why the file could not be read; then nothing else counts
  int64_t rows = 0;
  int64_t agree = 0;
  std::vector<EvalMiss> misses;
  std::vector<EvalFamily> families;  // of times; most rows first
  std::string summary;               // lines above the last one, may be empty
  std::string figures;               // what the last line says after the rows; empty: the rows that agree
};

struct EvalKind {
  std::string_view name;
  EvalResult (*run)(const EvalRequest& request);
};

EvalResult evalOpModel(const EvalRequest& request);  // eval_opmodel.cpp
EvalResult evalSpill(const EvalRequest& request);    // eval_spill.cpp
EvalResult evalGemm(const EvalRequest& request);     // eval_matmul.cpp, likewise below
EvalResult evalMatmulHs(const EvalRequest& request);
EvalResult evalExp(const EvalRequest& request);
EvalResult evalPoints(const EvalRequest& request);   // eval_points.cpp
EvalResult evalOps(const EvalRequest& request);      // eval_ops.cpp
EvalResult evalTargets(const EvalRequest& request);  // eval_targets.cpp

}  // namespace tessera

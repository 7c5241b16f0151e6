#include "core/evaluate/eval_times.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "core/driver/read_file.h"
#include "core/ir/builder.h"

namespace tessera {

namespace {

double errorOf(const TimedRow& row) {
  if (!row.model || row.measured <= 0) return 1.0;
  double ratio = static_cast<double>(*row.model) / row.measured;
  return ratio > 1 ? ratio - 1 : 1 - ratio;
}

// Ranks from 0, equal values share their mean rank.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> out(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (size_t j = i; j < end; ++j) out[order[j]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return out;
}

// Pearson's correlation of the ranks over the rows that the model can say; 0 when nothing varies.
double spearman(const std::vector<TimedRow>& rows) {
  std::vector<double> measured, model;
  for (const TimedRow& row : rows) {
    if (!row.model) continue;
    measured.push_back(row.measured);
    model.push_back(static_cast<double>(*row.model));
  }
  if (measured.size() < 2) return 0;
  std::vector<double> x = ranks(measured), y = ranks(model);
  double mean = static_cast<double>(x.size() - 1) / 2, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
    xy += (x[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace

std::optional<int64_t> modelTime(const DeviceSpec& device, TimedOp op) {
  Graph graph;
  GraphBuilder builder(graph);
  FuncId func = builder.addFunction("main");
  graph.forward = func;
  auto layoutOf = [&](const TimedTensor& t) {
    LayoutRequest request{t.dtype, t.buffer, t.memory, t.page, t.grid};
    request.allowIdleCores = true;
    return makeLayout(t.shape, request, device);
  };
  auto typeOf = [](const TimedTensor& t) {
    TensorType type;
    type.shape = t.shape;
    type.dtype = t.dtype;
    return type;
  };
  std::vector<ValueId> values;
  std::vector<std::optional<TensorLayout>> layouts;
  for (const TimedTensor& t : op.operands) {
    auto layout = layoutOf(t);
    if (!layout.ok()) return {};
    values.push_back(builder.addArgument(func, "a", {typeOf(t), ""}));
    layouts.push_back(*layout);
  }
  auto out = layoutOf(op.result);
  if (!out.ok()) return {};
  OpSpec spec = makeOp(op.kind, values, {{typeOf(op.result), ""}});
  spec.attrs = std::move(op.attrs);
  OpId id = builder.append(func, std::move(spec));
  OpConfig config{*out, op.config};
  return OpModel(device).getOpRuntime({graph, id, layouts, config, Bytes(0)}).total().count;
}

double TimedSeries::percentileError(double part) const {
  if (rows.empty()) return 0;
  std::vector<double> errors;
  for (const TimedRow& row : rows) errors.push_back(errorOf(row));
  std::sort(errors.begin(), errors.end());
  return errors[std::min(errors.size() - 1, static_cast<size_t>(static_cast<double>(errors.size()) * part))];
}

double TimedSeries::medianError() const { return percentileError(0.5); }

std::string TimedSeries::line() const { return "rows " + std::to_string(rows.size()) + " " + figures(); }

std::string TimedSeries::figures() const {
  int64_t unsupported = 0;
  for (const TimedRow& row : rows) unsupported += row.model ? 0 : 1;
  char text[160];
  std::snprintf(text, sizeof text, "median_abs_err %.1f%% p90 %.1f%% spearman %.3f unsupported %lld",
                100 * medianError(), 100 * percentileError(0.9), spearman(rows), static_cast<long long>(unsupported));
  return text;
}

namespace {

std::vector<EvalFamily> familiesOf(const TimedSeries& series) {
  std::map<std::string_view, TimedSeries> parts;
  for (const TimedRow& row : series.rows) parts[row.family].rows.push_back(row);
  std::vector<EvalFamily> families;
  for (const auto& [name, part] : parts)
    families.push_back(
        {std::string(name), static_cast<int64_t>(part.rows.size()), part.medianError(), part.percentileError(0.9)});
  std::stable_sort(families.begin(), families.end(),
                   [](const EvalFamily& a, const EvalFamily& b) { return a.rows > b.rows; });
  return families;
}

}  // namespace

EvalResult timedResult(const TimedSeries& series) {
  constexpr double kAgrees = 0.25;
  EvalResult result;
  result.rows = static_cast<int64_t>(series.rows.size());
  for (const TimedRow& row : series.rows) {
    double error = errorOf(row);
    if (error <= kAgrees) {
      ++result.agree;
      continue;
    }
    char text[120];
    if (row.model)
      std::snprintf(text, sizeof text, "model %lld ns, measured %.0f ns, off by %.0f%%",
                    static_cast<long long>(*row.model), row.measured, 100 * error);
    else std::snprintf(text, sizeof text, "no model, measured %.0f ns", row.measured);
    result.misses.push_back({row.name, text});
  }
  result.families = familiesOf(series);
  result.figures = series.figures();
  return result;
}

bool readTable(const EvalRequest& request, CsvTable& table, EvalResult& result) {
  std::string text;
  if (!readFile(request.file, text)) result.problem = "cannot read `" + request.file + "`";
  else if (!parseCsv(text, table))
    result.problem = "`" + request.file + "` is no table with a line of names, or too large";
  return result.problem.empty();
}

}  // namespace tessera

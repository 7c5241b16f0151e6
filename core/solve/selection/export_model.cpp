// A factor graph in the formats of other solvers.

#include <algorithm>

#include "core/solve/lp_text.h"
#include "core/solve/selection/factor_graph.h"

namespace tessera {

namespace {

// Names may hold anything; the formats separate by blanks.
std::string plainName(const std::string& name) {
  std::string plain;
  for (char c : name) plain += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
  return plain.empty() ? "model" : plain;
}

Cost leastFinite(const std::vector<Cost>& costs) {
  Cost least = kForbidden;
  for (Cost cost : costs) least = std::min(least, cost);
  return isForbidden(least) ? 0 : least;
}

Cost mostFinite(const std::vector<Cost>& costs) {
  Cost most = 0;
  for (Cost cost : costs)
    if (!isForbidden(cost)) most = std::max(most, cost);
  return most;
}

// The values of a cell of a factor's table, in the order of its scope.
std::vector<int> cellValues(const FactorGraph& model, const Factor& factor, size_t cell) {
  std::vector<int> values(factor.scope.size());
  for (size_t i = values.size(); i-- > 0;) {
    const size_t domain = at(model.domain(factor.scope[i]));
    values[i] = static_cast<int>(cell % domain);
    cell /= domain;
  }
  return values;
}

void writeWcspTable(std::string& out, const FactorGraph& model, const Factor& factor, Cost least, Cost top) {
  out += std::to_string(factor.scope.size());
  for (int v : factor.scope) out += ' ' + std::to_string(v);
  out += " 0 " + std::to_string(factor.table.size()) + '\n';
  for (size_t cell = 0; cell < factor.table.size(); ++cell) {
    for (int x : cellValues(model, factor, cell)) out += std::to_string(x) + ' ';
    out += std::to_string(isForbidden(factor.table[cell]) ? top : factor.table[cell] - least) + '\n';
  }
}

std::string valueName(int variable, int value) { return "x" + std::to_string(variable) + "_" + std::to_string(value); }
std::string cellName(int factor, size_t cell) { return "e" + std::to_string(factor) + "_" + std::to_string(cell); }

}  // namespace

std::string writeWcsp(const FactorGraph& model, const std::string& name, Cost& offset) {
  offset = 0;
  Cost top = 1;
  int largest = 0;
  std::vector<Factor> all = model.factors();
  for (int v = 0; v < model.variableCount(); ++v) {
    all.push_back({.scope = {v}, .table = model.unary(v)});
    largest = std::max(largest, model.domain(v));
  }
  for (const Factor& factor : all) {
    const Cost least = leastFinite(factor.table);
    offset += least;
    top += mostFinite(factor.table) - least;
  }
  // More than any solution can cost: mostFinite is at least 0, so every table's range is counted.
  std::string out = plainName(name) + ' ' + std::to_string(model.variableCount()) + ' ' + std::to_string(largest) +
                    ' ' + std::to_string(all.size()) + ' ' + std::to_string(top) + '\n';
  for (int v = 0; v < model.variableCount(); ++v)
    out += std::to_string(model.domain(v)) + (v + 1 < model.variableCount() ? ' ' : '\n');
  for (const Factor& factor : all) writeWcspTable(out, model, factor, leastFinite(factor.table), top);
  return out;
}

// Each cell of a factor is a product variable. For every variable of the factor, the cells with one of its values add
// up to that value's binary; with forbidden cells left out that is as tight as the tables allow.
std::string writeLp(const FactorGraph& model) {
  LpText lp;
  for (int v = 0; v < model.variableCount(); ++v) {
    LpText::Sum one;
    for (int x = 0; x < model.domain(v); ++x) {
      const std::string name = valueName(v, x);
      const Cost cost = model.unary(v)[at(x)];
      one.add(1, name);
      lp.binary(name);
      if (!isForbidden(cost)) {
        lp.objective.add(cost, name);
        continue;
      }
      LpText::Sum never;
      never.add(1, name);
      lp.row(never, "=", 0);
    }
    lp.row(one, "=", 1);
  }
  for (int f = 0; f < model.factorCount(); ++f) {
    const Factor& factor = model.factor(f);
    std::vector<std::vector<LpText::Sum>> sums(factor.scope.size());  // by variable of the scope and value
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i].resize(at(model.domain(factor.scope[i])));
      for (size_t x = 0; x < sums[i].size(); ++x) sums[i][x].add(-1, valueName(factor.scope[i], static_cast<int>(x)));
    }
    for (size_t cell = 0; cell < factor.table.size(); ++cell) {
      if (isForbidden(factor.table[cell])) continue;
      const std::vector<int> values = cellValues(model, factor, cell);
      lp.objective.add(factor.table[cell], cellName(f, cell));
      for (size_t i = 0; i < sums.size(); ++i) sums[i][at(values[i])].add(1, cellName(f, cell));
    }
    for (const auto& ofVariable : sums) {
      for (const LpText::Sum& sum : ofVariable) lp.row(sum, "=", 0);
    }
  }
  return lp.take();
}

}  // namespace tessera

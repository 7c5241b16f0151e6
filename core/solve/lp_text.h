#pragma once
// Integer programs for other solvers, in CPLEX LP format: an objective to be least, rows, binaries. Readers of the
// format limit the line length, so long sums are broken into lines.

#include <cstdint>
#include <string>

namespace tessera {

class LpText {
 public:
  struct Sum {
    std::string text;
    size_t terms = 0;
    void add(int64_t factor, const std::string& name) {
      if (factor == 0) return;
      text += (terms++ % 8 == 7 ? "\n " : " ") + std::string(factor < 0 ? "- " : "+ ") +
              std::to_string(factor < 0 ? -factor : factor) + " " + name;
    }
  };
  Sum objective;
  void row(const Sum& sum, const char* relation, int64_t right) {
    if (sum.terms > 0)
      rows_ += " c" + std::to_string(count_++) + ":" + sum.text + " " + relation + " " + std::to_string(right) + "\n";
  }
  void binary(const std::string& name) { binaries_ += " " + name + "\n"; }
  std::string take() const {
    return "Minimize\n obj:" + (objective.terms > 0 ? objective.text : " 0 x") + "\nSubject To\n" + rows_ +
           "Binaries\n" + binaries_ + "End\n";
  }

 private:
  std::string rows_, binaries_;
  int64_t count_ = 0;
};

}  // namespace tessera

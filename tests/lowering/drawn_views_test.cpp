// Permutes and reshapes in a row, many of their dims 1: what the passes make of them can be read back and computes the
// same.

#include "core/solve/cost.h"
#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

class DrawnViews {
 public:
  explicit DrawnViews(uint64_t seed) : random_(seed) {
    for (int64_t i = 0; i < 3; ++i) shape_.push_back(size());
  }

  std::string text() {
    const std::string first = type();
    std::string body, returned, types;
    for (int64_t i = 0, count = 2 + random_.below(4); i < count; ++i) {
      const std::string from = type(), name = "%" + std::to_string(i);
      body += "  " + name + " = " + next(i == 0 ? "%a" : "%" + std::to_string(i - 1)) + " : (" + from + ") -> " +
              type() + "\n";
      if (i + 1 < count && random_.below(4) > 0) continue;
      returned += (returned.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + type();
    }
    return "func.func @main(%a: " + first + ") -> (" + types + ") {\n" + body + "  return " + returned + " : " + types +
           "\n}\n";
  }

 private:
  int64_t size() { return random_.below(3) == 0 ? 1 : 2 + random_.below(3); }
  std::string list(const char* between) const {
    std::string text;
    for (const int64_t dim : shape_) text += (text.empty() ? "" : between) + std::to_string(dim);
    return text;
  }
  std::string type() const { return "tensor<" + list("x") + "xf32>"; }

  std::string next(const std::string& operand) {
    const int64_t kind = random_.below(5);
    if (kind < 3) return "\"ttir.permute\"(" + operand + ") <{permutation = array<i64: " + permuted() + ">}>";
    if (kind == 3) regroup();
    else changeOnes();
    return "\"ttir.reshape\"(" + operand + ") <{shape = [" + list(" : i32, ") + " : i32]}>";
  }

  std::string permuted() {
    std::vector<int64_t> order;
    for (size_t d = 0; d < shape_.size(); ++d)
      order.insert(order.begin() + random_.below(static_cast<int64_t>(d) + 1), static_cast<int64_t>(d));
    Shape moved;
    std::string text;
    for (const int64_t from : order) {
      moved.push_back(shape_[static_cast<size_t>(from)]);
      text += (text.empty() ? "" : ", ") + std::to_string(from);
    }
    shape_ = moved;
    return text;
  }

  // Two neighbours become one dim, or one that is even becomes two.
  void regroup() {
    const auto at = static_cast<size_t>(random_.below(static_cast<int64_t>(shape_.size())));
    if (shape_[at] % 2 == 0) {
      shape_[at] /= 2;
      shape_.insert(shape_.begin() + static_cast<std::ptrdiff_t>(at), 2);
    } else if (at + 1 < shape_.size()) {
      shape_[at] *= shape_[at + 1];
      shape_.erase(shape_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
  }

  // A dim of 1 goes, or one comes, often at an end.
  void changeOnes() {
    const int64_t rank = static_cast<int64_t>(shape_.size());
    const auto one = std::find(shape_.begin(), shape_.end(), 1);
    if (one != shape_.end() && rank > 1 && random_.below(2) == 0) shape_.erase(one);
    else shape_.insert(shape_.begin() + (random_.below(2) == 0 ? rank : random_.below(rank + 1)), 1);
  }

  Prng random_;
  Shape shape_;
};

TEST(DrawnViews, AreTheSameBehindThePasses) {
  for (uint64_t seed = 0; seed < seeds(2000); ++seed) {
    const std::string text = DrawnViews(seed).text();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    LoweringSetup setup;
    const Graph before = graphOfText(text);
    Graph now = before;
    for (const char* pass : {"canonicalize", "ttir-erase-inverse-ops", "canonicalize"}) {
      now = passOn(pass, now, setup).graph;
      const std::string made = exportMlir(now);
      const Imported again = importText(made);
      ASSERT_TRUE(again.graph) << pass << "\n" << again.report() << made;
    }
    const ComparisonVerdict verdict = compareGraphs(before, now, seed, 0);
    ASSERT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(now);
  }
}

}  // namespace
}  // namespace tessera::test

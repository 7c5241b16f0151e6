// A view before an op and its inverse behind it: both go, for every op that works on dims one by one, every order of
// dims and every dim; what comes out is the same.

#include <algorithm>
#include <numeric>

#include "tests/compare_graphs.h"
#include "tests/lowering/lowering_testing.h"

namespace tessera::test {
namespace {

std::string numbersText(const Shape& numbers, const char* between) {
  std::string text;
  for (int64_t number : numbers) text += (text.empty() ? "" : between) + std::to_string(number);
  return text;
}
std::string typeText(const Shape& shape) { return "tensor<" + numbersText(shape, "x") + "xf32>"; }
std::string i32s(const Shape& numbers) { return "[" + numbersText(numbers, " : i32, ") + " : i32]"; }

// What an op makes of dim `d` of a tensor: its text, and the size of the dim behind it.
struct DimOp {
  std::string name, properties;
  int64_t size;
  size_t operands = 1;
};

std::vector<DimOp> opsOnDim(const Shape& in, size_t d) {
  const int64_t size = in[d];
  const std::string dim = std::to_string(d);
  Shape begins(in.size(), 0), ends = in, steps(in.size(), 1), padding(2 * in.size(), 0);
  begins[d] = 1;
  std::vector<DimOp> ops = {
      {"relu", "", size},
      {"add", "", size, 2},
      {"slice_static", "begins = " + i32s(begins) + ", ends = " + i32s(ends) + ", step = " + i32s(steps), size - 1},
      {"sum", "dim_arg = [" + dim + " : i32], keep_dim = true", 1},
      {"max", "dim_arg = [" + dim + " : i32], keep_dim = true", 1},
      {"softmax", "dimension = " + dim + " : si32", size},
      {"concat", "dim = " + dim + " : si32", 2 * size, 2},
  };
  begins[d] = 0;
  steps[d] = 2;
  ops.push_back({"slice_static", "begins = " + i32s(begins) + ", ends = " + i32s(ends) + ", step = " + i32s(steps),
                 (size + 1) / 2});
  padding[2 * d] = 1;
  padding[2 * d + 1] = 2;
  ops.push_back({"pad", "padding = array<i32: " + numbersText(padding, ", ") + ">, value = 3.0 : f32", size + 3});
  return ops;
}

struct View {
  std::string name, properties;
  Shape shape;  // of its result
};

// The graph of `there`, the op and `back`, after the pass.
void expectViewsGo(const Shape& in, const View& there, const DimOp& op, const Shape& made, const View& back) {
  const std::string a = typeText(in), b = typeText(there.shape), c = typeText(made), d = typeText(back.shape);
  std::string operands = "%0", types = b;
  for (size_t i = 1; i < op.operands; ++i) operands += ", %0", types += ", " + b;
  const std::string text = "func.func @main(%a: " + a + ") -> " + d + " {\n  %0 = \"ttir." + there.name + "\"(%a) <{" +
                           there.properties + "}> : (" + a + ") -> " + b + "\n  %1 = \"ttir." + op.name + "\"(" +
                           operands + ") <{" + op.properties + "}> : (" + types + ") -> " + c + "\n  %2 = \"ttir." +
                           back.name + "\"(%1) <{" + back.properties + "}> : (" + c + ") -> " + d +
                           "\n  return %2 : " + d + "\n}\n";
  SCOPED_TRACE(text);
  LoweringSetup setup;
  const Graph graph = graphOfText(text);
  const LoweringResult result = passOn("ttir-erase-inverse-ops", graph, setup);
  const ComparisonVerdict verdict = compareGraphs(graph, result.graph, 3, 1e-5);
  EXPECT_TRUE(verdict.equal()) << verdict.text << "\n" << exportMlir(result.graph);
  EXPECT_EQ(countOps(result.graph)["ttir." + there.name], 0) << exportMlir(result.graph);
  expectReadsBack(result.graph);
}

View permuteOf(const Shape& in, const Shape& order) {
  View view{"permute", "permutation = array<i64: " + numbersText(order, ", ") + ">", {}};
  for (int64_t from : order) view.shape.push_back(in[static_cast<size_t>(from)]);
  return view;
}

TEST(ViewsPass, PermutesMeetTheirInverseBehindEveryOp) {
  const Shape in = {2, 3, 5};
  Shape order = {0, 1, 2};
  while (std::next_permutation(order.begin(), order.end())) {
    Shape inverse(3);
    for (size_t i = 0; i < 3; ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    const View there = permuteOf(in, order);
    for (size_t d = 0; d < 3; ++d) {
      for (const DimOp& op : opsOnDim(there.shape, d)) {
        Shape made = there.shape;
        made[d] = op.size;
        expectViewsGo(in, there, op, made, permuteOf(made, inverse));
        if (HasFailure()) return;
      }
    }
  }
}

// Two dims merged into one, in front or behind, while the op works on another.
TEST(ViewsPass, ReshapesMeetTheirInverseBehindEveryOp) {
  const auto reshapeTo = [](const Shape& to) { return View{"reshape", "shape = " + i32s(to), to}; };
  for (size_t merged : {0u, 2u}) {
    const Shape in = {2, 3, 5, 4};
    Shape flat = in;
    flat[merged] *= flat[merged + 1];
    flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(merged) + 1);
    for (size_t d = 0; d < 3; ++d) {
      if (d == merged) continue;
      for (const DimOp& op : opsOnDim(flat, d)) {
        Shape made = flat, back = in;
        made[d] = op.size;
        back[d < merged ? d : d + 1] = op.size;
        expectViewsGo(in, reshapeTo(flat), op, made, reshapeTo(back));
        if (HasFailure()) return;
      }
    }
  }
}

// Ones that are added or taken, in front or between.
TEST(ViewsPass, OnesMeetTheirInverseBehindEveryOp) {
  const auto reshapeTo = [](const Shape& to) { return View{"reshape", "shape = " + i32s(to), to}; };
  const Shape in = {2, 3, 5};
  for (size_t one = 0; one <= 3; ++one) {
    Shape more = in;
    more.insert(more.begin() + static_cast<std::ptrdiff_t>(one), 1);
    for (size_t d = 0; d < 4; ++d) {
      if (d == one) continue;
      for (const DimOp& op : opsOnDim(more, d)) {
        if (op.size == 1 && more[d] != 1) continue;  // a new one beside the other: which of them goes is open
        Shape made = more, back = in;
        made[d] = op.size;
        back[d < one ? d : d - 1] = op.size;
        expectViewsGo(in, reshapeTo(more), op, made, reshapeTo(back));
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::test

// Which op goes on with which chain, on graphs that are nothing but places of results.

#include "core/ir/builder.h"
#include "core/report/chains.h"
#include "tests/policy/test_graphs.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// Ops in program order, each with the values it reads and where its results lie: 'L' in L1, 'D' in DRAM.
class Links {
 public:
  Links() : builder_(graph_) { func_ = builder_.addFunction("main"), graph_.forward = func_; }

  std::vector<ValueId> op(const std::vector<ValueId>& reads, const std::string& places) {
    OpSpec spec{.kind = OpKind::Opaque, .name = "x.op", .operands = reads, .resultTypes = {}};
    for (char place : places) {
      ValueType type = tensor({64, 64});
      type.tensor->layout = *makeLayout(type.tensor->shape,
                                        {.dtype = DType::BF16,
                                         .buffer = place == 'L' ? BufferType::L1 : BufferType::DRAM,
                                         .memory = TensorMemoryLayout::Interleaved,
                                         .grid = place == 'L' ? n150().grid : GridShape{}},
                                        n150());
      spec.resultTypes.push_back(type);
    }
    const OpId made = builder_.append(func_, std::move(spec));
    steps_.emplace_back().op = made;
    return graph_.ops[made].results;
  }
  std::string text() const {
    std::string out;
    const L1Chains found = findChains(graph_, steps_);
    for (const L1Chain& chain : found.chains) {
      out += (out.empty() ? "" : "|") + std::to_string(chain.lane) + ":";
      for (int32_t step : chain.steps) out += " " + std::to_string(step);
    }
    return out;
  }

 private:
  Graph graph_;
  GraphBuilder builder_;
  FuncId func_;
  std::vector<SimStep> steps_;
};

TEST(ChainLinks, AnOpGoesOnWhereItReadsFromL1) {
  Links links;
  const auto a = links.op({}, "L");
  links.op(a, "D");
  EXPECT_EQ(links.text(), "0: 0 1");
}

TEST(ChainLinks, WhatIsReadFromDramBeginsAnew) {
  Links links;
  const auto both = links.op({}, "LD");  // the second result lies in DRAM
  links.op({both[1]}, "L");
  links.op({both[0]}, "D");
  EXPECT_EQ(links.text(), "0: 0 2|1: 1");
}

TEST(ChainLinks, TheLowestOperandsChainGoesOn) {
  Links links;
  const auto a = links.op({}, "L"), b = links.op({}, "L");
  links.op({b[0], a[0]}, "L");
  EXPECT_EQ(links.text(), "0: 0|0: 1 2");
}

TEST(ChainLinks, AChainGoesOnOnce) {
  Links links;
  const auto a = links.op({}, "L");
  links.op(a, "D");
  links.op(a, "L");
  EXPECT_EQ(links.text(), "0: 0 1|0: 2") << "the lane is free again";
}

}  // namespace
}  // namespace tessera::test

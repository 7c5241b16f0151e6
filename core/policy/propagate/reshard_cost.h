#pragma once
// What it takes to convert a value from one layout into another: the time and the buffers of a `ttnn.to_layout`.

#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/layout_pool.h"

namespace tessera {

class ReshardCost {
 public:
  ReshardCost(const Problem& problem, LayoutPool& pool);

  struct Cost {
    bool legal = false;
    int64_t nanoseconds = 0;
    int64_t circularBuffers = 0;  // bytes per core
  };
  // Nothing to do (equal layouts) is legal and free. Asked once per question.
  Cost of(ValueId value, LayoutId from, LayoutId to);

 private:
  struct Known {
    LayoutId from;
    LayoutId to;
    Cost cost;
  };
  const Problem& problem_;
  LayoutPool& pool_;
  IdVec<ValueId, std::vector<Known>> known_;
};

}  // namespace tessera

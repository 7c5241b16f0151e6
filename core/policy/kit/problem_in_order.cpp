#include "core/policy/kit/problem_in_order.h"

namespace tessera {

Problem problemInOrder(const Problem& given, const std::vector<OpId>& order) {
  Problem problem{
      given.graph, given.device, given.options,  given.model,  given.budget, scheduleFromOrder(given.graph, order),
      {},          given.uses,   given.standard, given.pinned, {},           {}};
  problem.live = computeLiveness(given.graph, problem.schedule);
  problem.legal.resize(given.graph.ops.size());
  problem.configs.resize(given.graph.ops.size());
  return problem;
}

}  // namespace tessera

#include "core/policy/chain/l1_chain.h"

namespace tessera {

std::vector<OpId> L1ChainConfig::ops() const {
  std::vector<OpId> ops;
  for (const OpL1MemSpec& spec : specs_) ops.push_back(spec.op);
  return ops;
}

void L1ChainConfig::addOp(OpId op) {
  TESSERA_CHECK(state_ == L1ChainState::InBuild, "ops join a chain only while it is in build");
  specs_.push_back({op, 1, {}});
}

void L1ChainConfig::build() {
  TESSERA_CHECK(state_ == L1ChainState::InBuild && !specs_.empty(), "a chain that is built holds ops");
  state_ = L1ChainState::Built;
}

void L1ChainConfig::resolved() {
  TESSERA_CHECK(state_ == L1ChainState::Built, "only a built chain is resolved");
  state_ = L1ChainState::Resolved;
}

void L1ChainConfig::complete(const ShardSolverSolution& solution) {
  TESSERA_CHECK(state_ == L1ChainState::Resolved, "only a resolved chain is completed");
  TESSERA_CHECK(solution.configs.size() == specs_.size(), "one config per op of the chain");
  for (size_t i = 0; i < specs_.size(); ++i) specs_[i].config = solution.configs[i];
  memReconfig_ = solution.memReconfig;
  state_ = L1ChainState::Completed;
}

void L1ChainConfig::fail(std::string why) {
  TESSERA_CHECK(state_ != L1ChainState::InBuild, "a chain in build cannot fail");
  memReconfig_.clear();
  failure_ = std::move(why);
  state_ = L1ChainState::Failed;
}

void L1ChainConfig::dropMemReconfig(OpId consumer, int32_t operand) {
  std::erase_if(memReconfig_,
                [&](const MemReconfigEntry& e) { return e.edge.consumer == consumer && e.edge.operand == operand; });
}

}  // namespace tessera

#include "core/policy/chain/path_sets.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

namespace {

struct Ends {
  PathSets::Bitset producer, consumer;
};

Ends endsOf(const std::vector<ConfigPath>& paths) {
  Ends ends;
  for (const ConfigPath& path : paths) {
    ends.producer.set(static_cast<size_t>(path.producer));
    ends.consumer.set(static_cast<size_t>(path.consumer));
  }
  return ends;
}

}  // namespace

int PathSets::addNode(std::vector<int64_t> cores) {
  TESSERA_CHECK(cores.size() <= kMaxConfigs, "an op with more configs than a bitset has bits");
  Bitset all;
  for (size_t i = 0; i < cores.size(); ++i) all.set(i);
  valid_.push_back(all);
  cores_.push_back(std::move(cores));
  incoming_.emplace_back();
  outgoing_.emplace_back();
  usage_.emplace_back();
  isStale_.push_back(0);
  recount(static_cast<int>(cores_.size()) - 1);
  return static_cast<int>(cores_.size()) - 1;
}

bool PathSets::addEdge(int producer, int consumer, std::vector<ConfigPath> paths) {
  TESSERA_CHECK(producer < consumer, "an edge leads to a node added later");
  auto p = static_cast<size_t>(producer), c = static_cast<size_t>(consumer);
  std::erase_if(paths, [&](const ConfigPath& path) {
    return !valid_[p].test(static_cast<size_t>(path.producer)) || !valid_[c].test(static_cast<size_t>(path.consumer));
  });
  if (paths.empty()) return false;
  Ends ends = endsOf(paths);
  valid_[p] &= ends.producer;
  valid_[c] &= ends.consumer;
  outgoing_[p].push_back(static_cast<int>(edges_.size()));
  incoming_[c].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({producer, consumer, std::move(paths)});
  recount(consumer);
  // The consumer is shared by more now: all that it reads counts for less.
  for (int index : incoming_[c]) recount(edges_[static_cast<size_t>(index)].producer);
  return true;
}

bool PathSets::update(Edge& edge, Update& what) {
  Bitset& producer = valid_[static_cast<size_t>(edge.producer)];
  Bitset& consumer = valid_[static_cast<size_t>(edge.consumer)];
  what = {edge.producer, edge.consumer, producer.count(), 0, consumer.count(), 0, 0};
  const size_t gone = std::erase_if(edge.paths, [&](const ConfigPath& path) {
    return !producer.test(static_cast<size_t>(path.producer)) || !consumer.test(static_cast<size_t>(path.consumer));
  });
  Ends ends = endsOf(edge.paths);
  producer &= ends.producer;
  consumer &= ends.consumer;
  what.producerAfter = producer.count();
  what.consumerAfter = consumer.count();
  what.paths = edge.paths.size();
  if (gone > 0 || what.producerAfter != what.producerBefore) recount(edge.producer);
  if (what.consumerAfter != what.consumerBefore) recount(edge.consumer);
  return what.producerAfter != what.producerBefore || what.consumerAfter != what.consumerBefore;
}

bool PathSets::propagate(int root, std::vector<Update>* updates) {
  std::vector<int> worklist{root};
  while (!worklist.empty()) {
    int node = worklist.back();
    worklist.pop_back();
    auto visit = [&](int index, int neighbour) {
      Edge& edge = edges_[static_cast<size_t>(index)];
      Update what;
      bool changed = update(edge, what);
      if (changed && updates) updates->push_back(what);
      if (changed) worklist.push_back(neighbour);
      // The node itself may have lost configs to this edge: its other edges must hear of it.
      bool lostOwn =
          what.producer == node ? what.producerAfter != what.producerBefore : what.consumerAfter != what.consumerBefore;
      if (changed && lostOwn) worklist.push_back(node);
      return !edge.paths.empty();
    };
    for (int index : incoming_[static_cast<size_t>(node)]) {
      if (!visit(index, edges_[static_cast<size_t>(index)].producer)) return false;
    }
    for (int index : outgoing_[static_cast<size_t>(node)]) {
      if (!visit(index, edges_[static_cast<size_t>(index)].consumer)) return false;
    }
  }
  return true;
}

bool PathSets::set(int node, int config, std::vector<Update>* updates) {
  Bitset one;
  one.set(static_cast<size_t>(config));
  keepOnly(node, one);
  return valid(node).any() && propagate(node, updates);
}

void PathSets::recount(int node) {
  isStale_[static_cast<size_t>(node)] = 1;
  lastStale_ = std::max(lastStale_, node);
}

std::vector<int64_t> PathSets::coreUsageOf(size_t node) const {
  std::vector<int64_t> own(cores_[node].size(), -1);
  std::vector<int64_t> downstream(cores_[node].size(), 0);
  for (int index : outgoing_[node]) {
    const Edge& edge = edges_[static_cast<size_t>(index)];
    auto consumer = static_cast<size_t>(edge.consumer);
    auto forkFactor = static_cast<int64_t>(std::max<size_t>(incoming_[consumer].size(), 1));
    for (const ConfigPath& path : edge.paths) {
      auto p = static_cast<size_t>(path.producer);
      downstream[p] = std::max(downstream[p], usage_[consumer][static_cast<size_t>(path.consumer)] / forkFactor);
    }
  }
  for (size_t i = 0; i < own.size(); ++i) {
    if (valid_[node].test(i)) own[i] = cores_[node][i] + downstream[i];
  }
  return own;
}

// Only readers count for a node, and they have higher numbers: what is stale below it may wait.
const std::vector<int64_t>& PathSets::maxCoreUsage(int node) {
  for (; lastStale_ >= node; --lastStale_) {
    const auto next = static_cast<size_t>(lastStale_);
    if (!isStale_[next]) continue;
    isStale_[next] = 0;
    std::vector<int64_t> usage = coreUsageOf(next);
    if (usage == usage_[next]) continue;
    usage_[next].swap(usage);
    for (int index : incoming_[next]) recount(edges_[static_cast<size_t>(index)].producer);
  }
  return usage_[static_cast<size_t>(node)];
}

}  // namespace tessera

#pragma once
// PathSets: which configs of neighbouring ops go together, as bitsets and paths; constraints spread both ways until
// nothing changes (ttnn-optimizer.md 3.3.2, 3.3.3, 3.3.7), and accumulated core usage (3.3.8). Knows no ops: nodes are
// numbers.

#include <bitset>
#include <cstdint>
#include <vector>

namespace tessera {

// Config `producer` of an edge's producer goes with config `consumer` of its consumer.
struct ConfigPath {
  int32_t producer = 0;
  int32_t consumer = 0;
};

class PathSets {
 public:
  static constexpr size_t kMaxConfigs = 512;
  using Bitset = std::bitset<kMaxConfigs>;

  // Bitset sizes of an edge's ends when an update changed them.
  struct Update {
    int producer = 0;
    int consumer = 0;
    size_t producerBefore = 0, producerAfter = 0;
    size_t consumerBefore = 0, consumerAfter = 0;
    size_t paths = 0;
  };

  // A node with a config per entry (at most kMaxConfigs); an entry is the config's number of cores. Returns its index.
  int addNode(std::vector<int64_t> cores);
  const Bitset& valid(int node) const { return valid_[static_cast<size_t>(node)]; }
  void keepOnly(int node, const Bitset& allowed) {
    valid_[static_cast<size_t>(node)] &= allowed;
    recount(node);
  }

  // Both ends keep only configs with a path. False, and nothing changes, when an end would have none left.
  bool addEdge(int producer, int consumer, std::vector<ConfigPath> paths);

  // Constraint propagation from `root`. False when some edge has no path left. `updates` may be null.
  bool propagate(int root, std::vector<Update>* updates = nullptr);
  // The node keeps this one config; false when that leaves somebody without any.
  bool set(int node, int config, std::vector<Update>* updates = nullptr);

  // Per node and config: its cores plus the most that its readers' configs accumulate downstream, a reader of several
  // nodes counting for each of them by its share. -1 for configs that are out. Nodes must have been added producers
  // first. What did not change since the last call, and no reader of it, is not counted again.
  const std::vector<int64_t>& maxCoreUsage(int node);

 private:
  struct Edge {
    int producer;
    int consumer;
    std::vector<ConfigPath> paths;
  };
  // Drops paths with an end that is out, then configs without a path. True when a bitset changed.
  bool update(Edge& edge, Update& what);
  // The node's core usage is no longer what it was.
  void recount(int node);
  std::vector<int64_t> coreUsageOf(size_t node) const;

  std::vector<std::vector<int64_t>> cores_;
  std::vector<Bitset> valid_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> incoming_, outgoing_;  // edges by node
  std::vector<std::vector<int64_t>> usage_;            // by node, of those that are not stale
  std::vector<char> isStale_;                          // by node
  int lastStale_ = -1;                                 // none after it is stale
};

}  // namespace tessera

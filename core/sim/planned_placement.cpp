#include "core/sim/planned_placement.h"

#include <algorithm>

#include "core/sim/device_allocator.h"
#include "core/solve/addresses/address_solver.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Steps of the solver: about ten milliseconds. Most runs need a few thousand.
constexpr int64_t kEffort = 150'000;
// Pairs of buffers whose live ranges overlap: with more, the runtime's addresses are kept.
constexpr int64_t kMostPairs = 200'000;

// One buffer of L1 per item, in the order of allocation; time is counted in events, as the allocator saw them.
struct L1Lifetimes {
  AddressProblem problem;
  std::vector<int32_t> itemOf;  // by buffer of the run; -1: not in L1, or a view
  int64_t pairs = 0;

  explicit L1Lifetimes(const SimResult& run) : itemOf(run.buffers.size(), -1) {
    int64_t live = 0;
    const auto now = static_cast<int64_t>(run.events.size());
    for (size_t e = 0; e < run.events.size(); ++e) {
      const SimEvent& event = run.events[e];
      if (event.space != DeviceMemory::L1 || event.buffer < 0) continue;
      int32_t& item = itemOf[static_cast<size_t>(event.buffer)];
      if (event.kind == EventKind::Alloc) {
        item = static_cast<int32_t>(problem.buffers.size());
        problem.buffers.push_back({.begin = static_cast<int64_t>(e), .end = now, .size = event.bytes});
        pairs += live++;
      } else if (event.kind == EventKind::Free && item >= 0) {
        problem.buffers[static_cast<size_t>(item)].end = static_cast<int64_t>(e);
        --live;
      }
    }
  }
};

}  // namespace

PlannedPlacement planPlacement(const SimResult& run, const DeviceSpec& device) {
  const L1Lifetimes lifetimes(run);
  const int64_t top = l1Top(device);
  PlannedPlacement out{
      .firstFit = 0, .planned = 0, .bound = loadBound(lifetimes.problem), .method = "runtime", .addresses = {}};
  for (const SimBuffer& buffer : run.buffers) {
    const bool inL1 = buffer.space == DeviceMemory::L1;
    out.addresses.push_back(inL1 ? buffer.address : -1);
    if (inL1) out.firstFit = std::max(out.firstFit, top - buffer.address);
  }
  out.planned = out.firstFit;
  if (out.firstFit <= out.bound || lifetimes.pairs > kMostPairs) return out;
  AddressOptions options{.budget = WorkBudget(kEffort)};
  options.localWork = kEffort / 2;
  const AddressResult placed = assignAddresses(lifetimes.problem, options);
  if (placed.height >= out.firstFit) return out;
  out.planned = placed.height;
  out.method = placed.method;
  for (size_t b = 0; b < run.buffers.size(); ++b) {
    const SimBuffer& buffer = run.buffers[b];
    const int32_t item = lifetimes.itemOf[buffer.aliasOf >= 0 ? static_cast<size_t>(buffer.aliasOf) : b];
    // From the top down, as the runtime does.
    if (buffer.space == DeviceMemory::L1)
      out.addresses[b] = top - placed.offsets[static_cast<size_t>(item)] - buffer.bytes;
  }
  return out;
}

}  // namespace tessera

#pragma once
// What lies in L1 at one step, at the addresses that the runtime's free list gives out. Knows neither ops nor graphs:
// tensors are numbers, so that graphs and the compiler's own scenarios of sizes share it.

#include <vector>

#include "core/device/device_spec.h"
#include "core/device/free_list.h"
#include "core/ops/model/op_model.h"

namespace tessera {

// One thing that happens to L1 while an op runs: a copy of an operand, an intermediate, a result.
struct L1Move {
  Bytes allocate = {};         // 0: nothing is allocated in L1
  int32_t freedAfter = -1;     // the tensor that leaves L1 right after
  int32_t freedMove = -1;      // the earlier move whose allocation is freed right after
  Bytes circularBuffers = {};  // of a copy that runs now
  int32_t tensor = -1;         // which gets the allocation; -1: it is freed when the op has run
  int32_t aliasOf = -1;        // `tensor` shares the buffer of this tensor, nothing is allocated
  Bytes evictionBuffers = {};  // circular buffers of the copy that would bring `tensor` back to DRAM
};

// NoHole or CircularBufferClash with its figures, or None.
struct L1Fit {
  Refusal reason = Refusal::None;
  Bytes needed = {};
  Bytes available = {};
  bool ok() const { return reason == Refusal::None; }
};

class L1Contents {
 public:
  struct Resident {
    int32_t tensor = -1;
    int32_t buffer = -1;    // tensors with the same number share it
    int64_t address = -1;   // -1: there was no hole; the run will say so
    Bytes bytes;            // of the buffer, for the tensor that has held it longest; 0 for those that share it
    Bytes evictionBuffers;  // see L1Move
  };

  // Addresses that tensors may take; circular buffers grow from `begin` and stay `cushion` below the lowest tensor.
  L1Contents(int64_t begin, int64_t end, int64_t granule, Bytes cushion = {});
  explicit L1Contents(const DeviceSpec& device);

  Bytes occupied() const { return occupied_; }                           // a shared buffer counts once
  const std::vector<Resident>& residents() const { return residents_; }  // in the order in which they came
  const Resident* find(int32_t tensor) const;                            // null: not in L1
  // Whether all moves find addresses, and circular buffers stay below the lowest tensor: each copy's during its move,
  // and at the end the op's and those that bring any tensor back to DRAM, since what is in L1 must be able to leave.
  L1Fit fit(const std::vector<L1Move>& moves, Bytes circularBuffers) const;
  // Carries the moves out, whether they fit or not.
  void commit(const std::vector<L1Move>& moves);
  // The buffer is freed with the last tensor that holds it. Nothing happens when the tensor is not in L1.
  void release(int32_t tensor);

 private:
  L1Fit below(const FreeList& list, Bytes circularBuffers) const;

  FreeList list_;
  int64_t begin_, granule_;
  Bytes cushion_, occupied_;
  std::vector<Resident> residents_;
  int32_t buffers_ = 0;  // numbers given out
};

}  // namespace tessera

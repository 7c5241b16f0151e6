#pragma once
// Faults of the allocator's answers and of a run.

#include "tests/machine/planted_subjects.h"

namespace tessera::test {

inline std::vector<Fault> allocatorFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&)) {
    return Fault{Planted::Allocator, what, pressedSubject, plant};
  };
  return {
      in("an address that is in use", [](Subject& s) { s.relocate("4", s.bufferOf("3").address); }),
      in("a result on top of the operand it is made from",
         [](Subject& s) { s.relocate("7", s.bufferOf("4").address); }),
      in("a buffer that ends 32 bytes inside the next", [](Subject& s) { s.relocate("5", 40960 + 32); }),
      in("an address among the circular buffers", [](Subject& s) { s.relocate("4", kL1Base); }),
      in("an address of no alignment", [](Subject& s) { s.relocate("4", 57344 - 8); }),
      in("an address beyond the end of L1", [](Subject& s) { s.relocate("4", kL1Top); }),
      in("a hole a tile too small", [](Subject& s) { s.resize("4", s.bufferOf("4").bytes - kTile); }),
      in("a hole 32 bytes too small", [](Subject& s) { s.resize("4", s.bufferOf("4").bytes - 32); }),
      in("a DRAM address in use", [](Subject& s) { s.relocate("v3_spill", s.bufferOf("v0_spill").address); }),
      in("DRAM instead of L1",
         [](Subject& s) {
           for (SimEvent& event : s.run.events) {
             if (event.value == s.value("4")) event.space = DeviceMemory::Dram;
           }
           s.bufferOf("4").space = DeviceMemory::Dram;
         }),
  };
}

inline void exchange(SimEvent& a, SimEvent& b) {
  std::swap(a.value, b.value);
  std::swap(a.address, b.address);
  std::swap(a.bytes, b.bytes);
  std::swap(a.buffer, b.buffer);
}

inline SimEvent& intermediate(Subject& s, EventKind kind) {
  for (SimEvent& event : s.run.events) {
    if (event.kind == kind && !event.value.valid()) return event;
  }
  ADD_FAILURE() << "no intermediate";
  return s.run.events[0];
}

inline std::vector<Fault> lifetimeFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&), Subject (*subject)() = pressedSubject) {
    return Fault{Planted::Run, what, subject, plant};
  };
  return {
      in("a tensor freed before its last reader", [](Subject& s) { s.freeAt("3", 7); }),
      in("a DRAM tensor freed before its last reader", [](Subject& s) { s.freeAt("v0_spill", 9); }),
      in("the wrong tensor freed",
         [](Subject& s) {
           SimEvent& a = s.run.events[s.eventOf(EventKind::Free, "3")];
           SimEvent& b = s.run.events[s.eventOf(EventKind::Free, "4")];
           exchange(a, b);
           std::swap(s.bufferOf("3").to, s.bufferOf("4").to);
         }),
      in("a tensor freed twice",
         [](Subject& s) {
           const auto at = s.run.events.begin() + static_cast<std::ptrdiff_t>(s.eventOf(EventKind::Free, "3"));
           const SimEvent event = *at;
           s.run.events.insert(at, event);
         }),
      in("a tensor never freed",
         [](Subject& s) {
           s.run.events.erase(s.run.events.begin() + static_cast<std::ptrdiff_t>(s.eventOf(EventKind::Free, "3")));
         }),
      in("an operand freed by an op that does not free",
         [](Subject& s) { s.run.steps[7].freedOperand = s.value("3"); }),
      in("an operand freed before the op runs",
         [](Subject& s) {
           const size_t at = s.eventOf(EventKind::Free, "3");
           std::swap(s.run.events[at], s.run.events[at - 1]);
         }),
      in("a result that is never given room",
         [](Subject& s) {
           s.run.events.erase(s.run.events.begin() + static_cast<std::ptrdiff_t>(s.eventOf(EventKind::Alloc, "4")));
         }),
      in(
          "a step's buffer for neighbours' rows on top of the image",
          [](Subject& s) { intermediate(s, EventKind::Alloc).address = s.bufferOf("0").address; }, convolutionSubject),
      in(
          "a step's buffer for neighbours' rows never freed",
          [](Subject& s) {
            const SimEvent& event = intermediate(s, EventKind::Free);
            s.run.events.erase(s.run.events.begin() + (&event - s.run.events.data()));
          },
          convolutionSubject),
  };
}

inline std::vector<Fault> shareFaults() {
  const auto in = [](std::string_view what, void (*plant)(Subject&), Subject (*subject)() = pressedSubject) {
    return Fault{Planted::Run, what, subject, plant};
  };
  return {
      in("a copy taken for a view",
         [](Subject& s) {
           SimEvent& event = s.run.events[s.eventOf(EventKind::Alloc, "5")];
           const SimBuffer owner = s.bufferOf("4");
           event.kind = EventKind::Alias;
           event.address = s.bufferOf("5").address = owner.address;
           s.bufferOf("5").aliasOf = s.run.events[s.eventOf(EventKind::Alloc, "4")].buffer;
           s.run.events.erase(s.run.events.begin() + static_cast<std::ptrdiff_t>(s.eventOf(EventKind::Free, "5")));
         }),
      in(
          "a view taken for a copy",
          [](Subject& s) {
            SimEvent& event = s.run.events[s.eventOf(EventKind::Alias, "v")];
            event.kind = EventKind::Alloc;
            event.address = s.bufferOf("v").address = 16384;
            s.bufferOf("v").aliasOf = -1;
          },
          layoutsSubject),
      in(
          "a view that lies a tile further", [](Subject& s) { s.relocate("v", s.bufferOf("v").address + kTile); },
          layoutsSubject),
      in(
          "a buffer freed while a view of it is still read", [](Subject& s) { s.freeAt("3", 6); }, layoutsSubject),
      in("two addresses swapped in the events",
         [](Subject& s) {
           std::swap(s.run.events[s.eventOf(EventKind::Alloc, "4")].address,
                     s.run.events[s.eventOf(EventKind::Alloc, "5")].address);
         }),
      in("another address in the list than in the events", [](Subject& s) { s.bufferOf("4").address -= 8192; }),
      in("circular buffers reach into a tensor",
         [](Subject& s) {
           for (SimEvent& event : s.run.events) {
             if (event.kind == EventKind::Run && event.step == 7) event.bytes = 49152 + 32 - kL1Base;
           }
           s.run.steps[7].circularBuffersL1 = Bytes(49152 + 32 - kL1Base);
         }),
      in("a peak that is too low", [](Subject& s) { s.run.peakL1 = s.run.peakL1 - Bytes(32); }),
      in("a largest hole that is not there", [](Subject& s) { s.run.steps[7].l1.largestHole += 32; }),
      in("a time that is not the sum of the steps", [](Subject& s) { s.run.time += Nanoseconds(1); }),
      in("a step left out", [](Subject& s) { s.run.steps.erase(s.run.steps.begin() + 9); }),
      in("two steps swapped", [](Subject& s) { std::swap(s.run.steps[6].op, s.run.steps[7].op); }),
      in("a verdict without a reason in the events",
         [](Subject& s) { s.run.steps[7].verdict = RunVerdict::OutOfMemory; }),
  };
}

}  // namespace tessera::test

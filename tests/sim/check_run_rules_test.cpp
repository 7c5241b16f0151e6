// What the checker of runs reads off the graph by itself: how long values are needed, where they may lie and what an
// event has to say. Sound runs are found sound, and one with a field changed is found wrong by the rule of that field.

#include "core/sim/check_run.h"

#include <set>

#include "core/sim/memory_recount.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

const std::string kSquare = "tensor<64x64xbf16>";

struct Judged {
  DeviceSpec device;
  Graph graph;
  SimResult run;

  explicit Judged(const std::string& body, const std::vector<Place>& inL1 = {}, DeviceSpec on = tinyDevice(),
                  const std::string& attributes = "")
      : device(on) {
    const std::string arg = ": " + kSquare + attributes;
    graph =
        laidOut("func.func @main(%x" + arg + ", %y" + arg + ") -> " + kSquare + " {\n" + body + "}\n", inL1, device);
    run = simulate(graph, OpModel(device), device.usableL1());
  }
  // The rules that the run breaks, in alphabetical order.
  std::string broken() const {
    std::set<std::string_view> names;
    for (const RunDefect& d : checkRun(graph, run, device)) names.insert(runRuleName(d.rule));
    std::string text;
    for (std::string_view name : names) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
  }
  SimEvent& event(EventKind kind, std::string_view name) {
    for (SimEvent& e : run.events) {
      if (e.kind == kind && e.value.valid() && graph.values[e.value].name == name) return e;
    }
    ADD_FAILURE() << "no such event of %" << name;
    return run.events[0];
  }
  SimBuffer& buffer(std::string_view name) {
    for (SimBuffer& b : run.buffers) {
      if (b.value.valid() && graph.values[b.value].name == name) return b;
    }
    ADD_FAILURE() << "no buffer of %" << name;
    return run.buffers[0];
  }
  std::string lifetime(std::string_view name) {
    const SimBuffer& b = buffer(name);
    return std::to_string(b.from) + ".." + std::to_string(b.to);
  }
};

std::string relu(const std::string& result, const std::string& operand) {
  return line(result, "ttir.relu", operand, kSquare);
}
std::string freeing(const std::string& value, const std::string& op = "ttnn.deallocate") {
  return "  \"" + op + "\"(" + value + ") <{force = false}> : (" + kSquare + ") -> ()\n";
}
const std::string kReturnB = "  return %b : " + kSquare + "\n";

// The second op that frees a value reads what is gone; the value's buffer ends with the first.
TEST(CheckRunNeeds, AValueFreedTwiceEndsWithTheFirst) {
  for (const char* place : {"a", "x"}) {
    Judged twice(relu("%a", "%x") + freeing("%a") + relu("%b", "%y") + freeing("%a") + kReturnB, {{place}});
    EXPECT_EQ(twice.lifetime("a"), "0..1");
    EXPECT_EQ(twice.run.steps[1].verdict, RunVerdict::Fine);
    EXPECT_EQ(twice.run.steps[3].verdict, RunVerdict::UseAfterFree);
    EXPECT_EQ(twice.broken(), "");
  }
}

TEST(CheckRunNeeds, BothSpellingsOfADeallocationFree) {
  Judged early(
      relu("%a", "%x") + freeing("%a", "ttir.dealloc") + relu("%b", "%y") + freeing("%y", "ttir.dealloc") + kReturnB,
      {{"a"}});
  EXPECT_EQ(early.lifetime("a"), "0..1");
  EXPECT_EQ(early.lifetime("y"), "0..3");
  EXPECT_EQ(early.broken(), "");
  Judged read(relu("%a", "%x") + freeing("%a", "ttir.dealloc") + relu("%b", "%a") + kReturnB, {{"a"}});
  EXPECT_EQ(read.run.steps[2].verdict, RunVerdict::UseAfterFree);
  EXPECT_EQ(read.broken(), "");
}

// A value that nobody reads goes with the op that made it; an argument without a reader stays the caller's, as do
// weights, constants and caches, and what the caller put in L1.
TEST(CheckRunNeeds, ValuesAndArgumentsWithoutAReader) {
  const std::string body = relu("%a", "%x") + relu("%b", "%x") + kReturnB;
  Judged plain(body);
  EXPECT_EQ(plain.lifetime("a"), "0..0");
  EXPECT_EQ(plain.lifetime("x"), "0..1");
  EXPECT_EQ(plain.lifetime("y"), "0..2");
  EXPECT_EQ(plain.broken(), "");
  const std::string role = " {ttcore.argument_type = #ttcore.argument_type<";
  for (const std::string& keeps : {role + "parameter>}", role + "constant>}", std::string(" {ttcore.kv_cache}")}) {
    Judged kept(body, {}, tinyDevice(), keeps);
    EXPECT_EQ(kept.lifetime("x"), "0..2") << keeps;
    EXPECT_EQ(kept.broken(), "") << keeps;
  }
  Judged input(body, {}, tinyDevice(), role + "input>}");
  EXPECT_EQ(input.lifetime("x"), "0..1");
  EXPECT_EQ(input.broken(), "");
  Judged inL1(body, {{"x"}});
  EXPECT_EQ(inL1.lifetime("x"), "0..2");
  EXPECT_EQ(inL1.broken(), "");
}

// What an op writes into stays, whichever op it is.
TEST(CheckRunNeeds, WhatIsWrittenIntoStays) {
  const std::string cache = "tensor<1x1x64x64xbf16>", row = "tensor<1x1x32x64xbf16>", at = "tensor<1xi32>";
  const std::string update = "  \"ttnn.update_cache\"(%made, %r, %i) <{batch_offset = 0 : i32}> : (" + cache + ", " +
                             row + ", " + at + ") -> ()\n";
  const std::string step =
      "  \"ttnn.adamw\"(%made, %c, %c, %c) : (" + cache + ", " + cache + ", " + cache + ", " + cache + ") -> ()\n";
  const std::string pages = "tensor<1x2xi32>";
  const std::string fill =
      "  \"ttnn.paged_fill_cache\"(%made, %r, %p) : (" + cache + ", " + row + ", " + pages + ") -> ()\n";
  const std::string paged =
      "  \"ttnn.paged_update_cache\"(%made, %r, %i) <{share_cache = false, operandSegmentSizes = array<i32: 1, 1, 1, "
      "0>}> : (" +
      cache + ", " + row + ", " + at + ") -> ()\n";
  for (const std::string& writes : {update, step, fill, paged}) {
    const DeviceSpec device = tinyDevice();
    const Graph graph =
        laidOut("func.func @main(%c: " + cache + ", %r: " + row + ", %i: " + at + ", %p: " + pages + ") -> " + cache +
                    " {\n" + line("%made", "ttir.relu", "%c", cache) + writes + line("%a", "ttir.relu", "%c", cache) +
                    line("%b", "ttir.relu", "%a", cache) + "  return %b : " + cache + "\n}\n",
                {}, device);
    const SimResult run = simulate(graph, OpModel(device), device.usableL1());
    for (const SimBuffer& b : run.buffers) {
      if (graph.values[b.value].name == "made") EXPECT_EQ(b.to, 4) << writes;
    }
    for (const RunDefect& d : checkRun(graph, run, device))
      ADD_FAILURE() << runRuleName(d.rule) << ": " << d.text << "\n" << writes;
  }
}

// --- what events have to say -----------------------------------------------------------------------------------------

const std::string kThree =
    relu("%a", "%x") + relu("%b", "%a") + line("%c", "ttir.add", "%a, %b", kSquare) + "  return %c : " + kSquare + "\n";
const std::vector<Place> kAInL1 = {{"a"}};

TEST(CheckRunEvents, TensorsBeginWithTheirOps) {
  Judged argument(kThree, kAInL1);
  ASSERT_EQ(argument.broken(), "");
  auto& events = argument.run.events;
  const auto later = std::find_if(events.begin(), events.end(), [](const SimEvent& e) { return e.step == 0; });
  std::rotate(events.begin(), events.begin() + 1, later);  // %x behind %y, and with the first op
  SimEvent& moved = *(later - 1);
  ASSERT_EQ(moved.value, valueNamed(argument.graph, "x"));
  moved.step = 0;
  EXPECT_NE(argument.broken().find("steps-differ"), std::string::npos) << argument.broken();
}

TEST(CheckRunEvents, TensorsBeginOnce) {
  Judged twice(kThree, kAInL1);
  auto& events = twice.run.events;
  const SimEvent first = twice.event(EventKind::Alloc, "a");
  SimEvent again = first;
  again.address -= 4 * kTile;
  again.buffer = static_cast<int32_t>(twice.run.buffers.size());
  const auto at = std::find_if(events.begin(), events.end(), [](const SimEvent& e) { return e.step == 3; });
  again.step = 3;
  events.insert(at, again);
  EXPECT_NE(twice.broken().find("overlap"), std::string::npos) << twice.broken();
}

// What the run is said to break after a change.
template <class Change>
std::string brokenBy(Change change) {
  Judged judged(kThree, kAInL1);
  change(judged);
  return judged.broken();
}
bool breaks(const std::string& broken, std::string_view rule) {
  return (" " + broken + " ").find(" " + std::string(rule) + " ") != std::string::npos;
}

// An allocation is rounded up to whole granules and no further.
TEST(CheckRunEvents, TensorsAreRoundedUpByLessThanAGranule) {
  for (const int64_t more : {32, 64}) {
    const std::string broken = brokenBy([&](Judged& j) {
      j.event(EventKind::Alloc, "c").bytes += more;
      j.buffer("c").bytes += more;
    });
    EXPECT_TRUE(breaks(broken, "wrong-size")) << broken;
  }
}

TEST(CheckRunEvents, TensorsLieInTheMemoryOfTheirLayout) {
  for (const DeviceMemory other : {DeviceMemory::L1, DeviceMemory::L1Small}) {
    const std::string broken = brokenBy([&](Judged& j) {
      j.event(EventKind::Alloc, "c").space = j.buffer("c").space = other;
      j.event(EventKind::Alloc, "c").address = j.buffer("c").address = kL1Base;
    });
    EXPECT_TRUE(breaks(broken, "wrong-size")) << broken;
  }
}

// %c is returned: nothing but its allocation says where it is.
TEST(CheckRunEvents, TheListSaysWhatTheAllocationsSay) {
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").address += 32; }), "buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").bytes += 32; }), "buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").space = DeviceMemory::L1; }), "buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").from += 1; }), "buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").to -= 1; }), "buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.buffer("c").value = valueNamed(j.graph, "b"); }), "buffers-differ");
}

TEST(CheckRunEvents, AReleaseNamesWhatWasAllocated) {
  const auto released = [](auto change) {
    return brokenBy([&](Judged& j) { change(j.event(EventKind::Free, "a"), j); });
  };
  const std::string value = released([](SimEvent& e, Judged& j) { e.value = valueNamed(j.graph, "b"); });
  EXPECT_EQ(value, "free-of-nothing");
  EXPECT_TRUE(breaks(released([](SimEvent& e, Judged&) { e.address -= 32; }), "free-of-nothing"));
  EXPECT_EQ(released([](SimEvent& e, Judged&) { e.bytes += 32; }), "free-of-nothing");
  EXPECT_TRUE(breaks(released([](SimEvent& e, Judged&) { e.space = DeviceMemory::Dram; }), "free-of-nothing"));
  EXPECT_TRUE(breaks(released([](SimEvent& e, Judged&) { e.buffer = -1; }), "free-of-nothing"));
  EXPECT_TRUE(breaks(released([](SimEvent& e, Judged&) { e.buffer = 99; }), "free-of-nothing"));
}

TEST(CheckRunEvents, WhatIsReturnedIsNotFreed) {
  const std::string broken = brokenBy([](Judged& j) {
    SimEvent freed = j.event(EventKind::Alloc, "c");
    freed.kind = EventKind::Free;
    freed.step = 3;
    j.run.events.push_back(freed);
  });
  EXPECT_EQ(broken, "leak");
}

// An intermediate of the last step, as its event has it.
TEST(CheckRunEvents, IntermediatesHaveANameAndWholeGranules) {
  const auto with = [](int64_t bytes, std::string_view name) {
    return brokenBy([&](Judged& j) {
      auto& events = j.run.events;
      const auto at = std::find_if(events.begin(), events.end(), [](const SimEvent& e) { return e.step == 3; });
      const auto index = static_cast<int32_t>(j.run.buffers.size());
      events.insert(at, {3, EventKind::Alloc, {}, DeviceMemory::L1, 2 * kL1Base, bytes, index});
      events.push_back({3, EventKind::Free, {}, DeviceMemory::L1, 2 * kL1Base, bytes, index});
      j.run.buffers.push_back({{}, name, DeviceMemory::L1, 2 * kL1Base, bytes, 3, 3, -1});
    });
  };
  EXPECT_EQ(with(64, "rows"), "peak-differs") << "the step says nothing of it";
  EXPECT_TRUE(breaks(with(48, "rows"), "wrong-size"));
  EXPECT_TRUE(breaks(with(0, "rows"), "wrong-size"));
  EXPECT_TRUE(breaks(with(64, ""), "buffers-differ"));
}

TEST(CheckRunEvents, AProgramRunsOnItsCircularBuffersAndNamesNoTensor) {
  const auto launched = [](auto change) {
    return brokenBy([&](Judged& j) {
      for (SimEvent& e : j.run.events) {
        if (e.kind == EventKind::Run && e.step == 1) change(e);
      }
    });
  };
  EXPECT_EQ(launched([](SimEvent&) {}), "");
  EXPECT_EQ(launched([](SimEvent& e) { e.space = DeviceMemory::Dram; }), "circular-buffers-differ");
  EXPECT_EQ(launched([](SimEvent& e) { e.buffer = 0; }), "circular-buffers-differ");
  EXPECT_EQ(launched([](SimEvent& e) { e.value = ValueId{0}; }), "circular-buffers-differ");
  EXPECT_EQ(launched([](SimEvent& e) { e.address += 32; }), "circular-buffers-differ");
  EXPECT_EQ(launched([](SimEvent& e) { e.bytes += 32; }), "circular-buffers-differ");
  EXPECT_EQ(brokenBy([](Judged& j) { j.run.steps[1].circularBuffers[0].name = ""; }), "circular-buffers-differ");
  const std::string none = brokenBy([](Judged& j) {
    std::erase_if(j.run.events, [](const SimEvent& e) { return e.kind == EventKind::Run && e.step == 1; });
  });
  EXPECT_TRUE(breaks(none, "steps-differ")) << none;
}

TEST(CheckRunEvents, FiguresOfAStepAreCountedInBothMemories) {
  for (int64_t MemoryUse::*field : {&MemoryUse::used, &MemoryUse::free, &MemoryUse::largestHole}) {
    EXPECT_EQ(brokenBy([&](Judged& j) { j.run.steps[1].l1.*field += 32; }), "statistics-differ");
    EXPECT_EQ(brokenBy([&](Judged& j) { j.run.steps[1].dram.*field += 32; }), "statistics-differ");
  }
  EXPECT_EQ(brokenBy([](Judged& j) { j.run.steps[3].lowestTensor -= 32; }), "statistics-differ") << "L1 is empty";
  EXPECT_EQ(brokenBy([](Judged& j) { j.run.peakL1Small += 32; }), "peak-differs");
  EXPECT_EQ(brokenBy([](Judged& j) { j.run.peakDramPerBank += 32; }), "peak-differs");
  EXPECT_EQ(brokenBy([](Judged& j) { j.run.steps[1].verdictText = "fine"; }), "verdict-differs");
}

// A view that is listed with its events, and not where its owner is.
TEST(CheckRunEvents, AViewLiesWhereItsOwnerLies) {
  const std::string body = relu("%a", "%x") + "  %v = \"ttir.reshape\"(%a) <{shape = [64 : i32, 64 : i32]}> : (" +
                           kSquare + ") -> " + kSquare + "\n" + relu("%b", "%v") + kReturnB;
  const auto viewed = [&](auto change) {
    Judged judged(body, {{"a"}, {"v"}});
    SimEvent& event = judged.event(EventKind::Alias, "v");
    change(event);
    SimBuffer& view = judged.buffer("v");
    view.address = event.address, view.bytes = event.bytes, view.space = event.space;
    return judged.broken();
  };
  EXPECT_EQ(viewed([](SimEvent&) {}), "");
  EXPECT_EQ(viewed([](SimEvent& e) { e.address -= 32; }), "not-a-view");
  EXPECT_EQ(viewed([](SimEvent& e) { e.bytes -= 32; }), "not-a-view");
  EXPECT_EQ(viewed([](SimEvent& e) { e.space = DeviceMemory::Dram; }), "not-a-view");
}

// Memories begin and end at whole granules within what the device has.
TEST(CheckRunEvents, BoundsAreRoundedInwards) {
  DeviceSpec odd = tinyDevice();
  odd.l1UnreservedBase = Bytes(kL1Base + 8);
  odd.l1Small = Bytes(40);
  odd.dramBankSize = Bytes((1 << 20) + 8);
  Judged judged(kThree, kAInL1, odd);
  EXPECT_EQ(judged.broken(), "");
  EXPECT_EQ(judged.buffer("a").address + judged.buffer("a").bytes, kL1Top - 64);
}

// --- the memory of the checker ---------------------------------------------------------------------------------------

// The same by a table of bytes.
struct BytesTaken {
  std::vector<char> taken = std::vector<char>(64, 0);
  bool free(int64_t address, int64_t bytes) const {
    for (int64_t i = address; i < address + bytes; ++i) {
      if (taken[static_cast<size_t>(i)]) return false;
    }
    return true;
  }
  void set(int64_t address, int64_t bytes, char now) {
    for (int64_t i = address; i < address + bytes; ++i) taken[static_cast<size_t>(i)] = now;
  }
  int64_t largestGap() const {
    int64_t most = 0, gap = 0;
    for (char byte : taken) gap = byte ? 0 : gap + 1, most = std::max(most, gap);
    return most;
  }
};

TEST(MemoryRecount, IsATableOfBytes) {
  constexpr int64_t kFrom = 16;
  MemoryRecount memory(kFrom, kFrom + 64);
  BytesTaken bytes;
  std::map<int64_t, int64_t> held;
  uint64_t state = 7;
  const auto below = [&](int64_t n) {
    return static_cast<int64_t>((state = state * 6364136223846793005u + 1) >> 33) % n;
  };
  for (int i = 0; i < 4000; ++i) {
    const int64_t address = below(64);
    if (held.count(address) && below(2)) {
      memory.remove(kFrom + address);
      bytes.set(address, held[address], 0);
      held.erase(address);
    } else {
      const int64_t size = 1 + below(std::min<int64_t>(9, 64 - address));
      const bool room = bytes.free(address, size);
      ASSERT_EQ(memory.add(kFrom + address, size), room);
      if (room) bytes.set(address, size, 1), held[address] = size;
    }
    const int64_t used = std::count(bytes.taken.begin(), bytes.taken.end(), 1);
    ASSERT_EQ(memory.used(), used);
    ASSERT_EQ(memory.free(), 64 - used);
    ASSERT_EQ(memory.largestGap(), bytes.largestGap());
    ASSERT_EQ(memory.empty(), held.empty());
    if (!held.empty()) ASSERT_EQ(memory.lowest(), kFrom + held.begin()->first);
  }
}

TEST(MemoryRecount, ContainsWhatLiesWholeInIt) {
  const MemoryRecount memory(16, 80);
  EXPECT_TRUE(memory.contains(16, 64));
  EXPECT_TRUE(memory.contains(79, 1));
  EXPECT_FALSE(memory.contains(15, 1));
  EXPECT_FALSE(memory.contains(16, 65));
  EXPECT_FALSE(memory.contains(80, 1));
  EXPECT_FALSE(memory.contains(20, 0));
  EXPECT_FALSE(memory.contains(20, -4));
}

}  // namespace
}  // namespace tessera::test

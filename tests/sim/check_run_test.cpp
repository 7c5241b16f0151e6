// Every rule is broken on its own, by a sound run with one thing changed; the checker names that rule and no other.

#include "core/sim/check_run.h"

#include <set>

#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

struct SoundRun {
  DeviceSpec device = tinyDevice();
  Graph graph;
  SimResult run;

  // fourOps with another DRAM value in the middle: %3 is read once more by %4.
  SoundRun() {
    const std::string t = "tensor<64x64xbf16>";
    std::string text = "func.func @main(%a: " + t + ") -> " + t + " {\n" + line("%0", "ttir.relu", "%a", t) +
                       line("%1", "ttir.relu", "%0", t) + line("%2", "ttir.add", "%1, %0", t) +
                       line("%3", "ttir.relu", "%2", t) + line("%4", "ttir.relu", "%3", t) +
                       line("%5", "ttir.add", "%4, %3", t) + "  return %5 : " + t + "\n}\n";
    graph = laidOut(text, {{"0"}, {"1"}, {"2"}}, device);
    run = simulate(graph, OpModel(device), device.usableL1());
  }
  ValueId value(std::string_view name) const { return valueNamed(graph, name); }
  // Moves a buffer everywhere it is listed.
  void change(std::string_view name, int64_t address, int64_t bytes) {
    for (SimEvent& e : run.events) {
      if (e.value == value(name)) e.address = address, e.bytes = bytes;
    }
    for (SimBuffer& b : run.buffers) {
      if (b.value == value(name)) b.address = address, b.bytes = bytes;
    }
  }
  SimBuffer& buffer(std::string_view name) {
    for (SimBuffer& b : run.buffers) {
      if (b.value == value(name)) return b;
    }
    return run.buffers[0];
  }
  size_t eventOf(EventKind kind, std::string_view name) const {
    for (size_t i = 0; i < run.events.size(); ++i) {
      if (run.events[i].kind == kind && run.events[i].value == value(name)) return i;
    }
    ADD_FAILURE() << "no such event of %" << name;
    return 0;
  }
  std::set<std::string_view> rules() const {
    std::set<std::string_view> names;
    for (const RunDefect& d : checkRun(graph, run, device)) names.insert(runRuleName(d.rule));
    return names;
  }
  void expectOnly(RunRule rule) const { EXPECT_EQ(rules(), std::set<std::string_view>{runRuleName(rule)}); }
};

TEST(CheckRun, ASoundRunHasNoDefects) { EXPECT_TRUE(SoundRun().rules().empty()); }

TEST(CheckRun, StepsDiffer) {
  SoundRun sound;
  sound.run.steps.pop_back();
  sound.expectOnly(RunRule::StepsDiffer);
  SoundRun swapped;
  std::swap(swapped.run.steps[0].op, swapped.run.steps[1].op);
  swapped.expectOnly(RunRule::StepsDiffer);
}

TEST(CheckRun, StepsDifferWhenEventsAreOutOfOrder) {
  SoundRun sound;
  sound.run.events[sound.eventOf(EventKind::Free, "4")].step = 99;
  EXPECT_TRUE(sound.rules().count("steps-differ"));
}

TEST(CheckRun, Overlap) {
  SoundRun sound;
  sound.change("4", sound.buffer("3").address, sound.buffer("4").bytes);
  sound.expectOnly(RunRule::Overlap);
}

TEST(CheckRun, OutOfRange) {
  SoundRun below;
  below.change("1", 0, below.buffer("1").bytes);
  EXPECT_TRUE(below.rules().count("out-of-range"));
  SoundRun crooked;
  crooked.change("5", crooked.buffer("5").address + 8192 + 8, crooked.buffer("5").bytes);
  crooked.expectOnly(RunRule::OutOfRange);
  SoundRun beyond;
  beyond.change("5", 1 << 20, beyond.buffer("5").bytes);
  beyond.expectOnly(RunRule::OutOfRange);
}

TEST(CheckRun, WrongSize) {
  SoundRun sound;
  sound.change("5", sound.buffer("5").address + 65536, sound.buffer("5").bytes + 64);
  sound.expectOnly(RunRule::WrongSize);
  SoundRun smaller;
  smaller.change("5", smaller.buffer("5").address, smaller.buffer("5").bytes - 32);
  smaller.expectOnly(RunRule::WrongSize);
}

// %3 goes at step 4 although step 5 reads it.
TEST(CheckRun, UseOfFreed) {
  SoundRun sound;
  size_t at = sound.eventOf(EventKind::Free, "3");
  SimEvent event = sound.run.events[at];
  ASSERT_EQ(event.step, 5);
  sound.run.events.erase(sound.run.events.begin() + static_cast<std::ptrdiff_t>(at));
  event.step = 4;
  sound.run.events.insert(sound.run.events.begin() + static_cast<std::ptrdiff_t>(sound.eventOf(EventKind::Alloc, "5")),
                          event);
  sound.buffer("3").to = 4;
  sound.expectOnly(RunRule::UseOfFreed);
}

TEST(CheckRun, FreeOfNothing) {
  SoundRun twice;
  size_t at = twice.eventOf(EventKind::Free, "3");
  twice.run.events.insert(twice.run.events.begin() + static_cast<std::ptrdiff_t>(at), twice.run.events[at]);
  twice.expectOnly(RunRule::FreeOfNothing);
}

TEST(CheckRun, Leak) {
  SoundRun sound;
  sound.run.events.erase(sound.run.events.begin() + static_cast<std::ptrdiff_t>(sound.eventOf(EventKind::Free, "3")));
  sound.buffer("3").to = static_cast<int32_t>(sound.run.steps.size()) - 1;
  sound.expectOnly(RunRule::Leak);
}

TEST(CheckRun, BuffersDiffer) {
  SoundRun missing;
  missing.run.buffers.pop_back();
  EXPECT_TRUE(missing.rules().count("buffers-differ"));
  SoundRun longer;
  longer.buffer("3").to += 1;
  longer.expectOnly(RunRule::BuffersDiffer);
  SoundRun earlier;
  earlier.buffer("3").from -= 1;
  earlier.expectOnly(RunRule::BuffersDiffer);
  SoundRun extra;
  extra.run.buffers.push_back(extra.run.buffers[0]);
  extra.expectOnly(RunRule::BuffersDiffer);
}

TEST(CheckRun, PeakDiffers) {
  SoundRun peak;
  peak.run.peakL1 += Bytes(1);
  peak.expectOnly(RunRule::PeakDiffers);
  SoundRun step;
  step.run.steps[1].tensorsL1 += Bytes(32);
  step.expectOnly(RunRule::PeakDiffers);
}

TEST(CheckRun, MissedClash) {
  SoundRun invented;
  size_t ran = 0;
  while (invented.run.events[ran].kind != EventKind::Run) ++ran;
  SimEvent clash = invented.run.events[ran];
  clash.kind = EventKind::Clash;
  invented.run.events.insert(invented.run.events.begin() + static_cast<std::ptrdiff_t>(ran) + 1, clash);
  invented.expectOnly(RunRule::MissedClash);

  // The reverse: circular buffers that reach the lowest tensor of step 3, and no event says so.
  SoundRun silent;
  SimStep& step = silent.run.steps[3];
  step.circularBuffersL1 = Bytes(step.lowestTensor - kL1Base + 32);
  step.circularBuffers = {{"all", kL1Base, step.circularBuffersL1.count}};
  step.verdictText = "clash";
  for (SimEvent& e : silent.run.events) {
    if (e.step == 3 && e.kind == EventKind::Run) e.bytes = step.circularBuffersL1.count;
  }
  silent.run.peakL1 = step.tensorsL1 + step.circularBuffersL1;
  step.verdict = RunVerdict::Clash;
  silent.run.failures = 1;
  silent.expectOnly(RunRule::MissedClash);
}

TEST(CheckRun, VerdictDiffers) {
  SoundRun verdict;
  verdict.run.steps[2].verdict = RunVerdict::OutOfMemory;
  verdict.expectOnly(RunRule::VerdictDiffers);
  SoundRun count;
  count.run.failures = 1;
  count.expectOnly(RunRule::VerdictDiffers);
}

TEST(CheckRun, TotalsDiffer) {
  SoundRun time;
  time.run.time += Nanoseconds(1);
  time.expectOnly(RunRule::TotalsDiffer);
  SoundRun bytes;
  bytes.run.steps[0].time.dramBytes += 1;
  bytes.expectOnly(RunRule::TotalsDiffer);
}

TEST(CheckRun, RuleNamesAreDistinct) {
  std::set<std::string_view> names;
  for (int rule = 0; rule <= static_cast<int>(RunRule::TotalsDiffer); ++rule)
    names.insert(runRuleName(static_cast<RunRule>(rule)));
  EXPECT_EQ(names.size(), static_cast<size_t>(RunRule::TotalsDiffer) + 1);
  EXPECT_EQ(names.count(""), 0u);
}

}  // namespace
}  // namespace tessera::test

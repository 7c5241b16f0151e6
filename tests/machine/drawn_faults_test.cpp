// Faults drawn by lot and planted in sound runs: one field of an event, of a buffer or of a step changed, an event left
// out, doubled or exchanged with the next. Some checker notices each, and what they say is pinned.

#include "tests/golden_texts.h"
#include "tests/machine/planted_subjects.h"
#include "tests/pinned.h"

namespace tessera::test {
namespace {

PinnedFile& drawnPins = PinnedFile::named("pinned_machine");

PlanExecution carriedOut(const Subject& s, const SimResult& run) {
  PlanExecutionOptions options;
  const bool planned = s.made->problem != nullptr;
  if (planned) options.source = &s.made->graph;
  const Graph& like = planned ? s.made->graph : s.applied.graph;
  return executePlan(s.applied.graph, run, s.device(), randomInputs(like, 1), options);
}

// What was changed, in words.
std::string tamper(SimResult& run, uint64_t draw) {
  const auto below = [&](size_t count) { return static_cast<size_t>((draw >> 16) % count); };
  const int64_t by[] = {32, -32, 64, 2048, -2048, 1};
  const int64_t amount = by[(draw >> 8) % 6];
  const size_t at = below(run.events.size());
  SimEvent& event = run.events[at];
  const auto place = run.events.begin() + static_cast<std::ptrdiff_t>(at);
  SimBuffer& buffer = run.buffers[below(run.buffers.size())];
  SimStep& step = run.steps[below(run.steps.size())];
  const char* const kKinds[] = {"Alloc", "Alias", "Free", "OutOfMemory", "Run", "Clash"};
  const std::string what = std::string(" of ") + kKinds[static_cast<int>(event.kind)] + " event " + std::to_string(at) +
                           " by " + std::to_string(amount);
  switch (draw % 16) {
    case 0: return event.address += amount, "address" + what;
    case 1: return event.bytes += amount, "bytes" + what;
    case 2: return run.events.erase(place), "event " + std::to_string(at) + " left out";
    case 3: {
      const SimEvent again = event;
      run.events.insert(place, again);
      return "event " + std::to_string(at) + " doubled";
    }
    case 4: return event.step += amount > 0 ? 1 : -1, "step" + what;
    case 5: return event.buffer += amount > 0 ? 1 : -1, "buffer" + what;
    case 6: {
      const bool frees = at + 1 < run.events.size() && event.kind == EventKind::Free &&
                         run.events[at + 1].kind == EventKind::Free && event.step == run.events[at + 1].step;
      if (frees || at + 1 == run.events.size()) return "";  // in whichever order: the same run
      if (at + 1 < run.events.size()) std::swap(run.events[at], run.events[at + 1]);
      return "event " + std::to_string(at) + " exchanged with the next";
    }
    case 7:
      return event.space = event.space == DeviceMemory::L1 ? DeviceMemory::Dram : DeviceMemory::L1, "space" + what;
    case 8: return buffer.address += amount, "address of a buffer";
    case 9: return buffer.bytes += amount, "bytes of a buffer";
    case 10: return buffer.to += amount > 0 ? 1 : -1, "last step of a buffer";
    case 11: return buffer.from += amount > 0 ? 1 : -1, "first step of a buffer";
    case 12: return step.tensorsL1 = Bytes(step.tensorsL1.count + amount), "bytes of tensors in a step";
    case 13: return step.circularBuffersL1 = Bytes(step.circularBuffersL1.count + amount), "circular buffers of a step";
    case 14: return step.lowestTensor += amount, "lowest tensor of a step";
    default: return run.peakL1 = Bytes(run.peakL1.count + amount), "peak of the run";
  }
}

TEST(DrawnFaults, InRuns) {
  constexpr uint64_t kRounds = 56;
  struct Named {
    const char* name;
    Subject (*make)();
  };
  for (const auto& [name, make] :
       {Named{"pressed", pressedSubject}, Named{"convolution", convolutionSubject}, Named{"layouts", layoutsSubject}}) {
    const Subject subject = make();
    const PlanExecution sound = carriedOut(subject, subject.run);
    EXPECT_EQ(sound.status, PlanStatus::Equal) << sound.text;
    Fingerprint print;
    int byRun = 0, byExecution = 0;
    for (uint64_t seed = 1; seed <= (smallTests() ? 10 : kRounds); ++seed) {
      SimResult run = subject.run;
      const std::string what = tamper(run, mixed(seed));
      if (what.empty()) continue;
      const std::vector<RunDefect> defects = checkRun(subject.applied.graph, run, subject.device());
      const PlanExecution execution = carriedOut(subject, run);
      print.add(what), print.add(planExecutionText(execution));
      for (const RunDefect& defect : defects) print.add(runRuleName(defect.rule)), print.add(defect.text);
      byRun += !defects.empty();
      byExecution += execution.status == PlanStatus::Different;
      if (!defects.empty() || execution.status != PlanStatus::Equal) continue;
      ADD_FAILURE() << name << ": nobody notices " << what;
    }
    if (smallTests()) continue;
    drawnPins.expect(name, std::to_string(sound.steps) + " steps, " + std::to_string(sound.reads) + " reads, " +
                               std::to_string(sound.writes) + " writes, " + std::to_string(sound.moves) + " moves, " +
                               std::to_string(sound.views) + " views, " + std::to_string(sound.bytes) +
                               " bytes; noticed by checkRun " + std::to_string(byRun) + ", by execution " +
                               std::to_string(byExecution) + ", print " + digits(print));
  }
}

}  // namespace
}  // namespace tessera::test

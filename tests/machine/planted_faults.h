#pragma once
// Faults to plant in plans, in runs of the simulator and in what ops write, with the sound plans they are planted in.

#include <functional>
#include <string>
#include <vector>

#include "core/machine/execute_plan.h"
#include "core/plan/check_plan.h"
#include "core/sim/check_run.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {

// A graph with its plan and its run, to be changed.
struct Subject {
  std::unique_ptr<PolicyRun> made;
  Plan plan;
  AppliedPlan applied;
  SimResult run;
  StorageCode written;

  const DeviceSpec& device() const { return made->device; }
  ValueId value(std::string_view name) const { return valueNamed(applied.graph, name); }
  OpId producer(std::string_view name) const { return producerOf(applied.graph, name); }
  void apply() {
    applied = applyPlan(made->graph, plan);
    run = simulate(applied.graph, made->problem->model, made->problem->budget.bytes(), plan.config);
  }
  size_t eventOf(EventKind kind, std::string_view name) const {
    for (size_t i = 0; i < run.events.size(); ++i) {
      if (run.events[i].kind == kind && run.events[i].value == value(name)) return i;
    }
    ADD_FAILURE() << "no such event of %" << name;
    return 0;
  }
  SimBuffer& bufferOf(std::string_view name) {
    for (SimBuffer& buffer : run.buffers) {
      if (buffer.value == value(name)) return buffer;
    }
    ADD_FAILURE() << "no buffer of %" << name;
    return run.buffers[0];
  }
  // The allocator gives another address, which then stands everywhere.
  void relocate(std::string_view name, int64_t address) {
    const ValueId moved = value(name);
    for (SimEvent& event : run.events) {
      if (event.value == moved) event.address = address;
    }
    for (SimBuffer& buffer : run.buffers) {
      if (buffer.value == moved) buffer.address = address;
    }
  }
  void resize(std::string_view name, int64_t bytes) {
    const ValueId resized = value(name);
    for (SimEvent& event : run.events) {
      if (event.value == resized) event.bytes = bytes;
    }
    bufferOf(name).bytes = bytes;
  }
  // Its buffer goes at another step, as the last event of it.
  void freeAt(std::string_view name, int32_t step) {
    const size_t at = eventOf(EventKind::Free, name);
    SimEvent event = run.events[at];
    run.events.erase(run.events.begin() + static_cast<std::ptrdiff_t>(at));
    event.step = step;
    size_t place = 0;
    while (place < run.events.size() && run.events[place].step <= step) ++place;
    run.events.insert(run.events.begin() + static_cast<std::ptrdiff_t>(place), event);
    bufferOf(name).to = step;
  }
};

// Which checkers notice.
struct Noticed {
  bool byCheckPlan = false, byCheckRun = false, byExecution = false;
  std::string said;
  bool byAny() const { return byCheckPlan || byCheckRun || byExecution; }
};

enum class Planted { Plan, Allocator, Run, AppliedGraph, Bytes };

struct Fault {
  Planted where;
  std::string_view what;
  Subject (*subject)();
  void (*plant)(Subject&);
};

}  // namespace tessera::test

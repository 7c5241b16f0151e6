#pragma once
// A run as a trace that Perfetto and chrome://tracing open: the JSON form of the trace-event format (object form, times
// in microseconds, complete, counter, instant and metadata events).

#include <string>

#include "core/report/report.h"

namespace tessera {

// Needs report.run and report.device. One process; the thread "Ops" has a slice per op, "Compute", "DRAM" and "NoC"
// have what each of them was busy with, which begins when the launch is over. Counters: L1 tensors and circular buffers
// per core, DRAM per bank, free L1 and its largest hole. Failures are instant events. Timestamps never go back.
std::string traceEventJson(const Report& report);

}  // namespace tessera

#pragma once
// Logs of the compiler: dumps of IR between other lines, as MLIR's --mlir-print-ir-after-all (and -before-all) and the
// loggers of tt-xla write them. Only finds the dumps; what stands in one is parsed when somebody asks for it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

enum class DumpMoment : uint8_t { Before, After, Failed, Stage };

// One dump. Views point into the log.
struct IrDump {
  DumpMoment moment = DumpMoment::After;
  std::string_view pass;       // "TTNNLayout"; of a stage its name, "ttnn"
  std::string_view argument;   // "ttnn-layout", or ""
  std::string_view operation;  // "func.func", or ""
  std::string_view symbol;     // "main", or ""
  uint32_t line = 0;           // of its marker, 1-based
  size_t begin = 0, end = 0;   // of its text in the log, other lines included
  uint64_t hash = 0;           // of its text without them
  bool complete = false;       // its outermost op is closed
};

// One run of a pass on one op.
struct PassRun {
  std::string_view pass, argument, operation, symbol;
  uint32_t line = 0;
  int32_t before = -1, after = -1;  // indices of dumps; -1: none
  bool failed = false;
  bool changed = false;  // the op is another one than when it was last dumped
};

struct PassLogText {
  std::vector<IrDump> dumps;
  std::vector<PassRun> runs;
};

// A marker of a dump stands at the beginning of a line.
bool looksLikePassLog(std::string_view text);
PassLogText readPassLog(std::string_view text);
// The dump alone: lines of loggers left out.
std::string dumpText(std::string_view log, const IrDump& dump);

}  // namespace tessera

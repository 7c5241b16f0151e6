#pragma once
// Logs of the compiler: dumps of IR between other lines, as MLIR's --mlir-print-ir-after-all (and -before-all) and the
// loggers of tt-xla write them. Only finds the dumps; what stands in one is parsed when somebody asks for it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

enum class DumpMoment : uint8_t { Before, After, Failed, Stage };

// One dump.
struct IrDump {
  DumpMoment moment = DumpMoment::After;
  std::string pass;           // "TTNNLayout"; of a stage its name, "ttnn"
  std::string argument;       // "ttnn-layout", or ""
  std::string operation;      // "func.func", or ""
  std::string symbol;         // "main", or ""
  uint32_t line = 0;          // of its marker, 1-based
  size_t begin = 0, end = 0;  // of its text in the log, other lines included
  uint64_t hash = 0;          // of its text without them
  bool complete = false;      // its outermost op is closed
  bool ttnn = false;          // it has a TTNN op
  bool module = false;        // it is a module
};

// One run of a pass on one op.
struct PassRun {
  std::string pass, argument, operation, symbol;
  uint32_t line = 0;
  int32_t before = -1, after = -1;  // indices of dumps; -1: none
  bool failed = false;
  bool changed = false;  // the op is another one than when it was last dumped
};

struct PassLogText {
  std::vector<IrDump> dumps;
  std::vector<PassRun> runs;
};

// Which lines of a dump are IR: up to the end of its outermost op and the aliases behind it.
class IrLines {
 public:
  // Of the next line; once nothing more can follow, it is of no further line.
  bool isIr(std::string_view line);
  bool closed() const { return closed_; }

 private:
  bool open_ = false, closed_ = false, over_ = false;
};

// Reads a log that comes in pieces, of any size and cut anywhere, and keeps none of it but an unfinished line.
class PassLogReader {
 public:
  void feed(std::string_view piece);
  PassLogText finish();  // once, at the end

 private:
  void readLine(std::string_view line);
  void beginDump(IrDump dump);
  void closeDump();

  PassLogText log_;
  IrLines lines_;     // of the last dump
  std::string rest_;  // of the last piece: a line without its end
  size_t at_ = 0;     // where the next line begins
  size_t length_ = 0;
  uint32_t line_ = 0;
};

// A marker of a dump stands at the beginning of a line.
bool looksLikePassLog(std::string_view text);
PassLogText readPassLog(std::string_view text);
// How much of the program a dump shows: TTNN before others, whole modules before functions. -1: not a state to go on
// from, since it is cut off or from before a pass.
int dumpRank(const IrDump& dump);
inline constexpr int kBestDumpRank = 3;
// The dump alone: lines of loggers left out.
std::string dumpText(std::string_view log, const IrDump& dump);
std::string dumpText(std::string_view dump);  // of its part of the log

}  // namespace tessera

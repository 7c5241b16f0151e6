#include "core/text/pass_log.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera {

namespace {

constexpr std::string_view kMarker = "// -----// IR Dump ";
constexpr std::string_view kMarkerEnd = "//----- //";
constexpr std::string_view kStage = "MLIR Module ";

bool startsWith(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// "2026-02-21 22:37:01": what loggers begin with; no MLIR does.
bool isLogLine(std::string_view line) {
  constexpr std::string_view kForm = "dddd-dd-dd dd:dd:dd";
  if (line.size() < kForm.size()) return false;
  for (size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !isDigit(line[i]) : line[i] != kForm[i]) return false;
  }
  return true;
}

// Begins an op or an alias at the outermost level.
bool beginsIr(std::string_view line) {
  for (std::string_view word : {"module", "builtin.module", "func.func", "ttcore.", "\"builtin", "\"func", "#", "!"}) {
    if (startsWith(line, word)) return true;
  }
  return false;
}

// "After TTNNLayout (ttnn-layout) ('func.func' operation: @main) //----- //", behind the first word.
void readMarker(std::string_view text, IrDump& dump) {
  text = trimmed(text.substr(0, text.find(kMarkerEnd)));
  dump.moment = startsWith(text, "Before ") ? DumpMoment::Before : DumpMoment::After;
  text = trimmed(text.substr(text.find(' ') == std::string_view::npos ? text.size() : text.find(' ')));
  dump.pass = std::string(text.substr(0, text.find(' ')));
  text = trimmed(text.substr(dump.pass.size()));
  if (startsWith(text, "Failed")) {
    dump.moment = DumpMoment::Failed;
    text = trimmed(text.substr(6));
  }
  while (startsWith(text, "(")) {
    const size_t close = text.find(')');
    const std::string_view inner = text.substr(1, close == std::string_view::npos ? text.size() : close - 1);
    const size_t colon = inner.find("' operation");
    if (colon == std::string_view::npos) {
      dump.argument = std::string(inner);
    } else {
      dump.operation = std::string(inner.substr(1, colon - 1));
      const size_t at = inner.find('@');
      if (at != std::string_view::npos) dump.symbol = std::string(inner.substr(at + 1));
    }
    if (close == std::string_view::npos) return;
    text = trimmed(text.substr(close + 1));
  }
}

// "... 1| MLIR Module ttnn:"
bool readStage(std::string_view line, IrDump& dump) {
  const size_t at = isLogLine(line) ? line.find(kStage) : std::string_view::npos;
  if (at == std::string_view::npos) return false;
  std::string_view name = trimmed(line.substr(at + kStage.size()));
  if (name.empty() || name.back() != ':') return false;
  name.remove_suffix(1);
  dump.moment = DumpMoment::Stage;
  dump.pass = std::string(name);
  return true;
}

// The last dump of each op: functions of a module take turns. A dump of another kind of op is another state.
using LastDumps = std::map<std::pair<std::string, std::string>, int32_t>;

void addRun(PassLogText& log, size_t index, LastDumps& dumps) {
  const IrDump& dump = log.dumps[index];
  const auto number = static_cast<int32_t>(index);
  if (dump.moment == DumpMoment::Stage) return;
  int32_t& last = dumps.try_emplace({dump.operation, dump.symbol}, -1).first->second;
  const int32_t lastOfOp = std::exchange(last, number);
  PassRun* open = log.runs.empty() ? nullptr : &log.runs.back();
  const bool same = dump.moment != DumpMoment::Before && open && open->before >= 0 && open->after < 0 &&
                    open->pass == dump.pass && open->operation == dump.operation && open->symbol == dump.symbol;
  if (!same) {
    log.runs.push_back({dump.pass, dump.argument, dump.operation, dump.symbol, dump.line});
    open = &log.runs.back();
  }
  if (dump.moment == DumpMoment::Before) {
    open->before = number;
    return;
  }
  const int32_t previous = open->before >= 0 ? open->before : lastOfOp;
  open->after = number;
  open->failed = dump.moment == DumpMoment::Failed;
  open->changed = previous < 0 || log.dumps[static_cast<size_t>(previous)].hash != dump.hash;
}

}  // namespace

bool looksLikePassLog(std::string_view text) {
  for (size_t at = text.find(kMarker); at != std::string_view::npos; at = text.find(kMarker, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return true;
  }
  return false;
}

bool IrLines::isIr(std::string_view line) {
  // Behind the op come aliases of locations alone; what else begins there is another copy, without a marker.
  if (over_ || (closed_ && trimmed(line).empty())) return false;
  if (closed_ && !startsWith(line, "#loc")) {
    over_ = true;
    return false;
  }
  if (isLogLine(line) || (!open_ && !beginsIr(line))) return false;
  const bool alias = startsWith(line, "#") || startsWith(line, "!");
  open_ = open_ || !alias;
  // An op of one line has no closing brace of its own.
  closed_ = closed_ || startsWith(line, "}") || startsWith(line, "})");
  return true;
}

void PassLogReader::beginDump(IrDump dump) {
  closeDump();
  dump.line = line_;
  dump.hash = 0xcbf29ce484222325;
  log_.dumps.push_back(std::move(dump));
  lines_ = IrLines();
}

void PassLogReader::closeDump() {
  if (log_.dumps.empty()) return;
  log_.dumps.back().end = at_;
  log_.dumps.back().complete = lines_.closed();
}

void PassLogReader::readLine(std::string_view line) {
  ++line_;
  IrDump begun;
  const bool marker = startsWith(line, kMarker);
  if (marker) readMarker(line.substr(kMarker.size()), begun);
  if (marker || readStage(line, begun)) {
    begun.begin = at_ + line.size() + 1;
    beginDump(std::move(begun));
  } else if (!log_.dumps.empty() && lines_.isIr(line)) {
    IrDump& dump = log_.dumps.back();
    for (char c : line) dump.hash = (dump.hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    dump.hash = (dump.hash ^ '\n') * 0x100000001b3;
    dump.ttnn = dump.ttnn || line.find("\"ttnn.") != std::string_view::npos;
    dump.module = dump.module || startsWith(line, "module") || startsWith(line, "builtin.module") ||
                  startsWith(line, "\"builtin.module");
  }
  at_ += line.size() + 1;
}

void PassLogReader::feed(std::string_view piece) {
  length_ += piece.size();
  size_t end = piece.find('\n');
  if (end != std::string_view::npos && !rest_.empty()) {
    rest_.append(piece.substr(0, end));
    readLine(rest_);
    rest_.clear();
    piece.remove_prefix(end + 1);
    end = piece.find('\n');
  }
  while (end != std::string_view::npos) {
    readLine(piece.substr(0, end));
    piece.remove_prefix(end + 1);
    end = piece.find('\n');
  }
  rest_.append(piece);
}

PassLogText PassLogReader::finish() {
  if (!rest_.empty()) readLine(rest_);
  at_ = length_;
  closeDump();
  for (IrDump& dump : log_.dumps) dump.begin = std::min(dump.begin, dump.end);
  LastDumps dumps;
  for (size_t i = 0; i < log_.dumps.size(); ++i) addRun(log_, i, dumps);
  return std::move(log_);
}

PassLogText readPassLog(std::string_view text) {
  PassLogReader reader;
  reader.feed(text);
  return reader.finish();
}

int dumpRank(const IrDump& dump) {
  if (!dump.complete || dump.moment == DumpMoment::Before) return -1;
  return (dump.ttnn ? 2 : 0) + (dump.module && dump.operation != "func.func" ? 1 : 0);
}

std::string dumpText(std::string_view dump) {
  std::string text;
  IrLines lines;
  while (!dump.empty()) {
    const size_t end = std::min(dump.find('\n'), dump.size());
    if (lines.isIr(dump.substr(0, end))) text.append(dump.substr(0, end)).append("\n");
    dump.remove_prefix(std::min(end + 1, dump.size()));
  }
  return text;
}

std::string dumpText(std::string_view log, const IrDump& dump) {
  return dumpText(log.substr(dump.begin, dump.end - dump.begin));
}

}  // namespace tessera

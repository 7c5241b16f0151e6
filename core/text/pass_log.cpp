#include "core/text/pass_log.h"

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

// The lines of a text, one after the other.
class Lines {
 public:
  Lines(std::string_view text, size_t from, size_t to) : text_(text), at_(from), to_(to) {}
  bool next() {
    if (at_ >= to_) return false;
    begin_ = at_;
    size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos || end > to_) end = to_;
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  std::string_view line() const { return line_; }
  size_t begin() const { return begin_; }
  size_t after() const { return at_ < to_ ? at_ : to_; }

 private:
  std::string_view text_, line_;
  size_t at_, to_, begin_ = 0;
};

// The lines of a dump that are IR, in order: up to the end of its outermost op and the aliases behind it.
template <class Each>
bool eachIrLine(std::string_view log, size_t begin, size_t end, const Each& each) {
  Lines lines(log, begin, end);
  bool open = false, closed = false;
  while (lines.next()) {
    const std::string_view line = lines.line();
    // Behind the op come aliases of locations alone; what else begins there is another copy, without a marker.
    if (closed && trimmed(line).empty()) continue;
    if (closed && !startsWith(line, "#loc")) break;
    if (isLogLine(line) || (!open && !beginsIr(line))) continue;
    const bool alias = startsWith(line, "#") || startsWith(line, "!");
    open = open || !alias;
    // An op of one line has no closing brace of its own.
    closed = closed || startsWith(line, "}") || startsWith(line, "})");
    each(line);
  }
  return closed;
}

// "After TTNNLayout (ttnn-layout) ('func.func' operation: @main) //----- //", behind the first word.
void readMarker(std::string_view text, IrDump& dump) {
  text = trimmed(text.substr(0, text.find(kMarkerEnd)));
  dump.moment = startsWith(text, "Before ") ? DumpMoment::Before : DumpMoment::After;
  text = trimmed(text.substr(text.find(' ') == std::string_view::npos ? text.size() : text.find(' ')));
  dump.pass = text.substr(0, text.find(' '));
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
      dump.argument = inner;
    } else {
      dump.operation = inner.substr(1, colon - 1);
      const size_t at = inner.find('@');
      dump.symbol = at == std::string_view::npos ? std::string_view() : inner.substr(at + 1);
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
  dump.pass = name;
  return true;
}

void finish(std::string_view log, IrDump& dump, size_t end) {
  dump.end = end;
  uint64_t hash = 0xcbf29ce484222325;
  dump.complete = eachIrLine(log, dump.begin, end, [&](std::string_view line) {
    for (char c : line) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    hash = (hash ^ '\n') * 0x100000001b3;
  });
  dump.hash = hash;
}

// What was dumped last of the same op; -1: nothing. A dump of another kind of op is another state.
int32_t lastOf(const std::vector<IrDump>& dumps, size_t before) {
  const IrDump& dump = dumps[before];
  constexpr size_t kLookBack = 64;  // functions of a module take turns
  for (size_t i = before; i-- > 0 && before - i <= kLookBack;) {
    if (dumps[i].operation == dump.operation && dumps[i].symbol == dump.symbol && dumps[i].moment != DumpMoment::Stage)
      return static_cast<int32_t>(i);
  }
  return -1;
}

void addRun(PassLogText& log, size_t index) {
  const IrDump& dump = log.dumps[index];
  const auto number = static_cast<int32_t>(index);
  if (dump.moment == DumpMoment::Stage) return;
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
  const int32_t previous = open->before >= 0 ? open->before : lastOf(log.dumps, index);
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

PassLogText readPassLog(std::string_view text) {
  PassLogText log;
  Lines lines(text, 0, text.size());
  uint32_t number = 0;
  while (lines.next()) {
    ++number;
    IrDump dump;
    dump.line = number;
    dump.begin = lines.after();
    if (startsWith(lines.line(), kMarker)) readMarker(lines.line().substr(kMarker.size()), dump);
    else if (!readStage(lines.line(), dump)) continue;
    if (!log.dumps.empty()) finish(text, log.dumps.back(), lines.begin());
    log.dumps.push_back(dump);
  }
  if (!log.dumps.empty()) finish(text, log.dumps.back(), text.size());
  for (size_t i = 0; i < log.dumps.size(); ++i) addRun(log, i);
  return log;
}

std::string dumpText(std::string_view log, const IrDump& dump) {
  std::string text;
  eachIrLine(log, dump.begin, dump.end, [&](std::string_view line) { text.append(line).append("\n"); });
  return text;
}

}  // namespace tessera

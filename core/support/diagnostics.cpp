#include "core/support/diagnostics.h"

#include <algorithm>

#include "core/support/check.h"

namespace tessera {

const std::vector<DiagInfo>& allDiagKinds() {
  static const std::vector<DiagInfo> kinds = {
#define TESSERA_DIAG(kind, severity, format) {DiagKind::kind, #kind, Severity::severity, format},
#include "core/support/diag_kinds.def"
#undef TESSERA_DIAG
  };
  return kinds;
}

const DiagInfo& diagInfo(DiagKind kind) { return allDiagKinds()[static_cast<size_t>(kind)]; }

namespace {

constexpr size_t kMaxArgumentBytes = 200;

// Length of the UTF-8 sequence at text[at], or 0 when it is not a valid one (overlong and surrogates included).
size_t utf8Length(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  auto tail = [&](size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

bool isUtf8Tail(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

std::string argumentText(std::string_view argument) {
  if (argument.size() <= kMaxArgumentBytes) return toValidUtf8(argument);
  size_t end = kMaxArgumentBytes;
  while (end > 0 && isUtf8Tail(argument[end])) --end;
  return toValidUtf8(argument.substr(0, end)) + "...";
}

std::string format(std::string_view text, std::initializer_list<std::string_view> arguments) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    bool placeholder = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    if (!placeholder) {
      out += text[i];
      continue;
    }
    auto index = static_cast<size_t>(text[i + 1] - '0');
    TESSERA_CHECK(index < arguments.size(), "diagnostic with too few arguments");
    out += argumentText(*(arguments.begin() + index));
    i += 2;
  }
  return out;
}

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

}  // namespace

std::string toValidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8Length(text, i);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
    } else {
      out.append(text.substr(i, length));
      i += length;
    }
  }
  return out;
}

Diagnostic* Diagnostics::report(DiagKind kind, Span span, std::initializer_list<std::string_view> arguments) {
  const DiagInfo& info = diagInfo(kind);
  if (!hasRoomFor(info.severity)) {
    ignored_ = Diagnostic{};
    return &ignored_;
  }
  all_.push_back({kind, info.severity, span, format(info.format, arguments), {}});
  return &all_.back();
}

void Diagnostics::add(const Diagnostic& diagnostic) {
  if (hasRoomFor(diagnostic.severity)) all_.push_back(diagnostic);
}

void Diagnostics::addAll(const Diagnostics& others) {
  for (const Diagnostic& one : others.all_) add(one);
  size_t missing[3] = {others.counts_[0], others.counts_[1], others.counts_[2]};
  for (const Diagnostic& one : others.all_) --missing[static_cast<size_t>(one.severity)];
  for (size_t severity = 0; severity < 3; ++severity) {
    counts_[severity] += missing[severity];
    dropped_ += missing[severity];
  }
}

bool Diagnostics::hasRoomFor(Severity severity) {
  static constexpr size_t kMost[] = {kMaxNotes, kMaxWarnings, kMaxErrors};
  auto index = static_cast<size_t>(severity);
  if (++counts_[index] <= kMost[index]) return true;
  ++dropped_;
  return false;
}

std::string Diagnostics::firstError() const {
  for (const Diagnostic& one : all_) {
    if (one.severity == Severity::Error) return one.message;
  }
  return {};
}

std::string renderDiagnostic(const Diagnostic& diagnostic, const SourceBuffer& source) {
  LineColumn at = source.lineColumn(diagnostic.span.begin);
  std::string out = source.name() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                    severityName(diagnostic.severity) + ": " + diagnostic.message + "\n";
  std::string_view line = source.line(at.line);
  constexpr size_t kWindow = 100;  // a dump's line can have 60,000 columns; show the part around the place
  size_t column = at.column - 1;
  size_t begin = column > kWindow / 2 ? column - kWindow / 2 : 0;
  if (line.size() <= kWindow) begin = 0;
  if (!line.empty()) {
    while (begin > 0 && begin < line.size() && isUtf8Tail(line[begin])) --begin;
    size_t end = begin + kWindow;
    while (end < line.size() && end > begin && isUtf8Tail(line[end])) --end;
    std::string_view shown = begin < line.size() ? line.substr(begin, end - begin) : std::string_view{};
    out += "  " + toValidUtf8(shown) + "\n  ";
    for (char c : toValidUtf8(shown.substr(0, column - begin))) {
      if (!isUtf8Tail(c)) out += c == '\t' ? '\t' : ' ';  // one place per character
    }
    out += "^\n";
  }
  for (const std::string& note : diagnostic.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace tessera

#pragma once
// What we tell a user about their input. One line per kind in diag_kinds.def; one call per place:
//   diags.report(DiagKind::UnknownOp, span, {name});

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/source.h"

namespace tessera {

enum class Severity { Note, Warning, Error };

enum class DiagKind {
#define TESSERA_DIAG(kind, severity, format) kind,
#include "core/support/diag_kinds.def"
#undef TESSERA_DIAG
};

struct DiagInfo {
  DiagKind kind;
  std::string_view name;  // "UnknownOp"
  Severity severity;
  std::string_view format;  // "{0}" is replaced by the first argument
};
const DiagInfo& diagInfo(DiagKind kind);
const std::vector<DiagInfo>& allDiagKinds();

struct Diagnostic {
  DiagKind kind;
  Severity severity;
  Span span;            // place in the source; {0,0} when the mistake has no place (an option, say)
  std::string message;  // the format with its arguments filled in; valid UTF-8
  std::vector<std::string> notes;
};

// Collects diagnostics in the order they are found. Bounded: after kMaxErrors errors, kMaxWarnings warnings or
// kMaxNotes notes it keeps counting but stores no more, so a hostile file cannot fill the memory.
class Diagnostics {
 public:
  static constexpr size_t kMaxErrors = 100;
  static constexpr size_t kMaxWarnings = 200;
  static constexpr size_t kMaxNotes = 200;

  // Arguments longer than 200 bytes are cut; bytes that are not UTF-8 are replaced.
  Diagnostic* report(DiagKind kind, Span span, std::initializer_list<std::string_view> arguments = {});

  // One that was made elsewhere; counted and bounded like the others.
  void add(const Diagnostic& diagnostic);
  // All of another list; what it found but did not store counts as well.
  void addAll(const Diagnostics& others);

  const std::vector<Diagnostic>& all() const { return all_; }
  size_t count(Severity severity) const { return counts_[static_cast<size_t>(severity)]; }
  size_t errorCount() const { return count(Severity::Error); }
  bool hasErrors() const { return errorCount() > 0; }
  std::string firstError() const;  // its message; "" when there is none
  // How many were found but not stored.
  size_t dropped() const { return dropped_; }

 private:
  bool hasRoomFor(Severity severity);  // counts it

  std::vector<Diagnostic> all_;
  size_t counts_[3] = {};  // by severity
  size_t dropped_ = 0;
  Diagnostic ignored_{};
};

// "name:line:col: error: message", the source line and a caret below it, then the notes.
std::string renderDiagnostic(const Diagnostic& diagnostic, const SourceBuffer& source);

// `text` with every invalid UTF-8 sequence replaced by U+FFFD.
std::string toValidUtf8(std::string_view text);

}  // namespace tessera

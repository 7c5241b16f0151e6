#pragma once
// --verify-diagnostics: comments say which diagnostics an input provokes, and where:
//   // expected-error @+1 {{text that its message contains}}
// Warnings and notes of ours that no comment mentions are not the compiler's and count for nothing.

#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostics.h"

namespace tessera {

// Lines: severity and line are compared, the wording is not.
enum class VerifyDiagnostics { Off, Text, Lines };

struct EmittedDiagnostic {
  Severity severity = Severity::Error;
  uint32_t line = 0;  // 0: no place known, which fits every line
  std::string message;
};

// What does not fit, one "line: error: ..." each; empty when all is as expected. `text` starts at line `firstLine`.
std::vector<std::string> checkExpectedDiagnostics(std::string_view text, uint32_t firstLine,
                                                  const std::vector<EmittedDiagnostic>& emitted, VerifyDiagnostics how);

}  // namespace tessera

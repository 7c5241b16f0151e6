#include "core/cli/expected_diagnostics.h"

#include <regex.h>

#include <charconv>

namespace tessera {

namespace {

struct Expected {
  Severity severity = Severity::Error;
  bool isRegex = false;
  bool anyLine = false;
  int64_t line = 0;
  std::string_view text;
  bool seen = false;
};

std::string_view severityName(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

bool eat(std::string_view& text, std::string_view word) {
  if (text.rfind(word, 0) != 0) return false;
  text.remove_prefix(word.size());
  return true;
}

void skipSpace(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

// "@+1", "@-2", "@above", "@below", "@unknown"; above and below are told from lines of code by their own comment alone.
bool readPlace(std::string_view& text, Expected& out) {
  if (!eat(text, "@")) return true;
  if (eat(text, "unknown")) return out.anyLine = true;
  if (eat(text, "above")) return out.line -= 1, true;
  if (eat(text, "below")) return out.line += 1, true;
  bool back = text.rfind('-', 0) == 0;
  if (!back && text.rfind('+', 0) != 0) return false;
  text.remove_prefix(1);
  int64_t distance = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), distance);
  if (error != std::errc() || distance < 0 || distance > 1'000'000) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  out.line += back ? -distance : distance;
  return true;
}

// The comment that starts at `text` ("expected-..."); its text goes to the last `}}` of the line.
bool readExpected(std::string_view text, Expected& out) {
  eat(text, "expected-");
  if (eat(text, "error")) out.severity = Severity::Error;
  else if (eat(text, "warning")) out.severity = Severity::Warning;
  else if (eat(text, "note") || eat(text, "remark")) out.severity = Severity::Note;
  else return false;
  out.isRegex = eat(text, "-re");
  skipSpace(text);
  if (!readPlace(text, out)) return false;
  skipSpace(text);
  if (!eat(text, "{{")) return false;
  size_t end = text.rfind("}}");
  if (end == std::string_view::npos) return false;
  out.text = text.substr(0, end);
  return true;
}

std::vector<Expected> readAll(std::string_view text, uint32_t firstLine) {
  std::vector<Expected> all;
  for (int64_t number = firstLine; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    size_t at = line.find("expected-");
    Expected expected;
    expected.line = number;
    if (at != std::string_view::npos && readExpected(line.substr(at), expected)) all.push_back(expected);
  }
  return all;
}

// {{...}} inside of the text of `expected-error-re` is a regular expression, the rest stands for itself.
std::string asRegex(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view(".[](){}*+?^$|\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool textFits(const Expected& expected, const std::string& message) {
  if (!expected.isRegex) return message.find(expected.text) != std::string::npos;
  std::string pattern;
  std::string_view rest = expected.text;
  for (size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    size_t close = rest.find("}}", open);
    if (close == std::string_view::npos) break;
    pattern += asRegex(rest.substr(0, open)) + "(" + std::string(rest.substr(open + 2, close - open - 2)) + ")";
    rest.remove_prefix(close + 2);
  }
  pattern += asRegex(rest);
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  bool fits = regexec(&compiled, message.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return fits;
}

bool fits(const Expected& expected, const EmittedDiagnostic& emitted, VerifyDiagnostics how) {
  bool place = expected.anyLine || emitted.line == 0 || expected.line == static_cast<int64_t>(emitted.line);
  return place && expected.severity == emitted.severity &&
         (how == VerifyDiagnostics::Lines || textFits(expected, emitted.message));
}

std::string atLine(int64_t line, const std::string& text) {
  return (line > 0 ? std::to_string(line) + ": " : std::string()) + "error: " + text;
}

}  // namespace

std::vector<std::string> checkExpectedDiagnostics(std::string_view text, uint32_t firstLine,
                                                  const std::vector<EmittedDiagnostic>& emitted,
                                                  VerifyDiagnostics how) {
  std::vector<Expected> all = readAll(text, firstLine);
  std::vector<std::string> mistakes;
  for (const EmittedDiagnostic& one : emitted) {
    bool known = false;
    for (Expected& expected : all) {
      if (expected.seen || known || !fits(expected, one, how)) continue;
      expected.seen = true;
      known = true;
    }
    if (!known && one.severity == Severity::Error)
      mistakes.push_back(atLine(one.line, "unexpected error: " + one.message));
  }
  for (const Expected& expected : all) {
    if (expected.seen) continue;
    mistakes.push_back(atLine(expected.line, "expected " + std::string(severityName(expected.severity)) + " \"" +
                                                 std::string(expected.text) + "\" was not produced"));
  }
  return mistakes;
}

}  // namespace tessera

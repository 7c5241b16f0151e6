#include "core/cli/command.h"

#include <cstdio>

namespace tessera {

void put(std::FILE* to, const std::string& text) { std::fwrite(text.data(), 1, text.size(), to); }

int loadFile(const std::string& path, Session& session) {
  std::string text;
  if (!readFile(path, text)) return usage("cannot read `" + path + "`");
  session.load(path == "-" ? "<stdin>" : path, text);
  return kExitFine;
}

void printDiagnostics(const Diagnostics& diagnostics, const SourceBuffer& source) {
  for (const Diagnostic& d : diagnostics.all()) put(stderr, renderDiagnostic(d, source));
  if (diagnostics.dropped() > 0) put(stderr, "not shown: " + std::to_string(diagnostics.dropped()) + " more\n");
}

bool splitOption(std::span<const std::string> arguments, size_t& index, std::string& name, std::string& value) {
  const std::string& argument = arguments[index];
  size_t equals = argument.find('=');
  bool hasValue = equals != std::string::npos;
  name = argument.substr(2, hasValue ? equals - 2 : std::string::npos);
  if (!hasValue && index + 1 == arguments.size()) return false;
  value = hasValue ? argument.substr(equals + 1) : arguments[++index];
  return true;
}

std::vector<std::string> splitList(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(',', start), text.size());
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

}  // namespace tessera

#include "core/driver/commands/command.h"

#include <cstdio>

namespace tessera {

void put(std::FILE* to, const std::string& text) { std::fwrite(text.data(), 1, text.size(), to); }

bool readFile(const std::string& path, std::string& text) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) return false;
  char buffer[1 << 16];
  size_t count = 0;
  // One byte past the limit is enough for the loader to refuse the input.
  while (text.size() <= kMaxSourceBytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, count);
  bool fine = !std::ferror(file);
  if (file != stdin) std::fclose(file);
  return fine;
}

int loadFile(const std::string& path, LoadedGraph& loaded) {
  std::string text;
  if (!readFile(path, text)) return usage("cannot read `" + path + "`");
  loaded = loadGraph(path == "-" ? "<stdin>" : path, std::move(text));
  return kExitFine;
}

void printDiagnostics(const Diagnostics& diagnostics, const SourceBuffer& source) {
  for (const Diagnostic& d : diagnostics.all()) put(stderr, renderDiagnostic(d, source));
  if (diagnostics.dropped() > 0) put(stderr, std::to_string(diagnostics.dropped()) + " more are not shown\n");
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

}  // namespace tessera

#include "core/driver/read_file.h"

#include <cstdio>

#include "core/driver/pipeline.h"

namespace tessera {

bool readFile(const std::string& path, std::string& text) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) return false;
  char buffer[1 << 16];
  size_t count = 0;
  // One byte past the limit is enough for the loader to refuse the input.
  while (text.size() <= kMaxSourceBytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  bool fine = !std::ferror(file);
  if (file != stdin) std::fclose(file);
  return fine;
}

}  // namespace tessera

#pragma once

#include <string>

namespace tessera {

// Appends the file to `text`; `-` is standard input. False when it cannot be read. Reads at most one byte more than
// kMaxSourceBytes, which is enough for the loader to refuse the input.
bool readFile(const std::string& path, std::string& text);

}  // namespace tessera

#pragma once

#include <span>
#include <string>

namespace tessera {

inline constexpr int kExitFine = 0;
inline constexpr int kExitDiagnostics = 1;
inline constexpr int kExitUsage = 2;

// The `tessera` program without its process: reads files and standard input, writes standard output and error.
int runCommandLine(std::span<const std::string> arguments);

}  // namespace tessera

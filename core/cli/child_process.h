#pragma once
// Somebody else's program: text in, text out, within bounds of time and memory.

#include <cstdint>
#include <string>

namespace tessera {

struct ChildLimits {
  int64_t milliseconds = 60'000;
  size_t outputBytes = size_t{64} << 20;
  int64_t memoryBytes = int64_t{4} << 30;  // of data, each process
};

struct ChildAnswer {
  std::string problem;  // "" when it ended with exit code 0 in time
  std::string out;
  std::string err;  // its last few kilobytes
};

// Runs `command` in the shell with `input` on its standard input. It and its children are stopped when the time is up,
// or when it says too much.
ChildAnswer runChild(const std::string& command, const std::string& input, const ChildLimits& limits);

}  // namespace tessera

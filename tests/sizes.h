#pragma once
// How much of a long test runs. Under sanitizers (TESSERA_TEST_SIZE=small) the same cases run on fewer graphs.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace tessera::test {

inline bool smallTests() {
  const char* size = std::getenv("TESSERA_TEST_SIZE");
  return size && std::string_view(size) == "small";
}

// Random graphs to make where `full` are made usually.
inline uint64_t seeds(uint64_t full) { return smallTests() ? (full + 9) / 10 : full; }

// More than how many of its cases a test must meet: some where fewer graphs run.
inline int enough(int full) { return smallTests() ? 0 : full; }

// Every fourth of the files, where all of them are taken usually.
template <class Path>
std::vector<Path> sliceOf(std::vector<Path> files) {
  if (!smallTests()) return files;
  std::vector<Path> some;
  for (size_t i = 0; i < files.size(); i += 4) some.push_back(files[i]);
  return some;
}

// The same of the files with at most `bytes`: some graphs take a minute each under sanitizers.
inline std::vector<std::filesystem::path> sliceUpTo(uintmax_t bytes, std::vector<std::filesystem::path> files) {
  if (smallTests()) std::erase_if(files, [&](const auto& path) { return std::filesystem::file_size(path) > bytes; });
  return sliceOf(std::move(files));
}

// Whether one of several policies runs on one of several graphs: under sanitizers every second pair, each policy with
// the graphs that its neighbour leaves out.
inline bool paired(size_t policy, size_t graph) { return !smallTests() || (policy + graph) % 2 == 1; }

}  // namespace tessera::test

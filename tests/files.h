#pragma once
// Files that tests read: reference data beside the repository, where it is at hand, and golden files.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tessera::test {

// "" when there is no such file.
inline std::string readFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::filesystem::path sharedFolder() {
  const char* given = std::getenv("TESSERA_SHARED");
  return given ? std::filesystem::path(given) : std::filesystem::path(TESSERA_SOURCE_DIR).parent_path() / "shared";
}

// In the order of their paths; none when there is no such folder.
template <class Iterator>
std::vector<std::filesystem::path> mlirFiles(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : Iterator(folder, none)) {
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}
inline std::vector<std::filesystem::path> mlirFilesIn(const std::filesystem::path& folder) {
  return mlirFiles<std::filesystem::directory_iterator>(folder);
}
inline std::vector<std::filesystem::path> mlirFilesBelow(const std::filesystem::path& folder) {
  return mlirFiles<std::filesystem::recursive_directory_iterator>(folder);
}

inline std::vector<std::filesystem::path> corpusFiles() { return mlirFilesIn(sharedFolder() / "corpus"); }
// Graphs from JAX and PyTorch.
inline std::vector<std::filesystem::path> stablehloFiles() {
  std::vector<std::filesystem::path> files = mlirFilesIn(sharedFolder() / "stablehlo");
  for (const auto& path : mlirFilesIn(sharedFolder() / "stablehlo/synthetic")) files.push_back(path);
  return files;
}
// The compiler's own tests.
inline std::vector<std::filesystem::path> compilerTestFiles() { return mlirFilesBelow(sharedFolder() / "lit/tests"); }

}  // namespace tessera::test

#pragma once
// The texts of the golden cases and reference texts: inputs for tests that pin answers.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/support/fingerprint.h"
#include "tests/changed_texts.h"
#include "tests/files.h"
#include "tests/sizes.h"

namespace tessera::test {

struct GoldenText {
  std::string name, text;  // "cases/add"
};

inline std::vector<GoldenText> everyTwelfthWhereSmall(std::vector<GoldenText> all) {
  if (!smallTests()) return all;
  std::vector<GoldenText> some;
  for (size_t i = 0; i < all.size(); i += 12) some.push_back(std::move(all[i]));
  return some;
}

// Every .mlir of these folders of tests/golden in the order of their names; every twelfth where tests are small.
inline std::vector<GoldenText> goldenTexts(const std::vector<std::string>& folders) {
  std::vector<GoldenText> out;
  for (const std::string& folder : folders) {
    for (const std::filesystem::path& path :
         mlirFilesIn(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden" / folder))
      out.push_back({folder + "/" + path.stem().string(), readFile(path)});
  }
  return everyTwelfthWhereSmall(std::move(out));
}

// Reference texts of at most 20,000 bytes: the parts of the compiler's tests (`// -----` ends one) and StableHLO from
// JAX and PyTorch. Each is known by the hash of its text alone; none where they are not at hand.
inline std::vector<GoldenText> referenceTexts() {
  std::vector<std::filesystem::path> paths = compilerTestFiles();
  for (const auto& more : {stablehloFiles(), mlirFilesIn(sharedFolder() / "stablehlo/ops_jax_testdata")})
    paths.insert(paths.end(), more.begin(), more.end());
  std::vector<GoldenText> out;
  for (const std::filesystem::path& path : paths) {
    const std::string text = readFile(path), end = "// -----";
    for (size_t at = 0; at < text.size();) {
      const size_t next = std::min(text.find(end, at), text.size());
      Fingerprint print;
      print.add(text.substr(at, next - at));
      if (next - at <= 20'000) out.push_back({print.text().substr(0, 8), text.substr(at, next - at)});
      at = next + end.size();
    }
  }
  return everyTwelfthWhereSmall(std::move(out));
}

}  // namespace tessera::test

#pragma once
// The parts of a study that several machines made, put together.

#include <span>
#include <string>

namespace tessera {

struct Merged {
  std::string problem;  // "" when all is well
  std::string summary;
  size_t runs = 0;
};

// Folders that `tessera study --shard` filled. They belong together when arguments, graphs and program are the same and
// every part is there once; then `folder` gets what the whole study would have got.
Merged mergeStudies(std::span<const std::string> parts, const std::string& folder);

}  // namespace tessera

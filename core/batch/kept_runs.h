#pragma once
// Finished runs of a study, one file each: DIR/kept/KEY.json. What has a key that nobody asks for is left alone.

#include <optional>
#include <string>
#include <vector>

#include "core/study/kept_run.h"

namespace tessera {

// Folders in which runs are kept.
class KeptRuns {
 public:
  explicit KeptRuns(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  // "" or why it cannot be written. Into the first folder.
  std::string keep(const std::string& key, const KeptRun& run) const;
  // Of the first folder that has it. Nothing when there is none, or none that can be read.
  std::optional<KeptRun> find(const std::string& key) const;
  const std::vector<std::string>& folders() const { return folders_; }

 private:
  std::vector<std::string> folders_;
};

inline std::string keptFolder(const std::string& studyFolder) { return studyFolder + "/kept"; }

}  // namespace tessera

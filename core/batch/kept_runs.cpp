#include "core/batch/kept_runs.h"

#include "core/batch/new_file.h"
#include "core/driver/read_file.h"

namespace tessera {

namespace {

std::string keptPath(const std::string& folder, const std::string& key) { return folder + "/" + key + ".json"; }

}  // namespace

std::string KeptRuns::keep(const std::string& key, const KeptRun& run) const {
  NewFile file(keptPath(folders_.front(), key));
  file.add(keptText(key, run));
  return file.finish();
}

std::optional<KeptRun> KeptRuns::find(const std::string& key) const {
  for (const std::string& folder : folders_) {
    const std::string path = keptPath(folder, key);
    std::string text;
    if (!readFile(path, text)) continue;
    if (std::optional<KeptRun> run = readKeptText(path, std::move(text), key)) return run;
  }
  return {};
}

}  // namespace tessera

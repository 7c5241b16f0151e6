#include "core/batch/page_template.h"

#include <cstdlib>
#include <filesystem>

#include "core/driver/read_file.h"

namespace tessera {

std::string pageTemplate(const std::string& name, const char* variable) {
  namespace fs = std::filesystem;
  std::string text;
  if (const char* given = std::getenv(variable)) {
    readFile(given, text);
    return text;
  }
  std::error_code problem;
  fs::path folder = fs::read_symlink("/proc/self/exe", problem);
  for (int level = 0; level < 5 && !problem && folder.has_parent_path(); ++level) {
    folder = folder.parent_path();
    const fs::path file = folder / "web/dist" / name;
    if (fs::exists(file, problem)) {
      readFile(file.string(), text);
      return text;
    }
  }
  return text;
}

}  // namespace tessera
